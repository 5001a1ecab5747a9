"""How soon strategies would have found the relevant documents, replayed with judgments that are there."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from cranfield import errors
from cranfield.arguments import require_whole
from cranfield.arrays import Bools, Ints
from cranfield.choices import Duplicates
from cranfield.errors import Finding
from cranfield.formats import read_inputs
from cranfield.formats.columns import ColumnsGiven
from cranfield.pooling.adaptive import played
from cranfield.pooling.candidates import Candidates, candidates_of, judged_pairs
from cranfield.pooling.choosing import (
    ADAPTIVE,
    DEEP,
    WEIGHTED,
    in_order_of_weight,
    strategy_named,
    weights_of,
)
from cranfield.pooling.coverage import must_know
from cranfield.pooling.pools import PoolEntry
from cranfield.pooling.weights import PERSISTENCE
from cranfield.show.answer import Answer
from cranfield.show.table import Cell, Table
from cranfield.version import VERSION

SIMULATED = (*WEIGHTED, *ADAPTIVE)
SHARES = (0.5, 0.8, 0.9)
"""Of the relevant documents, for which labels are counted."""
POINTS = (0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.75, 1.0)
"""Of the pool, at which what was found is shown."""


@dataclass(frozen=True, eq=False)
class Simulation(Answer):
    """What strategies would have found, label by label; shows itself as a verdict and tables.

    >>> import cranfield as cf
    >>> runs = {"a": {"q1": ["d1", "d2"]}, "b": {"q1": ["d3", "d4"]}}
    >>> simulation = cf.simulate_pool(runs, {"q1": {"d1": 1, "d2": 1, "d3": 0, "d4": 0}}, strategies=["depth"])
    >>> simulation.found("depth").tolist()
    [1, 1, 2, 2]
    """

    order: Mapping[str, tuple[tuple[str, str], ...]]
    """By strategy, pairs of query and document in the order they would have been judged."""
    relevant: Mapping[str, Bools]
    """By strategy, whether each of them is relevant."""
    depth: int
    settings: Mapping[str, Any]
    warnings: tuple[Finding, ...] = ()

    @property
    def strategies(self) -> tuple[str, ...]:
        """What was simulated."""
        return tuple(self.order)

    @property
    def labels(self) -> int:
        """How many documents there are to judge."""
        return len(next(iter(self.order.values())))

    @property
    def total(self) -> int:
        """How many of them are relevant."""
        return int(next(iter(self.relevant.values())).sum())

    def found(self, strategy: str) -> Ints:
        """How many relevant documents a strategy has found after each label."""
        return np.cumsum(self.relevant[strategy_named(strategy)], dtype=np.int64)

    def labels_for(self, strategy: str, share: float) -> int:
        """How many labels a strategy needs to find a share of the relevant documents."""
        return int(np.searchsorted(self.found(strategy), math.ceil(share * self.total))) + 1

    def verdict(self) -> str:
        """Which strategy finds most of the relevant documents with few labels, in words."""
        need = {name: self.labels_for(name, 0.8) for name in self.strategies}
        best = min(need, key=lambda name: need[name])
        first = (
            f"{best} finds 80% of the {self.total:,} relevant documents with {need[best]:,} of {self.labels:,} labels"
        )
        if best == "depth" or "depth" not in need or need[best] == need["depth"]:
            return f"{first}."
        return f"{first}; depth pooling needs {need['depth']:,}."

    def table(self) -> Table:
        """A row per strategy: the labels it takes to find shares of the relevant documents."""
        columns: dict[str, list[Cell]] = {"strategy": list(self.strategies)}
        for share in SHARES:
            columns[f"labels for {share:.0%}"] = [self.labels_for(name, share) for name in self.strategies]
        return Table(columns)

    def curve(self) -> Table:
        """A row per number of labels: the share of relevant documents that each strategy has found."""
        at = sorted({max(1, round(point * self.labels)) for point in POINTS})
        columns: dict[str, list[Cell]] = {"labels": list(at)}
        for name in self.strategies:
            count_found = self.found(name)
            columns[name] = [float(count_found[count - 1] / self.total) for count in at]
        return Table(columns, notes=tuple(self._notes()))

    def rows(self) -> Table:
        """A row per strategy and label, for programs."""
        rows = [
            (name, label, query, document, int(hit), int(found), float(found / self.total))
            for name in self.strategies
            for label, ((query, document), hit, found) in enumerate(
                zip(self.order[name], self.relevant[name], self.found(name), strict=True), 1
            )
        ]
        names = ("strategy", "label", "query", "document", "relevant", "found", "share")
        return Table(dict(zip(names, map(list, zip(*rows, strict=True)), strict=True)))

    def tables(self) -> list[Table]:
        """What a person reads."""
        return [self.table(), self.curve()]

    def to_dict(self) -> dict[str, Any]:
        """Everything as plain values: the object that `cranfield pool simulate --format json` prints."""
        return {
            "cranfield": VERSION,
            "verdict": self.verdict(),
            "settings": dict(self.settings),
            "labels": self.labels,
            "relevant": self.total,
            "warnings": list(map(str, self.warnings)),
            "strategies": {
                name: {
                    "labels_for": {f"{share:g}": self.labels_for(name, share) for share in SHARES},
                    "found": self.found(name).tolist(),
                }
                for name in self.strategies
            },
        }

    def _notes(self) -> Iterator[str]:
        yield (
            f"Shares of the {self.total:,} relevant documents among the judged ones of the first {self.depth:,} of "
            "each run, after so many labels over all queries."
        )

    def __repr__(self) -> str:
        return f"Simulation({', '.join(self.strategies)}: {self.labels:,} labels, {self.total:,} relevant documents)"


def simulate_pool(
    runs: object,
    judgments: object,
    *,
    strategies: Sequence[str] | None = None,
    depth: int = DEEP,
    rel: float = 1,
    p: float = PERSISTENCE,
    seed: int = 0,
    columns: ColumnsGiven = None,
    duplicates: Duplicates | None = None,
) -> Simulation:
    """In what order strategies would have judged a pool whose judgments are known, and what they would have found.

    Labels go to all queries together, as with a budget in `pool`. Documents without a judgment are left out, as if no
    run had found them.
    """
    require_whole(depth, "depth")
    names = [
        strategy_named(name) for name in ([strategies] if isinstance(strategies, str) else strategies or SIMULATED)
    ]
    for name in names:
        if name not in SIMULATED:
            raise errors.pooling.unknown_strategy(name, SIMULATED)
    given, sources = read_inputs(judgments, runs, columns=columns, duplicates=duplicates)
    known = judged_pairs(given)
    pooled = candidates_of(sources, depth)
    must_know(pooled, given)
    kept = {query: set(documents) & known.get(query, {}).keys() for query, documents in pooled.documents.items()}
    judged = pooled.only(kept)
    hits = {
        (query, document) for query, of in judged.documents.items() for document in of if known[query][document] >= rel
    }
    if not hits:
        raise errors.pooling.nothing_relevant(rel)
    warnings = list(pooled.warnings)
    if missing := pooled.size - judged.size:
        warnings.append(errors.pooling.unjudged_in_simulation(missing, pooled.size))
    order = {name: tuple(_order(name, judged, hits, p, seed)) for name in dict.fromkeys(names)}
    relevant = {name: np.array([pair in hits for pair in pairs]) for name, pairs in order.items()}
    settings = {"depth": depth, "rel": rel, "p": p, "seed": seed}
    return Simulation(order, relevant, depth, settings, tuple(warnings))


def _order(
    strategy: str, candidates: Candidates, hits: set[tuple[str, str]], p: float, seed: int
) -> Iterator[tuple[str, str]]:
    if strategy in ADAPTIVE:
        for step in played(candidates, strategy, lambda query, document: (query, document) in hits, seed):
            yield step.query, step.document
        return
    entries = (
        PoolEntry(query, document, weight)
        for query in candidates.of
        for document, weight in weights_of(strategy, candidates, query, p).items()
    )
    for entry in in_order_of_weight(entries):
        yield entry.query, entry.document
