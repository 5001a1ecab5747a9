"""What the search finds pasted messages by: each with its place, for `scorer.js`."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path

from tools.site.error_pages import ARGUMENTS, address, arguments, heading, messages, title

FILE = "_static/messages.js"

_PLACE = re.compile(r'<section id="([^"]+)">\s*(?:<span id="[^"]*"></span>)*<h2>')


def write_messages(html: Path) -> None:
    """Write all messages next to the search, which needs the pages that were built: only there are places known."""
    path = html / FILE
    path.write_text(f"const MESSAGES = {json.dumps([*searched(html)], ensure_ascii=False)};\n", encoding="utf-8")


def searched(html: Path) -> Iterator[tuple[str, str, str, str]]:
    """Of each message its page, its place there, what the search calls it and its text."""
    places: dict[str, Iterator[str]] = {}
    for message in messages():
        page = address(message.module)
        place = next(places.setdefault(page, _places(html / f"{page}.html")))
        yield page, place, f"{title(message.module)} > {heading(message)}", message.text
    for place, (package, texts) in zip(_places(html / f"{ARGUMENTS}.html"), arguments().items(), strict=True):
        for text in texts:
            yield ARGUMENTS, place, f"Arguments > {package}", re.sub(r"\\(.)", r"\1", text)


def _places(path: Path) -> Iterator[str]:
    """The places of the headings of a page, in order."""
    yield from _PLACE.findall(path.read_text(encoding="utf-8"))
