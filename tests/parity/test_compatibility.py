"""The same numbers as the script of the measure's authors, on the runs with which others tested theirs."""

from __future__ import annotations

import gzip
from collections import defaultdict

import numpy as np
import pytest

import cranfield as cf
from tests.conftest import SHARED_DATA, WITHOUT_SHARED_DATA

pytestmark = pytest.mark.skipif(not SHARED_DATA.is_dir(), reason=WITHOUT_SHARED_DATA)

CAST = SHARED_DATA / "06-preferences-cast2019"
EXPECTED = {
    0.95: {"31_1": 0.51779512165509, "31_2": 0.018400100569017922},
    0.9: {"31_1": 0.3761334522946854, "31_2": 0.004344079941789211},
    0.8: {"31_1": 0.16723008845234535, "31_2": 0.00022806427320561776},
}
"""What the script gave, by p and query."""


@pytest.mark.parametrize("p", EXPECTED)
def test_the_script_gives_the_same(p):
    files = CAST / "compat-test"
    scores = cf.evaluate(files / "compat.qrels", files / "compat.run", cf.measures.Compat(p=p))
    (found,) = scores[cf.measures.Compat(p=p)]
    assert dict(zip(scores.queries, found, strict=True)) == pytest.approx(EXPECTED[p], rel=1e-13)


def test_preference_levels_of_a_whole_track_give_what_a_plain_loop_over_sets_gives():
    levels: dict[str, dict[str, float]] = defaultdict(dict)
    for line in gzip.decompress((CAST / "TREC-CAsT-2019.qrels.gz").read_bytes()).decode().splitlines():
        query, _, document, level = line.split()
        levels[query][document] = float(level)
    assert len(levels) == 173
    rng = np.random.default_rng(2019)
    run = {
        query: dict(zip(documents, rng.normal(size=len(documents)) + list(documents.values()), strict=True))
        for query, documents in levels.items()
    }
    strangers = {query: scores | {f"stranger{n}": n / 7 for n in range(9)} for query, scores in run.items()}
    scores = cf.evaluate(levels, strangers, cf.measures.Compat)
    defined = 0
    for query, found in zip(scores.queries, scores[cf.measures.Compat][0], strict=True):
        expected = compatibility(levels[query], strangers[query])
        defined += not np.isnan(expected)
        assert found == pytest.approx(expected, rel=1e-12, nan_ok=True)
    assert defined > 100


def compatibility(levels, scores):
    ranking = sorted(scores, key=lambda document: -scores[document])
    place = {document: rank for rank, document in enumerate(ranking)}
    ideal = sorted((d for d in levels if levels[d] > 0), key=lambda d: (-levels[d], place.get(d, len(place))))
    if not ideal:
        return np.nan
    return overlap(ranking, ideal) / overlap(ideal, ideal)


def overlap(ranking, ideal, p=0.95):
    both, total = (set(), set()), 0.0
    for depth in range(1000):
        both[0].update(ranking[depth : depth + 1])
        both[1].update(ideal[depth : depth + 1])
        total += p**depth * len(both[0] & both[1]) / (depth + 1)
    return total
