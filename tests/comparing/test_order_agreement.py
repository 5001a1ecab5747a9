"""Do measures, or judgments, put runs into the same order?"""

from __future__ import annotations

import json
import math

import numpy as np
import pytest
from scipy.stats import kendalltau

import cranfield as cf
from cranfield import demo
from cranfield.comparing import agreement, kendall_tau_b, rank_biased_overlap, spearman, tau_ap_b, weighted_tau
from cranfield.comparing.order_agreement import SAMPLES, order_agreement
from cranfield.comparing.standardise import z_scores
from cranfield.errors import UsageError
from cranfield.evaluating.saved_scores import from_dict, to_dict
from tests.conftest import SHARED_DATA, WITHOUT_SHARED_DATA

NAMES = ("title", "bm25", "dense", "hybrid")
RUNS = {name: demo.path(f"{name}.run") for name in NAMES}
MEASURES = ["nDCG@10", "AP", "SL"]
JUDGED = cf.read_judgments(demo.path("qrels.txt"))
STRICT = {query: {document: float(grade >= 3) for document, grade in JUDGED[query].items()} for query in JUDGED}


@pytest.fixture(scope="module")
def scores():
    return cf.evaluate(JUDGED, RUNS, MEASURES)


@pytest.fixture(scope="module")
def strict():
    return cf.evaluate(STRICT, RUNS, MEASURES)


@pytest.fixture(scope="module")
def found(scores):
    return order_agreement(scores)


class TestMeasures:
    def test_each_two(self, found):
        assert [(one.one, one.other) for one in found.orders] == [("nDCG@10", "AP"), ("nDCG@10", "SL"), ("AP", "SL")]

    @pytest.mark.parametrize(
        ("name", "coefficient", "bounds"),
        [
            ("tau", kendall_tau_b, (-1, 1)),
            ("tau_AP", tau_ap_b, (-1, 1)),
            ("weighted tau", weighted_tau, (-1, 1)),
            ("Spearman", spearman, (-1, 1)),
            ("RBO", rank_biased_overlap, (0, 1)),
        ],
    )
    def test_coefficients_are_those_of_their_means(self, scores, found, name, coefficient, bounds):
        by_hand = agreement(scores["nDCG@10"], scores["AP"], coefficient, bounds=bounds, samples=SAMPLES)
        assert found.orders[0].coefficients[name] == by_hand

    def test_standardised_scores_are_what_a_comparison_of_them_correlates(self, scores):
        comparison = cf.compare(scores.with_measures(["nDCG@10", "AP"]), standardise=True)
        standardised = comparison.agreement()
        by_hand = agreement(z_scores(scores["nDCG@10"]), z_scores(scores["AP"]), kendall_tau_b, samples=SAMPLES)
        assert standardised.orders[0].coefficients["tau"] == by_hand
        assert by_hand != agreement(scores["nDCG@10"], scores["AP"], kendall_tau_b, samples=SAMPLES)
        assert "Means are of scores standardised by query." in str(standardised)

    def test_of_a_measure_of_which_less_is_better_the_order_is_turned(self, scores, found):
        by_hand = kendall_tau_b(scores["AP"].mean(axis=1), -np.nan_to_num(scores["SL"]).mean(axis=1))
        assert found.orders[2].tau.value == pytest.approx(float(by_hand))

    def test_pairs_that_change_places_are_named_with_who_is_ahead_first(self, found):
        assert found.orders[0].swapped == (("dense", "bm25"),)
        assert found.orders[0].pairs == 6

    def test_of_a_comparison(self, scores, found):
        assert cf.compare(scores, resamples=10).agreement().to_dict() == found.to_dict()


class TestJudgments:
    def test_one_measure_by_two_sets_of_judgments(self, scores, strict):
        found = order_agreement(scores, strict)
        by_hand = agreement(scores["AP"], np.nan_to_num(strict["AP"]), samples=SAMPLES)
        assert [one.measure for one in found.orders] == MEASURES
        assert found.orders[1].tau == by_hand
        assert (found.orders[0].one, found.orders[0].other) == ("the first judgments", "the second judgments")

    def test_kept_results_are_called_by_their_files(self, scores, strict):
        found = order_agreement(cf.evaluate(demo.path("qrels.txt"), RUNS, "AP"), from_dict(to_dict(strict)))
        assert found.orders[0].one == "the first judgments"
        assert "Judgments: the first judgments and the second judgments." in found.table().notes

    def test_the_runs_and_queries_that_both_have(self, scores):
        half = cf.evaluate(STRICT, {name: RUNS[name] for name in NAMES[1:]}, "AP").only(scores.queries[:35])
        found = order_agreement(scores, half)
        assert found.runs == NAMES[1:]
        assert found.orders[0].tau.queries == 35
        assert found.notes == ("Compared on the 35 queries that both have, of 70 and 35.",)

    def test_no_query_in_common(self, scores):
        found = order_agreement(scores.only(scores.queries[:30]), scores.only(scores.queries[30:]))
        assert found.notes == ("The results have no query in common; they have 30 and 40.",)
        assert found.orders[0].tau.queries == 30


class TestWords:
    def test_two_measures(self):
        said = order_agreement(cf.evaluate(JUDGED, RUNS, ["nDCG@10", "AP"])).verdict()
        assert said.startswith("Kendall's tau of 4 runs ranked by nDCG@10 and by AP: 0.67 (95% interval ")
        assert said.endswith(
            "They order 1 of 6 pairs differently (nDCG@10: dense before bm25). "
            "With only 4 runs a rank correlation says little."
        )

    def test_several_measures(self, found):
        assert found.verdict().startswith("Kendall's tau of 4 runs: lowest for nDCG@10 and AP, 0.67 (95% interval ")

    def test_judgments(self, scores, strict):
        said = order_agreement(scores, strict).verdict()
        assert said.startswith(
            "nDCG@10: Kendall's tau of 4 runs ranked by the first judgments and by the second judgments: "
        )

    def test_one_query_orders_runs_without_saying_how_sure(self, scores):
        found = order_agreement(scores.only(["q01"]))
        assert math.isnan(found.orders[0].tau.low)
        assert "interval" not in found.verdict()
        assert any("a single query shows no variance" in note for note in found.table().notes)

    def test_runs_that_are_the_same_have_no_order(self):
        same = order_agreement(cf.evaluate(JUDGED, {"a": RUNS["bm25"], "b": RUNS["bm25"]}, ["AP", "RR"]))
        assert same.verdict().startswith("Orders cannot be compared: there is no order")

    def test_tables(self, found, scores, strict):
        assert list(found.table().columns)[:3] == ["ranked by", "and by", "tau"]
        assert list(order_agreement(scores, strict).table().columns)[:2] == ["measure", "tau"]
        assert len(found.rows().columns["value"]) == 15
        assert "tau_AP" in str(found)
        assert "<table" in found._repr_html_()

    def test_everything_as_plain_values(self, found):
        plain = json.loads(json.dumps(found.to_dict(), allow_nan=False))
        assert plain["orders"][0]["swapped"] == [["dense", "bm25"]]
        assert list(plain["orders"][0]["coefficients"]) == ["tau", "tau_AP", "weighted tau", "Spearman", "RBO"]


class TestWrongUse:
    def test_one_measure(self):
        with pytest.raises(UsageError, match="There is one measure, AP"):
            order_agreement(cf.evaluate(JUDGED, RUNS, "AP"))

    def test_one_run(self, scores):
        with pytest.raises(UsageError, match="there is one run"):
            order_agreement(cf.evaluate(JUDGED, RUNS["bm25"], ["AP", "RR"]))
        other = cf.evaluate(STRICT, {"bm25": RUNS["bm25"], "x": RUNS["dense"]}, "AP")
        with pytest.raises(UsageError, match="these have bm25 in common"):
            order_agreement(scores, other)

    def test_no_common_measure(self, scores):
        with pytest.raises(UsageError, match="no measure in common"):
            order_agreement(scores, cf.evaluate(STRICT, RUNS, "P@5"))

    def test_more_than_two(self, scores, strict):
        with pytest.raises(UsageError, match="give one result and one other"):
            order_agreement([scores, strict], strict)


@pytest.mark.skipif(not SHARED_DATA.is_dir(), reason=WITHOUT_SHARED_DATA)
def test_a_real_collection():
    folder = SHARED_DATA / "03-robust03"
    runs = sorted((folder / "runs").glob("*.run.gz"))
    found = order_agreement(cf.evaluate(folder / "qrels.robust03.txt.gz", runs, ["AP", "nDCG@10", "P@10"]))
    assert all(one.tau.low <= one.tau.value <= one.tau.high for one in found.orders)


class TestTwoMeasuresOnTwoSetsOfJudgments:
    @pytest.mark.parametrize(("one", "other"), [("nDCG@10", "AP"), ("AP", "nDCG@10"), ("nDCG@10", "SL")])
    def test_tau_is_that_of_scipy_between_the_means(self, scores, strict, one, other):
        (orders,) = order_agreement(scores, strict, measures=one, other_measures=other).orders
        tables = scores.settled(one), strict.settled(other) * (-1 if other == "SL" else 1)
        known = ~np.isnan(tables).any(axis=(0, 1))
        means = [table[:, known].mean(axis=1) for table in tables]
        assert orders.tau.value == pytest.approx(kendalltau(*means).statistic)

    def test_each_order_is_named_by_its_measure_and_its_judgments(self, scores, strict):
        found = order_agreement(scores, strict, measures=["nDCG@10", "AP"], other_measures=["AP", "SL"])
        names = [(pair.one, pair.other) for pair in found.orders]
        first, second = "the first judgments", "the second judgments"
        assert names == [(f"nDCG@10 on {first}", f"AP on {second}"), (f"AP on {first}", f"SL on {second}")]
        assert [row[:2] for row in found.table().rows] == names

    def test_measures_of_both_may_be_named(self, scores, strict):
        found = order_agreement(scores, strict, measures="AP")
        assert [pair.measure for pair in found.orders] == ["AP"]
        assert [pair.one for pair in order_agreement(scores, measures=["AP", "SL"]).orders] == ["AP"]

    def test_they_are_as_many(self, scores, strict):
        with pytest.raises(UsageError, match="as many measures of the second"):
            order_agreement(scores, strict, measures="AP", other_measures=["AP", "SL"])
        with pytest.raises(UsageError, match="as many measures of the second"):
            order_agreement(scores, strict, other_measures="AP")

    def test_a_second_measure_needs_a_second_result(self, scores):
        with pytest.raises(UsageError, match="second result, and there is none"):
            order_agreement(scores, measures="AP", other_measures="SL")

    def test_without_a_common_measure_it_says_how_to_name_two(self, scores, strict):
        with pytest.raises(UsageError, match="measures= and other_measures="):
            order_agreement(scores.with_measures(["AP"]), strict.with_measures(["SL"]))

    def test_warnings_of_both_are_told_once(self, scores, strict):
        found = order_agreement(scores, strict)
        texts = list(map(str, found.warnings))
        assert set(texts) == {str(warning) for part in (scores, strict) for warning in part.warnings}
        assert len(set(texts)) == len(texts) > 0
