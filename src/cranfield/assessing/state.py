"""What judges said so far, computed from events one after the other, and which items are in somebody's hands."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from cranfield.assessing.events import Current, Event, Judge
from cranfield.assessing.items import Items
from cranfield.assessing.project import Project


class State:
    """The sum of all events. It knows no clock and no file: the same events give the same state."""

    def __init__(self, project: Project, items: Items, judges: Sequence[Judge] = ()) -> None:
        raise NotImplementedError

    def apply(self, event: Event) -> None:
        """One more event."""
        raise NotImplementedError

    def current(self, item: int, judge: int) -> Current | None:
        """What a judge says of an item; nothing if they never said anything."""
        raise NotImplementedError

    def labels(self, item: int) -> list[tuple[int, float]]:
        """The judges who graded an item and their grades; people only, in the order of judges."""
        raise NotImplementedError

    def merged(self, item: int) -> float | None:
        """The grade an item counts with: what was decided on, else the lower median of people's labels, else known."""
        raise NotImplementedError

    def is_random(self, item: int) -> bool:
        """Whether an item was labelled because it was drawn by chance."""
        raise NotImplementedError


class Lease(NamedTuple):
    """An item in the hands of a judge."""

    item: int
    judge: int
    tab: str
    until: float
