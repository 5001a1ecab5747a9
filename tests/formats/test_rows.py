"""Rows of every kind: what holds for one reader holds for all."""

from __future__ import annotations

import io
import json
from dataclasses import make_dataclass

import polars as pl
import pytest

import cranfield as cf
from cranfield.errors import DataError, Findings
from cranfield.formats.clicks import read_clicks
from cranfield.formats.relations import INTERACTIONS, read_relation


def interactions(given):
    findings = Findings()
    found = [row for batch in read_relation(given, INTERACTIONS, findings) for row in zip(*batch.values, strict=True)]
    findings.stop_if_wrong()
    return found


NAMES = ["query", "document", "user", "judge", "grade", "clicked"]
ROW = ["q1", "d1", "u1", "ada", "1", "1"]
READERS = {
    "judgments": (cf.read_judgments, lambda found: dict(found["q1"]), {"d1": 1}),
    "queries": (cf.read_queries, lambda found: found.ids, ("q1",)),
    "documents": (cf.read_documents, list, ["d1"]),
    "labels": (cf.read_labels, lambda found: found.judges, ("ada",)),
    "clicks": (read_clicks, lambda found: list(found.documents), ["d1"]),
    "interactions": (interactions, lambda found: found[0][:2], ("u1", "d1")),
}
DATA = {
    "comma": ",".join(NAMES) + "\n" + ",".join(ROW) + "\n",
    "semicolon": ";".join(NAMES) + "\r\n" + ";".join(ROW),
    "tab": "\t".join(NAMES) + "\n" + "\t".join(ROW) + "\n",
    "quotes": ",".join(f'"{name}"' for name in NAMES) + "\n" + ",".join(f'"{value}"' for value in ROW) + "\n",
    "json": json.dumps([dict(zip(NAMES, ROW, strict=True))]),
    "jsonl": json.dumps(dict(zip(NAMES, ROW, strict=True))) + "\n",
}
RECORD = dict(zip(NAMES, ROW, strict=True))
OBJECTS = {
    "records": [RECORD],
    "data classes": [make_dataclass("Row", NAMES)(*ROW)],
    "polars": pl.DataFrame([RECORD]),
    "lazy": pl.LazyFrame([RECORD]),
    "arrow": pl.DataFrame([RECORD]).to_arrow(),
    "pandas": pl.DataFrame([RECORD]).to_pandas(),
}


@pytest.mark.parametrize("kind", READERS)
class TestEveryReader:
    @pytest.mark.parametrize("form", DATA)
    def test_reads_every_text(self, kind, form):
        read, shown, expected = READERS[kind]
        assert shown(read(io.BytesIO(DATA[form].encode()))) == expected

    @pytest.mark.parametrize("form", OBJECTS)
    def test_reads_every_object(self, kind, form):
        read, shown, expected = READERS[kind]
        assert shown(read(OBJECTS[form])) == expected

    @pytest.mark.parametrize("form", ["parquet", "ipc"])
    def test_reads_files_of_tables(self, kind, form):
        read, shown, expected = READERS[kind]
        data = io.BytesIO()
        getattr(pl.DataFrame([RECORD]), f"write_{form}")(data)
        assert shown(read(io.BytesIO(data.getvalue()))) == expected

    def test_reads_long_fields(self, kind):
        read, shown, expected = READERS[kind]
        text = f'{",".join(NAMES)},note\n{",".join(ROW)},"{"x" * 200_000}"\n'
        assert shown(read(io.BytesIO(text.encode()))) == expected

    @pytest.mark.parametrize(
        ("text", "words"),
        [
            (f'{DATA["comma"]}q1,"d2\n', "line 3: a quote opens here and is never closed"),
            (DATA["jsonl"] + '{"query": "q1", "query": "q2"}\n', "line 2: the name 'query' comes twice in one object"),
            ('[{"query": "q1", "query": "q2"}]', "the name 'query' comes twice in one object"),
            (f"{DATA['comma']}q1,d2\n", "line 3: 2 columns where the first line has 6"),
        ],
    )
    def test_refuses_the_same_in_the_same_words(self, kind, text, words):
        with pytest.raises(DataError, match=words):
            READERS[kind][0](io.BytesIO(text.encode()))


@pytest.mark.parametrize("kind", [kind for kind in READERS if kind not in ("judgments",)])
def test_two_columns_of_one_name_are_refused(kind):
    with pytest.raises(DataError, match="two columns are called 'document'"):
        READERS[kind][0](io.StringIO(f"{','.join(NAMES)},document\n{','.join(ROW)},x\n"))


@pytest.mark.parametrize("kind", ["documents", "queries"])
def test_what_is_wrong_before_the_first_sound_line_may_be_the_header(kind):
    with pytest.raises(DataError, match="line 1: a quote opens here and closes in the middle"):
        READERS[kind][0](io.StringIO('"query" x,document\nq1,d1\nq2,d2\n'))


def test_tuples_may_have_different_widths():
    found = cf.read_documents([("d1", "text"), ("d2", "title", "text"), ("d3", "text")])
    assert [(document.title, document.text) for document in found.values()] == [
        ("", "text"),
        ("title", "text"),
        ("", "text"),
    ]


def test_numbers_count_wherever_a_dictionary_has_them():
    assert interactions({"u1": ["a"], "u2": {"b": 3}}) == [("u1", "a", 1.0), ("u2", "b", 3.0)]


def test_of_an_item_and_its_id_the_first_counts():
    assert interactions([{"user_id": "u", "item_id": "7", "item": "Tomatoes"}]) == [("u", "7", 1.0)]
