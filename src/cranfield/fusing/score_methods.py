"""Methods that combine scores: normalise them first, unless systems score alike."""

from __future__ import annotations

from typing import Literal

import numpy as np

from cranfield.arrays import Floats
from cranfield.fusing.definition import method
from cranfield.fusing.lists import FusionArrays, sum_of_weights, total
from cranfield.measures.ranges import UpToAMillion

FOX_SHAW = "Fox & Shaw, Combination of multiple searches, TREC-2, 1993"
WU_CRESTANI = "doi:10.1145/584792.584908 (Wu & Crestani, CIKM 2002)"


@method(
    "combsum",
    cite=f"{FOX_SHAW}; weighted: doi:10.1145/3596512 (Bruch, Gai & Ingber, TOIS 2023)",
    aliases=("sum", "comb_sum", "wsum", "weighted_sum", "linear", "convex", "convex_combination", "relative_score"),
    tools={
        "ranx": "sum; wsum with weights",
        "trectools": "combos(strategy='sum')",
        "pyserini": "FusionMethod.AVERAGE and INTERPOLATION",
        "Elasticsearch": "retriever linear",
        "OpenSearch": "arithmetic_mean, divided by the sum of weights",
        "Weaviate": "relativeScoreFusion",
    },
    missing=("absent", "zero", "minimum"),
)
def combsum(arrays: FusionArrays, *, weights: Floats | None = None, scale: Literal["none", "unit"] = "none") -> Floats:
    r"""Sum of the scores that lists give a document, each times its list's weight.

    .. math:: \sum_l w_l s_l(d)

    With weights it is the weighted sum, or convex combination. A missing document adds nothing. `scale=unit` divides by
    the sum of the weights, or the number of lists.

    3 from the first list and nothing from the second; 1 and 2:

    >>> from cranfield.fusing.lists import lists_of
    >>> combsum(lists_of({"a": 3, "b": 1}, {"b": 2}))
    array([3., 3.])
    """
    added = total(arrays.values, weights)
    return added if scale == "none" else added / sum_of_weights(arrays, weights)


@method(
    "combmin",
    cite=FOX_SHAW,
    aliases=("min", "comb_min"),
    tools={"ranx": "min, over the lists that have the document", "trectools": "min, likewise"},
    missing=("zero", "absent", "minimum"),
    weighted=False,
)
def combmin(arrays: FusionArrays) -> Floats:
    r"""Smallest score that a list gives a document.

    .. math:: \min_l s_l(d)

    A missing document counts as 0, as Fox and Shaw have it: only what all lists return is above 0.

    >>> from cranfield.fusing.lists import lists_of
    >>> combmin(lists_of({"a": 3, "b": 1}, {"a": 2, "b": 2}))
    array([2., 1.])
    """
    smallest: Floats = np.fmin.reduce(arrays.values, axis=-2)
    return smallest


@method(
    "combmax",
    cite=FOX_SHAW,
    aliases=("max", "comb_max"),
    tools={"ranx": "max", "trectools": "max", "Haystack": "DocumentJoiner distribution_based_rank_fusion, after dbsf"},
    missing=("absent", "zero", "minimum"),
    weighted=False,
)
def combmax(arrays: FusionArrays) -> Floats:
    r"""Largest score that a list gives a document.

    .. math:: \max_l s_l(d)

    >>> from cranfield.fusing.lists import lists_of
    >>> combmax(lists_of({"a": 3, "b": 1}, {"b": 2}))
    array([3., 2.])
    """
    largest: Floats = np.fmax.reduce(arrays.values, axis=-2)
    return largest


@method(
    "combmed",
    cite=FOX_SHAW,
    aliases=("med", "comb_med", "median"),
    tools={"ranx": "med, over the lists that have the document", "trectools": "med, likewise"},
    missing=("zero", "absent", "minimum"),
    weighted=False,
)
def combmed(arrays: FusionArrays) -> Floats:
    r"""Median of the scores that lists give a document.

    .. math:: \text{median}_l \, s_l(d)

    A missing document counts as 0, as Fox and Shaw have it.

    >>> from cranfield.fusing.lists import lists_of
    >>> combmed(lists_of({"a": 3, "b": 1}, {"a": 1, "b": 2}, {"a": 2, "b": 6}))
    array([2., 2.])
    """
    ascending = np.sort(arrays.values, axis=-2)  # NaN last
    count = (~np.isnan(ascending)).sum(axis=-2)[np.newaxis]
    low, high = (np.take_along_axis(ascending, at, axis=-2)[0] for at in ((count - 1) // 2, count // 2))
    middle: Floats = (low + high) / 2
    return middle


@method(
    "combanz",
    cite=FOX_SHAW,
    aliases=("anz", "comb_anz", "mean"),
    tools={"ranx": "anz", "trectools": "anz"},
    missing=("absent", "zero", "minimum"),
    weighted=False,
)
def combanz(arrays: FusionArrays) -> Floats:
    r"""Mean of the scores over the lists that have a document.

    .. math:: \frac{1}{n(d)} \sum_l s_l(d)

    n is the number of lists whose scores count. A copy of a list that has all documents changes no order.

    >>> from cranfield.fusing.lists import lists_of
    >>> combanz(lists_of({"a": 3, "b": 1}, {"b": 2}))
    array([3. , 1.5])
    """
    return total(arrays.values) / (~np.isnan(arrays.values)).sum(axis=-2)


@method(
    "combmnz",
    cite=f"{FOX_SHAW}; weighted: {WU_CRESTANI}",
    aliases=("mnz", "comb_mnz", "wmnz", "weighted_mnz"),
    tools={"ranx": "mnz; wmnz with weights", "trectools": "mnz"},
    missing=("absent", "minimum"),
)
def combmnz(arrays: FusionArrays, *, weights: Floats | None = None) -> Floats:
    r"""Sum of the scores, times the number of lists that have the document.

    .. math:: \sum_l s_l(d) \cdot \sum_{l: d \in l} w_l

    Without weights the second sum is the number of lists.

    >>> from cranfield.fusing.lists import lists_of
    >>> combmnz(lists_of({"a": 3, "b": 1}, {"b": 2}))
    array([3., 6.])
    """
    having = arrays.count if weights is None else total(arrays.listed.astype(np.float64), weights)
    return total(arrays.values) * having


@method(
    "combgmnz",
    cite="doi:10.1145/258525.258587 (Lee, SIGIR 1997)",
    aliases=("gmnz", "comb_gmnz"),
    tools={"ranx": "gmnz; gamma has no default there"},
    missing=("absent", "minimum"),
    weighted=False,
)
def combgmnz(arrays: FusionArrays, *, gamma: UpToAMillion = 2.0) -> Floats:
    r"""Sum of the scores, times a power of the number of lists that have the document.

    .. math:: n(d)^{\gamma} \sum_l s_l(d)

    gamma 0 is CombSUM, 1 is CombMNZ.

    >>> from cranfield.fusing.lists import lists_of
    >>> combgmnz(lists_of({"a": 3, "b": 1}, {"b": 2}), gamma=2)
    array([ 3., 12.])
    """
    powered: Floats = total(arrays.values) * arrays.count**gamma
    return powered


@method(
    "mixed",
    cite=WU_CRESTANI,
    tools={"ranx": "mixed"},
    missing=("absent", "minimum"),
)
def mixed(arrays: FusionArrays, *, weights: Floats | None = None) -> Floats:
    r"""Weighted sum of the scores, times the square root of the number of lists that have the document.

    .. math:: \sqrt{n(d)} \sum_l w_l s_l(d)

    >>> from cranfield.fusing.lists import lists_of
    >>> mixed(lists_of({"a": 3, "b": 1}, {"b": 2})).round(3)
    array([3.   , 4.243])
    """
    rooted: Floats = total(arrays.values, weights) * np.sqrt(arrays.count)
    return rooted
