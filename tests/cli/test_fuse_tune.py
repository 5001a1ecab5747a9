"""`cranfield fuse tune`: judgments and runs in, a run to report and one to deploy out."""

import json

import pytest

import cranfield as cf
from cranfield import demo

GARDEN = [demo.path(name) for name in ("qrels.txt", "bm25.run", "dense.run")]


def test_the_run_to_report_and_the_run_to_deploy_are_written(cranfield):
    done = cranfield("fuse", "tune", *GARDEN, "-o", "fused.run", "--final", "deployed.run", "--format", "json")
    assert done.returncode == 0
    tuning = json.loads(done.stdout)
    assert (tuning["path"], tuning["final_path"]) == ("fused.run", "deployed.run")
    own = {row["query"]: row["fusion"] for row in tuning["queries"]}
    fused, deployed = cf.read_run("fused.run"), cf.read_run("deployed.run")
    assert {*map(str, own.values())} != {str(own["q01"])}
    for query in ("q01", "q70"):
        options = {name: value for name, value in own[query].items() if name != "flat"}
        assert fused[query] == cf.fuse(GARDEN[1:], **options)[query]
    expected = deployed["q01"]
    command = tuning["final"]["command"].split()
    assert cranfield(*command[1:]).returncode == 0
    assert cf.read_run("deployed.run")["q01"] == expected


def test_it_says_what_each_run_is_for(cranfield):
    text = cranfield("fuse", "tune", *GARDEN, "-o", "a.run", "--final", "b.run", "--format", "table").stdout
    assert "Written to a.run: the out-of-fold run" in text
    assert "Written to b.run: the run of the final parameters. Do not evaluate it on these queries" in " ".join(
        text.split()
    )


def test_the_measure_is_drawn_over_the_weight_and_over_k(cranfield, folder):
    pytest.importorskip("matplotlib")
    weights = ["--method", "combsum", "--norm", "minmax", "--repeats", "2", "--plot", "weights.svg"]
    assert cranfield("fuse", "tune", *GARDEN, *weights).returncode == 0
    assert "weight of bm25" in (folder / "weights.svg").read_text()
    constants = ["--method", "rrf", "--steps", "1", "--repeats", "2", "--plot", "k.svg"]
    assert cranfield("fuse", "tune", *GARDEN, *constants).returncode == 0
    assert "nDCG@10 by k" in (folder / "k.svg").read_text()


def test_where_nothing_was_varied_there_is_no_curve(cranfield):
    pytest.importorskip("matplotlib")
    done = cranfield("fuse", "tune", *GARDEN, "--method", "combmax", "--plot", "none.svg")
    assert done.returncode == 2
    assert "no curve to draw" in done.stderr


@pytest.mark.parametrize("form", ["table", "tsv", "csv", "json", "jsonl", "markdown", "latex"])
def test_every_format_has_the_configurations(cranfield, form):
    done = cranfield("fuse", "tune", *GARDEN, "--method", "combsum", "--repeats", "2", "--format", form)
    assert done.returncode == 0
    assert "combsum" in done.stdout


@pytest.mark.parametrize(
    ("options", "code", "message"),
    [
        (["--folds", "1"], 2, "from 2 to"),
        (["--folds", "71"], 2, "--folds"),
        (["--steps", "0"], 2, "--steps"),
        (["-k", "1,x"], 2, "-k"),
        (["-k", "-5"], 2, "k must be"),
        (["-m", "nonsense"], 2, "nonsense"),
        (["--method", "rff"], 2, "Did you mean"),
        (["--norm", "theoretical"], 2, "--lowest"),
        (["-o", "fused.docx"], 2, "fused.docx"),
        (["--final", "nowhere/final.run"], 3, "nowhere"),
    ],
)
def test_wrong_usage_is_explained(cranfield, options, code, message):
    done = cranfield("fuse", "tune", *GARDEN, *options)
    assert done.returncode == code
    assert message in done.stderr
    assert "Traceback" not in done.stderr


def test_one_run_cannot_be_tuned(cranfield):
    done = cranfield("fuse", "tune", *GARDEN[:2])
    assert done.returncode == 2
    assert "two or more runs" in done.stderr
