"""The page: each section simulates something, and gives its tables with what they show."""

from __future__ import annotations

import math
import zlib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import NamedTuple

import numpy as np

from benchmarks.validity import looks, tuned
from benchmarks.validity.corrected import METHODS, OTHERS, PEOPLE, covered
from benchmarks.validity.populations import SKEWED, Floats, Population, Populations
from benchmarks.validity.shares import ERRORS, Share
from benchmarks.validity.simulation import (
    BATCH,
    INTERVALS,
    PATTERNS,
    PATTERNS_TOGETHER,
    TESTS,
    Families,
    Null,
    Test,
    Verdicts,
    all_exchangeable,
    all_moved,
    as_they_are,
    coverage,
    drawn,
    equivalence_at,
    exchangeable,
    moved,
    neighbours_exchangeable,
    neighbours_moved,
    rejected,
    reweighted,
    verdicts,
)
from cranfield.comparing.differences import TestChoices

TRIALS = 1000
ALPHAS = (0.05, 0.01)
CONFIDENCE = 0.95
SYSTEMS, QUERIES = 10, 50
LARGE = 30, 43
BANDS = ((0.02, 0.04, 50), (0.02, 0.04, 200), (0.04, 0.08, 25), (0.04, 0.08, 50), (0.08, 0.12, 25), (0.08, 0.12, 50))
"""From and up to which difference, on how many queries, power is shown."""


@dataclass(frozen=True)
class Simulation:
    """What to draw from, how often, and what is tried."""

    populations: Populations
    trials: int = TRIALS
    """Of tables of several systems; of single tests and intervals there are four times as many."""
    tests: Mapping[str, Test] = field(default_factory=lambda: TESTS)

    @property
    def many(self) -> int:
        """Trials of what is quick."""
        return 4 * self.trials

    @property
    def few(self) -> int:
        """Trials of what takes long."""
        return max(self.trials // 5, 1)

    @property
    def distinct(self) -> Population:
        """Many runs, without near copies."""
        return self.populations.runs.without_copies

    @cached_property
    def families(self) -> dict[Condition, dict[str, Verdicts]]:
        """What is said of several systems, under every condition."""
        found = {}
        for condition in self.conditions:
            trials = self.few if condition.systems > SYSTEMS else self.trials
            truth = condition.draw(
                condition.population, condition.systems, condition.queries, trials, generator(str(condition))
            )
            found[condition] = verdicts(truth, ALPHAS)
        return found

    @property
    def conditions(self) -> list[Condition]:
        every, distinct = self.populations.runs, self.distinct
        most = min(LARGE[0], len(every.scores))
        return [
            Condition("all exchangeable", all_exchangeable, distinct, SYSTEMS, 25),
            Condition("all exchangeable", all_exchangeable, distinct, SYSTEMS, QUERIES),
            Condition("neighbours exchangeable", neighbours_exchangeable, distinct, SYSTEMS, 25),
            Condition("neighbours exchangeable", neighbours_exchangeable, distinct, SYSTEMS, QUERIES),
            Condition("as they are", as_they_are, distinct, SYSTEMS, QUERIES),
            Condition("all moved", all_moved, distinct, SYSTEMS, 25),
            Condition("all moved", all_moved, distinct, SYSTEMS, QUERIES),
            Condition("neighbours moved", neighbours_moved, distinct, SYSTEMS, QUERIES),
            Condition("all moved, copies among them", all_moved, every, SYSTEMS, QUERIES),
            Condition("all moved, copies among them", all_moved, every, most, LARGE[1]),
        ]


@dataclass(frozen=True)
class Condition:
    """How several systems were drawn."""

    name: str
    draw: Families
    population: Population
    systems: int
    queries: int

    def __str__(self) -> str:
        return f"{self.name}, {self.systems}, {self.queries}"


def generator(*about: object) -> np.random.Generator:
    """Random numbers that depend on what they are for, and on nothing else."""
    return np.random.default_rng(zlib.crc32("; ".join(map(str, about)).encode()))


def shown(found: Share, promised: float | None = None, *, bad: str = "above") -> str:
    """A share in percent with its simulation error, bold where it breaks a promise, in italics where it is stricter.

    >>> shown(Share(80, 1000), 0.05), shown(Share(52, 1000), 0.05), shown(Share(10, 1000), 0.05)
    ('**8.0 ± 0.9**', '5.2 ± 0.7', '*1.0 ± 0.3*')
    """
    places = 1 if promised is None or min(promised, 1 - promised) > 0.02 else 2
    text = f"{100 * found.value:.{places}f} ± {100 * found.error:.{places}f}"
    verdict = "nominal" if promised is None else found.compared_with(promised)
    return text if verdict == "nominal" else f"**{text}**" if verdict == bad else f"*{text}*"


def written(simulation: Simulation, tell: Callable[[str], None] = lambda _: None) -> str:
    """The whole page; each part is reported as soon as it is there."""
    parts = [introduction(simulation)]
    for section in (
        one_pair,
        equivalence,
        intervals,
        people_and_model,
        all_pairs_together,
        ranks,
        power,
        labels_at_looks,
        tuned_fusions,
    ):
        parts.append(section(simulation).strip())
        tell(parts[-1])
    return "\n\n".join([*parts, HOW.strip()]) + "\n"


def introduction(simulation: Simulation) -> str:
    """What this is, what was chosen, and how to read the tables."""
    choices = TestChoices()
    of_measures = next(iter(simulation.populations.measures.values()))
    systems, queries = of_measures.scores.shape
    return f"""\
# Do the statistics hold?

A test at 0.05 promises that, of systems that do not differ, it calls at most 5% different; a 95% interval, that it
holds the truth 95 times in 100; a correction, that all this stays true of many comparisons together. Textbooks prove it
for scores that are normally distributed, or many. Scores of queries are neither. So here every promise is tried: trials
are drawn from the scores of real runs in such a way that the truth is known, the functions that
[`cranfield compare`](compare.md) calls are called, and it is counted how often they are wrong. `make validity` writes
this page (`make validity TRIALS=100` a rough one); seeds are fixed, so it changes only when the code does.

**Drawn from:** {simulation.populations.runs}; {of_measures.name}, {systems} runs, {queries} queries, under
{", ".join(simulation.populations.measures)}.

**Trials:** {simulation.many:,} for each row about two systems or an interval, {simulation.trials:,} for each about
several systems ({simulation.few:,} for {LARGE[0]} systems). Randomization and bootstrap tests use {PATTERNS:,} random
patterns here, Tukey's and maxT {PATTERNS_TOGETHER:,}, intervals as many samples as always.

**How to read it:** percent of trials ± the simulation's standard error. **Bold** is more than {ERRORS:g} standard
errors worse than promised. *Italics* are as much better: the promise is kept with something to spare, which costs
power.

**Default:** test `{choices.test}`, correction `{choices.correction}`, interval `{choices.interval}`. Why, in short:

- Where systems are exchangeable the *randomization test* errs as often as it says, whatever the measure and however
  few the queries. So does *Student's t test*, and the two hardly ever disagree; corrected for many pairs on few queries
  the randomization test finds a little more. The *bootstrap test* errs too often with few queries. *Wilcoxon's* and the
  *sign test* are about something else than means, and call systems with equal means different, the more often the more
  queries there are.
- *Student's interval* of a difference holds the truth as often as it says, or nearly so where differences are skewed;
  that of the *BCa bootstrap* does so less often with 25 or 50 queries. For the mean of a measure that is nearly always
  1, neither is good.
- *Holm's correction* keeps the promise for all pairs together, with 50 queries even where differences are skewed, and
  finds more than *Bonferroni's* and *Tukey's*. *maxT* finds a little more yet, but breaks the promise there.
  *Benjamini and Hochberg's* promises something else: that few of the differences it finds are false, not that none
  is.
- With 25 queries, or with rare large differences among many small ones, all of them err more often than they say.
  Nothing that is computed from so few queries can know of what they happen not to hold."""


# Two systems


class _Pairs(NamedTuple):
    """Which pairs of runs a row of the table is about, and how they were made equal."""

    population: Population
    differences: Floats
    name: str
    queries: int
    null: Null


def _pairs(simulation: Simulation) -> Iterator[_Pairs]:
    runs, distinct = simulation.populations.runs, simulation.distinct
    for queries in (25, 50, 200):
        yield _Pairs(distinct, distinct.differences, "exchangeable", queries, exchangeable)
        yield _Pairs(distinct, distinct.differences, "moved", queries, moved)
        yield _Pairs(distinct, distinct.skewed, "moved, skewed", queries, moved)
    yield _Pairs(runs, runs.copies, "moved, copies", QUERIES, moved)
    yield _Pairs(runs, runs.copies, "reweighted, copies", QUERIES, reweighted)
    for population in simulation.populations.measures.values():
        yield _Pairs(population, population.differences, "exchangeable", QUERIES, exchangeable)
        yield _Pairs(population, population.differences, "reweighted", QUERIES, reweighted)


def one_pair(simulation: Simulation) -> str:
    """How often each test calls two systems different that do not differ."""
    rows = []
    for pairs in _pairs(simulation):
        if len(pairs.differences):
            label = [pairs.population.short, pairs.population.measure, pairs.name, str(pairs.queries)]
            trials = pairs.null(pairs.differences, pairs.queries, simulation.many, generator("pair", *label))
            rows.append((label, rejected(trials, simulation.tests, ALPHAS)))
    tables = [
        f"### At {alpha:g}\n\n"
        + _table(
            ["runs of", "measure", "two systems", "queries", *simulation.tests],
            [[*label, *(shown(found[name][alpha], alpha) for name in simulation.tests)] for label, found in rows],
        )
        for alpha in ALPHAS
    ]
    return "\n\n".join(["## Two systems that do not differ", PAIR, *tables, PAIR_REASONS])


PAIR = f"""\
In percent, how often each test finds a difference, one test by itself. *Exchangeable*: real differences of two runs,
with random signs; nothing tells the systems apart. *Moved*: real differences, moved so that their mean over all queries
is 0; their shape stays as it is, and *skewed* are those with a skewness of {SKEWED:g} or more. *Reweighted*: instead of
moving them, queries that favour the worse system are drawn more often, so that ties stay ties. *Copies*: two runs that
score the same for more than half of the queries; moved, these ties become the same small loss for most queries, which
no two systems have. Tukey's test and maxT are, of two systems, the randomization test."""
PAIR_REASONS = """\
What is above, and why:

- *Bootstrap*: means of samples vary less than means of queries do, by √((n - 1) / n); with 200 queries that is nothing.
- *Wilcoxon, sign*: their hypothesis is that the differences are symmetric around 0, or that wins are as frequent as
  losses. Many small losses and few large gains can have the mean 0 and be neither. That is no flaw of theirs, but no
  answer to which mean is higher either; more queries only make them surer of it.
- *Randomization, t*, of skewed differences: a sample of 25 often misses the rare large ones altogether, one of 50
  sometimes. It goes away with more queries.
- Copies that were moved: mostly the same small loss, which a test can only take for real. As they are, with their ties,
  they do little harm.

What is below: measures with few values leave few outcomes, and the randomization test, like the sign test, never gives
itself the benefit of the doubt. For Success it is the sign test; t finds more there."""


# Equivalence


def equivalence(simulation: Simulation) -> str:
    """How often two systems are called equivalent whose difference is the margin, and how often where there is none."""
    distinct, rows = simulation.distinct, []
    for queries, margin in EQUIVALENT:
        for name, differences in (("moved", distinct.differences), ("moved, skewed", distinct.skewed)):
            if not len(differences):
                continue
            rng = generator("equivalence", name, queries, margin)
            equal = moved(differences, queries, simulation.many, rng)
            side = rng.choice([-margin, margin], size=(len(equal), 1))
            tests = equivalence_at(margin)
            wrong, right = (rejected(trials, tests, ALPHAS[:1]) for trials in (equal + side, equal))
            cells = [shown(wrong[test][ALPHAS[0]], ALPHAS[0]) for test in tests]
            cells += [shown(right[test][ALPHAS[0]]) for test in tests]
            rows.append([distinct.short, distinct.measure, name, str(queries), f"{margin:g}", *cells])
    head = ["runs of", "measure", "two systems", "queries", "margin"]
    head += ["wrong, randomization", "wrong, t", "right, randomization", "right, t"]
    return "\n\n".join(["## Two systems that are equivalent", EQUIVALENCE, _table(head, rows), EQUIVALENCE_REASONS])


EQUIVALENT = ((25, 0.1), (50, 0.1), (50, 0.05), (200, 0.05), (200, 0.02))
"""Numbers of queries, and margins."""
EQUIVALENCE = """\
In percent, how often two one-sided tests at 0.05 (`cranfield compare --equivalence`) call two systems equivalent.
*Wrong*: real differences, moved so that their mean over all queries is the margin, above or below; a promise is broken
where this is more than 5%. *Right*: the same, moved so that their mean is 0."""
EQUIVALENCE_REASONS = """\
Where queries are too few for the margin, few pairs are called equivalent, rightly or wrongly, and the error is far
below 5%. So a pair that is not shown to be equivalent is undecided, not different."""

# Intervals


def intervals(simulation: Simulation) -> str:
    """How often 95% intervals hold the truth."""
    rows = []
    populations = [simulation.distinct, *simulation.populations.measures.values()]
    drawn_from = [
        *(("mean", population, population.scores) for population in populations),
        *(("difference", population, population.differences) for population in populations),
        ("difference, skewed", simulation.distinct, simulation.distinct.skewed),
    ]
    for what, population, values in drawn_from:
        for queries in (25, 50, 200) if len(values) else ():
            rng = generator("interval", what, population.short, population.measure, queries)
            found = coverage(values, queries, simulation.many, rng)
            wider = found["bca"].width / found["t"].width
            rows.append(
                [
                    what,
                    population.short,
                    population.measure,
                    str(queries),
                    *(shown(found[name].held, CONFIDENCE, bad="below") for name in INTERVALS),
                    f"{wider:.2f}",
                ]
            )
    head = ["of a", "runs of", "measure", "queries", "Student's t", "BCa", "width of BCa / t"]
    return "\n\n".join(["## Intervals", INTERVAL, _table(head, rows), INTERVAL_REASONS])


INTERVAL = """\
In percent, how often a 95% interval holds the mean over all queries, when some are drawn from them with replacement.
Runs, or pairs of runs, take turns."""
INTERVAL_REASONS = """\
Success@10 is 1 for nine of ten queries: 25 queries may all have it, and then show no variance at all, so that the
interval has no width. Student's is symmetric where it should reach further down; BCa knows the direction, but not how
far with so few. Of differences, where gains and losses face each other, there is less to know, and what BCa estimates
costs more than it brings."""


# People and a model


def people_and_model(simulation: Simulation) -> str:
    """How often 95% intervals hold the truth where people correct a model."""
    rows = []
    populations = [simulation.distinct, *simulation.populations.measures.values()]
    drawn_from = [
        *(("mean", population, population.scores) for population in populations),
        *(("difference", population, population.differences) for population in populations),
    ]
    for what, population, values in drawn_from:
        for queries in PEOPLE if len(values) else ():
            rng = generator("corrected", what, population.short, population.measure, queries)
            found = covered(values, queries, simulation.trials, rng)
            narrower = found["corrected"][1] / found["people alone"][1] if found["people alone"][1] else math.nan
            rows.append(
                [
                    what,
                    population.short,
                    population.measure,
                    str(queries),
                    *(shown(found[name][0], CONFIDENCE, bad="below") for name in METHODS),
                    f"{narrower:.2f}",
                ]
            )
    head = ["of a", "runs of", "measure", "judged by people", *METHODS, "width / people alone"]
    return "\n\n".join(["## People and a model", PEOPLE_AND_MODEL, _table(head, rows), PEOPLE_AND_MODEL_REASONS])


PEOPLE_AND_MODEL = f"""\
In percent, how often a 95% interval of `cranfield correct` holds what people's judgments of all queries would give,
when people judge a few queries, drawn at random, and a model that overrates by 0.15 and errs judges these and {OTHERS}
others. A difference is that of two runs, judged by the same people and the same model: what is missing to 100 is how
often its test finds a difference that is not there."""
PEOPLE_AND_MODEL_REASONS = """\
With one weight from all queries and normal quantiles (PPI++), intervals of few queries are too narrow. With weights
that leave out the query they are used for, and Student's t, they are not; what is left is what Student's t itself does
with skewed scores, as people's judgments alone show. Intervals that hold less than they promise from 10 queries on are
flagged by `cranfield correct`: it warns below 20 queries, where means of AP fall short, and where fewer than 5 scores
or differences are other than the most frequent one, as of Success@10, which is 1 for nine of ten queries."""


# Several systems


def all_pairs_together(simulation: Simulation) -> str:
    """How often any false verdict is made among all pairs."""
    found = simulation.families
    names = list(next(iter(found.values())))
    tables = [
        f"### At {alpha:g}\n\n"
        + _table(
            ["systems are", "systems", "queries", *names],
            [
                [*_label(condition), *(shown(of[name].false[alpha], alpha) for name in names)]
                for condition, of in found.items()
            ],
        )
        for alpha in ALPHAS
    ]
    differing = {condition: of for condition, of in found.items() if not math.isnan(of["none"].found)}
    power = _table(
        ["systems are", "systems", "queries", *names],
        [
            [*_label(condition), *(f"{100 * of[name].found:.0f}" for name in names)]
            for condition, of in differing.items()
        ],
    )
    false = next(
        of["benjamini-hochberg"].wrong for condition, of in found.items() if "neighbours exch" in condition.name
    )
    return "\n\n".join(
        [
            "## All pairs of several systems",
            FAMILY,
            *tables,
            "### Differences found\n\nOf those there are, in percent, at 0.05:",
            power,
            FAMILY_REASONS.format(false=100 * false),
        ]
    )


def _label(condition: Condition) -> list[str]:
    return [condition.name, str(condition.systems), str(condition.queries)]


FAMILY = """\
In percent, in how many trials one or more of all pairs is called different that is not, or the wrong one is called
better. The first four columns correct p-values of the randomization test; then Holm's correction of the t test,
Tukey's HSD by randomization, and step-down maxT. *Neighbours*: by their means, the first and the second run, the
third and the fourth and so on are made exchangeable, or moved to the same mean, and the others differ as they do. *As
they are*: nothing is made equal, so the only false verdict is the wrong direction."""
FAMILY_REASONS = """\
Corrections look far into the tails, where skewed differences do most harm; that is why 25 queries, or near copies,
break promises here that single tests nearly keep, and why at 0.01 none of them keeps its promise where all systems
were moved. Tukey's test measures all pairs by the largest range and supposes that all vary alike; maxT uses that
pairs depend on each other, and leaves no room for anything else. Bonferroni's and Holm's leave some, which is what
one pays them for. Of the differences that Benjamini and Hochberg's correction finds where neighbours are
exchangeable, {false:.1f}% are false: it keeps what it promises, which is not what this table is about."""


def ranks(simulation: Simulation) -> str:
    """How often all rank intervals together hold the true ranks."""
    names = ["holm", "holm, t", "tukey", "maxT"]
    rows = [
        [
            *_label(condition),
            *(f"{shown(of[name].ranks, CONFIDENCE, bad='below')}, {of[name].length:.1f}" for name in names),
        ]
        for condition, of in simulation.families.items()
    ]
    return "\n\n".join(["## Ranks", RANKS, _table(["systems are", "systems", "queries", *names], rows)])


RANKS = """\
In percent, in how many trials the rank intervals of all systems together hold their true ranks (of equal systems: all
that they share), then how many ranks an interval holds on average. The promise is 95%, at 0.05."""


def power(simulation: Simulation) -> str:
    """How often each test finds a difference that there is."""
    population = simulation.distinct
    rows = []
    for least, most, queries in BANDS:
        apart = population.apart(least, most)
        if len(apart):
            trials = drawn(apart, queries, simulation.many, generator("power", least, most, queries))
            found = rejected(trials, simulation.tests, (ALPHAS[0],))
            rows.append(
                [
                    f"{least:g} to {most:g}",
                    str(len(apart)),
                    str(queries),
                    *(shown(found[name][ALPHAS[0]]) for name in simulation.tests),
                ]
            )
    head = [f"difference in {population.measure}", "pairs", "queries", *simulation.tests]
    return "\n\n".join(["## Power", POWER, _table(head, rows), POWER_REASONS])


POWER = """\
In percent, how often each test at 0.05 finds a difference that is there: pairs of runs whose means over all queries are
so far apart, on some of these queries, drawn with replacement."""
POWER_REASONS = """\
The bootstrap test finds a little more with few queries because it errs a little more. What Wilcoxon's and the sign test
find is not always about the mean. A difference of 0.03 on 50 queries is found about once in three times: *not found* is
no sign that it is not there."""

# Labels as they come in


def labels_at_looks(simulation: Simulation) -> str:
    """How often a comparison is called likely for the wrong run while labels come in."""
    few = max(simulation.few // 2, 1)
    judgings = [
        *((looks.judging(*pair, "P@10"), simulation.trials) for pair in looks.PAIRS),
        *((looks.judging(*pair, "nDCG@10"), few) for pair in looks.HARDEST),
    ]
    rows = [
        [f"{of.run}, {of.baseline}", str(of.measure), name, str(of.matter), *_decisions(of, name, trials)]
        for of, trials in judgings
        for name in ("as they are", "exchangeable")
    ]
    head = ["runs", "measure", "they are", "documents", "at looks", "labels", "after every label", "labels until then"]
    return "\n\n".join(["## Labels as they come in", LOOKS.format(few=few), _table(head, rows), LOOKS_REASONS])


def _decisions(of: looks.Judging, name: str, trials: int) -> list[str]:
    swapped = name == "exchangeable"
    rng = generator("looks", of.run, of.baseline, of.measure, name)
    planned = looks.planned(of, trials, rng, exchangeable=swapped)
    cells = [shown(planned.wrong, looks.ERROR), f"{planned.labels:.0f}"]
    if not looks.is_sum(of.measure):
        return [*cells, "", ""]
    at_will = looks.at_will(of, trials, rng, exchangeable=swapped)
    return [*cells, shown(at_will.wrong, looks.ERROR), f"{at_will.labels:.0f}"]


LOOKS = f"""\
[`cranfield judge`](collect-judgments.md) calls a run *likely* ahead when labels of documents drawn at random say so. It
promises that this is the wrong run in {100 * looks.ERROR:g}% of comparisons at most: wrong for these queries, with
every document among the first {looks.DEPTH} labelled. It looks only when 20, 40, 80, … documents are labelled, each
time with a part of that error. In percent, how often it is wrong, and the median number of labels until then (all
documents on which the runs differ, where nothing becomes likely); then the same for somebody who looks after every
label with 1.96 standard errors and stops when it pleases. Runs are those of the collection that comes with the package,
and its grades are what judges say; *exchangeable* are the same runs, swapped by chance for each query, so that hardly a
difference is left. For a measure that is no sum, such as nDCG, documents without a label get grades drawn by chance,
{looks.DRAWS} times here; there are {{few}} trials in each of these rows."""
LOOKS_REASONS = """\
Whoever looks after every label has as many chances to be wrong as there are labels, and takes most of them where runs
hardly differ. Planned looks cost labels: about twice as many for a large difference, all of them for none. Nothing of
this holds for labels of documents that a strategy chose because they matter; none of those is used."""

# Tuned fusions


def tuned_fusions(simulation: Simulation) -> str:
    """How often tuning claims a gain that is none, and whether intervals of the gain hold the true one."""
    claimed = tuned.rejected(simulation.few, generator("tuned", "claimed"))
    head = [
        "configurations are",
        "p of the best, corrected",
        "p of the best, alone",
        "interval, gain in folds",
        "gain of the final",
        "Student's t alone",
        "in sample",
    ]
    rows = []
    for name, spread in (("equally good", 0.0), ("different", tuned.SPREAD)):
        held = tuned.covered(simulation.few, generator("tuned", "held", name), spread)
        claims = ["", ""] if spread else [shown(claimed[which], tuned.ALPHA) for which in ("corrected", "naive")]
        intervals = [shown(held[which], CONFIDENCE, bad="below") for which in INTERVALS_OF_TUNING]
        rows.append([name, *claims, *intervals])
    return "\n\n".join(
        ["## Tuned fusions", f"{TUNED} Each has {simulation.few:,} trials.", _table(head, rows), TUNED_REASONS]
    )


TUNED = f"""\
[`cranfield fuse tune`](should-i-fuse.md) tries many configurations and reports the score of queries that had no part in
the choice. Drawn are {tuned.QUERIES} queries, a single run, and {tuned.FAMILIES * tuned.WEIGHTS} configurations in
{tuned.FAMILIES} families whose neighbours score alike; none is better than the run, or families truly gain or lose
{tuned.SPREAD:g} (standard deviation). In percent, how often p at {tuned.ALPHA:g} says that the best one differs from
the run, corrected for all that were tried and as if it were the only one. Then how often the 95% interval of the gain
out of fold holds the true gain of what folds chose, and that of the final fusion; how often Student's t over queries
holds the first, as if nothing had been chosen; and how often the interval in sample holds the gain of the best
configuration."""
INTERVALS_OF_TUNING = ("of folds", "of the final", "plain t", "in sample")
TUNED_REASONS = """\
Whoever reports the best configuration on the queries that chose it is wrong far too often. The corrected p is stricter
than it says, since neighbours are not that many chances. Student's t over the out-of-fold scores is too narrow: other
queries would have chosen other configurations, and each query takes part in many choices. So the standard error is that
of 200 bootstrap samples of queries, each of which makes all choices again, with copies of a query in one fold. It errs
to the wide side, since a sample has fewer different queries to choose by. The verdict asks for both, an interval
without 0 and a corrected p below 0.05."""

HOW = f"""\
## How trials are drawn

Queries are drawn with replacement from those of the collection, all systems on the same ones; the collection is the
truth. Pairs of runs, or sets of runs, are drawn again for each trial. Copies are left out unless stated: of two runs
that score the same for more than half of the queries, only the first is drawn from. Trials about two systems share
random patterns by the {BATCH}, as the pairs of a comparison do. A test without a p-value, such as Student's of
differences that are all the same, finds nothing. Code: `benchmarks/validity/`; the tests and corrections themselves
are compared with SciPy, statsmodels and counting by hand in `tests/compare/`."""


def _table(head: list[str], rows: list[list[str]]) -> str:
    # Cells are Markdown already: bold where a promise is broken.
    return "\n".join(f"| {' | '.join(cells)} |" for cells in (head, ["---"] * len(head), *rows))
