"""scikit-learn, called here and now on random judgments and scores, gives the same numbers."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import cranfield as cf
from tests.effort import examples

sk = pytest.importorskip("sklearn.metrics")

grades = st.integers(min_value=0, max_value=4)
few_scores = st.sampled_from([0.0, 0.5, 1.0, 2.5])
documents = st.lists(st.tuples(grades, few_scores), min_size=2, max_size=14)
"""Grade and score of each document; scores are few, so that most are tied."""


@examples(60)
@given(documents=documents, cutoff=st.sampled_from([None, 1, 3, 10]))
def test_its_gain_averaged_over_ties_is_the_expected_gain(documents, cutoff):
    true, scores = grades_and_scores(documents)
    assert expected(documents, at(cf.DCG, cutoff)) == pytest.approx(sk.dcg_score([true], [scores], k=cutoff), abs=1e-12)


@examples(60)
@given(documents=documents, cutoff=st.sampled_from([None, 1, 3, 10]))
def test_its_normalised_gain_averaged_over_ties_is_the_expected_one(documents, cutoff):
    true, scores = grades_and_scores(documents)
    assume(true.any())
    theirs = sk.ndcg_score([true], [scores], k=cutoff)
    assert expected(documents, at(cf.nDCG, cutoff)) == pytest.approx(theirs, abs=1e-12)
    assert expected(documents, at(cf.nDCG(ideal="retrieved"), cutoff)) == pytest.approx(theirs, abs=1e-12)


@examples(30)
@given(documents=documents)
def test_an_evaluation_that_averages_over_ties_gives_what_it_gives(documents):
    true, scores = grades_and_scores(documents)
    ours = evaluated(documents, cf.DCG @ 5, ties="average").mean("DCG@5").value
    assert ours == pytest.approx(sk.dcg_score([true], [scores], k=5), abs=1e-12)


@examples(30)
@given(documents=documents, cutoff=st.sampled_from([None, 1, 3, 10]))
def test_its_profile_gives_the_score_of_each_query_s_candidates(documents, cutoff):
    true, scores = grades_and_scores(documents)
    assume(true.any())
    measure = at(cf.nDCG, cutoff)
    ours = evaluated(documents, measure, profile="sklearn")
    assert ours.mean(ours.measures[0]).value == pytest.approx(sk.ndcg_score([true], [scores], k=cutoff), abs=1e-12)


@examples(30)
@given(documents=documents)
def test_exponential_gain_is_what_it_makes_of_two_to_the_grade(documents):
    true, scores = grades_and_scores(documents)
    assume(true.any())
    theirs = sk.ndcg_score([2**true - 1], [scores])
    assert expected(documents, cf.nDCG(gain="exponential")) == pytest.approx(theirs, abs=1e-12)


@examples(30)
@given(given=st.lists(grades, min_size=2, max_size=14), rel=st.sampled_from([1, 3]))
def test_without_ties_its_two_average_precisions_are_ours(given, rel):
    documents = list(zip(given, np.linspace(1, 0, len(given)).tolist(), strict=True))
    true, scores = grades_and_scores(documents)
    assume((true >= rel).any())
    ours = scored(documents, cf.AP(rel=rel))
    assert ours == pytest.approx(sk.average_precision_score(true >= rel, scores), abs=1e-12)
    assert ours == pytest.approx(sk.label_ranking_average_precision_score([true >= rel], [scores]), abs=1e-12)


@examples(30)
@given(relevant=st.integers(min_value=0, max_value=9), size=st.integers(min_value=10, max_value=14))
def test_with_one_relevant_document_both_are_its_reciprocal_rank(relevant, size):
    documents = [(int(place == relevant), float(-place)) for place in range(size)]
    true, scores = grades_and_scores(documents)
    assert scored(documents, cf.RR) == pytest.approx(sk.label_ranking_average_precision_score([true], [scores]))
    assert scored(documents, cf.RR) == pytest.approx(1 / (relevant + 1))


@examples(30)
@given(documents=documents, size=st.integers(min_value=1, max_value=14), beta=st.sampled_from([0.5, 1, 2]))
def test_a_retrieved_set_is_its_positive_class(documents, size, beta):
    true, _ = grades_and_scores(documents)
    assume(true.any())
    found = np.arange(len(true)) < size
    judgments = {"q": {f"d{place}": grade for place, (grade, _) in enumerate(documents)}}
    run = {"q": [f"d{place}" for place in np.flatnonzero(found)]}
    measures = [cf.measures.SetP, cf.measures.SetR, cf.measures.SetF(beta=beta), cf.measures.Accuracy]
    ours = cf.evaluate(judgments, run, measures).values[:, 0, 0]
    theirs = [
        sk.precision_score(true > 0, found),
        sk.recall_score(true > 0, found),
        sk.fbeta_score(true > 0, found, beta=beta),
        sk.accuracy_score(true > 0, found),
    ]
    assert ours.tolist() == pytest.approx(theirs, abs=1e-12)


def grades_and_scores(documents):
    true, scores = zip(*documents, strict=True)
    return np.array(true), np.array(scores)


def evaluated(documents, measure, **settings):
    judgments = {"q": {f"d{place}": grade for place, (grade, _) in enumerate(documents)}}
    run = {"q": {f"d{place}": score for place, (_, score) in enumerate(documents)}}
    return cf.evaluate(judgments, run, measure, **settings)


def scored(documents, measure) -> float:
    return float(evaluated(documents, measure).values[0, 0, 0])


def expected(documents, measure) -> float:
    return float(evaluated(documents, measure).tie_bounds()["run"].expected[0, 0])


def at(measure, cutoff):
    return measure if cutoff is None else measure @ cutoff
