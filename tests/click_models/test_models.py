"""Every click model: its laws, and the parameters of data that were drawn from it."""

from dataclasses import replace

import numpy as np
import pytest

import cranfield as cf
from cranfield.click_models import CM, MODELS, Fitting
from cranfield.click_models.held_out import log_likelihood
from cranfield.kernels import CHOICE, are_compiled
from tests.click_models.simulated import drawn, every_pattern, known, shape_of, shown

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
    "TCM": {"attraction": 0.04, "examination": 0.02, "match": 0.02, "further query": 0.02, "freshness": 0.03},
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
    log = shown(5_000, queries=2, pool=6, depth=5, **shape_of(name))
    model = known(name, log)
    clicked = model.simulate(log, np.random.default_rng(2))
    expected = model.expected(model.block(log)).mean(axis=1)
    assert clicked.clicked.reshape(-1, 5).mean(axis=0) == pytest.approx(expected, abs=0.025)


@pytest.mark.parametrize("name", MODELS)
def test_the_same_seed_draws_the_same_clicks(name):
    log = shown(50)
    model = known(name, log)
    one, two = (model.simulate(log, np.random.default_rng(5)).clicked for _ in range(2))
    assert (one == two).all()
    assert not log.clicked.any()


@pytest.mark.parametrize("name", ["PBM", "UBM", "DBN", "CCM"])  # TCM's likelihood is of whole sessions
def test_more_rounds_never_fit_worse(name):
    _, log = drawn(name, 300, depth=5)
    plain = Fitting(prior=(1e-9, 1e-9), tolerance=0, anchored=False)
    likelihoods = [
        log_likelihood(MODELS[name].fit(log, replace(plain, iterations=rounds)), log, floor=1e-300)
        for rounds in (1, 2, 3, 5, 10, 20)
    ]
    assert np.diff(likelihoods).min() > -1e-9


@pytest.mark.parametrize("name", ["PBM", "UBM", "TCM"])
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


def test_a_document_that_was_never_seen_is_an_average_one():
    _, log = drawn("PBM", 500)
    other = cf.read_clicks([{"query": "q0", "documents": ["new"], "clicks": [0]}])
    for name in ("DCTR", "PBM", "CM", "DBN"):
        model = MODELS[name].fit(log)
        expected = model.expected(model.pairs.block(other))[0, 0]
        assert 0.05 < expected < 0.7


def test_lists_of_different_length_are_padded_with_nothing():
    rows = [{"query": "q", "documents": list("abc"[:n]), "clicks": [1]} for n in (1, 2, 3) for _ in range(20)]
    log = cf.read_clicks(rows)
    for model in MODELS.values():
        fitted = model.fit(log)
        assert np.isfinite(next(iter(fitted.parameters.values())).values).all()
    assert CM.fit(log).relevance()[0][0] == pytest.approx(1, abs=0.02)


@pytest.mark.skipif(not are_compiled(), reason="the compiled loops are not there")
@pytest.mark.parametrize("fitting", [Fitting(), Fitting(iterations=5, unseen=True, anchored=False, tolerance=0)])
@pytest.mark.parametrize("name", ["PBM", "UBM", "DBN", "CCM"])
def test_compiled_loops_learn_the_same_to_the_last_bit(name, fitting, monkeypatch):
    _, log = drawn(name, 700, depth=7)
    # Lists of different lengths, and impressions that count several times or not at all.
    keep = np.random.default_rng(3).random(len(log.document)) < 0.8
    kept = np.maximum(np.add.reduceat(keep, log.starts[:-1]), 1)
    keep[log.starts[:-1]] |= np.add.reduceat(keep, log.starts[:-1]) == 0
    log = replace(
        log,
        starts=np.concatenate([[0], np.cumsum(kept)]),
        document=log.document[keep],
        clicked=log.clicked[keep],
    )
    weight = np.random.default_rng(4).integers(0, 4, len(log)).astype(np.float64)
    learnt = {}
    for kernels in ("plain", "compiled"):
        monkeypatch.setenv(CHOICE, kernels)
        block = log.pairs.block(log).weighted(weight)
        learnt[kernels] = MODELS[name].fit_block(log.pairs, block, fitting)
    plain, compiled = learnt["plain"], learnt["compiled"]
    assert compiled.rounds == plain.rounds
    for one, other in zip(plain.parameters.values(), compiled.parameters.values(), strict=True):
        assert one.values.tobytes() == other.values.tobytes()
        assert one.evidence.tobytes() == other.evidence.tobytes()


@pytest.mark.parametrize("name", ["PBM", "DBN", "CCM"])
def test_where_loops_would_divide_by_zero_the_plain_ones_answer(name, monkeypatch):
    rows = [{"query": "q", "documents": ["a", "b"], "clicks": [1, 1]}] * 30
    log, fitting = cf.read_clicks(rows), Fitting(prior=(1e-20, 1e-20), iterations=3, tolerance=0)
    found = []
    for kernels in ("plain", *(["compiled"] if are_compiled() else [])):
        monkeypatch.setenv(CHOICE, kernels)
        with np.errstate(all="ignore"):
            found.append(
                [parameter.values.tobytes() for parameter in MODELS[name].fit(log, fitting).parameters.values()]
            )
    assert found[0] == found[-1]
