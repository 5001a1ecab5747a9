"""Hashes by which judgments are known again."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator

from cranfield.data.judgments import Judgments


def fingerprint(judgments: Judgments) -> str:
    """A hash of what was judged, whatever the file's format and the order of its lines.

    >>> import cranfield as cf
    >>> one, other = {"q1": {"a": 1, "b": 0}, "q2": {"a": 2}}, {"q2": {"a": 2.0}, "q1": {"b": 0, "a": 1}}
    >>> fingerprint(cf.read_judgments(one)) == fingerprint(cf.read_judgments(other))
    True
    """
    digest = hashlib.sha256()
    for line in sorted(_lines(judgments)):
        digest.update(line.encode(errors="surrogatepass"))
    return digest.hexdigest()


def _lines(judgments: Judgments) -> Iterator[str]:
    documents, groups = tuple(judgments.documents), judgments.groups
    starts = judgments.starts if groups is None else groups.starts
    rows = range(len(documents)) if groups is None else groups.rows.tolist()
    grades = (judgments.grades if groups is None else groups.grades).tolist()
    numbers = [""] * len(rows) if groups is None else groups.numbers.tolist()
    for query, start, end in zip(judgments.queries, starts.tolist(), starts[1:].tolist(), strict=False):
        for at in range(start, end):
            yield f"{query}\t{documents[rows[at]]}\t{grades[at]!r}\t{numbers[at]}\n"
