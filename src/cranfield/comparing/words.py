"""What a comparison shows: the verdict, then tables."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING

from cranfield.comparing import slice_words
from cranfield.comparing.differences import INTERVALS, Difference, correction_for
from cranfield.comparing.ranks import RankInterval
from cranfield.evaluating.score_tables import data_notes, ranking_words
from cranfield.measures import Measure
from cranfield.phrases import counted, listed, percent, short
from cranfield.show.digits import Digits, percent_note
from cranfield.show.measures import canonical_column, legend, name_dict
from cranfield.show.table import Cell, PValue, Table, finite

if TYPE_CHECKING:
    from cranfield.comparing.comparison import Comparison, Standing

MOST_ROWS = 40
"""Of more differences, some are shown."""
SHOWN = 20
"""How many then are."""
MOST_STANDINGS = 20
"""Of more runs under more measures, a run has one row."""
MOST_RUNS = 50
STYLES = {"better": "green", "worse": "red"}
"""The colours of verdicts in a terminal."""
LONGEST_TEXT = 50
"""Characters of a query's text, beyond which a table would become too wide."""
MOVERS = 5
"""Queries shown that gained most, and as many that lost most."""


def table(comparison: Comparison, only: Sequence[Difference] | None = None) -> Table:
    """A row for every difference, or for some of them."""
    differences = comparison.differences if only is None else only
    how_many = [] if only is None else [_how_many(comparison, len(only))]
    return Table(
        {
            "measure": [str(difference.measure) for difference in differences],
            "run": [difference.run for difference in differences],
            "baseline": [difference.baseline for difference in differences],
            **difference_columns(comparison.digits, differences),
            "p": [PValue(difference.adjusted) for difference in differences],
            "effect": [difference.g for difference in differences],
            "better": [difference.wins for difference in differences],
            "equal": [difference.ties for difference in differences],
            "worse": [difference.losses for difference in differences],
        },
        notes=(*how_many, *notes(comparison)),
        tints={"difference": [STYLES.get(one.verdict(comparison.choices.alpha), "") for one in differences]},
        optional=("effect", *_obvious(comparison), "equal", "baseline mean", "mean"),
    )


def difference_columns(digits: Digits, differences: Sequence[Difference]) -> dict[str, list[Cell]]:
    """The means of two runs and their difference, as they are shown."""
    return {
        "mean": [digits.cell(one.measure, one.mean) for one in differences],
        "baseline mean": [digits.cell(one.measure, one.baseline_mean) for one in differences],
        "difference": [digits.estimate(one.measure, one.difference, one.low, one.high) for one in differences],
    }


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
    measures = [str(difference.measure) for difference in differences]
    return Table(
        {
            "measure": measures,
            **(
                {
                    "by": [row.by for row in values],
                    "slice": [row.slice for row in values],
                    "depends": [PValue(row.depends) for row in values],
                }
                if comparison.slicings
                else {}
            ),
            **{name: [getattr(difference, name) for difference in differences] for name in ("run", "baseline")},
            **{
                name: [comparison.digits.cell(one.measure, getattr(one, name)) for one in differences]
                for name in ("mean", "baseline_mean", "difference", "low", "high")
            },
            "p": [PValue(difference.p) for difference in differences],
            "adjusted": [PValue(difference.adjusted) for difference in differences],
            "verdict": [difference.verdict(comparison.choices.alpha) for difference in differences],
            **{name: [getattr(difference, name) for difference in differences] for name in columns},
            **canonical_column(measures, comparison.measures),
        }
    )


def mover_rows(comparison: Comparison, count: int) -> Table:
    """A row for every query that moved most, its scores in the columns of means."""
    rows = mover_dicts(comparison, count)
    names = {"score": "mean", "baseline_score": "baseline_mean"}
    shown = [name for name in (rows[0] if rows else ()) if name != "canonical"]
    columns = {names.get(name, name): [row[name] for row in rows] for name in shown}
    return Table({**columns, **canonical_column(columns.get("measure", []), comparison.measures)})


def corrected_for(comparison: Comparison) -> str:
    """How p is corrected, and for which comparisons: the family that every table, mark and sentence is about."""
    choices, family = comparison.choices, comparison.family
    if family == 1:
        return "one comparison per measure, no correction needed"
    if choices.test == "tukey":
        return f"which corrects for all {family:,} pairs"
    of = f"all {family:,} pairs" if comparison.every_pair else _with_baselines(comparison)
    return correction_for(choices.correction, f"{of}, per measure")


def _with_baselines(comparison: Comparison) -> str:
    return f"{counted(comparison.family, 'comparison')} with {listed(comparison.baselines, 3)}"


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
        "mean": [
            comparison.digits.estimate(standing.measure, mean.value, mean.low, mean.high)
            for (standing, _), mean in zip(rows, means, strict=True)
        ],
    }
    if comparison.every_pair:
        columns["group"] = [shown_group(standing.letters[at]) for standing, at in rows]
        columns["rank"] = [shown_rank(standing.ranks[at]) for standing, at in rows]
        return Table(columns, notes=tuple(_standing_notes(comparison)))
    versus = {
        f"vs {baseline}": [_versus(standing, standing.runs[at], baseline) for standing, at in rows]
        for baseline in comparison.baselines
    }
    return Table(
        {**columns, **versus},
        notes=tuple(_standing_notes(comparison)),
        optional=tuple(reversed(list(versus)[1:])),
        styles=STYLES,
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
        str(standing.measure): [
            f"{_mean(comparison, standing, run)} {_remark(comparison, standing, run)}".strip() for run in shown
        ]
        for standing in comparison.standings
    }
    ranks = {"rank": [shown_rank(rank) for rank in first.ranks[: len(shown)]]} if comparison.every_pair else {}
    return Table(
        {"run": list(shown), **ranks, **measures},
        notes=(*more, *_standing_notes(comparison)),
        optional=tuple(reversed(list(measures)[1:])),
        styles={} if comparison.every_pair else STYLES,
    )


def _mean(comparison: Comparison, standing: Standing, run: str) -> str:
    return comparison.digits.text(standing.measure, standing.means[standing.runs.index(run)].value)


def _remark(comparison: Comparison, standing: Standing, run: str) -> str:
    """What stands after a run's mean: its group, or whether it is better or worse than the baselines."""
    if comparison.every_pair:
        return shown_group(standing.letters[standing.runs.index(run)])
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
            f"Both come from {_deciding_p(comparison)} of all {comparison.family:,} pairs."
        )
    for standing in comparison.standings:
        if not standing.letters[0]:
            yield f"{standing.measure}: too many groups of runs that do not differ significantly to show them."


def _baseline_notes(comparison: Comparison) -> Iterator[str]:
    if _is_large(comparison) and len(comparison.baselines) > 1:
        names = ", ".join(f"{mark(at)} is {name}" for at, name in enumerate(comparison.baselines))
        yield f"Significantly better (+) and worse (-) than a baseline: {names}."
    by = _deciding_p(comparison)
    yield f"Significance is by {by} of the differences. Compare all pairs to see groups and ranks of runs."


def _deciding_p(comparison: Comparison) -> str:
    """The p that marks and groups are made from."""
    is_corrected = comparison.choices.test == "tukey" or comparison.choices.correction != "none"
    return "the corrected p" if is_corrected else "the p (not corrected)"


def _is_large(comparison: Comparison) -> bool:
    return len(comparison.results.runs) * len(comparison.measures) > MOST_STANDINGS


def shown_rank(rank: RankInterval) -> str:
    """The ranks that a run may have."""
    return f"{rank.best}–{rank.worst}" if rank.best < rank.worst else f"{rank.best}"


def shown_group(letters: str) -> str:
    """The letters of a run; four or more that follow each other by their ends.

    >>> shown_group("ab"), shown_group("bcdef"), shown_group("acdef")
    ('ab', 'b–f', 'acdef')
    """
    follow = "," not in letters and all(ord(two) - ord(one) == 1 for one, two in pairwise(letters))
    return f"{letters[0]}–{letters[-1]}" if follow and len(letters) > 3 else letters


def movers(comparison: Comparison, count: int = MOVERS) -> Table:
    """The queries that moved most under the first measure, between the best run and what it is compared with first."""
    difference = best_differences(comparison)[0]
    rows = comparison.movers(difference, count)
    known, shown = comparison.queries, comparison.digits.cell
    texts = [short(known.text(query), LONGEST_TEXT) if known else "" for query, _, _ in rows]
    return Table(
        {
            "query": [query for query, _, _ in rows],
            difference.baseline: [shown(difference.measure, base) for _, _, base in rows],
            difference.run: [shown(difference.measure, run) for _, run, _ in rows],
            "difference": [shown(difference.measure, run - base) for _, run, base in rows],
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
            **name_dict(difference.measure),
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
    for further in comparison.further:
        parts += [*filter(None, [further.verdict()]), further.table()]
    if comparison.latency is not None:
        parts += [comparison.latency.verdict(), comparison.latency.table()]
    return parts


def notes(comparison: Comparison) -> Iterator[str]:
    """What the numbers are."""
    choices, results = comparison.choices, comparison.results
    if choices.standardise:
        yield (
            f"Scores are standardised: distances from their query's mean over all {len(results.runs)} runs, "
            "in standard deviations."
        )
    yield f"p: {choices.test_name}, two-sided, {corrected_for(comparison)}."
    over = f"{counted(len(results.queries), 'query')}{ranking_words(results.settings)}"
    yield (
        f"Differences over {over}, paired, with their "
        f"{percent(choices.confidence)} intervals ({INTERVALS[choices.interval]})."
    )
    yield "effect: Hedges' g of the paired differences."
    yield from data_notes(results)
    if comparison.doubts.unchecked:
        yield comparison.doubts.unchecked
    for measure in results.measures:
        yield from measure_notes(measure)
        if measure.definition.mean == "sum":
            yield f"{measure} is a sum; its mean over queries is compared."
    yield from percent_note(comparison.digits, results.measures)
    yield from legend(results.measures)
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
