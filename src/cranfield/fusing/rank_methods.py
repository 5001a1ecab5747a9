"""Methods that combine ranks, whatever the scores behind them."""

from __future__ import annotations

from typing import Literal

import numpy as np

from cranfield.arrays import Floats
from cranfield.fusing.definition import method
from cranfield.fusing.lists import FusionArrays, sum_of_weights, total
from cranfield.measures.ranges import Fraction, Probability, UpToAMillion

MOURAO = "doi:10.1016/j.compmedimag.2014.05.006 (Mourão, Martins & Magalhães, CMIG 2015)"


@method(
    "rrf",
    cite="doi:10.1145/1571941.1572114 (Cormack, Clarke & Büttcher, SIGIR 2009)",
    aliases=("reciprocal_rank_fusion", "reciprocal_rank", "ranked_fusion"),
    tools={
        "ranx": "rrf",
        "trectools": "reciprocal_rank_fusion",
        "pyserini": "FusionMethod.RRF, by the rank column of the file",
        "Elasticsearch": "retriever rrf, rank_constant 60",
        "LangChain": "EnsembleRetriever, c=60",
        "LlamaIndex": "reciprocal_rerank, ranks from 0",
        "Qdrant": "rrf, k=2 and ranks from 0; weights divide ranks",
        "Weaviate": "rankedFusion, ranks from 0",
        "Haystack": "DocumentJoiner reciprocal_rank_fusion, scaled to at most 1",
    },
    reads="ranks",
    missing=("absent", "last"),
)
def rrf(
    arrays: FusionArrays,
    *,
    weights: Floats | None = None,
    k: UpToAMillion = 60.0,
    first: Literal[0, 1] = 1,
    weighting: Literal["share", "rank"] = "share",
    scale: Literal["none", "unit"] = "none",
) -> Floats:
    r"""Reciprocal rank fusion: sum of the reciprocals of a document's ranks, each with a constant added.

    .. math:: \sum_l \frac{w_l}{k + r_l(d)}

    r is the rank from 1. `first` is the number of the first rank, 0 in some tools. `weighting=rank` divides ranks by
    weights instead, as Qdrant does; `scale=unit` makes what is first in every list 1.

    First in one list; second in one and first in the other:

    >>> from cranfield.fusing.lists import lists_of
    >>> rrf(lists_of({"a": 3, "b": 1}, {"b": 2})).round(4)
    array([0.0164, 0.0325])
    """
    ranks = arrays.ranks
    if weights is not None and weighting == "rank":
        # Qdrant: 1 / (k + (r₀ + 1) / w - 1), where r₀ counts from 0.
        ranks = ranks / weights[..., np.newaxis]
        weights = None
    fused = total(1 / (k + ranks - (1 - first)), weights)
    if scale == "none":
        return fused
    return fused * (k + first) / sum_of_weights(arrays, weights)


@method("isr", cite=MOURAO, tools={"ranx": "isr"}, reads="ranks", missing=("absent", "last"))
def isr(arrays: FusionArrays, *, weights: Floats | None = None) -> Floats:
    r"""Inverse square rank: sum of 1 / rank², times the number of lists that have the document.

    .. math:: n(d) \sum_l \frac{w_l}{r_l(d)^2}

    >>> from cranfield.fusing.lists import lists_of
    >>> isr(lists_of({"a": 3, "b": 1}, {"b": 2}))
    array([1. , 2.5])
    """
    return arrays.count * _inverse_squares(arrays, weights)


@method(
    "logisr",
    cite=MOURAO,
    aliases=("log_isr",),
    tools={"ranx": "log_isr"},
    reads="ranks",
    missing=("absent", "last"),
)
def logisr(arrays: FusionArrays, *, weights: Floats | None = None) -> Floats:
    r"""Inverse square rank, times the logarithm of the number of lists that have the document.

    .. math:: \ln(n(d)) \sum_l \frac{w_l}{r_l(d)^2}

    What only one list has scores 0, so that such documents are all tied: LogN-ISR tells them apart.

    >>> from cranfield.fusing.lists import lists_of
    >>> logisr(lists_of({"a": 3, "b": 1}, {"b": 2})).round(4)
    array([0.    , 0.8664])
    """
    logarithms: Floats = np.log(arrays.count) * _inverse_squares(arrays, weights)
    return logarithms


@method(
    "lognisr",
    cite=MOURAO,
    aliases=("logn_isr",),
    tools={"ranx": "logn_isr"},
    reads="ranks",
    missing=("absent", "last"),
)
def lognisr(arrays: FusionArrays, *, weights: Floats | None = None, sigma: Fraction = 0.01) -> Floats:
    r"""Inverse square rank, times the logarithm of the number of lists plus a little.

    .. math:: \ln(n(d) + \sigma) \sum_l \frac{w_l}{r_l(d)^2}

    >>> from cranfield.fusing.lists import lists_of
    >>> lognisr(lists_of({"a": 3, "b": 1}, {"b": 2})).round(4)
    array([0.01  , 0.8727])
    """
    logarithms: Floats = np.log(arrays.count + sigma) * _inverse_squares(arrays, weights)
    return logarithms


@method(
    "rbc",
    cite="doi:10.1145/3077136.3080839 (Bailey, Moffat, Scholer & Thomas, SIGIR 2017)",
    aliases=("rank_biased_centroid", "rank_biased_centroids"),
    tools={"ranx": "rbc; phi has no default there", "trectools": "rank_biased_precision_fusion, p=0.8"},
    reads="ranks",
    missing=("absent", "last"),
)
def rbc(arrays: FusionArrays, *, weights: Floats | None = None, phi: Probability = 0.8) -> Floats:
    r"""Rank-biased centroid: sum of the attention that a patient reader gives to a document's ranks.

    .. math:: \sum_l w_l (1 - \phi) \phi^{r_l(d) - 1}

    The weights of ranks are those of rank-biased precision with persistence phi.

    >>> from cranfield.fusing.lists import lists_of
    >>> rbc(lists_of({"a": 3, "b": 1}, {"b": 2})).round(4)
    array([0.2 , 0.36])
    """
    return total((1 - phi) * phi ** (arrays.ranks - 1), weights)


def _inverse_squares(arrays: FusionArrays, weights: Floats | None) -> Floats:
    return total(1 / arrays.ranks**2, weights)
