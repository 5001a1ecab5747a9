"""With how many decimals scores are shown, and whether in percent."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from cranfield.show.table import PLACES, Estimate, Rounded, number

if TYPE_CHECKING:
    from cranfield.measures import Measure


@dataclass(frozen=True)
class Digits:
    """How scores are shown: decimals of single measures, and whether they are multiplied by 100.

    >>> from cranfield.measures import AP, SL
    >>> digits = Digits({"AP": 3}, percent=True)
    >>> digits.text(AP, 0.25), digits.text(SL, 2.5)
    ('25.000', '2.50')
    """

    by_measure: Mapping[str, int] = field(default_factory=dict)
    """Decimals of measures, by our own names; all others have as many as the whole answer."""
    percent: bool = False

    @property
    def usual_places(self) -> int:
        """Decimals where nothing else is asked for."""
        return PLACES - 2 if self.percent else PLACES

    def factor(self, measure: Measure) -> float:
        """What a score is multiplied by: counts and other scores that are no shares stay as they are."""
        low, high = measure.bounds
        is_share = low >= -1 and high <= 1 and measure.definition.mean == "arithmetic"
        return 100.0 if self.percent and is_share else 1.0

    def cell(self, measure: Measure, score: float) -> float:
        """A score as a table holds it."""
        if isinstance(score, int):
            return score
        value, places = float(score) * self.factor(measure), self.by_measure.get(measure.canonical)
        return value if places is None else Rounded(value, places)

    def estimate(self, measure: Measure, value: float, low: float, high: float) -> Estimate:
        """A score with its interval as a table holds it."""
        factor = self.factor(measure)
        return Estimate(self.cell(measure, value), low * factor, high * factor)

    def text(self, measure: Measure, score: float, places: int | None = None, *, sign: bool = False) -> str:
        """A score in a sentence."""
        shown = number(self.cell(measure, float(score)), self.usual_places if places is None else places)
        return f"+{shown}" if sign and score > 0 else shown


def percent_note(digits: Digits, measures: Iterable[Measure]) -> Iterator[str]:
    """What is said where scores are shown in percent."""
    if digits.percent:
        others = [str(measure) for measure in measures if digits.factor(measure) == 1]
        but = f" ({', '.join(others)} not)" if others else ""
        yield f"Scores are multiplied by 100{but}."
