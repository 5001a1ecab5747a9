"""`cranfield risk`, as a user calls it."""

import json
from dataclasses import replace

import pytest

import cranfield as cf

NEW = "q1 Q0 d3 1 3.0 new\nq2 Q0 d1 1 1.0 new\n"


@pytest.fixture
def new(folder):
    (folder / "new.run").write_text(NEW)


@pytest.mark.usefixtures("new")
@pytest.mark.parametrize(
    "arguments",
    [
        ("bm25.run", "new.run", "--baseline", "bm25"),
        ("bm25.run", "new.run", "--baseline", "bm25.run"),
        ("./bm25.run", "new.run", "--baseline", "bm25"),
    ],
)
def test_the_baseline_is_one_of_the_runs_by_name_or_path(cranfield, arguments):
    shown = cranfield("risk", "qrels.txt", *arguments, "-m", "RR").stdout.splitlines()
    assert shown[0].split("\t")[:4] == ["run", "measure", "query", "URisk"]
    assert [line.split("\t")[:4] for line in shown[1:]] == [
        ["bm25", "RR", "all", "0.0000"],
        ["new", "RR", "all", "0.2500"],
    ]


@pytest.mark.usefixtures("new")
def test_or_the_path_of_another_one(cranfield):
    shown = cranfield("risk", "qrels.txt", "new.run", "--baseline", "bm25.run", "-m", "RR").stdout.splitlines()
    assert [line.split("\t")[0] for line in shown[1:]] == ["new", "bm25"]


@pytest.mark.usefixtures("new")
def test_per_query_and_the_weight_of_losses(cranfield):
    options = ("-m", "P(rel=2)@1", "-q", "--loss-weight", "5")
    shown = cranfield("risk", "qrels.txt", "new.run", "--baseline", "bm25.run", *options)
    first, second = shown.stdout.splitlines()[1:3]
    assert first == "new\tP(rel=2)@1\tq1\t-6.0000" + "\t" * 6
    assert second == "new\tP(rel=2)@1\tq2\t0.0000" + "\t" * 6
    assert shown.returncode == 0


@pytest.mark.usefixtures("new")
def test_the_table_is_for_people_and_says_what_it_means(cranfield):
    shown = cranfield("risk", "qrels.txt", "bm25.run", "new.run", "--baseline", "bm25", "--format", "table", "-q")
    assert "GeoRisk: √(mean · Φ(ZRisk / number of queries))" in " ".join(shown.stdout.split())
    assert shown.stdout.splitlines()[0].split() == ["run", "query", "nDCG@10", "AP"]


@pytest.mark.usefixtures("new")
def test_quiet_leaves_out_warnings_and_keeps_what_the_numbers_mean(cranfield, folder):
    (folder / "half.run").write_text("q1 Q0 d1 1 1 x\n")
    arguments = ("risk", "qrels.txt", "half.run", "--baseline", "bm25.run", "--format", "table")
    assert "half: no documents for 1 of 2 judged queries" in cranfield(*arguments).stdout
    quiet = cranfield(*arguments, "--quiet").stdout
    assert "no documents" not in quiet
    assert "URisk: mean gain" in quiet


@pytest.mark.usefixtures("new")
def test_json_is_the_object_that_python_gives(cranfield):
    shown = cranfield("risk", "qrels.txt", "bm25.run", "new.run", "--baseline", "bm25", "--format", "json", "-q")
    scores = cf.evaluate("qrels.txt", ["bm25.run", "new.run"], ["nDCG@10", "AP"])
    assert json.loads(shown.stdout) == json.loads(
        json.dumps(replace(cf.risk(scores, "bm25"), with_queries=True).to_dict())
    )


def test_a_baseline_that_is_neither_run_nor_file_stops_with_the_nearest(cranfield):
    done = cranfield("risk", "qrels.txt", "bm25.run", "--baseline", "bm52.run")
    assert done.returncode == 3
    assert "bm52.run: there is no such file\nDid you mean bm25.run?" in done.stderr


def test_a_misspelt_name_of_a_run_stops_with_the_nearest(cranfield):
    done = cranfield("risk", "qrels.txt", "bm25.run", "--baseline", "bm52")
    assert done.returncode == 3
    assert "bm52: there is no such file\nDid you mean bm25?" in done.stderr


def test_standard_input_is_read_once(cranfield):
    assert cranfield("risk", "qrels.txt", "-", "--baseline", "-", stdin=NEW).returncode == 2


def test_a_loss_cannot_weigh_less_than_a_gain(cranfield):
    assert cranfield("risk", "qrels.txt", "bm25.run", "--baseline", "bm25", "--loss-weight", "-1").returncode == 2
