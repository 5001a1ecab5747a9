"""What is judged: pairs of query and document as arrays, and where runs have them. A million pairs fit in memory."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Literal, NamedTuple

import numpy as np
import numpy.typing as npt

from cranfield.arrays import Floats, Ints

Part = Literal["pool", "gold", "imported"]
PARTS: tuple[Part, ...] = ("pool", "gold", "imported")
"""To be judged; to be judged, though the right grade is known; graded before, so nobody is asked."""
POOL, GOLD, IMPORTED = range(3)
Small = npt.NDArray[np.int8]


class QueryText(NamedTuple):
    """What judges see of a query."""

    name: str
    text: str = ""
    description: str = ""


class DocumentText(NamedTuple):
    """What judges see of a document."""

    name: str
    title: str = ""
    text: str = ""
    url: str = ""


class RunPlaces(NamedTuple):
    """Of one query, where each run has its items."""

    items: tuple[Ints, ...]
    """By run the items it retrieved, best first."""
    ranks: tuple[Ints, ...]
    """Their ranks among all that the run retrieved."""
    retrieved: tuple[int, ...]


class RunArrays(NamedTuple):
    """Where one run has the items of all queries; those of one query stand together, best first."""

    name: str
    starts: Ints
    """Where the items of each query begin; one more entry marks the end."""
    items: Ints
    ranks: Ints
    retrieved: Ints
    """Documents that each query got."""


@dataclass(frozen=True, eq=False)
class Items:
    """Everything that is judged, query by query. Item numbers begin with 1: item i is at i - 1 of each array."""

    queries: tuple[str, ...]
    documents: tuple[str, ...]
    of_query: Ints
    """Of each item the position of its query; never falls."""
    of_document: Ints
    other: Ints | None
    """The second document, where two are compared."""
    part: Small
    """Positions in `PARTS`."""
    known: Floats
    """The right grade of gold, the grade of what was imported; NaN for all else."""
    places: tuple[RunArrays, ...] = ()

    def __len__(self) -> int:
        return len(self.of_query)

    @property
    def runs(self) -> tuple[str, ...]:
        """The names of the runs."""
        return tuple(run.name for run in self.places)

    @cached_property
    def starts(self) -> Ints:
        """Where the items of each query begin in the arrays; one more entry marks the end."""
        return np.searchsorted(self.of_query, np.arange(len(self.queries) + 1))

    def query_of(self, item: int) -> int:
        """The query of an item, by its position."""
        return int(self.of_query[item - 1])

    def of(self, query: int) -> range:
        """The items of a query."""
        return range(int(self.starts[query]) + 1, int(self.starts[query + 1]) + 1)

    def has(self, item: object) -> bool:
        """Whether there is such an item."""
        return isinstance(item, int) and not isinstance(item, bool) and 1 <= item <= len(self)

    def run_places(self, query: int) -> RunPlaces:
        """Where each run has the items of a query."""
        own = [slice(int(run.starts[query]), int(run.starts[query + 1])) for run in self.places]
        return RunPlaces(
            tuple(run.items[part] for run, part in zip(self.places, own, strict=True)),
            tuple(run.ranks[part] for run, part in zip(self.places, own, strict=True)),
            tuple(int(run.retrieved[query]) for run in self.places),
        )


class Contents(NamedTuple):
    """All that a new store is made of; texts of documents may be a stream, which is read once."""

    items: Items
    queries: Sequence[QueryText]
    """One for each query of the items, in their order."""
    documents: Iterable[DocumentText]
    """In any order; those that no item has are passed by, and a document without a text has its name alone."""


def require_sound(items: Items) -> None:
    """Refuse items that refer to nothing, or in another order than the arrays are for; ValueError where they do."""
    count, queries, documents = len(items), len(items.queries), len(items.documents)
    _require(all(isinstance(name, str) for name in (*items.queries, *items.documents, *items.runs)), "names")
    _require(_within(items.of_query, 0, queries) and _never_falls(items.of_query), "queries")
    _require(_within(items.of_document, 0, documents), "documents")
    _require(items.other is None or _within(items.other, 0, documents), "second documents")
    _require(not np.isinf(items.known).any(), "known grades")
    for run in items.places:
        _require(len(run.starts) == queries + 1 and len(run.retrieved) == queries, "runs")
        _require(run.starts[0] == 0 and run.starts[-1] == len(run.items) == len(run.ranks), "runs")
        _require(_never_falls(run.starts) and _within(run.items, 1, count + 1) and (run.ranks > 0).all(), "runs")


def _require(holds: bool | np.bool_, what: str) -> None:
    if not holds:
        raise ValueError(f"unexpected {what}")


def _within(numbers: Ints, least: int, end: int) -> bool:
    return not len(numbers) or (int(numbers.min()) >= least and int(numbers.max()) < end)


def _never_falls(numbers: Ints) -> np.bool_:
    return (numbers[1:] >= numbers[:-1]).all()
