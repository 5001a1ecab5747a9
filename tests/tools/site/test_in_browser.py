"""The site in a browser, from files: without a network, without code, on a phone, in the dark, by everybody."""

import itertools
from urllib.parse import quote

import pytest

from tests.effort import few_or
from tests.reporting.test_accessibility import violations

KINDS = (
    "index",
    "start",
    "rag",
    "measures/ndcg",
    "commands/compare",
    "python-reference/evaluate",
    "errors/gate",
    "gallery",
    "notebooks/first-hour",
    "decisions/index",
    "search",
)
"""A page of each kind."""
ALL = tuple(itertools.product((390, 1440), ("light", "dark")))
COMBINATIONS = few_or(((390, "dark"), (1440, "light")), ALL)


@pytest.fixture(scope="module")
def tab(chromium, site):
    """Opens a page of the site, and knows what it asked for."""
    contexts = []

    def opened(name, width=1440, scheme="light", **options):
        context = chromium.new_context(
            viewport={"width": width, "height": 900}, color_scheme=scheme, reduced_motion="reduce", **options
        )
        contexts.append(context)
        page = context.new_page()
        page.asked = []
        page.on("request", lambda request: page.asked.append(request.url))
        page.told = []
        page.on("pageerror", lambda error: page.told.append(str(error)))
        page.goto((site / f"{name}.html").as_uri())
        return page

    yield opened
    for context in contexts:
        context.close()


@pytest.mark.parametrize("name", KINDS)
def test_no_rule_is_broken_and_nothing_is_too_wide(tab, site, name):
    page = tab(name)
    found = {}
    for width, scheme in COMBINATIONS if name != "index" else ALL:
        page.set_viewport_size({"width": width, "height": 900})
        page.emulate_media(color_scheme=scheme)
        page.reload()
        too_wide = [] if page.evaluate("document.documentElement.scrollWidth") <= width else ["too wide"]
        if rules := [*violations(page), *too_wide]:
            found[width, scheme] = rules
    assert found == {}
    assert page.told == []
    assert [url for url in page.asked if not url.startswith(("file:", "data:", "blob:"))] == []


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ("install", "install.html"),
        ("measure for rag", "which-measure.html"),
        ("ndcg trec_eval", "measures/ndcg.html"),
        ("collect judgments", "collect-judgments.html"),
        ("gate ci", "ci.html"),
        ("tools disagree", "profiles.html"),
        ("MRR", "measures/rr.html"),
        ("hit rate", "measures/success.html"),
        ("p-values", "compare.html"),
        ("columns where a TREC run has", "errors/"),
    ],
)
def test_search_works_without_a_network(tab, site, words, expected):
    found = _found(tab, site, words)
    assert any(expected in link for link in found), found


def _found(tab, site, words):
    """The first addresses that the search gives, which has asked no network."""
    page = tab("search")
    page.goto(f"{(site / 'search.html').as_uri()}?q={quote(words)}")
    page.wait_for_selector("#search-results ul.search li a")
    page.wait_for_function(
        "document.querySelector('#search-results .search-summary')?.innerText.match(/found (\\d|one)/)"
    )
    assert all(url.startswith(("file:", "data:")) for url in page.asked)
    return page.eval_on_selector_all("#search-results li > a", "links => links.slice(0, 10).map(link => link.href)")


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ("measure for rag", ("which-measure.html", "rag.html")),
        ("ndcg formula", ("measures/ndcg.html",)),
        ("compare two runs", ("commands/compare.html", "python-reference/compare.html")),
        ("pyspark", ("when-one-machine-is-not-enough.html",)),
        ("cite", ("paper.html",)),
        ("API stability", ("stability.html",)),
        ("vulnerability", ("security.html",)),
        ("bibtex", ("paper.html",)),
        ("lists document 'd1' twice", ("errors/rows.html#a-document-twice-in-one-ranking",)),
        ("map@10", ("measures/ap.html",)),
        ("recall@k", ("measures/r.html",)),
        ("nDCG@10", ("measures/ndcg.html",)),
        ("inter-annotator agreement", ("labels.html",)),
        ("hybrid weights", ("should-i-fuse.html",)),
        ("hybrid search", ("fusion.html",)),
        ("annotator", ("judging-for-a-team.html",)),
        ("duplicate document", ("errors/rows.html", "formats.html")),
    ],
)
def test_the_page_on_a_subject_is_among_the_first_that_are_found_and_found_once(tab, site, words, expected):
    found = _found(tab, site, words)
    assert any(link.endswith(expected) for link in found[:4]), found
    assert len(set(found)) == len(found)


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ("public api", "stability"),
        ("agreement", "labels"),
        ("several people judge", "judging-for-a-team"),
        ("different results", "profiles"),
        ("different numbers", "profiles"),
        ("power analysis", "commands/plan"),
        ("sample size", "commands/plan"),
        ("license", "install"),
        ("pypi", "install"),
        ("databricks", "when-one-machine-is-not-enough"),
        ("run file format", "formats"),
        ("click model", "clicks"),
        ("csv", "formats"),
    ],
)
def test_the_guide_to_a_subject_comes_first(tab, site, words, expected):
    found = _found(tab, site, words)
    assert found[0].endswith(f"/{expected}.html"), found


def test_attributes_in_python_come_behind_all_pages(tab, site):
    found = _found(tab, site, "csv")
    assert not any("#cranfield." in link for link in found), found


COLUMNS = "a-line-with-too-few-or-too-many-columns"


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ("5 columns where a TREC run has 6", f"errors/files.html#{COLUMNS}"),
        (
            "bm25.run, line 4: 5 columns where a TREC run has 6 (query Q0 document rank score tag)",
            f"errors/files.html#{COLUMNS}",
        ),
        ("results/mine.txt, line 17: 3 columns where a TREC run has 6 (query Q0", f"errors/files.html#{COLUMNS}"),
        (
            "mine: no documents for 12 of 43 judged queries (301, 302, …); they count as 0",
            "errors/coverage.html#judged",
        ),
        ("another order of tied documents could give RR 0.1200 to 0.1300 (mine)", "errors/coverage.html#means-that"),
        ("x.tsv: no column gives the query or document; the columns are a, b", "errors/files.html#no-column-has"),
    ],
)
def test_a_pasted_message_leads_to_its_place(tab, site, words, expected):
    found = _found(tab, site, words)
    assert f"/{expected}" in found[0], found


@pytest.mark.parametrize("words", ["how do I compare two runs", "what to do with unjudged documents in a ranking"])
def test_a_question_is_not_taken_for_a_message(tab, site, words):
    found = _found(tab, site, words)
    assert "/errors/" not in found[0], found


def test_the_menu_of_a_phone_opens_where_the_page_stands_in_it(tab):
    page = tab("changelog", width=390)
    page.locator(".primary-toggle").click()
    current = page.locator("dialog [aria-current=page]").first
    current.wait_for()
    page.wait_for_function(
        "(current) => current.getBoundingClientRect().bottom < innerHeight", arg=current.element_handle()
    )


def test_results_and_the_table_of_extras_are_no_wider_than_a_phone(tab, site):
    page = tab("install", width=390)
    assert page.evaluate("[...document.querySelectorAll('article table')].every(table => table.scrollWidth <= 390)")
    page.goto(f"{(site / 'search.html').as_uri()}?q=install")
    page.wait_for_selector("#search-results li")
    page.evaluate("document.querySelector('#search-results li').append('─'.repeat(200))")
    assert page.evaluate("document.documentElement.scrollWidth") <= 390


@pytest.mark.parametrize("width", [390, 1440])
def test_all_can_be_read_and_reached_without_code(chromium, tab, width):
    page = tab("measures/ndcg", width=width, java_script_enabled=False)
    assert page.locator("article h1").inner_text().startswith("nDCG")
    assert page.locator("article math").count() == 1
    assert page.locator("figure.discount svg").is_visible()
    page.get_by_role("navigation", name="Sections").get_by_role("link", name="Tasks").click()
    page.get_by_role("link", name="Evaluate a RAG retriever").last.click()
    assert page.locator("article h1").inner_text().startswith("Evaluate a RAG retriever")
    for button in page.locator("button").all():
        assert not button.is_visible(), "a button that does nothing"


def test_the_page_is_dark_without_code_too(tab):
    dark = tab("rag", scheme="dark", java_script_enabled=False).screenshot(
        clip={"x": 0, "y": 300, "width": 9, "height": 9}
    )
    light = tab("rag", java_script_enabled=False).screenshot(clip={"x": 0, "y": 300, "width": 9, "height": 9})
    assert dark != light
