"""What a comparison says: the verdict in words, then tables."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING

from cranfield.comparing import slice_words
from cranfield.comparing.differences import CORRECTIONS, INTERVALS, TESTS, Difference
from cranfield.comparing.ranks import RankInterval
from cranfield.measures import Measure
from cranfield.show.phrases import counted, listed, percent
from cranfield.show.table import Cell, Estimate, PValue, Table, finite, shown_p, tex

if TYPE_CHECKING:
    from cranfield.comparing.comparison import Comparison, Standing

CAREFUL = 0.9
"""With less of the first ten documents judged, a comparison says so."""
MOST_ROWS = 40
"""Of more differences, some are shown."""
SHOWN = 20
"""How many then are."""
MOST_STANDINGS = 20
"""Of more runs under more measures, a run has one row."""
MOST_RUNS = 50
MOVERS = 5
"""Queries shown that gained most, and as many that lost most."""
MOST_AS_GIVEN = 10
"""More runs are ordered by their means in LaTeX, so that the runs that one is better than follow each other."""


def verdict(comparison: Comparison, places: int) -> str:
    """The answer for the first measure."""
    measure = comparison.measures[0]
    differences = comparison.of(measure)
    sentences = [sentence(comparison, differences[0], places)] if len(differences) == 1 else []
    if not sentences:
        sentences = list(_several(comparison, places))
    return " ".join([*sentences, *_unjudged(comparison)])


def sentence(comparison: Comparison, difference: Difference, places: int) -> str:
    """The answer for two runs under one measure."""
    choices, run, baseline = comparison.choices, difference.run, difference.baseline
    if math.isnan(difference.p):
        return f"{run} and {baseline} cannot be compared by {difference.measure}: {difference.reason}."
    unit = f"standard deviations of {difference.measure}" if choices.standardise else str(difference.measure)
    interval, queries = _interval(comparison, difference, places), counted(difference.queries, "query")
    evidence = f"{interval}p = {shown_p(difference.adjusted)}, {queries}"
    counts = f"better on {difference.wins}, worse on {difference.losses}, equal on {difference.ties}"
    if difference.is_significant(choices.alpha):
        size = f"{abs(difference.difference):z.{places}f} {unit}"
        return f"{run} is {difference.verdict(choices.alpha)} than {baseline} by {size} ({evidence}): {counts}."
    sign = "+" if difference.difference > 0 else ""
    size = f"{sign}{difference.difference:z.{places}f} {unit}"
    power = (
        f" With {queries}, a true difference of {difference.detectable:z.{places}f} would be detected "
        f"{percent(choices.power)} of the time."
        if math.isfinite(difference.detectable)
        else ""
    )
    return f"No significant difference between {run} and {baseline}: {size} ({evidence}); {counts}.{power}"


def _several(comparison: Comparison, places: int) -> Iterator[str]:
    measure, alpha = comparison.measures[0], comparison.choices.alpha
    if not comparison.baselines:
        yield _order(comparison.standings[0], "standardised " if comparison.choices.standardise else "", places)
    for baseline in comparison.baselines:
        differences = [one for one in comparison.of(measure) if one.baseline == baseline]
        by_word = [
            [one.run for one in differences if one.verdict(alpha) == word] for word in ("better", "worse", "none")
        ]
        if differences:
            yield f"{measure}, compared with {baseline}: {by_verdict(*by_word)}."


def _order(standing: Standing, scale: str, places: int) -> str:
    """Who is best, and who may be."""
    best, value = standing.runs[0], f"{scale}{standing.measure} {standing.means[0].value:z.{places}f}"
    others = [run for run in standing.first if run != best]
    if not others:
        return f"{best} is better than every other run ({value})."
    if len(standing.first) == len(standing.runs):
        return f"{best} has the best mean ({value}); no other run differs significantly from it."
    return f"{best} has the best mean ({value}); no significant difference to {listed(others)}."


def _unjudged(comparison: Comparison) -> Iterator[str]:
    """A warning where a run's first documents were not judged."""
    results = comparison.results
    shares = {run: about.judged_at_10 for run, about in zip(results.runs, results.provenance.runs, strict=True)}
    known = {run: share for run, share in shares.items() if share is not None}
    if known and min(known.values()) < CAREFUL:
        shown = ", ".join(f"{run} {percent(share)}" for run, share in list(known.items())[:5])
        yield f"Judged@10: {shown}; unjudged documents count as irrelevant, so treat with care."


def table(comparison: Comparison, only: Sequence[Difference] | None = None) -> Table:
    """A row for every difference, or for some of them."""
    differences = comparison.differences if only is None else only
    how_many = [] if only is None else [_how_many(comparison, len(only))]
    return Table(
        {
            "measure": [str(difference.measure) for difference in differences],
            "run": [difference.run for difference in differences],
            "baseline": [difference.baseline for difference in differences],
            "mean": [difference.mean for difference in differences],
            "baseline mean": [difference.baseline_mean for difference in differences],
            "difference": [Estimate(one.difference, one.low, one.high) for one in differences],
            "p": [PValue(difference.adjusted) for difference in differences],
            "effect": [difference.g for difference in differences],
            "better": [difference.wins for difference in differences],
            "equal": [difference.ties for difference in differences],
            "worse": [difference.losses for difference in differences],
        },
        notes=(*how_many, *notes(comparison)),
        optional=("effect", *_obvious(comparison), "equal", "baseline mean", "mean"),
    )


def _obvious(comparison: Comparison) -> list[str]:
    """Columns that say the same in every row."""
    return ["baseline"] if len(comparison.baselines) == 1 else []


def _how_many(comparison: Comparison, shown: int) -> str:
    best = comparison.standings[0]
    return (
        f"{shown} of {len(comparison.differences):,} differences: those of the best runs by {best.measure}. "
        "--format tsv has all."
    )


def best_differences(comparison: Comparison) -> list[Difference]:
    """The best runs' differences under the first measure, where all would be too many to look at."""
    standing = comparison.standings[0]
    place = {run: at for at, run in enumerate(standing.runs)}
    differences = sorted(
        comparison.of(standing.measure),
        key=lambda one: (
            (min(place[one.run], place[one.baseline]), max(place[one.run], place[one.baseline]))
            if not comparison.baselines
            else (comparison.baselines.index(one.baseline), place[one.run])
        ),
    )
    return differences[:SHOWN]


def rows(comparison: Comparison) -> Table:
    """A row for every difference with everything that is known of it, for programs; slices after all queries."""
    values = list(slice_words.differences_by_slice(comparison))
    differences = [row.difference for row in values]
    columns = ("queries", "wins", "ties", "losses", "d", "g", "superiority", "detectable", "reason")
    return Table(
        {
            "measure": [str(difference.measure) for difference in differences],
            **(
                {
                    "by": [row.by for row in values],
                    "slice": [row.slice for row in values],
                    "depends": [PValue(row.depends) for row in values],
                }
                if comparison.slicings
                else {}
            ),
            **{
                name: [getattr(difference, name) for difference in differences]
                for name in ("run", "baseline", "mean", "baseline_mean", "difference", "low", "high")
            },
            "p": [PValue(difference.p) for difference in differences],
            "adjusted": [PValue(difference.adjusted) for difference in differences],
            "verdict": [difference.verdict(comparison.choices.alpha) for difference in differences],
            **{name: [getattr(difference, name) for difference in differences] for name in columns},
        }
    )


def mover_rows(comparison: Comparison, count: int) -> Table:
    """A row for every query that moved most, its scores in the columns of means."""
    rows = mover_dicts(comparison, count)
    names = {"score": "mean", "baseline_score": "baseline_mean"}
    return Table({names.get(name, name): [row[name] for row in rows] for name in (rows[0] if rows else ())})


def latex(comparison: Comparison, places: int) -> str:
    """A table for a paper: a row for every run, a column for every measure; needs the package booktabs.

    Where every pair is compared, each mean is marked with the runs that it is significantly better than, whose marks
    stand before their names. With a baseline, it is marked where it is significantly better or worse than that.
    """
    runs, choices = _latex_order(comparison), comparison.choices
    baselines = [] if comparison.every_pair else list(comparison.baselines)
    named = runs if comparison.every_pair else baselines if len(baselines) > 1 else []
    marks = {run: mark(at) for at, run in enumerate(named)}
    lines = []
    for run in runs:
        cells = []
        for standing in comparison.standings:
            mean = f"{standing.means[standing.runs.index(run)].value:z.{places}f}"
            bold = rf"\textbf{{{mean}}}" if run == standing.runs[0] else mean
            cells.append(bold + _marked(standing, run, baselines, named))
        lines.append(" & ".join([*([marks.get(run, "")] if marks else []), tex(run), *cells]) + r" \\")
    scale = "of scores standardised by query, " if choices.standardise else ""
    caption = (
        f"Means {scale}over {counted(len(comparison.results.queries), 'query')}. {_legend(baselines)} "
        f"({TESTS[choices.test]}, {tex(corrected_for(comparison))}, $\\alpha = {choices.alpha:.2g}$); "
        "the best mean is bold."
    )
    names = " & ".join([*([""] if marks else []), "run", *(tex(str(measure)) for measure in comparison.measures)])
    return "\n".join(
        [
            r"\begin{table}",
            r"\centering",
            rf"\caption{{{caption}}}",
            rf"\begin{{tabular}}{{{'l' * bool(marks)}l{'l' * len(comparison.measures)}}}",
            r"\toprule",
            names + r" \\",
            r"\midrule",
            *lines,
            r"\bottomrule",
            r"\end{tabular}",
            r"\end{table}",
            "",
        ]
    )


def _latex_order(comparison: Comparison) -> Sequence[str]:
    runs = comparison.results.runs
    return comparison.standings[0].runs if comparison.every_pair and len(runs) > MOST_AS_GIVEN else runs


def _marked(standing: Standing, run: str, baselines: list[str], named: Sequence[str]) -> str:
    """The marks of a mean in LaTeX: of the runs, or the baselines, that it differs from significantly."""
    if len(baselines) == 1:
        is_better, is_worse = (run, baselines[0]) in standing.better, (baselines[0], run) in standing.better
        sign = r"$\dagger$" if is_better else r"$\ddagger$" if is_worse else ""
        return rf"\textsuperscript{{{sign}}}" if sign else ""
    above = _ranges([at for at, other in enumerate(named) if (run, other) in standing.better])
    below = _ranges([at for at, other in enumerate(named) if (other, run) in standing.better]) if baselines else ""
    return (rf"\textsuperscript{{{above}}}" if above else "") + (rf"\textsubscript{{{below}}}" if below else "")


def _legend(baselines: list[str]) -> str:
    if not baselines:
        return "Superscripts name the runs that a run is significantly better than"
    if len(baselines) == 1:
        return rf"$\dagger$ significantly better, $\ddagger$ significantly worse than {tex(baselines[0])}"
    return "Superscripts name the baselines that a run is significantly better than, subscripts those it is worse than"


def corrected_for(comparison: Comparison) -> str:
    """How p is corrected, and for which comparisons: the family that every table, mark and sentence is about."""
    choices, family = comparison.choices, comparison.family
    if family == 1:
        return "one comparison per measure, no correction needed"
    if choices.test == "tukey":
        return f"which corrects for all {family:,} pairs"
    of = f"all {family:,} pairs" if comparison.every_pair else _with_baselines(comparison)
    return f"{CORRECTIONS[choices.correction]} for {of}, per measure"


def _with_baselines(comparison: Comparison) -> str:
    return f"{counted(comparison.family, 'comparison')} with {listed(comparison.baselines, 3)}"


def _ranges(places: Sequence[int]) -> str:
    """Marks of runs; three or more that follow each other by the first and the last.

    >>> _ranges([0, 1, 3, 4, 5, 6, 7, 26])
    'a,b,d--h,aa'
    """
    parts: list[list[int]] = []
    for at in places:
        if parts and parts[-1][-1] == at - 1:
            parts[-1].append(at)
        else:
            parts.append([at])
    return ",".join(
        f"{mark(part[0])}--{mark(part[-1])}" if len(part) > 2 else ",".join(map(mark, part)) for part in parts
    )


def mark(at: int) -> str:
    """A mark for each run: a to z, then aa, ab and so on.

    >>> [mark(at) for at in (0, 25, 26, 27, 701, 702)]
    ['a', 'z', 'aa', 'ab', 'zz', 'aaa']
    """
    letters = ""
    at += 1
    while at:
        at, letter = divmod(at - 1, 26)
        letters = chr(ord("a") + letter) + letters
    return letters


def standings(comparison: Comparison) -> Table:
    """A row for every run under every measure, best first: its group and ranks, or how it compares with a baseline."""
    if _is_large(comparison):
        return _leaderboard(comparison)
    rows = [(standing, at) for standing in comparison.standings for at in range(len(standing.runs))]
    means = [standing.means[at] for standing, at in rows]
    columns: dict[str, list[Cell]] = {
        "measure": [str(standing.measure) for standing, _ in rows],
        "run": [standing.runs[at] for standing, at in rows],
        "mean": [Estimate(mean.value, mean.low, mean.high) for mean in means],
    }
    if comparison.every_pair:
        columns["group"] = [_group(standing.letters[at]) for standing, at in rows]
        columns["rank"] = [shown_rank(standing.ranks[at]) for standing, at in rows]
        return Table(columns, notes=tuple(_standing_notes(comparison)))
    versus = {
        f"vs {baseline}": [_versus(standing, standing.runs[at], baseline) for standing, at in rows]
        for baseline in comparison.baselines
    }
    return Table(
        {**columns, **versus}, notes=tuple(_standing_notes(comparison)), optional=tuple(reversed(list(versus)[1:]))
    )


def _versus(standing: Standing, run: str, baseline: str) -> str:
    """What a run is compared with a baseline."""
    if run == baseline:
        return "baseline"
    if (run, baseline) in standing.better:
        return "better"
    return "worse" if (baseline, run) in standing.better else "not significant"


def _leaderboard(comparison: Comparison) -> Table:
    """The same with a row for every run and a column for every measure, in the order of the first."""
    first = comparison.standings[0]
    shown = first.runs[:MOST_RUNS]
    left_out = len(first.runs) - len(shown)
    more = (
        [f"The best {len(shown)} of {len(first.runs)} runs by {first.measure}; --format json has all."]
        if left_out
        else []
    )
    measures = {
        str(standing.measure): [f"{_mean(standing, run)} {_remark(comparison, standing, run)}".strip() for run in shown]
        for standing in comparison.standings
    }
    ranks = {"rank": [shown_rank(rank) for rank in first.ranks[: len(shown)]]} if comparison.every_pair else {}
    return Table(
        {"run": list(shown), **ranks, **measures},
        notes=(*more, *_standing_notes(comparison)),
        optional=tuple(reversed(list(measures)[1:])),
    )


def _mean(standing: Standing, run: str) -> str:
    return f"{standing.means[standing.runs.index(run)].value:z.4f}"


def _remark(comparison: Comparison, standing: Standing, run: str) -> str:
    """What stands after a run's mean: its group, or whether it is better or worse than the baselines."""
    if comparison.every_pair:
        return _group(standing.letters[standing.runs.index(run)])
    if len(comparison.baselines) == 1:
        word = _versus(standing, run, comparison.baselines[0])
        return "" if word == "not significant" else word
    by_word = {
        sign: ",".join(mark(at) for at, base in enumerate(comparison.baselines) if _versus(standing, run, base) == word)
        for sign, word in (("+", "better"), ("-", "worse"))
    }
    return " ".join(f"{sign}{marks}" for sign, marks in by_word.items() if marks)


def _standing_notes(comparison: Comparison) -> Iterator[str]:
    if not comparison.every_pair:
        yield from _baseline_notes(comparison)
        return
    first = comparison.standings[0]
    if any(standing.letters[0] for standing in comparison.standings):
        by = f" by {first.measure}" if _is_large(comparison) else ""
        yield (
            f"Runs sharing a letter do not differ significantly. rank: the range of ranks that the tests allow{by}. "
            f"Both come from the corrected p of all {comparison.family:,} pairs."
        )
    for standing in comparison.standings:
        if not standing.letters[0]:
            yield f"{standing.measure}: too many groups of runs that do not differ significantly to show them."


def _baseline_notes(comparison: Comparison) -> Iterator[str]:
    if _is_large(comparison) and len(comparison.baselines) > 1:
        names = ", ".join(f"{mark(at)} is {name}" for at, name in enumerate(comparison.baselines))
        yield f"Significantly better (+) and worse (-) than a baseline: {names}."
    yield "Significance is by the corrected p of the differences. Compare all pairs to see groups and ranks of runs."


def _is_large(comparison: Comparison) -> bool:
    return len(comparison.results.runs) * len(comparison.measures) > MOST_STANDINGS


def shown_rank(rank: RankInterval) -> str:
    """The ranks that a run may have."""
    return f"{rank.best}–{rank.worst}" if rank.best < rank.worst else f"{rank.best}"


def _group(letters: str) -> str:
    """The letters of a run; four or more that follow each other by their ends.

    >>> _group("ab"), _group("bcdef"), _group("acdef")
    ('ab', 'b–f', 'acdef')
    """
    follow = "," not in letters and all(ord(two) - ord(one) == 1 for one, two in pairwise(letters))
    return f"{letters[0]}–{letters[-1]}" if follow and len(letters) > 3 else letters


def movers(comparison: Comparison, count: int = MOVERS) -> Table:
    """The queries that moved most under the first measure, between the best run and what it is compared with first."""
    difference = best_differences(comparison)[0]
    rows = comparison.movers(difference, count)
    known = comparison.queries
    texts = [short(known.text(query)) if known else "" for query, _, _ in rows]
    return Table(
        {
            "query": [query for query, _, _ in rows],
            difference.baseline: [base for _, _, base in rows],
            difference.run: [run for _, run, _ in rows],
            "difference": [run - base for _, run, base in rows],
            **({"text": texts} if any(texts) else {}),
        },
        notes=(
            f"The queries with the largest changes of {difference.measure} from {difference.baseline} to "
            f"{difference.run}.",
        ),
        optional=("text",),
        elastic="text",
    )


def mover_dicts(comparison: Comparison, count: int) -> list[dict[str, Cell]]:
    """The same queries, a dictionary for each, for programs."""
    difference = best_differences(comparison)[0]
    known = comparison.queries
    return [
        {
            "measure": str(difference.measure),
            "run": difference.run,
            "baseline": difference.baseline,
            "query": query,
            **({"text": known.text(query)} if known and known.texts is not None else {}),
            "score": finite(run),
            "baseline_score": finite(base),
            "difference": finite(run - base),
        }
        for query, run, base in comparison.movers(difference, count)
    ]


def short(text: str, width: int = 50) -> str:
    """The text of a query, cut where a table would become too wide."""
    return text if len(text) <= width else text[: width - 1] + "…"


def sections(comparison: Comparison) -> list[str | Table]:
    """What a person reads, from the top: sentences and tables; of very many differences, the best runs'."""
    many = len(comparison.differences) > MOST_ROWS
    differences = table(comparison, best_differences(comparison) if many else None)
    parts: list[str | Table] = [comparison.verdict(), differences]
    if len(comparison.results.runs) > 2:
        parts.insert(1 if many else 2, standings(comparison))
    for slicing in comparison.slicings:
        parts += [slice_words.verdict(comparison, slicing), slice_words.table(comparison, slicing)]
    count = MOVERS if comparison.mover_count is None else comparison.mover_count
    parts += [movers(comparison, count)] if count else []
    for further in (comparison.with_sensitivity, comparison.with_agreement):
        parts += [] if further is None else [further.verdict(), further.table()]
    return parts


def notes(comparison: Comparison) -> Iterator[str]:
    """What the numbers are."""
    choices, results = comparison.choices, comparison.results
    if choices.standardise:
        yield (
            f"Scores are standardised: distances from their query's mean over all {len(results.runs)} runs, "
            "in standard deviations."
        )
    yield f"p: {TESTS[choices.test]}, two-sided, {corrected_for(comparison)}."
    yield (
        f"Differences over {counted(len(results.queries), 'query')}, paired, with their "
        f"{percent(choices.confidence)} intervals ({INTERVALS[choices.interval]}); effect: Hedges' g of the paired "
        "differences."
    )
    for measure in results.measures:
        yield from measure_notes(measure)
        if measure.definition.mean == "sum":
            yield f"{measure} is a sum; its mean over queries is compared."
    by_reason: dict[str, list[str]] = {}
    for difference in comparison.differences:
        if difference.reason:
            pair = f"{difference.run} and {difference.baseline} by {difference.measure}"
            by_reason.setdefault(difference.reason, []).append(pair)
    for reason, pairs in by_reason.items():
        yield f"{listed(pairs, 3)}: {reason}."


def measure_notes(measure: Measure) -> Iterator[str]:
    """How differences of a measure are read."""
    if measure.definition.mean == "geometric":
        yield f"{measure} is compared on the log scale (geometric mean)."
    if measure.definition.lower_is_better:
        yield f"{measure}: lower is better."


def _interval(comparison: Comparison, difference: Difference, places: int) -> str:
    if math.isnan(difference.low):
        return ""
    low, high = (
        (difference.low, difference.high)
        if difference.difference >= 0 or not difference.is_significant(comparison.choices.alpha)
        else (-difference.high, -difference.low)
    )
    return f"{percent(comparison.choices.confidence)} interval {low:z.{places}f} to {high:z.{places}f}, "


def by_verdict(better: Sequence[str], worse: Sequence[str], neither: Sequence[str]) -> str:
    """Who is better than a baseline, who is worse, and who does not differ from it.

    >>> by_verdict(["hybrid"], [], ["dense", "title"])
    'hybrid is better; no significant difference for dense and title'
    """
    parts = [
        f"{listed(names)} {'is' if len(names) == 1 else 'are'} {word}"
        for word, names in (("better", better), ("worse", worse))
        if names
    ]
    return "; ".join([*parts, *([f"no significant difference for {listed(neither)}"] if neither else [])])
