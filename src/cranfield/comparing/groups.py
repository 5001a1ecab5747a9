"""Which systems a set of queries can tell apart, and which not."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from string import ascii_lowercase

import numpy as np
import numpy.typing as npt

from cranfield.arguments import require_share
from cranfield.arrays import Bools
from cranfield.errors import UsageError

Group = tuple[int, ...]

MOST_GROUPS = 10_000


def better(differences: npt.ArrayLike, p: npt.ArrayLike, *, alpha: float = 0.05) -> Bools:
    """Which systems are significantly better than which: a row's system than a column's.

    `differences` are those of the row's system to the column's, and `p` the corrected p-values of all pairs. A pair
    without p, NaN, do not differ significantly.

    >>> better([[0, 0.2], [-0.2, 0]], [[np.nan, 0.01], [0.01, np.nan]])
    array([[False,  True],
           [False, False]])
    """
    require_share(alpha, "alpha")
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
    """Groups of systems that do not differ significantly, each as large as can be, the best system's group first.

    Every pair without a significant difference is together in some group, and no other pair is: whoever shares no group
    differs (Piepho, JCGS 13(2), 2004, doi:10.1198/1061860043515). They are the maximal cliques of a graph (Bron &
    Kerbosch, CACM 16(9), 1973, doi:10.1145/362342.362367), without those whose pairs are all in other groups (Gramm et
    al., CSDA 52(2), 2007, doi:10.1016/j.csda.2006.09.035). Systems are numbered in the order of rows; put the best
    first.

    System 0 differs from 2 only:

    >>> indistinguishable_groups(np.array([[False, False, True], [False, False, False], [False, False, False]]))
    [(0, 1), (1, 2)]
    """
    systems = len(better_than)
    if not systems:
        return []
    alike = ~(better_than | better_than.T) & ~np.eye(systems, dtype=np.bool_)
    neighbours = [sum(1 << other for other in np.flatnonzero(row).tolist()) for row in alike]
    groups = list(islice(_largest(neighbours, 0, (1 << systems) - 1, 0), most + 1))
    if len(groups) > most:
        raise UsageError(
            f"There are more than {most} groups of systems that do not differ significantly; compare fewer systems."
        )
    members = sorted(tuple(_bits(group)) for group in groups)
    return _needed(members, systems)


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


def _largest(neighbours: list[int], group: int, more: int, seen: int) -> Iterator[int]:
    """All groups, as bits, that hold this one, some of `more` and none of `seen`, and to which none can be added."""
    if not more and not seen:
        yield group
        return
    # Each group lacks the one with most neighbours, or holds it: only then need its neighbours be tried.
    most = max(_bits(more | seen), key=lambda system: (neighbours[system] & more).bit_count())
    for system in _bits(more & ~neighbours[most]):
        yield from _largest(neighbours, group | 1 << system, more & neighbours[system], seen & neighbours[system])
        more &= ~(1 << system)
        seen |= 1 << system


def _bits(group: int) -> Iterator[int]:
    while group:
        lowest = group & -group
        yield lowest.bit_length() - 1
        group ^= lowest


def _needed(groups: list[Group], systems: int) -> list[Group]:
    """Groups without those whose every pair, and every system, is in another; the smallest go first."""
    held = np.zeros((systems, systems), dtype=np.int64)
    for group in groups:
        held[np.ix_(group, group)] += 1
    needed = []
    for group in sorted(groups, key=len):
        if (held[np.ix_(group, group)] > 1).all():
            held[np.ix_(group, group)] -= 1
        else:
            needed.append(group)
    return sorted(needed)


def _letter(at: int) -> str:
    name = ""
    at += 1
    while at:
        at, rest = divmod(at - 1, len(ascii_lowercase))
        name = ascii_lowercase[rest] + name
    return name
