"""Estimates from logs with propensities are right on average, and say how far they may be off."""

import json
import math

import numpy as np
import pytest

import cranfield as cf
from cranfield import demo
from cranfield.click_models import PBM
from cranfield.click_models.counterfactual import policy_value, unbiased_scores
from cranfield.errors import DataError, UsageError
from tests.click_models.simulated import ITEMS, LOGGED, RATES, bandit, known, shown

POLICIES = [("uniform", RATES.mean()), ({"a": 0.8, "b": 0.2}, 0.8 * 0.5 + 0.2 * 0.2), ({"": {"c": 1.0}}, 0.1)]


@pytest.mark.parametrize(("policy", "truth"), POLICIES)
def test_the_value_of_a_policy_is_right_on_average_and_within_its_interval(policy, truth):
    found = [policy_value(bandit(400, seed), policy, samples=20) for seed in range(60)]
    for name in ("ips", "snips"):
        values = [getattr(value, name) for value in found]
        mean = np.mean([value.value for value in values])
        assert mean == pytest.approx(truth, abs=4 * np.std([v.value for v in values]) / np.sqrt(60) + 1e-9)
        assert np.mean([value.low <= truth <= value.high for value in values]) > 0.85


def test_bootstrap_and_normal_intervals_are_much_the_same():
    value = policy_value(bandit(3_000, 1))
    low, high = value.bootstrap["ips"]
    assert (low, high) == pytest.approx((value.ips.low, value.ips.high), abs=0.15 * (high - low))


def test_the_logged_policy_is_worth_what_it_earned():
    rows = bandit(500, 2)
    value = policy_value(rows, dict(zip(ITEMS, LOGGED.tolist(), strict=True)))
    clicks = np.mean([row["click"] for row in rows])
    assert value.ips.value == value.snips.value == pytest.approx(clicks)
    assert value.effective == pytest.approx(500)


def test_cut_weights_are_counted_and_called_biased():
    value = policy_value(bandit(500, 2), {"a": 1.0}, clip=2)
    assert value.clipped > 0
    assert value.ips.value < policy_value(bandit(500, 2), {"a": 1.0}).ips.value
    assert "estimates are biased" in str(value)


def test_a_small_effective_sample_is_told():
    rows = [{"item_id": "a", "click": 1, "propensity_score": 0.001}, *bandit(500, 3)]
    assert "the effective sample size is" in str(policy_value(rows, {"a": 1.0}).warnings[-1])


def test_few_rows_of_equal_weight_are_no_small_effective_sample():
    rows = [{"item_id": item, "click": 1, "propensity_score": 0.5} for item in "ab" * 10]
    value = policy_value(rows, {"a": 0.5, "b": 0.5})
    assert value.effective == pytest.approx(20)
    assert value.warnings == ()


def test_what_the_log_never_shows_is_told():
    assert "the policy shows 1 item that the log never does (z)" in str(
        policy_value(bandit(500, 3), {"a": 0.5, "z": 0.5}).warnings[0]
    )


@pytest.mark.parametrize("propensity", [1e-300, 1e-13, 0, -0.5, 1.5, math.nan, math.inf, "1e-400"])
def test_a_propensity_outside_the_range_is_refused(propensity):
    rows = [{"item_id": "a", "click": 1, "propensity_score": propensity}] * 3
    with pytest.raises(DataError, match="expected a probability from 1e-12 to 1"):
        policy_value(rows)


def test_the_smallest_propensity_gives_finite_numbers():
    rows = [{"item_id": item, "click": 1, "propensity_score": 1e-12} for item in "ab"]
    value = policy_value(rows)
    assert all(map(math.isfinite, (value.ips.value, value.ips.low, value.snips.value, value.effective)))


@pytest.mark.parametrize(
    ("option", "value"),
    [("clip", math.inf), ("clip", math.nan), ("clip", 1e-320), ("seed", -1), ("samples", 0), ("samples", 2.5)],
)
def test_what_no_estimate_can_be_made_with_is_wrong_usage(option, value):
    with pytest.raises(UsageError, match=f"{option} must be a"):
        policy_value(bandit(50, 1), **{option: value})


def test_a_log_without_propensities_is_refused():
    with pytest.raises(DataError, match="the log has no propensities"):
        policy_value(demo.path("clicks.csv"))
    with pytest.raises(UsageError, match="clip must be"):
        policy_value(bandit(50, 1), clip=0)


# Position bias


@pytest.fixture(scope="module")
def biased():
    """A log under the position-based model, another ranking of its documents, and what that is really worth."""
    log = shown(4_000, queries=5, pool=10, depth=10)
    model = known("PBM", log)
    rng = np.random.default_rng(9)
    run = {f"q{query}": [f"d{query * 10 + at}" for at in rng.permutation(10)] for query in range(5)}
    worth = {
        query: sum(
            model.parameters["attraction"].values[log.pairs.position(query, document)] / np.log2(1 + rank)
            for rank, document in enumerate(documents[:5], 1)
        )
        for query, documents in run.items()
    }
    asked = np.bincount(log.query, minlength=5)
    truth = sum(worth[log.queries[code]] * count for code, count in enumerate(asked)) / len(log)
    return log, model, run, truth


def test_scores_from_weighted_clicks_are_right_on_average(biased):
    log, model, run, truth = biased
    propensities = model.parameters["examination"].values
    found = [
        unbiased_scores(model.simulate(log, np.random.default_rng(seed)), run, "DCG@5", propensities=propensities)
        for seed in range(40)
    ]
    values = [scores.scores[0].value for scores in found]
    mean, spread = np.mean([v.value for v in values]), np.std([v.value for v in values])
    assert mean == pytest.approx(truth, abs=4 * spread / np.sqrt(40))
    assert np.mean([value.low <= truth <= value.high for value in values]) > 0.85


def test_without_weights_they_are_not(biased):
    log, model, run, truth = biased
    clicked = model.simulate(log, np.random.default_rng(0))
    naive = unbiased_scores(clicked, run, "DCG@5", propensities=np.ones(10)).scores[0].value
    assert naive.high < truth


def test_propensities_can_be_learnt(biased):
    log, model, run, truth = biased
    clicked = model.simulate(log, np.random.default_rng(1))
    learnt = unbiased_scores(clicked, run, "DCG@5")
    assert learnt.propensities == pytest.approx(PBM.fit(clicked).parameters["examination"].values)
    value = learnt.scores[0].value
    assert value.value == pytest.approx(truth, rel=0.05)


def test_runs_are_compared_with_the_first_in_pairs(biased):
    log, model, run, _ = biased
    clicked = model.simulate(log, np.random.default_rng(1))
    worse = {query: documents[7:] for query, documents in run.items()}
    scores = unbiased_scores(clicked, {"one": run, "same": run, "other": worse}, "DCG@5")
    one, same, other = scores.scores
    assert one.difference is None
    assert same.difference == (0, 0, 0)
    assert other.difference.value == pytest.approx(other.value.value - one.value.value)
    assert "other" in scores.verdict()
    assert json.dumps(scores.to_dict(), allow_nan=False)
    assert "UnbiasedScores(DCG@5: one" in repr(scores)
    assert "<table" in scores._repr_html_()


def test_measures_count_what_they_say():
    rows = [{"query": "q", "documents": ["a", "b"], "clicks": [1, 1]}] * 4
    run = {"q": ["x", "a", "b"]}
    values = {
        name: unbiased_scores(rows, run, name, propensities=[1, 0.5]).scores[0].value.value
        for name in ("DCG", "DCG@2", "P@2", "CTR@3", "CTR")
    }
    assert values == pytest.approx(
        {"DCG": 1 / np.log2(3) + 1, "DCG@2": 1 / np.log2(3), "P@2": 0.5, "CTR@3": 3, "CTR": 3}
    )


def test_clicks_on_what_a_run_does_not_return_are_told():
    rows = [{"query": "q", "documents": ["a", "b"], "clicks": [1, 0]}] * 200
    scores = unbiased_scores(rows, {"q": ["b"]}, "DCG@5", propensities=[1, 1])
    assert scores.scores[0].value.value == 0
    assert "200 of 200 clicks are on documents that the run does not return" in str(scores.warnings[-1])


def test_small_propensities_may_be_cut():
    rows = [{"query": "q", "documents": ["a", "b"], "clicks": [0, 1]}] * 200
    scores = unbiased_scores(rows, {"q": ["b"]}, "CTR", propensities=[1, 0.01], clip=0.1)
    assert scores.scores[0].value.value == pytest.approx(10)
    assert scores.clipped == 200
    assert "estimates are biased" in str(scores)


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"measure": "nDCG@10"}, "'nDCG@10' cannot be estimated from weighted clicks"),
        ({"measure": "P"}, "'P' cannot be estimated"),
        ({"measure": "DCG@0"}, "'DCG@0' cannot be estimated"),
        ({"propensities": [1, 0.5]}, "10 numbers from 1e-12 to 1"),
        ({"propensities": "DBN"}, "propensities are PBM, log"),
        ({"clip": 2}, "clip must be a propensity"),
    ],
)
def test_arguments_are_checked(wrong, message):
    with pytest.raises(UsageError, match=message):
        unbiased_scores(demo.path("clicks.csv"), demo.path("bm25.run"), **wrong)


def test_propensities_of_the_log_are_used_where_it_has_them():
    with pytest.raises(DataError, match="the log has no propensities"):
        unbiased_scores(demo.path("clicks.csv"), demo.path("bm25.run"), propensities="log")
    rows = [
        {"session": n, "query": "q", "position": 1, "document": "a", "clicked": 1, "propensity": 0.5}
        for n in range(200)
    ]
    assert cf.unbiased_scores(rows, {"q": ["a"]}, "CTR", propensities="log").scores[0].value.value == 2


def test_a_run_of_other_queries_is_refused():
    rows = [{"query": "q1", "documents": ["a"], "clicks": [1]}] * 3
    with pytest.raises(DataError, match="answers no query of the log: those are q1; here they are 1"):
        unbiased_scores(rows, {"1": ["a"]}, "CTR", propensities=[1])


def test_a_document_that_a_run_lists_twice_is_refused():
    rows = [{"query": "q1", "documents": ["a"], "clicks": [1]}] * 3
    with pytest.raises(DataError, match="lists document 'a' again"):
        unbiased_scores(rows, {"q1": ["a", "b", "a"]}, "CTR", propensities=[1])


def test_how_much_of_a_run_was_ever_shown_is_told():
    rows = [{"query": "q1", "documents": ["a", "b"], "clicks": [1, 0]}] * 200
    scores = unbiased_scores(rows, {"q1": ["x", "a", "y"]}, "DCG@2", propensities=[1, 1])
    assert scores.scores[0].shown == 0.5
    assert scores.table().columns["ever shown"] == ["50%"]


@pytest.mark.parametrize(
    ("policy", "message"),
    [
        ({"z": 1.0}, r"the log never showed what the policy shows \(z\)"),
        ({"": {}}, "the log never showed what the policy shows"),
        ({"a": float("nan")}, "the policy shows 'a' with a probability of NaN; expected a number from 0 to 1"),
        ({"a": float("inf")}, "the policy shows 'a' with a probability of inf"),
    ],
)
def test_a_policy_of_which_the_log_tells_nothing_is_refused(policy, message):
    rows = [{"item_id": "a", "click": 1, "propensity_score": 0.5}] * 3
    with pytest.raises(DataError, match=message):
        cf.policy_value(rows, policy)


def test_one_row_has_no_interval():
    verdict = cf.policy_value([{"item_id": "a", "click": 1, "propensity_score": 0.5}]).verdict()
    assert "1.000000 clicks per row (self-normalised)" in verdict
    assert "the effective sample size is 1 of 1 row." in verdict


def test_a_run_needs_a_log_with_queries():
    rows = [{"item_id": "a", "click": 1, "propensity_score": 0.5}] * 3
    with pytest.raises(DataError, match="the log has no queries, and a run ranks documents for queries"):
        cf.unbiased_scores(rows, {"q": ["a"]})
