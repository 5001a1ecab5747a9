"""Labels: which grade each judge gave to a document for a query."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, NamedTuple, overload

import numpy as np

from cranfield import errors
from cranfield.arrays import Floats, Ints
from cranfield.data.judgments import Judgments
from cranfield.data.outliers import grade_outliers
from cranfield.errors import DataError, Finding, Findings, UsageError
from cranfield.phrases import counted

MOST_CELLS = 1 << 27
"""Of more judges times documents, there is no table of grades: few of its cells would hold any."""


@dataclass(frozen=True, eq=False)
class Numbered(Sequence[str]):
    """A column of names: each name once, in the order it first came, and the position of each row's among them."""

    names: Sequence[str]
    at: Ints

    def __len__(self) -> int:
        return len(self.at)

    @overload
    def __getitem__(self, row: int) -> str: ...
    @overload
    def __getitem__(self, row: slice) -> list[str]: ...
    def __getitem__(self, row: int | slice) -> str | list[str]:
        if isinstance(row, slice):
            return [self.names[at] for at in self.at[row].tolist()]
        return self.names[int(self.at[row])]

    def __iter__(self) -> Iterator[str]:
        return map(self.names.__getitem__, self.at.tolist())


def different(column: Sequence[Any]) -> Sequence[Any]:
    """What a column holds: each value once where they are numbered."""
    return column.names if isinstance(column, Numbered) else column


class LabelRows(NamedTuple):
    """Labels as they were read: parallel columns, with the line each came from."""

    lines: Sequence[int] | Ints
    queries: Numbered
    documents: Numbered
    judges: Numbered
    grades: Floats
    """NaN where a label was not given."""
    unit: str = "line"


@dataclass(frozen=True, eq=False)
class Labels:
    """Which grade each judge gave to a document of a query: three parallel columns, of what was labelled only.

    >>> import cranfield as cf
    >>> labels = cf.read_labels([("q1", "d1", "ada", 2), ("q1", "d1", "ben", 1), ("q1", "d2", "ada", 0)])
    >>> labels
    Labels(2 judges, 1 query, 2 documents, 3 labels, grades 0 to 2)
    >>> labels.grades
    array([[ 2.,  0.],
           [ 1., nan]])
    """

    judges: tuple[str, ...]
    of_judge: Ints
    """The judge of each label, as a position among `judges`."""
    of_item: Ints
    """The document of each label, as a position among `documents`; labels of a document stand side by side."""
    values: Floats
    """The grade of each label; where labels are texts, their positions among `categories`."""
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
    has_judges: bool = True
    """Whether it is known who gave which label; if not, only how many labels each document has is."""
    levels: tuple[float, ...] = ()
    """Every grade that could be given, where a table of counts names them."""
    notes: tuple[str, ...] = ()
    """How the labels were read, where that could have been different."""
    decided: Floats | None = None
    """The grade of each document that somebody decided on, whatever judges said; NaN for the others."""

    @classmethod
    def from_matrix(cls, grades: Any, judges: Sequence[str] | None = None) -> Labels:
        """Labels of items without ids: a row per judge, a column per item, NaN where a judge gave none.

        >>> Labels.from_matrix([[0, 1, 1], [0, 1, np.nan]], ["ada", "ben"])
        Labels(2 judges, 3 items, 5 labels, grades 0 to 1)
        """
        table = np.array(grades, dtype=np.float64)
        if table.ndim != 2:
            raise UsageError(f"Labels need a row per judge and a column per item; these have {table.ndim} axes.")
        names = tuple(judges) if judges is not None else tuple(f"judge {at}" for at in range(1, len(table) + 1))
        if len(names) != len(table) or len(set(names)) < len(names):
            raise UsageError(f"There are {len(table)} rows of labels; each needs a judge of its own.")
        of_item, of_judge = np.nonzero(~np.isnan(table.T))
        items = table.shape[1]
        documents = tuple(map(str, range(1, items + 1)))
        own = np.zeros(items, dtype=np.int64)
        return cls(names, of_judge, of_item, table[of_judge, of_item], ("",), own, documents, has_queries=False)

    @classmethod
    def from_rows(
        cls,
        rows: LabelRows,
        *,
        categories: Sequence[str] = (),
        has_queries: bool = True,
        has_judges: bool = True,
        path: str | None = None,
        findings: Findings | None = None,
    ) -> Labels:
        """Labels from columns as a reader gives them; a judge may not give one document two grades."""
        found = Findings() if findings is None else findings
        _must_have_no_nul(rows, path, found)
        found.stop_if_wrong()
        given = np.flatnonzero(~np.isnan(rows.grades))
        if not len(given):
            raise DataError([errors.files.nothing_read(path, "labels")])
        documents = len(rows.documents.names)
        # Every document that was to be labelled is an item, also one that nobody could label.
        items, first, item_at = np.unique(
            rows.queries.at * documents + rows.documents.at, return_index=True, return_inverse=True
        )
        order = np.lexsort((first, items // documents))
        place = np.empty(len(order), dtype=np.int64)
        place[order] = np.arange(len(order))
        keys = place[item_at.ravel()][given] * len(rows.judges.names) + rows.judges.at[given]
        once, first_of, which = np.unique(keys, return_index=True, return_inverse=True)
        if len(once) < len(given):
            _must_be_one_each(rows, given, first_of[which.ravel()], categories, path, found)
        values = rows.grades[given[first_of]]
        if not categories:
            _note_unusual(values, path, found)
        return cls(
            tuple(rows.judges.names),
            once % len(rows.judges.names),
            once // len(rows.judges.names),
            values,
            tuple(rows.queries.names),
            (items[order] // documents).astype(np.int64),
            tuple(map(rows.documents.names.__getitem__, (items[order] % documents).tolist())),
            tuple(categories),
            has_queries,
            path,
            tuple(found.warnings),
            has_judges,
        )

    @cached_property
    def grades(self) -> Floats:
        """A table with a row per judge and a column per document, NaN where a judge gave no label."""
        if len(self.judges) * self.items > MOST_CELLS:
            raise errors.labels.too_large_a_table(len(self.judges), self.items)
        table = np.full((len(self.judges), self.items), np.nan)
        table[self.of_judge, self.of_item] = self.values
        return table

    @property
    def counts(self) -> Ints:
        """How many labels each document has."""
        return np.bincount(self.of_item, minlength=self.items)

    @property
    def items(self) -> int:
        """How many documents of queries there are."""
        return len(self.documents)

    @property
    def scale(self) -> tuple[float, ...]:
        """The grades that were given, ascending."""
        return tuple(np.unique(self.values).tolist())

    def category(self, grade: float) -> str:
        """A grade as people write it."""
        return self.categories[int(grade)] if self.categories else f"{grade:g}"

    def position(self, judge: str) -> int:
        """The row of a judge."""
        if judge not in self._positions:
            raise errors.labels.unknown_judge(judge, self.judges)
        return self._positions[judge]

    @cached_property
    def _positions(self) -> dict[str, int]:
        return {judge: at for at, judge in enumerate(self.judges)}

    def only(self, judges: Iterable[str]) -> Labels:
        """The labels of some judges, in this order.

        >>> Labels.from_matrix([[0, 1], [1, 1], [0, 0]], ["ada", "ben", "cleo"]).only(["cleo", "ada"]).judges
        ('cleo', 'ada')
        """
        chosen = list(dict.fromkeys(judges))
        place = np.full(len(self.judges), -1, dtype=np.int64)
        place[[self.position(judge) for judge in chosen]] = np.arange(len(chosen))
        of_judge = place[self.of_judge]
        kept = np.flatnonzero(of_judge >= 0)
        kept = kept[np.lexsort((of_judge[kept], self.of_item[kept]))]
        return replace(
            self, judges=tuple(chosen), of_judge=of_judge[kept], of_item=self.of_item[kept], values=self.values[kept]
        )

    def of(self, judge: str) -> Floats:
        """The grade of each document by one judge; NaN where there is none.

        >>> Labels.from_matrix([[0, 1], [1, np.nan]], ["ada", "ben"]).of("ben")
        array([ 1., nan])
        """
        own = self.of_judge == self.position(judge)
        grades = np.full(self.items, np.nan)
        grades[self.of_item[own]] = self.values[own]
        return grades

    def binary(self, level: float) -> Labels:
        """1 for a grade from some level on, 0 for one below.

        >>> Labels.from_matrix([[0, 2], [1, np.nan]]).binary(2).grades
        array([[ 0.,  1.],
               [ 0., nan]])
        """
        if self.categories:
            raise errors.labels.texts_without_order("A level")
        decided = None if self.decided is None else np.where(self.decided >= level, 1.0, 0.0 * self.decided)
        return replace(self, values=(self.values >= level).astype(np.float64), levels=(), decided=decided)

    def judgments(self, grades: Floats, path: str | None = None) -> Judgments:
        """Judgments with a grade for each document; those with NaN are left out."""
        if not self.has_queries:
            raise errors.labels.without_documents("A file of judgments", or_a_table=True)
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
        return len(self.values)

    def __repr__(self) -> str:
        scale = self.scale
        if self.has_queries:
            items = f"{counted(len(self.queries), 'query')}, {counted(self.items, 'document')}"
        else:
            items = counted(self.items, "item")
        grades = (
            counted(len(self.categories), "category")
            if self.categories
            else f"grades {scale[0]:g} to {scale[-1]:g}"
            if scale
            else "no grades"
        )
        judges = counted(len(self.judges), "judge") if self.has_judges else "unknown judges"
        return f"Labels({judges}, {items}, {counted(len(self), 'label')}, {grades})"


def _must_be_one_each(
    rows: LabelRows, given: Ints, first: Ints, categories: Sequence[str], path: str | None, found: Findings
) -> None:
    """Findings about labels that are given again: of each of those that were given, the first for its document."""
    for position in np.flatnonzero(first != np.arange(len(given))).tolist():
        row, before = int(given[position]), int(given[first[position]])
        line, first_line = int(rows.lines[row]), int(rows.lines[before])
        if rows.grades[row] == rows.grades[before]:
            label = rows.queries[row], rows.documents[row], rows.judges[row]
            found.add(errors.labels.labelled_twice(path, line, *label, unit=rows.unit))
            continue
        both = tuple(categories[int(rows.grades[at])] if categories else f"{rows.grades[at]:g}" for at in (before, row))
        grades, item = (both[0], both[1]), (rows.queries[row], rows.documents[row])
        found.add(
            errors.labels.contradicting_labels(path, line, item, rows.judges[row], grades, first_line, unit=rows.unit)
        )
    found.stop_if_wrong()


def _must_have_no_nul(rows: LabelRows, path: str | None, found: Findings) -> None:
    """Findings about ids with a NUL character, which many tools take for the end of a text."""
    for what, column in (("query", rows.queries), ("document", rows.documents), ("judge", rows.judges)):
        if "\0" not in "".join(column.names):
            continue
        for at, name in enumerate(column.names):
            if "\0" in name:
                given = np.flatnonzero(column.at == at)
                # A judge in the header may have given no label at all.
                line = int(rows.lines[int(given[0])]) if given.size else 1
                found.add(errors.rows.nul_in_id(path, line, what, name, unit=rows.unit))


def _note_unusual(values: Floats, path: str | None, found: Findings) -> None:
    """Findings about grades below 0, and about those far from all others."""
    if negative := int((values < 0).sum()):
        found.add(errors.labels.negative_labels(path, negative))
    outliers = grade_outliers(*np.unique(values, return_counts=True))
    if outliers is not None:
        others = outliers.low, outliers.high
        found.add(errors.labels.outlying_grades(path, outliers.values, outliers.count, others))
