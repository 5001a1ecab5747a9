"""People's labels of a random sample of documents correct scores by a model's labels."""

import numpy as np
import pytest

import cranfield as cf
from cranfield.errors import DataError, UsageError

RNG = np.random.default_rng(11)
QUERIES = [f"q{at:02}" for at in range(30)]
DOCUMENTS = [f"d{at}" for at in range(20)]
TRUTH = {query: {document: int(RNG.random() < 0.4) for document in DOCUMENTS} for query in QUERIES}
MODEL = {
    query: {document: int(grade or RNG.random() < 0.25) for document, grade in graded.items()}
    for query, graded in TRUTH.items()
}
RUNS = {name: {query: list(RNG.permutation(DOCUMENTS)) for query in QUERIES} for name in ("a", "b")}


def sample(rate, seed=0):
    """Rows of a sample: of two strata, a share of each was labelled by people."""
    rng = np.random.default_rng(seed)
    rows = []
    for query in QUERIES:
        for stratum, documents in (("1", DOCUMENTS[:8]), ("2", DOCUMENTS[8:])):
            drawn = set(rng.permutation(documents)[: max(2, round(rate * len(documents)))])
            rows += [(query, d, stratum, TRUTH[query][d] if d in drawn else -1) for d in documents]
    return cf.read_judgments(rows, columns="query,document,stratum,grade", groups="stratum")


def test_with_every_document_labelled_it_is_people_s_score():
    whole = cf.correct_by_documents(sample(1.0), MODEL, RUNS, "P@5")
    assert whole.of("P@5", "a").corrected.value == pytest.approx(cf.evaluate(TRUTH, RUNS, "P@5").mean("P@5", "a").value)


@pytest.mark.parametrize("measure", ["P@5", "DCG@10", "RBP"])
def test_many_samples_give_people_s_score_on_average_however_wrong_the_model(measure):
    wrong = {query: {document: 1 - grade for document, grade in graded.items()} for query, graded in TRUTH.items()}
    truth = cf.evaluate(TRUTH, RUNS, measure)
    apart = truth.mean(measure, "b").value - truth.mean(measure, "a").value
    estimates = [
        cf.correct_by_documents(sample(0.3, seed), wrong, RUNS, measure).of(measure, "b", "a").corrected
        for seed in range(25)
    ]
    values = [estimate.value for estimate in estimates]
    assert np.mean(values) == pytest.approx(apart, abs=4 * np.std(values, ddof=1) / 5)


def test_the_error_of_these_queries_is_that_of_the_drawing():
    values = [
        cf.correct_by_documents(sample(0.3, seed), MODEL, RUNS, "P@5", only_these_queries=True).of("P@5", "a").corrected
        for seed in range(60)
    ]
    assert np.std([estimate.value for estimate in values], ddof=1) == pytest.approx(
        np.sqrt(np.mean([estimate.error**2 for estimate in values])), rel=0.4
    )


def test_a_good_model_makes_labels_count_more():
    assert cf.correct_by_documents(sample(0.3), TRUTH, RUNS, "P@5").of("P@5", "a").worth > 1


def test_says_what_was_sampled():
    shown = str(cf.correct_by_documents(sample(0.3), MODEL, RUNS, "P@5"))
    assert "documents judged by people" in shown
    assert "drawn at random from every stratum" in " ".join(shown.split())


def test_a_measure_that_is_no_sum_is_refused():
    with pytest.raises(UsageError, match="nDCG@10 is not a sum over documents"):
        cf.correct_by_documents(sample(0.3), MODEL, RUNS, "nDCG@10")


def test_labels_without_strata_are_refused():
    with pytest.raises(DataError, match="stratum"):
        cf.correct_by_documents(TRUTH, MODEL, RUNS, "P@5")


def test_a_stratum_without_labels_is_refused():
    rows = [("q1", "d1", "1", 1), ("q1", "d2", "2", -1)]
    people = cf.read_judgments(rows, columns="query,document,stratum,grade", groups="stratum")
    with pytest.raises(DataError, match="none of the 1 documents of stratum 2 has a label"):
        cf.correct_by_documents(people, {"q1": {"d1": 1}}, {"q1": ["d1"]}, "P@5")


def test_documents_outside_the_sample_are_counted():
    more = {**MODEL, "q00": {**MODEL["q00"], "new": 1}}
    assert "1 documents that the model graded above 0 are in no stratum" in str(
        cf.correct_by_documents(sample(0.3), more, RUNS, "P@5")
    )


def test_an_unknown_baseline_is_refused():
    with pytest.raises(UsageError, match="There is no run 'c'"):
        cf.correct_by_documents(sample(0.3), MODEL, RUNS, "P@5", baseline="c")
