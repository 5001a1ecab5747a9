"""Runs beside one baseline after the other, where every pair is tested once."""

from __future__ import annotations

from collections.abc import Sequence

from cranfield.compare.choosing import chosen_pairs
from cranfield.compare.comparison import Comparison, Standing, standing
from cranfield.compare.differences import Difference, Plan, differences, on_scale, significances
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
    standings = tuple(of_all for _, of_all in compared)
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
) -> tuple[dict[str, list[Difference]], Standing]:
    scores = on_scale(measure, results.scores(measure))
    pairs = all_pairs(len(results.runs))
    outcomes = significances(scores, pairs, plan)
    place = {pair: row for row, pair in enumerate(pairs)}
    found = {}
    for name in baselines:
        chosen = chosen_pairs(results, (name,))
        of_chosen = [outcomes[place[min(pair), max(pair)]] for pair in chosen]
        found[name] = differences(measure, results.runs, scores, chosen, plan, of_chosen)
    return found, standing(results, measure, scores, outcomes, pairs, plan)
