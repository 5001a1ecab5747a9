"""Runs compared with one baseline after the other, where every pair is tested once."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from cranfield.arrays import Floats
from cranfield.comparing.choosing import chosen_pairs
from cranfield.comparing.comparison import Comparison, Standing, standing
from cranfield.comparing.differences import Difference, Plan, allowed_for, differences, on_scale, significances
from cranfield.comparing.paired import Pairs, all_pairs
from cranfield.comparing.significance_tests.significance import Significance
from cranfield.measures import Measure
from cranfield.scores import Scores


def beside(results: Scores, baselines: Sequence[str], plan: Plan, *, every_pair: bool = False) -> dict[str, Comparison]:
    """What `compare` says of each baseline, by its name; the tests of all pairs are shared.

    The comparisons with one baseline are a family; with `every_pair`, all pairs are, whatever the baseline.

    >>> import cranfield as cf
    >>> judged = {f"q{at}": {"d1": 1} for at in range(8)}
    >>> runs = {"old": {query: ["x", "d1"] for query in judged}, "new": {query: ["d1"] for query in judged}}
    >>> found = beside(cf.evaluate(judged, runs, "RR"), ["old", "new"], Plan())
    >>> [(baseline, comparison.differences[0].difference) for baseline, comparison in found.items()]
    [('old', 0.5), ('new', -0.5)]
    """
    tables = [on_scale(measure, results.settled(measure)) for measure in results.measures]
    compared = [
        _under(results, measure, scores, outcomes, baselines, plan, every_pair=every_pair)
        for measure, scores, outcomes in zip(results.measures, tables, _outcomes(tables, plan), strict=True)
    ]
    return {
        name: Comparison(
            results,
            plan,
            (name,),
            tuple(difference for by_baseline in compared for difference in by_baseline[name][0]),
            tuple(by_baseline[name][1] for by_baseline in compared),
            every_pair=every_pair,
        )
        for name in baselines
    }


def _outcomes(tables: Sequence[Floats], plan: Plan) -> list[list[Significance]]:
    """What the test says of every two runs, under each measure."""
    pairs = all_pairs(len(tables[0]))
    if plan.test != "randomization":
        return [significances(scores, pairs, plan) for scores in tables]
    # Random signs are the same for all pairs with the same queries, whatever their scores are: once is enough.
    offsets = [at * len(scores) for at, scores in enumerate(tables)]
    every = Pairs(*(np.concatenate([side + offset for offset in offsets]) for side in (pairs.first, pairs.second)))
    found = significances(np.concatenate(tables), every, plan)
    return [found[at : at + len(pairs)] for at in range(0, len(found), len(pairs))]


def _under(
    results: Scores,
    measure: Measure,
    scores: Floats,
    outcomes: list[Significance],
    baselines: Sequence[str],
    plan: Plan,
    *,
    every_pair: bool,
) -> dict[str, tuple[list[Difference], Standing]]:
    pairs = all_pairs(len(results.runs))
    place = {pair: row for row, pair in enumerate(pairs)}
    adjusted = allowed_for([outcome.p for outcome in outcomes], plan).tolist() if every_pair else []

    def compared(chosen: Sequence[tuple[int, int]]) -> list[Difference]:
        rows = [place[min(pair), max(pair)] for pair in chosen]
        found = differences(measure, results.runs, scores, chosen, plan, [outcomes[row] for row in rows])
        if not every_pair:
            return found
        return [replace(one, adjusted=adjusted[row]) for one, row in zip(found, rows, strict=True)]

    by_baseline = {name: compared(chosen_pairs(results, (name,))) for name in baselines}
    if every_pair:
        of_all = standing(results, measure, scores, compared(list(pairs)), plan, every_pair=True)
        return {name: (found, of_all) for name, found in by_baseline.items()}
    return {
        name: (found, standing(results, measure, scores, found, plan, every_pair=False))
        for name, found in by_baseline.items()
    }
