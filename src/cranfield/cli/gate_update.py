"""`cranfield gate update`: raise the baseline where a run that passes is better."""

from __future__ import annotations

from cranfield.cli.gating import GateInput, Notices, RuleChoices, conclude, evaluate_rules, run_command
from cranfield.cli.output import Printing


@run_command
def gate_update(run: GateInput, choices: RuleChoices, notices: Notices, printing: Printing) -> None:
    """Test a run as `cranfield gate` does; if it passes, raise the baseline where it is better.

    \b
        cranfield gate update qrels.txt new.run
        cranfield gate update today.json                the same with saved results

    The baseline keeps its scores of measures on which the run is worse. The exit code is that of `cranfield gate`.
    """
    from cranfield.evaluating.saved_scores import save
    from cranfield.gating import ratcheted

    tested = evaluate_rules(run, choices, needs_baseline=True)
    ratchet = ratcheted(tested.with_places(printing.places))
    if ratchet.changed:
        assert tested.rules.baseline is not None
        save(ratchet.results, tested.rules.baseline)
    conclude(tested, ratchet, notices, printing)
