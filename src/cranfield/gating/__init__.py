"""Did quality fall? A run compared with a baseline by rules: pass, fail or inconclusive."""

from __future__ import annotations

from cranfield.gating.outcomes import Moved, RuleOutcome, Verdict
from cranfield.gating.ratchet import Ratchet, ratcheted
from cranfield.gating.rules import (
    Broken,
    CoverageRule,
    JudgedShare,
    MeanLimit,
    NotWorse,
    Protected,
    Rule,
    Rules,
    Share,
    find_rules,
    read_rules,
    rules_of,
)
from cranfield.gating.starting import GateStart, starting_rules
from cranfield.gating.verdict import Gate, gate

__all__ = [
    "Broken",
    "CoverageRule",
    "Gate",
    "GateStart",
    "JudgedShare",
    "MeanLimit",
    "Moved",
    "NotWorse",
    "Protected",
    "Ratchet",
    "Rule",
    "RuleOutcome",
    "Rules",
    "Share",
    "Verdict",
    "find_rules",
    "gate",
    "ratcheted",
    "read_rules",
    "rules_of",
    "starting_rules",
]
