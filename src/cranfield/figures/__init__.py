"""Curves and other pictures of scores: their numbers, as tables and as sketches. `figures.plots` draws them."""

from __future__ import annotations

from cranfield.figures.grades import Grades, grades_of
from cranfield.figures.lines import Curve, Line, curve, curve_of
from cranfield.figures.picture import Picture
from cranfield.figures.points import Points, points_of
from cranfield.figures.queries import HeatMap, Paired, Spread, heat_map, paired, spread

__all__ = [
    "Curve",
    "Grades",
    "HeatMap",
    "Line",
    "Paired",
    "Picture",
    "Points",
    "Spread",
    "curve",
    "curve_of",
    "grades_of",
    "heat_map",
    "paired",
    "points_of",
    "spread",
]
