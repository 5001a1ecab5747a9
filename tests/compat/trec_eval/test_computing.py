"""Which queries count, what stands at `all`, and how far a ranking is read."""

import math

import pytest

from cranfield.compat.trec_eval import Exit
from tests.compat.trec_eval.conftest import QRELS, RUN, printed

ONE_MORE = QRELS + "q3 0 z 2\nq3 0 y 1\n"
"""The run has nothing for q3."""


def test_a_judged_query_without_results_stops_version_10(evaluated):
    outcome = evaluated(qrels=ONE_MORE)
    assert outcome.code == Exit.CALCULATION
    assert outcome.output == b""
    assert outcome.messages == (
        "trec_eval: 1 of 3 judged queries has no results (q3)\n"
        "-c counts them as 0; --like 9.0.8 leaves them out of the means",
    )


def test_version_9_leaves_it_out_of_the_mean_and_here_that_is_told(evaluated, lines):
    outcome = evaluated("--like 9.0.8 -q", qrels=ONE_MORE)
    assert printed(outcome) == lines("--like 9.0.8 -q")
    assert outcome.messages == (
        "trec_eval: warning: 1 of 3 judged queries has no results (q3); "
        "they are left out of the means, -c counts them as 0",
    )


def test_with_c_it_counts_as_0_in_both_versions(lines):
    two, three = lines("-m map -m num_q"), lines("-m map -m num_q -c", qrels=ONE_MORE)
    assert lines("-m map -m num_q -c --like 9.0.8", qrels=ONE_MORE) == three
    assert (two["num_q all"], three["num_q all"]) == ("2", "3")
    assert float(three["map all"]) == pytest.approx(float(two["map all"]) * 2 / 3, abs=1e-4)


def test_with_c_version_10_prints_its_values_too_and_version_9_does_not(lines):
    ten = lines("-m all_trec -q -c", qrels=ONE_MORE)
    nine = lines("-m all_trec -q -c --like 9.0.8", qrels=ONE_MORE)
    assert not [key for key in nine if key.endswith(" q3")]
    of_query = {key.split()[0]: value for key, value in ten.items() if key.endswith(" q3")}
    assert of_query.pop("num_rel") == "2"
    assert of_query.pop("relstring") == "''"
    assert {*of_query.values()} == {"0", "0.0000"}
    assert len(of_query) == 94


def test_with_parameters_it_counts_as_0_all_the_same(lines):
    ten = lines("-m utility.2,-1,1,0 -m relstring.5 -m rbp_resid.p=0.5 -q -c", qrels=ONE_MORE)
    assert (ten["utility_2,-1,1,0 q3"], ten["relstring_5 q3"], ten["rbp_resid_p=0.5 q3"]) == ("0.0000", "''", "0.0000")


def test_yaap_of_a_query_without_results_is_no_0_in_version_10(lines):
    expected = math.log(1 / 3)
    assert lines("-m yaap -q -c", qrels=ONE_MORE)["yaap q3"] == f"{expected:.4f}"


def test_a_geometric_mean_counts_it_as_a_hundred_thousandth(lines):
    qrels, run = "q1 0 a 1\nq2 0 a 1\n", "q1 Q0 a 1 1 x\n"
    expected = f"{math.exp(math.log(1e-5) / 2):.4f}"
    for version in ("10.0", "9.0.8"):
        assert lines(f"-m gm_map -c --like {version}", qrels=qrels, run=run) == {"gm_map all": expected}


def test_with_c_the_number_of_relevant_documents_is_that_of_all_queries_at_level_1(lines):
    for version in ("10.0", "9.0.8"):
        assert lines(f"-m num_rel -c --like {version}", qrels=ONE_MORE) == {"num_rel all": "5"}
        assert lines(f"-m num_rel -c -l 2 --like {version}", qrels=ONE_MORE) == {"num_rel all": "5"}
        assert lines(f"-m num_rel -l 2 --like {version}") == {"num_rel all": "1"}


def test_counts_are_summed_and_everything_else_averaged(lines):
    found = lines("-q -m num_ret -m P.2 -m utility")
    assert found["num_ret all"] == "5"
    assert found["P_2 all"] == "0.5000"
    assert (found["utility q1"], found["utility q2"], found["utility all"]) == ("1.0000", "0.0000", "0.5000")


def test_means_are_running_sums_over_queries_in_byte_order(lines):
    # Ten times 0.1 added one by one stays a little below 1; a mean of exactly 0.03125 is printed as 0.0312.
    qrels = "".join(f"q{query} 0 a 1\n" for query in range(10))
    run = "".join(f"q{query} Q0 a 1 1 x\n" for query in range(10))
    total = 0.0
    for _ in range(10):
        total += 1 / 320
    assert f"{total / 10:.4f}" == lines("-m P.320", qrels=qrels, run=run)["P_320 all"]


def test_no_query_in_common_exits_7(evaluated):
    for version in ("10.0", "9.0.8"):
        outcome = evaluated(f"--like {version}", run=RUN.replace("q", "topic"))
        assert outcome.code == Exit.NOTHING_IN_COMMON
        assert outcome.messages == ("trec_eval: No queries with both results and relevance info",)
    assert evaluated("-c --like 9.0.8", run=RUN.replace("q", "topic")).code == Exit.NOTHING_IN_COMMON


def test_with_c_version_10_gives_zeros_even_then_and_here_that_is_told(evaluated):
    outcome = evaluated("-c -m map -m num_q", run=RUN.replace("q", "topic"))
    assert printed(outcome) == {"map all": "0.0000", "num_q all": "2"}
    assert "no query of the run is judged" in outcome.messages[0]


def test_documents_that_nobody_judged_are_no_mistake(lines):
    run = "".join(f"{query} Q0 other 1 1 x\n" for query in ("q1", "q2", "q3"))
    assert lines("-m map -m num_rel_ret", qrels=ONE_MORE, run=run) == {"map all": "0.0000", "num_rel_ret all": "0"}


def test_a_single_query_may_be_chosen(lines):
    assert lines("-D 0.q2 -q -m recip_rank") == {"recip_rank q2": "0.5000", "recip_rank all": "0.5000"}


def test_intermediate_values_are_not_printed_and_that_is_told(evaluated):
    outcome = evaluated("-D 2 -m map")
    assert [*printed(outcome)] == ["map all"]
    assert "-D prints no intermediate values here" in outcome.messages[0]


def test_a_ranking_is_cut_after_it_was_ordered_and_before_unjudged_documents_go(lines):
    assert lines("-q -n -m relstring")["relstring q1"] == "'2-1'"
    assert lines("-q -n -m relstring -M 2")["relstring q1"] == "'2-'"
    assert lines("-q -n -m relstring -J")["relstring q1"] == "'21'"
    assert lines("-q -n -m relstring -J -M 2")["relstring q1"] == "'2'"
    assert lines("-m num_ret -J -M 2")["num_ret all"] == "2"


def test_where_nothing_is_left_a_level_of_recall_that_asks_for_nothing_is_no_number(lines):
    for arguments in ("-J", "-M 0"):
        found = lines(f"-q -m iprec_at_recall -m 11pt_avg -m set_P {arguments}", run="q1 Q0 x 1 1 x\nq2 Q0 a 1 1 x\n")
        assert found["iprec_at_recall_0.00 q1"] == found["11pt_avg q1"] == "-nan"
        assert found["iprec_at_recall_1.00 q1"] == found["set_P q1"] == "0.0000"
        assert found["iprec_at_recall_0.00 all"] == "-nan"


def test_measures_that_need_other_judgments_are_told(evaluated):
    outcome = evaluated("-R qrels_jg")
    assert outcome.code == Exit.CALCULATION
    assert outcome.messages == ("trec_eval: Can't calculate measure 'num_ret': it goes with -R qrels",)
