"""How the numbers came about, so that anyone can reproduce them."""

from __future__ import annotations

import os
import platform
import shlex
from collections.abc import Iterator
from dataclasses import asdict, fields
from typing import Any, NamedTuple

import numpy as np

from cranfield.catalogue import CatalogueEntry, plain
from cranfield.comparing.differences import INTERVALS, TestChoices, correction_for
from cranfield.evaluating.profiles import find
from cranfield.evaluating.scores import Scores
from cranfield.evaluating.settings import ABOUT_IDS, Settings, file_of, source_of
from cranfield.measures import Measure
from cranfield.phrases import TIE_ORDERS, counted, percent
from cranfield.reporting.choices import PageChoices
from cranfield.reporting.file_names import FileNames
from cranfield.version import VERSION

_LETTERS = {"rel": "-l", "depth": "-M", "judged_only": "-J"}
"""Settings of an evaluation that have a letter of trec_eval's."""


FILES = ("queries", "documents")
"""Choices of a page that may be files."""


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


def method(results: Scores, choices: TestChoices | None, asked: PageChoices, names: FileNames) -> Method:
    """How the numbers came about, and how to make the page again."""
    command, is_python = _command(results, choices or TestChoices(), asked, names)
    return Method(
        command=command,
        is_python=is_python,
        versions=_versions(choices),
        choices=tuple(_choices(results, choices, asked.all_pairs, names)),
        definitions=tuple(
            _defined(measure, undefined) for measure, undefined in zip(results.measures, results.undefined, strict=True)
        ),
        files=tuple(_files(results, names)),
    )


def _versions(choices: TestChoices | None) -> tuple[tuple[str, str], ...]:
    versions = [("cranfield", VERSION), ("Python", platform.python_version()), ("NumPy", np.__version__)]
    if choices is not None:
        import scipy

        versions.append(("SciPy", scipy.__version__))
    return tuple(versions)


def _choices(
    results: Scores, choices: TestChoices | None, every_pair: bool, names: FileNames
) -> Iterator[tuple[str, str]]:
    yield "averaged over", _averaged(results.settings)
    yield "ties", _TIES[results.settings.ties]
    yield "relevant from grade", f"{results.settings.level:g}, unless a measure has its own"
    if results.settings.depth:
        yield "evaluated depth", f"top {counted(results.settings.depth, 'document')}"
    if results.settings.judged_only:
        yield "unjudged documents", "removed before scoring"
    elif (grade := results.settings.unjudged_grade) is not None:
        yield "unjudged documents", f"count as judged, with grade {grade:g}, where a run retrieved them"
    else:
        yield "unjudged documents", "count as irrelevant"
    yield from _prepared(results.settings, names)
    if results.settings.profile:
        yield "profile", results.settings.profile
    yield "intervals of means", "95%, Student's t"
    if choices is None:
        return
    yield "test", f"{choices.test_name}, two-sided, paired by query"
    family = "all pairs" if every_pair else "the comparisons with the chosen baseline"
    yield (
        "correction",
        "none needed: Tukey's test corrects for all pairs"
        if choices.test == "tukey"
        else correction_for(choices.correction, f"{family}, per measure"),
    )
    yield "intervals of differences", f"{percent(choices.confidence)}, {INTERVALS[choices.interval]}"
    yield (
        "a query is equal",
        "where scores are the same" if not choices.tie_margin else f"up to a difference of {choices.tie_margin:g}",
    )
    yield "resamples", f"{choices.resamples:,} where exact enumeration is too large, seed {choices.seed}"
    yield "effect", "Hedges' g of the paired differences"


_TIES = {**TIE_ORDERS, "average": "score averaged over all orders"}


def _prepared(settings: Settings, names: FileNames) -> Iterator[tuple[str, str]]:
    """What was done to judgments and runs before scoring."""
    if settings.group_by is not None:
        yield "chunks", f"count as their documents, the best chunk first: {names.in_text(settings.group_by)}"
    if settings.alternatives is not None:
        yield "alternatives", f"count once, the first retrieved: {names.in_text(settings.alternatives)}"
    if settings.only_queries is not None:
        yield "only queries of", names.in_text(settings.only_queries)


def _averaged(settings: Settings) -> str:
    over = "all judged queries; one without results counts as 0"
    if settings.average_over == "answered":
        over = "the judged queries that a run answered"
    drops = settings.without_relevant == "drop"
    return f"{over}; without those that have no relevant document" if drops else over


def _defined(measure: Measure, undefined: str) -> Defined:
    entry = CatalogueEntry(measure.definition)
    return Defined(
        name=str(measure) if str(measure) == measure.canonical else f"{measure} ({measure.canonical})",
        summary=measure.definition.summary,
        formula=plain(entry.formula) if entry.formula else "",
        range=entry.bounds,
        cite=measure.definition.cite,
        undefined="left out of the mean" if undefined == "skip" else "counts as 0 in the mean",
    )


def _files(results: Scores, names: FileNames) -> Iterator[tuple[str, str]]:
    judgments = results.provenance.judgments
    yield names.of(judgments.path) if judgments.path else "judgments", judgments.sha256
    for run, about in zip(results.runs, results.provenance.runs, strict=True):
        yield names.of(about.path) if about.path else run, about.sha256 or ""


def _command(results: Scores, choices: TestChoices, asked: PageChoices, names: FileNames) -> tuple[str, bool]:
    """What gives the page again, in the folder of its files, and whether that is Python.

    It is read off what was chosen, field by field, so that no option can be forgotten.
    """
    paths = [path and names.of(path) for path in paths_of(results)]
    measures = [str(measure) for measure in results.measures]
    settings, tests, shown = _chosen_settings(results), _changed(choices), _changed(asked)
    sources = {name: _source(settings[name], names) for name in ABOUT_IDS if name in settings}
    in_memory = [name for name, source in sources.items() if source is None]
    settings |= sources
    files = [value for name, value in shown.items() if name in FILES]
    shown = {
        name: names.of(os.fspath(value)) if _is_path(value) and name in FILES else value
        for name, value in shown.items()
    }
    can_be_typed = "power" not in tests and not callable(choices.test) and settings.get("judged_only", True)
    can_be_typed = can_be_typed and not in_memory
    if can_be_typed and all(path not in (None, "-") for path in paths) and all(map(_is_path, files)):
        words = ["cranfield", "report", *map(str, paths), *(word for name in measures for word in ("-m", name))]
        words += [word for name, value in {**settings, **tests, **shown}.items() for word in _option(name, value)]
        return shlex.join([*words, "-o", "report.html"]), False
    judgments = repr(paths[0]) if paths[0] else "judgments"
    runs = repr([path or run for path, run in zip(paths[1:], results.runs, strict=True)]) if all(paths[1:]) else "runs"
    evaluated = ", ".join(
        [judgments, runs, repr(measures), *(f"{n}={n if n in in_memory else repr(v)}" for n, v in settings.items())]
    )
    keywords = "".join(f", {name}={_in_python(name, value)}" for name, value in {**shown, **tests}.items())
    return f'cf.report(cf.evaluate({evaluated}), "report.html"{keywords})', True


def _source(label: str, names: FileNames) -> str | None:
    """What a setting names, as somebody would type it; nothing where it was in memory."""
    return names.of(path) if (path := file_of(label)) else source_of(label)


def paths_of(results: Scores) -> list[str | None]:
    """The files of judgments and runs; None for what was in memory."""
    return [results.provenance.judgments.path, *(about.path for about in results.provenance.runs)]


def file_names(results: Scores, asked: PageChoices) -> FileNames:
    """The names of all files that the page is made of."""
    chosen = (getattr(asked, name) for name in FILES)
    prepared = (file_of(getattr(results.settings, name)) for name in ABOUT_IDS)
    paths = (*paths_of(results), *chosen, *prepared)
    return FileNames(os.fspath(path) for path in paths if isinstance(path, str | os.PathLike))


def _chosen_settings(results: Scores) -> dict[str, Any]:
    """The settings that differ from those of the profile, and the profile itself."""
    settings = results.settings
    usual = find(settings.profile).settings_for(results.measures[0])
    profile = {} if settings.profile is None else {"profile": settings.profile}
    return profile | {name: value for name, value in asdict(settings).items() if value != getattr(usual, name)}


def _changed(choices: TestChoices | PageChoices) -> dict[str, Any]:
    """What was not chosen by default, by name."""
    usual = type(choices)()
    values = {field.name: getattr(choices, field.name) for field in fields(choices)}
    return {name: value for name, value in values.items() if value != getattr(usual, name)}


def _option(name: str, value: object) -> list[str]:
    """A choice as the command takes it."""
    option = _LETTERS.get(name, f"--{name.replace('_', '-')}")
    if isinstance(value, bool):
        return [option if value else f"--no-{name.replace('_', '-')}"]
    values = value if isinstance(value, tuple) else (value,)
    return [word for one in values for word in (option, str(one))]


def _is_path(value: object) -> bool:
    return isinstance(value, str | os.PathLike)


def _in_python(name: str, value: object) -> str:
    """A choice as Python takes it; what is no file is named."""
    if callable(value):
        return str(getattr(value, "__name__", name))
    return name if name in FILES and not _is_path(value) else repr(value)
