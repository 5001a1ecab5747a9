"""Which systems a set of queries can tell apart, and which not."""

from __future__ import annotations

from itertools import combinations
from string import ascii_lowercase

import numpy as np
import numpy.typing as npt

from cranfield.compare.arguments import share
from cranfield.errors import UsageError

Floats = npt.NDArray[np.float64]
Bools = npt.NDArray[np.bool_]
Group = tuple[int, ...]

MOST_GROUPS = 10_000


def better(differences: npt.ArrayLike, p: npt.ArrayLike, *, alpha: float = 0.05) -> Bools:
    """Which systems are significantly better than which: a row's system than a column's.

    `differences` are those of the row's system to the column's, and `p` the corrected p-values of all pairs. A pair
    without p, NaN, cannot be told apart.

    >>> better([[0, 0.2], [-0.2, 0]], [[np.nan, 0.01], [0.01, np.nan]])
    array([[False,  True],
           [False, False]])
    """
    share(alpha, "alpha")
    apart, values = np.asarray(differences, dtype=np.float64), np.asarray(p, dtype=np.float64)
    if apart.ndim != 2 or apart.shape != values.shape or apart.shape[0] != apart.shape[1]:
        raise UsageError("Differences and p-values have a row and a column per system.")
    with np.errstate(invalid="ignore"):
        return (apart > 0) & (values <= alpha)


def tied_for_first(better_than: Bools) -> Group:
    """The systems that none is significantly better than: any of them may be the best.

    With p-values corrected for all pairs, the best system is among them with probability 1 - alpha or more (a subset
    that holds the best: Gupta, Technometrics 7(2), 1965, doi:10.1080/00401706.1965.10490251).

    >>> tied_for_first(better([[0, 1, 2], [-1, 0, 1], [-2, -1, 0]], [[1, 0.2, 0.01], [0.2, 1, 0.3], [0.01, 0.3, 1]]))
    (0, 1)
    """
    return tuple(np.flatnonzero(~better_than.any(axis=0)).tolist())


def indistinguishable_groups(better_than: Bools, *, most: int = MOST_GROUPS) -> list[Group]:
    """Groups of systems of which no two can be told apart, each as large as can be, the best system's group first.

    Every pair that cannot be told apart is together in some group, and no other pair is: whoever shares no group
    differs. They are found by splitting each group that holds a pair which differs (Piepho, JCGS 13(2), 2004,
    doi:10.1198/1061860043515), and those are left out whose pairs are all in other groups (Gramm et al., CSDA 52(2),
    2007, doi:10.1016/j.csda.2006.09.035). Systems are numbered in the order of rows; put the best first.

    System 0 differs from 2 only:

    >>> indistinguishable_groups(np.array([[False, False, True], [False, False, False], [False, False, False]]))
    [(0, 1), (1, 2)]
    """
    different = better_than | better_than.T
    groups = {(1 << len(different)) - 1} if len(different) else set()
    for one, two in zip(*(at.tolist() for at in np.nonzero(np.triu(different, 1))), strict=True):
        groups = _split(groups, 1 << one, 1 << two)
        if len(groups) > most:
            raise UsageError(
                f"There are more than {most} groups of systems that cannot be told apart; compare fewer systems."
            )
    members = sorted(tuple(at for at in range(len(different)) if group >> at & 1) for group in groups)
    return _needed(members)


def letters(groups: list[Group], systems: int) -> list[tuple[str, ...]]:
    """For each system the letters of its groups: systems that share none differ (a compact letter display).

    There are as many as needed: a to z, then aa, ab and on.

    >>> letters([(0, 1), (1, 2)], systems=3)
    [('a',), ('a', 'b'), ('b',)]
    """
    names = [_letter(at) for at in range(len(groups))]
    return [
        tuple(name for name, group in zip(names, groups, strict=True) if system in group) for system in range(systems)
    ]


def _split(groups: set[int], one: int, two: int) -> set[int]:
    """Groups, as bits, so that no group holds both; what lies within another is dropped."""
    kept = {group for group in groups if group & (one | two) != one | two}
    parts = {group & ~each for group in groups - kept for each in (one, two)}
    new = {part for part in parts if not any(part & other == part for other in kept)}
    largest = {part for part in new if not any(part & other == part and part != other for other in new)}
    return kept | largest


def _needed(groups: list[Group]) -> list[Group]:
    """Groups without those whose every pair, and every system, is in another; the smallest go first."""
    held: dict[tuple[int, ...], int] = {}
    for group in groups:
        for pair in _pairs(group):
            held[pair] = held.get(pair, 0) + 1
    needed = []
    for group in sorted(groups, key=len):
        if all(held[pair] > 1 for pair in _pairs(group)):
            for pair in _pairs(group):
                held[pair] -= 1
        else:
            needed.append(group)
    return sorted(needed)


def _pairs(group: Group) -> list[tuple[int, ...]]:
    return [*combinations(group, 2), *((system,) for system in group)]


def _letter(at: int) -> str:
    name = ""
    at += 1
    while at:
        at, rest = divmod(at - 1, len(ascii_lowercase))
        name = ascii_lowercase[rest] + name
    return name
