"""The choices behind the numbers of an evaluation that no measure makes: which queries, which order, what counts."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import asdict, dataclass, fields
from typing import Any, get_args

from cranfield.arguments import require_whole
from cranfield.choices import AverageOver, Keep, Precision, TieOrder, TieRule, Undefined
from cranfield.errors import UsageError, did_you_mean
from cranfield.measures.definition import Measure, is_number, plain_value, shown
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


ABOUT_IDS = ("group_by", "alternatives", "only_queries")
"""The choices that change judgments and runs themselves; their values are names of what was given."""


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
    group_by: str | None = None
    """By what chunks were put together to documents."""
    alternatives: str | None = None
    """Which documents answer a query alike, so that the first of them counts."""
    only_queries: str | None = None
    """Which queries were evaluated, of those that were judged."""
    unjudged_grade: float | None = None
    """The grade that unjudged documents count as, as if each that a run retrieved had been judged."""

    def to_dict(self) -> dict[str, Any]:
        """The choices as plain values; the rarer ones only where they were made, as most files have none."""
        rarer = (*ABOUT_IDS, "unjudged_grade")
        return {name: value for name, value in asdict(self).items() if value is not None or name not in rarer}

    def differs(self, name: str, other: Settings) -> bool:
        """Whether a choice was another one; files and mappings that say the same are the same, whatever their names."""
        return _content(getattr(self, name)) != _content(getattr(other, name))

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
        return View(self.depth, self.judged_only, self.unjudged_grade)

    def adds_relevant(self, measure: Measure) -> bool:
        """Whether unjudged documents would be among all relevant ones, which a measure such as AP divides by."""
        grade, level = self.unjudged_grade, measure.params.get("rel")
        return grade is not None and level is not None and grade >= level and not measure.definition.of_retrieved


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


def _unjudged_grade(grade: object) -> float | None:
    number = plain_value(grade)
    if number is None:
        return None
    if not is_number(number) or number < 0:
        raise UsageError(f"unjudged_grade must be a number of at least 0, not {shown(number)}.")
    return float(number) if number != int(number) else int(number)


def _content(value: object) -> object:
    """What a name of a file says of its content, if it is one."""
    hashed = _HASHED.search(value) if isinstance(value, str) else None
    return hashed[0] if hashed else value


def source_of(label: str) -> str | None:
    """The file, pattern or separator that a setting names; nothing where it was in memory.

    >>> source_of("dev.txt (sha256 0123456789ab)"), source_of("#"), source_of("a mapping (sha256 0123456789ab)")
    ('dev.txt', '#', None)
    """
    source = _HASHED.sub("", label)
    return None if source != label and source in IN_MEMORY else source


def file_of(label: str | None) -> str | None:
    """The file that a setting names; nothing where it names none."""
    return None if label is None or not _HASHED.search(label) else source_of(label)


_HASHED = re.compile(r" \(sha256 [0-9a-f]{12}\)$")
IN_MEMORY = ("a mapping", "a list")
"""What settings call something that is no file."""


def _label(label: object) -> str | None:
    if label is not None and not isinstance(label, str):
        raise UsageError(f"The name of what was given must be a text, not {shown(label)}.")
    return label


def _flag(judged_only: object) -> bool:
    flag = plain_value(judged_only)
    if not isinstance(flag, bool):
        raise UsageError(f"judged_only must be True or False, not {shown(flag)}.")
    return flag


_NAMES = [field.name for field in fields(Settings)]
_CHECKS: dict[str, Callable[[object], object]] = {
    "depth": _depth,
    "rel": _level,
    "judged_only": _flag,
    "unjudged_grade": _unjudged_grade,
    **dict.fromkeys(ABOUT_IDS, _label),
}
