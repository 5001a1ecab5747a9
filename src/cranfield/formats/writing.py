"""Judgments written to files, with what there is to say about them."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Sequence
from pathlib import Path

from cranfield import errors
from cranfield.errors import DataError
from cranfield.judgments import Judgments
from cranfield.table import Table


def write_judgments(target: str, judgments: Judgments, comments: Sequence[str], table: Table) -> None:
    """Judgments as TREC has them, with comments; or, by the ending of the path, a table with all its columns."""
    suffix = Path(target).suffix.lower()
    try:
        if suffix == ".parquet":
            _write_parquet(target, table)
        else:
            content = _TEXTS[suffix](table) if suffix in _TEXTS else trec(judgments, comments)
            Path(target).write_text(content, encoding="utf-8", newline="")
    except OSError as error:
        raise DataError([errors.unwritable(target, error.strerror or str(error))]) from None


def trec(judgments: Judgments, comments: Sequence[str] = ()) -> str:
    """Judgments as lines of a TREC file, below comments.

    >>> from cranfield import read_judgments
    >>> print(trec(read_judgments({"q1": {"d1": 2, "d2": 0.5}}), ["by hand"]), end="")
    # by hand
    q1 0 d1 2
    q1 0 d2 0.5
    """
    lines = [f"# {comment}" for comment in comments]
    for at, query in enumerate(judgments.queries):
        _must_be_one_word("query", query)
        for row in range(int(judgments.starts[at]), int(judgments.starts[at + 1])):
            document, grade = judgments.documents[row], float(judgments.grades[row])
            _must_be_one_word("document", document)
            lines.append(f"{query} 0 {document} {int(grade) if grade.is_integer() else repr(grade)}")
    return "\n".join(lines) + "\n"


def _must_be_one_word(what: str, name: str) -> None:
    # At the start of a file a reader takes them for a comment and for a byte order mark.
    begins_otherwise = what == "query" and name.startswith(("#", "\ufeff"))
    if begins_otherwise or len(name.encode().split()) != 1 or name.strip() != name:
        raise errors.not_in_trec(None, what, name)


def _separated(delimiter: str) -> Callable[[Table], str]:
    # Not `Table.csv`: that is for people with a spreadsheet, and drops digits.
    def text(table: Table) -> str:
        stream = io.StringIO()
        writer = csv.writer(stream, delimiter=delimiter, lineterminator="\n")
        writer.writerow(table.columns)
        writer.writerows(table.rows)
        return stream.getvalue()

    return text


def _write_parquet(target: str, table: Table) -> None:
    try:
        from pyarrow import parquet
    except ImportError:
        raise DataError([errors.missing_package(target, "pyarrow", "arrow", "or writing Parquet")]) from None
    parquet.write_table(table.to_arrow(), target)


_TEXTS: dict[str, Callable[[Table], str]] = {
    ".csv": _separated(","),
    ".tsv": _separated("\t"),
    ".jsonl": lambda table: table.jsonl(),
}
