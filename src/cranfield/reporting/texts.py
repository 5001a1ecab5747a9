"""What documents say, where they are listed: titles, and of texts the part that has most words of the query."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import numpy as np

from cranfield.formats.documents import Document
from cranfield.reporting.embedding import packed
from cranfield.reporting.lists import RankedLists
from cranfield.show.excerpts import snippet, words_of
from cranfield.show.web_text import begun

TITLE = 120
"""Characters of a title that are shown."""


def packed_texts(
    lists: RankedLists, documents: Mapping[str, Document], queries: Mapping[int, str], room: int
) -> str | None:
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


def wanted(lists: RankedLists) -> set[str]:
    """The documents that are listed anywhere."""
    return {name for listed in lists.of.values() for name in listed.documents}


def known(lists: RankedLists, documents: Iterable[str]) -> tuple[int, int]:
    """How many listed documents have a text, and how many there are."""
    listed = wanted(lists)
    return len(listed & set(documents)), len(listed)
