"""Pieces of messages."""

from __future__ import annotations

from collections.abc import Sequence

TIE_ORDERS = {
    "document": "by document id, descending",
    "document-ascending": "by document id, ascending",
    "given": "as in the run",
}
"""The order of documents with equal scores, in words."""


def sentences(*some: str) -> str:
    """Those sentences that say something, one after the other."""
    return " ".join(sentence for sentence in some if sentence)


def short(text: str | None, width: int = 120) -> str | None:
    """A line of a file, cut where nobody would read on."""
    if text is None:
        return None
    text = text.rstrip("\r\n")
    return text if len(text) <= width else text[: width - 1] + "…"


def shown(value: object) -> str:
    """A value as it was found."""
    if isinstance(value, int) and abs(value) > 10**60:
        return "a whole number of more than 60 digits"  # Python refuses to spell some of them
    is_nan = isinstance(value, float) and value != value
    try:
        return "NaN" if is_nan else str(short(repr(value), 60))
    except (ValueError, RecursionError):  # a list that holds such a number, or that has no end
        return f"a {type(value).__name__}"


def examples(ids: Sequence[str], count: int = 3) -> str:
    """The first few ids, and whether there are more."""
    more = ", …" if len(ids) > count else ""
    return ", ".join(ids[:count]) + more if ids else "none"
