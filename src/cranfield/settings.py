"""The choices behind the numbers of an evaluation that no measure makes: which queries, which order, what counts."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Any, Literal

import numpy as np

from cranfield.align import Precision, TieOrder
from cranfield.errors import UsageError, did_you_mean
from cranfield.errors.phrases import shown
from cranfield.measures.definition import Undefined

QuerySet = Literal["judged", "answered"]
TieRule = TieOrder | Literal["average"]
"""In which order equal scores come, or that each score is averaged over all orders."""
Keep = Literal["keep", "drop"]

LARGEST = 1e308
DEEPEST = (1 << 63) - 1
"""The deepest rank an array can hold."""

CHOICES: dict[str, tuple[str | None, ...]] = {
    "queries": ("judged", "answered"),
    "without_relevant": ("keep", "drop"),
    "ties": ("document", "document-ascending", "given", "average"),
    "precision": ("double", "single"),
    "identical": ("keep", "drop"),
    "undefined": (None, "zero", "skip"),
}
"""What each choice may be; the first is what it is unless something is said."""


@dataclass(frozen=True)
class Settings:
    """The choices behind the numbers of one evaluation."""

    profile: str | None = None
    """The tool whose choices these are, where nothing else was said."""
    queries: QuerySet = "judged"
    """Average over all judged queries, a silent one counting 0, or over those the run answered."""
    without_relevant: Keep = "keep"
    """Whether queries without a relevant document count."""
    ties: TieRule = "document"
    precision: Precision = "double"
    identical: Keep = "keep"
    """What happens to documents whose id is that of the query, as where queries are documents themselves."""
    depth: int | None = None
    judged_only: bool = False
    rel: float | None = None
    """Grade from which a document is relevant, for measures that do not say."""
    undefined: Undefined | None = None
    """What undefined scores become in a mean; by default as each measure says."""

    @property
    def level(self) -> float:
        """The grade from which a document is relevant where nothing else is said."""
        return 1 if self.rel is None else self.rel

    @property
    def order(self) -> TieOrder:
        """The order of equal scores that is shown, where scores are averaged over all."""
        return "document" if self.ties == "average" else self.ties


def checked(given: dict[str, Any]) -> dict[str, Any]:
    """Settings as they were given, if they can be that."""
    known = [field.name for field in fields(Settings)]
    for name, value in given.items():
        if name not in known:
            raise UsageError(f"There is no setting {name!r}. {did_you_mean(name, known)}".strip())
        if name in CHOICES and value not in CHOICES[name]:
            words = [choice for choice in CHOICES[name] if choice is not None]
            raise UsageError(f"{name} is {', '.join(words[:-1])} or {words[-1]}, not {value!r}.")
    return given | {
        name: check(given[name])
        for name, check in {"depth": _depth, "rel": _level, "judged_only": bool}.items()
        if name in given
    }


def _depth(depth: object) -> int | None:
    if depth is None:
        return None
    whole = isinstance(depth, int | np.integer) and not isinstance(depth, bool)
    if not whole or not 1 <= depth <= DEEPEST:  # type: ignore[operator]  # a whole number, as just found
        raise UsageError(f"depth must be a whole number of at least 1, not {shown(depth)}.")
    return int(depth)  # type: ignore[call-overload]


def _level(rel: object) -> float | None:
    if rel is None:
        return None
    number = isinstance(rel, int | float | np.number) and not isinstance(rel, bool)
    if not number or not abs(rel) < LARGEST:  # type: ignore[arg-type]  # a number, as just found
        raise UsageError(f"rel is the grade from which a document is relevant, a number, not {shown(rel)}.")
    return float(rel) if rel != int(rel) else int(rel)  # type: ignore[arg-type,call-overload]
