"""A second look at a few rows, where counts say that something is odd: do ids meet, are two runs the same one?"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from cranfield import errors
from cranfield.align import EXAMPLES, SMALL_SAMPLE
from cranfield.errors import DataError, Finding
from cranfield.errors.findings import about
from cranfield.evaluating.evaluation import SAMPLED_DOCUMENTS, SAMPLED_QUERIES, few_are_judged
from cranfield.spark.frames import Side
from cranfield.spark.part import JUDGMENTS
from cranfield.spark.spark_scores import SparkScores

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

MOST_IDS = 10_000
"""Ids of queries of each side that are compared."""


@dataclass(frozen=True)
class SecondLook:
    """Judgments and runs that were evaluated, to be looked at again."""

    scores: SparkScores
    judgments: Side
    runs: Sequence[Side]

    def missing_queries(self) -> tuple[Finding, ...]:
        """Queries that were to be evaluated, and that nobody judged."""
        chosen = self.scores.plan.evaluation.preparation.queries
        if chosen is None or self.scores.facts.judgments.judged == len(set(chosen.ids)):
            return ()
        rows = self.scores.rows.filter(f"run = {JUDGMENTS} AND finding IS NULL").select("query")
        judged = {row["query"] for row in rows.collect()}
        missing = [query for query in chosen.ids if query not in judged]
        if not judged:
            raise DataError([errors.chunks.no_judged_query(chosen.path, missing, self._queries(self.judgments.frame))])
        return (errors.chunks.queries_without_judgments(chosen.path, missing, len(chosen.ids)),)

    def never_met(self, number: int) -> Finding | None:
        """That no query, or no document, of a run is judged, which is hardly meant."""
        run, facts = self.runs[number], self.scores.facts.runs[number]
        path = self.scores.plan.judgments_path
        if not facts.answered:
            if self._is_left_out(run):
                return None
            if not facts.unknown:
                return about(errors.files.nothing_read(None, "rankings"), run.name)
            judged, retrieved = self._queries(self.judgments.frame), self._queries(run.frame)
            return errors.ids.ids_never_meet("query", path, run.name, judged, retrieved)
        if facts["matched"]:
            return None
        judged, retrieved = [], []
        for own, others in self._documents(number, EXAMPLES, EXAMPLES):
            judged += sorted(own)[:EXAMPLES]
            retrieved += sorted(others)[:EXAMPLES]
            if len(retrieved) >= EXAMPLES:
                break
        never = errors.ids.ids_never_meet("document", path, run.name, judged, retrieved)
        sure = facts.answered >= SMALL_SAMPLE or errors.ids.explained(judged, retrieved)
        return never if sure else replace(never, severity="warning")

    def other_ids(self) -> tuple[Finding, ...]:
        """Ids of documents that match judged ones in another spelling, where suspiciously few are judged."""
        return tuple(finding for number in range(len(self.runs)) for finding in self._other_ids(number))

    def _other_ids(self, number: int) -> Iterator[Finding]:
        run, facts = self.runs[number], self.scores.facts.runs[number]
        relevant = self.scores.facts.judgments["relevant"]
        if few_are_judged(facts["judged_in_ten"], facts["first_ten"], facts["relevant_retrieved"], relevant):
            sampled = self._sampled(number)
            yield from errors.coverage.other_document_ids(run.name, sampled, " of the first queries")

    def _sampled(self, number: int) -> Iterator[tuple[Collection[str], Collection[str]]]:
        documents = 0
        for judged, retrieved in self._documents(number, SAMPLED_QUERIES, MOST_IDS):
            yield judged, retrieved
            documents += len(retrieved)
            if documents >= SAMPLED_DOCUMENTS:
                return

    def _documents(self, number: int, queries: int, most: int) -> list[tuple[list[str], list[str]]]:
        """Judged and retrieved documents of the first judged queries of a run, at most so many of each query."""
        answered = self.scores.rows.filter(f"run = {number} AND known AND retrieved > 0")
        names = [row["query"] for row in answered.select("query").orderBy("query").limit(queries).collect()]
        sides = [self._documents_of(side.frame, names, most) for side in (self.judgments, self.runs[number])]
        return [(sides[0].get(name, []), sides[1].get(name, [])) for name in names]

    def _documents_of(self, frame: DataFrame, queries: Sequence[str], most: int) -> dict[str, list[str]]:
        from pyspark.sql import Window
        from pyspark.sql import functions as sql

        place = sql.row_number().over(Window.partitionBy("query").orderBy("document"))
        own = frame.filter(sql.col("query").isin(list(queries))).select("query", "document", place.alias("place"))
        found: dict[str, list[str]] = {}
        for row in own.filter(sql.col("place") <= most).orderBy("query", "place").collect():
            found.setdefault(row["query"], []).append(row["document"])
        return found

    def _queries(self, frame: DataFrame) -> list[str]:
        names = frame.select("query").distinct().orderBy("query").limit(MOST_IDS).collect()
        return [row["query"] for row in names]

    def _is_left_out(self, run: Side) -> bool:
        """Whether a run has judged queries, though none of those that were to be evaluated."""
        if self.scores.plan.evaluation.preparation.queries is None:
            return False
        return run.frame.join(self.judgments.frame.select("query"), "query", "left_semi").limit(1).count() > 0

    def equal_runs(self) -> tuple[Finding, ...]:
        """Runs of several names with the same content."""
        found: list[Finding] = []
        known: list[int] = []
        for number, run in enumerate(self.runs):
            same = next((other for other in known if self._are_equal(number, other)), None)
            if same is None:
                known.append(number)
            else:
                found.append(errors.coverage.same_rankings(run.name, self.runs[same].name))
        return tuple(found)

    def _are_equal(self, number: int, other: int) -> bool:
        """Whether two runs have the same rows; those with the same counts are compared row by row."""
        facts = self.scores.facts.runs
        if facts[number] != facts[other]:
            return False
        one, two = (self.runs[at].frame for at in (number, other))
        if sorted(one.columns) != sorted(two.columns):
            return False
        two = two.select(*one.columns)
        return not (one.exceptAll(two).limit(1).count() or two.exceptAll(one).limit(1).count())
