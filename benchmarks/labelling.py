"""Labels and judgments of several people: judgments by subtopic are read, and agreement is computed."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

import numpy as np

import cranfield as cf
from benchmarks.timing import Timed, best_calls
from benchmarks.workloads import Ints

GRADES = 4
EACH = 5
"""Labels of an item, or subtopics of a document."""
SAME = 1e-9
"""How far alpha may be from what krippendorff computes."""


@dataclass(frozen=True)
class Labelled:
    """How much was labelled, and by how many."""

    judgments: int = 1_250_000
    labels: int = 1_000_000
    judges: int = 10_000
    queries: int = 250

    def __str__(self) -> str:
        return (
            f"{self.judgments:,} judgments with {EACH} subtopics; {self.labels:,} labels, {EACH} of each document, "
            f"by {EACH} and by {self.judges:,} judges"
        )


MILLION_LABELS = Labelled()


def took(labelled: Labelled, directory: Path, repeats: int, patience: float) -> dict[str, Timed]:
    """What reading and agreement take, and krippendorff for alpha alone where it is installed."""
    qrels = directory / "subtopics.qrels"
    documents = labelled.judgments // EACH
    rng = np.random.default_rng(8)
    grades = rng.integers(0, 2, (documents, EACH)).tolist()
    with qrels.open("w") as written:
        for number, of_document in enumerate(grades):
            query = number * labelled.queries // documents
            written.writelines(f"{query} {at} D{number:07} {grade}\n" for at, grade in enumerate(of_document))
    few, many = (_labels(directory, labelled, judges, rng) for judges in (EACH, labelled.judges))
    calls: dict[str, Callable[[], object]] = {
        "judgments by subtopic, read": lambda: cf.read_judgments(qrels, groups="subtopic"),
        f"agree, {EACH} judges": lambda: cf.agree(few[0]),
        f"agree, {labelled.judges:,} judges": lambda: cf.agree(many[0]),
    }
    if find_spec("krippendorff"):
        import krippendorff

        calls["krippendorff, alpha alone, labels in memory"] = lambda: krippendorff.alpha(
            reliability_data=few[1].T, level_of_measurement="ordinal"
        )
    timed = best_calls(calls, repeats, patience)
    _must_be_alike(timed, f"agree, {EACH} judges")
    return timed


def _labels(directory: Path, labelled: Labelled, judges: int, rng: np.random.Generator) -> tuple[Path, Ints]:
    """A table of labels by so many judges, who are right most of the time, and the labels of each document."""
    documents = labelled.labels // EACH
    right = rng.integers(0, GRADES, (documents, 1))
    labels = np.where(rng.random((documents, EACH)) < 0.7, right, rng.integers(0, GRADES, (documents, EACH)))
    first = rng.integers(0, judges, documents) if judges > EACH else np.zeros(documents, dtype=np.int64)
    path = directory / f"labels-of-{judges}.csv"
    with path.open("w") as written:
        written.write("query,document,judge,grade\n")
        for number, (begin, of_document) in enumerate(zip(first.tolist(), labels.tolist(), strict=True)):
            start = f"q{number % labelled.queries},d{number},j"
            written.writelines(f"{start}{(begin + at) % judges},{grade}\n" for at, grade in enumerate(of_document))
    return path, labels


def _must_be_alike(timed: dict[str, Timed], ours: str) -> None:
    peer = timed.get("krippendorff, alpha alone, labels in memory")
    agreement = timed[ours].result
    if peer is None or not isinstance(agreement, cf.Agreement):
        return
    (alpha,) = (one.value for one in agreement.coefficients if one.name == "Krippendorff's alpha (ordinal)")
    if not isinstance(peer.result, float) or abs(alpha - peer.result) > SAME:
        raise SystemExit(f"krippendorff has alpha = {peer.result}, cranfield {alpha}: these are not the same.")
