"""Results that people were shown, row by row, and how they become impressions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from cranfield import errors
from cranfield.arrays import Bools, Floats, Ints
from cranfield.data.click_log import ClickLog, Codes
from cranfield.errors import DataError, Findings
from cranfield.errors.clicks import SMALLEST_PROPENSITY
from cranfield.formats.tables import Rows
from cranfield.formats.values import Checked
from cranfield.kernels import are_compiled

if TYPE_CHECKING:
    from cranfield.kernels.compiled import Numbering

CLICKED: Mapping[object, bool] = {
    **dict.fromkeys((0, "0", "false", "False", "FALSE", "no"), False),
    **dict.fromkeys((1, "1", "true", "True", "TRUE", "yes"), True),
}
DIGITS = 10
"""A position, or a rank, has fewer."""

Values = Sequence[Any]


class IdCodes(dict[str, int]):
    """Ids and the numbers they get in the order they are met."""

    def __missing__(self, name: str) -> int:
        self[name] = number = len(self)
        return number

    def codes(self, ids: Sequence[str]) -> Codes:
        """The numbers of some ids."""
        return np.fromiter(map(self.__getitem__, ids), dtype=np.int32, count=len(ids))


class KnownIds:
    """The same, whether compiled loops give the numbers or plain ones do; ids keep theirs when the others go on."""

    def __init__(self) -> None:
        self._plain: IdCodes | None = IdCodes()
        self._numbering: Numbering | None = None

    def __len__(self) -> int:
        return len(self._numbering if self._plain is None else self._plain)  # type: ignore[arg-type]  # one is there

    def names(self) -> tuple[str, ...]:
        """The ids, in the order of their numbers."""
        return self._numbering.names() if self._numbering is not None else tuple(self._plain or ())

    def codes(self, ids: Sequence[str]) -> Codes:
        """The numbers of some ids."""
        if self._plain is None:
            self._plain, self._numbering = IdCodes(zip(self.names(), range(len(self)), strict=True)), None
        return self._plain.codes(ids)

    def numbering(self) -> Numbering:
        """What compiled loops give the next numbers by."""
        if self._numbering is None:
            from cranfield.kernels.chunks import numbering_of

            self._plain, self._numbering = None, numbering_of([name.encode() for name in self.names()])
        return self._numbering

    def forget_after(self, count: int) -> None:
        """Keep only the first ids, so many."""
        self._plain, self._numbering = IdCodes(zip(self.names()[:count], range(count), strict=True)), None


@dataclass
class Names:
    """The ids met so far."""

    sessions: KnownIds = field(default_factory=KnownIds)
    queries: KnownIds = field(default_factory=KnownIds)
    documents: KnownIds = field(default_factory=KnownIds)
    impressions: KnownIds = field(default_factory=KnownIds)

    def of(self, role: str) -> KnownIds:
        """Those of one role."""
        known: KnownIds = getattr(self, "queries" if role == "query" else f"{role}s")
        return known

    @property
    def each(self) -> tuple[KnownIds, ...]:
        """Those of every role."""
        return self.sessions, self.queries, self.impressions, self.documents


class Results(NamedTuple):
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


def results_of(rows: Rows, names: Names, findings: Findings) -> Results:
    """Rows of results, whose columns are called by their roles."""
    columns, checked = rows.columns, rows.checked(findings)

    def codes(role: str) -> Codes | None:
        return names.of(role).codes(checked.ids(columns[role], role)) if role in columns else None

    return Results(
        codes("session"),
        codes("query"),
        codes("impression"),
        names.documents.codes(checked.ids(columns["document"], "document")),
        _flags(columns["clicked"], checked),
        _positions(columns["position"], checked) if "position" in columns else None,
        propensities(columns["propensity"], checked) if "propensity" in columns else None,
        np.asarray(rows.lines, dtype=np.int32),
        rows.unit,
        rows.path,
    )


def joined(parts: Sequence[Results], path: str | None) -> Results:
    """All parts one after the other; what some of them have, all need."""
    columns: dict[str, Any] = {}
    for name in Results._fields[:8]:
        values = [getattr(part, name) for part in parts]
        known = [value for value in values if value is not None]
        if 0 < len(known) < len(values):
            raise DataError([errors.clicks.in_some_files(path, name)])
        columns[name] = None if not known else known[0] if len(known) == 1 else np.concatenate(known)
    return parts[0]._replace(**columns)


def grouped(found: Results, names: Names, path: str | None, findings: Findings) -> ClickLog:
    """Results put together as impressions, each in the order of its positions."""
    count = len(found.document)
    impression = _impressions(found, findings)
    order = order_of(impression, found.position)
    if order is not None:
        impression = impression[order]
        parts = zip(Results._fields[:8], found[:8], strict=True)
        moved: dict[str, Any] = {name: None if part is None else part[order] for name, part in parts}
        found = found._replace(**moved)
    begins = _changes(impression)
    starts = np.flatnonzero(begins)
    query = np.zeros(len(starts), dtype=np.int32) if found.query is None else found.query[starts]
    session = np.arange(len(starts), dtype=np.int32) if found.session is None else found.session[starts]
    queries = names.queries.names() if found.query is not None else ("",)
    sessions = names.sessions.names() if found.session is not None else tuple(map(str, range(1, len(starts) + 1)))
    documents = names.documents.names()
    _check(found, begins, query, queries, documents, names, findings)
    return ClickLog(
        sessions,
        queries,
        documents,
        np.append(starts, count).astype(np.int64),
        session,
        query,
        found.document,
        found.clicked,
        found.propensity,
        path,
        tuple(findings.warnings),
    )


def _changes(values: Ints | Codes) -> Bools:
    """Where a value is another one than before; the first is."""
    changes = np.ones(len(values), dtype=np.bool_)
    np.not_equal(values[1:], values[:-1], out=changes[1:])
    return changes


def _impressions(found: Results, findings: Findings) -> Codes:
    """A number for the impression of each result, rising where they follow each other."""
    if found.impression is not None:
        return found.impression
    keys = [column for column in (found.session, found.query) if column is not None]
    if not keys:
        if found.position is not None:
            findings.add(errors.clicks.positions_not_used(found.path, len(found.document)))
        return np.arange(len(found.document), dtype=np.int32)
    changes = np.logical_or.reduce([_changes(column) for column in keys])
    if found.session is not None:
        _check_together(found, np.flatnonzero(changes), findings)
    return np.cumsum(changes, dtype=np.int32)


def _check_together(found: Results, starts: Ints, findings: Findings) -> None:
    """Rows of one impression that others stand between; a list that is shown again has the positions it had."""
    width = 1 if found.query is None else int(found.query.max(initial=0)) + 1

    def pairs(rows: Ints | slice) -> Ints:
        session = np.zeros(1, dtype=np.int64) if found.session is None else found.session[rows].astype(np.int64)
        return session * width + (0 if found.query is None else found.query[rows])

    beginning = pairs(starts)
    known, first = np.unique(beginning, return_index=True)
    if len(known) == len(starts):
        return
    again = np.setdiff1d(np.arange(len(starts)), first)
    if found.position is None:
        findings.add(errors.clicks.impressions_again(found.path, len(again), len(starts)))
        return
    pair = pairs(slice(None))
    rows = np.flatnonzero(np.isin(pair, np.unique(beginning[again])))
    places = np.unique(np.stack([pair[rows], found.position[rows]]), axis=1)[0]
    distinct, times = np.unique(places, return_counts=True)
    split = distinct[times == np.unique(pair[rows], return_counts=True)[1]]
    for at in starts[again][np.isin(beginning[again], split)].tolist():
        findings.add(errors.clicks.rows_apart(found.path, int(found.line[at]), unit=found.unit))


def order_of(impression: Codes, position: Codes | None) -> Ints | None:
    """The order by impression and position; nothing where it is that already."""
    later, same = impression[1:] > impression[:-1], impression[1:] == impression[:-1]
    if position is None:
        return None if (later | same).all() else np.argsort(impression, kind="stable")
    if (later | (same & (position[1:] >= position[:-1]))).all():
        return None
    return np.lexsort((position, impression))


def _check(
    found: Results,
    begins: Bools,
    query: Codes,
    queries: Sequence[str],
    documents: Sequence[str],
    names: Names,
    findings: Findings,
) -> None:
    """What cannot be within one impression."""
    unit, path = found.unit, found.path
    same = ~begins[1:]
    group = np.cumsum(begins, dtype=np.int32) - 1
    for what, column in (("session", found.session), ("query", found.query)):
        if column is not None and found.impression is not None:
            for at in np.flatnonzero(same & (column[1:] != column[:-1])) + 1:
                known = names.impressions.names()
                name = known[int(found.impression[at])] if known else str(found.line[at])
                findings.add(errors.clicks.mixed_impression(path, int(found.line[at]), name, what, unit=unit))
    if found.position is not None:
        for at in np.flatnonzero(same & (found.position[1:] == found.position[:-1])) + 1:
            asked, position = queries[query[group[at]]], int(found.position[at])
            findings.add(errors.clicks.position_twice(path, int(found.line[at]), asked, position, unit=unit))
    again = repeated(group, found.document, max(len(documents), 1))
    if len(again) and (found.impression is not None or found.position is not None):
        findings.add(errors.clicks.documents_again(path, len(np.unique(group[again])), len(query)))
        again = again[:0]
    for at in again:
        asked, document = queries[query[group[at]]], documents[int(found.document[at])]
        findings.add(errors.clicks.shown_twice(path, int(found.line[at]), asked, document, unit=unit))
    if found.position is not None and same.any():
        gaps = np.unique(group[1:][same & (found.position[1:] - 1 > found.position[:-1])])
        if len(gaps):
            findings.add(errors.clicks.positions_with_gaps(path, len(gaps), len(query)))


def repeated(group: Codes, document: Codes, documents: int) -> Ints:
    """The results that show what their impression has shown before."""
    if are_compiled():
        from cranfield.kernels.compiled import comes_again

        if not comes_again(group, document, documents):
            return np.zeros(0, dtype=np.int64)
    keys = group.astype(np.int64) * documents + document
    if (np.diff(np.sort(keys)) > 0).all():
        return np.zeros(0, dtype=np.int64)
    order = np.argsort(keys, kind="stable")
    again: Ints = order[1:][np.diff(keys[order]) == 0]
    return again


def _flags(values: Values, checked: Checked) -> Bools:
    """Clicks, each 0 or 1."""
    kinds = set(values) if set(map(type, values)) <= {str, int, bool, float} else set()
    if kinds and kinds <= CLICKED.keys():
        return np.fromiter(map(CLICKED.__getitem__, values), dtype=np.bool_, count=len(values))
    flags = np.zeros(len(values), dtype=np.bool_)
    for at, value in enumerate(values):
        if _hashable(value) and value in CLICKED:
            flags[at] = CLICKED[value]
        else:
            line = checked.lines[at]
            checked.findings.add(errors.clicks.not_clicked_or_not(checked.path, line, value, unit=checked.unit))
    return flags


def _positions(values: Values, checked: Checked) -> Codes:
    types = set(map(type, values))
    if types == {int} and 0 <= min(values) <= max(values) < 10 ** (DIGITS - 1):
        return np.array(values, dtype=np.int32)
    texts = types == {str} and 0 < min(map(len, values)) <= max(map(len, values)) < DIGITS
    if texts and (digits := "".join(values)).isascii() and digits.isdigit():
        return np.fromiter(map(int, values), dtype=np.int32, count=len(values))
    positions = np.zeros(len(values), dtype=np.int32)
    for at, value in enumerate(values):
        whole = whole_number(value)
        if whole is None:
            checked.findings.add(errors.clicks.bad_position(checked.path, checked.lines[at], value, unit=checked.unit))
        positions[at] = -1 - at if whole is None else whole
    return positions


def whole_number(value: object) -> int | None:
    """A whole number from 0 on, of few digits; None for everything else."""
    if isinstance(value, str):
        text = value.removesuffix(".0")
        return int(text) if text.isascii() and text.isdigit() and len(text) < DIGITS else None
    if isinstance(value, bool | np.bool_) or not isinstance(value, int | float | np.integer | np.floating):
        return None
    return int(value) if 0 <= value < 10 ** (DIGITS - 1) and value % 1 == 0 else None


def propensities(values: Values, checked: Checked) -> Floats:
    """The probabilities with which results were shown."""
    values = checked.with_points(values, "propensity")
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
