"""What pages are made of: templates in which names and texts appear as text, and the style and code that all share."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

from cranfield.phrases import counted
from cranfield.show.table import shortened
from cranfield.show.web_text import begun, isolated, visible

if TYPE_CHECKING:
    from jinja2 import Environment


LONGEST_NAME = 120
"""Characters of a name in a page; of a longer one its ends."""


def environment(folder: Path) -> Environment:
    """The templates of a folder, with the filters that all pages share."""
    from jinja2 import Environment, FileSystemLoader, StrictUndefined

    templates = Environment(
        loader=FileSystemLoader(folder),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    templates.filters["seen"] = lambda text: shortened(visible(str(text)), LONGEST_NAME)
    templates.filters["begun"] = lambda text: begun(visible(str(text)), 160)
    templates.filters["prose"] = _prose
    templates.filters["text"] = lambda text: visible(str(text))
    templates.filters["code"] = lambda text: "\n".join(map(visible, str(text).split("\n")))
    templates.filters["count"] = counted
    templates.filters["thousands"] = lambda count: f"{count:,}"
    return templates


def _prose(text: object) -> Any:
    """A sentence with its names as they are written, whatever the direction of their script; commands are code."""
    from markupsafe import Markup

    pieces = []
    for at, piece in enumerate(_COMMAND.split(visible(str(text)))):
        parts = [(piece, "<code>{}</code>")] if at % 2 else [(part, _PARTS[turned]) for part, turned in isolated(piece)]
        pieces += [Markup(form).format(part) for part, form in parts]
    return Markup("").join(pieces)


_COMMAND = re.compile(r"`((?:cranfield |--)[^`]+)`")
_PARTS = {True: "<bdi>{}</bdi>", False: "{}"}


def asset(name: str) -> str:
    """A file of style or code that all pages share."""
    return (Path(__file__).parent / "page" / name).read_text(encoding="utf-8")


def joined_script(*parts: str) -> str:
    """Code of a page, one part after the other, whose names are its own."""
    return '"use strict";\n(() => {\n' + "\n".join(parts) + "\n})();"
