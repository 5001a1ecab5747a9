"""Judgments that are written are read as they were."""

from __future__ import annotations

import io

import pytest

import cranfield as cf
from cranfield.errors import DataError
from cranfield.formats.writing import trec
from tests.formats.reading import grades


def test_what_is_written_is_read_again():
    judged = {"q1": {"d1": 2.0, "d2": 0.1 + 0.2}, "é\u20281": {"\ufeffd": -1.0, "#d": 1e100}}
    assert grades(cf.read_judgments(io.StringIO(trec(cf.read_judgments(judged))))) == judged


@pytest.mark.parametrize("query", ["two words", "#1", "\ufeffq1", " q", "q\x00 "])
def test_a_query_that_would_be_read_otherwise_is_not_written(query):
    with pytest.raises(DataError, match=r"cannot stand in a TREC file"):
        trec(cf.read_judgments({query: {"d1": 1}}))
