"""Measures in results: what they are called, with how many decimals their scores are shown, and whether in percent."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

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


def legend(measures: Iterable[Measure]) -> Iterator[str]:
    """A note on measures that are called as the user spelt them; none where all have our own names.

    >>> from cranfield.measures.names import parse_all
    >>> list(legend(parse_all("hit_rate@5 MRR@10 AP")))
    ['hit_rate@5 is Success@5; MRR@10 is RR@10.']
    >>> list(legend(parse_all("MRR RR recip_rank nDCG")))
    ['MRR is RR.', 'RR and recip_rank are the same measure as MRR.']
    """
    named = list(dict.fromkeys(measures))
    if other_names := [f"{measure} is {measure.canonical}" for measure in named if str(measure) != measure.canonical]:
        yield f"{'; '.join(other_names)}."
    for measure in named:
        if measure.also:
            *first, last = measure.also
            names, verb = (f"{', '.join(first)} and {last}", "are") if first else (last, "is")
            yield f"{names} {verb} the same measure as {measure}."


def name_dict(measure: Measure) -> dict[str, str]:
    """The names of a measure as JSON has them: as the user spelt it, and our own."""
    return {"measure": str(measure), "canonical": measure.canonical}


def canonical_column(labels: Sequence[Any], measures: Iterable[Measure]) -> dict[str, list[Any]]:
    """A last column for rows that have these labels: our own names, where a measure was spelt differently.

    >>> from cranfield.measures.names import parse_all
    >>> canonical_column(["MRR", "AP"], parse_all("MRR AP")), canonical_column(["AP"], parse_all("AP"))
    ({'canonical': ['RR', 'AP']}, {})
    """
    names = {str(measure): measure.canonical for measure in measures}
    return {} if all(label == name for label, name in names.items()) else {"canonical": [names[one] for one in labels]}
