"""How one score is calculated: the ranking, the precision-recall curve, and the sum term by term."""

from __future__ import annotations

from cranfield.explaining.explanation import Explanation, explain
from cranfield.explaining.places import Place
from cranfield.explaining.terms import Term, Working

__all__ = ["Explanation", "Place", "Term", "Working", "explain"]
