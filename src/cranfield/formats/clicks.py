"""Click logs: a row per result, a row per impression, or the queries and events of OpenSearch UBI."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain
from typing import Any, NamedTuple

import numpy as np

from cranfield import errors
from cranfield.arrays import Bools, Floats, Ints
from cranfield.data.click_log import ClickLog, Codes
from cranfield.errors import DataError, Findings
from cranfield.errors.clicks import SMALLEST_PROPENSITY
from cranfield.formats import json_lines
from cranfield.formats.columns import Columns, folded
from cranfield.formats.json_text import json_of
from cranfield.formats.records import column_batches, delimiter_in
from cranfield.formats.sniff import sniff
from cranfield.formats.source import Source, as_source, must_be_text
from cranfield.formats.tables import Table
from cranfield.formats.values import Checked, is_missing

# Names in an earlier group win over later ones.
_NAMES: Mapping[str, tuple[str, ...]] = {
    "impression": ("impression_id impression search_id serp_id request_id page_view_id",),
    "session": ("session_id session sid", "user_id user uid client_id"),
    "query": ("query_id qid q_id topic_id", "query user_query query_text search_query"),
    "position": ("position rank ordinal pos",),
    "document": (
        "docno",
        "doc_id docid document_id corpus_id pid passage_id did item_id product_id iid",
        "document doc item passage product url",
    ),
    "documents": ("documents document_ids docs doc_ids items item_ids results ranking shown",),
    "clicked": ("clicked click is_clicked is_click reward",),
    "clicks": (
        "clicks",
        "clicked_documents clicked_ids clicked_ranks click_positions clicked_positions clicked_items",
        "clicked click",
    ),
    "propensity": ("propensity propensity_score pscore action_prob",),
}
_GROUPS = {role: [{folded(name) for name in group.split()} for group in groups] for role, groups in _NAMES.items()}
_RANKS = {folded(name) for name in ("clicked_ranks", "click_positions", "clicked_positions")}
_CLICKED = {
    **dict.fromkeys((0, "0", "false", "False", "FALSE", "no"), False),
    **dict.fromkeys((1, "1", "true", "True", "TRUE", "yes"), True),
}
_FIELDS_OF_NCM = ("session", "query", "documents", "_", "clicks", "_")
_RESPONSES = ("query_response_hit_ids", "query_response_object_ids", "query_response_objects_ids")
SEPARATORS = "|;, "
DIGITS = 10
"""A position, or a rank, has fewer."""

Values = Sequence[Any]


class Batch(NamedTuple):
    """Some rows as columns by name, and the line each begins on."""

    lines: Sequence[int]
    columns: Mapping[str, Values]
    unit: str = "line"


def read_clicks(
    source: object, *, columns: Mapping[str, str] | None = None, clicks: Sequence[str] = ("click",)
) -> ClickLog:
    """A click log from a path, `-`, an open file, rows or a table, or from several of these together.

    A row is a result (session, query, position, document, clicked) or an impression (session, query, documents,
    clicks, which are 0 or 1 for each document, or ids or ranks of those clicked). Rows of results are one impression as
    long as session and query stay the same, unless a column tells impressions apart. OpenSearch UBI queries and events
    are told by their fields, and put together by `query_id`; `clicks` are the actions that count as a click.

    `columns` says which column is what where names are others: {"document": "sku"}.

    >>> rows = [("s1", "q1", 1, "d1", 0), ("s1", "q1", 2, "d2", 1), ("s2", "q1", 1, "d2", 1)]
    >>> names = "session", "query", "position", "document", "clicked"
    >>> read_clicks([dict(zip(names, row)) for row in rows])
    ClickLog(2 impressions of 1 query in 2 sessions, 3 results shown, 2 clicked)
    """
    if isinstance(source, ClickLog):
        return source
    for role in columns or {}:
        if role not in _NAMES:
            raise errors.clicks.unknown_click_role(role, list(_NAMES))
    several = isinstance(source, list | tuple) and bool(source) and all(map(_is_file, source))
    log = _Log(columns or {}, tuple(clicks))
    for each in source if several else [source]:  # type: ignore[attr-defined]  # just seen
        log.read(each)
    return log.finished()


@dataclass
class _Log:
    """A log that is being read."""

    named: Mapping[str, str]
    actions: tuple[str, ...]
    findings: Findings = field(default_factory=Findings)
    path: str | None = None
    sessions: _Coded = field(default_factory=lambda: _Coded())
    queries: _Coded = field(default_factory=lambda: _Coded())
    documents: _Coded = field(default_factory=lambda: _Coded())
    impressions: _Coded = field(default_factory=lambda: _Coded())
    results: list[_Results] = field(default_factory=list)
    ubi: _Ubi | None = None
    lists: int = 0
    """Impressions so far that came as one row."""

    def read(self, given: object) -> None:
        """Add what a file or an object holds."""
        file = as_source(given)
        path = None if file is None else file.path
        self.path = path if self.path is None else f"{self.path}, {path}"
        batches = _of_value(given, None) if file is None else _of_file(file, self.findings)
        roles: dict[str, str] | None = None
        for batch in batches:
            if not len(batch.lines):
                continue
            if roles is None or not set(roles.values()) <= batch.columns.keys():
                roles = _roles(batch.columns, self.named, path)
            self._add(batch, roles, path)

    def _add(self, batch: Batch, roles: Mapping[str, str], path: str | None) -> None:
        if "ubi" in roles:
            self.ubi = self.ubi or _Ubi(self.actions, self.findings)
            self.ubi.add(batch, path)
            return
        rows = Checked(batch.lines, batch.unit, path, self.findings)
        columns = {role: batch.columns[name] for role, name in roles.items()}
        if "documents" in columns:
            self.results.append(self._of_lists(columns, roles["clicks"], rows))
        else:
            self.results.append(self._of_rows(columns, rows))

    def _of_rows(self, columns: Mapping[str, Values], rows: Checked) -> _Results:
        """Rows of results."""

        def codes(role: str, coded: _Coded) -> Codes | None:
            return coded.codes(rows.ids(columns[role], role)) if role in columns else None

        return _Results(
            codes("session", self.sessions),
            codes("query", self.queries),
            codes("impression", self.impressions),
            self.documents.codes(rows.ids(columns["document"], "document")),
            _flags(columns["clicked"], rows),
            _positions(columns["position"], rows) if "position" in columns else None,
            _propensities(columns["propensity"], rows) if "propensity" in columns else None,
            np.asarray(rows.lines, dtype=np.int32),
            rows.unit,
            rows.path,
        )

    def _of_lists(self, columns: Mapping[str, Values], clicks_are: str, rows: Checked) -> _Results:
        """Rows of impressions, each of which is as many results as it has documents."""
        lists = _lists(columns, clicks_are, rows)
        lines = np.asarray(rows.lines, dtype=np.int32)[lists.row]
        each = Checked(lines.tolist(), rows.unit, rows.path, rows.findings)

        def codes(role: str, coded: _Coded) -> Codes | None:
            return coded.codes(rows.ids(columns[role], role))[lists.row] if role in columns else None

        impression = (lists.row + self.lists).astype(np.int32)
        self.lists += len(rows.lines)
        return _Results(
            codes("session", self.sessions),
            codes("query", self.queries),
            impression,
            self.documents.codes(each.ids(lists.documents, "document")),
            np.array(lists.clicked, dtype=np.bool_),
            None,
            None if lists.propensity is None else _propensities(lists.propensity, each),
            lines,
            rows.unit,
            rows.path,
        )

    def finished(self) -> ClickLog:
        """All of it as a log; whatever is wrong stops here."""
        if self.ubi is not None:
            self.ubi.put_into(self)
        if not self.results:
            self.findings.stop_if_wrong()
            raise DataError([errors.files.nothing_read(self.path, "impressions")])
        self.findings.stop_if_wrong()
        found = _joined(self.results, self.path)
        self.results.clear()  # a large log is not held twice
        log = _grouped(found, self)
        self.findings.stop_if_wrong()
        return log


class _Coded(dict[str, int]):
    """Ids and the numbers they get in the order they are met."""

    def __missing__(self, name: str) -> int:
        self[name] = number = len(self)
        return number

    def codes(self, ids: Sequence[str]) -> Codes:
        """The numbers of some ids."""
        return np.fromiter(map(self.__getitem__, ids), dtype=np.int32, count=len(ids))


class _Results(NamedTuple):
    """Results as they were read, in parallel columns."""

    session: Codes | None
    query: Codes | None
    impression: Codes | None
    document: Codes
    clicked: Bools
    position: Codes | None
    propensity: Floats | None
    line: Codes
    unit: str
    path: str | None


def _joined(parts: Sequence[_Results], path: str | None) -> _Results:
    """All parts one after the other; what some of them have, all need."""
    columns: dict[str, Any] = {}
    for name in _Results._fields[:8]:
        values = [getattr(part, name) for part in parts]
        known = [value for value in values if value is not None]
        if 0 < len(known) < len(values):
            raise DataError([errors.clicks.told_for_some(path, name)])
        columns[name] = None if not known else known[0] if len(known) == 1 else np.concatenate(known)
    return parts[0]._replace(**columns)


def _grouped(found: _Results, log: _Log) -> ClickLog:
    """Results put together as impressions, each in the order of its positions."""
    count = len(found.document)
    impression = _impressions(found, log.findings)
    order = _order(impression, found.position)
    if order is not None:
        impression = impression[order]
        parts = zip(_Results._fields[:8], found[:8], strict=True)
        moved: dict[str, Any] = {name: None if part is None else part[order] for name, part in parts}
        found = found._replace(**moved)
    starts = np.flatnonzero(np.diff(impression, prepend=-1))
    group = np.cumsum(np.diff(impression, prepend=-1) != 0) - 1
    query = np.zeros(len(starts), dtype=np.int32) if found.query is None else found.query[starts]
    session = np.arange(len(starts), dtype=np.int32) if found.session is None else found.session[starts]
    queries = tuple(log.queries) if found.query is not None else ("",)
    sessions = tuple(log.sessions) if found.session is not None else tuple(map(str, range(1, len(starts) + 1)))
    _check(found, group, query, queries, log)
    return ClickLog(
        sessions,
        queries,
        tuple(log.documents),
        np.append(starts, count).astype(np.int64),
        session,
        query,
        found.document,
        found.clicked,
        found.propensity,
        log.path,
        tuple(log.findings.warnings),
        () if log.ubi is None else tuple(log.ubi.others),
    )


def _impressions(found: _Results, findings: Findings) -> Ints:
    """A number for the impression of each result, rising where they follow each other."""
    if found.impression is not None:
        return found.impression.astype(np.int64)
    keys = [column for column in (found.session, found.query) if column is not None]
    if not keys:
        if found.position is not None:
            findings.add(errors.clicks.positions_not_used(found.path, len(found.document)))
        return np.arange(len(found.document))
    changes = np.zeros(len(found.document), dtype=np.bool_)
    for column in keys:
        changes[1:] |= column[1:] != column[:-1]
    if found.session is not None:
        _check_together(found, np.append(0, np.flatnonzero(changes)), findings)
    return np.cumsum(changes)


def _check_together(found: _Results, starts: Ints, findings: Findings) -> None:
    """Rows of one impression that others stand between; a list that is shown again has the positions it had."""
    count = len(found.document)
    session = np.zeros(count, dtype=np.int64) if found.session is None else found.session.astype(np.int64)
    pair = session if found.query is None else session * (int(found.query.max(initial=0)) + 1) + found.query
    known, first = np.unique(pair[starts], return_index=True)
    if len(known) == len(starts):
        return
    again = np.setdiff1d(np.arange(len(starts)), first)
    if found.position is None:
        findings.add(errors.clicks.impressions_again(found.path, len(again), len(starts)))
        return
    rows = np.flatnonzero(np.isin(pair, np.unique(pair[starts[again]])))
    places = np.unique(np.stack([pair[rows], found.position[rows]]), axis=1)[0]
    distinct, times = np.unique(places, return_counts=True)
    split = distinct[times == np.unique(pair[rows], return_counts=True)[1]]
    for at in starts[again][np.isin(pair[starts[again]], split)].tolist():
        findings.add(errors.clicks.rows_apart(found.path, int(found.line[at]), unit=found.unit))


def _order(impression: Ints, position: Codes | None) -> Ints | None:
    """The order by impression and position; nothing where it is that already."""
    if position is None:
        return None if (np.diff(impression) >= 0).all() else np.argsort(impression, kind="stable")
    steps = np.diff(impression)
    if ((steps > 0) | ((steps == 0) & (np.diff(position) >= 0))).all():
        return None
    return np.lexsort((position, impression))


def _check(found: _Results, group: Ints, query: Codes, queries: Sequence[str], log: _Log) -> None:
    """What cannot be within one impression."""
    findings, unit, path = log.findings, found.unit, found.path
    same = np.diff(group) == 0
    for what, column in (("session", found.session), ("query", found.query)):
        if column is not None and found.impression is not None:
            for at in np.flatnonzero(same & (np.diff(column) != 0)) + 1:
                name = list(log.impressions)[int(found.impression[at])] if log.impressions else str(found.line[at])
                findings.add(errors.clicks.mixed_impression(path, int(found.line[at]), name, what, unit=unit))
    if found.position is not None:
        for at in np.flatnonzero(same & (np.diff(found.position) == 0)) + 1:
            asked, position = queries[query[group[at]]], int(found.position[at])
            findings.add(errors.clicks.position_twice(path, int(found.line[at]), asked, position, unit=unit))
    documents = max(len(log.documents), 1)
    keys = group * documents + found.document
    again = np.zeros(0, dtype=np.int64)
    if not (np.diff(np.sort(keys)) > 0).all():
        order = np.argsort(keys, kind="stable")
        again = order[1:][np.diff(keys[order]) == 0]
    if len(again) and (found.impression is not None or found.position is not None):
        findings.add(errors.clicks.documents_again(path, len(np.unique(group[again])), len(query)))
        again = again[:0]
    for at in again:
        asked, document = queries[query[group[at]]], list(log.documents)[int(found.document[at])]
        findings.add(errors.clicks.shown_twice(path, int(found.line[at]), asked, document, unit=unit))
    if found.position is not None and same.any():
        gaps = np.unique(group[1:][same & (np.diff(found.position) > 1)])
        if len(gaps):
            findings.add(errors.clicks.positions_with_gaps(path, len(gaps), len(query)))


# Values


def _flags(values: Values, checked: Checked) -> Bools:
    """Clicks, each 0 or 1."""
    kinds = set(values) if set(map(type, values)) <= {str, int, bool, float} else set()
    if kinds and kinds <= _CLICKED.keys():
        return np.fromiter(map(_CLICKED.__getitem__, values), dtype=np.bool_, count=len(values))
    flags = np.zeros(len(values), dtype=np.bool_)
    for at, value in enumerate(values):
        if _hashable(value) and value in _CLICKED:
            flags[at] = _CLICKED[value]
        else:
            line = checked.lines[at]
            checked.findings.add(errors.clicks.not_clicked_or_not(checked.path, line, value, unit=checked.unit))
    return flags


def _positions(values: Values, checked: Checked) -> Codes:
    texts = set(map(type, values)) == {str} and 0 < min(map(len, values)) <= max(map(len, values)) < DIGITS
    if texts and (digits := "".join(values)).isascii() and digits.isdigit():
        return np.fromiter(map(int, values), dtype=np.int32, count=len(values))
    positions = np.zeros(len(values), dtype=np.int32)
    for at, value in enumerate(values):
        whole = _whole(value)
        if whole is None:
            checked.findings.add(errors.clicks.bad_position(checked.path, checked.lines[at], value, unit=checked.unit))
        positions[at] = -1 - at if whole is None else whole
    return positions


def _whole(value: object) -> int | None:
    """A whole number from 0 on, of few digits; None for everything else."""
    if isinstance(value, str):
        text = value.removesuffix(".0")
        return int(text) if text.isascii() and text.isdigit() and len(text) < DIGITS else None
    if isinstance(value, bool | np.bool_) or not isinstance(value, int | float | np.integer | np.floating):
        return None
    return int(value) if 0 <= value < 10 ** (DIGITS - 1) and value % 1 == 0 else None


def _propensities(values: Values, checked: Checked) -> Floats:
    try:
        numbers = np.array(list(map(float, values)))
    except (TypeError, ValueError, OverflowError):
        numbers = np.array([_number(value) for value in values])
    for at in np.flatnonzero(~((numbers >= SMALLEST_PROPENSITY) & (numbers <= 1))).tolist():
        checked.findings.add(
            errors.clicks.bad_propensity(checked.path, checked.lines[at], values[at], unit=checked.unit)
        )
    return numbers


def _number(value: object) -> float:
    try:
        return float(value)  # type: ignore[arg-type]  # what is no number is caught
    except (TypeError, ValueError, OverflowError):
        return float("nan")


def _hashable(value: object) -> bool:
    return isinstance(value, str | int | float | np.generic)


# A row per impression


class _Lists(NamedTuple):
    """Impressions as results: which row each comes from, its document, and whether it was clicked."""

    row: Ints
    documents: list[str]
    clicked: list[bool]
    propensity: list[Any] | None


def _lists(columns: Mapping[str, Values], clicks_are: str, checked: Checked) -> _Lists:
    documents: list[str] = []
    clicked: list[bool] = []
    propensity: list[Any] = []
    lengths: list[int] = []
    as_ranks = folded(clicks_are) in _RANKS
    weights = columns.get("propensity")
    for at, (shown, clicks) in enumerate(zip(columns["documents"], columns["clicks"], strict=True)):
        line = checked.lines[at]
        ids = _ids(_as_list(shown, "documents", line, checked))
        if not ids:
            checked.findings.add(errors.clicks.empty_impression(checked.path, line, unit=checked.unit))
            lengths.append(0)
            continue
        documents += ids
        clicked += _clicks(ids, _as_list(clicks, "clicks", line, checked), as_ranks, line, checked)
        lengths.append(len(ids))
        if weights is not None:
            given = _as_list(weights[at], "propensity", line, checked)
            if len(given) != len(ids):
                wrong = errors.clicks.unequal_propensities(checked.path, line, len(given), len(ids), unit=checked.unit)
                checked.findings.add(wrong)
                given = [1.0] * len(ids)
            propensity += given
    row = np.repeat(np.arange(len(lengths)), lengths)
    return _Lists(row, documents, clicked, propensity if weights is not None else None)


def _as_list(value: object, what: str, line: int, checked: Checked) -> list[Any]:
    if isinstance(value, str):
        return _split(value)
    if isinstance(value, list | tuple | np.ndarray):
        return list(value)
    if is_missing(value):
        return []
    checked.findings.add(errors.clicks.no_list(checked.path, line, what, value, unit=checked.unit))
    return []


def _split(text: str) -> list[Any]:
    """A list in a field: JSON, or ids between bars, semicolons, commas or blanks."""
    stripped = text.strip()
    if stripped.startswith("["):
        try:
            value = json.loads(stripped)
        except (ValueError, RecursionError):
            value = [part.strip(" '\"") for part in stripped.strip("[]").split(",")]
        return value if isinstance(value, list) else [value]
    separator = next((sign for sign in SEPARATORS if sign in stripped), " ")
    return [part.strip() for part in stripped.split(separator) if part.strip()]


def _ids(values: list[Any]) -> list[str]:
    if set(map(type, values)) <= {str}:
        return values
    return [value if isinstance(value, str) else _text(_plain(value)) for value in values]


def _text(value: object) -> str:
    try:
        return str(value)
    except ValueError:  # a whole number of thousands of digits
        return ""


def _plain(value: Any) -> Any:
    """A document or a click that is an object of its own gives its id, or its rank."""
    if isinstance(value, Mapping):
        for name in ("document", "doc_id", "document_id", "object_id", "id", "_id", "position", "rank"):
            if name in value:
                return value[name]
    return value.item() if isinstance(value, np.generic) else value


def _clicks(documents: list[str], clicks: list[Any], as_ranks: bool, line: int, checked: Checked) -> list[bool]:
    """Whether each document was clicked."""
    plain = [_plain(click) for click in clicks]
    flagged = not as_ranks and all(type(click) in (int, bool) or click in ("0", "1") for click in plain)
    if flagged and len(plain) == len(documents) and all(click in _CLICKED for click in plain):
        return [_CLICKED[click] for click in plain]
    found = [False] * len(documents)
    place = {document: at for at, document in enumerate(documents)} if not as_ranks else {}
    if flagged and len(plain) > 1 and not all(_text(click) in place for click in plain):
        if all(click in _CLICKED for click in plain):
            wrong = errors.clicks.unequal_lists(checked.path, line, len(plain), len(documents), unit=checked.unit)
            checked.findings.add(wrong)
            return found
        if len(plain) == len(documents) and 0 in plain:
            odd = next(click for click in plain if click not in _CLICKED)
            checked.findings.add(errors.clicks.not_clicked_or_not(checked.path, line, odd, unit=checked.unit))
            return found
    for click in plain:
        rank = _whole(click) or 0
        if _text(click) in place:
            found[place[_text(click)]] = True
        elif 1 <= rank <= len(documents):
            found[rank - 1] = True
        else:
            wrong = errors.clicks.clicked_not_shown(checked.path, line, click, len(documents), unit=checked.unit)
            checked.findings.add(wrong)
    return found


# OpenSearch UBI


class _Event(NamedTuple):
    query: str
    clicked: bool
    document: str | None
    position: float


@dataclass
class _Ubi:
    """Queries with what they showed, and what people did then."""

    actions: tuple[str, ...]
    findings: Findings
    queries: dict[str, tuple[str, str | None, list[str], int]] = field(default_factory=dict)
    """By id: text, session, results and line."""
    events: list[_Event] = field(default_factory=list)
    sessions: dict[str, str] = field(default_factory=dict)
    met: int = 0
    """How many events there are, of whatever action."""
    others: dict[str, None] = field(default_factory=dict)
    """Actions that count as no click, in the order they are met."""

    def add(self, batch: Batch, path: str | None) -> None:
        """Records of either kind."""
        names = list(batch.columns)
        for at, line in enumerate(batch.lines):
            record = {name: batch.columns[name][at] for name in names if batch.columns[name][at] is not None}
            identity = record.get("query_id")
            if identity is None:
                if not record.keys() <= {"index", "create"}:  # lines of a bulk request, which say where records go
                    self.findings.add(errors.clicks.record_of_no_query(path, line, unit=batch.unit))
            elif "action_name" in record:
                self._event(_text(identity), record, path, line, batch.unit)
            else:
                self._query(_text(identity), record, path, line, batch.unit)

    def _query(self, identity: str, record: Mapping[str, Any], path: str | None, line: int, unit: str) -> None:
        results: Any = next((record[name] for name in _RESPONSES if name in record), [])
        text = record.get("user_query")
        session = record.get("session_id") or record.get("client_id")
        shown = _ids(results if isinstance(results, list) else _split(str(results)))
        query = (str(text or identity), None if session is None else str(session), shown, line)
        first = self.queries.setdefault(identity, query)
        if first[:3] != query[:3]:
            self.findings.add(errors.clicks.ubi_query_twice(path, line, identity, first[3], unit=unit))

    def _event(self, identity: str, record: Mapping[str, Any], path: str | None, line: int, unit: str) -> None:
        action = str(record["action_name"])
        self.met += 1
        session = record.get("session_id") or _dig(record, "event_attributes", "session_id") or record.get("client_id")
        if session is not None:
            self.sessions.setdefault(identity, str(session))
        if action not in self.actions:
            self.others.setdefault(action)
        if action not in (*self.actions, "impression"):
            return
        document = _dig(record, "event_attributes", "object", "object_id")
        position = _dig(record, "event_attributes", "position", "ordinal")
        if position is None:
            position = _dig(record, "event_attributes", "position", "index")
        place = float("inf") if position is None else _whole(position)
        if place is None:
            self.findings.add(errors.clicks.bad_position(path, line, position, unit=unit))
            return
        self.events.append(_Event(identity, action != "impression", None if document is None else str(document), place))

    def put_into(self, log: _Log) -> None:
        """Each query as an impression."""
        path, findings = log.path, log.findings
        shown: dict[str, list[tuple[float, str]]] = {}
        clicked: dict[str, list[_Event]] = {}
        unknown: list[str] = []
        for event in self.events:
            if event.query not in self.queries:
                unknown.append(event.query)
            elif event.clicked:
                clicked.setdefault(event.query, []).append(event)
            elif event.document is not None:
                shown.setdefault(event.query, []).append((event.position, event.document))
        columns: dict[str, list[Any]] = {"session": [], "query": [], "documents": [], "clicks": []}
        lines: list[int] = []
        without: list[str] = []
        unlisted: list[str] = []
        for identity, (text, session, results, line) in self.queries.items():
            # What people saw, if that was logged; else what was found for them.
            seen = sorted(shown.get(identity, []), key=lambda one: one[0])
            documents = list(dict.fromkeys(document for _, document in seen)) or results
            if not documents:
                without.append(identity)
                continue
            clicks = [event.document or "" for event in clicked.get(identity, [])]
            unlisted += [document for document in clicks if document not in documents]
            columns["session"].append(self.sessions.get(identity) or session or identity)
            columns["query"].append(text)
            columns["documents"].append(documents)
            columns["clicks"].append([int(document in clicks) for document in documents])
            lines.append(line)
        if not self.queries and self.met:
            raise DataError([errors.clicks.no_ubi_queries(path, self.met)])
        for names, make in ((unknown, errors.clicks.events_of_no_query), (unlisted, errors.clicks.events_not_listed)):
            if names:
                findings.add(make(path, list(dict.fromkeys(names)), len(names)))
        if without:
            findings.add(errors.clicks.queries_without_results(path, without, len(self.queries)))
        if lines:
            log._add(Batch(lines, columns), {name: name for name in columns}, path)


def _dig(record: Mapping[str, Any], *names: str) -> Any:
    """A value within others, which an export may also have put beside each other with dots in their names."""
    if ".".join(names) in record:
        return record[".".join(names)]
    value: Any = record
    for name in names:
        value = value.get(name) if isinstance(value, Mapping) else None
    return value


# Where rows come from


def _is_file(given: object) -> bool:
    return isinstance(given, str | Source) or hasattr(given, "__fspath__") or hasattr(given, "read")


def _of_file(file: Source, findings: Findings) -> Iterator[Batch]:
    if not file.head.strip():
        raise DataError([errors.files.nothing_read(file.path, "impressions")])
    if file.head.startswith((b"PAR1", b"ARROW1", b"\xff\xff\xff\xff")):
        from cranfield.formats import arrow

        return _of_table(arrow.file_table(file))
    must_be_text(file)
    if file.head.lstrip()[:1] in (b"{", b"["):
        if sniff(file, Columns()).format == "jsonl" or file.head.lstrip().startswith((b'{"index"', b'{"create"')):
            return _of_lines(file, findings)
        return _of_value(json_of(file), file.path)
    return _of_text(file, findings)


def _of_text(file: Source, findings: Findings) -> Iterator[Batch]:
    """Lines split at tabs, commas or semicolons."""
    header: Sequence[str] | None = None
    for lines, columns in column_batches(file, delimiter_in(file) or ",", findings):
        if header is None:
            header, is_header = _header([column[0] for column in columns])
            if len(set(header)) < len(header):
                raise DataError(
                    [errors.queries.column_twice(file.path, next(name for name in header if header.count(name) > 1))]
                )
            if is_header:
                lines, columns = lines[1:], [column[1:] for column in columns]
        yield Batch(lines, dict(zip(header, columns, strict=True)))


def _header(first: Sequence[str]) -> tuple[list[str], bool]:
    """The names of columns, and whether the first row is that."""
    if len(first) in (5, 6) and first[2].lstrip().startswith("["):  # as neural click models are fed
        return [f"{name}{at}" if name == "_" else name for at, name in enumerate(_FIELDS_OF_NCM)][: len(first)], False
    return list(first), True


def _of_lines(file: Source, findings: Findings) -> Iterator[Batch]:
    for block in file.blocks():
        lines, records = json_lines.records_of(block, file.path, findings)
        for line, record in zip(lines, records, strict=True):
            if _is_answer(record):
                yield from _of_value(record, file.path)
                lines, records = [number for number in lines if number != line], [r for r in records if r is not record]
        yield _of_records(lines, records, "line")


def _is_answer(given: object) -> bool:
    """Whether this is what OpenSearch answers to a search."""
    return isinstance(given, Mapping) and isinstance(given.get("hits"), Mapping)


def _of_records(lines: Sequence[int], records: Sequence[Mapping[str, Any]], unit: str) -> Batch:
    sources = [record["_source"] if isinstance(record.get("_source"), Mapping) else record for record in records]
    names = list(dict.fromkeys(chain.from_iterable(sources)))
    return Batch(lines, {name: [record.get(name) for record in sources] for name in names}, unit)


def _of_table(table: Table) -> Iterator[Batch]:
    first = 1
    for batch in table.batches(range(len(table.names))):
        if not batch:
            raise DataError([errors.files.nothing_read(table.path, "clicks")])
        count = len(batch[0])
        yield Batch(range(first, first + count), dict(zip(map(str, table.names), batch, strict=True)), "row")
        first += count


def _of_value(given: Any, path: str | None) -> Iterator[Batch]:
    if _is_answer(given):
        given = given["hits"].get("hits", [])
    if isinstance(given, list | tuple) and given and all(isinstance(row, Mapping) for row in given):
        yield _of_records(range(1, len(given) + 1), given, "row")
        return
    if isinstance(given, Mapping | str | bytes) or (
        not isinstance(given, Iterable) and not hasattr(given, "__arrow_c_stream__")
    ):
        raise errors.clicks.unreadable_clicks(given)
    if isinstance(given, list | tuple) and not given:
        raise DataError([errors.files.nothing_read(path, "impressions")])
    from cranfield.formats import memory

    yield from _of_table(memory.as_table(given, "run", path))


def _roles(columns: Mapping[str, Values], named: Mapping[str, str], path: str | None) -> dict[str, str]:
    """Which column is what."""
    header = list(columns)
    if _is_ubi(header):
        return {"ubi": "query_id" if "query_id" in header else header[0]}
    roles: dict[str, str] = {}
    for role, name in named.items():
        if name not in columns:
            raise DataError([errors.files.unknown_column(path, name, header)])
        roles[role] = name
    lists = "documents" in roles or bool(_candidates("documents", header))
    left_out = {"document", "clicked", "position"} if lists else {"documents", "clicks"}
    for role in _NAMES:
        if role not in roles and role not in left_out:
            found = [name for name in _candidates(role, header) if name not in roles.values()]
            if len(found) > 1:
                raise DataError([errors.files.ambiguous_columns(path, role, found)])
            roles.update((role, name) for name in found)
    needed = {"documents", "clicks"} if lists else {"document", "clicked"}
    if not needed <= roles.keys():
        raise DataError([errors.clicks.no_click_columns(path, header)])
    return roles


def _is_ubi(header: Sequence[str]) -> bool:
    if "action_name" in header or set(_RESPONSES) & set(header):
        return True
    return (bool(header) and {"index", "create"} >= set(header)) or {
        "query_id",
        "user_query",
        "query_response_id",
    } <= set(header)


def _candidates(role: str, header: Sequence[str]) -> list[str]:
    for group in _GROUPS[role]:
        if found := [name for name in header if folded(str(name)) in group]:
            return found
    return []
