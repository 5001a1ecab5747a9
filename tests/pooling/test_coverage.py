"""Judgments that a pool is compared with."""

from __future__ import annotations

import pytest

import cranfield as cf
from cranfield.errors import DataError

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
