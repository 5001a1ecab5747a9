"""How long the systems took, as it is written."""

from __future__ import annotations

from typing import NamedTuple

from cranfield.comparing.comparison import chosen_pairs
from cranfield.comparing.latency import LatencyDifference, latency_comparison
from cranfield.evaluating.aggregate import CONFIDENCE
from cranfield.evaluating.scores import Scores
from cranfield.show.web_text import interval, shown, signed


class SystemLatency(NamedTuple):
    """One system."""

    run: str
    median: str
    p95: str
    queries: int
    difference: str
    """Empty of the baseline, and where the two share no query."""
    interval: str


class LatencyView(NamedTuple):
    """All systems with latencies, compared with the default baseline."""

    baseline: str | None
    systems: tuple[SystemLatency, ...]
    notes: tuple[str, ...]


def latency_view(results: Scores, baseline: str | None, confidence: float = CONFIDENCE) -> LatencyView | None:
    """Latencies where a run has any."""
    pairs = chosen_pairs(results, (baseline,)) if baseline is not None else []
    named = [(results.runs[run], results.runs[other]) for run, other in pairs]
    compared = latency_comparison(results, named, confidence)
    if compared is None:
        return None
    differences = {pair.run: pair for pair in compared.differences}
    systems = tuple(
        SystemLatency(
            one.run,
            shown(one.median, compared.places),
            shown(one.p95, compared.places),
            one.queries,
            *_written(differences.get(one.run), compared.places),
        )
        for one in compared.runs
    )
    return LatencyView(baseline if differences else None, systems, compared.table().notes)


def _written(pair: LatencyDifference | None, places: int) -> tuple[str, str]:
    if pair is None:
        return "", ""
    return signed(pair.difference, places), interval(pair.low, pair.high, places)
