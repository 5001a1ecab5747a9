"""Strategies that know before the first label what to judge first: each document has a weight, the largest first."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping

from cranfield.pooling.candidates import Candidates

RRF_K = 60
"""The constant of reciprocal rank fusion (Cormack, Clarke & Buettcher, SIGIR 2009)."""
PERSISTENCE = 0.8
"""How likely the user of rank-biased precision goes on to the next rank."""

Weights = Mapping[str, float]
"""Of one query, by document."""


def by_depth(candidates: Candidates, query: str) -> Weights:
    r"""Depth-k pooling, in the order of depth: the best rank that any run gives a document counts.

    .. math:: 1 / \min_s rank_s(d)

    >>> from cranfield.pooling.candidates import Candidates
    >>> by_depth(Candidates(("a", "b"), 2, {"q1": (("d1", "d2"), ("d2", "d3"))}), "q1")
    {'d1': 1.0, 'd2': 1.0, 'd3': 0.5}
    """
    return {document: 1 / rank for document, rank in sorted(candidates.best_ranks(query).items())}


def by_reciprocal_rank(candidates: Candidates, query: str) -> Weights:
    r"""Reciprocal rank fusion: every run that has a document adds to its weight.

    .. math:: \sum_s \frac{1}{60 + rank_s(d)}

    Cormack, Clarke & Buettcher, SIGIR 2009, doi:10.1145/1571941.1572114.

    >>> from cranfield.pooling.candidates import Candidates
    >>> weights = by_reciprocal_rank(Candidates(("a", "b"), 2, {"q1": (("d1", "d2"), ("d2", "d3"))}), "q1")
    >>> max(weights, key=weights.get), round(weights["d2"], 4)
    ('d2', 0.0325)
    """
    return _summed(candidates, query, lambda rank: 1 / (RRF_K + rank))


def by_rank_bias(candidates: Candidates, query: str, p: float = PERSISTENCE) -> Weights:
    r"""Weights of rank-biased precision: what a document could add to the scores of all runs together.

    .. math:: \sum_s (1 - p) p^{rank_s(d) - 1}

    Moffat, Webber & Zobel, SIGIR 2007, doi:10.1145/1277741.1277806, their method A.

    >>> from cranfield.pooling.candidates import Candidates
    >>> weights = by_rank_bias(Candidates(("a", "b"), 2, {"q1": (("d1", "d2"), ("d2", "d3"))}), "q1", p=0.5)
    >>> weights
    {'d1': 0.5, 'd2': 0.75, 'd3': 0.25}
    """
    return _summed(candidates, query, lambda rank: (1 - p) * p ** (rank - 1))


def _summed(candidates: Candidates, query: str, weight: Callable[[int], float]) -> Weights:
    # Rounded once, so that the sum does not depend on the order of the runs.
    return {
        document: math.fsum(weight(rank) for rank in ranks if rank is not None)
        for document, ranks in candidates.ranks(query).items()
    }
