"""What every picture can do: be a table, a sketch in the terminal, a figure."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import is_dataclass, replace
from importlib.util import find_spec
from shutil import get_terminal_size
from typing import TYPE_CHECKING, Any, Self, TypedDict, Unpack

from cranfield.errors import Finding
from cranfield.show.answer import Answer
from cranfield.show.table import PLACES, Table, finite, wrapped
from cranfield.version import VERSION

if TYPE_CHECKING:
    from matplotlib.figure import Figure

WIDTH = 80
WIDEST = 1_000
"""A wider terminal is none: nobody looks at a screen."""


class Look(TypedDict, total=False):
    """How a figure looks, where that is not to be as usual."""

    size: tuple[float, float] | None
    """Width and height in inches."""
    title: str | None
    """A title of one's own; an empty one is none."""
    highlight: Sequence[str]
    """The runs that stand out where there are many; by default the best."""


class Picture(Answer):
    """Numbers that can be drawn; printing them shows a sketch, a notebook the figure."""

    kind: str
    notes: tuple[str, ...]
    """What the reader should know besides the numbers."""

    @abstractmethod
    def table(self) -> Table:
        """The numbers, a row for each point."""

    @abstractmethod
    def sketch(self, width: int = WIDTH) -> str:
        """A drawing for a terminal of some width, with no library but this one."""

    @property
    def with_queries(self) -> bool:
        """Whether a sketch shows less than the table, which then stands below it."""
        return False

    def with_warnings(self, warnings: tuple[Finding, ...]) -> Self:
        """The same with what is surprising about its data."""
        fields: dict[str, Any] = {"warnings": warnings}
        return replace(self, **fields) if is_dataclass(self) else self

    def rows(self) -> Table:
        """The numbers, a row for each point."""
        return self.table()

    def text(self, places: int = PLACES, *, color: bool = False, width: int | None = None) -> str:
        """A sketch for a terminal, with every query the numbers too, and warnings."""
        room = WIDTH if width is None else get_terminal_size((WIDTH, 24)).columns if width > WIDEST else width
        numbers = [self.table().text(places, color=color, width=width)] if self.with_queries else []
        warnings = [wrapped(f"warning: {warning}") for warning in self.warnings]
        return "\n\n".join([self.sketch(room), *numbers, *warnings])

    def plot(self, **look: Unpack[Look]) -> Figure:
        """A figure. It needs matplotlib, and belongs to no window: `savefig` writes it, a notebook shows it."""
        from cranfield.figures.plots import plot

        return plot(self, **look)

    def to_dict(self) -> dict[str, Any]:
        """Everything as plain values: the object that `cranfield curve --format json` prints."""
        columns = self.table().to_dict()
        rows = zip(*columns.values(), strict=True)
        return {
            "cranfield": VERSION,
            "kind": self.kind,
            "rows": [dict(zip(columns, map(finite, row), strict=True)) for row in rows],
            "notes": list(self.notes),
            "warnings": [str(warning) for warning in self.warnings],
        }

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.kind})"

    def _repr_html_(self) -> str:
        if find_spec("matplotlib") is None:
            return self.table().html()
        from cranfield.figures.plots import html

        return html(self.plot())
