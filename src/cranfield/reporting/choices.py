"""What a page is asked to show."""

from __future__ import annotations

from dataclasses import dataclass

from cranfield.arguments import require_not_negative
from cranfield.errors import UsageError
from cranfield.phrases import option, spoken

DEPTH = 20
"""Documents of each list, unless they take too much room."""
DEEPEST = 1000
"""No list is longer than this."""
MEGABYTES = 1.0
"""Size of the page up to which lists are as long as was asked for, texts of documents aside."""


@dataclass(frozen=True)
class PageChoices:
    """What a page shows: the keywords of `report`, and the options of its command."""

    baseline: tuple[str, ...] = ()
    all_pairs: bool = False
    queries: object = None
    """Whatever `read_queries` reads."""
    by: tuple[str, ...] = ()
    documents: object = None
    """Whatever `read_documents` reads."""
    depth_shown: int = DEPTH
    max_megabytes: float = MEGABYTES
    sensitivity: bool | None = None
    title: str | None = None
    note: str | None = None
    """Plain text; an empty line begins a paragraph."""
    author: str | None = None
    date: str | None = None
    """As it is to be read; without it the page has none, so that it is the same each time."""

    def __post_init__(self) -> None:
        if self.by and self.queries is None:
            needed = spoken(command="--queries FILE", python="queries=")
            raise UsageError(f"{option('by', self.by[0])} needs {needed}.")
        depth = self.depth_shown
        if isinstance(depth, bool) or depth != int(depth) or not 0 <= depth <= DEEPEST:
            raise UsageError(f"depth_shown must be a whole number from 0 to {DEEPEST:,}, not {depth!r}.")
        if require_not_negative(self.max_megabytes, "max_megabytes") == 0:
            raise UsageError("max_megabytes must be above 0.")

    @property
    def size(self) -> int:
        """The size of the page in characters."""
        return int(self.max_megabytes * 1_000_000)
