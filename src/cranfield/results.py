"""Results that outlive an evaluation: every query's scores, with what they were measured on and how."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Unpack

import numpy as np

from cranfield import aggregate, errors, profiles
from cranfield.aggregate import Mean
from cranfield.arrays import Bools, Floats
from cranfield.choices import Undefined
from cranfield.data.judgments import Judgments
from cranfield.errors import DataError, UsageError, did_you_mean
from cranfield.evaluating import Scores
from cranfield.measures import Measure
from cranfield.measures.scoring import must_be_moderate
from cranfield.show.table import finite
from cranfield.version import VERSION

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from cranfield.figures.picture import Look


FORMAT = 1
"""Raised when a file of an older program could be misread."""


@dataclass(frozen=True, eq=False)
class Results:
    """Scores of runs for queries under measures, and what is known about where they come from.

    >>> import cranfield as cf
    >>> results_of(cf.evaluate({"q1": {"d1": 1}}, {"q1": ["d1"]}, "RR"))
    Results(1 run, 1 query, RR)
    """

    queries: tuple[str, ...]
    """All judged queries."""
    runs: tuple[str, ...]
    measures: tuple[Measure, ...]
    values: Floats
    """By measure, run and query; NaN where undefined."""
    counted: Bools
    """Which of them a mean is over; a setting may leave out queries that a run did not answer."""
    undefined: tuple[Undefined, ...]
    """What an undefined score becomes in the mean of each measure."""
    judgments: Mapping[str, Any]
    """What the runs were judged by: `path`, `sha256` of their content, how many."""
    settings: Mapping[str, Any]
    about: Mapping[str, Mapping[str, Any]]
    """Of each run: path, `sha256` of its file, queries it left out, ties, unjudged documents."""
    warnings: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        for measure, of_measure in zip(self.measures, self.values, strict=True):
            must_be_moderate(str(measure), of_measure)

    def scores(self, measure: str | Measure) -> Floats:
        """One measure by run and query as it counts in a mean: NaN is left out."""
        at = self.position(measure)
        settled = aggregate.settle(self.measures[at], self.values[at], self.undefined[at])
        return np.where(self.counted[at], settled, np.nan)

    def mean(self, measure: str | Measure, run: str) -> Mean:
        """One measure's mean over queries for one run."""
        at, row = self.position(measure), self.run_position(run)
        return aggregate.mean(self.measures[at], self.values[at, row][self.counted[at, row]], self.undefined[at])

    def position(self, measure: str | Measure) -> int:
        """Where a measure stands among `measures`."""
        place = profiles.position(self.measures, measure, self.settings.get("profile"), self.settings.get("rel"))
        if place is None:
            names = [str(known) for known in self.measures]
            near = did_you_mean(str(measure), names)
            raise UsageError(f"{measure} was not measured; these were: {', '.join(names)}. {near}".strip())
        return place

    def run_position(self, run: str) -> int:
        """Where a run stands among `runs`."""
        if run not in self.runs:
            near = did_you_mean(run, self.runs)
            raise UsageError(f"There is no run {run!r}; there are: {', '.join(self.runs)}. {near}".strip())
        return self.runs.index(run)

    def plot_differences(
        self,
        run: str | None = None,
        baseline: str | None = None,
        measure: str | Measure | None = None,
        **look: Unpack[Look],
    ) -> Figure:
        """Every query's difference to a baseline, by default the first run, sorted; of one run, or of all."""
        from cranfield.figures.queries import paired

        return paired(self, measure, run=run, baseline=baseline, kind="differences").plot(**look)

    def plot_scatter(
        self,
        run: str | None = None,
        baseline: str | None = None,
        measure: str | Measure | None = None,
        **look: Unpack[Look],
    ) -> Figure:
        """Every query's score against a baseline's, by default the first run's; of one run, or of all."""
        from cranfield.figures.queries import paired

        return paired(self, measure, run=run, baseline=baseline, kind="scatter").plot(**look)

    def plot_distribution(self, measure: str | Measure | None = None, **look: Unpack[Look]) -> Figure:
        """How every run's scores are spread over queries."""
        from cranfield.figures.queries import spread

        return spread(self, measure).plot(**look)

    def plot_heatmap(self, measure: str | Measure | None = None, **look: Unpack[Look]) -> Figure:
        """The score of every run for every query."""
        from cranfield.figures.queries import heat_map

        return heat_map(self, measure).plot(**look)

    def only(self, queries: Sequence[str]) -> Results:
        """The same for some of the queries, in their order."""
        place = {query: at for at, query in enumerate(self.queries)}
        kept = [place[query] for query in queries]
        return replace(self, queries=tuple(queries), values=self.values[:, :, kept], counted=self.counted[:, :, kept])

    def with_measures(self, names: Sequence[str]) -> Results:
        """The same under some of the measures, in their order."""
        kept = [self.position(name) for name in names]
        return replace(
            self,
            measures=tuple(self.measures[at] for at in kept),
            values=self.values[kept],
            counted=self.counted[kept],
            undefined=tuple(self.undefined[at] for at in kept),
        )

    def to_dict(self) -> dict[str, Any]:
        """Everything as plain values, in an order that does not change: what `save` writes."""
        content = {
            "judgments": dict(self.judgments),
            "settings": dict(self.settings),
            "queries": list(self.queries),
            "measures": {
                str(measure): facts_of(measure, self.undefined[at]) for at, measure in enumerate(self.measures)
            },
            "warnings": list(self.warnings),
            "runs": {run: self._run_dict(at) for at, run in enumerate(self.runs)},
            # The first run is what others are compared with, and the names of a JSON object have no order.
            "order": {"measures": list(map(str, self.measures)), "runs": list(self.runs)},
        }
        head = {"cranfield": VERSION, "format": FORMAT}
        return {**head, "checksum": checksum({**head, **content}), **content}

    def _run_dict(self, at: int) -> dict[str, Any]:
        scores = {
            str(measure): {
                query: finite(value)
                for query, value, counts in zip(
                    self.queries, self.values[row, at].tolist(), self.counted[row, at].tolist(), strict=True
                )
                if counts
            }
            for row, measure in enumerate(self.measures)
        }
        return {**self.about[self.runs[at]], "scores": scores}

    def __repr__(self) -> str:
        runs = "1 run" if len(self.runs) == 1 else f"{len(self.runs)} runs"
        queries = "1 query" if len(self.queries) == 1 else f"{len(self.queries):,} queries"
        return f"Results({runs}, {queries}, {', '.join(map(str, self.measures))})"


def results_of(scores: Scores) -> Results:
    """What is to be kept of an evaluation."""
    everything = scores.to_dict()
    judgments = scores.judgments
    runs = range(len(scores.runs))
    return Results(
        queries=scores.queries,
        runs=scores.runs,
        measures=scores.measures,
        values=scores.values,
        counted=np.array([[scores.counted(at, measure) for at in runs] for measure in scores.measures]),
        undefined=tuple(
            settings.undefined or measure.definition.undefined
            for measure, settings in zip(scores.measures, scores.of_measures, strict=True)
        ),
        judgments=_Known(
            {
                "path": judgments.path,
                "sha256": partial(fingerprint, judgments),
                "queries": len(judgments.queries),
                "judgments": len(judgments),
            }
        ),
        settings=everything["settings"],
        about={
            run["name"]: _Known(
                {
                    "path": run["path"],
                    "sha256": None if run["path"] is None else partial(_of_file, run["path"]),
                    **{name: run[name] for name in ("queries", "ties", "unjudged")},
                }
            )
            for run in everything["runs"]
        },
        warnings=tuple(everything["warnings"]),
    )


class _Known(Mapping[str, Any]):
    """What is known, by name. A hash is found when it is asked for: it reads whole files, and few need it."""

    def __init__(self, facts: Mapping[str, Any]) -> None:
        self._facts = dict(facts)

    def __getitem__(self, name: str) -> Any:
        fact = self._facts[name]
        if isinstance(fact, partial):
            fact = self._facts[name] = fact()
        return fact

    def __iter__(self) -> Iterator[str]:
        return iter(self._facts)

    def __len__(self) -> int:
        return len(self._facts)


def joined(results: Sequence[Results], *, allow_different_judgments: bool = False) -> Results:
    """All runs of several results as one, if they were judged and measured alike.

    They keep the measures they share. Where different judgments are allowed, only the queries they share are kept.
    """
    first, *others = results
    for other in others:
        _must_be_alike(first, other, allow_different_judgments)
    names = [str(measure) for measure in first.measures]
    shared = [name for name in names if all(name in map(str, other.measures) for other in others)]
    in_all = set(first.queries).intersection(*(other.queries for other in others))
    queries = [query for query in first.queries if query in in_all]
    parts = [part.only(queries).with_measures(shared) for part in results]
    runs, about = _named_apart(parts)
    return replace(
        parts[0],
        runs=runs,
        values=np.concatenate([part.values for part in parts], axis=1),
        counted=np.concatenate([part.counted for part in parts], axis=1),
        about=about,
        warnings=tuple(dict.fromkeys(warning for part in parts for warning in part.warnings)),
    )


def _must_be_alike(first: Results, other: Results, allow_different_judgments: bool) -> None:
    path, other_path = (_path(part) for part in (first, other))
    own, others = set(first.queries), set(other.queries)
    if not own & others:
        raise DataError([errors.results.no_common_query(path, other_path)])
    if not allow_different_judgments and first.judgments["sha256"] != other.judgments["sha256"]:
        only = [query for query in first.queries if query not in others]
        only_other = [query for query in other.queries if query not in own]
        raise DataError([errors.results.different_judgments(path, other_path, only, only_other)])
    ignored = {"judgments", "max_grade"} if allow_different_judgments else {"judgments"}
    differing = [
        f"{name} is {other.settings.get(name)!r} and not {first.settings.get(name)!r}"
        for name in {**first.settings, **other.settings}
        if name not in ignored and first.settings.get(name) != other.settings.get(name)
    ]
    if differing:
        raise DataError([errors.results.different_settings(path, other_path, differing)])
    names, other_names = ([str(measure) for measure in part.measures] for part in (first, other))
    if not set(names) & set(other_names):
        raise DataError([errors.results.no_common_measure(path, other_path, names, other_names)])


def _path(results: Results) -> str | None:
    """What to call results in a message: their first run."""
    return f"the result of {results.runs[0]}" if results.runs else None


def _named_apart(parts: Sequence[Results]) -> tuple[tuple[str, ...], dict[str, Mapping[str, Any]]]:
    """Runs of one name get a number as well."""
    about: dict[str, Mapping[str, Any]] = {}
    for part in parts:
        for run in part.runs:
            name, number = run, 2
            while name in about:
                name, number = f"{run} {number}", number + 1
            about[name] = part.about[run]
    return tuple(about), about


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
    """What saved results tell of a measure."""
    definition = measure.definition
    return {
        "definition": definition.summary,
        "parameters": {name: value for name, value in measure.params.items() if value is not None},
        "mean": definition.mean,
        "undefined": undefined,
        "lower_is_better": definition.lower_is_better,
        "bounds": [finite(bound) for bound in measure.bounds],
        "cite": definition.cite,
    }


def fingerprint(judgments: Judgments) -> str:
    """A hash of what was judged, whatever the file's format and the order of its lines.

    >>> import cranfield as cf
    >>> one, other = {"q1": {"a": 1, "b": 0}, "q2": {"a": 2}}, {"q2": {"a": 2.0}, "q1": {"b": 0, "a": 1}}
    >>> fingerprint(cf.read_judgments(one)) == fingerprint(cf.read_judgments(other))
    True
    """
    digest = hashlib.sha256()
    for line in sorted(_lines(judgments)):
        digest.update(line.encode(errors="surrogatepass"))
    return digest.hexdigest()


def _lines(judgments: Judgments) -> Iterator[str]:
    documents, groups = tuple(judgments.documents), judgments.groups
    starts = judgments.starts if groups is None else groups.starts
    rows = range(len(documents)) if groups is None else groups.rows.tolist()
    grades = (judgments.grades if groups is None else groups.grades).tolist()
    numbers = [""] * len(rows) if groups is None else groups.numbers.tolist()
    for query, start, end in zip(judgments.queries, starts.tolist(), starts[1:].tolist(), strict=False):
        for at in range(start, end):
            yield f"{query}\t{documents[rows[at]]}\t{grades[at]!r}\t{numbers[at]}\n"


def _of_file(path: str) -> str | None:
    """A hash of a file's bytes; nothing for what is no file, such as standard input."""
    try:
        with Path(path).open("rb") as opened:
            return hashlib.file_digest(opened, "sha256").hexdigest()
    except OSError:
        return None
