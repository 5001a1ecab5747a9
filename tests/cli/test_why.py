"""`cranfield why`, as a user calls it."""

import json

import pytest


def test_one_measure_is_explained_at_a_time(cranfield):
    done = cranfield("why", "qrels.txt", "bm25.run", "-m", "AP", "-m", "RR")
    assert done.returncode == 2
    assert "give -m once" in done.stderr


def test_unless_asked_it_is_about_ndcg(cranfield):
    assert json.loads(cranfield("why", "qrels.txt", "bm25.run", "--format", "json").stdout)["measure"] == "nDCG@10"


def test_standard_input_is_read_once(cranfield):
    done = cranfield("why", "-", "-", stdin="q1 0 d1 1\n")
    assert done.returncode == 2
    assert "Standard input can be read only once" in done.stderr


def test_several_runs_are_fused_as_each_tool_does(cranfield, folder):
    (folder / "dense.run").write_text("q1 Q0 d9 1 3.0 dense\nq1 Q0 d1 2 2.0 dense\nq2 Q0 d4 1 1.0 dense\n")
    done = cranfield("why", "qrels.txt", "bm25.run", "dense.run", "--fuse", "rrf", "-m", "RR", "--format", "table")
    assert done.returncode == 0
    assert "tools that have rrf" in done.stdout


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (["bm25.run"], "to fuse several, add --fuse METHOD"),
        (["--norm", "max"], "--norm needs --fuse METHOD"),
        (["bm25.run", "--fuse", "rrf", "-M", "5"], "--depth has no effect with --fuse"),
        (["bm25.run", "--fuse", "rrf", "--group-by", "#"], "--group-by has no effect with --fuse"),
        (["bm25.run", "--fuse", "rrff"], "There is no fusion method 'rrff'"),
    ],
)
def test_what_has_no_effect_on_a_fusion_is_refused(cranfield, options, words):
    done = cranfield("why", "qrels.txt", "bm25.run", *options)
    assert done.returncode == 2
    assert words in done.stderr
