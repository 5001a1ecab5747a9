from __future__ import annotations

import json

import numpy as np
import pyarrow as pa
import pytest

import cranfield as cf
from cranfield.evaluating.evaluation import evaluation_plan
from cranfield.spark.part import JUDGMENTS, PART, PartPlan, part_of, read_part
from tests.spark.collections import BY_SUBTOPIC, EVERY_MEASURE, Collection, by_subtopic, collection


def rows_of(given: Collection, measures=EVERY_MEASURE, *, size: int, max_grade: float = 4.0, **settings):
    """What all parts of so many queries give."""
    evaluation = evaluation_plan(None, measures, settings)
    plan = PartPlan(evaluation, tuple(given.runs), max_grade)
    return [
        row
        for part in given.parts(size)
        for batch in part_of(part.judgments, dict(enumerate(part.runs.values())), plan)
        for row in batch.to_pylist()
    ]


def scores_in(rows, queries, at: int):
    """The scores of the first run under a measure."""
    scored = {row["query"]: row["scores"][at] for row in rows if row["run"] == 0 and row["known"]}
    return np.array([scored[query] for query in queries])


def findings_in(rows):
    return [(row["query"], json.loads(row["finding"])) for row in rows if row["finding"] and row["run"] != PART]


@pytest.mark.parametrize("size", [1, 2, 5, 7, 20, 33])
def test_every_measure_has_the_same_bits_in_parts_of_any_size(size):
    given = collection()
    local = cf.evaluate(given.judgments, given.run, EVERY_MEASURE)
    rows = rows_of(given, size=size)
    differing = [
        name
        for at, name in enumerate(EVERY_MEASURE)
        if scores_in(rows, local.queries, at).tobytes() != local.values[at, 0].tobytes()
    ]
    assert differing == []


@pytest.mark.parametrize("size", [1, 7])
def test_measures_by_subtopic_have_the_same_bits_in_parts(size):
    given = by_subtopic()
    local = cf.evaluate(given.judgments, given.run, BY_SUBTOPIC)
    rows = rows_of(given, BY_SUBTOPIC, size=size, max_grade=1.0)
    for at in range(len(BY_SUBTOPIC)):
        assert scores_in(rows, local.queries, at).tobytes() == local.values[at, 0].tobytes()


@pytest.mark.parametrize("profile", ["trec_eval-9", "ranx", "gdeval", "msmarco", "sklearn"])
def test_a_profile_gives_the_same_bits_in_parts(profile):
    given = collection()
    local = cf.evaluate(given.judgments, given.run, ["nDCG@10", "AP", "RR"], profile=profile)
    plan = PartPlan(evaluation_plan(profile, ["nDCG@10", "AP", "RR"], {}), ("run",), 4.0)
    rows = [
        row
        for part in given.parts(7)
        for one in part_of(part.judgments, {0: part.run}, plan)
        for row in one.to_pylist()
    ]
    counted = {row["query"]: row for row in rows if row["run"] == 0 and row["known"]}
    for at in range(3):
        assert scores_in(rows, local.queries, at).tobytes() == local.values[at, 0].tobytes()
        counts = [counted[query]["counted"][at] for query in local.queries]
        assert counts == local.counted[at, 0].tolist()


@pytest.mark.parametrize(
    "settings",
    [
        {"ties": "average"},
        {"depth": 5},
        {"judged_only": True},
        {"unjudged_grade": 0.5},
        {"precision": "single"},
        {"rel": 2},
        {"group_by": {f"d{at}": f"d{at // 3}" for at in range(100)}},
    ],
    ids=lambda settings: next(iter(settings)),
)
def test_settings_give_the_same_bits_in_parts(settings):
    given, measures = collection(), ["nDCG@10", "ERR", "P@5"]
    local = cf.evaluate(given.judgments, given.run, measures, **settings)
    rows = rows_of(given, measures, size=4, **settings)
    for at in range(3):
        assert scores_in(rows, local.queries, at).tobytes() == local.values[at, 0].tobytes()


def test_queries_that_are_not_asked_for_are_left_out_and_not_unknown():
    given = collection()
    rows = rows_of(given, ["AP"], size=7, only_queries=["q000001", "q000050"])
    assert {row["query"] for row in rows if row["run"] == 0} == {"q000001", "q000050", "q000060", "unknown"} - {
        "q000060"
    }


def test_silent_queries_score_and_unknown_ones_are_named():
    rows = rows_of(collection(), ["AP"], size=7)
    of_run = {row["query"]: row for row in rows if row["run"] == 0}
    assert of_run["q000010"]["retrieved"] == 0
    assert of_run["q000010"]["scores"] == [0.0]
    assert of_run["unknown"]["known"] is False
    assert of_run["unknown"]["scores"] is None


def test_a_part_without_judgments_has_only_unknown_queries():
    plan = PartPlan(evaluation_plan(None, ["AP"], {}), ("run",), 1.0)
    run = pa.table({"query": ["q1"], "document": ["d1"], "score": [1.0]})
    rows = [row for batch in part_of(None, {0: run}, plan) for row in batch.to_pylist()]
    assert [(row["query"], row["known"]) for row in rows if row["run"] == 0] == [("q1", False)]


def test_a_part_whose_queries_are_all_silent_is_no_error():
    plan = PartPlan(evaluation_plan(None, ["AP"], {}), ("run",), 1.0)
    judgments = pa.table({"query": ["q1"], "document": ["d1"], "grade": [1.0]})
    rows = [row for batch in part_of(judgments, {}, plan) for row in batch.to_pylist()]
    assert [(row["run"], row["query"]) for row in rows] == [(JUDGMENTS, "q1"), (0, "q1"), (PART, None)]


def test_a_part_without_any_common_document_is_no_error():
    plan = PartPlan(evaluation_plan(None, ["AP"], {}), ("run",), 1.0)
    judgments = pa.table({"query": ["q1"] * 4, "document": list("abcd"), "grade": [1.0] * 4})
    run = pa.table({"query": ["q1"], "document": ["x"], "score": [1.0]})
    rows = [row for batch in part_of(judgments, {0: run}, plan) for row in batch.to_pylist()]
    assert [row["finding"] for row in rows if row["run"] == 0] == [None]


def test_what_is_wrong_with_a_ranking_is_counted_by_query():
    judgments = pa.table({"query": ["q1", "q2"], "document": ["a", "a"], "grade": [1.0, 1.0]})
    run = pa.table({"query": ["q1"] * 3 + ["q2"] * 2, "document": list("aaaab"), "score": [3.0, 2, 1, 2, None]})
    plan = PartPlan(evaluation_plan(None, ["AP"], {}), ("run",), 1.0)
    rows = [row for batch in part_of(judgments, {0: run}, plan) for row in batch.to_pylist()]
    found = findings_in(rows)
    assert [(query, one["kind"], one["count"]) for query, one in found] == [
        ("q2", "score-not-a-number", 1),
        ("q1", "duplicate-document", 2),
    ]


def test_contradicting_judgments_are_findings_and_leave_no_judgments():
    judgments = pa.table({"query": ["q1", "q1"], "document": ["a", "a"], "grade": [1.0, 0.0]})
    plan = PartPlan(evaluation_plan(None, ["AP"], {}), (), 1.0)
    rows = [row for batch in part_of(judgments, {}, plan) for row in batch.to_pylist()]
    assert [(query, one["kind"]) for query, one in findings_in(rows)] == [("q1", "contradiction")]


def test_rows_without_a_grade_are_counted_for_whoever_sees_all_parts():
    judgments = pa.table({"query": ["q1", "q1"], "document": ["a", "b"], "grade": [None, 1.0]})
    plan = PartPlan(evaluation_plan(None, ["AP"], {}), (), 1.0)
    (about,) = [row for batch in part_of(judgments, {}, plan) for row in batch.to_pylist() if row["run"] == PART]
    assert {name: json.loads(about["finding"])[name] for name in ("rows", "not_given")} == {"rows": 2, "not_given": 1}
    assert read_part(judgments.slice(0, 1), plan) is None


def test_ranks_from_zero_are_told_by_query():
    judgments = pa.table({"query": ["q1", "q2"], "document": ["a", "a"], "grade": [1.0, 1.0]})
    run = pa.table({"query": ["q1", "q1", "q2"], "document": list("aba"), "rank": [0, 1, 1]})
    plan = PartPlan(evaluation_plan(None, ["AP"], {}), ("run",), 1.0)
    rows = [row for batch in part_of(judgments, {0: run}, plan) for row in batch.to_pylist()]
    assert {row["query"]: row["from_zero"] for row in rows if row["run"] == 0} == {"q1": True, "q2": False}
    assert findings_in(rows) == []
