"""What is said about a pool."""

from __future__ import annotations

from dataclasses import replace

import cranfield as cf

RUNS = {"a": {"q1": ["d1", "d2", "d3"], "q2": ["d9"]}, "b": {"q1": ["d2", "d4", "d1"], "q2": ["d8", "d9"]}}


def test_a_pool_of_what_is_new_says_how_much_is_judged():
    pool = cf.pool(RUNS, depth=2, judgments={"q1": {"d1": 1, "d2": 0}, "q2": {"d9": 1}})
    assert replace(pool, seconds_per_label=90).verdict() == (
        "2 new documents to judge for 2 queries. The first 2 of 2 runs hold 5 pairs of query and document, of which 3 "
        "are judged already. At 90 seconds each, that is about 3 minutes."
    )
    # of a all four are judged; of b two of four, in the mean of two queries
    assert [one.judged for one in pool.coverage.values()] == [1.0, 0.5]
    assert [one.then for one in pool.coverage.values()] == [1.0, 1.0]
    assert [(one.pooled, one.alone) for one in pool.coverage.values()] == [(3, 1), (4, 2)]
