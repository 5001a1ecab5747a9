"""Each normalisation against its formula, written once more."""

import numpy as np
import pytest

from cranfield.fusing.definition import NORMALISATIONS

FORMULAS = {
    "none": lambda s: s,
    "minmax": lambda s: [(x - min(s)) / (max(s) - min(s)) for x in s],
    "minmax-inverted": lambda s: [(max(s) - x) / (max(s) - min(s)) for x in s],
    "max": lambda s: [x / max(s) for x in s],
    "sum": lambda s: [(x - min(s)) / (sum(s) - len(s) * min(s)) for x in s],
    "zscore": lambda s: [(x - np.mean(s)) / np.std(s) for x in s],
    "zscore(deviation=sample)": lambda s: [(x - np.mean(s)) / np.std(s, ddof=1) for x in s],
    "2sigma": lambda s: [(x - np.mean(s)) / np.std(s) + 2 for x in s],
    "dbsf": lambda s: [(x - np.mean(s) + 3 * np.std(s)) / (6 * np.std(s)) for x in s],
    "rank": lambda s: [1 - at / len(s) for at in range(len(s))],
}


@pytest.mark.parametrize("name", FORMULAS)
def test_a_list_is_normalised_as_the_formula_says(name):
    for seed in range(5):
        scores = np.sort(np.random.default_rng(seed).uniform(0.5, 20, 7))[::-1].copy()
        chosen = NORMALISATIONS.parse(name)
        values = chosen.rule.function(scores, np.arange(1.0, 8), **chosen.params)
        assert values.tolist() == pytest.approx(FORMULAS[name](scores.tolist()))


def test_every_normalisation_has_its_formula_here_or_an_example_of_its_own():
    assert set(NORMALISATIONS.rules) - set(FORMULAS) == {"theoretical", "borda"}


def test_the_lowest_possible_score_keeps_what_a_lone_document_means():
    rule = NORMALISATIONS.find("tm2c2")
    one = np.array([1.0])
    assert rule.function(np.array([3.0]), one, lowest=0.0).tolist() == [1.0]
    assert rule.function(np.array([3.0, -1.0]), np.array([1.0, 2.0]), lowest=-1.0).tolist() == [1.0, 0.0]


def test_names_are_found_in_anyones_spelling():
    for name in ("min-max", "MinMax", "min_max", "Min Max"):
        assert NORMALISATIONS.find(name).name == "minmax"
    assert NORMALISATIONS.find("zmuv").name == "zscore"
