"""`cranfield convert`: from one format to another, in every form of output."""

import json

import pytest

from cranfield import demo
from cranfield.show.answer import FORMS


@pytest.fixture
def collection(folder):
    for name in ("qrels.txt", "bm25.run", "queries.tsv"):
        (folder / name).write_bytes(demo.path(name).read_bytes())
    return folder


@pytest.mark.parametrize("form", FORMS)
def test_what_was_written_is_told_in_every_form(at_once, collection, form):
    done = at_once("convert", "bm25.run", "bm25.parquet", "--format", form)
    assert done.returncode == 0, done.stderr
    assert "bm25.parquet" in done.stdout
    assert "2022" in done.stdout.replace(",", "")


def test_the_scores_are_those_of_the_first_file(at_once, collection):
    assert at_once("convert", "bm25.run", "copy/bm25.csv.gz").returncode == 3
    assert at_once("convert", "bm25.run", "copy.csv.gz").returncode == 0
    one, other = (at_once("evaluate", "qrels.txt", run, "--quiet").stdout for run in ("bm25.run", "copy.csv.gz"))
    assert one == other.replace("copy", "bm25")


def test_standard_input_and_output(at_once, collection):
    done = at_once("convert", "-", "-", "--to", "jsonl", stdin="q1 0 d1 2\n")
    assert (done.stdout, done.stderr) == (
        '{"query": "q1", "document": "d1", "grade": 2}\n',
        "1 judgment of 1 query written to the output as JSONL.\n",
    )
    assert at_once("convert", "-", "-", "--to", "jsonl", "--quiet", stdin="q1 0 d1 2\n").stderr == ""


def test_what_is_left_out_is_a_warning(at_once, collection):
    done = at_once("convert", "bm25.run", "bm25.tsv", "--to", "msmarco")
    assert "warning: bm25.run: an MS MARCO run has ranks and no scores" in done.stderr
    warnings = json.loads(at_once("convert", "bm25.run", "b.tsv", "--to", "msmarco", "--format", "json").stdout)
    assert "ranks and no scores" in warnings["warnings"][0]


def test_mistakes_name_the_options(at_once, collection):
    (collection / "subtopics.txt").write_text("q1 1 d1 1\nq1 2 d1 0\n")
    (collection / "x.tsv").write_text("1\ttomatoes\n")
    for arguments, code, message in (
        (("subtopics.txt", "out.csv"), 3, "Say which: --groups subtopic or --groups judge."),
        (("x.tsv", "out.csv"), 3, "Say which: --kind queries or --kind documents."),
        (("qrels.txt", "out.abc"), 2, "or name the format with --to trec."),
        (("qrels.txt", "out.json", "--to", "rank_eval"), 2, "rank_eval needs --index products."),
        (("qrels.txt", "out.csv", "--index", "x"), 2, "--index … has no effect on judgments as csv."),
        (("qrels.txt", "out.csv", "--to", "cvs"), 2, "Did you mean csv?"),
        (("nowhere.txt", "out.csv"), 3, "there is no such file"),
    ):
        done = at_once("convert", *arguments)
        assert done.returncode == code, done.stderr
        assert message in done.stderr
        assert not (collection / "out.csv").exists()


def test_runs_become_features(at_once, collection):
    done = at_once("convert", "qrels.txt", "train.letor", "--features", "bm25.run", "--format", "table")
    assert "judged documents without a score in bm25: the feature is left out, which means 0" in done.stdout
    assert (collection / "train.letor").read_text().splitlines()[3] == "2 qid:q01 1:5.9854 # d0131"


def test_documents_listed_twice_are_written_once_where_that_is_chosen(at_once, folder):
    (folder / "twice.run").write_text("q1 Q0 d1 1 3 t\nq1 Q0 d2 2 2 t\nq1 Q0 d1 3 1 t\n")
    (folder / "qrels.txt").write_text("q1 0 d1 1\n")
    refused = at_once("convert", "twice.run", "once.tsv")
    assert (refused.returncode, "--duplicates first does so" in refused.stderr) == (3, True)
    done = at_once("convert", "twice.run", "once.tsv", "--duplicates", "first")
    assert (done.returncode, "1 document listed again" in done.stderr) == (0, True)
    assert (folder / "once.tsv").read_text().splitlines()[1:] == ["q1\td1\t1\t3.0", "q1\td2\t2\t2.0"]
    features = ("convert", "qrels.txt", "out.svmlight", "--features", "twice.run")
    assert [at_once(*features).returncode, at_once(*features, "--duplicates", "first").returncode] == [3, 0]
    assert at_once("convert", "qrels.txt", "out.csv", "--duplicates", "first").returncode == 2


def test_responses_are_written_with_the_queries_they_answer(at_once, folder):
    hits = [{"hits": {"hits": [{"_id": name, "_score": 1.5}]}} for name in ("d1", "d2")]
    (folder / "responses.json").write_text(json.dumps({"responses": hits}))
    (folder / "queries.txt").write_text("q7\nq8\n")
    done = at_once("convert", "responses.json", "out.run", "--run-queries", "queries.txt")
    assert done.returncode == 0, done.stderr
    assert [line.split()[:3] for line in (folder / "out.run").read_text().splitlines()] == [
        ["q7", "Q0", "d1"],
        ["q8", "Q0", "d2"],
    ]
