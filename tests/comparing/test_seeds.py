from __future__ import annotations

import math

import numpy as np
import pytest

from cranfield.comparing import seeds_test, t_test, variance_components
from cranfield.comparing.seeds import INFINITE, NO_DIFFERENCE, NO_QUERY, NO_VARIANCE, ONE_QUERY, ONE_SEED
from cranfield.errors import UsageError


def drawn(rng, systems=2, seeds=4, queries=30, *, query=0.2, both=0.1, seed=0.05, rest=0.1, apart=0.0):
    """Scores with known standard deviations of their components."""
    scores = rng.normal(0, query, queries) + rng.normal(0, both, (systems, 1, queries))
    scores = scores + rng.normal(0, seed, (systems, seeds, 1)) + rng.normal(0, rest, (systems, seeds, queries))
    return scores + apart * np.arange(systems)[:, None, None]


class TestVarianceComponents:
    def test_by_hand(self):
        # Queries 0 and 4, seeds 0 and 2, and 1 more where both are high: mean squares 20.25, 6.25 and 0.25.
        found = variance_components([[0, 4], [2, 7]])
        assert found.residual == pytest.approx(0.25)
        assert found.seed == pytest.approx((6.25 - 0.25) / 2)
        assert found.query == pytest.approx((20.25 - 0.25) / 2)

    def test_mean_squares_are_those_of_statsmodels(self):
        pandas = pytest.importorskip("pandas")
        ols = pytest.importorskip("statsmodels.formula.api").ols
        anova_lm = pytest.importorskip("statsmodels.stats.anova").anova_lm
        scores = drawn(np.random.default_rng(0), systems=2, seeds=3, queries=5)
        at = np.indices(scores.shape).reshape(3, -1)
        frame = pandas.DataFrame({"s": at[0], "r": at[1], "q": at[2], "x": scores.ravel()})
        table = anova_lm(ols("x ~ C(q) + C(s) + C(s):C(q) + C(s):C(r)", frame).fit(), typ=1)
        mean_square = table["mean_sq"]
        found = variance_components(scores)
        assert len(table) == 5
        assert found.residual == pytest.approx(mean_square["Residual"])
        assert found.seed == pytest.approx((mean_square["C(s):C(r)"] - mean_square["Residual"]) / 5)
        both = (mean_square["C(s):C(q)"] - mean_square["Residual"]) / 3
        assert found.system_by_query == pytest.approx(max(both, 0))
        assert found.query == pytest.approx((mean_square["C(q)"] - mean_square["C(s):C(q)"]) / 6)

    def test_they_are_right_on_average(self):
        rng = np.random.default_rng(1)
        found = [variance_components(drawn(rng, seeds=5, queries=40)) for _ in range(200)]
        assert np.mean([each.query for each in found]) == pytest.approx(0.04, rel=0.1)
        assert np.mean([each.system_by_query for each in found]) == pytest.approx(0.01, rel=0.1)
        assert np.mean([each.seed for each in found]) == pytest.approx(0.0025, rel=0.15)
        assert np.mean([each.residual for each in found]) == pytest.approx(0.01, rel=0.1)

    def test_one_below_0_counts_as_0_and_is_named(self):
        found = variance_components([[0, 1, 0, 1], [1, 0, 1, 0]])
        assert (found.query, found.seed) == (0, 0)
        assert found.negative == ("query", "seed")

    def test_a_single_system_has_no_component_of_systems(self):
        scores = drawn(np.random.default_rng(2), systems=1)
        assert math.isnan(variance_components(scores).system_by_query)
        assert str(variance_components(scores[0])) == str(variance_components(scores))

    def test_queries_with_an_undefined_score_are_left_out(self):
        scores = drawn(np.random.default_rng(3))
        with_hole = np.concatenate(
            [scores, np.where(np.arange(4)[:, None] == 1, np.nan, 0.5 * np.ones((2, 4, 1)))], axis=2
        )
        assert variance_components(with_hole) == variance_components(scores)

    @pytest.mark.parametrize(
        ("scores", "reason"),
        [
            ([[1, 2, 3]], ONE_SEED),
            ([[1], [2]], ONE_QUERY),
            ([[np.nan], [2]], NO_QUERY),
            ([[1, np.inf], [2, 3]], INFINITE),
        ],
    )
    def test_too_little_has_no_components(self, scores, reason):
        found = variance_components(scores)
        assert math.isnan(found.query)
        assert math.isnan(found.residual)
        assert found.reason == reason

    def test_scores_have_seeds_and_queries(self):
        with pytest.raises(UsageError, match="an axis for systems, one for seeds and one for queries"):
            variance_components([1, 2, 3])


class TestSeedsTest:
    def test_its_variance_is_that_of_the_quasi_f_test(self):
        scores = drawn(np.random.default_rng(0), seeds=4, queries=25, seed=0.1)
        parts = variance_components(scores)
        assert not parts.negative
        seeds, queries = 4, 25
        both = parts.residual + seeds * parts.system_by_query
        of_seeds = parts.residual + queries * parts.seed
        variance = 2 * (both + of_seeds - parts.residual) / (seeds * queries)
        result = seeds_test(scores[0], scores[1])
        assert result.error == pytest.approx(math.sqrt(variance))
        assert result.statistic == pytest.approx(result.difference / result.error)

    def test_its_p_is_the_quasi_f_test_from_statsmodels_mean_squares(self):
        from scipy.stats import f

        pandas = pytest.importorskip("pandas")
        ols = pytest.importorskip("statsmodels.formula.api").ols
        anova_lm = pytest.importorskip("statsmodels.stats.anova").anova_lm
        scores = drawn(np.random.default_rng(8), seeds=4, queries=12, seed=0.1, apart=0.1)
        at = np.indices(scores.shape).reshape(3, -1)
        frame = pandas.DataFrame({"s": at[0], "r": at[1], "q": at[2], "x": scores.ravel()})
        table = anova_lm(ols("x ~ C(q) + C(s) + C(s):C(q) + C(s):C(r)", frame).fit(), typ=1)
        systems, both, seeds, rest = (table.loc[name] for name in ("C(s)", "C(s):C(q)", "C(s):C(r)", "Residual"))
        against = both.mean_sq + seeds.mean_sq - rest.mean_sq
        assert against > max(both.mean_sq, seeds.mean_sq), "otherwise a part counts as 0"
        result = seeds_test(scores[0], scores[1])
        assert result.statistic**2 == pytest.approx(systems.mean_sq / against)
        assert result.p == pytest.approx(f.sf(systems.mean_sq / against, 1, result.freedom))
        # Satterthwaite's degrees of freedom, with each system's own variance of seeds as Welch would have it.
        pooled = against**2 / sum(part.mean_sq**2 / part.df for part in (both, seeds, rest))
        assert result.freedom <= pooled * 1.001

    def test_with_one_run_each_it_is_the_paired_t_test(self):
        one, two = np.random.default_rng(1).random((2, 20))
        result, expected = seeds_test([one], [two]), t_test(one - two)
        assert (result.statistic, result.p) == pytest.approx((expected.statistic, expected.p))
        assert result.freedom == pytest.approx(19)
        assert result.from_seeds == 0

    def test_a_single_run_may_be_given_as_it_is(self):
        scores = drawn(np.random.default_rng(2))
        assert seeds_test(scores[0], scores[1, 0]) == seeds_test(scores[0], scores[1, :1])

    def test_where_seeds_vary_less_than_chance_only_queries_count(self):
        rng = np.random.default_rng(3)
        scores = drawn(rng, seed=0)
        scores -= scores.mean(axis=2, keepdims=True)  # every seed has the same mean
        result = seeds_test(scores[0] + 0.1, scores[1])
        expected = t_test(scores[0].mean(axis=0) + 0.1 - scores[1].mean(axis=0))
        assert (result.statistic, result.freedom) == pytest.approx((expected.statistic, 29))

    def test_where_queries_vary_less_than_chance_only_seeds_count(self):
        from scipy.stats import ttest_ind

        rng = np.random.default_rng(4)
        scores = drawn(rng, seeds=5, both=0, seed=0.3)
        scores -= (scores[0].mean(axis=0) - scores[1].mean(axis=0))[None] * np.array([1, 0])[:, None, None]
        scores[0] += 0.3
        result = seeds_test(scores[0], scores[1])
        expected = ttest_ind(scores[0].mean(axis=1), scores[1].mean(axis=1), equal_var=False)
        assert result.from_queries == pytest.approx(0, abs=1e-12)
        assert (result.statistic, result.p) == pytest.approx((expected.statistic, expected.pvalue))

    def test_systems_that_change_places_have_the_same_p(self):
        scores = drawn(np.random.default_rng(5), apart=0.1)
        one, two = seeds_test(scores[0], scores[1, :2]), seeds_test(scores[1, :2], scores[0])
        assert one.p == pytest.approx(two.p)
        assert one.difference == pytest.approx(-two.difference)

    def test_more_seeds_help_only_against_the_part_of_seeds(self):
        rng = np.random.default_rng(6)
        few, many = (drawn(rng, seeds=seeds, queries=50, seed=0.1) for seeds in (2, 40))
        few, many = (seeds_test(*scores) for scores in (few, many))
        assert many.from_seeds < few.from_seeds / 4
        assert many.from_queries > few.from_queries / 3

    @pytest.mark.parametrize(
        ("first", "second", "p", "reason"),
        [
            ([[0.5, 0.7]], [[0.5, 0.7]], 1, NO_DIFFERENCE),
            ([[0.5, 0.7]], [[0.4, 0.6]], math.nan, NO_VARIANCE),
            ([[0.5]], [[0.4]], math.nan, ONE_QUERY),
            ([[np.nan]], [[0.4]], math.nan, NO_QUERY),
            ([[np.inf, 1]], [[0.4, 2]], math.nan, INFINITE),
        ],
    )
    def test_where_there_is_nothing_to_test_it_says_so(self, first, second, p, reason):
        result = seeds_test(first, second)
        assert result.p == pytest.approx(p, nan_ok=True)
        assert result.reason == reason

    def test_both_systems_have_the_same_queries(self):
        with pytest.raises(UsageError, match="the same queries as columns"):
            seeds_test([[1, 2]], [[1, 2, 3]])
        with pytest.raises(UsageError, match="at least one run"):
            seeds_test(np.empty((0, 2)), [[1, 2]])

    def test_false_alarms_are_rare_where_means_of_seeds_alone_raise_many(self):
        rng = np.random.default_rng(7)
        alarms, of_means = [], []
        for _ in range(600):
            scores = drawn(rng, seeds=4, queries=50, both=0.1, seed=0.03)
            alarms.append(seeds_test(scores[0], scores[1]).p <= 0.05)
            of_means.append(t_test(scores[0].mean(axis=0) - scores[1].mean(axis=0)).p <= 0.05)
        assert np.mean(alarms) < 0.05 + 3 * math.sqrt(0.05 * 0.95 / 600)
        assert np.mean(of_means) > 0.15
