"""`cranfield pool`: what to judge next."""

from __future__ import annotations

import click

from cranfield.choices import PoolOrder
from cranfield.cli.inputs import Inputs, reading
from cranfield.cli.options import Command, Real, Whole, choice, option, require_one_standard_input, seed
from cranfield.cli.output import Printing, echo_data, echo_warnings, printing, progress, show
from cranfield.cli.pool_inputs import level, measure, measure_at, persistence, pooled_runs, strata
from cranfield.file_endings import SHEETS, endings_of


@click.command(cls=Command)
@pooled_runs
@option(
    "--depth",
    type=Whole(),
    metavar="K",
    help="Pool the top K documents of each run. [default: 10; with a budget, or an adaptive or sampling strategy, 100]",
)
@option(
    "--strategy",
    metavar="NAME",
    default="depth",
    show_default=True,
    help="What comes first: depth, rrf, rbp, mtf (move-to-front), mm-ns or thompson (bandits), comparison (what could "
    "change the comparison of the runs most), sample (drawn from strata).",
)
@option("--budget", type=Whole(), metavar="N", help="Number of labels in all.")
@option("--labels-per-query", type=Whole(), metavar="N", help="Number of labels for each query.")
@option("--judgments", metavar="QRELS", help="Documents that are judged already, and so are left out.")
@measure
@level
@persistence
@strata
@option(
    "--order",
    type=choice(PoolOrder),
    help="Order of the documents of a query. [default: priority with a budget or with an adaptive or comparing "
    "strategy; else shuffled, so that judges see no rank]",
)
@seed
@option("--queries", metavar="FILE", help="Query file: id and text, shown next to the ids.")
@option("--documents", metavar="FILE", help="Document file: id, title and text, shown next to the ids.")
@option("--with-runs", is_flag=True, help="Also show which run found a document at which rank; not for judges' eyes.")
@option("--seconds-per-label", type=Real(0, min_open=True), metavar="N", help="Also show how long judging takes.")
@option(
    "--judges",
    metavar="NAMES",
    help=f"Judges, such as anna,ben: write a sheet for each ({', '.join(endings_of(SHEETS))}), with equal shares. With "
    "-o pool.xlsx these are pool-anna.xlsx and pool-ben.xlsx.",
)
@option(
    "--overlap",
    metavar="SHARE",
    help="For --judges: documents that several judges label, to measure agreement; a share or a number. [default: 20%]",
)
@option(
    "--overlap-judges",
    type=Whole(2),
    metavar="N",
    help="For --judges: number of judges for each of these documents. [default: all]",
)
@option(
    "-o",
    "--output",
    metavar="FILE",
    help="Write the documents: TREC (.txt, .qrels, .pool: `query 0 document`, to which a grade is added), .csv, .tsv, "
    ".xlsx, .json, .jsonl, .md or .tex; - is standard output as TREC.",
)
@option(
    "--qrels",
    metavar="FILE",
    help="For the strategy sample: write judgments with strata for xinfAP and infNDCG, with the grades of --judgments.",
)
@reading
@printing
def pool(
    runs: tuple[str, ...],
    depth: int | None,
    strategy: str,
    budget: int | None,
    labels_per_query: int | None,
    judgments: str | None,
    measure: str | None,
    rel: float | None,
    p: float,
    strata: str | None,
    order: PoolOrder | None,
    seed: int,
    queries: str | None,
    documents: str | None,
    with_runs: bool,
    seconds_per_label: float | None,
    judges: str | None,
    overlap: str | None,
    overlap_judges: int | None,
    output: str | None,
    qrels: str | None,
    inputs: Inputs,
    printing: Printing,
) -> None:
    """Choose documents to judge, from the top results of runs.

    \b
        cranfield pool bm25.run dense.run --depth 20 -o pool.jsonl \\
            --queries queries.tsv --documents documents.jsonl
        cranfield pool *.run --judgments qrels.txt -o pool.txt
        cranfield pool *.run --judgments qrels.txt --strategy comparison --budget 200
        cranfield pool *.run --judges anna,ben,cleo --overlap 20% -o pool.xlsx

    A pool is the set of documents that any run has in its top K. Documents that are judged already are left out. Run
    names and ranks are left out too, unless --with-runs asks for them.
    """
    from dataclasses import replace

    from cranfield.formats.writing import form_of
    from cranfield.pooling.choosing import pool as pool_of
    from cranfield.pooling.pools import FORMS

    _require_fitting(judges, overlap, overlap_judges, output, with_runs=with_runs)
    require_one_standard_input(*runs, judgments, queries, documents)
    if qrels and judgments is None:
        raise click.UsageError("--qrels writes judgments of a sample: give the labels with --judgments QRELS.")
    if output not in (None, "-"):
        form_of(str(output), FORMS, "a pool")
    with progress(quiet=printing.quiet) as watch:
        chosen = pool_of(
            [watch.watched(run) for run in inputs.runs(runs)],
            depth=depth,
            strategy=strategy,
            budget=budget,
            labels_per_query=labels_per_query,
            judgments=None if judgments is None else inputs.judgments(judgments),
            measure=measure_at(measure, rel),
            strata=strata,
            p=p,
            rel=1.0 if rel is None else rel,
            order=order,
            seed=seed,
            queries=queries,
            documents=documents,
        )
    if qrels:
        echo_warnings(chosen.write_qrels(qrels), quiet=printing.quiet)
    answer = replace(chosen, with_runs=with_runs, seconds_per_label=seconds_per_label, with_documents=output is None)
    if judges is not None and output is not None:
        sheets = answer.for_judges(judges, overlap=overlap, overlap_judges=overlap_judges, seed=seed)
        sheets.write(output)
        show(replace(sheets, path=output), printing)
        return
    if output == "-":
        echo_data(answer.trec(), answer, printing)
        return
    if output is not None:
        answer.write(output)
    show(answer, printing)


def _require_fitting(
    judges: str | None, overlap: str | None, overlap_judges: int | None, output: str | None, *, with_runs: bool
) -> None:
    """Refuse options that need others, before anything is read."""
    if judges is None:
        if overlap is not None or overlap_judges is not None:
            raise click.UsageError("--overlap and --overlap-judges need --judges NAMES.")
        return
    if output in (None, "-"):
        raise click.UsageError("--judges writes a sheet for each judge: add -o FILE, such as -o pool.xlsx.")
    if with_runs:
        raise click.UsageError("--judges and --with-runs do not go together: judges should not see runs and ranks.")
    from cranfield.formats.writing import form_of

    form_of(str(output), SHEETS, "a sheet")
