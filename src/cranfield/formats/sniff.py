"""What a file is, told from its first bytes."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from cranfield import errors
from cranfield.errors import DataError
from cranfield.formats.columns import Columns, Kind, kind_of_header
from cranfield.formats.delimited_rows import header_of
from cranfield.formats.delimited_text import delimiter_of
from cranfield.formats.msmarco import looks_ranked
from cranfield.formats.source import HEAD, Source, must_be_text
from cranfield.formats.tokens import is_score

SVMLIGHT = "an SVMlight file (label qid:… features)"


class Sniffed(NamedTuple):
    """The format of a file, and whether it holds judgments or a run where that can be told."""

    format: str
    kind: Kind | None = None


def sniff(source: Source, columns: Columns, wanted: Kind | None = None) -> Sniffed:
    """The format of a file; what is wanted from it decides where it could be several."""
    form = container(source)
    return Sniffed(form) if form != "text" else _text_format(source, columns, wanted)


def container(source: Source) -> str:
    """What a file is made of, whatever it holds: `parquet`, `arrow`, `json`, `jsonl` or `text`."""
    head = source.head
    if head.startswith(b"PAR1"):
        return "parquet"
    if head.startswith((b"ARROW1", b"\xff\xff\xff\xff")):
        return "arrow"
    must_be_text(source)
    return _json_format(head) if head.lstrip()[:1] in (b"{", b"[") else "text"


def _json_format(head: bytes) -> str:
    """One value in the whole file, or one record a line."""
    import json

    lines = [line for line in head.split(b"\n") if line.strip()]
    if len(lines) > 1 and lines[0].startswith(b"{") and lines[1].startswith(b"{"):
        return "jsonl"
    try:
        first = json.loads(lines[0])
    except (ValueError, RecursionError):
        return "json"  # the value goes on after the first line, or after the head
    if not isinstance(first, dict):
        return "json"
    nested = all(isinstance(value, dict | list) for value in first.values())
    return "json" if len(lines) == 1 and nested else "jsonl"


def _text_format(source: Source, columns: Columns, wanted: Kind | None) -> Sniffed:
    line = next(_lines(source.head), None)
    if line is None:
        if len(source.head) == HEAD:
            return Sniffed("trec")  # a long comment; what follows it is read, or explained, as TREC
        raise DataError([errors.files.nothing_read(source.path, wanted or "rows")])
    text, fields = line.decode(errors="replace").rstrip("\r"), line.split()
    header = header_of(text)
    if header is not None:
        return Sniffed(_delimited_format(text), kind_of_header(header))
    if len(fields) > 1 and fields[1].startswith(b"qid:"):
        raise DataError([errors.files.unsupported_format(source.path, SVMLIGHT, "Write it as query, document, grade.")])
    if columns.names or _is_delimited(text, fields, len(columns.positions)):
        return Sniffed(_delimited_format(text))
    if len(fields) == 3 and not columns:
        return _three_columns(source, wanted)
    is_judgments = len(fields) == 4 or (len(fields) == 5 and columns.groups in ("preference", "stratum"))
    return Sniffed("trec", "judgments" if is_judgments else "run")


def _is_delimited(text: str, fields: list[bytes], count: int) -> bool:
    """Whether a line without a header is split at tabs, commas or semicolons rather than at blanks."""
    delimiter = delimiter_of(text)
    parts = text.split(delimiter) if delimiter else []
    if count:
        return len(parts) == count
    if delimiter == "\t":  # a query in words; the fields of other files hold no blanks
        return len(parts) == 3 and len(parts[0].split()) > 1 and all(len(p.split()) == 1 for p in parts[1:])
    return len(parts) >= 3 and not _is_trec(fields)


def _is_trec(fields: list[bytes]) -> bool:
    value = {3: 2, 4: 3}.get(len(fields), 4)
    return len(fields) > value and is_score(fields[value])


def _three_columns(source: Source, wanted: Kind | None) -> Sniffed:
    rows = [fields for fields in map(bytes.split, _lines(source.head)) if len(fields) == 3]
    ranked = looks_ranked(rows)
    if wanted == "run" and not ranked:
        text = b" ".join(rows[0]).decode(errors="replace")
        raise DataError([errors.files.unknown_layout(source.path, "run", text=text)])
    # One document for each query, always 1: both ranks and grades look so, and grades are more common.
    if wanted == "run" or (wanted is None and ranked and any(rank not in (b"0", b"1") for _, _, rank in rows)):
        return Sniffed("msmarco", "run")
    return Sniffed("trec", "judgments")


def _delimited_format(text: str) -> str:
    return "tsv" if delimiter_of(text) == "\t" else "csv"


def _lines(head: bytes) -> Iterator[bytes]:
    """The whole lines of the head that are neither blank nor comments."""
    lines = head.split(b"\n")
    if len(head) == HEAD and len(lines) > 1:
        lines.pop()
    return (line for line in lines if line.strip() and not line.startswith(b"#"))
