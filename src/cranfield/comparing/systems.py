"""Systems that were run several times, with different seeds: how much runs vary, and what then differs."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from fnmatch import fnmatchcase
from pathlib import PurePath
from typing import Any

import numpy as np

from cranfield.arguments import require_choice, require_share
from cranfield.arrays import Floats
from cranfield.choices import Correction
from cranfield.comparing import system_words
from cranfield.comparing.comparison import join_results
from cranfield.comparing.corrections import corrected
from cranfield.comparing.differences import CORRECTIONS, Verdict, alpha_of, on_scale
from cranfield.comparing.seeds import VarianceComponents, seeds_test, variance_components
from cranfield.errors import Finding, UsageError, did_you_mean
from cranfield.evaluating.aggregate import t_limit
from cranfield.evaluating.score_json import judgments_dict, settings_dict
from cranfield.evaluating.scores import Scores
from cranfield.measures import Measure
from cranfield.phrases import listed
from cranfield.show.answer import Answer
from cranfield.show.measures import name_dict
from cranfield.show.table import PLACES, Table, finite
from cranfield.version import VERSION


@dataclass(frozen=True)
class SystemDifference:
    """One system compared with another under one measure; queries and seeds are both taken as samples."""

    measure: Measure
    system: str
    baseline: str
    mean: float
    baseline_mean: float
    difference: float
    low: float
    high: float
    p: float
    adjusted: float
    """p corrected for the number of comparisons under this measure."""
    queries: int
    runs: int
    baseline_runs: int
    error: float
    """The standard error of the difference."""
    freedom: float
    from_seeds: float
    """Share of the variance of the difference that comes from seeds; the rest comes from queries."""
    reason: str = ""
    """Why there is no p, or no interval."""

    @property
    def is_better(self) -> bool:
        """Whether the system has the better mean."""
        return self.difference < 0 if self.measure.definition.lower_is_better else self.difference > 0

    def verdict(self, alpha: float) -> Verdict:
        """Whether the system is significantly better or worse than its baseline, or neither."""
        if not (self.adjusted <= alpha and self.difference != 0):
            return "none"
        return "better" if self.is_better else "worse"

    def to_dict(self) -> dict[str, Any]:
        """Everything as plain values."""
        values = asdict(replace(self, measure=None))  # type: ignore[arg-type]  # named below
        plain = {name: finite(value) if isinstance(value, float) else value for name, value in values.items()}
        interval = [plain.pop("low"), plain.pop("high")]
        return {**plain, **name_dict(self.measure), "interval": interval}


@dataclass(frozen=True)
class SystemRuns:
    """One system under one measure: its runs' means, and where the variance of its scores comes from."""

    measure: Measure
    system: str
    runs: tuple[str, ...]
    means: tuple[float, ...]
    components: VarianceComponents

    @property
    def mean(self) -> float:
        """The mean of the runs' means."""
        return float(np.mean(self.means))

    def to_dict(self) -> dict[str, Any]:
        """Everything as plain values."""
        components = asdict(self.components)
        return {
            **name_dict(self.measure),
            "system": self.system,
            "runs": dict(zip(self.runs, map(finite, self.means), strict=True)),
            "mean": finite(self.mean),
            "variance": {name: finite(components[name]) for name in ("query", "seed", "residual")},
            "negative": list(self.components.negative),
            "reason": self.components.reason,
        }


@dataclass(frozen=True, eq=False, repr=False)
class SystemComparison(Answer):
    """Systems of several runs, compared; shows itself as a verdict and tables.

    >>> import cranfield as cf
    >>> judged = {f"q{at}": {"d1": 1, "d2": 0} for at in range(6)}
    >>> good, bad = {query: ["d1", "d2"] for query in judged}, {query: ["d2", "d1"] for query in judged}
    >>> runs = {"old-1": bad, "old-2": {**bad, "q3": ["d1"]}, "new-1": {**good, "q5": []}, "new-2": good}
    >>> comparison = compare_systems(cf.evaluate(judged, runs, "RR"), {"old": "old-*", "new": "new-*"})
    >>> print(comparison.verdict())
    new is better than old on RR. +0.3750 (95% interval 0.1555 to 0.5945, p = 0.007, 6 queries, 2 runs each). Seeds ...
    """

    results: Scores
    systems: Mapping[str, tuple[str, ...]]
    """The runs of each system."""
    baselines: tuple[str, ...]
    """What systems are compared with; none where every pair is compared."""
    correction: Correction
    confidence: float
    differences: tuple[SystemDifference, ...]
    of_systems: tuple[SystemRuns, ...]
    warnings: tuple[Finding, ...] = ()

    def __repr__(self) -> str:
        measures = [str(measure) for measure in self.measures]
        return f"SystemComparison({f'{listed(list(self.systems))} by {listed(measures)}'!r})"

    @property
    def alpha(self) -> float:
        """The significance level."""
        return alpha_of(self.confidence)

    @property
    def measures(self) -> tuple[Measure, ...]:
        """The measures, in the order of the results."""
        return self.results.measures

    def of(self, measure: Measure | str) -> tuple[SystemDifference, ...]:
        """The differences under one measure."""
        wanted = self.measures[self.results.position(measure)]
        return tuple(difference for difference in self.differences if difference.measure == wanted)

    def verdict(self, places: int = PLACES) -> str:
        """The answer for the first measure."""
        return system_words.verdict(self, places)

    def table(self) -> Table:
        """A row for every difference."""
        return system_words.table(self)

    def runs_table(self) -> Table:
        """A row for every system: how much its runs vary."""
        return system_words.runs_table(self)

    def tables(self) -> list[Table]:
        """The differences, and how much the runs of each system vary."""
        return [self.table(), self.runs_table()]

    def rows(self) -> Table:
        """A row for every difference, with everything that is known of it."""
        return system_words.rows(self)

    def to_dict(self) -> dict[str, Any]:
        """Everything as plain values: what `cranfield compare systems --format json` prints."""
        return {
            "cranfield": VERSION,
            "systems": {system: list(runs) for system, runs in self.systems.items()},
            "baselines": list(self.baselines),
            "correction": self.correction,
            "confidence": self.confidence,
            "family": {
                "comparisons": len(self.of(self.measures[0])),
                "of": "baselines" if self.baselines else "pairs",
            },
            "verdict": self.verdict(),
            "judgments": judgments_dict(self.results),
            "settings": settings_dict(self.results),
            "warnings": list(map(str, self.warnings)),
            "differences": [
                {**difference.to_dict(), "verdict": difference.verdict(self.alpha)} for difference in self.differences
            ],
            "runs": [of_system.to_dict() for of_system in self.of_systems],
        }


def compare_systems(
    results: Scores | Iterable[Scores],
    systems: Mapping[str, str | Sequence[str]],
    *,
    baseline: str | Sequence[str] | None = None,
    all_pairs: bool = False,
    correction: Correction = "holm",
    confidence: float = 0.95,
    allow_different_judgments: bool = False,
) -> SystemComparison:
    """Systems that were run several times, with different seeds, compared with a baseline or every two of them.

    `systems` names the runs of each, one by one or by a pattern such as `dense-*`; a run of no system is one by itself.
    The difference of two systems is that of their means over runs and queries. Its error is that of drawing other
    queries *and* other seeds (`cranfield.comparing.seeds_test`): averaging over seeds would treat those that were drawn
    as all there are.
    """
    require_share(confidence, "confidence")
    require_choice(correction, "correction", list(CORRECTIONS))
    joint = join_results(results, allow_different_judgments=allow_different_judgments)
    members = members_of(joint, systems)
    baselines = _baselines(list(members), baseline, all_pairs)
    pairs = _pairs(list(members), baselines)
    return SystemComparison(
        joint,
        members,
        baselines,
        correction,
        confidence,
        tuple(
            difference
            for measure in joint.measures
            for difference in _differences(joint, measure, members, pairs, correction, confidence)
        ),
        tuple(_of_system(joint, measure, name, runs) for measure in joint.measures for name, runs in members.items()),
        joint.warnings,
    )


def members_of(results: Scores, systems: Mapping[str, str | Sequence[str]]) -> dict[str, tuple[str, ...]]:
    """The runs of each system, in the order of their first runs; a run of none is one by itself."""
    members: dict[str, tuple[str, ...]] = {}
    taken: dict[str, str] = {}
    for system, names in systems.items():
        patterns = [names] if isinstance(names, str) else list(names)
        matching = dict.fromkeys(run for pattern in patterns for run in _matching(results, system, pattern))
        for run in matching:
            if run in taken:
                raise UsageError(f"Run {run!r} belongs to system {taken[run]!r} and cannot belong to {system!r} too.")
            taken[run] = system
        members[system] = tuple(matching)
    for run in results.runs:
        if run not in taken:
            if run in members:
                raise UsageError(
                    f"Run {run!r} has the name of a system it does not belong to; rename one, or add it to the system."
                )
            members[run] = (run,)
    if len(members) < 2:
        raise UsageError(f"Nothing to compare: there is one system, {next(iter(members))}. Give two or more.")
    if all(len(runs) == 1 for runs in members.values()):
        raise UsageError("Every system has one run; compare them without naming systems.")
    return dict(sorted(members.items(), key=lambda of_system: results.runs.index(of_system[1][0])))


def _matching(results: Scores, system: str, pattern: str) -> list[str]:
    """Runs of a name, or whose name, path or file's name is like a pattern."""

    def names(run: str) -> list[str]:
        path = results.provenance.runs[results.run_position(run)].path
        return [run, *([path, PurePath(path).name] if path else [])]

    matching = [run for run in results.runs if any(fnmatchcase(name, pattern) for name in names(run))]
    if not matching:
        near = did_you_mean(pattern, results.runs)
        known = ", ".join(results.runs)
        raise UsageError(f"System {system!r}: no run is called {pattern!r}; there are: {known}. {near}".strip())
    return matching


def _baselines(systems: list[str], baseline: str | Sequence[str] | None, every_pair: bool) -> tuple[str, ...]:
    if every_pair:
        if baseline is not None:
            raise UsageError("Every pair is compared, or systems with a baseline; choose one.")
        return ()
    wanted = [systems[0]] if baseline is None else [baseline] if isinstance(baseline, str) else list(baseline)
    for name in wanted:
        if name not in systems:
            near = did_you_mean(name, systems)
            raise UsageError(f"There is no system {name!r}; there are: {', '.join(systems)}. {near}".strip())
    return tuple(dict.fromkeys(wanted))


def _pairs(systems: list[str], baselines: tuple[str, ...]) -> list[tuple[str, str]]:
    if not baselines:
        return [(two, one) for at, one in enumerate(systems) for two in systems[at + 1 :]]
    return [(one, base) for at, base in enumerate(baselines) for one in systems if one not in baselines[: at + 1]]


def _table(results: Scores, measure: Measure, runs: Sequence[str]) -> Floats:
    scores = on_scale(measure, results.settled(measure))
    return scores[[results.run_position(run) for run in runs]]


def _differences(
    results: Scores,
    measure: Measure,
    members: Mapping[str, tuple[str, ...]],
    pairs: Sequence[tuple[str, str]],
    correction: Correction,
    confidence: float,
) -> list[SystemDifference]:
    alone = [_difference(results, measure, pair, [members[name] for name in pair], confidence) for pair in pairs]
    adjusted = corrected([one.p for one in alone], correction)
    return [replace(one, adjusted=p) for one, p in zip(alone, adjusted.tolist(), strict=True)]


def _difference(
    results: Scores, measure: Measure, pair: tuple[str, str], runs: Sequence[tuple[str, ...]], confidence: float
) -> SystemDifference:
    one, two = (_table(results, measure, of_system) for of_system in runs)
    outcome = seeds_test(one, two)
    known = ~(np.isnan(one).any(axis=0) | np.isnan(two).any(axis=0))
    means = [float(table[:, known].mean()) if known.any() else math.nan for table in (one, two)]
    half = t_limit(outcome.freedom, 1 - confidence) * outcome.error if outcome.freedom > 0 else math.nan
    uncertain = outcome.from_queries + outcome.from_seeds
    return SystemDifference(
        measure=measure,
        system=pair[0],
        baseline=pair[1],
        mean=means[0],
        baseline_mean=means[1],
        difference=outcome.difference,
        low=outcome.difference - half,
        high=outcome.difference + half,
        p=outcome.p,
        adjusted=outcome.p,
        queries=outcome.queries,
        runs=outcome.seeds[0],
        baseline_runs=outcome.seeds[1],
        error=outcome.error,
        freedom=outcome.freedom,
        from_seeds=outcome.from_seeds / uncertain if uncertain > 0 else math.nan,
        reason=outcome.reason,
    )


def _of_system(results: Scores, measure: Measure, system: str, runs: tuple[str, ...]) -> SystemRuns:
    table = _table(results, measure, runs)
    known = table[:, ~np.isnan(table).any(axis=0)]
    means = known.mean(axis=1).tolist() if known.shape[1] else [math.nan] * len(runs)
    return SystemRuns(measure, system, runs, tuple(means), variance_components(table))
