"""`cranfield score`: type a ranking, see the number."""

import json

import pytest


@pytest.fixture
def score(cranfield):
    """The command; gives what it prints as a table."""

    def call(*arguments):
        done = cranfield("score", *arguments, *(() if "--format" in arguments else ("--format", "table")))
        assert (done.returncode, done.stderr) == (0, "")
        return done.stdout

    return call


def test_a_ranking_is_typed_and_its_scores_are_shown(score):
    assert score("1 0 1 1 0", "-m", "AP", "-m", "nDCG@5") == (
        "ranking      found       AP   nDCG@5\n"
        "────────────────────────────────────\n"
        "1 0 1 1 0   3 of 3   0.8056   0.9060\n"
        "found: relevant documents retrieved, out of all relevant ones.\n"
    )


def test_several_rankings_have_a_mean_without_an_interval(score):
    assert score("1011110001", "0100111011", "-m", "AP", "--places", "2").splitlines()[2:] == [
        "1011110001   6 of 6   0.78",
        "0100111011   6 of 6   0.52",
        "mean                  0.65",
        "found: relevant documents retrieved, out of all relevant ones.",
        "The mean of AP is called MAP.",
    ]


def test_without_a_measure_there_are_the_usual_ones(score):
    assert score("10").split()[:7] == ["ranking", "found", "SetP", "SetR", "AP", "RR", "nDCG"]


def test_measures_may_be_of_any_kind(score):
    measures = ("SetF", "Accuracy(docs=100)", "Rprec", "IPrec@0.2", "ElevenPoint", "SL", "Bpref")
    arguments = [word for measure in measures for word in ("-m", measure)]
    rows = [
        line.split("\t") for line in score("0101010000", "--relevant", "15", *arguments, "--format", "tsv").splitlines()
    ]
    assert {measure: value for _, measure, value in rows[1:]} == {
        "SetF": "0.2400",
        "Accuracy(docs=100)": "0.8100",
        "Rprec": "0.2000",
        "IPrec@0.2": "0.5000",
        "ElevenPoint": "0.1364",
        "SL": "2.0000",
        "Bpref": "0.1429",
    }


def test_each_ranking_may_have_its_number_of_relevant_documents(score):
    printed = json.loads(score("10", "01", "--relevant", "3", "--relevant", "4", "-m", "SetR", "--format", "json"))
    assert [one["relevant"] for one in printed["rankings"]] == [3, 4]
    assert [one["scores"]["SetR"] for one in printed["rankings"]] == [1 / 3, 1 / 4]
    assert printed["means"] == {"SetR": pytest.approx(7 / 24)}


def test_a_level_a_depth_and_a_profile_are_those_of_evaluate(score):
    assert (
        score("2 1 0", "-l", "2", "-M", "1", "-m", "SetP", "--format", "csv").splitlines()[1]
        == "2 1 0,SetP(rel=2),1.0000"
    )
    graded = score("3 2 3 0 0 1 2 2 3 0", "--profile", "gdeval", "-m", "nDCG@10", "--format", "csv")
    assert graded.splitlines()[1].endswith("nDCG(gain=exponential)@10,0.8951")


def test_undefined_scores_are_told_and_what_becomes_of_them(score):
    lines = score("1 0", "0 0", "-m", "AP").splitlines()
    assert lines[3].split() == ["0", "0", "0", "of", "0", "undefined"]
    assert "An undefined score counts as 0 in the mean (AP)." in lines
    lines = score("1 0", "0 0", "-m", "AP", "--undefined", "skip").splitlines()
    assert lines[4].split() == ["mean", "1.0000"]
    assert "An undefined score is left out of the mean (AP)." in lines


def test_counts_are_summed_and_it_is_told(score):
    assert "NumRel: the last row is the sum over rankings." in score("10", "11", "-m", "NumRel")


@pytest.mark.parametrize("ranking", ["--1", "- - 1", "-x1"])
def test_a_ranking_may_begin_with_an_unjudged_document(score, ranking):
    assert score(ranking, "-m", "RR").splitlines()[2].endswith("0.3333")


def test_without_quotes_it_is_one_ranking(score):
    assert score("+", "-", "+", "-m", "SetP", "-m", "Judged@3").splitlines()[2].split() == [
        *("+", "-", "+", "2", "of", "2", "0.6667", "1.0000")
    ]


def test_a_ranking_of_thousands_is_scored(cranfield):
    done = cranfield("score", "0" * 20_000 + "1", "-m", "RR", "--places", "6", "--format", "jsonl")
    assert json.loads(done.stdout)["value"] == 1 / 20_001


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((), "Missing argument 'RANKING...'"),
        (("",), "An empty ranking was given."),
        (("1 0 z",), "    1 0 z\n        ^\n"),
        (("0101010000|15",), "write |+15; for documents of these grades write |1 5."),
        (("1011", "--relevant", "2"), "so --relevant 2 is too few"),
        (("1011", "--relevant", "x"), "must be a whole number"),
        (("1", "01", "11", "--relevant", "2", "--relevant", "2"), "--relevant has 2 numbers for 3 rankings"),
        (("1011", "-m", "nDGC"), "Did you mean nDCG"),
        (("1011", "-m", "P"), "P needs a cutoff"),
        (("1011", "-m", "P_IA@2"), "a ranking that is typed has one"),
        (("1011", "-q"), "No such option"),
        (("1011", "--plces", "3"), "Did you mean"),
        (("1|+99999999",), "It must be at most 1,000,000."),
    ],
)
def test_what_is_wrong_is_told_without_a_traceback(cranfield, arguments, message):
    done = cranfield("score", *arguments)
    assert (done.returncode, done.stdout) == (2, "")
    assert message in done.stderr
    assert "Traceback" not in done.stderr
