"""Tables → rows, whichever library holds them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from cranfield.data.judgments import JudgmentRows
from cranfield.errors import Findings
from cranfield.formats.columns import Columns, Kind
from cranfield.formats.grouping import RunRows
from cranfield.formats.values import Checked, Values


@dataclass(frozen=True)
class Table:
    """Named columns that can be read as often as needed, some rows at a time."""

    names: Sequence[str]
    batches: Callable[[Sequence[int]], Iterator[list[Sequence[object]]]]
    """For the columns at some positions, their values."""
    path: str | None = None


def judgment_rows(table: Table, columns: Columns, findings: Findings) -> Iterator[JudgmentRows]:
    """The judgments of a table."""
    for checked, values in _batches(table, columns, "judgments", findings):
        yield checked.judgments(values)


def run_rows(table: Table, columns: Columns, findings: Findings) -> Iterator[RunRows]:
    """The rows of a run in a table."""
    for checked, values in _batches(table, columns, "run", findings):
        yield checked.run(values)


def _batches(table: Table, columns: Columns, kind: Kind, findings: Findings) -> Iterator[tuple[Checked, Values]]:
    places = columns.places(table.names, kind, table.path)
    first = 1
    for batch in table.batches(list(places.values())):
        count = len(batch[0])
        if count:
            checked = Checked(range(first, first + count), "row", table.path, findings)
            yield checked, dict(zip(places, batch, strict=True))
        first += count
