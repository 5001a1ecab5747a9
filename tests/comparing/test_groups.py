from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cranfield.comparing import better, indistinguishable_groups, letters, tied_for_first
from cranfield.errors import UsageError


def verdicts(systems: int, *pairs: tuple[int, int]):
    """Which is better than which, given the pairs that differ significantly."""
    table = np.zeros((systems, systems), dtype=bool)
    for one, two in pairs:
        table[one, two] = True
    return table


def graphs():
    return st.integers(1, 7).flatmap(
        lambda systems: st.sets(st.sampled_from([*combinations(range(systems), 2)] or [(0, 0)])).map(
            lambda pairs: verdicts(systems, *(pair for pair in pairs if pair != (0, 0)))
        )
    )


def test_better_is_higher_and_significant():
    differences = [[0, 0.2, 0.1], [-0.2, 0, -0.1], [-0.1, 0.1, 0]]
    p = [[np.nan, 0.01, 0.2], [0.01, np.nan, 0.05], [0.2, 0.05, np.nan]]
    assert better(differences, p).tolist() == [[False, True, False], [False, False, False], [False, True, False]]
    assert not better(differences, p, alpha=0.001).any()


def test_a_pair_without_p_cannot_be_told_apart():
    assert not better([[0, 1], [-1, 0]], [[np.nan, np.nan], [np.nan, np.nan]]).any()


def test_tables_have_a_row_and_a_column_per_system():
    with pytest.raises(UsageError, match="a row and a column per system"):
        better([[0, 1]], [[0.5, 0.5]])


def test_tied_for_first_are_those_that_none_beats():
    assert tied_for_first(verdicts(4, (0, 2), (0, 3), (1, 3))) == (0, 1)


def test_one_that_only_the_second_beats_is_not_first():
    # Not significantly different from the best, but worse than the second: it may not be the best all the same.
    assert tied_for_first(verdicts(3, (1, 2))) == (0, 1)


def test_all_are_tied_if_nothing_is_told_apart():
    assert tied_for_first(verdicts(3)) == (0, 1, 2)
    assert indistinguishable_groups(verdicts(3)) == [(0, 1, 2)]


def test_each_is_alone_if_everything_is_told_apart():
    assert indistinguishable_groups(verdicts(3, (0, 1), (0, 2), (1, 2))) == [(0,), (1,), (2,)]


def test_groups_overlap_where_likeness_is_not_transitive():
    groups = indistinguishable_groups(verdicts(4, (0, 2), (0, 3), (1, 3)))
    assert groups == [(0, 1), (1, 2), (2, 3)]
    assert letters(groups, 4) == [("a",), ("a", "b"), ("b", "c"), ("c",)]


@given(graphs())
def test_systems_share_a_group_exactly_if_they_cannot_be_told_apart(table):
    groups = indistinguishable_groups(table)
    for one, two in combinations(range(len(table)), 2):
        assert any(one in group and two in group for group in groups) == (not table[one, two])
    assert {system for group in groups for system in group} == set(range(len(table)))


@given(graphs())
def test_no_group_could_be_larger_and_none_is_needless(table):
    groups = indistinguishable_groups(table)
    different = table | table.T
    for group in groups:
        for other in set(range(len(table))) - set(group):
            assert different[other, list(group)].any()
    for left_out in range(len(groups)):
        rest = [group for at, group in enumerate(groups) if at != left_out]
        held = {pair for group in rest for pair in [*combinations(group, 2), *((one,) for one in group)]}
        of_group = groups[left_out]
        assert not held >= {*combinations(of_group, 2), *((one,) for one in of_group)}


def test_a_group_whose_pairs_are_all_in_others_is_left_out():
    # Three systems in a ring around a triangle: 0 1 2 all alike, each two with one more of their own.
    alike = {(0, 1), (0, 2), (1, 2), (0, 3), (1, 3), (1, 4), (2, 4), (0, 5), (2, 5)}
    different = [pair for pair in combinations(range(6), 2) if pair not in alike]
    assert indistinguishable_groups(verdicts(6, *different)) == [(0, 1, 3), (0, 2, 5), (1, 2, 4)]


def test_there_are_letters_for_any_number_of_groups():
    named = letters([(at,) for at in range(60)], 60)
    assert (named[0], named[25], named[26], named[27], named[52]) == (("a",), ("z",), ("aa",), ("ab",), ("ba",))
    assert len(set(named)) == 60


def test_fifty_systems_are_grouped_at_once():
    means = np.sort(np.random.default_rng(0).random(50))[::-1]
    apart = means[:, None] - means[None]
    groups = indistinguishable_groups(apart > 0.2)
    assert 3 < len(groups) < 50
    assert all(means[group[0]] - means[group[-1]] <= 0.2 for group in groups)


def test_no_systems_make_no_groups():
    assert indistinguishable_groups(verdicts(0)) == []
