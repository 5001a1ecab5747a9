"""How much fusion could gain at most: what each run finds that others do not, and the best choice for each query."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from cranfield import formats
from cranfield.arrays import Floats, Ints
from cranfield.data.judgments import Judgments
from cranfield.data.run import Run
from cranfield.errors import Finding, Findings
from cranfield.errors.fusing import needs_two_runs
from cranfield.evaluating.evaluation import evaluate
from cranfield.fusing.joining import Joining
from cranfield.measures import Measure, parse
from cranfield.phrases import counted
from cranfield.show.answer import Answer
from cranfield.show.measures import legend, name_dict
from cranfield.show.table import Table, finite
from cranfield.version import VERSION

IDEAL = "the best order of everything found"


@dataclass(frozen=True)
class RunShare:
    """What one run brings."""

    run: str
    mean: float
    relevant: int
    """Relevant documents that it finds, over all judged queries."""
    unique: int
    """Those of them that no other run finds."""
    best: float
    """Queries on which no other run is better; one that several runs share counts in part for each."""


@dataclass(frozen=True, repr=False)
class FusionPotential(Answer):
    """What runs could gain together: limits that take the judgments to reach, and no prediction.

    >>> import cranfield as cf
    >>> runs = {"one": {"q1": ["a", "x"], "q2": ["x"]}, "two": {"q1": ["x"], "q2": ["b", "x"]}}
    >>> print(cf.fusion_potential({"q1": {"a": 1}, "q2": {"b": 1}}, runs, "RR").verdict())
    RR: one has 0.5000. With the best of the 2 runs for each query it would be 1.0000 (+0.5000), with the best order of
    everything found 1.0000 (+0.5000).
    """

    measure: Measure
    shares: tuple[RunShare, ...]
    queries: int
    oracle: float
    """The mean if the best run were chosen for each query."""
    ideal: float
    """The mean of the best order of all documents that any run finds."""
    relevant: int
    """Relevant documents that any run finds."""
    warnings: tuple[Finding, ...] = ()

    @property
    def best(self) -> RunShare:
        """The run with the best mean."""
        sign = -1 if self.measure.definition.lower_is_better else 1
        return max(self.shares, key=lambda share: sign * share.mean)

    def verdict(self) -> str:
        """How far the best run is from both limits."""
        best, name = self.best, str(self.measure)
        return (
            f"{name}: {best.run} has {best.mean:z.4f}. With the best of the {len(self.shares)} runs for each query it "
            f"would be {self.oracle:z.4f} ({self.oracle - best.mean:+z.4f}), with {IDEAL} {self.ideal:z.4f} "
            f"({self.ideal - best.mean:+z.4f})."
        )

    def table(self) -> Table:
        """A row for each run, and one for each limit."""
        found = f"{counted(self.relevant, 'relevant document')} found by any run"
        return Table(
            {
                "run": [share.run for share in self.shares] + ["best run per query", "best order of all"],
                str(self.measure): [share.mean for share in self.shares] + [self.oracle, self.ideal],
                "relevant": [share.relevant for share in self.shares] + [None, self.relevant],
                "unique": [share.unique for share in self.shares] + [None, None],
                "best on": [round(share.best, 2) for share in self.shares] + [None, None],
            },
            notes=(
                f"Over {counted(self.queries, 'judged query')}; {found}. unique: relevant documents that no other run "
                "finds. best on: queries on which no other run is better, shared ones in part.",
                "Both limits are chosen with the judgments: no fusion can be better than the last row, and none is "
                "expected to reach either.",
                *legend([self.measure]),
            ),
        )

    def rows(self) -> Table:
        """A row for each run, and one for each limit."""
        table = self.table().to_dict()
        return Table(
            {
                "run": table["run"],
                "measure": [self.measure.canonical] * len(table["run"]),
                "mean": table[str(self.measure)],
                "relevant": table["relevant"],
                "unique": table["unique"],
                "best_on": [share.best for share in self.shares] + [None, None],
            }
        )

    def to_dict(self) -> dict[str, Any]:
        """Everything as plain values."""
        return {
            "cranfield": VERSION,
            **name_dict(self.measure),
            "queries": self.queries,
            "runs": [
                {
                    "run": share.run,
                    "mean": finite(share.mean),
                    "relevant": share.relevant,
                    "unique": share.unique,
                    "best_on": share.best,
                }
                for share in self.shares
            ],
            "best_run": self.best.run,
            "oracle": finite(self.oracle),
            "ideal": finite(self.ideal),
            "relevant": self.relevant,
            "warnings": [str(warning) for warning in self.warnings],
        }


def fusion_potential(judgments: object, runs: object, measure: str | Measure = "nDCG@10") -> FusionPotential:
    """How much a fusion of runs could gain at most over the best of them.

    >>> runs = {"one": {"q1": ["a", "x"]}, "two": {"q1": ["x", "b"]}}
    >>> potential = fusion_potential({"q1": {"a": 1, "b": 1}}, runs, "P@2")
    >>> potential.oracle, potential.ideal, [share.unique for share in potential.shares]
    (0.5, 1.0, [1, 1])
    """
    read = formats.read_runs(runs)
    if len(read) < 2:
        raise needs_two_runs(len(read))
    asked = parse(measure)
    judged = formats.read_judgments(judgments)
    relevant, unique, together, ideal = _documents(read, judged)
    scores = evaluate(judged, [*read, formats.read_run(ideal, name=IDEAL)], [asked])
    sign = -1 if asked.definition.lower_is_better else 1
    values: Floats = scores.values[0][: len(read)]
    if scores.undefined[0] == "zero":
        values = np.where(np.isnan(values), 0.0, values)
    defined = ~np.isnan(values).all(axis=0) & scores.counted[0][: len(read)].any(axis=0)
    values = values[:, defined]
    best = sign * np.fmax.reduce(sign * values, axis=0)
    is_best = (values == best) / (values == best).sum(axis=0)
    means = [scores.mean(asked, run=run.name).value for run in read]
    shares = [
        RunShare(run.name, mean, found, alone, float(wins))
        for run, mean, found, alone, wins in zip(read, means, relevant, unique, is_best.sum(axis=1), strict=True)
    ]
    oracle = math.fsum(best) / len(best) if len(best) else math.nan
    return FusionPotential(
        scores.measures[0],
        tuple(shares),
        len(scores.queries),
        oracle,
        scores.mean(asked, run=IDEAL).value,
        together,
        tuple(finding for finding in scores.warnings if IDEAL not in str(finding)),
    )


def _documents(
    runs: Sequence[Run], judgments: Judgments
) -> tuple[list[int], list[int], int, dict[str, dict[str, float]]]:
    """Relevant documents of each run, those of it alone, those of all, and by query all documents by their grades."""
    grades: dict[str, dict[str, float]] = {}
    starts = judgments.starts.tolist()
    for query, start, end in zip(judgments.queries, starts, starts[1:], strict=False):
        own = zip(judgments.documents[start:end], judgments.grades[start:end].tolist(), strict=True)
        grades[query] = dict(own)
    ideal: dict[str, dict[str, float]] = {}
    counts: dict[str, Ints] = {}  # by query, since one that comes again replaces what came before
    for lists in Joining(runs, Findings()):
        if (known := grades.get(lists.query)) is None:
            continue
        is_relevant = np.array([known.get(document, 0) >= 1 for document in lists.documents])
        listed = lists.listed[:, is_relevant]
        alone = listed & (listed.sum(axis=0) == 1)
        counts[lists.query] = np.array([*listed.sum(axis=1), *alone.sum(axis=1), is_relevant.sum()])
        ideal[lists.query] = {document: known.get(document, -1.0) for document in lists.documents}
    *totals, together = np.sum([*counts.values()], axis=0).tolist() if counts else [0] * (2 * len(runs) + 1)
    return totals[: len(runs)], totals[len(runs) :], together, ideal
