"""What every picture can do: be a table, a sketch in the terminal, a figure."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any, TypedDict, Unpack

from cranfield.show.table import Table, finite
from cranfield.version import VERSION

if TYPE_CHECKING:
    from matplotlib.figure import Figure

WIDTH = 80


class Look(TypedDict, total=False):
    """How a figure looks, where that is not to be as usual."""

    size: tuple[float, float] | None
    """Width and height in inches."""
    title: str | None
    """A title of one's own; an empty one is none."""
    highlight: Sequence[str]
    """The runs that stand out where there are many; by default the best."""


class Picture(ABC):
    """Numbers that can be drawn; printing them shows a sketch, a notebook the figure."""

    kind: str
    notes: tuple[str, ...]
    """What the reader should know beside the numbers."""

    @abstractmethod
    def table(self) -> Table:
        """The numbers, a row for each point."""

    @abstractmethod
    def text(self, width: int = WIDTH) -> str:
        """A sketch for a terminal of some width, with no library but this one."""

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
        }

    def __str__(self) -> str:
        return self.text()

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.kind})"

    def _repr_html_(self) -> str:
        if find_spec("matplotlib") is None:
            return self.table().html()
        from cranfield.figures.plots import html

        return html(self.plot())
