"""Can the labels be trusted? How far judges agree, overall, in pairs, and each by itself."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, get_args

import numpy as np
import numpy.typing as npt

from cranfield import errors
from cranfield.arguments import require_choice, require_number, require_share, require_whole
from cranfield.arrays import Ints
from cranfield.choices import AgreementInterval, AlphaMetric, BenchmarkScale, Duplicates, LabelLayout, NamedWeights
from cranfield.data.labels import Labels
from cranfield.errors import Finding, UsageError
from cranfield.formats import read_runs
from cranfield.formats.columns import ColumnsGiven, columns_for
from cranfield.formats.labels import read_labels
from cranfield.formats.sheets import NO_TEXTS, Texts, read_texts
from cranfield.judging.against import against
from cranfield.judging.answer import Agreement
from cranfield.judging.coding import CodedLabels, coded, made_binary
from cranfield.judging.conclusions import conclusions
from cranfield.judging.counting import Patterns, patterns_of
from cranfield.judging.disagreements import disagreements
from cranfield.judging.distances import weight_table
from cranfield.judging.each import Grade, Query, grades_of, judges_of, queries_of
from cranfield.judging.estimates import CONFIDENCE, FEWEST_SAMPLES, SAMPLES, Coefficient, Units
from cranfield.judging.overall import MOST_CATEGORIES, OWN, OwnWeights, measured, overall
from cranfield.judging.pairs import JudgePair, pairs_of

WITHOUT_JUDGES = (
    "The table does not show who gave which label, so these are left out: pairs of judges, Cohen's and "
    "Conger's kappa, intraclass correlations, and the figures of single judges."
)
MOST_JUDGES = 300
"""Of more judges, pairs are left out."""
MOST_TEXTS = 100
"""More different texts are no categories that judges choose among, and their tables would not fit into memory."""
MOST_UNITS = 50_000
"""Of more queries or patterns of labels than this, limits come from formulas, which are then as good."""


FEWEST_QUERIES, FEWEST_ITEMS = 10, 20
"""With fewer queries, or fewer documents with two labels, an interval means little."""


def agree(
    labels: object,
    *,
    judges: str | Sequence[str] | None = None,
    level: float | None = None,
    metric: AlphaMetric | None = None,
    weights: NamedWeights | npt.ArrayLike | None = None,
    scale: Sequence[float] | None = None,
    null: float | None = None,
    benchmark: BenchmarkScale | None = None,
    reference: str | None = None,
    runs: object = None,
    measures: object = None,
    queries: object = None,
    documents: object = None,
    interval: AgreementInterval | None = None,
    confidence: float = CONFIDENCE,
    samples: int = SAMPLES,
    seed: int = 0,
    format: str | None = None,
    layout: LabelLayout | None = None,
    columns: ColumnsGiven = None,
    duplicates: Duplicates | None = None,
) -> Agreement:
    """How far judges agree, with intervals; and what their differences do to a conclusion, where runs are given.

    `labels` are given as to `read_labels`, `layout` too, and `judges` chooses among them. `level` makes grades binary,
    `scale` lists grades that could have been given, `weights` adds coefficients with other weights, by a name such as
    `"radical"` or as a table (`weight_table` has them), `null` adds p-values of whether coefficients differ from that
    value, `benchmark` the words of a scale such as `"landis-koch"` with their probabilities. `reference` compares every
    judge with one. `metric` is the distance by which Krippendorff's alpha is shown first: ordinal for numbers,
    nominal for texts and for two grades, interval where more than 25 different grades were given. `queries` and
    `documents` give texts to what judges differ about.

    Intervals come from random samples of queries, because documents of one query are not independent; of items, where
    queries are not known (`interval="items"`); or from formulas that take items as independent
    (`interval="analytic"`).
    """
    require_several_judges(judges)
    read = read_labels(labels, format=format, columns=columns_for("judgments", columns), judges=judges, layout=layout)
    _require_sound(metric, interval, confidence, samples, seed)
    _require_levels(null, benchmark)
    _require_judges(read, reference, runs)
    case = _prepare(read, level, scale, metric, weights)
    units, interval_notes = _units(case, interval, samples, seed)
    coefficients = _coefficients(case, units, confidence)
    parts = _parts(case, units, confidence, samples, seed)
    texts, missing = _texts(case.labels, queries, documents)
    relevant = None if read.categories else read.binary(case.relevant_from).values
    sources = None if runs is None else read_runs(runs, columns_for("run", columns), duplicates)
    by_judge = None if sources is None else conclusions(read, sources, measures, level, confidence, seed)
    return Agreement(
        case.labels,
        tuple(coefficients),
        parts.pairs,
        judges_of(case.labels, None if case.too_many_grades else case.patterns, parts.pairs, relevant)
        if case.labels.has_judges
        else (),
        parts.grades,
        parts.queries,
        case.metric,
        {
            **case.settings(),
            "reference": reference,
            "null": null,
            "benchmark": benchmark,
            "interval": "analytic" if units is None else "items" if units.of_unit is None else "queries",
            "confidence": confidence,
            "samples": samples,
            "seed": seed,
        },
        (*case.labels.notes, *interval_notes, *_left_out(case)),
        None if reference is None else against(case.labels, reference, parts.pairs, relevant),
        by_judge,
        (*case.labels.warnings, *_too_few(case, units), *missing, *(by_judge.warnings if by_judge else ())),
        texts,
    )


def _texts(labels: Labels, queries: object, documents: object) -> tuple[Texts, list[Finding]]:
    """What the queries and documents say that judges differ about."""
    if queries is None and documents is None:
        return NO_TEXTS, []
    if not labels.has_queries:
        raise errors.labels.without_documents("Texts of queries and documents")
    pairs = [(one.query, one.document) for one in disagreements(labels, labels.items)]
    return read_texts(queries, documents, pairs, "the labels")


def _too_few(case: _Case, units: Units | None) -> list[Finding]:
    """A warning where labels are too few for an interval to mean much."""
    items = int((case.labels.counts > 1).sum())
    queries = len(np.unique(_query_of_items(case.labels))) if case.labels.has_queries else None
    sampled = queries if units is not None and units.of_unit is not None else None
    if items >= FEWEST_ITEMS and (sampled is None or sampled >= FEWEST_QUERIES):
        return []
    return [errors.labels.too_few_labels(case.labels.path, items, queries)]


def require_several_judges(judges: str | Sequence[str] | None) -> None:
    """Stop where one judge was named, who has nobody to agree with."""
    names = judges.split(",") if isinstance(judges, str) else judges
    if names is not None and len(names) == 1:
        raise UsageError(f"{names[0].strip()} is only one judge; agreement needs two or more.")


@dataclass(frozen=True, eq=False)
class _Case:
    """Labels as they are compared."""

    labels: Labels
    """Binary where a level was given."""
    codes: CodedLabels
    patterns: Patterns
    metric: AlphaMetric
    custom_weights: OwnWeights | None
    level: float | None
    scale: list[float] | None

    @property
    def too_many_grades(self) -> bool:
        """Whether hardly any two labels are the same."""
        return self.codes.size > MOST_CATEGORIES

    @property
    def relevant_from(self) -> float:
        return 1.0 if self.level is None else self.level

    def settings(self) -> dict[str, Any]:
        weights = self.custom_weights
        return {
            "judges": list(self.labels.judges) if self.labels.has_judges else None,
            "level": self.level,
            "relevant_from": None if self.labels.categories else self.relevant_from,
            "metric": self.metric,
            "scale": self.scale,
            "weights": None if weights is None else weights.table.tolist() if weights.name == OWN else weights.name,
        }


def _prepare(
    labels: Labels,
    level: float | None,
    scale: Sequence[float] | None,
    metric: AlphaMetric | None,
    weights: NamedWeights | npt.ArrayLike | None,
) -> _Case:
    """Labels as codes, with the distances by which they are compared."""
    used = labels if level is None else made_binary(labels, level)
    _require_shared_items(used)
    grades = [0.0, 1.0] if level is not None else None if scale is None else [float(grade) for grade in scale]
    possible = grades if grades is not None else used.levels or None
    codes = coded(used, None if possible is None else sorted(possible))
    if used.categories and codes.size > MOST_TEXTS:
        raise errors.labels.too_many_texts(used.path, codes.size, MOST_TEXTS)
    custom = _own_weights(weights, codes)
    case = _Case(used, codes, patterns_of(codes), _metric(metric, used, codes), custom, level, grades)
    if case.too_many_grades and not used.categories and (custom is not None or metric in ("nominal", "ratio")):
        raise UsageError(f"There are {codes.size} different grades: choose metric interval or ordinal, or a level.")
    return case


def _own_weights(weights: NamedWeights | npt.ArrayLike | None, codes: CodedLabels) -> OwnWeights | None:
    """The weights that were asked for beyond the usual ones."""
    if weights is None:
        return None
    if not isinstance(weights, str):
        return OwnWeights(OWN, weight_table(weights, codes.size))
    table = weight_table(weights, codes.size, codes.grades)
    if weights == "identity":
        return None
    if codes.grades is None:
        raise errors.labels.texts_without_order(f"The weighting {weights}")
    return OwnWeights(weights, table)


def _coefficients(case: _Case, units: Units | None, confidence: float) -> list[Coefficient]:
    """Of all judges together: by distances alone where grades are too many to be categories."""
    if case.too_many_grades and not case.labels.categories:
        return measured(case.codes, units, confidence, has_judges=case.labels.has_judges)
    return overall(case.codes, units, confidence, case.custom_weights, has_judges=case.labels.has_judges)


@dataclass(frozen=True)
class _Parts:
    """Pairs of judges, grades and queries by themselves; none where grades are too many to count."""

    pairs: tuple[JudgePair, ...] = ()
    grades: tuple[Grade, ...] = ()
    queries: tuple[Query, ...] = ()


def _parts(case: _Case, units: Units | None, confidence: float, samples: int, seed: int) -> _Parts:
    labels, codes = case.labels, case.codes
    if case.too_many_grades:
        return _Parts()
    names = tuple(labels.category(grade) if labels.categories else f"{grade:g}" for grade in codes.values.tolist())
    pairs: tuple[JudgePair, ...] = ()
    if labels.has_judges and len(labels.judges) <= MOST_JUDGES:
        relevant = () if labels.categories else _relevant_grades(case)
        pairs = pairs_of(labels.judges, codes, names, relevant, units, confidence)
    queries: tuple[Query, ...] = ()
    if labels.has_queries:
        if units is None or units.of_unit is None:
            units = Units(case.patterns, _query_of_items(labels), samples, seed)
        queries = queries_of(labels, codes, units, case.metric)
    return _Parts(pairs, grades_of(codes, names, case.patterns), queries)


def _relevant_grades(case: _Case) -> tuple[bool, ...]:
    if case.level is not None:
        return False, True
    return tuple((case.codes.values >= case.relevant_from).tolist())


def _left_out(case: _Case) -> list[str]:
    """What is not computed, and why."""
    notes = [] if case.labels.has_judges else [WITHOUT_JUDGES]
    size, judges = case.codes.size, len(case.labels.judges)
    if case.too_many_grades and case.labels.categories:
        notes.append(f"There are {size} different labels, too many to show each and judges in pairs.")
    elif case.too_many_grades:
        notes.append(
            f"There are {size} different grades, and few labels are equal: kappa and related coefficients, which "
            "count only equal grades, are left out. A level makes grades binary."
        )
    elif case.labels.has_judges and judges > MOST_JUDGES:
        notes.append(
            f"There are {judges:,} judges: pairs, and each judge's kappa with the others, are left out beyond "
            f"{MOST_JUDGES}."
        )
    return notes


def _require_judges(labels: Labels, reference: str | None, runs: object) -> None:
    """Stop where something is asked about judges who are not known."""
    if not labels.has_judges and reference is not None:
        raise errors.labels.judges_needed("A reference")
    if not labels.has_judges and runs is not None:
        raise errors.labels.judges_needed("Evaluating runs by each judge")
    if reference is not None:
        labels.position(reference)


def _require_sound(metric: str | None, interval: str | None, confidence: float, samples: int, seed: int) -> None:
    require_share(confidence, "confidence")
    # Of fewer samples, the limits of an interval would lie beyond the lowest and the highest of their values.
    require_whole(samples, "samples", max(FEWEST_SAMPLES, math.ceil(1 / (1 - confidence) - 1e-9)))
    require_whole(seed, "seed", 0)
    if interval is not None:
        require_choice(interval, "interval", get_args(AgreementInterval))
    if metric is not None:
        require_choice(metric, "metric", get_args(AlphaMetric))


def _require_levels(null: float | None, benchmark: str | None) -> None:
    if null is not None and not -1 <= require_number(null, "null") < 1:
        raise UsageError(f"null must be a value that a coefficient may have, from -1 to below 1, not {null:g}.")
    if benchmark is not None:
        require_choice(benchmark, "benchmark", get_args(BenchmarkScale))


def _require_shared_items(labels: Labels) -> None:
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


def _units(case: _Case, interval: AgreementInterval | None, samples: int, seed: int) -> tuple[Units | None, list[str]]:
    """What random samples are drawn of, if any, and what to say about that."""
    of_query = _query_of_items(case.labels) if case.labels.has_queries else None
    queries = 0 if of_query is None else len(np.unique(of_query))
    if interval == "queries" and queries < 2:
        raise UsageError(
            "Samples of queries need two queries or more; "
            + ("there is one." if case.labels.has_queries else "these labels have none, only rows.")
            + " Choose interval items or analytic."
        )
    if interval == "analytic":
        return None, []
    by_query = queries > 1 if interval is None else interval == "queries"
    count = queries if by_query else len(case.patterns.times)
    if count > MOST_UNITS:
        what = "queries" if by_query else "different items"
        return None, [f"With {count:,} {what}, intervals come from formulas."]
    return Units(case.patterns, of_query if by_query else None, samples, seed), []


def _query_of_items(labels: Labels) -> Ints:
    """The query of each item that has a label."""
    return labels.of_query[labels.counts > 0]


def _metric(metric: AlphaMetric | None, labels: Labels, codes: CodedLabels) -> AlphaMetric:
    if metric is not None:
        if labels.categories and metric != "nominal":
            raise errors.labels.texts_without_order(f"The metric {metric}")
        if metric == "ratio" and (codes.values < 0).any():
            raise UsageError("Ratios need grades of at least 0; some are negative. Choose metric interval.")
        return metric
    if labels.categories:
        return "nominal"
    return "interval" if codes.size > MOST_CATEGORIES else "nominal" if codes.size < 3 else "ordinal"
