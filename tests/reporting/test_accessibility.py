"""Everybody can read the page: rules of axe-core, on phone and desktop, in light and dark."""

from importlib.resources import files

import pytest

import cranfield as cf

AXE = (files("axe_playwright_python") / "axe.min.js").read_text(encoding="utf-8")
RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]


def violations(page):
    page.evaluate(AXE)
    found = page.evaluate("tags => axe.run(document, { runOnly: tags, resultTypes: ['violations'] })", RULES)
    return [
        f"{one['id']}: {one['help']} at {[node['target'] for node in one['nodes']][:3]}" for one in found["violations"]
    ]


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [390, 1440])
def test_no_rule_is_broken(explore, width, scheme):
    # On its way to the query the page is where it will not stay, and things are half hidden.
    seen = explore(address="#query=q08&only=better", width=width, scheme=scheme, reduced_motion="reduce")
    for details in seen.page.locator("details").all():
        details.evaluate("one => (one.open = true)")
    assert violations(seen.page) == []


def test_no_rule_is_broken_by_the_list_of_keys(explore):
    seen = explore()
    seen.page.keyboard.press("?")
    assert violations(seen.page) == []


def test_nothing_moves_for_those_who_do_not_want_it(explore):
    seen = explore(reduced_motion="reduce")
    assert seen.page.evaluate("getComputedStyle(document.documentElement).scrollBehavior") == "auto"


def test_what_is_focused_can_be_seen(explore):
    seen = explore()
    seen.page.keyboard.press("Tab")
    assert seen.page.evaluate("document.activeElement.className") == "skip"
    for _ in range(4):
        seen.page.keyboard.press("Tab")
        outline = seen.page.evaluate("getComputedStyle(document.activeElement).outlineStyle")
        assert outline != "none"


@pytest.mark.parametrize("width", [320, 390, 768, 1440])
def test_the_page_is_no_wider_than_the_screen(explore, width):
    seen = explore(address="#query=q08", width=width)
    assert seen.page.evaluate("document.documentElement.scrollWidth") <= width


@pytest.mark.parametrize("width", [390, 1440])
def test_no_caption_is_cut_off(explore, width):
    seen = explore(address="#query=q08", width=width)
    ends = seen.page.eval_on_selector_all(
        "caption span",
        "spans => spans.map(span => [span.getBoundingClientRect().right, span.scrollWidth - span.clientWidth])",
    )
    assert len(ends) >= 3
    assert all(right <= width and not hidden for right, hidden in ends)


def test_the_list_of_queries_fits_a_phone_with_both_scores_and_readable_texts(explore):
    seen = explore(width=390)
    seen.page.locator("#grid").scroll_into_view_if_needed()
    scroller = seen.page.locator(".scroller")
    assert scroller.evaluate("list => list.scrollWidth - list.clientWidth") <= 0
    box = scroller.bounding_box()
    for cell in ("td.base", "td.run", "td.number"):
        cell_box = seen.page.locator(f"#grid tbody tr:not(.space) {cell}").first.bounding_box()
        assert cell_box["x"] + cell_box["width"] <= box["x"] + box["width"]
    text = seen.page.locator("#grid tbody tr:not(.space) .called").first
    assert "why are my carrots forked" in text.inner_text()
    assert text.evaluate("one => one.scrollHeight - one.clientHeight") <= 1


@pytest.mark.parametrize("table", ["#view-systems", ".matrix"])
def test_no_mean_is_off_the_screen_of_a_phone(explore, table):
    seen = explore(width=390)
    ends = seen.page.eval_on_selector_all(f"{table} td b", "found => found.map(b => b.getBoundingClientRect().right)")
    assert ends
    assert max(ends) <= 390


def test_long_names_of_systems_are_whole_on_a_phone(explore, tmp_path):
    judged = {"a": {"d1": 1}, "b": {"d2": 1}}
    names = [f"a-retriever-with-a-long-name-{number}" for number in range(3)]
    path = tmp_path / "report.html"
    cf.report(cf.evaluate(judged, {name: {"a": ["d1"], "b": ["d2"]} for name in names}, "RR"), path)
    seen = explore(path, width=390)
    hidden = seen.page.eval_on_selector_all(
        ".effect .name:has(bdi)", "all => all.map(one => one.scrollWidth - one.clientWidth)"
    )
    assert len(hidden) == 2
    assert max(hidden) <= 0


def test_a_wide_screen_is_used(explore):
    seen = explore(width=1440)
    assert seen.page.locator("#view-systems table").bounding_box()["width"] > 1300


def test_the_chosen_query_is_announced(explore):
    seen = explore()
    seen.page.keyboard.press("j")
    seen.settled()
    assert seen.page.locator("#status").text_content().startswith("Query q23. ")


def test_printing_shows_everything_in_black_on_white(explore):
    seen = explore(scheme="dark")
    seen.page.emulate_media(media="print")
    assert seen.page.evaluate("getComputedStyle(document.body).color") == "rgb(0, 0, 0)"
    assert seen.page.is_hidden("#controls")
    assert seen.page.is_visible("#verdict")
