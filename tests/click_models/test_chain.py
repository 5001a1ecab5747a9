"""Models in which people read from the top: CM, DCM, SDBN, DBN, CCM."""

import numpy as np
import pytest

import cranfield as cf
from cranfield.click_models import CM, DBN, DCM, SDBN, Fitting
from cranfield.click_models.chain import _read
from cranfield.click_models.held_out import log_likelihood
from tests.click_models.simulated import drawn, every_pattern, known, shown


@pytest.mark.parametrize(("model", "parameter"), [(DCM, "continuation"), (SDBN, "satisfaction")])
def test_to_take_the_last_click_for_the_end_is_quick_and_biased(model, parameter):
    truth, log = drawn(model.name, 20_000)
    errors = [
        np.abs(model.fit(log, Fitting(stops=stops)).parameters[parameter].values - truth.parameters[parameter].values)
        for stops in (True, False)
    ]
    assert errors[0].mean() > 1.5 * errors[1].mean()


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
