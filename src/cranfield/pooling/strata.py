"""A stratified sample of a pool: documents near the top are judged more often than those further down."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from cranfield import errors
from cranfield.pooling.candidates import Candidates, rng_for


class Stratum(NamedTuple):
    """Documents whose best rank is above the last of the stratum before, down to this one's last."""

    last: int
    rate: float


class SampledDocument(NamedTuple):
    """A document of the pool, drawn or not."""

    query: str
    document: str
    stratum: int
    """From 1 on."""
    probability: float
    """How likely it was to be drawn: n of N documents of its stratum were."""
    drawn: bool


DEFAULT = (Stratum(10, 1.0), Stratum(50, 0.2), Stratum(100, 0.05))


def read_strata(given: str | Sequence[tuple[int, float]]) -> tuple[Stratum, ...]:
    """Strata as they are written, such as `10:1,50:0.2`, or as pairs of last rank and rate.

    >>> read_strata("10:1,50:0.2")
    (Stratum(last=10, rate=1.0), Stratum(last=50, rate=0.2))
    """
    try:
        pairs = [part.split(":") for part in given.split(",")] if isinstance(given, str) else list(given)
        strata = tuple(Stratum(int(last), float(rate)) for last, rate in pairs)
    except (TypeError, ValueError):
        raise errors.pooling.wrong_strata(given, "they cannot be read") from None
    lasts = [stratum.last for stratum in strata]
    if not strata or lasts[0] < 1 or lasts != sorted(set(lasts)):
        raise errors.pooling.wrong_strata(given, "last ranks begin at 1 and rise")
    if not all(0 < stratum.rate <= 1 for stratum in strata):
        raise errors.pooling.wrong_strata(given, "a share to judge is above 0 and at most 1")
    return strata


def sampled(candidates: Candidates, strata: Sequence[Stratum], seed: int) -> Iterator[SampledDocument]:
    """Every document of the pool with its stratum, its probability, and whether it was drawn.

    Of the N documents of a stratum n = rate · N are drawn without replacement, rounded to the nearest whole number and
    at least one: a stratum that nobody looks at could not be estimated. The probability is n / N.
    """
    for query in candidates.of:
        by_stratum = _by_stratum(candidates.best_ranks(query), strata)
        rng = rng_for(seed, query, "sample")
        for number, (stratum, documents) in enumerate(zip(strata, by_stratum, strict=True), 1):
            if not documents:
                continue
            count = drawn_of(len(documents), stratum.rate)
            chosen = set(rng.permutation(len(documents))[:count].tolist())
            for at, document in enumerate(documents):
                yield SampledDocument(query, document, number, count / len(documents), at in chosen)


def drawn_of(documents: int, rate: float) -> int:
    """How many documents of a stratum are judged.

    >>> drawn_of(40, 0.2), drawn_of(3, 0.05)
    (8, 1)
    """
    return min(documents, max(1, math.floor(rate * documents + 0.5)))


def _by_stratum(best: Mapping[str, int], strata: Sequence[Stratum]) -> list[list[str]]:
    documents: list[list[str]] = [[] for _ in strata]
    for document in sorted(best):
        documents[next(at for at, stratum in enumerate(strata) if best[document] <= stratum.last)].append(document)
    return documents


def stratum_sizes(sample: Iterable[SampledDocument]) -> dict[tuple[str, int], tuple[int, int]]:
    """Of every query and stratum, how many documents were drawn, and how many there are."""
    sizes: dict[tuple[str, int], tuple[int, int]] = {}
    for one in sample:
        drawn, count = sizes.get((one.query, one.stratum), (0, 0))
        sizes[one.query, one.stratum] = drawn + one.drawn, count + 1
    return sizes
