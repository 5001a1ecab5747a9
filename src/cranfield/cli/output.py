"""What all commands share in showing results: formats, warnings, hints, progress."""

from __future__ import annotations

import os
import sys
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple

import click

from cranfield.choices import OutputFormat, PaperOrder
from cranfield.cli.options import MOST_PLACES, Decorator, Real, Whole, bundle, choice, option, places

if TYPE_CHECKING:
    from cranfield.data.judgments import Judgments
    from cranfield.data.run import JudgedPlaces, Ranking, Run
    from cranfield.errors import Finding, Findings
    from cranfield.evaluating.scores import Scores
    from cranfield.evaluating.worst_queries import WorstQueries
    from cranfield.show.answer import Answer
    from cranfield.show.digits import Digits


GROUP = "Output"


class Printing(NamedTuple):
    """How an answer is printed."""

    form: OutputFormat
    places: int
    quiet: bool
    is_chosen: bool = True
    """Whether the format was asked for."""
    by_measure: Mapping[str, int] = MappingProxyType({})
    """Decimals of single measures, by the names they were given."""
    percent: bool = False
    """Whether scores are multiplied by 100."""
    paper: Mapping[str, Any] = MappingProxyType({})
    """Caption, label and order of a table for a paper."""

    def digits(self, scores: Scores) -> Digits:
        """How scores are shown."""
        from cranfield.show.digits import Digits

        places = {scores.measures[scores.position(name)].canonical: count for name, count in self.by_measure.items()}
        return Digits(places, self.percent)


def _printing(form: OutputFormat | None, places: int, quiet: bool) -> Printing:
    return Printing(form or ("table" if sys.stdout.isatty() else "tsv"), places, quiet, form is not None)


_PLACES = option(
    "--places", type=Whole(0, MOST_PLACES), default=4, show_default=True, group=GROUP, help="Decimals shown."
)
quiet = option("--quiet", is_flag=True, group=GROUP, help="Print no warnings, hints or progress.")
"""Also for commands that write files and print no answer."""


def _set_verbose(context: click.Context, option: click.Parameter, value: bool) -> None:
    context.meta[VERBOSE] = value


VERBOSE = "cranfield.verbose"
verbose = option(
    "--verbose",
    is_flag=True,
    expose_value=False,
    callback=_set_verbose,
    group=GROUP,
    help="Also print what was read: numbers of judgments, documents and ties, even if they change nothing.",
)
"""Of every command that evaluates; `echo_notes` prints what it asks for."""


def echo_notes(scores: Scores) -> None:
    """What an evaluation read, on standard error, if --verbose asks for it."""
    if click.get_current_context().meta.get(VERBOSE):
        for finding in scores.notes():
            click.echo(f"{styled('note', dim=True)}: {finding}", err=True)


def _format(default: str | None, help: str) -> Decorator:
    return option("--format", "form", type=choice(OutputFormat), default=default, group=GROUP, help=help)


printing = bundle(
    "printing",
    _printing,
    _format(None, "Output format. [default: table on a terminal, tsv in a pipe]"),
    _PLACES,
    quiet,
)
"""The options of every command that prints an answer."""

printing_for_logs = bundle("printing", _printing, _format("table", "Output format. [default: table]"), _PLACES, quiet)
"""The same for a command whose output people read in the log of CI, which is a pipe."""


printing_checks = bundle(
    "printing",
    lambda form, quiet: Printing(form, 0, quiet),
    _format("table", "Output format. [default: table]"),
    quiet,
)
"""The same for a command that prints no scores."""


PEOPLE = ("table", "markdown", "latex")
"""The formats that people read; others have scores as they are."""


def printing_scores(*papers: str) -> Decorator:
    """The options of a command that prints scores, perhaps as a table for a paper; that is in some of the formats."""

    def made(
        form: OutputFormat | None,
        places: tuple[int | None, dict[str, int]],
        quiet: bool,
        percent: bool,
        caption: str | None,
        label: str | None,
        order: str | None,
    ) -> Printing:
        usual, by_measure = places
        whole = 2 if percent else 4
        chosen = _printing(form, whole if usual is None else usual, quiet)
        _refuse_elsewhere("--percent", percent, PEOPLE, chosen.form)
        paper = {"caption": caption, "label": label, "order": order}
        for name, value in paper.items():
            _refuse_elsewhere(f"--{name}", value is not None, ("latex",) if name == "label" else papers, chosen.form)
        given = {name: value for name, value in paper.items() if value is not None}
        return chosen._replace(by_measure=by_measure, percent=percent, paper=given)

    shown = " and ".join(papers)
    return bundle(
        "printing",
        made,
        _format(None, "Output format. [default: table on a terminal, tsv in a pipe]"),
        option(
            "--places",
            callback=places,
            metavar="N",
            group=GROUP,
            help="Decimals shown: a number, or one for each measure (AP=4,nDCG@10=3). [default: 4; 2 with --percent]",
        ),
        option(
            "--percent",
            is_flag=True,
            group=GROUP,
            help="Multiply scores by 100, in table, markdown and latex.",
        ),
        option(
            "--order",
            type=choice(PaperOrder),
            group=GROUP,
            help=f"Order of runs in {shown}: by the mean of the first measure, or as given. [default: mean]",
        ),
        option(
            "--caption",
            metavar="TEXT",
            group=GROUP,
            help=f"First sentence of the caption in {shown}; what marks mean is added.",
        ),
        option("--label", metavar="NAME", group=GROUP, help="Label of the table in latex. [default: tab:...]"),
        quiet,
    )


def _refuse_elsewhere(name: str, is_given: bool, forms: tuple[str, ...], form: str) -> None:
    if is_given and form not in forms:
        *first, last = forms
        where = f"{', '.join(first)} or {last}" if first else last
        raise click.UsageError(f"{name} is for --format {where}, not {form}.")


@dataclass(frozen=True)
class WorstChoices:
    """Which queries with low scores are shown too, and what a failure is."""

    worst: int | None
    failure_threshold: float | None

    def __post_init__(self) -> None:
        if self.failure_threshold is not None and self.worst is None:
            raise click.UsageError("--failure-threshold needs --worst N.")

    def of(self, scores: Scores, queries: object, digits: Digits) -> WorstQueries | None:
        """The worst queries under the first measure, if they are asked for."""
        if self.worst is None:
            return None
        found = scores.worst(self.worst, queries=queries, failure_threshold=self.failure_threshold)
        return replace(found, digits=digits)


worst = bundle(
    "worst",
    WorstChoices,
    option(
        "--worst",
        type=Whole(),
        metavar="N",
        help="Also list the N queries with the lowest mean score over all runs (first measure), those that fail in "
        "every run first; with texts if --queries is given.",
    ),
    option(
        "--failure-threshold",
        type=Real(),
        metavar="SCORE",
        help="For --worst: a run fails on a query if its score is not better than this. [default: 0]",
    ),
)
"""The options of commands that list the worst queries."""


def show(answer: Answer, printing: Printing) -> None:
    """Print an answer in the format asked for: the one place where commands print results."""
    from cranfield.show.answer import ROW_FORMS

    form, places = printing.form, printing.places
    if printing.quiet:
        answer = answer.quiet()
    if form == "json":
        echo_json(answer.to_dict())
    elif form == "table":
        click.echo(answer.text(places, color=_colored(), width=terminal_width()))
    else:
        click.echo(answer.form(form, places), nl=False)
    if form in (*ROW_FORMS, "latex") and not printing.quiet:
        for sentence in answer.sentences():
            click.echo(sentence, err=True)
    # Tables show warnings below themselves; other formats may go where nobody reads them.
    echo_warnings(answer.warnings, quiet=printing.quiet or form in ("table", "markdown"))


def require_form(path: str | None) -> None:
    """Refuse a file whose name does not tell the format of an answer, before anything is computed."""
    from cranfield.formats.writing import form_of
    from cranfield.show.answer import FORMS

    if path is not None:
        form_of(path, FORMS[1:], "results")


def write(answer: Answer, path: str, printing: Printing) -> None:
    """Write an answer to a file, in the format that its name ends with."""
    from cranfield.formats.writing import form_of, write_text
    from cranfield.show.answer import FORMS

    write_text(path, answer.form(form_of(path, FORMS[1:], "results"), printing.places))


def echo_data(text: str, answer: Answer, printing: Printing) -> None:
    """Print what an answer gives to another program, such as judgments; what it says of itself goes elsewhere."""
    click.echo(text, nl=False)
    if not printing.quiet:
        click.echo(answer.verdict(), err=True)
    echo_warnings(answer.warnings, quiet=printing.quiet)


def echo_json(value: object) -> None:
    """Print JSON that every parser reads: undefined numbers must have become null before."""
    from cranfield.cli.streams import can_be_written
    from cranfield.show.answer import json_text

    text = json_text(value)
    # JSON can spell every sign in ASCII, so nothing need be replaced.
    click.echo(text if can_be_written(text) else json_text(value, ascii_only=True), nl=False)


def terminal_width() -> int:
    """Columns there are; as good as endless when nobody looks at a screen."""
    import shutil

    return shutil.get_terminal_size().columns if sys.stdout.isatty() else 10_000


def echo_warnings(findings: Iterable[Finding], *, quiet: bool) -> None:
    """Warnings go to standard error, so that they reach the person and not the pipe."""
    if quiet:
        return
    for finding in findings:
        click.echo(f"{styled('warning', fg='yellow')}: {finding}", err=True)


def hint(text: str, *, quiet: bool) -> None:
    """A next step, for a person at a terminal only."""
    if not quiet and sys.stdout.isatty():
        click.echo(styled(text, dim=True), err=True)


def styled(text: str, *, fg: str | None = None, dim: bool | None = None, bold: bool | None = None) -> str:
    """Text in a style, where a terminal shows it and the user does not mind (NO_COLOR)."""
    return click.style(text, fg=fg, dim=dim, bold=bold) if _colored() else text


def _colored() -> bool:
    return sys.stdout.isatty() and "NO_COLOR" not in os.environ and os.environ.get("TERM") != "dumb"


FIRST_IN_LOG, BETWEEN_IN_LOG = 20, 60.0
"""Of what is counted, how many have to be done before a log says how long the rest takes, and seconds between lines."""


def count_shown(
    *, quiet: bool, in_log: bool = False, more: Callable[[int, int], str] = lambda done, of: ""
) -> Callable[[int, int], None]:
    """Tells on one line of a terminal how many of all are done, and how long the rest takes, and `more`.

    With `in_log` it is told where there is no terminal, too: once that is known, and then every minute.
    """
    import time

    from cranfield.phrases import counted

    began = told = time.monotonic()
    is_terminal = sys.stderr is not None and sys.stderr.isatty()

    def show(done: int, of: int) -> None:
        nonlocal told
        now = time.monotonic()
        is_due = in_log and done < of and (done == FIRST_IN_LOG or now - told >= BETWEEN_IN_LOG)
        if quiet or not (is_terminal or is_due):
            return
        told = now
        left = (now - began) / done * (of - done)
        time_left = counted(round(left / 60), "minute") if left >= 90 else counted(round(left), "second")
        line = f"{done:,} of {of:,}, about {time_left} left{more(done, of)}"
        click.echo(f"\r\x1b[K{line} " if is_terminal else line, nl=done == of or not is_terminal, err=True)

    return show


PATIENCE = 1.0
"""Seconds before anything is shown."""


@dataclass(eq=False)
class Progress:
    """What is being read, and how far it is, shown on one line of standard error."""

    doing: str = "reading"
    run: str = ""
    queries: int = 0
    _done: threading.Event = field(default_factory=threading.Event)

    def watched(self, run: Run) -> Run:
        """The run, counted as it is read."""
        from dataclasses import replace

        def rankings(findings: Findings) -> Iterator[Ranking]:
            self.run, self.queries = run.name, 0
            for ranking in run.rankings(findings):
                self.queries += 1
                yield ranking

        def at_once(judgments: Judgments, *, ties: str, single: bool) -> JudgedPlaces | None:
            self.run, self.queries = run.name, 0
            return None if run.at_once is None else run.at_once(judgments, ties=ties, single=single)

        return replace(run, read=rankings, at_once=at_once)

    def show(self) -> None:
        """Show the state four times a second until it is over, then leave the line as it was."""
        shown = False
        while not self._done.wait(0.25 if shown else PATIENCE):
            counted = (
                f": {self.queries:,} queries" if self.queries else ""
            )  # the compiled loops tell nothing on the way
            sys.stderr.write(f"\r\x1b[K{self.doing} {self.run}{counted}")
            sys.stderr.flush()
            shown = True
        if shown:
            sys.stderr.write("\r\x1b[K")
            sys.stderr.flush()

    def stop(self) -> None:
        """Nothing more to wait for."""
        self._done.set()


@contextmanager
def progress(*, quiet: bool) -> Iterator[Progress]:
    """Progress while the block runs, if standard error is a terminal."""
    state = Progress()
    if quiet or not sys.stderr.isatty():
        yield state
        return
    shown = threading.Thread(target=state.show, daemon=True)
    shown.start()
    try:
        yield state
    finally:
        state.stop()
        shown.join()
