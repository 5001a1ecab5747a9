"""Lists to fuse: drawn at random, and as plain dictionaries."""

import numpy as np

from cranfield.fusing.lists import QueryLists, ranked_list


def query_lists(*lists):
    """The lists of one query from dictionaries of scores."""
    places = {}
    ranked = tuple(ranked_list([*scores], np.array([*scores.values()], dtype=float), places) for scores in lists)
    return QueryLists([*places], ranked, "q1")


def fused(fusion, *lists):
    """The fused scores by document."""
    together = query_lists(*lists)
    return dict(zip(together.documents, fusion.scores(together).tolist(), strict=True))


def random_lists(seed, lists=3, candidates=12, *, tied=False):
    """Lists of different lengths over some of the same documents."""
    rng = np.random.default_rng(seed)
    drawn = []
    for _ in range(lists):
        length = int(rng.integers(1, candidates + 1))
        scores = rng.integers(1, 6, length) / 2 if tied else rng.uniform(0.1, 9, length)
        documents = rng.choice(candidates, length, replace=False)
        drawn.append({f"d{document:02}": float(score) for document, score in zip(documents, scores, strict=True)})
    return drawn
