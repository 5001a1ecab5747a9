"""Recommendations of real size: the most popular artists of Last.fm, beside plain loops over the definitions."""

from __future__ import annotations

import math
from itertools import combinations

import pytest

import cranfield as cf
from tests.conftest import SHARED_DATA, WITHOUT_SHARED_DATA
from tests.parity.collections import run, text

pytestmark = pytest.mark.skipif(not SHARED_DATA.is_dir(), reason=WITHOUT_SHARED_DATA)

LASTFM = "09-recsys-lastfm"
K = 20


@pytest.fixture(scope="module")
def taken():
    lines = text(SHARED_DATA / LASTFM / "train.tsv.gz").splitlines()
    return [tuple(line.split("\t")[:2]) for line in lines]


@pytest.fixture(scope="module")
def offered():
    return cf.recommendation(run(LASTFM, "mostpop"), k=K, interactions=SHARED_DATA / LASTFM / "train.tsv.gz")


@pytest.fixture(scope="module")
def lists():
    """The first items of every user, whose scores strictly decrease in the file."""
    found: dict[str, list[str]] = {}
    for line in text(SHARED_DATA / LASTFM / "mostpop.run.gz").splitlines():
        user, _, item, rank, _, _ = line.split()
        if int(rank) <= K:
            found.setdefault(user, []).append(item)
    return found


def test_coverage_entropy_and_gini(offered, taken, lists):
    ours = offered.runs["mostpop"]
    recommended = [item for items in lists.values() for item in items]
    items = sorted({item for _, item in taken} | set(recommended))
    counts = [recommended.count(item) for item in set(recommended)]
    assert len(ours.users) == len(lists) == 1858
    assert ours.coverage == len(set(recommended)) / len(items)
    assert ours.entropy == pytest.approx(-sum(c / len(recommended) * math.log2(c / len(recommended)) for c in counts))
    # Of n items few are recommended: differences among those, and of each from the many that are not.
    differences = sum(abs(x - y) for x in counts for y in counts) + 2 * sum(counts) * (len(items) - len(counts))
    assert ours.gini == pytest.approx(differences / (2 * len(items) * len(recommended)))


def test_novelty_and_popularity(offered, taken, lists):
    ours = offered.runs["mostpop"]
    users = len({user for user, _ in taken})
    holders: dict[str, set[str]] = {}
    for user, item in taken:
        holders.setdefault(item, set()).add(user)
    for at, user in enumerate(ours.users):
        share = [len(holders[item]) / users for item in lists[user]]
        assert ours.per_user["novelty"][at] == pytest.approx(-sum(map(math.log2, share)) / K)
        assert ours.per_user["popularity"][at] == pytest.approx(sum(share) / K)


def test_personalisation_over_all_pairs_of_users(offered, lists):
    sets = [frozenset(items) for items in lists.values()]
    common = sum(len(one & other) for one, other in combinations(sets, 2))
    pairs = len(sets) * (len(sets) - 1) / 2
    assert offered.runs["mostpop"].personalisation == pytest.approx(1 - common / K / pairs, abs=1e-12)
