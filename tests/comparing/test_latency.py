"""How long runs took."""

import json
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import quantile_test

import cranfield as cf
from cranfield.comparing.latency import median_interval
from cranfield.data.request_log import RequestLog, RequestRecord
from cranfield.evaluating.saved_scores import from_dict, to_dict

QUERIES = [f"q{number}" for number in range(20)]
JUDGED = {query: {"d1": 1} for query in QUERIES}


def run(name, milliseconds, at_once=1, failed=()):
    """A run whose queries took so long."""
    records = {
        query: RequestRecord(query, "", "failed" if query in failed else "results", 1, time, 1)
        for query, time in zip(QUERIES, milliseconds, strict=False)
    }
    log = RequestLog(records, {"at_once": at_once})
    return replace(cf.read_run({query: ["d1"] for query in QUERIES}, name=name), find_log=lambda: log)


def comparison(*runs, **choices):
    return cf.compare(cf.evaluate(JUDGED, list(runs), "RR"), **choices)


SLOW, FAST = run("slow", [10.0 + at for at in range(20)]), run("fast", [5.0 + 0.5 * at for at in range(20)])


@given(st.lists(st.floats(-1e6, 1e6), min_size=1, max_size=60), st.sampled_from([0.8, 0.95, 0.99]))
def test_the_interval_of_a_median_is_that_of_scipy(values, confidence):
    _, low, high = median_interval(values, confidence)
    expected = quantile_test(values, q=float(np.median(values)), p=0.5).confidence_interval(confidence)
    assert (low, high) == pytest.approx((expected.low, expected.high), nan_ok=True, rel=0, abs=0)


def test_nothing_has_no_median():
    assert np.isnan(median_interval([], 0.95)).all()


def test_median_and_95th_percentile_of_each_run_and_the_paired_difference():
    latency = comparison(FAST, SLOW).latency
    fast, slow = latency.runs
    assert (fast.median, slow.median, slow.queries) == (9.75, 19.5, 20)
    assert slow.p95 == np.percentile([10.0 + at for at in range(20)], 95)
    (difference,) = latency.differences
    assert (difference.run, difference.baseline, difference.difference) == ("slow", "fast", 9.75)
    assert (difference.low, difference.high) == (7.5, 12.0)


def test_only_queries_that_both_answered_are_paired():
    third = replace(run("third", [1.0] * 15), name="third")
    (difference,) = comparison(SLOW, third).latency.differences
    assert difference.queries == 15
    assert difference.difference == -16.0


def test_failures_have_no_latency():
    some = cf.evaluate(JUDGED, [run("a", [1.0] * 20, failed=["q3"]), FAST], "RR", average_over="answered")
    assert cf.compare(some).latency.runs[0].queries == 19


def test_every_pair_is_compared_where_that_is_asked_for():
    latency = comparison(FAST, SLOW, run("third", [1.0] * 20), all_pairs=True).latency
    assert len(latency.differences) == 3
    assert len(latency.table().columns["run"]) == 4


def test_runs_without_latencies_say_nothing_of_them():
    plain = {"a": {"q0": ["d1"]}, "b": {"q0": ["d2"]}}
    compared = cf.compare(cf.evaluate({"q0": {"d1": 1}}, plain, "RR"))
    assert compared.latency is None
    assert "latency" not in compared.to_dict()
    assert "atency" not in str(compared)


def test_one_run_with_latencies_is_compared_with_none():
    latency = comparison(SLOW, replace(FAST, find_log=None)).latency
    assert (len(latency.runs), latency.differences) == (1, ())
    assert "difference (ms)" not in latency.table().columns


def test_latencies_stand_in_tables_and_json_and_elsewhere_if_asked_for():
    compared = comparison(FAST, SLOW)
    for form in ("table", "markdown"):
        assert "Latency (median): fast 9.8 ms, slow 19.5 ms." in compared.form(form)
    assert json.loads(compared.form("json"))["latency"]["differences"][0]["low"] == 7.5
    for form in ("tsv", "csv", "jsonl", "latex"):
        assert "95th percentile" not in compared.form(form)
        assert "p95_ms" not in compared.form(form)
    asked = replace(compared, with_latency=True)
    rows = [json.loads(line) for line in asked.form("jsonl").splitlines()]
    (measured,) = [row for row in rows if row["kind"] == "latency" and row["baseline"] == "fast"]
    assert (measured["run"], measured["median_ms"], measured["high_ms"]) == ("slow", 19.5, 12.0)
    assert "latency" in asked.form("tsv")
    assert "95th percentile" in asked.form("latex")


def test_short_latencies_have_more_decimals():
    assert comparison(run("a", [0.1234] * 20), run("b", [0.25] * 20)).latency.verdict() == (
        "Latency (median): a 0.123 ms, b 0.250 ms."
    )


def test_runs_measured_under_different_load_are_not_comparable():
    latency = comparison(FAST, run("slow", [10.0] * 20, at_once=8)).latency
    assert "different numbers of requests at a time (fast 1, slow 8): the latencies are not comparable" in latency.form(
        "markdown"
    )


def test_latencies_are_saved_with_scores():
    scores = cf.evaluate(JUDGED, [FAST, SLOW], "RR")
    saved = from_dict(json.loads(json.dumps(to_dict(scores))))
    assert cf.compare(saved).latency.to_dict() == cf.compare(scores).latency.to_dict()


@pytest.mark.parametrize("wrong", [7, {"milliseconds": []}, {"milliseconds": {"q1": "fast"}, "at_once": 1}])
def test_saved_latencies_that_cannot_be_are_named(wrong):
    given = json.loads(json.dumps(to_dict(cf.evaluate(JUDGED, [FAST], "RR"))))
    given["runs"]["fast"]["latency"] = wrong
    with pytest.raises(cf.DataError, match="latency"):
        from_dict(given)
