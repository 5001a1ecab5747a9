import numpy as np
import pytest

import cranfield as cf
from cranfield import demo
from cranfield.click_models import MODELS, PBM, UBM, Fitting
from tests.click_models.simulated import drawn
from tools.demo_collection.visits import ATTRACTION, EXAMINATION


@pytest.mark.parametrize("name", ["PBM", "UBM"])
def test_counting_what_nobody_saw_ends_at_the_same_parameters(name):
    _, log = drawn(name, 500, queries=1, depth=3)
    ends = [
        MODELS[name].fit(log, Fitting(prior=(1, 1), iterations=20_000, tolerance=1e-9, unseen=unseen)).relevance()[0]
        for unseen in (True, False)
    ]
    assert ends[0] == pytest.approx(ends[1], abs=1e-5)


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


def test_examination_is_anchored_at_the_first_rank_unless_that_is_switched_off():
    _, log = drawn("PBM", 2_000)
    for model in (PBM, UBM):
        assert model.fit(log).parameters["examination"].values.flat[0] == 1
        assert model.fit(log, Fitting(anchored=False)).parameters["examination"].values.flat[0] < 1
