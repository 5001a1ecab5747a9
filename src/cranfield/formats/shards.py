"""Runs and judgments in several files: a folder of parts, or a pattern such as `part-*.parquet`, is one of them."""

from __future__ import annotations

import io
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace
from functools import cached_property
from glob import glob
from itertools import chain, takewhile
from pathlib import Path
from typing import Any, BinaryIO, TypeVar, cast

from cranfield import errors, kernels
from cranfield.data.judgments import JudgmentRows, Judgments
from cranfield.data.run import AtOnce, Firsts, JudgedPlaces, Ranking, Run
from cranfield.errors import DataError, Findings
from cranfield.formats import grouping, systems
from cranfield.formats.columns import Columns, Kind
from cranfield.formats.grouping import RunRows
from cranfield.formats.reading import Reader, format_of, reader
from cranfield.formats.remote import (
    SIGNS,
    Place,
    RemotePath,
    fitting,
    fixed_part,
    is_remote,
    local_path,
    place_of,
    remote_path,
    visible,
)
from cranfield.formats.sniff import kind_of_file
from cranfield.formats.source import Source, is_pattern, source_at

T = TypeVar("T")
Result = TypeVar("Result")

GENERAL = ("part", "parts", "shard", "shards", "chunk")
"""Names of files that say nothing about what is in them."""
MARK = b"\xef\xbb\xbf"
"""What some programs begin a text in UTF-8 with."""


def files_of(given: str) -> list[Place]:
    """The files of a folder and the folders in it, or those that a pattern fits, in the order of their names.

    Files that begin with a dot or an underscore are a system's own, such as `_SUCCESS`.
    """
    if is_pattern(given):
        fitting_names = (_below(place) if place.is_dir() else [place] for place in _fitting(given))
        found = [place for place in chain.from_iterable(fitting_names) if not _is_hidden(given, place)]
    else:
        found = _below(place_of(given))
    if not found:
        raise DataError([errors.files.no_parts(visible(given))])
    return found


def _fitting(pattern: str) -> Sequence[Place]:
    if is_remote(pattern):
        return fitting(pattern)
    # `Path.glob` takes no pattern from the root on.
    return sorted(Path(name) for name in glob(local_path(pattern), recursive=True))  # noqa: PTH207


def _below(folder: Place, above: tuple[Path, ...] = ()) -> list[Place]:
    if isinstance(folder, RemotePath):
        length = len(folder.parts)
        files = [file for file in folder.below() if not any(map(_is_of_the_system, file.parts[length:]))]
        return sorted(files, key=lambda file: file.parts)
    try:
        here = folder.resolve(strict=True)
        entries = sorted(folder.iterdir())
    except OSError as error:
        raise DataError([errors.files.unreadable(str(folder), error.strerror or str(error))]) from None
    if here in above:
        raise DataError([errors.files.loop_of_links(str(folder))])
    own = [entry for entry in entries if not _is_of_the_system(entry.name)]
    return list(chain.from_iterable(_below(entry, (*above, here)) if entry.is_dir() else [entry] for entry in own))


def _is_hidden(pattern: str, place: Place) -> bool:
    """Whether a file, or a folder that it is in, is a system's own, which a pattern has to name."""
    behind = _below_the_given(pattern, place)
    return any(map(_is_of_the_system, behind)) and not any(map(_is_of_the_system, pattern.split("/")[-len(behind) :]))


def _is_of_the_system(name: str) -> bool:
    return name.startswith((".", "_"))


@dataclass(frozen=True, eq=False)
class Shards:
    """The files that a run, or judgments, are in; rows are counted over all of them."""

    path: str
    """What messages call them: the folder, or the pattern."""
    parts: tuple[Source, ...]
    columns: Columns
    kind: Kind
    format: str
    """Of all files."""

    @property
    def name(self) -> str:
        """What a run in them is called: its folder, or what the names of its files have in common.

        >>> paths = ("runs/k1=0.9", "runs/bm25-*.run.gz", "bm25/*/part-0[12]")
        >>> [Shards(path, (), Columns(), "run", "trec").name for path in paths]
        ['k1=0.9', 'bm25', 'bm25']
        """
        parts = self.path.split("/") if is_remote(self.path) else Path(self.path).resolve().parts
        named = [re.sub(r"([-_.]+\d*)?[*?[].*$", "", part) for part in parts]
        saying = (name for name in reversed(named) if name.strip("-_./") and name not in GENERAL)
        return next((name for name in saying if not name.endswith("=")), "run")

    @cached_property
    def reader(self) -> Reader:
        """How each file is read."""
        return reader(self.format)

    def runs(self) -> list[Run]:
        """The run, which is read when it is asked; or several, where a column distinguishes them."""
        several = systems.runs_of_files(self.parts, self.path, self.format, self.columns)
        return several or [Run(self.name, self._rankings, self.path, self._places(), self._firsts())]

    def judgment_rows(self, findings: Findings) -> Iterator[JudgmentRows]:
        """All judgments, file after file."""
        count = 0
        for part in self._fresh():
            for rows in self.reader.judgment_rows(part, self.columns, findings):
                yield rows._replace(lines=range(count + 1, count + len(rows.queries) + 1), unit="row")
                count += len(rows.queries)

    def judgments(self) -> Judgments | None:
        """All judgments by compiled loops; None where there is anything to tell about them."""
        if len(self.parts) == 1:
            return self.reader.judgments(self.parts[0], self.columns)
        if self.format not in ("parquet", "arrow") or not kernels.are_compiled():
            return None
        from cranfield.formats import arrow

        try:
            return arrow.judgments_of(arrow.files_table(self.parts, self.path), self.columns)
        except DataError:
            return None

    def _rankings(self, findings: Findings) -> Iterator[Ranking]:
        return grouping.rankings(self._run_rows, self.path, findings)

    def _run_rows(self, findings: Findings) -> Iterator[RunRows]:
        assert self.reader.run_rows is not None  # of a format that can be in parts
        count = 0
        for part in self._fresh():
            for rows in self.reader.run_rows(part, self.columns, findings):
                yield rows._replace(lines=range(count + 1, count + len(rows.queries) + 1), unit="row")
                count += len(rows.queries)

    def _places(self) -> AtOnce | None:
        if self.format in ("parquet", "arrow"):
            return self._places_in_tables
        return self._places_in_lines if self.format == "trec" and not self.columns else None

    def _places_in_tables(self, judgments: Judgments, *, ties: str, single: bool) -> JudgedPlaces | None:
        from cranfield.formats import arrow

        try:
            table = arrow.files_table(self.parts, self.path)
            return arrow.places_of(table, self.columns)(judgments, ties=ties, single=single)
        except DataError:
            return None

    def _places_in_lines(self, judgments: Judgments, *, ties: str, single: bool) -> JudgedPlaces | None:
        from cranfield.kernels import streaming

        return streaming.places(self._open, judgments, ties=ties, single=single)

    def _firsts(self) -> Firsts | None:
        return self._firsts_in_lines if self.format == "trec" and not self.columns else None

    def _firsts_in_lines(self, depth: int, *, ties: str, single: bool) -> dict[str, tuple[str, ...]] | None:
        if not kernels.are_compiled():
            return None
        from cranfield.kernels import streaming

        return streaming.firsts(self._open, depth, ties=ties, single=single)

    @contextmanager
    def _open(self) -> Iterator[BinaryIO]:
        """The lines of all files as one text."""
        with io.BufferedReader(_Joined(self._fresh())) as opened:
            yield cast(BinaryIO, opened)

    def _fresh(self) -> Iterator[Source]:
        """The files one by one, none of which keeps what it has read: there may be thousands."""
        return map(replace, self.parts)


def shards_of(given: str, columns: Columns, wanted: Kind | None, format: str | None) -> Shards:
    """A folder or a pattern as what is in its files: what is wanted, or what the first looks like."""
    places, path = files_of(given), visible(given)
    if not is_pattern(given) and (unlike := _unlike(places)):
        raise DataError([errors.files.several_runs_in_folder(path, *unlike)])
    sources = _of_each(source_at, places)
    first = first_filled(sources)
    kind = wanted or kind_of_file(replace(first), columns)

    def format_in(source: Source) -> str | None:
        own = replace(source)
        return format_of(own, format, columns, kind) if own.head else None  # a part that nothing fell into

    formats = _of_each(format_in, sources)
    filled = [at for at, name in enumerate(formats) if name is not None]
    own = format_of(first, format, columns, kind)
    if other := next((at for at in filled if formats[at] != own), None):
        examples = [(places[at].name, str(formats[at])) for at in (filled[0], other)]
        raise DataError([errors.files.parts_differ(path, examples)])
    if own == "store" or reader(own).run_rows is None:
        raise DataError([errors.files.not_in_parts(path, places[filled[0]].name)])
    told = _partitions(given, [places[at] for at in filled])
    parts = tuple(replace(sources[at], told=of_part) for at, of_part in zip(filled, told, strict=True))
    return Shards(path, parts, columns, kind, own)


def first_filled(sources: Iterable[Source]) -> Source:
    """The first part that anything is in, else the last."""
    for source in sources:
        if replace(source).head:
            break
    return source


NO_VALUE = "__HIVE_DEFAULT_PARTITION__"
"""What stands for a missing value in the name of a folder."""


def _partitions(given: str, places: Sequence[Place]) -> list[dict[str, str | None]]:
    """What the names of folders say of the rows in each file, as `system=bm25/query_bucket=3` does."""
    from urllib.parse import unquote

    told = []
    for place in places:
        pairs = (name.partition("=") for name in _below_the_given(given, place)[:-1])
        told.append({name: None if value == NO_VALUE else unquote(value) for name, sign, value in pairs if sign})
    return told if all(own.keys() == told[0].keys() for own in told) else [{} for _ in places]


def _below_the_given(given: str, place: Place) -> tuple[str, ...]:
    """The names on the way to a file behind the folder, or behind the part of a pattern that is no pattern."""
    if isinstance(place, RemotePath):
        known = fixed_part(given).parts if is_pattern(given) else remote_path(given).parts
    else:
        plain = takewhile(
            lambda part: not is_pattern(given) or SIGNS.search(part) is None, Path(local_path(given)).parts
        )
        known = tuple(plain)
    return place.parts[len(known) :]


def _of_each(ask: Callable[[T], Result], many: Sequence[T]) -> list[Result]:
    """What is found for each; in a store many at a time, since every answer takes a while."""
    if len(many) < 2 or not isinstance(getattr(many[0], "file", many[0]), RemotePath):
        return list(map(ask, many))
    from concurrent.futures import ThreadPoolExecutor

    with ThreadPoolExecutor(ASKED_AT_ONCE) as pool:
        return list(pool.map(ask, many))


ASKED_AT_ONCE = 16
"""Files of a store."""


def _unlike(paths: Sequence[Place]) -> tuple[str, str] | None:
    """Two files whose names differ in more than numbers: they are hardly parts of one thing.

    >>> _unlike([Path("part-0.run"), Path("part-1.run")]), _unlike([Path("bm25.run"), Path("dense.run")])
    (None, ('bm25.run', 'dense.run'))
    """
    first = _without_numbers(paths[0].name)
    return next(((paths[0].name, path.name) for path in paths if _without_numbers(path.name) != first), None)


def _without_numbers(name: str) -> str:
    """A name without counters and the random ids that systems give to parts."""
    return re.sub(r"(?<![a-z])[0-9a-f-]*\d[0-9a-f-]*(?![a-z])|\d+", "", name.lower())


class _Joined(io.RawIOBase):
    """The bytes of several files, each with a line end and without a byte order mark."""

    def __init__(self, parts: Iterator[Source]) -> None:
        self.waiting = parts
        self.opened: BinaryIO | None = None
        self.last = b"\n"
        self.stack = ExitStack()

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        while True:
            if self.opened is None:
                part = next(self.waiting, None)
                if part is None:
                    return 0
                self.opened = self.stack.enter_context(part.open())
                data = self.opened.read(len(buffer)).removeprefix(MARK)
            else:
                data = self.opened.read(len(buffer))
            if data:
                buffer[: len(data)] = data
                self.last = data[-1:]
                return len(data)
            self.stack.close()
            self.opened = None
            if self.last != b"\n":
                buffer[:1] = self.last = b"\n"
                return 1

    def close(self) -> None:
        self.stack.close()
        super().close()
