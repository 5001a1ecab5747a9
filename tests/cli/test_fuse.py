"""`cranfield fuse`: runs in, a run out."""

import json

import pytest


@pytest.fixture
def runs(folder):
    (folder / "dense.run").write_text("q1 Q0 d9 1 3.0 dense\nq1 Q0 d1 2 2.0 dense\nq2 Q0 d4 1 1.0 dense\n")
    return "bm25.run", "dense.run"


def test_the_fused_run_is_written_and_can_be_evaluated(cranfield, folder, runs):
    done = cranfield("fuse", *runs, "-o", "fused.run", "--format", "table")
    assert done.returncode == 0
    assert "Fused bm25 and dense by rrf" in done.stdout
    assert cranfield("evaluate", "qrels.txt", "fused.run", "-m", "RR").returncode == 0


def test_on_standard_output_it_is_a_trec_run(cranfield, runs):
    done = cranfield("fuse", *runs, "-o", "-", "--name", "both")
    assert done.stdout.splitlines()[0].split()[5] == "both"
    assert "Fused bm25 and dense" in done.stderr


@pytest.mark.parametrize("form", ["table", "tsv", "csv", "json", "jsonl", "markdown", "latex"])
def test_every_format_says_how_it_was_fused(cranfield, runs, form):
    done = cranfield("fuse", *runs, "--method", "combsum", "--weights", "1,3", "-o", "f.run", "--format", form)
    assert done.returncode == 0
    assert "minmax" in done.stdout
    listed = cranfield("fuse", "--list", "--format", form)
    assert listed.returncode == 0
    assert "condorcet" in listed.stdout


def test_json_has_every_choice(cranfield, runs):
    options = ["--method", "rbc(phi=0.9)", "--depth", "5", "--top", "3"]
    fusion = json.loads(cranfield("fuse", *runs, *options, "-o", "f.run", "--format", "json").stdout)["fusion"]
    assert fusion == {"method": "rbc(phi=0.9)", "missing": "absent", "depth": 5, "top": 3}


def test_a_definition_is_shown_in_full(cranfield):
    done = cranfield("fuse", "--list", "borda", "--format", "table")
    assert "Borda count" in done.stdout
    assert "share of the number of candidates" in done.stdout


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (["-o", "fused.pdf"], "the name does not show the format"),
        ([], "Say where to write the fused run"),
        (["-o", "f.run", "--method", "nothing"], "There is no fusion method 'nothing'"),
        (["-o", "f.run", "--weights", "1;2"], "--weights takes numbers"),
        (["-o", "f.run", "--norm", "max"], "rrf reads ranks, so --norm changes nothing"),
        (["-o", "f.run", "--method", "rbc", "-k", "3"], "rbc has no parameter 'k'"),
        (["--tune", "nDCG@10", "--judgments", "qrels.txt", "-o", "f.run"], "cranfield fuse tune QRELS RUN RUN..."),
    ],
)
def test_wrong_usage_exits_with_2(cranfield, runs, options, words):
    done = cranfield("fuse", *runs, *options)
    assert done.returncode == 2
    assert words in done.stderr


def test_bad_data_exit_with_3(cranfield, folder, runs):
    (folder / "bad.run").write_text("q1 Q0 d9 1 3.0 x\nq1 Q0 d9 2 2.0 x\n")
    done = cranfield("fuse", "bm25.run", "bad.run", "-o", "f.run")
    assert done.returncode == 3
    assert "bad.run, line 2" in done.stderr
    assert not (folder / "f.run").exists()


def test_methods_that_learn_take_judgments(cranfield, folder, runs):
    options = ["--method", "posfuse", "--train", "qrels.txt", "--folds", "2"]
    done = cranfield("fuse", *runs, *options, "-o", "f.run", "--format", "table")
    assert done.returncode == 0
    assert "posfuse" in done.stdout
    assert "give them as --train" in cranfield("fuse", *runs, "--method", "posfuse", "-o", "f.run").stderr
