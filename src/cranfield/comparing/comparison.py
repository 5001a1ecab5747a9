"""Runs compared: how far apart they are, which differences are significant, and what follows for their order."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, Unpack

import numpy as np

from cranfield.arrays import Bools, Floats
from cranfield.choices import PaperOrder
from cranfield.comparing import slice_words, verdict_words, words
from cranfield.comparing.differences import Difference, TestChoices, TestKeywords, differences, intervals, scaled
from cranfield.comparing.groups import indistinguishable_groups, letters, tied_for_first
from cranfield.comparing.intervals import Interval
from cranfield.comparing.ranks import RankInterval, rank_intervals
from cranfield.comparing.slices import Slicing, sliced
from cranfield.data.queries import Queries
from cranfield.errors import Finding, UsageError
from cranfield.evaluating.score_json import judgments_dict, settings_dict
from cranfield.evaluating.scores import Scores, joined
from cranfield.measures import Measure
from cranfield.phrases import listed, option, spoken
from cranfield.show.answer import Answer, in_markdown
from cranfield.show.digits import Digits
from cranfield.show.measures import name_dict
from cranfield.show.paper import PaperTable
from cranfield.show.table import PLACES, Table, finite, literal, stacked
from cranfield.version import VERSION

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from cranfield.comparing.doubts import Doubts
    from cranfield.comparing.equivalence import EquivalenceComparison
    from cranfield.comparing.latency import LatencyComparison
    from cranfield.comparing.order_agreement import OrderAgreement
    from cranfield.comparing.sensitivity import Sensitivity
    from cranfield.evaluating.worst_queries import WorstQueries


LEAST_TO_STANDARDISE = 3
MOST_GROUPS = 500
"""Of more groups of runs that do not differ significantly, none is shown."""


@dataclass(frozen=True)
class Standing:
    """All runs under one measure, best mean first, and what the differences say of their order.

    Groups and ranks need every pair: where runs are compared with a baseline only, there are none.
    """

    measure: Measure
    runs: tuple[str, ...]
    means: tuple[Interval, ...]
    better: frozenset[tuple[str, str]]
    """Which run is significantly better than which, of the pairs that were compared."""
    first: tuple[str, ...] = ()
    """Runs that none is significantly better than."""
    letters: tuple[str, ...] = ()
    """Runs that share a letter do not differ significantly; empty where there would be too many letters."""
    ranks: tuple[RankInterval, ...] = ()

    def to_dict(self) -> dict[str, Any]:
        """Everything as plain values; groups and ranks where every pair was compared."""
        rows: list[dict[str, Any]] = [
            {"run": run, "mean": finite(mean.value), "interval": [finite(mean.low), finite(mean.high)]}
            for run, mean in zip(self.runs, self.means, strict=True)
        ]
        for row, group, rank in zip(rows, self.letters, self.ranks, strict=False):
            row |= {"group": group, "rank": list(rank)}
        first = {"tied_for_first": list(self.first)} if self.ranks else {}
        return {**name_dict(self.measure), **first, "runs": rows}


@dataclass(frozen=True, eq=False, repr=False)
class Comparison(Answer):
    """Differences between runs with intervals, tests and effect sizes; shows itself as a verdict and a table.

    >>> import cranfield as cf
    >>> judged = {f"q{at}": {"d1": 1, "d2": 0} for at in range(9)}
    >>> old = {query: ["d2", "d1"] for query in judged} | {"q0": ["d1", "d2"]}
    >>> new = {query: ["d1", "d2"] for query in judged}
    >>> comparison = cf.compare(cf.evaluate(judged, {"old": old, "new": new}, "RR"))
    >>> comparison
    Comparison('old and new by RR')
    >>> print(comparison.verdict())
    new is better than old on RR. +0.4444 (95% interval 0.3163 to 0.5726, p = 0.008, 9 queries, paired randomization ...
    """

    results: Scores
    choices: TestChoices
    baselines: tuple[str, ...]
    """What runs are compared with; none where every pair is compared."""
    differences: tuple[Difference, ...]
    standings: tuple[Standing, ...]
    queries: Queries | None = None
    """What is known of queries."""
    slicings: tuple[Slicing, ...] = ()
    """The same differences in slices, by each column that was asked for."""
    every_pair: bool = False
    """Whether p is corrected for every pair; otherwise for the comparisons with the baselines."""
    other_baselines: tuple[str, ...] = ()
    """What the same results are compared with elsewhere: what is tested for all of it is tested once."""
    warnings: tuple[Finding, ...] = ()
    margin: float | None = None
    """Within which differences runs are tested to be equivalent; None: they are not tested for that."""
    mover_count: int | None = None
    """How many queries that gained most, and that lost most, are shown; None: the usual number, in tables only."""
    with_sensitivity: Sensitivity | None = None
    """What `sensitivity` gives, to be shown too."""
    with_agreement: OrderAgreement | None = None
    """What `agreement` gives, to be shown too."""
    with_worst: WorstQueries | None = None
    """What `results.worst` gives, to be shown too."""
    with_latency: bool = False
    """Whether latencies stand in every form; otherwise in tables and in `to_dict` alone."""
    digits: Digits = field(default_factory=Digits)
    """The decimals of measures, and whether scores are shown in percent."""
    paper: Mapping[str, Any] = field(default_factory=dict)
    """What `paper_table` is called with where the comparison is shown as LaTeX or Markdown."""

    def __repr__(self) -> str:
        measures = [str(measure) for measure in self.measures]
        return f"Comparison({f'{listed(self.results.runs)} by {listed(measures)}'!r})"

    @property
    def measures(self) -> tuple[Measure, ...]:
        """The measures, in the order of the results."""
        return self.results.measures

    @property
    def is_of_pairs(self) -> bool:
        """Whether p is corrected for every pair, as Tukey's test does whatever is compared."""
        return self.every_pair or self.choices.test == "tukey"

    @property
    def family(self) -> int:
        """How many comparisons p is corrected for under each measure: every pair, or those with the baselines."""
        runs = len(self.results.runs)
        return runs * (runs - 1) // 2 if self.is_of_pairs else len(self.of(self.measures[0]))

    def of(self, measure: Measure | str) -> tuple[Difference, ...]:
        """The differences under one measure."""
        wanted = self.measures[self.results.position(measure)]
        return tuple(difference for difference in self.differences if difference.measure == wanted)

    def movers(self, difference: Difference, count: int = words.MOVERS) -> list[tuple[str, float, float]]:
        """The queries that moved most, best gain first: query, the run's score and the baseline's."""
        scores = self.results.settled(difference.measure)
        if self.choices.standardise:
            scores = scaled(difference.measure, scores, self.choices)
        run, baseline = (scores[self.results.run_position(name)] for name in (difference.run, difference.baseline))
        moved = run - baseline
        order = [at for at in np.argsort(-moved, kind="stable").tolist() if not math.isnan(moved[at]) and moved[at]]
        ends = order if len(order) <= 2 * count else order[:count] + order[-count:]
        return [(self.results.queries[at], float(run[at]), float(baseline[at])) for at in ends]

    def sensitivity(self) -> Sensitivity:
        """Whether the conclusion holds with other measures, ties, thresholds, queries and tests."""
        from cranfield.comparing.sensitivity import sensitivity

        return sensitivity(self)

    def agreement(self) -> OrderAgreement:
        """How far each two measures agree about the order of runs."""
        from cranfield.comparing.order_agreement import order_agreement

        choices = self.choices
        return order_agreement(
            self.results, confidence=choices.confidence, seed=choices.seed, standardise=choices.standardise
        )

    def plot(
        self,
        measures: Measure | str | Sequence[Measure | str] | None = None,
        *,
        size: tuple[float, float] | None = None,
        title: str | None = None,
    ) -> Figure:
        """Every difference with its interval, a panel for each measure, or for those named. It needs matplotlib."""
        from cranfield.figures.plots import forest

        named = [measures] if isinstance(measures, Measure | str) else measures
        chosen = None if named is None else [self.measures[self.results.position(name)] for name in named]
        return forest(self, chosen, size=size, title=title)

    def verdict(self, places: int | None = None) -> str:
        """The answer for the first measure."""
        return verdict_words.verdict(self, self.digits.usual_places if places is None else places)

    @cached_property
    def doubts(self) -> Doubts:
        """What would turn the verdict: unjudged documents removed, ties in reverse order, and the like."""
        from cranfield.comparing.doubts import doubts

        return doubts(self)

    @property
    def judged_depth(self) -> int:
        """How many of the first documents the first measure looks at, ten at most; ten where only that is known."""
        measure = self.measures[0]
        cutoff = measure.at if measure.definition.at == "cutoff" else None
        return 10 if cutoff is None or self.results.detail is None else min(int(cutoff), 10)

    @cached_property
    def judged_shares(self) -> dict[str, float]:
        """The mean share of judged documents among these of each run, where it is known."""
        depth, detail = self.judged_depth, self.results.detail
        if depth < 10 and detail is not None:
            from cranfield.evaluating.evaluation import judged_share

            shares = [judged_share(alignment, depth) for alignment in detail.alignments]
        else:
            shares = [about.judged_at_10 for about in self.results.provenance.runs]
        return {run: share for run, share in zip(self.results.runs, shares, strict=True) if share is not None}

    @cached_property
    def latency(self) -> LatencyComparison | None:
        """How long the runs took, where they were made from live systems."""
        if all(facts.times is None for facts in self.results.provenance.runs):
            return None
        from cranfield.comparing.latency import latency_comparison

        runs = self.results.runs
        pairs = [(runs[run], runs[other]) for run, other in chosen_pairs(self.results, self.baselines)]
        return latency_comparison(self.results, pairs, self.choices.confidence)

    @cached_property
    def equivalence(self) -> EquivalenceComparison | None:
        """Which runs are equivalent, where a margin was chosen."""
        if self.margin is None:
            return None
        from cranfield.comparing.equivalence import equivalence_comparison

        return equivalence_comparison(self, chosen_pairs(self.results, self.baselines), self.margin)

    def sentences(self) -> list[str]:
        """The verdict, then those of slices and of whatever else was asked for."""
        sentences = [
            self.verdict(),
            *(slice_words.verdict(self, slicing) for slicing in self.slicings),
            *(part.verdict() for part in self.further),
            *([self.latency.verdict()] if self.latency else []),
        ]
        return [sentence for sentence in sentences if sentence]

    @property
    def further(self) -> list[EquivalenceComparison | WorstQueries | Sensitivity | OrderAgreement]:
        """Answers to further questions that are shown too."""
        parts = (self.equivalence, self.with_worst, self.with_sensitivity, self.with_agreement)
        return [part for part in parts if part is not None]

    def table(self) -> Table:
        """A row for every difference."""
        return words.table(self)

    def tables(self) -> list[Table]:
        """Differences, standings, slices, the queries that moved most, and whatever else was asked for."""
        return [part for part in words.sections(self) if isinstance(part, Table)]

    def sections(self) -> list[str | Table]:
        """The verdict, the tables, each with its own verdict where it has one, and warnings."""
        return [*words.sections(self), *self.warning_lines()]

    def paper_table(
        self,
        places: int | None = None,
        *,
        caption: str | None = None,
        label: str | None = None,
        order: PaperOrder = "mean",
        percent: bool | None = None,
    ) -> PaperTable:
        """Means with marks of significance as papers have them, with `latex()` and `markdown()`.

        The best mean is bold, the second underlined. `caption` takes the place of the first sentence of the caption;
        what the marks mean, and the correction, follow it. `percent` multiplies scores by 100.
        """
        from cranfield.comparing.paper import paper_table

        shown = self if percent is None else replace(self, digits=replace(self.digits, percent=percent))
        usual = shown.digits.usual_places if places is None else places
        return paper_table(shown, usual, caption=caption, label=label, order=order)

    def markdown(self, places: int = PLACES) -> str:
        """The verdict, the table for a paper, and all other tables."""
        verdict, *others = self.sections()
        assert isinstance(verdict, str)
        parts = [literal(verdict) + "\n", self.paper_table(places, **self.paper).markdown()]
        return "\n".join([*parts, *(in_markdown(part, places) for part in others)])

    def latex(self, places: int = PLACES) -> str:
        """The table for a paper, with marks of significance, then tables of what was asked for; needs booktabs."""
        paper = self.paper_table(places, **self.paper)
        return "\n".join([paper.latex(), *(table.latex(places) for table in self._asked_tables())])

    def _asked_tables(self) -> list[Table]:
        """The tables that only stand in LaTeX where they were asked for."""
        return [
            *(slice_words.table(self, slicing) for slicing in self.slicings),
            *([words.movers(self, self.mover_count)] if self.mover_count else []),
            *(part.table() for part in self.further),
            *([self.latency.table()] if self.latency and self.with_latency else []),
        ]

    def rows(self) -> Table:
        """A row for every difference, in slices too; of several kinds of rows, a column `kind` says which each is."""
        kinds = {"difference": words.rows(self)}
        if self.equivalence is not None:
            kinds["equivalence"] = self.equivalence.rows()
        if self.mover_count:
            kinds["query"] = words.mover_rows(self, self.mover_count)
        if self.with_worst is not None:
            kinds["worst"] = self.with_worst.rows()
        if self.with_sensitivity is not None:
            kinds["variation"] = self.with_sensitivity.rows()
        if self.with_agreement is not None:
            kinds["agreement"] = self.with_agreement.rows()
        if self.latency is not None and self.with_latency:
            kinds["latency"] = self.latency.rows()
        return stacked(kinds) if len(kinds) > 1 else kinds["difference"]

    def to_dict(self) -> dict[str, Any]:
        """Everything as plain values: the object that `cranfield compare --format json` prints."""
        alpha, sensitivity, agreement = self.choices.alpha, self.with_sensitivity, self.with_agreement
        slices = [{"verdict": slice_words.verdict(self, one), **one.to_dict(alpha)} for one in self.slicings]
        return {
            "cranfield": VERSION,
            "choices": {**self.choices.to_dict(), "baselines": list(self.baselines)},
            "family": {"comparisons": self.family, "of": "pairs" if self.is_of_pairs else "baselines"},
            "verdict": self.verdict(),
            "doubts": self.doubts.to_dict(),
            "judgments": judgments_dict(self.results),
            "settings": settings_dict(self.results),
            "warnings": list(map(str, self.warnings)),
            "differences": [
                {**difference.to_dict(), "verdict": difference.verdict(alpha)} for difference in self.differences
            ],
            "standings": [standing.to_dict() for standing in self.standings],
            **({"equivalence": self.equivalence.to_dict()} if self.equivalence is not None else {}),
            **({"slices": slices} if slices else {}),
            **({"movers": words.mover_dicts(self, self.mover_count)} if self.mover_count else {}),
            **({"worst": self.with_worst.to_dict()} if self.with_worst is not None else {}),
            **({"sensitivity": sensitivity.to_dict()} if sensitivity is not None else {}),
            **({"agreement": agreement.quiet().to_dict()} if agreement is not None else {}),
            **({"latency": self.latency.to_dict()} if self.latency is not None else {}),
        }


def compare(
    results: Scores | Iterable[Scores],
    *,
    baseline: str | Sequence[str] | None = None,
    all_pairs: bool = False,
    standardise: bool = False,
    queries: object = None,
    by: str | Sequence[str] = (),
    equivalence: float | None = None,
    allow_different_judgments: bool = False,
    choices: TestChoices | None = None,
    **keywords: Unpack[TestKeywords],
) -> Comparison:
    """Runs compared with a baseline, by default the first, or with several, or every two of them.

    These comparisons are one family: p is corrected for their number under each measure, and every table, mark and
    sentence is about that corrected p. Groups and ranks of runs follow from every pair, so they need `all_pairs`.
    Paired by query over all judged queries, those that a run did not answer among them. Takes scores as `evaluate`
    or `load` gives them, or several of both. With `queries`, whatever `read_queries` reads, and `by`, the
    names of its columns, runs are also compared in slices. With `standardise`, scores are taken as distances from
    their query's mean over all runs, in standard deviations: easy and hard queries then weigh the same. With
    `equivalence`, a margin, it is also tested whether differences are within it on either side (two one-sided tests).

    How runs are tested is chosen by keywords:

    - `test`: `"randomization"` (the default), `"t"`, `"wilcoxon"`, `"sign"`, `"bootstrap"` or `"tukey"`; or a test of
      your own, a function of two runs' scores that returns p, such as `scipy.stats.ttest_rel`;
    - `correction` for multiple comparisons: `"holm"` (the default), others that `corrected` explains, or `"none"`;
    - `interval`: `"t"` (the default) or `"bca"`, with `confidence` 0.95; the significance level is 1 minus that;
    - `tie_margin`: scores of a query that differ by no more than this count as equal, by default 0;
    - `power`: 0.8, for the smallest detectable difference; `resamples`: 100,000; `seed`: 0.

    `choices` are the same as one value, such as those of another comparison; a keyword changes one of them.
    """
    tests = replace(choices or TestChoices(), standardise=standardise, **keywords)
    margin = None if equivalence is None else _margin(equivalence, tests)
    joint = join_results(results, allow_different_judgments=allow_different_judgments)
    if standardise and len(joint.runs) < LEAST_TO_STANDARDISE:
        raise UsageError(
            f"Standardising needs at least {LEAST_TO_STANDARDISE} runs; with 2 it only keeps the sign of each "
            "difference."
        )
    baselines = chosen_baselines(joint, baseline, all_pairs)
    pairs = chosen_pairs(joint, baselines)
    columns = [by] if isinstance(by, str) else list(dict.fromkeys(by))
    if columns and queries is None:
        raise UsageError(f"{option('by', columns[0])} needs {spoken(command='--queries FILE', python='queries=')}.")
    known = None if queries is None else _known(queries)
    compared = [_compared(joint, measure, pairs, tests, every_pair=not baselines) for measure in joint.measures]
    return with_warnings(
        Comparison(
            joint,
            tests,
            baselines,
            tuple(difference for differences, _ in compared for difference in differences),
            tuple(standing for _, standing in compared),
            known,
            tuple(sliced(joint, known, column, pairs, tests) for column in columns) if known else (),
            every_pair=not baselines,
            margin=margin,
        )
    )


def _margin(equivalence: float, choices: TestChoices) -> float:
    # Most comparisons test no equivalence.
    from cranfield.comparing.equivalence import require_margin

    return require_margin(equivalence, choices)


def with_warnings(comparison: Comparison) -> Comparison:
    """The comparison with the warnings of its evaluation and its own."""
    return replace(comparison, warnings=(*comparison.results.warnings, *_few_resamples(comparison)))


def _few_resamples(comparison: Comparison) -> Iterator[Finding]:
    """A warning where no p that comes from so few resamples could be significant, or hardly."""
    choices = comparison.choices
    by_number = ("holm", "holm-sidak", "bonferroni", "sidak")
    pairs = comparison.family if choices.correction in by_number else 1
    least = min(pairs / (choices.resamples + 1), 1)
    if choices.test not in ("randomization", "bootstrap") or least <= choices.alpha / 2:
        return
    more = option("resamples", str(10 ** math.ceil(math.log10(10 * pairs / choices.alpha))))
    few = f"{choices.resamples:,} resamples cannot give a p below {least:.2g}; use {more} or more"
    if pairs > 1:
        few = (
            f"{choices.resamples:,} resamples cannot give a corrected p below {least:.2g} for {pairs:,} comparisons; "
            f"use {more}, or {option('test', 'tukey')}, which needs no correction"
        )
    yield Finding("warning", "few-resamples", few)


def _known(queries: object) -> Queries:
    # Most comparisons read no queries, and reading them takes modules of its own.
    from cranfield.formats.queries import read_queries

    return read_queries(queries)


def _compared(
    results: Scores, measure: Measure, chosen: list[tuple[int, int]], choices: TestChoices, *, every_pair: bool
) -> tuple[list[Difference], Standing]:
    scores = scaled(measure, results.settled(measure), choices)
    compared = differences(measure, results.runs, scores, chosen, choices)
    return compared, standing(results, measure, scores, compared, choices, every_pair=every_pair)


def standing(
    results: Scores,
    measure: Measure,
    scores: Floats,
    compared: Sequence[Difference],
    choices: TestChoices,
    *,
    every_pair: bool,
) -> Standing:
    """All runs under one measure, given the differences of one family; of every pair, with groups and ranks."""
    systems = len(results.runs)
    sign = -1 if measure.definition.lower_is_better else 1
    means = intervals(list(scores), choices)
    order = sorted(range(systems), key=lambda at: -sign * means[at].value if means[at].queries else math.inf)
    runs = tuple(results.runs[at] for at in order)
    significant = [one for one in compared if one.is_significant(choices.alpha)]
    better = frozenset((one.run, one.baseline) if one.is_better else (one.baseline, one.run) for one in significant)
    ordered = Standing(measure, runs, tuple(means[at] for at in order), better)
    if not every_pair:
        return ordered
    better_than = np.array([[(one, two) in better for two in runs] for one in runs])
    return replace(
        ordered,
        first=tuple(runs[at] for at in tied_for_first(better_than)),
        letters=_letters(better_than),
        ranks=tuple(rank_intervals(better_than)),
    )


def _letters(better_than: Bools) -> tuple[str, ...]:
    systems = len(better_than)
    try:
        found = letters(indistinguishable_groups(better_than, most=MOST_GROUPS), systems)
    except UsageError:  # nobody reads hundreds of letters
        found = [()] * systems
    between = "," if any(len(letter) > 1 for of_run in found for letter in of_run) else ""
    return tuple(between.join(of_run) for of_run in found)


def join_results(results: Scores | Iterable[Scores], *, allow_different_judgments: bool = False) -> Scores:
    """All runs that were given, as one; they are at least two."""
    parts = [results] if isinstance(results, Scores) else list(results)
    if not parts:
        raise UsageError("Nothing to compare. Give the scores of two runs or more.")
    joint = joined(parts, allow_different_judgments=allow_different_judgments)
    if len(joint.runs) < 2:
        raise UsageError(f"Nothing to compare: there is one run, {joint.runs[0]}. Give two or more.")
    return joint


def chosen_baselines(results: Scores, baseline: str | Sequence[str] | None, every_pair: bool) -> tuple[str, ...]:
    """The runs to compare with, by default the first; none where every pair is compared."""
    if every_pair:
        if baseline is not None:
            raise UsageError("Every pair is compared, or runs with a baseline; choose one.")
        return ()
    wanted = [results.runs[0]] if baseline is None else [baseline] if isinstance(baseline, str) else list(baseline)
    if not wanted:
        raise UsageError("No baseline is named. Name at least one, or compare every pair.")
    return tuple(results.runs[results.run_position(name)] for name in dict.fromkeys(wanted))


def chosen_pairs(results: Scores, baselines: tuple[str, ...]) -> list[tuple[int, int]]:
    """Rows of a run and of what it is compared with; every two once where there is no baseline."""
    systems = range(len(results.runs))
    if not baselines:
        return [(two, one) for one in systems for two in systems if one < two]
    rows = [results.run_position(name) for name in baselines]
    # Two baselines make one comparison, whichever way round.
    return [(run, row) for at, row in enumerate(rows) for run in systems if run != row and run not in rows[:at]]
