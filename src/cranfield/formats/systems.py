"""One long table of several runs: which column tells the systems apart, and the rows of each."""

from __future__ import annotations

import marshal
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial

from cranfield import errors
from cranfield.data.run import AtOnce, Run
from cranfield.errors import CranfieldError, Findings
from cranfield.formats import arrow, grouping
from cranfield.formats.arrow import ArrowTable
from cranfield.formats.columns import SYSTEMS, Columns, folded
from cranfield.formats.delimited_text import delimiter_in
from cranfield.formats.grouping import RunRows
from cranfield.formats.rows import Content, rows_of_file
from cranfield.formats.source import Source, remove_with, saying_what_is_damaged, temporary_file
from cranfield.formats.tables import ColumnTable, Rows
from cranfield.formats.values import as_id, is_missing
from cranfield.show.table import unguarded

EXAMINED = 100
"""Queries that are enough to see whether documents are listed once for each value of a column."""

RowReader = Callable[[Findings], Iterator[Rows]]


def runs_of_file(file: Source, format: str, columns: Columns) -> list[Run]:
    """The runs in a file, if a column distinguishes several; none where it holds one run, or is no table."""
    return runs_of_files([file], file.path, format, columns)


def runs_of_files(files: Sequence[Source], path: str, format: str, columns: Columns) -> list[Run]:
    """The same of a table in several files, which a message calls by one path."""
    if format in ("parquet", "arrow"):
        return runs_of_table(arrow.files_table(files, path), columns)
    is_table = format in ("csv", "tsv", "jsonl") or (format == "json" and _names_systems(files[0].head, columns))
    return _runs(partial(_rows_of_files, files, columns), columns, replace(files[0], path=path)) if is_table else []


def _rows_of_files(files: Sequence[Source], columns: Columns, findings: Findings) -> Iterator[Rows]:
    for file in files:
        yield from rows_of_file(file, _RunTable(columns), findings)


def runs_of_table(table: ColumnTable, columns: Columns) -> list[Run]:
    """The same in a table."""
    return _runs(lambda _: table.rows(), columns, table)


def name_in(table: ColumnTable, columns: Columns) -> str | None:
    """What the only system is called that a column of a table surely names."""
    place = columns.system_place(list(map(str, table.names)))
    if place is None or not place.is_sure:
        return None
    values = {_name(value) for rows in table.rows({"system": place.at}) for value in rows.columns["system"]}
    return values.pop() or None if len(values) == 1 else None


def _names_systems(head: bytes, columns: Columns) -> bool:
    """Whether JSON begins with records that have such a column; to look costs less than to read all of it twice."""
    known = {folded(name) for name in [*SYSTEMS.names["system"], *columns.names.values()]}
    names = re.findall(rb'"([^"]{1,100})"\s*:', head)
    return any(folded(name.decode(errors="replace")) in known for name in names)


class _RunTable(Content):
    """A run as a table with named columns."""

    name = "run"

    def __init__(self, columns: Columns) -> None:
        self.columns = columns

    def header(self, first: Sequence[str], path: str | None) -> tuple[Sequence[str], bool]:
        if not self.columns.positions:
            return first, True
        return [f"column {at}" for at in range(1, len(first) + 1)], False


def _names_of(read: RowReader, source: Source | ColumnTable) -> list[str]:
    """What the columns are called; nothing where there is no row."""
    if isinstance(source, ColumnTable):
        return list(map(str, source.names))
    first = next(read(Findings()), None)
    return [] if first is None else first.names


def _runs(read: RowReader, columns: Columns, source: Source | ColumnTable) -> list[Run]:
    try:
        names = _names_of(read, source)
        place = columns.system_place(names)
        if place is None:
            return []
        places = {role: names[at] for role, at in columns.places(names, "run", source.path).items()}
    except CranfieldError:
        return []  # reading it as one run says what is wrong
    if not place.is_sure and not _repeats_documents(read, places):
        return []
    column = names[place.at]
    if isinstance(source, Source):
        parted: _Parted | _Filtered = _Parted(source, read, column, places)
    else:
        parted = _Filtered(read, column, places, source, place.at)
    path = source.path
    return [
        Run(
            name,
            partial(grouping.rankings, partial(_run_rows, parted, name), path),
            path,
            parted.at_once(name, columns),
            system=None if path is None else name,
        )
        for name in (parted.systems if len(parted.systems) > 1 else ())
    ]


def _run_rows(parted: _Parted | _Filtered, system: str, findings: Findings) -> Iterator[RunRows]:
    for rows in parted.rows(system, findings):
        yield rows.checked(findings).run(rows.columns)


def _repeats_documents(read: RowReader, places: Mapping[str, str]) -> bool:
    """Whether a document is listed again for a query, as in results of several systems, in the first queries."""
    listed: dict[object, set[object]] = {}
    for rows in read(Findings()):
        ids = (map(_hashable, _cells(rows, places[role])) for role in ("query", "document"))
        for query, document in zip(*ids, strict=True):
            if query not in listed and len(listed) == EXAMINED:
                continue
            documents = listed.setdefault(query, set())
            if document in documents:
                return True
            documents.add(document)
    return False


class _Parted:
    """The rows of a file by system, in a temporary file: to parse the whole file for each would take as often as long.

    Rows keep the numbers of their lines.
    """

    def __init__(self, source: Source, read: RowReader, column: str, places: Mapping[str, str]) -> None:
        self.systems: dict[str, list[int]] = {}
        """Where the rows of each are."""
        self.file = temporary_file()
        remove_with(self, self.file)
        found = Findings()
        with saying_what_is_damaged(source.path), self.file.open("wb") as target:
            for rows in read(found):
                for name, own in _by_name(rows, column, found).items():
                    self.systems.setdefault(name, []).append(target.tell())
                    values = {role: [_cells(rows, of)[row] for row in own] for role, of in places.items()}
                    if delimiter_in(source) == ",":
                        values |= {role: list(map(_unguarded, values[role])) for role in ("query", "document")}
                    marshal.dump(([rows.lines[row] for row in own], values, rows.unit, rows.path), target)
        found.stop_if_wrong()
        self.warnings = found.warnings

    def rows(self, system: str, findings: Findings) -> Iterator[Rows]:
        findings.extend(self.warnings)
        with self.file.open("rb") as parts:
            for start in self.systems[system]:
                parts.seek(start)
                yield Rows(*marshal.load(parts))

    def at_once(self, system: str, columns: Columns) -> None:
        return None


class _Filtered:
    """The rows of a table by system; of Arrow tables also for compiled loops."""

    def __init__(self, read: RowReader, column: str, places: Mapping[str, str], table: ColumnTable, at: int) -> None:
        self.read, self.column, self.places = read, column, places
        self.table, self.at = table, at
        self.systems: dict[str, set[object]] = {}
        """The values that mean each."""
        values = arrow.distinct_values(table, at) if isinstance(table, ArrowTable) else []
        if not values or not all(map(_name, values)):  # in search of the line without one
            found = Findings()
            for rows in read(found):
                names = _by_name(rows, column, found)
                values += [_hashable(rows.columns[column][row]) for own in names.values() for row in own]
            found.stop_if_wrong()
        for value in values:
            self.systems.setdefault(_name(value), set()).add(value)

    def rows(self, system: str, findings: Findings) -> Iterator[Rows]:
        values = self.systems[system]
        for rows in self.read(findings):
            own = [row for row, value in enumerate(_cells(rows, self.column)) if _hashable(value) in values]
            if own:
                some = {role: [_cells(rows, name)[row] for row in own] for role, name in self.places.items()}
                yield rows._replace(lines=[rows.lines[row] for row in own], columns=some)

    def at_once(self, system: str, columns: Columns) -> AtOnce | None:
        if not isinstance(self.table, ArrowTable):
            return None
        return arrow.places_of(arrow.rows_with(self.table, self.at, self.systems[system]), columns)


def _by_name(rows: Rows, column: str, findings: Findings) -> dict[str, list[int]]:
    """The rows of each system; one without a system is an error."""
    by_value: dict[object, list[int]] = {}
    for row, value in enumerate(_cells(rows, column)):
        by_value.setdefault(_hashable(value), []).append(row)
    by_name: dict[str, list[int]] = {}
    for value, own in by_value.items():
        if name := _name(value):
            by_name.setdefault(name, []).extend(own)
        else:
            findings.add(errors.rows.bad_id(rows.path, rows.lines[own[0]], "system", None, unit=rows.unit))
    return by_name


def _cells(rows: Rows, column: str) -> Sequence[object]:
    """A column, which none of some records may have: reading the rows reports what is missing."""
    return rows.columns.get(column, [None] * len(rows.lines))


def _hashable(value: object) -> object:
    """A value, or its text where it is a list or the like, which reading the rows reports."""
    try:
        hash(value)
    except TypeError:
        return str(value)
    return value


def _unguarded(value: object) -> object:
    """An id without the quote by which our own CSV keeps a spreadsheet from reading it as a formula."""
    return unguarded(value) if isinstance(value, str) else value


def _name(value: object) -> str:
    return "" if is_missing(value) else as_id(value) or str(value)
