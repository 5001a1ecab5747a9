"""`cranfield gate update`: raise the baseline where a run that passes is better."""

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
def gate_update(
    files: tuple[str, ...],
    choices: RuleChoices,
    run_name: str | None,
    notices: Notices,
    evaluation: EvaluationChoices,
    printing: Printing,
    inputs: Inputs,
) -> None:
    """Test a run as `cranfield gate` does; if it passes, raise the baseline where it is better.

    \b
        cranfield gate update qrels.txt new.run
        cranfield gate update today.json                the same with saved results

    Measures on which the run is worse stay as they are. The exit code is that of `cranfield gate`.
    """
    from cranfield.evaluating.saved_scores import save
    from cranfield.gating import ratcheted

    require_one_standard_input(*files)
    given = GateInput(files, run_name, inputs, evaluation, printing.quiet)
    given.require_one_run()
    tested = evaluate_rules(given, choices, needs_baseline=True)
    ratchet = ratcheted(tested.with_places(printing.places))
    if ratchet.changed:
        assert tested.rules.baseline is not None
        save(ratchet.results, tested.rules.baseline)
    conclude(tested, ratchet, notices, printing)
