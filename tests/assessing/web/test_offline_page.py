"""A page without a server in a real browser: judged by keys, kept by the browser, saved to a file, and read back."""

import json

import pytest

from cranfield.assessing.offline import import_labels, write_pages
from tests.assessing.web.site import PAUSE, contents, made
from tests.assessing.web.test_accessibility import broken_rules


@pytest.fixture
def written(tmp_path):
    """A project, and the page of its judge."""
    project = made(tmp_path, given=contents(2, 3), labels=1)
    project.judge("Ada")
    write_pages(project.service, tmp_path / "page.html", ["Ada"])
    yield project, f"file://{tmp_path / 'page.html'}"
    project.service.close()


@pytest.fixture
def page(chromium, written):
    """The page as it comes by mail: nothing is asked of the network, and nothing goes wrong."""
    context = chromium.new_context(viewport={"width": 1200, "height": 900}, accept_downloads=True)
    page = context.new_page()
    wrong: list[str] = []
    page.on("console", lambda message: wrong.append(message.text) if message.type in ("error", "warning") else None)
    page.on("pageerror", lambda error: wrong.append(str(error)))
    page.on("request", lambda request: request.url.startswith("http") and wrong.append(request.url))
    open_page(page, written[1])
    yield page
    assert wrong == []
    context.close()


def open_page(page, address: str) -> None:
    page.goto(address)
    page.wait_for_selector("html[data-ready]")


def press(page, *keys: str) -> None:
    for key in keys:
        page.keyboard.press(key)
        page.evaluate(PAUSE)


def saved_file(page, folder):
    with page.expect_download() as download:
        page.click("#save-labels")
    path = folder / download.value.suggested_filename
    download.value.save_as(path)
    return path


def items_of(page) -> list[int]:
    return [card["item"] for card in json.loads(page.text_content("#cards"))]


def test_what_is_judged_in_the_page_is_read_back(page, written, tmp_path):
    project, _ = written
    items = items_of(page)
    press(page, "2", "0", "n")
    page.keyboard.type("see section 3")
    press(page, "Escape", "3", "x", "z", "1")
    assert page.inner_text("#progress") == "4 of 6 pairs judged"
    assert "Not in a file yet" in page.inner_text("#countdown")
    path = saved_file(page, tmp_path)
    assert path.name == "labels-Ada.json"
    assert not page.locator("#countdown").is_visible()
    done = import_labels(project.service, path)
    assert (done.judge, done.new, done.repeated, done.stale) == ("Ada", 5, 0, 0)
    ada = project.service.judge_named("Ada")
    assert project.said(ada) == [
        (items[0], "label", 2.0),
        (items[1], "label", 0.0),
        (items[2], "label", 3.0),
        (items[3], "cannot", None),
        (items[3], "label", 1.0),
    ]
    assert project.service.card(ada.number, items[2]).note == "see section 3"


def test_the_browser_keeps_labels_until_the_page_is_opened_again(page, written, tmp_path):
    project, address = written
    items = items_of(page)
    press(page, "2", "1")
    open_page(page, address)
    assert page.inner_text("#progress") == "2 of 6 pairs judged"
    assert page.get_attribute("#card", "data-item") == str(items[2])
    press(page, "0", "0", "0", "3")
    assert page.locator("#nothing").is_visible()
    assert "Save your labels" in page.inner_text("#nothing-text")
    first = import_labels(project.service, saved_file(page, tmp_path))
    again = import_labels(project.service, saved_file(page, tmp_path))
    assert (first.new, again.new, again.repeated) == (6, 0, 6)
    assert [int(project.service.state.counts[item]) for item in items] == [1] * 6


@pytest.mark.parametrize("state", ["card", "whole text and guidelines", "everything judged"])
def test_no_rule_is_broken(chromium, written, state):
    context = chromium.new_context(bypass_csp=True, reduced_motion="reduce")
    page = context.new_page()
    open_page(page, written[1])
    press(page, *{"card": "", "whole text and guidelines": "i ", "everything judged": "000000"}[state])
    assert broken_rules(page) == {}
    context.close()
