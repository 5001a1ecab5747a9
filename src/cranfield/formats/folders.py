"""Folders as runs: a saved answer of a search engine for each query, in a file that is called after the query."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from pathlib import Path, PurePath

from cranfield import errors
from cranfield.data.run import Ranking, Run
from cranfield.errors import DataError, Findings
from cranfield.formats import memory
from cranfield.formats.json_text import json_or_lines_of
from cranfield.formats.remote import Place, is_remote, place_of, visible
from cranfield.formats.search_responses import SearchResponses, responses_in
from cranfield.formats.source import Source, source_at


def run_in(folder: str, name: str | None = None) -> Run:
    """The run of a folder; its files are read in the order of their names when it is asked."""
    files = _files(folder)
    if not files:
        raise DataError([errors.files.nothing_read(visible(folder), "rankings")])
    path = visible(folder)
    own = PurePath(path).name if is_remote(folder) else Path(folder).resolve().name
    return Run(name or own, partial(_rankings, path, files), path)


def has_responses(folder: str) -> bool:
    """Whether the first file is JSON that is no line of a table: an answer of a search engine."""
    files = _files(folder)
    source = source_at(files[0]) if files else None
    return source is not None and source.head.lstrip()[:1] in (b"{", b"[") and files[0].name.count(".jsonl") == 0


def _files(folder: str) -> list[Place]:
    try:
        inside = (one for one in place_of(folder).iterdir() if one.is_file() and not one.name.startswith("."))
        found = sorted(inside, key=lambda file: file.name)
    except OSError as error:
        raise DataError([errors.files.unreadable(folder, error.strerror or str(error))]) from None
    return found


def _rankings(folder: str, files: list[Place], findings: Findings) -> Iterator[Ranking]:
    answers = []
    for file in files:
        source = source_at(file)
        responses = responses_in(_value(source, folder), source.name)
        if responses is None:
            raise DataError([errors.files.other_files(folder, file.name)])
        answers += responses.answers
    return memory.rankings(SearchResponses(answers, folder).run(findings), folder, findings)


def _value(source: Source, folder: str) -> object:
    if source.head.lstrip()[:1] not in (b"{", b"["):
        raise DataError([errors.files.other_files(folder, PurePath(source.path).name)])
    return json_or_lines_of(source)
