"""Which lines are printed, in which order, under which names."""

import pytest

from cranfield.compat.trec_eval import Exit
from cranfield.compat.trec_eval.table import NICKNAMES, TABLE
from cranfield.compat.trec_eval.versions import NINE
from tests.compat.trec_eval.conftest import printed

RANKS = (5, 10, 15, 20, 30, 100, 200, 500, 1000)
TENTHS = tuple(f"{tenth / 10:.2f}" for tenth in range(11))
FIFTHS = tuple(f"{fifth / 5:.2f}" for fifth in range(1, 11))


def at(name, cutoffs):
    return [f"{name}_{cutoff}" for cutoff in cutoffs]


ALL_TREC = [
    *["runid", "num_q", "num_ret", "num_rel", "num_rel_ret", "map", "gm_map", "Rprec", "bpref", "recip_rank"],
    *at("iprec_at_recall", TENTHS),
    *at("P", RANKS),
    *at("recall", RANKS),
    *["infAP", "gm_bpref"],
    *at("Rprec_mult", FIFTHS),
    *["utility", "11pt_avg", "binG", "G", "ndcg", "ndcg_rel", "Rndcg"],
    *at("ndcg_cut", RANKS),
    *at("map_cut", RANKS),
    *at("relative_P", RANKS),
    *at("success", (1, 5, 10)),
    *["set_P", "set_relative_P", "set_recall", "set_map", "set_F", "num_nonrel_judged_ret"],
    *["rbp", "rbp_resid", "unj_5", "unj_10", "unj_20"],
]


def names(lines, query="all"):
    return [key.split()[0] for key in lines if key.endswith(f" {query}")]


def test_all_trec_is_everything_in_trec_eval_s_own_order(lines):
    assert names(lines("-m all_trec")) == ALL_TREC
    assert names(lines("--like 9.0.8 -m all_trec")) == ALL_TREC[:-5]
    assert len(ALL_TREC) == 99


def test_of_a_query_the_means_of_all_are_left_out_and_the_grades_added(lines):
    of_query = names(lines("-m all_trec -q"), "q1")
    assert {*ALL_TREC} - {*of_query} == {"runid", "num_q", "gm_map", "gm_bpref"}
    assert {*of_query} - {*ALL_TREC} == {"relstring"}
    assert of_query.index("relstring") == of_query.index("P_1000") + 1


def test_without_a_measure_the_official_ones_are_printed(lines):
    official = [*ALL_TREC[:10], *at("iprec_at_recall", TENTHS), *at("P", RANKS)]
    assert names(lines()) == official == names(lines("-m official"))


def test_set_is_what_needs_no_ranking(lines):
    expected = "runid num_q num_ret num_rel num_rel_ret utility set_P set_relative_P set_recall set_map set_F"
    assert names(lines("-m set")) == expected.split()


def test_the_order_is_the_table_s_and_not_the_command_s(lines):
    assert names(lines("-m success.1 -m P.7,3 -m map")) == ["map", "P_3", "P_7", "success_1"]


def test_some_are_printed_only_when_named(lines):
    assert names(lines("-m yaap -m dcg -m ideal_dcg")) == ["dcg", "ideal_dcg", "yaap"]


def test_no_summary_and_only_a_summary(lines):
    assert {key.split()[1] for key in lines("-n -q -m map")} == {"q1", "q2"}
    assert {key.split()[1] for key in lines("-m map")} == {"all"}
    assert lines("-n -m map") == {}


def test_queries_come_in_byte_order_before_the_summary(lines):
    qrels = "10 0 a 1\n9 0 a 1\nä 0 a 1\nZ 0 a 1\n"
    run = "ä Q0 a 1 1 x\n9 Q0 a 1 1 x\nZ Q0 a 1 1 x\n10 Q0 a 1 1 x\n"
    assert [key.split()[1] for key in lines("-q -m map", qrels=qrels, run=run)] == ["10", "9", "Z", "ä", "all"]


@pytest.mark.parametrize(
    ("request_", "expected"),
    [
        ("P.5,7,3", ["P_3", "P_5", "P_7"]),
        ("ndcg_cut.10,23.4", ["ndcg_cut_10", "ndcg_cut_23"]),
        ("iprec_at_recall..10,.251,.254", ["iprec_at_recall_0.10", "iprec_at_recall_0.25"]),
        ("Rprec_mult.5.0,0.35", ["Rprec_mult_0.35", "Rprec_mult_5.00"]),
        ("iprec_at_recall.123456789", ["iprec_at_recall_12345678"]),
        ("utility.2,-1,0,0", ["utility_2,-1,0,0"]),
        ("11pt_avg..25,.5,.75", ["11pt_avg_.25,.5,.75"]),
        ("set_F.0.5", ["set_F_0.5"]),
        ("ndcg.1=3,2=9", ["ndcg_1=3,2=9"]),
        ("rbp.p=0.8", ["rbp_p=0.8"]),
    ],
)
def test_parameters_show_in_the_name(lines, request_, expected):
    assert names(lines(f"-m {request_}")) == expected


def test_parameters_given_twice_are_all_heeded(lines):
    assert names(lines("-m P.1 -m P.2")) == ["P_1", "P_2"]
    assert names(lines("-m P.1,2 -m P.2,3")) == ["P_1", "P_2", "P_3"]
    assert names(lines("-m set_F.4 -m set_F.1")) == ["set_F_4", "set_F_1"]
    assert names(lines("-m set -m set_F.4"))[-1] == "set_F_4"


def test_parameters_that_do_nothing_are_told(evaluated):
    outcome = evaluated("-m map.10 -m set.3")
    assert "map all" in printed(outcome)
    assert outcome.messages == (
        "trec_eval: warning: map takes no parameters; '10' does nothing; cutoffs go with map_cut",
        "trec_eval: warning: set takes no parameters; '3' does nothing",
    )


@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        ("-m mapp", Exit.USAGE, "illegal measure 'mapp'. Did you mean map or"),
        ("-m all_qrels", Exit.USAGE, "illegal measure 'all_qrels'"),
        ("-m P_5", Exit.USAGE, "illegal measure 'P_5'; write P.5"),
        ("-m rbp --like 9.0.8", Exit.USAGE, "illegal measure 'rbp'; trec_eval 9.0.8 does not have it"),
        ("-m P.0", Exit.INPUT, "Cannot initialize measure 'P': a cutoff of 0 was found"),
        ("-m P.ten", Exit.INPUT, "a cutoff of 0 was found"),
        ("-m P.5,5", Exit.INPUT, "duplicate cutoffs detected in '5,5'"),
        ("-m iprec_at_recall..1,.10", Exit.INPUT, "duplicate cutoffs detected"),
        (
            "-m ndcg.10",
            Exit.INPUT,
            "malformed pair parameters in '10'; expected such as 1=3,2=9; cutoffs go with ndcg_cut",
        ),
        ("-m ndcg.1=3,2", Exit.INPUT, "malformed pair parameters in '1=3,2'"),
        ("-m ndcg.0=-1", Exit.INPUT, "is not computed here"),
        ("-m ndcg.-1=1", Exit.INPUT, "is not computed here"),
        ("-m ndcg.1=3,1=9", Exit.INPUT, "'1=3,1=9' names 1 twice; name it once"),
        ("-m ndcg.1=1e400", Exit.INPUT, "'1e400': a number must lie between -1e+100 and 1e+100"),
        ("-m iprec_at_recall.1e400", Exit.INPUT, "a number must lie between"),
        ("-m relstring.nan", Exit.INPUT, "a number must lie between"),
        ("-m set_F." + "9" * 5000, Exit.INPUT, "a number must lie between"),
        ("-m utility.1e400,0,0,0", Exit.INPUT, "a number must lie between"),
        ("-m rbp.p=1.5", Exit.INPUT, "p must be between 0 and 1"),
        ("-m utility.1,2", Exit.CALCULATION, "Can't calculate measure 'utility': utility takes 4 numbers"),
    ],
)
def test_a_measure_that_cannot_be_is_told_before_anything_is_read(evaluated, arguments, code, said):
    outcome = evaluated(arguments, qrels="not even judgments", run="")
    assert outcome.code == code
    assert said in outcome.messages[0]
    assert outcome.output == b""


def test_every_name_that_stands_for_several_stands_for_measures_there_are():
    known = [entry.name for entry in TABLE]
    assert len(known) == len({*known})
    assert all({*names} <= {*known} for names in NICKNAMES.values())
    assert NINE.lacks <= {*known}


@pytest.mark.parametrize("digits", [19, 400, 5000])
def test_a_cutoff_of_any_number_of_digits_is_the_largest_there_is(lines, digits):
    assert lines("-m P." + "9" * digits)["P_9223372036854775807 all"] == "0.0000"
