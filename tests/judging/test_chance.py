"""What chance alone would give, by hand: two judges of four items, who differ about the second."""

from dataclasses import fields, replace

import numpy as np
import pytest

from cranfield import kernels
from cranfield.judging import chance
from cranfield.judging.coding import coded
from cranfield.judging.counting import Sums, patterns_of

SUMS = patterns_of(coded([[0, 0, 1, 1], [0, 1, 1, 1]])).sums
SAME = np.eye(2)


def test_agreement_is_the_share_of_items_with_equal_labels():
    assert chance.observed(SUMS, SAME) == pytest.approx(3 / 4)


def test_shares_are_of_all_labels_or_of_each_judge_s():
    assert chance.shares(SUMS) == pytest.approx([3 / 8, 5 / 8])
    assert SUMS.judges_shares.tolist() == [[1 / 2, 1 / 2], [1 / 4, 3 / 4]]


@pytest.mark.parametrize(
    ("author", "expected"),
    [
        ("fleiss", (3 / 8) ** 2 + (5 / 8) ** 2),
        ("gwet", 2 * (3 / 8) * (5 / 8)),
        ("brennan-prediger", 1 / 2),
        ("conger", 1 / 2 * 1 / 4 + 1 / 2 * 3 / 4),
    ],
)
def test_each_author_has_another_chance(author, expected):
    assert chance.expected(SUMS, SAME, author) == pytest.approx(expected)


def test_gwet_s_chance_needs_two_categories():
    one = patterns_of(coded([[1, 1], [1, 1]])).sums
    assert np.isnan(chance.expected(one, np.eye(1), "gwet"))


def test_alpha_is_one_less_the_ratio_of_disagreements():
    # Of 8 labels 3 are 0 and 5 are 1; two of them meet another one.
    value, met, would = chance.alpha(SUMS.coincidences, np.array([0.0, 1.0]), "nominal")
    assert (met, would) == (pytest.approx(2 / 8), pytest.approx(2 * 3 * 5 / (8 * 7)))
    assert value == pytest.approx(1 - (2 / 8) / (30 / 56))


def test_where_one_category_was_given_alpha_has_no_value():
    value, _, would = chance.alpha(np.array([[4.0]]), np.array([1.0]), "nominal")
    assert would == 0
    assert np.isnan(value)


@pytest.mark.parametrize(
    ("metric", "far"),
    [("nominal", 1), ("interval", 3**2), ("ratio", (3 / 5) ** 2), ("ordinal", (1 + 2 + 1) ** 2)],
)
def test_how_far_grades_are_apart_depends_on_the_metric(metric, far):
    # Grades 1, 2 and 4, of which there are 2 labels each: their middle ranks are 1, 3 and 5.
    distance = chance.distances(np.array([2.0, 2.0, 2.0]), np.array([1.0, 2.0, 4.0]), metric)
    assert distance[0, 2] == pytest.approx(far)
    assert (np.diag(distance) == 0).all()


def test_samples_stand_on_axes_in_front():
    two = Sums(*(np.stack([part, part]) for part in (getattr(SUMS, field.name) for field in fields(SUMS))))
    assert chance.expected(two, SAME, "fleiss").shape == (2,)
    assert chance.observed(two, SAME) == pytest.approx([3 / 4, 3 / 4])


def labelled_at_random(*lead, judges, size):
    """Sums of samples in which some judges have no label."""
    given = np.random.default_rng(judges).integers(0, 4, (*lead, judges, size)).astype(np.float64)
    given[..., ::7, :] = 0
    nothing = np.zeros(lead)
    return Sums(nothing, nothing, nothing, nothing, nothing, given)


@pytest.mark.parametrize("lead", [(), (1,), (11,)])
@pytest.mark.parametrize(("judges", "size"), [(8, 2), (9, 3), (600, 4), (700, 5)])
def test_conger_s_chance_is_the_same_number_from_compiled_and_plain_loops(monkeypatch, lead, judges, size):
    sums = labelled_at_random(*lead, judges=judges, size=size)
    apart = np.subtract.outer(np.arange(size), np.arange(size))
    tables = [np.eye(size), 1 - np.abs(apart) / (size - 1), 1 - (apart / (size - 1)) ** 2]
    together = [found.tolist() for found in chance.by_judges(sums, tables)]
    for at, weights in enumerate(tables):
        found = []
        for choice in ("plain", "compiled" if kernels.are_compiled() else "plain"):
            monkeypatch.setenv(kernels.CHOICE, choice)
            found.append(chance.expected(sums, weights, "conger").tolist())
        assert found[0] == found[1] == together[at]
        each = sums.judges_shares
        met = np.einsum("...gk,kl,...hl->...gh", each, weights, each)
        others = met.sum(axis=(-2, -1)) - np.trace(met, axis1=-2, axis2=-1)
        assert found[0] == pytest.approx(others / (sums.judges * (sums.judges - 1)), rel=1e-12)


def test_samples_may_lie_in_memory_in_any_order():
    sums = labelled_at_random(11, judges=9, size=3)
    other = replace(sums, by_judge=np.asfortranarray(sums.by_judge))
    weights = np.eye(3)
    assert chance.expected(other, weights, "conger").tolist() == chance.expected(sums, weights, "conger").tolist()


def test_sums_and_weights_that_do_not_fit_are_not_read():
    compiled = pytest.importorskip("cranfield.kernels.compiled", reason="the compiled loops are not built")
    given, at, one = np.ones((2, 3, 2)), np.array([0]), np.ones(1)
    end = np.array([1])
    for rows, columns, weights, ends, shares, block, said in (
        (np.array([2]), at, one, end, np.zeros((2, 2)), 1, "category"),
        (at, np.array([-1]), one, end, np.zeros((2, 2)), 1, "category"),
        (at, at, np.ones(2), end, np.zeros((2, 2)), 1, "weight"),
        (at, at, one, end, np.zeros((2, 2)), 0, "weight"),
        (at, at, one, end, np.zeros((1, 2)), 1, "sample"),
        (at[:0], at[:0], one[:0], end, np.zeros((2, 2)), 1, "nothing"),
        (at, at, one, np.array([2]), np.zeros((2, 2)), 1, "table"),
        (at, at, one, np.array([1, 0]), np.zeros((2, 2)), 1, "table"),
        (at, at, one, np.zeros(0, dtype=np.int64), np.zeros((2, 2)), 1, "table"),
    ):
        with pytest.raises(ValueError, match=said):
            compiled.count_same_judge(
                given, rows, columns, weights, ends, block, shares, np.zeros((len(ends), 2)), np.zeros(2)
            )
