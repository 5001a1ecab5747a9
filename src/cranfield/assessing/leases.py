"""Items in somebody's hands: reserved for a tab of a judge for some minutes, by a clock that only goes forward."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

import numpy as np

from cranfield.assessing.state import Counts

MINUTES = 10.0
MOST = 3
"""Items that a tab holds: the one shown, and two read ahead."""


@dataclass
class Tab:
    """An open page of a judge, and what it holds."""

    until: float
    items: list[int] = field(default_factory=list)


class Leases:
    """Who holds which items. Nothing of it is stored: to lose it costs a label too many at worst."""

    def __init__(self, items: int, seconds: float = 60 * MINUTES) -> None:
        self.seconds = seconds
        self.tabs: dict[tuple[int, str], Tab] = {}
        self.counts: Counts = np.zeros(items + 1, dtype=np.int16)
        """By item, how many hold it."""

    def held(self, judge: int, tab: str) -> list[int]:
        """What a tab holds, in the order it was handed out."""
        known = self.tabs.get((judge, tab))
        return [] if known is None else list(known.items)

    def held_by(self, judge: int) -> list[int]:
        """What all tabs of a judge hold."""
        return [item for (number, _), tab in self.tabs.items() if number == judge for item in tab.items]

    def judges(self) -> set[int]:
        """Who has a tab open."""
        return {judge for judge, _ in self.tabs}

    def take(self, judge: int, tab: str, items: Iterable[int], now: float) -> None:
        """Reserve items for a tab."""
        own = self.tabs.setdefault((judge, tab), Tab(now + self.seconds))
        own.until = now + self.seconds
        for item in items:
            if item not in own.items:
                own.items.append(item)
                self.counts[item] += 1

    def take_over(self, judge: int, tab: str, now: float) -> None:
        """Reserve for a tab what another one of the same judge holds, the one that was not heard of for longest."""
        others = [name for number, name in self.tabs if number == judge and name != tab]
        others = [name for name in others if self.tabs[judge, name].items]
        if others:
            silent = min(others, key=lambda name: self.tabs[judge, name].until)
            items = self.held(judge, silent)[:MOST]
            for item in items:
                self.free(judge, item)
            self.take(judge, tab, items, now)

    def renew(self, judge: int, tab: str, now: float) -> None:
        """The tab is still open."""
        if (judge, tab) in self.tabs:
            self.tabs[judge, tab].until = now + self.seconds

    def free(self, judge: int, item: int) -> None:
        """A judge has dealt with an item, in whatever tab."""
        for (number, _), tab in self.tabs.items():
            if number == judge and item in tab.items:
                tab.items.remove(item)
                self.counts[item] -= 1

    def release(self, judge: int, tab: str) -> None:
        """The tab was closed."""
        gone = self.tabs.pop((judge, tab), None)
        for item in gone.items if gone else ():
            self.counts[item] -= 1

    def expire(self, now: float) -> None:
        """Tabs that nobody has heard of for too long hold nothing any more."""
        for judge, tab in [key for key, held in self.tabs.items() if held.until <= now]:
            self.release(judge, tab)
