"""Scores in files: written so that a diff can be read, and believed only as they were written."""

from __future__ import annotations

import hashlib
import json
import math
import os
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from typing import Any, NoReturn

import numpy as np
import numpy.typing as npt

from cranfield import errors
from cranfield.arrays import Floats
from cranfield.choices import Undefined
from cranfield.data.request_log import RequestTimes
from cranfield.errors import DataError, Finding, UsageError
from cranfield.evaluating.score_json import facts_dict, judgments_dict, query_values, settings_dict
from cranfield.evaluating.scores import (
    JudgmentFacts,
    Provenance,
    RunFacts,
    Scores,
    ScoreSource,
    TieCounts,
    UnjudgedCounts,
    constant,
)
from cranfield.evaluating.settings import Settings, checked
from cranfield.formats.writing import write_text
from cranfield.measures import Measure, parse
from cranfield.measures.definition import Definition, PerQuery
from cranfield.measures.names import LONGEST_NAME
from cranfield.measures.scoring import LARGEST, TOLERANCE
from cranfield.show.table import finite
from cranfield.version import VERSION

FORMAT = 1
"""Raised when a file of an older program could be misread."""
_SETTINGS = {field.name for field in fields(Settings)} | {"exceptions", "judgments", "max_grade", "confidence"}
"""What a file may say of settings."""
_SURROGATE = re.compile("[\ud800-\udfff]")


def save(scores: Scores, path: str | os.PathLike[str]) -> None:
    """Write scores to a JSON file that `load`, `compare`, `report` and `gate` read, and that is stable to diff."""
    text = json.dumps(to_dict(scores), indent=1, ensure_ascii=False, allow_nan=False)
    # An id may hold half a character, which JSON can write and UTF-8 cannot.
    text = _SURROGATE.sub(lambda half: f"\\u{ord(half[0]):04x}", text)
    write_text(path, text + "\n")


def load(path: str | os.PathLike[str]) -> Scores:
    """Scores that were saved, if they are as they were written. They have no `detail`: the runs are not in the file."""
    from cranfield.formats.json_text import json_of
    from cranfield.formats.source import as_source

    source = as_source(os.fspath(path))
    assert source is not None
    return from_dict(json_of(source), source.path)


def to_dict(scores: Scores) -> dict[str, Any]:
    """Everything as plain values, in an order that does not change: what `save` writes."""
    content = {
        "judgments": judgments_dict(scores),
        "settings": settings_dict(scores),
        "queries": list(scores.queries),
        "measures": {
            measure.canonical: facts_of(measure, undefined)
            for measure, undefined in zip(scores.measures, scores.undefined, strict=True)
        },
        "warnings": [str(warning) for warning in scores.warnings],
        "runs": {run: _run_dict(scores, at) for at, run in enumerate(scores.runs)},
        # The first run is what others are compared with, and the names of a JSON object have no order.
        "order": {"measures": scores.canonical, "runs": list(scores.runs)},
    }
    head = {"cranfield": VERSION, "format": FORMAT}
    return {**head, "checksum": checksum({**head, **content}), **content}


def _run_dict(scores: Scores, at: int) -> dict[str, Any]:
    facts = scores.provenance.runs[at]
    raised = {measure: source._asdict() for measure, source in facts.raised.items()}
    return {
        "path": facts.path,
        "sha256": facts.sha256,
        **facts_dict(facts, int(scores.counted[0, at].sum())),
        **({"latency": facts.times._asdict()} if facts.times is not None else {}),
        **({"raised": raised} if raised else {}),
        "scores": {measure.canonical: query_values(scores, row, at) for row, measure in enumerate(scores.measures)},
    }


def checksum(saved: Mapping[str, Any]) -> str:
    """The SHA-256 of saved results, but for this field itself: of their JSON without blanks, names in order.

    Whatever a program that reformats JSON may change makes no difference: blanks, the order of names, 1.0 as 1.

    >>> checksum({"a": [1.0, None], "b": "x"}) == checksum({"b": "x", "a": [1, None], "checksum": "?"})
    True
    """
    content = _plain({name: value for name, value in saved.items() if name != "checksum"})
    text = json.dumps(content, sort_keys=True, separators=(",", ":"))
    return f"sha256:{hashlib.sha256(text.encode()).hexdigest()}"


def _plain(value: Any) -> Any:
    """A value as every program that reads JSON would hold it: whole numbers have one spelling."""
    if isinstance(value, Mapping):
        return {str(name): _plain(part) for name, part in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(part) for part in value]
    return int(value) if isinstance(value, float) and value.is_integer() else value


def facts_of(measure: Measure, undefined: Undefined) -> dict[str, Any]:
    """What a file tells of a measure."""
    definition = measure.definition
    return {
        "definition": definition.summary,
        "parameters": {name: value for name, value in measure.params.items() if value is not None},
        "mean": definition.mean,
        "undefined": undefined,
        "lower_is_better": definition.lower_is_better,
        "bounds": [finite(bound) for bound in measure.bounds],
        "cite": definition.cite,
        **({"label": measure.label} if measure.label else {}),
    }


def from_dict(given: Any, path: str | None = None) -> Scores:
    """The scores that `to_dict` gave."""
    if not isinstance(given, Mapping) or "cranfield" not in given:
        raise DataError([errors.results.no_results(path, "was not written by cranfield --save")])
    if given.get("format") != FORMAT:
        raise DataError([errors.results.other_results(path, str(given["cranfield"]), VERSION)])
    scores = _ScoresReader(path).scores(given)
    if "checksum" not in given:
        raise DataError([errors.results.no_checksum(path)])
    if given["checksum"] != (expected := checksum(given)):
        raise DataError([errors.results.wrong_checksum(path, given["checksum"], expected)])
    return scores


@dataclass(frozen=True)
class _ScoresReader:
    """Reads scores and says where something cannot be."""

    path: str | None

    def scores(self, given: Mapping[str, Any]) -> Scores:
        queries = self._names(given, "queries")
        of_measures, of_runs = self._object(given, "measures"), self._object(given, "runs")
        order = self._object(given, "order")
        names = self._ordered(order, "measures", of_measures)
        runs = self._ordered(order, "runs", of_runs)
        measures = tuple(self._labelled(name, self._object(of_measures, name, "measures")) for name in names)
        self._names({"label": list(map(str, measures))}, "label", "measures")
        scores = [[self._scores(of_runs, run, name, names) for run in runs] for name in names]
        values, counted = self._arrays(scores, measures, runs, queries)
        settings = self._object(given, "settings")
        return Scores(
            queries=queries,
            runs=runs,
            measures=measures,
            values=values,
            counted=counted,
            undefined=tuple(of_measures[name]["undefined"] for name in names),
            provenance=Provenance(
                self._judgments(self._object(given, "judgments"), settings),
                tuple(self._settings(settings, name) for name in names),
                tuple(self._run(of_runs[run], "runs", run) for run in runs),
            ),
            find_warnings=constant(
                tuple(Finding("warning", "saved", warning) for warning in self._names(given, "warnings", least=0))
            ),
        )

    def _wrong(self, where: Sequence[str], found: object, expected: str) -> NoReturn:
        raise DataError([errors.results.wrong_in_results(self.path, where, found, expected)])

    def _object(self, given: Mapping[str, Any], name: str, *inside: str) -> Mapping[str, Any]:
        value = given.get(name)
        if not isinstance(value, Mapping):
            self._wrong((*inside, name), value, "an object")
        return value

    def _names(self, given: Mapping[str, Any], name: str, *inside: str, least: int = 1) -> tuple[str, ...]:
        """A list of texts, none of them twice."""
        value = given.get(name)
        if not isinstance(value, list | tuple) or not all(isinstance(one, str) for one in value) or len(value) < least:
            self._wrong((*inside, name), value, "a list of texts")
        if least and len(set(value)) < len(value):
            twice = next(one for at, one in enumerate(value) if one in value[:at])
            self._wrong((*inside, name), twice, "every name once; this one comes twice")
        return tuple(value)

    def _ordered(self, order: Mapping[str, Any], name: str, known: Mapping[str, Any]) -> tuple[str, ...]:
        names = self._names(order, name, "order")
        if differing := set(names) ^ known.keys():
            self._wrong(("order", name), min(differing), f"the names of `{name}`, each once")
        return names

    def _labelled(self, name: str, facts: Mapping[str, Any]) -> Measure:
        """The measure of that name, as it was called in the evaluation."""
        label = self._text(facts, "label", "measures", name) or ""
        if not label.isprintable() or len(label) > LONGEST_NAME:
            self._wrong(("measures", name, "label"), label, f"at most {LONGEST_NAME} characters that can be printed")
        return replace(self._measure(name, facts), label=label)

    def _measure(self, name: str, facts: Mapping[str, Any]) -> Measure:
        """The measure of that name; or, where it is defined elsewhere, what the file knows of it."""
        self._choices(name, facts)
        try:
            measure = parse(name)
        except UsageError:
            return self._defined_elsewhere(name, facts)
        if measure.canonical != name:
            self._wrong(("measures", name), name, f"the name {measure.canonical}")
        expected = facts_of(measure, facts["undefined"])
        for fact in ("mean", "lower_is_better"):
            if facts[fact] != expected[fact]:
                self._wrong(("measures", name, fact), facts[fact], f"{expected[fact]!r}, as {name} is defined")
        parameters = json.loads(json.dumps(expected["parameters"]))
        for key, value in self._object(facts, "parameters", "measures", name).items():
            if key not in parameters or value != parameters[key]:
                wanted = f"{parameters[key]!r}, as the name {name} says" if key in parameters else "no such parameter"
                self._wrong(("measures", name, "parameters", key), value, wanted)
        return measure

    def _choices(self, name: str, facts: Mapping[str, Any]) -> None:
        choices: dict[str, tuple[Any, ...]] = {
            "mean": ("arithmetic", "geometric", "sum"),
            "undefined": ("zero", "skip"),
            "lower_is_better": (True, False),
        }
        for fact, known in choices.items():
            if not any(facts.get(fact) is one or (isinstance(one, str) and facts.get(fact) == one) for one in known):
                self._wrong(("measures", name, fact), facts.get(fact), " or ".join(map(repr, known)))

    def _defined_elsewhere(self, name: str, facts: Mapping[str, Any]) -> Measure:
        bounds = facts.get("bounds")
        if (
            not isinstance(bounds, list | tuple)
            or len(bounds) != 2
            or not all(bound is None or _is_number(bound) for bound in bounds)
        ):
            self._wrong(("measures", name, "bounds"), bounds, "two numbers, or null where there is no bound")
        low, high = bounds
        definition = Definition(
            name,
            _defined_elsewhere,
            bounds=(-math.inf if low is None else float(low), math.inf if high is None else float(high)),
            cite=str(facts.get("cite", "")),
            at=None,
            mean=facts["mean"],
            undefined=facts["undefined"],
            lower_is_better=facts["lower_is_better"],
        )
        return Measure(definition)

    def _scores(self, of_runs: Mapping[str, Any], run: str, measure: str, measures: Iterable[str]) -> Mapping[str, Any]:
        of_run = self._object(self._object(of_runs, run, "runs"), "scores", "runs", run)
        if unknown := of_run.keys() - set(measures):
            self._wrong(("runs", run, "scores", min(unknown)), of_run[min(unknown)], "one of the measures' names")
        return self._object(of_run, measure, "runs", run, "scores")

    def _arrays(
        self,
        scores: Sequence[Sequence[Mapping[str, Any]]],
        measures: Sequence[Measure],
        runs: Sequence[str],
        queries: Sequence[str],
    ) -> tuple[Floats, npt.NDArray[np.bool_]]:
        known = set(queries)
        shape = len(measures), len(runs), len(queries)
        values, counted = np.full(shape, np.nan), np.zeros(shape, dtype=np.bool_)
        for row, measure in enumerate(measures):
            for column, (run, of_run) in enumerate(zip(runs, scores[row], strict=True)):
                where = ("runs", run, "scores", measure.canonical)
                if strange := of_run.keys() - known:
                    query = min(strange)
                    self._wrong((*where, query), of_run[query], "no score: `queries` has no such query")
                values[row, column] = self._row(of_run, queries, measure, where)
                counted[row, column] = [query in of_run for query in queries]
        return values, counted

    def _row(self, of_run: Mapping[str, Any], queries: Sequence[str], measure: Measure, where: Sequence[str]) -> Floats:
        low, high = measure.bounds
        given = [of_run.get(query) for query in queries]
        for query, value in zip(queries, given, strict=True):
            fits = value is None or (_is_number(value) and low - TOLERANCE <= value <= high + TOLERANCE)
            if not fits:
                self._wrong((*where, query), value, f"{_range(low, high)}, or null where it is undefined")
        return np.array([math.nan if value is None else value for value in given], dtype=np.float64)

    def _judgments(self, given: Mapping[str, Any], settings: Mapping[str, Any]) -> JudgmentFacts:
        if not isinstance(given.get("sha256"), str):
            self._wrong(("judgments", "sha256"), given.get("sha256"), "the hash of the judgments")
        return JudgmentFacts(
            path=self._text(given, "path", "judgments"),
            queries=self._count(given, "queries", "judgments"),
            judgments=self._count(given, "judgments", "judgments"),
            max_grade=self._number(settings, "max_grade", "settings"),
            find_sha256=constant(given["sha256"]),
            only_relevant=self._truth(given, "only_relevant", "judgments"),
            chunks=self._count(given, "chunks", "judgments"),
        )

    def _settings(self, given: Mapping[str, Any], measure: str) -> Settings:
        """The settings of one measure: those of all, but for its exceptions."""
        exceptions = self._object(given, "exceptions", "settings") if given.get("exceptions") is not None else {}
        own = self._object(exceptions, measure, "settings", "exceptions") if measure in exceptions else {}
        both = {**given, **own}
        if unknown := both.keys() - _SETTINGS:
            # Ignored, it could make others measure differently than this file was.
            self._wrong(("settings", min(unknown)), both[min(unknown)], "no such setting in this version")
        values = {field.name: both.get(field.name, field.default) for field in fields(Settings)}
        self._text(values, "profile", "settings")
        try:
            return Settings(**checked(values))
        except UsageError as error:
            self._wrong(("settings",), dict(given), str(error))

    def _run(self, given: Mapping[str, Any], *where: str) -> RunFacts:
        queries, ties, unjudged = (
            self._object(given, name, *where) if given.get(name) is not None else None
            for name in ("queries", "ties", "unjudged")
        )
        raised = self._object(given, "raised", *where) if given.get("raised") is not None else {}
        return RunFacts(
            path=self._text(given, "path", *where),
            silent=None if queries is None else self._names(queries, "silent", *where, "queries", least=0),
            unknown=self._names(queries, "unknown", *where, "queries", least=0)
            if queries is not None and queries.get("unknown") is not None
            else (),
            ties=None
            if ties is None
            else TieCounts(*(self._count(ties, name, *where, "ties") for name in TieCounts._fields)),
            unjudged=None
            if unjudged is None
            else UnjudgedCounts(*(self._count(unjudged, name, *where, "unjudged") for name in UnjudgedCounts._fields)),
            find_sha256=constant(self._text(given, "sha256", *where)),
            find_judged_at_10=constant(
                None if unjudged is None else self._number(unjudged, "judged_at_10", *where, "unjudged")
            ),
            find_times=constant(self._times(given, *where)),
            chunks=self._count(given, "chunks", *where),
            raised={measure: self._raised(raised, measure, *where, "raised") for measure in raised},
        )

    def _times(self, given: Mapping[str, Any], *where: str) -> RequestTimes | None:
        if given.get("latency") is None:
            return None
        latency = self._object(given, "latency", *where)
        times = self._object(latency, "milliseconds", *where, "latency")
        known = {query: self._number(times, query, *where, "latency", "milliseconds") for query in times}
        milliseconds = {query: time for query, time in known.items() if time is not None and time >= 0}
        return RequestTimes(milliseconds, self._count(latency, "at_once", *where, "latency") or 1)

    def _raised(self, given: Mapping[str, Any], measure: str, *where: str) -> ScoreSource:
        source = self._object(given, measure, *where)
        run, path, sha256 = (self._text(source, name, *where, measure) for name in ScoreSource._fields)
        return ScoreSource(run or "", path, sha256)

    def _text(self, given: Mapping[str, Any], name: str, *inside: str) -> str | None:
        value = given.get(name)
        if value is not None and not isinstance(value, str):
            self._wrong((*inside, name), value, "a text, or null")
        return value

    def _truth(self, given: Mapping[str, Any], name: str, *inside: str) -> bool:
        """Whether something holds; files only name it where it does."""
        value = given.get(name, False)
        if not isinstance(value, bool):
            self._wrong((*inside, name), value, "true or false")
        return value

    def _number(self, given: Mapping[str, Any], name: str, *inside: str) -> float | None:
        value = given.get(name)
        if value is not None and not _is_number(value):
            self._wrong((*inside, name), value, "a number, or null")
        return value

    def _count(self, given: Mapping[str, Any], name: str, *inside: str) -> int | None:
        value = self._number(given, name, *inside)
        if value is not None and (value < 0 or value != int(value)):
            self._wrong((*inside, name), value, "a whole number of at least 0, or null")
        return None if value is None else int(value)


def _is_number(value: object) -> bool:
    if isinstance(value, bool) or not isinstance(value, int | float):
        return False
    return abs(value) <= LARGEST


def _range(low: float, high: float) -> str:
    if math.isinf(low) and math.isinf(high):
        return "a number"
    if math.isinf(high):
        return f"a number of at least {low:g}"
    return f"a number of at most {high:g}" if math.isinf(low) else f"a number from {low:g} to {high:g}"


def _defined_elsewhere(judged: object) -> PerQuery:
    """A measure whose scores were saved, but not its code."""
    raise UsageError("Its scores were saved, but not its code; import the module that defines it.")
