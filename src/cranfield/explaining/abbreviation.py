"""Long lists made short: stretches in which nothing happens become one line."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Generic, TypeVar

Item = TypeVar("Item")

ROWS = 24
"""Lines of a table by default: with what stands around it, it fits a screen."""
FEWEST = 3
"""Lines that a list keeps however few are asked for: the first, what is left out, the last."""
SHORT = 5
"""A stretch shorter than this is shown: a line that stands for it would save next to nothing."""


@dataclass(frozen=True)
class Gap(Generic[Item]):
    """What is left out between two lines."""

    items: tuple[Item, ...]


def abbreviated(items: Sequence[Item], matters: Callable[[Item], bool], limit: int | None) -> list[Item | Gap[Item]]:
    """At most `limit` lines: what matters stays longest, and of that the first lines and the last.

    >>> abbreviated([1, 0, 0, 0, 0, 0, 1], bool, 4)
    [1, Gap(items=(0, 0, 0, 0, 0)), 1]
    """
    if limit is None or len(items) <= limit:
        return list(items)
    lines: list[Item | Gap[Item]] = []
    for shown, stretch in groupby(items, matters):
        together = tuple(stretch)
        lines.extend(together if shown or len(together) < SHORT else [Gap(together)])
    limit = max(limit, FEWEST)
    if len(lines) > limit:
        folded = [line if isinstance(line, Gap) else Gap((line,)) for line in lines[limit - 2 : -1]]
        lines = _merged([*lines[: limit - 2], *folded, lines[-1]])
    return lines


def _merged(lines: Iterable[Item | Gap[Item]]) -> list[Item | Gap[Item]]:
    """Gaps that follow each other become one."""
    merged: list[Item | Gap[Item]] = []
    for line in lines:
        before = merged[-1] if merged else None
        if isinstance(line, Gap) and isinstance(before, Gap):
            merged[-1] = Gap(before.items + line.items)
        else:
            merged.append(line)
    return merged
