from __future__ import annotations

import pyarrow as pa
import pytest

from cranfield.spark import batches

COLUMNS = {0: ["query", "document", "grade"], 1: ["query", "document", "score"]}


def sorted_rows(rows):
    names = ("query", "side", "document", "grade", "score")
    columns = dict(zip(names, map(list, zip(*rows, strict=True)), strict=True))
    types = [("query", pa.string()), ("side", pa.int32()), ("document", pa.string())]
    return pa.table(columns, schema=pa.schema([*types, ("grade", pa.float64()), ("score", pa.float64())]))


def cut(rows, size: int):
    """What parts have, by side: the queries and documents."""
    parts = batches.whole_queries(sorted_rows(rows).to_batches(max_chunksize=size), COLUMNS)
    return [
        {side: list(zip(*table.to_pydict().values(), strict=True)) for side, table in part.items()} for part in parts
    ]


ROWS = [
    (None, 1, "x", None, 1.0),
    *[("q1", 0, "a", 1.0, None), ("q1", 1, "a", None, 2.0), ("q1", 1, "b", None, 1.0)],
    *[("q2", 0, "a", 1.0, None)],
    *[("q3", 1, "a", None, 2.0), ("q3", 1, "b", None, 1.0)],
]


@pytest.mark.parametrize("size", [1, 2, 3, 100])
@pytest.mark.parametrize("at_once", [1, 2, 4, 100])
def test_every_query_is_whole_and_comes_once(monkeypatch, size, at_once):
    monkeypatch.setattr(batches, "ROWS", at_once)
    parts = cut(ROWS, size)
    queries = [{row[0] for rows in part.values() for row in rows} for part in parts]
    assert sum(map(len, queries)) == len(set().union(*queries)) == 4
    judged = [row for part in parts for row in part.get(0, [])]
    retrieved = [row for part in parts for row in part.get(1, [])]
    assert judged == [("q1", "a", 1.0), ("q2", "a", 1.0)]
    assert retrieved == [(None, "x", 1.0), ("q1", "a", 2.0), ("q1", "b", 1.0), ("q3", "a", 2.0), ("q3", "b", 1.0)]


def test_parts_are_as_small_as_they_may_be(monkeypatch):
    monkeypatch.setattr(batches, "ROWS", 2)
    assert len(cut(ROWS, 1)) == 4


def test_no_rows_make_no_parts():
    assert list(batches.whole_queries(sorted_rows(ROWS).slice(0, 0).to_batches(), COLUMNS)) == []


def test_lines_become_a_few_texts_in_their_order():
    lines = pa.table({"line": ["a\n", "b\n", "c\n"]}).to_batches(max_chunksize=2)
    assert [batch["line"].to_pylist() for batch in batches.texts(iter(lines))] == [["a\nb\n"], ["c\n"]]
