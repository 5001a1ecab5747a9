"""Judging at its largest: a million pairs are imported, opened and handed out; labels are stored durably."""

from __future__ import annotations

import json
import sys
import threading
import time
from dataclasses import dataclass
from pathlib import Path
from uuid import uuid4

import numpy as np

from benchmarks.timing import Command

RUNS = ("one.run", "two.run")
WORDS = 170
"""Of a text: about one kilobyte."""
LABELS = 2_000
JUDGES = 8


@dataclass(frozen=True)
class Collected:
    """How much is judged."""

    queries: int
    per_query: int
    texts: int

    @property
    def pairs(self) -> int:
        """Of query and document."""
        return self.queries * self.per_query

    def __str__(self) -> str:
        return f"{self.pairs:,} pairs of {self.queries:,} queries and {self.texts:,} texts of 1 kB, two runs"


MILLION = Collected(queries=10_000, per_query=100, texts=300_000)


def write(collected: Collected, directory: Path) -> None:
    """Two runs that share some documents, the queries, and the documents."""
    rng = np.random.default_rng(3)
    length, shared = (collected.per_query * 3) // 5, collected.per_query // 5
    texts: tuple[list[str], list[str]] = ([], [])
    for query in range(collected.queries):
        # Consecutive numbers are different documents, wherever they begin.
        first = int(rng.integers(collected.texts))
        documents = [(first + place) % collected.texts for place in range(collected.per_query)]
        for text, own in zip(texts, (documents[:length], documents[length - shared :]), strict=True):
            order = rng.permutation(len(own)).tolist()
            text += [f"q{query} Q0 d{own[at]} {rank} {-rank} made\n" for rank, at in enumerate(order, 1)]
    for name, lines in zip(RUNS, texts, strict=True):
        (directory / name).write_text("".join(lines))
    (directory / "queries.tsv").write_text(
        "".join(f"q{number}\tquery {number}\n" for number in range(collected.queries))
    )
    with (directory / "documents.jsonl").open("w") as file:
        for number in range(collected.texts):
            body = f"word{number} " * (WORDS // 2)
            file.write(json.dumps({"_id": f"d{number}", "title": f"Title {number}", "text": body[:1000]}) + "\n")


def command(step: str, directory: Path) -> Command:
    """One step in a process of its own."""
    root = str(Path(__file__).parent.parent)
    return Command((sys.executable, "-m", "benchmarks.judging", step, str(directory)), {"PYTHONPATH": root})


def imported(directory: Path) -> dict[str, float]:
    """A store from runs, queries and documents."""
    from cranfield.assessing.contents import contents_of, judged_from_runs
    from cranfield.assessing.project import new_project
    from cranfield.assessing.store import create_store
    from cranfield.formats import read_runs

    began = time.perf_counter()
    runs = read_runs([str(directory / name) for name in RUNS])
    judged = judged_from_runs(runs, 10**6)
    contents, _ = contents_of(judged, queries=directory / "queries.tsv", documents=directory / "documents.jsonl")
    create_store(directory / "judging.db", new_project("large"), contents).close()
    size = (directory / "judging.db").stat().st_size
    return {"seconds": time.perf_counter() - began, "MB on disk": size / 1e6}


def served(directory: Path) -> dict[str, float]:
    """The store opened, items handed out one by one and labelled, then by several judges as fast as they can."""
    from cranfield.assessing.service import Service, Submission
    from cranfield.assessing.store import open_store

    began = time.perf_counter()
    service = Service(open_store(directory / "judging.db"))
    start = time.perf_counter() - began
    judges = [service.add_judge(f"judge {uuid4().hex[:6]}")[0].number for _ in range(JUDGES)]
    handing: list[float] = []

    def work(judge: int, labels: int) -> None:
        for _ in range(labels):
            at = time.perf_counter()
            cards = service.cards(judge, "tab", 3)
            handing.append(time.perf_counter() - at)
            if not cards:
                return
            service.record(judge, Submission(uuid4().hex, cards[0].item, "label", 1.0))

    labels = min(LABELS, len(service.items) // 2)
    work(judges[0], labels)
    alone = sorted(handing)
    began, before = time.perf_counter(), service.state.seq
    threads = [threading.Thread(target=work, args=(judge, labels // JUDGES)) for judge in judges]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    rate = (service.state.seq - before) / (time.perf_counter() - began)
    problems = service.store.verify()
    service.close()
    assert problems == [], problems
    return {
        "start": start,
        "next, median ms": 1000 * alone[len(alone) // 2],
        "next, p99 ms": 1000 * alone[int(0.99 * len(alone))],
        "labels a second": rate,
    }


if __name__ == "__main__":
    print(json.dumps({"import": imported, "serve": served}[sys.argv[1]](Path(sys.argv[2]))))
