"""Values as trec_eval prints them."""

from __future__ import annotations

import math
from collections.abc import Sequence

from cranfield.compat.trec_eval.computing import Values
from cranfield.compat.trec_eval.entries import PrintedLine

ALL = "all"


def query_lines(values: Values, lines: Sequence[PrintedLine], *, as_zscores: bool) -> str:
    """Every query's lines, one query after the other."""
    printed = [
        (line, column if isinstance(column, list) else column.tolist())
        for line, column in zip(lines, values.columns, strict=True)
        if line.entry.per_query
    ]
    return "".join(
        one_line(line, query, column[at], as_zscores=as_zscores)
        for at, query in enumerate(values.queries)
        for line, column in printed
    )


def summary_lines(summaries: Sequence[float | str], lines: Sequence[PrintedLine], *, as_zscores: bool) -> str:
    """What stands at `all`."""
    return "".join(
        one_line(line, ALL, value, as_zscores=as_zscores)
        for line, value in zip(lines, summaries, strict=True)
        if line.entry.summary != "none"
    )


def one_line(line: PrintedLine, query: str, value: float | str, *, as_zscores: bool) -> str:
    """Name, query and value; a deviation's name begins with Z, and it is never a whole number."""
    prefix = "Z" if as_zscores and not line.entry.is_text else ""
    return f"{prefix}{line.name:<22}\t{query}\t{_printed(line, value, as_zscores=as_zscores)}\n"


def _printed(line: PrintedLine, value: float | str, *, as_zscores: bool) -> str:
    if isinstance(value, str):
        return value if line.entry.summary == "run" else f"'{value}'"
    if line.entry.is_count and not as_zscores:
        return str(int(value))
    if math.isnan(value):
        return f"{'-nan' if math.copysign(1, value) < 0 else 'nan':>6}"
    return f"{value:6.4f}"
