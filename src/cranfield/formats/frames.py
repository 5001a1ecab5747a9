"""Data frames of pandas and polars where pyarrow is not installed."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from cranfield.formats.tables import Table


def is_frame(given: Any) -> bool:
    """Whether an object has named columns that become lists, as those of pandas and polars do."""
    names: Any = getattr(given, "columns", ())
    return hasattr(given, "shape") and len(names) > 0 and hasattr(given[names[0]], "to_list")


def frame_table(frame: Any) -> Table:
    """A data frame, column by column."""
    names = list(frame.columns)

    def batches(positions: Sequence[int]) -> Iterator[list[Sequence[object]]]:
        yield [frame[names[at]].to_list() for at in positions]

    return Table([str(name) for name in names], batches)
