"""Fusion of several runs, from their files to the file of the fused one, by reciprocal rank fusion and by CombSUM."""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from importlib.util import find_spec
from pathlib import Path

import numpy as np

import cranfield as cf
from benchmarks.peers import BIN
from benchmarks.timing import Command
from cranfield.errors import Findings

METHODS = {"rrf": ("rrf", None), "combsum": ("sum", "min-max"), "combmnz": ("mnz", "min-max"), "isr": ("isr", None)}
"""The methods that are timed, and what ranx calls them and their normalisation."""
NORMS = {None: None, "min-max": "minmax"}
STEPS = 5
"""Of weights, when a fusion is tuned: 1,089 settings of five runs."""
WITH_RANX = """
import sys, ranx
method, norm, target, *paths = sys.argv[1:]
runs = [ranx.Run.from_file(path, kind="trec") for path in paths]
ranx.fuse(runs, norm=norm or None, method=method).save(target, kind="trec")
"""


@dataclass(frozen=True)
class Fused:
    """How much is fused."""

    runs: int = 5
    queries: int = 300
    depth: int = 1000
    pool: int = 2500
    """Documents of a query, of which each run returns some."""

    def __str__(self) -> str:
        return (
            f"{self.runs} runs × {self.queries:,} queries × {self.depth:,} documents, drawn from {self.pool:,} for "
            "each query"
        )


SOME = Fused()


def write(fused: Fused, directory: Path) -> list[Path]:
    """The files of the runs: documents in random order, scores that fall."""
    directory.mkdir(exist_ok=True)
    paths = []
    for at in range(fused.runs):
        rng = np.random.default_rng(at)
        paths.append(directory / f"fused-{at}.run")
        with paths[-1].open("w", encoding="utf-8") as opened:
            for query in range(fused.queries):
                documents = rng.choice(fused.pool, fused.depth, replace=False) + 10_000 * query
                scores = np.sort(rng.gamma(2, 3, fused.depth))[::-1]
                rows = enumerate(zip(documents.tolist(), scores.tolist(), strict=True), 1)
                opened.writelines(f"q{query} Q0 d{name} {rank} {score:.9f} x\n" for rank, (name, score) in rows)
    return paths


def commands(fused: Fused, directory: Path) -> dict[str, Command]:
    """What is timed: every method, by every tool that is here."""
    paths = tuple(map(str, write(fused, directory)))
    target = str(directory / "fused.run")
    timed: dict[str, Command] = {}
    for method, (theirs, norm) in METHODS.items():
        options = ("--method", method, "-o", target, "--quiet", "--format", "json")
        timed[f"cranfield, {method}"] = Command((str(BIN / "cranfield"), "fuse", *paths, *options), prints=False)
        if find_spec("ranx"):
            words = (sys.executable, "-W", "ignore", "-c", WITH_RANX, theirs, norm or "", target, *paths)
            timed[f"ranx, {method}"] = Command(words, prints=False)
    return timed


def calls(fused: Fused, directory: Path) -> dict[str, Callable[[], object]]:
    """What is timed within one process, warm: from files to a file, and from dictionaries to rankings."""
    paths = [*map(str, write(fused, directory))]
    target = str(directory / "fused.run")
    held = [cf.read_run(path) for path in paths]
    runs = [{name: run[name] for name in _queries(fused)} for run in held]
    timed: dict[str, Callable[[], object]] = {}
    for method, (theirs, norm) in METHODS.items():
        timed[f"cranfield, {method}, files"] = partial(_saved, paths, method, NORMS[norm], target)
        timed[f"cranfield, {method}, memory"] = partial(_fused, runs, method, NORMS[norm])
        if find_spec("ranx"):
            timed[f"ranx, {method}, files"] = partial(_saved_by_ranx, paths, theirs, norm, target)
            timed[f"ranx, {method}, memory"] = partial(_fused_by_ranx, runs, theirs, norm)
    return timed


def tuning(fused: Fused, directory: Path) -> Callable[[], object]:
    """A search among a thousand settings of five runs, with 60 judged documents for each query."""
    paths = [*map(str, write(fused, directory))]
    rng = np.random.default_rng(0)
    judged = min(60, fused.pool)
    grades = {
        name: {
            f"d{document + 10_000 * at}": int(grade)
            for document, grade in zip(
                rng.choice(fused.pool, judged, replace=False).tolist(), rng.integers(0, 3, judged), strict=True
            )
        }
        for at, name in enumerate(_queries(fused))
    }
    return partial(cf.tune_fusion, grades, paths, steps=STEPS, folds=min(5, fused.queries))


def _queries(fused: Fused) -> list[str]:
    return [f"q{query}" for query in range(fused.queries)]


def _saved(paths: list[str], method: str, norm: str | None, target: str) -> None:
    cf.fuse(paths, method, norm=norm).save(target)


def _fused(runs: list[dict[str, dict[str, float]]], method: str, norm: str | None) -> object:
    rankings = cf.fuse(runs, method, norm=norm).rankings(Findings())
    return {ranking.query: dict(zip(ranking.documents, ranking.scores.tolist(), strict=True)) for ranking in rankings}


def _saved_by_ranx(paths: list[str], method: str, norm: str | None, target: str) -> None:
    import ranx

    runs = [ranx.Run.from_file(path, kind="trec") for path in paths]
    ranx.fuse(runs, norm=norm, method=method).save(target, kind="trec")


def _fused_by_ranx(runs: list[dict[str, dict[str, float]]], method: str, norm: str | None) -> object:
    import ranx

    return ranx.fuse([ranx.Run(run) for run in runs], norm=norm, method=method).to_dict()
