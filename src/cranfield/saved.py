"""Results in files: written so that a diff can be read, and believed only as they were written."""

from __future__ import annotations

import json
import math
import os
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NoReturn

import numpy as np
import numpy.typing as npt

from cranfield import errors
from cranfield.arrays import Floats
from cranfield.errors import DataError, UsageError
from cranfield.evaluating import Scores
from cranfield.formats.writing import write_text
from cranfield.measures import Measure, parse
from cranfield.measures.definition import Definition, PerQuery
from cranfield.measures.scoring import LARGEST, TOLERANCE
from cranfield.results import FORMAT, Results, checksum, facts_of, results_of
from cranfield.version import VERSION

_SURROGATE = re.compile("[\ud800-\udfff]")


def save(results: Scores | Results, path: str | os.PathLike[str]) -> None:
    """Keep results in a JSON file that is read by `load`, `compare`, `report` and `gate`, and is stable to diff."""
    kept = results_of(results) if isinstance(results, Scores) else results
    text = json.dumps(kept.to_dict(), indent=1, ensure_ascii=False, allow_nan=False)
    # An id may hold half a character, which JSON can write and UTF-8 cannot.
    text = _SURROGATE.sub(lambda half: f"\\u{ord(half[0]):04x}", text)
    write_text(path, text + "\n")


def load(path: str | os.PathLike[str]) -> Results:
    """Results that were kept, if they are as they were written."""
    from cranfield.formats.json_text import json_of
    from cranfield.formats.source import as_source

    source = as_source(os.fspath(path))
    assert source is not None
    return from_dict(json_of(source), source.path)


def from_dict(given: Any, path: str | None = None) -> Results:
    """The results that `to_dict` gave."""
    if not isinstance(given, Mapping) or "cranfield" not in given:
        raise DataError([errors.results.no_results(path, "was not written by cranfield --save")])
    if given.get("format") != FORMAT:
        raise DataError([errors.results.other_results(path, str(given["cranfield"]), VERSION)])
    results = _Reader(path).results(given)
    if "checksum" not in given:
        raise DataError([errors.results.no_checksum(path)])
    if given["checksum"] != (expected := checksum(given)):
        raise DataError([errors.results.wrong_checksum(path, given["checksum"], expected)])
    return results


@dataclass(frozen=True)
class _Reader:
    """Reads results and says where something cannot be."""

    path: str | None

    def results(self, given: Mapping[str, Any]) -> Results:
        queries = self._names(given, "queries")
        of_measures, of_runs = self._object(given, "measures"), self._object(given, "runs")
        order = self._object(given, "order")
        names = self._ordered(order, "measures", of_measures)
        runs = self._ordered(order, "runs", of_runs)
        measures = tuple(self._measure(name, self._object(of_measures, name, "measures")) for name in names)
        scores = [[self._scores(of_runs, run, name, names) for run in runs] for name in names]
        values, counted = self._arrays(scores, measures, runs, queries)
        return Results(
            queries=queries,
            runs=runs,
            measures=measures,
            values=values,
            counted=counted,
            undefined=tuple(of_measures[name]["undefined"] for name in names),
            judgments=self._with_hash(self._object(given, "judgments"), "judgments"),
            settings=self._object(given, "settings"),
            about={run: self._about(of_runs, run) for run in runs},
            warnings=self._names(given, "warnings", least=0),
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

    def _measure(self, name: str, facts: Mapping[str, Any]) -> Measure:
        """The measure of that name; or, where it is defined elsewhere, what the file knows of it."""
        self._choices(name, facts)
        try:
            measure = parse(name)
        except UsageError:
            return self._defined_elsewhere(name, facts)
        if str(measure) != name:
            self._wrong(("measures", name), name, f"the name {measure}")
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
                where = ("runs", run, "scores", str(measure))
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

    def _with_hash(self, given: Mapping[str, Any], *where: str) -> Mapping[str, Any]:
        if not isinstance(given.get("sha256"), str):
            self._wrong((*where, "sha256"), given.get("sha256"), "the hash of the judgments")
        return given

    def _about(self, of_runs: Mapping[str, Any], run: str) -> Mapping[str, Any]:
        about = {name: value for name, value in of_runs[run].items() if name != "scores"}
        for name in ("queries", "ties", "unjudged"):
            if about.get(name) is not None:
                self._object(about, name, "runs", run)
        if about.get("queries") is not None:
            self._names(about["queries"], "silent", "runs", run, "queries", least=0)
        return about


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
    """A measure whose scores were kept, but not its code."""
    raise UsageError("Its scores were kept, but not its code; import the module that defines it.")
