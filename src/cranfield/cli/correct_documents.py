"""`cranfield correct documents`: scores by a model's labels, corrected by people's of a sample of documents."""

from __future__ import annotations

import click

from cranfield.choices import Correction
from cranfield.cli import comparing
from cranfield.cli.correct import baseline, only_these_queries
from cranfield.cli.inputs import Inputs, reading
from cranfield.cli.options import Command, require_one_standard_input
from cranfield.cli.output import Printing, printing, show


@click.command(cls=Command)
@click.argument("people", metavar="SAMPLE")
@click.argument("model", metavar="MODEL_QRELS")
@click.argument("runs", metavar="RUN...", nargs=-1, required=True)
@click.option(
    "-m",
    "--measure",
    "measures",
    multiple=True,
    metavar="NAME",
    help="A measure that is a sum over documents: P@k, DCG@k, RBP; may be repeated. [default: P@10]",
)
@baseline
@only_these_queries
@comparing.confidence
@comparing.correction
@printing
@reading
def correct_documents(
    people: str,
    model: str,
    runs: tuple[str, ...],
    measures: tuple[str, ...],
    baseline: str | None,
    only_these_queries: bool,
    confidence: float,
    correction: Correction,
    printing: Printing,
    inputs: Inputs,
) -> None:
    """Correct scores that come from a model's labels, with people's labels of a random sample of documents.

    \b
        cranfield pool bm25.run hybrid.run --strategy sample --strata 10:0.2 -o sample.txt
        cranfield correct documents sample.txt model.txt bm25.run hybrid.run -m P@10

    SAMPLE is what `cranfield pool --strategy sample` wrote, with people's grades filled in; MODEL_QRELS are a model's
    labels of all documents. Each label by people corrects the model for all documents that it was drawn to represent.
    """
    from cranfield.correcting.document_samples import DEFAULT_SUM, correct_by_documents

    require_one_standard_input(people, model, *runs)
    show(
        correct_by_documents(
            inputs.judgments(people, "stratum"),
            inputs.judgments(model),
            inputs.runs(runs),
            measures or (DEFAULT_SUM,),
            baseline=baseline,
            only_these_queries=only_these_queries,
            confidence=confidence,
            correction=correction,
        ),
        printing,
    )
