"""Pasted messages are found by what the messages of the pages say, each with its place there."""

import json

from tools.site.error_pages import messages
from tools.site.message_search import FILE


def _searched(site):
    text = (site / FILE).read_text(encoding="utf-8")
    return json.loads(text.removeprefix("const MESSAGES = ").removesuffix(";\n"))


def test_every_message_is_found_with_a_place_that_its_page_has(site):
    searched = _searched(site)
    assert {message.text for message in messages()} <= {text for _, _, _, text in searched}
    pages = {page: (site / f"{page}.html").read_text(encoding="utf-8") for page, _, _, _ in searched}
    for page, place, _, _ in searched:
        assert f'id="{place}"' in pages[page], (page, place)


def test_the_place_of_a_message_is_where_it_stands(site):
    (place,) = {place for _, place, _, text in _searched(site) if "5 columns where a TREC run has 6" in text}
    _, _, after = (site / "errors" / "files.html").read_text(encoding="utf-8").partition(f'id="{place}"')
    assert "5 columns where a TREC run has 6" in after.partition("<section")[0]
