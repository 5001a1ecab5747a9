"""What is written to a file, by the end of its name: one table, which commands show without loading NumPy."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Literal, get_args

TableForm = Literal["csv", "tsv", "jsonl", "json", "parquet", "arrow", "xlsx"]
TABLES: tuple[TableForm, ...] = get_args(TableForm)
"""How tables are written."""

ENDINGS: Mapping[str, str] = {
    **dict.fromkeys((".qrels", ".txt", ".trec", ".pool"), "trec"),
    **{f".{form}": form for form in TABLES},
    ".feather": "arrow",
    **dict.fromkeys((".svmlight", ".libsvm", ".letor"), "svmlight"),
    ".md": "markdown",
    ".tex": "latex",
    **{f".{form}": form for form in ("svg", "pdf", "png")},
    **dict.fromkeys((".run", ".res"), "run"),
}
"""What is written to a file, by the end of its name."""

RUNS = ("run", *TABLES)
"""How runs are written; `run` is as TREC has them."""
JUDGMENTS = ("trec", "csv", "tsv", "jsonl", "parquet", "arrow", "xlsx")
"""How judgments are written."""
SHEETS = ("csv", "tsv", "xlsx", "jsonl")
"""How sheets that people fill in are written."""
IMAGES = ("svg", "pdf", "png")
"""How figures are written."""


def endings_of(forms: Collection[str]) -> list[str]:
    """The endings of names that ask for one of some forms.

    >>> endings_of(("run", "csv", "arrow"))
    ['.csv', '.arrow', '.feather', '.run', '.res']
    """
    return [ending for ending, form in ENDINGS.items() if form in forms]
