"""How far judges agree: the result as a whole, its intervals, and what it says."""

import json
import math
from dataclasses import replace
from itertools import product

import numpy as np
import pytest

import cranfield as cf
from cranfield import demo
from cranfield.errors import DataError, UsageError
from cranfield.judging.coefficients import fleiss_kappa

RUNS = [demo.path(f"{name}.run") for name in ("title", "bm25", "dense", "hybrid")]


class TestValues:
    def test_two_judges_have_cohen_s_kappa_and_scott_s_pi(self, labels):
        two = cf.agree(labels, judges="cleo,ada")
        assert two.labels.judges == ("cleo", "ada")
        assert two["Cohen's kappa"].value == pytest.approx(two.pairs[0].kappa.value)
        assert two["Scott's pi"].value == pytest.approx(two.pairs[0].pooled.value)


class TestWhatIsWrong:
    @pytest.mark.parametrize(
        ("rows", "message"),
        [
            ([("q", "d1", "ada", 1), ("q", "d2", "ada", 0)], "all labels are by one judge, ada"),
            ([("q", "d1", "ada", 1), ("q", "d2", "ben", 0)], "no document was labelled by two of the 2 judges"),
            (
                [("q1", "1", "ada", 1), ("q1", "01", "ben", 0)],
                r"without leading zeros \(1 / 01\); use one spelling for both judges\.",
            ),
        ],
    )
    def test_labels_that_say_nothing_about_agreement_are_refused(self, rows, message):
        with pytest.raises(DataError, match=message):
            cf.agree(rows)

    @pytest.mark.parametrize(
        ("given", "message"),
        [
            ({"metric": "nomnial"}, "Did you mean nominal?"),
            ({"interval": "query"}, "Did you mean queries"),
            ({"reference": "adda"}, "there is no judge 'adda'"),
            ({"judges": "ada,bne"}, "there is no judge 'bne'"),
            ({"confidence": 1}, "confidence must be between 0 and 1"),
            ({"samples": 1}, "samples must be a whole number of at least"),
            ({"scale": [0, 1]}, "is not one of the categories"),
            ({"weights": [[1, 0], [0, 1]]}, "each of 4 categories"),
            ({"weights": "radicl"}, "Did you mean radical"),
            ({"null": 1}, "null must be a value that a coefficient may have"),
            ({"null": float("nan")}, "null must be a number"),
            ({"null": "0.6"}, "null must be a number"),
            ({"benchmark": "landis"}, "Did you mean landis-koch"),
        ],
    )
    def test_a_wrong_call_is_told(self, labels, given, message):
        with pytest.raises(UsageError, match=message):
            cf.agree(labels, **given)

    def test_of_two_judges_one_grades_higher_than_the_other(self):
        agreement = cf.agree(cf.Labels.from_matrix([[0, 1, 2, 1], [1, 1, 2, 2]], ["ada", "ben"]))
        assert "On the same items, ben grades 0.50 higher than ada." in agreement.verdict()

    def test_a_pair_without_common_documents_has_a_reason(self):
        rows = [("q1", "d1", "ada", 1), ("q1", "d1", "ben", 1), ("q1", "d2", "ben", 0), ("q1", "d2", "cleo", 0)]
        agreement = cf.agree(rows)
        assert agreement.pair("ada", "cleo").kappa.reason == "no item has labels by two judges"
        assert "ada and cleo: no item has labels by two judges." in str(agreement)

    def test_orders_of_texts_are_refused(self):
        rows = [("q1", f"d{at}", judge, "good") for at in range(3) for judge in "ab"]
        for given in ({"metric": "ordinal"}, {"level": 1}, {"scale": [1]}, {"runs": RUNS}):
            with pytest.raises(UsageError, match="these labels are texts"):
                cf.agree(rows, **given)


def test_texts_are_never_taken_for_measurements():
    rows = [("q1", f"d{at}", judge, f"topic {at % 30}") for at in range(90) for judge in ("ada", "ben")]
    agreement = cf.agree([*rows, ("q1", "d90", "ada", "topic 1"), ("q1", "d90", "ben", "topic 2")])
    assert agreement.metric == "nominal"
    assert agreement["agreement"].value == pytest.approx(90 / 91)
    assert "30 different labels" in str(agreement)
    assert not any(one.name.startswith("ICC") or "interval" in one.name for one in agreement.coefficients)


def test_dawid_and_skene_are_not_asked_about_measurements():
    rows = [("q1", f"d{at}", judge, at / 7) for at in range(30) for judge in ("ada", "ben", "cleo")]
    with pytest.raises(UsageError, match="30 different grades; it is for up to 25"):
        cf.merge(rows, "dawid-skene")


def test_hundreds_of_texts_are_no_categories():
    rows = [("q1", f"d{at}", judge, f"topic {at % 101}") for at in range(202) for judge in ("ada", "ben")]
    with pytest.raises(DataError, match="101 different texts among the labels; up to 100"):
        cf.agree(rows)


@pytest.mark.parametrize(("samples", "confidence", "least"), [(2, 0.95, 20), (19, 0.9, 20), (99, 0.99, 100)])
def test_samples_too_few_for_an_interval_are_refused(samples, confidence, least):
    with pytest.raises(UsageError, match=rf"samples .*{least}"):
        cf.agree(demo.path("labels.csv"), samples=samples, confidence=confidence)


LITTLE = [
    *(np.array(cells, dtype=np.float64).reshape(2, 2) for cells in product((math.nan, 0, 2), repeat=4)),
    *(np.array(cells, dtype=np.float64).reshape(3, 1) for cells in product((math.nan, 0, 2), repeat=3)),
]


@pytest.mark.parametrize("has_queries", [True, False])
def test_of_labels_as_few_as_there_can_be_everything_is_finite_undefined_or_refused(has_queries):
    refused = 0
    for table in LITTLE:
        rows = [
            {"query": f"q{item}", "document": "d", "judge": f"j{judge}", "grade": table[judge, item]}
            for judge, item in np.argwhere(~np.isnan(table))
        ]
        try:
            agreement = cf.agree(rows if has_queries else cf.Labels.from_matrix(table.tolist()), samples=20)
        except (DataError, UsageError):
            refused += 1
            continue
        json.dumps(replace(agreement, with_queries=True).to_dict(), allow_nan=False)
        assert agreement.verdict()
    assert refused < len(LITTLE) / 2


class TestOtherWeights:
    @pytest.mark.parametrize("weights", ["ordinal", "radical", "ratio", "circular", "bipolar"])
    def test_coefficients_with_weights_of_a_name_are_added(self, labels, weights):
        asked = cf.agree(labels, weights=weights, interval="analytic")
        expected = fleiss_kappa(labels.grades, weights=weights)
        assert asked[f"Fleiss' kappa ({weights})"].value == pytest.approx(expected.value)
        assert f"Gwet's AC2 ({weights})" in str(asked.table())
        assert asked.to_dict()["settings"]["weights"] == weights
        usual = cf.agree(labels, interval="analytic")
        assert len(asked.coefficients) == len(usual.coefficients) + 5

    def test_weights_that_are_there_anyway_are_shown_first(self, labels):
        asked, usual = (cf.agree(labels, weights=name, interval="analytic") for name in ("quadratic", "identity"))
        assert len(asked.coefficients) == len(usual.coefficients)
        assert "Fleiss' kappa (quadratic)" in str(asked.table())
        assert "Fleiss' kappa (quadratic)" not in str(usual.table())

    def test_texts_have_no_distance(self):
        texts = [("q", f"d{at}", judge, "yes" if at % 3 else "no") for at in range(9) for judge in ("ada", "ben")]
        with pytest.raises(UsageError, match="The weighting radical needs grades that are numbers"):
            cf.agree(texts, weights="radical")


class TestNullAndBenchmark:
    def test_p_is_of_the_error_that_the_interval_comes_from(self, labels):
        for interval, units in (("analytic", 1338), ("queries", 70)):
            asked = cf.agree(labels, null=0.6, interval=interval, samples=50)
            alpha = asked["Gwet's AC1"]
            assert asked.p_values["Gwet's AC1"] == alpha.p_value(0.6)
            assert units - 1 <= alpha.freedom <= 1399
        assert cf.agree(labels, interval="analytic").p_values == {}

    def test_agreement_without_chance_taken_out_is_not_tested(self, labels):
        asked = cf.agree(labels, null=0, benchmark="altman", interval="analytic")
        assert "agreement" not in asked.p_values
        assert "agreement" not in [one.coefficient.name for one in asked.benchmarks]

    def test_both_are_in_every_form(self, labels):
        asked = cf.agree(labels, null=0.6, benchmark="landis-koch", interval="analytic")
        assert "two-sided test that the coefficient is 0.6" in asked.text()
        for form in ("table", "markdown", "latex"):
            assert "almost perfect" in asked.form(form)
        plain = json.loads(asked.json())
        assert plain["settings"]["null"] == 0.6
        assert {one["level"] for one in plain["benchmark"]} >= {"moderate", "substantial"}
        assert plain["coefficients"][1]["p"] == asked.p_values["Krippendorff's alpha (nominal)"]
        rows = [json.loads(line) for line in asked.jsonl().splitlines()]
        assert {row["part"] for row in rows} >= {"test", "benchmark"}
        assert "0.0000" not in [line.split("\t")[4] for line in asked.tsv().splitlines() if line.startswith("test")]

    def test_a_coefficient_without_an_error_has_neither(self, labels):
        asked = cf.agree(labels, null=0, benchmark="fleiss", interval="analytic")
        (kappa,) = (one for one in asked.benchmarks if one.coefficient.name == "mean pairwise kappa")
        assert kappa.level == ""
        assert math.isnan(asked.p_values["mean pairwise kappa"])
        assert "mean pairwise kappa" in asked.benchmark_table().notes[1]
        json.loads(asked.json())
