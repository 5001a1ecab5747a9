"""Runs and judgments in several files: a folder of parts, or a pattern such as `part-*.parquet`, is one of them."""

from __future__ import annotations

import io
import re
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from functools import cached_property
from glob import glob
from itertools import chain
from pathlib import Path
from typing import Any, BinaryIO, cast

from cranfield import errors, kernels
from cranfield.data.judgments import JudgmentRows, Judgments
from cranfield.data.run import AtOnce, Firsts, JudgedPlaces, Ranking, Run
from cranfield.errors import DataError, Findings
from cranfield.formats import grouping, systems
from cranfield.formats.columns import Columns, Kind
from cranfield.formats.grouping import RunRows
from cranfield.formats.reading import Reader, format_of, reader
from cranfield.formats.sniff import kind_of_file
from cranfield.formats.source import Source, as_source, is_pattern

GENERAL = ("part", "parts", "shard", "shards", "chunk")
"""Names of files that say nothing about what is in them."""
MARK = b"\xef\xbb\xbf"
"""What some programs begin a text in UTF-8 with."""


def files_of(given: str) -> list[Path]:
    """The files of a folder and the folders in it, or those that a pattern fits, in the order of their names.

    Files that begin with a dot or an underscore are a system's own, such as `_SUCCESS`.
    """
    if is_pattern(given):
        found = list(chain.from_iterable(_below(path) if path.is_dir() else [path] for path in _fitting(given)))
    else:
        found = _below(Path(given))
    if not found:
        raise DataError([errors.files.no_parts(given)])
    return found


def _fitting(pattern: str) -> list[Path]:
    # `Path.glob` takes no pattern from the root on.
    return sorted(Path(name) for name in glob(pattern, recursive=True))  # noqa: PTH207


def _below(folder: Path) -> list[Path]:
    try:
        entries = sorted(folder.iterdir())
    except OSError as error:
        raise DataError([errors.files.unreadable(str(folder), error.strerror or str(error))]) from None
    own = [entry for entry in entries if not entry.name.startswith((".", "_"))]
    return list(chain.from_iterable(_below(entry) if entry.is_dir() else [entry] for entry in own))


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
        named = [re.sub(r"([-_.]+\d*)?[*?[].*$", "", part) for part in Path(self.path).resolve().parts]
        return next((name for name in reversed(named) if name.strip("-_./") and name not in GENERAL), "run")

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
        for part in self.parts:
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
        for part in self.parts:
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
        with io.BufferedReader(_Joined(self.parts)) as opened:
            yield cast(BinaryIO, opened)


def shards_of(given: str, columns: Columns, wanted: Kind | None, format: str | None) -> Shards:
    """A folder or a pattern as what is in its files: what is wanted, or what the first looks like."""
    paths = files_of(given)
    if not is_pattern(given) and (unlike := _unlike(paths)):
        raise DataError([errors.files.several_runs_in_folder(given, *unlike)])
    sources = tuple(source for path in paths if (source := as_source(str(path))) is not None)
    kind = wanted or kind_of_file(sources[0], columns)
    formats = [format_of(source, format, columns, kind) for source in sources]
    others = [at for at, name in enumerate(formats) if name != formats[0]]
    if others:
        raise DataError([errors.files.parts_differ(given, [(paths[at].name, formats[at]) for at in (0, others[0])])])
    if formats[0] == "store" or reader(formats[0]).run_rows is None:
        raise DataError([errors.files.not_in_parts(given, paths[0].name)])
    return Shards(given, sources, columns, kind, formats[0])


def _unlike(paths: list[Path]) -> tuple[str, str] | None:
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

    def __init__(self, parts: tuple[Source, ...]) -> None:
        self.waiting = iter(parts)
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
