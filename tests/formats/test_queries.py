"""Queries, in whatever form they come."""

from __future__ import annotations

import gzip
import io
import json
from dataclasses import dataclass
from typing import NamedTuple

import pandas as pd
import polars as pl
import pytest

import cranfield as cf
from cranfield.errors import DataError, UsageError
from tests.conftest import SHARED_DATA, WITHOUT_SHARED_DATA


def read(text, **said):
    return cf.read_queries(io.StringIO(text), **said)


def wrong(text):
    with pytest.raises(DataError) as stopped:
        read(text)
    return str(stopped.value)


class TestText:
    @pytest.mark.parametrize("query", ["query", "qid", "query_id", "query-id", "id", "_id", "topic", "Topic", "number"])
    @pytest.mark.parametrize("text", ["text", "query_text", "title"])
    def test_columns_are_known_by_their_names(self, query, text):
        found = read(f"{query}\t{text}\tintent\nq1\twhy crack\tproblem\n")
        assert (found.ids, found.texts) == (("q1",), ("why crack",))
        assert found.columns == {"intent": ("problem",)}

    def test_beside_an_id_a_query_is_its_text(self):
        found = read("qid,query\n7,why crack\n")
        assert (found.ids, found.texts) == (("7",), ("why crack",))

    def test_beside_an_id_a_topic_is_a_column(self):
        assert read("qid,topic\n7,garden\n").columns == {"topic": ("garden",)}

    @pytest.mark.parametrize("delimiter", [",", ";", "\t"])
    def test_a_field_in_quotes(self, delimiter):
        found = read(f'id{delimiter}text\n1{delimiter}"so ""called"" crack"\n')
        assert found.texts == ('so "called" crack',)

    def test_lines_within_quotes(self):
        found = read('id,text,intent\n1,"two\nlines",x\n2,one,y\n')
        assert found.texts == ("two\nlines", "one")

    def test_an_id_and_a_text_without_a_header_as_ms_marco_has_them(self):
        found = read("1048585\twhat is \"paula deen's brother\n2\tdefine, comma\n")
        assert found.ids == ("1048585", "2")
        assert found.texts == ("what is \"paula deen's brother", "define, comma")

    def test_an_empty_field_says_nothing(self):
        assert read("qid,intent\n1,\n2,x\n").columns == {"intent": (None, "x")}

    def test_windows_line_ends_blank_lines_and_a_byte_order_mark(self, tmp_path):
        path = tmp_path / "queries.tsv"
        path.write_bytes(b"\xef\xbb\xbfqid\ttext\r\n\r\n1\tcrack\r\n")
        assert cf.read_queries(path).texts == ("crack",)

    def test_compressed(self, tmp_path):
        path = tmp_path / "queries.tsv.gz"
        path.write_bytes(gzip.compress(b"1\tcrack\n2\twater\n"))
        found = cf.read_queries(path)
        assert (found.ids, found.path) == (("1", "2"), str(path))

    def test_columns_of_other_names_are_said(self):
        found = read("nr,words,intent\n1,crack,x\n", columns={"query": "nr", "text": "words"})
        assert (found.ids, found.texts, list(found.columns)) == (("1",), ("crack",), ["intent"])


class TestJson:
    LINES = '{"_id": "1", "text": "crack", "metadata": {"intent": "problem", "text": "long"}}\n{"_id": "2"}\n'

    def test_beirs_lines_with_what_is_within_metadata(self):
        found = read(self.LINES)
        assert (found.ids, found.texts) == (("1", "2"), ("crack", ""))
        assert found.columns == {"intent": ("problem", None), "metadata.text": ("long", None)}

    @pytest.mark.parametrize("indent", [None, 2])
    @pytest.mark.parametrize(
        "value",
        [
            {"1": "crack", "2": "water"},
            {"1": {"text": "crack"}, "2": {"text": "water"}},
            [{"qid": 1, "text": "crack"}, {"qid": 2, "text": "water"}],
            {"qid": [1, 2], "text": ["crack", "water"]},
        ],
    )
    def test_values_of_every_shape(self, value, indent):
        found = read(json.dumps(value, indent=indent))
        assert (found.ids, found.texts) == (("1", "2"), ("crack", "water"))

    def test_lists_are_read_as_one_text(self):
        assert read('[{"id": 1, "tags": ["a", "b"], "none": []}]').columns == {"tags": ("a, b",), "none": (None,)}


@dataclass
class Topic:
    qid: str
    text: str


class Named(NamedTuple):
    qid: str
    text: str


class TestPython:
    @pytest.mark.parametrize(
        "given",
        [
            {"q1": "crack"},
            {"q1": {"text": "crack"}},
            [("q1", "crack")],
            [{"qid": "q1", "text": "crack"}],
            [Topic("q1", "crack")],
            [Named("q1", "crack")],
            {"qid": ["q1"], "text": ["crack"]},
            pd.DataFrame({"qid": ["q1"], "query": ["crack"]}),
            pl.DataFrame({"query_id": ["q1"], "text": ["crack"]}),
            pl.LazyFrame({"query_id": ["q1"], "text": ["crack"]}),
        ],
    )
    def test_whatever_holds_them(self, given):
        found = cf.read_queries(given)
        assert (found.ids, found.texts) == (("q1",), ("crack",))

    def test_values_of_tables_stay_what_they_are(self):
        frame = pd.DataFrame({"qid": [1, 2], "length": [3, 5], "share": [0.5, None], "new": [True, False]})
        assert cf.read_queries(frame).columns == {"length": (3, 5), "share": (0.5, None), "new": (True, False)}

    def test_parquet(self, tmp_path):
        pytest.importorskip("pyarrow")
        pd.DataFrame({"qid": ["q1"], "intent": ["howto"]}).to_parquet(tmp_path / "queries.parquet")
        assert cf.read_queries(tmp_path / "queries.parquet").columns == {"intent": ("howto",)}

    def test_queries_are_left_as_they_are(self):
        found = cf.read_queries({"q1": "crack"})
        assert cf.read_queries(found) is found

    @pytest.mark.parametrize("given", [7, [1, 2], [("q1", "a", "b")], object()])
    def test_what_cannot_be_queries(self, given):
        with pytest.raises(UsageError, match="cannot read queries from"):
            cf.read_queries(given)

    @pytest.mark.parametrize("given", [{"q1": 7}, {"qid": ["q1"], "text": ["a", "b"]}])
    def test_shapes_that_queries_do_not_have(self, given):
        with pytest.raises(DataError, match=r"expected {query: text}"):
            cf.read_queries(given)

    def test_a_role_that_queries_do_not_have(self):
        with pytest.raises(UsageError, match="'grade' is not a role of a query file; known are query and text"):
            cf.read_queries({"q1": "a"}, columns={"grade": "x"})


class TestWrong:
    def test_a_query_that_comes_again(self):
        assert wrong("q1\ta\nq2\tb\nq1\tc\n").startswith(
            "the file object, line 3: query 'q1' comes again; it is already on line 1\nKeep each query once."
        )

    def test_a_row_that_is_longer_or_shorter(self):
        found = wrong("id,text\n1,a\n2,b,c\n3\n")
        assert "line 3: 3 columns where the first line has 2\n    2,b,c\n" in found
        assert "line 4: 1 column where the first line has 2" in found

    def test_no_column_of_ids(self):
        found = wrong("qd,text,intent\n1,a,b\n")
        assert "no column gives the ids of queries; the columns are qd, text, intent" in found
        assert "Did you mean qid by qd?" in found
        assert "no column gives the ids" in wrong('{"words": "a", "n": 1}\n{"words": "b", "n": 2}\n')

    def test_several_columns_of_ids(self):
        assert "several columns could give the ids of queries: qid, query_id" in wrong("qid,query_id\n1,2\n")

    def test_a_column_that_was_said_and_is_not_there(self):
        with pytest.raises(DataError, match="there is no column 'nr'"):
            read("qid,text\n1,a\n", columns={"query": "nr"})

    def test_two_columns_of_one_name(self):
        assert "two columns are called 'x'" in wrong("qid,x,x\n1,2,3\n")

    def test_a_missing_id(self):
        assert "line 2: the query id is missing" in wrong("qid,text\n,a\n")

    @pytest.mark.parametrize("text", ["", "\n\n", "qid,text\n", "[]", "{}"])
    def test_nothing_at_all(self, text):
        assert "no queries found" in wrong(text)

    def test_markup(self):
        assert "topics in markup cannot be read\nWrite them as a table" in wrong("<top>\n<num> Number: 301\n")

    @pytest.mark.parametrize(
        ("text", "words"),
        [
            ('{"1": "a", "1": "b"}', "comes twice"),
            ('[{"id": 1},', "not valid JSON"),
            ('{"id": 1}\n{"id": \n', "line 2: not valid JSON"),
            ('id,text\n1,"a\n', "line 2: a quote opens here and is never closed"),
            ("[1, 2]", "a list of something else"),
        ],
    )
    def test_text_that_is_broken(self, text, words):
        assert words in wrong(text)

    def test_bytes_that_are_no_text(self, tmp_path):
        path = tmp_path / "queries.tsv"
        path.write_bytes(b"1\tcaf\x81\n")
        with pytest.raises(DataError, match="neither UTF-8 nor Windows-1252"):
            cf.read_queries(path)

    def test_no_such_file(self, tmp_path):
        with pytest.raises(DataError, match="no such file"):
            cf.read_queries(tmp_path / "queries.tsv")


@pytest.mark.skipif(not SHARED_DATA.is_dir(), reason=WITHOUT_SHARED_DATA)
def test_the_queries_of_beir():
    found = cf.read_queries(SHARED_DATA / "05-beir-scifact" / "queries.jsonl.gz")
    judged = cf.read_judgments(SHARED_DATA / "05-beir-scifact" / "qrels.trec.txt")
    assert all(found.text(query) for query in judged)


class TestAListOfTexts:
    TEXTS = ("red shoes", "sneakers, kids", '5" pipe', "café; für Kinder")

    def test_is_queries_known_by_what_they_say(self, tmp_path):
        path = tmp_path / "queries.txt"
        path.write_text("\n".join(self.TEXTS), encoding="utf-8")
        for given in (str(path), list(self.TEXTS)):
            queries = cf.read_queries(given)
            assert queries.ids == self.TEXTS
            assert queries.ids_are_texts
            assert queries.texts is None

    def test_may_have_a_header(self, tmp_path):
        path = tmp_path / "queries.csv"
        path.write_text('Query\nred shoes\n"sneakers, kids"\n')
        queries = cf.read_queries(path)
        assert queries.ids == ("red shoes", "sneakers, kids")
        assert queries.ids_are_texts

    def test_is_not_begun_by_a_misspelt_header(self, tmp_path):
        path = tmp_path / "queries.txt"
        path.write_text("querry\nred shoes\n")
        with pytest.raises(DataError, match="Did you mean query by querry"):
            cf.read_queries(path)

    def test_ids_alone_are_no_texts(self):
        assert not cf.read_queries([{"qid": "q1"}, {"qid": "q2"}]).ids_are_texts
        assert not cf.read_queries({"q1": "red shoes"}).ids_are_texts

    def test_has_each_text_once(self):
        with pytest.raises(DataError, match="query 'red shoes' comes again"):
            cf.read_queries(["red shoes", "red shoes"])
