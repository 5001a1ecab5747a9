"""Judgments in each of trec_eval's formats: grades, grades by several judges, and preferences.

A file of preferences holds grades as well: a judge prefers each document to those graded lower in the same subgroup.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np

from cranfield.compat.trec_eval.c_numbers import atof, atol, is_real, is_whole
from cranfield.compat.trec_eval.files import FileRows, Shape, opened, rows_of, texts, texts_alike
from cranfield.compat.trec_eval.outcome import Exit, TrecEvalError, shown
from cranfield.compat.trec_eval.versions import Version
from cranfield.data.judgments import GROUPED_BY, GroupKind, Judgments
from cranfield.errors import DataError
from cranfield.formats.source import Source

Group = tuple[str, ...]
"""Whose a grade is: nobody's in particular, a judge's, or that of a judge's subgroup."""


class Format(NamedTuple):
    """What a file of judgments holds."""

    shape: Shape
    kind: GroupKind | None = None
    """Why a document may have several grades."""

    @property
    def group(self) -> tuple[str, ...]:
        """The columns that tell groups apart."""
        return tuple(name for name in self.shape.columns if self.kind and name in GROUPED_BY[self.kind])

    @property
    def number(self) -> Callable[[str], float]:
        """How a grade is read; preferences need no whole numbers."""
        return atof if self.kind == "preference" else atol

    @property
    def is_number(self) -> Callable[[str], bool]:
        """Whether all of a text is such a number."""
        return is_real if self.kind == "preference" else is_whole


FORMATS = {
    "qrels": Format(Shape(("query", "iteration", "document", "grade"), "judgments have")),
    "qrels_jg": Format(Shape(("query", "judge", "document", "grade"), "judgments have"), "judge"),
    "prefs": Format(Shape(("query", "judge", "subgroup", "document", "grade"), "preferences have"), "preference"),
    "qrels_prefs": Format(Shape(("query", "judge", "document", "grade"), "judgments have"), "preference"),
}


@dataclass(frozen=True)
class ReadJudgments:
    """Judgments, queries in byte order, and what reading them met."""

    judgments: Judgments
    wrong: Mapping[str, str]
    """What is wrong with the judgments of a query, which matters only if it is evaluated."""
    notes: list[str]


@dataclass
class _Reading:
    """What was read so far."""

    format: Format
    by_query: dict[str, dict[tuple[Group, str], float]] = field(default_factory=dict)
    wrong: dict[str, str] = field(default_factory=dict)

    def add(self, query: str, group: Group, document: str, grade: float) -> None:
        of_query = self.by_query.setdefault(query, {})
        key = group, document
        if key not in of_query:
            of_query[key] = grade
        elif self.format.kind != "preference" or of_query[key] != grade:
            self.wrong.setdefault(query, twice("the judgments", query, document))


def read_judgments(path: str, name: str, version: Version) -> ReadJudgments:
    """The judgments in a file of the format of that name."""
    source, format = opened(path), FORMATS[name]
    reading, notes = _Reading(format), list[str]()
    for rows in rows_of(source, format.shape, version):
        columns = dict(zip(format.shape.columns, rows.columns, strict=True))
        tokens = columns["grade"]
        grades = {token: format.number(token.decode("latin-1")) for token in dict.fromkeys(tokens)}
        _must_be_numbers(source, rows, tokens, grades)
        notes = notes or list(_odd_grades(source, rows, tokens, grades, format))
        groups = [texts_alike(columns[name]) for name in format.group]
        for query, document, token, *group in zip(
            texts_alike(columns["query"]), texts(columns["document"]), tokens, *groups, strict=True
        ):
            reading.add(query, tuple(group), document, grades[token])
    if not reading.by_query:
        raise TrecEvalError(Exit.INPUT, f"{source.path}: no judgments found: the file holds only comments")
    if format.kind == "judge" and reading.wrong:
        raise TrecEvalError(Exit.INPUT, next(iter(reading.wrong.values())))
    wrong = dict(_relevant_and_not(reading)) | reading.wrong
    return ReadJudgments(_as_judgments(reading, path), wrong, notes)


def as_judgments(by_query: Mapping[str, Mapping[str, float]], path: str | None = None) -> Judgments:
    """Judgments with queries in byte order."""
    queries = tuple(sorted(by_query))
    rows = [row for query in queries for row in by_query[query].items()]
    return Judgments(
        queries,
        np.cumsum([0, *(len(by_query[query]) for query in queries)]),
        tuple(document for document, _ in rows),
        np.array([grade for _, grade in rows], dtype=np.float64),
        path=path,
    )


def twice(where: str, query: str, document: str) -> str:
    """What to say of a document that comes twice where it may come once."""
    return f"duplicate docs {shown(document)}: query '{shown(query)}' has it twice in {where}; keep it once"


def _as_judgments(reading: _Reading, path: str) -> Judgments:
    format = reading.format
    if format.kind is None:
        plain = {
            query: {document: grade for (_, document), grade in of_query.items()}
            for query, of_query in reading.by_query.items()
        }
        return as_judgments(plain, path)
    queries = tuple(sorted(reading.by_query))
    rows = [row for query in queries for row in sorted(reading.by_query[query].items())]
    flat = Judgments(
        queries,
        np.cumsum([0, *(len(reading.by_query[query]) for query in queries)]),
        tuple(document for (_, document), _ in rows),
        np.array([grade for _, grade in rows], dtype=np.float64),
        {name: tuple(group[at] for (group, _), _ in rows) for at, name in enumerate(format.group)},
        path,
    )
    try:
        return flat.grouped(format.kind)
    except DataError as error:
        raise TrecEvalError(Exit.CALCULATION, str(error)) from None


def _relevant_and_not(reading: _Reading) -> Iterator[tuple[str, str]]:
    """Queries in which a judge finds a document irrelevant in one subgroup and relevant in another."""
    for query, of_query in reading.by_query.items():
        if "subgroup" not in reading.format.group:
            return
        found: dict[tuple[str, str], set[bool]] = {}
        for (group, document), grade in of_query.items():
            found.setdefault((group[0], document), set()).add(grade > 0)
        for (judge, document), several in found.items():
            if len(several) > 1:
                yield (
                    query,
                    (
                        f"judge '{shown(judge)}' of query '{shown(query)}' has document '{shown(document)}' both at "
                        "grade 0 and above; grade it alike in all subgroups"
                    ),
                )


def _must_be_numbers(source: Source, rows: FileRows, tokens: list[bytes], grades: Mapping[bytes, float]) -> None:
    for token, grade in grades.items():
        if not np.isfinite(grade):
            line = rows.numbers[tokens.index(token)]
            raise TrecEvalError(
                Exit.INPUT, f"{source.path}, line {line}: the grade is '{token.decode()}'; expected a whole number"
            )


def _odd_grades(
    source: Source, rows: FileRows, tokens: list[bytes], grades: Mapping[bytes, float], format: Format
) -> Iterator[str]:
    """The first grade that is more, or something else, than a number; or that trec_eval takes for another one."""
    for token, grade in grades.items():
        if format.kind == "preference" and grade < 0:
            line = rows.numbers[tokens.index(token)]
            yield (
                f"{source.path}, line {line}: the grade {grade:g} says that nobody judged the document, so there is no "
                "preference to it; trec_eval takes it for a grade below 0"
            )
            return
        if not format.is_number(token.decode("latin-1")):
            line = rows.numbers[tokens.index(token)]
            whole = "no number" if format.kind == "preference" else "no whole number"
            yield (
                f"{source.path}, line {line}: the grade '{token.decode(errors='replace')}' is {whole} and "
                f"counts as {grade:g}, as in trec_eval; cranfield evaluate takes fractions"
            )
            return
