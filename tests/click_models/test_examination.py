"""Models of examination by rank: PBM and UBM."""

import numpy as np
import pytest

import cranfield as cf
from cranfield import demo
from cranfield.click_models import MODELS, PBM, UBM, Fitting
from tests.click_models.simulated import drawn, shown
from tools.demo_collection.visits import ATTRACTION, EXAMINATION


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


def test_ranks_below_those_of_the_log_have_what_the_prior_says():
    _, log = drawn("PBM", 300, depth=3)
    other = shown(5, depth=8)
    for model in MODELS.values():
        fitted = model.fit(log)
        assert np.isfinite(fitted.expected(fitted.pairs.block(other))).all()
        assert np.isfinite(fitted.conditional(fitted.pairs.block(other))).all()


def test_examination_is_anchored_at_the_first_rank_unless_that_is_switched_off():
    _, log = drawn("PBM", 2_000)
    for model in (PBM, UBM):
        assert model.fit(log).parameters["examination"].values.flat[0] == 1
        assert model.fit(log, Fitting(anchored=False)).parameters["examination"].values.flat[0] < 1
