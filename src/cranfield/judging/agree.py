"""Can the labels be trusted? How far judges agree, overall, in pairs, and each by itself."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from cranfield import errors
from cranfield.arguments import require_share, require_whole
from cranfield.arrays import Floats
from cranfield.data.labels import Labels
from cranfield.errors import Finding, UsageError, did_you_mean
from cranfield.formats.label_layouts import Layout
from cranfield.formats.labels import read_labels
from cranfield.judging import words
from cranfield.judging.against import Against, against
from cranfield.judging.chance import METRICS, Metric
from cranfield.judging.coding import Coded, coded, made_binary
from cranfield.judging.coefficient import CONFIDENCE, Coefficient
from cranfield.judging.conclusions import Conclusions, conclusions
from cranfield.judging.counting import patterns_of
from cranfield.judging.each import Grade, Judge, Query, grades_of, judges_of, queries_of
from cranfield.judging.explaining import KappaExplanation, explain_kappa
from cranfield.judging.measured import MOST_CATEGORIES, measured
from cranfield.judging.overall import overall
from cranfield.judging.pairs import Pair, pairs_of
from cranfield.judging.units import FEWEST_SAMPLES, INTERVALS, SAMPLES, Interval, Units
from cranfield.judging.weights import weight_table
from cranfield.show.table import Table, wrapped
from cranfield.version import VERSION

WITHOUT_JUDGES = (
    "The table does not tell who gave which label, so what needs that is left out: pairs of judges, Cohen's and "
    "Conger's kappa, intraclass correlations, and what each judge did."
)
MOST_JUDGES = 300
"""Of more judges, pairs are not told."""
MOST_TEXTS = 100
"""More different texts are no categories that judges choose among, and their tables would not fit into memory."""
MOST_UNITS = 50_000
"""Of more queries or patterns of labels than this, limits come from formulas, which are then as good."""


@dataclass(frozen=True, eq=False)
class Agreement:
    """How far judges agree; shows itself as a verdict and tables.

    >>> import cranfield as cf
    >>> found = cf.agree({"q1": {"d1": {"ada": 2, "ben": 2}, "d2": {"ada": 0, "ben": 1}, "d3": {"ada": 0, "ben": 0}}},
    ...                  columns="query,document,judge")
    >>> print(round(found["Cohen's kappa"].value, 4))
    0.5
    """

    labels: Labels
    """As they were compared: of the chosen judges, and binary where a level was given."""
    coefficients: tuple[Coefficient, ...]
    """Of all judges together."""
    pairs: tuple[Pair, ...]
    judges: tuple[Judge, ...]
    grades: tuple[Grade, ...]
    queries: tuple[Query, ...]
    metric: Metric
    """How far apart grades are, where that counts by default."""
    settings: Mapping[str, Any]
    notes: tuple[str, ...] = ()
    against: Against | None = None
    """Every judge against one, where one was named."""
    conclusions: Conclusions | None = None
    """What the labels of each judge say of runs, where runs were given."""
    warnings: tuple[Finding, ...] = field(default=())

    def __getitem__(self, name: str) -> Coefficient:
        for found in self.coefficients:
            if found.name == name:
                return found
        known = [found.name for found in self.coefficients]
        raise KeyError(
            f"{name!r} was not computed; these were: {', '.join(known)}. {did_you_mean(name, known)}".strip()
        )

    @cached_property
    def by_default(self) -> Coefficient:
        """The coefficient to look at first: Krippendorff's alpha, by the metric that fits the labels."""
        return self[f"Krippendorff's alpha ({self.metric})"]

    def pair(self, one: str, other: str) -> Pair:
        """Two judges beside each other."""
        for judge in (one, other):
            self.labels.position(judge)
        for found in self.pairs:
            if {found.one, found.other} == {one, other} and one != other:
                return found
        if one == other:
            raise UsageError(f"Name two judges; {one} is one.")
        raise UsageError(f"{one} and {other} were not compared: there are too many different grades, or judges.")

    def explain(self, one: str, other: str) -> KappaExplanation:
        """How the kappa of two judges arises: their table, P(A), P(E) with its terms."""
        pair = self.labels.position(one), self.labels.position(other)
        self.pair(one, other)
        return explain_kappa(
            _coded(self.labels, self.settings["scale"] or self.labels.levels or None), pair, (one, other), _names(self)
        )

    def verdict(self) -> str:
        """What there is to say, in words."""
        return words.verdict(self)

    def table(self, *, every: bool = False) -> Table:
        """The coefficients of all judges together: those to look at first, or every one."""
        return words.coefficients_table(self, every=every)

    def pairs_table(self) -> Table:
        """A row for every two judges."""
        return words.pairs_table(self)

    def judges_table(self) -> Table:
        """A row for every judge."""
        return words.judges_table(self)

    def grades_table(self) -> Table:
        """A row for every grade: how often it is given, and what others say where one judge gives it."""
        return words.grades_table(self)

    def per_query(self) -> Table:
        """A row for every query."""
        return words.queries_table(self)

    def disagreements(self, most: int = 10) -> Table:
        """The documents about which judges differ most, each with all its labels."""
        return words.disagreements(self.labels, require_whole(most, "most"))

    def long_table(self, *, per_query: bool = False) -> Table:
        """A row for every number, for programs."""
        return words.long_table(self, per_query=per_query)

    def to_dict(self, *, per_query: bool = False) -> dict[str, Any]:
        """Everything as plain values: the object that `cranfield agree --format json` prints."""
        found: dict[str, Any] = {
            "cranfield": VERSION,
            "verdict": self.verdict(),
            "settings": dict(self.settings),
            "labels": {
                "judges": list(self.labels.judges) if self.labels.has_judges else None,
                "queries": len(self.labels.queries) if self.labels.has_queries else None,
                "items": self.labels.items,
                "labels": len(self.labels),
                "grades": [self.labels.category(grade) for grade in self.labels.scale[: MOST_CATEGORIES * 4]],
            },
            "notes": list(self.notes),
            "warnings": [str(warning) for warning in self.warnings],
            "coefficients": [found.to_dict() for found in self.coefficients],
            "pairs": [pair.to_dict() for pair in self.pairs],
            "judges": [judge.to_dict() for judge in self.judges],
            "grades": [grade.to_dict() for grade in self.grades],
        }
        if per_query:
            found["queries"] = [query.to_dict() for query in self.queries]
        if self.against is not None:
            found["against"] = self.against.to_dict()
        if self.conclusions is not None:
            found["conclusions"] = self.conclusions.to_dict()
        return found

    def __repr__(self) -> str:
        found = self.by_default
        judges = f"{len(self.labels.judges)} judges" if self.labels.has_judges else f"{len(self.labels)} labels"
        return f"Agreement({judges}, {found.name} {found.value:z.4f})"

    def __str__(self) -> str:
        parts = [wrapped(part) if isinstance(part, str) else part.text() for part in words.sections(self)]
        return "\n\n".join(parts)

    def _repr_html_(self) -> str:
        from html import escape

        parts = words.sections(self)
        return "".join(f"<p>{escape(part)}</p>" if isinstance(part, str) else part.html() for part in parts)


def agree(
    labels: object,
    *,
    judges: str | Sequence[str] | None = None,
    level: float | None = None,
    metric: Metric | None = None,
    weights: npt.ArrayLike | None = None,
    scale: Sequence[float] | None = None,
    reference: str | None = None,
    runs: object = None,
    measures: object = None,
    interval: Interval | None = None,
    confidence: float = CONFIDENCE,
    samples: int = SAMPLES,
    seed: int = 0,
    format: str | None = None,
    layout: Layout | None = None,
    columns: str | Mapping[str, str] | Sequence[str] | None = None,
) -> Agreement:
    """How far judges agree, with intervals; and what their differences do to a conclusion, where runs are given.

    `labels` are given as to `read_labels`, `layout` too, and `judges` chooses among them. `level` makes grades binary,
    `scale` tells grades that could have been given, `weights` adds a weighted kappa of one's own, `reference` compares
    every judge with one. `metric` is the distance by which Krippendorff's alpha is shown first: ordinal for numbers,
    nominal for texts and for two grades, interval where more than 25 different grades were given.

    Intervals come from random samples of queries, because documents of one query are not independent; of items, where
    queries are not known (`interval="items"`); or from formulas that take items as independent
    (`interval="analytic"`).
    """
    must_name_several(judges)
    read = read_labels(labels, format=format, columns=columns, judges=judges, layout=layout)
    _must_be_sound(metric, interval, confidence, samples, seed)
    _must_have_judges(read, reference, runs)
    held = read if level is None else made_binary(read, level)
    _must_meet(held)
    chosen_scale = [0.0, 1.0] if level is not None else None if scale is None else [float(grade) for grade in scale]
    known = _coded(held, chosen_scale if chosen_scale is not None else held.levels or None)
    if held.categories and known.size > MOST_TEXTS:
        raise errors.labels.too_many_texts(held.path, known.size, MOST_TEXTS)
    units, notes = _units(held, known, interval, samples, seed)
    notes = [*held.notes, *notes, *([] if held.has_judges else [WITHOUT_JUDGES])]
    many = known.size > MOST_CATEGORIES
    used = _metric(metric, held, known, many)
    own = None if weights is None else weight_table(weights, known.size)
    patterns = patterns_of(known)
    from_grade = 1.0 if level is None else level
    relevant = _relevant(read, from_grade)
    names = tuple(held.category(grade) if held.categories else f"{grade:g}" for grade in known.values.tolist())
    pairs: tuple[Pair, ...] = ()
    grades: tuple[Grade, ...] = ()
    queries: tuple[Query, ...] = ()
    if many and held.categories:
        coefficients = overall(known, units, confidence, own, has_judges=held.has_judges)
        notes.append(f"There are {known.size} different labels, too many to show each and judges in pairs.")
    elif many:
        if own is not None or (metric in ("nominal", "ratio")):
            raise UsageError(f"There are {known.size} different grades: choose metric interval or ordinal, or a level.")
        coefficients = measured(known, units, confidence, has_judges=held.has_judges)
        notes.append(
            f"There are {known.size} different grades, and hardly two labels are the same: kappa and its kin, which "
            "count only equal grades, are left out. A level makes grades binary."
        )
    else:
        coefficients = overall(known, units, confidence, own, has_judges=held.has_judges)
        cut = tuple((known.values >= from_grade).tolist()) if level is None else (False, True)
        if not held.has_judges:
            pass
        elif len(held.judges) > MOST_JUDGES:
            notes.append(
                f"There are {len(held.judges):,} judges: pairs, and each judge's kappa with the others, are left out "
                f"beyond {MOST_JUDGES}."
            )
        else:
            pairs = pairs_of(held.judges, known, names, () if held.categories else cut, units, confidence)
        grades = grades_of(known, names, patterns)
        if held.has_queries:
            by_query = Units(patterns, _of_query(held), samples, seed)
            queries = queries_of(held, known, by_query, used)
    settings = {
        "judges": list(held.judges) if held.has_judges else None,
        "level": level,
        "relevant_from": None if held.categories else from_grade,
        "metric": used,
        "scale": None if chosen_scale is None else list(chosen_scale),
        "weights": None if own is None else own.tolist(),
        "reference": reference,
        "interval": "analytic" if units is None else "items" if units.of_unit is None else "queries",
        "confidence": confidence,
        "samples": samples,
        "seed": seed,
    }
    return Agreement(
        held,
        tuple(coefficients),
        pairs,
        judges_of(held, None if many else patterns, pairs, relevant) if held.has_judges else (),
        grades,
        queries,
        used,
        settings,
        tuple(notes),
        None if reference is None else against(held, reference, pairs, relevant),
        None if runs is None else conclusions(read, runs, measures, level, confidence, seed),
        held.warnings,
    )


def must_name_several(judges: str | Sequence[str] | None) -> None:
    """Stop where one judge was named, who has nobody to agree with."""
    names = judges.split(",") if isinstance(judges, str) else judges
    if names is not None and len(names) == 1:
        raise UsageError(f"{names[0].strip()} is one judge, who has nobody to agree with: name two or more.")


def _must_have_judges(labels: Labels, reference: str | None, runs: object) -> None:
    """Stop where something is asked about judges who are not known."""
    if not labels.has_judges and reference is not None:
        raise errors.labels.judges_needed("A reference")
    if not labels.has_judges and runs is not None:
        raise errors.labels.judges_needed("An evaluation by each judge")
    if reference is not None:
        labels.position(reference)


def _must_be_sound(metric: str | None, interval: str | None, confidence: float, samples: int, seed: int) -> None:
    require_share(confidence, "confidence")
    # Of fewer samples, the limits of an interval would lie beyond the lowest and the highest of their values.
    require_whole(samples, "samples", max(FEWEST_SAMPLES, math.ceil(1 / (1 - confidence) - 1e-9)))
    require_whole(seed, "seed", 0)
    if interval is not None and interval not in INTERVALS:
        raise UsageError(f"interval is {', '.join(INTERVALS)}, not {interval!r}. {did_you_mean(interval, INTERVALS)}")
    if metric is not None and metric not in METRICS:
        raise UsageError(f"metric is {', '.join(METRICS)}, not {metric!r}. {did_you_mean(metric, METRICS)}".strip())


def _must_meet(labels: Labels) -> None:
    """Two judges, and something that two of them labelled."""
    active = [labels.judges[at] for at in np.unique(labels.of_judge).tolist()]
    if len(active) < 2 and labels.has_judges:
        raise errors.labels.one_judge(labels.path, active[0] if active else labels.judges[0])
    if not (labels.counts > 1).any() and not labels.has_judges:
        raise errors.labels.single_labels(labels.path)
    if not (labels.counts > 1).any():
        raise errors.labels.judges_never_meet(labels.path, active, *_examples(labels, active))


def _examples(labels: Labels, judges: Sequence[str]) -> tuple[list[str], list[str]]:
    """What two judges labelled: documents, or queries where not even these are the same."""
    at = [np.flatnonzero(~np.isnan(labels.of(judge))).tolist() for judge in judges[:2]]
    one, two = ([labels.queries[labels.of_query[item]] for item in items] for items in at)
    if set(one) & set(two):
        one, two = ([labels.documents[item] for item in items] for items in at)
    return list(dict.fromkeys(one)), list(dict.fromkeys(two))


def _coded(labels: Labels, scale: Sequence[float] | None) -> Coded:
    return coded(labels, None if scale is None else sorted(scale))


def _units(
    labels: Labels, known: Coded, interval: Interval | None, samples: int, seed: int
) -> tuple[Units | None, list[str]]:
    patterns = patterns_of(known)
    of_query = _of_query(labels) if labels.has_queries else None
    queries = 0 if of_query is None else len(np.unique(of_query))
    if interval == "queries" and queries < 2:
        raise UsageError(
            "Samples of queries need two queries or more; "
            + ("there is one." if labels.has_queries else "these labels have none, only rows.")
            + " Choose interval items or analytic."
        )
    if interval == "analytic":
        return None, []
    by_query = queries > 1 if interval is None else interval == "queries"
    count = queries if by_query else len(patterns.times)
    if count > MOST_UNITS:
        told = f"Of {count:,} {'queries' if by_query else 'different items'}, intervals come from formulas."
        return None, [told]
    notes = [f"Intervals from {queries} queries only are rough."] if by_query and queries < 10 else []
    return Units(patterns, of_query if by_query else None, samples, seed), notes


def _of_query(labels: Labels) -> npt.NDArray[np.int64]:
    """The query of each item that has a label."""
    return labels.of_query[labels.counts > 0]


def _metric(metric: Metric | None, labels: Labels, known: Coded, many: bool) -> Metric:
    if metric is not None:
        if labels.categories and metric != "nominal":
            raise errors.labels.texts_without_order(f"The metric {metric}")
        if metric == "ratio" and (known.values < 0).any():
            raise UsageError("Ratios need grades from 0 on; some are negative. Choose metric interval.")
        return metric
    if labels.categories:
        return "nominal"
    return "interval" if many else "nominal" if known.size < 3 else "ordinal"


def _relevant(labels: Labels, level: float) -> Floats | None:
    """1 for a relevant label, 0 for another; nothing where labels are texts."""
    return None if labels.categories else labels.binary(level).values


def _names(found: Agreement) -> tuple[str, ...]:
    return found.pairs[0].categories
