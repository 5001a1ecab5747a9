"""What `gate`, `gate init` and `gate update` share: rules, a run and a baseline."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import wraps
from typing import TYPE_CHECKING, Any

import click

from cranfield.cli import streams
from cranfield.cli.inputs import EvaluationChoices, Inputs, evaluation, option_name, reading
from cranfield.cli.options import Command, bundle, require_one_standard_input
from cranfield.cli.output import Printing, printing_for_logs, show

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cranfield.evaluating.scores import Scores
    from cranfield.gating import Gate, Rules
    from cranfield.measures import Measure
    from cranfield.show.answer import Answer

DEFAULT_MEASURES = ("nDCG@10", "R@100")


@dataclass(frozen=True)
class RuleChoices:
    """Which rules a run is tested by, and against which baseline; None where nothing was chosen."""

    rules: str | None
    baseline: str | None
    baseline_run: str | None
    measures: tuple[str, ...]
    margin: str | None
    queries: str | None
    inconclusive: str | None
    allow_different_judgments: bool

    def chosen(self) -> Rules:
        """The rules of a file, or the one rule that the command line gives, with what else was chosen."""
        from cranfield.gating.rules import inconclusive_as

        counts_as = None if self.inconclusive is None else inconclusive_as(self.inconclusive)
        rules = _rules(self.rules, self.baseline, self.measures, self.margin)
        return replace(
            rules,
            baseline=self.baseline or rules.baseline,
            baseline_run=self.baseline_run or rules.baseline_run,
            queries=self.queries or rules.queries,
            inconclusive=rules.inconclusive if counts_as is None else counts_as,
        )


rule_choices = bundle(
    "choices",
    RuleChoices,
    click.option(
        "--rules",
        metavar="FILE",
        help="File of rules; `gate init` writes one with comments. [default: cranfield-gate.toml, or "
        "[tool.cranfield.gate] in pyproject.toml]",
    ),
    click.option("--baseline", metavar="FILE", help="Saved results to compare with. [default: as the rules say]"),
    click.option(
        "--baseline-run", metavar="RUN", help="Run of the baseline to compare with, by name, if there are several."
    ),
    click.option(
        "-m",
        "--measure",
        "measures",
        multiple=True,
        metavar="NAME",
        help="With --margin: the measure to test, instead of the rules; may be repeated.",
    ),
    click.option(
        "--margin",
        metavar="X",
        help="How much worse a mean may get: 0.02, or 2% of the baseline's. It replaces the rules.",
    ),
    click.option("--queries", metavar="FILE", help="Query file: id and any columns that rules use."),
    click.option(
        "--inconclusive",
        metavar="pass|fail|CODE",
        help="How to treat an inconclusive result: pass, fail or an exit code. [default: as the rules say, else pass]",
    ),
    click.option(
        "--allow-different-judgments",
        is_flag=True,
        help="Compare with a baseline of other judgments on the queries they share.",
    ),
)


@dataclass(frozen=True)
class Notices:
    """Where the result goes besides what is printed."""

    summary: bool
    annotations: bool
    junit: str | None

    def write(self, gate: Gate) -> None:
        """Write the files."""
        from cranfield.formats.writing import write_text

        if self.junit is not None:
            write_text(self.junit, gate.junit())
        if self.summary and (page := os.environ.get("GITHUB_STEP_SUMMARY")):
            write_text(page, gate.markdown() + "\n", append=True)

    def lines(self, gate: Gate, form: str) -> list[str]:
        """What is printed besides: a summary for which there is no page, and what GitHub reads in the log."""
        is_missing = self.summary and form != "markdown" and not os.environ.get("GITHUB_STEP_SUMMARY")
        return [*([gate.markdown()] if is_missing else []), *(gate.annotations() if self.annotations else [])]


notices = bundle(
    "notices",
    Notices,
    click.option(
        "--summary",
        is_flag=True,
        help="Add the result to the page of a GitHub Actions run; elsewhere, print Markdown.",
    ),
    click.option(
        "--annotations", is_flag=True, help="Also print annotations (errors and warnings) for GitHub Actions."
    ),
    click.option("--junit", metavar="FILE", help="Also write the result as JUnit XML."),
)

run_name = click.option(
    "--run", "run_name", metavar="RUN", help="Run to test, by name, if saved results or a table hold several."
)


def conclude(gate: Gate, answer: Answer, notices: Notices, printing: Printing) -> None:
    """Write and print what came out, and exit as it says."""
    # Files first: whoever stops reading what is printed still has them.
    notices.write(gate)
    try:
        show(answer, printing)
        # GitHub reads both streams; a program reads what is printed.
        for line in notices.lines(gate, printing.form):
            click.echo(line, err=printing.form not in ("table", "markdown"))
    except BrokenPipeError:
        # As `| head` does. The verdict is what it is.
        streams.drop_output()
    sys.exit(gate.exit_code)


def run_command(function: Callable[[GateInput, RuleChoices, Notices, Printing], None]) -> click.Command:
    """A command that tests one run by rules; the function is given the run, and has the help as its docstring."""

    @click.command(cls=Command)
    @click.argument("files", metavar="QRELS RUN", nargs=-1, required=True)
    @rule_choices
    @run_name
    @notices
    @evaluation
    @printing_for_logs
    @reading
    @wraps(function)
    def command(
        files: tuple[str, ...],
        choices: RuleChoices,
        run_name: str | None,
        notices: Notices,
        evaluation: EvaluationChoices,
        printing: Printing,
        inputs: Inputs,
    ) -> None:
        require_one_standard_input(*files)
        run = GateInput(files, run_name, inputs, evaluation, printing.quiet)
        run.require_one_run()
        function(run, choices, notices, printing)

    return command


@dataclass(frozen=True)
class GateInput:
    """The files and settings on the command line: judgments and a run, or saved results."""

    files: tuple[str, ...]
    run: str | None
    inputs: Inputs
    evaluation: EvaluationChoices
    quiet: bool

    @property
    def is_saved(self) -> bool:
        """Whether it is one file of saved results."""
        from cranfield.formats.sniff import is_results

        return len(self.files) == 1 and self.files[0] != "-" and is_results(self.files[0])

    def require_one_run(self) -> None:
        """Judgments and one run, or saved results."""
        from cranfield import errors
        from cranfield.formats.sniff import is_results
        from cranfield.formats.source import is_there

        if self.is_saved:
            if chosen := self.evaluation.chosen():
                raise click.UsageError(
                    f"Saved results are already scored; leave out {', '.join(map(option_name, chosen))}."
                )
            return
        saved = [path for path in self.files if path != "-" and is_results(path)]
        if saved and len(self.files) > 1:
            raise click.UsageError(
                f"{saved[0]} holds saved results. Give those of the run alone, and the baseline's as --baseline FILE."
            )
        if len(self.files) == 1:
            if self.files[0] != "-" and not is_there(self.files[0]):
                raise errors.DataError([errors.files.no_such_file(self.files[0])])
            raise click.UsageError(
                f"{self.files[0]} holds no saved results; name judgments and a run, or a file saved by `--save`."
            )
        if len(self.files) > 2:
            raise click.UsageError("One run is compared with the baseline; name judgments and one run.")

    def results(self, measures: Sequence[Measure], settings: dict[str, Any]) -> Scores:
        """The run's results: saved ones, or those of judgments and run as the settings want them."""
        from cranfield.evaluating.evaluation import evaluation_plan
        from cranfield.evaluating.saved_scores import load
        from cranfield.gating.verdict import one_run

        if self.is_saved:
            return one_run(load(self.files[0]), self.run, self.files[0], "--run RUN")
        judgments, run = self.files
        chosen = {**settings, **self.evaluation.chosen()}
        plan = evaluation_plan(chosen.pop("profile", None), measures, chosen)
        return one_run(self.inputs.scores(plan, judgments, [run], quiet=self.quiet), self.run, run, "--run RUN")


def _rules(path: str | None, baseline: str | None, measures: tuple[str, ...], margin: str | None) -> Rules:
    """The rules of a file, or the one rule that the command line gives."""
    from cranfield import errors
    from cranfield.gating import find_rules, read_rules
    from cranfield.gating.rules import RULE_FILE

    if margin is not None or measures:
        if path is not None:
            raise click.UsageError("--rules and --margin both give rules; choose one.")
        if margin is None:
            raise click.UsageError(
                "-m needs --margin: by how much the mean may get worse. Without both, rules are read from a file."
            )
        if baseline is None:
            raise errors.gate.no_baseline()
        return rule_of(measures or DEFAULT_MEASURES[:1], margin)
    found = path or find_rules()
    if found is None:
        raise errors.gate.no_rule_file(RULE_FILE)
    return read_rules(found)


def rule_of(measures: Sequence[str], margin: str) -> Rules:
    """The rule that means may get worse by no more than a margin."""
    from cranfield.gating import rules_of

    return rules_of({"not_worse": [{"measure": name, "margin": margin_of(margin)} for name in measures]})


def margin_of(margin: str) -> str | float:
    """A margin as rules have it: a number, or a text such as 2%."""
    try:
        return float(margin)
    except ValueError:
        return margin


def evaluate_rules(given: GateInput, choices: RuleChoices, *, needs_baseline: bool = False) -> Gate:
    """The run tested by the rules."""
    from cranfield import errors
    from cranfield.evaluating.saved_scores import load
    from cranfield.formats.source import is_there
    from cranfield.gating import gate as test
    from cranfield.gating.verdict import one_run

    rules = choices.chosen()
    baseline = None
    if rules.needs_baseline or needs_baseline:
        if rules.baseline is None:
            raise errors.gate.no_baseline()
        if not is_there(rules.baseline):
            raise errors.DataError([errors.gate.baseline_missing(rules.baseline)])
        baseline = one_run(load(rules.baseline), rules.baseline_run, rules.baseline, "--baseline-run RUN")
    settings = {} if baseline is None else _as_measured(baseline)
    asked = [] if given.is_saved else measures_of(rules, {**settings, **given.evaluation.chosen()})
    if needs_baseline and baseline is not None and not given.is_saved:
        asked += [measure for measure in baseline.measures if measure not in asked and _is_known(measure)]
    results = given.results(asked, settings)
    return test(results, baseline, rules, allow_different_judgments=choices.allow_different_judgments)


def _as_measured(baseline: Scores) -> dict[str, Any]:
    """The settings under which the baseline was measured, so that the run is too."""
    from dataclasses import asdict

    of_measures = [asdict(settings) for settings in baseline.provenance.settings]
    values = {name: {settings[name] for settings in of_measures} for name in of_measures[0]}
    values["unjudged_grade"].discard(None)  # as measures have it that tell how much is judged
    # What differs between measures are exceptions, which a profile makes itself.
    return {name: value for name, one in values.items() if len(one) == 1 and (value := next(iter(one))) is not None}


def measures_of(rules: Rules, settings: dict[str, Any]) -> list[Measure]:
    """The measures of the rules; one that does not exist is reported with its line."""
    from cranfield import errors
    from cranfield.errors import UsageError
    from cranfield.evaluating import profiles
    from cranfield.evaluating.evaluation import groups_of
    from cranfield.gating import JudgedShare

    profile = profiles.find(settings.get("profile"))
    asked: dict[Measure, None] = {}
    for rule in rules.rules:
        if name := getattr(rule, "measure", None):
            try:
                found = profile.parse(name, settings.get("rel"))
            except UsageError as error:
                if rules.path is None:
                    raise
                raise errors.gate.wrong_rule(rules.path, rule.line, str(error)) from None
            if len(found) != 1:
                message = f"{name!r} names {len(found)} measures; give one"
                raise errors.gate.wrong_rule(rules.path, rule.line, message)
            asked.update(dict.fromkeys(found))
    # Next to measures that read several grades of a document, Judged has none to read; its share is known anyway.
    is_grouped = groups_of(asked) is not None
    for rule in rules.rules:
        if isinstance(rule, JudgedShare) and not (is_grouped and rule.at == 10 and rule.by is None):
            asked.update(dict.fromkeys(profile.parse(f"Judged@{rule.at}")))
    return list(asked) or profile.parse(DEFAULT_MEASURES[:1])


def _is_known(measure: Measure) -> bool:
    from cranfield.errors import UsageError
    from cranfield.measures import parse

    try:
        return parse(measure.canonical) == measure
    except UsageError:
        return False
