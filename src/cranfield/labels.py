"""Labels: which grade each judge gave to a document for a query."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from cranfield import errors
from cranfield.errors import DataError, Finding, Findings, UsageError
from cranfield.judgments import Judgments

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]


class LabelRows(NamedTuple):
    """Labels as they were read: parallel columns, with the line each came from."""

    lines: Sequence[int]
    queries: Sequence[str]
    documents: Sequence[str]
    judges: Sequence[str]
    grades: Floats
    """NaN where a label was not given."""
    unit: str = "line"


@dataclass(frozen=True, eq=False)
class Labels:
    """Grades with a row per judge and a column per document of a query.

    >>> import cranfield as cf
    >>> labels = cf.read_labels([("q1", "d1", "ada", 2), ("q1", "d1", "ben", 1), ("q1", "d2", "ada", 0)])
    >>> labels
    Labels(2 judges, 1 query, 2 documents, 3 labels, grades 0 to 2)
    >>> labels.grades
    array([[ 2.,  0.],
           [ 1., nan]])
    """

    judges: tuple[str, ...]
    grades: Floats
    """NaN where a judge gave no label; where labels are texts, their positions among `categories`."""
    queries: tuple[str, ...] = ("",)
    of_query: Ints = field(default_factory=lambda: np.zeros(0, dtype=np.int64))
    """The query of each document, as its position among `queries`; documents of a query stand side by side."""
    documents: tuple[str, ...] = ()
    categories: tuple[str, ...] = ()
    """What labels are called, where they are texts; nothing where they are numbers."""
    has_queries: bool = True
    """Whether queries and documents have ids, or rows are just rows."""
    path: str | None = None
    warnings: tuple[Finding, ...] = ()

    @classmethod
    def from_matrix(cls, grades: Any, judges: Sequence[str] | None = None) -> Labels:
        """Labels of items without ids: a row per judge, a column per item, NaN where a judge gave none.

        >>> Labels.from_matrix([[0, 1, 1], [0, 1, np.nan]], ["ada", "ben"])
        Labels(2 judges, 3 items, 5 labels, grades 0 to 1)
        """
        table = np.array(grades, dtype=np.float64)
        if table.ndim != 2:
            raise UsageError(f"Labels have a row per judge and a column per item; these have {table.ndim} axes.")
        names = tuple(judges) if judges is not None else tuple(f"judge {at}" for at in range(1, len(table) + 1))
        if len(names) != len(table) or len(set(names)) < len(names):
            raise UsageError(f"There are {len(table)} rows of labels; each needs a judge of its own.")
        items = table.shape[1]
        documents = tuple(map(str, range(1, items + 1)))
        return cls(names, table, ("",), np.zeros(items, dtype=np.int64), documents, has_queries=False)

    @classmethod
    def from_rows(
        cls,
        rows: LabelRows,
        *,
        categories: Sequence[str] = (),
        has_queries: bool = True,
        path: str | None = None,
        findings: Findings | None = None,
    ) -> Labels:
        """Labels from columns as a reader gives them; a judge may not give one document two grades."""
        found = Findings() if findings is None else findings
        found.stop_if_wrong()
        given = np.flatnonzero(~np.isnan(rows.grades))
        if not len(given):
            raise DataError([errors.nothing_read(path, "labels")])
        queries, query_at = _numbered(rows.queries)
        documents, document_at = _numbered(rows.documents)
        judges, judge_at = _numbered(rows.judges)
        # Every document that was to be labelled is an item, also one that nobody could label.
        keys = query_at * len(documents) + document_at
        items, first, item_at = np.unique(keys, return_index=True, return_inverse=True)
        order = np.lexsort((first, items // len(documents)))
        place = np.empty(len(order), dtype=np.int64)
        place[order] = np.arange(len(order))
        item_at = place[item_at.ravel()]
        grades = np.full((len(judges), len(items)), np.nan)
        grades[judge_at[given][::-1], item_at[given][::-1]] = rows.grades[given][::-1]  # the first one stays
        _must_be_one_each(rows, given, (judge_at, item_at), grades, categories, path, found)
        names = [documents[at] for at in (items[order] % len(documents)).tolist()]
        if not categories and (negative := int((grades < 0).sum())):
            found.add(errors.negative_labels(path, negative))
        return cls(
            tuple(judges),
            grades,
            tuple(queries),
            (items[order] // len(documents)).astype(np.int64),
            tuple(names),
            tuple(categories),
            has_queries,
            path,
            tuple(found.warnings),
        )

    @property
    def items(self) -> int:
        """How many documents of queries there are."""
        return self.grades.shape[1]

    @property
    def scale(self) -> tuple[float, ...]:
        """The grades that were given, ascending."""
        return tuple(np.unique(self.grades[~np.isnan(self.grades)]).tolist())

    def category(self, grade: float) -> str:
        """A grade as people write it."""
        return self.categories[int(grade)] if self.categories else f"{grade:g}"

    def position(self, judge: str) -> int:
        """The row of a judge."""
        if judge not in self.judges:
            raise errors.unknown_judge(judge, self.judges)
        return self.judges.index(judge)

    def only(self, judges: Iterable[str]) -> Labels:
        """The labels of some judges, in this order.

        >>> Labels.from_matrix([[0, 1], [1, 1], [0, 0]], ["ada", "ben", "cleo"]).only(["cleo", "ada"]).judges
        ('cleo', 'ada')
        """
        chosen = list(dict.fromkeys(judges))
        rows = [self.position(judge) for judge in chosen]
        return replace(self, judges=tuple(chosen), grades=self.grades[rows])

    def binary(self, level: float) -> Labels:
        """1 for a grade from some level on, 0 for one below.

        >>> Labels.from_matrix([[0, 2], [1, np.nan]]).binary(2).grades
        array([[ 0.,  1.],
               [ 0., nan]])
        """
        if self.categories:
            raise errors.texts_without_order("A level")
        cut = np.where(np.isnan(self.grades), np.nan, (self.grades >= level).astype(np.float64))
        return replace(self, grades=cut)

    def judgments(self, grades: Floats, path: str | None = None) -> Judgments:
        """Judgments with a grade for each document; those with NaN are left out."""
        if not self.has_queries:
            raise errors.without_documents("Judgments")
        kept = np.flatnonzero(~np.isnan(grades))
        counts = np.bincount(self.of_query[kept], minlength=len(self.queries))
        judged = np.flatnonzero(counts)
        return Judgments(
            queries=tuple(self.queries[at] for at in judged),
            starts=np.concatenate([[0], np.cumsum(counts[judged])]).astype(np.int64),
            documents=tuple(self.documents[at] for at in kept.tolist()),
            grades=grades[kept],
            path=path,
        )

    def __len__(self) -> int:
        return int((~np.isnan(self.grades)).sum())

    def __repr__(self) -> str:
        scale = self.scale
        if self.has_queries:
            items = f"{_counted(len(self.queries), 'query', 'queries')}, {_counted(self.items, 'document')}"
        else:
            items = _counted(self.items, "item")
        grades = (
            _counted(len(self.categories), "category", "categories")
            if self.categories
            else f"grades {scale[0]:g} to {scale[-1]:g}"
            if scale
            else "no grades"
        )
        return f"Labels({_counted(len(self.judges), 'judge')}, {items}, {_counted(len(self), 'label')}, {grades})"


def _must_be_one_each(
    rows: LabelRows,
    given: Ints,
    at: tuple[Ints, Ints],
    grades: Floats,
    categories: Sequence[str],
    path: str | None,
    found: Findings,
) -> None:
    judge_at, item_at = at
    place = judge_at[given] * grades.shape[1] + item_at[given]
    _, first, which, counts = np.unique(place, return_index=True, return_inverse=True, return_counts=True)
    if counts.max() == 1:
        return
    for position in np.flatnonzero(first[which.ravel()] != np.arange(len(given))).tolist():
        row, before = int(given[position]), int(given[first[which.ravel()[position]]])
        told = rows.queries[row], rows.documents[row], rows.judges[row]
        if rows.grades[row] == rows.grades[before]:
            found.add(errors.labelled_twice(path, rows.lines[row], *told, unit=rows.unit))
            continue
        both = tuple(categories[int(rows.grades[at])] if categories else f"{rows.grades[at]:g}" for at in (before, row))
        found.add(
            errors.contradicting_labels(
                path,
                rows.lines[row],
                *told,
                (both[0], both[1]),
                rows.lines[before],
                unit=rows.unit,
            )
        )
    found.stop_if_wrong()


def _numbered(names: Sequence[str]) -> tuple[list[str], Ints]:
    """Each name once, in the order it first came, and where each is among these."""
    numbers: dict[str, int] = {}
    at = [numbers.setdefault(name, len(numbers)) for name in names]
    return list(numbers), np.array(at, dtype=np.int64)


def _counted(count: int, one: str, several: str = "") -> str:
    return f"{count:,} {one if count == 1 else several or f'{one}s'}"
