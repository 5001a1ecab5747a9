"""Everybody can judge: rules of axe-core on every page and state, on phone and desktop, in light and dark."""

import pytest

from tests.assessing.web.site import JudgeTab, made, running
from tests.reporting.test_accessibility import violations


@pytest.fixture(scope="module")
def preferences(tmp_path_factory):
    project = made(tmp_path_factory.mktemp("preferences"), task="preferences", mark_passages=True)
    with running(project.service) as address:
        yield project, address
    project.service.close()


STATES = {
    "card": lambda ada: None,
    "earlier": lambda ada: ada.press("1", "z", "n", "Escape"),
    "unfolded": lambda ada: ada.press("i", " ", "/"),
    "help": lambda ada: ada.press("?"),
    "list": lambda ada: (ada.list(), ada.press("1")),
    "waiting": lambda ada: (ada.context.set_offline(True), ada.press("1"), ada.saved("1 waiting to be saved")),
    "guidelines": lambda ada: ada.page.goto(f"{ada.address.url}/guidelines"),
    "no link": lambda ada: (ada.context.clear_cookies(), ada.page.goto(f"{ada.address.url}/list")),
}


@pytest.mark.parametrize("state", STATES)
def test_no_rule_is_broken_where_people_judge(chromium, garden, server, state):
    # The rules are put into the page by the test, which the page's own policy would not allow.
    ada = JudgeTab(chromium, garden, server, bypass_csp=True, reduced_motion="reduce").enter()
    STATES[state](ada)
    found = {}
    for width, scheme in ((390, "dark"), (1440, "light"), *((390, "light"), (1440, "dark")) * (state == "card")):
        ada.page.set_viewport_size({"width": width, "height": 900})
        ada.page.emulate_media(color_scheme=scheme)
        found[width, scheme] = violations(ada.page)
    assert found == {key: [] for key in found}
    ada.context.set_offline(False)
    ada.context.close()


def test_no_rule_is_broken_by_two_documents_side_by_side(chromium, preferences):
    ada = JudgeTab(chromium, *preferences, bypass_csp=True).enter()
    for width in (390, 1440):
        ada.page.set_viewport_size({"width": width, "height": 900})
        assert violations(ada.page) == []
    ada.context.close()


@pytest.mark.parametrize("path", ["/progress", "/disagreements", "/labels", "/trust", "/team", "/export"])
def test_no_rule_is_broken_where_people_manage(chromium, garden, server, path):
    boss = JudgeTab(chromium, garden, server, (garden.manager, garden.manager_token), bypass_csp=True).enter()
    boss.go(path)
    for width, scheme in ((390, "dark"), (1440, "light")):
        boss.page.set_viewport_size({"width": width, "height": 900})
        boss.page.emulate_media(color_scheme=scheme)
        assert violations(boss.page) == []
        assert boss.page.evaluate("document.documentElement.scrollWidth") <= width
    boss.context.close()


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
    assert ada.page.locator("h1").count() == 1
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
