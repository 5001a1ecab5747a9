"""Arguments as getopt_long reads them: clusters, long names and their beginnings, files anywhere among them."""

import re

import pytest

from cranfield.compat.trec_eval import Exit, trec_eval
from cranfield.compat.trec_eval.arguments import Options, Request, parse
from cranfield.compat.trec_eval.outcome import TrecEvalError
from cranfield.compat.trec_eval.versions import NINE, TEN

FILES = ["qrels", "run"]


def test_nothing_said_means_the_official_measures_of_version_10():
    options = parse(FILES)
    assert options == Options(files=("qrels", "run"))
    assert options.requests == (Request("official"),)
    assert options.version is TEN


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        ("-q", {"per_query": True}),
        ("-n", {"summary": False}),
        ("-c", {"complete": True}),
        ("-J", {"judged_only": True}),
        ("-o", {}),
        ("-l 2", {"level": 2}),
        ("-l2", {"level": 2}),
        ("-M100", {"depth": 100}),
        ("-M 0", {"depth": 0}),
        ("-N 528155", {"docs": 528155}),
        ("-D 0.q7", {"only_query": "q7"}),
        ("-Rprefs", {"judgments_format": "prefs"}),
        ("-T trec_results", {"run_format": "trec_results"}),
        ("-Z means", {"zscores": "means"}),
        ("-qcJ", {"per_query": True, "complete": True, "judged_only": True}),
        ("-qml2", {"per_query": True, "named": (Request("l2"),)}),
        ("--query_eval_wanted", {"per_query": True}),
        ("--nosummary", {"summary": False}),
        ("--complete_rel_info_wanted", {"complete": True}),
        ("--comp", {"complete": True}),
        ("--level_for_rel=3", {"level": 3}),
        ("--level_for_rel 3", {"level": 3}),
        ("--Judged_docs_only", {"judged_only": True}),
        ("--Max_retrieved_per_topic=5", {"depth": 5}),
        ("--Number_docs_in_coll 7", {"docs": 7}),
        ("--Rel_info_format=qrels_jg", {"judgments_format": "qrels_jg"}),
        ("--Results_format=trec_results", {}),
        ("--Debug_level 0.q7", {"only_query": "q7"}),
        ("--Zscore=means", {"zscores": "means"}),
        ("--Output_old_results_format x", {}),
        (
            "-m map -m P.5,10 -mndcg_cut.10",
            {"named": (Request("map"), Request("P", "5,10"), Request("ndcg_cut", "10"))},
        ),
        ("--measure iprec_at_recall..1,.2", {"named": (Request("iprec_at_recall", ".1,.2"),)}),
        ("--like 9.0.8", {"version": NINE}),
        ("--like=9", {"version": NINE}),
        ("--like 10.0", {"version": TEN}),
    ],
)
def test_an_option_means_what_it_means_to_trec_eval(arguments, expected):
    for order in ([*arguments.split(), *FILES], [*FILES, *arguments.split()]):
        assert parse(order) == Options(files=("qrels", "run"), **expected)


def test_the_last_word_counts():
    assert parse(["-l1", "-l", "2", *FILES]).level == 2


def test_after_two_dashes_everything_is_a_file():
    assert parse(["-q", "--", "-m", "run"]).files == ("-m", "run")


def test_one_dash_is_a_file():
    assert parse(["qrels", "-"]).files == ("qrels", "-")


@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        ([], Exit.USAGE, "no files where judgments and a run belong"),
        (["qrels"], Exit.USAGE, "1 file where judgments and a run belong"),
        (["a", "b", "c"], Exit.USAGE, "3 files where"),
        (["-x", *FILES], Exit.USAGE, "option -x not recognized"),
        (["--nonsense", *FILES], Exit.USAGE, "option --nonsense not recognized"),
        (["--Re", *FILES], Exit.USAGE, "not a unique prefix"),
        ([*FILES, "-m"], Exit.USAGE, "option -m requires argument"),
        (["-m", "P.", *FILES], Exit.USAGE, "illegal measure 'P.'"),
        (["-l", "-1", *FILES], Exit.USAGE, "-l -1: expected a number that is not negative"),
        (["-M", "-1", *FILES], Exit.USAGE, "-M -1"),
        (["--like", "8.1", *FILES], Exit.USAGE, "--like 8.1: known are 10.0 and 9.0.8"),
        (["--like"], Exit.USAGE, "--like : known are"),
        (
            ["-R", "beir", *FILES],
            Exit.INPUT,
            "Illegal rel_format 'beir'; known are qrels, qrels_jg, prefs, qrels_prefs",
        ),
        (["-T", "csv", *FILES], Exit.INPUT, "Illegal retrieval results format 'csv'"),
    ],
)
def test_what_cannot_be_understood_is_told(arguments, code, said):
    with pytest.raises(TrecEvalError, match=re.escape(said)) as stopped:
        parse(arguments)
    assert stopped.value.code == code


def test_the_usage_names_no_set_of_measures_that_does_not_exist():
    outcome = trec_eval([])
    assert outcome.code == Exit.USAGE
    assert "all_qrels" not in outcome.messages[0]
    assert "-m all_trec" in outcome.messages[0]


def test_the_version_is_told_on_standard_error():
    for arguments, version in ((["-v"], "10.0-rc3"), (["--like", "9.0.8", "--version"], "9.0.7")):
        outcome = trec_eval(arguments)
        assert (outcome.output, outcome.code) == (b"", 0)
        assert outcome.messages == (f"trec_eval version {version}",)


def test_a_number_that_is_cut_is_told(evaluated):
    outcome = evaluated("-l 1.5 -m map")
    assert outcome.code == 0
    assert outcome.messages == ("trec_eval: warning: -l 1.5 is read as 1",)
