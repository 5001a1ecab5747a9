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
    assert finding.message.endswith("it counts as 0 (AP) and is left out of the mean (RR)")


@pytest.mark.parametrize(("queries", "words"), [(["q1"], "1 query has"), (["q1", "q2"], "2 queries have")])
def test_queries_without_judgments_are_counted(queries, words):
    assert words in errors.coverage.unknown_queries("bm25", queries).message


def test_queries_without_a_relevant_document_name_the_grade_that_is_relevant():
    finding = errors.coverage.without_relevant("qrels", ["q7"], 50, 2.0)
    assert str(finding).startswith("qrels: 1 of 50 judged queries has no relevant document (grade 2 or more): q7")


@pytest.mark.parametrize("rule", TIE_RULES)
def test_tied_documents_are_counted_for_each_run_before_the_rule_that_orders_them(rule):
    finding = errors.coverage.tied_documents({"a": (1200, 1), "b": (3, 2)}, {rule: ""})
    counts = "documents with tied scores: a 1,200 documents in 1 query, b 3 documents in 2 queries"
    assert (finding.severity, finding.message) == ("note", f"{counts}; {TIE_RULES[rule]}")
    assert finding.count == 1203


def test_ties_of_many_runs_are_summed_up():
    finding = errors.coverage.tied_documents(dict.fromkeys("abcde", (2, 1)), {"given": ""})
    assert "c 2 documents in 1 query, 2 more runs 4 documents;" in finding.message


def test_means_that_ties_move_are_listed_for_a_few_runs():
    few = errors.coverage.tied_scores({"a": "AP 0.1 to 0.2", "b": "AP 0.3 to 0.4"}, {"document": ""})
    assert few.message == (
        "another order of tied documents could give AP 0.1 to 0.2 (a), AP 0.3 to 0.4 (b); "
        "ties are broken by document id, descending"
    )
    many = errors.coverage.tied_scores(dict.fromkeys("abcde", "AP 0 to 1"), {"given": ""})
    assert "AP 0 to 1 (c), and other values for 2 more runs; ties are broken as in the run" in many.message


def test_what_was_read_is_counted():
    assert str(errors.coverage.judgments_read(None, 1200, 3, 2.0)) == (
        "judgments: 1,200 judgments, 3 queries, largest grade 2"
    )
    assert str(errors.coverage.run_read("bm25", 7, 30)) == "bm25: 30 documents for judged queries, 7 of them not judged"


def test_advice_on_ties_names_the_option_of_the_command_or_the_method():
    def advice() -> str:
        return errors.coverage.tied_scores({"a": "AP 0 to 1"}, {"given": ""}).advice

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
