"""gdeval's and ndeval's risk-sensitive evaluation of the web track, in every digit they print."""

from __future__ import annotations

import csv

import pytest

import cranfield as cf
from tests.conftest import SHARED_DATA, WITHOUT_SHARED_DATA
from tests.parity.collections import judgments, run, text

pytestmark = pytest.mark.skipif(not SHARED_DATA.is_dir(), reason=WITHOUT_SHARED_DATA)

WEB = "04-web2012-diversity"
BASELINE = "indri-ql-cata-filtered"
RUNS = ("indri-ql-catb-filtered", "indri-rm-cata-filtered", "indri-rm-catb-filtered")
GDEVAL = {"ndcg@20": "nDCG(gain=exponential)@20", "err@20": "ERR(max_grade=4)@20"}


@pytest.mark.parametrize("alpha", [0, 1, 5])
@pytest.mark.parametrize("name", RUNS)
def test_gdeval_prints_the_same_for_each_query_and_in_the_mean(name, alpha):
    scores = cf.evaluate(judgments(WEB), [run(WEB, BASELINE), run(WEB, name)], list(GDEVAL.values()))
    found = cf.risk(scores, BASELINE, loss_weight=alpha)
    rows = list(csv.DictReader(text(SHARED_DATA / WEB / f"reference/gdeval/{name}.risk{alpha}.csv").splitlines()))
    assert len(rows) == 51
    for row in rows:
        for row_at, column in enumerate(GDEVAL):
            if row["topic"] == "amean":
                ours = found.values[name][scores.measures[row_at]].urisk
            else:
                ours = found.contributions[row_at, 1, scores.queries.index(row["topic"])]
            assert f"{ours:.5f}" == row[column], (row["topic"], column)


NDEVAL = [
    *(f"{name}@{cutoff}" for name in ("ERR-IA", "nERR-IA", "alpha-DCG", "alpha-nDCG") for cutoff in (5, 10, 20)),
    *("NRBP", "nNRBP", "MAP-IA"),
    *(f"{name}@{cutoff}" for name in ("P-IA", "strec") for cutoff in (5, 10, 20)),
]


@pytest.mark.parametrize("alpha", [0, 1, 5])
@pytest.mark.parametrize("name", RUNS)
def test_ndeval_prints_the_same_for_each_query_and_in_the_mean(name, alpha):
    subtopics = SHARED_DATA / WEB / "qrels.ndeval.txt.gz"
    scores = cf.evaluate(subtopics, [run(WEB, BASELINE), run(WEB, name)], NDEVAL)
    found = cf.risk(scores, BASELINE, loss_weight=alpha)
    rows = list(csv.DictReader(text(SHARED_DATA / WEB / f"reference/ndeval/{name}.risk{alpha}.csv").splitlines()))
    assert len(rows) == 51
    assert set(rows[0]) == {"runid", "topic", *NDEVAL}
    for row in rows:
        for row_at, column in enumerate(NDEVAL):
            if row["topic"] == "amean":
                ours = found.values[name][scores.measures[row_at]].urisk
            else:
                ours = found.contributions[row_at, 1, scores.queries.index(row["topic"])]
            # As numbers: where two scores differ in their last bits only, ndeval prints -0.000000.
            assert float(f"{ours:.6f}") == float(row[column]), (row["topic"], column)
