"""How the scores of one list become comparable with those of others."""

from __future__ import annotations

import numpy as np

from cranfield.arrays import Floats
from cranfield.choices import Deviation, FlatList
from cranfield.fusing.definition import normalisation
from cranfield.measures.ranges import Fraction

MONTAGUE = "doi:10.1145/502585.502657 (Montague & Aslam, CIKM 2001)"


@normalisation("none", aliases=("raw", "identity", "off"), missing=("absent", "zero", "minimum"))
def none(scores: Floats, ranks: Floats) -> Floats:
    r"""Scores as they are: for systems that score alike.

    .. math:: s

    >>> none(np.array([12.5, 3.0]), np.array([1.0, 2.0]))
    array([12.5,  3. ])
    """
    return scores


@normalisation(
    "minmax",
    cite="doi:10.1145/258525.258587 (Lee, SIGIR 1997)",
    aliases=("min-max", "min_max", "min-max-norm"),
    tools={
        "ranx": "min-max: a flat list becomes 0",
        "Weaviate": "relativeScoreFusion: 1",
        "LlamaIndex": "relative_score: 1 if above 0",
        "OpenSearch": "min_max: 1, and 0 becomes 0.001",
        "Elasticsearch": "minmax: raw",
    },
    missing=("absent", "zero", "minimum"),
)
def minmax(scores: Floats, ranks: Floats, *, flat: FlatList = "middle", least: Fraction = 0.0) -> Floats:
    r"""From 0, the lowest score of the list, to 1, the highest.

    .. math:: \frac{s - \min s}{\max s - \min s}

    The last document of a list gets as much as one that is not in it. A list of one document, or of equal scores, has
    no range: it is flat. `least` is what the lowest score becomes instead of 0, as in OpenSearch.

    >>> minmax(np.array([12.0, 9.0, 8.0]), np.arange(1.0, 4))
    array([1.  , 0.25, 0.  ])
    """
    shares = _within(scores, float(scores.min()), float(scores.max()), flat)
    return np.where(shares == 0, least, shares) if least else shares


@normalisation(
    "minmax-inverted",
    aliases=("min-max-inverted", "min_max_inverted"),
    tools={"ranx": "min-max-inverted: a flat list becomes 0"},
    missing=("absent", "zero", "minimum"),
)
def minmax_inverted(scores: Floats, ranks: Floats, *, flat: FlatList = "middle") -> Floats:
    r"""From 0, the highest number of the list, to 1, the lowest: for distances.

    .. math:: \frac{\max s - s}{\max s - \min s}

    Runs are read with the highest score first: where distances were written as scores, ranks are upside down too,
    which this does not change.

    >>> minmax_inverted(np.array([0.9, 0.6, 0.1]), np.arange(1.0, 4)).round(3)
    array([0.   , 0.375, 1.   ])
    """
    return _within(scores, float(scores.max()), float(scores.min()), flat)


@normalisation(
    "theoretical",
    cite="doi:10.1145/3596512 (Bruch, Gai & Ingber, TOIS 2023)",
    aliases=("theoretical-minmax", "tmm", "tm2c2", "theoretical_min_max"),
    missing=("absent", "zero", "minimum"),
    needs_lowest=True,
)
def theoretical(scores: Floats, ranks: Floats, *, lowest: float, flat: FlatList = "middle") -> Floats:
    r"""From 0, the lowest score that the system can give, to 1, the highest score of the list.

    .. math:: \frac{s - m}{\max s - m}

    m is 0 for BM25, -1 for the cosine. The last document of a list is still better than one that is not in it, and a
    list of one document keeps its meaning.

    >>> theoretical(np.array([12.0, 9.0, 6.0]), np.arange(1.0, 4), lowest=0)
    array([1.  , 0.75, 0.5 ])
    """
    return _within(scores, lowest, float(scores.max()), flat)


@normalisation("max", tools={"ranx": "max: scores below 0 explode"}, missing=("absent", "zero", "minimum"))
def maximum(scores: Floats, ranks: Floats) -> Floats:
    r"""Scores divided by the highest of the list, which has to be above 0.

    .. math:: \frac{s}{\max s}

    >>> maximum(np.array([12.0, 9.0, 6.0]), np.arange(1.0, 4))
    array([1.  , 0.75, 0.5 ])
    """
    highest = scores.max()
    return scores / highest if highest > 0 else np.full(len(scores), np.nan)


@normalisation(
    "sum",
    cite=MONTAGUE,
    tools={"ranx": "sum: a flat list becomes 0"},
    missing=("absent", "zero", "minimum"),
)
def share(scores: Floats, ranks: Floats) -> Floats:
    r"""Each score's share of all scores of the list, once the lowest is 0.

    .. math:: \frac{s - \min s}{\sum (s - \min s)}

    The documents of a flat list have equal shares.

    >>> share(np.array([12.0, 9.0, 8.0]), np.arange(1.0, 4))
    array([0.8, 0.2, 0. ])
    """
    lifted = scores - scores.min()
    together = lifted.sum()
    shares: Floats = lifted / together if together > 0 else np.full(len(scores), 1 / len(scores))
    return shares


@normalisation(
    "zscore",
    cite=MONTAGUE,
    aliases=("z-score", "zmuv", "z", "standard"),
    tools={
        "ranx": "zmuv: a missing document gets 0, the mean, and beats every listed one below it",
        "OpenSearch": "z_score, by the sample deviation",
    },
    missing=("minimum", "absent", "zero"),
)
def zscore(scores: Floats, ranks: Floats, *, deviation: Deviation = "population") -> Floats:
    r"""How many standard deviations a score is above the mean of the list.

    .. math:: \frac{s - \mu}{\sigma}

    0 is the mean, so a missing document must not count as 0: it gets the lowest score of the list unless you choose
    otherwise. The documents of a flat list are all at the mean.

    >>> zscore(np.array([4.0, 3.0, 2.0]), np.arange(1.0, 4)).round(3)
    array([ 1.225,  0.   , -1.225])
    """
    spread = _spread(scores, deviation)
    above: Floats = (scores - scores.mean()) / spread if spread > 0 else np.zeros(len(scores))
    return above


@normalisation(
    "2sigma",
    cite=MONTAGUE,
    aliases=("2-sigma", "two-sigma", "2muv"),
    missing=("absent", "zero", "minimum"),
)
def two_sigma(scores: Floats, ranks: Floats, *, deviation: Deviation = "population") -> Floats:
    r"""The z-score plus 2: what a list does not have stands two deviations below its mean.

    .. math:: \frac{s - \mu}{\sigma} + 2

    >>> two_sigma(np.array([4.0, 3.0, 2.0]), np.arange(1.0, 4)).round(3)
    array([3.225, 2.   , 0.775])
    """
    return zscore(scores, ranks, deviation=deviation) + 2


@normalisation(
    "dbsf",
    cite="Mazzeschi, Distribution-based score fusion, 2023; Qdrant 1.11",
    aliases=("distribution", "distribution-based", "dist_based", "dist_based_score"),
    tools={
        "Qdrant": "dbsf, by the sample deviation; a missing document gets 0",
        "LlamaIndex": "dist_based_score, by the population deviation",
        "Haystack": "distribution_based_rank_fusion: a document of several lists gets the largest of its scores",
    },
    missing=("minimum", "absent", "zero"),
)
def dbsf(scores: Floats, ranks: Floats, *, flat: FlatList = "middle", deviation: Deviation = "population") -> Floats:
    r"""From 0, three standard deviations below the mean of the list, to 1, three above it.

    .. math:: \frac{s - (\mu - 3\sigma)}{6\sigma}

    The lowest score of a list is often well above 0, so a missing document gets that unless you choose otherwise.

    >>> dbsf(np.array([4.0, 3.0, 2.0]), np.arange(1.0, 4)).round(3)
    array([0.704, 0.5  , 0.296])
    """
    mean, spread = float(scores.mean()), _spread(scores, deviation)
    return _within(scores, mean - 3 * spread, mean + 3 * spread, flat)


@normalisation(
    "rank",
    tools={"ranx": "rank"},
    missing=("absent", "zero", "minimum"),
    reads="ranks",
)
def by_rank(scores: Floats, ranks: Floats) -> Floats:
    r"""From 1, the first rank, down to just above 0, the last.

    .. math:: 1 - \frac{r - 1}{n}

    n is the length of the list.

    >>> by_rank(np.array([12.0, 9.0, 8.0, 1.0]), np.arange(1.0, 5))
    array([1.  , 0.75, 0.5 , 0.25])
    """
    return 1 - (ranks - 1) / max(len(ranks), ranks[-1])


@normalisation(
    "borda",
    tools={"ranx": "borda"},
    missing=("absent", "zero", "minimum"),
    reads="ranks",
    unlisted=lambda length, candidates: 0.5 - (length - 1) / (2 * candidates),
)
def by_borda(scores: Floats, ranks: Floats, *, candidates: int) -> Floats:
    r"""Points of a Borda count, as a share of the number of candidates.

    .. math:: 1 - \frac{r - 1}{c}

    c is the number of documents of all lists. What a list does not have shares its remaining points equally.

    >>> by_borda(np.array([12.0, 9.0]), np.array([1.0, 2.0]), candidates=4)
    array([1.  , 0.75])
    """
    return 1 - (ranks - 1) / candidates


def _within(scores: Floats, low: float, high: float, flat: FlatList) -> Floats:
    """Scores as shares of the way from one number to another; of a flat list, what was chosen."""
    if low != high:
        shares: Floats = (scores - low) / (high - low) + 0.0  # never -0
        return shares
    return scores if flat == "raw" else np.full(len(scores), {"middle": 0.5, "one": 1.0, "zero": 0.0}[flat])


def _spread(scores: Floats, deviation: Deviation) -> float:
    """The standard deviation; 0 of equal scores, whatever rounding makes of their mean."""
    if scores.min() == scores.max():
        return 0.0
    return float(scores.std(ddof=1 if deviation == "sample" else 0))
