"""`cranfield agree`: agreement in every form."""

import json

import pytest

from cranfield import demo
from cranfield.show.answer import FORMS

LABELS = demo.path("labels.csv").read_text()


def test_a_person_reads_a_verdict_first(at_once, labels):
    done = at_once("agree", labels, "--format", "table")
    assert done.returncode == 0
    assert done.stdout.startswith("ada, ben and cleo gave the same grade 68% of the time")
    for part in ("Krippendorff's alpha (ordinal)", "ada and ben", "another says 0", "bias", "--all"):
        assert part in done.stdout
    assert done.stderr == ""


@pytest.mark.parametrize("form", FORMS)
def test_everything_at_once_comes_in_every_form(at_once, labels, form):
    options = (
        "--against",
        "ada",
        "--run",
        "bm25.run",
        "--run",
        "dense.run",
        "-m",
        "AP",
        "--samples",
        "20",
        "-q",
        "--all",
    )
    done = at_once("agree", labels, *options, "--disagreements", "2", "--format", form)
    assert done.returncode == 0, done.stderr
    assert "kappa" in done.stdout
    assert "bm25" in done.stdout
    assert "q70" in done.stdout


ADDED = {
    "-q": ((), "q70"),
    "--all": ((), "Conger's kappa"),
    "--disagreements": (("2",), "d0707"),
    "--against": (("ada",), "precision"),
    "--run": (("bm25.run",), "nDCG@10"),
    "--weights": (("bipolar",), "Gwet's AC2 (bipolar)"),
    "--benchmark": (("fleiss",), "fair to good"),
}
"""What each option adds, and a word that only then is printed, or always is in rows."""


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("option", ADDED)
def test_what_an_option_adds_is_in_every_form(at_once, labels, option, form):
    values, word = ADDED[option]
    done = at_once("agree", labels, option, *values, "--samples", "20", "--format", form)
    assert done.returncode == 0, done.stderr
    assert word in done.stdout
    if option != "--all" or form not in ("tsv", "csv", "json", "jsonl"):
        assert word not in at_once("agree", labels, "--samples", "20", "--format", form).stdout


def test_disagreements_are_values_for_programs(at_once, labels):
    done = at_once("agree", labels, "--disagreements", "2", "--samples", "20", "--format", "json")
    first, second = json.loads(done.stdout)["disagreements"]
    assert first["labels"] == [{"judge": "ben", "grade": 3}, {"judge": "cleo", "grade": 0}]
    rows = at_once("agree", labels, "--disagreements", "2", "--samples", "20").stdout.splitlines()
    mine = [line.split("\t") for line in rows if line.startswith("disagreement")]
    assert [row[3] for row in mine] == ["ben", "cleo", "ada", "ben", "cleo"]
    assert mine[0][1:3] == [first["query"], first["document"]]
    assert mine[2][1:3] == [second["query"], second["document"]]


def test_in_a_pipe_there_is_a_row_per_number(at_once, labels):
    done = at_once("agree", labels, "--places", "3")
    lines = done.stdout.splitlines()
    assert lines[0] == "part\tname\tother\tstatistic\tvalue\tlow\thigh\titems\treason"
    assert any(line.startswith("all\t\t\tFleiss' kappa\t0.353\t") for line in lines)
    assert any(line.startswith("pair\tada\tben\tkappa\t0.343\t") for line in lines)
    assert "table\tada=0\tben=1\tdocuments\t226.000\t\t\t1235\t" in lines


def test_json_holds_full_precision_and_no_nan(at_once, labels):
    told = json.loads(at_once("agree", labels, "--format", "json", "-q").stdout)
    assert told["labels"]["judges"] == ["ada", "ben", "cleo"]
    assert len(told["queries"]) == 70
    (fleiss,) = (one for one in told["coefficients"] if one["name"] == "Fleiss' kappa")
    assert fleiss["value"] == pytest.approx(0.3529878389238283, abs=1e-12)
    assert fleiss["method"] == "bootstrap of queries"


def test_a_file_for_each_judge_and_standard_input(at_once, folder):
    (folder / "people.txt").write_text("q1 0 d1 1\nq1 0 d2 0\nq2 0 d1 1\n")
    model = "q1 0 d1 1\nq1 0 d2 1\nq2 0 d1 1\n"
    done = at_once("agree", "people.txt", "-", "--against", "people", "--format", "table", stdin=model)
    assert done.returncode == 0, done.stderr
    assert "people and stdin gave the same grade 67% of the time" in done.stdout
    assert "stdin says" in done.stdout


def test_warnings_reach_the_person_and_not_the_pipe(at_once, folder):
    (folder / "few.csv").write_text(
        "query,document,judge,grade\nq1,d1,a,1\nq1,d1,b,1\nq1,d2,a,\nq1,d2,b,0\nq1,d2,a,0\n"
    )
    done = at_once("agree", "few.csv")
    assert "warning: few.csv: 1 of 5 rows has no grade" in done.stderr
    assert "warning" not in at_once("agree", "few.csv", "--quiet").stderr
    assert "1 of 5 rows has no grade" in at_once("agree", "few.csv", "--format", "table").stdout


@pytest.mark.parametrize("name", ["{}.qrels", "{}.QRELS", "{}.labels", "{}.trec", "{}.qrels.txt"])
def test_a_file_s_ending_is_no_part_of_a_judge_s_name(at_once, folder, name):
    one, other = name.format("people"), name.format("model")
    (folder / one).write_text("q1 0 d1 1\nq1 0 d2 0\nq2 0 d1 1\n")
    (folder / other).write_text("q1 0 d1 1\nq1 0 d2 1\nq2 0 d1 1\n")
    assert at_once("agree", one, other, "--against", "people").returncode == 0
    assert at_once("agree", "explain", one, other, "--judges", "people,model").returncode == 0


@pytest.mark.parametrize("form", FORMS)
def test_huge_grades_are_no_obstacle(at_once, folder, form):
    rows = [(0, 0), (1, 2), (2, 2), (3, 1), (1, 1), (0, 1)]
    for name, times in (("huge", "e99"), ("plain", "")):
        text = "".join(f"q1,d{at},{one}{times},{two}{times}\n" for at, (one, two) in enumerate(rows))
        (folder / f"{name}.csv").write_text("query,document,ada,ben\n" + text)
    done = at_once("agree", "huge.csv", "--format", form)
    assert done.returncode == 0, done.stderr
    if form == "json":
        told, plain = (
            json.loads(at_once("agree", f"{name}.csv", "--format", form).stdout) for name in ("huge", "plain")
        )
        for one, other in zip(told["coefficients"], plain["coefficients"], strict=True):
            if one["name"].startswith("ICC"):
                assert one["value"] == pytest.approx(other["value"], abs=1e-9)
                assert one["interval"] == pytest.approx(other["interval"], abs=1e-9)


@pytest.mark.parametrize(("level", "told"), [("9", "no label reaches the level 9"), ("0", "every label reaches")])
def test_a_level_that_leaves_one_grade_is_told(at_once, labels, level, told):
    for name in ("agree", "merge"):
        done = at_once(name, labels, "-l", level)
        assert done.returncode == 0
        assert told in done.stderr
        assert "grades go from 0 to 3" in done.stderr
    assert told in at_once("agree", labels, "-l", level, "--format", "table").stdout.replace("\n", " ")


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (("nothing.csv",), 3, "there is no such file"),
        (("qrels.txt",), 3, "all labels are by one judge, 0"),
        (("bm25.run",), 3, "cranfield agree LABELS --run RUN evaluates"),
        (("labels.csv", "--judges", "ada,bne"), 2, "there is no judge 'bne'. The judges are ada, ben, cleo."),
        (("labels.csv", "--against", "claud"), 2, "there is no judge 'claud'"),
        (("labels.csv", "-o", "x.txt"), 2, "the name does not show the format to write a sheet in"),
        (("labels.csv", "-o", "x.csv", "-l", "1"), 2, "leave out the level"),
        (("labels.csv", "--queries", "labels.csv"), 2, "add --disagreements N or -o FILE"),
        (("labels.csv", "-m", "AP"), 2, "-m is the measure for runs"),
        (("labels.csv", "--run", "bm25.run", "-m", "APP"), 2, "APP"),
        (("labels.csv", "--weights", "1,2;x"), 2, "--weights takes numbers"),
        (("labels.csv", "--weights", "1,0;0,1"), 2, "each of 4 categories"),
        (("labels.csv", "--scale", "0,1"), 2, "The label 2 is not one of the categories 0, 1."),
        (("labels.csv", "--metric", "nominl"), 2, "nominl"),
        (("labels.csv", "--judges", "ada"), 2, "ada is only one judge; agreement needs two or more."),
        (("labels.csv", "-l", "nan"), 2, "must be a number, not"),
        (("documents.jsonl",), 3, "cannot recognise the columns with the judges' labels: title, text"),
        (("clicks.csv",), 3, "by cranfield clicks LOG"),
        (("-", "-"), 2, "Standard input can be read only once"),
        ((), 2, "Name files with labels, or type a table"),
    ],
)
def test_what_is_wrong_is_told_without_a_traceback(at_once, labels, folder, arguments, code, message):
    for name in ("documents.jsonl", "clicks.csv"):
        (folder / name).write_bytes(demo.path(name).read_bytes())
    done = at_once("agree", *arguments)
    assert done.returncode == code, done.stderr
    assert message in done.stderr
    assert "Traceback" not in done.stderr
    assert done.stdout == ""


HOSTILE = {
    "empty": "",
    "a header alone": "query,document,judge,grade\n",
    "one judge": "query,document,judge,grade\nq,d,a,1\nq,e,a,0\n",
    "one item": "query,document,judge,grade\nq,d,a,1\nq,d,b,0\n",
    "mixed": "query,document,judge,grade\nq,d,a,1\nq,d,b,bad\n",
    "BOM": "\ufeffquery,document,judge,grade\nq,d,a,1\nq,d,b,0\n",
    "CRLF": "query,document,judge,grade\r\nq,d,a,1\r\nq,d,b,0\r\n",
    "NaN": "query,document,judge,grade\nq,d,a,NaN\nq,d,b,0\n",
    "infinite": "query,document,judge,grade\nq,d,a,inf\nq,d,b,0\n",
    "an open quote": 'query,document,judge,grade\nq,"d,a,1\nq,d,b,0\n',
    "a huge number": "query,document,judge,grade\nq,d,a,1e300\nq,d,b,0\n",
    "a long number": f"query,document,judge,grade\nq,d,a,{'9' * 400}\nq,d,b,0\n",
    "a judge twice": "item,ann,ann\n1,0,0\n2,1,1\n",
    "a row twice": "query,document,judge,grade\nq,d,a,1\nq,d,a,1\nq,d,b,1\n",
    "NUL": "query,document,judge,grade\nq,d,a\0,1\nq,d,b,1\n",
    "all the same": "ann,bob\n1,1\n1,1\n1,1\n",
    "nothing counted": "a,b\n0,0\n0,0\n0,0\n",
    "an empty table of two judges": ",x,y\nx,0,0\ny,0,0\n",
    "names alone": ",,\n1,0,0\n",
    "a list": "[1, 2]",
    "nested nothing": '{"q": {}}',
    "dates": "item,date,ann,bob\n1,2020-01-01,1,1\n2,2020-01-02,0,1\n3,2020-01-03,0,0\n",
}


@pytest.mark.parametrize("name", HOSTILE)
@pytest.mark.parametrize("form", ["table", "json", "tsv", "csv", "jsonl", "markdown", "latex"])
def test_no_hostile_file_ends_in_a_traceback(at_once, folder, name, form):
    (folder / "hostile.csv").write_bytes(HOSTILE[name].encode())
    found = at_once("agree", "hostile.csv", "--format", form)
    assert found.returncode in (0, 3)
    assert "Traceback" not in found.stderr
    assert found.stdout if found.returncode == 0 else found.stderr.startswith("cranfield: hostile.csv")


def test_too_few_samples_are_wrong_usage(at_once, labels):
    found = at_once("agree", "labels.csv", "--samples", "2")
    assert found.returncode == 2
    assert "must be a whole number from 20" in found.stderr


def test_a_layout_is_an_option(at_once, folder):
    (folder / "square.csv").write_text("a,b\n13,1\n2,20\n")
    found = at_once("agree", "square.csv", "--layout", "contingency", "--format", "json")
    assert json.loads(found.stdout)["labels"]["items"] == 36


@pytest.mark.parametrize("form", FORMS)
def test_p_against_a_value_is_in_every_form(at_once, labels, form):
    done = at_once("agree", labels, "--null", "0.6", "--samples", "20", "--format", form)
    assert done.returncode == 0, done.stderr
    said = {"table": "is 0.6", "markdown": "is 0.6", "latex": "is 0.6", "json": '"null": 0.6'}
    assert said.get(form, "test") in done.stdout


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (("--weights", "radicl"), "Did you mean radical"),
        (("--weights", "1,2;x"), "--weights takes numbers"),
        (("--null", "1"), "below 1"),
        (("--benchmark", "cohen"), "is not one of"),
        (("--table", "1 2; 3 4", "--benchmark", "altman"), "--benchmark cannot be used with --table"),
    ],
)
def test_what_is_no_weight_value_or_scale_is_refused(at_once, labels, options, words):
    files = () if "--table" in options else (labels,)
    done = at_once("agree", *files, *options)
    assert done.returncode == 2
    assert words in done.stderr
