"""Why tools disagree: every profile side by side, and the choices that matter on this data."""

from __future__ import annotations

import json

import pytest

import cranfield as cf
from cranfield.errors import UsageError
from cranfield.evaluating.profiles import PROFILES

QRELS = {"q1": {"d1": 2, "d2": 1, "d9": 1}, "q2": {"d1": 1}}
RUN = {"q1": {"d2": 2.0, "d1": 1.0}}


def opinions(measure, judgments=QRELS, run=RUN, **said):
    return {opinion.profile.name: opinion for opinion in cf.why(judgments, run, measure, **said).opinions}


def test_every_profile_has_its_say():
    assert list(opinions("nDCG@10")) == list(PROFILES)


@pytest.mark.parametrize("profile", PROFILES)
def test_each_number_is_that_of_an_evaluation_under_the_profile(profile):
    opinion = opinions("nDCG@10")[profile]
    if opinion.measure:
        scores = cf.evaluate(QRELS, RUN, "nDCG@10", profile=profile)
        assert scores.measures == (opinion.measure,)
        assert opinion.value == scores.mean(opinion.measure).value


def test_a_tool_that_agrees_gives_the_same():
    agreeing = opinions("nDCG@10")["trec_eval-10"]
    assert not agreeing.differs
    assert agreeing.sentence == "gives the same"


def test_a_single_choice_that_matters_is_the_reason():
    assert opinions("nDCG@10")["trec_eval-9"].sentence == "averages over the judged queries that the run answered"


def test_of_several_each_has_its_own_effect():
    reasons = {reason.choice: reason.effect for reason in opinions("nDCG@10")["sklearn"].reasons}
    assert reasons.keys() == {"average_over=answered", "ties=average", "ideal=retrieved"}
    assert reasons["average_over=answered"] > 0
    assert reasons["ties=average"] == 0
    assert reasons["ideal=retrieved"] > 0


def test_a_choice_without_an_effect_here_is_not_blamed():
    assert "orders of equal scores" not in opinions("nDCG@10")["sklearn"].sentence


def test_choices_that_matter_only_together_are_named_together():
    # Single precision makes a tie, and only the order given breaks it the other way than document ids do.
    judged, close = {"q1": {"b": 1}}, {"q1": {"a": 1.00000001, "b": 1.0}}
    found = opinions("RR@10", judged, close)
    assert found["trec_eval-9"].sentence == "compares scores in single precision"


def test_a_tool_without_the_measure_says_so():
    absent = opinions("nDCG@10")["ndeval"]
    assert (absent.measure, absent.sentence) == (None, "no such measure")


def test_settings_that_are_said_count_for_all():
    assert {opinion.value for opinion in opinions("P@1", depth=1, rel=2).values() if opinion.measure} == {0.0}


def test_measures_of_several_grades_work_too():
    judged = [
        {"query": "q1", "subtopic": "a", "document": "d1", "grade": 1},
        {"query": "q1", "subtopic": "b", "document": "d1", "grade": 1},
    ]
    assert opinions("StRecall@5", judged, {"q1": ["d1"]})["ndeval"].value == 1


def test_the_table_has_who_differs_below_it():
    text = str(cf.why(QRELS, RUN, "nDCG@10"))
    assert "gdeval" in text
    assert "ndeval, msmarco: no such measure." in text
    assert "trec_eval-9, pytrec_eval, beir: averages over the judged queries that the run answered." in text


def test_where_all_agree_it_says_so():
    assert "All 7 tools that have P@1 agree on run." in str(cf.why({"q1": ["d1"]}, {"q1": ["d1"]}, "P@1"))


def test_as_plain_values_it_is_json():
    plain = json.loads(json.dumps(cf.why(QRELS, RUN, "nDCG@10").to_dict()))
    gdeval = next(one for one in plain["profiles"] if one["name"] == "gdeval")
    assert gdeval["measure"] == "nDCG(gain=exponential)@10"
    assert {reason["choice"] for reason in gdeval["reasons"]} >= {"gain=exponential", "average_over=answered"}


def test_several_measures_are_refused():
    with pytest.raises(UsageError, match="names 2 measures"):
        cf.why(QRELS, RUN, "P.5,10")


NOTHING_RELEVANT = {"q1": {"d1": 0}}


class TestUndefinedNumbers:
    """gdeval leaves out queries without a relevant document; here that is all of them."""

    def test_an_undefined_number_is_not_the_same(self):
        found = opinions("nDCG@10", NOTHING_RELEVANT)["gdeval"]
        assert found.differs
        assert found.sentence == "leaves out queries without a relevant document, which leaves no query"

    def test_it_is_a_difference_without_a_size(self):
        found = cf.why(NOTHING_RELEVANT, RUN, "nDCG@10")
        shown = {row[0]: row[1:] for row in found.table().rows}
        assert shown["gdeval"][1] == "undefined"
        assert shown["ranx"][1] == ""
        assert found.verdict().startswith("1 of 9 tools")
        by_name = {profile["name"]: profile for profile in found.to_dict()["profiles"]}
        assert by_name["gdeval"]["difference"] is None
        assert all(reason["effect"] is None or reason["effect"] == 0 for reason in by_name["gdeval"]["reasons"])
        json.dumps(found.to_dict(), allow_nan=False)
