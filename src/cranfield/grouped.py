"""Judged rankings whose documents have several grades: one for each subtopic, judge or comparison."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
import numpy.typing as npt

from cranfield import preferences
from cranfield.align import BLOCK, Alignment, JudgedRanking, padded_width
from cranfield.judgments import Groups
from cranfield.preferences import Counts

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class GroupedRanking:
    """All judged documents along the last axis, retrieved ones first, and their grades by group along the one before.

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
        if cutoff is None:
            return self
        kept = np.where(self.ranks <= cutoff, self.ranks, np.inf)
        return replace(self, ranks=kept, retrieved=np.minimum(self.retrieved, cutoff))

    def condensed(self) -> GroupedRanking:
        """The ranking without documents that no group judged, ranks closed up."""
        judged = (self.grades >= 0).any(axis=-2) & (self.ranks < np.inf)
        ranks = np.where(judged, np.cumsum(judged, axis=-1, dtype=np.float64), np.inf)
        # What was dropped goes behind, where documents stand that were not retrieved.
        order = np.argsort(ranks, axis=-1, kind="stable")
        return replace(
            self,
            ranks=np.take_along_axis(ranks, order, axis=-1),
            grades=np.take_along_axis(self.grades, order[..., None, :], axis=-1),
            retrieved=judged.sum(axis=-1, dtype=np.float64),
            places=np.take_along_axis(self.places, order, axis=-1),
        )

    def in_orders(self, ranks: Ints) -> GroupedRanking:
        """One query once for each row of ranks that its retrieved documents might have."""
        best_first = np.argsort(ranks, axis=1)
        found = ranks.shape[1]
        new_ranks = np.tile(self.ranks, (len(ranks), 1))
        order = np.tile(np.arange(self.ranks.shape[-1]), (len(ranks), 1))
        new_ranks[:, :found], order[:, :found] = np.take_along_axis(ranks, best_first, axis=1), best_first
        grades = np.swapaxes(self.grades[0][:, order], 0, 1)
        return replace(self, ranks=new_ranks, grades=grades, places=self.places[0][order])

    @property
    def judged_groups(self) -> npt.NDArray[np.bool_]:
        """Which groups grade any document: not padding."""
        return np.asarray((self.grades > -np.inf).any(axis=-1))

    @cached_property
    def by_group(self) -> JudgedRanking:
        """The ranking as each group sees it: an ordinary judged ranking with an axis more."""
        graded = self.grades > -np.inf
        seen = graded & (self.ranks < np.inf)[..., None, :]
        return JudgedRanking(
            ranks=np.where(seen, self.ranks[..., None, :], np.inf),
            grades=np.where(seen, self.grades, -np.inf),
            retrieved=np.broadcast_to(self.retrieved[..., None], self.grades.shape[:-1]),
            judged=-np.sort(-self.grades, axis=-1),
            max_grade=self.max_grade,
        )

    @cached_property
    def preferences(self) -> Counts:
        """Which preferences of each judge the ranking fulfils, judges along the last axis but one."""
        found = (self.ranks < np.inf).sum(axis=-1)
        # A query's preferences are a square of its documents; one query at a time keeps that within memory.
        of_query = [
            preferences.count(self.grades[at], int(found[at]), self.owners[at]) for at in np.ndindex(found.shape)
        ]
        judges = max((len(counts.fulfilled) for counts in of_query), default=0)

        def stacked(column: int) -> Floats:
            arrays = [counts[column] for counts in of_query]
            by_judge = column < len(Counts._fields) - 2
            wide = [_widened(array, judges) if by_judge else array for array in arrays]
            return np.array(wide).reshape(*found.shape, *wide[0].shape)

        return Counts(*map(stacked, range(len(Counts._fields))))


def grouped_blocks(alignment: Alignment) -> Iterator[tuple[Ints, GroupedRanking]]:
    """Queries of like size together: their positions, and their grouped rankings as one padded array."""
    groups = alignment.judgments.groups or _one_group(alignment)
    documents = padded_width(np.diff(alignment.judgments.starts))
    widths = padded_width(np.array([len(owners) for owners in groups.owners], dtype=np.int64))
    for shape in sorted(set(zip(documents.tolist(), widths.tolist(), strict=True))):
        same = np.flatnonzero((documents == shape[0]) & (widths == shape[1]))
        for part in np.array_split(same, -(-len(same) * shape[0] * shape[1] // BLOCK)):
            of_query = [_padded(alignment, groups, query, *shape) for query in part.tolist()]
            ranks, grades, places, owners = (np.stack(arrays) for arrays in zip(*of_query, strict=True))
            retrieved = alignment.retrieved[part].astype(np.float64)
            yield part, GroupedRanking(ranks, grades, retrieved, places, owners, alignment.judgments.max_grade)


def _padded(
    alignment: Alignment, groups: Groups, query: int, documents: int, width: int
) -> tuple[Floats, Floats, Floats, Ints]:
    """One query's ranks, grades, places and owners; retrieved documents by rank, the others first id first."""
    start, end = (int(alignment.judgments.starts[query + at]) for at in (0, 1))
    found = slice(alignment.starts[query], alignment.starts[query + 1])
    rows = alignment.rows[found] - start
    missed = np.setdiff1d(np.arange(end - start), rows)[::-1]
    order = np.concatenate([rows, missed])
    column = np.empty_like(order)
    column[order] = np.arange(len(order))
    ranks, places = np.full(documents, np.inf), np.full(documents, np.inf)
    ranks[: len(rows)] = alignment.ranks[found]
    places[: len(order)] = order
    grades = np.full((width, documents), -np.inf)
    of_query = slice(groups.starts[query], groups.starts[query + 1])
    grades[groups.numbers[of_query], column[groups.rows[of_query] - start]] = groups.grades[of_query]
    owners = np.full(width, -1, dtype=np.int64)
    owners[: len(groups.owners[query])] = groups.owners[query]
    return ranks, grades, places, owners


def _one_group(alignment: Alignment) -> Groups:
    """Judgments without groups are those of one group."""
    judgments = alignment.judgments
    rows = np.arange(len(judgments.documents))
    return Groups(judgments.starts, rows, np.zeros_like(rows), judgments.grades, ((0,),) * len(judgments.queries))


def _widened(of_judges: Floats, judges: int) -> Floats:
    missing = judges - len(of_judges)
    return np.concatenate([of_judges, np.zeros((missing, *of_judges.shape[1:]))]) if missing else of_judges
