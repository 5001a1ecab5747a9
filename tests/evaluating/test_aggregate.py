from __future__ import annotations

import math

import numpy as np
import pytest
import scipy
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

import cranfield as cf
from cranfield.evaluating.aggregate import GEOMETRIC_FLOOR, exact_sum, mean, t_limit
from cranfield.kernels import CHOICE
from tests.effort import few_or

NAN = math.nan
WITHIN = 1e-12 if int(scipy.__version__.split(".")[1]) > 15 else 1e-8
"""How exact SciPy's quantiles are: those of older versions have errors of 2e-9."""
shares = st.lists(st.floats(0, 1), min_size=2, max_size=40)


def of(measure, *scores, undefined=None):
    return mean(cf.parse(measure), np.array(scores, dtype=float), undefined)


class TestMean:
    def test_every_query_weighs_the_same(self):
        assert of("AP", 0.2, 0.4, 0.9).value == pytest.approx(0.5)

    def test_the_number_of_queries_behind_it_is_told(self):
        assert of("AP", 0.2, 0.4, 0.9).queries == 3

    @given(scores=shares)
    def test_the_order_of_the_queries_does_not_matter_to_the_last_bit(self, scores):
        assert of("AP", *scores) == of("AP", *reversed(scores)) == of("AP", *sorted(scores))

    def test_sums_are_exact(self):
        # Added one by one in binary, ten tenths are 0.9999999999999999.
        assert of("AP", *[0.1] * 10).value == 0.1


class TestSum:
    numbers = st.lists(st.floats(-1e300, 1e300) | st.floats(0, 1) | st.sampled_from([1.0, -1.0, 2**-53, 1e16, -1e16]))

    @pytest.mark.parametrize("kernels", ["plain", ""])
    @given(numbers=numbers)
    def test_is_rounded_once(self, kernels, numbers):
        with pytest.MonkeyPatch.context() as patch:
            patch.setenv(CHOICE, kernels)
            assert exact_sum(np.array(numbers)) == math.fsum(numbers)

    @pytest.mark.parametrize("numbers", [[1, 2**-53, 2**-110], [1, 2**-53], [1e16, 1, 1], [1e308, 1e308 / 2], []])
    def test_is_so_where_the_last_bit_hangs_by_little(self, numbers):
        assert exact_sum(np.array(numbers, dtype=float)) == math.fsum(numbers)

    def test_is_that_of_every_other_number_too(self):
        assert exact_sum(np.arange(10.0)[::2]) == 20

    def test_of_many_scores_is_found_by_the_compiled_loops(self):
        compiled = pytest.importorskip("cranfield.kernels.compiled", reason="the compiled loops are not built")
        scores = np.random.default_rng(7).random(100_000)
        assert compiled.sum_of(scores) == math.fsum(scores)


class TestUndefinedScores:
    def test_they_count_as_zero(self):
        found = of("AP", 1, NAN)
        assert (found.value, found.queries, found.undefined) == (0.5, 2, 1)

    def test_they_are_left_out_if_the_user_says_so(self):
        found = of("AP", 1, NAN, undefined="skip")
        assert (found.value, found.queries, found.undefined) == (1, 1, 1)

    def test_they_are_left_out_where_the_measure_says_so(self):
        assert of("SL", 3, NAN).value == 3
        assert of("Judged@10", 0.5, NAN).value == 0.5

    def test_the_user_has_the_last_word(self):
        assert of("Judged@10", 0.5, NAN, undefined="zero").value == 0.25

    def test_where_all_are_undefined_and_left_out_there_is_no_mean(self):
        found = of("SL", NAN, NAN)
        assert all(map(math.isnan, (found.value, found.low, found.high)))
        assert (found.queries, found.undefined) == (0, 2)

    def test_where_all_are_undefined_and_count_as_zero_the_mean_is_zero(self):
        assert of("AP", NAN, NAN).value == 0


class TestCounts:
    def test_they_are_summed_and_have_no_interval(self):
        found = of("NumRel", 3, 4)
        assert found.value == 7
        assert math.isnan(found.low)
        assert math.isnan(found.high)

    def test_the_sum_over_no_query_is_zero(self):
        assert of("NumRel").value == 0


class TestGeometricMean:
    def test_it_is_the_exponential_of_the_mean_logarithm(self):
        assert of("GMAP", 0.1, 0.4).value == pytest.approx(0.2)

    def test_a_zero_counts_as_the_floor(self):
        assert of("GMAP", 0, 0.1).value == pytest.approx(math.sqrt(GEOMETRIC_FLOOR * 0.1))
        assert GEOMETRIC_FLOOR == 1e-5

    def test_an_undefined_score_counts_as_the_floor_too(self):
        assert of("GMAP", NAN, 0.1) == of("GMAP", 0, 0.1).__class__(**{**of("GMAP", 0, 0.1).__dict__, "undefined": 1})

    def test_its_interval_is_that_of_the_logarithms(self):
        scores = [0.1, 0.2, 0.4, 0.3]
        low, high = stats.t.interval(0.95, 3, np.mean(np.log(scores)), stats.sem(np.log(scores)))
        found = of("GMAP", *scores)
        assert (found.low, found.high) == pytest.approx((math.exp(low), math.exp(high)))


class TestInterval:
    @given(scores=shares)
    def test_it_is_student_s(self, scores):
        found = of("DCG", *scores)
        spread = stats.sem(scores)
        if spread > 1e-9:
            low, high = stats.t.interval(0.95, len(scores) - 1, np.mean(scores), spread)
            # Gains have no upper bound, but are never below zero.
            assert (found.low, found.high) == pytest.approx((max(low, 0), high), rel=1e-9, abs=1e-12)

    def test_one_query_has_none(self):
        found = of("AP", 0.4)
        assert found.value == 0.4
        assert math.isnan(found.low)
        assert math.isnan(found.high)

    def test_equal_scores_leave_no_doubt(self):
        found = of("AP", 0.5, 0.5, 0.5)
        assert (found.low, found.high) == (0.5, 0.5)

    def test_it_does_not_leave_the_range_of_the_measure(self):
        found = of("P@5", 0, 1)
        assert (found.low, found.high) == (0, 1)

    def test_a_search_length_starts_at_1(self):
        assert of("SL", 1, 1, 8).low == 1

    def test_gains_have_no_upper_end(self):
        assert of("CG", 0, 10).high > 10


class TestQuantile:
    def test_it_is_scipy_s_for_any_number_of_queries(self):
        freedom = np.arange(1, 2001, few_or(9, 1))
        ours = np.array([t_limit(int(df), 1 - 0.95) for df in freedom])
        np.testing.assert_allclose(ours, stats.t.ppf(0.975, freedom), rtol=WITHIN)

    @pytest.mark.parametrize("freedom", [6979, 100_000, 10_000_000])
    def test_and_for_very_many(self, freedom):
        assert t_limit(freedom, 1 - 0.95) == pytest.approx(stats.t.ppf(0.975, freedom), rel=1e-9)

    @given(st.floats(0.5, 5000), st.sampled_from([0.01, 0.5, 0.8, 0.9, 0.99, 0.999, 0.999999]))
    def test_and_for_any_confidence(self, freedom, confidence):
        expected = stats.t.ppf((1 + confidence) / 2, freedom)
        assert t_limit(freedom, 1 - confidence) == pytest.approx(expected, rel=1e-8)


class TestSummary:
    scores = cf.evaluate(
        cf.read_judgments({"q1": {"d1": 1}, "q2": {"d2": 1}}),
        [cf.read_run(name="a", source={"q1": ["d1"], "q2": ["d2"]}), cf.read_run(name="b", source={"q1": ["x", "d1"]})],
        ["RR", "NumRel"],
    )

    def test_its_table_has_a_row_per_run_and_tells_the_queries_answered(self):
        columns = self.scores.summary().table().columns
        assert columns["run"] == ["a", "b"]
        assert columns["queries"] == ["2/2", "1/2"]
        assert [cell.value for cell in columns["RR"]] == [1, 0.25]

    def test_or_a_row_per_measure(self):
        columns = self.scores.summary().table().narrow.columns
        assert columns[""] == ["queries", "RR", "NumRel"]
        assert columns["b"][0] == "1/2"
        assert columns["b"][1].value == 0.25

    def test_counts_are_shown_as_whole_numbers_and_single_means_are_not(self):
        row = self.scores.summary().table().tsv().splitlines()[1].split("\t")
        assert row[:3] == ["a", "2/2", "1.0000"]
        assert "2" in row

    def test_means_are_found_by_run_and_measure(self):
        assert self.scores.summary().means["b"][cf.RR].value == 0.25

    def test_it_shows_itself(self):
        assert str(self.scores.summary()).startswith("run")
        assert self.scores.summary()._repr_html_().startswith("<table")

    def test_programs_get_a_row_per_run_and_measure(self):
        rows = list(self.scores.summary().rows().rows)
        assert [row[:3] for row in rows] == [
            ("a", "RR", 1.0),
            ("a", "NumRel", 2),
            ("b", "RR", 0.25),
            ("b", "NumRel", 2),
        ]

    def test_everything_is_there_as_plain_values(self):
        plain = self.scores.summary().to_dict()
        assert plain["runs"][1]["measures"]["RR"]["value"] == 0.25
        assert plain["runs"][1]["queries"] == "1/2"
        assert "b: no documents for 1 of 2 judged queries" in plain["warnings"][0]
