"""Which layout a table of labels has: whose labels its columns hold, or how many labels of each category there are."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import NamedTuple, get_args

import numpy as np

from cranfield import errors
from cranfield.arrays import Ints
from cranfield.choices import LabelLayout
from cranfield.errors import DataError
from cranfield.formats.columns import JUDGED, folded
from cranfield.formats.decimal_commas import has_comma
from cranfield.formats.tables import Rows
from cranfield.formats.tokens import is_not_given, is_score
from cranfield.formats.values import is_missing

LAYOUTS: tuple[LabelLayout, ...] = get_args(LabelLayout)

_NO_LABELS = ("rank", "subtopic", "subgroup", "stratum", "weight")
"""Roles of columns that may stand next to labels."""
_DESCRIBING = frozenset(
    [
        "id",
        "ids",
        "index",
        "row",
        "rowid",
        "rownumber",
        "nr",
        "unit",
        "unitid",
        "units",
        "subject",
        "subjectid",
        "subjects",
        "case",
        "caseid",
        "sample",
        "sampleid",
        "example",
        "exampleid",
        "record",
        "recordid",
        "key",
        "uid",
        "uuid",
        "guid",
        "hash",
        "task",
        "taskid",
        "item",
        "items",
        "itemid",
        "group",
        "groups",
        "groupid",
        "split",
        "fold",
        "batch",
        "text",
        "querytext",
        "documenttext",
        "texts",
        "sentence",
        "comment",
        "comments",
        "note",
        "notes",
        "title",
        "name",
        "description",
        "question",
        "answer",
        "content",
        "date",
        "time",
        "timestamp",
        "createdat",
        "updatedat",
        "unnamed:0",
        "indexlevel0",
        "source",
        "language",
        "lang",
        "country",
        "gold",
        "golden",
    ]
)
"""Usual names of columns that tell rows apart or describe them, and of the one that pandas writes without a name."""
_CATEGORIES = {"grade", "category", "cat", "class", "label", "level", "score", "rating", "count", "n"}
"""What may stand before the number of a category; before that of a judge stand other words."""
_TOTALS = {"total", "all", "sum", "totals", "margin"}
_NUMBERED = re.compile(r"(.*?)(\d+)(\D*)$")
MOST_EXACT = 2**53
MOST_COUNTED = 5_000_000
"""Of more labels than this in a table of counts, each would not fit into memory."""
ENOUGH_ROWS = 5
"""From so many rows on, the same sum in each is no accident."""


class LabelCounts(NamedTuple):
    """A table of numbers of labels: a row per item, or per category of one judge; a column per category."""

    categories: list[int]
    """The columns that count."""
    cells: Ints
    """A row per row, a column per category."""


def judges_columns(raw: Rows, places: Mapping[str, int]) -> list[int]:
    """The columns that hold judges' labels: those that differ by a number only, or all that can be."""
    left = [at for at, name in enumerate(raw.names) if at not in places.values() and not JUDGED.known(name, _NO_LABELS)]
    several = [columns for columns in _numbered_alike(raw, left) if len(columns) > 1]
    if len(several) == 1:
        return several[0]
    chosen = [at for at in left if not is_describing(raw.names[at])]
    if several or len(chosen) < 2:
        names = [str(raw.names[at]) for at in left]
        raise DataError([errors.labels.judges_not_told(raw.path, names, named=[raw.names[at] for at in chosen])])
    return _without_others(raw, chosen, in_doubt="query" in places)


def is_describing(name: str) -> bool:
    """Whether a column has a name that ids, texts and groups of rows usually have.

    >>> is_describing("Subject"), is_describing(""), is_describing("Ann")
    (True, True, False)
    """
    return not name.strip() or folded(name) in _DESCRIBING


def _numbered_alike(raw: Rows, left: Sequence[int]) -> list[list[int]]:
    alike: dict[tuple[str, str], list[int]] = {}
    for at in left:
        numbered = _NUMBERED.match(str(raw.names[at]))
        if numbered and (numbered[1] or numbered[3]):
            alike.setdefault((numbered[1], numbered[3]), []).append(at)
    return list(alike.values())


def _without_others(raw: Rows, chosen: Sequence[int], *, in_doubt: bool) -> list[int]:
    """Columns without those that cannot be a judge's by what they hold; where that is not certain, an error."""
    held = {at: [value for value in meanings(_with_points(raw.values[at])) if value == value] for at in chosen}
    texts = [at for at in chosen if held[at] and all(isinstance(value, str) for value in held[at])]
    mixed = 0 < len(texts) < len(chosen)
    others = texts if mixed and len(chosen) - len(texts) > 1 else []
    judges = [at for at in chosen if at not in others]
    foreign = _foreign(held, judges)
    certain = all(_all_differ(held[at]) for at in others) and all(
        _all_differ(held[at]) and len(held[at]) >= ENOUGH_ROWS for at in foreign
    )
    judges = [at for at in judges if at not in foreign]
    if not certain or (mixed and in_doubt) or any(_counts_up(raw, at, judges) for at in judges[:3]):
        raise DataError([errors.labels.judges_not_told(raw.path, [str(raw.names[at]) for at in chosen])])
    return judges


def _with_points(values: Sequence[object]) -> Sequence[object]:
    """Values in which every number has a point, just to see what a column holds."""
    return [value.replace(",", ".") if isinstance(value, str) and has_comma(value) else value for value in values]


def _all_differ(values: Sequence[float | str]) -> bool:
    return len(set(values)) == len(values)


def _foreign(held: Mapping[int, Sequence[float | str]], judges: Sequence[int]) -> list[int]:
    """Columns whose values are hardly ever in any other, where others have values in common; two at least are left."""
    holders = Counter(value for at in judges for value in set(held[at]))
    alone = {at: sum(holders[value] == 1 for value in held[at]) for at in judges}
    shared = [at for at in judges if 2 * alone[at] <= len(held[at])]
    known = {value for at in shared for value in held[at]}
    if len(shared) < 2 or not known:
        return []
    return [at for at in judges if _is_foreign(held[at], alone[at], known)]


def _is_foreign(values: Sequence[float | str], alone: int, known: set[float | str]) -> bool:
    """Whether a column, with so many values that are in no other, holds something else than the labels of others."""
    if alone < 2 or (alone < len(values) and len(values) < ENOUGH_ROWS):
        return False
    if _all_differ(values):
        return 2 * alone > len(values)
    if alone < len(values) or any(isinstance(value, str) for value in (*values, *known)):
        return alone == len(values)
    # A judge who is kinder than all others uses grades that are next to theirs.
    low, high = min(known), max(known)
    away = min(max(low - value, value - high) for value in values)  # type: ignore[operator]  # numbers only
    return bool(away > max(high - low, 1.0))  # type: ignore[operator]


def _counts_up(raw: Rows, at: int, judges: Sequence[int]) -> bool:
    """Whether a column holds 0, 1, 2 or 1, 2, 3 in this order, and agrees less with others than these do."""
    column = meanings(raw.values[at])
    if len(judges) < 3 or len(column) < 3 or column[0] not in (0.0, 1.0):
        return False
    if column != [float(column[0]) + step for step in range(len(column))]:
        return False
    others = [meanings(raw.values[other]) for other in judges if other != at]
    mutual = [_same(one, other) for one, other in pairwise(others)]
    return sum(_same(column, other) for other in others) / len(others) < sum(mutual) / len(mutual)


def _same(one: Sequence[float | str], other: Sequence[float | str]) -> float:
    """The share of rows in which two columns hold the same."""
    return sum(a == b for a, b in zip(one, other, strict=True)) / len(one)


def contingency_of(raw: Rows) -> tuple[LabelCounts, int] | None:
    """The counts of a table whose rows are called as its columns are, and the column with the names of its rows."""
    if not 1 < len(raw.lines) <= len(raw.names):
        return None  # a row per category, and perhaps one of totals
    for at, column in enumerate(raw.values):
        rows = [_name(value) for value in column]
        rest = [other for other in range(len(raw.names)) if other != at]
        labels = [_name(raw.names[other]) for other in rest]
        inner_rows, inner = (
            [n for n, name in enumerate(names) if folded(name) not in _TOTALS] for names in (rows, labels)
        )
        if len(inner) < 2 or sorted(labels[n] for n in inner) != sorted(rows[n] for n in inner_rows):
            continue
        cells = _cells(raw, rest)
        if cells is None or len(set(rows)) < len(rows) or not _adds_up(cells, inner_rows, inner):
            raise DataError([errors.labels.no_contingency(raw.path, list(raw.names), len(raw.lines))])
        order = [rows.index(labels[n]) for n in inner]
        return LabelCounts([rest[n] for n in inner], cells[order][:, inner]), at
    return None


def _adds_up(cells: Ints, rows: Sequence[int], columns: Sequence[int]) -> bool:
    """Whether the other rows and columns of a table are totals."""
    inner = cells[rows][:, columns]
    other_rows = [at for at in range(cells.shape[0]) if at not in rows]
    other_columns = [at for at in range(cells.shape[1]) if at not in columns]
    return bool(
        (cells[other_rows][:, columns] == inner.sum(axis=0)).all()
        and (cells[rows][:, other_columns] == inner.sum(axis=1)[:, None]).all()
    )


def counts_of(raw: Rows, places: Mapping[str, int], *, wanted: bool = False) -> LabelCounts | None:
    """The counts of a table that has, in each row, how many judges gave each category; nothing where it has not.

    Every row then adds up to the number of judges, where none gave no label. `wanted` says that it is such a table.
    """
    left = [at for at, name in enumerate(raw.names) if at not in places.values() and not JUDGED.known(name, _NO_LABELS)]
    left = [at for at in left if not is_describing(raw.names[at])]
    cells = _cells(raw, left) if len(left) > 1 else None
    if wanted or cells is None:
        return None if cells is None else LabelCounts(left, cells)
    alike = [columns for columns in _numbered_alike(raw, left) if len(columns) > 1]
    if len(cells) < 3 or (alike and not numbered_categories([raw.names[at] for at in left])):
        return None
    sums, single = cells.sum(axis=1), (cells > 0).sum(axis=1) == 1
    most = int(sums.max())
    full = float((sums == most).mean())
    if most == full == 1 and len(cells) >= ENOUGH_ROWS:
        raise DataError([errors.labels.layout_not_told(raw.path, [str(raw.names[at]) for at in left], most)])
    if most < 2 or (sums == 0).any() or (cells == cells[0]).all() or full < 0.6:
        return None
    unanimous = float((single & (sums > 1)).mean())
    if full == 1:
        # Two judges may take turns; more than two whose grades always add up to the same are none.
        if len(cells) >= (ENOUGH_ROWS if len(left) > 2 else 2 * ENOUGH_ROWS):
            return LabelCounts(left, cells)
        if unanimous > 0 or len(cells) >= ENOUGH_ROWS:
            raise DataError([errors.labels.layout_not_told(raw.path, [str(raw.names[at]) for at in left], most)])
        return None
    certain = len(cells) >= ENOUGH_ROWS and len(left) > 2 and unanimous >= 0.25
    return LabelCounts(left, cells) if certain else None


def numbered_categories(names: Sequence[str]) -> list[str]:
    """The numbers of columns that are called grade 0, grade 1 or so; nothing where some are not.

    >>> numbered_categories(["grade_0", "grade_1"]), numbered_categories(["rater1", "rater2"])
    (['0', '1'], [])
    """
    numbered = [_NUMBERED.match(str(name).strip()) for name in names]
    found = [one[2] for one in numbered if one and folded(one[1]) in _CATEGORIES and not one[3].strip()]
    return found if len(found) == len(names) else []


def may_be_contingency(raw: Rows) -> bool:
    """Whether a square table without names of rows has the large diagonal of two judges who agree."""
    cells = _cells(raw, range(len(raw.names)))
    if cells is None or cells.shape[0] != cells.shape[1] or len(cells) < 2:
        return False
    return bool(cells.max() > 10 and 2 * np.trace(cells) > cells.sum())


def _cells(raw: Rows, columns: Sequence[int]) -> Ints | None:
    """Whole numbers from 0 on, an empty field being 0; nothing where something else stands in a field."""
    if not raw.lines:
        return None
    table = np.empty((len(raw.lines), len(columns)))
    for place, at in enumerate(columns):
        column = meanings(raw.values[at])
        if any(isinstance(value, str) for value in set(column)):
            return None
        table[:, place] = column
    numbers = np.nan_to_num(table)
    if not ((numbers >= 0) & (numbers == np.floor(numbers)) & (numbers <= MOST_EXACT)).all():
        return None
    return numbers.astype(np.int64)


def _name(value: object) -> str:
    """A category as a name: 1 and 1.0 are one."""
    known = meaning(value)
    return known if isinstance(known, str) else f"{known:g}"


def meanings(values: Sequence[object]) -> list[float | str]:
    """What each value means: the same ones are looked at once."""
    try:
        known = {value: meaning(value) for value in set(values)}
    except TypeError:  # lists, which cannot stand in a set
        return list(map(meaning, values))
    return [known[value] for value in values]


def meaning(value: object) -> float | str:
    """A number, a text, or NaN for a label that was not given."""
    if isinstance(value, str):
        text = value.strip()
        if is_not_given(text):
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


def expanded(cells: Ints, path: str | None) -> tuple[Ints, Ints]:
    """The row and the column of each label that a table of numbers of labels counts."""
    total = sum(cells.ravel().tolist())
    if total > MOST_COUNTED:
        raise DataError([errors.labels.too_many_counted(path, total, MOST_COUNTED)])
    rows, columns = np.nonzero(cells)
    times = cells[rows, columns]
    return np.repeat(rows, times), np.repeat(columns, times)
