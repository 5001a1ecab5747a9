"""Trials: scores drawn so that the truth is known, and what the library says of them."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from benchmarks.validity.populations import Population
from benchmarks.validity.shares import Share, share
from cranfield.comparing import (
    Significance,
    SystemPairs,
    all_pairs,
    as_matrix,
    bca_intervals,
    better,
    bootstrap_tests,
    corrected,
    equivalence_tests,
    max_t_tests,
    pairwise,
    randomization_tests,
    rank_intervals,
    sign_test,
    signed_rank_test,
    t_interval,
    t_test,
    tukey_hsd,
)

Floats = npt.NDArray[np.float64]
Test = Callable[[Floats, int], Floats]
"""p-values of rows of differences, given a seed."""
Limits = Callable[[Floats, int], Floats]
"""Lower and upper limits of the mean of every row, given a seed."""
Null = Callable[[Floats, int, int, np.random.Generator], Floats]
"""Trials of two systems that do not differ, from rows of differences, given how many queries and how many trials."""

PATTERNS = 9_999
"""Random patterns of a test that cannot count all; 1 more is a multiple of 100, so that 0.01 can be reached."""
PATTERNS_TOGETHER = 999
"""The same for tests of all pairs at once, whose p-values need not allow for the number of pairs."""
BATCH = 250
"""Trials that share their random patterns, as pairs of systems do in a comparison."""


# Two systems


def drawn(rows: Floats, queries: int, trials: int, rng: np.random.Generator) -> Floats:
    """For each trial a pair of systems, and of its queries a sample with replacement."""
    pair = rng.integers(0, len(rows), size=trials)
    return rows[pair[:, None], rng.integers(0, rows.shape[1], size=(trials, queries))]


def exchangeable(rows: Floats, queries: int, trials: int, rng: np.random.Generator) -> Floats:
    """Real differences with random signs: for every query, either score could be either system's."""
    return drawn(rows, queries, trials, rng) * rng.choice([-1.0, 1.0], size=(trials, queries))


def moved(rows: Floats, queries: int, trials: int, rng: np.random.Generator) -> Floats:
    """Real differences, moved so that their mean over all queries is 0: as skewed as they are."""
    return drawn(rows - rows.mean(axis=1, keepdims=True), queries, trials, rng)


def reweighted(rows: Floats, queries: int, trials: int, rng: np.random.Generator) -> Floats:
    """Real differences, of queries drawn so that their mean is 0: those against the better system more often.

    Weights are exponential in the difference, which of all that make the mean 0 are the least uneven. Every value, and
    every tie, stays as it is.
    """
    chances = np.array([tilted(row) for row in rows])
    pair = rng.integers(0, len(rows), size=trials)
    below = rng.random((trials, queries))[:, :, None] > np.cumsum(chances, axis=1)[pair][:, None, :-1]
    return rows[pair[:, None], below.sum(axis=2)]


def tilted(values: Floats) -> Floats:
    """Chances of values, exponential in them, that make their mean 0; there are some on either side of it.

    >>> tilted(np.array([-1.0, 2.0])).round(4)
    array([0.6667, 0.3333])
    """
    from scipy.optimize import brentq

    scaled = values / np.abs(values).max()

    def weights(tilt: float) -> Floats:
        return np.exp(tilt * scaled - np.abs(tilt))

    tilt = brentq(lambda each: float((weights(each) * scaled).sum()), -200, 200)
    return weights(tilt) / weights(tilt).sum()


# Tests of two systems


def one_by_one(test: Callable[[Floats], Significance]) -> Test:
    """A test that is called for every row."""
    return lambda rows, _: np.array([test(row).p for row in rows])


def _together(test: Callable[[Floats, SystemPairs, int], list[Significance]]) -> Test:
    """A test of many pairs: every row compared with a system that has 0 for every query."""

    def p_values(rows: Floats, seed: int) -> Floats:
        table = np.vstack([np.zeros(rows.shape[1]), rows])
        pairs = SystemPairs(np.zeros(len(rows), dtype=np.int64), np.arange(1, len(rows) + 1, dtype=np.int64))
        return np.array([outcome.p for outcome in test(table, pairs, seed)])

    return p_values


TESTS: dict[str, Test] = {
    "randomization": _together(
        lambda table, pairs, seed: randomization_tests(table, pairs, permutations=PATTERNS, rng=seed)
    ),
    "t": one_by_one(t_test),
    "bootstrap": _together(lambda table, pairs, seed: bootstrap_tests(table, pairs, samples=PATTERNS, rng=seed)),
    "wilcoxon": one_by_one(signed_rank_test),
    "sign": one_by_one(sign_test),
}


def equivalence_at(margin: float) -> dict[str, Test]:
    """Tests of whether the mean of every row is within a margin."""

    def by(tests: Callable[[Floats, SystemPairs, int], list[Significance]]) -> Test:
        return _together(
            lambda table, pairs, seed: equivalence_tests(
                table, pairs, margin, lambda moved, chosen: tests(moved, chosen, seed)
            )
        )

    return {
        "randomization": by(
            lambda table, pairs, seed: randomization_tests(table, pairs, permutations=PATTERNS, rng=seed)
        ),
        "t": by(lambda table, pairs, _: pairwise(table, pairs, t_test)),
    }


def rejected(rows: Floats, tests: Mapping[str, Test], alphas: tuple[float, ...]) -> dict[str, dict[float, Share]]:
    """How often each test finds a difference in rows of differences, at each level; no p is no finding."""
    found = {
        name: np.concatenate([test(batch, seed) for seed, batch in enumerate(_batches(rows))])
        for name, test in tests.items()
    }
    return {name: {alpha: share(p <= alpha) for alpha in alphas} for name, p in found.items()}


def _batches(rows: Floats) -> Iterator[Floats]:
    return (rows[begin : begin + BATCH] for begin in range(0, len(rows), BATCH))


# Intervals


class Coverage(NamedTuple):
    """How often an interval holds the truth, and how wide it is."""

    held: Share
    width: float


def _t_limits(rows: Floats, _: int) -> Floats:
    return np.array([(found.low, found.high) for found in map(t_interval, rows)])


def _bca_limits(rows: Floats, seed: int) -> Floats:
    return np.array([(found.low, found.high) for found in bca_intervals(rows, rng=seed)])


INTERVALS: dict[str, Limits] = {"t": _t_limits, "bca": _bca_limits}


def coverage(
    rows: Floats, queries: int, trials: int, rng: np.random.Generator, intervals: Mapping[str, Limits] = INTERVALS
) -> dict[str, Coverage]:
    """Of samples of the queries, how many have an interval that holds the mean over all; rows take turns."""
    chosen = np.arange(trials) % len(rows)
    truth = rows.mean(axis=1)[chosen]
    samples = rows[chosen[:, None], rng.integers(0, rows.shape[1], size=(trials, queries))]
    covered = {}
    for name, interval in intervals.items():
        limits = np.concatenate([interval(batch, seed) for seed, batch in enumerate(_batches(samples))])
        rounding = 1e-12
        held = (limits[:, 0] <= truth + rounding) & (truth - rounding <= limits[:, 1])
        covered[name] = Coverage(share(held), float(np.mean(limits[:, 1] - limits[:, 0])))
    return covered


# Several systems


class Truth(NamedTuple):
    """Scores that trials were drawn from, as a table for each trial, and the systems' true means."""

    tables: Floats
    means: Floats


Families = Callable[[Population, int, int, int, np.random.Generator], Truth]
"""Tables of systems' scores, given how many systems, queries and tables."""


def all_exchangeable(
    population: Population, systems: int, queries: int, trials: int, rng: np.random.Generator
) -> Truth:
    """For every query, each score could be any system's."""
    tables, _ = _some_runs(population, systems, queries, trials, rng)
    return Truth(rng.permuted(tables, axis=1), np.zeros((trials, systems)))


def all_moved(population: Population, systems: int, queries: int, trials: int, rng: np.random.Generator) -> Truth:
    """Every system's scores, moved so that all have the same mean over all queries."""
    tables, means = _some_runs(population, systems, queries, trials, rng)
    return Truth(tables - means[:, :, None], np.zeros((trials, systems)))


def neighbours_exchangeable(
    population: Population, systems: int, queries: int, trials: int, rng: np.random.Generator
) -> Truth:
    """In the order of their means, each two neighbours are exchangeable; the others differ as they do."""
    tables, means = _some_runs(population, systems, queries, trials, rng)
    by_two = tables.reshape(trials, systems // 2, 2, queries)
    truth = np.repeat(means.reshape(trials, -1, 2).mean(axis=2), 2, axis=1)
    return Truth(rng.permuted(by_two, axis=2).reshape(tables.shape), truth)


def neighbours_moved(
    population: Population, systems: int, queries: int, trials: int, rng: np.random.Generator
) -> Truth:
    """In the order of their means, each two neighbours are moved to the same mean; the others differ as they do."""
    tables, means = _some_runs(population, systems, queries, trials, rng)
    truth = np.repeat(means.reshape(trials, -1, 2).mean(axis=2), 2, axis=1)
    return Truth(tables + (truth - means)[:, :, None], truth)


def as_they_are(population: Population, systems: int, queries: int, trials: int, rng: np.random.Generator) -> Truth:
    """Nothing is made equal: the truth is the order of the means over all queries."""
    return Truth(*_some_runs(population, systems, queries, trials, rng))


def _some_runs(
    population: Population, systems: int, queries: int, trials: int, rng: np.random.Generator
) -> tuple[Floats, Floats]:
    """For each trial some of the runs, best first, on a sample of the queries; and their means over all queries."""
    ordered = population.scores[np.argsort(-population.scores.mean(axis=1), kind="stable")]
    chosen = np.sort(rng.permuted(np.tile(np.arange(len(ordered)), (trials, 1)), axis=1)[:, :systems], axis=1)
    sampled = rng.integers(0, ordered.shape[1], size=(trials, 1, queries))
    return ordered[chosen[:, :, None], sampled], ordered.mean(axis=1)[chosen]


def _randomization(table: Floats, seed: int) -> Floats:
    return np.array([pair.p for pair in randomization_tests(table, permutations=PATTERNS, rng=seed)])


def _t(table: Floats, _: int) -> Floats:
    return np.array([pair.p for pair in pairwise(table, all_pairs(len(table)), t_test)])


def _tukey(table: Floats, seed: int) -> Floats:
    return np.array([pair.p for pair in tukey_hsd(table, permutations=PATTERNS_TOGETHER, rng=seed)])


def _max_t(table: Floats, seed: int) -> Floats:
    return np.array([pair.p for pair in max_t_tests(table, permutations=PATTERNS_TOGETHER, rng=seed)])


def p_of_pairs(table: Floats, seed: int) -> dict[str, Floats]:
    """What every way of allowing for the number of pairs makes of one table."""
    by_lot, by_t = _randomization(table, seed), _t(table, seed)
    return {
        "none": by_lot,
        "bonferroni": corrected(by_lot, "bonferroni"),
        "holm": corrected(by_lot, "holm"),
        "benjamini-hochberg": corrected(by_lot, "benjamini-hochberg"),
        "holm, t": corrected(by_t, "holm"),
        "tukey": _tukey(table, seed),
        "maxT": _max_t(table, seed),
    }


class Verdicts(NamedTuple):
    """What one way of allowing for the number of pairs says in all trials."""

    false: dict[float, Share]
    """Trials with one false verdict or more, at each level."""
    found: float
    """The share of the true differences that are found, at the first level; NaN where there is none."""
    wrong: float
    """The mean share of false ones among a trial's verdicts, at the first level."""
    ranks: Share
    """Trials in which all rank intervals together hold the true ranks, at the first level."""
    length: float
    """How many ranks an interval holds on average."""


def verdicts(
    truth: Truth,
    alphas: tuple[float, ...],
    methods: Callable[[Floats, int], dict[str, Floats]] = p_of_pairs,
) -> dict[str, Verdicts]:
    """What all ways say of all trials."""
    collected: dict[str, list[_Trial]] = {}
    for seed, (table, means) in enumerate(zip(*truth, strict=True)):
        for name, p in methods(table, seed).items():
            collected.setdefault(name, []).append(_trial(table, means, p, alphas))
    return {name: _summary(trials, alphas) for name, trials in collected.items()}


class _Trial(NamedTuple):
    false: tuple[bool, ...]
    found: int
    wrong: float
    differing: int
    ranks: bool
    length: float


def _trial(table: Floats, means: Floats, p: Floats, alphas: tuple[float, ...]) -> _Trial:
    systems = len(table)
    observed = table.mean(axis=1)
    values = as_matrix(p, all_pairs(systems), systems)
    apart = observed[:, None] - observed[None]
    truly_better = means[:, None] > means[None] + 1e-12
    said = [better(apart, values, alpha=alpha) for alpha in alphas]
    intervals = rank_intervals(said[0])
    best = 1 + truly_better.sum(axis=0)
    worst = systems - truly_better.sum(axis=1)
    return _Trial(
        tuple(bool((each & ~truly_better).any()) for each in said),
        int((said[0] & truly_better).sum()),
        float((said[0] & ~truly_better).sum() / max(said[0].sum(), 1)),
        int(truly_better.sum()),
        all(low <= b and w <= high for (low, high), b, w in zip(intervals, best, worst, strict=True)),
        float(np.mean([high - low + 1 for low, high in intervals])),
    )


def _summary(trials: list[_Trial], alphas: tuple[float, ...]) -> Verdicts:
    differing = sum(trial.differing for trial in trials)
    return Verdicts(
        {alpha: share([trial.false[at] for trial in trials]) for at, alpha in enumerate(alphas)},
        sum(trial.found for trial in trials) / differing if differing else math.nan,
        float(np.mean([trial.wrong for trial in trials])),
        share([trial.ranks for trial in trials]),
        float(np.mean([trial.length for trial in trials])),
    )
