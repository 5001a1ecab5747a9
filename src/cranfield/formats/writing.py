"""Everything that is written to files: which format a name asks for, texts, and judgments."""

from __future__ import annotations

import csv
import io
import os
import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path, PurePath
from typing import IO, Literal, NamedTuple, TypeVar

from cranfield import errors
from cranfield.data.judgments import Judgments
from cranfield.errors import CranfieldError, DataError, UsageError
from cranfield.formats.compression import compressed, without_compression
from cranfield.show.table import Cell, Table, guarded

Form = TypeVar("Form", bound=str)

ENDINGS: Mapping[str, str] = {
    **dict.fromkeys((".qrels", ".txt", ".trec", ".pool"), "trec"),
    **{f".{form}": form for form in ("csv", "tsv", "json", "jsonl", "parquet")},
    ".xlsx": "xlsx",
    ".md": "markdown",
    ".tex": "latex",
    **{f".{form}": form for form in ("svg", "pdf", "png")},
    **dict.fromkeys((".run", ".res"), "run"),
}
"""What is written to a file, by the end of its name."""

JUDGMENTS = ("trec", "csv", "tsv", "jsonl", "parquet")
"""How judgments are written."""
RUNS = ("run", "csv", "tsv", "jsonl", "parquet")
"""How runs are written; `run` is as TREC has them."""
IMAGES = ("svg", "pdf", "png")
"""How figures are written."""
COMPRESSED_ALREADY = (*IMAGES, "xlsx")
"""What is not compressed once more."""


def form_of(path: str | os.PathLike[str], forms: Collection[Form], what: str) -> Form:
    """What to write to a file whose name ends in whatever case; a name that does not tell it is wrong usage.

    >>> form_of("Judged.CSV", JUDGMENTS, "judgments"), form_of("judged.csv.gz", JUDGMENTS, "judgments")
    ('csv', 'csv')
    """
    name = os.fspath(path)
    plain = without_compression(name)
    ending = ENDINGS.get(PurePath(plain).suffix.lower())
    for form in forms:
        if form == ending and (plain == name or form not in COMPRESSED_ALREADY):
            return form
    raise UsageError(
        f"{name}: the name does not show the format to write {what} in.\n"
        f"Choose one that ends in {', '.join(ending for ending, form in ENDINGS.items() if form in set(forms))}."
    )


@contextmanager
def written(path: str | os.PathLike[str]) -> Iterator[None]:
    """Turn what writing a file may raise into a finding."""
    try:
        yield
    except CranfieldError:
        raise
    except (OSError, ValueError) as error:  # a name may hold what no name can
        reason = getattr(error, "strerror", None) or str(error)
        raise DataError([errors.results.unwritable(os.fspath(path), reason)]) from None


@contextmanager
def written_file(path: str | os.PathLike[str]) -> Iterator[IO[bytes]]:
    """A file to write to, compressed as the end of its name says.

    It has its name only once all is written. Until then a file that is there keeps its content: a full disk, or data
    that cannot be written, lose nothing.
    """
    with written(path):
        target = Path(path).resolve()
        beside = _name_beside(target)
        try:
            with (beside or target).open("wb") as raw, compressed(raw, target.name) as stream:
                yield stream
            if beside is not None:
                if target.is_file():
                    beside.chmod(target.stat().st_mode & 0o7777)
                beside.replace(target)
        finally:
            if beside is not None:
                beside.unlink(missing_ok=True)


def _name_beside(path: Path) -> Path | None:
    """Another name in the same folder; None where no other file can be made there, or none may take its place."""
    if path.exists() and not (path.is_file() and os.access(path, os.W_OK)):
        return None
    return path.with_name(f".{path.name[:100]}.{os.getpid()}.new") if os.access(path.parent, os.W_OK) else None


def write_text(path: str | os.PathLike[str], text: str, *, append: bool = False) -> None:
    """Write a text as UTF-8, whose lines end with LF on every system, as `written_file` does."""
    if not append:
        write_bytes(path, text.encode())
        return
    with written(path), Path(path).open("a", encoding="utf-8", newline="") as opened:
        opened.write(text)


def write_bytes(path: str | os.PathLike[str], content: bytes) -> None:
    """Write a file that is no text, as `write_text` does."""
    with written_file(path) as opened:
        opened.write(content)


def write_judgments(
    target: str | os.PathLike[str],
    judgments: Judgments | None,
    comments: Sequence[str],
    table: Table,
    form: str | None = None,
    judge: str = "0",
) -> None:
    """Judgments as TREC has them, with comments; or, by the ending of the path, a table with all its columns.

    Only a table can be written where there are no judgments. `judge` is for the second column of TREC.
    """
    form = form or form_of(target, JUDGMENTS, "judgments")
    if form == "parquet":
        _write_parquet(os.fspath(target), iter([table]))
    elif form in _TEXTS:
        write_text(target, _TEXTS[form](table))
    else:
        assert judgments is not None  # whoever has none says so
        write_text(target, trec(judgments, comments, judge))


def trec(judgments: Judgments, comments: Sequence[str] = (), judge: str = "0") -> str:
    """Judgments as lines of a TREC file, below comments; the second column names the judge where that is a model.

    >>> from cranfield import read_judgments
    >>> print(trec(read_judgments({"q1": {"d1": 2, "d2": 0.5}}), ["by hand"]), end="")
    # by hand
    q1 0 d1 2
    q1 0 d2 0.5
    """
    lines = [f"# {' '.join(comment.split())}" for comment in comments]
    second = "_".join(judge.split())
    for at, query in enumerate(judgments.queries):
        require_one_word("query", query)
        for row in range(int(judgments.starts[at]), int(judgments.starts[at + 1])):
            document, grade = judgments.documents[row], float(judgments.grades[row])
            require_one_word("document", document)
            lines.append(f"{query} {second} {document} {int(grade) if grade.is_integer() else repr(grade)}")
    return "\n".join(lines) + "\n"


class RankedDocuments(NamedTuple):
    """What one query got, best first."""

    query: str
    documents: Sequence[str]
    scores: Sequence[float]


def write_run(target: str | os.PathLike[str], rankings: Iterable[RankedDocuments], name: str) -> None:
    """A run as TREC has it; or, by the ending of the path, a table with query, document, rank and score.

    Rankings are written as they come, so that no run need be in memory.
    """
    form = form_of(target, RUNS, "a run")
    if form == "parquet":
        _write_parquet(os.fspath(target), _run_tables(rankings))
    elif form == "run":
        _write_texts(target, (trec_run([ranking], name) for ranking in rankings))
    else:
        texts = map(_TEXTS[form], _run_tables(rankings))
        _write_texts(target, texts if form == "jsonl" else _as_one_table(texts))


ROWS = 100_000
"""Rows of a run that are written at once, at least; a query is never cut."""


def _run_tables(rankings: Iterable[RankedDocuments]) -> Iterator[Table]:
    """The rows of a run, some queries at a time: one table at least, so that its columns have names."""
    columns: dict[str, list[Cell]] = {name: [] for name in ("query", "document", "rank", "score")}
    is_first = True
    for query, documents, scores in rankings:
        columns["query"] += [query] * len(documents)
        columns["document"] += documents
        columns["rank"] += range(1, len(documents) + 1)
        columns["score"] += map(float, scores)
        if len(columns["query"]) >= ROWS:
            yield Table(columns)
            columns, is_first = {name: [] for name in columns}, False
    if is_first or columns["query"]:
        yield Table(columns)


def _as_one_table(texts: Iterable[str]) -> Iterator[str]:
    """Delimited tables one after the other: only the first has the names of columns."""
    for at, text in enumerate(texts):
        yield text if at == 0 else text.partition("\n")[2]


def _write_texts(target: str | os.PathLike[str], texts: Iterable[str]) -> None:
    with written_file(target) as opened:
        opened.writelines(text.encode() for text in texts)


def trec_run(rankings: Iterable[RankedDocuments], name: str) -> str:
    """A run as lines of a TREC file.

    >>> print(trec_run([RankedDocuments("q1", ["d2", "d1"], [2.5, 1])], "my bm25"), end="")
    q1 Q0 d2 1 2.5 my_bm25
    q1 Q0 d1 2 1.0 my_bm25
    """
    tag = "_".join(name.split()) or "run"
    lines: list[str] = []
    for query, documents, scores in rankings:
        require_one_word("query", query)
        _require_words("document", documents)
        lines += [
            f"{query} Q0 {document} {rank} {float(score)!r} {tag}\n"
            for rank, (document, score) in enumerate(zip(documents, scores, strict=True), 1)
        ]
    return "".join(lines)


def _require_words(what: str, names: Sequence[str]) -> None:
    """Refuse ids of which one would be read as another one; whether all are plain is told at once."""
    joined = " ".join(names)
    if joined.count(" ") + 1 != len(names) or "" in names or not _PLAIN.fullmatch(joined):
        for name in names:
            require_one_word(what, name)


_PLAIN = re.compile(r"[!-~ ]*")
"""Signs that every reader takes for what they are."""


def require_one_word(what: str, name: str) -> None:
    """Refuse an id that would be read from a TREC file as another one."""
    # At the start of a file a reader takes them for a comment and for a byte order mark.
    begins_otherwise = what == "query" and name.startswith(("#", "\ufeff"))
    if begins_otherwise or len(name.encode().split()) != 1 or name.strip() != name:
        raise errors.labels.not_in_trec(None, what, name)


def _separated(delimiter: str) -> Callable[[Table], str]:
    # Not `Table.csv`: that drops digits. As there, no text in CSV can become a formula, and is read as it was.
    def cell(value: object) -> object:
        if not isinstance(value, str):
            return value
        if "\0" in value:
            raise errors.labels.not_in_text(value)
        return guarded(value) if delimiter == "," else value

    def text(table: Table) -> str:
        stream = io.StringIO()
        plain = table.to_dict()
        # Whoever reads a CR without quotes may take it for the end of a line.
        returns = any(isinstance(value, str) and "\r" in value for column in plain.values() for value in column)
        quoting: Literal[0, 2] = csv.QUOTE_NONNUMERIC if returns else csv.QUOTE_MINIMAL
        writer = csv.writer(stream, delimiter=delimiter, lineterminator="\n", quoting=quoting)
        writer.writerow(plain)
        writer.writerows(map(cell, row) for row in zip(*plain.values(), strict=True))
        return stream.getvalue()

    return text


def _write_parquet(target: str, tables: Iterator[Table]) -> None:
    try:
        from pyarrow import parquet
    except ImportError:
        raise DataError([errors.packages.missing_reader(target, "or writing Parquet", "pyarrow")]) from None
    with written_file(target) as stream:
        parts = (table.to_arrow() for table in tables)
        first = next(parts)
        with parquet.ParquetWriter(stream, first.schema) as opened:
            opened.write_table(first)
            for part in parts:
                opened.write_table(part)


_TEXTS: dict[str, Callable[[Table], str]] = {
    "csv": _separated(","),
    "tsv": _separated("\t"),
    "jsonl": lambda table: table.jsonl(),
}
