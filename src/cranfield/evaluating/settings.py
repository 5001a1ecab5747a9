"""The choices behind the numbers of an evaluation that no measure makes: which queries, which order, what counts."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, fields
from typing import Any, get_args

from cranfield.arguments import require_whole
from cranfield.choices import AverageOver, Keep, Precision, TieOrder, TieRule, Undefined
from cranfield.errors import UsageError, did_you_mean
from cranfield.measures.definition import is_number, plain_value, shown
from cranfield.measures.scoring import View

LARGEST = 1e308
DEEPEST = (1 << 63) - 1
"""The deepest rank an array can hold."""

CHOICES: dict[str, tuple[str | None, ...]] = {
    "average_over": get_args(AverageOver),
    "without_relevant": get_args(Keep),
    "ties": get_args(TieRule),
    "precision": get_args(Precision),
    "identical": get_args(Keep),
    "undefined": (None, *get_args(Undefined)),
}
"""What each choice may be; the first is the default."""


@dataclass(frozen=True)
class Settings:
    """The choices behind the numbers of one evaluation."""

    profile: str | None = None
    """The tool whose choices these are, unless something else is chosen."""
    average_over: AverageOver = "judged"
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

    @property
    def view(self) -> View:
        """How much of each ranking measures see."""
        return View(self.depth, self.judged_only)


def checked(given: dict[str, Any]) -> dict[str, Any]:
    """Settings as they were given, if they can be that."""
    for name, value in given.items():
        if name not in _NAMES:
            raise UsageError(f"There is no setting {name!r}. {did_you_mean(name, _NAMES)}".strip())
        if name in CHOICES and value not in CHOICES[name]:
            words = [choice for choice in CHOICES[name] if choice is not None]
            raise UsageError(f"{name} is {', '.join(words[:-1])} or {words[-1]}, not {value!r}.")
    return {name: _CHECKS[name](value) if name in _CHECKS else value for name, value in given.items()}


def _depth(depth: object) -> int | None:
    return None if depth is None else require_whole(depth, "depth")


def _level(rel: object) -> float | None:
    number = plain_value(rel)
    if number is None:
        return None
    if not is_number(number):
        raise UsageError(f"rel must be a number, the grade from which a document is relevant, not {shown(number)}.")
    return float(number) if number != int(number) else int(number)


def _flag(judged_only: object) -> bool:
    flag = plain_value(judged_only)
    if not isinstance(flag, bool):
        raise UsageError(f"judged_only must be True or False, not {shown(flag)}.")
    return flag


_NAMES = [field.name for field in fields(Settings)]
_CHECKS: dict[str, Callable[[object], object]] = {"depth": _depth, "rel": _level, "judged_only": _flag}
