"""Judgments: which grade a document has for a query."""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from graphlib import CycleError, TopologicalSorter
from itertools import pairwise
from typing import Literal, NamedTuple, overload

import numpy as np

from cranfield import errors
from cranfield.arrays import Floats, Ints
from cranfield.errors import DataError, Finding, Findings
from cranfield.phrases import counted


class Ids(Sequence[str]):
    """A sequence of ids that stand one after the other in one UTF-8 text.

    >>> import numpy as np
    >>> ids = Ids(b"d1d22d3", np.array([0, 2, 5, 7]))
    >>> ids[1], ids[1:], len(ids)
    ('d22', ('d22', 'd3'), 3)
    """

    def __init__(self, text: bytes | bytearray, starts: Ints) -> None:
        self.text = text
        self.starts = starts
        """Where each id begins in the text; one more entry marks the end."""

    def __len__(self) -> int:
        return len(self.starts) - 1

    @overload
    def __getitem__(self, at: int) -> str: ...
    @overload
    def __getitem__(self, at: slice) -> tuple[str, ...]: ...
    def __getitem__(self, at: int | slice) -> str | tuple[str, ...]:
        if isinstance(at, slice):
            first, end, step = at.indices(len(self))
            return self._between(first, end) if step == 1 else tuple(self)[at]
        place = range(len(self))[at]
        return self.text[self.starts[place] : self.starts[place + 1]].decode()

    def __iter__(self) -> Iterator[str]:
        return iter(self._between(0, len(self)))

    def _between(self, first: int, end: int) -> tuple[str, ...]:
        if first >= end:
            return ()
        part = self.text[self.starts[first] : self.starts[end]]
        starts = (self.starts[first : end + 1] - self.starts[first]).tolist()
        places = pairwise(starts)
        if part.isascii():  # a character for each byte
            text = part.decode()
            return tuple([text[start:stop] for start, stop in places])
        return tuple([part[start:stop].decode() for start, stop in places])


GroupKind = Literal["subtopic", "judge", "preference", "stratum"]
"""Why the documents of a query are in groups: one has several grades, because it serves several needs, several people
graded it, or it was compared with others several times; or it has one, and was drawn from a stratum of the pool."""

GROUPED_BY: Mapping[GroupKind, tuple[str, ...]] = {
    "subtopic": ("subtopic",),
    "judge": ("judge",),
    "preference": ("judge", "subgroup"),
    "stratum": ("stratum",),
}
"""The columns that tell the groups of each kind apart; the first also tells whose they are."""


MODEL_MARK = "model:"
"""How names of judges begin that are models and not people, in every file."""


def by_models(judges: Iterable[str]) -> list[str]:
    """The names of judges, if there are any and all are models; else none.

    >>> by_models(["model:tiny", "model:tiny"]), by_models(["ada", "model:tiny"])
    (['model:tiny'], [])
    """
    names = sorted(set(judges))
    return names if names and all(name.startswith(MODEL_MARK) for name in names) else []


class JudgmentRows(NamedTuple):
    """Some judgments as they were read: parallel columns, with the line each came from."""

    lines: Sequence[int]
    queries: Sequence[str]
    documents: Sequence[str]
    grades: Sequence[float]
    """NaN where none was given."""
    extra: Mapping[str, Sequence[str]] = {}
    """Further columns by name: `judge`, `subtopic`, `subgroup`, `stratum`, `weight`."""
    unit: str = "line"
    """What `lines` counts: lines of a text, rows of a table, entries of a dictionary."""


class Groups(NamedTuple):
    """Grades that documents have several of, each by one group of its query: a subtopic, a judge, a comparison."""

    kind: GroupKind
    starts: Ints
    """Where each query's grades begin; one more entry marks the end."""
    rows: Ints
    """The row of each grade's document in the judgments."""
    numbers: Ints
    """Which group of its query each grade belongs to."""
    grades: Floats
    owners: tuple[tuple[int, ...], ...]
    """Of each query: the judge, or the need, that each of its groups belongs to."""


class ChunkCounts(NamedTuple):
    """How many chunks were put together to documents."""

    chunks: int
    renamed: int
    """Those whose document has another id."""


FEW_PER_QUERY = 10
"""Judgments of a query, at most so many in the middle: more with several grades above 0 may be a scale without 0."""


@dataclass(frozen=True, eq=False)
class Judgments:
    """Graded documents, the rows of one query side by side.

    >>> from cranfield import read_judgments
    >>> judgments = read_judgments({"q1": {"d1": 2, "d2": 0}, "q2": {"d1": 1}})
    >>> judgments
    Judgments(2 queries, 3 judgments, grades 0 to 2)
    >>> judgments["q1"]
    {'d1': 2.0, 'd2': 0.0}
    """

    queries: tuple[str, ...]
    starts: Ints
    """Row at which each query's judgments begin; one more entry marks the end."""
    documents: Sequence[str]
    grades: Floats
    extra: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    path: str | None = None
    warnings: tuple[errors.Finding, ...] = ()
    groups: Groups | None = None
    """Where documents have several grades, all of them; `grades` then has each document's largest."""
    chunks: ChunkCounts | None = None
    """Where chunks were judged and documents count: the chunks."""
    left_out: frozenset[str] = frozenset()
    """Judged queries that are not to be evaluated."""
    largest: float | None = None
    """The largest grade anyone gave, where these are the judgments of some queries: no score depends on which."""

    @classmethod
    def from_rows(
        cls, rows: Iterable[JudgmentRows], *, path: str | None = None, findings: Findings | None = None
    ) -> Judgments:
        """Judgments from columns as a reader gives them; a pair judged twice must be judged alike."""
        found = Findings() if findings is None else findings
        grouped = _Grouping(path, found)
        for block in rows:
            grouped.add(block)
        if not grouped.by_query:
            found.stop_if_wrong()
            if grouped.not_given:
                raise DataError([errors.rows.no_grades_yet(path, grouped.rows)])
            raise DataError([errors.files.nothing_read(path, "judgments")])
        if grouped.not_given:
            found.add(errors.rows.not_judged_yet(path, grouped.not_given, grouped.rows))
        found.stop_if_wrong()
        if models := by_models(grouped.judges):
            found.add(errors.model_judging.by_model_alone(path, models))
        return grouped.judgments()

    def __repr__(self) -> str:
        by, grades = ("", self.grades) if self.groups is None else (f" by {self.groups.kind}", self.groups.grades)
        return (
            f"Judgments({counted(len(self.queries), 'query')}, "
            f"{counted(len(grades), 'judgment')}{by}, grades {grades.min():g} to {grades.max():g})"
        )

    def __len__(self) -> int:
        return len(self.documents) if self.groups is None else len(self.groups.grades)

    def __iter__(self) -> Iterator[str]:
        return iter(self.queries)

    def __contains__(self, query: object) -> bool:
        return query in self.position

    def __getitem__(self, query: str) -> dict[str, float]:
        if query not in self.position:
            raise KeyError(query)
        return {document: float(self.grades[row]) for document, row in self.rows_of(query).items()}

    def rows_of(self, query: str) -> Mapping[str, int]:
        """The row of each judged document of a query; empty for a query nobody judged."""
        place = self.position.get(query)
        if place is None:
            return {}
        if query not in self._rows:
            self._rows[query] = {
                document: row for row, document in enumerate(self.documents_at(place), self.starts[place])
            }
        return self._rows[query]

    def documents_at(self, place: int) -> Sequence[str]:
        """The judged documents of the query at a place among `queries`."""
        return self.documents[self.starts[place] : self.starts[place + 1]]

    @cached_property
    def position(self) -> Mapping[str, int]:
        """Where a query stands among `queries`."""
        return {query: position for position, query in enumerate(self.queries)}

    @cached_property
    def max_grade(self) -> float:
        """The largest grade anyone gave."""
        return float(self.grades.max()) if self.largest is None else self.largest

    @cached_property
    def only_relevant(self) -> bool:
        """Whether only relevant documents are listed, as of gold answers: what is not listed counts as not relevant.

        Several grades of many documents may be a scale that has no 0 and whose lowest grade is not relevant.

        >>> from cranfield import read_judgments
        >>> [read_judgments({"q1": graded}).only_relevant for graded in ({"d1": 1, "d2": 2}, {"d1": 1, "d2": 0})]
        [True, False]
        """
        if self.groups is not None or float(self.grades.min(initial=np.inf)) <= 0:
            return False
        return bool((self.grades == self.grades[0]).all()) or float(np.median(np.diff(self.starts))) <= FEW_PER_QUERY

    @cached_property
    def _rows(self) -> dict[str, dict[str, int]]:
        """The rows of queries that were asked for."""
        if several := self.several_grades():
            raise DataError([several])
        return {}

    def grouped(self, kind: GroupKind) -> Judgments:
        """The same judgments with one row for each document, last id first, and all its grades in `groups`.

        >>> rows = [("q1", 1, "d1", 1), ("q1", 2, "d1", 0), ("q1", 2, "d2", 1)]
        >>> from cranfield import read_judgments
        >>> read_judgments(rows, columns="query,subtopic,document,grade").grouped("subtopic")
        Judgments(1 query, 3 judgments by subtopic, grades 0 to 1)
        """
        if self.groups is not None:
            if self.groups.kind != kind:
                raise errors.rows.grouped_otherwise(self.groups.kind, kind)
            return self
        untold = ("",) * len(self.documents)
        keys = list(zip(*(self.extra.get(name, untold) for name in GROUPED_BY[kind]), strict=True))
        merged = _Merging(self, kind)
        for query, start, end in zip(self.queries, self.starts.tolist(), self.starts[1:].tolist(), strict=False):
            merged.add(query, range(start, end), keys)
        return merged.judgments()

    def only(self, queries: Container[str]) -> Judgments:
        """The judgments of some queries, in the order they have here.

        >>> from cranfield import read_judgments
        >>> read_judgments({"q1": {"d1": 2}, "q2": {"d1": 1}, "q3": {"d2": 1}}).only({"q3", "q1"})
        Judgments(2 queries, 2 judgments, grades 1 to 2)
        """
        kept = [at for at, query in enumerate(self.queries) if query in queries]
        rows, starts = _of_queries(self.starts, kept)
        row_of = np.zeros(len(self.documents), dtype=np.int64)
        row_of[rows] = np.arange(len(rows))
        groups = self.groups
        if groups is not None:
            own, grade_starts = _of_queries(groups.starts, kept)
            owners = tuple(groups.owners[at] for at in kept)
            groups = Groups(
                groups.kind, grade_starts, row_of[groups.rows[own]], groups.numbers[own], groups.grades[own], owners
            )
        documents = tuple(self.documents)
        return replace(
            self,
            queries=tuple(self.queries[at] for at in kept),
            starts=starts,
            documents=tuple(documents[row] for row in rows.tolist()),
            grades=self.grades[rows],
            extra={name: tuple(column[row] for row in rows.tolist()) for name, column in self.extra.items()},
            groups=groups,
            left_out=self.left_out | {query for query in self.queries if query not in queries},
            largest=self.max_grade,
        )

    def several_grades(self) -> Finding | None:
        """What to say if a document has more than one grade for a query, by several judges or subtopics."""
        if isinstance(self.documents, Ids):  # read by loops that leave a document judged twice to others
            return None
        for query, start, end in zip(self.queries, self.starts.tolist(), self.starts[1:].tolist(), strict=False):
            if len(set(self.documents[start:end])) < end - start:
                return errors.rows.several_grades(self.path, query, sorted(self.extra))
        return None


def _of_queries(starts: Ints, queries: Sequence[int]) -> tuple[Ints, Ints]:
    """The rows of some queries, and where each of these begins among them."""
    counts = np.diff(starts)[queries]
    new = np.concatenate([[0], np.cumsum(counts)]).astype(np.int64)
    return np.arange(new[-1]) + np.repeat(starts[queries] - new[:-1], counts), new


class _Merging:
    """Gives each document of a query one row, and each of its grades a group."""

    def __init__(self, judgments: Judgments, kind: GroupKind) -> None:
        self.given = judgments
        self.kind = kind
        self.documents: list[str] = []
        self.largest: list[float] = []
        self.starts = [0]
        self.rows: list[int] = []
        self.numbers: list[int] = []
        self.grades: list[float] = []
        self.grade_starts = [0]
        self.owners: list[tuple[int, ...]] = []

    def add(self, query: str, rows: range, keys: Sequence[tuple[str, ...]]) -> None:
        """The judgments of one query."""
        own = slice(rows.start, rows.stop)
        documents, grades = self.given.documents[own], self.given.grades[own]
        names = sorted(set(documents), reverse=True)
        position = {name: at for at, name in enumerate(names, len(self.documents))}
        groups = {key: number for number, key in enumerate(dict.fromkeys(keys[own]))}
        places = list(zip(map(position.__getitem__, documents), map(groups.__getitem__, keys[own]), strict=True))
        graded = dict(zip(places, grades.tolist(), strict=True))
        for document, place, grade in zip(documents, places, grades.tolist(), strict=True):
            if graded[place] != grade:
                raise DataError([errors.rows.several_grades_in_group(self.given.path, query, document, self.kind)])
        largest = np.full(len(names), -np.inf)
        np.maximum.at(
            largest, np.array([row for row, _ in places]) - len(self.documents), grades + 0.0
        )  # of 0 and -0, 0
        if self.kind == "stratum" and len(graded) > len(names):
            raise DataError([errors.rows.several_grades(self.given.path, query, ["stratum"])])
        self.documents += names
        self.largest += largest.tolist()
        self.starts.append(len(self.documents))
        self.rows += [row for row, _ in graded]
        self.numbers += [number for _, number in graded]
        self.grades += graded.values()
        self.grade_starts.append(len(self.grades))
        judges = {judge: number for number, judge in enumerate(dict.fromkeys(key[0] for key in groups))}
        self.owners.append(tuple(judges[key[0]] for key in groups))
        if len(groups) > len(judges):
            self._must_be_consistent(query, list(judges), graded)

    def judgments(self) -> Judgments:
        """The judgments with their groups."""
        groups = Groups(
            self.kind,
            np.array(self.grade_starts, dtype=np.int64),
            np.array(self.rows, dtype=np.int64),
            np.array(self.numbers, dtype=np.int64),
            np.array(self.grades, dtype=np.float64),
            tuple(self.owners),
        )
        return replace(
            self.given,
            starts=np.array(self.starts, dtype=np.int64),
            documents=tuple(self.documents),
            grades=np.array(self.largest, dtype=np.float64),
            extra={},
            warnings=(*self.given.warnings, *self._warnings()),
            groups=groups,
        )

    def _warnings(self) -> Iterator[Finding]:
        # One judge may well have all preferences; one subtopic, or one of several judges, looks like a mistake.
        if self.kind in ("subtopic", "judge") and all(len(owners) == 1 for owners in self.owners):
            yield errors.rows.one_group(self.given.path, self.kind)

    def _must_be_consistent(self, query: str, judges: Sequence[str], graded: Mapping[tuple[int, int], float]) -> None:
        """Refuse a judge who prefers one document to another, and elsewhere, perhaps by way of others, the reverse."""
        alike: dict[int, dict[float, list[int]]] = {}
        for (row, number), grade in graded.items():
            alike.setdefault(number, {}).setdefault(grade, []).append(row)
        preferred = [TopologicalSorter[int]() for _ in judges]
        for number, by_grade in alike.items():
            of_judge = preferred[self.owners[-1][number]]
            for lower, higher in pairwise(sorted(by_grade)):
                for row in by_grade[higher]:
                    of_judge.add(row, *by_grade[lower])
        for judge, of_judge in zip(judges, preferred, strict=True):
            try:
                of_judge.prepare()
            except CycleError as error:
                first, second = (self.documents[row] for row in error.args[1][:2])
                raise DataError(
                    [errors.rows.contradicting_preferences(self.given.path, query, judge, first, second)]
                ) from None


class _Grouping:
    """Collects rows by query and notices a pair that is judged twice."""

    def __init__(self, path: str | None, findings: Findings) -> None:
        self.path = path
        self.findings = findings
        self.by_query: dict[str, dict[tuple[str, ...], tuple[float, int]]] = {}
        self.extra: tuple[str, ...] = ()
        self.rows = 0
        self.not_given = 0
        """Rows without a grade."""
        self.judges: set[str] = set()
        """Who judged, where it is known."""

    def add(self, block: JudgmentRows) -> None:
        self.extra = tuple(block.extra) or self.extra
        self.rows += len(block.lines)
        self.judges |= set(block.extra.get("judge", ()))
        keys = zip(block.documents, *block.extra.values(), strict=True)
        for line, query, key, grade in zip(block.lines, block.queries, keys, block.grades, strict=True):
            if grade != grade:
                self.not_given += 1
                continue
            of_query = self.by_query.setdefault(query, {})
            before = of_query.setdefault(key, (grade, line))
            if before[1] == line:
                continue
            self._met_again(block.unit, line, query, key[0], grade, before)

    def _met_again(
        self, unit: str, line: int, query: str, document: str, grade: float, before: tuple[float, int]
    ) -> None:
        first_grade, first_line = before
        if grade == first_grade:
            again = errors.rows.judged_twice(self.path, line, query, document, grade, first_line, unit=unit)
        else:
            grades = first_grade, grade
            again = errors.rows.contradiction(self.path, line, query, document, grades, first_line, unit=unit)
        self.findings.add(again)

    def judgments(self) -> Judgments:
        rows = [(key, grade) for of_query in self.by_query.values() for key, (grade, _) in of_query.items()]
        columns = list(zip(*(key for key, _ in rows), strict=True))
        counts = [len(of_query) for of_query in self.by_query.values()]
        return Judgments(
            queries=tuple(self.by_query),
            starts=np.concatenate([[0], np.cumsum(counts)]).astype(np.int64),
            documents=columns[0],
            grades=np.array([grade for _, grade in rows], dtype=np.float64),
            extra=dict(zip(self.extra, columns[1:], strict=True)),
            path=self.path,
            warnings=tuple(self.findings.warnings),
        )


def fingerprint(judgments: Judgments) -> str:
    """A hash of what was judged, whatever the file's format and the order of its lines.

    >>> import cranfield as cf
    >>> one, other = {"q1": {"a": 1, "b": 0}, "q2": {"a": 2}}, {"q2": {"a": 2.0}, "q1": {"b": 0, "a": 1}}
    >>> fingerprint(cf.read_judgments(one)) == fingerprint(cf.read_judgments(other))
    True
    """
    import hashlib

    digest = hashlib.sha256()
    for line in sorted(lines_of(judgments)):
        digest.update(line.encode(errors="surrogatepass"))
    return digest.hexdigest()


def lines_of(judgments: Judgments) -> Iterator[str]:
    """Every judgment as a line of its own: what a fingerprint is taken of, in sorted order."""
    documents, groups = tuple(judgments.documents), judgments.groups
    starts = judgments.starts if groups is None else groups.starts
    rows = range(len(documents)) if groups is None else groups.rows.tolist()
    grades = (judgments.grades if groups is None else groups.grades).tolist()
    numbers = [""] * len(rows) if groups is None else groups.numbers.tolist()
    for query, start, end in zip(judgments.queries, starts.tolist(), starts[1:].tolist(), strict=False):
        for at in range(start, end):
            yield f"{query}\t{documents[rows[at]]}\t{grades[at]!r}\t{numbers[at]}\n"
