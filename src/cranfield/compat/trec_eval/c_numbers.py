"""Numbers as C reads them: as far as a text looks like one, and 0 where it does not at all."""

from __future__ import annotations

import re

LONG = 1 << 63

_BLANKS = r"[ \t-\r]*"
_WHOLE = re.compile(_BLANKS + r"(?P<sign>[+-]?)(?=[0-9])0*(?P<digits>[0-9]*)")
_REAL = re.compile(
    _BLANKS + r"[+-]?(?:(?P<hex>0x(?:[0-9a-f]+\.?[0-9a-f]*|\.[0-9a-f]+)(?:p[+-]?[0-9]+)?)"
    r"|(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:e[+-]?[0-9]+)?"
    r"|inf(?:inity)?|nan)",
    re.IGNORECASE,
)


def atol(text: str) -> int:
    """A whole number.

    >>> atol("2"), atol("1.9"), atol("-1"), atol("relevant")
    (2, 1, -1, 0)
    """
    match = _WHOLE.match(text)
    if match is None:
        return 0
    # Twenty digits are beyond what fits already, and Python reads no number of thousands.
    return max(-LONG, min(LONG - 1, int(match["sign"] + (match["digits"][:20] or "0"))))


def atof(text: str) -> float:
    """A real number.

    >>> atof("12.5"), atof(".5x"), atof("1e3"), atof("0x10"), atof("best")
    (12.5, 0.5, 1000.0, 16.0, 0.0)
    """
    match = _REAL.match(text)
    if match is None:
        return 0.0
    try:
        return float.fromhex(match[0]) if match["hex"] else float(match[0])
    except OverflowError:  # of a hexadecimal number; a decimal one becomes infinite by itself
        return float("-inf") if match[0].startswith("-") else float("inf")


def is_whole(text: str) -> bool:
    """Whether all of a text is a whole number."""
    return _WHOLE.fullmatch(text) is not None


def is_real(text: str) -> bool:
    """Whether all of a text is a real number."""
    return _REAL.fullmatch(text) is not None
