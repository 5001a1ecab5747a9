"""Judged rankings whose documents have several grades: one for each subtopic, judge or comparison."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np

from cranfield import preferences
from cranfield.align import Alignment, JudgedRanking, in_parts, padded_width, remembered, rows_of
from cranfield.arrays import Floats, Ints
from cranfield.data.judgments import Groups
from cranfield.preferences import PreferenceCounts


@dataclass(frozen=True, eq=False)
class GroupedRanking:
    """All judged documents along the last axis, retrieved ones by rank, and their grades by group along the one before.

    A document that was not retrieved has an infinite rank; where a group says nothing of a document its grade is
    minus infinity. A query's padding is such documents, and groups that grade none.
    """

    ranks: Floats
    grades: Floats
    """By group and document."""
    retrieved: Floats
    """How many documents the query got, judged or not."""
    places: Floats
    """Where each document stands among the judged ones by its id, last id first."""
    owners: Ints
    """The judge, or the need, that each group belongs to; -1 is padding."""
    max_grade: float
    """The largest grade of the whole collection."""
    judged_only: bool = False
    """Whether documents that nobody judged were left out."""

    def at(self, query: int) -> GroupedRanking:
        """The one query at a place of a block."""
        one = slice(query, query + 1)
        return replace(
            self,
            ranks=self.ranks[one],
            grades=self.grades[one],
            retrieved=self.retrieved[one],
            places=self.places[one],
            owners=self.owners[one],
        )

    def top(self, cutoff: int | None) -> GroupedRanking:
        """What is left of the ranking when reading stops at a rank; documents below it count as not retrieved."""
        return self if cutoff is None else self.cut(cutoff)

    @remembered
    def cut(self, cutoff: int) -> GroupedRanking:
        """The same where there is a cutoff."""
        kept = np.where(self.ranks <= cutoff, self.ranks, np.inf)
        return replace(self, ranks=kept, retrieved=np.minimum(self.retrieved, cutoff))

    @remembered
    def condensed(self) -> GroupedRanking:
        """The ranking without documents that no group judged, ranks closed up."""
        judged = (self.grades >= 0).any(axis=-2) & (self.ranks < np.inf)
        ranks = np.where(judged, np.cumsum(judged, axis=-1, dtype=np.float64), np.inf)
        return replace(self, ranks=ranks, retrieved=judged.sum(axis=-1, dtype=np.float64), judged_only=True)

    def in_orders(self, ranks: Ints) -> GroupedRanking:
        """One query once for each row of ranks that its retrieved documents might have."""
        best_first = np.argsort(ranks, axis=1)
        found = ranks.shape[1]
        new_ranks = np.tile(self.ranks, (len(ranks), 1))
        order = np.tile(np.arange(self.ranks.shape[-1]), (len(ranks), 1))
        new_ranks[:, :found], order[:, :found] = np.take_along_axis(ranks, best_first, axis=1), best_first
        return replace(
            self,
            ranks=new_ranks,
            grades=np.swapaxes(self.grades[0][:, order], 0, 1),
            retrieved=np.repeat(self.retrieved, len(ranks)),
            places=self.places[0][order],
            owners=np.tile(self.owners, (len(ranks), 1)),
        )

    @property
    @remembered
    def by_group(self) -> JudgedRanking:
        """The ranking as each group sees it: an ordinary judged ranking with an axis more."""
        seen = (self.grades > -np.inf) & (self.ranks < np.inf)[..., None, :]
        return JudgedRanking(
            ranks=np.where(seen, self.ranks[..., None, :], np.inf),
            grades=np.where(seen, self.grades, -np.inf),
            retrieved=np.broadcast_to(self.retrieved[..., None], self.grades.shape[:-1]),
            judged=-np.sort(-self.grades, axis=-1),
            max_grade=self.max_grade,
        )

    @property
    @remembered
    def preferences(self) -> PreferenceCounts:
        """Which preferences of each judge the ranking fulfils, judges along the last axis but one."""
        found = (self.ranks < np.inf).sum(axis=-1)
        # Retrieved documents come by rank, the others first id first.
        order = np.lexsort((-self.places, self.ranks))
        # A query's preferences are a square of its documents; one query at a time keeps that within memory.
        of_query = [
            preferences.count(self.grades[at], order[at], int(found[at]), self.owners[at])
            for at in np.ndindex(found.shape)
        ]
        judges = max((len(counts.fulfilled) for counts in of_query), default=0)

        def stacked(column: int) -> Floats:
            arrays = [counts[column] for counts in of_query]
            by_judge = column < len(PreferenceCounts._fields) - 2
            wide = [_widened(array, judges) if by_judge else array for array in arrays]
            return np.array(wide).reshape(*found.shape, *wide[0].shape)

        return PreferenceCounts(*map(stacked, range(len(PreferenceCounts._fields))))


def grouped_blocks(alignment: Alignment) -> Iterator[tuple[Ints, GroupedRanking]]:
    """Queries of like size together: their positions, and their grouped rankings as one padded array."""
    groups = alignment.judgments.groups
    assert groups is not None  # as judgments have that were read for measures of several grades
    documents = _GroupedDocuments.of(alignment)
    widths = padded_width(np.array([len(owners) for owners in groups.owners], dtype=np.int64))
    lengths = padded_width(np.diff(alignment.judgments.starts))
    for shape in sorted(set(zip(widths.tolist(), lengths.tolist(), strict=True))):
        same = np.flatnonzero((widths == shape[0]) & (lengths == shape[1]))
        for part in in_parts(same, shape[0] * shape[1]):
            yield (
                part,
                GroupedRanking(
                    ranks=documents.padded(documents.ranks, part, shape[1]),
                    grades=_grades(groups, documents, part, shape),
                    retrieved=alignment.retrieved[part].astype(np.float64),
                    places=documents.padded(documents.places, part, shape[1]),
                    owners=_owners(groups, part, shape[0]),
                    max_grade=alignment.judgments.max_grade,
                ),
            )


class _GroupedDocuments(NamedTuple):
    """All judged documents, retrieved or not, in the order of the judgments."""

    starts: Ints
    ranks: Floats
    places: Floats
    columns: Ints
    """Where each stands in its query's array: retrieved ones by rank, then the others, first id first."""

    @classmethod
    def of(cls, alignment: Alignment) -> _GroupedDocuments:
        starts, rows = alignment.judgments.starts, np.arange(len(alignment.judgments.documents))
        query = np.repeat(np.arange(len(starts) - 1), np.diff(starts))
        ranks = np.full(len(rows), np.inf)
        ranks[alignment.rows] = alignment.ranks
        places, columns = rows - starts[query], np.empty_like(rows)
        columns[np.lexsort((-rows, ranks, query))] = places
        return cls(starts, ranks, places.astype(np.float64), columns)

    def padded(self, values: Floats, queries: Ints, length: int) -> Floats:
        """Values of the documents of some queries, each query's in a row."""
        at, rows = _flat(self.starts, queries)
        wide = np.full((len(queries), length), np.inf)
        wide[at, self.columns[rows]] = values[rows]
        return wide


def _grades(groups: Groups, documents: _GroupedDocuments, queries: Ints, shape: tuple[int, int]) -> Floats:
    at, rows = _flat(groups.starts, queries)
    grades = np.full((len(queries), *shape), -np.inf)
    grades[at, groups.numbers[rows], documents.columns[groups.rows[rows]]] = groups.grades[rows]
    return grades


def _owners(groups: Groups, queries: Ints, width: int) -> Ints:
    of_queries = [groups.owners[query] for query in queries.tolist()]
    return np.array([[*owners, *[-1] * (width - len(owners))] for owners in of_queries], dtype=np.int64)


def _flat(starts: Ints, queries: Ints) -> tuple[Ints, slice | Ints]:
    """For all rows of some queries, the query's place among these and the row."""
    counts = starts[queries + 1] - starts[queries]
    return np.repeat(np.arange(len(queries)), counts), rows_of(starts, queries)


def _widened(of_judges: Floats, judges: int) -> Floats:
    missing = judges - len(of_judges)
    return np.concatenate([of_judges, np.zeros((missing, *of_judges.shape[1:]))]) if missing else of_judges
