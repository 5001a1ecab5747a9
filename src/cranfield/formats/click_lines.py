"""Click logs that are lines of text or of JSON, read by the compiled loops, without a Python object for any row.

They read lines about which there is nothing to tell. At anything else they stop, and the plain loops read the file from
its start and find the words.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import chain
from typing import Any

import numpy as np

from cranfield.errors import CranfieldError, Findings
from cranfield.errors.clicks import SMALLEST_PROPENSITY
from cranfield.formats import json_lines
from cranfield.formats.click_results import Names, Results
from cranfield.formats.columns import require_distinct
from cranfield.formats.delimited_text import blocks_below, delimiter_in, fields_of, first_line
from cranfield.formats.impressions import are_ranks
from cranfield.formats.rows import Content
from cranfield.formats.sniff import container
from cranfield.formats.source import HEAD, Source
from cranfield.kernels.compiled import SLACK, ClickRows

Roles = Callable[[Sequence[str]], dict[str, str] | None]
"""Which column is what under a header; nothing where it is not that of a log read here."""

WRAPPING = ("hits", "_source", "action_name", "query_response_id", "index", "create")
"""Names in records that may hold others, or that make them those of OpenSearch UBI."""


def results(
    file: Source, content: Content, roles: Roles, names: Names, before: int
) -> tuple[list[Results], int] | None:
    """The results in a file, and how many impressions with lists there are then; None if only plain loops can say.

    `before` are the impressions with lists that other files had.
    """
    counts = [len(ids) for ids in names.each]
    try:
        layout = _layout(file, content, roles)
        found = None if layout is None else list(_parts(file, layout, names, before))
    except CranfieldError:
        found = None  # whatever is wrong, the plain loops meet it too and find the words
    if not found or None in found:
        for ids, count in zip(names.each, counts, strict=True):
            if len(ids) > count:
                ids.forget_after(count)
        return None
    lists = [part for part in found if part is not None]
    return [part for _, part in lists], before + sum(count for count, _ in lists)


class _Layout(dict[str, Any]):
    """What `ClickRows` is told of lines, and what separates their fields."""

    delimiter: bytes | None = None
    header: str | None = None


def _layout(file: Source, content: Content, roles: Roles) -> _Layout | None:
    if not file.head.strip():
        return None
    match container(file):
        case "parquet" | "arrow" | "json":
            return None
        case "jsonl":
            return _of_records(file, roles)
        case _:
            return _of_fields(file, content, roles)


def _of_fields(file: Source, content: Content, roles: Roles) -> _Layout | None:
    delimiter, line = delimiter_in(file), first_line(file).rstrip("\r")
    # A field in quotes may go on in the next line.
    is_plain = line.isascii() and "\r" not in line and '"' not in line.partition("[")[0]
    if delimiter is None or not is_plain or len(line) > HEAD // 2:
        return None
    fields = fields_of(line, delimiter)
    header, is_header = content.header(fields, file.path)
    require_distinct(header, file.path)
    found = roles(header)
    if found is None:
        return None
    places = {role: list(header).index(name) for role, name in found.items()}
    layout = _Layout(places=places, width=len(fields), clicks_are_ranks=are_ranks(found.get("clicks", "")))
    layout.delimiter, layout.header = delimiter.encode(), line if is_header else None
    return layout


def _of_records(file: Source, roles: Roles) -> _Layout | None:
    _, records = next(json_lines.batches(file, Findings()), ((), []))
    known = dict.fromkeys(chain.from_iterable(records))
    found = None if not known or known.keys() & set(WRAPPING) else roles(list(known))
    if found is None:
        return None
    names = {role: name.encode(errors="replace") for role, name in found.items()}
    refused = [name.encode() for name in WRAPPING]
    return _Layout(names=names, refused=refused, clicks_are_ranks=are_ranks(found.get("clicks", "")))


def _parts(file: Source, layout: _Layout, names: Names, before: int) -> Iterator[tuple[int, Results] | None]:
    sessions, queries, impressions, documents = (ids.numbering() for ids in names.each)
    rows = ClickRows(
        sessions=sessions,
        queries=queries,
        impressions=impressions,
        documents=documents,
        least_propensity=SMALLEST_PROPENSITY,
        before=before,
        **layout,
    )
    for block in blocks_below(file, header=layout.header is not None):
        yield _part(rows, layout, block.data, block.first_line, file.path)


def with_slack(data: bytes) -> tuple[bytearray, int]:
    """Lines as compiled loops take them, with the end of the last one and some room behind it; and where they end."""
    buffer = bytearray(data)
    if not data.endswith(b"\n"):
        buffer += b"\n"
    end = len(buffer)
    buffer += bytes(SLACK)
    return buffer, end


def _part(rows: ClickRows, layout: _Layout, data: bytes, line: int, path: str) -> tuple[int, Results] | None:
    found = rows.read(*with_slack(data), line, delimiter=layout.delimiter)
    if found is None:
        return None
    lists, *columns, clicked, propensities = found
    session, query, impression, document, lines, position = (np.frombuffer(column, np.int32) for column in columns)
    known = layout.get("places") or layout["names"]
    return lists, Results(
        session if "session" in known else None,
        query if "query" in known else None,
        impression if "impression" in known or "documents" in known else None,
        document,
        np.frombuffer(clicked, np.int32).astype(np.bool_),
        position if "position" in known else None,
        np.frombuffer(propensities, np.float64) if "propensity" in known else None,
        lines,
        "line",
        path,
    )
