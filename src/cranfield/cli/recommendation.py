"""`cranfield recommendation`: what lists of items offer beyond relevance."""

from __future__ import annotations

from dataclasses import replace

import click

from cranfield.choices import ItemSimilarity, TieOrder
from cranfield.cli.inputs import Inputs, run_reading
from cranfield.cli.options import Command, Real, Whole, choice, require_one_standard_input
from cranfield.cli.output import Printing, printing, progress, show


@click.command(cls=Command)
@click.argument("runs", metavar="RUN...", nargs=-1, required=True)
@click.option(
    "-k",
    "--cutoff",
    "k",
    type=Whole(),
    default=10,
    show_default=True,
    help="Evaluate only the top N items of each list.",
)
@click.option("--items", metavar="FILE", help="The catalogue of items, one per line, for coverage and Gini.")
@click.option(
    "--interactions",
    metavar="FILE",
    help="Earlier interactions of users with items: for novelty and popularity, and for coverage without --items.",
)
@click.option("--attributes", metavar="FILE", help="Attributes of items, one per line: for diversity.")
@click.option(
    "--judgments",
    metavar="QRELS",
    help="Items that users liked later: for serendipity and debiased recall; needs --interactions.",
)
@click.option(
    "--popularity-power",
    type=Real(0, 10),
    default=0.5,
    show_default=True,
    help="In debiased recall an item weighs 1 / users who had it ^ NUMBER; 0 is plain recall.",
)
@click.option(
    "--similarity",
    type=choice(ItemSimilarity),
    default="jaccard",
    show_default=True,
    help="Similarity of two items by their attributes; cosine uses weights.",
)
@click.option("-q", "--per-user", is_flag=True, help="Also print the numbers of every list, such as novelty.")
@click.option(
    "--ties",
    type=choice(TieOrder),
    default="document",
    show_default=True,
    help="Order of items with equal scores: by id (descending or ascending), or as given.",
)
@printing
@run_reading
def recommendation(
    runs: tuple[str, ...],
    k: int,
    items: str | None,
    interactions: str | None,
    attributes: str | None,
    judgments: str | None,
    popularity_power: float,
    similarity: ItemSimilarity,
    per_user: bool,
    ties: TieOrder,
    inputs: Inputs,
    printing: Printing,
) -> None:
    """Measure what recommendations offer beyond relevance: coverage, novelty, diversity, personalisation.

    \b
        cranfield recommendation als.run mostpop.run --interactions train.tsv
        cranfield recommendation als.run -k 20 --items items.txt --attributes genres.csv
        cranfield recommendation als.run --interactions train.tsv --judgments test.qrels

    In a RUN users are queries and items documents. Interactions are user and item, perhaps with a count; attributes
    are item and attribute, perhaps with a weight; each as text, CSV, TSV, JSON, JSONL, Parquet or Arrow.
    """
    from cranfield.recommending import recommendation as offer

    require_one_standard_input(*runs, items, interactions, attributes, judgments)
    with progress(quiet=printing.quiet) as watch:
        offered = offer(
            [watch.watched(run) for run in inputs.runs(runs)],
            k=k,
            items=items,
            interactions=interactions,
            attributes=attributes,
            judgments=judgments,
            similarity=similarity,
            popularity_power=popularity_power,
            ties=ties,
        )
    show(replace(offered, with_users=per_user), printing)
