"""The page as one HTML file: template, style, code and data, and a policy that lets nothing else run."""

from __future__ import annotations

import base64
import hashlib
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

from cranfield.errors import UsageError
from cranfield.measures import Measure
from cranfield.report.page.contents import Contents, of_measure
from cranfield.report.page.embedding import packed, ten_thousandths
from cranfield.report.page.systems import View
from cranfield.report.page.visible import shortened, visible
from cranfield.report.page.words import counted
from cranfield.results import Results
from cranfield.table import finite

if TYPE_CHECKING:
    from jinja2 import Environment

HERE = Path(__file__).parent
SCRIPTS = (
    "bundle.js",
    "text.js",
    "state.js",
    "selection.js",
    "drawing.js",
    "scatter.js",
    "differences.js",
    "grid.js",
    "controls.js",
    "keys.js",
    "start.js",
)
"""The page's code, one file after the other."""
SCORES = 400_000
"""Characters that every query's scores may take in full precision; of more, four decimals are kept."""


def page(contents: Contents) -> str:
    """The whole page."""
    style, script = (HERE / "page.css").read_text(encoding="utf-8"), _script()
    data, precision = _data(contents)
    return part(
        "page.html",
        shown=contents,
        style=style,
        script=script,
        policy=_policy(style, script),
        sections=_sections(contents),
        counts=_counts(contents),
        pair=_pair(contents),
        data=data,
        precision=precision,
    )


def fragment(contents: Contents) -> str:
    """The parts that need no code, for a notebook."""
    return part("notebook.html", shown=contents)


def part(name: str, **values: Any) -> str:
    """One part of the page, as it stands there once something was chosen."""
    return _templates().get_template(name).render(**values)


def _data(contents: Contents) -> tuple[dict[str, str], str]:
    """What the page's code works with, and how exact its scores are, in words."""
    scores, precision = _scores(contents.results)
    return {"summary": packed(_summary(contents)), "scores": scores}, precision


def _scores(results: Results) -> tuple[str, str]:
    columns = {str(at): results.scores(measure).ravel() for at, measure in enumerate(results.measures)}
    exact = packed(None, columns)
    if len(exact) <= SCORES:
        return exact, "Scores are kept in full precision."
    rounded = {
        name: ten_thousandths(column) if _is_share(measure) else column
        for (name, column), measure in zip(columns.items(), results.measures, strict=True)
    }
    return packed(None, rounded), "There are very many scores; they are kept with four decimals."


def _is_share(measure: Measure) -> bool:
    low, high = measure.bounds
    return bool(low >= 0 and high <= 1)


def _summary(contents: Contents) -> dict[str, Any]:
    results = contents.results
    position = {name: at for at, name in enumerate(results.runs)}
    return {
        "systems": list(results.runs),
        "queries": list(results.queries),
        "texts": None,
        "tie": contents.plan.tie if contents.plan else 0.0,
        "measures": [_facts(measure) for measure in results.measures],
        "baselines": [position[name] for name in contents.baselines],
        "first": {
            "measure": 0,
            "baseline": position[contents.baselines[0]] if contents.baselines else -1,
            "run": position[contents.runs[0]] if contents.runs else 0,
        },
        "views": [[_view(contents, shown) for shown in of_measure(contents, m)] for m in results.measures],
    }


def _facts(measure: Measure) -> dict[str, Any]:
    low, high = (finite(bound) for bound in measure.bounds)
    return {"name": str(measure), "lower": measure.definition.lower_is_better, "low": low, "high": high}


def _view(contents: Contents, shown: View) -> dict[str, Any]:
    parts = {name: part(f"{name}.html", view=shown) for name in ("verdict", "systems", "effects", "notes")}
    runs = contents.results.runs if shown.baseline else ()
    pairs = [contents.pairs.get((str(shown.measure), str(shown.baseline), run)) for run in runs]
    return {**parts, "copies": shown.copies, "pairs": [pair.sentence if pair else None for pair in pairs]}


def _sections(contents: Contents) -> list[tuple[str, str]]:
    """What the page's own menu leads to."""
    return [
        ("verdict", "Verdict"),
        ("data", "Data"),
        ("systems", "Systems"),
        ("effects", "How far apart" if contents.baselines else "How sure"),
        ("queries", "Queries"),
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
