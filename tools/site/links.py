"""Links between files of the repository, as links between pages of the site."""

from __future__ import annotations

import os
import posixpath
import re
from collections.abc import Callable

from tools.site.listing import ROOT, inside

_FENCE = re.compile(r"^( *)(`{3,}).*?^\1\2 *$", re.MULTILINE | re.DOTALL)
_LINK = re.compile(r"`[^`\n]+`|(!?\[(?:[^\[\]`]|`[^`\n]*`|\[[^\]]*\])*\])\(([^)\s]+)\)")
"""A link, or code, in which nothing is a link."""

MADE = "site:"
"""Before the address of a page that is made of the code, in a link to it."""

Where = Callable[[str, str], str | None]
"""The page, with its anchor, of a file and an anchor in it; nothing where there is none."""


def relinked(text: str, origin: str, name: str, where: Where) -> str:
    """A page whose links, written from its file, lead to pages; code stays as it is.

    >>> relinked("[a](b.md#c) [d](http://e) `[f](g)`", "docs/a.md", "deep/a", lambda path, anchor: f"h#{anchor}")
    '[a](../h.md#c) [d](http://e) `[f](g)`'
    """
    done, begin = [], 0
    for fence in _FENCE.finditer(text):
        done += [_in_prose(text[begin : fence.start()], origin, name, where), fence[0]]
        begin = fence.end()
    return "".join([*done, _in_prose(text[begin:], origin, name, where)])


def _in_prose(text: str, origin: str, name: str, where: Where) -> str:
    return _LINK.sub(lambda link: _relinked(link, origin, name, where) if link[1] else link[0], text)


def _relinked(link: re.Match[str], origin: str, name: str, where: Where) -> str:
    text, target = link.groups()
    if target.startswith(MADE):
        return f"{text}({from_page(name, target.removeprefix(MADE))}.md)"
    if re.match(r"\w+:|//", target):
        return link[0]
    path, _, anchor = target.partition("#")
    file = inside(ROOT / posixpath.dirname(origin) / path) if path else origin
    found = where(file, anchor)
    if found is None:
        return text[1:-1] if not text.startswith("!") else ""
    page, _, part = found.partition("#")
    address = from_page(name, page if posixpath.splitext(page)[1] else f"{page}.md")
    return f"{text}({address}{'#' + part if part else ''})"


def from_page(name: str, target: str) -> str:
    """The address of a file from a page.

    >>> from_page("measures/ndcg", "rag.md"), from_page("index", "rag.md")
    ('../rag.md', 'rag.md')
    """
    return os.path.relpath(target, posixpath.dirname(name) or ".")
