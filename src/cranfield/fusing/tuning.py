"""The parameters of a fusion, chosen on judged queries, and what that is worth on queries that had no part in it."""

from __future__ import annotations

import math
import shlex
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import product
from typing import TYPE_CHECKING, Any

import numpy as np

from cranfield import errors, formats
from cranfield.arguments import require_share, require_whole
from cranfield.arrays import Floats, Ints
from cranfield.comparing.intervals import CONFIDENCE, Interval, standard_error_interval, t_interval
from cranfield.comparing.paired import pairs_with
from cranfield.comparing.significance_tests.maxt import max_t_tests
from cranfield.comparing.significance_tests.pairwise import random_samples
from cranfield.comparing.significance_tests.randomization import randomization_test
from cranfield.comparing.significance_tests.student import two_sided
from cranfield.data.judgments import Judgments
from cranfield.data.run import Run
from cranfield.errors import Finding
from cranfield.evaluating.aggregate import settle, t_limit
from cranfield.evaluating.evaluation import EvaluationPlan, evaluation_plan
from cranfield.fusing.configuration_scores import ConfigurationScores
from cranfield.fusing.configurations import FusionFamily, FusionGrid
from cranfield.fusing.fused_run import FusedRun, fused_run
from cranfield.fusing.fusion import Fusion, fusion_from
from cranfield.fusing.selection import (
    TOLERANCE,
    FoldChoices,
    LearntScores,
    choose_in_folds,
    first_largest,
    resampled_means,
)
from cranfield.fusing.training import FOLDS, LEAST_TO_LEARN, FoldLearning, fold_numbers, training_data
from cranfield.measures import Measure
from cranfield.phrases import counted, percent
from cranfield.show.answer import Answer
from cranfield.show.measures import legend, name_dict
from cranfield.show.table import Cell, Estimate, PValue, Table, finite, in_words, stacked
from cranfield.version import VERSION

if TYPE_CHECKING:
    from matplotlib.figure import Figure

REPEATS = 20
"""How often queries are cut into folds."""
PERMUTATIONS = 10_000
SAMPLES = 200
"""Of queries, each of which chooses again; a standard error needs no more."""
SHOWN = 5
"""Configurations that the table has, those chosen most often."""
LEARNT = (
    "Methods that learn do so in the same folds: what fuses a query learnt nothing from its fold, in sample neither. "
    "Bootstrap samples do not learn again, so intervals leave out how learning itself would vary."
)
UNTUNED = "rrf"
"""The fusion that people take without tuning."""


@dataclass(frozen=True, eq=False)
class TuningScores:
    """Scores of everything that was tried, for the queries that count."""

    queries: tuple[str, ...]
    fusions: tuple[Fusion, ...]
    configurations: Floats
    """Configuration × query; of methods that learn, by what was learnt without the query's fold."""
    runs: tuple[str, ...]
    singles: Floats
    """Run × query."""
    untuned: Floats
    """By query, of RRF as it is published."""
    lower_is_better: bool = False
    learnt: LearntScores | None = None
    """Of methods that learn, all scores."""

    @property
    def sign(self) -> float:
        """By this times its score, higher is better."""
        return -1.0 if self.lower_is_better else 1.0

    @property
    def signed(self) -> LearntScores | None:
        """All scores of methods that learn, higher being better."""
        return None if self.learnt is None else self.learnt._replace(scores=self.learnt.scores * self.sign)


@dataclass(frozen=True)
class TuningComparison:
    """The tuned fusion against something else, on queries that had no part in its choice."""

    other: str
    score: Interval
    """Of the other."""
    difference: Interval
    p: float


@dataclass(frozen=True)
class ParameterPoint:
    """One value of a parameter, all others as they are in the final fusion."""

    value: float
    score: Interval
    difference: Interval
    """To the final fusion, paired by query."""

    @property
    def within_noise(self) -> bool:
        """Whether these queries do not show that it is worse, or better, than the final value."""
        return (not self.difference.reason and self.difference.low <= 0 <= self.difference.high) or self.is_final

    @property
    def is_final(self) -> bool:
        """Whether it scores as the final fusion for every query."""
        return self.difference.low == self.difference.high == 0


@dataclass(frozen=True, eq=False, repr=False)
class FusionTuning(Answer):
    """A tuned fusion, and what it gains where that is measured fairly.

    >>> import cranfield as cf
    >>> from cranfield import demo
    >>> tuning = cf.tune_fusion(demo.path("qrels.txt"), [demo.path("bm25.run"), demo.path("dense.run")], repeats=2)
    >>> print(tuning.final)
    combmnz, norm 2sigma, weights 0.1 0.9
    """

    measure: Measure
    scores: TuningScores
    families: tuple[FusionFamily, ...]
    choices: FoldChoices
    """Of fusions."""
    single_choices: FoldChoices
    """Of single runs, chosen in the same folds."""
    sources: tuple[Run, ...]
    p: float
    """That some configuration differs from the best single run, corrected for all that were tried."""
    naive_p: float
    """The same of the best configuration, as if it were the only one that was tried."""
    learning: FoldLearning | None = None
    """What methods that learn know, where there are any."""
    seed: int = 0
    confidence: float = CONFIDENCE
    warnings: tuple[Finding, ...] = ()
    path: str | None = None
    """Where the run to report was written."""
    final_path: str | None = None
    """Where the run to deploy was written."""

    @property
    def final(self) -> Fusion:
        """The fusion to deploy, chosen by all queries: its score on these queries says nothing about others."""
        final = self.scores.fusions[self.choices.final]
        return self.learning.final(final) if self.learning and final.method.rule.is_trained else final

    @property
    def run(self) -> FusedRun:
        """The run to report: each query fused with parameters that never saw it, in the first split."""
        fusions = self._out_of_fold
        return fused_run(self.sources, self.final, self._name("tuned"), lambda query: fusions.get(query, self.final))

    @property
    def final_run(self) -> FusedRun:
        """The run of the final parameters, to deploy; it was tuned on these queries, so do not evaluate it on them."""
        return fused_run(self.sources, self.final, self._name("final"))

    @property
    def command(self) -> str:
        """The final parameters as a command to type."""
        return shlex.join(_command(self.final, self.sources, self.learning))

    @cached_property
    def score(self) -> Interval:
        """The out-of-fold score, over all splits."""
        return self._interval(self.choices.mean_scores * self.scores.sign, self._resampled[0])

    @cached_property
    def in_sample(self) -> Interval:
        """The score of the best configuration on the queries that chose it: what a search without folds shows."""
        return t_interval(self.scores.configurations[self._best], confidence=self.confidence)

    @cached_property
    def comparisons(self) -> tuple[TuningComparison, ...]:
        """The out-of-fold scores against the best single run, the single run chosen in folds, and untuned RRF.

        The run with the best mean on all queries is the harder one to beat: nobody could have known that it is best.
        """
        best = self.scores.singles[self.scores.runs.index(self.best_single)]
        single, resampled = self.single_choices.mean_scores * self.scores.sign, self._resampled[1]
        return (
            self._compared_fixed(f"{self.best_single}, the best run", best),
            self._compared("best run, chosen in folds", single, resampled, self._interval(single, resampled)),
            self._compared_fixed(f"{UNTUNED}, untuned", self.scores.untuned),
        )

    @property
    def best_single(self) -> str:
        """The run with the best mean on all queries."""
        return self.scores.runs[_best_row(self.scores.singles * self.scores.sign)]

    @property
    def in_sample_gain(self) -> float:
        """What the best configuration gains over the best single run on the queries that chose both."""
        singles = self.scores.singles[self.scores.runs.index(self.best_single)]
        return float((self.scores.configurations[self._best] - singles).mean())

    @property
    def is_significant(self) -> bool:
        """Whether fusing gains: out of fold, and more than trying so many configurations gains by chance."""
        return self._is_sure(self.scores.sign)

    @property
    def is_significantly_worse(self) -> bool:
        """Whether even the best fusion loses against the best single run."""
        return self._is_sure(-self.scores.sign) and self.in_sample_gain * self.scores.sign < 0

    def _is_sure(self, sign: float) -> bool:
        """Whether interval and corrected p both say that the difference has this sign."""
        difference = self.comparisons[0].difference
        return min(difference.low * sign, difference.high * sign) > 0 and self.p < 1 - self.confidence

    @cached_property
    def curve(self) -> tuple[ParameterPoint, ...]:
        """The measure over the parameter that can be drawn: the weight of the first of two runs, or k."""
        return tuple(_points(self))

    @property
    def parameter(self) -> str:
        """What the curve is over; empty where there is nothing to draw."""
        return _parameter(self.final, self.scores)

    def plot(self, *, size: tuple[float, float] | None = None, title: str | None = None) -> Figure:
        """The measure over the weight of the first of two runs, or over k, with its interval. It needs matplotlib."""
        from cranfield.figures.plots import over_parameter

        if len(self.curve) < 2:
            raise errors.fusing.no_parameter_to_draw(str(self.final))
        queries = counted(len(self.scores.queries), "query")
        heading = f"{self.final.method.rule.name}: {self.measure} by {self.parameter}, in sample, {queries}"
        return over_parameter(
            [(point.value, *_estimate(point.score)) for point in self.curve],
            (self.parameter, str(self.measure)),
            next(point.value for point in self.curve if point.is_final),
            {"tuned, out of fold": self.score.value, self.best_single: self.comparisons[0].score.value},
            log=self.parameter == "k",
            size=size,
            title=heading if title is None else title,
        )

    def verdict(self) -> str:
        """What tuning gains on queries that had no part in it."""
        from cranfield.fusing.tuning_words import verdict

        return verdict(self)

    def tables(self) -> list[Table]:
        """What the tuned fusion is compared with, what was chosen how often, and the curve."""
        return [self.results(), self.chosen(), *([self.curve_table()] if self.curve else [])]

    def results(self) -> Table:
        """The out-of-fold score, and what it is compared with."""
        compared = [None, *self.comparisons, None]
        scores = [self.score, *(own.score for own in self.comparisons), self.in_sample]
        return Table(
            {
                "fusion": ["tuned, out of fold", *(own.other for own in self.comparisons), "tuned, in sample"],
                str(self.measure): [_estimate(score) for score in scores],
                "difference": [_estimate(own.difference) if own else None for own in compared],
                "p": [PValue(own.p) if own else None for own in compared],
            },
            notes=self._notes(),
        )

    def chosen(self) -> Table:
        """The configurations chosen in folds, most often first."""
        shares = self.choices.shares(len(self.scores.fusions))
        rows = [row for row in np.argsort(-shares, kind="stable").tolist() if shares[row] > 0 or row == self._final]
        shown = rows[:SHOWN]
        means = self.scores.configurations.mean(axis=1)
        choices = self.choices.chosen.size
        hidden = f" {len(rows) - SHOWN} more were chosen now and then." if len(rows) > SHOWN else ""
        return Table(
            {
                "configuration": [str(self.scores.fusions[row]) for row in shown],
                "chosen": [percent(float(shares[row])) for row in shown],
                "in sample": [float(means[row]) for row in shown],
            },
            notes=(f"chosen: share of {choices:,} choices, one for each fold.{hidden}",),
            right=("chosen",),
        )

    def curve_table(self) -> Table:
        """The measure at each value of one parameter, and the difference to the final one."""
        return Table(
            {
                self.parameter: [f"{point.value:g}" for point in self.curve],
                str(self.measure): [_estimate(point.score) for point in self.curve],
                "difference to final": [_estimate(point.difference) for point in self.curve],
            },
            notes=("In sample; the other parameters are those of the final fusion.",),
            right=(self.parameter,),
        )

    def sentences(self) -> list[str]:
        """The verdict, how stable the choice is, and what to type to deploy it."""
        from cranfield.fusing.tuning_words import deployment, files, stability

        return [self.verdict(), stability(self), deployment(self), *files(self)]

    def rows(self) -> Table:
        """Results and every configuration that was tried."""
        shares = self.choices.shares(len(self.scores.fusions))
        intervals = [t_interval(own, confidence=self.confidence) for own in self.scores.configurations]
        columns: dict[str, list[Cell]] = {
            "fusion": [str(fusion) for fusion in self.scores.fusions],
            str(self.measure): [_estimate(own) for own in intervals],
            "chosen": [float(share) for share in shares],
            "final": ["yes" if row == self._final else "" for row in range(len(shares))],
        }
        kinds = {"result": self.results(), "configuration": Table(columns, exact=("chosen",))}
        if self.curve:
            curve = self.curve_table()
            columns = {"parameter": [self.parameter] * len(self.curve), "value": [point.value for point in self.curve]}
            columns |= {name: [*cells] for name, cells in curve.columns.items() if name != self.parameter}
            kinds["curve"] = Table(columns, exact=("value",))
        return stacked(kinds)

    def to_dict(self) -> dict[str, Any]:
        """Everything as plain values."""
        shares = self.choices.shares(len(self.scores.fusions)).tolist()
        means = self.scores.configurations.mean(axis=1).tolist()
        mine = self.choices.mean_scores * self.scores.sign
        return {
            "cranfield": VERSION,
            **name_dict(self.measure),
            "runs": list(self.scores.runs),
            "verdict": self.verdict(),
            "significant": self.is_significant,
            "out_of_fold": _plain(self.score),
            "in_sample": _plain(self.in_sample) | {"gain": self.in_sample_gain, "fusion": self._choices(self._best)},
            "p_corrected": finite(self.p),
            "p_naive": finite(self.naive_p),
            "best_single_run": self.best_single,
            "comparisons": [
                {"with": own.other, "score": _plain(own.score), "gain": _plain(own.difference), "p": finite(own.p)}
                for own in self.comparisons
            ],
            "final": {**self.final.choices(), "command": self.command},
            "path": self.path,
            "final_path": self.final_path,
            "folds": int(self.choices.folds.max()) + 1,
            "repeats": len(self.choices.folds),
            "seed": self.seed,
            "confidence": self.confidence,
            "configurations": [
                {**self._choices(row), "mean": mean, "chosen": share}
                for row, (mean, share) in enumerate(zip(means, shares, strict=True))
            ],
            "curve": [
                {
                    "parameter": self.parameter,
                    "value": point.value,
                    "score": _plain(point.score),
                    "difference": _plain(point.difference),
                    "within_noise": point.within_noise,
                }
                for point in self.curve
            ],
            "queries": [
                {"query": query, "out_of_fold": score, "fusion": self._out_of_fold[query].choices()}
                for query, score in zip(self.scores.queries, mine.tolist(), strict=True)
            ],
            "warnings": [str(warning) for warning in self.warnings],
        }

    @property
    def _final(self) -> int:
        return self.choices.final

    @property
    def _best(self) -> int:
        return _best_row(self.scores.configurations * self.scores.sign)

    @property
    def _out_of_fold(self) -> Mapping[str, Fusion]:
        """The fusion of each query in the first split."""
        folds = self.choices.folds[0]
        rows = self.choices.chosen[0][folds].tolist()
        fusions = {query: self.scores.fusions[row] for query, row in zip(self.scores.queries, rows, strict=True)}
        if self.learning is None:
            return fusions
        own = dict(zip(self.scores.queries, folds.tolist(), strict=True))
        return {
            query: self.learning.fusion(fusion, 0, own[query], query) if fusion.method.rule.is_trained else fusion
            for query, fusion in fusions.items()
        }

    def _choices(self, row: int) -> dict[str, Any]:
        return self.scores.fusions[row].choices()

    def _name(self, what: str) -> str:
        return f"{what}({','.join(self.scores.runs)})"

    @cached_property
    def _samples(self) -> Floats:
        """How often each query is in each sample."""
        return np.vstack([*random_samples(len(self.scores.queries), SAMPLES, self.seed)])

    @cached_property
    def _resampled(self) -> tuple[Floats, Floats]:
        """The out-of-fold means of samples that choose again: of fusions, and of single runs."""
        scores, folds = self.scores, self.choices.folds
        sizes = [len(family.fusions) for family in self.families]
        tuned = resampled_means(scores.configurations * scores.sign, sizes, folds, self._samples, scores.signed)
        single = resampled_means(scores.singles * scores.sign, [len(scores.runs)], folds, self._samples)
        return tuned * scores.sign, single * scores.sign

    def _compared_fixed(self, other: str, scores: Floats) -> TuningComparison:
        """With something that nothing was chosen for."""
        resampled = self._samples @ scores / len(scores)
        return self._compared(other, scores, resampled, t_interval(scores, confidence=self.confidence))

    def _compared(self, other: str, scores: Floats, resampled: Floats, own: Interval) -> TuningComparison:
        apart = _difference(self.choices.mean_scores * self.scores.sign, scores)
        difference = self._interval(apart, _difference(self._resampled[0], resampled))
        return TuningComparison(other, own, difference, _p(difference, self.confidence))

    def _interval(self, scores: Floats, resampled: Floats) -> Interval:
        return standard_error_interval(scores, resampled, confidence=self.confidence)

    def _notes(self) -> tuple[str, ...]:
        folds, repeats = int(self.choices.folds.max()) + 1, len(self.choices.folds)
        first = (self.choices.scores * self.scores.sign).mean(axis=1)
        splits = f"; single splits give {in_words(first.min())} to {in_words(first.max())}" if repeats > 1 else ""
        return (
            f"out of fold: every query is fused with parameters chosen without it, in {folds} folds of "
            f"{counted(len(self.scores.queries), 'query')}, cut {repeats} times{splits}. The run that is written is of "
            f"the first split, {in_words(float(first[0]))}.",
            f"in sample: the best of {len(self.scores.fusions):,} configurations on the queries that chose it: too "
            "optimistic.",
            *([LEARNT] if self.learning else []),
            "difference: tuned, out of fold, minus this.",
            f"Intervals are {percent(self.confidence)} (Student's t). Out of fold, their standard error is that of "
            f"{SAMPLES} bootstrap samples of queries, each of which chooses again; so is that of p, two-sided.",
            *legend([self.measure]),
        )


def tune_fusion(
    judgments: object,
    runs: object,
    measure: str | Measure = "nDCG@10",
    *,
    methods: Sequence[str] | None = None,
    norms: Sequence[str] | None = None,
    k: Sequence[float] | None = None,
    steps: int | None = None,
    lowest: Sequence[float] | None = None,
    depth: int | None = None,
    top: int | None = None,
    folds: int = FOLDS,
    repeats: int = REPEATS,
    permutations: int = PERMUTATIONS,
    confidence: float = CONFIDENCE,
    only_queries: object = None,
    seed: int = 0,
) -> FusionTuning:
    """Choose method, normalisation, weights and k of a fusion by a measure, and say what that is worth.

    All configurations are scored once. Queries are cut into `folds`, `repeats` times; for each fold the others choose
    the method, by cross-validation among themselves, and its best parameters. Of what is equally good the simplest is
    taken. `steps` are those of weights: with 10 they are tenths. The result has the run to report, in which no query
    was fused with parameters that saw it (`run`), and the fusion to deploy (`final`).

    >>> from cranfield import demo
    >>> tuning = tune_fusion(demo.path("qrels.txt"), [demo.path("bm25.run"), demo.path("dense.run")], methods=["rrf"])
    >>> print(tuning.final, round(tuning.in_sample_gain, 4), round(tuning.comparisons[0].difference.value, 4))
    rrf(k=1), weights 0.4 0.6 0.0536 0.039
    """
    require_whole(folds, "folds", least=2)
    require_whole(repeats, "repeats")
    require_whole(permutations, "permutations")
    require_whole(seed, "seed", least=0)
    require_share(confidence, "confidence")
    plan = evaluation_plan(None, [measure] if isinstance(measure, Measure) else measure, {"only_queries": only_queries})
    _require_tunable(plan)
    sources = tuple(formats.read_runs(runs))
    if len(sources) < 2:
        raise errors.fusing.needs_two_runs(len(sources))
    grid = FusionGrid(methods, norms, k, steps, lowest, depth, top)
    families = grid.families([run.name for run in sources])
    _require_folds_to_learn(families, folds)
    scores, in_folds, learning, warnings = _tuning_scores(plan, judgments, sources, families, (folds, repeats, seed))
    corrected, naive = search_p(scores, permutations, seed)
    return FusionTuning(
        measure=plan.measures[0],
        scores=scores,
        families=families,
        choices=choose_in_folds(
            scores.configurations * scores.sign, [len(family.fusions) for family in families], in_folds, scores.signed
        ),
        single_choices=choose_in_folds(scores.singles * scores.sign, [len(scores.runs)], in_folds),
        sources=sources,
        p=corrected,
        naive_p=naive,
        learning=learning,
        seed=seed,
        confidence=confidence,
        warnings=warnings,
    )


def _require_tunable(plan: EvaluationPlan) -> None:
    if len(plan.measures) != 1:
        names = ", ".join(map(str, plan.measures))
        raise errors.fusing.not_tunable(names, "are several measures")
    definition = plan.measures[0].definition
    if definition.groups is not None:
        raise errors.fusing.not_tunable(str(plan.measures[0]), "reads several grades for a document")
    if definition.mean != "arithmetic":
        raise errors.fusing.not_tunable(str(plan.measures[0]), "has no arithmetic mean")


def _require_folds_to_learn(families: Sequence[FusionFamily], folds: int) -> None:
    for family in families:
        if family.fusions[0].method.rule.is_trained and folds < LEAST_TO_LEARN:
            raise errors.fusing.too_few_folds(family.name)


def _tuning_scores(
    plan: EvaluationPlan,
    judgments: object,
    sources: tuple[Run, ...],
    families: Sequence[FusionFamily],
    splits: tuple[int, int, int],
) -> tuple[TuningScores, Ints, FoldLearning | None, tuple[Finding, ...]]:
    """Everything scored for the queries for which everything has a score, their folds, and what is surprising."""
    measure = plan.measures[0]
    evaluated = plan.scores(judgments, sources)
    judged = evaluated.require_detail("Tuning").judgments
    singles = evaluated.settled(measure)
    numbers = _splits([query for query, own in zip(judged.queries, singles.T, strict=True) if _known(own)], *splits)
    fusions = tuple(fusion for family in families for fusion in family.fusions)
    rows = _ScoredRows(fusions, len(sources), numbers, splits[0])
    learning = rows.learning(sources, judged)
    scoring = ConfigurationScores(rows.scored, judged, measure, plan.settings[0].view, learnt=rows.learnt(learning))
    values = settle(measure, scoring.values(sources), evaluated.undefined[0])
    defined = np.asarray(~np.isnan(np.vstack([values, singles])).any(axis=0))
    warnings = [*evaluated.warnings]
    warnings += [finding for finding in scoring.findings.warnings if finding not in warnings]
    if not defined.all():
        left = [judged.queries[place] for place in np.flatnonzero(~defined).tolist()]
        warnings.append(errors.fusing.left_out(left, len(judged.queries), str(measure)))
    kept = tuple(judged.queries[place] for place in np.flatnonzero(defined).tolist())
    if len(kept) < splits[0]:
        raise errors.fusing.too_few_to_train(len(kept), splits[0])
    in_folds = np.array([[own[query] for query in kept] for own in numbers], dtype=np.int64)
    configurations, learnt = rows.apart(values[:, defined], in_folds)
    scores = TuningScores(
        kept,
        fusions,
        configurations,
        evaluated.runs,
        singles[:, defined],
        values[0, defined],
        measure.definition.lower_is_better,
        learnt,
    )
    return scores, in_folds, learning, tuple(warnings)


def _known(scores: Floats) -> bool:
    return not bool(np.isnan(scores).any())


def _splits(queries: Sequence[str], folds: int, repeats: int, seed: int) -> list[dict[str, int]]:
    """The fold of each query, as often as queries are cut."""
    if len(queries) < folds:
        raise errors.fusing.too_few_to_train(len(queries), folds)
    return [fold_numbers(queries, folds, [seed, split]) for split in range(repeats)]


class _ScoredRows:
    """What is scored for each query: untuned RRF, every configuration, and those that learn once for each fold."""

    def __init__(self, fusions: Sequence[Fusion], runs: int, numbers: Sequence[Mapping[str, int]], folds: int) -> None:
        self.numbers, self.folds, self.count = numbers, folds, len(fusions)
        self.trained = [row for row, fusion in enumerate(fusions) if fusion.method.rule.is_trained]
        self.plain = [row for row, fusion in enumerate(fusions) if not fusion.method.rule.is_trained]
        self.left_out = [*product(self.trained, range(len(numbers)), range(folds))]
        untuned = fusion_from(UNTUNED, depth=fusions[0].depth, top=fusions[0].top, runs=runs)
        self.fusions = fusions
        self.scored = [untuned, *(fusions[row] for row in self.plain), *(fusions[row] for row, _, _ in self.left_out)]

    def learning(self, sources: Sequence[Run], judged: Judgments) -> FoldLearning | None:
        """What there is to learn, if anything learns."""
        if not self.trained:
            return None
        return FoldLearning(training_data(sources, judged, self.fusions[0].depth), self.numbers, self.folds)

    def learnt(self, learning: FoldLearning | None) -> Callable[[int, str], Fusion] | None:
        """By scored row and query, the fusion of a method that learns."""
        if learning is None:
            return None
        first = 1 + len(self.plain)

        def fusion(scored: int, query: str) -> Fusion:
            row, split, fold = self.left_out[scored - first]
            return learning.fusion(self.fusions[row], split, fold, query)

        return fusion

    def apart(self, values: Floats, in_folds: Ints) -> tuple[Floats, LearntScores | None]:
        """The scores of the configurations, and those of what learns for each fold that is left out."""
        queries = values.shape[1]
        configurations = np.empty((self.count, queries))
        configurations[self.plain] = values[1 : 1 + len(self.plain)]
        if not self.trained:
            return configurations, None
        shape = (len(self.trained), len(self.numbers), self.folds, queries)
        scores = values[1 + len(self.plain) :].reshape(shape)
        places = np.arange(queries)
        own = [scores[:, split, folds, places] for split, folds in enumerate(in_folds)]
        configurations[self.trained] = np.mean(own, axis=0)
        return configurations, LearntScores(np.array(self.trained, dtype=np.int64), scores)


def search_p(scores: TuningScores, permutations: int, seed: int) -> tuple[float, float]:
    """The p of the best configuration against the best single run: corrected for all configurations, and alone."""
    single = scores.singles[_best_row(scores.singles * scores.sign)]
    best = _best_row(scores.configurations * scores.sign)
    table = np.vstack([single, scores.configurations])
    corrected = max_t_tests(table, pairs_with(0, len(table)), permutations=permutations, rng=seed)
    return corrected[best].p, randomization_test(scores.configurations[best] - single, rng=seed).p


def _difference(first: Floats, second: Floats) -> Floats:
    """First minus second, 0 where they differ by rounding alone."""
    scale = max(float(np.abs(own).max(initial=0)) for own in (first, second))
    difference = first - second
    return np.where(np.abs(difference) <= TOLERANCE * scale, 0.0, difference)


def _p(difference: Interval, confidence: float) -> float:
    """How likely a difference is as far from 0, by the standard error of its interval."""
    limit = t_limit(difference.queries - 1, 1 - confidence) if difference.queries > 1 else math.nan
    error = (difference.high - difference.low) / 2 / limit
    if not error > 0:
        return 1.0 if difference.value == 0 else math.nan
    return two_sided(difference.value / error, difference.queries - 1)


def _best_row(scores: Floats) -> int:
    sums = scores.sum(axis=1)
    return first_largest(sums, 1e-9 * float(np.abs(sums).max(initial=0)))


def _parameter(final: Fusion, scores: TuningScores) -> str:
    if final.method.rule.weighted and len(scores.runs) == 2 and any(own.weights for own in _beside(final, scores)):
        return f"weight of {scores.runs[0]}"
    return "k" if final.method.rule.name == "rrf" else ""


def _beside(final: Fusion, scores: TuningScores) -> list[Fusion]:
    """The configurations that differ from the final one in weights alone."""
    return [own for own in scores.fusions if str(own.method) == str(final.method) and str(own.norm) == str(final.norm)]


def _points(tuning: FusionTuning) -> list[ParameterPoint]:
    scores, final = tuning.scores, tuning.final
    rows = {str(fusion): row for row, fusion in enumerate(scores.fusions)}
    if tuning.parameter == "k":
        same = [own for own in scores.fusions if own.method.rule.name == "rrf" and own.weights == final.weights]
        values = {float(own.method.params["k"]): rows[str(own)] for own in same}
    elif tuning.parameter:
        values = {own.weights[0] if own.weights else 0.5: rows[str(own)] for own in _beside(final, scores)}
    else:
        values = {}
    best = scores.configurations[tuning.choices.final]
    return [
        ParameterPoint(
            value,
            t_interval(scores.configurations[row], confidence=tuning.confidence),
            t_interval(scores.configurations[row] - best, confidence=tuning.confidence),
        )
        for value, row in sorted(values.items())
    ]


def _command(fusion: Fusion, sources: Sequence[Run], learning: FoldLearning | None) -> list[str]:
    """What to type to fuse runs so."""
    words = ["cranfield", "fuse", *(run.path or run.name for run in sources), "--method", str(fusion.method)]
    if fusion.norm is not None:
        words += ["--norm", str(fusion.norm)]
    for name, numbers in (("--weights", fusion.weights), ("--lowest", fusion.lowest)):
        if numbers is not None:
            words += [name, ",".join(map(repr, numbers))]
    for name, number in (("--depth", fusion.depth), ("--top", fusion.top)):
        if number is not None:
            words += [name, str(number)]
    if learning is not None and fusion.method.rule.is_trained:
        words += ["--train", learning.data.path or "QRELS"]
    return [*words, "-o", "deployed.run"]


def _estimate(interval: Interval) -> Estimate:
    return Estimate(interval.value, interval.low, interval.high)


def _plain(interval: Interval) -> dict[str, Any]:
    return {name: finite(getattr(interval, name)) for name in ("value", "low", "high")}
