"""What is said about a pool."""

from __future__ import annotations

from dataclasses import replace

import pytest

import cranfield as cf
from cranfield.pooling.words import duration

RUNS = {"a": {"q1": ["d1", "d2", "d3"], "q2": ["d9"]}, "b": {"q1": ["d2", "d4", "d1"], "q2": ["d8", "d9"]}}


def test_a_pool_of_what_is_new_says_how_much_is_judged():
    pool = cf.pool(RUNS, depth=2, judgments={"q1": {"d1": 1, "d2": 0}, "q2": {"d9": 1}})
    assert replace(pool, seconds_per_label=90).verdict() == (
        "2 new documents to judge for 2 queries. The first 2 of 2 runs hold 5 pairs of query and document; 3 of them "
        "are judged already. At 90 seconds each, that is about 3 minutes."
    )
    # of a all four are judged; of b two of four, in the mean of two queries
    assert [one.judged for one in pool.coverage.values()] == [1.0, 0.5]
    assert [one.then for one in pool.coverage.values()] == [1.0, 1.0]
    assert [(one.pooled, one.alone) for one in pool.coverage.values()] == [(3, 1), (4, 2)]


def test_a_pool_that_is_all_judged_leaves_nothing():
    pool = cf.pool({"a": {"q1": ["d1"]}}, depth=1, judgments={"q1": {"d1": 1}})
    assert pool.verdict() == (
        "Nothing is left to judge. The first 1 of one run hold 1 pairs of query and document; 1 of them are judged "
        "already."
    )


def test_a_budget_is_told_with_how_it_was_spent():
    spent = cf.pool(RUNS, depth=3, budget=4, strategy="rrf").verdict()
    assert spent.startswith("4 documents to judge for 2 queries, 2 each, chosen by reciprocal rank fusion.")


@pytest.mark.parametrize(
    ("seconds", "told"),
    [
        (1, "1 minute"),
        (89, "1 minute"),
        (120, "2 minutes"),
        (3600, "1 hour"),
        (5400, "1.5 hours"),
        (7.2e6, "2,000 hours"),
    ],
)
def test_a_time_is_told_in_minutes_or_hours(seconds, told):
    assert duration(seconds) == told
