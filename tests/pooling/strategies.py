"""Runs and judgments for laws."""

from __future__ import annotations

from hypothesis import strategies as st

DOCUMENTS = [f"d{number}" for number in range(12)]
QUERIES = ["q1", "q2", "q10"]


@st.composite
def runs(draw, least=1, most=4):
    """Several runs of a few queries; each answers the first query."""
    ranking = st.lists(st.sampled_from(DOCUMENTS), min_size=1, max_size=9, unique=True)
    others = st.dictionaries(st.sampled_from(QUERIES[1:]), ranking)
    count = draw(st.integers(least, most))
    return {f"run{number}": {"q1": draw(ranking), **draw(others)} for number in range(count)}


@st.composite
def judgments(draw, most=2):
    """Grades of some documents, at least one for each query."""
    grades = st.dictionaries(st.sampled_from(DOCUMENTS), st.integers(0, most), min_size=1)
    return {query: draw(grades) for query in QUERIES}


ORDERED = ["depth", "rrf", "rbp", "mtf", "mm-ns", "thompson"]
"""Strategies that put a whole pool into an order, with any number of runs."""


def pairs(pool):
    return [(entry.query, entry.document) for entry in pool]


def union(given, depth):
    """The pairs that any run has among its first documents."""
    return {(query, name) for run in given.values() for query, names in run.items() for name in names[:depth]}
