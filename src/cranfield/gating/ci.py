"""What CI servers read: JUnit XML, and GitHub's workflow commands."""

from __future__ import annotations

import re

from cranfield.gating.outcomes import RuleOutcome, Verdict
from cranfield.gating.verdict import Gate
from cranfield.gating.words import headline, label, sentence

ANNOTATIONS = 10
"""As many errors, and as many warnings, as GitHub shows for a step."""

_NOT_IN_XML = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def junit(gate: Gate) -> str:
    """JUnit XML: a test case for each rule; it has a failure if and only if the exit code is not 0."""
    from xml.etree import ElementTree

    failing = _failing(gate)
    failures = sum(outcome.verdict in failing for outcome in gate.outcomes)
    skipped = sum(outcome.verdict == "inconclusive" and "inconclusive" not in failing for outcome in gate.outcomes)
    counts = {"tests": str(len(gate.outcomes)), "failures": str(failures), "errors": "0", "skipped": str(skipped)}
    suites = ElementTree.Element("testsuites", counts)
    suite = ElementTree.SubElement(suites, "testsuite", {"name": "cranfield gate", **counts})
    for outcome in gate.outcomes:
        case = ElementTree.SubElement(
            suite, "testcase", {"classname": f"cranfield.gate.{outcome.rule.kind}", "name": _for_xml(label(outcome))}
        )
        said = _for_xml(sentence(outcome))
        if outcome.verdict in failing:
            ElementTree.SubElement(case, "failure", {"type": outcome.verdict, "message": said}).text = said
        elif outcome.verdict == "inconclusive":
            ElementTree.SubElement(case, "skipped", {"message": f"inconclusive: {said}"})
        else:
            ElementTree.SubElement(case, "system-out").text = said
    ElementTree.SubElement(suite, "system-out").text = _for_xml(headline(gate))
    ElementTree.indent(suites)
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{ElementTree.tostring(suites, encoding="unicode")}\n'


def workflow_commands(gate: Gate) -> list[str]:
    """GitHub's workflow commands: an error or a warning for each rule that did not pass, else a notice."""
    if gate.decision == "pass":
        return [_command("notice", "cranfield gate: PASS", headline(gate))]
    failing = _failing(gate)
    told = [outcome for outcome in gate.worst_first if outcome.verdict != "pass"]
    errors = [outcome for outcome in told if outcome.verdict in failing]
    warnings = [outcome for outcome in told if outcome.verdict not in failing]
    return [*_limited("error", errors), *_limited("warning", warnings)]


def _failing(gate: Gate) -> set[Verdict]:
    """The verdicts of rules that make the exit code another than 0."""
    return {"fail", "inconclusive"} if gate.inconclusive_code else {"fail"}


def _limited(command: str, outcomes: list[RuleOutcome]) -> list[str]:
    """As many as are shown; the last one counts the rest."""
    kept = outcomes if len(outcomes) <= ANNOTATIONS else outcomes[: ANNOTATIONS - 1]
    lines = [
        _command(command, f"cranfield gate: {outcome.verdict.upper()} {label(outcome)}", sentence(outcome))
        for outcome in kept
    ]
    if rest := outcomes[len(kept) :]:
        names = "; ".join(f"{outcome.verdict} {label(outcome)}" for outcome in rest)
        lines.append(_command(command, f"cranfield gate: {len(rest)} more rules did not pass", names))
    return lines


def _command(name: str, title: str, message: str) -> str:
    r"""A workflow command in which nothing is read as another.

    >>> print(_command("error", "a, b: c", "100 %\nof it"))
    ::error title=a%2C b%3A c::100 %25%0Aof it
    """
    title = _escaped(title).replace(":", "%3A").replace(",", "%2C")
    return f"::{name} title={title}::{_escaped(message)}"


def _escaped(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _for_xml(text: str) -> str:
    """Text without the characters that XML cannot hold in any form."""
    return _NOT_IN_XML.sub("\ufffd", text)
