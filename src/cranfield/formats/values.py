"""Python values as ids, grades and scores: what tables, dictionaries and JSON hold."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from math import isnan, nan
from numbers import Integral, Real
from typing import Any, TypeVar
from uuid import UUID

import numpy as np

from cranfield import errors
from cranfield.data.judgments import JudgmentRows
from cranfield.data.labels import different
from cranfield.errors import Findings
from cranfield.errors.rows import LARGEST_GRADE
from cranfield.formats.columns import EXTRA
from cranfield.formats.decimal_commas import DecimalColumn
from cranfield.formats.grouping import RunRows
from cranfield.formats.tokens import is_not_given, is_score

T = TypeVar("T")
Values = Mapping[str, Sequence[object]]
"""Parallel columns by role."""


@dataclass
class Checked:
    """Turns columns of values into ids and numbers; what cannot be turned becomes a finding."""

    lines: Sequence[int]
    unit: str
    path: str | None
    findings: Findings
    wrong: set[int] = field(default_factory=set)

    def judgments(self, values: Values) -> JudgmentRows:
        """The rows that are sound, as judgments."""
        queries = self.ids(values["query"], "query")
        documents = self.ids(values["document"], "document")
        # A table without grades lists what is relevant.
        grades = self.grades(values["grade"]) if "grade" in values else [1.0] * len(queries)
        extra = {role: self._texts(values[role], role) for role in EXTRA if role in values}
        return JudgmentRows(
            self.sound(self.lines),
            self.sound(queries),
            self.sound(documents),
            self.sound(grades),
            {role: self.sound(ids) for role, ids in extra.items()},
            self.unit,
        )

    def run(self, values: Values) -> RunRows:
        """The rows that are sound, as rows of a run; without scores the ranks are the positions."""
        queries = self.ids(values["query"], "query")
        documents = self.ids(values["document"], "document")
        compared = "score" in values and "rank" in values
        role = "score" if "score" in values else "rank"
        numbers = np.array(self.sound(self.numbers(values[role], role)), dtype=np.float64)
        return RunRows(
            self.sound(self.lines),
            self.sound(queries),
            self.sound(documents),
            numbers if role == "score" else -numbers,
            self.sound([_as_rank(rank) for rank in values["rank"]]) if compared else None,
            self.unit,
            ranked=role == "rank",
        )

    def ids(self, values: Sequence[object], what: str) -> Sequence[str]:
        """Ids as text; where one is wrong, its place is noted."""
        types = set(map(type, different(values)))
        if types == {str} and _are_ids(different(values)):
            return values  # type: ignore[return-value]  # just seen
        if types == {int}:
            return list(map(str, values))
        return [self._id(at, value, what) for at, value in enumerate(values)]

    def numbers(self, values: Sequence[object], what: str) -> list[float]:
        """Numbers; where one is wrong, its place is noted."""
        if set(map(type, values)) == {float}:
            numbers: list[float] = list(values)  # type: ignore[arg-type]  # just seen
            if (np.abs(numbers) <= LARGEST_GRADE).all():
                return numbers
        return [self._number(at, value, what) for at, value in enumerate(self.with_points(values, what))]

    def with_points(self, values: Sequence[Any], what: str) -> Sequence[Any]:
        """Texts of numbers with points instead of decimal commas."""
        return DecimalColumn(what, self.path, self.findings, self.unit).with_points(values, self.lines)

    def grades(self, values: Sequence[object]) -> list[float]:
        """Grades; NaN where none was given."""
        values = [_truth(value) for value in values]
        given = [at for at, value in enumerate(values) if not _is_not_given(value)]
        if len(given) == len(values):
            return self.numbers(values, "grade")
        values = self.with_points(values, "grade")
        grades = [nan] * len(values)
        for at in given:
            grades[at] = self._number(at, values[at], "grade")
        return grades

    def _texts(self, values: Sequence[object], what: str) -> Sequence[str]:
        """A further column; weights are the only ones that are numbers."""
        return [f"{number:g}" for number in self.numbers(values, what)] if what == "weight" else self.ids(values, what)

    def _id(self, at: int, value: object, what: str) -> str:
        text = as_id(value)
        if text:
            if isinstance(value, float | np.floating):
                line = self.lines[at]
                self.findings.add(errors.rows.float_ids(self.path, line, what, float(value), unit=self.unit))
            return text
        self.wrong.add(at)
        shown = None if is_missing(value) else value
        self.findings.add(errors.rows.bad_id(self.path, self.lines[at], what, shown, unit=self.unit))
        return ""

    def _number(self, at: int, value: object, what: str) -> float:
        number = _as_number(value)
        if number is not None and not isnan(number) and (what == "score" or abs(number) <= LARGEST_GRADE):
            return number
        self.wrong.add(at)
        shown = None if is_missing(value) and not isinstance(value, float) else value
        self.findings.add(errors.rows.not_a_number(self.path, self.lines[at], what, shown, unit=self.unit))
        return 0.0

    def sound(self, values: Sequence[T]) -> Sequence[T]:
        """What is left of a column without the rows in which something is wrong."""
        return [value for at, value in enumerate(values) if at not in self.wrong] if self.wrong else values


def is_missing(value: object) -> bool:
    """Whether a value says that there is none: None, NaN, or what pandas writes for them."""
    if value is None:
        return True
    try:
        return bool(value != value)
    except (TypeError, ValueError):  # pandas' NA refuses to be compared
        return True


def _truth(value: object) -> object:
    """1 and 0 for yes and no, and everything else as it is."""
    return float(value) if isinstance(value, bool | np.bool_) else value


def _is_not_given(value: object) -> bool:
    """Whether a value stands for a grade that was not given."""
    return is_not_given(value) if isinstance(value, str) else is_missing(value)


def writable(text: str) -> str:
    """A text for people, with a sign for each half of a character, which JSON can spell and nothing can print.

    >>> print(writable("half \\ud800"))
    half ⟨U+D800⟩
    """
    return text if text.isascii() else _HALVES.sub(lambda half: f"⟨U+{ord(half[0]):04X}⟩", text)


_HALVES = re.compile("[\ud800-\udfff]")


def _are_ids(texts: Sequence[str]) -> bool:
    """Whether each of some texts is an id; of usual ones, all together show it."""
    together = "".join(texts)
    if together.isascii() and NUL not in together:
        return "" not in texts
    return all(map(_as_text, texts))


NUL = "\0"
"""Many tools take it for the end of a text, so that two ids could become one."""


def as_id(value: object) -> str | None:
    """An id as text, or None if a value is none."""
    if isinstance(value, bytes | str):
        return _as_text(value)
    if isinstance(value, bool | np.bool_):
        return None
    if isinstance(value, Integral):
        return str(int(value))
    if isinstance(value, float | np.floating):
        return f"{value:.0f}" if value == value and float(value).is_integer() else None
    if isinstance(value, Decimal):
        return f"{value:.0f}" if value.is_finite() and value == int(value) else None
    return str(value) if isinstance(value, UUID) else None


def _as_text(value: bytes | str) -> str | None:
    """Text that can be written; lone surrogates and NUL, which JSON can spell, and bytes that are not UTF-8 cannot."""
    try:
        text = value.decode() if isinstance(value, bytes) else value.encode().decode()
    except UnicodeError:
        return None
    return None if NUL in text else text


def _as_number(value: object) -> float | None:
    if isinstance(value, bool | np.bool_):
        return None
    if isinstance(value, Real | Decimal):
        try:
            return float(value)
        except OverflowError:  # a whole number of hundreds of digits
            return None
    return float(value) if isinstance(value, str) and value and is_score(value) else None


def _as_rank(value: object) -> str | float:
    number = _as_number(value)
    return str(value) if number is None else number
