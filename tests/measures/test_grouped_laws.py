"""What holds for every measure of several grades, whatever its parameters and whatever the ranking."""

from __future__ import annotations

import math
from dataclasses import fields

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import cranfield as cf
from cranfield.data.judgments import GROUPED_BY
from cranfield.grouped_ranking import GroupedRanking
from cranfield.measures import Measure, catalogue
from cranfield.measures.scoring import View
from cranfield.notation import grouped
from tests.effort import examples
from tests.measures.grouped_reference import REFERENCES, GroupedCase, ideal, novelty, score
from tests.measures.strategies import CHOICES, grouped_cases, measures

KINDS = {name: definition.groups for name, definition in catalogue().items() if definition.groups is not None}
every_measure = pytest.mark.parametrize("name", sorted(KINDS))


def test_every_measure_has_a_plain_loop_and_every_plain_loop_a_measure():
    assert sorted(REFERENCES) == sorted(KINDS)


def test_every_parameter_and_every_default_is_varied():
    for name in KINDS:
        for parameter, default in catalogue()[name].defaults.items():
            assert default in CHOICES.get(f"{name}.{parameter}", CHOICES[parameter]) or default is None


@every_measure
@examples(60)
@given(data=st.data(), depth=st.sampled_from([None, None, 1, 3, 5]), judged_only=st.booleans())
def test_it_equals_a_plain_loop_over_its_formula(name, data, depth, judged_only):
    measure, case = drawn(data, name)
    params = measure.params | {"judged_only": judged_only or measure.params["judged_only"]}
    expected = score(name, case.top(depth), params)
    seen = View(depth, judged_only)(case.grouped_ranking())
    assert measure(seen) == pytest.approx(expected, rel=1e-12, abs=1e-14, nan_ok=True)


@every_measure
@examples(20)
@given(data=st.data())
def test_it_stays_within_its_bounds(name, data):
    measure, case = drawn(data, name)
    low, high = measure.definition.bounds
    value = float(measure(case.grouped_ranking()))
    assert math.isnan(value) or low - 1e-12 <= value <= high + 1e-12


@every_measure
@examples(20)
@given(data=st.data(), documents=st.integers(0, 20), groups=st.integers(0, 10))
def test_more_documents_and_more_groups_that_say_nothing_do_not_matter(name, data, documents, groups):
    measure, case = drawn(data, name)
    padded = case.grouped_ranking(documents, groups)
    assert measure(padded) == pytest.approx(measure(case.grouped_ranking()), rel=1e-12, abs=1e-14, nan_ok=True)


@every_measure
@examples(15)
@given(data=st.data())
def test_a_query_scores_the_same_alone_and_in_company_to_the_last_bit(name, data):
    measure, own = drawn(data, name)
    others = data.draw(st.lists(grouped_cases(KINDS[name], max_size=20), max_size=3))
    company = [case for case in others if case.judged]
    if own.judged:
        alone = evaluated([own], measure)
        together = evaluated([*company, own], measure)
        assert np.array_equal(alone[-1], together[-1], equal_nan=True)
        # A judge who says nothing of a query is in no row, and so no judge of it.
        if all(any(d.grades[group] is not None for d in own.judged) for group in range(len(own.owners))):
            assert alone[-1] == pytest.approx(score(name, own, measure.params), rel=1e-12, abs=1e-14, nan_ok=True)


@every_measure
@examples(20)
@given(data=st.data())
def test_queries_stacked_along_any_axes_score_as_one_by_one(name, data):
    measure = data.draw(measures(name))
    alike = [data.draw(grouped_cases(KINDS[name])).grouped_ranking(16, 16) for _ in range(4)]
    arrays = {
        field.name: np.stack([getattr(one, field.name) for one in alike])
        for field in fields(GroupedRanking)
        if field.name not in ("max_grade", "judged_only")
    }
    in_a_row = GroupedRanking(**arrays, max_grade=3.0)
    square = {name: array.reshape(2, 2, *array.shape[1:]) for name, array in arrays.items()}
    in_a_square = GroupedRanking(**square, max_grade=3.0)
    one_by_one = np.array([measure(one) for one in alike])
    assert np.array_equal(measure(in_a_row), one_by_one, equal_nan=True)
    assert np.array_equal(measure(in_a_square), one_by_one.reshape(2, 2), equal_nan=True)


@every_measure
@examples(10)
@given(data=st.data())
def test_the_score_of_one_query_is_one_number(name, data):
    measure, case = drawn(data, name)
    value = measure(case.grouped_ranking())
    assert np.ndim(value) == 0
    assert np.asarray(value).dtype == np.float64


@every_measure
@examples(10)
@given(data=st.data())
def test_it_gives_the_same_twice_and_leaves_the_ranking_as_it_was(name, data):
    measure, case = drawn(data, name)
    judged, same = case.grouped_ranking(), case.grouped_ranking()
    assert np.array_equal(measure(judged), measure(judged), equal_nan=True)
    for field in fields(GroupedRanking):
        assert np.array_equal(getattr(judged, field.name), getattr(same, field.name))


@every_measure
@examples(20)
@given(data=st.data())
def test_its_name_reads_back_as_itself(name, data):
    measure = data.draw(measures(name))
    assert cf.parse(str(measure)) == measure


@pytest.mark.parametrize(("name", "of_one"), [("AP_IA", "AP"), ("P_IA", "P"), ("AP_avgjg", "AP"), ("P_avgjg", "P")])
@given(data=st.data())
def test_for_one_subtopic_or_one_judge_it_is_the_ordinary_measure(name, of_one, data):
    measure, case = drawn(data, name)
    first = case._replace(
        ranked=tuple(d._replace(grades=d.grades[:1]) for d in case.ranked),
        missed=tuple(d._replace(grades=d.grades[:1]) for d in case.missed if d.grades[0] is not None),
        owners=(0,),
    )
    params = {name: value for name, value in measure.params.items() if name != "judged_only"}
    value = measure(judged_only=False)(first.grouped_ranking())
    ordinary = getattr(cf, of_one)(**params)(first.by_group(0).judged_ranking())
    if name != "P_IA" or not np.isnan(value):  # nothing relevant, no subtopic
        assert value == pytest.approx(ordinary, rel=1e-12, nan_ok=True)


@given(case=grouped_cases("preference"))
def test_for_one_judge_the_mean_over_judges_is_the_share_of_preferences(case):
    one = case._replace(owners=(0,) * len(case.owners))
    if max(case.owners) == 0:
        assert np.array_equal(
            cf.measures.PrefAvg(one.grouped_ranking()), cf.measures.PrefSimp(one.grouped_ranking()), equal_nan=True
        )


@pytest.mark.parametrize("name", ["alpha_nDCG", "nERR_IA", "nNRBP"])
@given(data=st.data())
def test_a_ranking_that_always_takes_what_gains_most_scores_one(name, data):
    measure, case = drawn(data, name)
    alpha, rel = measure.params["alpha"], measure.params["rel"]
    best = case._replace(ranked=tuple(ideal(case, alpha, rel)), missed=())
    if any(novelty(best.ranked, alpha, rel)):
        assert measure(judged_only=False)(best.grouped_ranking()) == pytest.approx(1)


def test_the_ideal_is_greedy_so_another_ranking_may_score_above_one():
    # The document never retrieved gains most at once, 4 of 6; but the other two together leave no subtopic out.
    found = (cf.measures.alpha_nDCG(alpha=1) @ 2)(grouped("101010 010101|111100"))
    weight = 1 / math.log2(3)
    assert found == pytest.approx((3 + 3 * weight) / (4 + weight))
    assert found > 1


@every_measure
def test_no_bound_is_concluded_from_the_order_of_grades(name):
    """Of two documents with several grades each, neither need be better, so neither order is the best."""
    measure = Measure(catalogue()[name])
    assert not measure.monotone
    assert not measure.definition.of_retrieved


def drawn(data: st.DataObject, name: str) -> tuple[Measure, GroupedCase]:
    return data.draw(measures(name)), data.draw(grouped_cases(KINDS[name]))


def evaluated(queries: list[GroupedCase], measure: Measure) -> np.ndarray:
    """Scores as `evaluate` gives them, from rows and a run."""
    columns = GROUPED_BY[KINDS[measure.name]]
    rows = [
        {"query": f"q{at}", "document": document.name, "grade": grade}
        | dict(zip(columns, (str(case.owners[group]), str(group)), strict=False))
        for at, case in enumerate(queries)
        for document in case.judged
        for group, grade in enumerate(document.grades)
        if grade is not None
    ]
    run = {f"q{at}": [document.name for document in case.ranked] for at, case in enumerate(queries)}
    # A run that finds no judged document at all is refused, so one more query finds one.
    anchor = {"query": "anchor", "document": "d", "grade": -9, **dict.fromkeys(columns, "0")}
    return cf.evaluate([anchor, *rows], cf.read_run({"anchor": ["d"], **run}), measure)[measure][0]
