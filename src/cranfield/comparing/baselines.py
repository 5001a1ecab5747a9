"""Runs compared with one baseline after the other, where every pair is tested once."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from cranfield.arrays import Floats
from cranfield.comparing.comparison import Comparison, Standing, chosen_pairs, standing, with_warnings
from cranfield.comparing.differences import Difference, TestChoices, corrected_p, differences, on_scale, significances
from cranfield.comparing.paired import SystemPairs, all_pairs
from cranfield.comparing.significance_tests.significance import Significance
from cranfield.evaluating.scores import Scores
from cranfield.measures import Measure


def comparisons_by_baseline(
    results: Scores, baselines: Sequence[str], choices: TestChoices, *, every_pair: bool = False
) -> dict[str, Comparison]:
    """What `compare` gives for each baseline, by its name; the tests of all pairs are shared.

    The comparisons with one baseline are a family; with `every_pair`, all pairs are, whatever the baseline.

    >>> import cranfield as cf
    >>> judged = {f"q{at}": {"d1": 1} for at in range(8)}
    >>> runs = {"old": {query: ["x", "d1"] for query in judged}, "new": {query: ["d1"] for query in judged}}
    >>> comparisons = comparisons_by_baseline(cf.evaluate(judged, runs, "RR"), ["old", "new"], TestChoices())
    >>> [(baseline, comparison.differences[0].difference) for baseline, comparison in comparisons.items()]
    [('old', 0.5), ('new', -0.5)]
    """
    tables = [on_scale(measure, results.settled(measure)) for measure in results.measures]
    compared = [
        _under(results, measure, scores, outcomes, baselines, choices, every_pair=every_pair)
        for measure, scores, outcomes in zip(
            results.measures, tables, _outcomes(tables, choices, results.runs), strict=True
        )
    ]
    return {
        name: with_warnings(
            Comparison(
                results,
                choices,
                (name,),
                tuple(difference for by_baseline in compared for difference in by_baseline[name][0]),
                tuple(by_baseline[name][1] for by_baseline in compared),
                every_pair=every_pair,
                other_baselines=tuple(other for other in baselines if other != name),
            )
        )
        for name in baselines
    }


def _outcomes(tables: Sequence[Floats], choices: TestChoices, runs: Sequence[str]) -> list[list[Significance]]:
    """The outcomes of the test for every two runs, under each measure."""
    pairs = all_pairs(len(tables[0]))
    if choices.test != "randomization":
        return [significances(scores, pairs, choices, runs) for scores in tables]
    # Random signs are the same for all pairs with the same queries, whatever their scores are: once is enough.
    offsets = [at * len(scores) for at, scores in enumerate(tables)]
    every = SystemPairs(
        *(np.concatenate([side + offset for offset in offsets]) for side in (pairs.first, pairs.second))
    )
    outcomes = significances(np.concatenate(tables), every, choices)
    return [outcomes[at : at + len(pairs)] for at in range(0, len(outcomes), len(pairs))]


def _under(
    results: Scores,
    measure: Measure,
    scores: Floats,
    outcomes: list[Significance],
    baselines: Sequence[str],
    choices: TestChoices,
    *,
    every_pair: bool,
) -> dict[str, tuple[list[Difference], Standing]]:
    pairs = all_pairs(len(results.runs))
    place = {pair: row for row, pair in enumerate(pairs)}
    adjusted = corrected_p([outcome.p for outcome in outcomes], choices).tolist() if every_pair else []

    def compared(chosen: Sequence[tuple[int, int]]) -> list[Difference]:
        rows = [place[min(pair), max(pair)] for pair in chosen]
        alone = differences(measure, results.runs, scores, chosen, choices, [outcomes[row] for row in rows])
        if not every_pair:
            return alone
        return [replace(one, adjusted=adjusted[row]) for one, row in zip(alone, rows, strict=True)]

    by_baseline = {name: compared(chosen_pairs(results, (name,))) for name in baselines}
    if every_pair:
        of_all = standing(results, measure, scores, compared(list(pairs)), choices, every_pair=True)
        return {name: (of_baseline, of_all) for name, of_baseline in by_baseline.items()}
    return {
        name: (of_baseline, standing(results, measure, scores, of_baseline, choices, every_pair=False))
        for name, of_baseline in by_baseline.items()
    }
