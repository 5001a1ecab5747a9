"""The command: arguments in, one public call, print. One file per command, loaded when it is called."""

from __future__ import annotations

import atexit
import gc
import os
import sys
import threading
from contextlib import suppress
from importlib import import_module
from typing import TYPE_CHECKING, Any

import click

from cranfield.cli import streams
from cranfield.version import VERSION

if TYPE_CHECKING:
    from cranfield.errors import CranfieldError

OBJECTS_BETWEEN_COLLECTIONS = 20_000
GROUPS = {
    "Start here": {
        "evaluate": "Scores of runs, with intervals.",
        "compare": "Which run is better, and is the difference significant?",
        "report": "An HTML page to read, explore and send.",
    },
    "Score": {
        "score": "Scores of rankings that you type: no files needed.",
        "explain": "How one score is calculated, rank by rank.",
        "curve": "Precision-recall and other curves and figures.",
        "why": "Why tools disagree: one measure as each computes it.",
        "measures": "The catalogue of measures, or one definition in full.",
        "recommendation": "Coverage, novelty and diversity of recommended lists.",
    },
    "Compare": {
        "compare systems": "Systems with several runs each, such as seeds.",
        "compare orders": "Kendall's tau: do judgments or measures rank runs alike?",
        "plan": "How many queries a comparison needs.",
        "gate": "Did quality fall? A run against a baseline, for CI.",
        "gate init": "Write a baseline and rules to start with.",
        "gate update": "Raise the baseline where a run that passes is better.",
        "risk": "Gains and losses against a baseline.",
        "similarity": "How similar runs are, without judgments.",
    },
    "Labels": {
        "pool": "Choose documents to judge, from the top results of runs.",
        "pool simulate": "How soon each strategy finds the relevant documents.",
        "pool reusability": "Are the judgments fair to a run outside the pool?",
        "pool plan": "How many labels a difference between runs needs.",
        "judge": "Judge documents in the browser, alone or as a team.",
        "judge model": "A language model as one more judge.",
        "judge trust": "A model's labels compared with people's.",
        "agree": "Agreement between judges.",
        "agree explain": "How the kappa of two judges is computed.",
        "merge": "One grade per document from several judges.",
        "correct": "Scores from a model's labels, corrected by people.",
        "correct plan": "How many labels by people a corrected interval needs.",
        "correct documents": "The same with a sample of documents.",
        "clicks": "From a click log to judgments.",
        "clicks models": "Which click model predicts clicks best?",
        "clicks estimate": "Scores of runs from clicks, without position bias.",
        "clicks policy": "What another policy would have earned.",
    },
    "Tools": {
        "retrieve": "From a live engine, or a database, to a run.",
        "fuse": "Several runs fused into one: RRF, CombSUM and others.",
        "fuse potential": "How much fusion could gain at most.",
        "fuse tune": "Weights and other parameters of a fusion, cross-validated.",
        "check": "What is wrong or suspicious in a file.",
        "convert": "From one file format to another.",
        "trec-eval": "A drop-in replacement for trec_eval, with identical output.",
        "mcp": "Tools for AI assistants (Model Context Protocol).",
        "demo": "A tour on a small collection that comes with the package.",
        "selftest": "Does this installation compute what it should?",
        "help": "Help on a command or a measure: cranfield help NAME.",
    },
}
"""The commands by what people want to do; a name of two words is a command of its own."""
COMMANDS = {name: line for group in GROUPS.values() for name, line in group.items()}
OTHER_NAMES = {"tau": "compare orders"}
"""Commands by what people look for; no list shows them twice."""

CANNOT_WRITE = 3
INTERRUPTED = 130


class Commands(click.Group):
    """Subcommands that are imported only when they run, so that --help answers at once."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """All commands, in the order people need them."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, name: str) -> click.Command | None:
        """The command of that name; a misspelt one is answered with the nearest."""
        name = OTHER_NAMES.get(name, name)
        if name in COMMANDS:
            module = name.replace("-", "_").replace(" ", "_")
            command: click.Command = getattr(import_module(f"cranfield.cli.{module}"), module)
            return command
        from cranfield.errors import did_you_mean

        raise click.UsageError(f"No such command {name!r}. {did_you_mean(name, COMMANDS)}".strip(), ctx)

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """The command that the first two words name, else that of the first."""
        words = 2 if " ".join(args[:2]) in COMMANDS else 1
        name = " ".join(args[:words])
        return name, self.get_command(ctx, name), args[words:]

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """The commands in groups, without importing any."""
        for group, commands in GROUPS.items():
            with formatter.section(group):
                formatter.write_dl(list(commands.items()))

    def make_context(self, *given: Any, **more: Any) -> click.Context:
        """What was asked; --help is answered here, and its reader may go away too."""
        try:
            return super().make_context(*given, **more)
        except BrokenPipeError:
            streams.drop_output()
            raise click.exceptions.Exit(0) from None

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command; what a user can do wrong ends in a message and an exit code, not a traceback."""
        from cranfield.errors import CranfieldError
        from cranfield.phrases import command_line

        try:
            with command_line():
                return super().invoke(ctx)
        except CranfieldError as error:
            click.echo(f"cranfield: {_in_command(error, self, ctx)}", err=True)
            ctx.exit(error.exit_code)
        except BrokenPipeError:
            streams.drop_output()
            ctx.exit(0)


def _in_command(error: CranfieldError, commands: Commands, ctx: click.Context) -> CranfieldError:
    """What went wrong, in terms of the command that was called."""
    from cranfield.errors.files import in_command

    command = commands.get_command(ctx, ctx.invoked_subcommand or "")
    parameters = command.params if command else []
    arguments = [str(one.metavar) for one in parameters if isinstance(one, click.Argument)]
    options = {name for one in parameters if isinstance(one, click.Option) for name in one.opts}
    return in_command(error, ctx.invoked_subcommand or "", " ".join(arguments), options)


@click.command(cls=Commands, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(VERSION, prog_name="cranfield")
def cranfield() -> None:
    """Offline evaluation of ranked retrieval: how good is it, and can the number be trusted?

    Start with `cranfield demo`, or with your own files:

    \b
        cranfield evaluate qrels.txt bm25.run dense.run.gz
    """


def script() -> None:
    """The console script: the command, in a process that is its own."""
    try:
        main()
    except SystemExit as end:
        if threading.active_count() > 1 or not isinstance(end.code, int | None):
            raise
        # Python would free each object of each module, which takes longer than a small evaluation.
        atexit._run_exitfuncs()
        with suppress(OSError, ValueError):  # closed or full, of which the command has told
            for stream in filter(None, (sys.stdout, sys.stderr)):
                stream.flush()
        os._exit(end.code or 0)


def main() -> None:
    """The command."""
    # OpenBLAS would start a thread for each core as soon as NumPy is imported, which takes as long as all else there.
    # Nothing here multiplies matrices. The library leaves this to its user; a process of our own may choose.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    # Modules are thousands of objects that stay: to look through them again and again finds no garbage, least of all
    # at the end.
    gc.set_threshold(OBJECTS_BETWEEN_COLLECTIONS)
    streams.prepare()
    try:
        code = cranfield.main(prog_name="cranfield", standalone_mode=False)
        sys.stdout.flush()
    except click.ClickException as error:
        error.show()
        code = error.exit_code
    except click.Abort:
        code = INTERRUPTED
    except (OSError, AttributeError) as error:
        if sys.stdout is not None and not isinstance(error, OSError):
            raise
        # Standard output is closed or full, or a file cannot be written.
        code = CANNOT_WRITE
        reason = getattr(error, "strerror", None) or "the output is closed"
        print(f"cranfield: cannot write: {reason}", file=sys.stderr)
        if sys.stdout is not None:
            streams.drop_output()
    gc.freeze()
    sys.exit(code)
