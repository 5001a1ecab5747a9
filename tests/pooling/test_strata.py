"""A stratified sample: what is drawn, with which probability, and what estimates from it are worth."""

from __future__ import annotations

import math
from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import cranfield as cf
from cranfield import demo
from cranfield.errors import UsageError
from cranfield.formats import read_runs
from cranfield.pooling.candidates import candidates_of
from cranfield.pooling.strata import Stratum, drawn_of, read_strata, sampled
from tests.pooling.strategies import runs

DEMO = ("title", "bm25", "dense", "hybrid")


def demo_runs():
    return {name: demo.path(f"{name}.run") for name in DEMO}


def complete(candidates, known):
    """Judgments of every document of a pool; those that nobody judged are irrelevant."""
    graded = {query: known[query] for query in known}
    return {
        query: {document: graded.get(query, {}).get(document, 0.0) for document in documents}
        for query, documents in candidates.documents.items()
    }


@given(runs(), st.floats(0.05, 1), st.floats(0.05, 1), st.integers(0, 5))
def test_of_every_stratum_its_share_is_drawn_and_at_least_one(given, first, second, seed):
    pool = cf.pool(given, strategy="sample", strata=[(2, first), (9, second)], seed=seed)
    sizes, drawn = Counter(), Counter()
    for one in pool.sample:
        best = min(rank for rank in pool.candidates.ranks(one.query)[one.document] if rank)
        assert one.stratum == (1 if best <= 2 else 2)
        sizes[one.query, one.stratum] += 1
        drawn[one.query, one.stratum] += one.drawn
    for (query, stratum), size in sizes.items():
        rate = (first, second)[stratum - 1]
        assert drawn[query, stratum] == max(1, math.floor(rate * size + 0.5))
    for one in pool.sample:
        assert one.probability == drawn[one.query, one.stratum] / sizes[one.query, one.stratum]
    assert {(one.query, one.document) for one in pool.sample if one.drawn} == {(e.query, e.document) for e in pool}


def test_every_document_of_a_stratum_is_as_likely():
    given = {"a": {"q1": [f"d{at}" for at in range(10)]}}
    counts = Counter(
        document
        for seed in range(400)
        for document in cf.pool(given, strategy="sample", strata="10:0.3", seed=seed).of("q1")
    )
    assert sum(counts.values()) == 400 * 3
    deviation = math.sqrt(400 * 0.3 * 0.7)
    assert all(abs(count - 120) < 4 * deviation for count in counts.values())
    assert len(counts) == 10


def test_the_rest_of_a_stratum_is_listed_without_a_grade(tmp_path):
    given = {"a": {"q1": ["d1", "d2", "d3", "d4"]}}
    pool = cf.pool(given, strategy="sample", strata="2:1,4:0.5")
    lines = [line.split() for line in pool.trec().splitlines()]
    assert sorted(line[2] for line in lines) == ["d1", "d2", "d3", "d4"]
    assert sorted(len(line) for line in lines) == [4, 4, 4, 5]
    assert lines[-1][3:] == ["2", "-1"]


def test_a_sample_and_its_grades_are_judgments_that_measures_of_strata_read(tmp_path):
    given = {"a": {"q1": ["d1", "d2", "d3", "d4"]}}
    pool = cf.pool(given, strategy="sample", strata="2:1,4:0.5")
    by_hand = "".join(f"{line} 1\n" if len(line.split()) == 4 else f"{line}\n" for line in pool.trec().splitlines())
    labels = {"q1": dict.fromkeys(("d1", "d2", "d3", "d4"), 1)}
    for name, text in (("hand", by_hand), ("made", pool.qrels(labels))):
        (tmp_path / name).write_text(text)
        scores = cf.evaluate(tmp_path / name, given, ["xinfAP", "infNDCG"])
        # xinfAP supposes a third of what was not drawn to be relevant, and infNDCG that the one drawn stands for two.
        assert 0.9 < scores.mean("xinfAP").value <= 1
        assert 0.9 < scores.mean("infNDCG").value <= 1
    assert sorted(by_hand.splitlines()) == sorted(pool.qrels(labels).splitlines())


def test_what_is_judged_already_keeps_its_grade_and_is_not_asked_for_again():
    given = {"a": {"q1": ["d1", "d2"]}}
    pool = cf.pool(given, strategy="sample", strata="2:1", judgments={"q1": {"d1": 2}})
    assert pool.of("q1") == ("d2",)
    assert pool.trec() == "q1 0 d2 1\nq1 0 d1 1 2\n"
    assert pool.qrels() == "q1 0 d1 1 2\nq1 0 d2 1 -1\n"


def test_judgments_do_not_change_what_is_drawn():
    given = {"a": {"q1": [f"d{at}" for at in range(30)]}}
    judged = {"q1": {"d3": 1, "d20": 0}}
    one, other = (cf.pool(given, strategy="sample", strata="30:0.5", judgments=known) for known in (None, judged))
    assert [sampled.drawn for sampled in one.sample] == [sampled.drawn for sampled in other.sample]


def test_only_a_sample_has_strata():
    with pytest.raises(UsageError, match="Strata belong to a stratified sample"):
        cf.pool({"a": {"q1": ["d1"]}}).qrels({"q1": {"d1": 1}})


def test_strata_are_read():
    assert read_strata("10:1.0,50:0.2") == (Stratum(10, 1.0), Stratum(50, 0.2))
    assert [drawn_of(size, 0.25) for size in (1, 2, 6, 10, 40)] == [1, 1, 2, 3, 10]


def test_the_usual_strata_end_where_the_depth_does():
    pool = cf.pool({"a": {"q1": [f"d{at}" for at in range(40)]}}, strategy="sample", depth=20)
    assert pool.settings["strata"] == [[10, 1.0], [20, 0.2]]


def test_what_is_told_of_a_document_lets_it_be_weighed():
    given = {"a": {"q1": [f"d{at}" for at in range(7)]}}
    row = cf.pool(given, strategy="sample", strata="7:0.4").table().to_dict()
    assert row["drawn"] == [3, 3, 3]
    assert row["of"] == [7, 7, 7]
    assert row["probability"] == [3 / 7] * 3


# What estimates from samples are worth


def test_the_number_of_relevant_documents_is_estimated_without_bias():
    candidates = candidates_of(read_runs(demo_runs()), 30)
    graded = complete(candidates, cf.read_judgments(demo.path("qrels.txt")))
    truth = sum(grade >= 1 for of in graded.values() for grade in of.values())
    estimates = [
        sum(
            (graded[one.query][one.document] >= 1) / one.probability
            for one in sampled(candidates, read_strata("5:0.5,30:0.2"), seed)
            if one.drawn
        )
        for seed in range(60)
    ]
    error = np.std(estimates, ddof=1) / math.sqrt(len(estimates))
    assert abs(np.mean(estimates) - truth) < 3 * error
    assert error < 0.02 * truth


def test_where_all_is_drawn_estimates_are_the_measures_themselves(tmp_path):
    known = cf.read_judgments(demo.path("qrels.txt"))
    pool = cf.pool(demo_runs(), strategy="sample", strata="10:1,30:1")
    (tmp_path / "qrels").write_text(pool.qrels(complete(pool.candidates, known)))
    full = cf.evaluate(complete(pool.candidates, known), demo.path("hybrid.run"), ["AP", "nDCG"])
    found = cf.evaluate(tmp_path / "qrels", demo.path("hybrid.run"), ["xinfAP", "infNDCG"])
    assert found.mean("infNDCG").value == pytest.approx(full.mean("nDCG").value)
    assert found.mean("xinfAP").value == pytest.approx(full.mean("AP").value, abs=0.002)


def test_on_real_judgments_estimates_are_near(shared_data, tmp_path):
    folder = shared_data / "03-robust03"
    known = cf.read_judgments(folder / "qrels.robust03.txt.gz")
    sources = [cf.read_run(path) for path in sorted((folder / "runs").iterdir())]
    evaluated = next(run for run in sources if run.name == "pircRBa1")
    found = []
    for seed in range(3):
        pool = cf.pool(sources, strategy="sample", strata="10:1,100:0.3", seed=seed)
        graded = complete(pool.candidates, known)
        (tmp_path / "qrels").write_text(pool.qrels(graded))
        estimated = cf.evaluate(tmp_path / "qrels", evaluated, ["xinfAP", "infNDCG"])
        naive = {query: {d: of[d] for d in pool.of(query)} for query, of in graded.items()}
        plain = cf.evaluate(naive, evaluated, "AP").mean("AP").value
        found.append([estimated.mean("xinfAP").value, estimated.mean("infNDCG").value, plain])
    full = cf.evaluate(graded, evaluated, ["AP", "nDCG"])
    ap, ndcg = full.mean("AP").value, full.mean("nDCG").value
    xinfap, infndcg, plain = np.mean(found, axis=0)
    # They are ratios of two estimates, and so not without bias: about one percent here.
    assert (xinfap, infndcg) == pytest.approx((ap, ndcg), rel=0.02)
    # To count what was not drawn as irrelevant is further off.
    assert abs(plain - ap) > 2 * abs(xinfap - ap)
