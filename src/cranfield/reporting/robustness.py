"""Does the conclusion hold? The comparison with one setting changed at a time."""

from __future__ import annotations

import math
from typing import NamedTuple

from cranfield.comparing.comparison import Comparison
from cranfield.comparing.sensitivity import Kind, Sensitivity, Variation
from cranfield.comparing.sensitivity_words import sentences
from cranfield.reporting.words import interval, signed
from cranfield.show.table import shown_p

SCORES = 2_500
"""Up to so many scores of one measure it is checked without being asked for: more take seconds."""

KINDS: dict[Kind, str] = {
    "": "",
    "measure": "measure",
    "ties": "ties",
    "unjudged": "unjudged documents",
    "threshold": "relevance threshold",
    "silent": "queries without results",
    "queries": "queries",
    "scale": "scale",
    "test": "test",
}


class Varied(NamedTuple):
    """One variation, as it is written."""

    kind: str
    name: str
    difference: str
    interval: str
    p: str
    ahead: str
    changes: str
    """What changes: the verdict, the winner, both, or nothing."""


class OfPair(NamedTuple):
    """All variations for one run and its baseline."""

    run: str
    baseline: str
    sentence: str
    varied: tuple[Varied, ...]


class Robustness(NamedTuple):
    """Whether conclusions hold under the first measure."""

    pairs: tuple[OfPair, ...]
    notes: tuple[str, ...]


def robustness(comparison: Comparison) -> Robustness:
    """Every variation that the data allow."""
    sensitivity: Sensitivity = comparison.sensitivity()
    return Robustness(
        tuple(
            OfPair(pair.run, pair.baseline, " ".join(sentences(pair)), tuple(map(_varied, pair.variations)))
            for pair in sensitivity.pairs
        ),
        sensitivity.notes,
    )


def _varied(one: Variation) -> Varied:
    difference = one.difference
    changes = [word for word, is_so in (("verdict", one.changes_verdict), ("winner", one.changes_winner)) if is_so]
    return Varied(
        KINDS[one.kind],
        one.name,
        signed(difference.difference),
        interval(difference.low, difference.high),
        "–" if math.isnan(difference.adjusted) else shown_p(difference.adjusted),
        one.ahead,
        " and ".join(changes),
    )
