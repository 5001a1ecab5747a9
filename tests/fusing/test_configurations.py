"""What a search tries, and in which order."""

import pytest

from cranfield.errors import UsageError
from cranfield.fusing.configurations import FusionGrid, compositions, default_steps


def _fusions(*runs, **grid):
    return [fusion for family in FusionGrid(**grid).families(runs) for fusion in family.fusions]


def test_weights_are_shares_of_whole_numbers_and_add_up_to_one():
    weights = [fusion.weights for fusion in _fusions("a", "b", "c", methods=["combsum"], norms=["minmax"], steps=10)]
    assert weights[0] is None
    assert all(weight == round(weight * 10) / 10 for own in weights[1:] for weight in own)
    assert all(sum(weight > 0 for weight in own) > 1 for own in weights[1:])
    assert len({*weights}) == len(weights) == 1 + 66 - 3


def test_the_simplest_comes_first_and_the_smallest_change_next():
    fusions = _fusions("a", "b", methods=["rrf"])
    assert str(fusions[0]) == "rrf"
    assert [fusion.weights for fusion in fusions[:7]] == [None] * 7
    assert {*fusions[7].weights} == {0.4, 0.6}
    assert fusions[7].method.params["k"] == 60


def test_the_order_of_runs_changes_weights_and_nothing_else():
    one = _fusions("a", "b", "c", methods=["combsum"])
    other = _fusions("c", "a", "b", methods=["combsum"])
    assert [fusion.weights for fusion in one] == [
        fusion.weights and (*fusion.weights[1:], fusion.weights[0]) for fusion in other
    ]


def test_a_parameter_in_parentheses_is_fixed():
    assert {fusion.method.params["k"] for fusion in _fusions("a", "b", methods=["rrf(k=7)"])} == {7}
    assert {fusion.method.params["k"] for fusion in _fusions("a", "b", k=[3, 4], methods=["rrf"])} == {3, 4}


def test_a_configuration_named_twice_is_tried_once():
    assert len(_fusions("a", "b", methods=["rrf", "rrf(k=60)"])) == len(_fusions("a", "b", methods=["rrf"]))


def test_many_runs_are_tried_without_weights():
    assert default_steps(30) == 1
    assert len(_fusions(*map(str, range(30)), methods=["combsum"], norms=["minmax"])) == 1


def test_compositions_are_all_different():
    assert len({*compositions(7, 4)}) == len([*compositions(7, 4)]) == 120


@pytest.mark.parametrize(
    ("grid", "message"),
    [
        ({"methods": []}, "nothing to tune"),
        ({"norms": [], "methods": ["combsum"]}, "nothing to tune"),
        ({"k": []}, "nothing to tune"),
        ({"methods": ["rrff"]}, "Did you mean"),
        ({"norms": ["minimax"]}, "no normalisation"),
        ({"methods": ["rrf"], "norms": ["minmax"]}, "reads ranks"),
        ({"methods": ["combsum"], "k": [1]}, "constant of rrf"),
        ({"k": [-1]}, "k must be"),
        ({"k": ["x"]}, "k must be a number"),
        ({"steps": 0}, "steps must be"),
        ({"steps": 10**9}, "are the most"),
        ({"norms": ["theoretical"]}, "lowest"),
    ],
)
def test_what_cannot_be_tried_is_refused(grid, message):
    with pytest.raises(UsageError, match=message):
        _fusions("a", "b", "c", **grid)
