"""Comparing runs, every two of them under every measure, next to SciPy's permutation test of one pair."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

import cranfield as cf
from benchmarks.peers import MEASURES
from benchmarks.timing import Timed, best_calls
from cranfield.comparing import randomization_test, randomization_tests

DOCUMENTS, RETRIEVED = 40, 20


@dataclass(frozen=True)
class Compared:
    """How much is compared."""

    runs: int = 50
    queries: int = 250
    permutations: int = 100_000

    @property
    def tests(self) -> int:
        """Of every two runs under every measure."""
        return self.runs * (self.runs - 1) // 2 * len(MEASURES)

    def __str__(self) -> str:
        return (
            f"{self.runs} runs, {self.queries} queries, {len(MEASURES)} measures, {self.permutations:,} permutations: "
            f"{self.tests:,} tests"
        )


MANY_RUNS = Compared()


def scores(compared: Compared) -> cf.Scores:
    """Scores of made runs, which see grades through more or less noise and return half of the documents."""
    rng = np.random.default_rng(7)
    names = [f"d{at:02}" for at in range(DOCUMENTS)]
    grades = np.maximum(0, np.rint(rng.normal(-0.5, 1.2, (compared.queries, DOCUMENTS)))).astype(int)
    grades[:, 0] = 1  # something to find for every query, so that no score is undefined
    judged = {f"q{at:04}": dict(zip(names, row.tolist(), strict=True)) for at, row in enumerate(grades)}
    runs: dict[str, dict[str, dict[str, float]]] = {}
    for number, noise in enumerate(np.linspace(1, 1.5, compared.runs)):
        seen = grades + rng.normal(0, noise, grades.shape)
        returned = np.argsort(-seen, axis=1)[:, :RETRIEVED]
        runs[f"run{number:02}"] = {
            query: {names[at]: float(row[at]) for at in order}
            for query, row, order in zip(judged, seen, returned.tolist(), strict=True)
        }
    return cf.evaluate(judged, runs, MEASURES)


def took(compared: Compared, repeats: int, patience: float) -> dict[str, Timed]:
    """What the whole comparison takes, its tests alone, and SciPy's test of one pair under one measure."""
    from scipy.stats import permutation_test

    found = scores(compared)
    one, two = found["nDCG@10"][:2]

    def of_scipy() -> float:
        return float(
            permutation_test(
                (one, two),
                lambda x, y, axis: (x - y).mean(axis=axis),
                permutation_type="samples",
                n_resamples=compared.permutations,
                vectorized=True,
                batch=1000,
                rng=np.random.default_rng(0),
            ).pvalue
        )

    timed = best_calls(
        {
            "cranfield, the whole comparison": lambda: cf.compare(
                found, all_pairs=True, resamples=compared.permutations
            ),
            "cranfield, its tests": lambda: [
                randomization_tests(found[measure], permutations=compared.permutations) for measure in MEASURES
            ],
            "scipy, one of them": of_scipy,
        },
        repeats,
        patience,
    )
    ours, theirs = (
        randomization_test(one - two, permutations=compared.permutations).p,
        timed["scipy, one of them"].result,
    )
    error = (0.25 / compared.permutations) ** 0.5
    if not isinstance(theirs, float) or abs(ours - theirs) > 10 * error:
        raise SystemExit(f"SciPy has p = {theirs}, cranfield {ours}: these are not the same.")
    return timed
