"""What a cluster tells of all parts together: counts, findings, and whether ids meet at all."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from cranfield import errors
from cranfield.errors import DataError, Finding, UsageError
from cranfield.spark.part import COUNTS, JUDGMENTS, PART, SHOWN, PartPlan, versions

if TYPE_CHECKING:
    from pyspark.sql import DataFrame


@dataclass(frozen=True)
class RunCounts:
    """Counts of one run, or of the judgments, over all queries."""

    sums: Mapping[str, int] = field(default_factory=dict)
    judged: int = 0
    answered: int = 0
    unknown: int = 0
    with_ties: int = 0
    without_relevant: int = 0
    findings: int = 0
    lowest: float | None = None
    highest: float | None = None
    from_zero: str | None = None
    """A query that has a rank 0, where there are only ranks."""
    from_one: str | None = None
    """One that has none."""

    def __getitem__(self, name: str) -> int:
        return self.sums.get(name) or 0


@dataclass(frozen=True)
class Facts:
    """Everything that is counted while scores are made."""

    judgments: RunCounts
    runs: tuple[RunCounts, ...]
    parts: tuple[Mapping[str, Any], ...]
    """What each part tells of itself."""
    findings: Mapping[int, tuple[Finding, ...]]
    """By the number of a run, or of the judgments: one for each kind, which stands for all."""

    @property
    def rows(self) -> int:
        """The rows of the judgments."""
        return sum(part.get("rows", 0) for part in self.parts)

    @property
    def not_given(self) -> int:
        """Those without a grade."""
        return sum(part.get("not_given", 0) for part in self.parts)

    def errors(self, number: int) -> list[Finding]:
        """What is wrong with a run, or with the judgments."""
        return [finding for finding in self.findings.get(number, ()) if finding.severity == "error"]

    def warnings(self, number: int) -> list[Finding]:
        """What is surprising there."""
        return [finding for finding in self.findings.get(number, ()) if finding.severity != "error"]

    def chunks(self, number: int) -> tuple[int, int] | None:
        """Chunks that were put together to documents, and those whose document has another id."""
        own = [
            part["chunks"] if number == JUDGMENTS else part["run_chunks"][str(number)]
            for part in self.parts
            if ("chunks" in part if number == JUDGMENTS else str(number) in part.get("run_chunks", {}))
        ]
        return (sum(one[0] for one in own), sum(one[1] for one in own)) if own else None

    def grade_counts(self) -> tuple[list[float], list[int]]:
        """The different grades and how often each was given."""
        counts: dict[float, int] = {}
        for part in self.parts:
            for value, count in zip(*part.get("grades", ((), ())), strict=True):
                counts[value] = counts.get(value, 0) + count
        return list(counts), list(counts.values())

    def other_versions(self) -> Finding | None:
        """That workers have other versions than this program."""
        return other_versions(self.parts)

    def one_group(self) -> bool:
        """Whether all queries of all parts have one subtopic or judge only."""
        judged = [part for part in self.parts if part.get("judged")]
        return bool(judged) and all(part.get("one_group") for part in judged)


def other_versions(parts: Iterable[Mapping[str, Any]]) -> Finding | None:
    """That workers have other versions than this program, by what parts tell of themselves."""
    distinct = {json.dumps(part["versions"], sort_keys=True): part["versions"] for part in parts}
    return errors.spark.other_versions(versions(), list(distinct.values()))


def gather(rows: DataFrame, plan: PartPlan) -> Facts:
    """All facts about the rows of all parts; this is when they are made."""
    from pyspark.sql import functions as sql

    known, retrieved = sql.col("known"), sql.col("retrieved")

    def count(condition: Any) -> Any:
        return sql.count(sql.when(condition, 1))

    about = sql.collect_list(sql.when(sql.col("run") == PART, sql.col("finding")))
    found = rows.groupBy("run").agg(
        *(sql.sum(name).alias(name) for name in COUNTS),
        count(sql.when(sql.col("run") == JUDGMENTS, sql.col("finding").isNull()).otherwise(known)).alias("judged"),
        count(known & (retrieved > 0)).alias("answered"),
        count(~known).alias("unknown"),
        count(sql.col("tied") > 0).alias("with_ties"),
        count(~sql.col("has_relevant")).alias("without_relevant"),
        count(sql.col("finding").isNotNull()).alias("findings"),
        sql.min("lowest").alias("lowest"),
        sql.max("highest").alias("highest"),
        sql.min(sql.when(sql.col("from_zero"), sql.col("query"))).alias("from_zero"),
        sql.min(sql.when(~sql.col("from_zero"), sql.col("query"))).alias("from_one"),
        about.alias("about"),
    )
    by_run = {row["run"]: row for row in found.collect()}
    parts = tuple(json.loads(text) for text in by_run[PART]["about"]) if PART in by_run else ()
    counts = {number: _counts(row) for number, row in by_run.items() if number != PART}
    with_findings = any(of_run.findings for of_run in counts.values())
    return Facts(
        counts.get(JUDGMENTS, RunCounts()),
        tuple(counts.get(number, RunCounts()) for number in range(len(plan.runs))),
        parts,
        _findings(rows, plan) if with_findings else {},
    )


def findings_of(rows: DataFrame, path_of: Callable[[int], str | None]) -> dict[int, tuple[Finding, ...]]:
    """The first few findings of each kind in rows of run, query and finding, by run, and how many there are."""
    from pyspark.sql import Window
    from pyspark.sql import functions as sql

    def fact(name: str) -> Any:
        return sql.get_json_object("finding", f"$.{name}")

    told = rows.filter(sql.col("finding").isNotNull()).select(
        "run",
        "query",
        "finding",
        *(fact(name).alias(name) for name in ("severity", "kind", "path")),
        fact("count").alias("times"),
    )
    alike = ("run", "severity", "kind", "path")
    first = Window.partitionBy(*alike).orderBy(sql.col("query").asc_nulls_first(), "finding")
    chosen = (
        told.withColumn("place", sql.row_number().over(first))
        .withColumn("all", sql.sum(sql.col("times").cast("bigint")).over(Window.partitionBy(*alike)))
        .filter(sql.col("place") <= SHOWN)
        .orderBy("run", "place")
    )
    by_kind: dict[tuple[Any, ...], list[Any]] = {}
    for row in chosen.collect():
        by_kind.setdefault(tuple(row[name] for name in alike), []).append(row)
    found: dict[int, list[Finding]] = {}
    for (run, severity, *_), same in by_kind.items():
        shown = [_finding(row["finding"], path_of(run)) for row in same]
        total = same[0]["all"]
        if severity == "error":
            rest = total - sum(finding.count for finding in shown)
            found.setdefault(run, []).extend([*shown[:-1], errors.spark.counted(shown[-1], rest)])
        else:
            found.setdefault(run, []).append(_merged(shown[0], total))
    return {run: tuple(findings) for run, findings in found.items()}


def _counts(row: Any) -> RunCounts:
    names = (
        *("judged", "answered", "unknown", "with_ties", "without_relevant", "findings"),
        *("lowest", "highest", "from_zero", "from_one"),
    )
    return RunCounts({name: row[name] for name in COUNTS}, **{name: row[name] for name in names})


def _findings(rows: DataFrame, plan: PartPlan) -> dict[int, tuple[Finding, ...]]:
    return findings_of(rows.filter(f"run != {PART}"), lambda run: plan.runs[run] if run >= 0 else plan.judgments_path)


def _merged(first: Finding, total: int) -> Finding:
    """A warning that stands for all of its kind."""
    if first.line is None and first.count == total:
        return first
    return replace(errors.spark.counted(first, total - 1), count=total)


def _finding(text: str, path: str | None) -> Finding:
    given = json.loads(text)
    return Finding(
        given["severity"], given["kind"], given["message"], given["advice"], given["path"] or path, count=given["count"]
    )


def stop_if_wrong(facts: Facts, plan: PartPlan) -> None:
    """Raise what would silently change a score, where an evaluation of all at once would."""
    usage = [text for part in facts.parts for text in part["usage"]]
    if found := facts.errors(JUDGMENTS):
        raise DataError(found)
    if usage:
        raise UsageError(min(usage))
    if not facts.judgments.judged and facts.rows and facts.not_given == facts.rows:
        raise DataError([errors.rows.no_grades_yet(plan.judgments_path, facts.rows)])
    for number, run in enumerate(facts.runs):
        found = facts.errors(number)
        if run.from_zero is not None and run.from_one is not None:
            found.append(errors.ranks.ranks_from_zero_and_one(plan.runs[number], run.from_zero, run.from_one))
        if found:
            raise DataError(found)


def reader_warnings(facts: Facts, plan: PartPlan, number: int) -> Iterator[Finding]:
    """What reading the judgments, or a run, would have told."""
    if number == JUDGMENTS:
        if facts.not_given:
            yield errors.rows.not_judged_yet(plan.judgments_path, facts.not_given, facts.rows)
        yield from facts.warnings(JUDGMENTS)
        groups = plan.evaluation.groups
        if groups in ("subtopic", "judge") and facts.one_group():
            yield errors.rows.one_group(plan.judgments_path, groups)
        return
    if facts.runs[number].from_zero is not None:
        yield errors.ranks.ranks_from_zero(plan.runs[number])
    yield from facts.warnings(number)


def unusual_grades(facts: Facts) -> tuple[Sequence[float], Sequence[int]] | None:
    """Grades with their counts, where they were counted."""
    values, counts = facts.grade_counts()
    return (values, counts) if values else None


def median_at_most(sizes: Mapping[int, int], most: int) -> bool:
    """Whether the median of some sizes, each of which comes so often, is at most a number.

    >>> median_at_most({1: 2, 12: 1}, 10), median_at_most({9: 1, 12: 1}, 10)
    (True, False)
    """
    ordered = sorted(sizes.items())
    ends = np.cumsum([count for _, count in ordered])
    total = int(ends[-1])
    middle = [ordered[int(np.searchsorted(ends, place, side="right"))][0] for place in ((total - 1) // 2, total // 2)]
    return sum(middle) / 2 <= most
