"""`cranfield pool`: what to judge next, how soon it pays, and what a pool is worth to systems outside it."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import click

from cranfield.cli.inputs import Inputs, reading_options
from cranfield.cli.numbers import SEEDS, Real, Whole
from cranfield.cli.output import FORMATS, chosen_format, echo_json, echo_sections, echo_table, echo_warnings
from cranfield.cli.progress import progress

if TYPE_CHECKING:
    from cranfield.data.run import Run
    from cranfield.measures import Measure
    from cranfield.pooling.label_plan import LabelPlan
    from cranfield.pooling.pools import Pool
    from cranfield.pooling.reuse import Reusability
    from cranfield.pooling.sample_size import SamplePlan
    from cranfield.pooling.simulation import Simulation
    from cranfield.show.table import Table

POOLS = ("trec", "csv", "tsv", "json", "jsonl", "markdown", "latex")
"""How a pool is written."""


@click.command()
@click.argument("runs", metavar="RUN...", nargs=-1)
@click.option(
    "--depth",
    type=Whole(),
    metavar="K",
    help="How many documents of each run are in the pool. [default: 10; where documents are chosen by a budget or "
    "a strategy that learns or draws, 100]",
)
@click.option(
    "--strategy",
    "--priority",
    metavar="NAME",
    default="depth",
    show_default=True,
    help="What comes first: depth, rrf, rbp, mtf (move-to-front), mm-ns or thompson (bandits), comparison (what could "
    "change the comparison of the runs most), sample (drawn from strata).",
)
@click.option("--budget", type=Whole(), metavar="N", help="How many labels there are in all.")
@click.option("--per-query", type=Whole(), metavar="N", help="How many labels there are for each query.")
@click.option("--judgments", metavar="QRELS", help="What is judged already, and so is left out.")
@click.option(
    "-m",
    "--measure",
    "measures",
    multiple=True,
    metavar="NAME",
    help="The measure runs are compared by, with comparison, --width and --reusability. [default: nDCG@10; for the "
    "width of a sample P@10]",
)
@click.option(
    "-l", "--level", "rel", type=Real(), metavar="GRADE", help="Grade from which a document is relevant. [default: 1]"
)
@click.option(
    "-p",
    type=Real(0, 1, min_open=True, max_open=True),
    default=0.8,
    show_default=True,
    help="How far down rank-biased precision reads, for the strategy rbp.",
)
@click.option(
    "--strata",
    metavar="RANK:RATE,...",
    help="Of a sample: last rank of each stratum, and the share of it to judge. [default: 10:1,50:0.2,100:0.05]",
)
@click.option(
    "--order",
    type=click.Choice(["shuffled", "priority", "rank"]),
    help="How the documents of a query are ordered. [default: priority with a budget or a strategy that learns or "
    "compares; else shuffled, so that whoever judges sees no rank]",
)
@click.option("--seed", type=Whole(0, SEEDS), default=0, show_default=True, help="Of everything that is drawn.")
@click.option("--queries", metavar="FILE", help="Texts of queries, to stand beside their ids.")
@click.option("--documents", metavar="FILE", help="Titles and texts of documents, likewise.")
@click.option(
    "--with-runs", "--ranks", is_flag=True, help="Also which run found a document at which rank; not for judges' eyes."
)
@click.option("--seconds-per-label", type=Real(0, min_open=True), help="Also how long it will take.")
@click.option("-o", "--output", metavar="FILE", help="Write the pool to a file, in the format its name ends with.")
@click.option(
    "--qrels",
    metavar="FILE",
    help="Of a sample: write judgments with strata for xinfAP and infNDCG, with the grades of --judgments.",
)
@click.option(
    "--simulate",
    is_flag=True,
    help="Instead: how soon each strategy would have found the relevant documents of complete judgments.",
)
@click.option(
    "--reusability",
    is_flag=True,
    help="Instead: what each run would score, had the documents that only it found not been judged.",
)
@click.option(
    "--group",
    "groups",
    multiple=True,
    metavar="TEAM=RUN,RUN",
    help="Runs that --reusability leaves out together; may be repeated.",
)
@click.option(
    "--width",
    type=Real(0),
    metavar="W",
    help="Instead: how many labels until unjudged documents can move a difference by no more than this; with the "
    "strategy sample, until its interval is no wider.",
)
@click.option(
    "--format",
    "form",
    type=click.Choice((*FORMATS, "trec")),
    help="How to print; trec is `query 0 document`, to which a grade is added. [default: table on a terminal, tsv in a "
    "pipe]",
)
@click.option("--places", type=Whole(0, 17), default=4, show_default=True, help="Decimals shown.")
@reading_options
@click.option("--quiet", is_flag=True, help="No warnings and hints.")
def pool(runs: tuple[str, ...], **options: Any) -> None:
    """Choose what to judge next, from what runs found.

    \b
        cranfield pool bm25.run dense.run --depth 20 -o pool.jsonl \\
            --queries queries.tsv --documents documents.jsonl
        cranfield pool *.run --judgments qrels.txt --format trec
        cranfield pool *.run --judgments qrels.txt --priority comparison --budget 200
        cranfield pool *.run --judgments qrels.txt --width 0.05
        cranfield pool *.run --judgments qrels.txt --simulate
        cranfield pool *.run --judgments qrels.txt --reusability

    A pool is what any of the runs has among its first K documents. Documents that are judged already are left out.
    Run names and ranks are left out too, unless --with-runs asks for them.
    """
    if not runs:
        raise click.UsageError("No run was given. Name at least one, as in cranfield pool bm25.run dense.run.")
    if [*runs, *(options[name] for name in ("judgments", "queries", "documents"))].count("-") > 1:
        raise click.UsageError("Standard input can be read only once; give one file as -.")
    options["output"] = None if options["output"] == "-" else options["output"]
    inputs = Inputs(options["judgments_format"], options["run_format"], options["columns"])
    _must_fit(options)
    with progress(quiet=options["quiet"]) as watch:
        read = [watch.watched(inputs.run(run)) for run in runs]
        judgments = None if options["judgments"] is None else inputs.judgments(options["judgments"])
        if options["simulate"] or options["reusability"] or options["width"] is not None:
            found = _answered(read, judgments, options)
        else:
            chosen = _pooled(read, judgments, options)
    if options["simulate"] or options["reusability"] or options["width"] is not None:
        _echo(found, options)
    else:
        _echo_pool(chosen, options)


_OF_A_POOL = ("budget", "per_query", "order", "queries", "documents", "with_runs", "seconds_per_label")


def _must_fit(options: dict[str, Any]) -> None:
    from cranfield.formats.writing import form_of

    asked = [name for name in ("simulate", "reusability", "width") if options[name] not in (False, None)]
    if len(asked) > 1:
        raise click.UsageError(f"--{asked[0]} and --{asked[1]} are different questions; ask one at a time.")
    if asked and options["judgments"] is None:
        raise click.UsageError(f"--{asked[0]} needs judgments: give them with --judgments QRELS.")
    if asked and (options["form"] == "trec" or options["output"] or options["qrels"]):
        raise click.UsageError(f"--{asked[0]} gives no pool to write; print it as table, tsv, csv, json or markdown.")
    useless = [name for name in _OF_A_POOL if options[name] not in (False, None)]
    if asked and useless:
        option = useless[0].replace("_", "-")
        raise click.UsageError(f"--{option} is about a pool; --{asked[0]} gives none, so leave one of them out.")
    if options["groups"] and not options["reusability"]:
        raise click.UsageError("--group says which runs --reusability leaves out together; give that as well.")
    if options["qrels"] and options["judgments"] is None:
        raise click.UsageError("--qrels writes judgments of a sample: give the labels with --judgments QRELS.")
    if len(options["measures"]) > 1:
        given = " and ".join(options["measures"])
        raise click.UsageError(f"Runs are compared by one measure, not by {given}; give one -m.")
    if options["output"] and not options["form"]:
        form_of(options["output"], POOLS, "a pool")


def _pooled(runs: list[Run], judgments: object, options: dict[str, Any]) -> Pool:
    from cranfield.pooling.choosing import pool as pool_of

    given = {
        name: options[name]
        for name in (
            *("depth", "strategy", "budget", "per_query", "strata", "p", "order", "seed"),
            *("queries", "documents"),
        )
    }
    return pool_of(runs, judgments=judgments, measure=_measure(options), rel=_level(options), **given)


def _answered(
    runs: list[Run], judgments: object, options: dict[str, Any]
) -> Simulation | Reusability | LabelPlan | SamplePlan:
    from cranfield.pooling.choosing import strategy_named

    strategy = strategy_named(options["strategy"])
    depth = {} if options["depth"] is None else {"depth": options["depth"]}
    if options["simulate"]:
        from cranfield.pooling.simulation import simulate_pool

        return simulate_pool(
            runs,
            judgments,
            strategies=None if strategy == "depth" else ["depth", strategy],
            rel=_level(options),
            p=options["p"],
            seed=options["seed"],
            **depth,
        )
    if options["reusability"]:
        from cranfield.pooling.reuse import read_groups, reusability

        groups = read_groups(options["groups"])
        return reusability(runs, judgments, _measure(options), groups=groups, rel=options["rel"], **depth)
    if strategy == "sample":
        from cranfield.pooling.sample_size import DEFAULT_SUM, sample_size

        measure = _measure(options, DEFAULT_SUM)
        return sample_size(runs, judgments, options["width"], measure, strata=options["strata"])
    from cranfield.pooling.label_plan import labels_needed

    return labels_needed(runs, judgments, options["width"], _measure(options), **depth)


def _measure(options: dict[str, Any], usual: str = "nDCG@10") -> str | Measure:
    """The measure that was asked for, at the level that was; what stands for several is refused by whoever takes it."""
    from cranfield.measures import parse_all

    name: str = options["measures"][0] if options["measures"] else usual
    parsed = parse_all(name, rel=options["rel"])
    return parsed[0] if len(parsed) == 1 else name


def _level(options: dict[str, Any]) -> float:
    level: float = 1.0 if options["rel"] is None else options["rel"]
    return level


def _echo(found: Simulation | Reusability | LabelPlan | SamplePlan, options: dict[str, Any]) -> None:
    form, places = chosen_format(options["form"]), options["places"]
    if options["quiet"]:
        found = replace(found, warnings=())
    if form == "json":
        echo_json(found.to_dict())
    elif form in ("tsv", "csv", "jsonl"):
        echo_table(found.long_table(), form, places)
    elif form == "latex":
        echo_table(found.table(), form, places)
    else:
        echo_sections(found.sections(), form, places)
    echo_warnings(found.warnings, quiet=options["quiet"] or form in ("table", "markdown", "latex"))


def _echo_pool(found: Pool, options: dict[str, Any]) -> None:
    from cranfield.formats.writing import form_of, write_text

    form, places, quiet = options["form"], options["places"], options["quiet"]
    if quiet:
        found = replace(found, warnings=())
    if options["qrels"]:
        from cranfield import errors

        write_text(options["qrels"], found.qrels())
        if found.entries:
            drawn = sum(one.drawn for one in found.sample)
            echo_warnings([errors.pooling.unlabelled(len(found.entries), drawn)], quiet=quiet)
    if options["output"]:
        write_text(options["output"], _written(found, form or form_of(options["output"], POOLS, "a pool"), options))
        if not quiet:
            told = found.sections(seconds_per_label=options["seconds_per_label"])[:2]
            echo_sections(told, "table", places)
        return
    shown = chosen_format(form)
    if shown in ("table", "markdown"):
        echo_sections(
            found.sections(seconds_per_label=options["seconds_per_label"], with_runs=options["with_runs"]),
            shown,
            places,
        )
    else:
        click.echo(_written(found, shown, options), nl=False)
    # A table shows its warnings below itself; other formats may go where nobody reads them.
    echo_warnings(found.warnings, quiet=quiet or shown in ("table", "markdown"))


def _written(found: Pool, form: str, options: dict[str, Any]) -> str:
    """The whole pool as text of a format."""
    import json

    if form == "trec":
        return found.trec()
    if form == "json":
        plain = found.to_dict(with_runs=options["with_runs"])
        return json.dumps(plain, indent=2, ensure_ascii=False, allow_nan=False) + "\n"
    table: Table = found.table(with_runs=options["with_runs"])
    if form == "jsonl":
        return table.jsonl()
    if form == "table":
        return table.text(options["places"]) + "\n"
    render = {"tsv": table.tsv, "csv": table.csv, "markdown": table.markdown, "latex": table.latex}[form]
    return render(options["places"])
