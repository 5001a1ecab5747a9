"""Leaving a run out of a pool, against evaluating with judgments that lack what only it found."""

from __future__ import annotations

import json

import pytest

import cranfield as cf
from cranfield import demo
from cranfield.comparing.orders import kendall_tau_b
from cranfield.errors import UsageError
from cranfield.pooling.reuse import read_groups

NAMES = ("title", "bm25", "dense", "hybrid")
RUNS = {name: demo.path(f"{name}.run") for name in NAMES}


def less(judgments, members, depth):
    """The judgments as they would be without what only some runs have among their first; by plain sets."""
    firsts = {name: {query: list(ranking(name, query))[:depth] for query in judgments} for name in NAMES}
    kept = {}
    for query in judgments:
        own = {document for name in members for document in firsts[name][query]}
        others = {document for name in NAMES if name not in members for document in firsts[name][query]}
        kept[query] = {d: -1.0 if d in own - others else grade for d, grade in judgments[query].items()}
    return kept


def ranking(name, query):
    lines = [line.split() for line in RUNS[name].read_text().splitlines() if line.startswith(f"{query} ")]
    by_id = sorted(lines, key=lambda line: line[2], reverse=True)
    return [line[2] for line in sorted(by_id, key=lambda line: -float(line[4]))]


@pytest.mark.parametrize("groups", [{}, {"team": ["title", "bm25"]}])
def test_a_run_scores_what_it_would_without_its_own_contribution(groups):
    judgments = cf.read_judgments(demo.path("qrels.txt"))
    found = cf.reusability(RUNS, judgments, "nDCG@10", depth=10, groups=groups)
    full = cf.evaluate(judgments, RUNS, ["nDCG@10", "Judged@10"])
    for one in found.left_out:
        members = groups.get(one.group, [one.run])
        reduced = less(judgments, members, 10)
        without = cf.evaluate(reduced, RUNS, ["nDCG@10", "Judged@10"])
        assert one.score == pytest.approx(full.mean("nDCG@10", one.run).value, abs=1e-12)
        assert one.without == pytest.approx(without.mean("nDCG@10", one.run).value, abs=1e-12)
        assert one.judged == pytest.approx(full.mean("Judged@10", one.run).value)
        assert one.judged_without == pytest.approx(without.mean("Judged@10", one.run).value)
        means = [[scores.mean("nDCG@10", name).value for name in NAMES] for scores in (full, without)]
        assert one.rank_without == 1 + sum(value > one.without + 1e-12 for value in means[1])
        assert one.tau == pytest.approx(float(kendall_tau_b(*means)))
        assert one.alone == sum(grade == -1 for of in reduced.values() for grade in of.values())


def test_a_run_that_found_nothing_alone_loses_nothing():
    runs = {"a": {"q1": ["d1", "d2"]}, "b": {"q1": ["d2", "d1"]}}
    found = cf.reusability(runs, {"q1": {"d1": 1, "d2": 0}}, "AP")
    assert [one.change for one in found.left_out] == [0, 0]
    assert found.verdict() == "No run's AP depends on documents that only it brought into the pool of depth 10."


def test_what_changes_most_is_named():
    runs = {"a": {"q1": ["d1", "d2"]}, "b": {"q1": ["d2", "d3"]}}
    found = cf.reusability(runs, {"q1": {"d1": 1, "d2": 1, "d3": 0}}, "P@2", depth=2)
    assert found.verdict() == (
        "Without its own contribution to the pool a run's P@2 changes by 0.2500 on average, and by -0.5000, 50.0% of "
        "its score, at most (a); no run changes its rank."
    )


def test_a_level_is_that_of_the_measure_too():
    found = cf.reusability(RUNS, demo.path("qrels.txt"), "P@5", rel=2)
    full = cf.evaluate(demo.path("qrels.txt"), RUNS, "P(rel=2)@5")
    assert str(found.measure) == "P(rel=2)@5"
    assert [one.score for one in found.left_out] == [full.mean("P(rel=2)@5", name).value for name in NAMES]


def test_it_shows_itself_in_every_form():
    found = cf.reusability(RUNS, demo.path("qrels.txt"))
    assert repr(found) == "Reusability(4 runs, nDCG@10, depth 10)"
    assert "judged@10" in str(found)
    assert "<table" in found._repr_html_()
    assert json.loads(json.dumps(found.to_dict(), allow_nan=False))["runs"][0]["run"] == "title"
    assert found.rows().to_dict()["rank_without"] == [4, 3, 3, 1]


def test_groups_are_read():
    assert read_groups(["a=x,y", "b = z"]) == {"a": ["x", "y"], "b": ["z"]}


@pytest.mark.parametrize("text", ["a", "=x", "a=", "a=,"])
def test_a_group_that_cannot_be_read_is_told(text):
    with pytest.raises(UsageError, match="it cannot be read"):
        read_groups([text])


@pytest.mark.parametrize(
    ("groups", "message"),
    [
        ({"a": ["bm26"]}, "there is no run 'bm26'; .* Did you mean bm25"),
        ({"a": ["bm25"], "b": ["bm25"]}, "bm25 is in a already"),
    ],
)
def test_a_group_that_cannot_be_is_told(groups, message):
    with pytest.raises(UsageError, match=message):
        cf.reusability(RUNS, demo.path("qrels.txt"), groups=groups)


def test_a_group_named_twice_is_told():
    with pytest.raises(UsageError, match="its name comes twice"):
        read_groups(["a=x", "a=y"])


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"depth": 0}, "depth must be a whole number of at least 1"),
        ({"measure": "alpha_nDCG@10"}, "reads grades by subtopic"),
        ({"measure": "P@5 P@10"}, "names 2 measures; give one"),
    ],
)
def test_what_cannot_be_is_told(arguments, message):
    with pytest.raises(UsageError, match=message):
        cf.reusability(RUNS, demo.path("qrels.txt"), **arguments)


def test_one_run_is_not_left_out():
    with pytest.raises(UsageError, match="Reusability is between runs"):
        cf.reusability(demo.path("bm25.run"), demo.path("qrels.txt"))
