"""`cranfield gate`: does a run keep what was reached? Pass, fail or inconclusive, for CI."""

from __future__ import annotations

import os
import sys
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from cranfield.cli import streams
from cranfield.cli.inputs import Inputs, ranking_options, reading_options
from cranfield.cli.output import echo_json, echo_table, styled
from cranfield.cli.progress import progress

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cranfield.gating import Gate, Ratchet, Rules, Verdict
    from cranfield.measures import Measure
    from cranfield.scores import Scores

DEFAULT_MEASURES = ("nDCG@10", "R@100")
WIDEST = 120


@click.command()
@click.argument("files", metavar="QRELS RUN", nargs=-1, required=True)
@click.option("--init", is_flag=True, help="Write a baseline and rules to begin with, and test nothing.")
@click.option("--force", is_flag=True, help="With --init: replace a baseline that is there. Rules are never replaced.")
@click.option(
    "--update",
    is_flag=True,
    help="If the run passes, raise the baseline where it is better; what is worse stays.",
)
@click.option(
    "--rules",
    metavar="FILE",
    help="The rules. [default: cranfield-gate.toml, or [tool.cranfield.gate] in pyproject.toml]",
)
@click.option("--baseline", metavar="FILE", help="Saved results to hold the run against. [default: as the rules say]")
@click.option("--baseline-run", metavar="RUN", help="Which run of the baseline, if it has several.")
@click.option("--run", "run_name", metavar="RUN", help="Which run of saved results, if they have several.")
@click.option(
    "-m",
    "--measure",
    "measures",
    multiple=True,
    metavar="NAME",
    help="A measure; may be repeated. With --init those of the rules [default: nDCG@10 R@100], else with --margin.",
)
@click.option(
    "--margin",
    metavar="X",
    help="How much worse a mean may get: 0.02, or 2% of the baseline's. Without --init it is the only rule.",
)
@click.option("--queries", metavar="FILE", help="A CSV or TSV file with a line per query, whose columns rules go by.")
@click.option(
    "--inconclusive",
    metavar="pass|fail|CODE",
    help="What too few queries to tell count as. [default: as the rules say, else pass]",
)
@click.option(
    "--allow-different-judgments",
    is_flag=True,
    help="Compare with a baseline of other judgments on the queries they share.",
)
@click.option("--summary", is_flag=True, help="Add the result to the page of a GitHub Actions run.")
@click.option("--annotations", is_flag=True, help="Print GitHub's errors and warnings too.")
@click.option("--junit", metavar="FILE", help="Write the result as JUnit XML too.")
@click.option(
    "--format",
    "form",
    type=click.Choice(["table", "tsv", "csv", "json", "jsonl", "markdown"]),
    default="table",
    show_default=True,
    help="How to print.",
)
@ranking_options
@reading_options
@click.option("--quiet", is_flag=True, help="No warnings and hints.")
def gate(
    files: tuple[str, ...],
    init: bool,
    force: bool,
    update: bool,
    rules: str | None,
    baseline: str | None,
    baseline_run: str | None,
    run_name: str | None,
    measures: tuple[str, ...],
    margin: str | None,
    queries: str | None,
    inconclusive: str | None,
    allow_different_judgments: bool,
    summary: bool,
    annotations: bool,
    junit: str | None,
    form: str,
    rel: float | None,
    depth: int | None,
    judged_only: bool,
    judgments_format: str | None,
    run_format: str | None,
    columns: tuple[str, ...],
    quiet: bool,
) -> None:
    """Hold a run against a baseline by rules: pass, fail or inconclusive.

    \b
        cranfield gate --init qrels.txt bm25.run        once; commit what it writes
        cranfield gate qrels.txt new.run                in CI
        cranfield gate today.json                       the same with saved results
        cranfield gate --update qrels.txt new.run       raise the baseline
        cranfield gate qrels.txt new.run --baseline old.json -m nDCG@10 --margin 0.02

    The exit code is 0 for pass, 1 for fail, for inconclusive what you choose; 2 is wrong usage, 3 bad data.
    """
    from cranfield.gating.rules import inconclusive_as

    if force and not init:
        raise click.UsageError("--force goes with --init: it replaces a baseline that is there.")
    testing = {"--update": update, "--summary": summary, "--annotations": annotations, "--junit": junit}
    if init and (unfit := [name for name, given in testing.items() if given]):
        raise click.UsageError(f"--init tests nothing; leave out {', '.join(unfit)}.")
    if files.count("-") > 1:
        raise click.UsageError("Standard input can be read only once; give one file as -.")
    if summary and not os.environ.get("GITHUB_STEP_SUMMARY"):
        from cranfield.errors.gate import no_step_summary

        raise no_step_summary()
    counts_as = None if inconclusive is None else inconclusive_as(inconclusive)
    said = {"rel": rel, "depth": depth, "judged_only": judged_only or None}
    given = _Given(files, run_name, Inputs(judgments_format, run_format, columns), said, quiet)
    given.check()
    if init:
        _init(given, rules, baseline, measures, margin, counts_as, force=force)
        return
    chosen = _chosen_rules(rules, baseline, measures, margin)
    chosen = replace(
        chosen,
        baseline=baseline or chosen.baseline,
        baseline_run=baseline_run or chosen.baseline_run,
        queries=queries or chosen.queries,
        inconclusive=chosen.inconclusive if counts_as is None else counts_as,
    )
    held = _held(given, chosen, update, allow_different_judgments)
    ratchet = None
    if update:
        from cranfield.gating import ratcheted
        from cranfield.saved import save

        ratchet = ratcheted(held)
        if ratchet.changed:
            assert chosen.baseline is not None
            save(ratchet.results, chosen.baseline)
    from cranfield.formats.writing import write_text

    # Files first: whoever stops reading what is printed still has them.
    if junit is not None:
        write_text(junit, held.junit())
    if summary:
        write_text(os.environ["GITHUB_STEP_SUMMARY"], held.markdown() + "\n", append=True)
    try:
        _echo(held, ratchet, form, annotations=annotations, quiet=quiet)
    except BrokenPipeError:
        # As `| head` does. The verdict is what it is.
        streams.drop_output()
    sys.exit(held.exit_code)


@dataclass(frozen=True)
class _Given:
    """What was named on the command line."""

    files: tuple[str, ...]
    run: str | None
    inputs: Inputs
    said: dict[str, Any]
    quiet: bool

    @property
    def is_saved(self) -> bool:
        """Whether it is one file of saved results."""
        from cranfield.formats.kind import is_results

        return len(self.files) == 1 and self.files[0] != "-" and is_results(self.files[0])

    def check(self) -> None:
        """Judgments and one run, or saved results."""
        from cranfield import errors
        from cranfield.formats.kind import is_results
        from cranfield.formats.source import is_there

        if self.is_saved:
            if any(value is not None for value in self.said.values()):
                raise click.UsageError("Saved results are measured already; leave out -l, -M and -J.")
            return
        kept = [path for path in self.files if path != "-" and is_results(path)]
        if kept and len(self.files) > 1:
            raise click.UsageError(
                f"{kept[0]} holds saved results. Give those of the run alone, and the baseline's as --baseline FILE."
            )
        if len(self.files) == 1:
            if self.files[0] != "-" and not is_there(self.files[0]):
                raise errors.DataError([errors.files.no_such_file(self.files[0])])
            raise click.UsageError(
                f"{self.files[0]} holds no saved results; name judgments and a run, or what `--save` kept."
            )
        if len(self.files) > 2:
            raise click.UsageError("One run is held against the baseline; name judgments and one run.")

    def results(self, measures: Sequence[Measure], settings: dict[str, Any]) -> Scores:
        """The run's results: those that were kept, or of judgments and run as the settings want them."""
        from cranfield.evaluating import evaluate, groups_of
        from cranfield.gating.verdict import one_run
        from cranfield.saved import load

        if self.is_saved:
            return one_run(load(self.files[0]), self.run, self.files[0], "--run RUN")
        judgments, run = self.files
        said = {name: value for name, value in self.said.items() if value is not None}
        read = self.inputs.judgments(judgments, groups_of(measures))
        with progress(quiet=self.quiet) as watch:
            return evaluate(read, [watch.watched(self.inputs.run(run))], measures, **{**settings, **said})


def _chosen_rules(path: str | None, baseline: str | None, measures: tuple[str, ...], margin: str | None) -> Rules:
    """The rules of a file, or the one rule that the command line gives."""
    from cranfield import errors
    from cranfield.gating import find_rules, read_rules
    from cranfield.gating.rules import RULE_FILE

    if margin is not None or measures:
        if path is not None:
            raise click.UsageError("--rules and --margin both say what the rules are; choose one.")
        if margin is None:
            raise click.UsageError(
                "-m needs --margin: by how much the mean may get worse. Without both, rules are read."
            )
        if baseline is None:
            raise errors.gate.no_baseline()
        return _rule_of(measures or DEFAULT_MEASURES[:1], margin)
    found = path or find_rules()
    if found is None:
        raise errors.gate.no_rule_file(RULE_FILE)
    return read_rules(found)


def _rule_of(measures: Sequence[str], margin: str) -> Rules:
    from cranfield.gating import rules_of

    return rules_of({"not_worse": [{"measure": name, "margin": _number(margin)} for name in measures]})


def _number(margin: str) -> str | float:
    try:
        return float(margin)
    except ValueError:
        return margin


def _held(given: _Given, rules: Rules, update: bool, allow_different_judgments: bool) -> Gate:
    from cranfield import errors
    from cranfield.formats.source import is_there
    from cranfield.gating import gate as hold
    from cranfield.gating.verdict import one_run
    from cranfield.saved import load

    baseline = None
    if rules.needs_baseline or update:
        if rules.baseline is None:
            raise errors.gate.no_baseline()
        if not is_there(rules.baseline):
            raise errors.DataError([errors.gate.baseline_missing(rules.baseline)])
        baseline = one_run(load(rules.baseline), rules.baseline_run, rules.baseline, "--baseline-run RUN")
    settings = {} if baseline is None else _as_measured(baseline)
    asked = [] if given.is_saved else _asked(rules, {**settings, **given.said})
    if update and baseline is not None and not given.is_saved:
        asked += [measure for measure in baseline.measures if measure not in asked and _is_known(measure)]
    return hold(given.results(asked, settings), baseline, rules, allow_different_judgments=allow_different_judgments)


def _as_measured(baseline: Scores) -> dict[str, Any]:
    """The settings under which the baseline was measured, so that the run is too."""
    from dataclasses import asdict

    settings = asdict(baseline.settings)
    if len(set(baseline.provenance.settings)) > 1:
        # A profile with exceptions for some measures makes its choices itself.
        settings = {"profile": baseline.settings.profile}
    return {name: value for name, value in settings.items() if value is not None}


def _asked(rules: Rules, settings: dict[str, Any]) -> list[Measure]:
    """The measures of the rules; one that does not exist is told with its line."""
    from cranfield import errors, profiles
    from cranfield.errors import UsageError
    from cranfield.evaluating import chosen_measures, groups_of
    from cranfield.gating import JudgedShare

    profile = profiles.find(settings.get("profile"))
    asked: dict[Measure, None] = {}
    for rule in rules.rules:
        if name := getattr(rule, "measure", None):
            try:
                found = chosen_measures(profile, [name], settings.get("rel"))
            except UsageError as error:
                if rules.path is None:
                    raise
                raise errors.gate.wrong_rule(rules.path, rule.line, str(error)) from None
            if len(found) != 1:
                message = f"{name!r} stands for {len(found)} measures where one is wanted"
                raise errors.gate.wrong_rule(rules.path, rule.line, message)
            asked.update(dict.fromkeys(found))
    # Beside measures that read several grades of a document, Judged has none to read; its share is known anyway.
    is_grouped = groups_of(asked) is not None
    for rule in rules.rules:
        if isinstance(rule, JudgedShare) and not (is_grouped and rule.at == 10 and rule.by is None):
            asked.update(dict.fromkeys(chosen_measures(profile, [f"Judged@{rule.at}"])))
    return list(asked) or list(chosen_measures(profile, DEFAULT_MEASURES[:1]))


def _is_known(measure: Measure) -> bool:
    from cranfield.errors import UsageError
    from cranfield.measures import parse

    try:
        return parse(str(measure)) == measure
    except UsageError:
        return False


def _init(
    given: _Given,
    rules_path: str | None,
    baseline: str | None,
    measures: tuple[str, ...],
    margin: str | None,
    inconclusive: Any,
    *,
    force: bool,
) -> None:
    """Write a baseline, and rules if there are none."""
    from cranfield import errors
    from cranfield.evaluating import chosen_measures
    from cranfield.formats.source import is_there
    from cranfield.gating import find_rules, read_rules, rules_of, starting_rules
    from cranfield.gating.rules import BASELINE_FILE, RULE_FILE
    from cranfield.gating.verdict import measure_of
    from cranfield.profiles import find
    from cranfield.saved import save
    from cranfield.show.table import number

    path = rules_path or find_rules() or RULE_FILE
    rules = read_rules(path) if is_there(path) else None
    if rules is not None and (measures or margin is not None or inconclusive is not None):
        raise click.UsageError(f"{path} is there already and says what is measured; change it there.")
    target = baseline or (rules and rules.baseline) or str(Path(path).parent / BASELINE_FILE)
    before = _earlier(target)
    if is_there(target) and not force:
        raise errors.gate.would_overwrite(target)
    # Before anything is read or written: both files or none.
    for written in [target] if rules else [target, path]:
        if not Path(written).parent.is_dir():
            raise errors.DataError([errors.gate.no_folder(written)])
    if margin is not None:
        _rule_of(["nDCG@10"], margin)
    if rules is not None:
        names = list(rules.compared or rules.measures)
        asked = [] if given.is_saved else _asked(rules, given.said)
    else:
        names = list(measures)
        asked = (
            [] if given.is_saved else list(chosen_measures(find(None), measures or DEFAULT_MEASURES, given.said["rel"]))
        )
    results = given.results(asked, {})
    wanted = [measure_of(name, results) for name in names] or list(asked or results.measures)
    results = results.with_measures(list(dict.fromkeys(wanted)))
    text = None
    if rules is None:
        relative = os.path.relpath(target, Path(path).parent)
        text = starting_rules(
            results,
            baseline=Path(relative).as_posix(),
            margin=None if margin is None else _number(margin),
            inconclusive="pass" if inconclusive is None else inconclusive,
        )
        import tomllib

        count = len(rules_of(tomllib.loads(text)).rules)
    save(results, target)
    levels = {measure: measure.cell(results.mean(measure, results.runs[0]).value) for measure in results.measures}
    means = ", ".join(f"{measure} {number(level)}" for measure, level in levels.items())
    click.echo(f"Wrote {target}: {results.runs[0]}, {len(results.queries):,} queries, {means}.")
    for line in _changes(before, results):
        click.echo(line)
    if text is None:
        click.echo(f"Kept the rules of {path}.")
    else:
        from cranfield.formats.writing import write_text

        write_text(path, text)
        click.echo(f"Wrote {path}: {count} rules, each with a word on what it is for.")
    if not given.quiet:
        shown = "RESULTS" if given.is_saved else f"{given.files[0]} RUN"
        named = f" --rules {rules_path}" if rules_path else ""
        click.echo(f"Commit both. In CI, hold each new run against them: cranfield gate{named} {shown}")


def _earlier(path: str) -> Scores | None:
    """The baseline that is about to be replaced, if it can be read."""
    from cranfield.errors import CranfieldError
    from cranfield.formats.source import is_there
    from cranfield.saved import load

    try:
        return load(path) if is_there(path) else None
    except CranfieldError:
        return None


def _changes(before: Scores | None, after: Scores) -> list[str]:
    """What a replaced baseline had been."""
    from cranfield.gating.words import from_to

    if before is None or len(before.runs) != 1:
        return []
    lines = []
    names = [str(measure) for measure in after.measures]
    for measure in before.measures:
        old = before.mean(measure, before.runs[0]).value
        if str(measure) not in names:
            lines.append(f"  {measure} was {old:z.4f} and is gone")
            continue
        new = after.mean(measure, after.runs[0]).value
        sign = -1 if measure.definition.lower_is_better else 1
        word = "better" if sign * new > sign * old else "WORSE" if sign * new < sign * old else "the same"
        lines.append(f"  {measure} {from_to(old, new)}, {word}")
    return lines


def _echo(held: Gate, ratchet: Ratchet | None, form: str, *, annotations: bool, quiet: bool) -> None:
    from cranfield.gating import words

    moved = [] if ratchet is None else ratchet.lines(held.rules.baseline or "")
    if form == "json":
        update = {} if ratchet is None else {"update": ratchet.to_dict()}
        echo_json({**held.to_dict(), **update})
    elif form == "table":
        click.echo(words.text(held, _width(), _painted))
        click.echo("".join(f"\n{line}" for line in moved) + "\n" * bool(moved), nl=False)
    elif form == "markdown":
        click.echo(held.markdown(), nl=False)
    else:
        echo_table(words.long_table(held), form, 4)
    is_for_people = form in ("table", "markdown")
    if form not in ("table", "json"):
        for line in moved:
            click.echo(line, err=True)
    if annotations:
        # GitHub reads both streams; a program reads what is printed.
        for line in held.annotations():
            click.echo(line, err=not is_for_people)
    if not quiet:
        for warning in held.results.warnings:
            click.echo(f"{styled('warning', fg='yellow')}: {warning}", err=True)


def _width() -> int:
    import shutil

    return min(WIDEST, max(40, shutil.get_terminal_size((100, 24)).columns))


def _painted(text: str, verdict: Verdict) -> str:
    return styled(text, fg={"pass": "green", "fail": "red", "inconclusive": "yellow"}[verdict], bold=verdict != "pass")
