"""Tables of labels: which column is whose, and what their fields mean."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from cranfield import errors
from cranfield.errors import LARGEST_GRADE, DataError, Findings
from cranfield.formats.columns import SKIPPED, Columns, folded, found_places, is_named
from cranfield.formats.tokens import is_score
from cranfield.formats.values import Checked, is_missing
from cranfield.labels import LabelRows

_NOT_GIVEN = {"", "na", "nan", "null"}
"""What stands for a label that was not given, whatever its case."""
_UNRATEABLE = {"unrateable", "judgelater"}
_NO_LABELS = ("rank", "subtopic", "subgroup", "stratum", "weight")
"""What columns of numbers may hold besides."""
_YES = {"1", "true", "yes", "t", "1.0"}
_NUMBERED = re.compile(r"(.*?)(\d+)(\D*)$")


@dataclass(frozen=True)
class Raw:
    """A table as it was found: names, columns, and the line of each row."""

    names: Sequence[str]
    columns: Sequence[Sequence[object]]
    lines: Sequence[int]
    unit: str
    path: str | None


@dataclass(frozen=True)
class Read:
    """Labels as they are written: parallel columns."""

    lines: Sequence[int]
    queries: Sequence[str]
    documents: Sequence[str]
    judges: Sequence[str]
    grades: Sequence[object]
    unit: str = "line"
    path: str | None = None
    has_queries: bool = True
    name: str = "labels"
    """What a judge is called who has no other name."""
    rows: bool = True
    """Whether each label has a row of its own: one without a grade is then worth telling."""
    unrateable: int = 0
    """Rows that say themselves that they have no grade."""


def read(raw: Raw, columns: Columns, judges: Sequence[str], name: str, findings: Findings) -> Read:
    """The labels of a table, whichever way it is laid out."""
    names = list(raw.names)
    if len(set(names)) < len(names) and not columns.positions:
        raise DataError([errors.column_twice(raw.path, next(n for n in names if names.count(n) > 1))])
    places = _places(names, columns, raw.path)
    if judges and "judge" not in places and ("grade" not in places or set(judges) <= set(names)):
        return _wide(raw, places, [_place(judge, names, raw.path) for judge in judges], name, findings)
    if "judge" in places and "grade" in places:
        return _long(raw, places, name, findings)
    if "judge" in places and not places.keys() & {"query", "document"}:
        return _transposed(raw, places["judge"], name, findings)
    if "grade" in places and {"query", "document"} <= places.keys():
        return _long(raw, places, name, findings)
    return _wide(raw, places, _judges(raw, places), name, findings)


def graded(read: Read, findings: Findings) -> tuple[LabelRows, tuple[str, ...]]:
    """Labels as numbers; texts become positions among all of them, which are given too."""
    keys = _keys(read.grades)
    meanings = {key: _meaning(key) for key in dict.fromkeys(keys)}
    texts = {meaning for meaning in meanings.values() if isinstance(meaning, str)}
    numbers = {meaning for meaning in meanings.values() if not isinstance(meaning, str) and meaning == meaning}
    if texts and numbers:
        at = next(at for at, key in enumerate(keys) if isinstance(meanings[key], str))
        number = next(key for key in keys if meanings[key] in numbers)
        raise DataError([errors.mixed_grades(read.path, read.lines[at], number, read.grades[at], unit=read.unit)])
    categories = sorted(texts)
    codes = {text: float(at) for at, text in enumerate(categories)}
    values = {key: codes[meaning] if isinstance(meaning, str) else meaning for key, meaning in meanings.items()}
    grades = np.fromiter(map(values.__getitem__, keys), np.float64, len(keys))
    huge = np.flatnonzero(np.abs(np.nan_to_num(grades)) > LARGEST_GRADE)
    if len(huge):
        at = int(huge[0])
        raise DataError([errors.not_a_number(read.path, read.lines[at], "grade", read.grades[at], unit=read.unit)])
    if read.unrateable:
        findings.add(errors.unrateable(read.path, read.unrateable))
    if read.rows and (empty := int(np.isnan(grades).sum()) - read.unrateable) > 0:
        findings.add(errors.empty_grades(read.path, empty, len(grades)))
    rows = LabelRows(read.lines, read.queries, read.documents, read.judges, grades, read.unit)
    return rows, tuple(categories)


def _places(names: Sequence[str], columns: Columns, path: str | None) -> dict[str, int]:
    if columns.positions:
        return {role: at for at, role in enumerate(columns.positions) if role not in SKIPPED}
    return found_places(columns, names, ("query", "document", "judge", "grade"), path)


def _place(name: str, names: Sequence[str], path: str | None) -> int:
    if name not in names:
        raise DataError([errors.unknown_column(path, name, names)])
    return names.index(name)


def _long(raw: Raw, at: Mapping[str, int], name: str, findings: Findings) -> Read:
    for role in ("query", "document"):
        if role not in at:
            raise DataError([errors.missing_column(raw.path, role, list(raw.names))])
    checked = Checked(raw.lines, raw.unit, raw.path, findings)
    queries = checked.ids(raw.columns[at["query"]], "query")
    documents = checked.ids(raw.columns[at["document"]], "document")
    judges = checked.ids(raw.columns[at["judge"]], "judge") if "judge" in at else [name] * len(raw.lines)
    grades = list(raw.columns[at["grade"]])
    unrateable = _unrateable(raw)
    for row in unrateable:
        grades[row] = None
    return Read(
        checked.sound(raw.lines),
        checked.sound(queries),
        checked.sound(documents),
        checked.sound(judges),
        checked.sound(grades),
        raw.unit,
        raw.path,
        name=name,
        unrateable=len(unrateable - checked.wrong),
    )


def _unrateable(raw: Raw) -> set[int]:
    """The rows that say there is no grade, or not yet."""
    flags = [column for name, column in zip(raw.names, raw.columns, strict=True) if folded(name) in _UNRATEABLE]
    return {at for column in flags for at, value in enumerate(column) if str(value).casefold() in _YES}


def _transposed(raw: Raw, judge: int, name: str, findings: Findings) -> Read:
    """A row per judge and a column per item."""
    checked = Checked(raw.lines, raw.unit, raw.path, findings)
    judges = checked.ids(raw.columns[judge], "judge")
    items = [at for at in range(len(raw.names)) if at != judge]
    count = len(raw.lines)
    return Read(
        [line for _ in items for line in raw.lines],
        [""] * (count * len(items)),
        [str(raw.names[at]) for at in items for _ in range(count)],
        [who for _ in items for who in judges],
        [value for at in items for value in raw.columns[at]],
        raw.unit,
        raw.path,
        has_queries=False,
        name=name,
        rows=False,
    )


def _wide(raw: Raw, places: Mapping[str, int], judges: Sequence[int], name: str, findings: Findings) -> Read:
    """A row per item and a column per judge."""
    checked = Checked(raw.lines, raw.unit, raw.path, findings)
    taken = {role: at for role, at in places.items() if at not in judges}
    has_queries = {"query", "document"} <= taken.keys()
    count = len(raw.lines)
    queries = checked.ids(raw.columns[taken["query"]], "query") if has_queries else [""] * count
    if "document" in taken:
        documents = checked.ids(raw.columns[taken["document"]], "document")
    else:
        documents = list(map(str, range(1, count + 1)))
    lines, queries, documents = checked.sound(raw.lines), checked.sound(queries), checked.sound(documents)
    return Read(
        [line for _ in judges for line in lines],
        [query for _ in judges for query in queries],
        [document for _ in judges for document in documents],
        [str(raw.names[at]) for at in judges for _ in lines],
        [value for at in judges for value in checked.sound(raw.columns[at])],
        raw.unit,
        raw.path,
        has_queries,
        name,
        rows=False,
    )


def _judges(raw: Raw, places: Mapping[str, int]) -> list[int]:
    """The columns that hold judges' labels: those that differ by a number only, or all that are left."""
    left = [at for at, name in enumerate(raw.names) if at not in places.values() and not is_named(name, _NO_LABELS)]
    alike: dict[tuple[str, str], list[int]] = {}
    for at in left:
        if numbered := _NUMBERED.match(str(raw.names[at])):
            alike.setdefault((numbered[1], numbered[3]), []).append(at)
    several = [columns for columns in alike.values() if len(columns) > 1]
    if len(several) == 1:
        return several[0]
    if "query" not in places and not several and len(left) > 1:
        return left  # nothing but labels
    if not several and len(left) > 1 and all(_holds_numbers(raw.columns[at]) for at in left):
        return left
    raise DataError([errors.judges_not_told(raw.path, [str(raw.names[at]) for at in left])])


def _holds_numbers(column: Sequence[object]) -> bool:
    return all(not isinstance(_meaning(value), str) for value in dict.fromkeys(_keys(column)))


def _keys(values: Sequence[object]) -> Sequence[object]:
    """What stands for each value in a dictionary: NaN is not equal to itself, and lists cannot stand there."""
    if set(map(type, values)) <= {str, int}:
        return values
    return [str(value) if isinstance(value, list | dict) else None if is_missing(value) else value for value in values]


def _meaning(value: object) -> float | str:
    """A number, a text, or NaN for a label that was not given."""
    if isinstance(value, str):
        text = value.strip()
        if text.casefold() in _NOT_GIVEN:
            return float("nan")
        return float(text) if is_score(text) else text
    if is_missing(value):
        return float("nan")
    if isinstance(value, bool | np.bool_):
        return float(value)
    try:
        return float(value)  # type: ignore[arg-type]  # whatever is no number becomes a text
    except (TypeError, ValueError, OverflowError):
        return str(value)
