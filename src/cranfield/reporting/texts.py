"""What documents say, where they are listed: titles, and of texts the part that has most words of the query."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Mapping

import numpy as np

from cranfield.formats.documents import Document
from cranfield.reporting.embedding import packed
from cranfield.reporting.lists import Lists
from cranfield.reporting.words import begun

WIDTH = 240
"""Characters of a text that are shown."""
TITLE = 120
_COMMON_WORDS = """
and are but can did does for from had has have how not should that the this was were what when where which who why will
with would you your
"""
COMMON = set(_COMMON_WORDS.split())
"""Words that tell nothing about a document; `query.js` has the same."""
_WORD = re.compile(r"\w+")


def words_of(text: str) -> set[str]:
    """The words of a query that are looked for; very short or common ones only where there are no others.

    >>> sorted(words_of("How to prune an Apple tree")), sorted(words_of("to be or not to be"))
    (['apple', 'prune', 'tree'], ['be', 'not', 'or', 'to'])
    """
    words = {word.casefold() for word in _WORD.findall(text)}
    return {word for word in words - COMMON if len(word) > 2 or not word.isascii()} or words


def snippet(text: str, words: set[str], width: int = WIDTH) -> str:
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


def packed_texts(lists: Lists, documents: Mapping[str, Document], queries: Mapping[int, str], room: int) -> str | None:
    """Titles and texts of all listed documents as text for the page, in their order; nothing if they take too much."""
    numbers: dict[str, int] = {"": 0}
    titles: list[int] = []
    snippets: list[int] = []

    def number(text: str) -> int:
        return numbers.setdefault(text, len(numbers))

    for query, listed in lists.of.items():
        words = words_of(queries.get(query, ""))
        for name in listed.documents:
            document = documents.get(name)
            titles.append(number(begun(" ".join(document.title.split()), TITLE)) if document else 0)
            snippets.append(number(snippet(" ".join(document.text.split()), words)) if document else 0)
    columns = {"titles": np.array(titles, dtype=np.uint32), "snippets": np.array(snippets, dtype=np.uint32)}
    text = packed({"texts": list(numbers)}, columns)
    return text if len(text) <= room else None


def wanted(lists: Lists) -> set[str]:
    """The documents that are listed anywhere."""
    return {name for listed in lists.of.values() for name in listed.documents}


def known(lists: Lists, documents: Iterable[str]) -> tuple[int, int]:
    """How many listed documents have a text, and how many there are."""
    listed = wanted(lists)
    return len(listed & set(documents)), len(listed)


def _word_after(text: str, at: int) -> int:
    space = text.find(" ", at)
    return at if space < 0 or space > at + 20 else space + 1


def _word_before(text: str, at: int) -> int:
    space = text.rfind(" ", 0, at)
    return at if space < at - 20 else space
