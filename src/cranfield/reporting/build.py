"""The page as one HTML file: templates, style, code and data, and a policy that lets nothing else run."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Sequence
from functools import cache
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any

from cranfield import errors
from cranfield.errors import Findings
from cranfield.evaluating.scores import Scores
from cranfield.evaluating.settings import Settings
from cranfield.formats.documents import read_documents
from cranfield.measures import Measure
from cranfield.phrases import counted
from cranfield.reporting.contents import WITHOUT_LISTS, PageContents, queries_by_spread, summary_of
from cranfield.reporting.embedding import packed, ten_thousandths
from cranfield.reporting.lists import RankedLists, Rankings, fitting
from cranfield.reporting.method import paths_of
from cranfield.reporting.systems import SystemsView
from cranfield.reporting.texts import known, packed_texts, wanted
from cranfield.show.table import finite
from cranfield.show.templates import asset, environment, joined_script

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
"""Characters that every query's scores may take in full precision; beyond that they have four decimals."""
TEXTS = 8_000_000
"""Characters that texts of documents may take."""
SLACK = 2_000


def page(contents: PageContents) -> str:
    """The whole page: rendered once, then the data are put where they belong, as much as there is room for."""
    scores, precision = _scores(contents.results)
    shell = _shell(contents)
    data = {"summary": packed(_summary(contents, exact=precision == EXACT)), "scores": scores}
    room = contents.asked.size - len(shell) - sum(map(len, data.values())) - SLACK
    lists, notes = _lists(contents, room)
    with_notes = shell.replace(NOTES, part("data_notes.html", notes=[precision, *notes, *contents.absent]), 1)
    return with_notes.replace(DATA, part("data.html", data={**data, **lists}), 1)


NOTES, DATA = "<!-- notes about the data -->", "<!-- the data -->"
"""What stands in the page in their place; names and texts cannot spell it, for `<` is escaped there."""


def _shell(contents: PageContents) -> str:
    """The page without its data."""
    style, script = asset("base.css") + (HERE / "page.css").read_text(encoding="utf-8"), _script()
    return part(
        "page.html",
        shown=contents,
        style=style,
        script=script,
        policy=_policy(style, script),
        sections=_sections(contents),
        summary=summary_of(contents.results),
        pair=_pair(contents),
        notes=NOTES,
        data=DATA,
    )


def fragment(contents: PageContents) -> str:
    """The parts that need no code, for a notebook."""
    style = (HERE / "notebook.css").read_text(encoding="utf-8")
    return part("notebook.html", shown=contents, pair=_pair(contents), style=style)


def part(name: str, **values: Any) -> str:
    """One part of the page, as it stands there once something was chosen."""
    return _templates().get_template(name).render(**values)


EXACT = "Scores are stored in full precision."


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
    return packed(None, rounded), "Scores are stored with four decimals, to limit the size of the page."


def _is_share(measure: Measure) -> bool:
    low, high = measure.bounds
    return bool(low >= 0 and high <= 1)


def _lists(contents: PageContents, room: int) -> tuple[dict[str, str], list[str]]:
    """Ranked lists and texts as they fit, and notes about them."""
    asked, evaluated = contents.asked, contents.results.detail
    if evaluated is None or not evaluated.sources or asked.depth_shown < 1:
        return {}, []
    rankings = Rankings(contents.results, int(asked.depth_shown))
    lists, packed_lists = fitting(rankings, max(room, 0), queries_by_spread(contents.results))
    notes = [_list_note(lists, contents)]
    if not lists.of:
        return {}, notes
    data = {"lists": packed_lists}
    if asked.documents is not None:
        findings = Findings()
        documents = read_documents(asked.documents, wanted(lists), findings=findings)
        if not documents:
            path = str(asked.documents) if isinstance(asked.documents, str | PathLike) else None
            raise errors.document_texts.texts_never_meet("documents", path, sorted(wanted(lists)), "the rankings")
        notes += [contents.names.in_text(str(warning)) for warning in findings.warnings]
        queries = {at: contents.texts[at] for at in lists.of} if contents.texts else {}
        texts = packed_texts(lists, documents, queries, TEXTS)
        with_text, listed = known(lists, documents)
        if texts is None:
            notes.append(f"The texts of {counted(with_text, 'document')} are left out: they are too large for a page.")
        else:
            data["documents"] = texts
            notes.append(f"{with_text:,} of {counted(listed, 'listed document')} have a text.")
    return data, notes


def _list_note(lists: RankedLists, contents: PageContents) -> str:
    results, asked = contents.results, contents.asked.depth_shown
    first = f"Ranked lists show the first {counted(lists.depth, 'document')}"
    if len(lists.of) == len(results.queries):
        return f"{first}{f' instead of {asked}, to limit the size of the page' if lists.depth < asked else ''}."
    left_out = counted(len(results.queries) - len(lists.of), "query")
    return (
        f"{first} for the {counted(len(lists.of), 'query')} whose {results.measures[0]} differs most between systems; "
        f"those of {left_out} would make the page too large."
    )


def _summary(contents: PageContents, *, exact: bool) -> dict[str, Any]:
    results = contents.results
    position = {name: at for at, name in enumerate(results.runs)}
    grades = [] if results.detail is None else sorted(set(results.detail.judgments.grades.tolist()))
    judgments, *runs = (path and contents.names.of(path) for path in paths_of(results))
    return {
        "systems": list(results.runs),
        "queries": list(results.queries),
        "texts": contents.texts,
        "exact": exact,
        "tie": contents.choices.tie_margin if contents.choices else 0.0,
        "measures": [_facts(measure, grades, results.settings) for measure in results.measures],
        "baselines": [position[name] for name in contents.baselines],
        "first": {
            "measure": 0,
            "baseline": position[contents.baselines[0]] if contents.baselines else -1,
            "run": position[contents.runs[0]] if contents.runs else 0,
        },
        "views": [[_view(contents, shown) for shown in contents.under(measure)] for measure in results.measures],
        "failing": [part("failing.html", failing=contents.failing[str(measure)]) for measure in results.measures],
        "slices": _slices(contents),
        "sliced": [
            [
                part("slices.html", columns=contents.sliced[str(measure), run])
                if (str(measure), run) in contents.sliced
                else None
                for run in results.runs
            ]
            for measure in results.measures
        ],
        "files": {"judgments": judgments, "runs": runs},
        "withoutLists": WITHOUT_LISTS
        if results.detail is None
        else "The ranked lists of this query are not included, to limit the size of the page.",
    }


def _slices(contents: PageContents) -> dict[str, Any]:
    """Which slice each query is in, by column."""
    slices = {}
    for column, members in contents.members.items():
        number = {query: at for at, queries in enumerate(members.values()) for query in queries}
        slices[column] = {"values": list(members), "of": [number[query] for query in contents.results.queries]}
    return slices


def _facts(measure: Measure, grades: list[float], settings: Settings) -> dict[str, Any]:
    low, high = (finite(bound) for bound in measure.bounds)
    lower = measure.definition.lower_is_better
    sums = working(measure, grades, settings) if grades else None
    whole = measure.definition.mean == "sum"
    return {"name": str(measure), "lower": lower, "low": low, "high": high, "whole": whole, "working": sums}


def _view(contents: PageContents, shown: SystemsView) -> dict[str, Any]:
    parts = {name: part(f"{name}.html", view=shown) for name in ("verdict", "systems", "effects", "notes")}
    runs = contents.results.runs if shown.baseline else ()
    pairs = [contents.sentences.get((str(shown.measure), str(shown.baseline), run)) for run in runs]
    return {**parts, "copies": shown.copies, "pairs": pairs}


def _sections(contents: PageContents) -> list[tuple[str, str]]:
    """The sections of the page's menu; what is empty has none."""
    shown = {
        "verdict": "Verdict",
        "systems": "Results",
        "effects": "Differences" if contents.baselines else "Mean",
        "queries": "Queries",
        "slices": "Slices" if contents.sliced else "",
        "robustness": "Robustness" if contents.robustness else "",
        "curves": "Curves" if contents.curves else "",
        "data": "Data",
        "method": "Method",
        "download": "Download",
    }
    return [(id_, name) for id_, name in shown.items() if name]


def _pair(contents: PageContents) -> str:
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
    return joined_script(asset("elements.js"), *parts)


@cache
def _templates() -> Environment:
    return environment(HERE / "templates")


def working(measure: Measure, grades: Sequence[float], settings: Settings) -> dict[str, Any] | None:
    """The kind of sum behind a measure and what is in it; nothing where `cranfield explain` must be asked.

    >>> from cranfield import parse
    >>> working(parse("AP"), [0.0, 1.0], Settings())
    {'kind': 'precision', 'cutoff': None, 'rel': 1}
    >>> working(parse("P(norm=retrieved)@5"), [0.0, 1.0], Settings()) is None
    True
    """
    params = measure.params
    if params["judged_only"] or settings.judged_only or settings.depth or settings.unjudged_grade is not None:
        return None
    spec = {"cutoff": params.get("cutoff")}
    match measure.name:
        case "nDCG" | "DCG" if params["discount"] == "log2" and params.get("ideal", "judged") == "judged":
            gains = _gains(params["gain"], grades)
            return {"kind": "gain", **spec, "gains": gains, "normalised": measure.name == "nDCG"}
        case "AP" if params["norm"] == "relevant":
            return {"kind": "precision", **spec, "rel": params["rel"]}
        case "RR":
            return {"kind": "first", **spec, "rel": params["rel"]}
        case "P" | "R" if params.get("norm") != "retrieved":
            over = "cutoff" if measure.name == "P" else "relevant"
            return {"kind": "count", **spec, "rel": params["rel"], "over": over}
        case _:
            return None


def _gains(gain: Any, grades: Sequence[float]) -> list[float]:
    if gain == "linear":
        return [max(grade, 0.0) for grade in grades]
    if gain == "exponential":
        return [2.0**grade - 1 if grade > 0 else 0.0 for grade in grades]
    named = dict(gain)
    return [float(named.get(grade, grade)) for grade in grades]
