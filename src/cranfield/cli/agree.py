"""`cranfield agree`: can the labels be trusted? Agreement between judges, and one grade from several."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from cranfield.cli.numbers import SEEDS, Real, Whole
from cranfield.cli.output import (
    chosen_format,
    echo_json,
    echo_sections,
    echo_table,
    echo_warnings,
    hint,
    printing_options,
)

if TYPE_CHECKING:
    from cranfield.data.labels import Labels
    from cranfield.judging.agree import Agreement
    from cranfield.judging.merging import Merged


@click.command()
@click.argument("labels", metavar="LABELS...", nargs=-1, required=True)
@click.option(
    "--judges",
    metavar="NAMES",
    help="Judges to compare, in this order; or the columns that hold their labels, such as Ann,Bob.",
)
@click.option("-l", "--level", type=Real(), metavar="GRADE", help="Make grades binary: relevant from this grade on.")
@click.option(
    "--metric",
    type=click.Choice(["nominal", "ordinal", "interval", "ratio"]),
    help="Distance of grades in Krippendorff's alpha. [default: ordinal; nominal for texts and two grades; interval "
    "for more than 25 grades]",
)
@click.option("--scale", metavar="GRADES", help="All grades that could be given, such as 0,1,2,3, if some were not.")
@click.option(
    "--weights",
    metavar="ROWS",
    help="Weights of your own for kappa, from 0 to 1, row by row: '1,0.5,0;0.5,1,0.5;0,0.5,1'.",
)
@click.option("--against", "reference", metavar="JUDGE", help="Compare every judge with this one, with calibration.")
@click.option("--runs", multiple=True, metavar="RUN", help="Evaluate a run by each judge's labels; may be repeated.")
@click.option(
    "-m", "--measure", "measures", multiple=True, metavar="NAME", help="A measure for --runs. [default: nDCG@10 AP]"
)
@click.option("--explain", "explained", nargs=2, metavar="JUDGE JUDGE", help="How the kappa of two judges arises.")
@click.option(
    "--merge",
    "rule",
    metavar="RULE",
    help="Write one grade for each document instead: majority, median, mean, maximum, minimum, adjudicated, "
    "dawid-skene, dawid-skene-graded.",
)
@click.option(
    "--ties",
    type=click.Choice(["lower", "higher", "mean"]),
    help="What --merge takes of two grades that are as good. [default: lower]",
)
@click.option("--adjudicator", metavar="JUDGE", help="Whose grade counts where others differ, for --merge adjudicated.")
@click.option(
    "-o",
    "--output",
    metavar="FILE",
    help="Where --merge writes: TREC (.qrels, .txt, .trec), or .csv, .tsv, .jsonl, .parquet. [default: standard "
    "output, as TREC unless --format says otherwise]",
)
@click.option("--all", "every", is_flag=True, help="Show every coefficient.")
@click.option("-q", "--per-query", is_flag=True, help="Also print every query.")
@click.option(
    "--disagreements",
    type=Whole(),
    metavar="N",
    help="Also print the N documents they differ about most.",
)
@click.option(
    "--interval",
    type=click.Choice(["queries", "items", "analytic"]),
    help="Intervals from samples of queries or of items, or from formulas. [default: queries where they are known]",
)
@click.option(
    "--confidence",
    type=Real(0, 1, min_open=True, max_open=True),
    default=0.95,
    show_default=True,
    help="Of the intervals.",
)
@click.option(
    "--samples",
    type=Whole(20, 1_000_000),
    default=1000,
    show_default=True,
    help="Number of random samples for intervals.",
)
@click.option("--seed", type=Whole(0, SEEDS), default=0, show_default=True, help="Random seed.")
@printing_options
@click.option(
    "--labels-format",
    metavar="NAME",
    help="Format of LABELS, instead of guessing: trec, csv, tsv, jsonl, json, parquet, arrow.",
)
@click.option("--run-format", metavar="NAME", help="Format of the runs.")
@click.option(
    "--layout",
    type=click.Choice(["labels", "ratings", "counts", "contingency"]),
    help="Layout of a table, instead of guessing: a row per label; a column per judge; a row per item with the number "
    "of labels of each category; or the table of two judges.",
)
@click.option(
    "--columns",
    metavar="ROLES",
    help="Which column is what: query=qid,document=pid,judge=who,grade=stars; or by position; or the levels of nested "
    "JSON: query,document,judge.",
)
@click.option("--quiet", is_flag=True, help="No warnings and hints.")
def agree(
    labels: tuple[str, ...],
    judges: str | None,
    level: float | None,
    metric: str | None,
    scale: str | None,
    weights: str | None,
    reference: str | None,
    runs: tuple[str, ...],
    measures: tuple[str, ...],
    explained: tuple[str, str] | None,
    rule: str | None,
    ties: str | None,
    adjudicator: str | None,
    output: str | None,
    every: bool,
    per_query: bool,
    disagreements: int | None,
    interval: str | None,
    confidence: float,
    samples: int,
    seed: int,
    form: str | None,
    places: int,
    labels_format: str | None,
    run_format: str | None,
    layout: str | None,
    columns: str | None,
    quiet: bool,
) -> None:
    """Tell how far judges agree, and what that does to a conclusion; or merge their labels.

    \b
        cranfield agree labels.csv
        cranfield agree ada.qrels ben.qrels --explain ada ben
        cranfield agree labels.csv --against ada --runs bm25.run --runs dense.run
        cranfield agree labels.csv --merge median -o qrels.txt

    Labels are a table with a row for each (query, document, judge, grade), a table with a column for each judge, a TREC
    file whose second column is the judge, a file for each judge, nested JSON, a book of Quepid, or a table of counts.
    Ids and texts beside the columns of judges are recognised, or --judges names the columns. An empty field is a label
    that was not given. Intervals come from random samples of queries, because documents of one query are not
    independent.
    """
    from cranfield.formats.labels import read_labels
    from cranfield.judging.agree import must_name_several

    if (*labels, *runs).count("-") > 1:
        raise click.UsageError("Standard input can be read only once; give one file as -.")
    _must_fit(rule, ties, adjudicator, output)
    if explained and weights is not None:
        raise click.UsageError("--explain tells how kappa without weights arises; it goes without --weights.")
    if rule is None:
        must_name_several(judges)
    if measures and not runs:
        raise click.UsageError("Measures are for runs: name some with --runs.")
    read = read_labels(list(labels), format=labels_format, columns=columns, judges=judges, layout=layout)  # type: ignore[arg-type]  # one of the choices
    if rule is not None:
        merged = _merged(read, rule, level, ties or "lower", adjudicator)
        _echo_merged(merged, None if output == "-" else output, form, places, quiet)
        return
    found = _agreement(
        read,
        level=level,
        metric=metric,
        scale=_numbers(scale, "--scale"),
        weights=_table(weights),
        reference=reference,
        runs=[_run(run, run_format) for run in runs] or None,
        measures=measures or None,
        interval=interval,
        confidence=confidence,
        samples=samples,
        seed=seed,
    )
    shown = chosen_format(form)
    if explained:
        _explain(found, explained, shown, places)
    elif shown == "json":
        echo_json(found.to_dict(per_query=per_query))
    elif shown in ("tsv", "csv", "jsonl"):
        echo_table(found.long_table(per_query=per_query), shown, places)
    else:
        _echo(found, shown, places, every=every, per_query=per_query, disagreements=disagreements or 0, quiet=quiet)
    echo_warnings(found.warnings, quiet=quiet or (shown == "table" and not explained))
    if shown == "table" and not explained and found.pairs:
        one, other = found.labels.judges[:2]
        hint(f"How a kappa arises: cranfield agree {' '.join(labels)} --explain {one} {other}", quiet=quiet)


def _agreement(labels: Labels, **given: Any) -> Agreement:
    from cranfield.judging.agree import agree as compare

    return compare(labels, **given)


def _echo(
    found: Agreement, shown: str, places: int, *, every: bool, per_query: bool, disagreements: int, quiet: bool
) -> None:
    from dataclasses import replace

    from cranfield.judging.words import sections

    told = replace(found, warnings=()) if quiet else found
    echo_sections(sections(told, every=every, per_query=per_query, disagreements=disagreements), shown, places)


def _explain(found: Agreement, judges: tuple[str, str], shown: str, places: int) -> None:
    explanation = found.explain(*judges)
    if shown == "json":
        echo_json(explanation.to_dict())
    elif shown in ("tsv", "csv", "jsonl"):
        echo_table(explanation.terms(), shown, places)
    else:
        echo_sections(explanation.sections(), shown, places)


def _must_fit(rule: str | None, ties: str | None, adjudicator: str | None, output: str | None) -> None:
    """Options of merging go with merging only, and those of agreement without it."""
    from cranfield.formats.writing import JUDGMENTS, form_of
    from cranfield.judging.merging import WITHOUT_TIES

    if rule is None:
        given = {"-o": output, "--ties": ties, "--adjudicator": adjudicator}
        if alone := [option for option, value in given.items() if value is not None]:
            raise click.UsageError(f"{alone[0]} goes with --merge.")
        return
    if asked := [option for name, option in _OF_AGREEMENT.items() if _was_given(name)]:
        raise click.UsageError(f"--merge goes without {' and '.join(asked)}.")
    if ties is not None and rule in WITHOUT_TIES:
        raise click.UsageError(f"--ties is of no use to --merge {rule}, which has no ties.")
    if output is not None and output != "-":
        form_of(output, JUDGMENTS, "judgments")


_OF_AGREEMENT = {
    "explained": "--explain",
    "runs": "--runs",
    "reference": "--against",
    "per_query": "--per-query",
    "disagreements": "--disagreements",
    "weights": "--weights",
    "every": "--all",
    "metric": "--metric",
    "scale": "--scale",
    "interval": "--interval",
    "confidence": "--confidence",
    "samples": "--samples",
    "seed": "--seed",
}


def _was_given(name: str) -> bool:
    source = click.get_current_context().get_parameter_source(name)
    return source is not None and source.name == "COMMANDLINE"


def _merged(labels: Labels, rule: str, level: float | None, ties: str, adjudicator: str | None) -> Merged:
    from cranfield.judging.merging import merge

    return merge(labels, rule, level=level, ties=ties, adjudicator=adjudicator)  # type: ignore[arg-type]  # it checks


def _echo_merged(merged: Merged, output: str | None, form: str | None, places: int, quiet: bool) -> None:
    if output is None:
        _echo_judgments(merged, form, places, quiet)
    else:
        merged.write(output)
        _echo_summary(merged, form, places)
    echo_warnings(merged.warnings, quiet=quiet)


def _echo_judgments(merged: Merged, form: str | None, places: int, quiet: bool) -> None:
    """The judgments themselves, as TREC has them unless a format was asked for."""
    if form is None:
        from cranfield.formats.writing import trec

        click.echo(trec(merged.judgments, merged.comments()), nl=False)
    elif form == "json":
        table = merged.table()
        echo_json({**merged.to_dict(), "rows": [dict(zip(table.columns, row, strict=True)) for row in table.rows]})
    else:
        # Others will count with these grades, so no digit is dropped unless that was asked for.
        exact = form in ("tsv", "csv") and not _was_given("places")
        echo_table(merged.table(exact=exact), form, places)
    if not quiet:
        click.echo(merged.verdict(), err=True)


def _echo_summary(merged: Merged, form: str | None, places: int) -> None:
    shown = chosen_format(form)
    if shown == "json":
        echo_json(merged.to_dict())
        return
    table = merged.judges_table()
    if shown in ("tsv", "csv", "jsonl"):
        echo_table(table if table is not None else merged.summary(), shown, places)
        return
    echo_sections([merged.verdict(), *([table] if table is not None else [])], shown, places)


def _run(path: str, format: str | None) -> Any:
    from cranfield.formats import read_run

    return read_run(path, format=format)


def _numbers(text: str | None, option: str) -> list[float] | None:
    if text is None:
        return None
    try:
        return [float(part) for part in text.split(",")]
    except ValueError:
        raise click.UsageError(f"{option} takes numbers with commas between them, not {text!r}.") from None


def _table(text: str | None) -> list[list[float]] | None:
    if text is None:
        return None
    rows = [_numbers(row, "--weights") for row in text.split(";")]
    return [row for row in rows if row is not None]
