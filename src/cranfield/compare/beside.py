"""Runs beside one baseline after the other, where every pair is tested once."""

from __future__ import annotations

from collections.abc import Sequence

from cranfield.compare import comparison as of_one
from cranfield.compare.comparison import Comparison, Difference, Plan, on_scale
from cranfield.compare.paired import all_pairs
from cranfield.measures import Measure
from cranfield.results import Results


def beside(results: Results, baselines: Sequence[str], plan: Plan) -> dict[str, Comparison]:
    """What `compare` says beside each baseline, by its name; the tests of all pairs are shared.

    >>> import cranfield as cf
    >>> from cranfield.results import results_of
    >>> judged = {f"q{at}": {"d1": 1} for at in range(8)}
    >>> runs = {"old": {query: ["x", "d1"] for query in judged}, "new": {query: ["d1"] for query in judged}}
    >>> found = beside(results_of(cf.evaluate(judged, runs, "RR")), ["old", "new"], Plan())
    >>> [(baseline, comparison.differences[0].difference) for baseline, comparison in found.items()]
    [('old', 0.5), ('new', -0.5)]
    """
    compared = [_under(results, measure, baselines, plan) for measure in results.measures]
    standings = tuple(standing for _, standing in compared)
    return {
        name: Comparison(
            results,
            plan,
            (name,),
            tuple(difference for by_baseline, _ in compared for difference in by_baseline[name]),
            standings,
        )
        for name in baselines
    }


def _under(
    results: Results, measure: Measure, baselines: Sequence[str], plan: Plan
) -> tuple[dict[str, list[Difference]], of_one.Standing]:
    scores = on_scale(measure, results.scores(measure))
    pairs = all_pairs(len(results.runs))
    tests = of_one._tests(scores, pairs, plan)
    place = {pair: row for row, pair in enumerate(pairs)}
    found: dict[str, list[Difference]] = {}
    for name in baselines:
        base = results.run_position(name)
        chosen = [(run, base) for run in range(len(results.runs)) if run != base]
        family = [tests[place[min(pair), max(pair)]] for pair in chosen]
        adjusted = of_one._corrected([outcome.p for outcome in family], plan)
        intervals = of_one._intervals([scores[run] - scores[base] for run, base in chosen], plan)
        found[name] = [
            of_one._difference(results, measure, scores, pair, outcome, float(p), interval, plan)
            for pair, outcome, p, interval in zip(chosen, family, adjusted, intervals, strict=True)
        ]
    return found, of_one._standing(results, measure, scores, tests, pairs, plan)
