"""`cranfield retrieve`: from a live engine, or a database, to a run."""

import json
import sqlite3
from contextlib import closing

import pytest

from tests.retrieving.search_server import serving

QUERIES = "query_id\ttext\tlang\nq1\tfrost\ten\nq2\tsnow\ten\nq3\tgelée\tfr\n"
SQL = "SELECT id, points FROM docs WHERE text = {query} ORDER BY points DESC LIMIT {size}"


@pytest.fixture
def garden(folder):
    (folder / "queries.tsv").write_text(QUERIES, encoding="utf-8")
    with closing(sqlite3.connect(folder / "garden.db")) as connection, connection:
        connection.execute("CREATE TABLE docs (id, text, points)")
        rows = [("d1", "frost", 1.5), ("d2", "frost", 3.0), ("d3", "snow", 1.0), ("a b", "gelée", 1.0)]
        connection.executemany("INSERT INTO docs VALUES (?, ?, ?)", rows)
    return folder


@pytest.fixture
def retrieve(garden, cranfield):
    def call(*more, sql=SQL, output="new.jsonl", queries="queries.tsv"):
        return cranfield("retrieve", "--queries", queries, "--database", "garden.db", "--sql", sql, "-o", output, *more)

    return call


def test_a_run_is_written_and_evaluated(retrieve, cranfield, garden):
    done = retrieve("--format", "table")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith("new: 3 of 3 queries answered. Latency: median ")
    (garden / "judged.txt").write_text("q1 0 d2 1\nq2 0 d3 1\nq3 0 d9 1\n")
    scored = cranfield("evaluate", "judged.txt", "new.jsonl", "-m", "RR", "--format", "json")
    assert json.loads(scored.stdout)["runs"][0]["measures"]["RR"]["mean"] == pytest.approx(2 / 3)


def test_every_format_has_every_query(retrieve):
    for form in ("tsv", "csv", "jsonl", "json", "markdown", "latex", "table"):
        done = retrieve("--format", form)
        assert done.returncode == 0
        assert ("q3" in done.stdout) == (form in ("tsv", "csv", "jsonl", "json"))


def test_a_failure_ends_with_exit_status_1_and_no_run(retrieve, garden, cranfield):
    sql = "SELECT CASE WHEN {query} = 'snow' THEN json('[') ELSE 'd1' END"
    done = retrieve("--format", "table", sql=sql, output="new.run")
    assert done.returncode == 1
    assert "2 of 3 queries answered. 1 query failed. No run was written" in done.stdout
    assert "rejected: malformed JSON" in done.stdout
    assert not (garden / "new.run").exists()
    done = retrieve("--partial", "--format", "json", sql=sql, output="new.run")
    assert done.returncode == 1
    assert json.loads(done.stdout)["queries"] == {
        **{"asked": 1, "left": 0, "results": 2, "empty": 0, "failed": 1, "timed_out": 0}
    }
    scored = cranfield("evaluate", "qrels.txt", "new.run")
    assert scored.returncode == 3
    assert "1 query failed when this run was made (q2)" in scored.stderr
    assert "--average-over answered" in scored.stderr
    assert cranfield("evaluate", "qrels.txt", "new.run", "--average-over", "answered").returncode == 0
    checked = cranfield("check", "qrels.txt", "new.run", "--format", "table")
    assert checked.returncode == 1
    assert "1 query failed when this run was made (q2)" in checked.stdout.replace("\n", " ")
    assert cranfield("check", "new.run").returncode == 0
    copied = cranfield("convert", "new.run", "copy.csv")
    assert "failed when this run was made (q2); the new file does not tell, and an evaluation" in copied.stderr


def test_ids_with_blanks_need_another_format(retrieve):
    done = retrieve(output="new.run")
    assert done.returncode == 3
    assert "'a b' cannot be written to a TREC file" in done.stderr


def test_a_file_that_is_there_is_kept(retrieve, garden):
    (garden / "new.jsonl").write_text("mine")
    done = retrieve()
    assert (done.returncode, (garden / "new.jsonl").read_text()) == (3, "mine")
    assert "--restart" in done.stderr
    assert retrieve("--restart").returncode == 0


def test_columns_of_the_query_file_can_be_filled_in(retrieve, garden):
    assert retrieve(sql="SELECT {lang} || {query_id} WHERE {query} <> ''").returncode == 0
    first = json.loads((garden / "new.jsonl").read_text().splitlines()[0])
    assert (first["query"], first["document"]) == ("q1", "enq1")


def test_a_statement_may_be_a_file(retrieve, garden):
    (garden / "ask.sql").write_text(SQL)
    assert retrieve(sql="ask.sql").returncode == 0
    assert retrieve("--restart", sql="none.sql").returncode == 3


@pytest.mark.parametrize(
    ("sql", "message"),
    [
        ("SELECT id FROM docs", "does not contain {query}"),
        ("SELECT id FROM docs WHERE text = '{query}'", "between quotes"),
        ("SELECT id FROM docs WHERE text = {text}", "{text} cannot be filled in"),
    ],
)
def test_a_statement_that_cannot_be_right_is_wrong_usage(retrieve, sql, message):
    done = retrieve(sql=sql)
    assert (done.returncode, message in done.stderr) == (2, True)


def test_a_size_that_nobody_is_told_is_refused(retrieve):
    done = retrieve("--size", "5", sql="SELECT id FROM docs WHERE text = {query}")
    assert done.returncode == 2
    assert "--size needs {size}" in done.stderr


@pytest.fixture
def engine():
    with serving() as server:
        yield server


def test_a_service_is_asked_over_http(cranfield, garden, engine):
    asked = ["retrieve", "--queries", "queries.tsv", "--url", engine.url("elasticsearch"), "-o", "bm25.new.run"]
    done = cranfield(*asked, "--body", '{"q": {query}}', "--at-once", "3", "--rate", "500")
    assert done.returncode == 0
    assert "bm25.new: 3 of 3 queries answered." in done.stderr
    assert (garden / "bm25.new.run").read_text().startswith("q1 Q0 d3 1 7.5 bm25.new\nq1 Q0 d1 2 4.25 ")
    assert engine.asked == {"frost": 1, "snow": 1, "gelée": 1}
    assert cranfield(*asked, "--body", '{"q": {query}}').returncode == 0
    assert sum(engine.asked.values()) == 3
    other = cranfield(*asked, "--body", '{"q": {query}, "size": {size}}')
    assert other.returncode == 3
    assert "has the answers to other requests" in other.stderr


def test_a_body_may_be_a_file_and_places_may_be_told(cranfield, garden, engine):
    (garden / "body.json").write_text('{"q": "{query}", "filter": {"lang": "{lang}"}}')
    asked = ["retrieve", "--queries", "queries.tsv", "--url", engine.url("chroma"), "-o", "chroma.run"]
    done = cranfield(*asked, "--body", "body.json", "--path", "hits=ids.0")
    assert done.returncode == 0
    assert {body["filter"]["lang"] for *_, body in engine.requests} == {"en", "fr"}
    assert cranfield(*asked, "--body", "body.json", "--path", "hits").returncode == 2
    assert cranfield(*asked, "--body", "none.json").returncode == 3


def test_a_wrong_body_is_named(cranfield, garden, engine):
    (garden / "body.json").write_text('{"q": "{query}"')
    asked = ["retrieve", "--queries", "queries.tsv", "--url", engine.url("chroma"), "-o", "chroma.run"]
    done = cranfield(*asked, "--body", "body.json")
    assert done.returncode == 3
    assert "body.json: the template is not JSON once filled in" in done.stderr
    assert not engine.asked


def test_a_service_and_a_database_are_two_things(cranfield, garden):
    done = cranfield(
        *("retrieve", "--queries", "queries.tsv", "--url", "http://127.0.0.1/{query}", "-o", "new.run"),
        *("--database", "garden.db", "--sql", SQL),
    )
    assert done.returncode == 2
    assert "--url is about a service, --database about a database; choose one." in done.stderr


@pytest.mark.parametrize("given", [("--database", "garden.db"), ("--sql", SQL), ()])
def test_what_to_ask_must_be_said(cranfield, garden, given):
    done = cranfield("retrieve", "--queries", "queries.tsv", "-o", "new.run", *given)
    assert done.returncode == 2
    assert "--url, or --database with --sql" in done.stderr


def test_a_statement_that_writes_stops_at_once(retrieve, garden):
    done = retrieve(sql="INSERT INTO docs VALUES ({query}, '', 0) RETURNING id")
    assert done.returncode == 1
    assert "Stopped early, 2 queries not asked: attempt to write a readonly database" in done.stderr


def test_an_output_that_cannot_be_written_is_named(retrieve):
    done = retrieve(output="none/new.run")
    assert done.returncode == 3
    assert "none/new.run.requests.jsonl: cannot be written" in done.stderr
