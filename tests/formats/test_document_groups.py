"""Mappings from chunks to documents, alternatives and lists of queries, as people save them."""

from __future__ import annotations

import json

import pytest

import cranfield as cf
from cranfield import CranfieldError, DataError, UsageError
from cranfield.formats.document_groups import read_alternatives, read_group_by, read_only_queries

MAPPING = {"c1": "d1", "c2": "d1", "c3": "d2"}


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("chunks.csv", "chunk_id,doc_id\nc1,d1\nc2,d1\nc3,d2\n"),
        ("chunks.csv", "doc_id,title,chunk_id\nd1,One,c1\nd1,One,c2\nd2,Two,c3\n"),
        ("chunks.tsv", "c1\td1\nc2\td1\nc3\td2\n"),
        ("chunks.txt", "c1 d1\nc2 d1\nc3 d2\n"),
        ("chunks.jsonl", "".join(f'{{"id": "{chunk}", "ref_doc_id": "{doc}"}}\n' for chunk, doc in MAPPING.items())),
        ("chunks.json", json.dumps(MAPPING)),
        ("chunks.json", json.dumps({"d1": ["c1", "c2"], "d2": ["c3"]})),
        ("chunks.json", json.dumps([{"node_id": chunk, "source": doc} for chunk, doc in MAPPING.items()], indent=1)),
    ],
)
def test_a_mapping_is_read_as_people_save_it(tmp_path, name, text):
    path = tmp_path / name
    path.write_text(text)
    assert read_group_by(str(path)).document == MAPPING
    assert read_group_by(path).label == read_group_by(str(path)).label


def test_a_mapping_is_read_from_objects_and_tables(tmp_path):
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame({"chunk_id": list(MAPPING), "doc_id": list(MAPPING.values())})
    frame.to_parquet(tmp_path / "chunks.parquet")
    for given in (MAPPING, frame, list(MAPPING.items()), tmp_path / "chunks.parquet"):
        assert read_group_by(given).document == MAPPING


def test_the_name_in_settings_tells_the_content_whatever_the_order(tmp_path):
    (tmp_path / "a.tsv").write_text("c1\td1\nc2\td2\n")
    (tmp_path / "b.tsv").write_text("c2\td2\nc1\td1\n")
    labels = [
        read_group_by(given).label for given in (tmp_path / "a.tsv", tmp_path / "b.tsv", {"c1": "d1", "c2": "d2"})
    ]
    assert len({label.partition(" (sha256 ")[2] for label in labels}) == 1
    assert labels[2].startswith("a mapping (sha256 ")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "empty"),
        ("chunk_id,doc_id\n", "no chunks"),
        ("chunk_id,doc_id\nc1,d1\nc1,d2\n", "line 3: chunk 'c1' belongs to 'd2' here and to 'd1' before"),
        ("chunk_id,doc_id\nc1,\n", "line 2"),
        ("name,colour,size\nx,red,3\n", "cannot recognise the columns of the chunks: name, colour, size"),
        ("chunk_id,colour\nx,red\n", "cannot recognise the columns of the chunks: chunk_id, colour"),
        ("c1,d1,x,y\n", "cannot recognise the columns"),
        ('{"c1": {"a": 1}}', "group_by is a separator"),
        ('{"c1": ["a"], "c2": "b"}', "group_by is a separator"),
    ],
)
def test_a_mapping_that_cannot_be_read_is_answered_in_words(tmp_path, text, message):
    path = tmp_path / ("chunks.json" if text.startswith("{") else "chunks.csv")
    path.write_text(text)
    with pytest.raises(CranfieldError) as error:
        read_group_by(str(path))
    assert message in str(error.value)


@pytest.mark.parametrize("given", [None, True, 3, 2.5, b"#", "", [], {}, object(), [1, 2]])
def test_what_says_nothing_of_chunks_is_refused(given):
    with pytest.raises(CranfieldError):
        read_group_by(given)


def test_a_pattern_that_is_none_is_refused():
    with pytest.raises(UsageError, match=r"group_by is no regular expression: .* in '\^\(\.'"):
        read_group_by("^(.")


def test_a_parenthesis_alone_and_a_group_without_a_name_are_separators():
    assert read_group_by("(").documents_of("q", ["d(1)"]) == ["d"]
    assert read_group_by("(?:x)").documents_of("q", ["d(?:x)1"]) == ["d"]


class TestAlternatives:
    @pytest.mark.parametrize(
        ("name", "text"),
        [
            ("answers.csv", "query,document,grade,answer\nq1,c7,1,A\nq1,c2,1,A\nq1,c3,2,B\n"),
            ("answers.csv", "question_id,chunk_id,answer_id\nq1,c7,1\nq1,c2,1\nq1,c3,2\n"),
            ("answers.tsv", "q1\tc7\tA\nq1\tc2\tA\nq1\tc3\tB\n"),
            ("answers.json", json.dumps({"q1": {"c7": "A", "c2": "A", "c3": "B"}})),
            ("answers.json", json.dumps({"q1": [["c7", "c2"], ["c3"]]})),
        ],
    )
    def test_they_are_read_as_people_save_them(self, tmp_path, name, text):
        (tmp_path / name).write_text(text)
        assert read_alternatives(tmp_path / name).answers == {"q1": {"c7": "c2", "c2": "c2", "c3": "c3"}}

    @pytest.mark.parametrize(
        ("text", "message"),
        [
            ("query,document,answer\nq1,c1,A\nq1,c1,B\n", "document 'c1' of query 'q1' belongs to answer 'B' here"),
            ("query,document\nq1,c1\n", "cannot recognise the columns of the alternatives: query, document"),
            ("query,document,answer\nq1,c1,\n", "line 2"),
            ("q1 0 c1 1\n", "cannot recognise the columns"),
        ],
    )
    def test_what_cannot_be_read_is_answered_in_words(self, tmp_path, text, message):
        (tmp_path / "answers.csv").write_text(text)
        with pytest.raises(DataError) as error:
            read_alternatives(tmp_path / "answers.csv")
        assert message in str(error.value)

    @pytest.mark.parametrize("given", [3, {"q1": "c1"}, {"q1": ["c1"]}, {}, "missing.csv"])
    def test_what_holds_no_alternatives_is_refused(self, given):
        with pytest.raises(CranfieldError):
            read_alternatives(given)


class TestOnlyQueries:
    @pytest.mark.parametrize(
        ("name", "text"),
        [
            ("dev.txt", "q1\nq2\n"),
            ("dev.txt", "q1\r\nq2"),
            ("dev.txt", "query_id\nq1\nq2\nq1\n"),
            ("dev.tsv", "q1\thow to water\nq2\twhy, oh why\n"),
            ("dev.csv", "qid,query\nq1,how\nq2,why\n"),
            ("dev.jsonl", '{"_id": "q1", "text": "how"}\n{"_id": "q2", "text": "why"}\n'),
            ("dev.json", '["q1", "q2"]'),
            ("dev.json", '{"q1": "how", "q2": "why"}'),
        ],
    )
    def test_they_are_read_as_people_save_them(self, tmp_path, name, text):
        (tmp_path / name).write_text(text)
        assert read_only_queries(str(tmp_path / name)).ids == ("q1", "q2")

    @pytest.mark.parametrize(
        "given",
        [
            ["q1", "q2"],
            ("q1", "q2"),
            {"q1": "how", "q2": "why"},
            cf.read_queries({"q1": "a", "q2": "b"}),
            iter(["q1", "q2"]),
        ],
    )
    def test_they_are_read_from_objects(self, given):
        assert read_only_queries(given).ids == ("q1", "q2")

    @pytest.mark.parametrize("given", [None, 3, True, b"q1", [], "missing.txt", [None], [["q1", "x", "y"]]])
    def test_what_names_no_queries_is_refused(self, given):
        with pytest.raises(CranfieldError):
            read_only_queries(given)
