"""Many fusions of the same runs, scored query by query: what a search among them needs to know."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Literal

import numpy as np

from cranfield import errors, formats, kernels
from cranfield.align import JudgedRanking, padded_width
from cranfield.arrays import Floats, Ints
from cranfield.data.judgments import Judgments
from cranfield.data.run import Run
from cranfield.errors import Finding, Findings
from cranfield.errors.findings import about
from cranfield.fusing.fused_run import FLAT_VALUES
from cranfield.fusing.fusion import Fusion, alike_but_for_weights, score_matrix
from cranfield.fusing.joining import Joining
from cranfield.fusing.lists import QueryLists
from cranfield.measures import Measure
from cranfield.measures.scoring import View

CELLS = 1 << 21
"""Scores of documents that are in memory at once."""
SHALLOW = 64
"""Up to this rank, documents are compared with the top ones; looking up where they stand is quicker beyond."""

Part = tuple[int, Sequence[Fusion], list[list[int]]]
"""Some of the fusions: from which on, which, and which of these differ in weights alone."""


@dataclass(eq=False)
class ConfigurationScores:
    """Fusions × queries: the score of every fusion for every judged query, in one pass over the runs."""

    fusions: Sequence[Fusion]
    judgments: Judgments
    measure: Measure
    view: View = field(default_factory=View)
    findings: Findings = field(default_factory=Findings)
    learnt: Callable[[int, str], Fusion] | None = None
    """By row and query, the fusion of a method that learns, which differs from query to query."""
    _flat: dict[tuple[int, str], dict[str, None]] = field(default_factory=dict)
    _known_parts: dict[int, list[Part]] = field(default_factory=dict)

    def values(self, runs: Sequence[Run]) -> Floats:
        """The scores; NaN where they are undefined."""
        values = np.empty((len(self.fusions), len(self.judgments.queries)))
        silent = np.ones(len(self.judgments.queries), dtype=np.bool_)
        reads = next((fusion.method.rule.name for fusion in self.fusions if fusion.reads_scores), "")
        joining = Joining(runs, self.findings, self.fusions[0].depth, reads)
        names = [run.called for run in runs]
        for lists in joining:
            place = self.judgments.position.get(lists.query)
            if place is None or self._is_wrong(lists, names):
                continue
            values[:, place] = self._scores(lists, place)
            silent[place] = False
        self.findings.stop_if_wrong()
        self.findings.extend(formats.repeated_files(runs))
        self.findings.extend(self._flat_lists(runs, joining))
        for place in np.flatnonzero(silent).tolist():
            nothing = np.empty((1, 0), dtype=np.int64)
            values[:, place] = self._measured(nothing, np.empty(0, dtype=np.int64), place, 0)
        return values

    def _scores(self, lists: QueryLists, place: int) -> Floats:
        documents = lists.documents
        rows = self.judgments.rows_of(lists.query)
        known = [(column, rows[document]) for column, document in enumerate(documents) if document in rows]
        columns, judged = np.array(known, dtype=np.int64).reshape(-1, 2).T
        turns = np.empty(len(documents), dtype=np.int64)
        turns[sorted(range(len(documents)), key=documents.__getitem__, reverse=True)] = np.arange(len(documents))
        parts = []
        for start, own, groups in self._parts(max(1, CELLS // len(documents))):
            some = self._as_learnt(own, start, lists.query)
            with np.errstate(over="ignore", invalid="ignore"):
                scores = score_matrix(some, lists, groups)
            if not np.isfinite(scores).all():
                wrong = some[int(np.flatnonzero(~np.isfinite(scores).all(axis=1))[0])]
                raise errors.fusing.too_large(lists.query, wrong.method.rule.name)
            ranks = ranks_of(scores, columns, turns, self._deepest)
            parts.append(self._measured(ranks, judged, place, len(documents)))
        return np.concatenate(parts)

    def _parts(self, step: int) -> list[Part]:
        """So many fusions at a time, and which of them differ in weights alone; most queries need the same parts."""
        step = min(1 << step.bit_length() - 1, len(self.fusions))
        if step not in self._known_parts:
            starts = range(0, len(self.fusions), step)
            some = [(start, self.fusions[start : start + step]) for start in starts]
            self._known_parts[step] = [(start, own, alike_but_for_weights(own)) for start, own in some]
        return self._known_parts[step]

    def _as_learnt(self, fusions: Sequence[Fusion], start: int, query: str) -> Sequence[Fusion]:
        """Fusions, those that learn with what they know when they meet the query."""
        if self.learnt is None:
            return fusions
        rows = enumerate(fusions, start)
        return [self.learnt(row, query) if own.method.rule.is_trained else own for row, own in rows]

    @cached_property
    def _deepest(self) -> int | None:
        """The last rank that the measure looks at; None where it looks at all of them."""
        removes = self.view != View() or self.measure.params["judged_only"]  # then others move up from below
        if removes or self.measure.definition.at != "cutoff" or self.measure.at is None:
            return None
        return int(self.measure.at)

    @cached_property
    def _by_norm(self) -> dict[str, Fusion]:
        return {str(fusion.norm): fusion for fusion in self.fusions}

    def _measured(self, ranks: Ints, judged: Ints, place: int, retrieved: int) -> Floats:
        """The measure of rankings that have the judged documents of a query at these ranks."""
        own = slice(self.judgments.starts[place], self.judgments.starts[place + 1])
        width = int(padded_width(np.array(own.stop - own.start)))
        shape = (len(ranks), width)
        padded, grades = np.full(shape, np.inf), np.full(shape, -np.inf)
        by_rank = np.argsort(ranks, axis=1)
        found = ranks.shape[1]
        padded[:, :found] = np.take_along_axis(ranks, by_rank, axis=1)
        grades[:, :found] = self.judgments.grades[judged][by_rank]
        top = self.fusions[0].top or retrieved
        beyond = padded > top
        padded[beyond], grades[beyond] = np.inf, -np.inf
        ideal = np.full(width, -np.inf)
        ideal[: own.stop - own.start] = -np.sort(-self.judgments.grades[own])
        ranking = JudgedRanking(
            padded,
            grades,
            np.full(len(ranks), float(min(top, retrieved))),
            np.broadcast_to(ideal, shape),
            self.judgments.max_grade,
        )
        scores: Floats = np.asarray(self.measure(self.view(ranking)), dtype=np.float64)
        return scores

    def _is_wrong(self, lists: QueryLists, runs: Sequence[str]) -> bool:
        wrong: dict[Finding, None] = {}
        for norm, fusion in self._by_norm.items():
            wrong |= dict.fromkeys(fusion.wrong(lists, runs))
            if fusion.has_flat:
                for at in fusion.flat_lists(lists).tolist():
                    self._flat.setdefault((at, norm), {})[lists.query] = None
        self.findings.extend(wrong)
        return bool(wrong)

    def _flat_lists(self, runs: Sequence[Run], joining: Joining) -> list[Finding]:
        values = {norm: FLAT_VALUES[fusion.flat] for norm, fusion in self._by_norm.items()}
        return [
            about(errors.fusing.flat_lists([*queries], len(joining.answered[at]), norm, values[norm]), runs[at].name)
            for (at, norm), queries in self._flat.items()
        ]


def ranks_of(scores: Floats, columns: Ints, turns: Ints, deepest: int | None = None) -> Ints:
    """Row × chosen column: the rank of these columns in each row, highest first, equal scores in their `turns`.

    Ranks are right up to the `deepest`, which is quicker to know than all; others are beyond it.

    >>> ranks_of(np.array([[0.5, 0.9, 0.5]]), np.array([0, 1]), turns=np.array([2, 1, 0]))
    array([[3, 1]])
    """
    values = scores[:, columns]
    if deepest is None or deepest >= min(scores.shape[1], SHALLOW):
        rising = np.sort(scores, axis=1)
        low, high = (_inserted(rising, values, side) for side in ("left", "right"))
        ranks, tied = scores.shape[1] - high + 1, high - low > 1
    else:
        # One more than can count: it shows whether the last place is shared.
        top = _largest(scores, deepest + 1)[:, np.newaxis]
        ranks = (top > values[..., np.newaxis]).sum(axis=-1) + 1
        tied = ((top == values[..., np.newaxis]).sum(axis=-1) > 1) & (ranks <= deepest)
    for at in np.flatnonzero(tied.any(axis=0)).tolist():
        rows = np.flatnonzero(tied[:, at])
        earlier = np.flatnonzero(turns < turns[columns[at]])
        ranks[rows, at] += (scores[np.ix_(rows, earlier)] == values[rows, at, np.newaxis]).sum(axis=1)
    return ranks


def _largest(scores: Floats, count: int) -> Floats:
    """The largest scores of each row, in ascending order."""
    if kernels.are_compiled():
        from cranfield.kernels.compiled import largest_in_rows

        largest = np.empty((len(scores), count))
        largest_in_rows(np.ascontiguousarray(scores), largest)
        return largest
    return np.sort(np.partition(scores, -count, axis=1)[:, -count:], axis=1)


def _inserted(rising: Floats, values: Floats, side: Literal["left", "right"]) -> Ints:
    """Where values would be put into their sorted rows."""
    places = np.empty(values.shape, dtype=np.int64)
    for row, own, into in zip(rising, values, places, strict=True):
        into[:] = row.searchsorted(own, side)
    return places
