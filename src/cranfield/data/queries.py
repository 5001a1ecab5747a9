"""Queries: what is known of each besides its id, such as its text, its intent or how often it is asked."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import NamedTuple

from cranfield import errors
from cranfield.errors import DataError, Finding, Findings

Value = str | int | float | bool | None
"""What a column says of a query; None where it says nothing."""


class QueryRows(NamedTuple):
    """Some queries as they were read: parallel columns, with the line each came from."""

    lines: Sequence[int]
    ids: Sequence[str]
    texts: Sequence[str] | None
    columns: Mapping[str, Sequence[Value]]
    unit: str = "line"
    """What `lines` counts: lines of a text, rows of a table, entries of a dictionary."""


@dataclass(frozen=True, eq=False)
class Queries:
    """What is known of queries, by their ids.

    >>> from cranfield import read_queries
    >>> queries = read_queries([{"qid": "q1", "text": "why do tomatoes crack", "intent": "problem"}])
    >>> queries
    Queries(1 query: text, intent)
    >>> queries.text("q1"), queries.column("intent")
    ('why do tomatoes crack', {'q1': 'problem'})
    """

    ids: tuple[str, ...]
    texts: tuple[str, ...] | None = None
    """What each query says, if that is known."""
    columns: Mapping[str, tuple[Value, ...]] = field(default_factory=dict)
    """Whatever else is known, by name."""
    path: str | None = None
    warnings: tuple[Finding, ...] = ()
    ids_are_texts: bool = False
    """Whether nothing but texts was listed, so that each is known by what it says."""

    @classmethod
    def from_rows(
        cls, rows: Iterable[QueryRows], *, path: str | None = None, findings: Findings | None = None
    ) -> Queries:
        """Queries from columns as a reader gives them; each comes once."""
        found = Findings() if findings is None else findings
        first_lines: dict[str, int] = {}
        ids: list[str] = []
        texts: list[str] = []
        columns: dict[str, list[Value]] = {}
        has_texts = False
        for block in rows:
            for line, query in zip(block.lines, block.ids, strict=True):
                if query in first_lines:
                    found.add(errors.queries.query_twice(path, line, query, first_lines[query], unit=block.unit))
                first_lines.setdefault(query, line)
            for name in {**columns, **block.columns}:
                before = columns.setdefault(name, [None] * len(ids))
                before += block.columns.get(name, [None] * len(block.ids))
            ids += block.ids
            has_texts |= block.texts is not None
            texts += block.texts or [""] * len(block.ids)
        found.stop_if_wrong()
        if not ids:
            raise DataError([errors.files.nothing_read(path, "queries")])
        kept = {name: tuple(values) for name, values in columns.items()}
        return cls(tuple(ids), tuple(texts) if has_texts else None, kept, path, tuple(found.warnings))

    @property
    def names(self) -> list[str]:
        """The names of what is known besides ids."""
        return [*(["text"] if self.texts is not None else []), *self.columns]

    def text(self, query: str) -> str:
        """What a query says; nothing where that is not known."""
        return self.texts[self._position[query]] if self.texts is not None and query in self else ""

    def column(self, name: str) -> dict[str, Value]:
        """One column by query."""
        if name == "text" and self.texts is not None:
            return dict(zip(self.ids, self.texts, strict=True))
        if name not in self.columns:
            raise DataError([errors.files.unknown_column(self.path, name, self.names)])
        return dict(zip(self.ids, self.columns[name], strict=True))

    def __len__(self) -> int:
        return len(self.ids)

    def __iter__(self) -> Iterator[str]:
        return iter(self.ids)

    def __contains__(self, query: object) -> bool:
        return query in self._position

    def __repr__(self) -> str:
        count = "1 query" if len(self) == 1 else f"{len(self):,} queries"
        return f"Queries({count}: {', '.join(self.names) or 'ids only'})"

    @cached_property
    def _position(self) -> Mapping[str, int]:
        return {query: at for at, query in enumerate(self.ids)}
