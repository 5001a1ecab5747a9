"""`cranfield gate`: did quality fall? Pass, fail or inconclusive, for CI."""

from __future__ import annotations

from cranfield.cli.gating import GateInput, Notices, RuleChoices, conclude, evaluate_rules, run_command
from cranfield.cli.output import Printing


@run_command
def gate(run: GateInput, choices: RuleChoices, notices: Notices, printing: Printing) -> None:
    """Compare a run with a baseline by rules: pass, fail or inconclusive.

    \b
        cranfield gate init qrels.txt bm25.run          once; commit what it writes
        cranfield gate qrels.txt new.run                in CI
        cranfield gate today.json                       the same with saved results
        cranfield gate update qrels.txt new.run         raise the baseline
        cranfield gate qrels.txt new.run --baseline old.json -m nDCG@10 --margin 0.02

    Exit codes: 0 pass, 1 fail, 2 wrong usage, 3 bad data; --inconclusive chooses the one for inconclusive.
    """
    tested = evaluate_rules(run, choices)
    conclude(tested, tested, notices, printing)
