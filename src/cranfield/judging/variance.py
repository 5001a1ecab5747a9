"""Variances of chance-corrected coefficients, from what each item adds to them (Gwet's linearisation).

A coefficient is a function of means over items. To first order it varies as the mean of one number per item does, so
its variance is that of these numbers over n (Gwet, Handbook of Inter-Rater Reliability, 4th edition, 2014; British
Journal of Mathematical and Statistical Psychology 61(1), 2008, doi:10.1348/000711006X126600).
"""

from __future__ import annotations

import math

import numpy as np

from cranfield.arrays import Floats
from cranfield.judging import chance
from cranfield.judging.chance import Chance
from cranfield.judging.counting import Patterns, Sums, met

CELLS = 1 << 22
FAR = 1e-6


def linearised(patterns: Patterns, weights: Floats, kind: Chance) -> float:
    """The variance of Fleiss' kappa, Gwet's AC, Brennan and Prediger's or Conger's kappa."""
    sums = patterns.sums
    labels = patterns.all.labels
    p_a, p_e = float(chance.observed(sums, weights)), float(chance.expected(sums, weights, kind))
    value = (p_a - p_e) / (1 - p_e)
    shared = labels > 1
    agreeing = patterns.all.agreeing(weights) / np.maximum(labels * (labels - 1), 1)
    own = float(sums.items / sums.shared) * np.where(shared, agreeing - p_e, 0) / (1 - p_e)
    by_chance = _by_chance(patterns, sums, weights, kind, patterns.counts / labels[:, None], p_e)
    return _of_mean(own - 2 * (1 - value) * (by_chance - p_e) / (1 - p_e), value, patterns.times)


def of_alpha(patterns: Patterns, distance: Floats) -> float:
    """The variance of Krippendorff's alpha, the distances between categories being taken as given."""
    counts, times, labels = patterns.shared.each, patterns.shared.times, patterns.shared.labels
    if times.sum() < 2 or not distance.max() > 0:
        return math.nan
    given = counts.any(axis=0)
    longest = float(distance[given][:, given].max())
    if not longest > 0:
        return math.nan
    # Next to a grade far from all others, which nobody gave to these items, all weights would be 1.
    weights = 1 - distance / (distance.max() if longest > FAR * distance.max() else longest)
    mean = float(times @ labels / times.sum())
    agreeing = patterns.shared.agreeing(weights) / (mean * (labels - 1))
    share = times @ counts / times.sum() / mean
    p_a, p_e = float(times @ agreeing / times.sum()), float(share @ weights @ share)
    value = (p_a - p_e) / (1 - p_e)
    more = (labels - mean) / mean
    own = (agreeing - _unbiased(p_a, float(times @ labels)) * more - p_e) / (1 - p_e)
    by_chance = counts @ (weights @ share) / mean - p_e * more
    return _of_mean(own - 2 * (1 - value) * (by_chance - p_e) / (1 - p_e), value, times)


def of_ordinal_alpha(patterns: Patterns, values: Floats) -> float:
    """The variance of ordinal alpha by the jackknife: its distances, too, change with every item that is left out."""
    counts, times, labels = patterns.shared.each, patterns.shared.times, patterns.shared.labels
    items = float(times.sum())
    if items < 3:
        return math.nan
    total = patterns.sums.coincidences
    without = [
        chance.alpha(total - met(counts[part], labels[part]), values, "ordinal")[0]
        for part in np.array_split(np.arange(len(counts)), 1 + counts.size * patterns.size // CELLS)
    ]
    values_left = np.concatenate(without)
    mean = float(times @ values_left) / items
    return (items - 1) / items * float(times @ (values_left - mean) ** 2)


def of_cohen(table: Floats, weights: Floats) -> float:
    """The variance of Cohen's kappa, weighted or not (Fleiss, Cohen & Everitt, Psychological Bulletin 72(5), 1969)."""
    count = table.sum()
    share = table / count
    rows, columns = share.sum(axis=1), share.sum(axis=0)
    p_a, p_e = float((weights * share).sum()), float(rows @ weights @ columns)
    value = (p_a - p_e) / (1 - p_e)
    by_chance = (weights @ columns)[:, None] + (rows @ weights)[None, :]
    squares = float((share * (weights - by_chance * (1 - value)) ** 2).sum())
    return (squares - (value - p_e * (1 - value)) ** 2) / ((1 - p_e) ** 2 * float(count))


def _by_chance(patterns: Patterns, sums: Sums, weights: Floats, kind: Chance, own: Floats, p_e: float) -> Floats:
    """Half of what chance agreement gains from each item, around its own value."""
    share = chance.shares(sums)
    if kind == "fleiss":
        return own @ (weights @ share)
    if kind == "gwet":
        size = len(weights)
        return weights.sum() / (size * (size - 1)) * (own @ (1 - share))
    if kind == "brennan-prediger":
        return np.full(len(own), p_e)
    return _conger(patterns, sums, weights, p_e)


def _conger(patterns: Patterns, sums: Sums, weights: Floats, p_e: float) -> Floats:
    given, labels = sums.judges_shares, sums.by_judge.sum(axis=1)
    judges, items = int(sums.judges), float(sums.items)
    others = (given.sum(axis=0) - given) @ weights
    typical = (given * others).sum(axis=1)
    each = items / np.where(labels > 0, labels, 1)
    of_label = ((others - typical[:, None]) * each[:, None])[patterns.of_judge, patterns.codes]
    of_pattern = np.bincount(patterns.of_pattern, weights=of_label, minlength=len(patterns.times))
    return np.asarray((of_pattern + typical.sum()) / (judges * (judges - 1)))


def _unbiased(p_a: float, labels: float) -> float:
    """Agreement as alpha counts it, in which a label also meets itself."""
    return (1 - 1 / labels) * p_a + 1 / labels


def _of_mean(values: Floats, center: float, times: Floats) -> float:
    count = float(times.sum())
    return float(times @ (values - center) ** 2) / (count * (count - 1)) if count > 1 else math.nan
