"""`cranfield agree`: can the labels be trusted? Agreement between judges."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from cranfield.choices import AgreementInterval, AlphaMetric, BenchmarkScale, Duplicates
from cranfield.cli.inputs import Inputs, duplicates, run_queries
from cranfield.cli.label_inputs import LabelInputs, kappa_of_table, label_reading, level, require_labels, scale, table
from cranfield.cli.options import Command, Real, Whole, choice, numbers, option, require_one_standard_input, seed
from cranfield.cli.output import Printing, hint, printing, show
from cranfield.file_endings import SHEETS, endings_of

if TYPE_CHECKING:
    from cranfield.judging.answer import Agreement


@click.command(cls=Command)
@click.argument("labels", metavar="LABELS...", nargs=-1)
@table
@level
@option(
    "--metric",
    type=choice(AlphaMetric),
    help="Distance of grades in Krippendorff's alpha. [default: ordinal; nominal for texts and two grades; interval "
    "for more than 25 grades]",
)
@scale
@option(
    "--weights",
    metavar="NAME|ROWS",
    help="Other weights of near misses: linear, quadratic, ordinal, radical, ratio, circular or bipolar; or your own, "
    "from 0 to 1, row by row: '1,0.5,0;0.5,1,0.5;0,0.5,1'.",
)
@option(
    "--null",
    type=Real(-1, 1, max_open=True),
    metavar="VALUE",
    help="Also test whether coefficients differ from this value, such as 0 or 0.6 (two-sided p).",
)
@option(
    "--benchmark",
    type=choice(BenchmarkScale),
    help="Also interpret coefficients by a scale, with the probability that each level is reached.",
)
@option("--against", "reference", metavar="JUDGE", help="Compare every judge with this one, with calibration.")
@option("--run", "runs", multiple=True, metavar="RUN", help="Evaluate a run by each judge's labels; may be repeated.")
@option("-m", "--measure", "measures", multiple=True, metavar="NAME", help="Measure for --run. [default: nDCG@10 AP]")
@option("--all", "with_all", is_flag=True, help="Show every coefficient.")
@option("-q", "--per-query", is_flag=True, help="Also print every query.")
@option("--disagreements", type=Whole(), metavar="N", help="Also print the N documents judges disagree about most.")
@option("--queries", metavar="FILE", help="Query file: id and text, shown with --disagreements and in the sheet of -o.")
@option("--documents", metavar="FILE", help="Document file: id, title and text, shown in the same places.")
@option(
    "-o",
    "--output",
    metavar="FILE",
    help="Write the documents judges disagree about, all or the N of --disagreements, to a sheet with an empty column "
    f"grade ({', '.join(endings_of(SHEETS))}). Filled in, it goes to `cranfield merge --adjudicated`.",
)
@option(
    "--interval",
    type=choice(AgreementInterval),
    help="Intervals from samples of queries or of items, or from formulas. [default: queries where they are known]",
)
@option(
    "--confidence",
    type=Real(0, 1, min_open=True, max_open=True),
    default=0.95,
    show_default=True,
    help="Confidence level of intervals.",
)
@option(
    "--samples",
    type=Whole(20, 1_000_000),
    default=1000,
    show_default=True,
    help="Number of random samples for intervals.",
)
@seed
@label_reading
@option("--run-format", metavar="NAME", group="Reading files", help="Format of the runs.")
@duplicates
@run_queries
@printing
@click.pass_context
def agree(
    context: click.Context,
    labels: tuple[str, ...],
    table: str | None,
    level: float | None,
    metric: AlphaMetric | None,
    scale: str | None,
    weights: str | None,
    null: float | None,
    benchmark: BenchmarkScale | None,
    reference: str | None,
    runs: tuple[str, ...],
    measures: tuple[str, ...],
    with_all: bool,
    per_query: bool,
    disagreements: int | None,
    queries: str | None,
    documents: str | None,
    output: str | None,
    interval: AgreementInterval | None,
    confidence: float,
    samples: int,
    seed: int,
    inputs: LabelInputs,
    run_format: str | None,
    duplicates: Duplicates | None,
    run_queries: str | None,
    printing: Printing,
) -> None:
    """Agreement between judges, and whether conclusions depend on them.

    \b
        cranfield agree labels.csv
        cranfield agree ada.qrels ben.qrels --disagreements 10
        cranfield agree labels.csv --queries queries.tsv --documents documents.jsonl -o sheet.csv
        cranfield agree labels.csv --against ada --run bm25.run --run dense.run
        cranfield agree --table "70 10; 20 300"

    Labels are a table with a row for each (query, document, judge, grade), a table with a column for each judge, a TREC
    file whose second column is the judge, a file for each judge, nested JSON, a Quepid book, or a table of counts.
    Columns with ids and texts are recognised, or --judges names the columns of the judges. An empty field is a label
    that was not given. Intervals come from random samples of queries, because documents of one query are not
    independent.
    """
    from dataclasses import replace

    from cranfield.formats.writing import form_of
    from cranfield.judging.agree import agree as agreement_of
    from cranfield.judging.agree import require_several_judges

    if table is not None:
        show(kappa_of_table(context, table), printing)
        return
    require_labels(labels)
    require_one_standard_input(*labels, *runs, queries, documents, run_queries)
    require_several_judges(inputs.judges)
    if (queries or documents) and not (disagreements or output):
        raise click.UsageError(
            "--queries and --documents add texts to the list of disagreements: add --disagreements N or -o FILE."
        )
    if output is not None:
        form_of(output, SHEETS, "a sheet")
    if measures and not runs:
        raise click.UsageError("-m is the measure for runs: name runs with --run.")
    agreement = agreement_of(
        inputs.labels(labels),
        level=level,
        metric=metric,
        scale=None if scale is None else numbers(scale, "--scale"),
        weights=_weights(weights),
        null=null,
        benchmark=benchmark,
        reference=reference,
        runs=Inputs(None, run_format, (), duplicates, run_queries).runs(runs) if runs else None,
        measures=measures or None,
        queries=queries,
        documents=documents,
        interval=interval,
        confidence=confidence,
        samples=samples,
        seed=seed,
    )
    if output is not None:
        agreement.write_adjudication_sheet(output, disagreements)
    shown = 0 if output else disagreements or 0
    show(replace(agreement, with_all=with_all, with_queries=per_query, with_disagreements=shown), printing)
    if output is not None:
        _tell_of_sheet(agreement, output, disagreements, labels, quiet=printing.quiet)
    if agreement.pairs:
        two = ",".join(agreement.labels.judges[:2])
        hint(
            f"How a kappa is computed: cranfield agree explain {' '.join(labels)} --judges {two}", quiet=printing.quiet
        )


def _weights(text: str | None) -> Any:
    """A name of weights, or a table of them."""
    if text is None or (any(map(str.isalpha, text)) and not {",", ";"} & set(text)):
        return text
    return [numbers(row, "--weights") for row in text.split(";")]


def _tell_of_sheet(agreement: Agreement, path: str, most: int | None, labels: tuple[str, ...], *, quiet: bool) -> None:
    """How much there is to decide, and what comes next."""
    from cranfield.judging.disagreements import number_of_disagreements
    from cranfield.phrases import counted

    there = number_of_disagreements(agreement.labels)
    written = there if most is None else min(most, there)
    of = f" of {there:,}" if written < there else ""
    if not quiet:
        click.echo(
            f"Wrote {path}: {counted(written, 'document')}{of} to decide. Fill in the column grade, then: "
            f"cranfield merge {' '.join(labels)} --adjudicated {path} -o qrels.txt",
            err=True,
        )
