"""Coefficients of agreement between judges, each under the name people publish.

Labels have a row per judge and a column per item: numbers with NaN, or texts with None, where a judge gave none. Each
function gives a `Coefficient`: the value, P(A), P(E), a standard error and limits from its formula. Where there is no
value it is NaN, and `reason` says why.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, NamedTuple, get_args

import numpy as np
import numpy.typing as npt

from cranfield.arguments import require_choice, require_share
from cranfield.arrays import Floats, Ints
from cranfield.choices import AlphaMetric, NamedWeights
from cranfield.errors import UsageError
from cranfield.judging import chance, variance
from cranfield.judging.chance import Chance
from cranfield.judging.coding import CodedLabels, coded
from cranfield.judging.counting import Patterns, confusion, met_confusions, patterns_of, too_many
from cranfield.judging.distances import spread_alpha, weight_table
from cranfield.judging.estimates import (
    CONFIDENCE,
    NO_CHANCE,
    NO_ITEM,
    ONE_CATEGORY,
    Coefficient,
    corrected,
    with_error,
)
from cranfield.judging.intraclass import intraclass as intraclass

Categories = Sequence[float | str] | None
WeightsGiven = NamedWeights | npt.ArrayLike | None
MOST_COUNTED = 2_000
MOST_CATEGORIES = 200
"""Of more different labels than this, distances are summed without a table of them."""


def percent_agreement(
    labels: Any, *, weights: WeightsGiven = None, categories: Categories = None, confidence: float = CONFIDENCE
) -> Coefficient:
    r"""The share of pairs of labels of one item that are the same, on average over items with two or more.

    .. math:: P(A) = \frac 1n \sum_i \sum_k \frac{r_{ik} (r_{ik} - 1)}{r_i (r_i - 1)}

    r_ik judges gave category k to item i, and r_i any. Chance is not taken out: where nearly all labels are of one
    category, judges who roll dice agree nearly always.

    Two of three pairs differ on the second item:

    >>> print(round(percent_agreement([[1, 1], [1, 0], [1, 0]]).value, 4))
    0.6667
    """
    known, table = _prepared(labels, weights, categories, confidence)
    patterns = patterns_of(known)
    sums = patterns.sums
    value = float(chance.observed(sums, table))
    coefficient = Coefficient("agreement", value, value, items=int(sums.shared), reason=_without_items(value))
    if math.isnan(value):
        return coefficient
    shared = patterns.shared
    each = shared.agreeing(table) / (shared.labels * (shared.labels - 1))
    items = shared.times.sum()
    spread = float(shared.times @ (each - value) ** 2) / (items * (items - 1)) if items > 1 else math.nan
    return with_error(coefficient, spread, confidence, items - 1)


def cohen_kappa(
    one: Any,
    two: Any,
    *,
    weights: WeightsGiven = None,
    categories: Categories = None,
    confidence: float = CONFIDENCE,
) -> Coefficient:
    r"""Cohen's kappa of two judges: agreement beyond chance, chance being that each keeps to their own shares.

    .. math:: \kappa = \frac{P(A) - P(E)}{1 - P(E)}, \quad P(E) = \sum_k p_{k\cdot} \, p_{\cdot k}

    p_k· and p_·k are the shares of items to which the first and the second judge gave category k (Cohen, Educational
    and Psychological Measurement 20(1), 1960, doi:10.1177/001316446002000104). With weights w, which count a near miss
    as part of agreement, P(A) is the sum of w_kl p_kl and P(E) that of w_kl p_k· p_·l (Cohen, Psychological Bulletin
    70(4), 1968, doi:10.1037/h0026256). The standard error is that of Fleiss, Cohen & Everitt (1969).

    Of 400 documents both call 300 relevant and 70 not; 20 only the first, 10 only the second. P(A) is 0.925, P(E)
    0.8 · 0.775 + 0.2 · 0.225 = 0.665:

    >>> kappa = cohen_kappa(*from_table([[70, 10], [20, 300]]))
    >>> print(round(kappa.observed, 4), round(kappa.expected, 4), round(kappa.value, 4))
    0.925 0.665 0.7761
    """
    known, weighing = _prepared([one, two], weights, categories, confidence)
    return cohen_of(confusion(known, 0, 1), weighing, confidence)


def scott_pi(
    one: Any,
    two: Any,
    *,
    weights: WeightsGiven = None,
    categories: Categories = None,
    confidence: float = CONFIDENCE,
) -> Coefficient:
    r"""Scott's pi of two judges: kappa with pooled shares, as the textbook on information retrieval computes it.

    .. math:: P(E) = \sum_k \Big(\frac{p_{k\cdot} + p_{\cdot k}}{2}\Big)^2

    Chance is that both draw from the shares of all their labels together (Scott, Public Opinion Quarterly 19(3), 1955,
    doi:10.1086/266577; Manning, Raghavan & Schütze, Introduction to Information Retrieval, section 8.5, call it kappa).
    It never exceeds Cohen's kappa, and is equal where both judges have the same shares. Of more judges it is Fleiss'
    kappa.

    The textbook's 400 documents: P(E) is 0.2125² + 0.7875² = 0.6653.

    >>> pi = scott_pi(*from_table([[70, 10], [20, 300]]))
    >>> print(round(pi.expected, 4), round(pi.value, 4))
    0.6653 0.7759
    """
    known, weighing = _prepared([one, two], weights, categories, confidence)
    return scott_of(confusion(known, 0, 1), weighing, confidence)


def mean_kappa(
    labels: Any, *, weights: WeightsGiven = None, categories: Categories = None, confidence: float = CONFIDENCE
) -> Coefficient:
    """The mean of Cohen's kappa over all pairs of judges, as the textbook recommends for more than two.

    Pairs that have no kappa are left out. There is no formula for its standard error; the bootstrap of `agree` has
    one.

    >>> print(round(mean_kappa([[0, 0, 1, 1], [0, 0, 1, 0], [0, 0, 1, 1]]).value, 4))
    0.6667
    """
    known, table = _prepared(labels, weights, categories, confidence)
    return means_of_pairs(known, [("mean pairwise kappa", table, False)])[0]


def fleiss_kappa(
    labels: Any, *, weights: WeightsGiven = None, categories: Categories = None, confidence: float = CONFIDENCE
) -> Coefficient:
    r"""Fleiss' kappa of several judges, who need not be the same for every item.

    .. math:: P(E) = \sum_k \pi_k^2, \quad \pi_k = \frac 1n \sum_i \frac{r_{ik}}{r_i}

    r_ik of the r_i judges of item i gave category k (Fleiss, Psychological Bulletin 76(5), 1971,
    doi:10.1037/h0031619). Items may have different numbers of labels, and those with one count for the shares π_k only
    (Gwet 2014). The standard error is Gwet's.

    >>> print(round(fleiss_kappa([[0, 0, 1, 1], [0, 0, 1, 0], [0, 0, 1, 1]]).value, 4))
    0.6571
    """
    return _beyond_chance("Fleiss' kappa", labels, weights, categories, confidence, "fleiss")


def conger_kappa(
    labels: Any, *, weights: WeightsGiven = None, categories: Categories = None, confidence: float = CONFIDENCE
) -> Coefficient:
    r"""Conger's kappa of several judges: as Cohen's, chance is that each keeps to their own shares.

    .. math:: P(E) = \frac{1}{r(r-1)} \sum_{g \ne h} \sum_k p_{gk} \, p_{hk}

    p_gk is the share of category k among the labels of judge g, of r judges (Conger, Psychological Bulletin 88(2),
    1980, doi:10.1037/0033-2909.88.2.322). Of two judges with the same items it is Cohen's kappa.

    >>> print(round(conger_kappa([[0, 0, 1, 1], [0, 0, 1, 0], [0, 0, 1, 1]]).value, 4))
    0.6667
    """
    return _beyond_chance("Conger's kappa", labels, weights, categories, confidence, "conger")


def gwet_ac(
    labels: Any, *, weights: WeightsGiven = None, categories: Categories = None, confidence: float = CONFIDENCE
) -> Coefficient:
    r"""Gwet's AC1 of two or more judges, and AC2 where weights are given.

    .. math:: P(E) = \frac{\sum_{kl} w_{kl}}{q (q - 1)} \sum_k \pi_k (1 - \pi_k)

    q is the number of categories, also of those nobody used, if they are given. Chance agreement is small where one
    category prevails, so AC1 stays high where kappa falls although judges agree nearly always (Gwet, British Journal of
    Mathematical and Statistical Psychology 61(1), 2008, doi:10.1348/000711006X126600).

    Of 100 items 98 are called 0 by both, and each judge calls another one 1. Agreement is 0.98 and kappa below 0:

    >>> labels = [[1] + [0] * 99, [0] + [1] + [0] * 98]
    >>> print(round(cohen_kappa(*labels).value, 4), round(gwet_ac(labels).value, 4))
    -0.0101 0.9796
    """
    name = "Gwet's AC1" if weights is None or (isinstance(weights, str) and weights == "identity") else "Gwet's AC2"
    return _beyond_chance(name, labels, weights, categories, confidence, "gwet")


def brennan_prediger(
    labels: Any, *, weights: WeightsGiven = None, categories: Categories = None, confidence: float = CONFIDENCE
) -> Coefficient:
    r"""Brennan and Prediger's kappa: chance gives every category alike.

    .. math:: P(E) = \sum_{kl} w_{kl} / q^2

    q is the number of categories; without weights P(E) is 1/q (Brennan & Prediger, Educational and Psychological
    Measurement 41(3), 1981, doi:10.1177/001316448104100307). Of two categories it is 2 P(A) - 1, known as PABAK; of
    several judges also as Randolph's free-marginal kappa.

    >>> print(brennan_prediger([[0, 0, 1, 1], [0, 0, 1, 0]]).value)
    0.5
    """
    return _beyond_chance("Brennan-Prediger", labels, weights, categories, confidence, "brennan-prediger")


def krippendorff_alpha(
    labels: Any, *, metric: AlphaMetric = "nominal", categories: Categories = None, confidence: float = CONFIDENCE
) -> Coefficient:
    r"""Krippendorff's alpha: 1 less observed disagreement over that of labels dealt out at random.

    .. math:: \alpha = 1 - \frac{D_o}{D_e}, \quad D_o = \frac 1n \sum_{ck} o_{ck} \delta_{ck}^2, \quad
              D_e = \frac{1}{n (n - 1)} \sum_{ck} n_c n_k \delta_{ck}^2

    o_ck counts pairs of labels c and k of one item, each item weighing as much as it has labels; n_c labels of n are c
    (Krippendorff, Content Analysis, 4th edition 2018, chapter 12). Items with one label are left out, so missing labels
    do no harm. The distance δ is by metric: `nominal` 1 between any two categories, `ordinal` the labels that lie
    between them, `interval` their difference, `ratio` difference over sum. `observed` and `expected` are 1 - D/max δ²,
    so that alpha is what remains of them beyond chance.

    The standard error is Gwet's, and for ordinal distances, which depend on the labels, that of the jackknife.

    >>> labels = [[1, 2, 3, 3], [1, 2, 3, np.nan], [1, 3, 3, 3]]
    >>> print(round(krippendorff_alpha(labels, metric="ordinal").value, 4))
    0.8384
    """
    require_choice(metric, "metric", get_args(AlphaMetric))
    require_share(confidence, "confidence")
    known = coded(labels, categories)
    values = known.values
    if metric == "ratio" and (values < 0).any():
        raise UsageError("Ratios need labels of at least 0; some are negative. Choose metric='interval'.")
    if known.size > MOST_CATEGORIES and metric in ("ordinal", "interval"):
        return _alpha_of_measurements(known, metric, confidence)
    if known.size > MOST_COUNTED:
        raise too_many(known.size)
    patterns = patterns_of(known)
    table = patterns.sums.coincidences
    value, met, would = (float(part) for part in chance.alpha(table, values, metric))
    items = int(patterns.times[patterns.labels > 1].sum())
    distance = chance.distances(table.sum(axis=-1), values, metric)
    longest = float(distance.max()) if distance.size else 0.0
    shares = (1 - met / longest, 1 - would / longest) if longest > 0 else (math.nan, math.nan)
    reason = "" if not math.isnan(value) else NO_ITEM if not items else NO_CHANCE
    coefficient = Coefficient(f"Krippendorff's alpha ({metric})", value, *shares, items=items, reason=reason)
    if math.isnan(value):
        return coefficient
    spread = (
        variance.of_ordinal_alpha(patterns, values) if metric == "ordinal" else variance.of_alpha(patterns, distance)
    )
    return with_error(coefficient, spread, confidence, items - 1)


def cohen_of(table: Floats, weights: WeightsGiven = None, confidence: float = CONFIDENCE) -> Coefficient:
    """Cohen's kappa of a table of counts, with its limits."""
    weighing = weight_table(weights, len(table))
    coefficient = cohen_of_table(table, weighing)
    if coefficient.reason:
        return coefficient
    return with_error(coefficient, variance.of_cohen(table, weighing), confidence)


def scott_of(table: Floats, weights: WeightsGiven = None, confidence: float = CONFIDENCE) -> Coefficient:
    """Scott's pi of a table of counts, with its limits."""
    given = np.flatnonzero(table)
    codes = np.stack(np.unravel_index(given, table.shape), axis=1).ravel()
    of_pattern = np.repeat(np.arange(len(given)), 2)
    of_judge = np.tile([0, 1], len(given))
    patterns = Patterns(of_judge, of_pattern, codes, table.ravel()[given], np.empty(0, dtype=np.int64), 2, len(table))
    return _of_patterns("Scott's pi", patterns, weight_table(weights, len(table)), confidence, "fleiss")


def cohen_of_table(table: npt.ArrayLike, weights: Floats | None = None) -> Coefficient:
    """Cohen's kappa of a table of counts: rows are one judge's categories, columns the other's.

    >>> print(round(cohen_of_table([[70, 10], [20, 300]]).value, 4))
    0.7761
    """
    counts = np.asarray(table, dtype=np.float64)
    weighing = np.eye(len(counts)) if weights is None else weights
    items = int(counts.sum())
    if not items:
        return Coefficient("Cohen's kappa", math.nan, reason=NO_ITEM)
    p_a, p_e = (float(part) for part in cohen_parts(counts, weighing))
    value = float(corrected(p_a, p_e))
    return Coefficient("Cohen's kappa", value, p_a, p_e, items, reason=NO_CHANCE if math.isnan(value) else "")


def means_of_pairs(known: CodedLabels, kinds: Sequence[tuple[str, Floats, bool]]) -> list[Coefficient]:
    """Means of kappa over pairs of judges that have one: by name, weights and whether shares are pooled."""
    sums, counts = np.zeros((len(kinds), 3)), np.zeros(len(kinds))
    for _, tables in met_confusions(patterns_of(known)):
        different, which = _different(tables)
        shares = shares_of(different)
        for at, (_, weights, pooled) in enumerate(kinds):
            p_a, p_e = parts_of(shares, weights, pooled=pooled)
            parts = np.stack([corrected(p_a, p_e), p_a, p_e])[:, which]
            defined = ~np.isnan(parts[0])
            sums[at] += parts[:, defined].sum(axis=1)
            counts[at] += defined.sum()
    items = known.shared
    none = NO_CHANCE if items else NO_ITEM
    return [
        Coefficient(name, float(total[0] / count), float(total[1] / count), float(total[2] / count), items)
        if count
        else Coefficient(name, math.nan, items=items, reason=none)
        for (name, _, _), total, count in zip(kinds, sums, counts.tolist(), strict=True)
    ]


def _different(tables: Floats) -> tuple[Floats, Ints]:
    """Tables without most of those that are the same, and which of them each one is.

    Of thousands of judges nearly every two meet on one item: their table is one of few.
    """
    size = tables.shape[-1]
    if not tables.size:
        return tables, np.arange(len(tables))
    cells = tables.reshape(len(tables), size**2)
    once = cells.sum(axis=1) == 1
    which = np.empty(len(tables), dtype=np.int64)
    which[once] = np.nonzero(cells[once])[1]
    which[~once] = size**2 + np.arange(len(tables) - int(once.sum()))
    return np.concatenate([np.eye(size**2).reshape(-1, size, size), tables[~once]]), which


def cohen_parts(tables: Floats, weights: Floats, *, pooled: bool = False) -> tuple[Floats, Floats]:
    """P(A) and P(E) of tables of counts, with any axes in front; pooled, both judges have the same shares."""
    return parts_of(shares_of(tables), weights, pooled=pooled)


class TableShares(NamedTuple):
    """Shares of the labels in a table of two judges: of cells, rows and columns."""

    cells: Floats
    rows: Floats
    columns: Floats


def shares_of(tables: Floats) -> TableShares:
    """Shares in tables of counts, with any axes in front; NaN in a table without any."""
    count = tables.sum(axis=(-2, -1))
    share = tables / np.where(count > 0, count, np.nan)[..., None, None]
    return TableShares(share, share.sum(axis=-1), share.sum(axis=-2))


def parts_of(shares: TableShares, weights: Floats, *, pooled: bool = False) -> tuple[Floats, Floats]:
    """P(A) and P(E) of shares in tables."""
    share, rows, columns = shares
    if pooled:
        rows = columns = (rows + columns) / 2
    p_a = share.reshape(*share.shape[:-2], weights.size) @ weights.ravel()
    return p_a, ((rows @ weights) * columns).sum(axis=-1)


def from_table(table: npt.ArrayLike) -> tuple[Floats, Floats]:
    """Two judges' labels, from how often one gave a category (rows) and the other another (columns).

    >>> from_table([[1, 0], [1, 2]])
    (array([0., 1., 1., 1.]), array([0., 0., 1., 1.]))
    """
    counts = np.asarray(table)
    rows, columns = np.indices(counts.shape)
    times = counts.ravel().astype(np.int64)
    return np.repeat(rows.ravel(), times).astype(np.float64), np.repeat(columns.ravel(), times).astype(np.float64)


def specific_agreement(labels: Any, *, categories: Categories = None) -> dict[float | str, float]:
    r"""Of the labels of each category, the share of others on the same items that are of it too.

    .. math:: \frac{\sum_i r_{ik} (r_{ik} - 1)}{\sum_i r_{ik} (r_i - 1)}

    Of two judges and two categories these are positive and negative agreement, 2a / (2a + b + c) and
    2d / (2d + b + c): where one is low although kappa's P(A) is high, judges agree about the prevailing category only
    (Cicchetti & Feinstein, Journal of Clinical Epidemiology 43(6), 1990, doi:10.1016/0895-4356(90)90159-M).

    >>> agreed = specific_agreement(from_table([[70, 10], [20, 300]]))
    >>> {category: round(value, 4) for category, value in agreed.items()}
    {0.0: 0.8235, 1.0: 0.9524}
    """
    known = coded(labels, categories)
    patterns = patterns_of(known)
    counts = patterns.counts
    same = patterns.times @ (counts * (counts - 1))
    of = patterns.times @ (counts * (counts.sum(axis=1, keepdims=True) - 1))
    values = np.where(of > 0, same / np.where(of > 0, of, 1), np.nan)
    return dict(zip(known.categories, values.tolist(), strict=True))


def _alpha_of_measurements(known: CodedLabels, metric: Any, confidence: float) -> Coefficient:
    """Alpha where a table of all categories would have hardly anything in it."""
    value, spread = spread_alpha(known, metric)
    items = known.shared
    reason = "" if not math.isnan(value) else NO_ITEM if not items else NO_CHANCE
    coefficient = Coefficient(f"Krippendorff's alpha ({metric})", value, items=items, reason=reason)
    return with_error(coefficient, spread, confidence, items - 1)


def _beyond_chance(
    name: str, labels: Any, weights: WeightsGiven, categories: Categories, confidence: float, kind: Chance
) -> Coefficient:
    known, table = _prepared(labels, weights, categories, confidence)
    return _of_patterns(name, patterns_of(known), table, confidence, kind)


def _of_patterns(name: str, patterns: Patterns, table: Floats, confidence: float, kind: Chance) -> Coefficient:
    sums = patterns.sums
    items = int(sums.shared)
    p_a, p_e = float(chance.observed(sums, table)), float(chance.expected(sums, table, kind))
    value = float(corrected(p_a, p_e))
    if math.isnan(value):
        reason = NO_ITEM if not items else ONE_CATEGORY if patterns.size < 2 else NO_CHANCE
        return Coefficient(name, math.nan, p_a, p_e, items, reason=reason)
    coefficient = Coefficient(name, value, p_a, p_e, items)
    return with_error(coefficient, variance.linearised(patterns, table, kind), confidence, float(sums.items) - 1)


def _prepared(
    labels: Any, weights: WeightsGiven, categories: Categories, confidence: float
) -> tuple[CodedLabels, Floats]:
    require_share(confidence, "confidence")
    known = coded(labels, categories)
    if known.size > MOST_COUNTED:
        raise too_many(known.size)
    return known, weight_table(weights, known.size, known.grades)


def _without_items(value: float) -> str:
    return NO_ITEM if math.isnan(value) else ""


__all__ = [
    "Coefficient",
    "Patterns",
    "brennan_prediger",
    "cohen_kappa",
    "cohen_of_table",
    "conger_kappa",
    "fleiss_kappa",
    "from_table",
    "gwet_ac",
    "intraclass",
    "krippendorff_alpha",
    "mean_kappa",
    "percent_agreement",
    "scott_pi",
    "specific_agreement",
]
