import json
import math

import numpy as np
import pytest

import cranfield as cf
from cranfield.errors import UsageError
from cranfield.judging import coefficients as judging


@pytest.fixture(scope="module")
def measured():
    rng = np.random.default_rng(4)
    truth = rng.random(200)
    grades = [np.clip(truth + rng.normal(0, 0.1, 200), 0, 1) for _ in range(3)]
    grades[2][:20] = math.nan
    return np.array(grades)


class TestValues:
    def test_they_are_those_of_the_functions(self, agreement, labels):
        grades = labels.grades
        expected = {
            "agreement": judging.percent_agreement(grades),
            "mean pairwise kappa": judging.mean_kappa(grades),
            "mean pairwise kappa (quadratic)": judging.mean_kappa(grades, weights="quadratic"),
            "Fleiss' kappa (linear)": judging.fleiss_kappa(grades, weights="linear"),
            "Conger's kappa": judging.conger_kappa(grades),
            "Gwet's AC2 (quadratic)": judging.gwet_ac(grades, weights="quadratic"),
            "Brennan-Prediger": judging.brennan_prediger(grades),
            "ICC(3,k)": judging.intraclass(grades)["ICC(3,k)"],
        }
        for name, one in expected.items():
            assert agreement[name].value == pytest.approx(one.value), name
            assert agreement[name].observed == pytest.approx(one.observed, nan_ok=True)
        for metric in ("nominal", "ordinal", "interval", "ratio"):
            value = judging.krippendorff_alpha(grades, metric=metric).value
            assert agreement[f"Krippendorff's alpha ({metric})"].value == pytest.approx(value)

    def test_weights_of_one_s_own_are_added(self, labels):
        near = [[1, 0.5, 0, 0], [0.5, 1, 0.5, 0], [0, 0.5, 1, 0.5], [0, 0, 0.5, 1]]
        own = cf.agree(labels, weights=near, interval="analytic")
        expected = judging.mean_kappa(labels.grades, weights=near)
        assert own["mean pairwise kappa (own weights)"].value == pytest.approx(expected.value)


class TestFractionalGrades:
    def test_alpha_and_intraclass_correlation_are_shown_and_kappa_is_not(self, measured):
        agreement = cf.agree(cf.Labels.from_matrix(measured))
        assert agreement.metric == "interval"
        assert agreement.pairs == ()
        expected = judging.krippendorff_alpha(measured, metric="interval").value
        assert agreement.by_default.value == pytest.approx(expected)
        ordinal = judging.krippendorff_alpha(measured, metric="ordinal").value
        assert agreement["Krippendorff's alpha (ordinal)"].value == pytest.approx(ordinal)
        assert agreement["ICC(2,1)"].value == pytest.approx(judging.intraclass(measured)["ICC(2,1)"].value)
        assert agreement.by_default.low < expected < agreement.by_default.high
        assert "kappa and related coefficients" in str(agreement)
        with pytest.raises(UsageError, match="too many different grades"):
            agreement.pair("judge 1", "judge 2")

    def test_formulas_serve_too(self, measured):
        agreement = cf.agree(cf.Labels.from_matrix(measured), interval="analytic")
        assert agreement["ICC(2,1)"].method == "analytic"

    def test_a_judge_is_held_against_another_in_bins(self, measured):
        agreement = cf.agree(cf.Labels.from_matrix(measured), reference="judge 1")
        (second, _) = agreement.against.judges
        assert len(second.calibration) == 10
        means = [row.reference for row in second.calibration]
        assert means == sorted(means)


class TestWhatIsWrong:
    def test_one_grade_only_has_an_answer_with_its_reason(self):
        agreement = cf.agree([("q1", f"d{at}", judge, 1) for at in range(5) for judge in ("ada", "ben")])
        assert agreement["agreement"].value == 1
        assert "not defined: every label is of one category" in agreement.verdict()
        assert "one category" in str(agreement)
        json.dumps(agreement.to_dict(), allow_nan=False)
