"""Preferences between documents: which a ranking fulfils, counted judge by judge.

A judge who grades one document higher than another prefers it. Where a judge graded several subgroups apart, a
preference also follows from two others: a before b in one, b before c in another. A ranking fulfils a preference
when it puts the better document first; one it retrieved comes before one it did not.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from cranfield.arrays import Floats, Ints

Matrix = npt.NDArray[np.bool_]
Counted = npt.NDArray[np.int32]

COUNTINGS = ("defined", "trec_eval")


class PreferenceCounts(NamedTuple):
    """Preferences of each judge, along the last axis; those of all pairs of documents, once for each query.

    Each count is an array of three: preferences between two retrieved documents, between a retrieved one and one
    that was not, and between two that were not.
    """

    fulfilled: Floats
    possible: Floats
    balanced: Floats
    """With as many irrelevant documents as relevant ones, for each judge an array by counting (`COUNTINGS`), by
    whether all documents count or the retrieved ones only, and of preferences fulfilled and possible."""
    pairs: Floats
    """Pairs of documents about which anyone has a preference."""
    pairs_fulfilled: Floats
    """Of each such pair the share of preferences fulfilled, summed up to and including each kind of pair."""


def count(grades: Floats, order: Ints, retrieved: int, owners: Ints) -> PreferenceCounts:
    """The preferences of one query, from grades by group and document.

    `order` has the documents as they are to be seen: the retrieved ones first, best rank first. A negative grade is
    none, as of a document that a group did not grade. `owners` is the judge that each group belongs to.
    """
    # Grades are taken judge by judge: each judges a few documents, and all squares together would fill the memory.
    of_judge = [
        _of_judge(np.where(of_groups >= 0, of_groups, -np.inf), order, retrieved)
        for of_groups in map(grades.__getitem__, _groups_by_judge(owners))
    ]
    judges = len(of_judge)
    pairs, pairs_fulfilled = _of_pairs(_together(of_judge, grades.shape[-1]), retrieved)
    return PreferenceCounts(
        fulfilled=np.array([judge.fulfilled for judge in of_judge], dtype=np.float64).reshape(judges, 3),
        possible=np.array([judge.possible for judge in of_judge], dtype=np.float64).reshape(judges, 3),
        balanced=np.array([judge.balanced for judge in of_judge], dtype=np.float64).reshape(judges, 2, 2, 2),
        pairs=pairs,
        pairs_fulfilled=pairs_fulfilled,
    )


class _Judge(NamedTuple):
    graded: Ints
    """The places of the documents that the judge graded."""
    preferred: Matrix
    """Between these documents."""
    fulfilled: Floats
    possible: Floats
    balanced: list[list[tuple[float, float]]]


def _groups_by_judge(owners: Ints) -> list[Ints]:
    """The groups of each judge; -1 is padding."""
    by_judge = np.argsort(owners, kind="stable")
    firsts = np.searchsorted(owners[by_judge], np.arange(int(owners.max(initial=-1)) + 1))
    return np.split(by_judge, firsts)[1:]


def _of_judge(grades: Floats, order: Ints, retrieved: int) -> _Judge:
    graded = np.flatnonzero((grades[:, order] > -np.inf).any(axis=0))
    own, first = grades[:, order[graded]], int(np.searchsorted(graded, retrieved))
    preferred = _preferred(own)
    fulfilled, possible = _counted(preferred, first)
    documents = _JudgeDocuments(own.max(axis=0, initial=-np.inf), preferred, first)
    scopes = (len(graded), first)
    balanced = [
        [documents.balanced(scope) for scope in scopes],
        [documents.balanced_by_trec_eval(scope, in_one_group=len(grades) == 1) for scope in scopes],
    ]
    return _Judge(graded, preferred, fulfilled, possible, balanced)


def _together(of_judges: Sequence[_Judge], documents: int) -> Counted:
    """How many judges prefer the document of a row to that of a column."""
    together = np.zeros((documents, documents), dtype=np.int32)
    for judge in of_judges:
        together[np.ix_(judge.graded, judge.graded)] += judge.preferred
    return together


def _preferred(grades: Floats) -> Matrix:
    """Whether a judge prefers the document of a row to that of a column."""
    preferred = np.zeros((grades.shape[-1],) * 2, dtype=np.bool_)
    for of_group in grades:
        graded = np.flatnonzero(of_group > -np.inf)
        preferred[np.ix_(graded, graded)] |= of_group[graded, None] > of_group[graded]
    return preferred if len(grades) == 1 else _closed(preferred)


def _closed(preferred: Matrix) -> Matrix:
    """The preferences with those that follow from them."""
    while True:
        steps = preferred.astype(np.float32)
        further = preferred | (steps @ steps > 0)
        if np.array_equal(further, preferred):
            return preferred
        preferred = further


def _counted(preferred: Matrix, retrieved: int) -> tuple[Floats, Floats]:
    both, above = preferred[:retrieved, :retrieved], preferred[:retrieved, retrieved:].sum()
    below, neither = preferred[retrieved:, :retrieved].sum(), preferred[retrieved:, retrieved:].sum()
    fulfilled = np.triu(both).sum()
    return np.array([fulfilled, above, 0.0]), np.array([both.sum(), above + below, neither], dtype=np.float64)


def _of_pairs(together: Counted, retrieved: int) -> tuple[Floats, Floats]:
    """Pairs with a preference, and the share of it that is fulfilled, the first of each pair ranked higher."""
    first, second = np.nonzero(np.triu(together + together.T))
    share = together[first, second] / (together[first, second] + together[second, first])
    kinds = [second < retrieved, (first < retrieved) & (second >= retrieved), first >= retrieved]
    pairs = np.array([kind.sum() for kind in kinds], dtype=np.float64)
    # Of two documents that were not retrieved neither comes first. Added pair by pair, as trec_eval does.
    shares = np.concatenate([[0.0], share[kinds[0]], share[kinds[1]]])
    fulfilled = np.add.accumulate(shares)[np.cumsum(pairs[:2]).astype(np.int64)]
    return pairs, np.append(fulfilled, fulfilled[-1])


class _JudgeDocuments(NamedTuple):
    """One judge's documents, the retrieved ones first, with a grade each and the preferences between them."""

    grades: Floats
    preferred: Matrix
    retrieved: int

    @property
    def relevant(self) -> Matrix:
        return self.grades > 0

    @property
    def irrelevant(self) -> Matrix:
        return self.grades == 0

    def balanced(self, scope: int) -> tuple[float, float]:
        """Preferences fulfilled and possible in a scope that counts as many irrelevant documents as relevant ones.

        Where there are fewer, the missing ones count as ranked below every relevant document retrieved.
        """
        num_rel, num_nonrel = self._counts(scope)
        kept = self.relevant | (self.irrelevant & (self.irrelevant.cumsum() <= num_rel))
        fulfilled, possible = self._within(scope, kept)
        missing = max(num_rel - num_nonrel, 0)
        return fulfilled + missing * float(self.relevant[: self.retrieved].sum()), possible + missing * num_rel

    def balanced_by_trec_eval(self, scope: int, *, in_one_group: bool) -> tuple[float, float]:
        """The same as trec_eval counts it, which takes irrelevant documents as preferred to each other."""
        num_rel, num_nonrel = self._counts(scope)
        all_rel = float(self.relevant.sum())
        if num_rel >= num_nonrel:
            fulfilled, possible = self._within(scope, self.grades > -np.inf)
            missing = num_rel - num_nonrel
            return fulfilled + missing * float(self.relevant[: self.retrieved].sum()), possible + missing * all_rel
        if not in_one_group:
            return self._within(scope, ~self.irrelevant | (self.irrelevant.cumsum() <= all_rel))
        graded, irrelevant = self.grades[:scope] > -np.inf, self.irrelevant[:scope]
        first_irrelevant = irrelevant & (irrelevant.cumsum() <= num_rel)
        fulfilled, possible = self._within(scope, graded, ~irrelevant)
        in_order = np.triu(graded[: self.retrieved, None] & first_irrelevant, k=1).sum()
        return fulfilled + float(in_order), possible + float(graded.sum() * first_irrelevant.sum())

    def _counts(self, scope: int) -> tuple[float, float]:
        return float(self.relevant[:scope].sum()), float(self.irrelevant[:scope].sum())

    def _within(self, scope: int, better: Matrix, worse: Matrix | None = None) -> tuple[float, float]:
        """Preferences fulfilled and possible between some documents of a scope."""
        kept = self.preferred[:scope, :scope] & better[:scope, None] & (better if worse is None else worse)[:scope]
        return float(np.triu(kept[: self.retrieved]).sum()), float(kept.sum())
