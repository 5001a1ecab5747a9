"""What there is to say about agreement: a verdict in words, and tables."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

import numpy as np

from cranfield.arrays import Floats
from cranfield.comparing.words import listed
from cranfield.data.labels import Labels
from cranfield.judging.coefficient import Coefficient
from cranfield.judging.each import Judge
from cranfield.show.table import Cell, Table, shortened

if TYPE_CHECKING:
    from cranfield.judging.agree import Agreement

MOST_PAIRS = 45
MOST_JUDGES, FEWEST_SHARED = 100, 5
MOST_NAMES = 6
MOST_COLUMNS = 100
"""Of more judges, labels are not shown in a column for each."""
WIDEST = 12
"""Names of labels that are texts are cut to this, at the top of a column."""
SKEWED = 0.7
"""Where chance alone agrees this often, kappa falls far below agreement."""
LENIENT = 0.05
"""A judge who differs from the others by this share of the scale is worth a word."""


def verdict(found: Agreement) -> str:
    """What there is to say, in a few sentences."""
    return " ".join(_sentences(found))


def sections(
    found: Agreement, *, every: bool = False, per_query: bool = False, disagreements: int = 0
) -> list[str | Table]:
    """Everything a person reads, in order."""
    parts: list[str | Table] = [verdict(found)]
    if found.conclusions is not None:
        parts.append(found.conclusions.verdict())
    parts.append(found.table(every=every))
    if found.pairs:
        parts.append(found.pairs_table())
    if found.judges:
        parts.append(found.judges_table())
    if found.grades:
        parts.append(found.grades_table())
    if found.against is not None:
        parts.append(found.against.table())
        parts += [found.against.calibration_table(held.judge) for held in found.against.judges]
    if found.conclusions is not None:
        parts.append(found.conclusions.means_table())
        parts += [found.conclusions.orders_table()] if found.conclusions.orders else []
        parts += [found.conclusions.flips_table()] if found.conclusions.flips else []
    if per_query and found.queries:
        parts.append(found.per_query())
    if disagreements:
        parts.append(found.disagreements(disagreements))
    return parts


def coefficients_table(found: Agreement, *, every: bool) -> Table:
    """A row for every coefficient of all judges together, or for those to look at first."""
    shown = found.coefficients if every else [one for one in found.coefficients if _is_first(found, one)]
    columns: dict[str, list[Cell]] = {
        "coefficient": [one.name for one in shown],
        "value": [one.estimate() for one in shown],
        "P(A)": [one.observed for one in shown],
        "P(E)": [one.expected for one in shown],
        f"{_item(found)}s": [one.items for one in shown],
    }
    return Table(columns, notes=tuple(_notes(found, shown, every)), optional=("documents", "P(E)", "P(A)"))


def pairs_table(found: Agreement) -> Table:
    """A row for every two judges; of very many, for those who agree least."""
    shown = found.pairs
    note = "overlap: documents that both call relevant, of those that either does"
    if len(shown) > MOST_PAIRS:
        known = [pair for pair in shown if not math.isnan(pair.kappa.value)]
        shown = tuple(sorted(known, key=lambda pair: pair.kappa.value)[:MOST_PAIRS])
    columns: dict[str, list[Cell]] = {
        "judges": [f"{pair.one} and {pair.other}" for pair in shown],
        f"{_item(found)}s": [pair.items for pair in shown],
        "agreement": [pair.agreement for pair in shown],
        "kappa": [pair.kappa.estimate() for pair in shown],
    }
    ordered = not found.labels.categories
    if ordered and len(shown[0].categories) > 2:
        columns["linear kappa"] = [pair.linear.estimate() for pair in shown]
        columns["quadratic kappa"] = [pair.quadratic.estimate() for pair in shown]
    columns["pooled kappa"] = [pair.pooled.value for pair in shown]
    if ordered:
        columns["overlap"] = [pair.overlap for pair in shown]
        columns["positive"] = [pair.positive for pair in shown]
        columns["negative"] = [pair.negative for pair in shown]
    notes = ["kappa: Cohen's; pooled kappa: Scott's pi, the textbook's kappa."]
    if ordered:
        level = found.settings["relevant_from"]
        notes.append(
            f"{note}; positive and negative: agreement about what is relevant and what is not, grades from "
            f"{level:g} on being relevant."
        )
    if len(found.pairs) > len(shown):
        notes.append(f"Of {len(found.pairs):,} pairs, the {len(shown)} that agree least; --format tsv has all.")
    notes += list(dict.fromkeys(_reasons([pair.kappa for pair in shown], [str(c) for c in columns["judges"]])))
    return Table(
        columns,
        notes=tuple(notes),
        optional=("pooled kappa", "quadratic kappa", "negative", "positive", "documents", "overlap"),
    )


def judges_table(found: Agreement) -> Table:
    """A row for every judge."""
    shown = _least_agreeing(found)
    columns: dict[str, list[Cell]] = {"judge": [judge.name for judge in shown], "labels": [j.labels for j in shown]}
    if not found.labels.categories:
        columns["mean grade"] = [judge.mean for judge in shown]
        columns["spread"] = [judge.spread for judge in shown]
        columns["bias"] = [judge.bias for judge in shown]
        columns["relevant"] = [judge.relevant for judge in shown]
    if found.grades:
        columns["agreement"] = [judge.agreement for judge in shown]
    if found.pairs:
        columns["kappa"] = [judge.kappa for judge in shown]
    notes = [
        f"bias: how much higher than the mean of the others on the same {_item(found)}s; spread: standard deviation; "
        "agreement and kappa with the others, on average."
    ]
    notes = [] if found.labels.categories else notes
    if len(shown) < len(found.judges):
        notes.append(
            f"Of {len(found.judges):,} judges, the {len(shown)} who agree least with others; --format tsv has all."
        )
    return Table(columns, notes=tuple(notes), optional=("spread", "labels"))


def _least_agreeing(found: Agreement) -> Sequence[Judge]:
    """Every judge; of very many, those who agree least with others about several documents."""
    if len(found.judges) <= MOST_JUDGES:
        return found.judges
    known = [judge for judge in found.judges if judge.shared >= FEWEST_SHARED and not math.isnan(judge.agreement)]
    return sorted(known or found.judges, key=lambda judge: judge.agreement)[:MOST_JUDGES]


def grades_table(found: Agreement) -> Table:
    """A row for every grade."""
    shown = found.grades
    columns: dict[str, list[Cell]] = {
        "label" if found.labels.categories else "grade": [grade.name for grade in shown],
        "labels": [grade.labels for grade in shown],
        "share": [grade.share for grade in shown],
    }
    for at, name in enumerate(shortened(grade.name, WIDEST) for grade in shown):
        columns[f"another says {name}" if at == 0 else name] = [grade.others[at] for grade in shown]
    label = "label" if found.labels.categories else "grade"
    note = (
        f"Where one judge gives a {label}, how often another gives each to the same {_item(found)}; where both are the "
        f"same, that is the agreement about this {label}."
    )
    return Table(columns, notes=(note,))


def queries_table(found: Agreement) -> Table:
    """A row for every query."""
    return Table(
        {
            "query": [query.name for query in found.queries],
            "documents": [query.items for query in found.queries],
            "agreement": [query.agreement for query in found.queries],
            f"alpha ({found.metric})": [query.alpha for query in found.queries],
        },
        notes=("alpha of a query's own labels; nothing where all are the same.",),
        elastic="query",
    )


def disagreements(labels: Labels, most: int) -> Table:
    """The documents about which judges differ most: the widest range of grades, or the most different texts."""
    spread = _spread(labels)
    chosen = [at for at in np.argsort(-spread, kind="stable")[:most].tolist() if spread[at] > 0]
    columns: dict[str, list[Cell]] = {}
    if labels.has_queries:
        columns["query"] = [labels.queries[labels.of_query[at]] for at in chosen]
    columns["document" if labels.has_queries else "item"] = [labels.documents[at] for at in chosen]
    columns |= _labels_of(labels, chosen)
    left = int((spread > 0).sum()) - len(chosen)
    notes = (f"Judges differ about {left:,} more {'document' if left == 1 else 'documents'}.",) if left > 0 else ()
    return Table(columns, notes=notes, elastic="query" if labels.has_queries else "")


def _spread(labels: Labels) -> Floats:
    """How far the labels of each document are apart: the range of grades, or how many more texts than one."""
    value = labels.values[np.lexsort((labels.values, labels.of_item))]
    ends = np.cumsum(labels.counts)
    if labels.categories:
        item = labels.of_item
        other = (np.diff(value, prepend=0) != 0) & (np.diff(item, prepend=-1) == 0)
        return np.bincount(item, weights=other, minlength=labels.items).astype(np.float64)
    given = np.flatnonzero(labels.counts)
    spread = np.zeros(labels.items)
    spread[given] = value[ends[given] - 1] - value[(ends - labels.counts)[given]]
    return spread


def _labels_of(labels: Labels, items: Sequence[int]) -> dict[str, list[Cell]]:
    """The labels of some documents: a column per judge, or one for all where there are many."""
    own: dict[int, dict[str, str]] = {at: {} for at in items}
    for place in np.flatnonzero(np.isin(labels.of_item, items)).tolist():
        judge, grade = labels.judges[labels.of_judge[place]], labels.category(labels.values[place])
        own[int(labels.of_item[place])][judge] = grade
    if not labels.has_judges:
        return {"labels": [", ".join(own[at].values()) for at in items]}
    if len(labels.judges) <= MOST_COLUMNS:
        return {judge: [own[at].get(judge, "") for at in items] for judge in labels.judges}
    return {"labels": [", ".join(f"{judge} {grade}" for judge, grade in own[at].items()) for at in items]}


def long_table(found: Agreement, *, per_query: bool) -> Table:
    """A row for every number."""
    rows: list[tuple[Cell, ...]] = []

    def add(part: str, name: str, other: str, one: Coefficient) -> None:
        rows.append((part, name, other, one.name, one.value, one.low, one.high, one.items, one.reason))

    def plain(part: str, name: str, other: str, statistic: str, value: float, items: int) -> None:
        rows.append((part, name, other, statistic, value, math.nan, math.nan, items, ""))

    for one in found.coefficients:
        add("all", "", "", one)
    for pair in found.pairs:
        plain("pair", pair.one, pair.other, "agreement", pair.agreement, pair.items)
        for name, one in (("kappa", pair.kappa), ("linear kappa", pair.linear), ("quadratic kappa", pair.quadratic)):
            rows.append(("pair", pair.one, pair.other, name, one.value, one.low, one.high, one.items, one.reason))
        add("pair", pair.one, pair.other, pair.pooled)
        for name in ("overlap", "positive", "negative"):
            plain("pair", pair.one, pair.other, name, getattr(pair, name), pair.items)
        for at, category in enumerate(pair.categories):
            for to, label in enumerate(pair.categories):
                plain(
                    "table",
                    f"{pair.one}={category}",
                    f"{pair.other}={label}",
                    "documents",
                    pair.table[at, to],
                    pair.items,
                )
    for judge in found.judges:
        for name in ("mean", "spread", "bias", "relevant", "agreement", "kappa"):
            plain("judge", judge.name, "", name, getattr(judge, name), judge.labels)
    for grade in found.grades:
        plain("grade", grade.name, "", "share", grade.share, grade.labels)
        plain("grade", grade.name, "", "agreement", grade.agreement, grade.labels)
    if found.against is not None:
        for held in found.against.judges:
            plain("against", held.judge, found.against.reference, "precision", held.precision, held.items)
            plain("against", held.judge, found.against.reference, "recall", held.recall, held.items)
            for row in held.calibration:
                name = f"{held.judge}={row.grade}"
                plain("calibration", name, found.against.reference, "mean", row.reference, row.labels)
                plain("calibration", name, found.against.reference, "relevant", row.relevant, row.labels)
                for label, share in zip(found.against.grades, row.shares, strict=False):
                    plain("calibration", name, f"{found.against.reference}={label}", "share", share, row.labels)
    if found.conclusions is not None:
        told = found.conclusions
        for whose in told.judges:
            for measure in told.measures:
                for run in told.runs:
                    plain("mean", whose, run, measure, told.scores[whose].mean(measure, run).value, told.queries)
        for orders in told.orders:
            for name in ("tau", "tau_AP"):
                one_order = orders.coefficients[name]
                rows.append(
                    (
                        *("order", orders.one, orders.other, f"{name} of {orders.measure}"),
                        *(one_order.value, one_order.low, one_order.high, told.queries, one_order.reason),
                    )
                )
        for flip in told.flips:
            for whose, difference in flip.differences.items():
                runs = f"{flip.run} - {flip.other}"
                plain("flip", whose, runs, flip.measure, difference, told.queries)
    rows += [("note", "", "", "", math.nan, math.nan, math.nan, 0, note) for note in found.notes]
    rows += [("warning", "", "", one.kind, math.nan, math.nan, math.nan, one.count, str(one)) for one in found.warnings]
    if per_query:
        for query in found.queries:
            plain("query", query.name, "", "agreement", query.agreement, query.items)
            plain("query", query.name, "", f"alpha ({found.metric})", query.alpha, query.items)
    names = ("part", "name", "other", "statistic", "value", "low", "high", "items", "reason")
    return Table(dict(zip(names, map(list, zip(*rows, strict=True)), strict=True)))


def _item(found: Agreement) -> str:
    return "document" if found.labels.has_queries else "item"


def _sentences(found: Agreement) -> Iterator[str]:
    who = listed(list(found.labels.judges), MOST_NAMES) if found.labels.has_judges else "The judges"
    what = f"{_item(found)}s"
    alpha = found.by_default
    value = _with_interval(alpha, found.settings["confidence"])
    if found.grades:
        agreed = found["agreement"]
        label = "label" if found.labels.categories else "grade"
        whom = "both" if len(found.labels.judges) == 2 and found.labels.has_judges else "two of them"
        yield (
            f"{who} gave the same {label} {agreed.value:.0%} of the time to {what} that {whom} labelled "
            f"({agreed.items:,}); {alpha.name} is {value}."
        )
    else:
        yield f"{who}: {alpha.name} is {value}, of {alpha.items:,} {what} with two labels or more."
    yield from _paradox(found)
    yield from _leanings(found)


def _with_interval(one: Coefficient, confidence: float) -> str:
    if math.isnan(one.value):
        return f"not defined: {one.reason}"
    if math.isnan(one.low):
        return f"{one.value:z.2f}"
    return f"{one.value:z.2f} ({confidence:.0%} interval {one.low:z.2f} to {one.high:z.2f})"


def _paradox(found: Agreement) -> Iterator[str]:
    """Where nearly all labels are the same, kappa is low although judges agree: both are true, and worth a word."""
    if not found.grades:
        return
    two = len(found.labels.judges) == 2 and found.labels.has_judges
    kappa = found["Cohen's kappa" if two else "Fleiss' kappa"]
    most = max(found.grades, key=lambda grade: grade.share)
    if math.isnan(kappa.value) or kappa.expected < SKEWED:
        return
    rare = min(found.grades, key=lambda grade: math.inf if math.isnan(grade.agreement) else grade.agreement)
    yield (
        f"{most.share:.0%} of the labels are {most.name}, so chance alone would agree {kappa.expected:.0%} of the "
        f"time, and {kappa.name} is {kappa.value:z.2f} where Gwet's AC1 is {found[_GWET].value:z.2f}: look at the "
        f"agreement about each grade, which is least about {rare.name} ({rare.agreement:.0%})."
    )


_GWET = "Gwet's AC1"


def _leanings(found: Agreement) -> Iterator[str]:
    """Who grades higher or lower than the others, if it is worth a word."""
    scale = found.labels.scale
    if found.labels.categories or len(scale) < 2 or found.settings["level"] is not None:
        return
    wide = scale[-1] - scale[0]
    known = [judge for judge in found.judges if not math.isnan(judge.bias) and abs(judge.bias) >= LENIENT * wide]
    if len(found.judges) == 2:
        for judge, other in zip(found.judges, reversed(found.judges), strict=True):
            if judge in known and judge.bias > 0:
                yield f"On the same {_item(found)}s, {judge.name} grades {judge.bias:z.2f} higher than {other.name}."
        return
    furthest = sorted(known, key=lambda judge: -abs(judge.bias))[:2]
    told = [
        f"{judge.name} grades {abs(judge.bias):z.2f} {'higher' if judge.bias > 0 else 'lower'}" for judge in furthest
    ]
    if told:
        yield f"On the same {_item(found)}s, {listed(told)} than the others, on average."


def _is_first(found: Agreement, one: Coefficient) -> bool:
    """Whether a coefficient is among those to look at first."""
    if one.name == found.by_default.name or one.name in ("agreement", "Fleiss' kappa", _GWET, "Brennan-Prediger"):
        return True
    if one.name in ("Cohen's kappa", "mean pairwise kappa", "Scott's pi", "ICC(2,1)"):
        return True
    return one.name.endswith("(own weights)") or (
        one.name.endswith("(linear)") and one.name.startswith(("Cohen", "mean", "Gwet"))
    )


def _notes(found: Agreement, shown: Sequence[Coefficient], every: bool) -> Iterator[str]:
    method = next((one.method for one in shown if one.method), "")
    confidence = f"{found.settings['confidence']:.0%}"
    if method.startswith("bootstrap"):
        drawn = method.removeprefix("bootstrap of ")
        told = "documents of one query are not independent" if drawn == "queries" else "queries are not known"
        if drawn == "items" and found.labels.has_queries:
            told = "as asked"
        samples = f"{found.settings['samples']:,} random samples of {drawn}"
        yield f"{confidence} intervals (BCa) from {samples}, because {told}, seed {found.settings['seed']}.".replace(
            "because as asked", "as asked"
        )
    elif method:
        yield f"{confidence} intervals from formulas, which take items as independent."
    yield (
        "Krippendorff asks for an alpha of 0.8, or 0.667 for tentative conclusions; Landis and Koch (1977) call a "
        "kappa above 0.6 substantial. Both are customs: what disagreement does to a conclusion is told by --runs."
    )
    if not every and len(found.coefficients) > len(shown):
        more = len(found.coefficients) - len(shown)
        plural = "coefficient" if more == 1 else "coefficients"
        yield f"{more} more {plural} with --all, and with --format tsv, csv or json."
    yield from found.notes
    yield from dict.fromkeys(_reasons(shown, [one.name for one in shown]))
    yield from map(str, found.warnings)


def _reasons(some: Sequence[Coefficient], names: Sequence[str]) -> Iterator[str]:
    """Why some have no value, those with one reason together."""
    by_reason: dict[str, list[str]] = {}
    for one, name in zip(some, names, strict=True):
        if one.reason:
            by_reason.setdefault(one.reason, []).append(name)
    for reason, whose in by_reason.items():
        yield f"{listed(whose, 4)}: {reason}."
