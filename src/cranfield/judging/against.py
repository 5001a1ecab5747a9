"""Every judge compared with one of them: a model's labels with a person's, say."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from cranfield.arrays import Floats, Ints
from cranfield.data.labels import Labels
from cranfield.errors import UsageError
from cranfield.judging.estimates import Row, rows_table
from cranfield.judging.pairs import JudgePair
from cranfield.show.answer import Answer
from cranfield.show.table import Cell, Table, finite

MOST_ROWS = 12
"""Of more different grades, a calibration table has bins of them."""
BINS = 10


@dataclass(frozen=True)
class Calibration:
    """What the reference says where a judge gives a grade, or a grade between two."""

    grade: str
    labels: int
    given: float
    """The mean grade of the judge here."""
    reference: float
    """The mean grade of the reference for the same documents."""
    relevant: float
    """The share of these that the reference calls relevant."""
    shares: tuple[float, ...]
    """The share of each grade of the reference."""


@dataclass(frozen=True, eq=False)
class JudgeAgainst:
    """One judge compared with the reference."""

    judge: str
    items: int
    """Documents that both labelled."""
    rates: dict[str, tuple[float, float]]
    """By grade, its share among the labels of judge and reference, of these documents."""
    precision: float
    """Of what the judge calls relevant, the share that the reference does."""
    recall: float
    """Of what the reference calls relevant, the share that the judge does."""
    calibration: tuple[Calibration, ...]
    pair: JudgePair | None
    """Kappa and the table, where grades are few."""

    def to_dict(self) -> dict[str, Any]:
        """Everything as plain values."""
        return {
            "judge": self.judge,
            "items": self.items,
            "rates": {grade: list(rates) for grade, rates in self.rates.items()},
            "precision": finite(self.precision),
            "recall": finite(self.recall),
            "kappa": None if self.pair is None else self.pair.kappa.to_dict(),
            "calibration": [
                {
                    "grade": row.grade,
                    "labels": row.labels,
                    "given": finite(row.given),
                    "reference": finite(row.reference),
                    "relevant": finite(row.relevant),
                    "shares": list(row.shares),
                }
                for row in self.calibration
            ],
        }


@dataclass(frozen=True, eq=False)
class Against(Answer):
    """Every other judge compared with one."""

    reference: str
    grades: tuple[str, ...]
    """The reference's grades; none where there are too many for a column each."""
    judges: tuple[JudgeAgainst, ...]

    def table(self) -> Table:
        """A row for every judge: kappa with its interval, base rates of what is relevant, precision and recall."""
        columns: dict[str, list[Cell]] = {
            "judge": [judge.judge for judge in self.judges],
            "documents": [judge.items for judge in self.judges],
        }
        if all(judge.pair is not None for judge in self.judges):
            pairs = [judge.pair for judge in self.judges if judge.pair is not None]
            columns["agreement"] = [pair.agreement for pair in pairs]
            columns["kappa"] = [pair.kappa.estimate() for pair in pairs]
        if any(not math.isnan(judge.recall) for judge in self.judges):
            columns["relevant"] = [_relevant_rate(judge, 0) for judge in self.judges]
            columns[f"to {self.reference}"] = [_relevant_rate(judge, 1) for judge in self.judges]
            columns["precision"] = [judge.precision for judge in self.judges]
            columns["recall"] = [judge.recall for judge in self.judges]
        notes = (
            f"Every judge compared with {self.reference}. relevant: the share the judge calls relevant; to "
            f"{self.reference}: the share {self.reference} calls so, of the same documents; precision: of what the "
            f"judge calls relevant, the share {self.reference} does; recall: the reverse.",
        )
        return Table(columns, notes=notes, optional=("agreement",))

    def calibration_table(self, judge: str) -> Table:
        """What the reference says where a judge gives each grade."""
        compared = {one.judge: one for one in self.judges}
        if judge not in compared:
            raise UsageError(f"{judge!r} was not compared with {self.reference}.")
        rows = compared[judge].calibration
        columns: dict[str, list[Cell]] = {
            f"{judge} says": [row.grade for row in rows],
            "labels": [row.labels for row in rows],
        }
        if rows and not math.isnan(rows[0].reference):
            columns["mean given"] = [row.given for row in rows]
            columns[f"mean of {self.reference}"] = [row.reference for row in rows]
            columns["relevant"] = [row.relevant for row in rows]
        for at, name in enumerate(self.grades):
            columns[f"{self.reference} says {name}" if at == 0 else f"says {name}"] = [row.shares[at] for row in rows]
        note = f"Where {judge} gives a grade, what share of these documents {self.reference} gives each."
        return Table(columns, notes=(note,) if self.grades else (), optional=("mean given",))

    def tables(self) -> list[Table]:
        """Every judge, and the calibration of each."""
        return [self.table(), *(self.calibration_table(judge.judge) for judge in self.judges)]

    def rows(self) -> Table:
        """A row for every number."""
        return rows_table(self.numbers())

    def numbers(self) -> Iterator[Row]:
        """Precision, recall and calibration of every judge."""
        for judge in self.judges:
            yield Row("against", judge.judge, self.reference, "precision", judge.precision, items=judge.items)
            yield Row("against", judge.judge, self.reference, "recall", judge.recall, items=judge.items)
            for row in judge.calibration:
                name = f"{judge.judge}={row.grade}"
                yield Row("calibration", name, self.reference, "mean", row.reference, items=row.labels)
                yield Row("calibration", name, self.reference, "relevant", row.relevant, items=row.labels)
                for label, share in zip(self.grades, row.shares, strict=False):
                    yield Row("calibration", name, f"{self.reference}={label}", "share", share, items=row.labels)

    def to_dict(self) -> dict[str, Any]:
        """Everything as plain values."""
        return {
            "reference": self.reference,
            "grades": list(self.grades),
            "judges": [judge.to_dict() for judge in self.judges],
        }


def against(labels: Labels, reference: str, pairs: Sequence[JudgePair], relevant: Floats | None) -> Against:
    """Every other judge compared with one."""
    labels.position(reference)
    true = labels.of(reference)
    scale = np.unique(true[~np.isnan(true)])
    shown = scale if len(scale) <= MOST_ROWS else np.empty(0)
    called = np.full(labels.items, math.nan)
    if relevant is not None:
        own = labels.of_judge == labels.position(reference)
        called[labels.of_item[own]] = relevant[own]
    by_pair = {frozenset((pair.one, pair.other)): pair for pair in pairs}
    order = np.argsort(labels.of_judge, kind="stable")
    ends = np.cumsum(np.bincount(labels.of_judge, minlength=len(labels.judges)))[:-1]
    judges = [
        _judge_against(
            labels,
            judge,
            places[~np.isnan(true[labels.of_item[places]])],
            true,
            called,
            shown,
            relevant,
            by_pair.get(frozenset((judge, reference))),
        )
        for judge, places in zip(labels.judges, np.split(order, ends), strict=True)
        if judge != reference
    ]
    return Against(reference, tuple(labels.category(grade) for grade in shown.tolist()), tuple(judges))


def _judge_against(
    labels: Labels,
    judge: str,
    places: Ints,
    reference: Floats,
    relevant_to_reference: Floats,
    shown: Floats,
    relevant: Floats | None,
    pair: JudgePair | None,
) -> JudgeAgainst:
    """One judge, by the labels at these places, which are of documents that the reference labelled."""
    own, true = labels.values[places], reference[labels.of_item[places]]
    called = relevant_to_reference[labels.of_item[places]]
    precision = recall = math.nan
    if relevant is not None:
        says = relevant[places]
        hits = float((says * called).sum())
        precision = hits / says.sum() if says.sum() else math.nan
        recall = hits / called.sum() if called.sum() else math.nan
    rates: dict[str, tuple[float, float]] = {}
    if relevant is not None and len(own):
        rates["relevant"] = float(relevant[places].mean()), float(called.mean())
    if pair is not None and len(own):
        for grade in np.unique(np.concatenate([own, true])).tolist():
            rates[labels.category(grade)] = float((own == grade).mean()), float((true == grade).mean())
    texts = bool(labels.categories)
    calibration = [
        Calibration(
            name,
            int(chosen.sum()),
            math.nan if texts else float(own[chosen].mean()),
            math.nan if texts else float(true[chosen].mean()),
            float(called[chosen].mean()),
            tuple(float((true[chosen] == grade).mean()) for grade in shown.tolist()),
        )
        for name, chosen in _groups(labels, own)
    ]
    return JudgeAgainst(judge, len(places), rates, precision, recall, tuple(calibration), pair)


def _groups(labels: Labels, own: Floats) -> list[tuple[str, Any]]:
    """Labels of each grade, or of each bin of grades where there are many."""
    given = np.unique(own)
    if len(given) <= MOST_ROWS:
        return [(labels.category(grade), own == grade) for grade in given.tolist()]
    edges = np.unique(np.quantile(own, np.linspace(0, 1, BINS + 1)))
    groups = []
    for at, (low, high) in enumerate(zip(edges[:-1].tolist(), edges[1:].tolist(), strict=True)):
        last = at == len(edges) - 2
        chosen = (own >= low) & ((own <= high) if last else (own < high))
        if chosen.any():
            groups.append((f"{low:g} to {high:g}", chosen))
    return groups


def _relevant_rate(judge: JudgeAgainst, side: int) -> float:
    return judge.rates["relevant"][side] if "relevant" in judge.rates else math.nan
