"""`cranfield clicks`: from a click log to graded judgments, and to what clicks say of other rankings."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

import click
from click.core import ParameterSource

from cranfield.cli.numbers import SEEDS, Real, Whole
from cranfield.cli.output import chosen_format, echo_json, echo_sections, echo_table, echo_warnings, printing_options
from cranfield.cli.progress import progress

if TYPE_CHECKING:
    from cranfield.click_models.click_labels import ClickLabels
    from cranfield.click_models.counterfactual import PolicyValue, UnbiasedScores
    from cranfield.click_models.model import Fitting
    from cranfield.data.click_log import ClickLog
    from cranfield.show.table import Table

LABELLING = ("-m", "--judgments", "--mapping", "--shares", "--thresholds", "--min-impressions", "--interval", "--show")
COMPARING = ("--held-out", "--by")
ESTIMATING = ("--estimate", "--clip")
SHOWN = ("summary", "labels", "left-out", "models", "ranks", "parameters")


@click.command()
@click.argument("logs", metavar="LOG...", nargs=-1, required=True)
@click.option(
    "-m",
    "--model",
    "models",
    multiple=True,
    metavar="NAME",
    help="A click model: GCTR, RCTR, DCTR, PBM, CM, DCM, SDBN, DBN, CCM, UBM. Of several, or of all, the one that "
    "predicts held-out sessions best. [default: of all]",
)
@click.option("--judgments", metavar="QRELS", help="What people judged: grades are made to be like theirs.")
@click.option(
    "--mapping",
    type=click.Choice(["quantile", "threshold", "calibrated"]),
    help="How estimates become grades. [default: calibrated where there are judgments, else quantile]",
)
@click.option(
    "--shares",
    metavar="N,N,...",
    help="Of the documents, which share gets grade 0, 1, ... [default: 0.5,0.25,0.15,0.1]",
)
@click.option("--thresholds", metavar="N,N,...", help="From which estimate on grade 1, 2, ... is given.")
@click.option(
    "--min-impressions",
    type=Whole(),
    default=10,
    show_default=True,
    help="Leave out documents that were shown less often for their query.",
)
@click.option(
    "--interval",
    type=click.Choice(["beta", "bootstrap"]),
    default="beta",
    show_default=True,
    help="Intervals of a Beta posterior, or over samples of sessions.",
)
@click.option("--samples", type=Whole(20, 1_000_000), default=200, show_default=True, help="Bootstrap samples.")
@click.option(
    "-o",
    "--output",
    metavar="FILE",
    help="Write judgments: .qrels (TREC), .csv, .tsv or .jsonl, by the name's end. Of a run or a policy: its table.",
)
@click.option(
    "--show",
    type=click.Choice(SHOWN),
    help="What to print. [default: summary in a table, labels in tsv, csv and jsonl; json has all]",
)
@click.option(
    "--held-out",
    type=Real(0, 0.5, min_open=True),
    metavar="SHARE",
    help="Predict this share of sessions, once. [default: five parts in turn]",
)
@click.option(
    "--by",
    type=click.Choice(["log-likelihood", "perplexity", "conditional"]),
    default="log-likelihood",
    show_default=True,
    help="What models are chosen by.",
)
@click.option(
    "--prior",
    metavar="N,N",
    help="Successes and failures that every parameter has seen in advance. [default: half a look at the average "
    "document]",
)
@click.option(
    "--iterations",
    type=Whole(1, 1_000_000),
    metavar="N",
    help="Rounds of expectation-maximization, at most. [default: 300]",
)
@click.option("--pyclick", is_flag=True, help="Fit as PyClick does: prior 1,1 and 50 rounds.")
@click.option(
    "--run",
    "runs",
    multiple=True,
    metavar="RUN",
    help="Instead of labels: what clicks say of this ranking; may be repeated.",
)
@click.option(
    "--policy",
    metavar="POLICY",
    help="Instead of labels: what a policy would have earned; uniform, a table of document and probability, or a run.",
)
@click.option(
    "--estimate",
    metavar="MEASURE",
    help="What to estimate of a run (DCG@10, P@5, CTR@3) or a policy (CTR). [default: DCG@10; CTR]",
)
@click.option(
    "--propensities",
    metavar="HOW",
    default="PBM",
    show_default=True,
    help="How often each rank is looked at: learnt by PBM, of the log (log), or numbers by rank.",
)
@click.option(
    "--clip",
    type=Real(0, min_open=True),
    metavar="N",
    help="Cut weights of a policy at N, or take propensities of a run for N at least.",
)
@click.option("--columns", metavar="ROLES", help="Which column is what: document=sku,clicked=hit.")
@click.option(
    "--click-action",
    "actions",
    multiple=True,
    metavar="NAME",
    help="UBI: an action_name that counts as a click. [default: click]",
)
@click.option("--seed", type=Whole(0, SEEDS), default=0, show_default=True, help="Random seed.")
@printing_options
@click.option("--quiet", is_flag=True, help="No warnings.")
@click.pass_context
def clicks(
    context: click.Context,
    logs: tuple[str, ...],
    models: tuple[str, ...],
    judgments: str | None,
    mapping: str | None,
    shares: str | None,
    thresholds: str | None,
    min_impressions: int,
    interval: str,
    samples: int,
    output: str | None,
    show: str | None,
    held_out: float | None,
    by: str,
    prior: str | None,
    iterations: int | None,
    pyclick: bool,
    runs: tuple[str, ...],
    policy: str | None,
    estimate: str | None,
    propensities: str,
    clip: float | None,
    columns: str | None,
    actions: tuple[str, ...],
    seed: int,
    form: str | None,
    places: int,
    quiet: bool,
) -> None:
    """Make judgments of a click log: which documents attract those who look at them?

    \b
        cranfield clicks clicks.csv
        cranfield clicks clicks.csv --judgments qrels.txt -o clicks.qrels
        cranfield clicks ubi_queries.ndjson ubi_events.ndjson -m PBM --show labels
        cranfield clicks clicks.csv --run new.run --estimate DCG@10
        cranfield clicks bandit.csv --policy uniform

    A log has a row per result (session, query, position, document, clicked) or per impression (session, query,
    documents, clicks), or it is that of OpenSearch UBI. People click what they see first, so clicks are no judgments;
    a click model tells how far they look, and from that how attractive documents are. The model is chosen by how well
    it predicts sessions that it has not seen.
    """
    from cranfield.click_models.click_labels import clicks as labels_of
    from cranfield.formats.clicks import read_clicks

    if (*logs, *runs, judgments, policy).count("-") > 1:
        raise click.UsageError("Standard input can be read only once; give one file as -.")
    _refuse_idle(context)
    named = _columns(columns)
    fitting = _fitting(prior, iterations, pyclick)
    shown = chosen_format(form)
    with progress(quiet=quiet) as watch:
        watch.run = ", ".join(logs)
        log = read_clicks(list(logs), columns=named, clicks=actions or ("click",))
        watch.doing, watch.run = "fitting", "click models"
        if runs or policy:
            found = _estimated(log, runs, policy, estimate, propensities, clip, fitting, seed)
        else:
            labels = labels_of(
                log,
                models or "best",
                judgments=judgments,
                mapping=mapping,  # type: ignore[arg-type]  # one of the choices
                **({"shares": _numbers(shares, "shares")} if shares else {}),
                thresholds=_numbers(thresholds, "thresholds") if thresholds else None,
                min_impressions=min_impressions,
                interval=interval,  # type: ignore[arg-type]
                samples=samples,
                fitting=fitting,
                held_out=held_out,
                by=by,  # type: ignore[arg-type]
                seed=seed,
            )
    if runs or policy:
        if output is not None:
            _write_estimate(found, output, places)
        _echo_estimate(found, shown, places, quiet)
        return
    if output is not None:
        labels.write(output)
    _echo(labels, shown, show, places, quiet)


def _refuse_idle(context: click.Context) -> None:
    """Options that would do nothing beside others, or without them, are a mistake."""
    given = {
        option
        for parameter in context.command.params
        if context.get_parameter_source(parameter.name or "") == ParameterSource.COMMANDLINE
        for option in parameter.opts
    }
    if {"--run", "--policy"} <= given:
        raise click.UsageError("Give runs or a policy, not both.")
    instead = "--run" if "--run" in given else "--policy" if "--policy" in given else ""
    sampled, mapping = context.params["interval"] == "bootstrap", context.params["mapping"]
    needs = [
        *((option, "--run or --policy", instead) for option in ESTIMATING),
        ("--propensities", "--run", instead == "--run"),
        *((option, f"labels, not with {instead}", not instead) for option in (*LABELLING, *COMPARING)),
        ("--samples", "--interval bootstrap", sampled),
        ("--thresholds", "--mapping threshold", mapping in (None, "threshold")),
        ("--shares", "--mapping quantile", mapping in (None, "quantile")),
        ("--shares", "grades by share, not with --thresholds", "--thresholds" not in given),
        ("--shares", "--mapping quantile, where there are --judgments", mapping or "--judgments" not in given),
        ("--pyclick", "its own prior and rounds, not with --prior", "--prior" not in given),
        ("--pyclick", "its own prior and rounds, not with --iterations", "--iterations" not in given),
    ]
    for option, with_, holds in needs:
        if option in given and not holds:
            raise click.UsageError(f"{option} goes with {with_}.")


def _write_estimate(found: PolicyValue | UnbiasedScores, path: str, places: int) -> None:
    """The table alone, or everything as JSON, in the format that the file's name ends with."""
    import json
    from dataclasses import replace

    from cranfield.formats.writing import form_of, write_text

    table = replace(found.table(), notes=())
    forms: dict[str, Callable[[], str]] = {
        "csv": lambda: table.csv(places),
        "tsv": lambda: table.tsv(places),
        "jsonl": table.jsonl,
        "json": lambda: json.dumps(found.to_dict(), indent=2, ensure_ascii=False, allow_nan=False) + "\n",
        "markdown": lambda: table.markdown(places),
        "latex": lambda: table.latex(places),
    }
    write_text(path, forms[form_of(path, forms, "estimates")]())


def _echo(labels: ClickLabels, form: str, show: str | None, places: int, quiet: bool) -> None:
    if form == "json":
        echo_json(labels.to_dict())
    elif show not in (None, "summary"):
        echo_table(_table(labels, show or ""), form, places)
    elif form in ("tsv", "csv", "jsonl"):
        echo_table(labels.labels() if show is None else _plain(labels), form, places)
    else:
        echo_sections(_quietly(labels) if quiet else labels.sections(), form, places)
    # A summary shows its warnings; other formats may go where nobody reads them.
    told = form in ("table", "markdown", "latex") and show in (None, "summary")
    echo_warnings(labels.warnings, quiet=quiet or told)


def _table(labels: ClickLabels, show: str) -> Table:
    if show in ("models", "ranks"):
        if labels.comparison is None:
            raise click.UsageError("Models are compared where several may be chosen; leave --model out, or name two.")
        return labels.comparison.table() if show == "models" else labels.comparison.ranks()
    return {"labels": labels.labels, "left-out": labels.left_out_table, "parameters": labels.parameters}[show]()


def _plain(labels: ClickLabels) -> Table:
    """The grades without notes, for a program."""
    from dataclasses import replace

    return replace(labels.table(), notes=())


def _quietly(labels: ClickLabels) -> Iterator[str | Table]:
    from dataclasses import replace

    return replace(labels, warnings=()).sections()


def _echo_estimate(found: PolicyValue | UnbiasedScores, form: str, places: int, quiet: bool) -> None:
    from dataclasses import replace

    if form == "json":
        echo_json(found.to_dict())
    elif form in ("tsv", "csv", "jsonl"):
        echo_table(replace(found.table(), notes=()), form, places)
    else:
        shown: Any = replace(found, warnings=()) if quiet else found
        echo_sections([shown.verdict(), shown.table()], form, places)
    echo_warnings(found.warnings, quiet=quiet or form in ("table", "markdown", "latex"))


def _estimated(
    log: ClickLog,
    runs: tuple[str, ...],
    policy: str | None,
    estimate: str | None,
    propensities: str,
    clip: float | None,
    fitting: Fitting,
    seed: int,
) -> PolicyValue | UnbiasedScores:
    from cranfield.click_models.counterfactual import policy_value, unbiased_scores

    if not runs:
        if estimate not in (None, "CTR"):
            raise click.UsageError(f"{estimate} is estimated of a run: --run RUN. Of a policy, CTR is.")
        return policy_value(log, policy or "uniform", clip=clip, seed=seed)
    given: object = propensities
    if propensities.casefold() not in ("pbm", "log"):
        given = _numbers(propensities, "propensities")
    return unbiased_scores(log, list(runs), estimate or "DCG@10", propensities=given, clip=clip, fitting=fitting)


def _fitting(prior: str | None, iterations: int | None, pyclick: bool) -> Fitting:
    from dataclasses import replace

    from cranfield.click_models.model import PYCLICK, Fitting

    fitting = PYCLICK if pyclick else Fitting()
    if prior is not None:
        fitting = replace(fitting, prior=tuple(_numbers(prior, "prior")))  # type: ignore[arg-type]  # counted there
    return fitting if iterations is None else replace(fitting, iterations=iterations)


def _numbers(text: str, what: str) -> list[float]:
    try:
        return [float(part) for part in text.split(",")]
    except ValueError:
        raise click.UsageError(f"{what}: {text!r} is no list of numbers such as 0.5,0.3,0.2.") from None


def _columns(text: str | None) -> dict[str, str] | None:
    if text is None:
        return None
    pairs = [part.partition("=") for part in text.split(",")]
    if not all(equals for _, equals, _ in pairs):
        raise click.UsageError(f"columns: {text!r}; name each as in document=sku,clicked=hit.")
    return {role.strip(): name.strip() for role, _, name in pairs}
