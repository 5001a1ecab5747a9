"""How the numbers came about, so that anyone can make them again."""

from __future__ import annotations

import platform
import shlex
from collections.abc import Iterator, Mapping
from dataclasses import asdict
from typing import Any, NamedTuple

import numpy as np

from cranfield.catalogue import Entry, plain
from cranfield.comparing.differences import CORRECTIONS, INTERVALS, TESTS, Plan
from cranfield.errors.phrases import TIE_ORDERS
from cranfield.measures import Measure
from cranfield.reporting.words import counted
from cranfield.scores import Scores
from cranfield.settings import Settings
from cranfield.version import VERSION

_LETTERS = {"rel": "-l", "depth": "-M"}
"""Settings of an evaluation that the command takes, beside `-J`."""


class Defined(NamedTuple):
    """One measure as its definition has it."""

    name: str
    summary: str
    formula: str
    range: str
    cite: str
    undefined: str


class Method(NamedTuple):
    """How the numbers came about."""

    command: str
    """What gives this page again: in a shell, or else in Python."""
    is_python: bool
    versions: tuple[tuple[str, str], ...]
    choices: tuple[tuple[str, str], ...]
    definitions: tuple[Defined, ...]
    files: tuple[tuple[str, str], ...]
    """Every file that was read and a hash of its bytes, of judgments a hash of what they say."""


def method(results: Scores, plan: Plan | None, asked: Mapping[str, Any], *, every_pair: bool = False) -> Method:
    """How the numbers came about; `asked` is what was said to the report beside the plan, by option."""
    command, is_python = _command(results, plan, asked)
    return Method(
        command=command,
        is_python=is_python,
        versions=_versions(plan),
        choices=tuple(_choices(results, plan, every_pair)),
        definitions=tuple(
            _defined(measure, undefined) for measure, undefined in zip(results.measures, results.undefined, strict=True)
        ),
        files=tuple(_files(results)),
    )


def _versions(plan: Plan | None) -> tuple[tuple[str, str], ...]:
    versions = [("cranfield", VERSION), ("Python", platform.python_version()), ("NumPy", np.__version__)]
    if plan is not None:
        import scipy

        versions.append(("SciPy", scipy.__version__))
    return tuple(versions)


def _choices(results: Scores, plan: Plan | None, every_pair: bool) -> Iterator[tuple[str, str]]:
    yield "averaged over", _averaged(results.settings)
    yield "tied scores", _TIES[results.settings.ties]
    yield "relevant from grade", f"{results.settings.level:g}, unless a measure says otherwise"
    if results.settings.depth:
        yield "read no deeper than", counted(results.settings.depth, "document")
    if results.settings.judged_only:
        yield "unjudged documents", "left out, ranks closed up"
    else:
        yield "unjudged documents", "count as irrelevant"
    if results.settings.profile:
        yield "profile", results.settings.profile
    yield "intervals of means", "95 %, Student's t"
    if plan is None:
        return
    yield "test", f"{TESTS[plan.test]}, two-sided, paired by query"
    yield (
        "correction",
        "none needed: Tukey's test corrects for all pairs"
        if plan.test == "tukey"
        else f"{CORRECTIONS[plan.correction]} for all pairs, per measure"
        if every_pair
        else f"{CORRECTIONS[plan.correction]} for the comparisons with the chosen baseline, per measure",
    )
    yield "intervals of differences", f"{plan.confidence:.0%}, {INTERVALS[plan.interval]}"
    yield "a query is equal", "where scores are the same" if not plan.tie else f"up to a difference of {plan.tie:g}"
    yield "random patterns", f"{plan.resamples:,} where not all can be counted, seed {plan.seed}"
    yield "effect", "Hedges' g of the paired differences"


_TIES = {**TIE_ORDERS, "average": "score averaged over all orders"}


def _averaged(settings: Settings) -> str:
    over = "all judged queries; one without results counts as 0"
    if settings.average_over == "answered":
        over = "the judged queries that a run answered"
    drops = settings.without_relevant == "drop"
    return f"{over}; without those that have no relevant document" if drops else over


def _defined(measure: Measure, undefined: str) -> Defined:
    entry = Entry(measure.definition)
    return Defined(
        name=str(measure),
        summary=measure.definition.summary,
        formula=plain(entry.formula) if entry.formula else "",
        range=entry.bounds,
        cite=measure.definition.cite,
        undefined="left out of the mean" if undefined == "skip" else "counts as 0 in the mean",
    )


def _files(results: Scores) -> Iterator[tuple[str, str]]:
    judgments = results.provenance.judgments
    yield judgments.path or "judgments", judgments.sha256
    for run, about in zip(results.runs, results.provenance.runs, strict=True):
        yield about.path or run, about.sha256 or ""


def _command(results: Scores, plan: Plan | None, asked: Mapping[str, Any]) -> tuple[str, bool]:
    """What gives the page again, and whether that is Python."""
    paths = [results.provenance.judgments.path, *(about.path for about in results.provenance.runs)]
    usual = asdict(Settings())
    special = {name: value for name, value in asdict(results.settings).items() if value != usual[name]}
    measures = [str(measure) for measure in results.measures]
    of_plan = {} if plan is None else {n: v for n, v in asdict(plan).items() if v != asdict(Plan())[n]}
    takes = special.keys() <= {*_LETTERS, "judged_only"} and "power" not in of_plan
    if takes and all(path not in (None, "-") for path in paths):
        words = ["cranfield", "report", *map(str, paths)]
        words += [word for measure in measures for word in ("-m", measure)]
        words += [word for name, letter in _LETTERS.items() if name in special for word in (letter, str(special[name]))]
        words += ["-J"] if special.get("judged_only") else []
        for name, value in {**of_plan, **{n: v for n, v in asked.items() if v is not None}}.items():
            option = name.replace("_", "-")
            if isinstance(value, bool):
                words.append(f"--{option}" if value else f"--no-{option}")
                continue
            values = value if isinstance(value, tuple) else (value,)
            words += [word for one in values for word in (f"--{option}", str(one))]
        return shlex.join([*words, "-o", "report.html"]), False
    judgments = repr(paths[0]) if paths[0] else "judgments"
    runs = repr([path or run for path, run in zip(paths[1:], results.runs, strict=True)]) if all(paths[1:]) else "runs"
    evaluated = ", ".join([judgments, runs, repr(measures), *(f"{n}={v!r}" for n, v in special.items())])
    said = {**{n: v for n, v in asked.items() if v is not None}, **of_plan}
    told = "".join(f", {name}={value!r}" for name, value in said.items())
    return f'cf.report(cf.evaluate({evaluated}), "report.html"{told})', True
