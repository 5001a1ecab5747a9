"""Files as readers of the page know them: by name, without the folders of somebody's machine."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable

from cranfield.formats.remote import visible

_FOLDERS = re.compile(r"[/\\]+")


class FileNames:
    """A name for each of some paths; folders are named only where files in several have the same name.

    >>> names = FileNames(["/home/ann/qrels.txt", "/home/ann/old/bm25.run", "/home/ann/new/bm25.run"])
    >>> [names.of(path) for path in ("/home/ann/qrels.txt", "/home/ann/new/bm25.run")]
    ['qrels.txt', 'new/bm25.run']
    >>> names.in_text("/home/ann/qrels.txt, line 3: a document is listed twice")
    'qrels.txt, line 3: a document is listed twice'
    """

    def __init__(self, paths: Iterable[str]) -> None:
        parts = {path: tuple(filter(None, _FOLDERS.split(visible(path)))) for path in paths}
        self._names = {path: "/".join(_distinct(own, set(parts.values()))) or path for path, own in parts.items()}

    def of(self, path: str) -> str:
        """A file's name; what is unknown here loses all its folders."""
        return self._names.get(path) or _FOLDERS.split(visible(path))[-1] or path

    def in_text(self, text: str) -> str:
        """Text with names in place of paths."""
        for path in sorted(self._names, key=len, reverse=True):
            if _FOLDERS.search(path):
                text = text.replace(path, self._names[path])
        return text


def _distinct(own: tuple[str, ...], every: set[tuple[str, ...]]) -> tuple[str, ...]:
    """The shortest end of a path that no other one has."""
    for length in range(1, len(own)):
        if Counter(other[-length:] for other in every)[own[-length:]] == 1:
            return own[-length:]
    return own
