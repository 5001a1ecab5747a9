"""Judgments that a pool is compared with."""

from __future__ import annotations

import pytest

import cranfield as cf
from cranfield.errors import DataError
from cranfield.pooling.candidates import Candidates
from cranfield.pooling.coverage import PoolCoverage, coverage_of

RUNS = {"a": {"q1": ["d1", "d2", "d3"], "q2": ["d9"]}, "b": {"q1": ["d2", "d4", "d1"], "q2": ["d8", "d9"]}}


def test_judgments_of_other_queries_stop():
    with pytest.raises(DataError, match="no query in common"):
        cf.pool(RUNS, judgments={"q7": {"d1": 1}})


def test_judgments_whose_ids_are_written_otherwise_stop():
    with pytest.raises(DataError, match="no document in common"):
        cf.pool(RUNS, judgments={"q1": {"D1": 1, "D2": 1}})


def test_judgments_of_other_documents_are_told():
    pool = cf.pool(RUNS, judgments={"q1": {"x": 1}})
    assert len(pool) == 6
    assert "no document in common" in str(pool.warnings[0])


def test_each_run_has_its_documents_those_it_alone_found_and_its_judged_share_before_and_after():
    candidates = Candidates(("a", "b"), 2, {"q1": (("d1", "d2"), ("d2", "d3"))})
    found = coverage_of(candidates, {"q1": {"d2": 1}}, [("q1", "d1")], 2)
    assert found == {"a": PoolCoverage(2, 1, judged=0.5, then=1.0), "b": PoolCoverage(2, 1, judged=0.5, then=0.5)}


def test_where_nothing_is_judged_the_share_is_zero():
    found = coverage_of(Candidates(("a",), 1, {"q1": (("d1",),)}), {}, [], 1)
    assert found == {"a": PoolCoverage(1, 1, judged=0.0, then=0.0)}
