"""Some whole queries → rows with their scores, counts and findings: one call for many queries.

This knows no engine: whoever divides a collection, in whatever way, gets the same rows for a query. Nothing here fails
over bad data either: what is wrong becomes a row, so that no machine tries again what cannot succeed.
"""

from __future__ import annotations

import json
import platform
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import Any, NamedTuple

import numpy as np
import pyarrow as pa
from pyarrow import compute

from cranfield import errors, kernels
from cranfield.align import Alignment
from cranfield.arrays import Bools, Floats, Ints
from cranfield.choices import Duplicates
from cranfield.data.judgments import Judgments
from cranfield.data.run import Run
from cranfield.errors import CranfieldError, DataError, Finding, Findings
from cranfield.evaluating.evaluation import EvaluationPlan, must_have_one_grade
from cranfield.evaluating.part import aligned, counted, score_run, tied_ends
from cranfield.formats import arrow, read_judgments, read_run
from cranfield.formats.arrow import ArrowTable
from cranfield.formats.columns import ColumnsGiven, Kind, parse_columns
from cranfield.formats.shards import shards_of
from cranfield.formats.source import as_source, is_folder, is_pattern
from cranfield.measures import Judged
from cranfield.measures.scoring import must_be_moderate, score
from cranfield.version import VERSION

NUMBERS = ("grade", "score", "rank", "weight")
"""Roles whose columns hold numbers; all others hold ids."""
JUDGMENTS, PART = -1, -2
"""What stands in the place of a run's number: rows about judgments, and about a part itself."""
OF_THE_WHOLE = {"ranks-from-zero", "ranks-from-zero-and-one", "not-judged-yet", "no-grades-yet", "nothing-read"} | {
    "by-model-alone",
    "one-subtopic",
    "one-judge",
}
"""What only all queries together can tell."""
SHOWN = 3
"""Findings of one kind that are shown."""
MOST_VALUES = 2_000
"""Different grades of a part that are counted one by one; of more, those in the middle are counted together."""


@dataclass(frozen=True)
class PartPlan:
    """What is done with every part, and what it has to know of all others."""

    evaluation: EvaluationPlan
    runs: tuple[str, ...]
    """Their names."""
    max_grade: float
    duplicates: Duplicates | None = None
    counts_grades: bool = False
    """Whether grades are unusual, so that all have to be counted to find outliers."""
    judgments_path: str | None = None
    run_paths: tuple[str | None, ...] = ()
    tells_judgments: bool = True
    """Whether rows about the judgments are wanted, too."""

    @property
    def schema(self) -> pa.Schema:
        """The columns of all rows; those that a row has no use for are null."""
        columns = [
            ("run", pa.int32()),
            ("query", pa.string()),
            *((name, pa.bool_()) for name in ("known", "from_zero", "has_relevant")),
            *((name, pa.int64()) for name in COUNTS),
            *((name, pa.float64()) for name in ("judged_at_10", "lowest", "highest")),
            # A list each, by measure: hundreds of columns would take Spark longer than the work does.
            *((name, pa.list_(pa.float64())) for name in ("scores", "lows", "highs")),
            ("counted", pa.list_(pa.bool_())),
            ("finding", pa.string()),
        ]
        return pa.schema(columns)


COUNTS = (
    *("retrieved", "tied", "judged_retrieved", "first_ten", "judged_in_ten", "relevant_retrieved", "matched"),
    *("judgments", "documents", "relevant", "chunks", "renamed"),
)


class Gathered(Findings):
    """Everything that was met, counted by query; nothing stops."""

    def __init__(self) -> None:
        super().__init__()
        self.met: dict[tuple[str, str, str | None, str | None], tuple[list[Finding], int]] = {}
        self.ids_of: Callable[[int], tuple[str | None, str | None]] = lambda line: (None, None)
        """The query and the document of a row."""

    def add(self, finding: Finding) -> None:
        """Keep a few of each kind and query, whatever the order of rows, and count the others."""
        query, document = (None, None) if finding.line is None else self.ids_of(finding.line)
        told = errors.spark.without_row(finding, query, document)
        key = (told.severity, told.kind, told.path, query)
        others, count = self.met.get(key, ([], 0))
        self.met[key] = sorted({*others, told}, key=str)[:SHOWN], count + told.count

    def rows(self) -> Iterator[tuple[str | None, dict[str, object]]]:
        """Query and finding, with how many there are."""
        for (_, kind, _, query), (shown, count) in self.met.items():
            if kind not in OF_THE_WHOLE:
                counts = [1] * (len(shown) - 1) + [count - len(shown) + 1]
                yield from ((query, {**one.to_dict(), "count": own}) for one, own in zip(shown, counts, strict=True))

    def stop_if_wrong(self) -> None:
        """Go on: a driver decides."""

    @property
    def warnings(self) -> list[Finding]:
        """None: all go the same way."""
        return []


class PartRun(NamedTuple):
    """A run as far as a part has it."""

    number: int
    run: Run
    findings: Gathered
    from_zero: frozenset[str] | None = None
    """Where there are only ranks: the queries that have a rank 0."""


def part_of(judgments: pa.Table | None, runs: Mapping[int, pa.Table], plan: PartPlan) -> Iterator[pa.RecordBatch]:
    """The rows of some whole queries, whose judgments and runs are Arrow tables with a column for each role."""
    rows = _PartRows(plan)
    judged = rows.judgments(judgments)
    yield from rows.batches(judged, [rows.run(number, runs.get(number)) for number in range(len(plan.runs))])


def read_part(judgments: pa.Table | None, plan: PartPlan) -> Judgments | None:
    """The judgments of a part as they count; None where there are none, or where they are wrong."""
    return _PartRows(plan).judgments(judgments)


class _PartRows:
    """Makes the rows of one part."""

    def __init__(self, plan: PartPlan) -> None:
        self.plan = plan
        self.measures = plan.evaluation.measures
        self.settings = plan.evaluation.settings
        self.schema = plan.schema
        self.found = Gathered()
        self.about: dict[str, Any] = {"versions": versions()}
        self.usage: list[str] = []

    # What is read

    def judgments(self, table: pa.Table | None) -> Judgments | None:
        """The judgments of the queries that count; what is wrong with them is noted."""
        if table is None or not table.num_rows:
            return None
        self.found.ids_of = _ids_by_row(table)
        self.about["rows"] = table.num_rows
        try:
            read = read_judgments(table, groups=self.plan.evaluation.groups, findings=self.found)
        except CranfieldError as error:
            self._note(error, self.found)
            read = None
        not_given = [count for (_, kind, _, _), (_, count) in self.found.met.items() if kind == "not-judged-yet"]
        self.about["not_given"] = sum(not_given) if read is not None else table.num_rows
        return None if read is None else self.prepared(read)

    def prepared(self, read: Judgments) -> Judgments | None:
        """The judgments of the queries that count, as they count."""
        preparation = self.plan.evaluation.preparation
        self.about["one_group"] = any(warning.kind in ("one-subtopic", "one-judge") for warning in read.warnings)
        whole = replace(read, largest=self.plan.max_grade, warnings=())
        try:
            grouped = whole if preparation.groups is None else preparation.groups.judgments(whole)
            self.found.extend(grouped.warnings)
            must_have_one_grade(grouped, self.measures)
        except CranfieldError as error:
            self._note(error, self.found)
            return None
        if preparation.queries is None:
            return grouped
        return grouped.only(frozenset(preparation.queries.ids))

    def run(self, number: int, table: pa.Table | None) -> PartRun:
        """A run whose rows are in a table."""
        name, findings = self.plan.runs[number], Gathered()
        if table is None or not table.num_rows:
            return PartRun(number, Run(name, lambda _: iter(())), findings)
        findings.ids_of = _ids_by_row(table)
        run = read_run(table, name=name, duplicates=self.plan.duplicates)
        return PartRun(number, self.plan.evaluation.preparation.run(run), findings, _from_zero(table))

    def _note(self, error: CranfieldError, findings: Gathered) -> None:
        if isinstance(error, DataError):
            findings.extend(error.findings)
        else:
            self.usage.append(str(error))

    # What is written

    def batches(self, judgments: Judgments | None, runs: Sequence[PartRun]) -> Iterator[pa.RecordBatch]:
        """All rows about judgments and runs."""
        known = _nothing_judged(self.plan.max_grade) if judgments is None else judgments
        if judgments is not None and self.plan.tells_judgments:
            yield self._of_judgments(known)
        for one in runs:
            try:
                yield from self._of_run(known, one)
            except CranfieldError as error:
                self._note(error, one.findings)
            yield from self._findings(one.findings, one.number)
        if self.plan.tells_judgments:
            yield from self._findings(self.found, JUDGMENTS)
            about = {**self.about, "usage": self.usage}
        else:
            about = {"versions": self.about["versions"], "usage": self.usage}
        yield self._batch(run=[PART], query=[None], finding=[json.dumps(about)])

    def unreadable(self, error: CranfieldError, number: int) -> Iterator[pa.RecordBatch]:
        """The rows of a file that cannot be read."""
        findings = Gathered()
        self._note(error, findings)
        yield from self._findings(findings, number)
        yield self._batch(run=[PART], query=[None], finding=[json.dumps({**self.about, "usage": self.usage})])

    def _of_judgments(self, judgments: Judgments) -> pa.RecordBatch:
        starts = judgments.starts
        rows = starts if judgments.groups is None else judgments.groups.starts
        if self.plan.counts_grades:
            self.about["grades"] = _grade_counts(judgments.grades)
        chunks = judgments.chunks
        if chunks is not None:
            self.about["chunks"] = list(chunks)
        self.about["judged"] = len(judgments.queries)
        of = _ByQuery(starts[:-1])
        return self._batch(
            run=np.full(len(judgments.queries), JUDGMENTS, dtype=np.int32),
            query=judgments.queries,
            judgments=np.diff(rows),
            documents=np.diff(starts),
            relevant=of(np.add, judgments.grades >= 1),
            has_relevant=of(np.maximum, judgments.grades) >= self.settings[0].level,
            lowest=of(np.minimum, judgments.grades),
            highest=of(np.maximum, judgments.grades),
        )

    def _of_run(self, judgments: Judgments, one: PartRun) -> Iterator[pa.RecordBatch]:
        if judgments.queries:
            alignment, values = score_run(one.run, judgments, self.measures, self.settings, one.findings)
            for measure, of_measure in zip(self.measures, values, strict=True):
                must_be_moderate(measure, of_measure)
            yield self._scores(one, alignment, values)
        else:
            alignment = aligned(one.run, judgments, self.settings[0], one.findings)
        if alignment.unknown:
            unknown = len(alignment.unknown)
            from_zero = None
            if one.from_zero is not None:
                from_zero = [query in one.from_zero for query in alignment.unknown]
            yield self._batch(
                run=np.full(unknown, one.number, dtype=np.int32),
                query=alignment.unknown,
                known=np.zeros(unknown, dtype=np.bool_),
                from_zero=from_zero,
            )

    def _scores(self, one: PartRun, alignment: Alignment, values: Floats) -> pa.RecordBatch:
        judgments = alignment.judgments
        queries = len(judgments.queries)
        if alignment.chunks is not None:
            self.about.setdefault("run_chunks", {})[one.number] = list(alignment.chunks)
        owner = np.repeat(np.arange(queries), np.diff(alignment.starts))

        def count(flags: Bools) -> Ints:
            return np.bincount(owner[flags], minlength=queries)

        answered = alignment.retrieved > 0
        from_zero = None
        if one.from_zero is not None:
            from_zero = [
                query in one.from_zero if any_ else None
                for query, any_ in zip(judgments.queries, answered.tolist(), strict=True)
            ]
        return self._batch(
            run=np.full(queries, one.number, dtype=np.int32),
            query=judgments.queries,
            known=np.ones(queries, dtype=np.bool_),
            from_zero=from_zero,
            retrieved=alignment.retrieved,
            tied=alignment.ties,
            judged_retrieved=count(alignment.grades >= 0),
            first_ten=np.minimum(alignment.retrieved, 10),
            judged_in_ten=count(alignment.ranks <= 10),
            relevant_retrieved=count(alignment.grades >= 1),
            matched=np.diff(alignment.starts),
            judged_at_10=score(alignment, [Judged @ 10])[0],
            scores=values,
            **self._ends(alignment, values),
            counted=np.array([counted(alignment, chosen) for chosen in self.settings]),
        )

    def _ends(self, alignment: Alignment, values: Floats) -> dict[str, Floats]:
        """Scores with tied documents in the worst and in the best order, where there is any such tie."""
        if not alignment.ties.any():
            return {}
        lows, highs = values.copy(), values.copy()
        for rows, ends in tied_ends(alignment, self.measures, self.settings):
            lows[rows], highs[rows] = ends
        return {"lows": lows, "highs": highs}

    def _findings(self, findings: Gathered, number: int) -> Iterator[pa.RecordBatch]:
        kept = [(query, json.dumps(finding)) for query, finding in findings.rows()]
        if kept:
            yield self._batch(
                run=[number] * len(kept), query=[one for one, _ in kept], finding=[one for _, one in kept]
            )

    def _batch(self, **columns: Any) -> pa.RecordBatch:
        """Rows with some of the columns; the others are null."""
        rows = len(columns["run"])
        arrays = [
            pa.nulls(rows, column.type)
            if columns.get(column.name) is None
            else _array(columns[column.name], column.type)
            for column in self.schema
        ]
        return pa.RecordBatch.from_arrays(arrays, schema=self.schema)


class _ByQuery:
    """What is computed of the rows of each query."""

    def __init__(self, starts: Ints) -> None:
        self.starts = starts

    def __call__(self, function: np.ufunc, values: Floats | Bools) -> Any:
        if not len(self.starts):
            return np.empty(0)
        numbers = values.astype(np.int64) if values.dtype == np.bool_ else values
        return function.reduceat(numbers, self.starts)


def _array(values: Any, type: pa.DataType) -> pa.Array:
    if pa.types.is_list(type):  # by measure and query
        measures, queries = values.shape
        starts = np.arange(0, measures * queries + 1, measures, dtype=np.int32)
        return pa.ListArray.from_arrays(starts, _array(np.ascontiguousarray(values.T).ravel(), type.value_type))
    if isinstance(values, np.ndarray) and pa.types.is_floating(type):
        return pa.array(values, type, from_pandas=False)  # NaN is undefined, and null is something else
    return pa.array(values, type)


def _ids_by_row(table: pa.Table) -> Callable[[int], tuple[str | None, str | None]]:
    def ids_of(row: int) -> tuple[str | None, str | None]:
        return table["query"][row - 1].as_py(), table["document"][row - 1].as_py()

    return ids_of


def _from_zero(table: pa.Table) -> frozenset[str] | None:
    """Where a run has only ranks: its queries that have a rank 0."""
    if "score" in table.column_names:
        return None
    return frozenset(table.filter(compute.equal(table["rank"], 0))["query"].to_pylist())


def _grade_counts(grades: Floats) -> list[list[float]]:
    """Grades and how often each was given; of very many, those in the middle count as one."""
    values, counts = np.unique(grades, return_counts=True)
    if len(values) > MOST_VALUES:
        half = MOST_VALUES // 2
        middle = [counts[half:-half].sum()]
        values = np.concatenate([values[:half], [values[len(values) // 2]], values[-half:]])
        counts = np.concatenate([counts[:half], middle, counts[-half:]])
    return [values.tolist(), counts.tolist()]


def _nothing_judged(max_grade: float) -> Judgments:
    """Judgments of none of the queries of a part."""
    return Judgments((), np.zeros(1, dtype=np.int64), (), np.empty(0), largest=max_grade)


def versions() -> dict[str, str]:
    """What could make one machine compute otherwise, or slower, than another."""
    return {
        "Python": platform.python_version(),
        "cranfield": VERSION,
        "NumPy": np.__version__,
        "pyarrow": pa.__version__,
        "loops": "compiled" if kernels.are_compiled() else "plain",
    }


def part_of_file(
    path: str, number: int, judgments: pa.Table, plan: PartPlan, columns: ColumnsGiven
) -> Iterator[pa.RecordBatch]:
    """The rows of a run's file; a query that is in other files too is not whole here, and somebody else's work."""
    rows = _PartRows(plan)
    try:
        table, places = _file_columns(path, columns, "run")
        queries = _distinct(table, places["query"])
    except CranfieldError as error:
        yield from rows.unreadable(error, number)
        return
    own = compute.is_in(judgments["query"], value_set=queries)
    judged = rows.judgments(judgments.filter(own))
    findings = Gathered()
    findings.ids_of = _ids_in_file(table, places)
    run = read_run(path, name=plan.runs[number], columns=columns, duplicates=plan.duplicates)
    # What messages call it is the run, wherever its rows are.
    yield from rows.batches(judged, [PartRun(number, replace(run, path=None), findings)])


def judgment_table(path: str, columns: ColumnsGiven) -> pa.Table:
    """The judgments of a file, or of a folder, as a table with a column for each role, ids as text."""
    if is_folder(path) or is_pattern(path):
        shards = shards_of(path, parse_columns(columns), "judgments", "parquet")
        table = arrow.files_table(shards.parts, path)
        places = shards.columns.places(table.names, "judgments", path)
    else:
        table, places = _file_columns(path, columns, "judgments")
    pieces = [
        pa.table(
            {
                role: _as_text(array) if role not in NUMBERS else array
                for role, array in zip(places, arrays, strict=True)
            }
        )
        for arrays in table.arrays(list(places.values()), AT_ONCE)
    ]
    return pa.concat_tables(pieces)


def _file_columns(path: str, columns: ColumnsGiven, kind: Kind) -> tuple[ArrowTable, dict[str, int]]:
    source = as_source(path)
    assert source is not None
    table = arrow.file_table(source)
    return table, parse_columns(columns).places(table.names, kind, path)


def _distinct(table: ArrowTable, at: int) -> pa.Array:
    parts = [_as_text(array.unique()) for (array,) in table.arrays([at], AT_ONCE)]
    return pa.chunked_array(parts, pa.string()).unique() if parts else pa.array([], pa.string())


def _as_text(array: pa.Array) -> pa.Array:
    return array.cast(pa.string())


def _ids_in_file(table: ArrowTable, places: Mapping[str, int]) -> Callable[[int], tuple[str | None, str | None]]:
    @cache
    def ids() -> pa.Table:
        pieces = table.arrays([places["query"], places["document"]], AT_ONCE)
        return pa.concat_tables(pa.table({"query": _as_text(one), "document": _as_text(two)}) for one, two in pieces)

    return lambda row: _ids_by_row(ids())(row)


AT_ONCE = 1 << 17
"""Rows of a file that are looked at together."""
