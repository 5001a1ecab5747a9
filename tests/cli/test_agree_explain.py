"""`cranfield agree explain`: how a kappa is computed, in every form."""

import json

import pytest

from cranfield import demo
from cranfield.show.answer import FORMS

LABELS = demo.path("labels.csv").read_text()


@pytest.mark.parametrize("form", FORMS)
def test_a_kappa_is_explained_in_every_form(at_once, labels, form):
    done = at_once("agree", "explain", labels, "--judges", "ada,ben", "--format", form)
    assert done.returncode == 0
    assert "ben" in done.stdout
    if form == "table":
        assert "P(A) = (616 + 87 + 26 + 73) / 1235 = 0.6494" in done.stdout


def test_the_textbook_s_example_is_explained(at_once, folder):
    pairs = [(1, 1)] * 300 + [(1, 0)] * 20 + [(0, 1)] * 10 + [(0, 0)] * 70
    rows = [f"q1,d{at},{one},{two}\n" for at, (one, two) in enumerate(pairs)]
    (folder / "book.csv").write_text("query,document,first,second\n" + "".join(rows))
    done = at_once("agree", "explain", "book.csv", "--format", "table")
    assert done.stdout.startswith("kappa is 0.7761; pooled kappa is 0.7759.")
    assert "P(A) = (70 + 300) / 400 = 0.9250" in done.stdout
    assert "kappa (Cohen) = (0.9250 - 0.6650) / (1 - 0.6650) = 0.7761." in done.stdout
    assert "(0.9250 - 0.6653) / (1 - 0.6653) = 0.7759." in done.stdout


def test_rows_and_json_have_the_same_numbers(at_once, labels):
    rows = at_once("agree", "explain", labels, "--judges", "ada,ben", "--places", "6").stdout.splitlines()
    values = json.loads(at_once("agree", "explain", labels, "--judges", "ada,ben", "--format", "json").stdout)
    assert f"all\tada\tben\tkappa\t{values['kappa']:.6f}\t\t\t1235\t" in rows
    assert f"all\tada\tben\tP(A)\t{values['observed']:.6f}\t\t\t1235\t" in rows
    assert f"table\tada=0\tben=1\tdocuments\t{values['table'][0][1]:.6f}\t\t\t1235\t" in rows


def test_judges_who_share_no_document_have_no_kappa(at_once, folder):
    (folder / "apart.csv").write_text(
        "query,document,judge,grade\nq,d,a,1\nq,e,b,0\nq,d,c,1\nq,e,c,0\nq,f,a,1\nq,f,b,0\n"
    )
    done = at_once("agree", "explain", "apart.csv", "--judges", "a,c", "--format", "table")
    assert done.returncode == 0, done.stderr
    assert "kappa has no value" in done.stdout


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (("labels.csv",), 2, "Name two of the judges ada, ben and cleo: --judges ada,ben."),
        (("labels.csv", "--judges", "ada,bob"), 2, "there is no judge 'bob'"),
        (("labels.csv", "--judges", "ada,ada"), 2, "A kappa is about two judges"),
        (("labels.csv", "--judges", "ada,ben,cleo"), 2, "A kappa is about two judges"),
        (("labels.csv", "--judges", "ada,ben", "--scale", "x"), 2, "--scale takes numbers"),
        (("labels.csv", "--judges", "ada,ben", "--weights", "1,0;0,1"), 2, "No such option"),
        (("qrels.txt",), 2, "all labels are by 0"),
        (("counts.csv", "--layout", "counts"), 2, "does not show who gave which label"),
        (("-", "-"), 2, "Standard input can be read only once"),
    ],
)
def test_what_is_wrong_is_told_without_a_traceback(at_once, labels, folder, arguments, code, message):
    (folder / "counts.csv").write_text("a,b\n1,2\n3,0\n")
    done = at_once("agree", "explain", *arguments)
    assert done.returncode == code, done.stderr
    assert message in done.stderr
    assert done.stdout == ""


@pytest.mark.parametrize("form", FORMS)
def test_a_table_may_be_typed_instead_of_labels(at_once, form):
    done = at_once(
        "agree", "explain", "--table", "70 10; 20 300", "--judges", "ada,ben", "--scale", "0,1", "--format", form
    )
    assert done.returncode == 0
    assert "ada" in done.stdout
    if form == "table":
        assert "P(E) = 0.2000 · 0.2250 + 0.8000 · 0.7750 = 0.6650" in done.stdout


def test_agree_takes_a_typed_table_too(at_once):
    table = ("--table", "20 5 1; 4 12 3; 0 2 9", "--scale", "0,1,2")
    assert at_once("agree", *table).stdout == at_once("agree", "explain", *table).stdout


def test_options_about_samples_of_labels_do_not_go_with_a_typed_table(at_once):
    done = at_once("agree", "--table", "70 10; 20 300", "--samples", "50")
    assert done.returncode == 2
    assert "--samples cannot be used with --table" in done.stderr


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((), "Name files with labels, or type a table: --table '70 10; 20 300'."),
        (("--table", "70 x; 20 300"), "'x' at position 4 is not a number of documents."),
        (("--table", "70 10; 20 300", "--level", "1"), "--level cannot be used with --table"),
        (("--table", "70 10; 20 300", "labels.csv"), "LABELS cannot be used with --table"),
        (("--table", "70 10; 20 300", "--columns", "judge=who"), "--columns cannot be used with --table"),
        (("--table", "70 10; 20 300", "--judges", "ada"), "A kappa is about two judges"),
    ],
)
@pytest.mark.parametrize("command", [("agree",), ("agree", "explain")], ids=" ".join)
def test_a_table_that_cannot_be_read_is_refused_in_words(at_once, command, arguments, message):
    done = at_once(*command, *arguments)
    assert (done.returncode, done.stdout) == (2, "")
    assert message in done.stderr
