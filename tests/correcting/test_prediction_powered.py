"""Means from a few values by people and many by a model."""

import math
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cranfield.comparing.intervals import t_interval
from cranfield.correcting.prediction_powered import (
    StratumSample,
    corrected_score,
    fewest,
    of_these_queries,
    prediction_powered,
    spread_of,
    width_alone,
    width_with_model,
)
from cranfield.errors import UsageError
from tests.effort import more

RNG = np.random.default_rng(7)
PEOPLE, MODEL, OTHERS = RNG.random(12), RNG.random(12), RNG.random(40)


def plain(people, model, others):
    """The formulas as they are written, one query after the other."""
    n, count = len(people), len(others)
    everywhere = np.var(np.concatenate([model, others]), ddof=1)
    corrected, weights = [], []
    for at in range(n):
        y, f = np.delete(people, at), np.delete(model, at)
        weight = min(max(np.cov(y, f)[0, 1] / ((1 + n / count) * everywhere), 0), 1)
        weights.append(weight)
        corrected.append(people[at] - weight * (model[at] - np.mean(others)))
    error = math.sqrt(np.var(corrected, ddof=1) / n + np.mean(weights) ** 2 * np.var(others, ddof=1) / count)
    return np.mean(corrected), error


class TestPredictionPowered:
    def test_is_what_its_formulas_say(self):
        for _ in range(20):
            people, model, others = RNG.random(9), RNG.random(9), RNG.random(30)
            estimate = prediction_powered(people, model, others)
            value, error = plain(people, model, others)
            assert (estimate.value, estimate.error) == (pytest.approx(value), pytest.approx(error))

    def test_a_model_that_says_nothing_leaves_peoples_mean(self):
        estimate = prediction_powered(PEOPLE, np.full(12, 0.5), np.full(40, 0.5))
        assert estimate.value == pytest.approx(PEOPLE.mean())
        assert estimate.weight == 0

    def test_a_model_that_says_the_opposite_is_not_listened_to(self):
        assert prediction_powered(PEOPLE, 1 - PEOPLE, OTHERS).weight == 0

    def test_a_good_model_narrows_the_interval(self):
        rng = np.random.default_rng(1)  # its own: whichever tests ran before
        truth = rng.random(212)
        model = truth + rng.normal(0, 0.05, 212)
        estimate, alone = prediction_powered(truth[:12], model[:12], model[12:]), t_interval(truth[:12])
        assert estimate.high - estimate.low < 0.5 * (alone.high - alone.low)

    def test_what_the_model_adds_to_every_query_does_not_matter(self):
        before, after = (prediction_powered(PEOPLE, MODEL + shift, OTHERS + shift) for shift in (0, 10))
        assert (after.value, after.low) == (pytest.approx(before.value), pytest.approx(before.low))

    def test_the_order_of_queries_does_not_matter(self):
        order = RNG.permutation(12)
        assert prediction_powered(PEOPLE[order], MODEL[order], OTHERS[::-1]).value == pytest.approx(
            prediction_powered(PEOPLE, MODEL, OTHERS).value
        )

    def test_its_intervals_hold_the_truth_as_often_as_they_say_though_the_model_overrates(self):
        trials, held = more(400), 0
        for _ in range(trials):
            truth = RNG.beta(1.2, 1.5, 110)
            model = np.clip(truth + RNG.normal(0.2, 0.2, 110), 0, 1)
            estimate = prediction_powered(truth[:10], model[:10], model[10:])
            held += estimate.low <= 1.2 / 2.7 <= estimate.high
        assert held / trials > 0.95 - 4 * math.sqrt(0.95 * 0.05 / trials)

    @pytest.mark.parametrize(("people", "others"), [(2, 5), (5, 0)])
    def test_needs_queries_of_both_kinds(self, people, others):
        with pytest.raises(UsageError, match="correct"):
            prediction_powered(PEOPLE[:people], MODEL[:people], OTHERS[:others])

    @given(st.lists(st.floats(0, 1), min_size=3, max_size=20), st.lists(st.floats(0, 1), min_size=2, max_size=20))
    def test_always_gives_finite_numbers(self, people, others):
        estimate = prediction_powered(np.array(people), np.array(people)[::-1], np.array(others))
        assert all(map(math.isfinite, estimate))
        assert estimate.low <= estimate.value <= estimate.high


class TestOfTheseQueries:
    def test_is_the_model_corrected_by_the_mean_difference(self):
        estimate = of_these_queries(PEOPLE, MODEL, OTHERS)
        assert estimate.value == pytest.approx(np.concatenate([MODEL, OTHERS]).mean() + (PEOPLE - MODEL).mean())
        assert estimate.error == pytest.approx(math.sqrt((1 - 12 / 52) * np.var(PEOPLE - MODEL, ddof=1) / 12))

    def test_all_samples_of_a_small_collection_give_its_mean_on_average(self):
        from itertools import combinations

        truth, model = RNG.random(7), RNG.random(7)
        values = []
        for drawn in combinations(range(7), 3):
            rest = [at for at in range(7) if at not in drawn]
            values.append(of_these_queries(truth[list(drawn)], model[list(drawn)], model[rest]).value)
        assert np.mean(values) == pytest.approx(truth.mean())


class TestCorrectedScore:
    def test_without_labels_of_people_that_differ_it_is_the_models(self):
        assert corrected_score(0.4, [StratumSample(9, np.zeros(3))]) == (0.4, 0.0)

    def test_a_stratum_labelled_whole_adds_no_variance(self):
        assert corrected_score(0.4, [StratumSample(2, np.array([0.1, -0.2]))]) == (pytest.approx(0.3), 0.0)

    def test_all_draws_of_a_small_stratum_give_the_true_score_on_average_with_the_variance_it_says(self):
        from itertools import combinations

        apart = RNG.normal(size=6)
        drawn = [corrected_score(0.0, [StratumSample(6, apart[list(chosen)])]) for chosen in combinations(range(6), 3)]
        scores, variances = zip(*drawn, strict=True)
        assert np.mean(scores) == pytest.approx(apart.sum())
        assert np.mean(variances) == pytest.approx(np.var(scores))

    def test_one_label_of_several_documents_tells_no_variance(self):
        assert math.isnan(corrected_score(0.0, [StratumSample(5, np.array([0.1]))])[1])


class TestWidth:
    def test_fewer_with_a_better_model(self):
        noisy, close = PEOPLE + RNG.normal(0, 1, 12), PEOPLE + RNG.normal(0, 0.01, 12)
        spreads = [spread_of(PEOPLE, model, RNG.choice(model, 10_000)) for model in (close, noisy)]
        few, many = (fewest(lambda n, of=of: width_with_model(of, n, 10_012) <= 0.3) for of in spreads)
        assert few < many

    def test_is_that_of_people_alone_where_they_judge_all_queries(self):
        spread = spread_of(PEOPLE, PEOPLE + 0.1, PEOPLE)
        assert width_with_model(spread, 24, 24) == width_alone(spread, 24, 24)
        assert width_with_model(spread, 24, 24, only_these=True) == 0

    @pytest.mark.parametrize("only_these", [False, True])
    def test_more_queries_never_make_it_wider(self, only_these):
        rng = np.random.default_rng(3)
        for _ in range(50):
            people = rng.normal(size=12)
            model = rng.normal(0, 3) * people + rng.normal(0, rng.uniform(0, 2), 12)
            spread = spread_of(people, model, rng.normal(0, rng.uniform(0.1, 3), 30))
            widths = [width_with_model(spread, n, 42, only_these=only_these) for n in range(3, 60)]
            assert all(later <= before + 1e-12 for before, later in pairwise(widths))

    def test_is_what_intervals_turn_out_to_be(self):
        """With as many queries judged as planned, the median interval is as wide as promised, within an eighth."""
        rng = np.random.default_rng(3)
        truth = rng.beta(2, 2, 4000)
        model = np.clip(truth + rng.normal(0.1, 0.15, 4000), 0, 1)
        widths = {20: [], 60: []}
        planned = {n: [] for n in widths}
        for _ in range(200):
            drawn = rng.permutation(4000)[:300]
            first = spread_of(truth[drawn[:60]], model[drawn[:60]], model[drawn[60:]])
            for n, of in widths.items():
                estimate = prediction_powered(truth[drawn[:n]], model[drawn[:n]], model[drawn[n:]])
                of.append(estimate.high - estimate.low)
                planned[n].append(width_with_model(first, n, 300))
        for n, of in widths.items():
            assert np.median(of) == pytest.approx(np.median(planned[n]), rel=0.125)
