"""`cranfield fuse tune`: the parameters of a fusion, chosen without fooling oneself."""

from __future__ import annotations

from dataclasses import replace

import click

from cranfield.cli.comparing import confidence
from cranfield.cli.inputs import Inputs, only_queries, reading
from cranfield.cli.options import Command, Whole, numbers, option, require_one_standard_input, seed
from cranfield.cli.output import Printing, printing, progress, show
from cranfield.file_endings import RUNS


@click.command("fuse tune", cls=Command)
@click.argument("judgments", metavar="QRELS")
@click.argument("runs", metavar="RUN RUN...", nargs=-1)
@click.option("-m", "--measure", metavar="NAME", default="nDCG@10", show_default=True, help="The measure to choose by.")
@option(
    "--method",
    "methods",
    multiple=True,
    metavar="NAME",
    help="A fusion method to try; may be repeated. Parameters in parentheses are fixed, as in rrf(k=60). "
    "[default: rrf combsum combmnz]",
)
@option(
    "--norm",
    "norms",
    multiple=True,
    metavar="NAME",
    help="A normalisation to try, for methods that read scores; may be repeated. [default: 2sigma]",
)
@option(
    "--steps",
    type=Whole(1, 1_000),
    metavar="N",
    help="Weights are multiples of 1/N; with 1, all runs weigh the same. [default: 10 for two runs, less for more]",
)
@option("-k", metavar="K,K...", help="Constants to try for rrf. [default: 1,5,10,20,40,60,100]")
@option("--lowest", metavar="S,S...", help="Lowest score that each system can give, for --norm theoretical.")
@option("--depth", type=Whole(), metavar="N", help="Fuse only the top N documents of each run.")
@option("--top", type=Whole(), metavar="N", help="Keep only the top N fused documents of each query.")
@option(
    "--folds", type=Whole(2), default=5, show_default=True, metavar="N", help="Folds of queries for cross-validation."
)
@option(
    "--repeats",
    type=Whole(1, 10_000),
    default=20,
    show_default=True,
    metavar="N",
    help="How often queries are cut into folds again.",
)
@option(
    "--resamples",
    "permutations",
    type=Whole(1, 10_000_000),
    default=10_000,
    show_default=True,
    help="Number of random permutations for the corrected p.",
)
@confidence
@seed
@only_queries
@option(
    "-o",
    "--output",
    metavar="FILE",
    help="Run to report: each query is fused with parameters that were chosen without it.",
)
@option(
    "--final",
    metavar="FILE",
    help="Run of the final parameters, chosen on all queries: to deploy, not to evaluate on these queries.",
)
@option(
    "--plot",
    "figure",
    metavar="FILE",
    help="Draw the measure over the weight (two runs) or k, with its interval: .svg, .pdf or .png.",
)
@printing
@reading
def fuse_tune(
    judgments: str,
    runs: tuple[str, ...],
    measure: str,
    methods: tuple[str, ...],
    norms: tuple[str, ...],
    steps: int | None,
    k: str | None,
    lowest: str | None,
    depth: int | None,
    top: int | None,
    folds: int,
    repeats: int,
    permutations: int,
    confidence: float,
    seed: int,
    only_queries: str | None,
    output: str | None,
    final: str | None,
    figure: str | None,
    printing: Printing,
    inputs: Inputs,
) -> None:
    """Choose method, weights and constants of a fusion by judgments, and measure what that gains on unseen queries.

    \b
        cranfield fuse tune qrels.txt bm25.run dense.run -m nDCG@10 -o fused.run
        cranfield fuse tune qrels.txt bm25.run dense.run --method combsum --norm minmax --steps 20
        cranfield fuse tune qrels.txt a.run b.run c.run --method rrf -k 10,60 --final deployed.run

    Queries are cut into folds: each query is fused with parameters that the other folds chose. p is corrected for all
    configurations that were tried.
    """
    from cranfield.formats.writing import form_of
    from cranfield.fusing.tuning import tune_fusion

    for path in (output, final):
        if path is not None:
            form_of(path, RUNS, "a run")
    if figure is not None:
        from cranfield.figures.images import check

        check(figure)
    require_one_standard_input(judgments, *runs)
    with progress(quiet=printing.quiet) as watch:
        tuning = tune_fusion(
            inputs.judgments(judgments),
            [watch.watched(run) for run in inputs.runs(runs)],
            measure,
            methods=methods or None,
            norms=norms or None,
            k=None if k is None else numbers(k, "-k"),
            steps=steps,
            lowest=None if lowest is None else numbers(lowest, "--lowest"),
            depth=depth,
            top=top,
            folds=folds,
            repeats=repeats,
            permutations=permutations,
            confidence=confidence,
            only_queries=only_queries,
            seed=seed,
        )
        if figure is not None:
            from cranfield.figures.images import save

            save(tuning.plot(), figure)
        if output is not None:
            tuning.run.save(output)
        if final is not None:
            tuning.final_run.save(final)
    show(replace(tuning, path=output, final_path=final), printing)
