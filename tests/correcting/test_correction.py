"""People's judgments of a few queries correct scores by a model's labels."""

import json

import numpy as np
import pytest

import cranfield as cf
from cranfield.correcting.prediction_powered import prediction_powered
from cranfield.errors import DataError, UsageError

RNG = np.random.default_rng(5)
QUERIES = [f"q{at:02}" for at in range(60)]
DOCUMENTS = [f"d{at}" for at in range(10)]
TRUTH = {query: {document: int(RNG.random() < 0.3) for document in DOCUMENTS} for query in QUERIES}
OVERRATED = {
    query: {document: int(grade or RNG.random() < 0.2) for document, grade in graded.items()}
    for query, graded in TRUTH.items()
}
RUNS = {
    "good": {
        query: sorted(DOCUMENTS, key=lambda document: -TRUTH[query][document] + 2 * RNG.random()) for query in QUERIES
    },
    "random": {query: list(RNG.permutation(DOCUMENTS)) for query in QUERIES},
}
BY_PEOPLE = {query: TRUTH[query] for query in QUERIES[::3]}


@pytest.fixture(scope="module")
def people():
    return cf.evaluate(BY_PEOPLE, RUNS, "P@5 nDCG@5")


@pytest.fixture(scope="module")
def model():
    return cf.evaluate(OVERRATED, RUNS, "P@5 nDCG@5")


@pytest.fixture(scope="module")
def corrected(people, model):
    return cf.correct(people, model, baseline="random")


def test_the_corrected_interval_holds_what_people_say_of_all_queries(corrected):
    for measure in ("P@5", "nDCG@5"):
        for run in RUNS:
            score = corrected.of(measure, run)
            truth = cf.evaluate(TRUTH, RUNS, measure).mean(measure, run).value
            assert score.corrected.low <= truth <= score.corrected.high


def test_the_model_alone_overrates(corrected):
    score = corrected.of("P@5", "random")
    assert score.bias > 0.1
    assert score.model.value > score.corrected.high


def test_is_computed_from_the_scores_of_the_queries_both_judged(corrected, people, model):
    at = [model.queries.index(query) for query in people.queries]
    others = [place for place in range(60) if place not in at]
    y, every = people["P@5"][0], model["P@5"][0]
    assert corrected.of("P@5", "good").corrected == prediction_powered(y, every[at], every[others])


def test_differences_are_paired_and_come_first(corrected):
    first = corrected.scores[0]
    assert (first.run, first.baseline) == ("good", "random")
    means = corrected.of("P@5", "good"), corrected.of("P@5", "random")
    assert first.corrected.error < means[0].corrected.error + means[1].corrected.error
    assert first.p < 0.05
    assert corrected.verdict().startswith("good is better than random on P@5: +")


def test_of_exactly_these_queries_the_interval_is_narrower(people, model, corrected):
    these = cf.correct(people, model, baseline="random", only_these_queries=True)
    assert these.of("P@5", "good").corrected.error < corrected.of("P@5", "good").corrected.error
    assert "exactly these queries" in str(these)


def test_p_is_corrected_for_the_number_of_comparisons():
    runs = {**RUNS, "other": {query: list(RNG.permutation(DOCUMENTS)) for query in QUERIES}}
    people, model = cf.evaluate(BY_PEOPLE, runs, "P@5"), cf.evaluate(OVERRATED, runs, "P@5")
    alone = cf.correct(people, model, baseline="random", correction="none").of("P@5", "good", "random").p
    assert cf.correct(people, model, baseline="random").of("P@5", "good", "random").p == pytest.approx(2 * alone)


def test_few_queries_are_flagged(model):
    few = cf.evaluate({query: TRUTH[query] for query in QUERIES[:5]}, RUNS, "P@5 nDCG@5")
    assert "only 5 queries were judged by people" in str(cf.correct(few, model))


def test_scores_that_hardly_vary_are_flagged():
    people, model = (cf.evaluate(judged, RUNS, "Success@10") for judged in (BY_PEOPLE, OVERRATED))
    assert "Success@10 of random less good, good, random is the same on nearly all queries" in " ".join(
        str(cf.correct(people, model)).split()
    )


def test_differences_that_hardly_vary_are_flagged():
    runs = {"good": RUNS["good"], "same": RUNS["good"]}
    corrected = cf.correct(*(cf.evaluate(judged, runs, "nDCG@5") for judged in (BY_PEOPLE, OVERRATED)))
    (warning,) = (warning for warning in corrected.warnings if warning.kind == "nearly-constant")
    assert "nDCG@5 of same less good is the same on nearly all queries" in str(warning)


def test_queries_that_the_model_did_not_judge_are_left_out_and_named(people):
    part = cf.evaluate({query: OVERRATED[query] for query in QUERIES if query != "q00"}, RUNS, "P@5 nDCG@5")
    corrected = cf.correct(people, part)
    assert corrected.people == 19
    assert "without labels of the model are left out (1): q00" in str(corrected)


def test_too_few_queries_in_common_stop_the_work(model):
    strange = cf.evaluate({"q00": TRUTH["q00"], "q01": TRUTH["q01"]}, RUNS, "P@5 nDCG@5")
    with pytest.raises(DataError, match="only 2 of them are the same"):
        cf.correct(strange, model)


def test_nothing_to_correct_stops_the_work(people):
    with pytest.raises(DataError, match="nothing to correct"):
        cf.correct(people, people)


def test_counts_have_no_mean_to_correct(model):
    scores = [cf.evaluate(judged, RUNS, "NumRelRet") for judged in (BY_PEOPLE, OVERRATED)]
    with pytest.raises(UsageError, match="no arithmetic mean"):
        cf.correct(*scores)


def test_other_runs_or_measures_are_refused(people, model):
    with pytest.raises(UsageError, match="same runs and measures"):
        cf.correct(people, model.with_measures(["P@5"]))


def test_shows_itself_in_every_form(corrected):
    assert json.loads(corrected.form("json"))["scores"][0]["baseline"] == "random"
    assert corrected.form("tsv").splitlines()[0].split("\t")[:4] == ["measure", "run", "baseline", "value"]
    assert all("corrected" in text for text in (corrected.markdown(), corrected.latex()))
    assert corrected.of("P@5", "good").worth > 1
