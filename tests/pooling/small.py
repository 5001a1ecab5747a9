"""Small collections: two runs whose pool can be counted by hand, and random ones with few holes."""

from __future__ import annotations

from hypothesis import strategies as st

RUNS = {"a": {"q1": ["d1", "d2", "d3"], "q2": ["d9"]}, "b": {"q1": ["d2", "d4", "d1"], "q2": ["d8", "d9"]}}
DOCUMENTS = ["d1", "d2", "d3", "d4", "d5"]


@st.composite
def small(draw):
    """Two runs of one query with few holes, and judgments with three grades; some documents nobody found."""
    ranking = st.permutations(DOCUMENTS).map(lambda order: order[: draw(st.integers(1, 5))])
    given_runs = {"b": {"q1": draw(ranking)}, "a": {"q1": draw(ranking)}}
    graded = draw(st.dictionaries(st.sampled_from(DOCUMENTS), st.integers(0, 2), min_size=1, max_size=3))
    missed = draw(st.lists(st.integers(0, 2), max_size=2))
    # Another query holds all grades, so that they are known to the collection.
    known = {"q1": {**graded, **{f"m{at}": grade for at, grade in enumerate(missed)}}, "q2": {"x": 2, "y": 1, "z": 0}}
    return given_runs, known
