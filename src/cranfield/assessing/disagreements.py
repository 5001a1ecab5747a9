"""What judges differ about, in the order of what it could change; not before everybody has judged."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, replace
from itertools import pairwise
from statistics import median_low
from typing import Any, Protocol

from cranfield.assessing.quality import labels_now
from cranfield.assessing.service import Service


class EffectOfGrades(Protocol):
    """Whatever can tell how far a comparison moves with a grade."""

    def moves(self, grades: Mapping[int, tuple[float, float]]) -> dict[int, float]:
        """By item, how far the mean difference of any two runs moves between two grades."""


@dataclass(frozen=True)
class GivenGrade:
    """What one judge said; whose it is, a page shows only when asked."""

    judge: int
    name: str
    grade: float
    note: str


@dataclass(frozen=True)
class Dispute:
    """A document about which judges differ."""

    item: int
    query: str
    document: str
    grades: tuple[GivenGrade, ...]
    spread: float
    """The highest grade less the lowest."""
    moves: float
    """How far the comparison moves between the lowest and the highest of these grades."""
    is_near: bool
    """Whether the grades are next to each other on the scale."""
    proposal: float
    """What counts until somebody decides: the lower median."""
    decided: float | None
    """The grade that was decided on."""

    @property
    def ends(self) -> tuple[float, float]:
        """The lowest and the highest grade."""
        grades = [given.grade for given in self.grades]
        return min(grades), max(grades)

    def to_dict(self) -> dict[str, Any]:
        """Everything as plain values."""
        return asdict(self)


def disputes(service: Service, effect: EffectOfGrades | None = None, *, decided: bool = False) -> list[Dispute]:
    """Documents whose labels are all there, and differ: those first that could change the comparison most.

    Of those that change nothing, the ones whose grades are furthest apart come first. Documents on which somebody has
    decided are left out, or are all there is.
    """
    chosen = [one for one in _all(service) if (one.decided is not None) == decided]
    moves = {} if effect is None else effect.moves({one.item: one.ends for one in chosen})
    moved = [replace(one, moves=moves.get(one.item, 0.0)) for one in chosen]
    return sorted(moved, key=lambda one: (-one.moves, -one.spread, one.item))


def _all(service: Service) -> Iterator[Dispute]:
    state, items, wanted = service.state, service.items, service.assignment.wanted
    neighbours = set(pairwise(service.project.scale))
    for item, labels in labels_now(service, ("person",)).items():
        grades = [grade for _, grade in labels]
        if len(labels) < wanted[item] or len(set(grades)) == 1:
            continue
        manager = state.adjudicated.get(item)
        yield Dispute(
            item=item,
            query=items.queries[items.query_of(item)],
            document=items.documents[int(items.of_document[item - 1])],
            grades=tuple(
                GivenGrade(judge, state.by_judge[judge].judge.name, grade, state.by_judge[judge].notes.get(item, ""))
                for judge, grade in labels
            ),
            spread=max(grades) - min(grades),
            moves=0.0,
            is_near=(min(grades), max(grades)) in neighbours,
            proposal=median_low(grades),
            decided=None if manager is None else state.by_judge[manager].said[item].grade,
        )
