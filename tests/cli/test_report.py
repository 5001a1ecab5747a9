"""`cranfield report`, as a user calls it."""

import pytest

import cranfield as cf

NEW = "q1 Q0 d3 1 3.0 new\nq2 Q0 d1 1 1.0 new\n"


@pytest.fixture(autouse=True)
def new(folder):
    (folder / "new.run").write_text(NEW)


def test_writes_a_page_and_tells_the_verdict(cranfield, folder):
    done = cranfield("report", "qrels.txt", "bm25.run", "new.run", "-m", "RR", "-o", "report.html")
    assert done.returncode == 0
    assert done.stdout.startswith("No significant difference between new and bm25 on RR.")
    page = (folder / "report.html").read_text()
    assert page.startswith("<!doctype html>")
    assert "No significant difference between new and bm25 on RR." in page


def test_says_nothing_when_asked_to_be_quiet(cranfield):
    done = cranfield("report", "qrels.txt", "bm25.run", "new.run", "-o", "report.html", "--quiet")
    assert (done.stdout, done.stderr) == ("", "")


def test_gives_the_bytes_that_python_gives(cranfield, folder):
    cranfield("report", "qrels.txt", "bm25.run", "new.run", "-m", "RR", "-o", "report.html")
    made = cf.report(cf.evaluate("qrels.txt", ["bm25.run", "new.run"], "RR"))
    assert (folder / "report.html").read_bytes() == made.html.encode()


def test_the_command_on_the_page_gives_the_page_again(cranfield, folder):
    options = ["-m", "RR", "--baseline", "new", "--test", "t", "-J", "-M", "10", "--title", "Is it 'better'?"]
    cranfield("report", "qrels.txt", "bm25.run", "new.run", *options, "-o", "report.html")
    first = (folder / "report.html").read_bytes()
    scores = cf.evaluate("qrels.txt", ["bm25.run", "new.run"], "RR", judged_only=True, depth=10)
    import shlex

    command = shlex.split(cf.report(scores, baseline="new", test="t", title="Is it 'better'?").contents.method.command)
    (folder / "report.html").unlink()
    assert cranfield(*command[1:]).returncode == 0
    assert (folder / "report.html").read_bytes() == first


def test_saved_results_are_reported_too(cranfield, folder):
    cranfield("compare", "qrels.txt", "bm25.run", "new.run", "-m", "RR", "--save", "kept.json")
    done = cranfield("report", "kept.json", "-o", "report.html")
    assert done.stdout.startswith("No significant difference between new and bm25")


def test_one_run_is_enough(cranfield):
    done = cranfield("report", "qrels.txt", "bm25.run", "-m", "RR", "-o", "report.html")
    assert done.stdout.startswith("bm25 has RR 0.7500")


def test_a_dash_is_standard_output(cranfield):
    assert cranfield("report", "qrels.txt", "bm25.run", "-o", "-").stdout.endswith("</html>")


@pytest.mark.parametrize(
    ("arguments", "code", "words"),
    [
        (["qrels.txt", "bm25.run"], 2, "Missing option '-o'"),
        (["qrels.txt", "-o", "report.html"], 2, "name judgments and at least 1 run"),
        (["qrels.txt", "missing.run", "-o", "report.html"], 3, "missing.run"),
        (["qrels.txt", "bm25.run", "-o", "nowhere/report.html"], 3, "nowhere/report.html: cannot be written"),
        (["qrels.txt", "bm25.run", "new.run", "--baseline", "nwe", "-o", "report.html"], 2, "There is no run 'nwe'"),
    ],
)
def test_wrong_use_is_answered(cranfield, arguments, code, words):
    done = cranfield("report", *arguments)
    assert done.returncode == code
    assert words in done.stderr
    assert "Traceback" not in done.stderr
