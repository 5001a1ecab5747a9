"""`cranfield evaluate`: one row per run, with intervals, coverage, ties and unjudged documents."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from cranfield.choices import BoundsKind, Engine
from cranfield.cli.inputs import EvaluationChoices, Inputs, evaluation, reading
from cranfield.cli.options import Command, choice, require_one_standard_input
from cranfield.cli.output import Printing, WorstChoices, hint, printing_scores, show, worst

if TYPE_CHECKING:
    from cranfield.evaluating.scores import Scores


@click.command(cls=Command)
@click.argument("judgments", metavar="QRELS")
@click.argument("runs", metavar="RUN...", nargs=-1, required=True)
@click.option(
    "-m",
    "--measure",
    "measures",
    multiple=True,
    metavar="NAME",
    help="A measure; may be repeated. [default: nDCG@10 AP RR R@100 Judged@10]",
)
@click.option("-q", "--per-query", is_flag=True, help="Also print every query's score.")
@click.option(
    "--bounds",
    type=choice(BoundsKind),
    multiple=True,
    help="Also print the range of each mean over all orders of equal scores (ties), or from worst to best case of "
    "unjudged documents; may be repeated.",
)
@worst
@click.option("--queries", metavar="FILE", help="Query file: id and text, for --worst.")
@click.option("--save", metavar="FILE", help="Save every query's scores to a file, to compare with later.")
@click.option(
    "--engine",
    type=choice(Engine),
    default="local",
    help="Compute here, or with Spark: QRELS and RUN are Parquet files, folders or patterns. [default: local]",
)
@evaluation
@printing_scores("latex")
@reading
def evaluate(
    judgments: str,
    runs: tuple[str, ...],
    measures: tuple[str, ...],
    per_query: bool,
    bounds: tuple[BoundsKind, ...],
    worst: WorstChoices,
    queries: str | None,
    save: str | None,
    engine: Engine,
    evaluation: EvaluationChoices,
    printing: Printing,
    inputs: Inputs,
) -> None:
    """Score one or several runs against judgments.

    \b
        cranfield evaluate qrels.txt bm25.run dense.run.gz
        cranfield evaluate qrels.txt bm25.run -m nDCG@10 -m 'AP(rel=2)' -q
        zcat bm25.run.gz | cranfield evaluate qrels.tsv - --format json

    Files may be TREC, BEIR, MS MARCO, CSV, TSV, JSON, JSONL, Parquet or Arrow, compressed or not; `-` is
    standard input. Measures may be spelt as here (`nDCG@10`), or as in trec_eval, ir_measures or ranx.
    """
    from cranfield.evaluating.score_tables import Evaluation

    require_one_standard_input(judgments, *runs, queries)
    if queries is not None and worst.worst is None:
        raise click.UsageError("--queries needs --worst N.")
    if engine == "spark":
        from cranfield.cli.spark import scores_on_spark

        scores = scores_on_spark(inputs, evaluation.plan(measures), judgments, runs, bounds, quiet=printing.quiet)
    else:
        scores = inputs.scores(evaluation.plan(measures), judgments, runs, quiet=printing.quiet)
    if save is not None:
        from cranfield.evaluating.saved_scores import save as save_results

        save_results(scores, save)
    digits = printing.digits(scores)
    answer = Evaluation(
        scores,
        with_queries=per_query,
        bounds=tuple(dict.fromkeys(bounds)),
        with_worst=worst.of(scores, queries, digits),
        digits=digits,
        paper=printing.paper,
    )
    show(answer, printing)
    if printing.form == "table" and (weakest := _weakest(scores)) is not None:
        example = f"{judgments} {runs[0]} --query {weakest} -m '{scores.measures[0]}'"
        hint(f"How a score is calculated: cranfield explain {example}", quiet=printing.quiet)


def _weakest(scores: Scores) -> str | None:
    """The first run's query with the lowest score of those it answered, if it answered any."""
    silent = set(scores.provenance.runs[0].silent or ())
    answered = [at for at, query in enumerate(scores.queries) if query not in silent]
    return scores.queries[answered[scores.values[0, 0][answered].argmin()]] if answered else None
