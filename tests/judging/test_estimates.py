import math

import numpy as np
import pytest

import cranfield as cf
from cranfield.errors import UsageError
from cranfield.judging import coefficients as judging


def _noisy(items, seed, queries=None, judges=3):
    """Labels of judges who see the truth through noise; a whole query may be harder than others."""
    rng = np.random.default_rng(seed)
    of_query = np.arange(items) // max(items // (queries or items), 1)
    hard = rng.random(of_query.max() + 1)[of_query] < 0.5
    truth = rng.integers(0, 3, items)
    seen = [
        np.where(rng.random(items) < np.where(hard, 0.4, 0.95), truth, rng.integers(0, 3, items)) for _ in range(judges)
    ]
    return [
        (f"q{query}", f"d{item}", f"judge{judge}", int(row[item]))
        for judge, row in enumerate(seen)
        for item, query in enumerate(of_query.tolist())
    ]


class TestIntervals:
    def test_they_come_from_queries_unless_these_are_not_known(self, agreement):
        assert agreement.by_default.method == "bootstrap of queries"
        rows = cf.agree(cf.Labels.from_matrix([[0, 1, 1, 0, 2], [0, 1, 0, 0, 2]]))
        assert rows.by_default.method == "bootstrap of items"

    def test_the_same_seed_gives_the_same_limits_and_another_others(self, labels):
        one, same, other = (cf.agree(labels, seed=seed).by_default for seed in (1, 1, 2))
        assert one == same
        assert one.low != other.low

    def test_formulas_and_samples_of_independent_items_agree(self):
        rows = _noisy(1500, 5)
        formula, sampled = (cf.agree(rows, interval=kind, samples=2000) for kind in ("analytic", "items"))
        for one in formula.coefficients:
            other = sampled[one.name]
            if not math.isnan(one.error):
                assert other.error == pytest.approx(one.error, rel=0.1), one.name
            if not math.isnan(one.low):
                assert (other.low, other.high) == pytest.approx((one.low, one.high), abs=0.02), one.name

    def test_the_jackknife_of_ordinal_alpha_is_near_the_samples_of_its_items(self, labels):
        formula, sampled = (cf.agree(labels, interval=kind).by_default for kind in ("analytic", "items"))
        assert formula.error == pytest.approx(sampled.error, rel=0.07)

    def test_queries_that_differ_make_intervals_wider(self):
        rows = _noisy(1200, 6, queries=20)
        by_query, by_item = (cf.agree(rows, interval=kind)["Fleiss' kappa"] for kind in ("queries", "items"))
        assert by_query.error > 1.5 * by_item.error

    def test_limits_enclose_the_value(self, agreement):
        for one in (*agreement.coefficients, *(pair.kappa for pair in agreement.pairs)):
            assert one.low <= one.value <= one.high, one.name

    def test_they_hold_the_true_value_about_as_often_as_they_say(self):
        truth = judging.fleiss_kappa(_matrix(_noisy(100_000, 0))).value
        held = sum(
            one.low <= truth <= one.high
            for seed in range(1, 41)
            for one in [cf.agree(_noisy(80, seed), samples=150, interval="items")["Fleiss' kappa"]]
        )
        assert 34 <= held <= 40

    def test_a_handful_of_queries_or_documents_is_a_warning(self):
        (few,) = cf.agree(_noisy(60, 3, queries=4)).warnings
        assert str(few) == (
            "only 60 documents of 4 queries with two labels or more; coefficients and intervals from so few mean little"
        )
        (few,) = cf.agree(_noisy(19, 3, queries=19)).warnings
        assert (few.kind, few.count) == ("too-few-labels", 19)
        assert cf.agree(_noisy(60, 3, queries=10)).warnings == ()
        (few,) = cf.agree(cf.Labels.from_matrix([[0, 1, 1], [0, 1, 0]])).warnings
        assert str(few).startswith("only 3 items with two labels or more")

    def test_one_query_has_no_interval_from_queries(self):
        one = [("q", document, judge, grade) for _, document, judge, grade in _noisy(60, 3)]
        assert cf.agree(one).by_default.method == "bootstrap of items"
        with pytest.raises(UsageError, match="two queries or more"):
            cf.agree(one, interval="queries")


def _matrix(rows):
    judges = sorted({judge for _, _, judge, _ in rows})
    return np.array([[grade for _, _, who, grade in rows if who == judge] for judge in judges], dtype=float)


class TestWhatIsWrong:
    def test_a_single_item_has_no_interval_and_samples_that_are_all_alike_one_without_width(self):
        single = cf.agree(cf.Labels.from_matrix([[0], [1]]))["agreement"]
        assert (single.value, single.reason) == (0, "a single item shows no variance")
        assert math.isnan(single.low)
        alike = cf.agree(cf.Labels.from_matrix([[0, 1, 2], [0, 1, 2]]))["agreement"]
        assert (alike.low, alike.high) == (1, 1)
        assert "no width" in alike.reason


@pytest.mark.parametrize("seed", range(6))
def test_an_interval_contains_its_estimate(seed):
    rng = np.random.default_rng(seed)
    grades = rng.integers(0, 3, (4, 12)).astype(float)
    grades[rng.random(grades.shape) < 0.3] = np.nan
    for agreement in cf.agree(cf.Labels.from_matrix(grades), samples=20, seed=seed).coefficients:
        assert math.isnan(agreement.low) or agreement.low <= agreement.value <= agreement.high, agreement
