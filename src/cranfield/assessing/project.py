"""What is asked of judges: grades and their words, guidelines, how many labels, and which documents come first."""

from __future__ import annotations

import hashlib
import json
import secrets
from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from functools import cached_property
from itertools import pairwise
from typing import Any, Literal, get_args

from cranfield import errors
from cranfield.arguments import require_choice, require_whole

Task = Literal["grades", "preferences"]
Strategy = Literal["depth", "decide", "comparison", "mtf", "mm-ns", "thompson", "sample"]
STRATEGIES: tuple[Strategy, ...] = get_args(Strategy)
MOST_GRADES = 10
"""As many as there are keys for them."""


@dataclass(frozen=True)
class GradeWord:
    """A grade, and what it means in words."""

    value: float
    word: str = ""


FOUR_GRADES = (
    GradeWord(0.0, "not relevant"),
    GradeWord(1.0, "somewhat relevant"),
    GradeWord(2.0, "relevant"),
    GradeWord(3.0, "highly relevant"),
)
PREFERENCES = (GradeWord(-1.0, "second is better"), GradeWord(0.0, "equal"), GradeWord(1.0, "first is better"))
"""What a judge says of two documents side by side."""


@dataclass(frozen=True)
class Project:
    """The settings of a judging project; changed only by a new one.

    >>> Project("0f3c9a12", "garden").scale
    (0.0, 1.0, 2.0, 3.0)
    """

    id: str
    """Eight random hexadecimal digits; names the cookie."""
    title: str
    grades: tuple[GradeWord, ...] = FOUR_GRADES
    """From the lowest to the highest."""
    guidelines: str = ""
    """Markdown."""
    task: Task = "grades"
    labels: int = 1
    """How many labels each pair of query and document is to get."""
    shared: float = 0.0
    """The share of pairs that every judge labels, drawn at random."""
    repeats: float = 0.0
    """The share of a judge's pairs that this judge is shown again, at least 50 pairs later."""
    strategy: Strategy = "decide"
    measure: str = "nDCG@10"
    """What the runs are compared by."""
    seed: int = 0
    depth: int = 10
    batch: int = 10
    """Documents of one query that a judge gets together."""
    link: str = ""
    """Where a document can be seen, as in `https://example.org/{document}`."""
    mark_passages: bool = False
    """Whether judges mark the passage that answers."""

    def __post_init__(self) -> None:
        require_choice(self.task, "task", get_args(Task))
        require_choice(self.strategy, "strategy", STRATEGIES)
        for name, least in (("labels", 1), ("depth", 1), ("batch", 1), ("seed", 0)):
            require_whole(getattr(self, name), name, least)
        for name in ("shared", "repeats"):
            _require_part(getattr(self, name), name)
        if self.link and "{document}" not in self.link:
            raise errors.assessing.link_without_document(self.link)
        _require_grades(self.grades)

    @property
    def scale(self) -> tuple[float, ...]:
        """The grades a label may have, from the lowest to the highest."""
        return tuple(grade.value for grade in self.grades)

    @cached_property
    def hash(self) -> str:
        """Changes whenever a setting does: labels name the settings they were given under."""
        return hashlib.sha256(json.dumps(self.to_dict(), sort_keys=True).encode()).hexdigest()[:16]

    def word(self, grade: float) -> str:
        """What a grade means, or the grade itself."""
        return next((known.word for known in self.grades if known.value == grade and known.word), f"{grade:g}")

    def with_changes(self, **changes: Any) -> Project:
        """The same project with other settings."""
        return replace(self, **changes)

    def to_dict(self) -> dict[str, Any]:
        """The settings as plain values, for JSON."""
        return {**asdict(self), "grades": [[grade.value, grade.word] for grade in self.grades]}

    @classmethod
    def from_dict(cls, values: Mapping[str, Any]) -> Project:
        """The settings that `to_dict` wrote."""
        grades = tuple(GradeWord(float(value), str(word)) for value, word in values["grades"])
        return cls(**{**values, "grades": grades})


def new_project(title: str, **settings: Any) -> Project:
    """A project with an id of its own; preferences have their own three grades.

    >>> new_project("garden", task="preferences").scale
    (-1.0, 0.0, 1.0)
    """
    if settings.get("task") == "preferences":
        settings["grades"] = PREFERENCES
    return Project(secrets.token_hex(4), title, **settings)


def parse_grades(text: str) -> tuple[GradeWord, ...]:
    """Grades as they are typed, with or without words.

    >>> parse_grades("0=not relevant,1=relevant")
    (GradeWord(value=0.0, word='not relevant'), GradeWord(value=1.0, word='relevant'))
    >>> [grade.value for grade in parse_grades("2,0,1")]
    [0.0, 1.0, 2.0]
    """
    parts = [part.partition("=") for part in text.split(",")]
    try:
        grades = sorted((GradeWord(float(value), word.strip()) for value, _, word in parts), key=lambda g: g.value)
    except ValueError:
        raise errors.assessing.wrong_grades(text, "a grade is a number, then perhaps = and its words") from None
    _require_grades(tuple(grades), text)
    return tuple(grades)


def _require_grades(grades: tuple[GradeWord, ...], text: str | None = None) -> None:
    shown = text or ",".join(f"{grade.value:g}" for grade in grades)
    values = [grade.value for grade in grades]
    if not all(-1e9 < value < 1e9 for value in values):
        raise errors.assessing.wrong_grades(shown, "a grade is a finite number")
    if not 2 <= len(values) <= MOST_GRADES:
        raise errors.assessing.wrong_grades(shown, f"a scale has 2 to {MOST_GRADES} grades")
    if any(lower >= higher for lower, higher in pairwise(values)):
        raise errors.assessing.wrong_grades(shown, "each grade comes once, from the lowest to the highest")


def _require_part(value: object, name: str) -> None:
    if not isinstance(value, int | float) or isinstance(value, bool) or not 0 <= value <= 1:
        raise errors.assessing.wrong_share(name, value)
