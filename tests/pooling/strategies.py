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


FEW_DOCUMENTS = ["d1", "d2", "d3", "d4", "d5"]


@st.composite
def small(draw):
    """Two runs of one query with few holes, and judgments with three grades; some documents nobody found."""
    ranking = st.permutations(FEW_DOCUMENTS).map(lambda order: order[: draw(st.integers(1, 5))])
    given_runs = {"b": {"q1": draw(ranking)}, "a": {"q1": draw(ranking)}}
    graded = draw(st.dictionaries(st.sampled_from(FEW_DOCUMENTS), st.integers(0, 2), min_size=1, max_size=3))
    missed = draw(st.lists(st.integers(0, 2), max_size=2))
    # Another query holds all grades, so that they are known to the collection.
    known = {"q1": {**graded, **{f"m{at}": grade for at, grade in enumerate(missed)}}, "q2": {"x": 2, "y": 1, "z": 0}}
    return given_runs, known
