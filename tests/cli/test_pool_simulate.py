"""`cranfield pool simulate`, as a user calls it."""

import pytest

ASKED = ("bm25.run", "dense.run", "--judgments", "qrels.txt", "--format", "table")


def test_it_says_in_words_what_came_out(pool, collection):
    assert "80% of the 339 relevant documents with " in pool("simulate", *ASKED).stdout


def test_strategies_are_simulated_together_with_depth(pool, collection):
    shown = pool("simulate", "bm25.run", "dense.run", "--judgments", "qrels.txt", "--strategy", "mtf").stdout
    assert {line.split("\t")[0] for line in shown.splitlines()[1:]} == {"depth", "mtf"}
    two = ("--strategy", "mtf", "--strategy", "rrf")
    shown = pool("simulate", "bm25.run", "dense.run", "--judgments", "qrels.txt", *two).stdout
    assert {line.split("\t")[0] for line in shown.splitlines()[1:]} == {"depth", "mtf", "rrf"}


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("bm25.run"), "Missing option '--judgments'"),
        (("bm25.run", "--judgments", "qrels.txt", "-o", "x.csv"), "No such option"),
    ],
)
def test_what_is_wrong_is_told_without_a_traceback(pool, collection, arguments, message):
    done = pool("simulate", *arguments)
    assert (done.returncode, "Traceback" in done.stderr) == (2, False), done.stderr
    assert message in done.stderr
