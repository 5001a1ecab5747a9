"""Whatever holds rows → named columns with the line of each row, some rows at a time.

Files or objects, delimited text, JSON, JSON Lines, Parquet or Arrow, data frames, dictionaries or tuples: all readers
but those of judgments and runs, which are larger, take their rows from here and say by a `Content` what is their own.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain, groupby
from typing import Any

from cranfield import errors
from cranfield.errors import CranfieldError, DataError, Findings
from cranfield.formats import json_lines
from cranfield.formats.columns import require_distinct
from cranfield.formats.delimited_text import ColumnBatch, column_batches, delimiter_in
from cranfield.formats.json_text import json_of
from cranfield.formats.sniff import container
from cranfield.formats.source import Source, as_source
from cranfield.formats.tables import ColumnTable, Rows

Record = Mapping[Any, Any]


class Content:
    """What a reader says of the rows it reads."""

    name = "rows"
    """What messages call them."""
    texts = False
    """Whether fields are texts, which have quotes of their own."""

    def header(self, first: Sequence[str], path: str | None) -> tuple[Sequence[str], bool]:
        """The names of a text's columns, and whether its first row is the header."""
        return first, True

    def is_open_ended(self, names: Sequence[str], path: str | None) -> bool:
        """Whether the last of some columns takes all that is left of a line, further tabs included."""
        return False

    def at_blanks(self, file: Source, findings: Findings) -> Iterator[ColumnBatch]:
        """The columns of a text whose first line has no delimiter."""
        return column_batches(file, ",", findings)

    def unnamed(self, width: int) -> Sequence[str] | None:
        """The names of columns of rows without names; nothing where such rows cannot be read."""
        return [f"column {at}" for at in range(1, width + 1)]

    def places(self, names: Sequence[str], path: str | None) -> Mapping[str, int] | None:
        """Which columns of a table to read; all where nothing is said."""
        return None

    def of_records(
        self, lines: Sequence[int], records: Sequence[Record], unit: str, path: str | None
    ) -> Iterator[Rows]:
        """The rows of dictionaries."""
        yield named_rows(lines, records, unit, path)

    def of_mapping(self, given: Record, path: str | None) -> Iterator[Rows]:
        """The rows of a single dictionary."""
        raise self.unreadable(given, path)

    def of_values(self, given: Sequence[Any], path: str | None) -> Iterator[Rows]:
        """The rows of a list of something else."""
        raise self.unreadable(given[0] if path is None else given, path)

    def unreadable(self, given: object, path: str | None) -> CranfieldError:
        """That an object holds nothing of the kind."""
        return errors.files.unreadable_object(given, self.name)


def read_rows(given: object, content: Content, findings: Findings) -> Iterator[Rows]:
    """The rows of a path, `-`, an open file or an object."""
    file = as_source(given, content.name)
    return rows_of_object(given, content, None) if file is None else rows_of_file(file, content, findings)


def rows_of_file(file: Source, content: Content, findings: Findings) -> Iterator[Rows]:
    """The rows of a file, whatever its format."""
    if not file.head.strip():
        raise DataError([errors.files.nothing_read(file.path, content.name)])
    match container(file):
        case "parquet" | "arrow":
            from cranfield.formats import arrow

            return rows_of_table(arrow.file_table(file), content)
        case "json":
            return rows_of_object(json_of(file), content, file.path)
        case "jsonl":
            return rows_of_lines(file, content, findings)
        case _:
            return rows_of_text(file, content, findings)


def rows_of_text(file: Source, content: Content, findings: Findings) -> Iterator[Rows]:
    """The rows of lines split at tabs, or else at commas or semicolons."""

    def is_open_ended(first: Sequence[str]) -> bool:
        try:
            return delimiter == "\t" and content.is_open_ended(content.header(first, file.path)[0], file.path)
        except CranfieldError:
            return False  # reported below

    delimiter = delimiter_in(file)
    if delimiter is None:
        batches = content.at_blanks(file, findings)
    else:
        batches = column_batches(file, delimiter, findings, of_texts=content.texts, is_open_ended=is_open_ended)
    names: Sequence[str] = ()
    for lines, columns in batches:
        if not names:
            _stop_if_wrong_before(lines[0], findings)
            names, is_header = content.header([column[0] for column in columns], file.path)
            require_distinct(names, file.path)
            if is_header:
                lines, columns = lines[1:], [column[1:] for column in columns]
        yield Rows(lines, dict(zip(names, columns, strict=True)), "line", file.path)
    if not names:
        findings.stop_if_wrong()
        raise DataError([errors.files.nothing_read(file.path, content.name)])


def _stop_if_wrong_before(line: int, findings: Findings) -> None:
    """Stop where lines that cannot be read come before the first that can: the header may be among them."""
    before = [finding for finding in findings.errors if finding.line is not None and finding.line < line]
    if before:
        raise DataError(before)


def rows_of_lines(file: Source, content: Content, findings: Findings) -> Iterator[Rows]:
    """The rows of JSON Lines."""
    for lines, records in json_lines.batches(file, findings):
        yield from content.of_records(lines, records, "line", file.path)


def rows_of_table(table: ColumnTable, content: Content) -> Iterator[Rows]:
    """The rows of a table of any library."""
    if not table.names:
        raise DataError([errors.files.nothing_read(table.path, content.name)])
    return table.rows(content.places(list(map(str, table.names)), table.path))


def rows_of_object(given: Any, content: Content, path: str | None) -> Iterator[Rows]:
    """The rows of a table, of a dictionary, or of a list of dictionaries, tuples or data classes."""
    from cranfield.formats import memory

    if isinstance(given, Mapping):
        return content.of_mapping(given, path)
    if memory.is_table(given):
        return rows_of_table(memory.as_table(given, "judgments", path), content)
    if not isinstance(given, Iterable) or isinstance(given, str | bytes):
        raise content.unreadable(given, path)
    rows = list(given)
    if not rows:
        return iter(())
    if all(isinstance(row, Mapping) for row in rows):
        return content.of_records(range(1, len(rows) + 1), rows, "row", path)
    if all(isinstance(row, tuple | list) and not hasattr(row, "_fields") for row in rows):
        return _of_tuples(rows, content, path)
    if all(hasattr(row, "_fields") or hasattr(row, "__dataclass_fields__") for row in rows):
        return rows_of_table(memory.as_table(rows, "judgments", path), content)
    return content.of_values(rows, path)


def _of_tuples(rows: Sequence[Sequence[Any]], content: Content, path: str | None) -> Iterator[Rows]:
    first = 1
    for width, same in groupby(rows, len):
        some, names = list(same), content.unnamed(width)
        if names is None:
            raise content.unreadable(some[0], path)
        yield Rows(range(first, first + len(some)), dict(zip(names, zip(*some, strict=True), strict=True)), "row", path)
        first += len(some)


def named_rows(lines: Sequence[int], records: Sequence[Record], unit: str, path: str | None) -> Rows:
    """Dictionaries as columns: what one does not have is None."""
    names = dict.fromkeys(chain.from_iterable(records))
    return Rows(lines, {str(name): [record.get(name) for record in records] for name in names}, unit, path)
