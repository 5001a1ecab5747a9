"""`cranfield plan`, as a user calls it."""

import json

import pytest

NEW = "q1 Q0 d3 1 3.0 new\nq2 Q0 d1 1 1.0 new\n"


@pytest.fixture(autouse=True)
def new(folder):
    (folder / "new.run").write_text(NEW)


def test_what_these_queries_show(cranfield):
    done = cranfield("plan", "qrels.txt", "bm25.run", "new.run", "-m", "RR", "--format", "table")
    assert done.stdout.startswith("With 2 queries, a true difference of "), done.stderr
    assert "between new and bm25" in done.stdout


def test_how_many_a_difference_needs(cranfield):
    shown = cranfield("plan", "qrels.txt", "bm25.run", "new.run", "-m", "RR", "--difference", "0.3").stdout
    header, row = (line.split("\t") for line in shown.splitlines())
    found = dict(zip(header, row, strict=True))
    assert (found["measure"], found["run"], found["queries"]) == ("RR", "new", "2")
    assert int(found["needed"]) > 2


def test_before_there_are_runs(cranfield):
    done = cranfield("plan", "--deviation", "0.1", "--difference", "0.05", "--format", "table")
    assert done.stdout.startswith("A difference of 0.05 needs 34 queries"), done.stderr


def test_saved_results(cranfield):
    cranfield("evaluate", "qrels.txt", "bm25.run", "new.run", "-m", "RR", "--save", "both.json")
    direct = cranfield("plan", "qrels.txt", "bm25.run", "new.run", "-m", "RR", "--difference", "0.3")
    assert cranfield("plan", "both.json", "--difference", "0.3").stdout == direct.stdout


@pytest.mark.parametrize("form", ["table", "tsv", "csv", "json", "jsonl", "markdown", "latex"])
def test_every_format(cranfield, form):
    done = cranfield("plan", "qrels.txt", "bm25.run", "new.run", "--difference", "0.3", "--format", form)
    assert done.returncode == 0, done.stderr
    assert "new" in done.stdout
    if form == "json":
        assert json.loads(done.stdout)["needs"][0]["run"] == "new"


@pytest.mark.parametrize(
    ("arguments", "code", "words"),
    [
        ((), 2, "Without runs, give the deviation"),
        (("qrels.txt", "bm25.run"), 2, "there is one run, bm25"),
        (("qrels.txt", "bm25.run", "new.run", "--deviation", "0.1"), 2, "and not both"),
        (("qrels.txt", "bm25.run", "new.run", "--difference", "0"), 2, "must be a number above 0"),
        (("qrels.txt", "-", "-"), 2, "Standard input can be read only once"),
        (("qrels.txt", "bm25.run", "none.run"), 3, "no such file"),
    ],
)
def test_wrong_use_is_answered(cranfield, arguments, code, words):
    done = cranfield("plan", *arguments)
    assert done.returncode == code
    assert words in done.stderr
    assert "Traceback" not in done.stderr
