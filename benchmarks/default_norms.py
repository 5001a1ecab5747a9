"""Settles which normalisations a search for a fusion tries, by the rule in docs/decisions.

python -m benchmarks.default_norms ../shared/data
"""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from itertools import combinations
from pathlib import Path

import numpy as np

import cranfield as cf

CANDIDATES = ("minmax", "sum", "zscore", "2sigma", "dbsf", "rank", "borda")
COLLECTIONS = {
    "02-dl19-passage": "qrels.dl19-passage.txt",
    "03-robust03": "qrels.robust03.txt.gz",
    "04-web2012-diversity": "qrels.adhoc.txt.gz",
    "05-beir-scifact": "qrels.trec.txt",
}
RUNS = 6
REPEATS = 4
LEAST, EQUAL, MOST = 0.001, 0.0001, 3

Pair = tuple[Path, Path, Path]


def main(folder: str) -> None:
    """Print what each set of normalisations gains, and the set that is chosen."""
    pairs = {name: _pairs(Path(folder) / name, qrels) for name, qrels in COLLECTIONS.items()}
    pairs = {name: own for name, own in pairs.items() if own}
    print("; ".join(f"{name}: {len(own)} pairs" for name, own in pairs.items()), flush=True)
    chosen: tuple[str, ...] = ()
    best = -np.inf
    while len(chosen) < MOST:
        gains = {norm: gain((*chosen, norm), pairs) for norm in CANDIDATES if norm not in chosen}
        largest = max(gains.values())
        norm = next(norm for norm, own in gains.items() if own >= largest - EQUAL)
        if chosen and gains[norm] - best < LEAST:
            print(f"{norm} would add {gains[norm] - best:.5f} only")
            break
        chosen, best = (*chosen, norm), gains[norm]
    print("chosen:", " ".join(chosen))


def gain(norms: Sequence[str], pairs: Mapping[str, Sequence[Pair]]) -> float:
    """The mean gain out of fold over the best single run, every collection counting the same."""
    means = {name: float(np.mean([_gain(norms, *pair) for pair in own])) for name, own in pairs.items()}
    mean = float(np.mean([*means.values()]))
    print(" ".join(norms), f"{mean:+.5f}", {name: round(own, 5) for name, own in means.items()}, flush=True)
    return mean


def _gain(norms: Sequence[str], qrels: Path, one: Path, other: Path) -> float:
    tuning = cf.tune_fusion(
        qrels, [one, other], methods=["combsum"], norms=[*norms], repeats=REPEATS, permutations=10, steps=10
    )
    return tuning.comparisons[0].difference.value


def _pairs(folder: Path, qrels: str) -> list[Pair]:
    """All pairs of some runs, evenly from the best to the worst."""
    paths = sorted(path for path in (folder / "runs").glob("*.run*"))
    if len(paths) < 2:
        return []
    scores = cf.evaluate(folder / qrels, paths, "nDCG@10")
    ranked = [paths[at] for at in np.argsort(-scores.values[0].mean(axis=1), kind="stable")]
    places = np.unique(np.linspace(0, len(ranked) - 1, min(RUNS, len(ranked))).round().astype(int))
    return [(folder / qrels, ranked[one], ranked[other]) for one, other in combinations(places.tolist(), 2)]


if __name__ == "__main__":
    main(sys.argv[1])
