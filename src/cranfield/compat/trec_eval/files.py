"""Files as trec_eval reads them: lines of columns, split at white space.

Ids are bytes to trec_eval. Read as Latin-1 every byte is a letter, and text then compares as its bytes do.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from cranfield.compat.trec_eval.outcome import Exit, TrecEvalError
from cranfield.compat.trec_eval.versions import Version
from cranfield.errors import CranfieldError, DataError
from cranfield.formats.source import Block, Source, as_source


@dataclass(frozen=True)
class Shape:
    """What stands on a line of a file."""

    columns: tuple[str, ...]
    has: str
    """What has these columns, for messages."""
    is_lenient: bool = False
    """Whether blank lines, indented comments and more columns are passed over."""


class FileRows(NamedTuple):
    """Some lines of a file, column by column."""

    numbers: Sequence[int]
    """The number of each line."""
    columns: Sequence[list[bytes]]


def opened(path: str) -> Source:
    """The file at a path, or standard input; compressed or not."""
    try:
        source = as_source(path)
        assert source is not None
        empty = not source.head
    except CranfieldError as error:
        raise TrecEvalError(Exit.INPUT, str(error)) from None
    if empty:
        raise TrecEvalError(Exit.INPUT, f"{source.path}: the file is empty")
    return source


def rows_of(source: Source, shape: Shape, version: Version) -> Iterator[FileRows]:
    """The lines of a file in blocks."""
    try:
        for block in source.blocks():
            rows = _at_once(block, len(shape.columns)) or _line_by_line(source, block, shape, version)
            if rows.numbers:
                yield rows
    except DataError as error:
        raise TrecEvalError(Exit.INPUT, str(error)) from None


def texts(tokens: list[bytes]) -> list[str]:
    """A column as text."""
    return b"\n".join(tokens).decode("latin-1").split("\n")


def texts_alike(tokens: list[bytes]) -> list[str]:
    """As `texts`, for columns in which few ids come often."""
    known = {token: token.decode("latin-1") for token in set(tokens)}
    return list(map(known.__getitem__, tokens))


def _at_once(block: Block, count: int) -> FileRows | None:
    """A block in which every line has the right number of columns and none is a comment."""
    if b"#" in block.data or b"\0" in block.data:
        return None
    data = block.data if block.data.endswith(b"\n") else block.data + b"\n"
    # With its end marked, a line of the right length leaves its mark at every (count + 1)th place.
    tokens = data.replace(b"\n", b" \0 ").split()
    lines, width = data.count(b"\n"), count + 1
    if len(tokens) != lines * width or tokens[count::width].count(b"\0") != lines:
        return None
    return FileRows(range(block.first_line, block.first_line + lines), [tokens[at::width] for at in range(count)])


def _line_by_line(source: Source, block: Block, shape: Shape, version: Version) -> FileRows:
    numbers: list[int] = []
    found: list[list[bytes]] = []
    for number, line in enumerate(block.lines, block.first_line):
        fields = line.split()
        if (not fields and shape.is_lenient) or (version.takes_comments and _is_comment(line, shape)):
            continue
        if len(fields) < len(shape.columns) or (len(fields) > len(shape.columns) and not shape.is_lenient):
            raise TrecEvalError(Exit.INPUT, _malformed(source, number, line, len(fields), shape))
        numbers.append(number)
        found.append(fields)
    return FileRows(numbers, [[fields[at] for fields in found] for at in range(len(shape.columns))])


def _is_comment(line: bytes, shape: Shape) -> bool:
    return (line.lstrip() if shape.is_lenient else line).startswith(b"#")


def _malformed(source: Source, number: int, line: bytes, count: int, shape: Shape) -> str:
    columns = "1 column" if count == 1 else f"{count} columns" if count else "a blank line"
    return (
        f"{source.path}, line {number}: Malformed line: {columns} where {shape.has} "
        f"{len(shape.columns)} ({' '.join(shape.columns)})\n"
        f"    {line.decode(errors='replace').strip()}"
    ).rstrip()
