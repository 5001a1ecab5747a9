"""`cranfield gate init`: write a baseline and rules to start with."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

import click

from cranfield.cli.gating import GateInput, margin_of, measures_of, rule_of, run_name
from cranfield.cli.inputs import EvaluationChoices, Inputs, evaluation, reading
from cranfield.cli.options import Command, require_one_standard_input
from cranfield.cli.output import Printing, printing_for_logs, show

if TYPE_CHECKING:
    from cranfield.evaluating.scores import Scores
    from cranfield.gating import Rules


@click.command(cls=Command)
@click.argument("files", metavar="QRELS RUN", nargs=-1, required=True)
@click.option("--force", is_flag=True, help="Replace an existing baseline. Rules are never replaced.")
@click.option("--rules", "rules_path", metavar="FILE", help="File of the rules. [default: cranfield-gate.toml]")
@click.option(
    "--baseline",
    metavar="FILE",
    help="Where to write the baseline. [default: cranfield-baseline.json, next to the rules]",
)
@click.option(
    "-m",
    "--measure",
    "measures",
    multiple=True,
    metavar="NAME",
    help="Measure for the rules; may be repeated. [default: nDCG@10, and R@100 or a cutoff that fits shorter lists]",
)
@click.option("--margin", metavar="X", help="How much worse a mean may get: 0.02, or 2% of the baseline's.")
@click.option(
    "--inconclusive",
    metavar="pass|fail|CODE",
    help="How to treat an inconclusive result: pass, fail or an exit code. [default: pass]",
)
@run_name
@evaluation
@printing_for_logs
@reading
def gate_init(
    files: tuple[str, ...],
    force: bool,
    rules_path: str | None,
    baseline: str | None,
    measures: tuple[str, ...],
    margin: str | None,
    inconclusive: str | None,
    run_name: str | None,
    evaluation: EvaluationChoices,
    printing: Printing,
    inputs: Inputs,
) -> None:
    """Write a baseline from a run, and rules to start with if there are none.

    \b
        cranfield gate init qrels.txt bm25.run
        cranfield gate init qrels.txt bm25.run -m nDCG@10 --margin 2%
        cranfield gate init --force qrels.txt bm25.run  replace the baseline

    Commit both files; `cranfield gate QRELS RUN` then tests each new run.
    """
    from cranfield.evaluating.saved_scores import save
    from cranfield.formats.source import is_there
    from cranfield.formats.writing import write_text
    from cranfield.gating import GateStart, find_rules, read_rules, rules_of, starting_rules
    from cranfield.gating.rules import BASELINE_FILE, RULE_FILE, inconclusive_as

    require_one_standard_input(*files)
    counts_as = None if inconclusive is None else inconclusive_as(inconclusive)
    given = GateInput(files, run_name, inputs, evaluation, printing.quiet)
    given.require_one_run()
    path = rules_path or find_rules() or RULE_FILE
    rules = read_rules(path) if is_there(path) else None
    if rules is not None and (measures or margin is not None or counts_as is not None):
        raise click.UsageError(f"{path} already exists and gives the rules; change it there.")
    target = baseline or (rules and rules.baseline) or str(Path(path).parent / BASELINE_FILE)
    before = _earlier(target)
    # Before anything is read or written: both files or none.
    _require_writable([target] if rules else [target, path], target, force=force)
    if margin is not None:
        rule_of(["nDCG@10"], margin)
    results = _results(given, rules, measures)
    text = None
    if rules is None:
        text = starting_rules(
            results,
            baseline=Path(os.path.relpath(target, Path(path).parent)).as_posix(),
            margin=None if margin is None else margin_of(margin),
            inconclusive="pass" if counts_as is None else counts_as,
        )
    save(results, target)
    count = None
    if text is not None:
        import tomllib

        write_text(path, text)
        count = len(rules_of(tomllib.loads(text)).rules)
    show(GateStart(results, target, path, count, before, _next_step(given, rules_path)), printing)


def _results(given: GateInput, rules: Rules | None, measures: tuple[str, ...]) -> Scores:
    """What the baseline is to hold: the measures of the rules, those that were named, or those that fit its lists."""
    from cranfield.gating.outcomes import measure_of
    from cranfield.gating.starting import proposed_measures, typical_depth

    if rules is not None:
        names = list(rules.compared or rules.measures)
        chosen = [] if given.is_saved else measures_of(rules, given.evaluation.chosen())
    else:
        names = list(measures)
        chosen = [] if given.is_saved else list(given.evaluation.plan(measures, proposed_measures()).measures)
    results = given.results(chosen, {})
    if rules is None and not measures and not given.is_saved:
        names = proposed_measures(typical_depth(results))
    wanted = [measure_of(name, results) for name in names] or list(chosen or results.measures)
    return results.with_measures(list(dict.fromkeys(wanted)))


def _require_writable(paths: list[str], baseline: str, *, force: bool) -> None:
    from cranfield import errors
    from cranfield.formats.source import is_there

    if is_there(baseline) and not force:
        raise errors.gate.would_overwrite(baseline)
    for path in paths:
        if not Path(path).parent.is_dir():
            raise errors.DataError([errors.gate.no_folder(path)])


def _earlier(path: str) -> Scores | None:
    """The baseline that is about to be replaced, if it can be read and has one run."""
    from cranfield.errors import CranfieldError
    from cranfield.evaluating.saved_scores import load
    from cranfield.formats.source import is_there

    try:
        results = load(path) if is_there(path) else None
    except CranfieldError:
        return None
    return results if results is not None and len(results.runs) == 1 else None


def _next_step(given: GateInput, rules: str | None) -> str:
    from cranfield.formats.remote import visible

    files = "RESULTS" if given.is_saved else f"{visible(given.files[0])} RUN"
    named = f" --rules {rules}" if rules else ""
    return f"Commit both; in CI, test each new run: cranfield gate{named} {files}"
