"""The versions of trec_eval there are to be like, and where they differ."""

from __future__ import annotations

from dataclasses import dataclass

from cranfield.choices import Precision
from cranfield.compat.trec_eval.outcome import Exit, TrecEvalError
from cranfield.measures.average import Levels


@dataclass(frozen=True)
class Version:
    """One version's own ways."""

    number: str
    calls_itself: str
    """What it answers to -v."""
    precision: Precision
    """How exactly scores are compared."""
    levels: Levels
    """How a level of recall becomes a number of documents."""
    takes_comments: bool
    """Whether a line that starts with # is skipped."""
    goes_by_judgments: bool
    """Whether it walks through the judged queries, or through those of the run.

    The one stops at a judged query without results, the other does not notice it.
    """
    lacks: frozenset[str]
    """Measures it does not know."""


TEN = Version(
    number="10.0",
    calls_itself="10.0-rc3",
    precision="double",
    levels="trec_eval-10",
    takes_comments=True,
    goes_by_judgments=True,
    lacks=frozenset(),
)
NINE = Version(
    number="9.0.8",
    calls_itself="9.0.7",  # so it says of itself
    precision="single",
    levels="trec_eval-9",
    takes_comments=False,
    goes_by_judgments=False,
    lacks=frozenset({"dcg", "ideal_dcg", "rbp", "rbp_resid", "unj"}),
)


def version_like(number: str) -> Version:
    """The version that a number names: 10.0, or any of 9."""
    for version in (TEN, NINE):
        if number.split(".")[0] == version.number.split(".")[0]:
            return version
    raise TrecEvalError(Exit.USAGE, f"--like {number}: known are {TEN.number} and {NINE.number}")
