"""Click models fitted to a made log of many impressions, each in a process of its own: seconds and memory."""

from __future__ import annotations

import json
import sys
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from benchmarks.timing import Command, Cost, measured
from cranfield.clicks import MODELS, PBM, ClickLog

READING = "reading the log"


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


def took(clicked: Clicked, directory: Path) -> dict[str, tuple[Cost, float]]:
    """What reading takes, and each model beside it: its process, and the seconds of the fit alone."""
    path = write(clicked, directory)
    costs = {}
    for name in ("", *clicked.models):
        cost = measured(Command((sys.executable, "-m", "benchmarks.clicking", str(path), name)))
        costs[name or READING] = cost, float(json.loads(cost.printed)["seconds"])
    path.unlink()
    return costs


def main(path: str, model: str) -> None:
    """Read a log and fit a model, in this process."""
    from time import perf_counter

    from cranfield import read_clicks

    begin = perf_counter()
    read = read_clicks(path)
    if model:
        begin = perf_counter()
        MODELS[model].fit(read)
    print(json.dumps({"seconds": perf_counter() - begin}))


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2])
