"""Scores of systems for queries that trials are drawn from: those of real runs, or made ones where these are absent."""

from __future__ import annotations

import csv
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path

import numpy as np
import numpy.typing as npt

import cranfield as cf
from cranfield.comparing import all_pairs

Floats = npt.NDArray[np.float64]

SHARED = Path(__file__).parents[3] / "shared" / "data"
MANY_RUNS = "12-system-topic-matrix-dl19"
MANY_MEASURES = "03-robust03"
MEASURES = ("nDCG@10", "AP", "RR", "P@10", "Success@1", "Success@10")
SKEWED = 1.0
"""Differences whose skewness is at least this count as skewed."""


@dataclass(frozen=True, eq=False)
class Population:
    """Scores under one measure, a row per system and a column per query; trials draw from its queries."""

    name: str
    short: str
    """Its name in a table."""
    measure: str
    scores: Floats

    @cached_property
    def differences(self) -> Floats:
        """A row for every two systems that differ for some queries, and not by the same for all."""
        pairs = all_pairs(len(self.scores))
        rows = self.scores[pairs.first] - self.scores[pairs.second]
        return rows[np.ptp(rows, axis=1) > 1e-9]

    @cached_property
    def skewed(self) -> Floats:
        """The differences of those pairs only for which they are skewed."""
        from scipy.stats import skew

        return self.differences[np.abs(skew(self.differences, axis=1)) >= SKEWED]

    @cached_property
    def copies(self) -> Floats:
        """The differences of those pairs only that score the same for more than half of the queries."""
        return self.differences[(np.abs(self.differences) <= 1e-9).mean(axis=1) > 0.5]

    @cached_property
    def without_copies(self) -> Population:
        """Only runs that differ from each earlier one for half of the queries or more."""
        kept: list[int] = []
        for run, scores in enumerate(self.scores):
            if all((np.abs(scores - self.scores[other]) > 1e-9).mean() >= 0.5 for other in kept):
                kept.append(run)
        return replace(self, scores=self.scores[kept])

    def apart(self, least: float, most: float) -> Floats:
        """The differences of those pairs only whose means are so far apart, the better system first."""
        means = self.differences.mean(axis=1)
        chosen = (np.abs(means) >= least) & (np.abs(means) < most)
        return self.differences[chosen] * np.sign(means[chosen])[:, None]

    def __str__(self) -> str:
        systems, queries = self.scores.shape
        return f"{self.name}, {self.measure}, {systems} runs, {queries} queries"


@dataclass(frozen=True)
class Populations:
    """What trials draw from."""

    runs: Population
    """Many systems under one measure."""
    measures: dict[str, Population]
    """A few systems under several measures."""


def populations(folder: Path = SHARED) -> Populations:
    """Real scores where the folder of data has them, made ones where not; their names say which."""
    made: Populations | None = None
    if not (folder / MANY_RUNS).is_dir() or not (folder / MANY_MEASURES).is_dir():
        made = synthetic()
    runs = _many_runs(folder / MANY_RUNS) if (folder / MANY_RUNS).is_dir() else None
    measures = _many_measures(folder / MANY_MEASURES) if (folder / MANY_MEASURES).is_dir() else None
    if made is not None:
        runs, measures = runs or made.runs, measures or made.measures
    assert runs is not None
    assert measures is not None
    return Populations(runs, measures)


def synthetic(systems: int = 20, queries: int = 60, documents: int = 40, seed: int = 0) -> Populations:
    """Scores of made runs: queries are more or less hard, and systems see grades through more or less noise."""
    rng = np.random.default_rng(seed)
    hard = rng.normal(0.5, 1, queries)
    grades = np.maximum(0, np.rint(rng.normal(-1.2, 1.2, (queries, documents)))).astype(int)
    grades[:, 0] = 1  # something to find for every query
    names = [f"d{at:02}" for at in range(documents)]
    judged = {f"q{at:02}": dict(zip(names, of_query.tolist(), strict=True)) for at, of_query in enumerate(grades)}
    runs = {}
    for system, noise in enumerate(np.linspace(1, 1.6, systems)):
        seen = grades + rng.normal(0, noise, grades.shape) * np.exp(hard / 2)[:, None]
        runs[f"s{system:02}"] = {
            query: dict(zip(names, of_query.tolist(), strict=True))
            for query, of_query in zip(judged, seen, strict=True)
        }
    scores = cf.evaluate(judged, runs, MEASURES)
    return Populations(
        Population("synthetic", "synthetic", MEASURES[0], scores.settled(MEASURES[0])),
        {measure: Population("synthetic", "synthetic", measure, scores.settled(measure)[:4]) for measure in MEASURES},
    )


def _many_runs(folder: Path) -> Population:
    with (folder / "dl19.ndcg_cut_10.csv").open(encoding="utf-8") as file:
        rows = [row for row in csv.DictReader(file) if row["topic"] != "average"]
    runs, topics = (sorted({row[what] for row in rows}) for what in ("runid", "topic"))
    scores = np.full((len(runs), len(topics)), np.nan)
    for row in rows:
        scores[runs.index(row["runid"]), topics.index(row["topic"])] = float(row["ndcg_cut_10"])
    return Population("TREC 2019 Deep Learning", "DL 2019", "nDCG@10", scores)


def _many_measures(folder: Path) -> dict[str, Population]:
    runs = sorted((folder / "runs").glob("*.run.gz"))
    scores = cf.evaluate(folder / "qrels.robust03.txt.gz", runs, MEASURES)
    return {
        measure: Population("TREC 2003 Robust", "Robust 2003", measure, scores.settled(measure)) for measure in MEASURES
    }
