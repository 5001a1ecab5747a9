"""Columns of a table of which each value is kept once, with the number of each row's: most come often.

What is then asked of a million fields is asked of those that differ, and no field of a text is kept that came before.
Compiled loops read lines about which there is nothing to tell. At anything else they stop, and the plain loops read the
file from its start and find the words.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import chain, pairwise
from typing import Any

import numpy as np

from cranfield import kernels
from cranfield.arrays import Ints
from cranfield.data.labels import Numbered
from cranfield.errors import CranfieldError, Findings
from cranfield.formats.columns import require_distinct
from cranfield.formats.delimited_text import blocks_below, delimiter_in, first_line
from cranfield.formats.rows import Content, rows_of_text
from cranfield.formats.source import HEAD, Source
from cranfield.formats.tables import Rows
from cranfield.kernels.numbering import numbers_of


def numbered(values: Sequence[Any]) -> Numbered:
    """A column of names, or of other values that can stand in a dictionary.

    >>> numbered(["b", "a", "b"])
    Numbered(names=['b', 'a'], at=array([0, 1, 0]))
    """
    if isinstance(values, Numbered):
        return values
    numbers: dict[Any, int] = {}
    at = numbers_of(values, numbers)
    return Numbered(list(numbers), at)


def numbered_text(file: Source, content: Content, findings: Findings) -> Rows | None:
    """All rows of delimited text together, with numbered columns; nothing where there are none."""
    rows = _by_compiled_loops(file, content) if kernels.are_compiled() else None
    return _together(rows_of_text(file, content, findings)) if rows is None else rows


def _by_compiled_loops(file: Source, content: Content) -> Rows | None:
    """The rows of a text that is regular throughout; nothing of any other."""
    delimiter, first = delimiter_in(file), first_line(file)
    if delimiter is None or not first.isascii() or '"' in first or "\r" in first or len(first) > HEAD // 2:
        return None
    try:
        names, is_header = content.header(first.split(delimiter), file.path)
        require_distinct(names, file.path)
        return _regular(file, delimiter, names, header=is_header)
    except CranfieldError:
        return None  # whatever is wrong, the plain loops meet it too and find the words


def _regular(file: Source, delimiter: str, names: Sequence[str], *, header: bool) -> Rows | None:
    from cranfield.kernels.compiled import Numbering, numbers_of_fields

    columns = [Numbering() for _ in names]
    lines: list[range] = []
    parts = []
    for block in blocks_below(file, header=header):
        numbers = numbers_of_fields(block.data, delimiter.encode(), columns)
        if numbers is None:
            return None
        parts.append([np.frombuffer(own, dtype=np.int64) for own in numbers])
        lines.append(range(block.first_line, block.first_line + len(parts[-1][0])))
    if not parts:
        return None
    each = zip(columns, zip(*parts, strict=True), strict=True)
    numbered_columns = [Numbered(column.names(), np.concatenate(own)) for column, own in each]
    return Rows(_one(lines), dict(zip(names, numbered_columns, strict=True)), "line", file.path)


def _together(batches: Iterable[Rows]) -> Rows | None:
    """Some rows after the other, with numbered columns."""
    first: Rows | None = None
    lines: list[Sequence[int]] = []
    numbers: dict[str, dict[str, int]] = {}
    parts: dict[str, list[Ints]] = {}
    for batch in batches:
        if not len(batch.lines):
            continue
        first = first or batch
        lines.append(batch.lines)
        for name, column in batch.columns.items():
            parts.setdefault(name, []).append(numbers_of(column, numbers.setdefault(name, {})))
    if first is None:
        return None
    columns = {name: Numbered(list(numbers[name]), np.concatenate(own)) for name, own in parts.items()}
    return first._replace(lines=_one(lines), columns=columns)


def _one(parts: Sequence[Sequence[int]]) -> Sequence[int]:
    """Lines one after the other."""
    if all(isinstance(part, range) for part in parts) and all(one[-1] + 1 == two[0] for one, two in pairwise(parts)):
        return range(parts[0][0], parts[-1][-1] + 1)
    return list(chain.from_iterable(parts))
