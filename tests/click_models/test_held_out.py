"""Which model predicts best: the one the clicks were drawn from."""

import numpy as np
import pytest

import cranfield as cf
from cranfield import demo
from cranfield.click_models import MODELS, PBM, Fitting
from cranfield.click_models.held_out import compare_click_models, log_likelihood, perplexity
from cranfield.errors import DataError, UsageError
from tests.click_models.simulated import drawn

ESTIMATED = Fitting(stops=False)


@pytest.mark.parametrize("name", MODELS)
def test_the_model_that_clicks_were_drawn_from_predicts_them_best(name):
    _, log = drawn(name, 2_000, seed=3)
    compared = compare_click_models(log, fitting=ESTIMATED)
    assert name in (compared.best, *compared.as_good)
    assert len(compared.as_good) <= 2


def test_by_perplexity_a_model_of_documents_and_ranks_beats_rates():
    _, log = drawn("PBM", 3_000)
    compared = compare_click_models(log, ["GCTR", "RCTR", "DCTR", "PBM"], by="perplexity")
    assert compared.best == "PBM"
    assert [score.name for score in compared.models][-1] == "GCTR"
    assert all(score.difference.low > 0 for score in compared.models[1:])


def test_no_session_is_on_both_sides():
    rows = [
        {"session": f"s{number % 7}", "query": "q", "documents": ["a", "b"], "clicks": [number % 2, 0]}
        for number in range(70)
    ]
    log = cf.read_clicks(rows)
    folds = log.folds(3, seed=4)
    for session in range(7):
        assert len(set(folds[log.session == session])) == 1
    assert set(folds) == {0, 1, 2}


def test_every_impression_is_predicted_once():
    _, log = drawn("PBM", 500)
    compared = compare_click_models(log, ["PBM"])
    assert (compared.impressions, compared.sessions) == (500, 500)
    assert compare_click_models(log, ["PBM"], held_out=0.25).impressions == 125


def test_the_same_seed_gives_the_same_numbers():
    _, log = drawn("PBM", 300)
    one, two, other = (compare_click_models(log, ["PBM"], seed=seed).to_dict() for seed in (1, 1, 2))
    assert one == two != other


def test_scores_are_those_of_the_formulas():
    _, log = drawn("UBM", 200, depth=4)
    model = PBM.fit(log)
    block = model.pairs.block(log)
    given, expected = model.conditional(block), model.expected(block)
    likely = [
        np.mean([np.log(given[r, i] if block.click[r, i] else 1 - given[r, i]) for r in range(4)]) for i in range(200)
    ]
    assert log_likelihood(model, log) == pytest.approx(np.mean(likely))
    at_rank = [
        2 ** -np.mean([np.log2(expected[r, i] if block.click[r, i] else 1 - expected[r, i]) for i in range(200)])
        for r in range(4)
    ]
    whole, found = perplexity(model, log)
    assert found == pytest.approx(at_rank)
    assert whole == pytest.approx(np.mean(at_rank))
    assert perplexity(model, log, conditional=True)[0] == pytest.approx(whole)  # the clicks above do not matter here


def test_intervals_are_those_of_a_bootstrap_over_sessions():
    _, log = drawn("PBM", 600)
    score = compare_click_models(log, ["PBM"], held_out=0.5).models[0]
    folds = log.folds(2)
    train, test = log.select(folds != 0), log.select(folds == 0)
    model = PBM.fit(train)
    assert perplexity(model, test)[0] == pytest.approx(score.perplexity.value)
    rng = np.random.default_rng(0)
    drawn_again = [perplexity(model, test.select(rng.integers(0, len(test), len(test))))[0] for _ in range(300)]
    error = (score.perplexity.high - score.perplexity.low) / 2 / 1.96
    assert np.std(drawn_again) == pytest.approx(error, rel=0.15)


def test_a_model_that_cannot_be_told_from_the_best_is_named():
    compared = compare_click_models(demo.path("clicks.csv"))
    assert compared.best == "PBM"
    assert compared.as_good == ("CCM",)
    assert compared.verdict().endswith("no significant difference to CCM.")
    assert str(compared).startswith("PBM predicts held-out clicks best (log-likelihood -0.2")
    assert compared._repr_html_().startswith("<p>PBM")
    assert repr(compared).startswith("ModelComparison(PBM, CCM")
    assert len(compared.ranks().columns) == 11


def test_clicks_that_a_model_has_no_room_for_are_counted():
    compared = compare_click_models(demo.path("clicks.csv"), ["CM", "PBM"])
    assert compared.models[1].impossible > 100
    assert any("CM gives" in note for note in compared.table().notes)
    assert compared.verdict().startswith("PBM predicts held-out clicks best")
    assert "CM, the next, is worse by" in compared.verdict()


def test_a_single_model_is_compared_with_nothing():
    assert compare_click_models(demo.path("clicks.csv"), ["PBM"]).verdict().endswith("no other model was compared.")


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"models": ["PBN"]}, "There is no click model 'PBN'. Did you mean PBM"),
        ({"models": []}, "at least one"),
        ({"held_out": 0.9}, "held_out is a share"),
        ({"by": "luck"}, "by must be one of"),
    ],
)
def test_arguments_are_checked(wrong, message):
    with pytest.raises(UsageError, match=message):
        compare_click_models(demo.path("clicks.csv"), **wrong)


def test_one_session_cannot_be_divided():
    rows = [{"session": "s", "query": "q", "documents": ["a"], "clicks": [1]}] * 3
    with pytest.raises(UsageError, match=r"2 parts of 1 session are not possible; a session is never on both sides\.$"):
        cf.read_clicks(rows).folds(2)


def test_queries_that_were_never_asked_before_may_be_left_out():
    rows = [{"session": n, "query": f"q{n % 50}", "documents": ["a", "b"], "clicks": [n % 2, 0]} for n in range(100)]
    every = compare_click_models(rows, ["PBM"], seed=1)
    known = compare_click_models(rows, ["PBM"], seed=1, seen_only=True)
    assert known.impressions < every.impressions
    with pytest.raises(UsageError, match="leave out seen_only"):
        compare_click_models(rows[:50], ["PBM"], seen_only=True)


def test_a_model_needs_a_name():
    with pytest.raises(UsageError, match="There is no click model 'None'"):
        cf.fit_click_model([{"query": "q", "documents": ["a"], "clicks": [1]}], None)


def test_one_session_is_too_few_to_compare_models():
    rows = [{"session": "s", "query": "q", "documents": ["a"], "clicks": [1]}] * 20
    with pytest.raises(DataError, match=r"one session, which is too few to compare models[^$]*--model PBM"):
        cf.compare_click_models(rows)
    labels = cf.clicks(rows, "PBM")
    assert labels.verdict().startswith("PBM labels 1 document of 1 query.")
    assert repr(labels).startswith("ClickLabels(PBM; 1 document of 1 query, grades 0 to 0")
