"""How one number arises: the ranking, the precision-recall curve, and the sum term by term."""

from __future__ import annotations

from cranfield.explain.explanation import Explanation, explain
from cranfield.explain.places import Place
from cranfield.explain.terms import Term, Working

__all__ = ["Explanation", "Place", "Term", "Working", "explain"]
