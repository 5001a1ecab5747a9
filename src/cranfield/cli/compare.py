"""`cranfield compare`: which run is better, by how much, and is it real?"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import click

from cranfield.cli.comparing import comparing_options
from cranfield.cli.inputs import Inputs, ranking_options, reading_options
from cranfield.cli.numbers import Whole
from cranfield.cli.output import chosen_format, echo_json, echo_sections, echo_table, printing_options
from cranfield.cli.results import scored_or_kept

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
@click.option("--movers", type=Whole(0), default=5, show_default=True, help="Queries shown that moved most.")
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
    movers: int,
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

    of_systems = _systems(
        systems,
        {
            "--test": test != "randomization",
            "--by": by,
            "--sensitivity": sensitivity,
            "--agreement": agreement,
            "--standardise": standardise,
            "--plot": figure,
        },
    )
    if figure is not None:
        from cranfield.figures.images import check

        check(figure)
    inputs = Inputs(judgments_format, run_format, columns)
    if (*files, queries).count("-") > 1:
        raise click.UsageError("Standard input can be read only once; give one file as -.")
    given = scored_or_kept(files, measures, inputs, rel=rel, depth=depth, judged_only=judged_only, quiet=quiet)
    shown = chosen_format(form)
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

        _echo_orders(order_agreement(given[0], given[1], confidence=confidence, seed=seed), shown, places)
        return
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
    _echo(comparison, further, shown, places, movers, quiet)


def _judged_otherwise(given: list[Scores]) -> bool:
    """Whether two results have runs in common, by other judgments: whose orders can then be compared."""
    if len(given) != 2 or len(set(given[0].runs) & set(given[1].runs)) < 2:
        return False
    first, second = (part.provenance.judgments.sha256 for part in given)
    return first != second


def _echo_orders(orders: OrderAgreement, form: str, places: int) -> None:
    if form == "json":
        echo_json({"agreement": orders.to_dict()})
    elif form in ("tsv", "csv", "jsonl"):
        echo_table(orders.long_table(), form, places)
    elif form == "latex":
        echo_table(orders.table(), form, places)
    else:
        echo_sections([orders.verdict(), orders.table()], form, places)


def _systems(said: tuple[str, ...], others: dict[str, object]) -> dict[str, list[str]]:
    """The runs of each system that was named."""
    systems: dict[str, list[str]] = {}
    for text in said:
        name, equals, pattern = text.partition("=")
        if not (name and equals and pattern):
            raise click.UsageError(f"--system wants NAME=RUNS, such as dense='dense-*', and not {text!r}.")
        systems.setdefault(name, []).append(pattern)
    if systems and (unfit := [option for option, is_said in others.items() if is_said]):
        raise click.UsageError(f"{unfit[0]} does not go with --system, which has a test of its own.")
    return systems


def _echo_systems(comparison: SystemComparison, form: str, places: int, quiet: bool) -> None:
    from cranfield.comparing import system_words

    if form == "json":
        echo_json(comparison.to_dict())
    elif form in ("tsv", "csv", "jsonl"):
        echo_table(system_words.long_table(comparison), form, places)
    elif form == "latex":
        for position, table in enumerate((comparison.table(), comparison.runs_table())):
            click.echo("\n" * bool(position), nl=False)
            echo_table(table, form, places)
    else:
        echo_sections([comparison.verdict(places), comparison.table(), comparison.runs_table()], form, places)
    _warn(comparison.results.warnings, form, quiet)


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
        echo_json({**comparison.to_dict(), **{name: part.to_dict() for name, part in further.items()}})
    elif form in ("tsv", "csv", "jsonl"):
        if len(further) > 1:
            raise click.UsageError(f"--{' and --'.join(further)} are two tables; choose one, or --format json.")
        rows = [part.long_table() for part in further.values()] or [words.long_table(comparison)]
        echo_table(rows[0], form, places)
    elif form == "latex":
        click.echo(words.latex(comparison, places), nl=False)
        for slicing in comparison.slicings:
            click.echo()
            echo_table(slice_words.table(comparison, slicing), form, places)
        for part in further.values():
            click.echo()
            echo_table(part.table(), form, places)
    else:
        parts = words.sections(comparison, places, movers)
        for part in further.values():
            parts += [part.verdict(), part.table()]
        echo_sections(parts, form, places)
    _warn(comparison.warnings, form, quiet)


def _save(results: Scores, path: str | None) -> None:
    if path is not None:
        from cranfield.saved import save

        save(results, path)


def _warn(warnings: tuple[Finding, ...], form: str, quiet: bool) -> None:
    # Tables show warnings below themselves; other formats may go where nobody reads them.
    if form not in ("table", "markdown") and not quiet:
        for warning in warnings:
            click.echo(f"warning: {warning}", err=True)
