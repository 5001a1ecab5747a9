"""Runs read side by side: whatever their order, the lists of one query come together."""

from dataclasses import replace

import numpy as np
import pytest

from cranfield import Run, fuse, read_run
from cranfield.data.request_log import RequestLog, RequestRecord
from cranfield.data.run import Ranking
from cranfield.errors import DataError, Findings
from cranfield.fusing.joining import Joining


def joined(*runs, **choices):
    """By query, the documents of each run; the last time counts, as for every run."""
    findings = Findings()
    lists = {}
    for query in Joining([read_run(run, name=f"run{at}") for at, run in enumerate(runs)], findings, **choices):
        documents = query.documents
        lists[query.query] = [[documents[at] for at in ranked.places.tolist()] for ranked in query.lists]
    return lists, [str(warning) for warning in findings.warnings]


def trec(*lines):
    return "".join(f"{query} Q0 {document} 1 {score} x\n" for query, document, score in lines).encode()


def write(folder, name, *lines):
    path = folder / name
    path.write_bytes(trec(*lines))
    return path


def test_queries_meet_whatever_the_order_of_runs():
    first = {f"q{at}": {"a": 1.0, f"x{at}": 2.0} for at in range(9)}
    second = {f"q{at}": {"a": 1.0} for at in reversed(range(9))}
    lists, warnings = joined(first, second)
    assert lists == {f"q{at}": [[f"x{at}", "a"], ["a"]] for at in range(9)}
    assert not warnings


def test_a_query_that_only_some_answer_is_there_and_counted():
    lists, warnings = joined({"q1": {"a": 1.0}, "q2": {"b": 1.0}}, {"q1": {"a": 2.0}})
    assert lists["q2"] == [["b"], []]
    assert warnings == ["run1: no documents for 1 of 2 queries (q2); they are fused from the other runs"]


def test_a_query_that_comes_back_in_a_file_is_read_whole(tmp_path):
    scattered = write(tmp_path, "a.run", ("q1", "a", 3), ("q2", "b", 3), ("q1", "c", 2))
    whole = write(tmp_path, "b.run", ("q1", "c", 9), ("q2", "b", 8))
    for runs in ((scattered, whole), (whole, scattered), (scattered, scattered)):
        lists, _ = joined(*runs)
        assert {tuple(documents) for documents in lists["q1"]} <= {("a", "c"), ("c",)}
        assert ["a", "c"] in lists["q1"]


def test_equal_scores_come_in_the_one_order():
    lists, _ = joined({"q1": {"a": 1.0, "b": 1.0, "c": 2.0}}, {"q1": {"a": 1.0}})
    assert lists["q1"][0] == ["c", "b", "a"]


def test_only_the_top_documents_are_fused_where_a_depth_is_given():
    lists, _ = joined({"q1": {"a": 1.0, "b": 1.0, "c": 2.0}}, {"q1": {"a": 1.0}}, depth=2)
    assert lists["q1"] == [["c", "b"], ["a"]]


def test_runs_that_share_no_query_are_refused_with_what_they_have():
    with pytest.raises(DataError, match="no query in common"):
        joined({"q1": {"a": 1.0}}, {"7": {"a": 1.0}})


def test_runs_that_share_no_document_are_reported():
    _, warnings = joined({"q1": {"a": 1.0}}, {"q1": {"doc-a": 1.0}})
    assert warnings == ["run0 and run1 share no document in any query; check that they spell document ids alike"]


def test_a_document_listed_twice_stops_the_work():
    with pytest.raises(DataError, match="lists document 'a' again"):
        joined([("q1", "a", 1.0), ("q1", "a", 2.0)], {"q1": {"a": 1.0}})


def test_a_score_that_is_not_a_number_stops_the_work():
    with pytest.raises(DataError, match="score"):
        joined({"q1": {"a": float("nan")}}, {"q1": {"a": 1.0}})


def test_infinite_scores_and_ranks_alone_are_for_methods_that_read_ranks():
    endless = {"q1": {"a": float("inf"), "b": 1.0}}
    assert joined(endless, endless)[0]["q1"][0] == ["a", "b"]
    with pytest.raises(DataError, match="the score is inf, and combsum reads scores"):
        joined(endless, endless, needs_scores="combsum")
    ranks = [("q1", "a", 1), ("q1", "b", 2)]
    with pytest.raises(DataError, match="it has ranks and no scores, and combsum reads scores"):
        [*Joining([read_run(ranks, columns="query,document,rank", name="r")] * 2, Findings(), None, "combsum")]


def test_of_runs_in_the_same_order_one_query_is_read_at_a_time():
    read = [0, 0, 0]

    def run_of(at):
        def rankings(findings):
            for query in range(50):
                read[at] += 1
                yield Ranking(f"q{query}", ["a", "b"], np.array([2.0, 1.0]), [1, 2])

        return Run(f"run{at}", rankings)

    for done, lists in enumerate(Joining([run_of(at) for at in range(3)], Findings()), 1):
        assert lists.query == f"q{done - 1}"
        assert max(read) <= done


def test_lists_without_scores_are_not_fused_by_scores():
    with pytest.raises(DataError, match="ranks"):
        fuse({"a": {"q1": ["d1", "d2"]}, "b": {"q1": {"d2": 1.5}}}, method="combsum")["q1"]


def test_queries_that_failed_when_a_run_was_made_are_named():
    log = RequestLog({"q2": RequestRecord("q2", "why", "failed", 6, kind="server error", detail="500")})
    failed = replace(read_run({"q1": ["a", "b"]}, name="live"), find_log=lambda: log)
    findings = Findings()
    assert [lists.query for lists in Joining([failed, read_run({"q1": ["b"], "q2": ["a"]})], findings)] == ["q1", "q2"]
    words = "live: 1 query failed when this run was made (q2); there the fused run has only what other runs found"
    assert words in [str(warning) for warning in findings.warnings]
