"""What tests of agreement share: the demo's labels, compared."""

import math

import numpy as np
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


@pytest.fixture(scope="module")
def measured():
    """Grades that are measurements: three judges of 200 documents, of which one judge left out 20."""
    rng = np.random.default_rng(4)
    truth = rng.random(200)
    grades = [np.clip(truth + rng.normal(0, 0.1, 200), 0, 1) for _ in range(3)]
    grades[2][:20] = math.nan
    return np.array(grades)
