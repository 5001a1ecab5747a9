"""Slices: runs compared on some of the queries at a time, by what is known of queries."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from typing import Any, NamedTuple

import numpy as np

from cranfield import errors
from cranfield.comparing.corrections import corrected
from cranfield.comparing.differences import Difference, TestChoices, differences, pairs_of, scaled
from cranfield.comparing.interaction import interaction_tests
from cranfield.data.queries import Queries, Value
from cranfield.errors import DataError, UsageError
from cranfield.evaluating.scores import Scores
from cranfield.measures import Measure
from cranfield.phrases import counted
from cranfield.show.measures import name_dict
from cranfield.show.table import finite

NONE = "(none)"
"""The slice of queries that a column says nothing about."""
WORDS = "words"
"""A column that there need not be: how many words the text of a query has."""
FEW = 10
"""Numbers make a slice each up to so many different ones, and quartiles beyond; texts may be more, if they repeat."""
MOST = 50
"""No column makes more slices than this."""


@dataclass(frozen=True)
class SliceDifferences:
    """Some of the queries, and how the runs differ on them."""

    name: str
    queries: tuple[str, ...]
    differences: tuple[Difference, ...]
    """By measure and pair; p is corrected for the pairs and the slices of the column, under one measure."""


@dataclass(frozen=True)
class Interaction:
    """Whether the difference of two runs depends on the slice."""

    measure: Measure
    run: str
    baseline: str
    p: float
    adjusted: float
    """p corrected for the number of pairs, under one measure."""
    reason: str = ""
    """Why there is no p."""

    def to_dict(self) -> dict[str, Any]:
        """Everything as plain values."""
        return {
            **name_dict(self.measure),
            "run": self.run,
            "baseline": self.baseline,
            "p": finite(self.p),
            "adjusted": finite(self.adjusted),
            "reason": self.reason,
        }


@dataclass(frozen=True)
class Slicing:
    """All queries, divided by one column."""

    by: str
    slices: tuple[SliceDifferences, ...]
    interactions: tuple[Interaction, ...]
    """By measure and pair."""
    family: int
    """How many comparisons p is corrected for: pairs in slices, under one measure."""
    notes: tuple[str, ...] = ()
    """How the column was divided."""

    def to_dict(self, alpha: float) -> dict[str, Any]:
        """Everything as plain values, and what is significant at a level."""
        return {
            "by": self.by,
            "notes": list(self.notes),
            "family": self.family,
            "slices": [
                {
                    "slice": part.name,
                    "queries": len(part.queries),
                    "differences": [{**one.to_dict(), "verdict": one.verdict(alpha)} for one in part.differences],
                }
                for part in self.slices
            ],
            "interactions": [interaction.to_dict() for interaction in self.interactions],
        }


class Division(NamedTuple):
    """Queries by slice, and what there is to say about it."""

    members: Mapping[str, tuple[str, ...]]
    notes: tuple[str, ...]


def sliced(
    results: Scores, known: Queries, by: str, chosen: Sequence[tuple[int, int]], choices: TestChoices
) -> Slicing:
    """The chosen pairs of runs, compared in every slice that a column makes."""
    division = divided(results.queries, known, by)
    parts = {name: results.only(members) for name, members in division.members.items()}
    found = {measure: _by_slice(parts, measure, chosen, choices) for measure in results.measures}
    return Slicing(
        by,
        tuple(
            SliceDifferences(
                name, division.members[name], tuple(chain(*(found[measure][name] for measure in results.measures)))
            )
            for name in parts
        ),
        tuple(chain(*(_interactions(results, measure, division, chosen, choices) for measure in results.measures))),
        len(chosen) * len(parts),
        division.notes,
    )


def divided(queries: Sequence[str], known: Queries, by: str) -> Division:
    """Queries by what a column says of them; numbers of many kinds by quartiles.

    >>> from cranfield import read_queries
    >>> known = read_queries({"q1": {"intent": "howto"}, "q2": {"intent": "problem"}, "q3": {"intent": "howto"}})
    >>> divided(["q1", "q2", "q3", "q4"], known, "intent").members
    {'howto': ('q1', 'q3'), 'problem': ('q2',), '(none)': ('q4',)}
    """
    if not any(query in known for query in queries):
        raise DataError([errors.queries.queries_never_meet(known.path, list(queries), list(known))])
    of_query = _column(known, by)
    values = {query: of_query.get(query) for query in queries}
    said = {query: value for query, value in values.items() if value is not None}
    if not said:
        raise UsageError(f"{by} says nothing about any evaluated query; choose another column.")
    missing = tuple(query for query in queries if query not in said)
    numbers = _numbers(said)
    if numbers is not None and len(set(numbers.values())) > FEW:
        members = _quartiles(numbers)
        notes = [f"{by} has {len(set(numbers.values()))} different numbers; the slices are its quartiles."]
    else:
        members = _by_value(said, numbers, by)
        notes = []
    if missing:
        members[NONE] = missing
        shown = ", ".join(missing[:3]) + (", …" if len(missing) > 3 else "")
        notes.append(f"{by} is not known for {counted(len(missing), 'query')} ({shown}): the slice {NONE}.")
    return Division(members, tuple(notes))


def _column(known: Queries, by: str) -> dict[str, Value]:
    if by == WORDS and WORDS not in known.columns and known.texts is not None:
        return {query: len(text.split()) if text else None for query, text in zip(known, known.texts, strict=True)}
    return known.column(by)


def _numbers(said: Mapping[str, Value]) -> dict[str, float] | None:
    """The values as numbers, if all are."""
    numbers = {}
    for query, value in said.items():
        try:
            numbers[query] = math.nan if isinstance(value, bool) else float(value)  # type: ignore[arg-type]  # caught
        except (ValueError, OverflowError):
            return None
    return numbers if all(map(math.isfinite, numbers.values())) else None


def _quartiles(numbers: Mapping[str, float]) -> dict[str, tuple[str, ...]]:
    values = np.array(list(numbers.values()))
    edges = np.unique(np.quantile(values, [0.25, 0.5, 0.75], method="inverted_cdf"))
    at = np.searchsorted(edges, values)
    members = {}
    for quarter in np.unique(at):
        inside = values[at == quarter]
        low, high = f"{inside.min():g}", f"{inside.max():g}"
        between = " to " if inside.min() < 0 else "–"
        name = low if low == high else f"{low}{between}{high}"
        members[name] = tuple(query for query, where in zip(numbers, at, strict=True) if where == quarter)
    return members


def _by_value(said: Mapping[str, Value], numbers: Mapping[str, float] | None, by: str) -> dict[str, tuple[str, ...]]:
    """A slice for each value: numbers in their order, texts with the most queries first."""
    members: dict[str, list[str]] = {}
    for query, value in said.items():
        members.setdefault(str(value), []).append(query)
    if len(members) > MOST or (len(members) > FEW and 2 * len(members) > len(said)):
        raise errors.queries.too_many_slices(by, list(members), len(said))
    if numbers is not None:
        order = sorted(members, key=lambda name: numbers[members[name][0]])
    else:
        order = sorted(members, key=lambda name: (-len(members[name]), name))
    return {name: tuple(members[name]) for name in order}


def _by_slice(
    parts: Mapping[str, Scores], measure: Measure, chosen: Sequence[tuple[int, int]], choices: TestChoices
) -> dict[str, list[Difference]]:
    """The differences in every slice; all of them, under one measure, are one family."""
    found = {
        name: differences(measure, part.runs, scaled(measure, part.settled(measure), choices), chosen, choices)
        for name, part in parts.items()
    }
    if choices.test == "tukey":
        # It allows for the pairs of a slice by itself. What then remains is the number of slices.
        times = 1 if choices.correction == "none" else len(parts)
        return {
            name: [replace(one, adjusted=min(one.p * times, 1.0)) for one in of_slice]
            for name, of_slice in found.items()
        }
    family = iter(corrected([one.p for of_slice in found.values() for one in of_slice], choices.correction).tolist())
    return {name: [replace(one, adjusted=next(family)) for one in of_slice] for name, of_slice in found.items()}


def _interactions(
    results: Scores, measure: Measure, division: Division, chosen: Sequence[tuple[int, int]], choices: TestChoices
) -> list[Interaction]:
    number = {query: at for at, members in enumerate(division.members.values()) for query in members}
    scores = scaled(measure, results.settled(measure), choices)
    slices = [number[query] for query in results.queries]
    outcomes = interaction_tests(scores, slices, pairs_of(chosen), rng=choices.seed)
    adjusted = corrected([outcome.p for outcome in outcomes], choices.correction)
    return [
        Interaction(measure, results.runs[pair[0]], results.runs[pair[1]], outcome.p, float(p), outcome.reason)
        for pair, outcome, p in zip(chosen, outcomes, adjusted, strict=True)
    ]
