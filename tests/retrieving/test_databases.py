"""A database as a system: SQLite with its full text search, DuckDB, and PostgreSQL, all real."""

import json
import sqlite3
import time
from contextlib import closing
from importlib.resources import files

import pytest

import cranfield as cf
from cranfield.errors import DataError, UsageError
from cranfield.formats.queries import read_queries
from cranfield.requesting.failures import Failure
from cranfield.retrieving.databases import DatabaseSystem
from cranfield.retrieving.retrieval import RetrievalChoices, retrieve_from
from cranfield.retrieving.searching import BUILT_IN, search_queries

GARDEN = files("cranfield.demo") / "collection"
FTS = "SELECT id, -bm25(docs) FROM docs WHERE docs MATCH replace({query}, ' ', ' OR ') ORDER BY rank LIMIT {size}"
PLAIN = "SELECT id, points FROM docs WHERE text LIKE '%' || {query} || '%' ORDER BY points DESC LIMIT {size}"


def documents():
    with (GARDEN / "documents.jsonl").open(encoding="utf-8") as lines:
        return [(one["doc_id"], one["title"], one["text"]) for one in map(json.loads, lines)]


@pytest.fixture(scope="session")
def garden(tmp_path_factory):
    """The garden in an SQLite file with an index for full text search."""
    path = tmp_path_factory.mktemp("garden") / "garden ä%20.db"
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("CREATE VIRTUAL TABLE docs USING fts5(id UNINDEXED, title, text, tokenize = 'porter')")
        connection.executemany("INSERT INTO docs VALUES (?, ?, ?)", documents())
    return str(path)


@pytest.fixture
def small(tmp_path):
    path = tmp_path / "small.db"
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("CREATE TABLE docs (id, text, points)")
        connection.executemany("INSERT INTO docs VALUES (?, ?, ?)", [("d1", "frost", 1.5), (7, "frost snow", 3)])
    return str(path)


def search(database, statement, text, size=10, timeout=5.0):
    (query,) = search_queries(read_queries({"q1": text}), [], size)
    with closing(DatabaseSystem(database, statement, BUILT_IN, timeout)) as system:
        return system.search(query)


def failure(*given, **more):
    with pytest.raises(Failure) as raised:
        search(*given, **more)
    return raised.value


def test_full_text_search_of_sqlite_gives_the_scores_that_others_measured_with_it(garden, tmp_path):
    with closing(DatabaseSystem(garden, FTS, BUILT_IN, 5.0)) as system:
        queries = read_queries(str(GARDEN / "queries.tsv"))
        retrieval = retrieve_from(system, queries, RetrievalChoices(at_once=3), output=tmp_path / "fts.run")
    scores = cf.evaluate(str(GARDEN / "qrels.txt"), tmp_path / "fts.run", ["nDCG@10", "R@100"])
    means = [round(scores.mean(measure).value, 4) for measure in scores.measures]
    assert means == [0.5525, 0.9480]  # by a program that shares nothing with this one
    assert retrieval.is_complete
    assert len(retrieval.log.latencies) == 70


def test_rows_are_documents_with_scores(small):
    assert search(small, PLAIN, "frost") == (("7", "d1"), (3.0, 1.5), None)
    assert search(small, PLAIN, "frost", size=1).documents == ("7",)


def test_one_column_has_documents_alone(small):
    assert search(small, "SELECT id FROM docs WHERE text = {query}", "frost") == (("d1",), None, None)


def test_no_rows_are_an_empty_result(small):
    assert search(small, PLAIN, "cactus").documents == ()


@pytest.mark.parametrize(
    "text", ["'", "' OR 1=1 --", '"; DROP TABLE docs; --', "{query}", "%", "?", ":x", "a\0b", "é\n🌱"]
)
def test_no_query_can_break_out_of_the_statement(small, text):
    assert search(small, "SELECT id FROM docs WHERE text = {query}", text).documents == ()
    assert search(small, "SELECT {query} || 'x'", text.replace("\0", "")).documents == (text.replace("\0", "") + "x",)


@pytest.mark.parametrize(
    "statement",
    [
        "INSERT INTO docs VALUES ({query}, 1, 1)",
        "DELETE FROM docs WHERE id <> {query}",
        "UPDATE docs SET id = {query}",
        "CREATE TABLE more AS SELECT {query}",
    ],
)
def test_nothing_is_written_to_sqlite(small, statement):
    assert failure(small, statement, "frost").kind in ("not allowed", "rejected")
    assert len(search(small, PLAIN, "frost").documents) == 2


def test_a_query_that_full_text_search_cannot_read_failed_and_is_not_empty(garden):
    refused = failure(garden, FTS, 'what is "this')
    assert (refused.kind, refused.detail) == ("rejected", "unterminated string")


def test_a_statement_that_takes_too_long_timed_out(small):
    endless = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT {query} FROM n WHERE i < 0"
    began = time.monotonic()
    assert failure(small, endless, "frost", timeout=0.2).kind == "timeout"
    assert time.monotonic() - began < 3


def test_a_second_column_that_is_no_score_is_named(small):
    assert (
        "second column is the score" in failure(small, "SELECT id, text FROM docs WHERE text = {query}", "frost").detail
    )


def test_a_statement_without_a_query_is_refused(small):
    with pytest.raises(UsageError, match=r"The statement does not contain \{query\}"):
        DatabaseSystem(small, "SELECT id FROM docs LIMIT {size}", BUILT_IN, 1)


def test_a_database_that_is_not_there_is_named(tmp_path):
    with pytest.raises(DataError, match="there is no such database"):
        DatabaseSystem(str(tmp_path / "none.db"), PLAIN, BUILT_IN, 1)
    assert not (tmp_path / "none.db").exists()


def test_a_file_that_is_no_database_is_named(tmp_path):
    (tmp_path / "notes.txt").write_text("no database " * 100)
    with pytest.raises(DataError, match="cannot be opened"):
        DatabaseSystem(str(tmp_path / "notes.txt"), PLAIN, BUILT_IN, 1)


# DuckDB


@pytest.fixture
def duck(tmp_path):
    duckdb = pytest.importorskip("duckdb")
    with duckdb.connect(str(tmp_path / "small.duckdb")) as connection:
        connection.execute("CREATE TABLE docs (id VARCHAR, text VARCHAR, points DECIMAL(5, 1))")
        connection.execute("INSERT INTO docs VALUES ('d1', 'frost', 1.5), ('d2', 'frost snow', 3)")
    return str(tmp_path / "small.duckdb")


def test_duckdb_is_asked_likewise(duck):
    assert search(duck, PLAIN, "frost") == (("d2", "d1"), (3.0, 1.5), None)


@pytest.mark.parametrize("vector", [[0.0, 2.0], "0,2", "[0, 2]"])
def test_the_vector_of_a_query_is_compared_with_those_of_documents(duck, vector):
    (query,) = search_queries(read_queries([{"qid": "q1", "text": "frost", "vector": vector}]), ["vector"], 10)
    nearest = (
        "SELECT id, list_cosine_similarity(vector, {vector}::DOUBLE[]) AS score "
        "FROM (VALUES ('d1', [1.0, 0.0]), ('d2', [0.0, 1.0])) AS docs (id, vector) ORDER BY score DESC LIMIT {size}"
    )
    with closing(DatabaseSystem(duck, nearest, [*BUILT_IN, "vector"], 5.0)) as system:
        assert system.search(query) == (("d2", "d1"), (1.0, 0.0), None)


def test_nothing_is_written_to_duckdb(duck):
    assert failure(duck, "INSERT INTO docs VALUES ({query}, '', 0)", "frost").kind == "not allowed"


# PostgreSQL


@pytest.fixture(scope="module")
def postgres_garden(postgres):
    psycopg = pytest.importorskip("psycopg")
    with psycopg.connect(postgres, autocommit=True) as connection:
        connection.execute("CREATE TABLE garden (id text, words tsvector)")
        with connection.cursor() as cursor:
            cursor.executemany("INSERT INTO garden VALUES (%s, to_tsvector('english', %s || ' ' || %s))", documents())
    return postgres


RANKED = (
    "SELECT id, ts_rank_cd(words, q) AS score FROM garden, "
    "to_tsquery('english', replace({query}, ' ', ' | ')) q WHERE words @@ q ORDER BY score DESC, id LIMIT {size}"
)


def test_full_text_search_of_postgresql_gives_a_run(postgres_garden, tmp_path):
    with closing(DatabaseSystem(postgres_garden, RANKED, BUILT_IN, 5.0)) as system:
        queries = read_queries(str(GARDEN / "queries.tsv"))
        retrieval = retrieve_from(system, queries, RetrievalChoices(at_once=2), output=tmp_path / "postgres.run")
    assert retrieval.is_complete
    psycopg = pytest.importorskip("psycopg")
    statement = RANKED.replace("{query}", "%s").replace("{size}", "100")
    with psycopg.connect(postgres_garden) as connection:
        rows = connection.execute(statement, [queries.text("q02")]).fetchall()
    assert retrieval.run["q02"] == dict(rows)
    assert cf.evaluate(str(GARDEN / "qrels.txt"), retrieval.run, "nDCG@10").mean("nDCG@10").value > 0.3


def test_nothing_is_written_to_postgresql(postgres_garden):
    refused = failure(postgres_garden, "INSERT INTO garden (id) VALUES ({query}) RETURNING id", "frost")
    assert (refused.kind, refused.detail) == (
        "not allowed",
        "cannot execute INSERT in a read-only transaction",
    )


@pytest.mark.parametrize("text", ["100%", "%s", "'; DROP TABLE garden; --", "{size}"])
def test_no_query_can_break_out_of_a_statement_of_postgresql(postgres_garden, text):
    assert search(postgres_garden, "SELECT {query} || '%x' LIMIT {size}", text).documents == (text + "%x",)


def test_a_text_that_postgresql_cannot_hold_failed(postgres_garden):
    assert failure(postgres_garden, "SELECT {query}", "a\0b").kind == "rejected"


def test_a_slow_statement_of_postgresql_timed_out(postgres_garden):
    assert failure(postgres_garden, "SELECT {query} FROM pg_sleep(9)", "frost", timeout=0.1).kind == "timeout"


def test_a_server_that_is_not_there_is_named_without_its_password():
    pytest.importorskip("psycopg")
    with pytest.raises(DataError) as raised:
        DatabaseSystem("postgresql://ada:secret@127.0.0.1:1/team", PLAIN, BUILT_IN, 1)
    assert "cannot be opened" in str(raised.value)
    assert "secret" not in str(raised.value)
