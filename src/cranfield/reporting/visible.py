"""Text from elsewhere, so that all of it can be seen: nothing hides, nothing turns its neighbours round."""

from __future__ import annotations

import re

_DIRECTION = "\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069"
_UNSEEN = "\u00ad\u200b\u2028\u2029\u2060\ufeff\ufff9-\ufffb"
_HIDDEN = re.compile(f"[\x00-\x1f\x7f-\x9f{_DIRECTION}{_UNSEEN}\ud800-\udfff]")


def visible(text: str) -> str:
    """Text with a sign in place of each character that cannot be seen; `text.js` does the same in the browser.

    >>> visible("a\\x00b\\n") + visible("evil\\u202etxt.exe")
    'a␀b␊evil⟨U+202E⟩txt.exe'
    """
    return _HIDDEN.sub(lambda found: _sign(ord(found[0])), text)


def shortened(text: str, most: int = 120) -> str:
    """Text of at most so many characters: beginning and end of what is longer.

    >>> shortened("abcdefghij", 7)
    'abc…hij'
    """
    if len(text) <= most:
        return text
    end = (most - 1) // 2
    return f"{text[: most - 1 - end]}…{text[len(text) - end :]}"


def _sign(code: int) -> str:
    if code < 0x20:
        return chr(0x2400 + code)
    return "␡" if code == 0x7F else f"⟨U+{code:04X}⟩"
