"""Click logs: a row per result, a row per impression, the queries and events of OpenSearch UBI, or Yandex's lines."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from cranfield import errors
from cranfield.data.click_log import ClickLog
from cranfield.errors import CranfieldError, DataError, Findings
from cranfield.formats.click_results import Names, Results, grouped, joined, results_of
from cranfield.formats.columns import DOCUMENT, Roles
from cranfield.formats.impressions import results_of_lists
from cranfield.formats.rows import Content, Record, named_rows, read_rows, rows_of_object
from cranfield.formats.source import Source, as_source
from cranfield.formats.tables import Rows
from cranfield.formats.ubi import Ubi, is_ubi
from cranfield.formats.yandex import YandexLog, is_yandex_log
from cranfield.kernels import are_compiled

if TYPE_CHECKING:
    from cranfield.formats.ubi_lines import UbiLines

ROLES = Roles(
    {
        "impression": ("impression_id impression search_id serp_id request_id page_view_id",),
        "session": ("session_id session sid", "user_id user uid client_id"),
        "query": ("query_id qid q_id topic_id", "query user_query query_text search_query"),
        "position": ("position rank ordinal pos",),
        "document": DOCUMENT,
        "documents": ("documents document_ids docs doc_ids items item_ids results ranking shown",),
        "clicked": ("clicked click is_clicked is_click reward",),
        "clicks": (
            "clicks",
            "clicked_documents clicked_ids clicked_ranks click_positions clicked_positions clicked_items",
            "clicked click",
        ),
        "propensity": ("propensity propensity_score pscore action_prob",),
    }
)
_FIELDS_OF_NCM = ("session", "query", "documents", "_", "clicks", "_")


def read_clicks(
    source: object,
    *,
    columns: Mapping[str, str] | None = None,
    clicks: Sequence[str] = ("click",),
    findings: Findings | None = None,
) -> ClickLog:
    """A click log from a path, `-`, an open file, rows or a table, or from several of these together.

    A row is a result (session, query, position, document, clicked) or an impression (session, query, documents,
    clicks, which are 0 or 1 for each document, or ids or ranks of those clicked). Rows of results are one impression as
    long as session and query stay the same, unless a column tells impressions apart. OpenSearch UBI queries and events
    are recognised by their fields, and put together by `query_id`; `clicks` are the actions that count as a click. The
    log of Yandex's Relevance Prediction Challenge, lines of queries (Q) and clicks (C), is read as it is.

    `columns` says which column is what where names are others: {"document": "sku"}. `findings` gathers what is wrong or
    surprising for whoever reads a log in parts.

    >>> rows = [("s1", "q1", 1, "d1", 0), ("s1", "q1", 2, "d2", 1), ("s2", "q1", 1, "d2", 1)]
    >>> names = "session", "query", "position", "document", "clicked"
    >>> read_clicks([dict(zip(names, row)) for row in rows])
    ClickLog(2 impressions of 1 query in 2 sessions, 3 results shown, 2 clicked)
    """
    if isinstance(source, ClickLog):
        return source
    for role in columns or {}:
        if role not in ROLES.names:
            raise errors.clicks.unknown_click_role(role, list(ROLES))
    several = isinstance(source, list | tuple) and bool(source) and all(map(_is_file, source))
    log = _Log(columns or {}, tuple(clicks), Findings() if findings is None else findings)
    for each in source if several else [source]:  # type: ignore[attr-defined]  # just seen
        log.read(each)
    return log.finished()


class _Clicks(Content):
    name = "impressions"

    def header(self, first: Sequence[str], path: str | None) -> tuple[Sequence[str], bool]:
        if len(first) in (5, 6) and first[2].lstrip().startswith("["):  # as neural click models are fed
            names = [f"{name}{at}" if name == "_" else name for at, name in enumerate(_FIELDS_OF_NCM)]
            return names[: len(first)], False
        return first, True

    def of_records(
        self, lines: Sequence[int], records: Sequence[Record], unit: str, path: str | None
    ) -> Iterator[Rows]:
        plain = [at for at, record in enumerate(records) if not _is_answer(record)]
        for record in records if len(plain) < len(records) else ():
            if _is_answer(record):
                yield from self.of_mapping(record, path)
        inner = [_inner(records[at]) for at in plain]
        yield named_rows(lines if len(plain) == len(records) else [lines[at] for at in plain], inner, unit, path)

    def of_mapping(self, given: Record, path: str | None) -> Iterator[Rows]:
        if not _is_answer(given):
            raise self.unreadable(given, path)
        return rows_of_object(given["hits"].get("hits", []), self, path)

    def unreadable(self, given: object, path: str | None) -> CranfieldError:
        return errors.clicks.unreadable_clicks(given)


def _is_answer(given: Mapping[Any, Any]) -> bool:
    """Whether this is what OpenSearch answers to a search."""
    return isinstance(given.get("hits"), Mapping)


def _inner(record: Record) -> Record:
    """A record of OpenSearch without what it says about where it is."""
    source = record.get("_source")
    return source if isinstance(source, Mapping) else record


@dataclass
class _Log:
    """A log that is being read."""

    named: Mapping[str, str]
    actions: tuple[str, ...]
    findings: Findings = field(default_factory=Findings)
    path: str | None = None
    names: Names = field(default_factory=Names)
    results: list[Results] = field(default_factory=list)
    ubi: Ubi | None = None
    ubi_lines: UbiLines | None = None
    """Files of OpenSearch UBI that compiled loops read; nothing as soon as plain ones had to."""
    yandex: YandexLog | None = None
    lists: int = 0
    """Impressions so far that came as one row."""

    def read(self, given: object) -> None:
        """Add what a file or an object holds."""
        file = as_source(given)
        path = None if file is None else file.path
        self.path = path if self.path is None else f"{self.path}, {path}"
        if file is not None and not self.named and is_yandex_log(file):
            self.yandex = self.yandex or YandexLog(self.findings)
            self.yandex.read(file)
            return
        if file is not None and self._read_lines(file):
            return
        roles: dict[str, str] | None = None
        for rows in read_rows(given if file is None else file, _Clicks(), self.findings):
            if not len(rows.lines):
                continue
            if is_ubi(rows.names):
                self._in_plain_ubi().add(rows)
                continue
            if roles is None or not set(roles.values()) <= rows.columns.keys():
                roles = click_roles(rows.names, self.named, path)
            columns = {role: rows.columns[name] for role, name in roles.items()}
            self._add(rows._replace(columns=columns), roles.get("clicks", ""))

    def _read_lines(self, file: Source) -> bool:
        """Add what the lines of a file hold, if compiled loops can tell."""
        if not are_compiled():
            return False
        from cranfield.formats import click_lines

        def roles(header: Sequence[str]) -> dict[str, str] | None:
            return None if is_ubi(header) else click_roles(header, self.named, file.path)

        found = click_lines.results(file, _Clicks(), roles, self.names, self.lists)
        if found is not None:
            parts, self.lists = found
            self.results += parts
        return found is not None or self._read_ubi_lines(file)

    def _read_ubi_lines(self, file: Source) -> bool:
        """Add queries and events, if compiled loops have read all there were so far."""
        if self.ubi is not None:
            return False
        from cranfield.formats.ubi_lines import UbiLines

        lines = self.ubi_lines or UbiLines(self.actions)
        if lines.read(file, self.findings):
            self.ubi_lines = lines
            return True
        if self.ubi_lines is not None:
            self._in_plain_ubi()
        return False

    def _in_plain_ubi(self) -> Ubi:
        """What plain loops put OpenSearch UBI together in; what compiled ones have read, they read first."""
        if self.ubi is None:
            # What there is to say of those files was said.
            self.ubi = Ubi(self.actions, Findings())
            for file in () if self.ubi_lines is None else self.ubi_lines.files:
                for rows in read_rows(file, _Clicks(), Findings()):
                    self.ubi.add(rows)
            self.ubi.findings, self.ubi_lines = self.findings, None
        return self.ubi

    def _add(self, rows: Rows, clicks_are: str) -> None:
        """Add rows whose columns are called by their roles; the clicks of impressions had another name."""
        if "documents" in rows.columns:
            self.results.append(results_of_lists(rows, clicks_are, self.lists, self.names, self.findings))
            self.lists += len(rows.lines)
        else:
            self.results.append(results_of(rows, self.names, self.findings))

    def finished(self) -> ClickLog:
        """All of it as a log; whatever is wrong stops here."""
        if self.yandex is not None:
            if self.results or self.ubi is not None or self.ubi_lines is not None:
                raise DataError([errors.clicks.yandex_with_others(self.yandex.path)])
            return self.yandex.finished()
        actions = self._finish_ubi()
        self.findings.stop_if_wrong()
        if not self.results:
            raise DataError([errors.files.nothing_read(self.path, "impressions")])
        together = joined(self.results, self.path)
        self.results.clear()  # a large log is not held twice
        log = grouped(together, self.names, self.path, self.findings)
        self.findings.stop_if_wrong()
        return replace(log, actions=actions) if actions else log

    def _finish_ubi(self) -> tuple[str, ...]:
        """Add the impressions of OpenSearch UBI; the actions that count as no click."""
        if self.ubi_lines is not None:
            actions = self.ubi_lines.others
            found = self.ubi_lines.results(self.path, self.names, self.lists, self.findings)
            self.ubi_lines = None  # a large log is not held twice
            if found is not None:
                self.lists += found[0]
                self.results.append(found[1])
            return actions
        shown = None if self.ubi is None else self.ubi.impressions(self.path)
        if shown is not None:
            self._add(shown, "clicks")
        return () if self.ubi is None else tuple(self.ubi.others)


def _is_file(given: object) -> bool:
    return isinstance(given, str | Source) or hasattr(given, "__fspath__") or hasattr(given, "read")


def click_roles(header: Sequence[str], named: Mapping[str, str], path: str | None) -> dict[str, str]:
    """Which column is what."""
    for name in named.values():
        if name not in header:
            raise DataError([errors.files.unknown_column(path, name, header)])
    lists = "documents" in named or bool(ROLES.candidates("documents", header))
    left_out = {"document", "clicked", "position"} if lists else {"documents", "clicks"}
    places = ROLES.places(header, [role for role in ROLES if role not in left_out], path, named)
    needed = {"documents", "clicks"} if lists else {"document", "clicked"}
    if not needed <= places.keys():
        raise DataError([errors.clicks.no_click_columns(path, header)])
    return {role: header[at] for role, at in places.items()}
