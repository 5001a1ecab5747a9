"""`cranfield compare`: which run is better, by how much, and is it real?"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

import click
from click.core import ParameterSource

from cranfield.cli.comparing import comparing_options
from cranfield.cli.inputs import Inputs, ranking_options, reading_options
from cranfield.cli.numbers import Whole
from cranfield.cli.output import chosen_format, echo_json, echo_sections, echo_table, printing_options
from cranfield.cli.results import scored_or_kept

ROWS = ("tsv", "csv", "jsonl")
"""Formats that are one table, for programs."""
READ = ("table", "markdown")
"""Formats that people read from the top, with sentences between tables."""

if TYPE_CHECKING:
    from cranfield.comparing.comparison import Comparison
    from cranfield.comparing.order_agreement import OrderAgreement
    from cranfield.comparing.sensitivity import Sensitivity
    from cranfield.comparing.systems import SystemComparison
    from cranfield.errors import Finding
    from cranfield.scores import Scores


@click.command()
@click.argument("files", metavar="QRELS RUN RUN...", nargs=-1, required=True)
@click.option(
    "-m",
    "--measure",
    "measures",
    multiple=True,
    metavar="NAME",
    help="A measure; may be repeated. The verdict is about the first. [default: nDCG@10 AP RR]",
)
@click.option(
    "--baseline",
    "baselines",
    multiple=True,
    metavar="RUN",
    help="What to compare with, by name; may be repeated. [default: the first run]",
)
@click.option("--all-pairs", is_flag=True, help="Compare every two runs.")
@comparing_options
@click.option(
    "--standardise",
    "--standardize",
    is_flag=True,
    help="Compare distances from each query's mean over all runs, in standard deviations.",
)
@click.option(
    "--movers",
    type=Whole(0),
    metavar="N",
    help="Queries that gained most and lost most, N of each. [default: 5 in table and markdown, else 0]",
)
@click.option(
    "--queries",
    metavar="FILE",
    help="What is known of queries: a table with their ids, texts and other columns.",
)
@click.option(
    "--by",
    multiple=True,
    metavar="COLUMN",
    help="Compare in slices too, by a column of --queries; `words` counts those of the text. May be repeated.",
)
@click.option(
    "--sensitivity",
    is_flag=True,
    help="Also: does the conclusion hold with other measures, ties, thresholds, queries and tests?",
)
@click.option(
    "--agreement",
    is_flag=True,
    help="Also: do measures put runs into the same order? Of two saved results of other judgments: do these?",
)
@click.option(
    "--system",
    "systems",
    multiple=True,
    metavar="NAME=RUNS",
    help="Runs of one system, with different seeds, by name or pattern: dense='dense-*'. May be repeated.",
)
@click.option("--plot", "figure", metavar="FILE", help="Draw the differences with their intervals: .svg, .pdf or .png.")
@click.option("--save", metavar="FILE", help="Keep every query's scores in a file, to compare with later.")
@click.option(
    "--allow-different-judgments",
    is_flag=True,
    help="Compare saved results of different judgments on the queries they share.",
)
@ranking_options
@printing_options
@reading_options
@click.option("--quiet", is_flag=True, help="No warnings and hints.")
def compare(
    files: tuple[str, ...],
    measures: tuple[str, ...],
    baselines: tuple[str, ...],
    all_pairs: bool,
    test: str,
    correction: str,
    interval: str,
    confidence: float,
    tie: float,
    resamples: int,
    seed: int,
    standardise: bool,
    movers: int | None,
    queries: str | None,
    by: tuple[str, ...],
    sensitivity: bool,
    agreement: bool,
    systems: tuple[str, ...],
    figure: str | None,
    save: str | None,
    allow_different_judgments: bool,
    rel: float | None,
    depth: int | None,
    judged_only: bool,
    form: str | None,
    places: int,
    judgments_format: str | None,
    run_format: str | None,
    columns: tuple[str, ...],
    quiet: bool,
) -> None:
    """Compare runs: how far apart are they, and is that real?

    \b
        cranfield compare qrels.txt bm25.run dense.run
        cranfield compare qrels.txt *.run --baseline bm25 -m nDCG@10 -m AP
        cranfield compare qrels.txt *.run --all-pairs --test tukey
        cranfield compare qrels.txt bm25.run dense.run --queries queries.tsv --by intent
        cranfield compare qrels.txt bm25.run dense.run --sensitivity
        cranfield compare qrels.txt bm25.run dense-*.run --system dense='dense-*'
        cranfield compare qrels.txt *.run -m nDCG@10 -m AP -m RR --agreement
        cranfield compare monday.json today.json

    Runs are compared query by query with a baseline, by default the first. Results that `--save` kept may stand in
    place of judgments and runs, or beside them.
    """
    from cranfield.comparing.comparison import compare as compare_all
    from cranfield.comparing.words import MOVERS

    of_systems = _systems(systems)
    if of_systems:
        _refuse(_NOT_OF_SYSTEMS, "does not go with --system, which has a test of its own")
    if figure is not None:
        from cranfield.figures.images import check

        check(figure)
    inputs = Inputs(judgments_format, run_format, columns)
    if (*files, queries).count("-") > 1:
        raise click.UsageError("Standard input can be read only once; give one file as -.")
    given = scored_or_kept(files, measures, inputs, rel=rel, depth=depth, judged_only=judged_only, quiet=quiet)
    shown = chosen_format(form)
    count = (MOVERS if shown in READ else 0) if movers is None else movers
    choices: dict[str, Any] = {
        "baseline": baselines or None,
        "all_pairs": all_pairs,
        "correction": correction,
        "confidence": confidence,
        "allow_different_judgments": allow_different_judgments,
    }
    if of_systems:
        from cranfield.comparing.systems import compare_systems

        found = compare_systems(given, of_systems, **choices)
        _save(found.results, save)
        _echo_systems(found, shown, places, quiet)
        return
    if agreement and _judged_otherwise(given):
        from cranfield.comparing.order_agreement import order_agreement

        _refuse(_NOT_OF_ORDERS, "does not go with --agreement of two judgments, which only compares orders of runs")
        _echo_orders(order_agreement(given[0], given[1], confidence=confidence, seed=seed), shown, places, quiet)
        return
    _refuse_idle(shown, queries, by, count, {"--sensitivity": sensitivity, "--agreement": agreement})
    comparison = compare_all(
        given,
        **choices,
        test=test,  # type: ignore[arg-type]  # click has checked the choices
        interval=interval,  # type: ignore[arg-type]
        tie=tie,
        resamples=resamples,
        seed=seed,
        standardise=standardise,
        queries=queries,
        by=by,
    )
    _save(comparison.results, save)
    if figure is not None:
        from cranfield.figures.images import save as save_figure

        save_figure(comparison.plot(), figure)
    further: dict[str, Sensitivity | OrderAgreement] = {}
    if sensitivity:
        further["sensitivity"] = comparison.sensitivity()
    if agreement:
        further["agreement"] = comparison.agreement()
    _echo(comparison, further, shown, places, count, quiet)


_NOT_OF_SYSTEMS = (
    *("test", "interval", "tie", "resamples", "seed", "standardise"),
    *("movers", "queries", "by", "sensitivity", "agreement", "figure"),
)
_NOT_OF_ORDERS = (
    *("baselines", "all_pairs", "test", "correction", "interval", "tie", "resamples", "standardise"),
    *("movers", "queries", "by", "sensitivity", "figure", "save"),
)


def _refuse(names: tuple[str, ...], why: str) -> None:
    """Options that would change nothing are refused, whatever value they were given."""
    context = click.get_current_context()
    for option in context.command.params:
        if option.name in names and context.get_parameter_source(option.name) is ParameterSource.COMMANDLINE:
            raise click.UsageError(f"{option.opts[0]} {why}.")


def _refuse_idle(form: str, queries: str | None, by: tuple[str, ...], count: int, tables: dict[str, bool]) -> None:
    """What a format would leave out without a word."""
    asked = [option for option, is_asked in tables.items() if is_asked]
    if form in ROWS and asked:
        others = [*asked[1:], *(["--by"] if by else []), *(["--movers"] if count else [])]
        if others:
            raise click.UsageError(f"{asked[0]} and {others[0]} are two tables; choose one, or --format json.")
    if queries is not None and not by and not count:
        raise click.UsageError(f"--queries needs --by COLUMN, or --movers N with --format {form}.")


def _judged_otherwise(given: list[Scores]) -> bool:
    """Whether two results have runs in common, by other judgments: whose orders can then be compared."""
    if len(given) != 2 or len(set(given[0].runs) & set(given[1].runs)) < 2:
        return False
    first, second = (part.provenance.judgments.sha256 for part in given)
    return first != second


def _echo_orders(orders: OrderAgreement, form: str, places: int, quiet: bool) -> None:
    if form == "json":
        echo_json({"agreement": orders.to_dict()})
    elif form in ROWS:
        echo_table(orders.long_table(), form, places)
    elif form == "latex":
        echo_table(orders.table(), form, places)
    else:
        echo_sections([orders.verdict(), orders.table()], form, places)
    _tell([orders.verdict()], (), form, quiet)


def _systems(said: tuple[str, ...]) -> dict[str, list[str]]:
    """The runs of each system that was named."""
    systems: dict[str, list[str]] = {}
    for text in said:
        name, equals, pattern = text.partition("=")
        if not (name and equals and pattern):
            raise click.UsageError(f"--system wants NAME=RUNS, such as dense='dense-*', and not {text!r}.")
        systems.setdefault(name, []).append(pattern)
    return systems


def _echo_systems(comparison: SystemComparison, form: str, places: int, quiet: bool) -> None:
    from cranfield.comparing import system_words

    differences = system_words.table(comparison, quiet=quiet)
    if form == "json":
        echo_json(comparison.to_dict())
    elif form in ROWS:
        echo_table(system_words.long_table(comparison), form, places)
    elif form == "latex":
        for position, table in enumerate((differences, comparison.runs_table())):
            click.echo("\n" * bool(position), nl=False)
            echo_table(table, form, places)
    else:
        echo_sections([comparison.verdict(places), differences, comparison.runs_table()], form, places)
    _tell([comparison.verdict(places)], comparison.results.warnings, form, quiet)


def _echo(
    comparison: Comparison,
    further: Mapping[str, Sensitivity | OrderAgreement],
    form: str,
    places: int,
    movers: int,
    quiet: bool,
) -> None:
    from cranfield.comparing import slice_words, words

    if form == "json":
        moved = {"movers": words.moved(comparison, movers)} if movers else {}
        echo_json({**comparison.to_dict(), **moved, **{name: part.to_dict() for name, part in further.items()}})
    elif form in ROWS:
        rows = [part.long_table() for part in further.values()] or [words.long_table(comparison, movers)]
        echo_table(rows[0], form, places)
    elif form == "latex":
        click.echo(words.latex(comparison, places), nl=False)
        for slicing in comparison.slicings:
            click.echo()
            echo_table(slice_words.table(comparison, slicing), form, places)
        if movers:
            click.echo()
            echo_table(words.movers(comparison, movers), form, places)
        for part in further.values():
            click.echo()
            echo_table(part.table(), form, places)
    else:
        parts = words.sections(comparison, places, movers, quiet=quiet)
        for part in further.values():
            parts += [part.verdict(), part.table()]
        echo_sections(parts, form, places)
    verdicts = [comparison.verdict(places)]
    verdicts += [slice_words.verdict(comparison, slicing) for slicing in comparison.slicings]
    _tell([*verdicts, *(part.verdict() for part in further.values())], comparison.warnings, form, quiet)


def _save(results: Scores, path: str | None) -> None:
    if path is not None:
        from cranfield.saved import save

        save(results, path)


def _tell(verdicts: Iterable[str], warnings: Iterable[Finding], form: str, quiet: bool) -> None:
    """Where a format is for programs, what a person should know goes to standard error."""
    from cranfield.show.table import wrapped

    if quiet or form in READ:
        return
    if form != "json":  # which has the verdict in it
        for verdict in verdicts:
            click.echo(wrapped(verdict), err=True)
    for warning in warnings:
        click.echo(f"warning: {warning}", err=True)
