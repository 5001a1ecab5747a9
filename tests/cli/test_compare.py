"""`cranfield compare`, as a user calls it."""

import json

import pytest

NEW = "q1 Q0 d3 1 3.0 new\nq2 Q0 d1 1 1.0 new\n"


@pytest.fixture(autouse=True)
def new(folder):
    (folder / "new.run").write_text(NEW)


def test_a_row_for_every_difference(cranfield):
    shown = cranfield("compare", "qrels.txt", "bm25.run", "new.run", "-m", "RR").stdout.splitlines()
    header, row = (line.split("\t") for line in shown)
    assert dict(zip(header, row, strict=True)) | {"p": "", "adjusted": ""} == {
        "measure": "RR",
        "run": "new",
        "baseline": "bm25",
        "mean": "1.0000",
        "baseline_mean": "0.7500",
        "difference": "0.2500",
        "low": "-2.9266",
        "high": "3.4266",
        "p": "",
        "adjusted": "",
        "queries": "2",
        "wins": "1",
        "ties": "1",
        "losses": "0",
        "d": "0.7071",
        "g": row[header.index("g")],
        "superiority": "0.7500",
        "detectable": row[header.index("detectable")],
        "reason": "",
    }


def test_verdict_then_table_then_what_moved(cranfield):
    shown = cranfield("compare", "qrels.txt", "bm25.run", "new.run", "-m", "RR", "--format", "table").stdout
    parts = shown.split("\n\n")
    assert parts[0].startswith("No difference between new and bm25 can be shown: +0.2500 RR")
    assert parts[1].startswith("measure")
    assert parts[2].startswith("query")
    assert "q2" in parts[2]


@pytest.mark.parametrize("form", ["table", "tsv", "csv", "json", "jsonl", "markdown", "latex"])
def test_every_format(cranfield, form):
    done = cranfield("compare", "qrels.txt", "bm25.run", "new.run", "--format", form)
    assert done.returncode == 0, done.stderr
    assert "new" in done.stdout
    if form == "json":
        assert json.loads(done.stdout)["differences"][0]["run"] == "new"


def test_differences_are_drawn_beside_what_is_printed(cranfield, folder):
    done = cranfield("compare", "qrels.txt", "bm25.run", "new.run", "-m", "RR", "--plot", "figure.svg")
    assert done.stdout.startswith("measure\trun")
    assert "Differences to bm25" in (folder / "figure.svg").read_text()


def test_a_file_that_is_no_figure_is_refused_before_anything_is_read(cranfield):
    done = cranfield("compare", "missing", "missing", "--plot", "figure.txt")
    assert done.returncode == 2
    assert "name it .svg, .pdf or .png" in done.stderr


def test_saved_results_stand_in_for_runs(cranfield):
    assert cranfield("evaluate", "qrels.txt", "bm25.run", "-m", "RR", "--save", "old.json").returncode == 0
    assert cranfield("compare", "qrels.txt", "new.run", "bm25.run", "-m", "RR", "--save", "both.json").returncode == 0
    direct = cranfield("compare", "qrels.txt", "bm25.run", "new.run", "-m", "RR").stdout
    mixed = cranfield("compare", "old.json", "qrels.txt", "new.run")
    assert mixed.stdout == direct, mixed.stderr
    assert cranfield("compare", "both.json", "--baseline", "bm25").stdout == direct


def test_other_judgments_are_refused_unless_told(cranfield, folder):
    (folder / "other.txt").write_text("q1 0 d1 1\n")
    cranfield("evaluate", "qrels.txt", "bm25.run", "-m", "RR", "--save", "old.json")
    cranfield("evaluate", "other.txt", "new.run", "-m", "RR", "--save", "new.json")
    refused = cranfield("compare", "old.json", "new.json")
    assert refused.returncode == 3
    assert "--allow-different-judgments" in refused.stderr
    assert cranfield("compare", "old.json", "new.json", "--allow-different-judgments").returncode == 0


@pytest.mark.parametrize(
    ("arguments", "code", "words"),
    [
        (("qrels.txt", "bm25.run"), 2, "there is one run, bm25"),
        (("qrels.txt",), 2, "Only judgments were given"),
        (("qrels.txt", "bm25.run", "new.run", "--baseline", "old"), 2, "There is no run 'old'"),
        (("qrels.txt", "bm25.run", "new.run", "--baseline", "new", "--all-pairs"), 2, "choose one"),
        (("qrels.txt", "bm25.run", "new.run", "-m", "nDGC@10"), 2, "Did you mean nDCG"),
        (("qrels.txt", "-", "-"), 2, "Standard input can be read only once"),
        (("qrels.txt", "bm25.run", "none.run"), 3, "there is no such file"),
        (("qrels.txt", "bm25.run", "new.run", "--save", "none/x.json"), 3, "cannot be written"),
    ],
)
def test_wrong_use_is_answered(cranfield, arguments, code, words):
    done = cranfield("compare", *arguments)
    assert done.returncode == code
    assert words in done.stderr
    assert "Traceback" not in done.stderr
