"""Tuning is measured on queries that had no part in it."""

import json
from dataclasses import replace

import numpy as np
import pytest

import cranfield as cf
from cranfield import demo
from cranfield.comparing import t_interval
from cranfield.errors import UsageError
from cranfield.fusing.training import fold_numbers
from cranfield.fusing.tuning import search_p
from tests.conftest import SHARED_DATA, WITHOUT_SHARED_DATA
from tests.fusing.collections import collection

QRELS, BM25, DENSE = (demo.path(name) for name in ("qrels.txt", "bm25.run", "dense.run"))


@pytest.fixture(scope="module")
def garden():
    return cf.tune_fusion(QRELS, [BM25, DENSE])


def test_the_run_to_report_scores_what_is_said(garden):
    scores = cf.evaluate(QRELS, garden.run, "nDCG@10").settled("nDCG@10")[0]
    assert scores.tolist() == garden.choices.scores[0].tolist()
    final = cf.evaluate(QRELS, garden.final_run, "nDCG@10").settled("nDCG@10")[0]
    assert final.tolist() == garden.scores.configurations[garden.choices.final].tolist()


def test_on_the_garden_the_gain_is_smaller_than_the_search_shows(garden):
    wide = cf.tune_fusion(QRELS, [BM25, DENSE], norms=["minmax", "zscore", "sum"])
    assert wide.in_sample_gain == pytest.approx(0.0985, abs=5e-5)  # as found before with other code
    assert wide.is_significant
    for tuning in (garden, wide):
        assert 0.05 < tuning.comparisons[0].difference.value < tuning.in_sample_gain
        assert tuning.naive_p < tuning.p
    assert garden.p > 0.05
    assert garden.verdict().startswith("No significant gain from fusing: nDCG@10 0.64")


def test_intervals_know_that_other_queries_would_have_chosen_otherwise(garden):
    plain = t_interval(garden.choices.mean_scores)
    assert garden.score.high - garden.score.low > 1.02 * (plain.high - plain.low)
    for own in garden.comparisons:
        assert (own.p < 0.05) == (own.difference.low > 0 or own.difference.high < 0)


def test_where_nothing_is_chosen_intervals_are_about_those_of_students_t():
    alone = cf.tune_fusion(QRELS, [BM25, DENSE], methods=["rrf"], k=[60], steps=1)
    plain = t_interval(alone.scores.untuned)
    assert alone.score.high - alone.score.low == pytest.approx(plain.high - plain.low, rel=0.15)
    assert alone.comparisons[2].p == 1


def test_the_order_of_runs_changes_weights_and_nothing_else(garden):
    other = cf.tune_fusion(QRELS, [DENSE, BM25])
    assert other.score == garden.score
    assert (other.p, other.naive_p) == (garden.p, garden.naive_p)
    assert str(other.final.method) == str(garden.final.method)
    assert other.final.weights == garden.final.weights[::-1]


def test_the_fusion_of_a_query_does_not_depend_on_its_own_judgments():
    judged, systems = collection(queries=10)
    before = cf.tune_fusion(judged, systems, repeats=1, steps=3)._out_of_fold
    for query in judged:
        changed = {**judged, query: {document: 2 - grade for document, grade in judged[query].items()}}
        after = cf.tune_fusion(changed, systems, repeats=1, steps=3)._out_of_fold
        assert str(after[query]) == str(before[query])


def test_a_useless_configuration_never_makes_p_smaller(garden):
    before = search_p(garden.scores, 2000, 0)[0]
    rng = np.random.default_rng(0)
    for _ in range(5):
        useless = np.vstack([garden.scores.configurations, rng.random((20, 70)) * 0.5])
        more = replace(garden.scores, configurations=useless)
        assert search_p(more, 2000, 0)[0] >= before


def test_what_scores_alike_goes_to_the_simplest():
    run = {f"q{at}": {"a": 2.0, "b": 1.0} for at in range(6)}
    judged = {f"q{at}": {"a": 1, "b": 0} for at in range(6)}
    tuning = cf.tune_fusion(judged, {"one": run, "two": run}, methods=["combsum", "rrf"])
    assert str(tuning.final) == "combsum, norm 2sigma"
    assert tuning.p == tuning.naive_p == 1
    assert "No significant gain" in tuning.verdict()
    assert cf.tune_fusion(judged, {"one": run, "two": run}).final.method.params["k"] == 60


def test_the_same_seed_gives_the_same_result_and_another_one_another_split(garden):
    assert cf.tune_fusion(QRELS, [BM25, DENSE]).to_dict() == garden.to_dict()
    assert not np.array_equal(cf.tune_fusion(QRELS, [BM25, DENSE], seed=1).choices.folds, garden.choices.folds)


def test_a_measure_of_which_less_is_better_is_made_small():
    judged, systems = collection(queries=15)
    tuning = cf.tune_fusion(judged, systems, "SL", steps=2)
    assert tuning.in_sample.value == tuning.scores.configurations.mean(axis=1).min()


@pytest.mark.parametrize("form", ["table", "markdown", "latex", "tsv", "csv", "jsonl", "json"])
def test_it_is_shown_in_every_form(garden, form):
    assert "combsum" in garden.form(form)


def test_json_has_every_number(garden):
    told = json.loads(garden.json())
    assert told["out_of_fold"]["value"] == garden.score.value
    assert len(told["configurations"]) == len(garden.scores.fusions)
    assert {row["query"] for row in told["queries"]} == {*garden.scores.queries}
    assert told["final"]["command"] == garden.command


@pytest.mark.parametrize(
    ("runs", "choices", "message"),
    [
        ([BM25], {}, "two or more runs"),
        ([BM25, DENSE], {"measure": "nDCG@10 AP"}, "several measures"),
        ([BM25, DENSE], {"measure": "GMAP"}, "arithmetic mean"),
        ([BM25, DENSE], {"measure": "alpha_nDCG@10"}, "several grades"),
        ([BM25, DENSE], {"folds": 71}, "cannot be cut into 71 folds"),
        ([BM25, DENSE], {"folds": 1}, "folds must be"),
        ([BM25, DENSE], {"repeats": 0}, "repeats must be"),
        ([BM25, DENSE], {"seed": -1}, "seed must be"),
        ([BM25, DENSE], {"confidence": 2}, "confidence must be"),
        ([BM25, DENSE], {"only_queries": ["q01"]}, "1 query .* cannot be cut"),
        ([BM25, DENSE], {"methods": []}, "nothing to tune"),
    ],
)
def test_what_cannot_be_tuned_is_refused(runs, choices, message):
    with pytest.raises(UsageError, match=message):
        cf.tune_fusion(QRELS, runs, **choices)


LEARNING = ["posfuse", "bayesfuse", "mapfuse", "segfuse", "rrf"]


def test_methods_that_learn_compete_and_the_run_to_report_scores_what_is_said():
    judged, systems = collection(queries=30)
    for methods in (LEARNING, ["mapfuse"]):
        tuning = cf.tune_fusion(judged, systems, methods=methods, repeats=3, steps=1, folds=3)
        evaluated = cf.evaluate(judged, tuning.run, "nDCG@10")
        expected = dict(zip(evaluated.queries, evaluated.values[0, 0].tolist(), strict=True))
        assert tuning.choices.scores[0].tolist() == [expected[query] for query in tuning.scores.queries]
        assert tuning.final_run.fusion == tuning.final
    assert tuning.final.model
    assert "--train QRELS" in tuning.command


@pytest.mark.parametrize("query", ["q0", "q7"])
def test_judgments_of_a_fold_move_nothing_that_fuses_its_queries(query):
    judged, systems = collection(queries=24)
    names = [f"q{at}" for at in range(24)]
    fold = fold_numbers(names, 3, [0, 0])
    other = {
        name: {document: 2 - grade for document, grade in grades.items()} if fold[name] == fold[query] else grades
        for name, grades in judged.items()
    }
    before, after = (
        cf.tune_fusion(qrels, systems, methods=LEARNING, repeats=1, steps=1, folds=3) for qrels in (judged, other)
    )
    assert before.run[query] == after.run[query]
    assert any(before.run[name] != after.run[name] for name in names)


def test_two_folds_leave_nothing_to_learn_from():
    judged, systems = collection()
    with pytest.raises(UsageError, match="bayesfuse learns from judgments: of 2 folds none is left"):
        cf.tune_fusion(judged, systems, methods=["bayesfuse"], folds=2)


def test_a_query_that_no_run_answers_counts_as_evaluations_have_it():
    judged, systems = collection()
    for run in systems.values():
        del run["q5"]
    tuning = cf.tune_fusion(judged, systems, repeats=1)
    assert not tuning.scores.configurations[:, tuning.scores.queries.index("q5")].any()
    assert any("q5" in str(warning) for warning in tuning.warnings)


def test_queries_without_a_score_are_left_out_and_reported():
    judged, systems = collection()
    judged["q2"] = dict.fromkeys(judged["q2"], 0)
    tuning = cf.tune_fusion(judged, systems, "SL", repeats=1)
    assert set(tuning.scores.queries) == {*judged} - {"q2"}
    assert any("left out of tuning" in str(warning) for warning in tuning.warnings)


@pytest.mark.skipif(not SHARED_DATA.is_dir(), reason=WITHOUT_SHARED_DATA)
@pytest.mark.parametrize(
    ("folder", "qrels", "runs", "in_sample"),
    [
        ("02-dl19-passage", "qrels.dl19-passage.txt", ["ICT-BERT2", "ICT-CKNRM_B"], 0.0053),
        ("02-dl19-passage", "qrels.dl19-passage.txt", ["ICT-BERT2", "ICT-CKNRM_B", "tilde-bm25"], 0.0116),
        ("03-robust03", "qrels.robust03.txt.gz", ["NLPR03vb10", "humR03dc"], 0.0132),
    ],
)
def test_on_published_runs_most_of_the_gain_is_from_choosing(folder, qrels, runs, in_sample):
    data = SHARED_DATA / folder
    norms = ["minmax", "zscore", "sum"]
    tuning = cf.tune_fusion(data / qrels, [data / "runs" / f"{run}.run.gz" for run in runs], norms=norms)
    assert tuning.in_sample_gain == pytest.approx(in_sample, abs=5e-5)
    assert tuning.comparisons[0].difference.value < in_sample / 2
    assert tuning.p > 0.2
    assert not tuning.is_significant
