"""A significance test of one's own: any function of two runs' scores that gives p."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import numpy as np

from cranfield.arrays import Floats
from cranfield.comparing.paired import SystemPairs, mean, score_table, without_noise
from cranfield.comparing.significance_tests.pairwise import less
from cranfield.comparing.significance_tests.significance import Significance, as_probability, without_test
from cranfield.errors import UsageError
from cranfield.phrases import counted, shown

OwnTest = Callable[[Floats, Floats], Any]
"""Called with the scores of a run and of what it is compared with, one for each query that both have a score for. It
returns the p of a two-sided test, as a number or as an object with `pvalue`, as the functions of SciPy do."""

ROUNDED = 1e-9
"""How far above 1 rounding may put a p."""
NEARLY = 0.02
"""A test is one-sided if its p, and that with the two runs exchanged, are nearly 1 together, and clearly differ."""


def own_tests(scores: Floats, pairs: SystemPairs, test: OwnTest, names: Sequence[str] = ()) -> list[Significance]:
    """A test of one's own for pairs of systems, on the queries that both have a score for.

    What it returns is checked: p must be a number from 0 to 1, and that of a two-sided test. It gets copies of the
    scores. Where there is nothing to test, because all scores are equal or none is defined, it is not called.

    >>> from cranfield.comparing.paired import all_pairs
    >>> def sign_flips(run, baseline):
    ...     return 1.0 if (run > baseline).any() and (run < baseline).any() else 0.5 ** (len(run) - 1)
    >>> [pair.p for pair in own_tests([[3, 4, 5], [1, 2, 4], [1, 2, 4]], all_pairs(3), sign_flips)]
    [0.25, 0.25, 1.0]
    """
    table = score_table(scores)
    outcomes = []
    is_checked = False
    for one, two in pairs:
        known = ~np.isnan(table[[one, two]]).any(axis=0)
        run, baseline = table[one][known], table[two][known]
        apart = without_noise(less(run, baseline))
        outcome = without_test(apart)
        if outcome is None:
            where = f"{names[one]} and {names[two]}" if names else f"the systems in rows {one} and {two}"
            where = f"{where} ({counted(len(run), 'query')})"
            p = _p(test, run, baseline, where)
            if not is_checked:
                _require_two_sided(test, p, _p(test, baseline, run, where))
                is_checked = abs(p - 0.5) > 2.5 * NEARLY  # around a half, one side looks like two
            outcome = Significance(mean(apart), math.nan, as_probability(p), len(run), "own test")
        outcomes.append(outcome)
    return outcomes


def own_name(test: OwnTest) -> str:
    """What a test of one's own is called.

    >>> own_name(max), own_name(partial(max, key=abs)), own_name(lambda run, baseline: 1.0)
    ('own test max', 'own test max', 'own test')
    """
    function = test.func if isinstance(test, partial) else test
    name = str(getattr(function, "__name__", type(function).__name__))
    return "own test" if name == "<lambda>" else f"own test {name}"


def _p(test: OwnTest, run: Floats, baseline: Floats, where: str) -> float:
    name = own_name(test)
    try:
        returned = test(run.copy(), baseline.copy())
    except Exception as error:
        words = f"{type(error).__name__}: {' '.join(str(error).split())[:200]}".rstrip(": ")
        raise UsageError(
            f"The {name} failed for {where}: {words}.\n"
            "It is called with two arrays, the scores of a run and of its baseline, one for each query, and returns p."
        ) from error
    p = getattr(returned, "pvalue", returned)
    if isinstance(p, np.ndarray | np.generic) and not p.shape:
        p = p.item()
    if isinstance(p, bool) or not isinstance(p, int | float):
        raise UsageError(
            f"The {name} returned {shown(returned)} for {where}; it must return p, a number from 0 to 1, or an object "
            "with the attribute `pvalue`."
        )
    if not 0 <= p <= 1 + ROUNDED:
        raise UsageError(
            f"The {name} returned {shown(p)} for {where}; p must be a number from 0 to 1. Return 1 where there is "
            "nothing to test."
        )
    return float(p)


def _require_two_sided(test: OwnTest, p: float, exchanged: float) -> None:
    if abs(p + exchanged - 1) < NEARLY and abs(p - exchanged) > 5 * NEARLY:
        raise UsageError(
            f"The {own_name(test)} is one-sided: p is {p:.4g}, and {exchanged:.4g} with the two runs exchanged. Return "
            "the p of a two-sided test; the means show which run is better."
        )
