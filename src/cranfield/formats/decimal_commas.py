"""Numbers with decimal commas, as spreadsheet programs of many countries save them, in every table that is read."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from cranfield import errors
from cranfield.data.labels import different
from cranfield.errors import Findings
from cranfield.formats.tokens import is_score

_WITH_COMMA = re.compile(r"\s*([+-]?[0-9]+),([0-9]+)\s*")


@dataclass(frozen=True)
class DecimalColumn:
    """A column of numbers, of which some rows at a time are read.

    What its first decimals have, points or commas, all have to have: `1.234` next to `0,5` may be a thousand. Until
    then `1,234` is refused, which may be one too. Findings remember it, so nothing depends on where batches end.
    """

    what: str
    path: str | None
    findings: Findings
    unit: str = "line"

    def with_points(self, values: Sequence[Any], lines: Sequence[int]) -> Sequence[Any]:
        """The values with points instead of decimal commas; what could mean something else stays as it is.

        >>> score = DecimalColumn("score", "a.csv", Findings())
        >>> score.with_points(["1,234", "12,5", "7", "1,234"], range(2, 6))
        ['1,234', '12.5', '7', '1.234']
        """
        if not self._may_matter(different(values)):
            return values
        return [
            self._with_point(value, line) if isinstance(value, str) else value
            for value, line in zip(values, lines, strict=True)
        ]

    def _may_matter(self, values: Sequence[Any]) -> bool:
        """Whether there may be something to replace, to remember or to refuse."""
        try:
            text = " ".join(values)  # texts, most often
        except TypeError:
            text = " ".join(value for value in values if isinstance(value, str))
        return "," in text or ("." in text and self._mark != ".")

    @property
    def _mark(self) -> str | None:
        """What the first decimals have."""
        return self.findings.decimal_marks.get((self.path, self.what))

    def _with_point(self, value: str, line: int) -> str:
        if "." in value and is_score(value):
            self._remember(".")
            if self._mark == ",":
                self.findings.add(errors.rows.decimal_point(self.path, line, self.what, value, unit=self.unit))
        elif with_comma := _WITH_COMMA.fullmatch(value):
            text = value.strip()
            if self._mark is None and not _may_be_thousands(*with_comma.groups()):
                self._remember(",")
                self.findings.add(errors.rows.decimal_commas(self.path, line, self.what, text, unit=self.unit))
            return text.replace(",", ".") if self._mark == "," else value
        return value

    def _remember(self, mark: str) -> None:
        self.findings.decimal_marks.setdefault((self.path, self.what), mark)


def _may_be_thousands(whole: str, rest: str) -> bool:
    """Whether a comma may separate thousands, as in `1,234`.

    >>> _may_be_thousands("1", "234"), _may_be_thousands("0", "234"), _may_be_thousands("1", "5")
    (True, False, False)
    """
    return len(rest) == 3 and not whole.lstrip("+-").startswith("0")


def looks_like_number(token: str) -> bool:
    """Whether a field is a number, also with a comma within."""
    return is_score(token) or has_comma(token)


def has_comma(token: str) -> bool:
    """Whether a field is a number with a comma within."""
    return "," in token and _WITH_COMMA.fullmatch(token) is not None
