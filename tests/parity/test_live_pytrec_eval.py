"""pytrec_eval, called here and now on random judgments and runs, gives the same numbers."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import cranfield as cf
from tests.effort import examples
from tests.parity.collections import family, measure_named

pytrec_eval = pytest.importorskip("pytrec_eval")

NOT_HERE_YET = {
    "relstring",
    "runid",
}

ids = st.text(st.sampled_from("0129abzé"), min_size=1, max_size=3)
grades = st.sampled_from([-1, 0, 0, 1, 1, 2, 3])
# Some scores differ only beyond single precision, in which pytrec_eval compares them.
scores = st.sampled_from([0.0, -1.5, 1.0, 1.00000001, 2.0, 2.0, 3.25, 1e-9])
# pytrec_eval crashes on a query all of whose grades are negative, so each has one that is not.
judged = st.dictionaries(ids, grades, max_size=12).map(lambda of_query: of_query | {"judged": 0})
qrels = st.dictionaries(st.sampled_from("ABCDE"), judged, min_size=1)
runs = st.dictionaries(st.sampled_from("ABCDEF"), st.dictionaries(ids, scores, min_size=1, max_size=15), min_size=1)


@examples(80)
@given(qrels=qrels, run=runs, rel=st.sampled_from([1, 2]))
def test_every_shared_measure_gives_the_same_for_every_query(qrels, run, rel):
    theirs = pytrec_eval.RelevanceEvaluator(qrels, pytrec_eval.supported_measures, relevance_level=rel).evaluate(run)
    assume(theirs)
    names = sorted({name for of_query in theirs.values() for name in of_query})
    measures = {name: measure for name in names if (measure := measure_named(name, 9)) is not None}
    names_of = list(measures)
    assert {family(name) for name in names if name not in measures} <= NOT_HERE_YET
    ours = evaluated(qrels, run, list(measures.values()), rel)
    for query, of_query in theirs.items():
        found = [as_pytrec_eval(name, value) for name, value in zip(measures, ours[query], strict=True)]
        expected = [of_query[name] for name in measures]
        if not of_query["num_rel"]:
            # Rndcg knows no level of relevance, but trec_eval does not compute it where no document reaches one.
            expected[names_of.index("Rndcg")] = found[names_of.index("Rndcg")]
        np.testing.assert_allclose(found, expected, rtol=1e-12, atol=1e-15)


@examples(30)
@given(qrels=qrels, run=runs)
def test_the_queries_evaluated_are_those_both_know(qrels, run):
    theirs = pytrec_eval.RelevanceEvaluator(qrels, {"map"}).evaluate(run)
    anchored = {**qrels, "anchor": {"x": 1}}, {**run, "anchor": {"x": 1.0}}
    scores = cf.evaluate(
        cf.read_judgments(anchored[0]), cf.read_run(name="run", source=anchored[1]), "AP", average_over="answered"
    )
    evaluated_queries = scores.per_query("AP").columns["query"]
    assert set(evaluated_queries) - {"anchor"} == set(theirs)
    assert set(scores.detail.alignments[0].unknown) == set(run) - set(qrels)


def evaluated(qrels, run, measures, rel) -> dict[str, np.ndarray]:
    """Scores by query; one more query, with a find, keeps the ids from never meeting."""
    scores = cf.evaluate(
        cf.read_judgments({**qrels, "anchor": {"x": 1}}),
        cf.read_run(name="run", source={**run, "anchor": {"x": 1.0}}),
        measures,
        precision="single",
        rel=rel,
    )
    return dict(zip(scores.queries, scores.values[:, 0].T, strict=True))


def as_pytrec_eval(name: str, value: float) -> float:
    """Undefined is 0 there, and the geometric mean's floor and logarithm are in the query's score."""
    defined = 0.0 if math.isnan(value) else float(value)
    return math.log(max(defined, 1e-5)) if name in ("gm_map", "gm_bpref") else defined
