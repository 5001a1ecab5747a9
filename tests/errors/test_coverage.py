import pytest

from cranfield import errors
from cranfield.errors.coverage import TIE_RULES
from cranfield.phrases import command_line


def test_silent_queries_come_with_what_becomes_of_them():
    finding = errors.coverage.silent_queries("bm25", ["q1", "q2"], 50, {"judged": ""})
    assert str(finding) == "bm25: no documents for 2 of 50 judged queries (q1, q2); they count as 0"
    assert finding.count == 2


def test_silent_queries_that_measures_treat_differently_name_the_measures():
    finding = errors.coverage.silent_queries("bm25", ["q1"], 50, {"judged": "AP", "answered": "RR"})
    assert finding.message.endswith("they count as 0 (AP) and are left out of the mean (RR)")


@pytest.mark.parametrize(("queries", "words"), [(["q1"], "1 query has"), (["q1", "q2"], "2 queries have")])
def test_queries_without_judgments_are_counted(queries, words):
    assert words in errors.coverage.unknown_queries("bm25", queries).message


def test_queries_without_a_relevant_document_name_the_grade_that_is_relevant():
    finding = errors.coverage.without_relevant("qrels", ["q7"], 50, 2.0)
    assert str(finding).startswith("qrels: 1 of 50 judged queries has no relevant document, of grade 2 or more (q7)")


@pytest.mark.parametrize("rule", TIE_RULES)
def test_tied_documents_are_counted_for_each_run_after_the_rule_that_orders_them(rule):
    finding = errors.coverage.tied_scores({"a": (1200, 1), "b": (3, 2)}, {rule: ""})
    assert finding.message == f"{TIE_RULES[rule]}: a 1,200 documents in 1 query, b 3 documents in 2 queries"
    assert finding.count == 1203


def test_ties_of_many_runs_are_summed_up():
    finding = errors.coverage.tied_scores(dict.fromkeys("abcde", (2, 1)), {"given": ""})
    assert finding.message.endswith("c 2 documents in 1 query, 2 more runs 4 documents")


def test_advice_on_ties_names_the_option_of_the_command_or_the_method():
    def advice() -> str:
        return errors.coverage.tied_scores({"a": (2, 1)}, {"given": ""}).advice

    assert advice().startswith("tie_bounds()")
    with command_line():
        assert advice().startswith("--bounds ties")


def test_one_file_as_several_runs_names_all_of_them():
    finding = errors.coverage.same_file_twice("a.run", ["a", "a (2)"])
    assert str(finding).startswith("a.run: was given 2 times, as a and a (2)")


def test_a_run_with_the_content_of_another_names_both():
    finding = errors.coverage.same_rankings("copy", "bm25")
    assert str(finding) == "copy: the same documents and scores as bm25 in every query; these are the same run"


def test_a_query_that_is_not_judged_is_answered_with_the_nearest_or_with_examples():
    assert "Did you mean q101?" in str(errors.coverage.not_judged("q10l", "qrels", ["q101", "x"]))
    assert str(errors.coverage.not_judged("zz", None, ["q1", "q2"])).endswith("Judged queries are q1, q2.")
