"""What grade an answer gives: strictly one of the scale, or none. Whatever cannot be read is a failure, never a 0."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Sequence
from typing import Literal

from cranfield.model_judging.endpoint import AnswerToken
from cranfield.requesting.failures import Failure

AnswerForm = Literal["json", "final score"]
_FENCE = re.compile(r"\A\s*```(?:json)?\s*(.*?)\s*```\s*\Z", re.DOTALL)
_FINAL = re.compile(r"##\s*final score\s*:\s*(-?[0-9.]+)", re.IGNORECASE)
_NUMBER = re.compile(r"\A-?[0-9]{1,6}(?:\.[0-9]{1,6})?\Z")


def grade_of(text: str, form: AnswerForm, scale: Sequence[float]) -> float:
    """The grade that an answer gives; raises `Failure` where it gives none, or one that the scale does not have.

    >>> grade_of('{"grade": 2}', "json", (0, 1, 2, 3)), grade_of("3", "json", (0, 1, 2, 3))
    (2.0, 3.0)
    >>> grade_of("##final score: 1", "final score", (0, 1, 2, 3))
    1.0
    """
    if not text.strip():
        raise Failure("empty", "the answer is empty")
    grade = _final(text) if form == "final score" else _json(text)
    if grade is None:
        grade = _alone(text)
    if grade is None:
        raise Failure("unreadable", f"no grade can be read from the answer: {text.strip()[:80]!r}")
    if grade not in scale:
        raise Failure("out of range", f"{grade:g} is not a grade of the scale")
    return grade


def shares_of(tokens: Sequence[AnswerToken], grade: float, scale: Sequence[float]) -> dict[str, float]:
    """How likely each grade was where the answer has its grade, as shares of all grades; nothing where that is unknown.

    >>> from cranfield.model_judging.endpoint import AnswerToken
    >>> shares_of([AnswerToken("2", {"2": math.log(0.6), "3": math.log(0.2), "x": math.log(0.2)})], 2.0, (0, 1, 2, 3))
    {'2': 0.75, '3': 0.25}
    """
    places = [token for token in tokens if _token_grade(token.text) == grade]
    if not places:
        return {}
    likely: dict[float, float] = {}
    for text, logarithm in places[-1].likely.items():
        other = _token_grade(text)
        if other is not None and other in scale and logarithm <= 0:
            likely[other] = likely.get(other, 0.0) + math.exp(logarithm)
    total = math.fsum(likely.values())
    return {f"{other:g}": round(likely[other] / total, 6) for other in sorted(likely)} if total > 0 else {}


def _token_grade(text: str) -> float | None:
    bare = text.strip().strip('"')
    return float(bare) if _NUMBER.match(bare) else None


def _json(text: str) -> float | None:
    match = _FENCE.match(text)
    try:
        value = json.loads(match[1] if match else text)
    except (ValueError, RecursionError):
        return None
    grade = value.get("grade") if isinstance(value, dict) and len(value) < 20 else None
    if isinstance(grade, str) and _NUMBER.match(grade.strip()):
        return float(grade)
    return float(grade) if isinstance(grade, int | float) and not isinstance(grade, bool) else None


def _final(text: str) -> float | None:
    """The final score, if the answer has one, and only one."""
    scores = {score for score in _FINAL.findall(text) if _NUMBER.match(score)}
    return float(scores.pop()) if len(scores) == 1 else None


def _alone(text: str) -> float | None:
    """A number that is the whole last line."""
    last = text.strip().splitlines()[-1].strip()
    return float(last) if _NUMBER.match(last) else None
