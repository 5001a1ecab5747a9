"""How long the systems took, on the page."""

import re
from dataclasses import replace

import pytest

import cranfield as cf
from cranfield.data.request_log import RequestLog, RequestRecord
from cranfield.reporting.latency import latency_view

QUERIES = [f"q{number}" for number in range(20)]
JUDGED = {query: {"d1": 1} for query in QUERIES}


def run(name, first):
    records = {query: RequestRecord(query, "", "results", 1, first + at, 1) for at, query in enumerate(QUERIES)}
    return replace(
        cf.read_run({query: ["d1"] for query in QUERIES}, name=name),
        find_log=lambda: RequestLog(records, {"at_once": 1}),
    )


def text_of(page):
    return re.sub(r"\s+", " ", re.sub(r"<[^>]*>", " ", page))


def test_systems_are_compared_with_the_default_baseline():
    view = latency_view(cf.evaluate(JUDGED, [run("fast <b>", 5.0), run("slow", 12.5)], "RR"), "fast <b>")
    fast, slow = view.systems
    assert (fast.median, fast.p95, fast.difference) == ("14.5", "23.1", "")
    assert (slow.median, slow.difference, slow.interval) == ("22.0", "+7.5", "7.5–7.5")


def test_the_page_has_a_table_of_latencies():
    page = cf.report(cf.evaluate(JUDGED, [run("fast <b>", 5.0), run("slow", 12.5)], "RR")).html
    assert "slow 22.0 30.6 20 +7.5 7.5–7.5" in text_of(page)
    assert "fast <b>" not in page
    assert "95th percentile" in page


@pytest.mark.parametrize("width", [390, 1440])
def test_the_table_of_latencies_is_seen_in_a_browser(explore, tmp_path, width):
    path = tmp_path / "report.html"
    cf.report(cf.evaluate(JUDGED, [run("fast", 5.0), run("slow", 12.5)], "RR"), path)
    page = explore(path, width=width).page
    table = page.get_by_role("region", name="Latency").get_by_role("table")
    assert table.is_visible()
    assert re.sub(r"\s+", " ", table.inner_text()).endswith("slow 22.0 30.6 20 +7.5 7.5–7.5")
    assert page.evaluate("document.documentElement.scrollWidth") <= width


def test_one_system_has_a_median_and_no_difference():
    view = latency_view(cf.evaluate(JUDGED, run("fast", 5.0), "RR"), None)
    assert (view.baseline, view.systems[0].median) == (None, "14.5")


def test_a_page_of_runs_without_latencies_does_not_speak_of_them():
    plain = {"a": {"q0": ["d1"]}, "b": {"q0": ["d2"]}}
    assert ">Latency<" not in cf.report(cf.evaluate({"q0": {"d1": 1}}, plain, "RR")).html
