"""Judgments of several judges, and preferences."""

import pytest

from cranfield.compat.trec_eval import Exit
from tests.compat.trec_eval.conftest import printed

TWO_JUDGES = "q1 A a 1\nq1 B b 1\nq1 B a 0\n"
RANKING = "q1 Q0 x 1 3 t\nq1 Q0 a 2 2 t\nq1 Q0 b 3 1 t\n"


def test_each_judge_s_grades_give_a_value_and_their_mean_is_printed(lines):
    found = lines("-R qrels_jg -m map_avgjg -m P_avgjg.2,3 -m Rprec_mult_avgjg.1,3", qrels=TWO_JUDGES, run=RANKING)
    assert found == {
        "map_avgjg all": "0.4167",
        "P_avgjg_2 all": "0.2500",
        "P_avgjg_3 all": "0.3333",
        "Rprec_mult_avgjg_1.00 all": "0.0000",
        "Rprec_mult_avgjg_3.00 all": "0.3333",
    }


def test_only_judged_documents_are_those_of_each_judge(lines):
    found = lines("-R qrels_jg -J -m map_avgjg -m P_avgjg.1", qrels="q1 A a 1\nq1 B b 1\n", run=RANKING)
    assert found == {"map_avgjg all": "1.0000", "P_avgjg_1 all": "1.0000"}


def test_a_level_of_relevance_holds_for_every_judge(lines):
    assert lines("-R qrels_jg -l 2 -m map_avgjg", qrels="q1 A a 2\nq1 B a 1\n", run=RANKING) == {
        "map_avgjg all": "0.2500"
    }


def test_a_multiple_that_is_not_above_0_gives_0(lines):
    found = lines("-R qrels_jg -m Rprec_mult_avgjg.-1,0", qrels=TWO_JUDGES, run=RANKING)
    assert {*found.values()} == {"0.0000"}


def test_sets_of_measures_go_with_their_judgments(lines):
    names = [key.split()[0] for key in lines("-R qrels_jg -m qrels_jg", qrels=TWO_JUDGES, run=RANKING)]
    assert (names[:3], len(names)) == (["runid", "num_q", "map_avgjg"], 2 + 1 + 9 + 10)
    prefs = "q1 A s a 1\nq1 A s b 0\n"
    official = [key.split()[0] for key in lines("-R prefs -m prefs", qrels=prefs, run=RANKING)]
    assert official == [
        *("runid", "num_q", "prefs_num_prefs_poss", "prefs_num_prefs_ful", "prefs_num_prefs_ful_ret"),
        *("prefs_simp", "prefs_pair", "prefs_avgjg"),
    ]
    assert len(lines("-R prefs -m all_prefs", qrels=prefs, run=RANKING)) == 16


def test_a_document_judged_twice_by_one_judge_exits_2(evaluated):
    outcome = evaluated("-R qrels_jg -m map_avgjg", qrels=TWO_JUDGES + "q1 A a 1\n", run=RANKING)
    assert outcome.code == Exit.INPUT
    assert "duplicate docs a: query 'q1' has it twice in the judgments" in outcome.messages[0]


def test_grades_of_one_subgroup_are_preferences_and_others_follow_from_them(lines):
    prefs = "q1 A s a 3\nq1 A s b 2\nq1 A t b 5\nq1 A t c 4\n"
    run = "q1 Q0 a 1 3 t\nq1 Q0 b 2 2 t\nq1 Q0 c 3 1 t\n"
    found = lines("-R prefs -m prefs_num_prefs_poss -m prefs_num_prefs_ful", qrels=prefs, run=run)
    assert found == {"prefs_num_prefs_poss all": "3", "prefs_num_prefs_ful all": "3"}


def test_grades_of_preferences_may_be_fractions(evaluated):
    outcome = evaluated("-R qrels_prefs -m prefs_simp", qrels="q1 0 a 0.7\nq1 0 b 0.2\n", run=RANKING)
    assert printed(outcome) == {"prefs_simp all": "1.0000"}
    assert outcome.messages == ()


@pytest.mark.parametrize(("better", "expected"), [("a", "1.0000"), ("b", "0.0000")])
def test_for_preferences_equal_scores_come_by_document_id_first_first(lines, better, expected):
    tied = "q1 Q0 b 1 1 t\nq1 Q0 a 2 1 t\n"
    worse = {"a": "b", "b": "a"}[better]
    qrels = f"q1 0 {better} 1\nq1 0 {worse} 0\n"
    assert lines("-R qrels_prefs -m prefs_simp", qrels=qrels, run=tied) == {"prefs_simp all": expected}
    assert lines("-R qrels_prefs -m prefs_simp_ret -M 1", qrels=qrels, run=tied) == {"prefs_simp_ret all": "0.0000"}


def test_levels_and_unjudged_documents_change_no_preference(lines):
    qrels = "q1 0 a 1\nq1 0 b 0\nq1 0 c -1\n"
    run = RANKING + "q1 Q0 c 4 9 t\n"
    expected = lines("-q -R qrels_prefs -m all_prefs", qrels=qrels, run=run)
    assert lines("-q -J -l 2 -R qrels_prefs -m all_prefs", qrels=qrels, run=run) == expected


def test_nothing_is_preferred_to_a_document_of_negative_grade_and_that_is_told(evaluated):
    outcome = evaluated("-R qrels_prefs -m prefs_num_prefs_poss", qrels="q1 0 a 1\nq1 0 b 0\nq1 0 c -1\n", run=RANKING)
    assert printed(outcome) == {"prefs_num_prefs_poss all": "1"}
    assert "the grade -1 says that nobody judged the document, so there is no preference to it" in outcome.messages[0]


def test_a_query_without_results_fulfils_no_preference(lines):
    qrels = "q1 0 a 1\nq1 0 b 0\nq2 0 a 1\nq2 0 b 0\n"
    found = lines("-c -q -R qrels_prefs -m prefs_simp -m prefs_num_prefs_poss", qrels=qrels, run=RANKING)
    assert found["prefs_simp q2"] == "0.0000"
    assert found["prefs_simp all"] == "0.5000"
    assert found["prefs_num_prefs_poss all"] == "2"


@pytest.mark.parametrize(
    ("prefs", "said"),
    [
        ("q1 A s a 1\nq1 A s a 2\nq1 A s b 0\n", "duplicate docs a"),
        ("q1 A s a 2\nq1 A s b 1\nq1 A t b 2\nq1 A t a 1\n", "prefers"),
        ("q1 A s a 2\nq1 A s b 1\nq1 A t b 0\nq1 A t c 0\n", "has document 'b' both at grade 0 and above"),
    ],
)
def test_a_judge_who_contradicts_himself_exits_4(evaluated, prefs, said):
    outcome = evaluated("-R prefs -m prefs_simp", qrels=prefs, run=RANKING)
    assert outcome.code == Exit.CALCULATION
    assert said in outcome.messages[0]


def test_judges_may_contradict_each_other(lines):
    prefs = "q1 A s a 2\nq1 A s b 0\nq1 B s b 2\nq1 B s a 0\n"
    assert lines("-R prefs -m prefs_simp", qrels=prefs, run=RANKING) == {"prefs_simp all": "0.5000"}


@pytest.mark.parametrize(
    ("arguments", "qrels", "said"),
    [
        ("-R prefs", "q1 A s a\n", "4 columns where preferences have 5 (query judge subgroup document grade)"),
        ("-R qrels_jg", "q1 A a\n", "3 columns where judgments have 4 (query judge document grade)"),
        ("-R qrels_prefs", "q1 A a nan\n", "line 1: the grade is 'nan'"),
    ],
)
def test_what_cannot_be_read_exits_2(evaluated, arguments, qrels, said):
    outcome = evaluated(f"{arguments} -m num_q", qrels=qrels, run=RANKING)
    assert outcome.code == Exit.INPUT
    assert said in outcome.messages[0]


def test_a_grade_that_is_no_number_is_told(evaluated):
    outcome = evaluated("-R qrels_prefs -m prefs_simp", qrels="q1 0 a good\nq1 0 b 1\n", run=RANKING)
    assert "the grade 'good' is no number and counts as 0" in outcome.messages[0]
    outcome = evaluated("-R qrels_jg -m map_avgjg", qrels="q1 A a 0.7\n", run=RANKING)
    assert "the grade '0.7' is no whole number and counts as 0" in outcome.messages[0]
