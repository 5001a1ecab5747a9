"""How many queries people have to judge, with a model's help and without."""

import json

import pytest

import cranfield as cf
from cranfield.errors import UsageError
from cranfield.show.answer import FORMS
from tests.correcting.test_correction import BY_PEOPLE, OVERRATED, RUNS


@pytest.fixture(scope="module")
def scores():
    return cf.evaluate(BY_PEOPLE, RUNS, "P@5"), cf.evaluate(OVERRATED, RUNS, "P@5")


def test_a_narrower_interval_needs_more_queries(scores):
    wide, narrow = (cf.plan_correction(*scores, width=width).needs[0].needed for width in (0.4, 0.2))
    assert 3 <= wide < narrow


def test_the_model_saves_labels_where_it_agrees_with_people(scores):
    for need in cf.plan_correction(*scores, width=0.3).needs:
        assert need.needed <= need.needed_alone


def test_the_width_now_is_that_of_the_correction(scores):
    corrected, plan = cf.correct(*scores), cf.plan_correction(*scores, width=0.3)
    for score, need in zip(corrected.scores, plan.needs, strict=True):
        assert (score.run, score.baseline) == (need.run, need.baseline)
        assert need.width_now == score.corrected.high - score.corrected.low


def test_of_exactly_these_queries_no_more_than_all_are_needed(scores):
    plan = cf.plan_correction(*scores, width=1e-9, only_these_queries=True)
    assert {need.needed for need in plan.needs} == {plan.queries}


def test_more_queries_than_there_are_is_said(scores):
    plan = cf.plan_correction(*scores, width=0.01)
    assert plan.needs[0].needed > plan.queries
    assert f"There are only {plan.queries} queries so far: collect more." in plan.verdict()


def test_labels_are_counted_with_as_many_per_query_as_so_far(scores):
    people, _ = scores
    judgments = people.detail.judgments
    need = cf.plan_correction(*scores, width=0.3).needs[0]
    assert need.labels == pytest.approx(need.needed * len(judgments.documents) / len(judgments.queries), abs=1)


def test_what_nobody_can_reach_has_no_number(scores):
    plan = cf.plan_correction(*scores, width=1e-9)
    assert plan.needs[0].needed is None
    assert "Not even a million queries" in plan.verdict()


@pytest.mark.parametrize("width", [0, -1, float("nan"), float("inf")])
def test_a_width_that_is_none_is_refused(scores, width):
    with pytest.raises(UsageError, match="width must be a number above 0"):
        cf.plan_correction(*scores, width=width)


@pytest.mark.parametrize("form", FORMS)
def test_every_form_has_what_is_needed(scores, form):
    plan = cf.plan_correction(*scores, width=0.3)
    assert str(plan.needs[0].needed) in plan.form(form)


def test_as_plain_values(scores):
    plan = json.loads(cf.plan_correction(*scores, width=0.3).form("json"))
    assert set(plan["needs"][0]) >= {"measure", "run", "baseline", "width_now", "needed", "needed_alone", "labels"}
