"""What a file is, by its first bytes."""

from __future__ import annotations

import os
import re
import stat
from collections.abc import Iterable, Iterator, Mapping
from itertools import islice
from pathlib import Path, PurePath
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from cranfield import errors
from cranfield.data.judgments import Judgments
from cranfield.data.run import Run
from cranfield.errors import DataError, Findings
from cranfield.formats.columns import JUDGED, Columns, Kind, has_header, kind_of_header
from cranfield.formats.compression import SUFFIXES
from cranfield.formats.delimited_text import delimiter_of, fields_of
from cranfield.formats.msmarco import looks_ranked
from cranfield.formats.remote import is_remote, local_path, place_of
from cranfield.formats.source import HEAD, DatabaseAddress, Source, as_source
from cranfield.formats.tokens import is_score

SQLITE = b"SQLite format 3\0"


class Sniffed(NamedTuple):
    """The format of a file, and whether it holds judgments or a run where that is clear."""

    format: str
    kind: Kind | None = None


def sniff(source: Source, columns: Columns, wanted: Kind | None = None) -> Sniffed:
    """The format of a file; what is wanted from it decides where it could be several."""
    form = container(source)
    if form == "jsonl" and _begins_with_other_shape(source.head):
        form = "json"
    return Sniffed(form) if form != "text" else _text_format(source, columns, wanted)


def _has_mark(head: bytes, mark: bytes) -> bool:
    """Whether a file that is no text begins with a mark, which a query may be called too."""
    behind = head[len(mark) : len(mark) + 1]
    return head.startswith(mark) and behind < b" " and not behind.isspace()


def container(source: Source) -> str:
    """What a file is made of, whatever it holds: `parquet`, `arrow`, `store`, `json`, `jsonl` or `text`."""
    head = source.head
    if head.startswith(SQLITE) or isinstance(source, DatabaseAddress):
        return "store"
    if _has_mark(head, b"PAR1"):
        return "parquet"
    if _has_mark(head, b"ARROW1") or head.startswith(b"\xff\xff\xff\xff"):
        return "arrow"
    if head.startswith(b"PK\x03\x04") or head[257:262] == b"ustar":
        raise DataError([errors.files.is_archive(source.path)])
    if b"\x00" in head:
        suffix = PurePath(source.path).suffix
        misnamed = suffix in SUFFIXES
        raise DataError(
            [errors.files.misnamed_compression(source.path, suffix) if misnamed else errors.files.not_text(source.path)]
        )
    if b"\n" not in head and b"\r" in head.rstrip():
        raise DataError([errors.files.wrong_line_ends(source.path)])
    start = head.lstrip()
    if start[:1] in (b"{", b"[") and not _begins_with_record(start):
        return _json_format(head)
    for sign, name in _MARKUP.items():
        if start[:20].lower().startswith(sign):
            raise DataError([errors.files.is_markup(source.path, name)])
    return "text"


def _begins_with_record(start: bytes) -> bool:
    """Whether a first line that begins as JSON does is one of a TREC file, whose query begins with a bracket."""
    fields = start.partition(b"\n")[0].split()
    return len(fields) in (4, 6) and _is_trec(fields)


_MARKUP = {b"<!doctype html": "an HTML page", b"<html": "an HTML page", b"<?xml": "an XML file"}


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
    is_ours = isinstance(first.get("cranfield"), str)
    return "json" if len(lines) == 1 and (nested or is_ours) else "jsonl"


def _begins_with_other_shape(head: bytes) -> bool:
    """Whether the first line is a value in the shape of another tool, such as an answer of a search engine."""
    import json

    first = next((line for line in head.split(b"\n") if line.strip()), b"")
    try:
        value = json.loads(first)
    except (ValueError, RecursionError):
        return False
    if not isinstance(value, dict) or not any(isinstance(one, dict | list) for one in value.values()):
        return False
    from cranfield.formats.foreign_json import foreign_shape
    from cranfield.formats.json_shapes import kind_of_shape

    if foreign_shape(value) is not None or any(kind_of_shape(one) is not None for one in (value, [value])):
        return True
    is_alone = len(head) < HEAD and len(head.split()) == len(first.split())
    return is_alone and not JUDGED.candidates("query", list(value))


def _text_format(source: Source, columns: Columns, wanted: Kind | None) -> Sniffed:
    line = next(_lines(source.head), None)
    if line is None:
        if len(source.head) == HEAD:
            return Sniffed("trec")  # a long comment; what follows it is read, or explained, as TREC
        raise DataError([errors.files.nothing_read(source.path, wanted or "rows")])
    text, fields = line.decode(errors="replace").rstrip("\r"), line.split()
    delimiter = delimiter_of(text)
    delimited = "tsv" if delimiter == "\t" else "csv"
    names = fields_of(text, delimiter) if delimiter else []
    if names and has_header(names) and not any(map(is_score, names)):
        return Sniffed(delimited, kind_of_header(names))
    if len(fields) > 1 and fields[1].startswith(b"qid:"):
        return Sniffed("svmlight", "judgments")
    parts = text.split(delimiter) if delimiter else []
    # With one document fewer it could be a line of a TREC run, about a document that is called Q.
    if len(parts) > 6 and parts[2] == "Q" and parts[1].isdigit():
        raise DataError([errors.files.is_yandex_log(source.path)])
    if columns.names or _are_parts(parts, delimiter, len(columns.positions), fields):
        return Sniffed(delimited)
    if len(fields) == 3 and not columns:
        return _three_columns(source, wanted)
    is_judgments = len(fields) == 4 or (len(fields) == 5 and columns.groups in ("preference", "stratum"))
    return Sniffed("trec", "judgments" if is_judgments else "run")


def _are_parts(parts: list[str], delimiter: str | None, count: int, fields: list[bytes]) -> bool:
    """Whether a line without a header is split at its delimiter rather than at blanks."""
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


def _lines(head: bytes) -> Iterator[bytes]:
    """The whole lines of the head that are neither blank nor comments."""
    lines = head.split(b"\n")
    if len(head) == HEAD and len(lines) > 1:
        lines.pop()
    return (line for line in lines if line.strip() and not line.startswith(b"#"))


def kind_of(source: object) -> Kind:
    """Whether a path, an open file or a Python object holds judgments or a run.

    >>> kind_of({"q1": {"d1": 2}})
    'judgments'
    >>> kind_of({"q1": {"d1": 12.5}})
    'run'
    """
    if isinstance(source, Judgments | Run):
        return "judgments" if isinstance(source, Judgments) else "run"
    file = as_source(source)
    if file is not None:
        return kind_of_file(file, Columns())
    from cranfield.formats import json_shapes, memory

    if (known := json_shapes.kind_of_shape(source)) is not None:
        return known
    if isinstance(source, Mapping):
        return _kind_of_mapping(source)

    return kind_of_header(memory.as_table(source, "judgments").names)


def kind_of_file(file: Source, columns: Columns) -> Kind:
    """Whether a file holds judgments or a run; columns the user names tell it first."""
    named = {*columns.names, *columns.positions}
    if named & {"grade", "score", "rank"}:
        return "judgments" if "grade" in named else "run"
    sniffed = sniff(file, columns)
    if sniffed.kind is not None:
        return sniffed.kind
    if sniffed.format in ("parquet", "arrow"):
        from cranfield.formats import arrow

        return kind_of_header(arrow.file_table(file).names)
    if sniffed.format == "jsonl":
        from cranfield.formats import json_lines

        return kind_of_header(json_lines.names_of_first(file))
    if sniffed.format == "json":
        from cranfield.formats import json_object, json_shapes

        value = json_object.value_of(file, "judgments")
        if (known := json_shapes.kind_of_shape(value)) is not None:
            return known
        if isinstance(value, dict):
            return _kind_of_mapping(value)
        return kind_of_header(list(value[0])) if value else "judgments"
    return "judgments"


_NEXT_OBJECT = re.compile(rb"\}\s*\{")
"""As in JSON lines."""
_MARKS = (re.compile(rb'"cranfield"\s*:\s*"'), re.compile(rb'"format"\s*:\s*\d'))


def is_results(path: str | os.PathLike[str]) -> bool:
    """Whether a file holds saved results, however its JSON is laid out."""
    import mmap

    if is_remote(path):
        with place_of(os.fspath(path)).open("rb") as opened:
            return _is_as_written(opened.read(HEAD).removeprefix(b"\xef\xbb\xbf").lstrip())
    path = local_path(os.fspath(path))
    try:
        # A pipe can be read only once, and not by whoever only wonders what it holds.
        if not stat.S_ISREG(Path(path).stat().st_mode):
            return False
        with Path(path).open("rb") as opened:
            head = opened.read(HEAD).removeprefix(b"\xef\xbb\xbf").lstrip()
            if not head.startswith(b"{") or _NEXT_OBJECT.search(head):
                return False
            with mmap.mmap(opened.fileno(), 0, access=mmap.ACCESS_READ) as text:
                return _is_as_written(head) or (all(mark.search(text) for mark in _MARKS) and _has_marks(text[:]))
    except (OSError, ValueError):  # a name may hold what no name can
        return False


def _is_as_written(head: bytes) -> bool:
    return head.startswith(b"{") and head[1:].lstrip().startswith(b'"cranfield"') and b'"checksum"' in head


def _has_marks(text: bytes) -> bool:
    """Whether the words stand at the top of the JSON, and not somewhere inside, as a document's id could."""
    import json

    try:
        given = json.loads(text)
    except (ValueError, RecursionError):
        return True  # whoever reads it as results says what is wrong with it
    return isinstance(given, dict) and "cranfield" in given and "format" in given


def must_not_be_swapped(judgments: Judgments, runs: Iterable[Run]) -> None:
    """Refuse scores as judgments together with grades as a run, where no column has a name that would tell."""
    if not _is_unnamed(judgments.path) or not _are_scores(judgments.grades):
        return
    for run in runs:
        if _is_unnamed(run.path):
            firsts = islice(run.rankings(Findings()), ENOUGH)
            scores = np.concatenate([np.empty(0), *(ranking.scores for ranking in firsts if not ranking.ranked)])
            if _are_grades(scores):
                raise DataError([errors.files.swapped_values(run.name, judgments.path)])


ENOUGH = 100
"""Rankings that show what a run's scores are like."""
MOST_GRADES, LOWEST_GRADE, HIGHEST_GRADE, HIGHEST_STEP = 6, -2, 10, 5


def _is_unnamed(path: str | None) -> bool:
    """Whether values came from a dictionary, in memory or in JSON."""
    return path is None or ".json" in path.casefold()


def _are_scores(grades: npt.NDArray[np.float64]) -> bool:
    """Whether most grades are fractions, hardly two are alike, and not all are steps of a scale, such as 0.5 and 1."""
    if 2 * np.count_nonzero(grades != np.floor(grades)) <= len(grades):
        return False
    steps = (np.abs(grades) <= HIGHEST_STEP) & (np.round(20 * grades) == 20 * grades)
    return 2 * len(np.unique(grades)) > len(grades) and not steps.all()


def _are_grades(scores: npt.NDArray[np.float64]) -> bool:
    """Whether all scores are whole numbers, few and small."""
    values = np.unique(scores)
    few = 0 < len(values) <= MOST_GRADES and len(values) < len(scores)
    return few and bool(((values == np.floor(values)) & (values >= LOWEST_GRADE) & (values <= HIGHEST_GRADE)).all())


def _kind_of_mapping(given: Mapping[Any, Any]) -> Kind:
    """Whole numbers are grades; other numbers, and lists, come from systems."""
    for of_query in islice(given.values(), 1000):
        if not isinstance(of_query, Mapping):
            return "run"
        if any(isinstance(value, float) for value in of_query.values()):
            return "run"
    return "judgments"
