"""Named columns with the line that each row comes from: what is read, whatever held it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Any, NamedTuple

from cranfield.data.judgments import JudgmentRows
from cranfield.errors import Findings
from cranfield.formats.columns import Columns, require_distinct
from cranfield.formats.grouping import RunRows
from cranfield.formats.values import Checked


class Rows(NamedTuple):
    """Some rows as columns by name, and where each row stands."""

    lines: Sequence[int]
    columns: Mapping[str, Sequence[Any]]
    unit: str = "line"
    """What `lines` counts: lines of a text, rows of a table, entries of a dictionary."""
    path: str | None = None

    @property
    def names(self) -> list[str]:
        """The names of the columns."""
        return list(self.columns)

    @property
    def values(self) -> list[Sequence[Any]]:
        """The columns in the order of their names."""
        return list(self.columns.values())

    def checked(self, findings: Findings) -> Checked:
        """What turns values of these rows into ids and numbers."""
        return Checked(self.lines, self.unit, self.path, findings)


def whole(batches: Iterable[Rows]) -> Rows | None:
    """All rows together, also those without some of the columns; nothing where there are none."""
    parts = [batch for batch in batches if len(batch.lines)]
    if len(parts) < 2:
        return parts[0] if parts else None
    names = dict.fromkeys(chain.from_iterable(part.columns for part in parts))
    columns = {
        name: list(chain.from_iterable(part.columns.get(name, [None] * len(part.lines)) for part in parts))
        for name in names
    }
    return parts[0]._replace(lines=list(chain.from_iterable(part.lines for part in parts)), columns=columns)


@dataclass(frozen=True)
class ColumnTable:
    """Named columns that can be read as often as needed, some rows at a time."""

    names: Sequence[str]
    batches: Callable[[Sequence[int]], Iterator[list[Sequence[object]]]]
    """For the columns at some positions, their values."""
    path: str | None = None

    def rows(self, places: Mapping[str, int] | None = None) -> Iterator[Rows]:
        """The rows, with the columns at some places under the names these have there; else with all columns."""
        if places is None:
            names = list(map(str, self.names))
            require_distinct(names, self.path)
            places = {name: at for at, name in enumerate(names)}
        first = 1
        for batch in self.batches(list(places.values())):
            count = len(batch[0]) if batch else 0
            if count:
                yield Rows(range(first, first + count), dict(zip(places, batch, strict=True)), "row", self.path)
            first += count


def judgment_rows(table: ColumnTable, columns: Columns, findings: Findings) -> Iterator[JudgmentRows]:
    """The judgments of a table."""
    for rows in table.rows(columns.places(table.names, "judgments", table.path)):
        yield rows.checked(findings).judgments(rows.columns)


def run_rows(table: ColumnTable, columns: Columns, findings: Findings) -> Iterator[RunRows]:
    """The rows of a run in a table."""
    for rows in table.rows(columns.places(table.names, "run", table.path)):
        yield rows.checked(findings).run(rows.columns)
