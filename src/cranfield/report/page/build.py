"""The page as one HTML file: template, style, code and data, and a policy that lets nothing else run."""

from __future__ import annotations

import base64
import hashlib
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

from cranfield.errors import UsageError
from cranfield.report.page.contents import Contents
from cranfield.report.page.visible import shortened, visible
from cranfield.report.page.words import counted

if TYPE_CHECKING:
    from jinja2 import Environment

HERE = Path(__file__).parent
SCRIPTS = ("bundle.js", "text.js")
"""The page's code, one file after the other."""


def page(contents: Contents) -> str:
    """The whole page."""
    style, script = (HERE / "page.css").read_text(encoding="utf-8"), _script()
    return (
        _templates()
        .get_template("page.html")
        .render(
            shown=contents,
            style=style,
            script=script,
            policy=_policy(style, script),
            sections=_sections(contents),
            counts=_counts(contents),
            pair=_pair(contents),
        )
    )


def fragment(contents: Contents) -> str:
    """The parts that need no code, for a notebook."""
    return _templates().get_template("notebook.html").render(shown=contents)


def part(name: str, **values: Any) -> str:
    """One part of the page, as it stands there once something was chosen."""
    return _templates().get_template(name).render(**values)


def _sections(contents: Contents) -> list[tuple[str, str]]:
    """What the page's own menu leads to."""
    return [
        ("verdict", "Verdict"),
        ("data", "Data"),
        ("systems", "Systems"),
        ("effects", "How far apart" if contents.baselines else "How sure"),
        ("method", "Method"),
    ]


def _counts(contents: Contents) -> str:
    results = contents.results
    judgments = results.judgments.get("judgments")
    return " · ".join(
        [
            counted(len(results.runs), "system"),
            counted(len(results.queries), "query", "queries"),
            *([counted(judgments, "judgment")] if judgments else []),
            ", ".join(str(measure) for measure in results.measures),
        ]
    )


def _pair(contents: Contents) -> str:
    """The sentence about the two systems that are chosen at first, where the verdict is about more."""
    if len(contents.runs) < 2:
        return ""
    return contents.pairs[str(contents.first.measure), contents.baselines[0], contents.runs[0]].sentence


def _policy(style: str, script: str) -> str:
    """Only this style and this code: nothing from elsewhere, and nothing that came with the data."""
    return (
        f"default-src 'none'; script-src {_hash(script)}; style-src {_hash(style)}; base-uri 'none'; form-action 'none'"
    )


def _hash(text: str) -> str:
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"


@cache
def _script() -> str:
    parts = [(HERE / "script" / name).read_text(encoding="utf-8") for name in SCRIPTS]
    return '"use strict";\n(() => {\n' + "\n".join(parts) + "\n})();"


@cache
def _templates() -> Environment:
    try:
        jinja2 = import_module("jinja2")
    except ModuleNotFoundError:
        raise UsageError(
            'A report needs the package jinja2, which is not installed: pip install "cranfield[report]".'
        ) from None
    environment: Environment = jinja2.Environment(
        loader=jinja2.FileSystemLoader(HERE / "templates"),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=False,
    )
    environment.filters["seen"] = lambda text: shortened(visible(str(text)))
    environment.filters["text"] = lambda text: visible(str(text))
    environment.filters["thousands"] = lambda count: f"{count:,}"
    return environment
