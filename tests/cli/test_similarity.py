"""`cranfield similarity`: all pairs of runs, in every form."""

import json

import pytest


@pytest.fixture
def runs(folder):
    (folder / "dense.run").write_text("q1 Q0 d9 1 3.0 dense\nq1 Q0 d1 2 2.0 dense\nq3 Q0 d4 1 1.0 dense\n")
    return "bm25.run", "dense.run"


def test_a_table_holds_a_row_per_pair_and_says_what_counts_as_zero(cranfield, runs):
    done = cranfield("similarity", *runs, "-k", "2", "--format", "table")
    assert done.returncode == 0
    assert "overlap@2" in done.stdout
    assert "bm25   dense   1/3" in done.stdout
    assert "bm25: no documents in dense for 1 query (q2); it counts as 0" in done.stdout
    assert "dense: no documents in bm25 for 1 query (q3); it counts as 0" in done.stdout


def test_in_a_pipe_there_is_a_row_per_number(cranfield, runs):
    done = cranfield("similarity", *runs, "-k", "2", "-q", "--places", "2")
    lines = done.stdout.splitlines()
    assert lines[0] == "run\tother\tmeasure\tquery\tvalue"
    assert "bm25\tdense\toverlap@2\tq1\t1.00" in lines
    assert "bm25\tdense\toverlap@2\tall\t0.33" in lines
    assert len(lines) == 1 + 5 * 4
    assert "warning: bm25: no documents in dense for 1 query" in done.stderr


def test_json_holds_the_same(cranfield, runs):
    done = cranfield("similarity", *runs, "-k", "2", "--format", "json", "--quiet")
    (pair,) = json.loads(done.stdout)["pairs"]
    assert pair["measures"]["overlap@2"]["mean"] == pytest.approx(1 / 3)
    assert done.stderr == ""


def test_a_run_is_fully_like_itself(cranfield, folder):
    done = cranfield("similarity", "bm25.run", "-", "--format", "jsonl", stdin=(folder / "bm25.run").read_text())
    values = {row["measure"]: row["value"] for row in map(json.loads, done.stdout.splitlines())}
    assert values["RBO(p=0.9)"] == pytest.approx(1)
    assert values["Jaccard@10"] == 1


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (("bm25.run",), 2, "One run was given (bm25)"),
        (("bm25.run", "bm25.run", "-p", "1"), 2, "must be a "),
        (("bm25.run", "bm25.run", "-k", "0"), 2, "must be a "),
        (("-", "-"), 2, "Standard input can be read only once"),
        (("bm25.run", "nothing.run"), 3, "nothing.run"),
        (("bm25.run", "qrels.txt"), 3, "these are judgments, where a run was expected"),
    ],
)
def test_what_is_wrong_is_told_without_a_traceback(cranfield, arguments, code, message):
    done = cranfield("similarity", *arguments)
    assert done.returncode == code
    assert message in done.stderr
    assert "Traceback" not in done.stderr
