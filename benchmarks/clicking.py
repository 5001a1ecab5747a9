"""Click models fitted to a made log of many impressions, each in a process of its own: seconds and memory."""

from __future__ import annotations

import json
import os
import resource
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter
from typing import NamedTuple

import numpy as np

from cranfield.click_models import MODELS, PBM, ClickLog

READING = "reading the log"
KILO = 1024
"""Of these, memory that the system tells in KB has one MB."""


@dataclass(frozen=True)
class Clicked:
    """How much is logged."""

    impressions: int = 1_000_000
    queries: int = 20_000
    pool: int = 20
    """Documents of a query, of which each impression shows some."""
    depth: int = 10
    models: tuple[str, ...] = tuple(MODELS)

    def __str__(self) -> str:
        return (
            f"{self.impressions:,} impressions of {self.queries:,} queries, some asked far more often than others, "
            f"with {self.depth} of {self.pool} documents each"
        )


MANY = Clicked()


def log(clicked: Clicked) -> ClickLog:
    """Rankings with noise, and clicks under the position-based model."""
    rng = np.random.default_rng(11)
    frequency = 1 / np.arange(1, clicked.queries + 1)
    query = rng.choice(clicked.queries, clicked.impressions, p=frequency / frequency.sum()).astype(np.int32)
    document = np.empty((clicked.impressions, clicked.depth), dtype=np.int32)
    for start in range(0, clicked.impressions, 100_000):
        part = query[start : start + 100_000, None]
        seen = np.arange(clicked.pool) + rng.normal(0, 2, (len(part), clicked.pool))
        document[start : start + len(part)] = part * clicked.pool + np.argsort(seen, axis=1)[:, : clicked.depth]
    made = ClickLog(
        [f"s{number}" for number in range(clicked.impressions)],
        [f"q{number}" for number in range(clicked.queries)],
        [f"d{number}" for number in range(clicked.queries * clicked.pool)],
        np.arange(0, document.size + 1, clicked.depth),
        np.arange(clicked.impressions, dtype=np.int32),
        query,
        document.ravel(),
        np.zeros(document.size, dtype=np.bool_),
    )
    truth = PBM.given(
        made, attraction=rng.beta(1, 4, len(made.pairs)), examination=1 / np.arange(1, clicked.depth + 1) ** 0.7
    )
    return truth.simulate(made, rng)


def write(clicked: Clicked, directory: Path) -> Path:
    """The log as a row per result, in CSV."""
    made, path = log(clicked), directory / "clicks.csv"
    rank = np.arange(len(made.document)) - np.repeat(made.starts[:-1], made.lengths) + 1
    columns = [
        [made.sessions[code] for code in np.repeat(made.session, made.lengths).tolist()],
        [made.queries[code] for code in np.repeat(made.query, made.lengths).tolist()],
        map(str, rank.tolist()),
        [made.documents[code] for code in made.document.tolist()],
        np.where(made.clicked, "1", "0").tolist(),
    ]
    with path.open("w", encoding="utf-8") as target:
        target.write("session,query,position,document,clicked\n")
        target.writelines(",".join(row) + "\n" for row in zip(*columns, strict=True))
    return path


class Took(NamedTuple):
    """Seconds of processor and of wall time, and MB at the peak, the log included."""

    processor: float
    wall: float
    memory: float


def took(clicked: Clicked, directory: Path) -> dict[str, Took]:
    """What reading the log takes, and then each model, once."""
    path = write(clicked, directory)
    words = sys.executable, "-m", "benchmarks.clicking", str(path), *clicked.models
    printed = json.loads(subprocess.run(words, check=True, capture_output=True, text=True).stdout)
    path.unlink()
    return {name: Took(*values) for name, values in printed.items()}


def main(path: str, models: Sequence[str]) -> None:
    """Read a log in this process, and fit each model in a copy of it, so that each has its own peak of memory."""
    from cranfield import read_clicks

    begun = perf_counter()
    read = read_clicks(path)
    own = resource.getrusage(resource.RUSAGE_SELF)
    costs = {READING: (own.ru_utime + own.ru_stime, perf_counter() - begun, own.ru_maxrss / KILO)}
    for name in models:
        begun, child = perf_counter(), os.fork()
        if not child:
            MODELS[name].fit(read)
            os._exit(0)
        _, status, used = os.wait4(child, 0)
        if status:
            raise SystemExit(f"{name} failed.")
        costs[name] = used.ru_utime + used.ru_stime, perf_counter() - begun, used.ru_maxrss / KILO
    print(json.dumps(costs))


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2:])
