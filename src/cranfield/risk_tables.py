"""Risk for programs: a row per number."""

from __future__ import annotations

from cranfield.risk_sensitivity import Risk
from cranfield.show.table import Cell, Table


def long_table(risk: Risk, *, per_query: bool = False) -> Table:
    """A row per run and measure under `all`; with queries, first a row for each and what it adds to URisk."""
    rows: list[dict[str, Cell]] = []
    for row, measure in enumerate(risk.measures):
        for at, run in enumerate(risk.runs):
            named: dict[str, Cell] = {"run": run, "measure": str(measure)}
            if per_query:
                contributions = risk.contributions[row, at].tolist()
                pairs = zip(risk.scores.queries, contributions, strict=True)
                rows += [{**named, "query": query, "URisk": value} for query, value in pairs]
            of_run = risk.values[run][measure]
            rows.append(
                {
                    **named,
                    "query": "all",
                    "URisk": of_run.urisk,
                    "TRisk": of_run.trisk,
                    "ZRisk": of_run.zrisk,
                    "GeoRisk": of_run.georisk,
                    "mean": of_run.mean,
                    "wins": of_run.wins,
                    "losses": of_run.losses,
                }
            )
    return Table({name: [line.get(name) for line in rows] for name in rows[-1]})
