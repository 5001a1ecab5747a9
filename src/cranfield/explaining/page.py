"""Sections of prose and tables, shown on a terminal, in Markdown or in a notebook."""

from __future__ import annotations

import html as markup
import textwrap
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from cranfield.show.table import NOTE_WIDTH, Table, literal


class Section(NamedTuple):
    """A title, perhaps a table, and lines before and after it."""

    title: str
    before: Sequence[str] = ()
    table: Table | None = None
    after: Sequence[str] = ()


def text(sections: Iterable[Section], width: int) -> str:
    """Sections below each other, for a terminal; sentences are no wider than reads well."""
    room = min(width, NOTE_WIDTH)
    return "\n\n".join("\n".join(_lines(section, room)) for section in sections)


def markdown(sections: Iterable[Section]) -> str:
    """Sections with headings, for a README or a pull request."""
    blocks: list[str] = []
    for title, before, table, after in sections:
        shown = [table.markdown().rstrip()] if table else []
        blocks += [f"### {literal(title)}", *before, *shown, *after]
    return "\n\n".join(blocks) + "\n"


def html(sections: Iterable[Section]) -> str:
    """Sections with headings, for a notebook."""
    blocks: list[str] = []
    for title, before, table, after in sections:
        blocks.append(f"<h4>{markup.escape(title)}</h4>")
        blocks += (f"<p>{markup.escape(line)}</p>" for line in before)
        blocks += [table.html()] if table else []
        blocks += (f"<p>{markup.escape(line)}</p>" for line in after)
    return f"<div>{''.join(blocks)}</div>"


def _lines(section: Section, width: int) -> Iterator[str]:
    yield _wrapped(section.title, width)
    for line in section.before:
        yield _wrapped(line, width)
    if section.table:
        yield ""
        yield section.table.text()
    if section.table and section.after:
        yield ""
    for line in section.after:
        yield _wrapped(line, width, indent="  ")


def _wrapped(line: str, width: int, indent: str = "") -> str:
    return textwrap.fill(line, width, subsequent_indent=indent, break_long_words=False, break_on_hyphens=False)
