"""A new store is made of pairs, the texts of their queries and documents, and where runs have them."""

import numpy as np
import pytest

import cranfield as cf
from cranfield import demo
from cranfield.assessing.contents import as_preferences, contents_of, judged_from_pool, judged_from_runs
from cranfield.assessing.items import GOLD, IMPORTED, POOL
from cranfield.errors import DataError, UsageError
from cranfield.formats import read_judgments, read_runs
from cranfield.formats.pools import read_pool

RUNS = {"a": {"q2": ["d1", "d2", "d3"], "q10": ["d9"]}, "b": {"q2": ["d3", "d4", "d1"]}}


def runs():
    return read_runs(RUNS)


def test_items_are_what_any_run_has_first_by_query_and_document():
    contents, _ = contents_of(judged_from_runs(runs(), 2))
    items = contents.items
    assert items.queries == ("q2", "q10")
    names = [(items.queries[q], items.documents[d]) for q, d in zip(items.of_query, items.of_document, strict=True)]
    assert names == [("q2", "d1"), ("q2", "d2"), ("q2", "d3"), ("q2", "d4"), ("q10", "d9")]
    assert (items.part == POOL).all()
    assert items.runs == ("a", "b")


def test_ranks_are_those_of_the_run_also_below_the_depth_of_the_pool():
    contents, _ = contents_of(judged_from_runs(runs(), 2))
    places = contents.items.run_places(0)
    assert [items.tolist() for items in places.items] == [[1, 2, 3], [3, 4, 1]]
    assert [ranks.tolist() for ranks in places.ranks] == [[1, 2, 3], [1, 2, 3]]
    assert places.retrieved == (3, 3)
    assert contents.items.run_places(1).retrieved == (1, 0)


def test_ranks_of_the_demo_are_those_an_evaluation_finds():
    names = [demo.path("bm25.run"), demo.path("hybrid.run")]
    items = contents_of(judged_from_runs(read_runs(names), 10))[0].items
    first = next(iter(cf.read_run(names[0]).rankings(cf.errors.Findings())))
    places = items.run_places(items.queries.index(first.query))
    best = first.documents[int(np.argmax(first.scores))]
    assert items.documents[items.of_document[places.items[0][0] - 1]] == best
    assert places.ranks[0][0] == 1


def test_only_holes_of_judgments_are_asked_and_known_grades_come_along():
    judgments = read_judgments({"q2": {"d1": 2, "d7": 1, "d3": -1}, "q99": {"d1": 1}})
    items = contents_of(judged_from_runs(runs(), 2, judgments=judgments))[0].items
    known = {
        items.documents[d]: grade
        for d, part, grade in zip(items.of_document, items.part, items.known, strict=True)
        if part == IMPORTED
    }
    assert known == {"d1": 2.0, "d7": 1.0}
    assert "q99" not in items.queries


def test_nothing_left_to_judge_is_said():
    with pytest.raises(DataError, match=r"all 1 pairs .* judged already"):
        contents_of(judged_from_runs(read_runs({"a": {"q1": ["d1"]}}), 5, judgments=read_judgments({"q1": {"d1": 1}})))


def test_texts_come_from_files_and_descriptions_from_their_columns():
    queries = [{"qid": "q2", "text": "tomatoes", "description": "How often?", "narrative": "Only outdoors."}]
    documents = [
        {"id": "d1", "title": "One", "text": "First.", "url": "https://example.org/1"},
        {"id": "x", "text": ""},
    ]
    contents, warnings = contents_of(judged_from_runs(runs(), 2), queries=queries, documents=documents)
    assert contents.queries[0] == ("q2", "tomatoes", "How often?\n\nOnly outdoors.")
    assert contents.queries[1] == ("q10", "", "")
    assert list(contents.documents) == [("d1", "One", "First.", "https://example.org/1")]
    assert [finding.kind for finding in warnings] == ["silent-in-pool", "texts-missing", "texts-missing"]


def test_texts_of_another_collection_are_refused():
    contents, _ = contents_of(judged_from_runs(runs(), 2), documents=[{"id": "x", "text": "?"}])
    with pytest.raises(DataError, match="none of the 5 documents"):
        list(contents.documents)
    with pytest.raises(DataError, match="none of the 2 queries"):
        contents_of(judged_from_runs(runs(), 2), queries={"x": "?"})


def test_a_pool_brings_its_texts_its_grades_and_no_more_pairs():
    rows = [
        {"query": "q2", "query_text": "tomatoes", "document": "d1", "title": "One", "text": "First.", "grade": 2},
        {"query": "q2", "query_text": "tomatoes", "document": "d4", "title": "Four", "text": "Fourth.", "grade": None},
    ]
    contents, _ = contents_of(judged_from_pool(read_pool(rows), runs()))
    assert contents.items.part.tolist() == [IMPORTED, POOL]
    assert contents.queries[0].text == "tomatoes"
    assert [document.title for document in contents.documents] == ["One", "Four"]
    assert contents.items.runs == ("a", "b")


def test_gold_is_asked_though_its_grade_is_known():
    judgments = read_judgments({"q2": {"d1": 2, "d2": 0, "d77": 1}})
    items = contents_of(judged_from_runs(runs(), 2, judgments=read_judgments({"q2": {"d1": 1}}), gold=judgments))[
        0
    ].items
    assert items.part.tolist() == [GOLD, GOLD, POOL, POOL, POOL]
    assert items.known[:2].tolist() == [2.0, 0.0]


def test_preferences_ask_for_two_documents_of_a_query_drawn_by_chance():
    items = contents_of(as_preferences(judged_from_runs(runs(), 2), per_query=4))[0].items
    pairs = [frozenset(pair) for pair in zip(items.of_document.tolist(), items.other.tolist(), strict=True)]
    assert len(pairs) == len(set(pairs)) == 4  # q10 has one document, so nothing to compare
    assert set().union(*pairs) == {0, 1, 2, 3}
    every = contents_of(as_preferences(judged_from_runs(runs(), 2), per_query=100))[0].items
    assert len(every) == 6
    with pytest.raises(UsageError, match="two documents"):
        as_preferences(judged_from_pool(read_pool([("q1", "d1")])))
