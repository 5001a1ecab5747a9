"""A pool in the forms in which it reaches judges."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

import cranfield as cf
from cranfield.errors import DataError, UsageError

RUNS = {"a": {"q1": ["d1", "d2", "d3"], "q2": ["d9"]}, "b": {"q1": ["d2", "d4", "d1"], "q2": ["d8", "d9"]}}


def test_a_line_and_a_grade_are_a_judgment(tmp_path):
    text = cf.pool(RUNS, depth=1, order="rank").trec()
    assert text == "q1 0 d1\nq1 0 d2\nq2 0 d8\nq2 0 d9\n"
    (tmp_path / "qrels").write_text(text.replace("\n", " 1\n"))
    assert cf.read_judgments(tmp_path / "qrels")["q1"] == {"d1": 1.0, "d2": 1.0}


@pytest.mark.parametrize("ending", ["txt", "csv", "tsv", "jsonl", "json", "md", "tex", "xlsx", "csv.gz"])
def test_a_list_without_grades_is_written_again(ending, tmp_path):
    path = tmp_path / f"pool.{ending}"
    cf.pool(RUNS, depth=1).write(path)
    once = path.read_bytes()
    cf.pool(RUNS, depth=3).write(path)
    assert path.read_bytes() != once


@pytest.mark.parametrize(
    ("ending", "labelled"), [("txt", ("d1\n", "d1 2\n")), ("csv", (",d1,", ",d1,2")), ("jsonl", ("null", "2"))]
)
def test_grades_that_somebody_filled_in_are_not_overwritten(ending, labelled, tmp_path):
    path = tmp_path / f"pool.{ending}"
    cf.pool(RUNS, depth=1, order="rank").write(path)
    path.write_text(path.read_text().replace(*labelled, 1))
    filled_in = path.read_text()
    with pytest.raises(UsageError, match="has 1 grade already, which would be lost"):
        cf.pool(RUNS, depth=3).write(path)
    assert path.read_text() == filled_in


def test_an_id_with_blanks_fits_no_trec_line():
    with pytest.raises(DataError, match="the query 'how to' cannot be written to a TREC file"):
        cf.pool({"a": {"how to": ["d1"]}}).trec()


def test_texts_stand_beside_ids():
    pool = cf.pool(
        {"a": {"q1": ["d1"]}}, queries={"q1": "tomatoes"}, documents=[{"id": "d1", "title": "T", "text": "Water."}]
    )
    assert pool.table().to_dict() == {
        "query": ["q1"],
        "query_text": ["tomatoes"],
        "document": ["d1"],
        "title": ["T"],
        "text": ["Water."],
    }


def test_runs_and_ranks_are_shown_only_if_asked():
    pool = cf.pool(RUNS, depth=2, order="rank", strategy="rrf")
    for form in (pool.table().tsv(), pool.trec(), json.dumps(pool.to_dict()["documents"])):
        assert "a:" not in form
        assert "priority" not in form
    shown = replace(pool, with_runs=True).table().to_dict()
    assert shown["runs"][:2] == ["a:1", "a:2 b:1"]
    assert shown["priority"][1] == pytest.approx(1 / 62 + 1 / 61)


def test_everything_is_there_as_plain_values():
    plain = json.loads(json.dumps(cf.pool(RUNS, depth=1, judgments={"q1": {"d1": 1}}).to_dict(), allow_nan=False))
    assert plain["pairs"] == {"to_judge": 3, "judged": 1, "pool": 4}
    assert plain["settings"]["strategy"] == "depth"
    assert len(plain["documents"]) == 3


def test_it_shows_itself():
    pool = cf.pool(RUNS)
    assert repr(pool) == "Pool(6 documents to judge, 2 queries, 2 runs)"
    assert str(pool).startswith("6 documents to judge for 2 queries. The first 10 of 2 runs hold 6 pairs")
    assert "<table" in pool._repr_html_()
    assert len(pool) == 6
