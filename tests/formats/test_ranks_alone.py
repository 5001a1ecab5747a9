"""Runs without scores: the rank is the position, in every layout and for every measure."""

import json

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

import cranfield as cf
from cranfield.errors import DataError, Findings
from cranfield.kernels import CHOICE
from cranfield.measures import catalogue
from tests.effort import examples
from tests.formats.reading import kinds, rankings, wrong_in_run

QRELS = {"u1": {"a": 1}, "u2": {"b": 1}, "u3": {"c": 1}}
ROWS = [("u1", "a", 9), ("u2", "b", 120), ("u3", "c", 3)]
"""Leave-one-out: each user's only item, at the rank a recommender gave it."""
TRUE_RR = (1 / 9 + 1 / 120 + 1 / 3) / 3


def text(separator, header=None):
    lines = [separator.join(map(str, row)) for row in ROWS]
    return "\n".join([separator.join(header), *lines] if header else lines) + "\n"


NAMES = ("user_id", "item_id", "rank")
RECORDS = [dict(zip(NAMES, row, strict=True)) for row in ROWS]
LAYOUTS = {
    "msmarco": (text("\t"), {"format": "msmarco"}),
    "csv": (text(",", NAMES), {}),
    "tsv": (text("\t", NAMES), {}),
    "json": (json.dumps(RECORDS), {}),
    "jsonl": ("\n".join(map(json.dumps, RECORDS)) + "\n", {}),
    "trec, ranks named": (
        "".join(f"{user} Q0 {item} {rank} {rank / 7} t\n" for user, item, rank in ROWS),
        {"columns": "query,_,document,rank,_,_"},
    ),
}


@pytest.mark.parametrize("kernels", ["plain", "compiled"])
@pytest.mark.parametrize(("content", "options"), LAYOUTS.values(), ids=LAYOUTS)
def test_a_hit_counts_at_the_rank_it_has_in_the_file(write, monkeypatch, content, options, kernels):
    monkeypatch.setenv(CHOICE, kernels)
    scores = cf.evaluate(QRELS, cf.read_run(write(content), **options), ["RR", "Success@10"])
    assert scores["RR"].mean() == pytest.approx(TRUE_RR)
    assert scores["Success@10"].mean() == pytest.approx(2 / 3)
    assert [warning.kind for warning in scores.warnings] == ["gap-in-ranks"]
    assert "ranks 1 to 8" in str(scores.warnings[0])


@pytest.mark.parametrize("kernels", ["plain", "compiled"])
def test_tables_of_every_library_keep_their_ranks(tmp_path, monkeypatch, kernels):
    monkeypatch.setenv(CHOICE, kernels)
    frame = pd.DataFrame(ROWS, columns=NAMES)
    frame.to_parquet(tmp_path / "run.parquet")
    for run in (frame, tmp_path / "run.parquet", RECORDS):
        assert cf.evaluate(QRELS, run, "RR")["RR"].mean() == pytest.approx(TRUE_RR)


@pytest.mark.parametrize("kernels", ["plain", "compiled"])
def test_a_table_that_counts_on_through_all_queries_has_gaps(monkeypatch, kernels):
    monkeypatch.setenv(CHOICE, kernels)
    frame = pd.DataFrame({"query_id": ["u1", "u1", "u2"], "doc_id": ["x", "a", "b"], "rank": [1, 2, 3]})
    assert cf.evaluate({"u1": {"a": 1}, "u2": {"b": 1}}, frame, "RR")["RR"].mean() == pytest.approx((1 / 2 + 1 / 3) / 2)


def test_msmarco_counts_the_rank_as_its_script_does(write):
    qrels = write("1\t0\t11\t1\n2\t0\t12\t1\n", "qrels.tsv")
    run = write("1\t10\t1\n1\t11\t9\n2\t13\t1\n2\t12\t11\n", "run.tsv")
    assert cf.evaluate(qrels, run, "RR@10", profile="msmarco")["RR@10"].mean() == pytest.approx((1 / 9 + 0) / 2)


def test_ranks_from_zero_are_told_and_read_as_positions(write):
    run = write("1 11 0\n1 12 1\n2 13 0\n")
    scores = cf.evaluate({"1": {"12": 1}, "2": {"13": 1}}, run, "RR")
    assert scores["RR"].mean() == pytest.approx((1 / 2 + 1) / 2)
    assert [warning.kind for warning in scores.warnings] == ["ranks-from-zero"]


def test_where_only_some_queries_have_a_rank_of_zero_nobody_knows_the_first_position(write):
    assert kinds(wrong_in_run(write("1 11 0\n1 12 1\n2 13 1\n"))) == ["ranks-from-zero-and-one"]


def test_a_query_that_comes_back_is_counted_when_it_is_complete(write):
    run = cf.read_run(write("1 11 1\n2 13 0\n1 12 0\n"), format="msmarco")
    findings = Findings()
    assert {query: ranking.scores.tolist() for query, ranking in rankings(run, findings).items()} == {
        "1": [-2, -1],
        "2": [-1],
    }
    assert kinds(findings.warnings) == ["ranks-from-zero"]


def test_repeated_ranks_are_tied_and_told(write):
    run = cf.read_run(write("1 11 1\n1 12 3\n1 13 3\n1 14 4\n"), format="msmarco")
    scores = cf.evaluate({"1": {"12": 1, "14": 1}}, run, "AP")
    # By document id, descending: 13 takes rank 3, 12 rank 4, so 14 moves on to rank 5.
    assert scores["AP"].mean() == pytest.approx((1 / 4 + 2 / 5) / 2)
    assert [warning.kind for warning in scores.warnings] == ["gap-in-ranks", "repeated-rank", "tied-scores"]


@pytest.mark.parametrize("rank", ["-1", "1.5", "10000001", "1e50"])
def test_a_rank_that_no_position_has_is_refused(write, rank):
    (finding,) = wrong_in_run(write(f"query,document,rank\n1,11,1\n1,12,{rank}\n"))
    assert (finding.kind, finding.line) == ("impossible-rank", 3)


def test_check_tells_gaps_and_shows_ranks(write):
    (file,) = cf.check(write(text(",", NAMES), "run.csv")).files
    assert [(finding.kind, finding.count) for finding in file.findings] == [("gap-in-ranks", 3)]
    assert file.to_dict()["ranks"] == [3, 120]


def test_a_document_left_out_as_the_query_itself_lets_those_behind_it_move_up():
    frame = pd.DataFrame({"query": ["q"] * 3, "document": ["q", "a", "b"], "rank": [2, 3, 9]})
    scores = cf.evaluate({"q": {"a": 1, "b": 1}}, frame, "AP", profile="beir")
    assert scores.values.ravel() == pytest.approx((1 / 2 + 2 / 8) / 2)


def test_what_needs_every_document_refuses_gaps(write):
    run, other = write(text(",", NAMES), "run.csv"), write(text(",", NAMES), "other.csv")
    with pytest.raises(DataError, match="no document at ranks 1 to 8"):
        cf.similarity([run, other])


def test_a_pool_takes_the_documents_that_stand_so_far_up(write):
    run = write("query,document,rank\n1,a,1\n1,b,2\n1,c,5\n2,d,1\n")
    pool = cf.pool([run], depth=3)
    assert {entry.document for entry in pool.entries} == {"a", "b", "d"}


def test_an_explanation_shows_each_document_at_its_rank(write):
    explanation = cf.explain({"1": {"b": 1, "c": 1}}, write("query,document,rank\n1,a,1\n1,b,4\n1,c,9\n"), "AP", "1")
    assert [(place.rank, place.found, place.precision) for place in explanation.seen.places] == [
        (1, 0, 0.0),
        (4, 1, 1 / 4),
        (9, 2, 2 / 9),
    ]
    assert explanation.value == pytest.approx((1 / 4 + 2 / 9) / 2)
    assert explanation.working.result == pytest.approx(explanation.value)
    assert explanation.counts["retrieved"] == 9


MEASURES = [
    name + (("@0.5" if definition.at == "recall" else "@10") if definition.needs_at else "")
    for name, definition in catalogue().items()
    if definition.groups is None
]


@examples(30)
@given(st.data())
def test_every_measure_sees_a_gap_as_a_document_that_nobody_judged(data):
    """The law: a run with gaps scores what it scores with documents nobody knows in the gaps."""
    positions = data.draw(st.lists(st.integers(1, 40), min_size=1, max_size=12, unique=True))
    judged = {
        f"d{at}": grade for at, grade in enumerate(data.draw(st.lists(st.integers(0, 3), min_size=14, max_size=14)))
    }
    by_rank = {rank: f"d{at}" for at, rank in enumerate(positions)}
    filled = {"q": [by_rank.get(rank, f"x{rank}") for rank in range(1, max(positions) + 1)]}
    frame = pd.DataFrame(
        [("q", document, rank) for rank, document in by_rank.items()], columns=["query", "document", "rank"]
    )
    ours, theirs = (cf.evaluate({"q": judged}, run, MEASURES).values for run in (frame, filled))
    np.testing.assert_array_equal(ours, theirs)
