"""What tests of agreement share: the demo's labels, compared."""

import pytest

import cranfield as cf
from cranfield import demo

RUNS = [demo.path(f"{name}.run") for name in ("title", "bm25", "dense", "hybrid")]


@pytest.fixture(scope="module")
def agreement():
    return cf.agree(demo.path("labels.csv"))


@pytest.fixture(scope="module")
def labels():
    return cf.read_labels(demo.path("labels.csv"))


@pytest.fixture(scope="module")
def told():
    return cf.agree(demo.path("labels.csv"), runs=RUNS, measures=["nDCG@10", "AP"], samples=50)
