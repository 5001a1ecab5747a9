"""The documents about which judges differ most."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np

from cranfield.arrays import Floats
from cranfield.data.labels import Labels
from cranfield.formats.columns import JUDGED
from cranfield.formats.sheets import NO_TEXTS, Texts, with_grade
from cranfield.judging.estimates import Row
from cranfield.phrases import counted
from cranfield.show.table import Cell, Table

MOST_COLUMNS = 100
"""Of more judges, labels are not shown in a column for each."""


class Disagreement(NamedTuple):
    """A document with labels that differ."""

    query: str
    document: str
    grades: tuple[tuple[str, float], ...]
    """What each judge gave it; where judges are not known, labels have no name."""


def disagreements(labels: Labels, most: int) -> list[Disagreement]:
    """The documents with the widest range of grades, or with the most different texts."""
    spread = _spread(labels)
    items = [at for at in np.argsort(-spread, kind="stable")[:most].tolist() if spread[at] > 0]
    grades: dict[int, list[tuple[str, float]]] = {at: [] for at in items}
    for place in np.flatnonzero(np.isin(labels.of_item, items)).tolist():
        judge = labels.judges[labels.of_judge[place]] if labels.has_judges else ""
        grades[int(labels.of_item[place])].append((judge, float(labels.values[place])))
    return [
        Disagreement(
            labels.queries[labels.of_query[at]] if labels.has_queries else "", labels.documents[at], tuple(grades[at])
        )
        for at in items
    ]


def number_of_disagreements(labels: Labels) -> int:
    """How many documents have labels that differ."""
    return int((_spread(labels) > 0).sum())


def disagreements_table(labels: Labels, most: int, texts: Texts = NO_TEXTS) -> Table:
    """A row for each of these documents, with all its labels; and what query and document say, where that is known."""
    shown = disagreements(labels, most)
    columns = _item_columns(labels, shown, texts, in_full=False)
    elastic = next((name for name in ("text", "title", "query_text", "query") if name in columns), "")
    more = number_of_disagreements(labels) - len(shown)
    notes = (f"Judges differ about {counted(more, 'more document')}.",) if more > 0 else ()
    return Table(
        {**columns, **_label_columns(labels, shown)},
        notes=notes,
        elastic=elastic,
        optional=tuple(name for name in ("text", "title", "query_text") if name in columns),
    )


def adjudication_sheet(labels: Labels, most: int, texts: Texts = NO_TEXTS) -> Table:
    """The same as a sheet: texts in full, and an empty column for the grade that is decided on.

    >>> labels = Labels.from_matrix([[2, 1], [0, 1]], ["ada", "ben"])
    >>> print(adjudication_sheet(labels, 5).csv(), end="")
    item,ada,ben,grade
    1,2,0,
    """
    shown = disagreements(labels, most)
    columns = _item_columns(labels, shown, texts, in_full=True)
    of_judges = _label_columns(labels, shown)
    # A judge's name must not be taken for a column that the sheet is read by.
    named = {f"judge {name}" if JUDGED.known(name) else name: cells for name, cells in of_judges.items()}
    table = Table({**columns, **named})
    return with_grade(table, list(table.columns)[-1])


def _item_columns(
    labels: Labels, shown: Sequence[Disagreement], texts: Texts, *, in_full: bool
) -> dict[str, list[Cell]]:
    if not labels.has_queries:
        return {"item": [one.document for one in shown]}
    return texts.columns([(one.query, one.document) for one in shown], in_full=in_full)


def disagreement_rows(labels: Labels, most: int, texts: Texts = NO_TEXTS) -> Iterator[Row]:
    """A row for every label of these documents; a label that is a text stands where others have a reason.

    So does what a query and a document say, where that is known.
    """
    for one in disagreements(labels, most):
        for name, said in _said(one, texts).items():
            yield Row("disagreement", one.query, one.document, name, float("nan"), items=len(one.grades), reason=said)
        for judge, grade in one.grades:
            text = labels.category(grade) if labels.categories else ""
            value = float("nan") if labels.categories else grade
            yield Row(
                "disagreement", one.query, one.document, judge or "label", value, items=len(one.grades), reason=text
            )


def _said(one: Disagreement, texts: Texts) -> dict[str, str]:
    """What the query and the document say, by the name of its column."""
    columns = texts.columns([(one.query, one.document)], in_full=False)
    return {name: str(cells[0]) for name, cells in columns.items() if name not in ("query", "document")}


def disagreement_values(labels: Labels, most: int, texts: Texts = NO_TEXTS) -> list[dict[str, object]]:
    """These documents as plain values."""
    return [
        {
            "query": one.query if labels.has_queries else None,
            "document": one.document,
            **_said(one, texts),
            "labels": [
                {"judge": judge or None, "grade": labels.category(grade) if labels.categories else grade}
                for judge, grade in one.grades
            ],
        }
        for one in disagreements(labels, most)
    ]


def _spread(labels: Labels) -> Floats:
    """How far the labels of each document are apart: the range of grades, or how many more texts than one."""
    value = labels.values[np.lexsort((labels.values, labels.of_item))]
    ends = np.cumsum(labels.counts)
    if labels.categories:
        item = labels.of_item
        other = (np.diff(value, prepend=0) != 0) & (np.diff(item, prepend=-1) == 0)
        return np.bincount(item, weights=other, minlength=labels.items).astype(np.float64)
    labelled = np.flatnonzero(labels.counts)
    spread = np.zeros(labels.items)
    spread[labelled] = value[ends[labelled] - 1] - value[(ends - labels.counts)[labelled]]
    return spread


def _label_columns(labels: Labels, shown: list[Disagreement]) -> dict[str, list[Cell]]:
    """The labels of some documents: a column per judge, or one for all where there are many."""
    if labels.has_judges and len(labels.judges) <= MOST_COLUMNS:
        of = [{judge: labels.category(grade) for judge, grade in one.grades} for one in shown]
        return {judge: [grades.get(judge, "") for grades in of] for judge in labels.judges}
    return {
        "labels": [
            ", ".join(f"{judge} {labels.category(grade)}".strip() for judge, grade in one.grades) for one in shown
        ]
    }
