"""pytrec_eval's interface: the same keys, queries, numbers and errors, whatever it is given."""

from __future__ import annotations

import math
import re
import tracemalloc

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cranfield.compat import pytrec_eval as ours
from tests.conftest import SHARED_DATA, WITHOUT_SHARED_DATA
from tests.effort import examples
from tests.parity.collections import COLLECTIONS, text

theirs = pytest.importorskip("pytrec_eval")

QREL = {"q1": {"d1": 0, "d2": 1, "d3": 0}, "q2": {"d2": 1, "d3": 1}}
RUN = {"q1": {"d1": 1.0, "d2": 0.0, "d3": 1.5}, "q2": {"d1": 1.5, "d2": 0.2, "d3": 0.5}}

ids = st.text(st.sampled_from("0129abzé"), min_size=1, max_size=3)
grades = st.sampled_from([-1, 0, 0, 1, 1, 2, 3])
# Some scores differ only beyond single precision, in which pytrec_eval compares them; some are whole numbers.
scores = st.sampled_from([0.0, -1.5, 1.0, 1.00000001, 2, 2.0, 3.25, 1e-9, math.inf, -math.inf])
# pytrec_eval crashes on a query all of whose grades are negative, so each has one that is not.
judged = st.dictionaries(ids, grades, max_size=12).map(lambda of_query: of_query | {"judged": 0})
qrels = st.dictionaries(st.sampled_from("ABCDE"), st.one_of(judged, st.just({})), min_size=1)
runs = st.dictionaries(st.sampled_from("ABCDEF"), st.dictionaries(ids, scores, max_size=15))


def assert_same(found, expected) -> int:
    """The same queries, keys and values, in the same order; how many values there are."""
    assert [*found] == [*expected]
    for query, of_query in expected.items():
        assert [*found[query]] == [*of_query]
        assert all(type(value) is float for value in found[query].values())
        np.testing.assert_allclose(
            [*found[query].values()], [*of_query.values()], rtol=1e-12, atol=1e-15, err_msg=query
        )
    return sum(map(len, expected.values()))


# The same numbers


def test_the_same_measures_are_supported():
    assert ours.supported_measures == theirs.supported_measures
    assert ours.supported_nicknames == theirs.supported_nicknames


@examples(150)
@given(qrel=qrels, run=runs, level=st.sampled_from([1, 2]), judged_only=st.booleans())
def test_every_measure_of_every_query_is_the_same(qrel, run, level, judged_only):
    arguments = (qrel, theirs.supported_measures, level, judged_only)
    expected = theirs.RelevanceEvaluator(*arguments).evaluate(run)
    assert_same(ours.RelevanceEvaluator(*arguments).evaluate(run), expected)


@pytest.mark.parametrize(
    "measures",
    [
        {"P"},
        {"P_5"},
        {"P.5,10"},
        {"P_5,10"},
        {"P_10", "P.5"},
        {"P_5", "P.5"},
        {"P.5", "P"},
        ["ndcg_cut_10", "ndcg_cut.3,5", "map_cut_2", "recall_1", "success_2", "relative_P_3"],
        ("map", "ndcg"),
        {"iprec_at_recall_0.25", "Rprec_mult.0.5,1.5"},
        {"success_1.5"},
        {"set_F"},
        {"set_F_4"},
        {"set_F.4", "set_F.0.5"},
        {"11pt_avg.0.25,0.5"},
        {"relstring.5", "runid", "num_q"},
        {"official"},
        {"set"},
        {"all_trec"},
        {"official", "set", "ndcg"},
        {"utility", "gm_map", "gm_bpref"},
        set(),
        dict.fromkeys(("map", "bpref"), 1),
    ],
    ids=lambda measures: " ".join(sorted(measures)),
)
def test_measures_are_named_in_the_same_ways(measures):
    expected = theirs.RelevanceEvaluator(QREL, measures).evaluate(RUN)
    assert_same(ours.RelevanceEvaluator(QREL, measures).evaluate(RUN), expected)


@pytest.mark.skipif(not SHARED_DATA.is_dir(), reason=WITHOUT_SHARED_DATA)
@pytest.mark.parametrize("collection", COLLECTIONS, ids=lambda collection: collection.folder)
def test_real_runs_score_the_same(collection):
    folder = SHARED_DATA / collection.folder
    qrel = ours.parse_qrel(text(folder / collection.qrels).splitlines())
    assert qrel == theirs.parse_qrel(text(folder / collection.qrels).splitlines())
    for path in sorted(folder.glob(collection.runs)):
        run = ours.parse_run(text(path).splitlines())
        assert run == theirs.parse_run(text(path).splitlines())
        for options in ({}, {"relevance_level": 2}, {"judged_docs_only_flag": True}):
            expected = theirs.RelevanceEvaluator(qrel, {"all_trec"}, **options).evaluate(run)
            found = ours.RelevanceEvaluator(qrel, {"all_trec"}, **options).evaluate(run)
            assert assert_same(found, expected) > 4000


# What pytrec_eval publishes


def test_the_example_of_its_readme():
    found = ours.RelevanceEvaluator(QREL, {"map", "ndcg"}).evaluate(RUN)
    assert found == {
        "q1": {"map": pytest.approx(0.3333333333333333), "ndcg": 0.5},
        "q2": {"map": pytest.approx(0.5833333333333333), "ndcg": pytest.approx(0.6934264036172708)},
    }


def test_the_ranks_of_its_own_tests():
    evaluator = ours.RelevanceEvaluator(QREL, {"map", "ndcg"})
    for score, expected in ((0.0, 0.5), (2.0, 1.0)):
        found = evaluator.evaluate({"q1": {"d1": 1.0, "d2": score, "d3": 1.5}, "q2": {}})
        assert found["q1"]["ndcg"] == pytest.approx(expected)
        assert found["q2"] == {"map": 0.0, "ndcg": 0.0}
    found = evaluator.evaluate({"q1": {"d1": 4.0, "d2": 2.0, "d3": 1.5}})
    assert found["q1"]["ndcg"] == pytest.approx(0.6309297535714575)


def test_cutoffs_of_its_own_tests():
    run = {"q1": {"d1": 1.0, "d2": 0.0, "d3": 1.5}}
    found = ours.RelevanceEvaluator(QREL, {"ndcg_cut.1,2,3,1000"}).evaluate(run)["q1"]
    assert found == {"ndcg_cut_1": 0.0, "ndcg_cut_2": 0.0, "ndcg_cut_3": 0.5, "ndcg_cut_1000": 0.5}


@pytest.mark.skipif(not SHARED_DATA.is_dir(), reason=WITHOUT_SHARED_DATA)
@pytest.mark.parametrize(
    ("qrels_name", "expected_name", "options"),
    [("qrels.test", "out.test.aq", {}), ("qrels.rel_level", "out.test.aql", {"relevance_level": 2})],
)
def test_aggregated_they_are_what_trec_eval_prints(qrels_name, expected_name, options):
    folder = SHARED_DATA / "01-trec_eval-tests"
    qrel = ours.parse_qrel(text(folder / "inputs" / qrels_name).splitlines())
    run = ours.parse_run(text(folder / "inputs" / "results.test").splitlines())
    found = ours.RelevanceEvaluator(qrel, {"all_trec"}, **options).evaluate(run)
    compared = 0
    for line in text(folder / "expected-9.0.8" / expected_name).splitlines():
        name, query, value = line.split("\t")
        if query == "all" and name.strip() != "runid":
            values = [of_query[name.strip()] for of_query in found.values()]
            assert ours.compute_aggregated_measure(name.strip(), values) == pytest.approx(float(value), abs=5e-5)
            compared += 1
    assert compared == 93


# What its users met


def test_a_second_evaluation_gives_what_the_first_gave():
    evaluator = ours.RelevanceEvaluator(QREL, {"map", "ndcg_cut.10,100,2", "P_5"})
    first = evaluator.evaluate(RUN)
    assert [*first["q1"]] == ["map", "P_5", "ndcg_cut_2", "ndcg_cut_10", "ndcg_cut_100"]
    evaluator.evaluate({"q2": {"d9": 1.0}})
    assert evaluator.evaluate(RUN) == first
    assert ours.RelevanceEvaluator(QREL, {"ndcg_cut_7"}).evaluate(RUN).keys() == first.keys()
    assert evaluator.evaluate(RUN) == first


def test_evaluating_again_and_again_keeps_no_memory():
    qrel = {f"q{query}": {f"d{document}": document % 2 for document in range(50)} for query in range(20)}
    run = {query: {f"d{document}": float(document) for document in range(200)} for query in qrel}
    evaluator = ours.RelevanceEvaluator(qrel, {"map", "ndcg"})

    def held_after(evaluations: int) -> int:
        for at in range(evaluations):
            evaluator.evaluate(run)
            evaluator.evaluate({f"q{at % 20}": run["q0"]})
            ours.RelevanceEvaluator(qrel, {"map"}).evaluate(run)
        return tracemalloc.get_traced_memory()[0]

    tracemalloc.start()
    try:
        before = held_after(3)
        of_one_evaluation = 20 * 200 * 100
        assert held_after(20) - before < of_one_evaluation / 10
    finally:
        tracemalloc.stop()


def test_a_query_without_judgments_is_left_out_and_disturbs_no_other():
    run = {"q1": RUN["q1"], "q2": RUN["q1"], "q3": RUN["q2"]}
    with_empty = ours.RelevanceEvaluator({"q1": QREL["q1"], "q2": {}, "q3": QREL["q2"]}, {"map", "ndcg"})
    without = ours.RelevanceEvaluator({"q1": QREL["q1"], "q3": QREL["q2"]}, {"map", "ndcg"})
    assert with_empty.evaluate(run) == without.evaluate(run)
    assert [*without.evaluate(run)] == ["q1", "q3"]


def test_a_query_all_of_whose_grades_are_negative_scores_0():
    found = ours.RelevanceEvaluator({"q1": {"d1": -1}}, {"map", "ndcg", "num_rel"}).evaluate({"q1": {"d1": 1.0}})
    assert found == {"q1": {"num_rel": 0.0, "map": 0.0, "ndcg": 0.0}}


def test_a_recall_level_written_twice_is_one():
    found = ours.RelevanceEvaluator(QREL, {"iprec_at_recall.0.1,0.10"}).evaluate(RUN)
    assert [*found["q1"]] == ["iprec_at_recall_0.10"]


def test_what_is_given_may_change_afterwards():
    qrel = {"q1": {"d1": 1}}
    evaluator = ours.RelevanceEvaluator(qrel, {"map"})
    qrel["q1"]["d1"] = 0
    assert evaluator.evaluate({"q1": {"d1": 1.0}}) == {"q1": {"map": 1.0}}


# The same errors


@pytest.mark.parametrize(
    "arguments",
    [
        (QREL, {"nothing"}),
        (QREL, {"MAP"}),
        (QREL, "map"),
        (QREL, {"prefs_simp"}),
        (QREL, {5}),
        ({1: {"a": 1}}, {"map"}),
        ({"q1": {1: 1}}, {"map"}),
        ({"q1": {"a": 1.0}}, {"map"}),
        ({"q1": {"a": "1"}}, {"map"}),
        ({"q1": {"a": np.int64(1)}}, {"map"}),
        ({"q1": ["a"]}, {"map"}),
        (QREL, {"map"}, 0),
        (QREL, {"map"}, 1.5),
        (QREL, {"map"}, "1"),
        (QREL, {"map"}, 1, "yes"),
    ],
    ids=str,
)
def test_a_wrong_evaluator_is_the_same_error(arguments):
    with pytest.raises((TypeError, ValueError)) as expected:
        theirs.RelevanceEvaluator(*arguments)
    with pytest.raises(type(expected.value)) as found:
        ours.RelevanceEvaluator(*arguments)
    letter_by_letter = arguments[1] == "map"  # they take any letter of it first
    assert letter_by_letter or str(found.value) == str(expected.value)


@pytest.mark.parametrize(
    "run",
    [
        "q1",
        [("q1", {"a": 1.0})],
        {1: {"a": 1.0}},
        {"q1": ["a"]},
        {"q1": {1: 1.0}},
        {"q1": {"a": "1"}},
        {"q1": {"a": None}},
        {"q1": {"a": np.float32(1)}},
        {"q1": {"a": np.int64(1)}},
        {"q9": {"a": "1"}},
    ],
    ids=str,
)
def test_a_wrong_run_is_the_same_error(run):
    with pytest.raises(TypeError) as expected:
        theirs.RelevanceEvaluator(QREL, {"map"}).evaluate(run)
    with pytest.raises(TypeError) as found:
        ours.RelevanceEvaluator(QREL, {"map"}).evaluate(run)
    assert str(found.value).startswith(str(expected.value))


@pytest.mark.parametrize("run", [{}, [], None, {"q9": {"d1": 1.0}}], ids=str)
def test_nothing_to_evaluate_gives_nothing(run):
    assert ours.RelevanceEvaluator(QREL, {"map"}).evaluate(run) == {}
    assert theirs.RelevanceEvaluator(QREL, {"map"}).evaluate(run) == {}


def test_numpy_s_double_is_a_score():
    assert ours.RelevanceEvaluator(QREL, {"map"}).evaluate({"q1": {"d2": np.float64(1)}})["q1"]["map"] == 1


@pytest.mark.parametrize("measure", ["P.0", "ndcg.5", "G_1", "utility.1,2"])
def test_where_pytrec_eval_ends_the_process_or_gives_0_there_is_an_error(measure):
    with pytest.raises(ValueError, match=f"measure '{re.split('[._]', measure)[0]}'"):
        ours.RelevanceEvaluator(QREL, {measure})


def test_a_level_below_0_and_a_list_for_judgments_are_errors():
    with pytest.raises(TypeError, match="relevance_level should be positive"):
        ours.RelevanceEvaluator(QREL, {"map"}, -1)
    with pytest.raises(TypeError, match="query_relevance should be of type dictionary"):
        ours.RelevanceEvaluator([], {"map"})


def test_a_score_that_is_no_number_is_refused():
    with pytest.raises(ValueError, match="the score is NaN"):
        ours.RelevanceEvaluator(QREL, {"map"}).evaluate({"q1": {"d1": math.nan}})


def test_parameters_that_do_nothing_are_told():
    with pytest.warns(UserWarning, match="'map_5' is map, which takes no parameters"):
        found = ours.RelevanceEvaluator(QREL, {"map_5"}).evaluate(RUN)
    assert_same(found, theirs.RelevanceEvaluator(QREL, {"map_5"}).evaluate(RUN))


def test_utility_takes_its_four_worths_in_order():
    found = ours.RelevanceEvaluator(QREL, {"utility.3,-1,0,0"}).evaluate(RUN)
    assert found["q1"] == {"utility": 3.0 - 2.0}


# Lines and means


def test_lines_are_parsed_alike():
    run_lines, qrel_lines = ["q1 Q0 d1 1 2.5 tag\n", "q2 Q0 d1 1 1 tag\n"], ["q1 0 d1 2\n", " q1\t0 d2 -1"]
    assert ours.parse_run(run_lines) == theirs.parse_run(run_lines) == {"q1": {"d1": 2.5}, "q2": {"d1": 1.0}}
    assert ours.parse_qrel(qrel_lines) == theirs.parse_qrel(qrel_lines) == {"q1": {"d1": 2, "d2": -1}}
    assert ours.parse_run([])["unknown"] == {}


@pytest.mark.parametrize(
    ("function", "lines", "error"),
    [
        ("parse_run", ["q1 Q0 d1 1 2.5 t", "q1 Q0 d1 2 1.5 t"], AssertionError),
        ("parse_qrel", ["q1 0 d1 1", "q1 0 d1 1"], AssertionError),
        ("parse_run", ["q1 Q0 d1 1 2.5"], ValueError),
        ("parse_run", ["q1 Q0 d1 1 best t"], ValueError),
        ("parse_qrel", ["q1 0 d1 1.5"], ValueError),
        ("parse_qrel", ["q1 0 d1"], ValueError),
    ],
)
def test_lines_that_cannot_be_parsed_are_the_same_error(function, lines, error):
    for module in (theirs, ours):
        with pytest.raises(error):
            getattr(module, function)(lines)


@given(st.sampled_from(["num_ret", "gm_map", "map", "P_5"]), st.lists(st.floats(-10, 10), min_size=1))
def test_values_are_aggregated_alike(measure, values):
    assert ours.compute_aggregated_measure(measure, values) == theirs.compute_aggregated_measure(measure, values)


def test_a_level_and_a_flag_of_numpy_are_taken():
    qrel, run = {"q1": {"a": 2, "b": 1}}, {"q1": {"x": 3.0, "a": 1.0, "b": 2.0}}
    expected = theirs.RelevanceEvaluator(qrel, {"map"}, 2, judged_docs_only_flag=True).evaluate(run)
    evaluator = ours.RelevanceEvaluator(qrel, {"map"}, np.int64(2), judged_docs_only_flag=np.bool_(1))
    assert evaluator.evaluate(run) == expected == {"q1": {"map": 0.5}}
