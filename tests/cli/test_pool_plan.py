"""`cranfield pool plan`, as a user calls it."""

import pytest

ASKED = ("bm25.run", "dense.run", "--judgments", "qrels.txt", "--format", "table")


def test_it_says_in_words_what_came_out(pool, collection):
    plan = pool("plan", *ASKED, "--width", "0.1").stdout
    assert plan.startswith("Because of unjudged documents the true difference (nDCG@10, dense - bm25)")
    sample = ("--strategy", "sample", "--strata", "10:0.5,30:0.1", "--width", "0.05")
    assert pool("plan", *ASKED, *sample).stdout.startswith("A sample of ")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("bm25.run", "--width", "0.1"), "Missing option '--judgments'"),
        (("bm25.run", "--judgments", "qrels.txt"), "Missing option '--width'"),
        (("-", "--judgments", "-", "--width", "1"), "Standard input can be read only once"),
    ],
)
def test_what_is_wrong_is_told_without_a_traceback(pool, collection, arguments, message):
    done = pool("plan", *arguments)
    assert (done.returncode, "Traceback" in done.stderr) == (2, False), done.stderr
    assert message in done.stderr


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (("plan", "--width", "0.1", "--order", "rank"), "No such option '--order'"),
        (("plan", "--width", "0.1", "--strata", "10:1"), "needs --strategy sample"),
        (("plan", "--width", "0.1", "--strategy", "sample", "--depth", "3"), "--depth has no effect on a sample"),
    ],
)
def test_options_that_would_do_nothing_are_refused(cranfield, options, words):
    done = cranfield("pool", *options, "bm25.run", "bm25.run", "--judgments", "qrels.txt")
    assert done.returncode == 2
    assert words in done.stderr
