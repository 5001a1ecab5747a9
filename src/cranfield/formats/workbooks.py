"""Workbooks of spreadsheet programs: a sheet is read as the table that it would be as CSV, and written as one."""

from __future__ import annotations

import csv
import io
import os
from collections.abc import Sequence
from datetime import datetime
from math import copysign, isinf
from typing import TYPE_CHECKING, Any

from cranfield import errors
from cranfield.errors import DataError
from cranfield.formats.columns import has_header
from cranfield.formats.delimited_text import delimiter_of

if TYPE_CHECKING:
    from python_calamine import CalamineSheet


def text_of_workbook(file: str, path: str) -> bytes:
    """The table of a workbook as CSV: the only sheet, or the only one with columns for queries and documents.

    Messages call the file by its path.
    """
    try:
        from python_calamine import CalamineError, CalamineWorkbook
    except ImportError:
        raise DataError([errors.packages.missing_reader(path, "workbooks", "python-calamine")]) from None
    try:
        workbook = CalamineWorkbook.from_path(file)
        sheets = {name: _table(workbook.get_sheet_by_name(name)) for name in workbook.sheet_names}
    except (CalamineError, OSError, ValueError) as error:
        raise DataError([errors.files.damaged_workbook(path, str(error))]) from None
    filled = {name: rows for name, rows in sheets.items() if any(any(row) for row in rows)}
    judged = {name: rows for name, rows in filled.items() if has_header(next(filter(None, rows)))}
    chosen = filled if len(filled) == 1 else judged
    if len(chosen) != 1:
        names = list(judged or filled)
        raise DataError(
            [errors.files.several_sheets(path, names) if names else errors.files.nothing_read(path, "rows")]
        )
    (rows,) = chosen.values()
    return _delimited(rows).encode()


def _table(sheet: CalamineSheet) -> list[list[str]]:
    """The texts of a sheet; titles above a header and rows without any become blank: others keep their numbers."""
    rows = [[_text(cell) for cell in row] for row in sheet.to_python()]
    _fill_merged(rows, sheet)
    header = next((at for at, row in enumerate(rows[:MOST_TITLES]) if has_header(row)), 0)
    above = header + (sheet.start or (0, 0))[0]
    return [*([] for _ in range(above)), *rows[header:]]


def _fill_merged(rows: Sequence[list[str]], sheet: CalamineSheet) -> None:
    """Put what cells of a column show that are merged, such as the query of several documents, into each of them."""
    top, left = sheet.start or (0, 0)
    for (first, column), (last, last_column) in getattr(sheet, "merged_cell_ranges", None) or ():
        if column == last_column:
            for row in rows[first - top + 1 : last - top + 1]:
                row[column - left] = rows[first - top][column - left]


def _delimited(rows: Sequence[Sequence[str]]) -> str:
    """Rows as CSV: with semicolons, since between commas a quote before a formula would be taken for our own."""
    text = ""
    for delimiter in (";", ","):
        stream = io.StringIO()
        csv.writer(stream, delimiter=delimiter, lineterminator="\n").writerows(rows)
        text = stream.getvalue()
        if delimiter_of(text.lstrip("\n").partition("\n")[0]) == delimiter:
            break
    return text


def _text(cell: Any) -> str:
    """What a cell shows: whole numbers without decimals, as ids and grades are."""
    if isinstance(cell, bool):
        return "true" if cell else "false"
    if isinstance(cell, float):
        return str(int(cell)) if cell.is_integer() and abs(cell) < 2**53 else repr(cell)
    return str(cell).strip()


def workbook_of(path: str | os.PathLike[str], names: Sequence[str], rows: Sequence[Sequence[object]]) -> bytes:
    """A table as a workbook with one sheet; texts stay texts, whatever a spreadsheet program would take them for."""
    try:
        import xlsxwriter
    except ImportError:
        raise errors.packages.missing(f"{os.fspath(path)}: writing a workbook", "XlsxWriter") from None
    stream = io.BytesIO()
    plain = {"strings_to_formulas": False, "strings_to_urls": False, "strings_to_numbers": False, "in_memory": True}
    workbook = xlsxwriter.Workbook(stream, plain | {"nan_inf_to_errors": True})
    workbook.set_properties({"created": datetime(2000, 1, 1)})  # the same table is the same file
    sheet = workbook.add_worksheet("judge")
    head, wrapped = workbook.add_format({"bold": True}), workbook.add_format({"text_wrap": True, "valign": "top"})
    for at, name in enumerate(names):
        longest = max((len(str(row[at])) for row in rows if row[at] is not None), default=0)
        sheet.set_column(at, at, min(60, max(len(name), longest) + 2), wrapped)
        sheet.write_string(0, at, name, head)
    for line, row in enumerate(rows, start=1):
        for at, cell in enumerate(row):
            if isinstance(cell, bool) or (cell is not None and not isinstance(cell, int | float)):
                sheet.write_string(line, at, str(cell)[:LONGEST_CELL])
            elif cell is not None and not _keeps(cell):
                sheet.write_string(line, at, repr(cell))
            elif cell is not None:
                sheet.write_number(line, at, cell)
    sheet.freeze_panes(1, 0)
    workbook.close()
    return stream.getvalue()


def _keeps(number: float) -> bool:
    """Whether a cell gives a number back to the last bit: it has 16 digits, and neither infinity nor a negative 0."""
    return not isinf(number) and float(f"{number:.16G}") == number and (number != 0 or copysign(1, number) > 0)


MOST_TITLES = 10
"""Rows in which a header is looked for."""
LONGEST_CELL = 32_767
"""Characters that a cell of a workbook holds."""
MOST_ROWS = 1_048_575
"""Rows of a sheet below its header."""
