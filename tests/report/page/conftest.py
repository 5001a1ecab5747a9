import pytest

import cranfield as cf
from cranfield import demo

NAMES = ("bm25", "dense", "hybrid", "title")
MEASURES = ("nDCG@10", "AP", "RR", "R@100")


@pytest.fixture(scope="session")
def garden():
    """The scores of the demo's four systems."""
    runs = {name: demo.path(f"{name}.run") for name in NAMES}
    return cf.evaluate(demo.path("qrels.txt"), runs, MEASURES)


@pytest.fixture(scope="session")
def garden_report(garden):
    return cf.report(garden)
