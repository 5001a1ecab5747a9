"""Interactions, attributes and items, in whatever form they come."""

from __future__ import annotations

import gzip
import io
import json

import pandas as pd
import polars as pl
import pytest

import cranfield as cf
from cranfield.errors import DataError, Findings, UsageError
from cranfield.formats.relations import ATTRIBUTES, INTERACTIONS, ITEMS, read_relation

PAIRS = [("u1", "a", 1.0), ("u1", "b", 1.0), ("u2", "a", 1.0)]
COUNTED = [("u1", "a", 3.0), ("u1", "b", 1.0), ("u2", "a", 2.5)]


def rows(given, relation=INTERACTIONS):
    findings = Findings()
    found = [row for batch in read_relation(given, relation, findings) for row in zip(*batch.values, strict=True)]
    findings.stop_if_wrong()
    return found


def written(folder, text, name="file.txt"):
    path = folder / name
    path.write_text(text)
    return path


@pytest.mark.parametrize(
    "text",
    [
        "u1 a\nu1 b\nu2 a\n",
        "u1\ta\nu1\tb\n\nu2\ta",
        "u1,a\nu1,b\nu2,a\n",
        "user_id,item_id\nu1,a\nu1,b\nu2,a\n",
        "timestamp;itemId;userId\n1;a;u1\n2;b;u1\n3;a;u2\n",
        '{"u1": ["a", "b"], "u2": ["a"]}',
        '{"user": "u1", "item": "a"}\n{"user": "u1", "item": "b"}\n{"user": "u2", "item": "a"}\n',
        '[{"user": "u1", "item": "a"}, {"user": "u1", "item": "b"}, {"user": "u2", "item": "a"}]',
    ],
    ids=["blanks", "tabs", "commas", "header", "other-order", "json", "jsonl", "json-records"],
)
def test_pairs_in_a_file(tmp_path, text):
    assert rows(written(tmp_path, text)) == PAIRS


@pytest.mark.parametrize(
    "text",
    [
        "u1 a 3\nu1 b 1\nu2 a 2.5\n",
        "u1\ta\t3\t881250949\nu1\tb\t1\t881250950\nu2\ta\t2.5\t881250951\n",
        "u1 0 a 3\nu1 0 b 1\nu2 0 a 2.5\n",
        "userId,movieId,rating,timestamp\nu1,a,3,1\nu1,b,1,2\nu2,a,2.5,3\n",
        '{"u1": {"a": 3, "b": 1}, "u2": {"a": 2.5}}',
    ],
    ids=["three", "with-time", "trec-judgments", "header", "json"],
)
def test_pairs_with_a_number(tmp_path, text):
    assert rows(written(tmp_path, text)) == COUNTED


def test_files_may_be_compressed_or_open_or_parquet(tmp_path):
    (tmp_path / "pairs.gz").write_bytes(gzip.compress(b"u1 a\nu1 b\nu2 a\n"))
    assert rows(tmp_path / "pairs.gz") == PAIRS
    assert rows(io.StringIO("u1 a\nu1 b\nu2 a\n")) == PAIRS
    pl.DataFrame(PAIRS, schema=["user", "item", "count"], orient="row").write_parquet(tmp_path / "pairs.parquet")
    assert rows(tmp_path / "pairs.parquet") == PAIRS


@pytest.mark.parametrize(
    "given",
    [
        {"u1": ["a", "b"], "u2": {"a"}},
        [("u1", "a"), ("u1", "b"), ("u2", "a")],
        [("u1", "a", 1), ("u1", "b", 1), ("u2", "a", 1)],
        [{"user": "u1", "item": "a"}, {"user": "u1", "item": "b"}, {"user": "u2", "item": "a"}],
        pd.DataFrame(PAIRS, columns=["user_id", "item_id", "n"]),
        pl.DataFrame(PAIRS, schema=["user", "item", "weight"], orient="row"),
        cf.read_judgments({"u1": ["a", "b"], "u2": ["a"]}),
    ],
    ids=["mapping", "pairs", "triples", "records", "pandas", "polars", "judgments"],
)
def test_pairs_in_memory(given):
    assert rows(given) == PAIRS


def test_attributes_begin_with_the_item(tmp_path):
    assert rows(written(tmp_path, "a jazz\nb pop 0.5\n".replace(" 0.5", "")), ATTRIBUTES) == [
        ("a", "jazz", 1.0),
        ("b", "pop", 1.0),
    ]
    header = "movieId,title,genres\na,Alpha,jazz|live\n"
    assert rows(written(tmp_path, header), ATTRIBUTES) == [("a", "jazz|live", 1.0)]


@pytest.mark.parametrize(
    "text",
    [
        "a\nb c\n",
        "item_id,title\na,Alpha\nb c,Beta\n",
        '["a", "b c"]',
        '{"a": {"title": "Alpha"}, "b c": {"title": "Beta"}}',
    ],
)
def test_items_are_one_id_a_line_or_a_column_or_names(tmp_path, text):
    assert [item for item, _ in rows(written(tmp_path, text), ITEMS)] == ["a", "b c"]


@pytest.mark.parametrize("given", [["a", "b"], {"a", "b"}, {"a": 1, "b": 2}, pd.DataFrame({"item_id": ["a", "b"]})])
def test_items_in_memory(given):
    assert sorted(item for item, _ in rows(given, ITEMS)) == ["a", "b"]


def test_ids_may_be_whole_numbers():
    assert rows({1: [7]}) == [("1", "7", 1.0)]
    assert rows([7, 8], ITEMS) == [("7", 1.0), ("8", 1.0)]


def test_a_line_with_other_columns_than_the_first_stops_the_work(tmp_path):
    path = written(tmp_path, "u1 a\nu1 b c\n")
    with pytest.raises(
        DataError, match=r"line 2: 3 columns where the first line has 2\n    u1 b c\nCorrect the line; for fields"
    ):
        rows(path)


def test_a_number_that_is_none_stops_the_work(tmp_path):
    with pytest.raises(DataError, match="line 2: the number is 'often'; expected a number"):
        rows(written(tmp_path, "u1 a 1\nu1 b often\n"))


def test_columns_that_cannot_be_told_apart_are_named(tmp_path):
    path = written(tmp_path, "when,who,what,where,why\n1,u1,a,here,x\n")
    with pytest.raises(DataError) as stopped:
        rows(path)
    assert str(stopped.value) == (
        f"{path}: cannot recognise the columns of the interactions: when, who, what, where, why\n"
        "Name them user_id, item_id, or write user and item in this order, perhaps a number after them."
    )
    with pytest.raises(DataError, match="cannot recognise the columns of the attributes: x, y"):
        rows(pd.DataFrame({"x": [1], "y": [2]}), ATTRIBUTES)
    with pytest.raises(DataError, match="cannot recognise the columns of the interactions: x"):
        rows(written(tmp_path, '{"x": 1}\n{"x": 2}\n'))


def test_a_header_of_which_only_a_part_is_known_is_no_pair(tmp_path):
    with pytest.raises(DataError, match="cannot recognise the columns of the interactions: user_id, thing"):
        rows(written(tmp_path, "user_id,thing\nu1,a\n"))


def test_an_empty_file_is_told(tmp_path):
    with pytest.raises(DataError, match="found: the file is empty"):
        rows(written(tmp_path, "\n"))


def test_broken_json_is_told_with_its_line(tmp_path):
    with pytest.raises(DataError, match="line 2: not valid JSON"):
        rows(written(tmp_path, '{"u1":\n [}'))


def test_windows_1252_is_read(tmp_path):
    (tmp_path / "latin.txt").write_bytes("u1 café\n".encode("latin1"))
    assert rows(tmp_path / "latin.txt") == [("u1", "café", 1.0)]


@pytest.mark.parametrize(
    ("given", "relation", "shapes"),
    [
        (7, INTERACTIONS, r"\{user: \[items\]\}, rows of \(user, item\), or a table"),
        ({"a": "jazz"}, ATTRIBUTES, r"\{item: \[attributes\]\}"),
        (7, ITEMS, "ids of items, or a table with a column item_id"),
    ],
)
def test_what_is_none_of_these_is_told_what_would_be(given, relation, shapes):
    with pytest.raises(UsageError, match=f"cannot read {relation.name} from .*{shapes}"):
        rows(given, relation)


def test_json_of_interactions_is_what_json_dumps_writes(tmp_path):
    assert rows(written(tmp_path, json.dumps({"u1": {"a": 3}}))) == [("u1", "a", 3.0)]


def test_a_quote_that_is_never_closed_swallows_nothing(tmp_path):
    path = written(tmp_path, 'user,item\nu1,a\nu2,"b\nu3,c\n')
    with pytest.raises(DataError, match="line 3: a quote opens here and is never closed"):
        rows(path)


def test_an_id_of_several_lines_is_refused(tmp_path):
    with pytest.raises(DataError, match=r"line 2: the item id is 'a\\nb'"):
        rows(written(tmp_path, 'user,item\nu1,"a\nb"\n'))


@pytest.mark.parametrize("sign", "\x1c\x85\xa0\u2028")
def test_signs_that_only_unicode_takes_for_blanks_are_part_of_an_id(tmp_path, sign):
    for text in (f"u1 a{sign}b\n", f"u1,a{sign}b\n", f"u1\ta{sign}b\n", json.dumps({"u1": [f"a{sign}b"]})):
        assert rows(written(tmp_path, text)) == [("u1", f"a{sign}b", 1.0)]
    for text in (f"a{sign}\n", f"item,x\na{sign},1\n", json.dumps([f"a{sign}"])):
        assert rows(written(tmp_path, text), ITEMS) == [(f"a{sign}", 1.0)]


def test_a_json_name_that_comes_twice_is_told_as_everywhere(tmp_path):
    with pytest.raises(DataError, match="the name 'u1' comes twice in one object"):
        rows(written(tmp_path, '{"u1": ["a"], "u1": ["b"]}'))


def test_two_columns_of_one_name_are_refused(tmp_path):
    with pytest.raises(DataError, match="two columns are called 'item'"):
        rows(written(tmp_path, "user,item,item\nu1,a,b\n"))


def test_an_item_in_quotes_is_what_the_quotes_hold(tmp_path):
    text = 'item_id\n"a"\n"b ""c"""\nd "e"\n'
    assert [item for item, _ in rows(written(tmp_path, text), ITEMS)] == ["a", 'b "c"', 'd "e"']
    with pytest.raises(DataError, match="line 2: a quote opens here and is never closed"):
        rows(written(tmp_path, 'item_id\n"a\nb\n'), ITEMS)
    with pytest.raises(DataError, match="line 1: a quote opens here and closes in the middle of a field"):
        rows(written(tmp_path, '"a" b\n'), ITEMS)


def test_a_count_beyond_all_numbers_is_reported_and_not_a_crash():
    text = json.dumps([["u1", "a", "1"], ["u1", "b", 10**400]])
    with pytest.raises(DataError, match="number"):
        rows(io.BytesIO(text.encode()))
