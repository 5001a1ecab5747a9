"""Methods that learn from judgments how much a rank of each run is worth.

What is learnt of a run is an array, from the relevance of its documents by rank in the training queries. A method adds
up what its arrays say of a document's ranks.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import pairwise
from typing import Literal

import numpy as np

from cranfield.arrays import Bools, Floats
from cranfield.fusing.definition import method
from cranfield.fusing.lists import FusionArrays, total
from cranfield.measures.ranges import Count

Hits = Sequence[Bools]
"""Of each training query, whether the document at each rank of a run is relevant."""

LILLIS_2010 = "doi:10.1145/1835449.1835508 (Lillis et al., SIGIR 2010)"
BINS = (0, 5, 10, 15, 20, 30, 100, 200, 500, 1000)
"""Where the ranks end that BayesFuse takes for equal."""
LEAST = 0.001
"""The probability of what was never relevant in training, and of what a list does not have."""


def bayes_training(hits: Hits, relevant: Sequence[int]) -> Floats:
    """The log odds of relevance of each rank, the same within a bin."""
    odds = np.empty(BINS[-1])
    for start, end in pairwise(BINS):
        share = _share(hits, start, end) or LEAST
        odds[start:end] = math.log(share / ((1 - share) or LEAST))
    return odds


@method(
    "bayesfuse",
    cite="doi:10.1145/383952.384007 (Aslam & Montague, SIGIR 2001)",
    aliases=("bayes", "bayes_fuse"),
    tools={"ranx": "bayesfuse; it reads past the end of an array beyond rank 1000"},
    reads="ranks",
    missing=("absent",),
    weighted=False,
    train=bayes_training,
)
def bayesfuse(arrays: FusionArrays, *, model: Sequence[Floats]) -> Floats:
    r"""Sum of the log odds that a document at these ranks is relevant.

    .. math:: \sum_l \ln \frac{p_l(r)}{1 - p_l(r)}

    p is the share of relevant documents of the training queries in the bin of the rank; bins end at 5, 10, 15, 20, 30,
    100, 200, 500 and 1000, and deeper ranks count as the last. What was never relevant, and what a list does not have,
    has p = 0.001.

    Nothing of the first list was relevant in training, half of the second:

    >>> from cranfield.fusing.lists import lists_of
    >>> bayesfuse(lists_of({"a": 2}, {"b": 1}), model=[np.array([-6.9068]), np.array([0.0])]).round(4)
    array([-13.8136,  -6.9068])
    """
    deepest = [np.minimum(own, len(learnt)) for own, learnt in zip(arrays.ranks, model, strict=True)]
    odds = _at_ranks(model, np.array(deepest))
    return total(np.where(arrays.listed, odds, math.log(LEAST / (1 - LEAST))))


def map_training(hits: Hits, relevant: Sequence[int]) -> Floats:
    """The mean average precision of the run."""
    precise = [
        float((np.cumsum(own)[own] / (np.flatnonzero(own) + 1)).sum()) / count if count else 0.0
        for own, count in zip(hits, relevant, strict=True)
    ]
    return np.array([math.fsum(precise) / len(precise)])


@method(
    "mapfuse",
    cite=LILLIS_2010,
    aliases=("map_fuse",),
    tools={"ranx": "mapfuse"},
    reads="ranks",
    missing=("absent",),
    weighted=False,
    train=map_training,
)
def mapfuse(arrays: FusionArrays, *, model: Sequence[Floats]) -> Floats:
    r"""Sum of the reciprocal ranks, each times the mean average precision of its run in training.

    .. math:: \sum_l \frac{MAP_l}{r_l(d)}

    >>> from cranfield.fusing.lists import lists_of
    >>> mapfuse(lists_of({"a": 2, "b": 1}, {"b": 1}), model=[np.array([0.4]), np.array([0.1])]).round(4)
    array([0.4, 0.3])
    """
    return total(np.array([learnt[0] / own for own, learnt in zip(arrays.ranks, model, strict=True)]))


def pos_training(hits: Hits, relevant: Sequence[int]) -> Floats:
    """At each rank, the share of training queries with a relevant document, of those whose list is so long."""
    longest = max((len(own) for own in hits), default=0)
    found, lists = np.zeros(longest), np.zeros(longest)
    for own in hits:
        found[: len(own)] += own
        lists[: len(own)] += 1
    return found / lists


@method(
    "posfuse",
    cite=LILLIS_2010,
    aliases=("pos_fuse",),
    tools={"ranx": "posfuse"},
    reads="ranks",
    missing=("absent",),
    weighted=False,
    train=pos_training,
)
def posfuse(arrays: FusionArrays, *, model: Sequence[Floats]) -> Floats:
    r"""Sum of the probabilities that a document at these ranks is relevant.

    .. math:: \sum_l p_l(r_l(d))

    p of a rank is the share of the training queries that have a relevant document there; deeper than any of them, 0.

    >>> from cranfield.fusing.lists import lists_of
    >>> posfuse(lists_of({"a": 2, "b": 1}, {"b": 1}), model=[np.array([0.5, 0.25]), np.array([0.5])])
    array([0.5 , 0.75])
    """
    return total(_at_ranks(model, arrays.ranks))


def prob_training(hits: Hits, relevant: Sequence[int], *, segments: int) -> Floats:
    """In each segment of a list, the mean share of relevant documents; an empty segment has none."""
    shares = np.zeros(segments)
    for own in hits:
        size = max(1, math.ceil(len(own) / segments))
        for at in range(segments):
            part = own[at * size : (at + 1) * size]
            shares[at] += part.mean() if len(part) else 0.0
    return shares / len(hits)


@method(
    "probfuse",
    cite="doi:10.1145/1148170.1148197 (Lillis, Toolan, Collier & Dunnion, SIGIR 2006)",
    aliases=("prob_fuse",),
    tools={"ranx": "probfuse; n_segments has no default there"},
    reads="ranks",
    missing=("absent",),
    weighted=False,
    train=prob_training,
)
def probfuse(arrays: FusionArrays, *, model: Sequence[Floats], segments: Count = 25) -> Floats:
    r"""Sum of the probabilities of relevance of a document's segments, each divided by the segment's number.

    .. math:: \sum_l \frac{p_l(k)}{k}

    Each list is cut into as many `segments` of equal size; k is the one that the document's rank is in, p the mean
    share of relevant documents there in training.

    >>> from cranfield.fusing.lists import lists_of
    >>> lists = lists_of({"a": 2, "b": 1}, {"b": 1})
    >>> probfuse(lists, model=[np.array([0.5, 0.2]), np.array([0.25, 0.1])], segments=2)
    array([0.5 , 0.35])
    """
    sizes = np.maximum(1, np.ceil(arrays.lengths / segments))[:, np.newaxis]
    numbers = np.ceil(arrays.ranks / sizes)
    return total(_at_ranks(model, numbers) / numbers)


def seg_training(hits: Hits, relevant: Sequence[int], *, growth: str) -> Floats:
    """In each of ever larger segments, the share of relevant documents, at every rank of the segment."""
    ends = _segment_ends(growth)
    probabilities = np.empty(ends[-1])
    for start, end in zip((0, *ends), ends, strict=False):
        probabilities[start:end] = _share(hits, start, end)
    return probabilities


@method(
    "segfuse",
    cite="doi:10.1007/978-3-540-71496-5_19 (Shokouhi, ECIR 2007)",
    aliases=("seg_fuse",),
    tools={"ranx": "segfuse, which takes the sizes of segments for their ends"},
    missing=("absent",),
    weighted=False,
    train=seg_training,
)
def segfuse(arrays: FusionArrays, *, model: Sequence[Floats], growth: Literal["sizes", "ends"] = "sizes") -> Floats:
    r"""Sum of the probabilities of relevance of a document's segments, each times its normalised score plus 1.

    .. math:: \sum_l p_l(k) (1 + s_l(d))

    Segment k has 10 · 2^(k-1) - 5 documents: 5, 15, 35 and so on. `growth=ends` takes these numbers for the ranks at
    which segments end, as ranx does.

    >>> from cranfield.fusing.lists import lists_of
    >>> segfuse(lists_of({"a": 1, "b": 0}, {"b": 1}), model=[np.array([0.5, 0.5]), np.array([0.25])])
    array([1., 1.])
    """
    return total(_at_ranks(model, arrays.ranks) * (1 + arrays.values))


@method(
    "slidefuse",
    cite="doi:10.1007/978-3-540-78646-7_33 (Lillis, Toolan, Collier & Dunnion, ECIR 2008)",
    aliases=("slide_fuse",),
    tools={"ranx": "slidefuse; w has no default there"},
    reads="ranks",
    missing=("absent",),
    weighted=False,
    train=lambda hits, relevant, window: pos_training(hits, relevant),
)
def slidefuse(arrays: FusionArrays, *, model: Sequence[Floats], window: Count = 5) -> Floats:
    r"""Sum of the mean probabilities of relevance around a document's ranks.

    .. math:: \sum_l \frac{1}{b - a + 1} \sum_{i=a}^{b} p_l(i)

    a and b are so many ranks before and after as the window says, within the list; p is that of PosFuse.

    >>> from cranfield.fusing.lists import lists_of
    >>> slidefuse(lists_of({"a": 2, "b": 1}), model=[np.array([1.0, 0.5])], window=1)
    array([0.75, 0.75])
    """
    means = []
    for own, length, learnt in zip(arrays.ranks, arrays.lengths.tolist(), model, strict=True):
        sums = np.concatenate([[0.0], np.cumsum(learnt), [learnt.sum()] * max(0, length - len(learnt))])
        first, last = np.maximum(own - window, 1), np.minimum(own + window, np.fmax(length, own))
        known = ~np.isnan(own)
        mean = np.full(len(own), np.nan)
        ends, starts = (np.minimum(at[known], len(sums) - 1).astype(np.int64) for at in (last, first - 1))
        mean[known] = (sums[ends] - sums[starts]) / (last[known] - first[known] + 1)
        means.append(mean)
    return total(np.array(means))


def _share(hits: Hits, start: int, end: int) -> float:
    """How much of some ranks is relevant, over all training queries: counted first, so that it is rounded once."""
    return int(sum(own[start:end].sum() for own in hits)) / ((end - start) * len(hits))


def _segment_ends(growth: str) -> tuple[int, ...]:
    numbers = [10 * 2 ** (k - 1) - 5 for k in range(1, 11)]
    return tuple(numbers) if growth == "ends" else tuple(np.cumsum(numbers).tolist())


def _at_ranks(model: Sequence[Floats], ranks: Floats) -> Floats:
    """What was learnt of each list at these ranks, from 1; deeper than anything seen 0, and NaN where there is none."""
    values = np.full(ranks.shape, np.nan)
    for row, own, learnt in zip(values, ranks, model, strict=True):
        known = ~np.isnan(own)
        places = own[known].astype(np.int64) - 1
        seen = places < len(learnt)
        row[known] = np.where(seen, learnt[np.where(seen, places, 0)] if len(learnt) else 0.0, 0.0)
    return values
