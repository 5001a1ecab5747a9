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


@pytest.fixture(scope="session")
def tabs(chromium):
    """The tabs of the browser."""
    from tests.reporting.browser import Tabs

    return Tabs(chromium)


@pytest.fixture(scope="session")
def garden_page(garden, tmp_path_factory):
    """The demo's report with everything in it, as a file."""
    path = tmp_path_factory.mktemp("report") / "report.html"
    cf.report(garden, path, queries=demo.path("queries.tsv"), by="intent", documents=demo.path("documents.jsonl"))
    return path


@pytest.fixture
def explore(tabs, garden_page):
    """Opens the demo's report; at the end nothing must have gone wrong, and nothing been asked of anyone."""

    def open_it(path=garden_page, **options):
        return tabs.visit(path, **options)

    yield open_it
    for seen, path in tabs.leave():
        assert seen.told == []
        assert {url.partition("#")[0] for url in seen.requests if not url.startswith("blob:")} == {path.as_uri()}
