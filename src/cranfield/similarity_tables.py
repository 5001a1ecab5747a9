"""How alike runs are, as a table for programs; for people it shows itself."""

from __future__ import annotations

from cranfield.run_similarity import Similarity
from cranfield.show.table import Cell, Table


def long_table(alike: Similarity, *, per_query: bool = False) -> Table:
    """A row per pair of runs, measure and query, means under `all`."""
    rows: list[tuple[Cell, ...]] = []
    for pair in alike.pairs:
        for name in alike.names:
            known = pair.run, pair.other, name
            if per_query:
                values = pair.values[name].tolist()
                rows += [(*known, query, value) for query, value in zip(pair.queries, values, strict=True)]
            rows.append((*known, "all", pair.mean(name)))
    columns = zip(*rows, strict=True)
    return Table(dict(zip(("run", "other", "measure", "query", "value"), map(list, columns), strict=True)))
