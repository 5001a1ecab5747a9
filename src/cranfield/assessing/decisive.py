"""Documents on which runs differ: only their labels can change a comparison."""

from __future__ import annotations

from cranfield.arrays import Bools
from cranfield.assessing.items import Items
from cranfield.measures.definition import Measure


def decisive(items: Items, measure: Measure) -> Bools:
    """Of each item, whether its label could change the difference of any two runs.

    That is whether the measure counts it differently in two runs, were it the only relevant document: a document at
    the same rank in both, or below the cutoff of both, changes nothing.
    """
    raise NotImplementedError
