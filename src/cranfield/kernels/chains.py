"""Sums of what people who read from the top are expected to have done, by compiled loops."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import numpy as np

from cranfield.arrays import Floats
from cranfield.data.click_log import ImpressionBlock, summed
from cranfield.kernels.compiled import ChainChunk

Sums = tuple[Floats, Floats]
"""Successes and trials."""


class ChainSums:
    """Sums for the parameters of DBN or CCM over all impressions, the same to the last bit as those of plain loops."""

    def __init__(self, chunks: Iterable[ImpressionBlock], pairs: int, *, has_satisfaction: bool) -> None:
        self._has_satisfaction = has_satisfaction
        self._parts: list[tuple[ChainChunk, Floats]] = []
        self._clicks, self._followed = np.zeros(pairs), np.zeros(pairs)
        rooms: dict[tuple[int, int], Floats] = {}
        for chunk in chunks:
            shape = chunk.depth + 1, chunk.count
            loops = ChainChunk(
                chunk.pair,
                chunk.click.view(np.uint8),
                chunk.shown.view(np.uint8),
                chunk.last.astype(np.int32),
                chunk.weight,
                pairs,
            )
            self._parts.append((loops, rooms.setdefault(shape, np.empty(shape))))
            # These do not depend on parameters.
            self._clicks += summed(chunk.pair, chunk.click * chunk.weight, pairs)
            self._followed += summed(chunk.pair[:-1], (chunk.click[:-1] & chunk.shown[1:]) * chunk.weight, pairs)

    def totals(self, names: Sequence[str], values: Sequence[Floats]) -> Mapping[str, Sums] | None:
        """Expected successes and trials of each parameter; None where only plain loops can say."""
        attraction, *others = values
        satisfaction = others.pop(0) if self._has_satisfaction else None
        goes_on = tuple(float(value[0]) for value in others)
        looks, clicks, in_all = np.zeros(len(attraction)), np.zeros(len(attraction)), np.zeros(2 * len(goes_on))
        for loops, room in self._parts:
            # Each part is summed up by itself before it is added.
            own = np.zeros(len(attraction)), np.zeros(len(attraction))
            sums = loops.sums(attraction, satisfaction, goes_on, room, *own)
            if sums is None:
                return None
            looks += own[0]
            clicks += own[1]
            in_all += sums
        of_pairs = [(clicks, looks)] if satisfaction is None else [(self._clicks, looks), (clicks, self._followed)]
        of_all = [(in_all[at : at + 1], in_all[at + 1 : at + 2]) for at in range(0, len(in_all), 2)]
        return dict(zip(names, [*of_pairs, *of_all], strict=True))
