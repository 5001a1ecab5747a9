"""A report of several runs, compared with merely evaluating them."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np

from benchmarks.peers import BIN
from benchmarks.timing import Command
from benchmarks.workloads import Workload

MEASURES = ("nDCG@10", "AP", "RR", "R@100")
EVALUATED, REPORTED = "cranfield evaluate", "cranfield report"


@dataclass(frozen=True)
class Reported:
    """How much is reported on."""

    runs: int
    workload: Workload

    def __str__(self) -> str:
        return f"{self.runs} runs, {self.workload}, {len(MEASURES)} measures"


TEN = Reported(10, Workload("report", queries=1000, depth=100, judged=20, largest_grade=3))


def write(reported: Reported, directory: Path) -> tuple[Path, list[Path]]:
    """Judgments, and runs that put the same documents into orders with more or less noise."""
    qrels, _ = reported.workload.write(directory)
    paths = [directory / f"system{number:02}.run" for number in range(reported.runs)]
    rng = np.random.default_rng(5)
    texts: list[list[str]] = [[] for _ in paths]
    for part in reported.workload.parts():
        ranks = np.arange(part.retrieved.shape[1])
        for number, text in enumerate(texts):
            noise = rng.normal(0, 2 + number, part.retrieved.shape)
            shown = np.take_along_axis(part.retrieved, np.argsort(ranks + noise, axis=1), axis=1)
            for query, documents, scores in zip(part.queries.tolist(), shown.tolist(), part.scores, strict=True):
                places = enumerate(zip(documents, (scores / 1e6).tolist(), strict=True), 1)
                text += [f"{query} Q0 D{document:07} {rank} {score:.6f} made\n" for rank, (document, score) in places]
    for path, text in zip(paths, texts, strict=True):
        path.write_text("".join(text))
    return qrels, paths


def commands(reported: Reported, directory: Path, page: Path) -> dict[str, Command]:
    """Evaluating and reporting on the same files."""
    qrels, runs = write(reported, directory)
    words = (str(qrels), *map(str, runs), *(word for measure in MEASURES for word in ("-m", measure)), "--quiet")
    program = str(BIN / "cranfield")
    return {
        EVALUATED: Command((program, "evaluate", *words)),
        REPORTED: Command((program, "report", *words, "-o", str(page))),
    }
