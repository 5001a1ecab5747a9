"""Numbers and texts as pages write them, and where they draw numbers; digits are dropped as in `table.py`."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable
from typing import NamedTuple

from cranfield.show.table import PLACES, number


def shown(value: float, places: int = PLACES) -> str:
    """A score or a mean."""
    return number(value, places).replace("-", "−") or "–"


def signed(value: float, places: int = PLACES) -> str:
    """A difference, with its sign.

    >>> signed(0.07335), signed(-0.5), signed(-0.00001), signed(math.nan)
    ('+0.0733', '−0.5000', '0.0000', '–')
    """
    if math.isnan(value):
        return "–"
    text = f"{value:+z.{places}f}"
    return text[1:] if float(text) == 0 else text.replace("-", "−")


def interval(low: float, high: float, places: int = PLACES - 1) -> str:
    """An interval around a mean or a difference, with a decimal less, as in a table.

    >>> interval(0.5722, 0.6865), interval(-0.0731, 0.1204), interval(math.nan, math.nan)
    ('0.572–0.686', '−0.073 to 0.120', '')
    """
    if math.isnan(low):
        return ""
    to = "–" if low >= 0 else " to "
    return f"{low:z.{places}f}{to}{high:z.{places}f}".replace("-", "−")


_DIRECTION = "\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069"
_UNSEEN = "\u00ad\u200b\u2028\u2029\u2060\ufeff\ufff9-\ufffb"
_LETTER = "[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]"
_RIGHT_TO_LEFT = re.compile(f"({_LETTER}+(?: +{_LETTER}+)*)")
_HIDDEN = re.compile(f"[\x00-\x1f\x7f-\x9f{_DIRECTION}{_UNSEEN}\ud800-\udfff]")


def visible(text: str) -> str:
    """Text with a sign in place of each character that cannot be seen; `text.js` does the same in the browser.

    >>> visible("a\\x00b\\n") + visible("evil\\u202etxt.exe")
    'a␀b␊evil⟨U+202E⟩txt.exe'
    """
    return _HIDDEN.sub(lambda found: _sign(ord(found[0])), text)


def begun(text: str, most: int = 120) -> str:
    """Text of at most so many characters: the beginning of what is longer, as of a sentence.

    >>> begun("How to prune a tree", 12)
    'How to prun…'
    """
    return text if len(text) <= most else f"{text[: most - 1].rstrip()}…"


def isolated(text: str) -> list[tuple[str, bool]]:
    """The parts of a sentence, and of each whether it is written from right to left: such a name must not turn others.

    >>> isolated("a, שלום and b")
    [('a, ', False), ('שלום', True), (' and b', False)]
    """
    parts = enumerate(_RIGHT_TO_LEFT.split(text))
    return [(part, at % 2 == 1) for at, part in parts if part]


def _sign(code: int) -> str:
    if code < 0x20:
        return chr(0x2400 + code)
    return "␡" if code == 0x7F else f"⟨U+{code:04X}⟩"


class NumberAxis(NamedTuple):
    """Numbers from `low` to `high`, with ticks at round ones."""

    low: float
    high: float
    ticks: tuple[float, ...]
    places: int
    """Decimals that the ticks need."""

    def at(self, value: float) -> float:
        """Where a number stands, in percent of the width; what lies beyond an end stands there."""
        share = (value - self.low) / (self.high - self.low)
        return round(100 * min(max(share, 0.0), 1.0), 3)

    def label(self, tick: float) -> str:
        """A tick as it is written."""
        return f"{tick + 0.0:z.{self.places}f}".replace("-", "−")


def axis(values: Iterable[float], *, ticks: int = 5, around: float | None = None) -> NumberAxis:
    """A scale that holds some numbers, and one that must be on it; numbers that are undefined do not matter.

    >>> axis([0.021, 0.124], around=0.0)
    NumberAxis(low=0.0, high=0.15, ticks=(0.0, 0.05, 0.1, 0.15), places=2)
    """
    known = [value for value in values if math.isfinite(value)]
    known += [] if around is None else [around]
    low, high = (min(known), max(known)) if known else (0.0, 1.0)
    if high - low < 1e-12:
        low, high = low - 0.5, high + 0.5
    step = _round_step((high - low) / ticks)
    first, last = math.floor(low / step + 1e-9), math.ceil(high / step - 1e-9)
    places = max(0, -math.floor(math.log10(step) + 1e-9))
    at = tuple(round(number * step, places + 1) for number in range(first, last + 1))
    return NumberAxis(at[0], at[-1], at, places)


def _round_step(least: float) -> float:
    """The smallest of 1, 2, 5, 10, … or their tenths that is at least so large.

    >>> [_round_step(least) for least in (0.03, 0.2, 7)]
    [0.05, 0.2, 10.0]
    """
    power = 10.0 ** math.floor(math.log10(least) + 1e-9)
    factor = next(factor for factor in (1, 2, 5, 10) if factor * power >= least * (1 - 1e-9))
    return float(f"{factor * power:.12g}")
