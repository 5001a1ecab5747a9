"""Pools of real runs, beside what the official judgments of their collections hold."""

from __future__ import annotations

import gzip

import pytest

import cranfield as cf

COLLECTIONS = {
    "03-robust03": "qrels.robust03.txt.gz",
    "02-dl19-passage": "qrels.dl19-passage.txt",
}


@pytest.fixture(params=COLLECTIONS)
def collection(request, shared_data):
    folder = shared_data / request.param
    return folder / COLLECTIONS[request.param], sorted((folder / "runs").iterdir())


def first_ten(path):
    """The first documents of each query by a plain loop, of a run in TREC form."""
    by_query = {}
    with gzip.open(path, "rt") as lines:
        for line in lines:
            query, _, document, _, score, _ = line.split()
            by_query.setdefault(query, []).append((float(score), document))
    return {
        query: [document for _, document in sorted(documents, reverse=True)[:10]]
        for query, documents in by_query.items()
    }


def test_a_pool_is_what_a_plain_loop_over_the_runs_finds(collection):
    qrels, paths = collection
    union = {(query, name) for path in paths for query, names in first_ten(path).items() for name in names}
    pool = cf.pool(paths, depth=10)
    assert {(entry.query, entry.document) for entry in pool} == union
    judgments = cf.read_judgments(qrels)
    judged = {(query, name) for query in judgments for name in judgments[query]}
    new = cf.pool(paths, depth=10, judgments=judgments)
    assert new.judged == len(union & judged)
    assert {(entry.query, entry.document) for entry in new} == union - judged


def test_judged_at_ten_is_that_of_an_evaluation(collection):
    qrels, paths = collection
    pool = cf.pool(paths, depth=10, judgments=qrels)
    scores = cf.evaluate(qrels, paths, "Judged@10")
    for name, coverage in pool.coverage.items():
        assert coverage.judged == pytest.approx(scores.mean("Judged@10", name).value, abs=1e-12)
