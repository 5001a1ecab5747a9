"""A page before it is HTML: Markdown, with a few directives of MyST that plain Markdown does without."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import groupby
from typing import NamedTuple

DESCRIBED = 160
"""Characters that a search engine shows of a description."""

_DIRECTIVE = re.compile(r"^(`{3,})\{([\w:]+)\}([^\n]*)\n(.*?)^\1\n?", re.MULTILINE | re.DOTALL)
_ROLE = re.compile(r"\{[\w:]+\}`([^`<]+?)(?: <[^`>]*>)?`")
_PICTURE = re.compile(r"^<figure.*?</figure>\n?|^<iframe.*?</iframe>\n?", re.MULTILINE | re.DOTALL)
_MARKUP = (
    (re.compile(r"!\[[^\]]*\]\([^)]*\)"), ""),
    (re.compile(r"\[([^\]]*)\]\([^)]*\)"), r"\1"),
    (_ROLE, r"\1"),
    (re.compile(r"[`*]"), ""),
)


class Child(NamedTuple):
    """A page below another one, as the list at the side calls it."""

    title: str
    name: str
    caption: str = ""
    """What it stands under there."""


@dataclass(frozen=True)
class Page:
    """One page."""

    name: str
    """Its address, without an ending."""
    text: str
    origin: str = ""
    """The file it was read from, from the root of the repository, from which links are; none if the code made it."""
    children: tuple[Child, ...] = ()
    """The pages below it."""
    terms: tuple[str, ...] = ()
    """What else people search for who want this page."""

    @property
    def title(self) -> str:
        """Its heading."""
        found = re.search(r"^# (.+)$", self.text, re.MULTILINE)
        return bare(found[1]) if found else self.name

    @property
    def description(self) -> str:
        """Its first sentences, for search engines and lists."""
        return begun(first_paragraph(self.text) or f"{', '.join(child.title for child in self.children)}.")

    @property
    def plain(self) -> str:
        """The page as Markdown that every reader of Markdown shows."""
        return plain(self.text)

    @property
    def source(self) -> str:
        """The page as Sphinx reads it."""
        about = self.description.replace("\\", "\\\\").replace('"', '\\"')
        head = f'---\nmyst:\n  html_meta:\n    description: "{about}"\n---\n\n' if about else ""
        title, gap, rest = self.text.rstrip().partition("\n\n")
        known = dict.fromkeys(re.sub(r"[,;:!`]", " ", term).strip() for term in self.terms)
        terms = ", ".join(f"! {term}" for term in known)  # the mark has the search put this page first
        index = f"\n\n```{{index}} {terms}\n```" if terms else ""
        return "\n".join([f"{head}{title}{index}{gap}{rest}", *self._lists()]) + "\n"

    def _lists(self) -> Iterator[str]:
        for caption, children in groupby(self.children, key=lambda child: child.caption):
            lines = "".join(f"{child.title} </{child.name}>\n" for child in children)
            named = f":caption: {caption}\n" if caption else ""
            yield f"\n```{{toctree}}\n:hidden:\n{named}\n{lines}```"


def bare(text: str) -> str:
    """A line of Markdown without its markup.

    >>> bare("Read [`this`](that.md) *now*")
    'Read this now'
    """
    for markup, instead in _MARKUP:
        text = markup.sub(instead, text)
    return " ".join(text.split())


def begun(text: str, most: int = DESCRIBED) -> str:
    """The first sentences of a text that fit, or as many words as do.

    >>> begun("One two. Three is longer.", 12), begun("1. Never ending words", 15)
    ('One two.', '1. Never ending…')
    """
    if len(text) <= most:
        return text
    end = max(text.rfind(mark, 0, most) for mark in (". ", "? ", "! "))
    return text[: end + 1] if end > most / 3 else f"{text[: most + 1].rpartition(' ')[0]}…"


def first_paragraph(text: str) -> str:
    """The first paragraph that is no heading, list, table, picture or code."""
    blocks = re.sub(r"^(`{3,}).*?^\1$", "", text, flags=re.MULTILINE | re.DOTALL).split("\n\n")
    spoken = (bare(block) for block in blocks if not re.match(r"\s*([#<|!>]|- |\d+\. |Decision \d)", block))
    return next((block for block in spoken if block), "")


def plain(text: str) -> str:
    """Markdown without directives of MyST.

    >>> print(plain("{py:obj}`name <a.name>`\\n\\n```{math}\\nx\\n```\\n\\n```{option} --places N\\nDigits.\\n```\\n"))
    `name`
    <BLANKLINE>
    ```math
    x
    ```
    <BLANKLINE>
    - `--places N`: Digits.
    <BLANKLINE>
    """
    while _DIRECTIVE.search(text):
        text = _DIRECTIVE.sub(_undirected, text)
    return _PICTURE.sub("", _ROLE.sub(r"`\1`", text))


def _undirected(directive: re.Match[str]) -> str:
    _, kind, argument, body = directive.groups()
    if kind == "math":
        return f"```math\n{body}```\n"
    if kind == "option":
        return f"- `{argument.strip()}`: {body.strip()}\n"
    if kind.startswith("py:") and body.strip():
        return f"#### `{argument.strip()}`\n\n{body.strip()}\n"
    return ""
