"""Every click model: its laws, and the parameters of data that were drawn from it."""

from dataclasses import replace
from itertools import product

import numpy as np
import pytest

import cranfield as cf
from cranfield import demo
from cranfield.click_models import CM, DBN, DCM, MODELS, PBM, SDBN, UBM, Fitting
from cranfield.click_models.chain import _read
from cranfield.click_models.held_out import log_likelihood
from cranfield.click_models.model import looks, maximised
from cranfield.data.click_log import Block
from cranfield.errors import UsageError
from tests.click_models.simulated import drawn, known, shown
from tools.demo_collection.visits import ATTRACTION, EXAMINATION

ERRORS = {
    "GCTR": {"rate": 0.01},
    "RCTR": {"rate": 0.02},
    "DCTR": {"rate": 0.02},
    "PBM": {"attraction": 0.03, "examination": 0.02},
    "CM": {"attraction": 0.04},
    "DCM": {"attraction": 0.03, "continuation": 0.02},
    "SDBN": {"attraction": 0.03, "satisfaction": 0.07},
    "DBN": {"attraction": 0.03, "satisfaction": 0.08, "continuation": 0.01},
    "CCM": {
        "attraction": 0.03,
        "continuation after none": 0.01,
        "continuation after other": 0.04,
        "continuation after relevant": 0.04,
    },
    "UBM": {"attraction": 0.03, "examination": 0.03},
}
"""How far parameters may be off, on average, after 20,000 impressions of 240 documents."""


@pytest.mark.parametrize("name", MODELS)
def test_a_model_finds_the_parameters_of_data_that_were_drawn_from_it(name):
    truth, log = drawn(name, 20_000)
    found = MODELS[name].fit(log, Fitting(stops=False))
    assert found.converged
    for parameter, most in ERRORS[name].items():
        error = np.abs(found.parameters[parameter].values - truth.parameters[parameter].values)
        if parameter == "examination" and name == "UBM":
            error = error[np.tril_indices(log.depth, k=0)]
        elif truth.parameters[parameter].by == "document":
            error = error[:-1]
        assert error.mean() < most, parameter


@pytest.mark.parametrize(("model", "parameter"), [(DCM, "continuation"), (SDBN, "satisfaction")])
def test_to_take_the_last_click_for_the_end_is_quick_and_biased(model, parameter):
    truth, log = drawn(model.name, 20_000)
    errors = [
        np.abs(model.fit(log, Fitting(stops=stops)).parameters[parameter].values - truth.parameters[parameter].values)
        for stops in (True, False)
    ]
    assert errors[0].mean() > 1.5 * errors[1].mean()


def every_pattern(log, depth):
    """One impression under all patterns of clicks."""
    one = log.pairs.block(log.select(np.array([0])))
    patterns = np.array(list(product([False, True], repeat=depth))).T
    count = patterns.shape[1]
    return Block(np.repeat(one.pair, count, axis=1), patterns, np.repeat(one.shown, count, axis=1), np.ones(count))


@pytest.mark.parametrize("name", MODELS)
def test_the_probabilities_of_all_patterns_of_clicks_add_up_to_one_and_to_what_is_expected(name):
    log = shown(30, queries=2, pool=6, depth=5)
    model = known(name, log)
    block = every_pattern(log, 5)
    given = model.conditional(block)
    whole = np.where(block.click, given, 1 - given).prod(axis=0)
    assert whole.sum() == pytest.approx(1)
    expected = model.expected(block)
    assert (block.click * whole).sum(axis=1) == pytest.approx(expected[:, 0])
    assert np.ptp(expected, axis=1) == pytest.approx(np.zeros(5))


@pytest.mark.parametrize("name", MODELS)
def test_simulated_clicks_are_as_frequent_as_expected(name):
    log = shown(5_000, queries=2, pool=6, depth=5)
    model = known(name, log)
    clicked = model.simulate(log, np.random.default_rng(2))
    expected = model.expected(log.pairs.block(log)).mean(axis=1)
    assert clicked.clicked.reshape(-1, 5).mean(axis=0) == pytest.approx(expected, abs=0.025)


@pytest.mark.parametrize("name", MODELS)
def test_the_same_seed_draws_the_same_clicks(name):
    log = shown(50)
    model = known(name, log)
    one, two = (model.simulate(log, np.random.default_rng(5)).clicked for _ in range(2))
    assert (one == two).all()
    assert not log.clicked.any()


def test_who_looked_where_is_what_summing_over_all_possibilities_gives():
    log = shown(30, queries=2, pool=6, depth=4)
    model = known("DBN", log)
    block = every_pattern(log, 4)
    attraction = model.value("attraction", block)
    after_click, after_none = model._goes_on(block, attraction)
    read = _read(block, attraction, after_click, after_none)
    for column in range(block.count):
        weights = np.zeros((4, 5))
        for depth in range(1, 5):  # the last rank that was looked at, from 1
            chance = 1.0
            for rank in range(depth):
                a, click = attraction[rank, column], block.click[rank, column]
                chance *= a if click else 1 - a
                goes_on = (after_click if click else after_none)[rank, column]
                if rank < 3:
                    chance *= goes_on if rank < depth - 1 else 1 - goes_on
            chance *= not block.click[depth:, column].any()
            weights[:depth, depth] = chance
        looked = weights.sum(axis=1) / weights[0].sum()
        assert read.looked[:, column] == pytest.approx(looked)


@pytest.mark.parametrize("name", ["PBM", "UBM", "DBN", "CCM"])
def test_more_rounds_never_fit_worse(name):
    _, log = drawn(name, 300, depth=5)
    plain = Fitting(prior=(1e-9, 1e-9), tolerance=0, anchored=False)
    likelihoods = [
        log_likelihood(MODELS[name].fit(log, replace(plain, iterations=rounds)), log, floor=1e-300)
        for rounds in (1, 2, 3, 5, 10, 20)
    ]
    assert np.diff(likelihoods).min() > -1e-9


@pytest.mark.parametrize("name", ["PBM", "UBM"])
def test_counting_what_nobody_saw_ends_at_the_same_parameters(name):
    _, log = drawn(name, 500, queries=1, depth=3)
    ends = [
        MODELS[name].fit(log, Fitting(prior=(1, 1), iterations=20_000, tolerance=1e-9, unseen=unseen)).relevance()[0]
        for unseen in (True, False)
    ]
    assert ends[0] == pytest.approx(ends[1], abs=1e-5)


def test_impressions_that_are_alike_are_counted_once_and_weigh_as_many():
    _, log = drawn("PBM", 400, queries=1, pool=2, depth=2)
    assert log.block.count <= 8
    assert log.block.weight.sum() == 400
    for model in MODELS.values():
        merged = model.fit(log)
        plain = model.fit_block(log.pairs, log.pairs.block(log), Fitting())
        for name, parameter in merged.parameters.items():
            assert parameter.values == pytest.approx(plain.parameters[name].values, abs=1e-6)


def test_pbm_finds_what_the_demo_was_made_with():
    log = cf.read_clicks(demo.path("clicks.csv"))
    model = PBM.fit(log)
    truth = np.array(EXAMINATION) / EXAMINATION[0]
    assert model.parameters["examination"].values == pytest.approx(truth, abs=0.16)
    grades = cf.read_judgments(demo.path("qrels.txt"))
    attraction, worth = model.relevance()
    for grade in (0, 3):  # the others are too few, and judged with noise
        own = [
            at
            for at, (query, document) in enumerate(zip(log.pairs.query, log.pairs.document, strict=True))
            if grades[log.queries[query]].get(log.documents[document]) == grade and worth[at] > 10
        ]
        mean = np.average(attraction[own], weights=worth[own])
        assert mean == pytest.approx(EXAMINATION[0] * ATTRACTION[grade], abs=0.1)


def test_a_document_that_was_never_seen_is_an_average_one():
    _, log = drawn("PBM", 500)
    other = cf.read_clicks([{"query": "q0", "documents": ["new"], "clicks": [0]}])
    for name in ("DCTR", "PBM", "CM", "DBN"):
        model = MODELS[name].fit(log)
        expected = model.expected(model.pairs.block(other))[0, 0]
        assert 0.05 < expected < 0.7


def test_ranks_below_those_of_the_log_have_what_the_prior_says():
    _, log = drawn("PBM", 300, depth=3)
    other = shown(5, depth=8)
    for model in MODELS.values():
        fitted = model.fit(log)
        assert np.isfinite(fitted.expected(fitted.pairs.block(other))).all()
        assert np.isfinite(fitted.conditional(fitted.pairs.block(other))).all()


def test_lists_of_different_length_are_padded_with_nothing():
    rows = [{"query": "q", "documents": list("abc"[:n]), "clicks": [1]} for n in (1, 2, 3) for _ in range(20)]
    log = cf.read_clicks(rows)
    for model in MODELS.values():
        fitted = model.fit(log)
        assert np.isfinite(next(iter(fitted.parameters.values())).values).all()
    assert CM.fit(log).relevance()[0][0] == pytest.approx(1, abs=0.02)


def test_a_second_click_is_impossible_to_the_cascade_model():
    log = cf.read_clicks([{"query": "q", "documents": ["a", "b"], "clicks": [1, 1]}] * 3)
    model = CM.fit(log)
    assert (model.conditional(model.pairs.block(log))[1] == 0).all()
    assert log_likelihood(model, log) < np.log(1e-6) / 2


def test_satisfaction_and_attraction_make_relevance():
    truth, _ = drawn("DBN", 10)
    values = truth.parameters["attraction"].values * truth.parameters["satisfaction"].values
    assert truth.relevance()[0] == pytest.approx(values[:-1])
    assert DBN.relevance_is == "attraction × satisfaction"


def test_examination_is_anchored_at_the_first_rank_unless_that_is_switched_off():
    _, log = drawn("PBM", 2_000)
    for model in (PBM, UBM):
        assert model.fit(log).parameters["examination"].values.flat[0] == 1
        assert model.fit(log, Fitting(anchored=False)).parameters["examination"].values.flat[0] < 1


def test_looks_without_doubt_are_as_many_as_there_are():
    clicks, others = np.array([3.0]), np.array([5.0])
    assert looks(np.array([4 / 10]), (clicks, others, np.zeros(1)), (1, 1)) == pytest.approx([10])


def test_rounds_end_when_nothing_changes():
    halves = maximised((np.array([1.0]),), lambda values: (values[0] / 2 + 0.1,), Fitting(tolerance=1e-12))
    assert halves.converged
    assert halves.values[0] == pytest.approx([0.2])
    some = maximised((np.array([1.0]),), lambda values: (values[0] / 2 + 0.1,), Fitting(iterations=2))
    assert not some.converged


@pytest.mark.parametrize("wrong", [{"prior": (0, 1)}, {"prior": (1,)}, {"iterations": 0}, {"tolerance": -1}])
def test_choices_of_a_fit_are_checked(wrong):
    with pytest.raises(UsageError):
        Fitting(**wrong)


def test_a_model_shows_what_it_is():
    _, log = drawn("PBM", 100)
    assert (
        repr(PBM.fit(log, Fitting(iterations=1))) == "PBM(238 pairs; attraction, examination; 1 round, not converged)"
    )
