"""What a comparison says: the verdict in words, then tables."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from itertools import pairwise

from cranfield.comparing.comparison import Comparison, Standing
from cranfield.comparing.differences import CORRECTIONS, INTERVALS, TESTS, Difference
from cranfield.comparing.ranks import RankInterval
from cranfield.show.table import PLACES, Estimate, Table, tex, wrapped

CAREFUL = 0.9
"""With less of the first ten documents judged, a comparison says so."""
MOST_ROWS = 40
"""Of more differences, some are shown."""
SHOWN = 20
"""How many then are."""
MOST_STANDINGS = 20
"""Of more runs under more measures, a run has one row."""
MOST_RUNS = 50
MOST_WARNINGS = 10


def verdict(comparison: Comparison, places: int) -> str:
    """What there is to say about the first measure."""
    measure = comparison.measures[0]
    differences = comparison.of(measure)
    sentences = [sentence(comparison, differences[0], places)] if len(differences) == 1 else []
    if not sentences:
        sentences = list(_several(comparison, places))
    return " ".join([*sentences, *_unjudged(comparison)])


def sentence(comparison: Comparison, found: Difference, places: int) -> str:
    """What there is to say about two runs under one measure."""
    unit = f"standard deviations of {found.measure}" if comparison.plan.standardise else str(found.measure)
    size = f"{abs(found.difference):z.{places}f} {unit}"
    interval = _interval(comparison, found, places)
    if math.isnan(found.p):
        return f"{found.run} and {found.baseline} cannot be compared by {found.measure}: {found.reason}."
    evidence = f"{interval}p = {shown_p(found.adjusted)}, {_queries(found.queries)}"
    moved = f"better on {found.wins}, worse on {found.losses}, equal on {found.ties}"
    if found.is_significant(comparison.plan.alpha) and found.difference:
        word = "better" if found.is_better else "worse"
        return f"{found.run} is {word} than {found.baseline} by {size} ({evidence}): {moved}."
    sign = "+" if found.difference > 0 else ""
    seen = f"{sign}{found.difference:z.{places}f} {unit} ({evidence})"
    power = (
        f" So many queries would show a difference of {found.detectable:z.{places}f} "
        f"{comparison.plan.power:.0%} of the time."
        if math.isfinite(found.detectable)
        else ""
    )
    return f"No difference between {found.run} and {found.baseline} can be shown: {seen}; {moved}.{power}"


def _several(comparison: Comparison, places: int) -> Iterator[str]:
    measure = comparison.measures[0]
    if not comparison.baselines:
        yield _order(comparison.standings[0], "standardised " if comparison.plan.standardise else "", places)
    for baseline in comparison.baselines:
        found = [difference for difference in comparison.of(measure) if difference.baseline == baseline]
        real = [difference for difference in found if difference.is_significant(comparison.plan.alpha)]
        by_word = {
            "better": [difference.run for difference in real if difference.is_better],
            "worse": [difference.run for difference in real if not difference.is_better],
            "not to be told from it": [difference.run for difference in found if difference not in real],
        }
        parts = [f"{listed(runs)} {_are(runs)} {word}" for word, runs in by_word.items() if runs]
        if parts:
            yield f"By {measure}, beside {baseline}: {'; '.join(parts)}."


def _order(standing: Standing, scale: str, places: int) -> str:
    """Who is best, and who may be."""
    best, value = standing.runs[0], f"{scale}{standing.measure} {standing.means[0].value:z.{places}f}"
    others = [run for run in standing.first if run != best]
    if not others:
        return f"{best} is better than every other run ({value})."
    if len(standing.first) == len(standing.runs):
        return f"No run can be told from {best}, which has the best mean ({value})."
    return f"{best} has the best mean ({value}); {listed(others)} cannot be told from it."


def _unjudged(comparison: Comparison) -> Iterator[str]:
    """A warning where a run's first documents were not judged."""
    results = comparison.results
    shares = {run: about.judged_at_10 for run, about in zip(results.runs, results.provenance.runs, strict=True)}
    known = {run: share for run, share in shares.items() if share is not None}
    if known and min(known.values()) < CAREFUL:
        told = ", ".join(f"{run} {share:.0%}" for run, share in list(known.items())[:5])
        yield f"Judged@10: {told}; unjudged documents count as irrelevant, so treat with care."


def table(comparison: Comparison, only: Sequence[Difference] | None = None) -> Table:
    """A row for every difference, or for some of them."""
    found = comparison.differences if only is None else only
    told = [] if only is None else [_how_many(comparison, len(only))]
    return Table(
        {
            "measure": [str(difference.measure) for difference in found],
            "run": [difference.run for difference in found],
            "baseline": [difference.baseline for difference in found],
            "mean": [difference.mean for difference in found],
            "of baseline": [difference.baseline_mean for difference in found],
            "difference": [Estimate(one.difference, one.low, one.high) for one in found],
            "p": [shown_p(difference.adjusted) for difference in found],
            "effect": [difference.g for difference in found],
            "better": [difference.wins for difference in found],
            "equal": [difference.ties for difference in found],
            "worse": [difference.losses for difference in found],
        },
        notes=(*told, *notes(comparison)),
        optional=("effect", *(["baseline"] if len(comparison.baselines) == 1 else []), "equal", "of baseline", "mean"),
    )


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
    found = sorted(
        comparison.of(standing.measure),
        key=lambda one: (
            (min(place[one.run], place[one.baseline]), max(place[one.run], place[one.baseline]))
            if not comparison.baselines
            else (comparison.baselines.index(one.baseline), place[one.run])
        ),
    )
    return found[:SHOWN]


def long_table(comparison: Comparison) -> Table:
    """A row for every difference with everything that is known of it, for programs; slices after all queries."""
    from cranfield.comparing.slice_words import long_columns

    rows = list(long_columns(comparison))
    found = [difference for *_, difference in rows]
    columns = ("run", "baseline", "mean", "baseline_mean", "difference", "low", "high", "p", "adjusted", "queries")
    effects = ("wins", "ties", "losses", "d", "g", "superiority", "detectable", "reason")
    return Table(
        {
            "measure": [str(difference.measure) for difference in found],
            **(
                {"by": [row[0] for row in rows], "slice": [row[1] for row in rows], "depends": [row[2] for row in rows]}
                if comparison.slicings
                else {}
            ),
            **{name: [getattr(difference, name) for difference in found] for name in columns + effects},
        }
    )


def latex(comparison: Comparison, places: int) -> str:
    """A table for a paper: a row for every run, a column for every measure; needs the package booktabs.

    Each mean is marked with the runs that it is significantly better than, whose marks stand before their names.
    """
    runs, plan = comparison.results.runs, comparison.plan
    marks = {run: mark(at) for at, run in enumerate(runs)}
    lines = []
    for run in runs:
        cells = []
        for standing in comparison.standings:
            mean = f"{standing.means[standing.runs.index(run)].value:z.{places}f}"
            beaten = _ranges([at for at, other in enumerate(runs) if (run, other) in standing.better])
            bold = rf"\textbf{{{mean}}}" if run == standing.runs[0] else mean
            cells.append(bold + (rf"\textsuperscript{{{beaten}}}" if beaten else ""))
        lines.append(" & ".join([marks[run], tex(run), *cells]) + r" \\")
    pairs = len(runs) * (len(runs) - 1) // 2
    number = "" if plan.correction == "none" else f" for {pairs:,} pairs"
    allowed = "" if plan.test == "tukey" or pairs == 1 else f", {CORRECTIONS[plan.correction]}{number}"
    scale = "of scores standardised by query, " if plan.standardise else ""
    caption = (
        f"Means {scale}over {_queries(len(comparison.results.queries))}. Superscripts name the runs that a run is "
        f"significantly better than ({TESTS[plan.test]}{allowed}, $\\alpha = {plan.alpha:.2g}$); the best mean is bold."
    )
    names = " & ".join(["", "run", *(tex(str(measure)) for measure in comparison.measures)])
    return "\n".join(
        [
            r"\begin{table}",
            r"\centering",
            rf"\caption{{{caption}}}",
            rf"\begin{{tabular}}{{ll{'l' * len(comparison.measures)}}}",
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


def _ranges(places: Sequence[int]) -> str:
    """Marks of runs; five or more that follow each other by the first and the last.

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
        f"{mark(part[0])}--{mark(part[-1])}" if len(part) > 4 else ",".join(map(mark, part)) for part in parts
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
    """A row for every run under every measure, best first, with the ranks it may have."""
    if _is_large(comparison):
        return _leaderboard(comparison)
    rows = [
        (str(standing.measure), run, interval, group, rank)
        for standing in comparison.standings
        for run, interval, group, rank in zip(
            standing.runs, standing.means, standing.letters, standing.ranks, strict=True
        )
    ]
    return Table(
        {
            "measure": [row[0] for row in rows],
            "run": [row[1] for row in rows],
            "mean": [Estimate(row[2].value, row[2].low, row[2].high) for row in rows],
            "group": [_group(row[3]) for row in rows],
            "rank": [_rank(row[4]) for row in rows],
        },
        notes=tuple(_standing_notes(comparison)),
    )


def _leaderboard(comparison: Comparison) -> Table:
    """The same with a row for every run and a column for every measure, in the order of the first."""
    first = comparison.standings[0]
    shown = first.runs[:MOST_RUNS]
    by_run = [
        {
            run: f"{interval.value:z.4f} {_group(group)}"
            for run, interval, group in zip(s.runs, s.means, s.letters, strict=True)
        }
        for s in comparison.standings
    ]
    left_out = len(first.runs) - len(shown)
    more = (
        [f"The best {len(shown)} of {len(first.runs)} runs by {first.measure}; --format json has all."]
        if left_out
        else []
    )
    measures = [str(standing.measure) for standing in comparison.standings]
    return Table(
        {
            "run": list(shown),
            "rank": [_rank(rank) for rank in first.ranks[: len(shown)]],
            **{name: [of_measure[run] for run in shown] for name, of_measure in zip(measures, by_run, strict=True)},
        },
        notes=(*more, *_standing_notes(comparison)),
        optional=tuple(reversed(measures[1:])),
    )


def _standing_notes(comparison: Comparison) -> Iterator[str]:
    runs, first = len(comparison.results.runs), comparison.standings[0]
    if any(standing.letters[0] for standing in comparison.standings):
        by = f" by {first.measure}" if _is_large(comparison) else ""
        yield (
            f"Runs that share a letter cannot be told apart; rank is where a run may stand{by}. Both allow for all "
            f"{runs * (runs - 1) // 2:,} pairs."
        )
    for standing in comparison.standings:
        if not standing.letters[0]:
            yield f"By {standing.measure} there are too many groups of runs that cannot be told apart to show them."


def _is_large(comparison: Comparison) -> bool:
    return len(comparison.results.runs) * len(comparison.measures) > MOST_STANDINGS


def _rank(rank: RankInterval) -> str:
    return f"{rank.best}–{rank.worst}" if rank.best < rank.worst else f"{rank.best}"


def _group(letters: str) -> str:
    """The letters of a run; four or more that follow each other by their ends.

    >>> _group("ab"), _group("bcdef"), _group("acdef")
    ('ab', 'b–f', 'acdef')
    """
    follow = "," not in letters and all(ord(two) - ord(one) == 1 for one, two in pairwise(letters))
    return f"{letters[0]}–{letters[-1]}" if follow and len(letters) > 3 else letters


def movers(comparison: Comparison, count: int = 5) -> Table:
    """The queries that moved most under the first measure, between the best run and what it is compared with first."""
    found = best_differences(comparison)[0]
    rows = comparison.movers(found, count)
    known = comparison.queries
    texts = [short(known.text(query)) if known else "" for query, _, _ in rows]
    return Table(
        {
            "query": [query for query, _, _ in rows],
            found.baseline: [base for _, _, base in rows],
            found.run: [run for _, run, _ in rows],
            "difference": [run - base for _, run, base in rows],
            **({"text": texts} if any(texts) else {}),
        },
        notes=(f"The queries whose {found.measure} moved most from {found.baseline} to {found.run}.",),
        optional=("text",),
        elastic="text",
    )


def short(text: str, width: int = 50) -> str:
    """The text of a query, cut where a table would become too wide."""
    return text if len(text) <= width else text[: width - 1] + "…"


def text(comparison: Comparison) -> str:
    """The verdict, then the table, then the queries that moved most."""
    parts = sections(comparison)
    return "\n\n".join(wrapped(part) if isinstance(part, str) else part.text() for part in parts)


def html(comparison: Comparison) -> str:
    """The same for a notebook."""
    from html import escape

    parts = sections(comparison)
    return "".join(f"<p>{escape(part)}</p>" if isinstance(part, str) else part.html() for part in parts)


def sections(comparison: Comparison, places: int = PLACES, count: int = 5) -> list[str | Table]:
    """What a person reads, from the top: sentences and tables; of very many differences, the best runs'."""
    from cranfield.comparing import slice_words

    many = len(comparison.differences) > MOST_ROWS
    parts: list[str | Table] = [comparison.verdict(places)]
    parts.append(table(comparison, best_differences(comparison)) if many else table(comparison))
    if len(comparison.results.runs) > 2:
        parts.insert(1 if many else 2, standings(comparison))
    for slicing in comparison.slicings:
        parts += [slice_words.verdict(comparison, slicing), slice_words.table(comparison, slicing)]
    return [*parts, movers(comparison, count)] if count else parts


def notes(comparison: Comparison) -> Iterator[str]:
    """What the numbers are, and whatever is surprising about them."""
    plan, results = comparison.plan, comparison.results
    family = len(comparison.of(comparison.measures[0]))
    corrected = (
        "which allows for all pairs"
        if plan.test == "tukey"
        else f"with {CORRECTIONS[plan.correction]} for {family:,} comparisons under each measure"
        if family > 1
        else "of one comparison under each measure"
    )
    if plan.standardise:
        yield (
            f"Scores are standardised: distances from their query's mean over all {len(results.runs)} runs, "
            "in standard deviations."
        )
    yield f"p: {TESTS[plan.test]}, two-sided, {corrected}."
    yield (
        f"Differences over {_queries(len(results.queries))}, paired, with their {plan.confidence:.0%} intervals "
        f"({INTERVALS[plan.interval]}); effect: Hedges' g of the paired differences."
    )
    for measure in results.measures:
        if measure.definition.mean == "geometric":
            yield f"{measure} is compared by logarithms, on which its mean is taken."
        elif measure.definition.mean == "sum":
            yield f"{measure} is a sum; compared is its mean over queries."
        if measure.definition.lower_is_better:
            yield f"Of {measure}, less is better."
    by_reason: dict[str, list[str]] = {}
    for found in comparison.differences:
        if found.reason:
            by_reason.setdefault(found.reason, []).append(f"{found.run} and {found.baseline} by {found.measure}")
    for reason, pairs in by_reason.items():
        yield f"{listed(pairs, 3)}: {reason}."
    yield from map(str, comparison.warnings[:MOST_WARNINGS])
    if len(comparison.warnings) > MOST_WARNINGS:
        yield f"There are {len(comparison.warnings) - MOST_WARNINGS} more warnings; --format json has all."


def shown_p(p: float) -> str:
    """A p-value with as many digits as mean something.

    >>> shown_p(0.0421), shown_p(0.00999), shown_p(0.00001), shown_p(1.0)
    ('0.042', '0.010', '1e-05', '1.000')
    """
    return f"{p:z.3f}" if p >= 0.001 or math.isnan(p) else f"{p:.0e}"


def _interval(comparison: Comparison, found: Difference, places: int) -> str:
    if math.isnan(found.low):
        return ""
    low, high = (
        (found.low, found.high)
        if found.difference >= 0 or not found.is_significant(comparison.plan.alpha)
        else (-found.high, -found.low)
    )
    return f"{comparison.plan.confidence:.0%} interval {low:z.{places}f} to {high:z.{places}f}, "


def _queries(count: int) -> str:
    return "1 query" if count == 1 else f"{count:,} queries"


def _are(names: list[str]) -> str:
    return "is" if len(names) == 1 else "are"


def listed(names: Sequence[str], most: int = 5) -> str:
    """Some names in a sentence, and how many more there are.

    >>> listed(["bm25"]), listed(["bm25", "dense"]), listed(["a", "b", "c", "d"], 2)
    ('bm25', 'bm25 and dense', 'a, b and 2 more')
    """
    shown = list(names[:most]) + ([f"{len(names) - most} more"] if len(names) > most else [])
    return shown[0] if len(shown) == 1 else f"{', '.join(shown[:-1])} and {shown[-1]}"
