"""How sure labels of a random sample make a difference."""

from __future__ import annotations

import numpy as np
import pytest

from cranfield import P, nDCG
from cranfield.assessing.likely import (
    PLACES,
    SIDES,
    Drawn,
    Sampled,
    labels_for,
    limit,
    of_sample,
    of_worlds,
    strata_of,
)
from cranfield.pooling.influence import UNJUDGED, World

approx = pytest.approx
LOOKS = (20, 40, 80, 160, 320)


def test_more_looks_ask_for_more():
    assert limit(1) == approx(1.959964)
    assert limit(5) == approx(2.575829)  # of a two-sided test at 0.05 / 5


def test_a_sample_gives_the_total_and_its_error_from_the_finite_number_of_documents():
    rng = np.random.default_rng(0)
    everything = rng.choice([-0.1, 0.0, 0.1], 200, p=[0.1, 0.6, 0.3])
    drawn = [of_sample(rng.choice(everything, 50, replace=False), 200, 0.0, 10) for _ in range(4000)]
    truth = everything.sum() / 10
    assert np.mean([sample.difference for sample in drawn]) == approx(truth, abs=0.01)
    spread = np.std([sample.difference for sample in drawn])
    assert np.sqrt(np.mean([sample.error**2 for sample in drawn])) == approx(spread, rel=0.05)


def test_when_everything_is_labelled_nothing_is_left_to_err():
    assert of_sample(np.array([0.1, -0.1, 0.2]), 3, 0.5, 2) == Sampled(approx(0.35), 0.0, 3)


def test_without_labels_nothing_is_likely():
    assert not of_sample(np.empty(0), 10, 0.3, 2).is_likely(1)
    assert not of_sample(np.array([0.1]), 10, 0.0, 2).is_likely(1)


def test_labels_that_all_say_nothing_make_nothing_likely():
    assert not of_sample(np.zeros(20), 100, 0.0, 2).is_likely(1)


def test_the_forecast_is_the_look_at_which_such_a_sample_is_far_enough_from_0():
    planned = LOOKS
    sample = Sampled(0.0714, 0.05, 20)
    look = labels_for(sample, 437, planned)
    assert look == 80
    for labels in planned:
        error = 0.05 * np.sqrt((1 - labels / 437) / labels / ((1 - 20 / 437) / 20))
        assert (limit(5) * error < 0.0714) == (labels >= look)


def test_of_equal_runs_the_forecast_is_everything():
    assert labels_for(Sampled(0.0, 0.05, 20), 437, LOOKS) == 437


def world_of(orders: list[list[int]], documents: int = 6) -> World:
    return World(
        query="q",
        documents=tuple("abcdef"[:documents]),
        grades=np.full(documents, UNJUDGED),
        holes=np.arange(documents),
        orders=tuple(np.array(order, dtype=np.int64) for order in orders),
        ranks=tuple(np.arange(1.0, len(order) + 1) for order in orders),
        retrieved=tuple(map(len, orders)),
        max_grade=1.0,
    )


def test_strata_are_which_run_has_a_document_further_up_whether_both_have_it_and_where():
    world = world_of([[0, 1, 2, 3], [0, 2, 1, 4]])
    strata = strata_of(world, (0, 1), None)
    side, place = strata // PLACES, strata % PLACES
    assert side.tolist() == [1, 0, 2, 0, 2, 1]
    assert place.tolist() == [2, 2, 2, 1, 1, 1]
    swapped = strata_of(world, (1, 0), None)
    assert (swapped // PLACES).tolist() == [1, 2, 0, 2, 0, 1]


def test_below_the_cutoff_a_run_does_not_have_a_document():
    world = world_of([[0, 1, 2, 3], [0, 2, 1, 4]])
    assert (strata_of(world, (0, 1), 2) // PLACES).tolist() == [1, 0, 2, 1, 1, 1]


@pytest.mark.parametrize("measure", [P @ 3, nDCG @ 3])
def test_without_holes_all_draws_are_the_same(measure):
    world = world_of([[0, 1, 2], [3, 4, 5]])
    judged = World(**{**vars(world), "grades": np.array([1.0, 1, 0, 0, 0, 1]), "holes": np.empty(0, dtype=np.int64)})
    counts = np.zeros((SIDES * PLACES, 2))
    completed = of_worlds([Drawn(judged, strata_of(judged, (0, 1), 3), counts)], measure, (0.0, 1.0), (0, 1), rng())
    run, baseline = judged.scores(measure, judged.grades[None])[:, 0]
    assert completed.sample.difference == approx(run - baseline)
    assert completed.sample.error == approx(0, abs=1e-12)
    assert np.isnan(completed.interval_low)


def test_documents_without_a_label_get_the_grades_of_their_stratum():
    world = world_of([[0, 1, 2], [3, 4, 5]])
    strata = strata_of(world, (0, 1), 3)
    counts = np.zeros((SIDES * PLACES, 2))
    counts[strata[0]] = [0, 400]  # all in the first run alone are relevant,
    counts[strata[3]] = [400, 0]  # all in the second alone are not
    completed = of_worlds([Drawn(world, strata, counts)] * 3, P @ 3, (0.0, 1.0), (0, 1), rng())
    assert completed.sample.difference > 0.97
    assert completed.sample.labels == 2400


def test_few_labels_leave_more_open_than_many():
    world = world_of([[0, 1, 2], [3, 4, 5]])
    strata = strata_of(world, (0, 1), 3)

    def error(labels: int) -> float:
        queries = [Drawn(world, strata, np.zeros((SIDES * PLACES, 2))) for _ in range(30)]
        queries[0].counts[strata[0]] += labels
        queries[0].counts[strata[3]] += labels
        return of_worlds(queries, P @ 3, (0.0, 1.0), (0, 1), rng()).sample.error

    assert error(1) > 1.5 * error(50)


def rng() -> np.random.Generator:
    return np.random.default_rng(7)
