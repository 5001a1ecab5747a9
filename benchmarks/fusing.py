"""Fusion of several runs, from their files to the file of the fused one, by reciprocal rank fusion and by CombSUM."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

import numpy as np

from benchmarks.peers import BIN
from benchmarks.timing import Command

METHODS = {"rrf": ("rrf", None), "combsum": ("sum", "min-max")}
"""The methods that are timed, and what ranx calls them and their normalisation."""
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
