"""`cranfield gate`: did quality fall? Pass, fail or inconclusive, for CI."""

from __future__ import annotations

import click

from cranfield.cli.gating import (
    GateInput,
    Notices,
    RuleChoices,
    conclude,
    evaluate_rules,
    notices,
    rule_choices,
    run_name,
)
from cranfield.cli.inputs import EvaluationChoices, Inputs, evaluation, reading
from cranfield.cli.options import Command, require_one_standard_input
from cranfield.cli.output import Printing, printing_for_logs


@click.command(cls=Command)
@click.argument("files", metavar="QRELS RUN", nargs=-1, required=True)
@rule_choices
@run_name
@notices
@evaluation
@printing_for_logs
@reading
def gate(
    files: tuple[str, ...],
    choices: RuleChoices,
    run_name: str | None,
    notices: Notices,
    evaluation: EvaluationChoices,
    printing: Printing,
    inputs: Inputs,
) -> None:
    """Compare a run with a baseline by rules: pass, fail or inconclusive.

    \b
        cranfield gate init qrels.txt bm25.run          once; commit what it writes
        cranfield gate qrels.txt new.run                in CI
        cranfield gate today.json                       the same with saved results
        cranfield gate update qrels.txt new.run         raise the baseline
        cranfield gate qrels.txt new.run --baseline old.json -m nDCG@10 --margin 0.02

    The exit code is 0 for pass, 1 for fail, for inconclusive what you choose; 2 is wrong usage, 3 bad data.
    """
    require_one_standard_input(*files)
    given = GateInput(files, run_name, inputs, evaluation, printing.quiet)
    given.require_one_run()
    tested = evaluate_rules(given, choices)
    conclude(tested, tested, notices, printing)
