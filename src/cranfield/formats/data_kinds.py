"""What a file holds: judgments, a run, labels, queries or documents."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from pathlib import PurePath

from cranfield import errors
from cranfield.choices import DataKind
from cranfield.data.judgments import Judgments
from cranfield.data.labels import Labels
from cranfield.data.queries import Queries
from cranfield.data.run import Run
from cranfield.errors import DataError
from cranfield.formats import documents, json_lines, queries
from cranfield.formats.columns import JUDGED, Columns, folded, has_header, kind_of_header
from cranfield.formats.delimited_text import delimiter_in, fields_of, first_line
from cranfield.formats.json_shapes import kind_of_shape
from cranfield.formats.json_text import json_or_lines_of
from cranfield.formats.remote import place_of
from cranfield.formats.sniff import container, kind_of, kind_of_file, sniff
from cranfield.formats.source import Source, as_source, is_collection, is_folder, is_pattern, source_at

_UNCLEAR: tuple[DataKind, ...] = ("queries", "documents")
_BY_NAME: Mapping[str, DataKind] = {"quer": "queries", "topic": "queries", "corpus": "documents", "doc": "documents"}
"""Parts of the names of files whose columns could be either's."""
UNNAMED = Columns()


def data_kind(source: object, columns: Columns = UNNAMED) -> DataKind:
    """What is in a path, an open file or a Python object.

    >>> data_kind([{"query": "q1", "document": "d1", "judge": "ada", "grade": 2}])
    'labels'
    >>> data_kind([{"qid": "q1", "text": "why do tomatoes crack"}])
    'queries'
    """
    kinds: dict[type, DataKind] = {Judgments: "judgments", Run: "run", Labels: "labels", Queries: "queries"}
    for kind, name in kinds.items():
        if isinstance(source, kind):
            return name
    if is_collection(source):
        return "judgments"
    if is_pattern(source) or is_folder(source):
        return _of_parts(os.fspath(source))
    file = as_source(source)
    if file is not None:
        return kind_in_file(file, columns)
    names = _names_of(source)
    return kind_of(source) if names is None else _by_names(names, None)


def _of_parts(path: str) -> DataKind:
    """What several files hold; a folder as BEIR's has judgments, and responses of a search engine are a run."""
    from cranfield.formats import shards

    if not is_pattern(path) and (place_of(path) / "qrels").is_dir():
        return "judgments"
    first = shards.first_filled(source_at(place) for place in shards.files_of(path))
    return "run" if container(first) in ("json", "jsonl") else kind_in_file(first)


def kind_in_file(file: Source, columns: Columns = UNNAMED) -> DataKind:
    """What a file holds; where its columns could be those of queries or documents, its name decides."""
    if columns:
        return kind_of_file(file, columns)
    form = container(file)
    if form == "text":
        return _of_text(file)
    if form == "jsonl" and sniff(file, columns).format == "jsonl":
        return _by_names(json_lines.names_of_first(file), file.path)
    if form in ("json", "jsonl"):
        names = _names_of(json_or_lines_of(file))
        return kind_of_file(file, columns) if names is None else _by_names(names, file.path)
    if form in ("parquet", "arrow"):
        from cranfield.formats import arrow

        return _by_names(list(map(str, arrow.file_table(file).names)), file.path)
    return "judgments"


def _of_text(file: Source) -> DataKind:
    delimiter = delimiter_in(file)
    names = fields_of(first_line(file), delimiter) if delimiter else []
    if has_header(names) or (names and _of_texts(names)):
        return _by_names(names, file.path)
    if delimiter == "\t" and len(names) == 2:
        return _by_file_name(file.path)
    return kind_of_file(file, Columns())


def _names_of(value: object) -> list[str] | None:
    """The names in a list of records in a shape of our own; nothing for what is something else."""
    if not isinstance(value, list) or not value or not isinstance(value[0], Mapping):
        return None
    return None if kind_of_shape(value) is not None else list(map(str, value[0]))


def _by_names(names: Sequence[str], path: str | None) -> DataKind:
    if not has_header(names):
        return _of_texts(names) or _by_file_name(path)
    if JUDGED.candidates("judge", names):
        return "labels"
    numbers = [role for role in ("grade", "score", "rank") if JUDGED.candidates(role, names)]
    return kind_of_header(names) if numbers or _describe(names) else "labels"


def _describe(names: Sequence[str]) -> bool:
    """Whether columns besides query and document say nothing but what these are; else they are judges'."""
    places = JUDGED.first_places(names, ("query", "document")).values()
    rest = [folded(name) for at, name in enumerate(names) if at not in places]
    return all(documents.ROLES.known(name) or queries.ROLES.known(name) for name in rest)


def _of_texts(names: Sequence[str]) -> DataKind | None:
    """Queries or documents, where the names of columns tell it."""
    is_query = bool(JUDGED.candidates("query", names))
    is_document = bool(JUDGED.candidates("document", names)) or "title" in map(folded, names)
    if is_query != is_document:
        return "queries" if is_query else "documents"
    return None


def _by_file_name(path: str | None) -> DataKind:
    name = PurePath(path or "").name.casefold()
    kinds = {kind for part, kind in _BY_NAME.items() if part in name}
    if len(kinds) == 1:
        return kinds.pop()
    raise DataError([errors.conversion.unclear_kind(path, _UNCLEAR)])
