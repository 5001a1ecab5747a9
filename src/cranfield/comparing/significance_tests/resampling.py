"""Random signs and random samples of queries, the same for everyone with the same seed.

They come in blocks, so that a hundred thousand of them need no memory to speak of; the numbers do not depend on how
many fit into a block, nor on how many systems or measures are resampled with them.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from cranfield.arguments import Rng, as_seed
from cranfield.arrays import Floats

CELLS, ROWS = 1 << 19, 1 << 11
"""A block's numbers, and its rows, at most: what is made of it then stays in the processor's cache."""


def random_signs(queries: int, patterns: int, rng: Rng) -> Iterator[Floats]:
    """Patterns of signs, -1 or 1, equally likely, for each query: blocks with a row per pattern.

    >>> next(random_signs(queries=4, patterns=2, rng=0))
    array([[ 1.,  1.,  1.,  1.],
           [ 1., -1., -1., -1.]])
    """
    generator = np.random.default_rng(as_seed(rng))
    words = -(-queries // 64)
    for rows in _blocks(patterns, queries):
        # Whole words for every pattern: the next pattern begins at the same place, whatever the block.
        bits = generator.integers(0, 1 << 64, size=(rows, words), dtype=np.uint64).astype("<u8", copy=False)
        signs = np.unpackbits(bits.view(np.uint8), axis=1, count=queries, bitorder="little").astype(np.float64)
        signs *= 2
        signs -= 1
        yield signs


def all_signs(queries: int) -> Iterator[Floats]:
    """Every pattern of signs once, blocks with a row per pattern.

    >>> next(all_signs(queries=2))
    array([[-1., -1.],
           [ 1., -1.],
           [-1.,  1.],
           [ 1.,  1.]])
    """
    begin = 0
    for rows in _blocks(1 << queries, queries):
        numbers = np.arange(begin, begin + rows, dtype=np.int64)
        yield np.where(numbers[:, None] >> np.arange(queries) & 1, 1.0, -1.0)
        begin += rows


def random_samples(queries: int, samples: int, rng: Rng) -> Iterator[Floats]:
    """Samples of as many queries as there are, with replacement: blocks with how often each query is in each sample.

    A sample's mean is then a product: `counts @ scores / queries`.

    >>> next(random_samples(queries=4, samples=2, rng=0))
    array([[0., 1., 2., 1.],
           [3., 1., 0., 0.]])
    """
    generator = np.random.default_rng(as_seed(rng))
    for rows in _blocks(samples, queries):
        drawn = generator.integers(0, queries, size=(rows, queries), dtype=np.int64)
        drawn += queries * np.arange(rows)[:, None]
        counts = np.bincount(drawn.ravel(), minlength=rows * queries)
        yield counts.reshape(rows, queries).astype(np.float64)


def _blocks(wanted: int, width: int) -> Iterator[int]:
    """How many rows each block has."""
    most = min(max(1, CELLS // max(width, 1)), ROWS)
    for begin in range(0, wanted, most):
        yield min(most, wanted - begin)
