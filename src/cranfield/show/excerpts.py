"""Of a text the part that has most words of a query."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Collection

WIDTH = 240
"""Characters of a text that are shown."""
_COMMON_WORDS = """
and are but can did does for from had has have how not should that the this was were what when where which who why will
with would you your
"""
COMMON = set(_COMMON_WORDS.split())
"""Words that tell nothing about a document; `query.js` has the same."""
BEGINNING = 4
"""Letters that words which begin alike share at least."""
_WORD = re.compile(r"\w+")


def words_of(text: str) -> set[str]:
    """The words of a query that are looked for; very short or common ones only where there are no others.

    >>> sorted(words_of("How to prune an Apple tree")), sorted(words_of("to be or not to be"))
    (['apple', 'prune', 'tree'], ['be', 'not', 'or', 'to'])
    """
    words = {word.casefold() for word in _WORD.findall(text)}
    return {word for word in words - COMMON if len(word) > 2 or not word.isascii()} or words


def snippet(text: str, words: Collection[str], width: int = WIDTH) -> str:
    """The part of a text that has most words of the query; the beginning where there are none.

    >>> snippet("It rains a lot here. Tomatoes crack after much water. That is the end.", {"tomatoes", "crack"}, 40)
    '… Tomatoes crack after much water. That …'
    """
    if len(text) <= width:
        return text
    found = [at.start() for at in _WORD.finditer(text) if at[0].casefold() in words]
    # The window that begins at a word and holds most of them; of several, the first.
    held = [bisect_right(found, begin + width) - place for place, begin in enumerate(found)]
    start = found[held.index(max(held))] if held else 0
    if start + width >= len(text):
        start = _word_after(text, len(text) - width)
    elif start < width // 4:
        start = 0
    end = len(text) if start + width >= len(text) else _word_before(text, start + width)
    return ("… " if start else "") + text[start:end].strip() + (" …" if end < len(text) else "")


def marked(text: str, words: Collection[str], most: int = 2_000) -> list[str]:
    """A text in parts; every second is a word of the query or begins alike, as in `query.js`.

    >>> marked("Crack! Tomatoes cracked.", {"crack", "tomato"})
    ['', 'Crack', '! ', 'Tomatoes', ' ', 'cracked', '.']
    """
    parts = [""]
    end = 0
    # A word that begins like another has its first letters: of most words nothing else is looked at.
    beginnings = {word[:BEGINNING] for word in words}
    for place in _WORD.finditer(text):
        if len(parts) > 2 * most:
            break
        word = place[0].casefold()
        if word[:BEGINNING] in beginnings and _alike(word, words):
            parts[-1] += text[end : place.start()]
            parts += [place[0], ""]
            end = place.end()
    parts[-1] += text[end:]
    return parts


def _alike(word: str, words: Collection[str]) -> bool:
    return word in words or any(
        min(len(word), len(other)) >= BEGINNING
        and abs(len(word) - len(other)) <= 3
        and (word.startswith(other) or other.startswith(word))
        for other in words
    )


def _word_after(text: str, at: int) -> int:
    space = text.find(" ", at)
    return at if space < 0 or space > at + 20 else space + 1


def _word_before(text: str, at: int) -> int:
    space = text.rfind(" ", 0, at)
    return at if space < at - 20 else space
