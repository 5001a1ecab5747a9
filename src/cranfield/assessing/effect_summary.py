"""What labels have done to a comparison so far, as plain values and sentences."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass
from typing import Any, Literal, NamedTuple, Protocol

from cranfield.phrases import counted
from cranfield.pooling.words import duration

Decision = Literal["open", "likely", "certain"]
"""Not decided; a random sample of labels says which run is ahead; no grade of the rest could turn it."""
SURE = "97.5%"


class ItemGrade(NamedTuple):
    """What an item counts with, and why it was labelled."""

    item: int
    grade: float | None
    random: bool


class LiveEffect(Protocol):
    """Whatever tells a page what labels do."""

    def summary(self) -> EffectSummary:
        """The comparison as of the last update."""

    def moves(self, grades: Mapping[int, tuple[float, float]]) -> dict[int, float]:
        """How far the mean difference of any two runs moves between two grades of an item, for each of some items."""


@dataclass(frozen=True)
class PairEffect:
    """One run compared with another, with the labels so far."""

    run: str
    baseline: str
    measure: str
    state: Decision
    difference: float
    """The mean difference, unlabelled documents being irrelevant: what `compare` says of the labels so far."""
    low: float | None
    high: float | None
    """What the mean difference could be, whatever the grades of documents without a label; None if nothing is known."""
    estimate: float | None
    """What it is expected to be once all are labelled, from labels of documents drawn at random."""
    estimate_error: float | None
    random_labels: int
    """Labels of documents drawn at random that the estimate comes from."""
    likely_at: int | None
    """After how many of them one run was likely ahead, at a planned look."""
    next_look: int | None
    """After how many of them it is looked again; None where none are drawn, or all."""
    labelled: int
    """Documents with a label, of those on which the runs differ."""
    matter: int
    """Documents on which the runs differ."""
    more_labels: int | None
    """About how many more labels decide it: 0 when it is decided, None when nobody can tell."""
    interval_low: float | None
    interval_high: float | None
    """The 95% interval over queries, which hardly depends on more labels; None with one query."""
    interval_is_estimated: bool
    """Whether it is the interval to expect once all are labelled, rather than that of the labels so far."""
    queries: int
    history: tuple[tuple[int, float, float], ...]
    """How the range from low to high narrowed: all labels at that time, low, high."""

    @property
    def best_difference(self) -> float:
        """The difference to show: the estimate while labels are missing, else what the labels say."""
        return self.difference if self.estimate is None or self.labelled == self.matter else self.estimate

    @property
    def ahead(self) -> str | None:
        """The run that is ahead; None where the two are equal."""
        if self.state == "certain" and self.low is not None and self.high is not None:
            return self.run if self.low > 0 else self.baseline if self.high < 0 else None
        value = self.best_difference
        return self.run if value > 0 else self.baseline if value < 0 else None

    def sentence(self, seconds: float | None = None) -> str:
        """The comparison in words; `seconds` is how long the judges together take for a label."""
        return " ".join([*_verdict(self), *_to_do(self, seconds), *_over_queries(self)])

    def to_dict(self) -> dict[str, Any]:
        """Everything as plain values."""
        return {
            **asdict(self),
            "ahead": self.ahead,
            "best_difference": self.best_difference,
            "sentence": self.sentence(),
        }


@dataclass(frozen=True)
class EffectSummary:
    """Every comparison that the labels are collected for."""

    measure: str
    pairs: tuple[PairEffect, ...]
    labels: int = 0
    """Documents with a label."""
    documents: int = 0
    """Documents to label."""

    @property
    def more_labels(self) -> int | None:
        """About how many more labels decide every comparison; None when nobody can tell."""
        needed = [pair.more_labels for pair in self.pairs]
        known = [labels for labels in needed if labels is not None]
        return max(known) if known and len(known) == len(needed) else None

    @property
    def is_decided(self) -> bool:
        """Whether every comparison is likely or certain."""
        return bool(self.pairs) and all(pair.state != "open" for pair in self.pairs)

    def sentence(self, seconds: float | None = None) -> str:
        """All comparisons in words."""
        return " ".join(pair.sentence(seconds) for pair in self.pairs)

    def countdown(self) -> str:
        """How many labels are left, for judges: no run, no direction. Empty when nobody can tell."""
        if self.is_decided:
            return "The comparison is decided; more labels hardly change it."
        return "" if not self.more_labels else f"about {counted(self.more_labels, 'more label')} decide the comparison"

    def to_dict(self) -> dict[str, Any]:
        """Everything as plain values."""
        return {
            "measure": self.measure,
            "labels": self.labels,
            "documents": self.documents,
            "more_labels": self.more_labels,
            "sentence": self.sentence(),
            "pairs": [pair.to_dict() for pair in self.pairs],
        }


def _verdict(of: PairEffect) -> Iterator[str]:
    if of.ahead is None:
        if of.state == "certain":
            yield f"{of.run} and {of.baseline} have the same {of.measure} for these queries."
        else:
            yield f"{of.run} and {of.baseline} do not differ in {of.measure} so far. Not yet decided."
        return
    behind = of.baseline if of.ahead == of.run else of.run
    about = "" if of.best_difference == of.difference else "about "
    by = f"{about}{abs(of.best_difference):z.3f} {of.measure}"
    if of.state == "certain":
        yield f"{of.ahead} is ahead of {behind} by {by}. That is certain for the labels so far: {_whatever(of)}."
    elif of.state == "likely":
        yield (
            f"{of.ahead} is likely ahead of {behind}, by {by} ({SURE} sure, from {of.random_labels:,} labels of "
            f"documents drawn at random)."
        )
    elif of.estimate is None:
        yield f"{of.ahead} is ahead of {behind} by {by} if unlabelled documents are irrelevant. Not yet decided."
    else:
        yield f"{of.ahead} is ahead of {behind} by {by}. Not yet decided."


def _whatever(of: PairEffect) -> str:
    if of.low is None or of.high is None or of.high - of.low < 1e-12:
        return "no label is missing that could change it"
    ends = sorted([abs(of.low), abs(of.high)])
    return f"whatever grades the unlabelled documents get, the difference is {ends[0]:z.3f} to {ends[1]:z.3f}"


def _to_do(of: PairEffect, seconds: float | None) -> Iterator[str]:
    done = f"{of.labelled:,} of {counted(of.matter, 'document')} on which they differ are labelled"
    if of.state == "certain":
        yield f"{done}."
        return
    if of.state == "likely":
        yield f"{done}; labelling the others makes it certain."
        return
    if of.more_labels is None:
        look = "" if of.next_look is None else f"; the next look comes after {of.next_look:,} labels"
        yield f"{done}{look}."
        return
    time = "" if seconds is None else f" ({duration(of.more_labels * seconds)})"
    yield f"{done}; about {counted(of.more_labels, 'more label')} should decide it{time}."


def _over_queries(of: PairEffect) -> Iterator[str]:
    if of.interval_low is None or of.interval_high is None or of.interval_low == of.interval_high:
        return
    if of.state == "open":
        return
    hardly = "more labels hardly do" if of.interval_is_estimated else "more labels do not"
    yield (
        f"The 95% interval over these {counted(of.queries, 'query')} is {of.interval_low:z.3f} to "
        f"{of.interval_high:z.3f}: only more queries narrow it, {hardly}."
    )
