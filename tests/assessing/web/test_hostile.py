"""Whatever ids, texts, names, notes, words and guidelines hold, it appears as text in every page that shows it."""

import pytest
from playwright.sync_api import Error

from cranfield.assessing.contents import contents_of, judged_from_runs
from cranfield.assessing.project import GradeWord
from cranfield.formats import read_runs
from tests.assessing.web.payloads import PAYLOADS, as_id
from tests.assessing.web.site import JudgeTab, made, running

RUNS = (0, 3, 6, 30)
"""Payloads that runs are called by."""


@pytest.fixture(scope="module")
def hostile(tmp_path_factory):
    """A project in which everything that can be named has a hostile name."""
    queries = {as_id(text, at): text for at, text in enumerate(PAYLOADS)}
    ranked = {query: [f"{query} {place}" for place in range(1)] for query in queries}
    runs = {
        as_id(PAYLOADS[name], name): {query: found[:: 1 - 2 * (at % 2)] for query, found in ranked.items()}
        for at, name in enumerate(RUNS)
    }
    documents = [
        {"doc_id": name, "title": text, "text": f"{text} {text}", "url": text}
        for (query, text) in queries.items()
        for name in ranked[query]
    ]
    asked = [{"query_id": query, "text": text, "description": text} for query, text in queries.items()]
    contents, _ = contents_of(judged_from_runs(read_runs(runs), 10), queries=asked, documents=documents)
    words = tuple(GradeWord(float(at), text[:400]) for at, text in enumerate(PAYLOADS[:10]))
    project = made(
        tmp_path_factory.mktemp("hostile"),
        given=contents,
        grades=words,
        guidelines="\n\n".join(PAYLOADS)[:50_000].encode("utf-8", "replace").decode().replace("\x00", ""),
        labels=1,
        batch=2,
    )
    project.service.change_settings(project.manager.number, title=PAYLOADS[1] + PAYLOADS[3])
    for at, text in enumerate(PAYLOADS):
        name = "".join(sign for sign in text if sign.isprintable())[:90].strip()
        project.service.add_judge(f"{at} {name}")
    yield project
    project.service.close()


@pytest.fixture(scope="module")
def site(hostile):
    with running(hostile.service) as address:
        yield address


WATCH = """window.__reports = []; document.addEventListener("securitypolicyviolation",
  (event) => window.__reports.push(event.blockedURI + " " + event.violatedDirective));"""


def harmless(tab):
    assert tab.page.evaluate("window.__ran") is None
    assert tab.page.evaluate("window.__reports") == []
    assert tab.page.locator("iframe, object, embed, img, base, meta[http-equiv], main style").count() == 0
    assert tab.wrong == []
    assert tab.outside == []
    assert tab.dialogs == []


def test_sixty_payloads_in_every_field_of_a_judge_do_nothing(chromium, hostile, site):
    ada = JudgeTab(chromium, hostile, site)
    ada.page.add_init_script(WATCH)
    ada.enter()
    ada.press("i")
    shown = set()
    for text in PAYLOADS:
        shown.add(ada.text("#query"))
        ada.page.evaluate("for (const box of document.querySelectorAll('details')) box.open = true")
        ada.page.fill("#note", text.encode("utf-8", "replace").decode()[:2000])
        ada.page.keyboard.press("Escape")
        ada.press("1")
    assert len(shown) >= len(PAYLOADS) - 1
    harmless(ada)
    ada.press("z", "z")
    ada.saved()
    ada.list()
    harmless(ada)
    ada.page.goto(f"{site.url}/guidelines")
    harmless(ada)
    ada.context.close()


def test_text_is_shown_as_text(chromium, hostile, site):
    ada = JudgeTab(chromium, hostile, site)
    ada.enter()
    assert PAYLOADS[0] in ada.text("button[value='0']")
    assert "</script>" in ada.text(".of")
    ada.press("i")
    guidelines = ada.text(".markdown")
    assert PAYLOADS[3] in guidelines
    assert "{{ 7 * 7 }}{% raw %}" in guidelines
    links = ada.page.eval_on_selector_all("a[href]", "links => links.map((link) => link.protocol)")
    assert set(links) <= {"http:", "https:"}
    ada.context.close()


@pytest.mark.parametrize("path", ["/progress", "/disagreements", "/labels", "/trust", "/team", "/export"])
def test_managers_see_text_as_text(chromium, hostile, site, path):
    boss = JudgeTab(chromium, hostile, site, (hostile.manager, hostile.manager_token))
    boss.page.add_init_script(WATCH)
    boss.enter()
    boss.go(path)
    harmless(boss)
    assert boss.page.evaluate("document.documentElement.scrollWidth") <= 1200
    boss.context.close()


def test_the_policy_stops_what_would_run_in_spite_of_everything(chromium, hostile, site):
    ada = JudgeTab(chromium, hostile, site).enter()
    blocked = ada.page.evaluate(
        """() => {
          const holder = document.createElement("div");
          try { holder.innerHTML = "<img src=x onerror='window.__ran = 1'>"; return false; } catch { return true; }
        }"""
    )
    assert blocked
    with pytest.raises(Error, match="TrustedScriptURL"):
        ada.page.evaluate("document.createElement('script').src = 'http://192.0.2.1/x.js'")
    with pytest.raises(Error, match="TrustedScript"):
        ada.page.evaluate("document.createElement('button').setAttribute('onclick', 'window.__ran = 1')")
    assert ada.page.evaluate("window.__ran") is None
    ada.context.close()
