"""How many decimals scores are shown with."""

import math

import pytest

import cranfield as cf
from cranfield.comparing.comparison import compare
from cranfield.evaluating.score_tables import Evaluation
from cranfield.measures import GMAP, SL, NumRet
from cranfield.show.digits import Digits, percent_note

JUDGED = {f"q{at}": {"d1": 1, "d2": 1} for at in range(3)}
RUNS = {"old": {query: ["x", "d1"] for query in JUDGED}, "new": {query: ["d1", "d2"] for query in JUDGED}}


def test_usually_scores_are_as_they_are():
    assert Digits().cell(cf.AP, 0.123456) == 0.123456
    assert Digits().text(cf.AP, 0.123456) == "0.1235"


def test_a_measure_may_have_its_own_decimals():
    digits = Digits({"AP": 2})
    assert digits.text(cf.AP, 0.123456, 4) == "0.12"
    assert digits.text(cf.RR, 0.123456, 4) == "0.1235"


def test_percent_multiplies_shares_only():
    digits = Digits(percent=True)
    assert digits.cell(cf.AP, 0.25) == 25
    assert digits.cell(SL, 2.5) == 2.5
    assert digits.cell(NumRet, 7) == 7
    assert digits.cell(GMAP, 0.25) == 0.25
    assert list(percent_note(digits, [cf.AP, SL])) == ["Scores are multiplied by 100 (SL not)."]
    assert list(percent_note(Digits(), [cf.AP])) == []


def test_a_sign_where_it_says_something():
    assert Digits().text(cf.AP, 0.1, 2, sign=True) == "+0.10"
    assert Digits().text(cf.AP, -0.1, 2, sign=True) == "-0.10"
    assert Digits().text(cf.AP, 0.0, 2, sign=True) == "0.00"
    assert Digits().text(cf.AP, math.nan, 2, sign=True) == ""


@pytest.mark.parametrize("form", ["table", "markdown", "latex", "tsv", "csv"])
def test_an_evaluation_is_shown_with_them(form):
    shown = Evaluation(cf.evaluate(JUDGED, RUNS, "AP RR"), digits=Digits({"AP": 2})).form(form)
    assert "0.25" in shown
    assert "0.2500" not in shown
    assert "0.5000" in shown


@pytest.mark.parametrize("form", ["table", "markdown", "latex", "tsv", "csv"])
def test_and_a_comparison(form):
    from dataclasses import replace

    shown = replace(compare(cf.evaluate(JUDGED, RUNS, "AP RR")), digits=Digits({"AP": 2})).form(form)
    assert "0.25" in shown
    assert "0.2500" not in shown
    assert "0.5000" in shown


def test_json_has_every_digit():
    scores = cf.evaluate(JUDGED, RUNS, "AP")
    assert Evaluation(scores, digits=Digits({"AP": 0})).form("json") == Evaluation(scores).form("json")
    assert Evaluation(scores, digits=Digits({"AP": 0})).form("jsonl") == Evaluation(scores).form("jsonl")
