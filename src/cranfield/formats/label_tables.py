"""Tables of labels: which column is whose, and what their fields mean."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from cranfield import errors
from cranfield.arrays import Ints
from cranfield.choices import LabelLayout
from cranfield.data.labels import LabelRows, Numbered, different
from cranfield.errors import DataError, Findings
from cranfield.errors.rows import LARGEST_GRADE
from cranfield.formats.columns import JUDGED, SKIPPED, Columns, folded, found_places
from cranfield.formats.decimal_commas import DecimalColumn, looks_like_number
from cranfield.formats.label_layouts import (
    LabelCounts,
    contingency_of,
    counts_of,
    expanded,
    is_describing,
    judges_columns,
    may_be_contingency,
    meaning,
    numbered_categories,
)
from cranfield.formats.numbered_columns import numbered
from cranfield.formats.tables import Rows
from cranfield.formats.tokens import is_not_given
from cranfield.formats.values import Checked, is_missing

GRADE = "grade"
"""The column of a sheet that is to be filled in."""
_UNRATEABLE = {"unrateable", "judgelater"}
_YES = {"1", "true", "yes", "t", "1.0"}
_OTHER_NUMBER = re.compile(r"[-+]?\d+(,\d+)?\s*%?")
"""A share in percent, or a number with a comma that may not be one of decimals."""
_CROWD: Mapping[str, frozenset[str]] = {
    "judge": frozenset(
        ["worker", "workerid", "performer", "performerid", "labeler", "labeller", "labelerid", "user", "userid"]
    ),
    "document": frozenset(
        ["task", "taskid", "unit", "unitid", "question", "questionid", "example", "exampleid", "subject", "subjectid"]
    ),
    "grade": frozenset(["answer", "response", "choice", "vote", "annotation", "value"]),
}
"""What crowds call judges, items and labels, where there are no queries."""


@dataclass(frozen=True)
class Read:
    """Labels as they are written: parallel columns."""

    lines: Sequence[int] | Ints
    queries: Numbered
    documents: Numbered
    judges: Numbered
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
    has_judges: bool = True
    """Whether it is known who gave which label."""
    tells_judges: bool = False
    """Whether a column says so, rather than the name of the file."""
    possible: tuple[str, ...] = ()
    """Every category that could be given, where the table names them."""
    notes: tuple[str, ...] = ()
    """How the table was read, where it could have been read differently."""
    decided: Mapping[tuple[str, str], float] = field(default_factory=dict)
    """By query and document the grades that somebody decided on."""


def read(
    raw: Rows, columns: Columns, judges: Sequence[str], name: str, findings: Findings, layout: LabelLayout | None = None
) -> Read:
    """The labels of a table, whichever way it is laid out."""
    raw = raw if columns or layout is not None else _without_empty_grade(raw)
    names = list(raw.names)
    if layout in ("counts", "contingency") or (layout is None and not judges and not columns):
        found = _counted(raw, name, layout, findings)
        if found is not None:
            return found
    places = _places(names, columns, raw.path)
    places = places if judges or layout == "ratings" else _with_crowd(places, raw)
    if layout == "labels":
        return _long(raw, places, name, findings)
    if judges and "judge" not in places and ("grade" not in places or set(judges) <= set(names)):
        return _wide(raw, places, [_place(judge, names, raw.path) for judge in judges], name, findings)
    if "judge" in places and "grade" in places and layout is None:
        return _long(raw, places, name, findings)
    if "judge" in places and not places.keys() & {"query", "document"} and layout is None:
        return _transposed(raw, places["judge"], name, findings)
    if "grade" in places and {"query", "document"} <= places.keys() and layout is None:
        return _long(raw, places, name, findings)
    chosen = judges_columns(raw, places)
    if layout is None and not places and len(chosen) == len(names) and may_be_contingency(raw):
        raise DataError([errors.labels.square_not_told(raw.path, names)])
    return _wide(raw, places, chosen, name, findings)


def _without_empty_grade(raw: Rows) -> Rows:
    """Without the column of a sheet that is called grade and was not filled in, where others hold labels."""
    named = [name for name in raw.names if folded(name) == GRADE]
    others = [at for at, name in enumerate(raw.names) if not JUDGED.known(name) and not is_describing(name)]
    if len(named) != 1 or len(others) < 2:
        return raw
    if any(value == value for value in map(meaning, raw.columns[named[0]])):
        return raw
    return raw._replace(columns={name: column for name, column in raw.columns.items() if name != named[0]})


def _counted(raw: Rows, name: str, layout: LabelLayout | None, findings: Findings) -> Read | None:
    """Labels of a table of counts; nothing where it is none."""
    table = None if layout == "counts" else contingency_of(raw)
    if table is not None:
        return _contingency(raw, table[0], name)
    if layout == "contingency":
        square = counts_of(raw, {}, wanted=True)
        if square is None or square.cells.shape[0] != square.cells.shape[1]:
            raise DataError([errors.labels.no_contingency(raw.path, list(raw.names), len(raw.lines))])
        return _contingency(raw, square, name)
    places = found_places(Columns(), list(map(str, raw.names)), ("query", "document"), raw.path)
    if layout is None and found_places(Columns(), list(map(str, raw.names)), ("judge", "grade"), raw.path):
        return None
    counts = counts_of(raw, places, wanted=layout == "counts")
    if counts is None and layout == "counts":
        raise DataError([errors.labels.no_counts(raw.path, list(raw.names))])
    return None if counts is None else _distribution(raw, places, counts, name, findings)


def _distribution(raw: Rows, places: Mapping[str, int], counts: LabelCounts, name: str, findings: Findings) -> Read:
    """Labels of items, known as how many judges gave each category."""
    categories = _categories(raw, counts)
    queries, documents, has_queries = _item_ids(raw, places, findings)
    row, category = expanded(counts.cells, raw.path)
    # Labels of an item are numbered: who gave which is not known.
    labels = counts.cells.sum(axis=1)
    own = np.arange(len(row)) - np.repeat(np.cumsum(labels) - labels, labels)
    most = int(labels.max(initial=0))
    return Read(
        np.array(raw.lines)[row],
        Numbered(queries.names, queries.at[row]),
        Numbered(documents.names, documents.at[row]),
        Numbered([str(at) for at in range(1, most + 1)], own),
        [categories[at] for at in category.tolist()],
        raw.unit,
        raw.path,
        has_queries,
        name,
        rows=False,
        has_judges=False,
        possible=tuple(categories),
        notes=(errors.labels.read_as_counts(categories),),
    )


def _contingency(raw: Rows, counts: LabelCounts, name: str) -> Read:
    """Labels of two judges, from how often one gave a category and the other another."""
    categories = _categories(raw, counts)
    row, column = expanded(counts.cells, raw.path)
    items = np.arange(len(row))
    labels = np.stack([row, column], axis=1).ravel()
    return Read(
        np.repeat(np.array(raw.lines)[np.minimum(row, len(raw.lines) - 1)], 2),
        Numbered([""], np.zeros(2 * len(row), dtype=np.int64)),
        Numbered([str(at) for at in range(1, len(row) + 1)], np.repeat(items, 2)),
        Numbered(["rows", "columns"], np.tile(np.array([0, 1]), len(row))),
        [categories[at] for at in labels.tolist()],
        raw.unit,
        raw.path,
        has_queries=False,
        name=name,
        rows=False,
        possible=tuple(categories),
        notes=(errors.labels.read_as_contingency(),),
    )


def _categories(raw: Rows, counts: LabelCounts) -> list[str]:
    names = [str(raw.names[at]).strip() for at in counts.categories]
    return numbered_categories(names) or names


def with_points(read: Read, findings: Findings) -> Read:
    """The labels with points instead of decimal commas, where all that are texts are numbers."""
    texts = {label for label in different(read.grades) if isinstance(label, str)}
    if not all(is_not_given(label) or looks_like_number(label) for label in texts):
        return read
    column = DecimalColumn(GRADE, read.path, findings, read.unit)
    return replace(read, grades=column.with_points(read.grades, _plain(read.lines)))


def _plain(lines: Sequence[int] | Ints) -> Sequence[int]:
    return lines.tolist() if isinstance(lines, np.ndarray) else lines


def graded(read: Read, findings: Findings) -> tuple[LabelRows, tuple[str, ...]]:
    """Labels as numbers; texts become positions among all of them, which are given too."""
    keys = numbered(_keys(read.grades))
    meanings = {key: meaning(key) for key in dict.fromkeys([*keys.names, *read.possible])}
    texts = {known for known in meanings.values() if isinstance(known, str)}
    numbers = {known for known in meanings.values() if not isinstance(known, str) and known == known}
    if texts and numbers:
        at = next(at for at, key in enumerate(keys) if isinstance(meanings[key], str))
        number = next(key for key in keys if meanings[key] in numbers)
        raise DataError(
            [errors.labels.mixed_grades(read.path, read.lines[at], number, read.grades[at], unit=read.unit)]
        )
    categories = sorted(texts)
    _must_be_labels(read, categories, keys, findings)
    codes = {text: float(at) for at, text in enumerate(categories)}
    values = {key: codes[known] if isinstance(known, str) else known for key, known in meanings.items()}
    grades = np.array([values[key] for key in keys.names], dtype=np.float64)[keys.at]
    huge = np.flatnonzero(np.abs(np.nan_to_num(grades)) > LARGEST_GRADE)
    if len(huge):
        at = int(huge[0])
        raise DataError([errors.rows.not_a_number(read.path, read.lines[at], "grade", read.grades[at], unit=read.unit)])
    if read.unrateable:
        findings.add(errors.labels.unrateable(read.path, read.unrateable))
    if read.rows and (empty := int(np.isnan(grades).sum()) - read.unrateable) > 0:
        findings.add(errors.labels.empty_grades(read.path, empty, len(grades)))
    rows = LabelRows(read.lines, read.queries, read.documents, read.judges, grades, read.unit)
    return rows, tuple(categories)


def _must_be_labels(read: Read, categories: Sequence[str], keys: Sequence[object], findings: Findings) -> None:
    """Stop at texts that are numbers in another spelling; a finding about those that differ in case only."""
    if categories and all(map(_OTHER_NUMBER.fullmatch, categories)):
        at = next(at for at, key in enumerate(keys) if isinstance(meaning(key), str))
        line = int(read.lines[at])
        raise DataError([errors.labels.number_otherwise(read.path, line, read.grades[at], unit=read.unit)])
    alike: dict[str, list[str]] = {}
    for text in categories:
        alike.setdefault(" ".join(text.split()).casefold(), []).append(text)
    if several := [texts for texts in alike.values() if len(texts) > 1]:
        findings.add(errors.labels.alike_labels(read.path, several))


def levels_of(read: Read) -> tuple[float, ...]:
    """Every grade that could be given, ascending, where the table names them and they are numbers."""
    known = [meaning(name) for name in read.possible]
    return tuple(sorted(value for value in known if not isinstance(value, str)))


def _places(names: Sequence[str], columns: Columns, path: str | None) -> dict[str, int]:
    if columns.positions:
        return {role: at for at, role in enumerate(columns.positions) if role not in SKIPPED}
    return found_places(columns, names, ("query", "document", "judge", "grade"), path)


def _place(name: str, names: Sequence[str], path: str | None) -> int:
    if name not in names:
        raise DataError([errors.files.unknown_column(path, name, names)])
    return names.index(name)


def _with_crowd(places: dict[str, int], raw: Rows) -> dict[str, int]:
    """Also columns that have the names that crowds give them: items, workers and answers, without queries."""
    found = dict(places)
    for role in ("judge", "document", "grade"):
        taken = found.values()
        alike = [at for at, name in enumerate(raw.names) if folded(name) in _CROWD[role]]
        if role == "document" and "query" in found and "judge" in found and "document" not in found:
            alike = [at for at in alike if at == found["query"]]  # a question, which is the item here
            if alike:
                del found["query"]
                found["document"] = alike[0]
            continue
        free = [at for at in alike if at not in taken]
        if role not in found and len(free) == 1 and (role == "judge" or "judge" in found):
            found[role] = free[0]
    left = [at for at in range(len(raw.names)) if at not in found.values()]
    if {"judge", "document"} <= found.keys() and "grade" not in found:
        if len(left) != 1:
            raise DataError([errors.files.missing_column(raw.path, "grade", list(raw.names))])
        found["grade"] = left[0]
    return found if {"judge", "document", "grade"} <= found.keys() else places


def _long(raw: Rows, at: Mapping[str, int], name: str, findings: Findings) -> Read:
    for role in ("document", "grade") if "judge" in at else ("query", "document", "grade"):
        if role not in at:
            raise DataError([errors.files.missing_column(raw.path, role, list(raw.names))])
    checked = raw.checked(findings)
    queries = checked.ids(raw.values[at["query"]], "query") if "query" in at else None
    documents = checked.ids(raw.values[at["document"]], "document")
    judges = checked.ids(raw.values[at["judge"]], "judge") if "judge" in at else [name] * len(raw.lines)
    unrateable = _unrateable(raw)
    grades = _without(raw.values[at["grade"]], unrateable)
    return Read(
        checked.sound(raw.lines),
        numbered(checked.sound(queries if queries is not None else [""] * len(raw.lines))),
        numbered(checked.sound(documents)),
        numbered(checked.sound(judges)),
        checked.sound(grades),
        raw.unit,
        raw.path,
        has_queries=queries is not None,
        name=name,
        unrateable=len(unrateable - checked.wrong),
        tells_judges="judge" in at,
    )


def _without(grades: Sequence[Any], rows: set[int]) -> Sequence[Any]:
    """Grades but for those of some rows."""
    return [None if row in rows else grade for row, grade in enumerate(grades)] if rows else grades


def _unrateable(raw: Rows) -> set[int]:
    """The rows that say there is no grade, or not yet."""
    flags = [column for name, column in zip(raw.names, raw.values, strict=True) if folded(name) in _UNRATEABLE]
    return {at for column in flags for at, value in enumerate(column) if str(value).casefold() in _YES}


def _transposed(raw: Rows, judge: int, name: str, findings: Findings) -> Read:
    """A row per judge and a column per item."""
    checked = raw.checked(findings)
    judges = numbered(checked.ids(raw.values[judge], "judge"))
    items = [at for at in range(len(raw.names)) if at != judge]
    count = len(raw.lines)
    return Read(
        np.tile(np.array(raw.lines, dtype=np.int64), len(items)),
        Numbered([""], np.zeros(count * len(items), dtype=np.int64)),
        Numbered([str(raw.names[at]) for at in items], np.repeat(np.arange(len(items)), count)),
        Numbered(judges.names, np.tile(judges.at, len(items))),
        [value for at in items for value in raw.values[at]],
        raw.unit,
        raw.path,
        has_queries=False,
        name=name,
        rows=False,
    )


def _wide(raw: Rows, places: Mapping[str, int], judges: Sequence[int], name: str, findings: Findings) -> Read:
    """A row per item and a column per judge."""
    taken = {role: at for role, at in places.items() if at not in judges}
    checked = raw.checked(findings)
    queries, documents, has_queries = _item_ids(raw, taken, findings, checked)
    lines = np.array(checked.sound(raw.lines), dtype=np.int64)
    used = {*judges, *(taken[role] for role in ("query", "document") if role in taken)}
    unread = [str(raw.names[at]).strip() or "a column without a name" for at in range(len(raw.names)) if at not in used]
    return Read(
        np.tile(lines, len(judges)),
        Numbered(queries.names, np.tile(queries.at, len(judges))),
        Numbered(documents.names, np.tile(documents.at, len(judges))),
        Numbered([str(raw.names[at]) for at in judges], np.repeat(np.arange(len(judges)), len(lines))),
        [value for at in judges for value in checked.sound(raw.values[at])],
        raw.unit,
        raw.path,
        has_queries,
        name,
        rows=False,
        notes=(errors.labels.columns_read([str(raw.names[at]) for at in judges], unread),) if unread else (),
    )


def _item_ids(
    raw: Rows, places: Mapping[str, int], findings: Findings, checked: Checked | None = None
) -> tuple[Numbered, Numbered, bool]:
    """Queries and documents of sound rows, and whether there are queries; rows without ids are numbered."""
    checked = raw.checked(findings) if checked is None else checked
    has_queries = {"query", "document"} <= places.keys()
    count = len(raw.lines)
    queries = checked.ids(raw.values[places["query"]], "query") if has_queries else [""] * count
    if "document" in places:
        documents = checked.ids(raw.values[places["document"]], "document")
    else:
        documents = list(map(str, range(1, count + 1)))
    return numbered(checked.sound(queries)), numbered(checked.sound(documents)), has_queries


def _keys(values: Sequence[object]) -> Sequence[object]:
    """What stands for each value in a dictionary: NaN is not equal to itself, and lists cannot stand there."""
    if set(map(type, different(values))) <= {str, int}:
        return values
    return [str(value) if isinstance(value, list | dict) else None if is_missing(value) else value for value in values]
