"""How many queries a comparison needs."""

from __future__ import annotations

import json
import math

import numpy as np
import pytest

import cranfield as cf
from cranfield import demo
from cranfield.comparing import detectable_difference, queries_needed, simulated_power, t_test_power
from cranfield.comparing.planning import MOST_SIMULATED
from cranfield.errors import UsageError
from cranfield.evaluating.saved_scores import from_dict, to_dict
from tests.conftest import SHARED_DATA, WITHOUT_SHARED_DATA


@pytest.fixture(scope="module")
def scores():
    runs = [demo.path(f"{name}.run") for name in ("bm25", "hybrid", "dense")]
    return cf.evaluate(demo.path("qrels.txt"), runs, ["nDCG@10", "AP"])


@pytest.fixture(scope="module")
def design(scores):
    return cf.plan(scores, difference=0.05)


class TestNumbers:
    def test_they_are_those_of_the_paired_t_test(self, scores, design):
        apart = scores["nDCG@10"][1] - scores["nDCG@10"][0]
        need = design.needs[0]
        spread = apart.std(ddof=1)
        assert (need.queries, need.deviation) == (70, pytest.approx(spread))
        assert need.detectable == pytest.approx(detectable_difference(spread, 70, alpha=0.025))
        assert need.needed == queries_needed(0.05, spread, alpha=0.025)
        assert need.power == pytest.approx(t_test_power(0.05, spread, 70, alpha=0.025))

    def test_alpha_is_divided_by_the_comparisons(self, scores, design):
        assert design.comparisons == 2
        alone = cf.plan(scores, difference=0.05, comparisons=1).needs[0]
        assert alone.needed < design.needs[0].needed
        assert cf.plan(scores, all_pairs=True).comparisons == 3

    def test_the_deviation_is_an_estimate(self, design):
        from scipy.stats import chi2

        need = design.needs[0]
        low, high = (need.deviation * math.sqrt(69 / chi2.ppf(share, 69)) for share in (0.975, 0.025))
        assert need.needed_low == queries_needed(0.05, low, alpha=0.025)
        assert need.needed_high == queries_needed(0.05, high, alpha=0.025)
        assert need.needed_low < need.needed < need.needed_high

    def test_simulation_agrees_where_differences_are_not_far_from_normal(self, scores, design):
        need = design.needs[0]
        apart = scores["nDCG@10"][1] - scores["nDCG@10"][0]
        assert need.simulated_needed == pytest.approx(need.needed, rel=0.15)
        assert need.simulated_power == pytest.approx(need.power, abs=0.05)
        found = simulated_power(apart, 0.05, need.simulated_needed, alpha=0.025, samples=4000)
        assert found == pytest.approx(0.8, abs=0.02)

    def test_nothing_is_simulated_where_it_would_tell_nothing_new(self, scores):
        need = cf.plan(scores, difference=0.005).needs[0]
        assert need.needed > MOST_SIMULATED
        assert need.simulated_needed is None

    def test_without_a_wanted_difference_there_is_no_number(self, scores):
        need = cf.plan(scores).needs[0]
        assert need.needed is None
        assert math.isnan(need.power)
        assert need.detectable > 0

    def test_a_deviation_in_place_of_runs(self):
        assert cf.plan(deviation=0.1, difference=-0.05).needs[0].needed == 34
        assert cf.plan(deviation=0.1, difference=0.05, comparisons=3).needs[0].needed > 34

    def test_kept_results(self, scores, design):
        assert cf.plan(from_dict(to_dict(scores)), difference=0.05).to_dict() == design.to_dict()

    def test_runs_that_do_not_differ_leave_nothing_to_plan_with(self):
        judged = {f"q{at}": {"d1": 1} for at in range(3)}
        run = {query: ["d1"] for query in judged}
        found = cf.plan(cf.evaluate(judged, {"a": run, "b": run}, "RR"), difference=0.1)
        assert found.needs[0].needed is None
        assert found.verdict().startswith("Nothing can be planned with these results: the difference is the same")
        assert any("a" in note and "the same for every query" in note for note in found.table().notes)

    def test_one_query(self):
        found = cf.plan(cf.evaluate({"q": {"d1": 1}}, {"a": {"q": ["d1"]}, "b": {"q": ["d2"]}}, "RR"))
        assert "fewer than two queries" in found.verdict()


class TestWords:
    def test_one_pair(self, scores):
        said = cf.plan(scores, difference=0.05, baseline="bm25", comparisons=1).verdict()
        assert said.startswith(
            "With 70 queries, a true difference of 0.0719 to 0.1375 nDCG@10 is detected 80% of the time. "
        )
        runs = [demo.path("bm25.run"), demo.path("hybrid.run")]
        said = cf.plan(cf.evaluate(demo.path("qrels.txt"), runs, "nDCG@10"), difference=0.05).verdict()
        assert "between hybrid and bm25 is detected 80% of the time." in said
        assert "it needs 143 queries (106 to 205, as the deviation is an estimate, and 140 by simulation)." in said

    def test_several_pairs(self, scores):
        said = cf.plan(scores, difference=0.05, all_pairs=True).verdict()
        assert ", half of them at most " in said

    def test_tables(self, design):
        assert list(design.table().columns)[-4:] == ["power for 0.05", "needed", "between", "simulated"]
        assert "for each of 2 comparisons 0.025" in design.table().notes[0]
        assert len(design.rows().columns["needed_high"]) == 4
        assert "needed" in str(design)
        assert "<table" in design._repr_html_()

    def test_everything_as_plain_values(self, design):
        plain = json.loads(json.dumps(design.to_dict(), allow_nan=False))
        assert plain["needs"][0]["measure"] == "nDCG@10"
        assert plain["difference"] == 0.05

    def test_geometric_means_are_planned_on_their_own_scale(self):
        runs = [demo.path("bm25.run"), demo.path("hybrid.run")]
        found = cf.plan(cf.evaluate(demo.path("qrels.txt"), runs, "GMAP"), difference=0.1)
        assert any("compared on the log scale" in note for note in found.table().notes)


class TestWrongUse:
    @pytest.mark.parametrize(
        ("said", "words"),
        [
            ({}, "Without runs, give the deviation"),
            ({"deviation": 0.1}, "Without runs, give the deviation"),
            ({"deviation": 0.1, "difference": 0}, "No number of queries detects a difference of 0"),
            ({"deviation": 0.1, "difference": 0.1, "power": 1}, "power must be between 0 and 1"),
            ({"deviation": 0.1, "difference": 0.1, "power": 0.04}, "power must be above alpha"),
            ({"deviation": 0.1, "difference": 0.1, "comparisons": 0}, "comparisons must be a whole number"),
            ({"deviation": 0.1, "difference": math.inf}, "difference must be a number of at least 0"),
        ],
    )
    def test_what_cannot_be_planned(self, said, words):
        with pytest.raises(UsageError, match=words):
            cf.plan(**said)

    def test_runs_and_a_deviation(self, scores):
        with pytest.raises(UsageError, match="and not both"):
            cf.plan(scores, deviation=0.1)

    def test_one_run(self):
        with pytest.raises(UsageError, match="there is one run"):
            cf.plan(cf.evaluate({"q": {"d1": 1}}, {"q": ["d1"]}, "RR"))


@pytest.mark.skipif(not SHARED_DATA.is_dir(), reason=WITHOUT_SHARED_DATA)
def test_half_of_the_queries_of_a_real_collection_tell_how_much_all_of_them_show():
    folder = SHARED_DATA / "03-robust03"
    runs = sorted((folder / "runs").glob("*.run.gz"))[:2]
    kept = cf.evaluate(folder / "qrels.robust03.txt.gz", runs, "AP")
    every, half = cf.plan(kept).needs[0], cf.plan(kept.only(kept.queries[::2])).needs[0]
    predicted = detectable_difference(half.deviation, every.queries)
    assert np.isclose(predicted, every.detectable, rtol=0.3)
