"""The page as one HTML file: templates, style, code and data, and a policy that lets nothing else run."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any

from cranfield import errors
from cranfield.errors import Findings, UsageError
from cranfield.formats.documents import read_documents
from cranfield.measures import Measure
from cranfield.reporting.contents import Contents, spread, summary_of
from cranfield.reporting.embedding import packed, ten_thousandths
from cranfield.reporting.lists import DEPTH, Rankings, fitting
from cranfield.reporting.systems import View
from cranfield.reporting.texts import known, packed_texts, wanted
from cranfield.reporting.visible import shortened, visible
from cranfield.reporting.words import counted
from cranfield.reporting.working import working
from cranfield.scores import Scores
from cranfield.settings import Settings
from cranfield.show.table import finite

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
    "lists.js",
    "working.js",
    "query.js",
    "keys.js",
    "start.js",
)
"""The page's code, one file after the other."""
SCORES = 400_000
"""Characters that every query's scores may take in full precision; of more, four decimals are kept."""
SIZE = 1_000_000
"""Characters of the page up to which lists are as long as was asked for, texts of documents aside."""
TEXTS = 8_000_000
"""Characters that texts of documents may take."""
SLACK = 2_000


@dataclass(frozen=True)
class Detail:
    """What there is to see of documents."""

    documents: object = None
    """Whatever `read_documents` reads."""
    depth: int = DEPTH
    size: int = SIZE


def page(contents: Contents, detail: Detail) -> str:
    """The whole page."""
    scores, precision = _scores(contents.results)
    summary = _summary(contents, exact=precision == EXACT)
    data = {"summary": packed(summary), "scores": scores}
    bare = _rendered(contents, data, [precision])
    of_lists, told = _lists(contents, detail, detail.size - len(bare) - SLACK)
    return _rendered(contents, {**data, **of_lists}, [precision, *told])


def _rendered(contents: Contents, data: Mapping[str, str], told: list[str]) -> str:
    style, script = (HERE / "page.css").read_text(encoding="utf-8"), _script()
    return part(
        "page.html",
        shown=contents,
        style=style,
        script=script,
        policy=_policy(style, script),
        sections=_sections(contents),
        summary=summary_of(contents.results),
        pair=_pair(contents),
        data=data,
        told=told,
    )


def fragment(contents: Contents) -> str:
    """The parts that need no code, for a notebook."""
    style = (HERE / "notebook.css").read_text(encoding="utf-8")
    return part("notebook.html", shown=contents, pair=_pair(contents), style=style)


def part(name: str, **values: Any) -> str:
    """One part of the page, as it stands there once something was chosen."""
    return _templates().get_template(name).render(**values)


EXACT = "Scores are kept in full precision."


def _scores(results: Scores) -> tuple[str, str]:
    """Every query's scores, and how exact they are, in words."""
    columns = {str(at): results.settled(measure).ravel() for at, measure in enumerate(results.measures)}
    exact = packed(None, columns)
    if len(exact) <= SCORES:
        return exact, EXACT
    rounded = {
        name: ten_thousandths(column) if _is_share(measure) else column
        for (name, column), measure in zip(columns.items(), results.measures, strict=True)
    }
    return packed(None, rounded), "There are very many scores; they are kept with four decimals."


def _is_share(measure: Measure) -> bool:
    low, high = measure.bounds
    return bool(low >= 0 and high <= 1)


def _lists(contents: Contents, detail: Detail, room: int) -> tuple[dict[str, str], list[str]]:
    """Ranked lists and texts as they fit, and what is to be told about them."""
    evaluated = contents.results.detail
    if evaluated is None or not evaluated.sources or detail.depth < 1:
        return {}, []
    rankings = Rankings(contents.results, detail.depth)
    lists, packed_lists = fitting(rankings, max(room, 0), spread(contents.results))
    told = [_told(len(lists.of), len(contents.results.queries), lists.depth, detail.depth, contents)]
    if not lists.of:
        return {}, told
    found = {"lists": packed_lists}
    if detail.documents is not None:
        findings = Findings()
        documents = read_documents(detail.documents, wanted(lists), findings=findings)
        if not documents:
            path = str(detail.documents) if isinstance(detail.documents, str | PathLike) else None
            raise errors.pooling.texts_never_meet("documents", path, sorted(wanted(lists)), "the rankings")
        told += map(str, findings.warnings)
        queries = {at: contents.texts[at] for at in lists.of} if contents.texts else {}
        texts = packed_texts(lists, documents, queries, TEXTS)
        with_text, listed = known(lists, documents)
        if texts is None:
            told.append(
                f"The texts of {counted(with_text, 'document')} would make the page too large and are left out."
            )
        else:
            found["documents"] = texts
            told.append(f"Of {counted(listed, 'document')} that are listed, {with_text:,} have a text.")
    return found, told


def _told(having: int, queries: int, depth: int, asked: int, contents: Contents) -> str:
    measure = contents.results.measures[0]
    shorter = f", and not {asked} as asked for, to keep the page small" if depth < asked else ""
    if having == queries:
        return f"Ranked lists hold the first {counted(depth, 'document')}{shorter}."
    return (
        f"Ranked lists hold the first {counted(depth, 'document')} of the {counted(having, 'query', 'queries')} whose "
        f"{measure} differs most between systems; those of {queries - having:,} more would make the page too large. "
        "Ask for a larger page with --size."
    )


def _summary(contents: Contents, *, exact: bool) -> dict[str, Any]:
    results = contents.results
    position = {name: at for at, name in enumerate(results.runs)}
    grades = [] if results.detail is None else sorted(set(results.detail.judgments.grades.tolist()))
    paths = [about.path for about in results.provenance.runs]
    return {
        "systems": list(results.runs),
        "queries": list(results.queries),
        "texts": contents.texts,
        "exact": exact,
        "tie": contents.plan.tie if contents.plan else 0.0,
        "measures": [_facts(measure, grades, results.settings) for measure in results.measures],
        "baselines": [position[name] for name in contents.baselines],
        "first": {
            "measure": 0,
            "baseline": position[contents.baselines[0]] if contents.baselines else -1,
            "run": position[contents.runs[0]] if contents.runs else 0,
        },
        "views": [[_view(contents, shown) for shown in contents.under(measure)] for measure in results.measures],
        "slices": _slices(contents),
        "sliced": [
            [
                part("slices.html", found=contents.sliced[str(measure), run])
                if (str(measure), run) in contents.sliced
                else None
                for run in results.runs
            ]
            for measure in results.measures
        ],
        "files": {"judgments": results.provenance.judgments.path, "runs": paths},
        "withoutLists": contents.absent.get(
            "lists", "This query's lists are not in the page, to keep it small; --size MB allows for a larger one."
        ),
    }


def _slices(contents: Contents) -> dict[str, Any]:
    """Which slice each query is in, by column."""
    found = {}
    for column, members in contents.members.items():
        number = {query: at for at, queries in enumerate(members.values()) for query in queries}
        found[column] = {"values": list(members), "of": [number[query] for query in contents.results.queries]}
    return found


def _facts(measure: Measure, grades: list[float], settings: Settings) -> dict[str, Any]:
    low, high = (finite(bound) for bound in measure.bounds)
    lower = measure.definition.lower_is_better
    sums = working(measure, grades, settings) if grades else None
    whole = measure.definition.mean == "sum"
    return {"name": str(measure), "lower": lower, "low": low, "high": high, "whole": whole, "working": sums}


def _view(contents: Contents, shown: View) -> dict[str, Any]:
    parts = {name: part(f"{name}.html", view=shown) for name in ("verdict", "systems", "effects", "notes")}
    runs = contents.results.runs if shown.baseline else ()
    pairs = [contents.sentences.get((str(shown.measure), str(shown.baseline), run)) for run in runs]
    return {**parts, "copies": shown.copies, "pairs": pairs}


def _sections(contents: Contents) -> list[tuple[str, str]]:
    """What the page's own menu leads to."""
    return [
        ("verdict", "Verdict"),
        ("data", "Data"),
        ("systems", "Systems"),
        ("effects", "How far apart" if contents.baselines else "How sure"),
        ("queries", "Queries"),
        *([("slices", "Slices"), ("robustness", "Does it hold?")] if contents.baselines else []),
        ("curves", "Curves"),
        ("method", "Method"),
    ]


def _pair(contents: Contents) -> str:
    """The sentence about the two systems that are chosen at first, where the verdict is about more."""
    if len(contents.runs) < 2:
        return ""
    return contents.sentences[str(contents.first.measure), contents.baselines[0], contents.runs[0]]


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
    )
    environment.filters["seen"] = lambda text: shortened(visible(str(text)))
    environment.filters["text"] = lambda text: visible(str(text))
    environment.filters["thousands"] = lambda count: f"{count:,}"
    return environment
