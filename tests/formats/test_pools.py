"""Lists of what to judge are read as people and `cranfield pool` write them."""

import pytest

import cranfield as cf
from cranfield import demo
from cranfield.errors import DataError
from cranfield.formats.documents import Document
from cranfield.formats.pools import is_pool, read_pool

PAIRS = (("q1", "d1", ""), ("q1", "d2", ""))


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("pool.txt", "q1 0 d1\nq1 0 d2\n"),
        ("pairs.txt", "q1 d1\nq1 d2\n"),
        ("pairs.tsv", "q1\td1\nq1\td2\n"),
        ("pairs.csv", "q1,d1\nq1,d2\n"),
        ("pairs.csv", "query,document\nq1,d1\nq1,d2\nq1,d2\n"),
        ("pairs.jsonl", '{"qid": "q1", "docno": "d1"}\n{"qid": "q1", "docno": "d2"}\n'),
        ("pairs.json", '[{"query": "q1", "document": "d1"}, {"query": "q1", "document": "d2"}]'),
    ],
)
def test_pairs_are_read_as_people_write_them(tmp_path, name, text):
    path = tmp_path / name
    path.write_text(text)
    assert is_pool(str(path))
    assert read_pool(path).pairs == PAIRS


@pytest.mark.parametrize("ending", ["txt", "csv", "tsv", "json", "jsonl"])
def test_a_pool_is_read_as_it_was_written(tmp_path, ending):
    pool = cf.pool(
        [demo.path("bm25.run"), demo.path("hybrid.run")],
        depth=3,
        queries=demo.path("queries.tsv"),
        documents=demo.path("documents.jsonl"),
    )
    path = tmp_path / f"pool.{ending}"
    pool.write(path)
    assert is_pool(str(path))
    listed = read_pool(path)
    assert listed.pairs == tuple((entry.query, entry.document, "") for entry in pool)
    assert listed.grades == {}
    if ending != "txt":
        assert listed.query_texts["q01"] == "how often should I water tomatoes"
        assert listed.documents.keys() == {entry.document for entry in pool}
        assert all(document.title and document.text for document in listed.documents.values())


def test_grades_that_were_filled_in_are_read(tmp_path):
    path = tmp_path / "sheet.csv"
    path.write_text("query,document,title,text,grade\nq1,d1,Dogs,They bark.,2\nq1,d2,Cats,They purr.,?\n")
    listed = read_pool(path)
    assert listed.grades == {("q1", "d1"): 2.0}
    assert listed.documents["d2"] == Document("Cats", "They purr.")


def test_two_documents_side_by_side():
    assert read_pool([("q1", "d1", "d2")]).pairs == (("q1", "d1", "d2"),)


def test_documents_by_query():
    assert read_pool({"q1": ["d1", "d2"]}).pairs == PAIRS


@pytest.mark.parametrize("run", ["bm25.run", "title.run"])
def test_a_run_is_no_pool(run):
    assert not is_pool(str(demo.path(run)))


@pytest.mark.parametrize("text", ["q1\td1\t1\nq1\td2\t2\n", "query,document,score\nq1,d1,0.5\n"])
def test_ranks_and_scores_make_a_run(tmp_path, text):
    path = tmp_path / "run"
    path.write_text(text)
    assert not is_pool(str(path))


def test_judgments_are_refused_with_where_they_belong(tmp_path):
    path = tmp_path / "qrels.txt"
    path.write_text("q1 0 d1 2\n")
    with pytest.raises(DataError, match=r"qrels\.txt: it does not list pairs .* 4 columns: q1, 0, d1, 2\n.*judgments="):
        read_pool(path)


@pytest.mark.parametrize(
    "text", ["", "\n\n", "query,document\n", "q1 d1\nq1\n", "q1,d1\nq1,\n", '{"query": "q1"}\n{"query": "q2"}']
)
def test_what_is_no_list_of_pairs_is_refused_in_words(tmp_path, text):
    path = tmp_path / "pairs"
    path.write_text(text)
    with pytest.raises(DataError, match="pairs"):
        read_pool(path)


def test_entries_of_a_pool_are_objects(tmp_path):
    path = tmp_path / "pool.json"
    path.write_text('{\n"cranfield": "0.1", "documents": [{"query": "q1", "document": "d1"}, true]}')
    with pytest.raises(DataError, match=r"pool\.json: it does not list pairs .* an entry is True"):
        read_pool(path)


def test_a_pool_of_one_line_of_json_is_read_too(tmp_path):
    path = tmp_path / "pool.json"
    path.write_text(
        '{"cranfield": "0.1.0", "verdict": "2 documents", "documents": [{"query": "q1", "document": "d1"}]}'
    )
    assert is_pool(str(path))
    assert read_pool(path).pairs == (("q1", "d1", ""),)
    with pytest.raises(DataError, match="this looks like what `cranfield` printed with --format json"):
        cf.read_judgments(path)
