"""How far labels made from clicks agree with those of people."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from cranfield.arrays import Bools, Floats
from cranfield.comparing.significance_tests.wilcoxon import mean_ranks
from cranfield.judging.coefficients import cohen_kappa
from cranfield.show.table import Table, finite, in_words


@dataclass(frozen=True, eq=False)
class LabelAgreement:
    """How far labels made from clicks agree with those that people gave to the same documents."""

    grades: tuple[float, ...]
    confusion: Floats
    """How often each grade that people gave (rows) meets each grade made from clicks (columns)."""
    kappa: float
    """Cohen's kappa with quadratic weights: 1 is the same, 0 is chance."""
    linear: float
    """The same with linear weights."""
    auc: float
    """How often a document that people call relevant has the higher estimate of two."""
    spearman: float
    """The correlation of estimates and grades by rank."""
    cross_validated: bool
    """Whether the grades of each query were learnt from judgments of other queries."""

    @property
    def pairs(self) -> int:
        """How many documents have both labels."""
        return int(self.confusion.sum())

    def verdict(self) -> str:
        """The numbers in a sentence."""
        how = "; grades of a query were learnt from the judgments of others" if self.cross_validated else ""
        return (
            f"Agreement with the judgments, on {self.pairs:,} documents that have both: weighted kappa "
            f"{in_words(self.kappa, 2)} (AUC {in_words(self.auc, 2)}, Spearman {in_words(self.spearman, 2)}{how})."
            f"{_undefined(self)}"
        )

    def table(self) -> Table:
        """Grades that people gave, and grades made from clicks."""
        names = [f"{grade:g}" for grade in self.grades]
        columns = {f"clicks {name}": self.confusion[:, at].astype(int).tolist() for at, name in enumerate(names)}
        return Table({"judged": names, **columns}, notes=("Grades that people gave, and grades made from clicks.",))

    def to_dict(self) -> dict[str, Any]:
        """Everything as plain values."""
        return {
            "pairs": self.pairs,
            "kappa_quadratic": finite(self.kappa),
            "kappa_linear": finite(self.linear),
            "auc": finite(self.auc),
            "spearman": finite(self.spearman),
            "cross_validated": self.cross_validated,
            "grades": list(self.grades),
            "confusion": self.confusion.astype(int).tolist(),
        }


def _undefined(agreement: LabelAgreement) -> str:
    """Why a number is undefined, if one is."""
    reasons = [
        (agreement.kappa, "Kappa is undefined: all grades are the same."),
        (agreement.auc, "AUC is undefined: it needs documents that people call relevant and others that they do not."),
        (agreement.spearman, "Spearman is undefined: it needs estimates and grades that differ."),
    ]
    return "".join(f" {reason}" for value, reason in reasons if math.isnan(value))


def agreement(judged: Floats, made: Floats, estimates: Floats, *, cross_validated: bool) -> LabelAgreement:
    """Grades that people gave, compared with grades made from estimates."""
    grades = np.union1d(judged, made)
    table = np.zeros((len(grades), len(grades)))
    np.add.at(table, (np.searchsorted(grades, judged), np.searchsorted(grades, made)), 1)
    return LabelAgreement(
        tuple(grades.tolist()),
        table,
        cohen_kappa(judged, made, weights="quadratic").value,
        cohen_kappa(judged, made, weights="linear").value,
        auc(estimates, judged >= 1),
        spearman(estimates, judged),
        cross_validated,
    )


def auc(estimates: Floats, relevant: Bools) -> float:
    """How often one of the relevant has a higher estimate than one of the others, ties counting half.

    >>> print(auc(np.array([0.9, 0.2, 0.4]), np.array([True, False, True])))
    1.0
    """
    count = int(relevant.sum())
    others = len(relevant) - count
    if not count or not others:
        return float("nan")
    return float((mean_ranks(estimates)[relevant].sum() - count * (count + 1) / 2) / (count * others))


def spearman(one: Floats, two: Floats) -> float:
    """The correlation of ranks, tied values sharing their mean rank.

    >>> print(spearman(np.array([0.3, 0.2, 0.1]), np.array([0.3, 0.1, 0.2])))
    0.5
    """
    x, y = (mean_ranks(values) - (len(values) + 1) / 2 for values in (one, two))
    of = float(np.sqrt((x**2).sum() * (y**2).sum()))
    return float((x * y).sum()) / of if of else float("nan")
