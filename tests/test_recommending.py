from __future__ import annotations

import json
import math
from dataclasses import replace
from itertools import combinations

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

import cranfield as cf
from cranfield.errors import DataError, UsageError
from cranfield.recommending import (
    Popularity,
    cosine,
    debiased_recall,
    diversity,
    entropy,
    gini,
    intersection,
    jaccard,
    mean_popularity,
    novelty,
    personalisation,
    serendipity,
)

LISTS = {"u1": ["a", "b"], "u2": ["a", "c"], "u3": ["a", "b"]}
ITEMS = ["a", "b", "c", "d"]
INTERACTIONS = {"u1": ["c"], "u2": ["b", "c"], "u3": ["c"], "u4": ["a", "c"]}
ATTRIBUTES = {"a": ["jazz", "live"], "b": ["jazz"], "c": ["pop"], "d": ["pop", "live"]}


def offered(lists=LISTS, **known):
    return cf.recommendation(lists, **known).runs["run"]


# Coverage, Gini, entropy


def test_coverage_is_the_share_of_all_items_that_someone_gets():
    assert offered(items=ITEMS).coverage == 3 / 4


def test_only_the_first_k_items_count():
    assert offered(items=ITEMS, k=1).coverage == 1 / 4


def test_without_a_list_of_items_all_count_that_anything_is_known_of():
    assert offered(interactions={"u1": ["z"], "u2": ["a"]}).coverage == 3 / 4  # z was never recommended
    assert offered(attributes={"z": ["jazz"]}).coverage == 3 / 4


def test_without_anything_coverage_is_not_known():
    assert math.isnan(offered().coverage)
    assert math.isnan(offered().gini)
    assert "coverage" not in cf.recommendation(LISTS).table().columns


def test_gini_of_equal_and_of_wholly_unequal_exposure():
    assert offered({"u1": ["a", "b"], "u2": ["c", "d"]}, items=ITEMS).gini == 0
    assert offered({"u1": ["a"], "u2": ["a"]}, items=ITEMS).gini == 3 / 4


def test_gini_on_counts_small_enough_to_check():
    # a 3, b 2, c 1, d 0: (1·0·-3 + 1·-1 + 2·1 + 3·3) / (4 · 6)
    assert offered(items=ITEMS).gini == pytest.approx((0 * -3 + 1 * -1 + 2 * 1 + 3 * 3) / 24)


@given(counts=st.lists(st.integers(0, 50), min_size=1, max_size=30).filter(any))
def test_gini_is_half_the_mean_difference_over_the_mean(counts):
    n = len(counts)
    differences = sum(abs(x - y) for x in counts for y in counts)
    assert gini(counts) == pytest.approx(differences / (2 * n * sum(counts)))


def test_entropy_counts_bits():
    assert offered({"u1": ["a", "b"], "u2": ["c", "d"]}).entropy == 2
    assert offered({"u1": ["a"], "u2": ["a"]}).entropy == 0
    assert entropy([3, 2, 1]) == pytest.approx(
        -(1 / 2 * math.log2(1 / 2) + 1 / 3 * math.log2(1 / 3) + 1 / 6 * math.log2(1 / 6))
    )


# Novelty and popularity


def test_novelty_is_the_mean_self_information_of_a_list():
    # Of four users one had a, one had b, and all had c.
    run = offered(interactions=INTERACTIONS)
    assert run.per_user["novelty"].tolist() == [2.0, 1.0, 2.0]
    assert run.estimate("novelty").value == pytest.approx(5 / 3)


def test_popularity_is_the_mean_share_of_users_who_had_an_item():
    assert offered(interactions=INTERACTIONS).per_user["popularity"].tolist() == [0.25, 0.625, 0.25]


def test_an_item_without_interactions_counts_as_if_one_user_had_it():
    found = cf.recommendation({"u1": ["new"]}, interactions=INTERACTIONS)
    assert found.runs["run"].per_user["novelty"].tolist() == [2.0]
    assert found.runs["run"].per_user["popularity"].tolist() == [0.0]
    assert "items-unseen" in [warning.kind for warning in found.warnings]


def test_a_pair_that_comes_twice_counts_once():
    rows = [("u1", "a"), ("u1", "a"), ("u2", "b")]
    assert offered({"u1": ["a"]}, interactions=rows).per_user["novelty"].tolist() == [1.0]


def test_a_pair_with_a_number_of_zero_is_no_interaction():
    rows = [("u1", "a", 0), ("u2", "b", 3), ("u3", "a", 1)]
    assert offered({"u1": ["a"]}, interactions=rows).per_user["novelty"].tolist() == [1.0]


def test_judgments_may_serve_as_interactions():
    judged = cf.read_judgments({"u1": {"a": 1, "b": 0}, "u2": {"b": 2}})
    assert offered({"u1": ["a"]}, interactions=judged).per_user["popularity"].tolist() == [0.5]


# Diversity


def test_diversity_is_one_less_the_mean_similarity_of_two_items():
    # a and b share jazz of {jazz, live}; a and c share nothing.
    run = offered(attributes=ATTRIBUTES)
    assert run.per_user["diversity"].tolist() == [0.5, 1.0, 0.5]


def test_cosine_takes_weights():
    weights = {"a": {"jazz": 3, "live": 4}, "b": {"jazz": 1}, "c": {"pop": 1}}
    run = cf.recommendation(LISTS, attributes=weights, similarity="cosine").runs["run"]
    assert run.per_user["diversity"].tolist() == pytest.approx([1 - 3 / 5, 1.0, 1 - 3 / 5])


def test_a_list_of_one_item_has_no_diversity():
    run = offered({"u1": ["a"], "u2": ["a", "c"]}, attributes=ATTRIBUTES)
    assert np.isnan(run.per_user["diversity"][0])
    assert run.estimate("diversity").value == 1.0


def test_items_of_which_nothing_is_known_are_left_out_and_told():
    found = cf.recommendation({"u1": ["a", "b", "x"]}, attributes=ATTRIBUTES)
    assert found.runs["run"].per_user["diversity"].tolist() == [0.5]
    assert str(found.warnings[0]) == ("run: 1 of 3 recommended items has no attributes (x); diversity leaves them out")


def test_several_attributes_in_one_field_stand_apart():
    rows = [("a", "jazz|live"), ("b", "jazz")]
    assert offered({"u1": ["a", "b"]}, attributes=rows).per_user["diversity"].tolist() == [0.5]


# Personalisation


def test_the_same_list_for_all_is_not_personal():
    assert offered({"u1": ["a", "b"], "u2": ["b", "a"]}).personalisation == 0


def test_lists_without_anything_in_common_are_wholly_personal():
    assert offered({"u1": ["a", "b"], "u2": ["c", "d"]}).personalisation == 1


def test_personalisation_on_lists_small_enough_to_check():
    # Pairs share 1/2, 2/2 and 1/2.
    assert offered().personalisation == pytest.approx(1 - (1 / 2 + 1 + 1 / 2) / 3)


def test_one_user_alone_cannot_be_told_apart():
    assert math.isnan(offered({"u1": ["a"]}).personalisation)


lists = st.lists(st.sets(st.sampled_from("abcdef"), max_size=5).map(sorted), min_size=2, max_size=7)


@given(lists=lists)
def test_personalisation_equals_a_plain_loop_over_pairs_of_users(lists):
    filled = [set(items) for items in lists if items]
    if len(filled) < 2:
        assert math.isnan(personalisation(lists))
        return
    shared = [len(a & b) / math.sqrt(len(a) * len(b)) for a, b in combinations(filled, 2)]
    assert personalisation(lists) == pytest.approx(1 - sum(shared) / len(shared), abs=1e-12)


@given(
    lists=st.lists(st.permutations("abcdef"), min_size=1, max_size=6),
    taken=st.lists(st.tuples(st.sampled_from("123456"), st.sampled_from("abcdefgh")), min_size=1, max_size=30),
    k=st.integers(1, 6),
)
def test_novelty_popularity_and_coverage_equal_plain_loops(lists, taken, k):
    users = {user for user, _ in taken}
    holders = {item: {user for user, other in taken if other == item} for item in "abcdefgh"}
    run = offered({f"u{at}": list(items) for at, items in enumerate(lists)}, interactions=taken, k=k)
    for at, items in enumerate(lists):
        information = [-math.log2(max(len(holders[item]), 1) / len(users)) for item in items[:k]]
        assert run.per_user["novelty"][at] == pytest.approx(sum(information) / k)
        assert run.per_user["popularity"][at] == pytest.approx(
            sum(len(holders[item]) for item in items[:k]) / k / len(users)
        )
    recommended = {item for items in lists for item in items[:k]}
    assert run.coverage == len(recommended) / len(recommended | {item for _, item in taken})


# Which items are first


def test_scores_decide_and_equal_ones_come_by_id_last_first():
    lists = {"u1": {"a": 1.0, "b": 1.0, "c": 0.5}}
    assert offered(lists, k=1, interactions={"u": ["a"], "v": ["a", "b"]}).per_user["popularity"].tolist() == [0.5]
    given = cf.recommendation(lists, k=1, interactions={"u": ["a"], "v": ["a", "b"]}, ties="given")
    assert given.runs["run"].per_user["popularity"].tolist() == [1.0]


def test_equal_scores_that_reach_across_the_cutoff_are_told():
    found = cf.recommendation({"u1": {"a": 1.0, "b": 1.0, "c": 0.5}, "u2": {"a": 2.0, "b": 1.0}}, k=1)
    assert [str(warning) for warning in found.warnings] == [
        "run: for 1 of 2 users (u1) tied scores cross rank 1: which items are above it is chance; "
        "ties are broken by document id, descending"
    ]
    assert not cf.recommendation({"u1": {"a": 1.0, "b": 1.0, "c": 0.5}}, k=2).warnings


def test_lists_shorter_than_k_are_told():
    assert [warning.kind for warning in cf.recommendation(LISTS, k=3).warnings] == ["short-lists"]


def test_a_user_whose_rows_are_scattered_counts_once_and_complete():
    rows = [("u1", "a", 3.0), ("u2", "b", 2.0), ("u1", "c", 2.0)]
    run = cf.recommendation(rows, k=2).runs["run"]
    assert run.users == ("u1", "u2")
    assert run.items == 3


def test_an_item_listed_twice_stops_the_work():
    with pytest.raises(DataError, match="lists document 'a' again"):
        cf.recommendation([("u1", "a", 3.0), ("u1", "a", 2.0)])


# Inputs


def test_items_outside_the_list_of_all_items_are_told_and_do_not_count():
    found = cf.recommendation(LISTS, items=["a", "z"])
    assert found.runs["run"].coverage == 1 / 2
    assert "items-outside" in [warning.kind for warning in found.warnings]


def test_everything_may_come_as_tables(tmp_path):
    interactions = pd.DataFrame({"user_id": [1, 2], "item_id": ["a", "b"]})
    attributes = pd.DataFrame({"item": ["a", "b"], "genre": ["jazz", "pop"]})
    (tmp_path / "items.txt").write_text("a\nb\nc\n")
    lists = pd.DataFrame({"user_id": [1, 1], "item_id": ["a", "b"], "score": [2.0, 1.0]})
    run = offered(lists, items=tmp_path / "items.txt", interactions=interactions, attributes=attributes)
    assert (run.coverage, run.estimate("diversity").value) == (pytest.approx(2 / 3), 1.0)


def test_several_runs_share_one_catalogue():
    found = cf.recommendation({"one": {"u1": ["a"]}, "two": {"u1": ["b"]}}, interactions={"u1": ["c"]})
    assert found.catalogue == 3
    assert [run.coverage for run in found.runs.values()] == [1 / 3, 1 / 3]


def test_interactions_without_any_pair_stop_the_work():
    with pytest.raises(DataError, match="no interactions found"):
        cf.recommendation(LISTS, interactions={"u1": []})


@pytest.mark.parametrize("k", [0, -1, 2.5, True, "10"])
def test_k_is_a_whole_number_from_1_on(k):
    with pytest.raises(UsageError, match="k must be a whole number of at least 1, the items of each list that count"):
        cf.recommendation(LISTS, k=k)


def test_an_unknown_choice_is_told_the_known_ones():
    with pytest.raises(UsageError, match="similarity is jaccard or cosine, not 'dice'"):
        cf.recommendation(LISTS, similarity="dice")
    with pytest.raises(UsageError, match="ties is document or document-ascending or given, not 'average'"):
        cf.recommendation(LISTS, ties="average")


# How it shows


def test_the_table_has_a_row_for_each_run_and_leaves_out_what_is_not_known():
    table = cf.recommendation(LISTS, k=2, items=ITEMS).table()
    assert list(table.columns) == ["run", "users", "items", "coverage", "Gini", "entropy", "personalisation"]
    everything = cf.recommendation(LISTS, interactions=INTERACTIONS, attributes=ATTRIBUTES).table()
    assert [name for name in everything.columns if name not in table.columns] == ["novelty", "popularity", "diversity"]


def test_it_prints_as_its_table_and_says_what_the_numbers_mean():
    found = cf.recommendation(LISTS, interactions=INTERACTIONS, attributes=ATTRIBUTES, similarity="cosine")
    assert str(found.quiet()) == found.table().text()
    assert "Zhou et al., PNAS 107(10), 2010" in " ".join(str(found).split())
    assert "mean cosine similarity of the attributes" in " ".join(found.notes)
    assert "<table" in found._repr_html_()


def test_on_a_narrow_screen_runs_are_columns():
    table = cf.recommendation({"one": LISTS, "two": LISTS}, items=ITEMS).table().narrow
    assert list(table.columns) == ["", "one", "two"]
    assert next(iter(table.rows)) == ("users", 3, 3)


def test_an_interval_stays_where_values_can_be():
    low = {f"u{n}": ["a", "b"] for n in range(2)} | {"u9": ["c", "d"]}
    run = offered(low, attributes={"a": ["x"], "b": ["y"], "c": ["z"], "d": ["z"]})
    assert run.per_user["diversity"].tolist() == [1.0, 1.0, 0.0]
    assert run.estimate("diversity").high == 1.0
    assert run.estimate("diversity").low == 0.0


def test_every_list_has_its_row():
    table = cf.recommendation(LISTS, interactions=INTERACTIONS).per_user()
    assert list(table.columns) == ["run", "user", "novelty", "popularity"]
    assert next(iter(table.rows)) == ("run", "u1", 2.0, 0.25)


def test_everything_is_there_as_plain_values():
    found = replace(cf.recommendation(LISTS, interactions=INTERACTIONS), with_users=True).to_dict()
    assert json.loads(json.dumps(found, allow_nan=False)) == found
    run = found["runs"][0]
    assert run["novelty"]["per_user"] == {"u1": 2.0, "u2": 1.0, "u3": 2.0}
    assert run["diversity"] == {"mean": None, "interval": None, "per_user": {"u1": None, "u2": None, "u3": None}}


# The parts by themselves


def test_similarities():
    assert jaccard({"x": 1}, {"x": 1}) == cosine({"x": 2}, {"x": 5}) == 1
    assert jaccard({"x": 1}, {"y": 1}) == cosine({"x": 1}, {"y": 1}) == 0


def test_an_empty_list_has_no_value():
    seen = Popularity({"a": 1}, users=2)
    assert math.isnan(novelty([], seen))
    assert math.isnan(mean_popularity([], seen))
    assert math.isnan(diversity(["a"], lambda one, other: 1.0))


# What is given twice, or counts for nothing


def warned(**known):
    return [str(warning) for warning in cf.recommendation({"u1": ["a", "b"]}, k=2, **known).warnings]


def test_a_pair_that_comes_twice_is_told():
    pairs = [("u1", "a"), ("u1", "b"), ("u1", "a")]
    assert warned(interactions=pairs) == ["1 of 3 interactions repeats an earlier user and item; each pair counts once"]


def test_a_count_of_zero_or_less_is_told():
    pairs = [("u1", "a", 1), ("u2", "b", 0), ("u2", "b", -3), ("u1", "b", 1)]
    assert warned(interactions=pairs) == ["2 of 4 interactions have a count of 0 or less and are left out"]


def test_counts_of_which_none_is_above_zero_are_refused(tmp_path):
    (tmp_path / "train.tsv").write_text("u1\ta\t0\nu2\tb\t-1\n")
    with pytest.raises(DataError, match=r"train.tsv: 2 of 2 interactions have a count of 0 or less\n"):
        cf.recommendation({"u1": ["a"]}, interactions=tmp_path / "train.tsv")


def test_an_item_that_comes_twice_is_told():
    assert warned(items=["a", "b", "a"]) == ["1 of 3 items repeats an earlier one; each counts once"]


def test_one_attribute_with_two_weights_is_refused():
    rows = [("a", "jazz", 1), ("b", "jazz", 1), ("a", "jazz", 2)]
    with pytest.raises(DataError, match="row 3: item 'a' has attribute 'jazz' with a weight of 2, and with 1 before"):
        warned(attributes=rows)


def test_a_bar_at_the_end_is_no_attribute():
    lists = {"u1": ["a", "b"]}
    tidy, loose = (
        cf.recommendation(lists, attributes={"a": [f"jazz{end}"], "b": [f"pop{end}"]}).runs["run"].per_user["diversity"]
        for end in ("", "|")
    )
    assert tidy.tolist() == loose.tolist() == [1.0]


def test_tiny_weights_have_an_angle():
    assert cosine({"jazz": 1e-200}, {"jazz": 1e-300}) == 1
    assert cosine({"jazz": 1e-200, "live": 1e-200}, {"jazz": 2}) == pytest.approx(0.5**0.5)


@pytest.mark.parametrize(
    ("option", "text"), [("items", "item_id\n"), ("attributes", "item,genre\n"), ("interactions", "user,item\n")]
)
def test_a_file_of_nothing_but_a_header_is_refused(tmp_path, option, text):
    (tmp_path / "file.csv").write_text(text)
    with pytest.raises(DataError, match=rf"file.csv: no {option} found"):
        cf.recommendation({"u1": ["a"]}, **{option: tmp_path / "file.csv"})


# Serendipity, debiased recall, intersection

LATER = {"u1": {"a": 1, "d": 2}, "u2": {"c": 1, "b": 0}, "u4": {"a": 1}}


def judged(lists=LISTS, **known):
    return offered(lists, interactions=INTERACTIONS, items=ITEMS, judgments=LATER, **known)


def test_serendipity_is_that_of_the_example_of_rectools():
    """rectools.metrics.Serendipity 0.19, the example of its page."""
    lists = {"u1": ["i1", "i2"], "u2": ["i2", "i3"], "u3": ["i3"], "u4": ["i2", "i3"]}
    before = {"u1": ["i1", "i2"], "u2": ["i1", "i2"], "u3": ["i1"]}
    later = {"u1": ["i1", "i2"], "u2": ["i2", "i3"], "u3": ["i2"], "u4": ["i2"]}
    for k, values in ((1, [0, 0.25, 0, 0.25]), (2, [0, 0.5, 0, 0.125])):
        found = offered(lists, k=k, interactions=before, judgments=later, items=["i1", "i2", "i3", "i4"])
        assert found.per_user["serendipity"].tolist() == values


def test_what_everybody_has_is_no_serendipity():
    popular = Popularity({"a": 9, "b": 2, "c": 2}, users=9)
    assert serendipity(["a"], {"a"}, popular, 10) == 0
    assert serendipity(["b"], {"b"}, popular, 10) == serendipity(["c"], {"c"}, popular, 10) == pytest.approx(0.1)
    assert serendipity(["new"], {"new"}, popular, 10) == 1
    assert serendipity(["new"], {"a"}, popular, 10) == 0


def test_recall_without_a_power_is_recall():
    found = judged(popularity_power=0).per_user["debiased recall"]
    recall = cf.evaluate(LATER, LISTS, "R@10")["R@10"][0]
    assert found[:2] == pytest.approx(recall[:2])
    assert math.isnan(found[2])


@given(
    st.dictionaries(st.sampled_from("abcdef"), st.integers(1, 50), min_size=1),
    st.sets(st.sampled_from("abcdef"), min_size=1),
    st.lists(st.sampled_from("abcdef"), unique=True),
    st.floats(0, 2),
)
def test_debiased_recall_is_the_loop_over_its_formula(counts, relevant, items, power):
    """Steck, RecSys 2011: a weight of 1 / N^power for each relevant item, found ones over all."""
    hit = total = 0.0
    for item in relevant:
        weight = 1 / counts.get(item, 1) ** power
        total += weight
        hit += weight if item in items else 0
    assert debiased_recall(items, relevant, Popularity(counts, 50), power) == pytest.approx(hit / total)


def test_a_popular_item_counts_less():
    popular = Popularity({"a": 100, "b": 1}, users=100)
    assert debiased_recall(["a"], {"a", "b"}, popular, 0.5) == pytest.approx(1 / 11)
    assert debiased_recall(["b"], {"a", "b"}, popular, 0.5) == pytest.approx(10 / 11)


def test_of_users_without_judgments_or_anything_relevant_nothing_is_said():
    found = judged()
    assert np.isnan(found.per_user["serendipity"]).tolist() == [False, False, True]
    nobody = offered(LISTS, interactions=INTERACTIONS, judgments={"u1": {"a": 0}})
    assert nobody.per_user["serendipity"][0] == 0
    assert np.isnan(nobody.per_user["debiased recall"]).all()


def test_the_first_run_is_what_others_are_compared_with():
    """rectools.metrics.Intersection: the share of a list that is in the list of the reference."""
    runs = {"old": LISTS, "new": {"u1": ["b", "z"], "u2": ["z"], "u9": ["a"]}}
    found = cf.recommendation(runs)
    assert np.isnan(found.runs["old"].per_user["intersection"]).all()
    assert found.runs["new"].per_user["intersection"].tolist() == [0.5, 0, 0]
    assert "that old recommends to the same user" in found.notes[-1]
    assert "intersection" not in cf.recommendation(LISTS).table().columns
    assert intersection([], ["a"]) != intersection([], ["a"])


def test_judgments_need_interactions_and_users_that_meet():
    with pytest.raises(UsageError, match=r"(?s)judgments= gives serendipity and debiased recall.*interactions="):
        cf.recommendation(LISTS, judgments=LATER)
    with pytest.raises(DataError, match="no user with a list is judged; lists are of u1, u2, u3, judgments of 1"):
        cf.recommendation(LISTS, judgments={"1": {"a": 1}}, interactions=INTERACTIONS)


def test_judged_items_that_nobody_had_or_was_recommended_are_no_recall_of_0():
    later = {user: {f"item-{item}": grade for item, grade in grades.items()} for user, grades in LATER.items()}
    with pytest.raises(DataError, match=r"(?s)no judged item was recommended.*without the prefix 'item-'"):
        cf.recommendation(LISTS, judgments=later, interactions=INTERACTIONS)


def test_the_power_of_popularity_is_not_negative():
    with pytest.raises(UsageError, match="popularity_power"):
        cf.recommendation(LISTS, judgments=LATER, interactions=INTERACTIONS, popularity_power=-1)


def test_every_form_has_them():
    both = cf.recommendation({"a": LISTS, "b": LISTS}, judgments=LATER, interactions=INTERACTIONS)
    shown = replace(both, with_users=True)
    names = ("serendipity", "debiased recall", "intersection")
    for text in (str(shown), shown.markdown(), shown.latex(), shown.rows().tsv(), json.dumps(shown.to_dict())):
        for name in names:
            assert name in text
    assert shown.to_dict()["settings"]["popularity_power"] == 0.5
