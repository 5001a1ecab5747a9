"""`cranfield pool reusability`, as a user calls it."""

import json

ASKED = ("bm25.run", "dense.run", "--judgments", "qrels.txt", "--format", "table")
ALL = ("title.run", "bm25.run", "dense.run", "hybrid.run")


def test_it_says_in_words_what_came_out(pool, collection):
    assert pool("reusability", *ASKED).stdout.startswith("Without its own contribution to the pool a run's nDCG@10")


def test_runs_of_a_team_are_left_out_together(pool, collection):
    arguments = ("--judgments", "qrels.txt", "--group", "city=bm25,title", "--format", "jsonl", "--quiet")
    rows = [json.loads(line) for line in pool("reusability", *ALL, *arguments).stdout.splitlines()]
    assert [row["group"] for row in rows] == ["city", "city", "dense", "hybrid"]


def test_judgments_without_anything_relevant_show_no_reusability(cranfield, folder):
    (folder / "zero.txt").write_text("q1 0 d1 0\nq2 0 d1 0\n")
    (folder / "other.run").write_text("q1 Q0 d1 1 1.0 x\n")
    done = cranfield("pool", "reusability", "bm25.run", "other.run", "--judgments", "zero.txt")
    assert done.returncode == 3
    assert "no judged document has a grade of 1 or more" in done.stderr


def test_one_run_is_told_without_a_traceback(pool, collection):
    done = pool("reusability", "bm25.run", "--judgments", "qrels.txt")
    assert (done.returncode, "Traceback" in done.stderr) == (2, False), done.stderr
    assert "Reusability is between runs" in done.stderr


def test_options_that_would_do_nothing_are_refused(cranfield):
    done = cranfield("pool", "reusability", "--budget", "3", "bm25.run", "bm25.run", "--judgments", "qrels.txt")
    assert done.returncode == 2
    assert "No such option" in done.stderr
    assert "--budget" in done.stderr
