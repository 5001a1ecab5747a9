"""OpenSearch UBI: queries with what they showed, and events of what people did then."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from cranfield import errors
from cranfield.errors import DataError, Findings
from cranfield.formats.click_results import whole_number
from cranfield.formats.impressions import as_text, ids_of, split_list
from cranfield.formats.tables import Rows

_RESPONSES = ("query_response_hit_ids", "query_response_object_ids", "query_response_objects_ids")


def is_ubi(header: Sequence[str]) -> bool:
    """Whether columns are those of queries or events."""
    if "action_name" in header or set(_RESPONSES) & set(header):
        return True
    return (bool(header) and {"index", "create"} >= set(header)) or {
        "query_id",
        "user_query",
        "query_response_id",
    } <= set(header)


class _Event(NamedTuple):
    query: str
    clicked: bool
    document: str | None
    position: float


@dataclass
class Ubi:
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

    def add(self, batch: Rows) -> None:
        """Records of either kind."""
        names = list(batch.columns)
        for at, line in enumerate(batch.lines):
            record = {name: batch.columns[name][at] for name in names if batch.columns[name][at] is not None}
            identity = record.get("query_id")
            if identity is None:
                if not record.keys() <= {"index", "create"}:  # lines of a bulk request, which say where records go
                    self.findings.add(errors.clicks.record_of_no_query(batch.path, line, unit=batch.unit))
            elif "action_name" in record:
                self._event(as_text(identity), record, batch.path, line, batch.unit)
            else:
                self._query(as_text(identity), record, batch.path, line, batch.unit)

    def _query(self, identity: str, record: Mapping[str, Any], path: str | None, line: int, unit: str) -> None:
        results: Any = next((record[name] for name in _RESPONSES if name in record), [])
        text = record.get("user_query")
        session = record.get("session_id") or record.get("client_id")
        shown = ids_of(results if isinstance(results, list) else split_list(str(results)))
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
        place = float("inf") if position is None else whole_number(position)
        if place is None:
            self.findings.add(errors.clicks.bad_position(path, line, position, unit=unit))
            return
        self.events.append(_Event(identity, action != "impression", None if document is None else str(document), place))

    def impressions(self, path: str | None) -> Rows | None:
        """Each query as a row; nothing where none was shown anything."""
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
                self.findings.add(make(path, list(dict.fromkeys(names)), len(names)))
        if without:
            self.findings.add(errors.clicks.queries_without_results(path, without, len(self.queries)))
        return Rows(lines, columns, path=path) if lines else None


def _dig(record: Mapping[str, Any], *names: str) -> Any:
    """A value within others, which an export may also have put side by side with dots in their names."""
    if ".".join(names) in record:
        return record[".".join(names)]
    value: Any = record
    for name in names:
        value = value.get(name) if isinstance(value, Mapping) else None
    return value
