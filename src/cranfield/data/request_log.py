"""What came of asking a system for every query: results, none, or a failure, and how long each took."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Literal, NamedTuple

import numpy as np

Outcome = Literal["results", "empty", "failed", "timed out"]
"""Three ways to have no documents: nothing was found, nothing is known, and the time was over."""
OUTCOMES: tuple[Outcome, ...] = ("results", "empty", "failed", "timed out")
ANSWERED: frozenset[Outcome] = frozenset({"results", "empty"})


class RequestRecord(NamedTuple):
    """What came of one query."""

    query: str
    request: str
    """A hash of everything that was asked."""
    outcome: Outcome
    tries: int = 1
    milliseconds: float | None = None
    """How long the answer took, without earlier tries and pauses; None where there was none."""
    hits: int = 0
    total: int | None = None
    """How many documents matched, where the system tells."""
    kind: str = ""
    """What kind of failure it was."""
    detail: str = ""
    """The failure in words."""
    documents: tuple[str, ...] = ()
    """Best first, as they came; only until the run is written."""
    scores: tuple[float, ...] | None = None
    """None where documents came without scores."""

    @property
    def is_answered(self) -> bool:
        """Whether it is known what the system returns."""
        return self.outcome in ANSWERED


def median_and_p95(milliseconds: Collection[float]) -> tuple[float, float]:
    """What half of the queries, and what 95 of 100, took no longer than.

    >>> median_and_p95(range(101))
    (50.0, 95.0)
    """
    median, p95 = np.percentile(list(milliseconds), [50, 95]).tolist()
    return median, p95


def millisecond_places(longest: float) -> int:
    """Decimals of milliseconds: more where all are short.

    >>> millisecond_places(0.2), millisecond_places(2.5), millisecond_places(1234.5)
    (3, 2, 1)
    """
    return 3 if longest < 1 else 2 if longest < 10 else 1


class RequestTimes(NamedTuple):
    """How long answers took, and under what load."""

    milliseconds: Mapping[str, float]
    """By query, of those that were answered."""
    at_once: int
    """Requests at a time."""


@dataclass(frozen=True, eq=False)
class RequestLog:
    """What came of every query, by query."""

    records: Mapping[str, RequestRecord]
    asked: Mapping[str, Any] = field(default_factory=dict)
    """Where and how it was asked."""
    path: str | None = None
    is_finished: bool = False
    """Whether the run was written from it, so that it holds no documents any more."""

    @cached_property
    def unanswered(self) -> tuple[str, ...]:
        """Queries of which nobody knows what the system returns."""
        return tuple(query for query, record in self.records.items() if not record.is_answered)

    @cached_property
    def latencies(self) -> dict[str, float]:
        """Milliseconds by query, of those that were answered."""
        return {
            query: record.milliseconds
            for query, record in self.records.items()
            if record.is_answered and record.milliseconds is not None
        }

    @property
    def times(self) -> RequestTimes:
        """How long answers took."""
        at_once = self.asked.get("at_once")
        return RequestTimes(self.latencies, at_once if isinstance(at_once, int) else 1)

    def count(self, outcome: Outcome) -> int:
        """How many queries had this outcome."""
        return sum(record.outcome == outcome for record in self.records.values())
