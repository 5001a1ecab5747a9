"""MS MARCO runs: `query document rank`, without scores."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from cranfield.data.judgments import JudgmentRows
from cranfield.errors import Findings
from cranfield.formats import trec, whitespace
from cranfield.formats.columns import Columns
from cranfield.formats.grouping import RunRows
from cranfield.formats.source import Source
from cranfield.formats.whitespace import Layout

LONGEST = 10
"""No rank has as many digits."""
RUN = Layout(
    ("query", "document", "rank"),
    "an MS MARCO run has 3 (query document rank)",
)


def judgment_rows(source: Source, columns: Columns, findings: Findings) -> Iterator[JudgmentRows]:
    """MS MARCO's judgments, which are in TREC form."""
    return trec.judgment_rows(source, columns, findings)


def run_rows(source: Source, columns: Columns, findings: Findings) -> Iterator[RunRows]:
    """Rows of an MS MARCO run; the rank is the position."""
    if columns.positions:
        return trec.run_rows(source, columns, findings)
    return whitespace.run_rows(source, RUN, findings)


def looks_ranked(rows: Iterable[list[bytes]]) -> bool:
    """Whether the third fields are ranks: whole numbers that rise within each query, from 0 or 1 in some.

    Where every query has one document only, a number could as well be a score, unless all are 0 or 1.

    >>> looks_ranked([[b"q1", b"d1", b"1"], [b"q1", b"d2", b"2"], [b"q2", b"d3", b"1"]])
    True
    >>> looks_ranked([[b"q1", b"d1", b"1"], [b"q1", b"d2", b"1"]])
    False
    """
    last: dict[bytes, int] = {}
    firsts: list[bool] = []
    several = False
    for query, _, token in rows:
        rank = int(token) if token.isdigit() and len(token) < LONGEST else -1
        if rank <= last.get(query, -1):
            return False
        if query in last:
            several = True
        else:
            firsts.append(rank in (0, 1))
        last[query] = rank
    return any(firsts) if several else all(firsts)
