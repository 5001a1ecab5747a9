"""What runs put first, and the random numbers of each query."""

from dataclasses import replace

import pytest

import cranfield as cf
from cranfield.data.request_log import RequestLog, RequestRecord
from cranfield.errors import UsageError
from cranfield.formats import read_runs
from cranfield.pooling.candidates import candidates_of, judged_pairs, natural, rng_for

RUNS = {"a": {"q1": ["d1", "d2", "d3"]}, "b": {"q1": ["d2", "d4"], "q2": ["d1"]}}


def test_each_run_is_read_no_deeper_than_asked():
    found = candidates_of(read_runs(RUNS), 2)
    assert found.of["q1"] == (("d1", "d2"), ("d2", "d4"))
    assert found.of["q2"] == ((), ("d1",))
    assert found.size == 4


def test_ranks_are_told_by_run():
    found = candidates_of(read_runs(RUNS), 3)
    assert found.ranks("q1") == {"d1": (1, None), "d2": (2, 1), "d3": (3, None), "d4": (None, 2)}
    assert found.best_ranks("q1") == {"d1": 1, "d2": 1, "d3": 3, "d4": 2}


def test_only_some_documents_close_up():
    found = candidates_of(read_runs(RUNS), 3).only({"q1": {"d3", "d4"}})
    assert dict(found.of) == {"q1": (("d3",), ("d4",))}


def test_a_query_that_is_scattered_over_a_file_is_read_whole(tmp_path):
    (tmp_path / "a.run").write_text("q1 Q0 d1 1 1.0 a\nq2 Q0 d1 1 1.0 a\nq1 Q0 d2 2 3.0 a\n")
    assert candidates_of(read_runs(tmp_path / "a.run"), 1).of["q1"] == (("d2",),)


def test_numbers_within_ids_count_as_numbers():
    assert sorted(["q10", "q9", "b", "7", "10", "a1b2", "a1b10"], key=natural) == [
        *("7", "10", "a1b2", "a1b10", "b", "q9", "q10"),
    ]


def test_ids_that_differ_only_in_zeros_keep_an_order():
    assert sorted(["q01", "q1"], key=natural) == sorted(["q1", "q01"], key=natural)


def test_grades_below_zero_are_no_judgments():
    assert judged_pairs(cf.read_judgments({"q1": {"d1": -1, "d2": 0}})) == {"q1": {"d2": 0.0}}
    assert judged_pairs(None) == {}


def test_random_numbers_depend_on_the_query_and_the_seed():
    drawn = {(seed, query): rng_for(seed, query).random() for seed in (0, 1) for query in ("q1", "q2")}
    assert len(set(drawn.values())) == 4
    assert rng_for(0, "q1").random() == drawn[0, "q1"]


@pytest.mark.parametrize("seed", [-1, 1.5, None, True])
def test_a_seed_is_a_whole_number(seed):
    with pytest.raises(UsageError, match="seed must be a whole number of at least 0"):
        rng_for(seed, "q1")


def test_numbers_within_ids_may_have_thousands_of_digits():
    long = "9" * 5000
    assert sorted([f"q{long}", "q10", f"q1{long}"], key=natural) == ["q10", f"q{long}", f"q1{long}"]


def test_a_query_that_failed_when_a_run_was_made_is_not_told_to_be_empty():
    log = RequestLog({"q2": RequestRecord("q2", "why", "failed", 6, kind="server error", detail="500")})
    run = replace(cf.read_run({"q1": ["a"]}, name="a"), find_log=lambda: log)
    pool = cf.pool([run, cf.read_run({"q1": ["b"], "q2": ["c"], "q3": ["d"]}, name="b")])
    assert [(warning.kind, warning.path) for warning in pool.warnings] == [
        ("unanswered-queries", "a"),
        ("silent-in-pool", "a"),
    ]
    assert "no documents for 1 of 3 queries (q3)" in str(pool.warnings[1])
