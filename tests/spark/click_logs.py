"""Click logs that no model finds easy: lists of several lengths, in several orders, some of them empty of clicks."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
import pyarrow as pa


@cache
def impressions(count: int = 400, seed: int = 1) -> pa.Table:
    """A row for each impression, in the order of ids: documents further up are looked at more often."""
    rng = np.random.default_rng(seed)
    rows = []
    for number in range(count):
        query = int(rng.integers(0, 12))
        shown = rng.permutation(8)[: rng.integers(1, 7)]
        looked = rng.random(len(shown)) < 0.9 ** np.arange(len(shown)) ** 1.5
        clicked = looked & (rng.random(len(shown)) < 0.1 + 0.1 * shown)
        rows.append((query, number, shown.tolist(), clicked.tolist()))
    rows.sort()
    return pa.table(
        {
            "session": [f"s{number:05}" for _, number, _, _ in rows],
            "query": [f"q{query:02}" for query, _, _, _ in rows],
            "documents": [[f"d{document}" for document in shown] for _, _, shown, _ in rows],
            "clicks": [[int(click) for click in clicked] for _, _, _, clicked in rows],
        }
    )


def results(log: pa.Table) -> pa.Table:
    """The same with a row for each result."""
    rows: list[tuple[Any, ...]] = [
        (row["session"], row["query"], at, document, click)
        for row in log.to_pylist()
        for at, (document, click) in enumerate(zip(row["documents"], row["clicks"], strict=True), 1)
    ]
    names = ("session", "query", "position", "document", "clicked")
    return pa.table(dict(zip(names, map(list, zip(*rows, strict=True)), strict=True)))
