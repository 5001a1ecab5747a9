"""Scores that stay on a cluster: means come to the driver, and the scores of queries only if somebody asks."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, partial
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from cranfield import errors
from cranfield.data.judgments import FEW_PER_QUERY
from cranfield.errors import Finding, UsageError
from cranfield.evaluating import aggregate
from cranfield.evaluating.aggregate import Mean, Summary
from cranfield.evaluating.evaluation import outlying_grades, queries_of_one_side, range_of_means
from cranfield.evaluating.score_tables import Evaluated, summary_of
from cranfield.evaluating.scores import JudgmentFacts, Provenance, RunFacts, Scores, TieCounts, UnjudgedCounts, constant
from cranfield.formats.source import file_hash
from cranfield.measures import Measure
from cranfield.phrases import alike, counted
from cranfield.show.table import finite
from cranfield.spark import sums
from cranfield.spark.gathered_facts import Facts, median_at_most, reader_warnings, unusual_grades
from cranfield.spark.part import JUDGMENTS, PartPlan
from cranfield.spark.sums import JUDGED_AT_10, Column, Sum, SummedSample

if TYPE_CHECKING:
    import pyarrow as pa
    from pyspark.sql import DataFrame

MOST_NAMES = 100_000
"""Ids of queries that come to the driver to be told, and to be compared in other spellings."""


class FirstNames(Sequence[str]):
    """The first of many ids, of which it is known how many there are."""

    def __init__(self, names: Sequence[str], count: int) -> None:
        self.names, self.length = names, count

    def __len__(self) -> int:
        return self.length

    def __getitem__(self, at: Any) -> Any:
        return self.names[at]

    def __iter__(self) -> Iterator[str]:
        return iter(self.names)


class Told(NamedTuple):
    """What looking at some rows again told."""

    missing: tuple[Finding, ...] = ()
    """Queries that were to be evaluated and are not judged."""
    equal_runs: tuple[Finding, ...] = ()
    never_met: Mapping[int, Finding] = {}
    """By run: that no document is judged, of so few that this may be the truth."""
    other_ids: tuple[Finding, ...] = ()


@dataclass(frozen=True, eq=False)
class SparkScores:
    """A score for every run, query and measure, in a data frame.

    What is asked of it has the same bits as that of `cranfield.evaluate`.
    """

    rows: DataFrame
    """What workers made: rows of judgments and runs, with scores, counts and findings."""
    plan: PartPlan
    facts: Facts
    judgment_lines: Callable[[], DataFrame]
    """All judgments in their sorted order, as texts."""
    told: Told = field(default_factory=Told)
    how: str = ""
    """How the work was divided, in words."""

    @property
    def runs(self) -> tuple[str, ...]:
        """The names of the runs."""
        return self.plan.runs

    @property
    def measures(self) -> tuple[Measure, ...]:
        """What was evaluated."""
        return self.plan.evaluation.measures

    def per_query(self) -> DataFrame:
        """A data frame with a row for each run, query and measure that counts: run, query, measure, value.

        The value is null where a score is undefined.
        """
        from pyspark.sql import functions as sql

        runs, measures = (sql.array(*map(sql.lit, map(str, names))) for names in (self.runs, self.measures))
        each = self._scored.select(
            sql.element_at(runs, sql.col("run") + 1).alias("run"), "query", "counted", sql.posexplode("scores")
        )
        return each.filter(sql.element_at("counted", sql.col("pos") + 1)).select(
            "run",
            "query",
            sql.element_at(measures, sql.col("pos") + 1).alias("measure"),
            sql.when(~sql.isnan("col"), sql.col("col")).alias("value"),
        )

    @property
    def _scored(self) -> DataFrame:
        return self.rows.filter("run >= 0 AND known")

    # Means

    @cached_property
    def _sums(self) -> dict[Column, Sum]:
        summed = self._scored.mapInArrow(sums.summing(self.plan), ddl(sums.SUMS))
        return sums.gathered(summed.collect())

    @cached_property
    def _means(self) -> dict[str, dict[Measure, Mean]]:
        squared = self._scored.mapInArrow(sums.squaring(self.plan, sums.centres(self._sums)), ddl(sums.SQUARES))
        squares = sums.gathered_squares(squared.collect())
        return {
            run: {
                measure: self._mean(Column(number, at), squares.get(Column(number, at), 0.0))
                for at, measure in enumerate(self.measures)
            }
            for number, run in enumerate(self.runs)
        }

    def _mean(self, column: Column, squares: float = 0.0) -> Mean:
        found = self._sums.get(column, Sum())
        return aggregate.mean_of(
            sums.measure_of(self.plan, column.measure), SummedSample(found, squares), found.undefined
        )

    def mean(self, measure: str | Measure, run: str | None = None) -> Mean:
        """One measure's mean over queries for one run; with a single run it need not be named."""
        return self._means[self._run(run)][self._measure(measure)]

    def means(self, run: str | None = None) -> dict[str, float]:
        """The means of one run as plain numbers, by measure; with a single run it need not be named."""
        return {str(measure): float(mean) for measure, mean in self._means[self._run(run)].items()}

    def _run(self, run: str | None) -> str:
        return self.runs[self._empty.run_position(run)]

    def _measure(self, measure: str | Measure) -> Measure:
        return self.measures[self._empty.position(measure)]

    @cached_property
    def _empty(self) -> Scores:
        """Scores of no query, which know the names of runs and measures."""
        return self._local((), np.empty((len(self.measures), len(self.runs), 0)), None, self._provenance(named=False))

    def summary(self) -> Summary:
        """Means with intervals and coverage; shows itself as a table."""
        judged = self.facts.judgments.judged
        evaluated = Evaluated(
            judged,
            self.measures,
            self._provenance(named=False),
            self._means,
            {
                run: [self._sums.get(Column(number, at), Sum()).queries for at in range(len(self.measures))]
                for number, run in enumerate(self.runs)
            },
            {run: f"{of_run.answered}/{judged}" for run, of_run in zip(self.runs, self.facts.runs, strict=True)},
        )
        return summary_of(evaluated, self.warnings)

    # What there is to tell

    @cached_property
    def warnings(self) -> tuple[Finding, ...]:
        """Everything surprising about the data, in the order of the line."""
        return tuple(self._all_warnings())

    def _all_warnings(self) -> Iterator[Finding]:
        settings = self.plan.evaluation.settings
        yield from self.plan.evaluation.profile.findings(self.measures)
        yield from reader_warnings(self.facts, self.plan, JUDGMENTS)
        yield from self.told.missing
        if (grades := unusual_grades(self.facts)) is not None:
            yield from outlying_grades(self.plan.judgments_path, *grades)
        if without := self._without_relevant:
            judged = self.facts.judgments.judged
            yield errors.coverage.without_relevant(self.plan.judgments_path, without, judged, settings[0].level)
        yield from errors.findings.of_runs(self.told.equal_runs)
        averaged_over = alike(self.measures, [chosen.average_over for chosen in settings])
        one_by_one = [
            finding
            for number, run in enumerate(self.runs)
            for finding in (
                *reader_warnings(self.facts, self.plan, number),
                *([self.told.never_met[number]] if number in self.told.never_met else []),
                *queries_of_one_side(
                    run, self._silent[number], self._unknown[number], self.facts.judgments.judged, averaged_over
                ),
            )
        ]
        yield from errors.findings.of_runs([*one_by_one, *self.told.other_ids])
        yield from self._moved_by_ties()
        if (differing := self.facts.other_versions()) is not None:
            yield differing

    def _moved_by_ties(self) -> Iterator[Finding]:
        ranges = {
            run: could_be
            for number, (run, of_run) in enumerate(zip(self.runs, self.facts.runs, strict=True))
            if of_run["tied"] and (could_be := self._tied_mean(number))
        }
        if ranges:
            orders = [chosen.ties for chosen in self.plan.evaluation.settings]
            yield errors.coverage.tied_scores(ranges, alike(self.measures, orders))

    def _tied_mean(self, number: int) -> str:
        """The first measure whose mean ties could move, and between what; empty where there is none."""
        settings = self.plan.evaluation.settings
        views = dict.fromkeys(chosen.view for chosen in settings if chosen.ties != "average")
        for at in (at for view in views for at, chosen in enumerate(settings) if chosen.view == view):
            if settings[at].ties == "average" or not self._sums.get(Column(number, at, "low"), Sum()).moved:
                continue
            could_be = range_of_means(self._mean(Column(number, at, kind)).value for kind in sums.KINDS)
            if could_be:
                return f"{self.measures[at]} {could_be}"
        return ""

    @cached_property
    def _silent(self) -> list[Sequence[str]]:
        return [
            self._names(f"run = {number} AND known AND retrieved = 0", of_run.judged - of_run.answered)
            for number, of_run in enumerate(self.facts.runs)
        ]

    @cached_property
    def _unknown(self) -> list[Sequence[str]]:
        return [
            self._names(f"run = {number} AND NOT known", of_run.unknown)
            for number, of_run in enumerate(self.facts.runs)
        ]

    @cached_property
    def _without_relevant(self) -> Sequence[str]:
        return self._names(f"run = {JUDGMENTS} AND NOT has_relevant", self.facts.judgments.without_relevant)

    def _names(self, condition: str, count: int) -> Sequence[str]:
        """The queries for which something holds, by id; of very many, the first."""
        if not count:
            return ()
        found = self.rows.filter(condition).select("query").orderBy("query").limit(MOST_NAMES).collect()
        names = tuple(row["query"] for row in found)
        return names if len(names) == count else FirstNames(names, count)

    # As other results

    def _provenance(self, *, named: bool) -> Provenance:
        """What scores were measured on, and how; with the names of queries only where these are wanted."""
        judged = self.facts.judgments
        chunks = self.facts.chunks(JUDGMENTS)
        facts = JudgmentFacts(
            path=self.plan.judgments_path,
            queries=judged.judged,
            judgments=judged["judgments"],
            max_grade=self.plan.max_grade,
            find_sha256=self.sha256,
            without_relevant=tuple(self._without_relevant) if named else None,
            only_relevant=self._only_relevant,
            chunks=chunks and chunks[0],
        )
        return Provenance(
            facts,
            self.plan.evaluation.settings,
            tuple(self._run_facts(number, named=named) for number in range(len(self.runs))),
        )

    def _run_facts(self, number: int, *, named: bool) -> RunFacts:
        of_run, chunks = self.facts.runs[number], self.facts.chunks(number)
        path = self.plan.run_paths[number] if self.plan.run_paths else None
        return RunFacts(
            path=path,
            find_sha256=partial(file_hash, path),
            silent=tuple(self._silent[number]) if named else None,
            unknown=tuple(self._unknown[number]) if named else (),
            ties=TieCounts(of_run["tied"], of_run.with_ties),
            unjudged=UnjudgedCounts(of_run["retrieved"] - of_run["judged_retrieved"], of_run["retrieved"]),
            find_judged_at_10=partial(self._judged_at_10, number),
            chunks=chunks and chunks[0],
        )

    def _judged_at_10(self, number: int) -> float | None:
        return finite(self._mean(Column(number, JUDGED_AT_10)).value)

    @cached_property
    def _only_relevant(self) -> bool:
        judged = self.facts.judgments
        if self.plan.evaluation.groups is not None or judged.lowest is None or judged.lowest <= 0:
            return False
        if judged.lowest == judged.highest:
            return True
        sizes = self.rows.filter(f"run = {JUDGMENTS} AND finding IS NULL").groupBy("documents").count().collect()
        return median_at_most({row["documents"]: row["count"] for row in sizes}, FEW_PER_QUERY)

    def sha256(self) -> str:
        """The hash of what was judged, as of judgments in a file; it reads all of them."""
        digest = hashlib.sha256()
        for row in self.judgment_lines().toLocalIterator():
            digest.update(row["line"].encode())
        return digest.hexdigest()

    def collect(self) -> Scores:
        """All scores on the driver, as `cranfield.evaluate` gives them: for `compare`, `gate` and `report`."""
        fetched = self._scored.select("run", "query", "scores", "counted").toArrow()
        table = fetched.sort_by([("run", "ascending"), ("query", "ascending")]).combine_chunks()
        count = len(self.runs)
        queries = tuple(table["query"].slice(0, len(table) // count).to_pylist())
        values, counts = (
            sums.matrix(table[name].combine_chunks()).reshape(count, len(queries), -1).transpose(2, 0, 1)
            for name in ("scores", "counted")
        )
        return self._local(
            queries,
            np.ascontiguousarray(values),
            np.ascontiguousarray(counts),
            self._provenance(named=True),
            self.warnings,
        )

    def _local(
        self,
        queries: tuple[str, ...],
        values: Any,
        counts: Any,
        provenance: Provenance,
        warnings: tuple[Finding, ...] = (),
    ) -> Scores:
        return Scores(
            queries=queries,
            runs=self.runs,
            measures=self.measures,
            values=values,
            counted=np.ones(values.shape, dtype=np.bool_) if counts is None else counts,
            undefined=tuple(
                chosen.undefined or measure.definition.undefined
                for measure, chosen in zip(self.measures, provenance.settings, strict=True)
            ),
            provenance=provenance,
            find_warnings=constant(warnings),
        )

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the scores of all queries to a file on the driver that `load`, `compare` and `gate` read."""
        from cranfield.evaluating.saved_scores import save

        save(self.collect(), path)

    def __repr__(self) -> str:
        judged = counted(self.facts.judgments.judged, "query")
        return f"SparkScores({counted(len(self.runs), 'run')}, {judged}, {', '.join(map(str, self.measures))})"

    def __str__(self) -> str:
        return str(self.summary())

    def _repr_html_(self) -> str:
        return self.summary()._repr_html_()

    def __getitem__(self, measure: str) -> None:
        raise UsageError(
            "The scores of queries are on the cluster: per_query() is a data frame of them, collect() fetches them all."
        )


def ddl(schema: pa.Schema) -> str:
    """A schema as Spark reads it."""
    names = {"int32": "int", "int64": "bigint", "double": "double", "string": "string", "bool": "boolean"}
    names |= {"binary": "binary"}
    names |= {f"list<item: {type}>": f"array<{names[type]}>" for type in ("double", "bool", "string")}
    return ", ".join(f"`{field.name}` {names[str(field.type)]}" for field in schema)
