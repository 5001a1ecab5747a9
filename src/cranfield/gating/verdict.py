"""A run compared with a baseline by rules: pass, fail or inconclusive."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from cranfield import errors
from cranfield.errors import Finding
from cranfield.evaluating.saved_scores import load
from cranfield.evaluating.scores import Scores
from cranfield.formats.queries import read_queries
from cranfield.gating.outcomes import Pairing, RuleOutcome, Verdict
from cranfield.gating.rules import (
    RULE_FILE,
    Rules,
    find_rules,
    read_rules,
    rules_of,
)
from cranfield.phrases import NAME, option
from cranfield.show.answer import Answer
from cranfield.show.table import PLACES, Table

VERDICTS: tuple[Verdict, ...] = ("fail", "inconclusive", "pass")
"""The worst first: it is that of all rules together."""

PASS, FAIL = 0, 1


@dataclass(frozen=True, eq=False, repr=False)
class Gate(Answer):
    """A run compared with a baseline by rules; shows itself as a verdict and a line for each rule.

    >>> import cranfield as cf
    >>> judged = {f"q{at}": {"d1": 1} for at in range(9)}
    >>> old, new = {query: ["d1"] for query in judged}, {query: ["x", "d1"] for query in judged}
    >>> rules = {"not_worse": {"measure": "RR", "margin": 0.1}}
    >>> held = gate(cf.evaluate(judged, new, "RR"), cf.evaluate(judged, old, "RR"), rules)
    >>> held.decision, held.exit_code
    ('fail', 1)
    """

    rules: Rules
    results: Scores
    """Of the run alone."""
    baseline: Scores | None
    """Of the baseline alone; nothing where no rule looks at it."""
    queries: int
    outcomes: tuple[RuleOutcome, ...]
    """In the order of the rules."""
    notes: tuple[str, ...] = ()
    warnings: tuple[Finding, ...] = ()

    @property
    def run(self) -> str:
        """The run's name."""
        return self.results.runs[0]

    @property
    def decision(self) -> Verdict:
        """fail where any rule fails, else inconclusive where any is, else pass."""
        found = {outcome.verdict for outcome in self.outcomes}
        return next(verdict for verdict in VERDICTS if verdict in found)

    @property
    def exit_code(self) -> int:
        """0 for pass, 1 for fail, and for inconclusive what the rules say."""
        return {"pass": PASS, "fail": FAIL, "inconclusive": self.inconclusive_code}[self.decision]

    @property
    def inconclusive_code(self) -> int:
        """The exit code of an inconclusive verdict."""
        chosen = self.rules.inconclusive
        return {"pass": PASS, "fail": FAIL}[chosen] if isinstance(chosen, str) else chosen

    def of(self, verdict: Verdict) -> list[RuleOutcome]:
        """The outcomes with a verdict."""
        return [outcome for outcome in self.outcomes if outcome.verdict == verdict]

    @property
    def worst_first(self) -> list[RuleOutcome]:
        """What failed, then what is inconclusive, then what passed."""
        return [outcome for verdict in VERDICTS for outcome in self.of(verdict)]

    def with_places(self, places: int) -> Gate:
        """The same with numbers of so many decimals at least."""
        return replace(self, outcomes=tuple(replace(outcome, places=places) for outcome in self.outcomes))

    def verdict(self) -> str:
        """The decision, what was compared with what, and the exit code."""
        from cranfield.gating.words import headline

        return headline(self)

    def tables(self) -> list[Table]:
        """A row for each rule, the worst first."""
        from cranfield.gating.words import table

        return [table(self)]

    def rows(self) -> Table:
        """A row for each rule with everything that is known of it."""
        from cranfield.gating.words import rows

        return rows(self)

    def text(self, places: int = PLACES, *, color: bool = False, width: int | None = None) -> str:
        """The verdict, and a row for each rule; with more decimals where these show on which side of a limit it is."""
        return Answer.text(self.with_places(places), places, color=color, width=width)

    def latex(self, places: int = PLACES) -> str:
        """The table, for a paper; needs the package booktabs."""
        return Answer.latex(self.with_places(places), places)

    def markdown(self, places: int = PLACES) -> str:
        """The same for a pull request."""
        from cranfield.gating.words import markdown

        return markdown(self.with_places(places))

    def junit(self) -> str:
        """The same as JUnit XML, a test case for each rule."""
        from cranfield.gating.ci import junit

        return junit(self)

    def annotations(self) -> list[str]:
        """The same as GitHub's workflow commands, one for each rule that did not pass."""
        from cranfield.gating.ci import workflow_commands

        return workflow_commands(self)

    def to_dict(self) -> dict[str, Any]:
        """Everything as plain values: the object that `cranfield gate --format json` prints."""
        from cranfield.gating.words import as_dict

        return as_dict(self)


def gate(
    results: Scores | str | os.PathLike[str],
    baseline: Scores | str | os.PathLike[str] | None = None,
    rules: Rules | Mapping[str, Any] | str | os.PathLike[str] | None = None,
    *,
    run: str | None = None,
    baseline_run: str | None = None,
    queries: object = None,
    allow_different_judgments: bool = False,
) -> Gate:
    """Compare a run with a baseline by rules.

    Both are scores as `evaluate` or `load` gives them, or the paths of their files; the baseline may
    also be what the rules name. Rules are read from a file or a mapping, by default from `cranfield-gate.toml`.
    `queries` is what is known of queries, by which rules may go: whatever `read_queries` takes.
    """
    wanted = _rules(rules)
    new = one_run(as_scores(results), run, "the results", option("run", NAME))
    old = None
    if wanted.needs_baseline:
        given = wanted.baseline if baseline is None else baseline
        if given is None:
            raise errors.gate.no_baseline()
        name = wanted.baseline_run if baseline_run is None else baseline_run
        how = f'{option("baseline_run", NAME)}, or baseline_run = "NAME" in the rules'
        old = one_run(as_scores(given), name, "the baseline", how)
    about = wanted.queries if queries is None else queries
    known = None if about is None else read_queries(about)
    outcomes, notes, count = Pairing(wanted, new, old, known, allow_different_judgments).outcomes()
    return Gate(wanted, new, old, count, tuple(outcomes), tuple(notes), new.warnings)


def as_scores(given: Scores | str | os.PathLike[str]) -> Scores:
    """Scores, or those of a file."""
    return given if isinstance(given, Scores) else load(given)


def one_run(results: Scores, name: str | None, what: str, how: str) -> Scores:
    """The results of one run; its name is needed where there are several."""
    if name is None and len(results.runs) != 1:
        raise errors.gate.several_runs(what, results.runs, how)
    return results.of_run(name)


def _rules(given: Rules | Mapping[str, Any] | str | os.PathLike[str] | None) -> Rules:
    if isinstance(given, Rules):
        return given
    if isinstance(given, Mapping):
        return rules_of(given)
    path = find_rules() if given is None else given
    if path is None:
        raise errors.gate.no_rule_file(RULE_FILE)
    return read_rules(path)
