"""Preferences between documents: which a ranking fulfils, counted judge by judge.

A judge who grades one document higher than another prefers it. Where a judge graded several subgroups apart, a
preference also follows from two others: a before b in one, b before c in another. A ranking fulfils a preference
when it puts the better document first; one it retrieved comes before one it did not.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]
Matrix = npt.NDArray[np.bool_]

COUNTINGS = ("defined", "trec_eval")


class Counts(NamedTuple):
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
    """Of each such pair the share of preferences fulfilled, summed."""


def count(grades: Floats, retrieved: int, owners: Ints) -> Counts:
    """The preferences of one query, from grades by group and document.

    Retrieved documents come first, best rank first; no grade is negative but minus infinity, which is a document that
    a group did not grade.
    `owners` is the judge that each group belongs to.
    """
    judges = int(owners.max(initial=-1)) + 1
    of_judge = [_of_judge(grades[owners == judge], retrieved) for judge in range(judges)]
    together = np.zeros((grades.shape[-1],) * 2, dtype=np.int64)
    for judge in of_judge:
        together += judge.preferred
    pairs, pairs_fulfilled = _of_pairs(together, retrieved)
    return Counts(
        fulfilled=np.array([judge.fulfilled for judge in of_judge], dtype=np.float64).reshape(judges, 3),
        possible=np.array([judge.possible for judge in of_judge], dtype=np.float64).reshape(judges, 3),
        balanced=np.array([judge.balanced for judge in of_judge], dtype=np.float64).reshape(judges, 2, 2, 2),
        pairs=pairs,
        pairs_fulfilled=pairs_fulfilled,
    )


class _Judge(NamedTuple):
    preferred: Matrix
    fulfilled: Floats
    possible: Floats
    balanced: list[list[tuple[float, float]]]


def _of_judge(grades: Floats, retrieved: int) -> _Judge:
    preferred = _preferred(grades)
    fulfilled, possible = _counted(preferred, retrieved)
    documents = _Documents(grades.max(axis=0), preferred, retrieved)
    scopes = (len(documents.grades), retrieved)
    balanced = [
        [documents.balanced(scope) for scope in scopes],
        [documents.balanced_by_trec_eval(scope, in_one_group=len(grades) == 1) for scope in scopes],
    ]
    return _Judge(preferred, fulfilled, possible, balanced)


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


def _of_pairs(together: Ints, retrieved: int) -> tuple[Floats, Floats]:
    """Pairs with a preference, and the share of it that is fulfilled, the first of each pair ranked higher."""
    first, second = np.nonzero(np.triu(together + together.T))
    share = together[first, second] / (together[first, second] + together[second, first])
    kinds = [second < retrieved, (first < retrieved) & (second >= retrieved), first >= retrieved]
    pairs = np.array([kind.sum() for kind in kinds], dtype=np.float64)
    return pairs, np.array([share[kinds[0]].sum(), share[kinds[1]].sum(), 0.0])


class _Documents(NamedTuple):
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
        beside = np.triu(graded[: self.retrieved, None] & first_irrelevant, k=1).sum()
        return fulfilled + float(beside), possible + float(graded.sum() * first_irrelevant.sum())

    def _counts(self, scope: int) -> tuple[float, float]:
        return float(self.relevant[:scope].sum()), float(self.irrelevant[:scope].sum())

    def _within(self, scope: int, better: Matrix, worse: Matrix | None = None) -> tuple[float, float]:
        """Preferences fulfilled and possible between some documents of a scope."""
        kept = self.preferred[:scope, :scope] & better[:scope, None] & (better if worse is None else worse)[:scope]
        return float(np.triu(kept[: self.retrieved]).sum()), float(kept.sum())
