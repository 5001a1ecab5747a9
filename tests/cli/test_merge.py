"""`cranfield merge`: judgments from labels, in every form."""

import json

import pytest

from cranfield import demo
from cranfield.show.answer import FORMS

LABELS = demo.path("labels.csv").read_text()


def test_merged_judgments_are_evaluated_as_the_collection_s_own(at_once, labels, folder):
    done = at_once("merge", labels, "--rule", "median", "-o", "merged.txt", "--format", "table")
    assert done.stdout.startswith(
        "1,338 judgments of 70 queries from 3,863 labels: median grade; ties take the lower grade (44\ndocuments).\n"
    )
    assert done.stdout.splitlines()[-1].split() == ["median", "1338", "70", "3863", "3", "44"]
    merged = (folder / "merged.txt").read_text()
    assert merged.startswith("# merged by cranfield")
    lines = [line for line in merged.splitlines() if not line.startswith("#")]
    assert lines == demo.path("qrels.txt").read_text().splitlines()
    (folder / "qrels.txt").write_bytes(demo.path("qrels.txt").read_bytes())
    one, other = (at_once("evaluate", path, "bm25.run").stdout for path in ("merged.txt", "qrels.txt"))
    assert one == other


def test_judgments_go_to_standard_output_as_trec(at_once, labels):
    done = at_once("merge", labels, "--rule", "majority", "--tied-grades", "higher", "-o", "-")
    assert done.stdout.splitlines()[2] == "q01 0 d0020 0"
    assert "ties take the higher grade" in done.stderr
    assert at_once("merge", labels, "--rule", "majority", "-o", "-", "--quiet").stderr == ""


def test_the_median_is_the_default(at_once, labels):
    assert at_once("merge", labels).stdout == at_once("merge", labels, "--rule", "median").stdout


def test_any_case_of_a_suffix_will_do(at_once, labels, folder):
    for name in ("merged.CSV", "merged.Qrels"):
        assert at_once("merge", labels, "-o", name).returncode == 0
        assert (folder / name).stat().st_size


@pytest.mark.parametrize("form", FORMS)
def test_what_merging_did_is_told_in_every_form(at_once, labels, form):
    for rule in ("median", "dawid-skene-graded"):
        done = at_once("merge", labels, "--rule", rule, "-o", "merged.jsonl", "--format", form)
        assert done.returncode == 0, done.stderr
        assert done.stdout
    scores = at_once("evaluate", "merged.jsonl", "bm25.run", "-m", "AP", "--quiet")
    assert scores.returncode == 0, scores.stderr


def test_a_level_makes_labels_binary_before_they_are_merged(at_once, labels):
    done = at_once("merge", labels, "--rule", "maximum", "-l", "2", "-o", "-")
    rows = [line.split() for line in done.stdout.splitlines() if not line.startswith("#")]
    assert {row[3] for row in rows} == {"0", "1"}
    graded = [line.split() for line in at_once("merge", labels, "--rule", "maximum", "-o", "-").stdout.splitlines()[2:]]
    assert [row[3] for row in rows] == [str(int(int(row[3]) >= 2)) for row in graded]
    assert "1 from grade 2 on" in done.stdout.splitlines()[0]


def test_merged_judgments_are_printed_in_the_format_asked_for(at_once, labels, folder):
    told = json.loads(at_once("merge", labels, "--rule", "dawid-skene-graded", "--format", "json").stdout)
    first = told["rows"][0]
    assert (first["query"], first["document"], first["grade"]) == ("q01", "d0020", 0)
    assert first["probability"] == first["p0"] == pytest.approx(0.99858, abs=1e-5)
    lines = at_once("merge", labels, "--rule", "mean", "--format", "jsonl").stdout.splitlines()
    assert json.loads(lines[0])["rule"] == "mean"
    assert len(lines) == 1338
    at_once("merge", labels, "--rule", "mean", "-o", "mean.csv")
    printed = at_once("merge", labels, "--rule", "mean", "--format", "csv").stdout
    assert printed == (folder / "mean.csv").read_text()
    rounded = at_once("merge", labels, "--rule", "mean", "--format", "markdown", "--places", "2").stdout
    assert "| 0.33 |" in rounded
    assert "\t0.3333333333333333\t" in at_once("merge", labels, "--rule", "mean", "--format", "tsv").stdout
    for form in ("table", "markdown", "latex"):
        assert "d0020" in at_once("merge", labels, "--rule", "median", "--format", form).stdout


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        *(((option,), "No such option") for option in ("--against", "-q", "--disagreements", "--weights", "--all")),
        *(((option,), "No such option") for option in ("--explain", "--run", "--seed", "--ties")),
        (("--rule", "mode"), "'mode' is not one of 'majority'"),
        (
            ("--rule", "adjudicated"),
            "The rule adjudicated needs --adjudicator with one of",
        ),
        (("--rule", "mean", "--tied-grades", "lower"), "--tied-grades has no effect on --rule mean"),
        (("--rule", "median", "--adjudicator", "ada"), "--adjudicator belongs to the rule adjudicated, not to median"),
        (("--adjudicator", "ada"), "--adjudicator belongs to the rule adjudicated, not to median"),
        (("-l", "inf"), "must be a number, not"),
        (("-o", "m.json"), "m.json: the name does not show the format to write judgments in"),
        (("-o", "m.xyz"), "Choose one that ends in .qrels, .txt"),
    ],
)
def test_what_does_not_go_with_merging_is_refused(at_once, labels, folder, arguments, message):
    done = at_once("merge", labels, *arguments)
    assert done.returncode == 2, done.stderr
    assert message in done.stderr
    assert done.stdout == ""
    assert not list(folder.glob("m.*"))


def test_labels_that_are_refused_as_judgments_are_told_how_to_become_some(at_once, labels):
    done = at_once("evaluate", labels, "bm25.run", "-m", "AP")
    assert done.returncode == 3
    assert "cranfield merge labels.csv -o qrels.txt" in done.stderr


@pytest.mark.parametrize("form", FORMS)
def test_a_sheet_that_was_filled_in_decides_and_says_so_in_every_form(at_once, labels, folder, form):
    agree = at_once("agree", labels, "--disagreements", "5", "-o", "sheet.csv", "--samples", "20")
    assert "Wrote sheet.csv: 5 documents of 613 to decide." in agree.stderr
    assert "cranfield merge labels.csv --adjudicated sheet.csv -o qrels.txt" in agree.stderr
    header, *rows = (folder / "sheet.csv").read_text().splitlines()
    assert header == "query,document,ada,ben,cleo,grade"
    (folder / "sheet.csv").write_text("\n".join([header, *(f"{row}2" for row in rows[:3]), *rows[3:]]) + "\n")
    done = at_once("merge", labels, "--adjudicated", "sheet.csv", "-o", "qrels.txt", "--format", form)
    assert done.returncode == 0, done.stderr
    said = " ".join((done.stdout + done.stderr).split())
    assert "3 documents adjudicated in sheet.csv, where 2 rows left open follow the rule" in said
    query, document, *_ = rows[0].split(",")
    merged = (folder / "qrels.txt").read_text()
    assert f"{query} 0 {document} 2\n" in merged
    assert "3 documents adjudicated in sheet.csv" in merged.splitlines()[0]


def test_sheets_come_back_from_a_spreadsheet_in_many_ways(at_once, labels, folder):
    row = "q37;d0707;3;0;;2"
    (folder / "sheet.csv").write_bytes(b"\xef\xbb\xbf" + f"Query;Document;ada;ben;cleo;Grade\r\n{row}\r\n".encode())
    done = at_once("merge", labels, "--adjudicated", "sheet.csv", "-o", "qrels.txt")
    assert done.returncode == 0, done.stderr
    assert "q37 0 d0707 2\n" in (folder / "qrels.txt").read_text()


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (("--adjudicated", "none.csv"), 3, "there is no such file"),
        (("--adjudicated", "labels.csv"), 3, "has documents with several grades, one for each judge"),
        (("--adjudicated", "-"), 3, "no judgments found"),
        (("--adjudicated", "x.csv", "--adjudicator", "ada", "--rule", "adjudicated"), 2, "not both"),
    ],
)
def test_what_is_wrong_with_a_sheet_is_told(at_once, labels, arguments, code, message):
    done = at_once("merge", labels, *arguments, stdin="")
    assert (done.returncode, "Traceback" in done.stderr) == (code, False)
    assert message in done.stderr
