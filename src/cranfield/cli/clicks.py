"""`cranfield clicks`: from a click log to graded judgments."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from cranfield.choices import ClickInterval, Engine, GradeMapping, ModelCriterion
from cranfield.cli.click_inputs import ClickInputs, click_reading, fitting, held_out, logs, models
from cranfield.cli.options import Command, Whole, choice, numbers, option, require_one_standard_input, seed
from cranfield.cli.output import Printing, echo_data, printing, progress, show
from cranfield.file_endings import JUDGMENTS, endings_of

if TYPE_CHECKING:
    from cranfield.click_models.model import Fitting


@click.command(cls=Command)
@logs
@models
@option("--judgments", metavar="QRELS", help="Human judgments: grades are calibrated on them.")
@option(
    "--mapping",
    type=choice(GradeMapping),
    help="How estimates become grades. [default: calibrated with --judgments, else quantile]",
)
@option(
    "--shares",
    metavar="N,N,...",
    help="Share of the documents that gets grade 0, 1, ... [default: 0.5,0.25,0.15,0.1]",
)
@option("--thresholds", metavar="N,N,...", help="Estimate from which grade 1, 2, ... is given.")
@option(
    "--min-impressions",
    type=Whole(),
    default=10,
    show_default=True,
    help="Minimum impressions of a document for its query; others are left out.",
)
@option(
    "--interval",
    type=choice(ClickInterval),
    default="beta",
    show_default=True,
    help="Interval method: Beta posterior, or bootstrap samples of sessions.",
)
@option("--samples", type=Whole(20, 1_000_000), metavar="N", help="Number of bootstrap samples. [default: 200]")
@held_out
@option("--by", type=choice(ModelCriterion), help="Criterion to choose the best model. [default: log-likelihood]")
@seed
@option(
    "-o",
    "--output",
    metavar="FILE",
    help=f"Write the judgments: {', '.join(endings_of(JUDGMENTS))}; - is standard output as TREC.",
)
@option(
    "--labels", "with_labels", is_flag=True, help="Also show every label in a table; other formats have them anyway."
)
@option("--left-out", "with_left_out", is_flag=True, help="Also list documents that were shown too rarely.")
@option("--parameters", "with_parameters", is_flag=True, help="Also show the parameters of the model.")
@option(
    "--engine",
    type=choice(Engine),
    default="local",
    help="Compute here, or with Spark: LOG is a Parquet file, a folder or a pattern, and --model names one model. "
    "[default: local]",
)
@fitting
@click_reading
@printing
def clicks(
    logs: tuple[str, ...],
    models: tuple[str, ...],
    judgments: str | None,
    mapping: GradeMapping | None,
    shares: str | None,
    thresholds: str | None,
    min_impressions: int,
    interval: ClickInterval,
    samples: int | None,
    held_out: float | None,
    by: ModelCriterion | None,
    seed: int,
    output: str | None,
    with_labels: bool,
    with_left_out: bool,
    with_parameters: bool,
    engine: Engine,
    fitting: Fitting,
    inputs: ClickInputs,
    printing: Printing,
) -> None:
    """Make judgments from a click log: which documents attract those who look at them?

    \b
        cranfield clicks clicks.csv
        cranfield clicks clicks.csv --judgments qrels.txt -o clicks.qrels
        cranfield clicks ubi_queries.ndjson ubi_events.ndjson --model PBM

    A log has a row per result (session, query, position, document, clicked) or per impression (session, query,
    documents, clicks), or it is a log of OpenSearch UBI or of Yandex (Q and C lines). People click what they see first,
    so clicks are not judgments; a click model estimates how far people look, and from that how attractive documents
    are. If several models are named, the one that predicts held-out sessions best is used.
    """
    from dataclasses import replace

    from cranfield.click_models.click_labels import SAMPLES
    from cranfield.click_models.click_labels import clicks as labels_of
    from cranfield.click_models.grading import SHARES
    from cranfield.formats.writing import form_of, trec

    require_one_standard_input(*logs, judgments)
    _require_used(mapping, shares, thresholds, judgments)
    if samples is not None and interval != "bootstrap":
        raise click.UsageError("--samples has an effect only with --interval bootstrap.")
    if len(models) == 1 and (held_out is not None or by is not None):
        raise click.UsageError("--held-out and --by choose between models: name several with --model, or none.")
    if output not in (None, "-"):
        form_of(str(output), JUDGMENTS, "judgments")
    choices: dict[str, Any] = {
        "judgments": judgments,
        "mapping": mapping,
        "shares": numbers(shares, "--shares") if shares else SHARES,
        "thresholds": numbers(thresholds, "--thresholds") if thresholds else None,
        "min_impressions": min_impressions,
        "fitting": fitting,
        "seed": seed,
    }
    if engine == "spark":
        from cranfield.cli.spark import labels_on_spark

        if interval != "beta":
            raise click.UsageError(f"--interval {interval} draws sessions, which --engine spark does not put together.")
        labels = labels_on_spark(inputs, logs, models, choices)
    else:
        with progress(quiet=printing.quiet) as watch:
            watch.run = ", ".join(logs)
            log = inputs.log(logs)
            watch.doing, watch.run = "fitting", "click models"
            labels = labels_of(
                log,
                models or "best",
                interval=interval,
                samples=samples or SAMPLES,
                held_out=held_out,
                by=by or "log-likelihood",
                **choices,
            )
    if output == "-":
        echo_data(trec(labels.judgments, labels.comments()), labels, printing)
        return
    if output is not None:
        labels.write(output)
    show(
        replace(labels, with_labels=with_labels, with_left_out=with_left_out, with_parameters=with_parameters), printing
    )


def _require_used(
    mapping: GradeMapping | None, shares: str | None, thresholds: str | None, judgments: str | None
) -> None:
    """Refuse numbers of a mapping that is not used."""
    if thresholds is not None and mapping not in (None, "threshold"):
        raise click.UsageError(f"--thresholds has no effect with --mapping {mapping}.")
    used = mapping or ("threshold" if thresholds is not None else "calibrated" if judgments is not None else "quantile")
    if shares is not None and used != "quantile":
        raise click.UsageError(f"--shares has no effect with the mapping {used}; choose --mapping quantile.")
