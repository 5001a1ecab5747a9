"""From judgments and a run to what is printed: every query's values, and what stands at `all`."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import cast

import numpy as np
import numpy.typing as npt

from cranfield.align import Alignment, align
from cranfield.arrays import Floats
from cranfield.choices import TieOrder
from cranfield.compat.trec_eval.arguments import Options
from cranfield.compat.trec_eval.entries import PrintedLine, Texts
from cranfield.compat.trec_eval.judgments import FORMATS, ReadJudgments, twice
from cranfield.compat.trec_eval.outcome import Exit, TrecEvalError, shown
from cranfield.compat.trec_eval.quirks import Score
from cranfield.compat.trec_eval.runs import ReadRun
from cranfield.compat.trec_eval.zscores import Means, as_zscores
from cranfield.data.judgments import Judgments
from cranfield.data.run import Ranking, Run
from cranfield.evaluating.aggregate import GEOMETRIC_FLOOR
from cranfield.grouped_ranking import grouped_blocks
from cranfield.kernels.plain import all_ranks
from cranfield.measures.scoring import View

NOBODY_S = ""
"""A document that no file can name: what a query without results is given, as trec_eval 10 gives one."""


@dataclass(frozen=True)
class Values:
    """What is printed for queries: by line, then by query."""

    queries: tuple[str, ...]
    """Those evaluated, in byte order."""
    columns: tuple[Floats | list[str], ...]


def evaluated_queries(judgments: Judgments, run: ReadRun, options: Options) -> tuple[str, ...]:
    """The queries that are evaluated: those of both files, or with -c, from version 10 on, all judged ones."""
    common = [query for query in judgments.queries if query in run.documents]
    silent = [query for query in judgments.queries if query not in run.documents]
    if options.version.goes_by_judgments and options.complete:
        common = list(judgments.queries)
    elif common and silent and options.version.goes_by_judgments and options.only_query is None:
        raise TrecEvalError(
            Exit.CALCULATION,
            f"{_without_results(silent, judgments.queries)}\n"
            "-c counts them as 0; --like 9.0.8 leaves them out of the means",
        )
    if options.only_query is not None:
        common = [query for query in common if query == options.only_query]
    if not common:
        raise TrecEvalError(Exit.NOTHING_IN_COMMON, "No queries with both results and relevance info")
    return tuple(common)


def notes_on_queries(judgments: Judgments, run: ReadRun, options: Options) -> list[str]:
    """What happens to judged queries that the run has no results for."""
    silent = [query for query in judgments.queries if query not in run.documents]
    if options.complete and len(silent) == len(judgments.queries):
        return ["no query of the run is judged: every value is that of a run without results"]
    if silent and not options.complete and options.only_query is None:
        told = _without_results(silent, judgments.queries)
        return [f"{told}; they are left out of the means, -c counts them as 0"]
    return []


def values_of(read: ReadJudgments, run: ReadRun, lines: Sequence[PrintedLine], options: Options) -> Values:
    """Every line's value for every query that is evaluated."""
    judgments = read.judgments
    queries = evaluated_queries(judgments, run, options)
    for query in queries:
        if query in read.wrong:
            raise TrecEvalError(Exit.CALCULATION, read.wrong[query])
    by_preference = FORMATS[options.judgments_format].kind == "preference"
    # Preferences have a tie order of their own.
    ties: TieOrder = "document-ascending" if by_preference else "document"
    alignment = align(
        Run(run.name, lambda findings: iter([_ranking(query, run, options.depth, ties) for query in queries])),
        judgments,
        ties=ties,
        precision=options.version.precision,
        must_meet=False,
    )
    places = np.array([judgments.position[query] for query in queries])
    # Preferences are of judged documents in any case.
    view = View(options.depth, options.judged_only and not by_preference)
    columns = columns_of(alignment, lines, view)
    silent = np.array([query not in run.documents for query in queries])
    return Values(
        queries,
        tuple(_of_silent(line, _at(column, places), silent) for line, column in zip(lines, columns, strict=True)),
    )


def columns_of(alignment: Alignment, lines: Sequence[PrintedLine], view: View) -> list[Floats | list[str]]:
    """Each line's value of every judged query."""
    count = len(alignment.judgments.queries)
    columns: list[Floats | list[str]] = [[""] * count if line.entry.is_text else np.empty(count) for line in lines]
    blocks = alignment.blocks() if alignment.judgments.groups is None else grouped_blocks(alignment)
    for places, judged in blocks:
        seen = view(judged)
        for column, line in zip(columns, lines, strict=True):
            if isinstance(column, list):
                for place, text in zip(places.tolist(), cast(Texts, line.score)(seen), strict=True):
                    column[place] = text
            else:
                column[places] = cast(Score, line.score)(seen)
    return columns


def as_deviations(values: Values, lines: Sequence[PrintedLine], means: Means) -> Values:
    """The values as deviations from means; text stays as it is."""
    return Values(
        values.queries,
        tuple(
            column if line.entry.is_text else as_zscores(cast(Floats, column), values.queries, line.name, means)
            for line, column in zip(lines, values.columns, strict=True)
        ),
    )


def summary_of(
    line: PrintedLine, column: Floats | list[str], judgments: Judgments, run: ReadRun, options: Options
) -> float | str:
    """What a line says at `all`."""
    averaged = len(judgments.queries) if options.complete else len(column)
    match line.entry.summary:
        case "none":
            return ""
        case "run":
            return run.name
        case "queries":
            return float(averaged)
        case "relevant" if options.complete:
            # -l does not touch this count: it is taken from the judgments, of all grades above 0.
            return float((judgments.grades > 0).sum())
        case "sum" | "relevant":
            return _running_sum(column)
        case "geometric":
            missing = (averaged - len(column)) * math.log(GEOMETRIC_FLOOR)
            return math.exp((_running_sum(column) + missing) / averaged)
        case _:
            return _running_sum(column) / averaged


def _running_sum(column: Floats | list[str]) -> float:
    """Added up query by query: another order could change the last digit."""
    return float(np.add.accumulate(np.asarray(column, dtype=np.float64))[-1])


def _at(column: Floats | list[str], places: npt.NDArray[np.int64]) -> Floats | list[str]:
    return [column[place] for place in places.tolist()] if isinstance(column, list) else column[places]


def _of_silent(line: PrintedLine, column: Floats | list[str], silent: npt.NDArray[np.bool_]) -> Floats | list[str]:
    """Queries without results were given a document; what counts that one takes it back."""
    if not line.entry.counts_retrieved:
        return column
    if isinstance(column, list):
        return ["" if is_silent else text for text, is_silent in zip(column, silent, strict=True)]
    return np.where(silent, 0.0, column)


def _ranking(query: str, run: ReadRun, depth: int | None, ties: TieOrder) -> Ranking:
    documents = run.documents.get(query, [NOBODY_S])
    scores = np.concatenate(run.scores[query]) if query in run.scores else np.ones(1)
    if len(set(documents)) < len(documents):
        if depth is not None:
            # Only what is left after -M must be listed once.
            kept = np.flatnonzero(all_ranks(documents, scores, ties) <= depth).tolist()
            documents, scores = [documents[at] for at in kept], scores[kept]
        if repeated := _repeated(documents):
            raise TrecEvalError(Exit.CALCULATION, twice("the run", query, repeated))
    return Ranking(query, documents, scores, range(1, len(documents) + 1))


def _repeated(documents: Sequence[str]) -> str:
    """The first document that comes again."""
    seen: set[str] = set()
    for document in documents:
        if document in seen:
            return document
        seen.add(document)
    return ""


def _without_results(silent: Sequence[str], judged: Sequence[str]) -> str:
    some = ", ".join(map(shown, silent[:3])) + ", …" * (len(silent) > 3)
    have = "has" if len(silent) == 1 else "have"
    return f"{len(silent)} of {len(judged)} judged queries {have} no results ({some})"
