"""`cranfield fuse`: several runs fused into one."""

from __future__ import annotations

import click

from cranfield.choices import FlatList, MissingDocument
from cranfield.cli.inputs import Inputs, run_reading
from cranfield.cli.options import Command, Whole, choice, numbers, option, require_one_standard_input, seed
from cranfield.cli.output import Printing, echo_data, printing, progress, show
from cranfield.file_endings import RUNS, endings_of


@click.command(cls=Command)
@click.argument("runs", metavar="RUN RUN...", nargs=-1)
@option(
    "--method",
    metavar="NAME",
    help="Fusion method, with parameters in parentheses, as in rrf(k=10) or rbc(phi=0.9). [default: rrf]",
)
@option(
    "--like",
    metavar="TOOL",
    help="Make the choices that are left open as another tool does: ranx, trectools, elasticsearch, opensearch, "
    "qdrant, weaviate, vespa, langchain, llamaindex, haystack, pyserini, sentence-transformers.",
)
@option(
    "--norm",
    metavar="NAME",
    help="Normalisation of scores, for methods that read scores. [default: minmax]",
)
@option("--weights", metavar="W,W...", help="Weight of each run, in their order.")
@option("-k", type=Whole(0, 1_000_000), help="Constant of rrf: the same as --method 'rrf(k=N)'. [default: 60]")
@option(
    "--missing",
    type=choice(MissingDocument),
    help="What a document gets from a run that did not return it: nothing, 0, the lowest score of the list, or the "
    "rank after its last. [default: as the method was published]",
)
@option(
    "--flat",
    type=choice(FlatList),
    help="What the documents of a list get whose scores are all equal: 0.5, 1, 0, or the score itself. "
    "[default: middle]",
)
@option("--lowest", metavar="S,S...", help="Lowest score that each system can give, for --norm theoretical.")
@option(
    "--train",
    metavar="QRELS",
    help="Judgments for methods that learn (bayesfuse, probfuse, ...): each judged query is fused by what was learnt "
    "from the others, so that it can be evaluated by the same judgments.",
)
@option("--folds", type=Whole(2), metavar="N", help="Parts that judged queries are cut into for --train. [default: 5]")
@seed
@option("--depth", type=Whole(), metavar="N", help="Fuse only the top N documents of each run.")
@option("--top", type=Whole(), metavar="N", help="Keep only the top N fused documents of each query.")
@option("--name", metavar="NAME", help="Name of the fused run. [default: made of the method and the runs]")
@option(
    "-o",
    "--output",
    metavar="FILE",
    help=f"Run to write: {', '.join(endings_of(RUNS))}; - is standard output as TREC.",
)
@option(
    "--list",
    "listing",
    is_flag=True,
    help="List the methods and normalisations; with names instead of runs, show their definitions in full.",
)
@printing
@run_reading
def fuse(
    runs: tuple[str, ...],
    method: str | None,
    like: str | None,
    norm: str | None,
    weights: str | None,
    k: int | None,
    missing: MissingDocument | None,
    flat: FlatList | None,
    lowest: str | None,
    train: str | None,
    folds: int | None,
    seed: int,
    depth: int | None,
    top: int | None,
    name: str | None,
    output: str | None,
    listing: bool,
    inputs: Inputs,
    printing: Printing,
) -> None:
    """Fuse the results of several runs into one run.

    \b
        cranfield fuse bm25.run dense.run -o fused.run
        cranfield fuse bm25.run dense.run --method combsum --weights 0.3,0.7 -o fused.run
        cranfield fuse bm25.run dense.run splade.run --method 'rbc(phi=0.9)' -o fused.run
        cranfield fuse bm25.run dense.run --like qdrant -o fused.run
        cranfield fuse --list
        cranfield fuse --list rrf minmax

    Equal scores are ordered by document id, as everywhere. A query that only some runs answer is fused from those.
    """
    from cranfield.formats.writing import form_of
    from cranfield.fusing.fused_run import fuse as fused

    if listing:
        from cranfield.fusing.catalogue import fusion_catalogue

        show(fusion_catalogue(runs), printing)
        return
    if output is None:
        raise click.UsageError("Say where to write the fused run: -o FILE, or -o - for standard output.")
    if output != "-":
        form_of(output, RUNS, "a run")
    require_one_standard_input(*runs, train)
    with progress(quiet=printing.quiet) as watch:
        run = fused(
            [watch.watched(run) for run in inputs.runs(runs)],
            method,
            norm=norm,
            weights=None if weights is None else numbers(weights, "--weights"),
            missing=missing,
            flat=flat,
            lowest=None if lowest is None else numbers(lowest, "--lowest"),
            depth=depth,
            top=top,
            like=like,
            train=train,
            folds=folds,
            seed=seed,
            name=name,
            **({} if k is None else {"k": k}),
        )
        if output == "-":
            text, summary = run.trec()
        else:
            summary = run.save(output)
    if output == "-":
        echo_data(text, summary, printing)
    else:
        show(summary, printing)
