"""MS MARCO runs: `query document rank`, without scores."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from cranfield.errors import Findings
from cranfield.formats import trec, whitespace
from cranfield.formats.columns import Columns
from cranfield.formats.grouping import RunRows
from cranfield.formats.source import Source
from cranfield.formats.whitespace import Layout
from cranfield.judgments import JudgmentRows

RUN = Layout(
    ("query", "document", "rank"),
    "an MS MARCO run has 3 (query document rank)",
    "Correct the line.",
)


def judgment_rows(source: Source, columns: Columns, findings: Findings) -> Iterator[JudgmentRows]:
    """MS MARCO's judgments, which are in TREC form."""
    return trec.judgment_rows(source, columns, findings)


def run_rows(source: Source, columns: Columns, findings: Findings) -> Iterator[RunRows]:
    """Rows of an MS MARCO run, in the order of their ranks."""
    if columns.positions:
        return trec.run_rows(source, columns, findings)
    return whitespace.run_rows(source, RUN, findings)


def looks_ranked(rows: Iterable[list[bytes]]) -> bool:
    """Whether the third fields are ranks: whole numbers from 0 or 1 that rise within each query.

    >>> looks_ranked([[b"q1", b"d1", b"1"], [b"q1", b"d2", b"2"], [b"q2", b"d3", b"1"]])
    True
    >>> looks_ranked([[b"q1", b"d1", b"1"], [b"q1", b"d2", b"1"]])
    False
    """
    last: dict[bytes, int] = {}
    for query, _, token in rows:
        rank = int(token) if token.isdigit() and len(token) < 10 else -1
        if rank not in (0, 1) if query not in last else rank <= last[query]:
            return False
        last[query] = rank
    return True
