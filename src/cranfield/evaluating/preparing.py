"""What is done to judgments and runs before anything is scored: chunks become documents, queries are left out."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from cranfield import errors
from cranfield.errors import DataError, Finding

if TYPE_CHECKING:
    from cranfield.data.document_groups import DocumentGroups
    from cranfield.data.judgments import ChunkCounts, Judgments
    from cranfield.data.run import Run
    from cranfield.formats.document_groups import QuerySelection


@dataclass(frozen=True, eq=False)
class Preparation:
    """Which ids count as one document, and which queries count; nothing where all are as they were read."""

    groups: DocumentGroups | None = None
    queries: QuerySelection | None = None

    def judgments(self, judgments: Judgments) -> Judgments:
        """The judgments that count."""
        grouped = judgments if self.groups is None else self.groups.judgments(judgments)
        if self.queries is None:
            return grouped
        missing = [query for query in self.queries.ids if query not in grouped.position]
        if len(missing) == len(self.queries.ids):
            raise DataError([errors.chunks.no_judged_query(self.queries.path, missing, grouped.queries)])
        kept = grouped.only(frozenset(self.queries.ids))
        return replace(kept, warnings=(*kept.warnings, *self._missing(missing, self.queries)))

    def _missing(self, missing: list[str], queries: QuerySelection) -> Iterable[Finding]:
        if missing:
            yield errors.chunks.queries_without_judgments(queries.path, missing, len(queries.ids))

    def run(self, run: Run) -> Run:
        """The run as it counts."""
        return run if self.groups is None else self.groups.run(run)

    def require_effect(self, counts: Iterable[ChunkCounts | None]) -> None:
        """Refuse a separator or pattern that fits no id at all: scores would be those of chunks."""
        if self.groups is not None and self.groups.must_apply and not any(one and one.renamed for one in counts):
            raise DataError([self.groups.ungrouped()])


def preparation_from(given: dict[str, Any]) -> tuple[Preparation, dict[str, str]]:
    """What the settings ask for, and the names of what was given, which the settings of scores have."""
    if not given:
        return Preparation(), {}
    from cranfield.formats.document_groups import read_alternatives, read_group_by, read_only_queries

    if "group_by" in given and "alternatives" in given:
        raise errors.chunks.one_grouping()
    labels: dict[str, str] = {}
    groups: DocumentGroups | None = None
    queries: QuerySelection | None = None
    if "group_by" in given:
        groups = read_group_by(given["group_by"])
        labels["group_by"] = groups.label
    if "alternatives" in given:
        groups = read_alternatives(given["alternatives"])
        labels["alternatives"] = groups.label
    if "only_queries" in given:
        queries = read_only_queries(given["only_queries"])
        labels["only_queries"] = queries.label
    return Preparation(groups, queries), labels
