"""`cranfield judge model`: a language model as one more judge."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import click

from cranfield.cli.judge import project
from cranfield.cli.options import Command, Real, Whole
from cranfield.cli.output import Printing, count_shown, echo_warnings, printing, show

if TYPE_CHECKING:
    from cranfield.assessing.store import Store
    from cranfield.assessing.trust_answer import ModelTrust
    from cranfield.model_judging.judge import ModelJudge, ModelRun, Outgoing

STOPPED = 1
DEMO = "demo"
"""A stand-in for a model, by rules, which comes with the package."""


def _price(ctx: click.Context, parameter: click.Parameter, value: str | None) -> tuple[float, float] | None:
    if value is None:
        return None
    try:
        sent, received = (float(part) for part in value.split(","))
    except ValueError:
        sent = received = -1.0
    if not (0 <= sent < 1e6 and 0 <= received < 1e6):
        raise click.BadParameter("give two prices per million tokens, for what is sent and received, such as 0.15,0.6")
    return sent, received


@click.command(cls=Command)
@click.argument("sources", metavar="STORE | POOL | LABELS | RUN...", nargs=-1, required=True)
@click.option(
    "--model",
    metavar="NAME",
    required=True,
    help="Name of the model, as its endpoint calls it; demo is a stand-in that counts words, to try this without one.",
)
@click.option(
    "--base-url",
    metavar="URL",
    help="OpenAI-compatible endpoint, such as http://127.0.0.1:11434/v1. [default: OPENAI_BASE_URL]",
)
@click.option(
    "--prompt",
    metavar="NAME",
    default="default",
    show_default=True,
    help="Prompt: default (from the project's grades and guidelines), umbrela, or a file with {query} and {passage}.",
)
@click.option("--most", type=Whole(), metavar="N", help="Ask about no more than N documents.")
@click.option("--at-once", type=Whole(1, 256), default=8, show_default=True, metavar="N", help="Requests at a time.")
@click.option("--words", type=Whole(), default=2000, show_default=True, help="Send at most N words of a document.")
@click.option("--timeout", type=Real(0.1, 3600), default=60.0, show_default=True, help="Seconds to wait for an answer.")
@click.option("--logprobs", is_flag=True, help="Also store how likely each grade was, where the endpoint tells.")
@click.option("--price", callback=_price, metavar="IN,OUT", help="Price of a million tokens sent and received.")
@click.option(
    "--repeats",
    type=Real(0, 1),
    default=0.05,
    show_default=True,
    help="Share of documents asked about twice, as a check.",
)
@click.option(
    "--probes",
    type=Whole(0),
    default=0,
    show_default=True,
    metavar="N",
    help="Also ask about N irrelevant documents, each in three ways, to see whether they fool the model.",
)
@click.option(
    "--used-by",
    multiple=True,
    metavar="RUN",
    help="A run whose system uses this model: does the model favour it? May be repeated.",
)
@project
@click.option("--yes", is_flag=True, help="Send documents to another machine without asking.")
@printing
def judge_model(
    sources: tuple[str, ...],
    model: str,
    base_url: str | None,
    prompt: str,
    most: int | None,
    at_once: int,
    words: int,
    timeout: float,
    logprobs: bool,
    price: tuple[float, float] | None,
    repeats: float,
    probes: int,
    used_by: tuple[str, ...],
    project: Mapping[str, Any],
    yes: bool,
    printing: Printing,
) -> None:
    """Let a language model label what is to be judged, and see how far to trust it.

    \b
        cranfield judge model judging.db --model llama3 --base-url http://127.0.0.1:11434/v1
        cranfield judge model judging.db --model gpt-4o --prompt umbrela --most 200 --price 2.5,10
        cranfield judge model judging.db --model llama3 --probes 20
        cranfield judge model pool.csv --model llama3 --store labels.db

    One document per request, temperature 0; the API key is read from OPENAI_API_KEY and never stored or shown. Every
    answer is stored as it comes. A failed request gives no grade: the same command asks again for what is missing, and
    for nothing else. Where people labelled some of the same documents, it shows how far the model agrees with them.
    Labels by a model are marked in every export; `cranfield correct` corrects what they get wrong.
    """
    from cranfield.model_judging.judge import ModelJudge
    from cranfield.model_judging.judging import endpoint_of
    from cranfield.model_judging.prompts import prompt_named

    with _address(model, base_url) as address, closing(_store(sources, project, quiet=printing.quiet)) as store:
        endpoint = endpoint_of(model, address, None, timeout)
        judge = ModelJudge(store, endpoint, prompt_named(prompt, store.project()), words, at_once, logprobs)
        items = judge.to_ask()[:most]
        outgoing = judge.estimate(items)
        click.echo(outgoing.sentence(endpoint, price), err=True)
        _require_consent(judge, len(items), yes=yes)
        run = _run(judge, items, outgoing, price, quiet=printing.quiet)
        if not run.stopped:
            _ask_again(judge, store, repeats, probes, run)
        answer = replace(run, trust=_trust(store, judge.name, used_by))
    show(answer, printing)
    if run.stopped:
        raise SystemExit(STOPPED)


@contextmanager
def _address(model: str, base_url: str | None) -> Iterator[str | None]:
    """Where the model is; the stand-in is served here while it is asked."""
    if model != DEMO or base_url is not None:
        yield base_url
        return
    from cranfield.demo.stand_in_judge import serving

    with serving() as url:
        yield url


def _store(sources: tuple[str, ...], project: Mapping[str, Any], *, quiet: bool) -> Store:
    """The store that is named, or a new one with what runs, a pool or pairs ask for."""
    from cranfield.assessing.opening import ProjectInputs
    from cranfield.model_judging.judging import open_judged

    inputs = {name: value for name, value in project.items() if name not in ("store", "seed")}
    settings = {"seed": project["seed"]} if "seed" in project else {}
    opened = open_judged(list(sources), project.get("store"), ProjectInputs(**inputs, settings=settings))
    echo_warnings(opened.warnings, quiet=quiet)
    return opened.store


def _require_consent(judge: ModelJudge, items: int, *, yes: bool) -> None:
    """Text leaves this machine only if somebody wants it to."""
    from cranfield import errors

    if yes or judge.endpoint.is_local or not items:
        return
    if not (sys.stdin is not None and sys.stdin.isatty()):
        raise errors.model_judging.needs_consent(judge.endpoint.host)
    click.confirm("Send them?", abort=True, err=True)


def _run(
    judge: ModelJudge, items: list[int], outgoing: Outgoing, price: tuple[float, float] | None, *, quiet: bool
) -> ModelRun:
    """The labels; meanwhile, how far it is, how long it takes and what it costs."""

    def cost(done: int, of: int) -> str:
        return f", about {outgoing.cost(price) * (of - done) / of:z.2f} to send" if price else ""

    return judge.run(items, price=price, watch=count_shown(quiet=quiet, in_log=True, more=cost))


def _ask_again(judge: ModelJudge, store: Store, repeats: float, probes: int, run: ModelRun) -> None:
    """Repeats of what is new, and made-up documents; neither is ever a label."""
    from cranfield.model_judging.probes import probes as made_up
    from cranfield.model_judging.probes import repeats as repeated

    known = judge.judge()
    if known is None:
        return
    before = {answer.item for answer in store.answers(known.number) if answer.purpose == "repeat"}
    labelled = [item for item, by, _ in store.current() if by == known.number and item not in before]
    if run.labels:
        judge.ask_again(repeated(judge, repeats, labelled, judge.project.seed))
    if probes:
        judge.ask_again(made_up(judge, probes, judge.project.seed))


def _trust(store: Store, name: str, used_by: tuple[str, ...]) -> ModelTrust | None:
    """How far to trust the labels; nothing where people labelled too few of the documents."""
    from cranfield.assessing.model_trust import trust
    from cranfield.errors import DataError

    try:
        return trust(store, model=name, used_by=used_by)
    except DataError:
        return None
