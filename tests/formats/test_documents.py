"""Documents, in whatever form they come."""

from __future__ import annotations

import gzip
import io
import json

import pandas as pd
import polars as pl
import pytest

import cranfield as cf
from cranfield.errors import DataError, Findings, UsageError
from cranfield.formats.documents import Document

DOG = Document("Dogs", "They bark.")


@pytest.mark.parametrize(
    "text",
    [
        '{"_id": "d1", "title": "Dogs", "text": "They bark."}\n',
        '{"docno": "d1", "body": "They bark.", "headline": "Dogs"}\n',
        "doc_id\ttitle\ttext\nd1\tDogs\tThey bark.\n",
        "id,title,contents\nd1,Dogs,They bark.\n",
        "d1\tDogs\tThey bark.\n",
        '{"d1": {"title": "Dogs", "text": "They bark."}}',
        '[{"id": "d1", "title": "Dogs", "abstract": "They bark."}]',
    ],
)
def test_texts_are_read_as_people_write_them(text):
    assert cf.read_documents(io.StringIO(text)) == {"d1": DOG}


@pytest.mark.parametrize("name", ["sku", "product_id", "chunk_id", "asin"])
def test_products_and_chunks_are_documents_and_a_title_is_enough(name):
    products = f"{name},title,price\nd1,Red shoes,9.90\n"
    assert cf.read_documents(io.StringIO(products)) == {"d1": Document("Red shoes", "")}
    assert cf.read_documents([{name: "d1", "title": "Red shoes"}]) == {"d1": Document("Red shoes", "")}


@pytest.mark.parametrize(
    "text",
    ["d1\thttps://example.org\tDogs\tThey bark.\n", "id,title,url,text\nd1,Dogs,https://example.org,They bark.\n"],
)
def test_where_a_document_can_be_seen_is_read_too(text):
    assert cf.read_documents(io.StringIO(text)) == {"d1": DOG._replace(url="https://example.org")}


@pytest.mark.parametrize("text", ["d1\tThey bark.\nd2\tThey\tpurr.\n", 'd1,They bark.\nd2,"They\tpurr."\n'])
def test_an_id_and_a_text_a_line(text):
    assert cf.read_documents(io.StringIO(text)) == {"d1": Document("", "They bark."), "d2": Document("", "They\tpurr.")}


@pytest.mark.parametrize(
    "given",
    [
        {"d1": {"title": "Dogs", "text": "They bark."}},
        [("d1", "Dogs", "They bark.")],
        pd.DataFrame({"docno": ["d1"], "title": ["Dogs"], "text": ["They bark."]}),
        pl.DataFrame({"docno": ["d1"], "title": ["Dogs"], "text": ["They bark."]}),
    ],
    ids=["dictionary", "rows", "pandas", "polars"],
)
def test_objects_are_read_too(given):
    assert cf.read_documents(given) == {"d1": DOG}


def test_only_what_is_wanted_is_kept():
    lines = "".join(json.dumps({"id": f"d{at}", "text": "x"}) + "\n" for at in range(1000))
    assert list(cf.read_documents(io.StringIO(lines), {"d7", "d999"})) == ["d7", "d999"]


def test_of_a_document_that_comes_twice_the_first_counts():
    assert cf.read_documents([("d1", "first"), ("d1", "second")])["d1"].text == "first"


def test_compressed_files_and_parquet(tmp_path):
    packed = tmp_path / "documents.jsonl.gz"
    packed.write_bytes(gzip.compress(b'{"id": "d1", "title": "Dogs", "text": "They bark."}\n'))
    table = tmp_path / "documents.parquet"
    pl.DataFrame({"id": ["d1"], "title": ["Dogs"], "text": ["They bark."]}).write_parquet(table)
    assert cf.read_documents(packed) == cf.read_documents(str(table)) == {"d1": DOG}


def test_what_has_no_text_is_empty():
    assert cf.read_documents([{"id": "d1", "text": None, "title": float("nan")}])["d1"] == Document("", "")


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "no documents"),
        ('{"name": "x", "text": "y"}\n', "no column gives the ids of documents; the columns are name, text"),
        ("a\tb\tc\td\te\n", "no column gives the ids of documents"),
        ('{"id": "d1", "text": \n', "documents"),
    ],
)
def test_what_cannot_be_documents_is_answered(tmp_path, text, words):
    path = tmp_path / "documents.txt"
    path.write_text(text)
    with pytest.raises(DataError, match=words):
        cf.read_documents(path)


@pytest.mark.parametrize("given", [7, [1, 2], {"d1": 7}])
def test_an_object_that_cannot_be_documents_is_wrong_usage(given):
    with pytest.raises(UsageError, match="cannot read documents from int"):
        cf.read_documents(given)


@pytest.mark.parametrize(
    ("text", "line", "found"),
    [
        ("id,title,text\nd1,Dogs,They bark, loudly.\n", 2, 4),
        ("id\ttitle\ttext\nd1\tDogs\tThey bark.\nand more\n", 3, 1),
        ("id\ttext\turl\nd1\tThey\tbark.\thttp://x\n", 2, 4),
    ],
)
def test_a_line_of_another_width_is_refused(text, line, found):
    with pytest.raises(DataError, match=f"line {line}: {found} column"):
        cf.read_documents(io.StringIO(text))


@pytest.mark.parametrize("quote", ["", '"'])
def test_a_text_may_be_long(quote):
    long = "word " * 100_000
    assert cf.read_documents(io.StringIO(f"id,text\nd1,{quote}{long}{quote}\n"))["d1"].text == long


def test_a_document_that_comes_again_with_another_text_is_told():
    findings = Findings()
    cf.read_documents([("d1", "first"), ("d2", "x"), ("d1", "second"), ("d2", "x")], findings=findings)
    (warning,) = findings.warnings
    assert str(warning) == "document 'd1' comes again with another title or text; the first counts"


@pytest.mark.parametrize("name", [None, "", float("nan"), True])
def test_an_id_that_is_none_is_refused(name):
    with pytest.raises(DataError, match="row 2: the document id is"):
        cf.read_documents([("d1", "x"), (name, "y")])


def test_ids_that_are_numbers_are_read_as_everywhere():
    assert list(cf.read_documents([(7, "x"), (8.0, "y")])) == ["7", "8"]


def test_half_a_character_can_be_printed():
    assert cf.read_documents(io.StringIO('{"id": "d1", "text": "a\\ud800b"}\n'))["d1"].text == "a⟨U+D800⟩b"
    assert cf.read_queries(io.StringIO('{"q1": "a\\ud800b"}')).text("q1") == "a⟨U+D800⟩b"
