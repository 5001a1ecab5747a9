"""Receiver operating characteristic of judged documents: relevant ones found against irrelevant ones met.

Only judged documents take part. Those that were never retrieved come after all others and among themselves in no
order, so the curve ends in a straight line to (1, 1). The area under it is the measure AUC.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from cranfield.align import JudgedRanking
from cranfield.arrays import Floats

LEVELS = tuple(part / 100 for part in range(101))
"""The shares of irrelevant documents at which curves of several queries are averaged."""


@dataclass(frozen=True, eq=False)
class Roc:
    """Of some queries, how many relevant and irrelevant documents there are, and where those retrieved came."""

    relevant: npt.NDArray[np.bool_]
    """Of each retrieved document, best rank first, whether it is relevant."""
    irrelevant: npt.NDArray[np.bool_]
    num_rel: Floats
    num_irr: Floats

    @property
    def defined(self) -> npt.NDArray[np.bool_]:
        """Which queries have documents of both sorts."""
        return (self.num_rel > 0) & (self.num_irr > 0)

    def at(self, levels: Floats) -> Floats:
        """The share of relevant documents found by the time each share of irrelevant ones was met; by query and level.

        >>> from cranfield.notation import ranking
        >>> print(*roc_of(ranking("10100|11"), rel=1).at(np.array([0, 0.3, 0.4, 1]))[0])
        0.25 0.25 0.5 1.0
        """
        rel, irr = self._found, self._met
        met = irr[..., -1]
        left, unseen = self.num_rel - rel[..., -1], self.num_irr - met
        shares = []
        for level in levels.tolist():
            # 0.07 · 100 is 7.000000000000001 in binary and must count as 7 documents.
            count = np.round(level * self.num_irr, 9)
            before = (self.relevant & (irr[..., 1:] <= np.floor(count)[..., None])).sum(axis=-1)
            beyond = np.where(unseen > 0, (count - met) / np.where(unseen > 0, unseen, 1), 1.0)
            shares.append(np.where(count < met, before, rel[..., -1] + left * beyond))
        with np.errstate(invalid="ignore", divide="ignore"):
            at = np.stack(shares, axis=-1) / self.num_rel[..., None]
        return np.where(self.defined[..., None], at, np.nan)

    @property
    def corners(self) -> tuple[Floats, Floats]:
        """Of the first query, the points of its curve: shares of irrelevant and of relevant documents."""
        judged = np.append(True, (self.relevant | self.irrelevant)[0])
        across, up = self._met[0][judged] / self.num_irr[0], self._found[0][judged] / self.num_rel[0]
        return np.append(across, 1.0), np.append(up, 1.0)

    @property
    def _found(self) -> Floats:
        """Relevant documents down to each place, beginning with none."""
        return _counted(self.relevant)

    @property
    def _met(self) -> Floats:
        """The same of irrelevant ones."""
        return _counted(self.irrelevant)


def roc_of(judged: JudgedRanking, rel: float) -> Roc:
    """What a judged ranking, of one query or of a block of them, says about relevant and irrelevant documents."""
    return Roc(
        relevant=np.atleast_2d(judged.relevant(rel)),
        irrelevant=np.atleast_2d(judged.irrelevant(rel)),
        num_rel=np.atleast_1d(judged.num_rel(rel)),
        num_irr=np.atleast_1d(judged.num_irrelevant(rel)),
    )


def _counted(kept: npt.NDArray[np.bool_]) -> Floats:
    return np.insert(np.cumsum(kept, axis=-1, dtype=np.float64), 0, 0.0, axis=-1)
