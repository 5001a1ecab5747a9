"""Everybody can judge: rules of axe-core on every page and state, on phone and desktop, in light and dark."""

import itertools

import pytest

from cranfield.assessing.submission import Submission
from tests.assessing.web.site import JudgeTab, contents, made, running, with_team
from tests.effort import few_or
from tests.reporting.test_accessibility import violations


@pytest.fixture(scope="module")
def preferences(tmp_path_factory):
    project = made(tmp_path_factory.mktemp("preferences"), task="preferences", mark_passages=True)
    with running(project.service) as address:
        yield project, address
    project.service.close()


@pytest.fixture(scope="module")
def team(tmp_path_factory):
    """A project at work: labels, disagreements, some of them decided on, and what labels do."""
    project = with_team(tmp_path_factory.mktemp("team"))
    for item in (3, 6):
        project.service.adjudicate(project.manager.number, item, 1.0, "guidelines", "a note", key=f"{item}" * 20)
    model, _ = project.service.add_judge("some-model", "model")
    for item in range(1, 31):
        project.service.record(model.number, Submission(f"m{item}" * 8, item, "label", float(item % 2), how="model"))
    with running(project.service, effect=project.effect) as address:
        yield project, address
    project.service.close()


ALL = tuple(itertools.product((390, 1440), ("light", "dark")))
COMBINATIONS = few_or(((390, "dark"), (1440, "light")), ALL)


def broken_rules(page, combinations=COMBINATIONS) -> dict:
    """Rules that a page breaks on a phone and a desktop, in light and dark; also what does not fit."""
    found = {}
    for width, scheme in combinations:
        page.set_viewport_size({"width": width, "height": 900})
        page.emulate_media(color_scheme=scheme)
        too_wide = [] if page.evaluate("document.documentElement.scrollWidth") <= width else ["too wide"]
        if rules := [*violations(page), *too_wide]:
            found[width, scheme] = rules
    return found


STATES = {
    "card": lambda ada: None,
    "earlier": lambda ada: ada.press("1", "z", "n", "Escape"),
    "unfolded": lambda ada: ada.press("i", " ", "/"),
    "help": lambda ada: ada.press("?"),
    "list": lambda ada: (ada.list(), ada.press("1")),
    "waiting": lambda ada: (ada.context.set_offline(True), ada.press("1"), ada.saved("1 waiting to be saved")),
    "guidelines": lambda ada: ada.page.goto(f"{ada.address.url}/guidelines"),
    "no link": lambda ada: (ada.context.clear_cookies(), ada.page.goto(f"{ada.address.url}/list")),
    "wrong link": lambda ada: ada.page.goto(f"{ada.address.url}/as/nobody"),
}


@pytest.mark.parametrize("state", STATES)
def test_no_rule_is_broken_where_people_judge(chromium, garden, server, state):
    # The rules are put into the page by the test, which the page's own policy would not allow.
    ada = JudgeTab(chromium, garden, server, bypass_csp=True, reduced_motion="reduce").enter()
    STATES[state](ada)
    assert broken_rules(ada.page, ALL if state == "card" else COMBINATIONS) == {}
    ada.context.set_offline(False)
    ada.context.close()


def test_no_rule_is_broken_without_code_or_where_nothing_is_left(chromium, tmp_path):
    project = made(tmp_path, given=contents(1, 1), labels=2)
    with running(project.service) as address:
        plain = JudgeTab(chromium, project, address, bypass_csp=True, java_script_enabled=False).enter()
        assert plain.page.locator(".grades button").count() == 4
        ada = JudgeTab(chromium, project, address, bypass_csp=True).enter()
        ada.press("1")
        ada.page.wait_for_selector("#nothing:not([hidden])")
        assert broken_rules(ada.page) == {}
        ada.page.set_content(plain.page.content())  # rules of axe are code
        assert broken_rules(ada.page) == {}
        plain.context.close()
        ada.context.close()
    project.service.close()


def test_no_rule_is_broken_by_two_documents_side_by_side(chromium, preferences):
    ada = JudgeTab(chromium, *preferences, bypass_csp=True).enter()
    assert broken_rules(ada.page) == {}
    ada.context.close()


def new_link(boss):
    boss.page.click("form[action='/links'] button >> nth=0")
    boss.page.wait_for_selector("#new-link")


MANAGED = {
    "/progress": lambda boss: boss.page.click("#by-query summary"),
    "/disagreements": lambda boss: boss.page.click(".names summary"),
    "/disagreements?decided=1": lambda boss: None,
    "/labels": lambda boss: None,
    "/labels?query=nothing": lambda boss: None,
    "/trust": lambda boss: None,
    "/team": new_link,
    "/export": lambda boss: None,
}


@pytest.mark.parametrize("path", MANAGED)
def test_no_rule_is_broken_where_people_manage(chromium, team, path):
    project, address = team
    boss = JudgeTab(chromium, project, address, (project.manager, project.manager_token), bypass_csp=True).enter()
    boss.go(path)
    MANAGED[path](boss)
    assert broken_rules(boss.page) == {}
    boss.context.close()


def test_no_rule_is_broken_where_nothing_was_judged_yet(chromium, garden, server):
    boss = JudgeTab(chromium, garden, server, (garden.manager, garden.manager_token), bypass_csp=True).enter()
    for path in ("/progress", "/disagreements", "/trust"):
        boss.go(path)
        assert broken_rules(boss.page) == {}
    boss.context.close()


def test_managers_need_nothing_but_a_keyboard(chromium, team):
    """From the progress to a judge who is added, by Tab, Enter and what is typed; what has focus is seen to have it."""
    project, address = team
    boss = JudgeTab(chromium, project, address, (project.manager, project.manager_token)).enter()

    def reach(selector: str) -> None:
        for _ in range(60):
            boss.page.keyboard.press("Tab")
            assert boss.page.evaluate("getComputedStyle(document.activeElement).outlineStyle") != "none"
            if boss.page.evaluate("selector => document.activeElement.matches(selector)", selector):
                return
        raise AssertionError(selector)

    reach("nav a[href='/team']")
    boss.page.keyboard.press("Enter")
    boss.page.wait_for_url("**/team")
    reach("input[name=name]")
    boss.page.keyboard.type("Dora")
    reach("form[action='/judges'] button:not(.small)")
    boss.page.keyboard.press("Enter")
    boss.page.wait_for_selector("#new-link")
    assert project.service.judge_named("Dora") is not None
    boss.context.close()


def test_guidelines_are_printed_in_black_on_white_with_the_words_of_grades(chromium, garden, server):
    ada = JudgeTab(chromium, garden, server, color_scheme="dark").enter()
    ada.page.goto(f"{server.url}/guidelines")
    ada.page.emulate_media(media="print", color_scheme="dark")
    colours = ada.page.evaluate(
        "[...document.querySelectorAll('body, h1, .markdown, .facts dd, .markdown a')].map((part) => {"
        "const style = getComputedStyle(part); return [style.color, style.backgroundColor]; })"
    )
    assert {colour for colour, _ in colours} == {"rgb(0, 0, 0)"}
    assert {ground for _, ground in colours} <= {"rgb(255, 255, 255)", "rgba(0, 0, 0, 0)"}
    assert "https://example.org/handbook" in ada.page.evaluate(
        "getComputedStyle(document.querySelector('.markdown a'), '::after').content"
    )
    assert ada.page.locator(".facts dd").count() == 4
    printed = ada.page.pdf()
    assert printed.startswith(b"%PDF")
    assert printed.count(b"/Type /Page\n") == 1
    ada.context.close()


class TestPreferences:
    def test_keys_tell_which_of_two_documents_is_better(self, chromium, preferences):
        ada = JudgeTab(chromium, *preferences).enter()
        assert ada.page.locator(".document").count() == 2
        items = []
        for key in "102":
            items.append(ada.item())
            ada.press(key)
        ada.saved()
        assert ada.said() == [(items[0], "label", 1.0), (items[1], "label", 0.0), (items[2], "label", -1.0)]
        ada.press("z")
        assert ada.text("#given") == "You gave: second is better."
        boxes = [box.bounding_box() for box in ada.page.locator(".document").all()]
        assert boxes[0]["x"] + boxes[0]["width"] <= boxes[1]["x"]
        ada.context.close()

    def test_a_passage_that_is_selected_is_kept(self, chromium, preferences):
        project, _ = preferences
        ada = JudgeTab(chromium, *preferences).enter()
        item = ada.item()
        quote = ada.page.evaluate(
            """() => {
              const text = document.querySelector(".excerpt");
              getSelection().selectAllChildren(text);
              return getSelection().toString().trim();
            }"""
        )
        ada.press("p")
        ada.saved()
        event = [one for one in project.service.store.events() if one.kind == "passage"][-1]
        assert (event.item, event.judge) == (item, ada.judge.number)
        text = project.service.card(ada.judge.number, item).text
        assert text[event.more["start"] : event.more["end"]] == quote.strip(" …")
        assert ada.item() == item
        ada.context.close()


def test_whoever_uses_a_screen_reader_gets_headings_buttons_and_what_was_saved(tab):
    ada = tab().enter()
    assert ada.page.locator("h1:visible").count() == 1
    names = [button.inner_text().replace("\n", " ") for button in ada.page.locator(".grades button").all()]
    assert "not relevant" in names[0]
    assert ada.page.get_attribute(".grades", "role") == "group"
    assert ada.page.get_attribute("button[value='2']", "aria-keyshortcuts") == "2"
    assert ada.page.get_attribute("#status", "aria-live") == "polite"


def test_everything_can_be_reached_by_the_tab_key_in_the_order_it_is_read(tab):
    ada = tab().enter()
    seen = []
    for _ in range(30):
        ada.page.keyboard.press("Tab")
        seen.append(ada.page.evaluate("document.activeElement.id || document.activeElement.value"))
        outline = ada.page.evaluate("getComputedStyle(document.activeElement).outlineStyle")
        assert outline != "none" or ada.page.evaluate("document.activeElement === document.body")
    order = [seen.index(name) for name in ("to-list", "open-help", "0", "3", "skip", "back")]
    assert order == sorted(order)
