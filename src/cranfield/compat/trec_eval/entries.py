"""What trec_eval's measures are made of: printed names, scores, and the ways in which they take parameters."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple

from cranfield.compat.trec_eval.c_numbers import atol, is_whole
from cranfield.compat.trec_eval.outcome import Exit, TrecEvalError
from cranfield.compat.trec_eval.parameters import pairs, real_cutoffs, real_values, whole_cutoffs
from cranfield.compat.trec_eval.quirks import Score, Setting, undefined_is_zero
from cranfield.measures import Measure
from cranfield.measures.gain import Gain

Summary = Literal["mean", "geometric", "sum", "queries", "relevant", "run", "none"]
"""What stands at `all`: a mean, a sum, something of the whole call, or nothing."""
Texts = Callable[[Any], list[str]]
Scored = Callable[[Measure, Setting], Score]
"""How a measure is scored."""

UNSAID: Sequence[str | None] = (None,)
"""Instead of the texts of parameters, where none are given."""
RANKS = "5,10,15,20,30,100,200,500,1000"


class PrintedLine(NamedTuple):
    """What one printed line tells of a query."""

    entry: TrecEvalMeasure
    name: str
    score: Score | Texts


Made = Iterator[tuple[str, Score | Texts]]
"""Printed names with their scores."""


class Lines(NamedTuple):
    """How a measure becomes lines."""

    make: Callable[[str, Setting, Sequence[str]], Made]
    """From its name and the texts of its parameters."""
    parameters: Literal["none", "cutoffs", "values"] = "none"
    """Whether each parameter has a line of its own, or all together have one."""


@dataclass(frozen=True)
class TrecEvalMeasure:
    """One of trec_eval's measures."""

    name: str
    lines: Lines
    measure: Measure | None = None
    """Its definition here, for help."""
    summary: Summary = "mean"
    per_query: bool = True
    """Whether it is printed for queries; otherwise only at `all`."""
    counts_retrieved: bool = False
    """Whether a document made up for a query without results would show."""
    judgments: frozenset[str] = frozenset({"qrels"})
    """The formats of judgments it goes with."""

    @property
    def is_count(self) -> bool:
        """Whether its values are printed as whole numbers."""
        return self.summary in ("sum", "queries", "relevant")

    @property
    def is_text(self) -> bool:
        """Whether its values are text and not numbers."""
        return self.summary in ("run", "none")


def alone(measure: Measure, scored: Scored = undefined_is_zero) -> Lines:
    """One value, without parameters."""
    return Lines(lambda name, setting, texts: iter([(name, scored(measure, setting))]))


def at_ranks(measure: Measure, default: str = RANKS, scored: Scored = undefined_is_zero) -> Lines:
    """A value for each cutoff."""

    def make(name: str, setting: Setting, texts: Sequence[str]) -> Made:
        for cutoff in whole_cutoffs(texts or [default]):
            yield f"{name}_{cutoff}", scored(measure @ cutoff, setting)

    return Lines(make, "cutoffs")


def at_levels(score: Callable[[Setting, float], Score], default: str) -> Lines:
    """A value for each level of recall, or multiple of R."""

    def make(name: str, setting: Setting, texts: Sequence[str]) -> Made:
        for level in real_cutoffs(texts or [default]):
            # So much room has a name; two levels may well print alike.
            yield f"{name}_{level:3.2f}"[: len(name) + 9], score(setting, level)

    return Lines(make, "cutoffs")


def with_values(score: Callable[[Setting, list[float]], Score | Texts], default: str) -> Lines:
    """One value, with numbers in its name as they were given."""

    def make(name: str, setting: Setting, texts: Sequence[str]) -> Made:
        for text in texts or UNSAID:
            yield _named(name, text), score(setting, real_values(default if text is None else text))

    return Lines(make, "values")


def with_gains(score: Callable[[Setting, Gain], Score]) -> Lines:
    """One value, with gains of grades."""

    def make(name: str, setting: Setting, texts: Sequence[str]) -> Made:
        for text in texts or UNSAID:
            gains = _gains(pairs(text)) if text is not None else {}
            yield _named(name, text), score(setting, tuple(gains.items()) or "linear")

    return Lines(make, "values")


def with_persistence(score: Callable[[Setting, float, Mapping[float, float]], Score]) -> Lines:
    """One value, with a persistence p and gains of grades."""

    def make(name: str, setting: Setting, texts: Sequence[str]) -> Made:
        for text in texts or UNSAID:
            given = pairs(text) if text is not None else {}
            yield _named(name, text), score(setting, given.get("p", 0.9), _gains(given))

    return Lines(make, "values")


def run_id() -> Lines:
    """Nothing of a query; the run's own name at `all`."""
    return Lines(lambda name, setting, texts: iter([(name, lambda judged: [""] * len(judged.retrieved))]))


def _named(name: str, text: str | None) -> str:
    return name if text is None else f"{name}_{text}"


def _gains(given: Mapping[str, float]) -> dict[float, float]:
    """The gains among named numbers; names that are no grade mean nothing here."""
    gains: dict[float, float] = {atol(name): gain for name, gain in given.items() if is_whole(name)}
    for grade, gain in gains.items():
        if grade < 0 or not 0 <= gain < math.inf:
            raise TrecEvalError(
                Exit.INPUT,
                f"{grade:.0f}={gain:g}: a gain of an unjudged document, or one below 0, is not computed here",
            )
    return gains
