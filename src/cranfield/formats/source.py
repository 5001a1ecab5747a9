"""Where bytes come from: a path, standard input or an open file, compressed or not."""

from __future__ import annotations

import io
import os
import sys
import weakref
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path, PurePath
from typing import IO, Any, BinaryIO, NamedTuple

from cranfield import errors
from cranfield.errors import DataError, Finding, UsageError
from cranfield.errors.delimited_text import LARGEST_JSON, LONGEST_LINE
from cranfield.formats.compression import SUFFIXES, decompressed, saying_what_is_damaged

BLOCK = 1 << 18
"""Bytes of text that are looked at together; with more, the pieces leave the processor's cache."""

HEAD = 1 << 16
"""Bytes at the start of a file by which its format is told."""

_FORMAT_SUFFIXES = (
    *(".run", ".txt", ".tsv", ".csv", ".json", ".jsonl", ".parquet", ".res", ".trec"),
    *(".arrow", ".feather", ".eval"),
)


class Block(NamedTuple):
    """Some whole lines of a text and the number of the first."""

    first_line: int
    data: bytes

    @property
    def lines(self) -> list[bytes]:
        """The lines without their ends; after a last line end there is no further line."""
        return self.data.removesuffix(b"\n").split(b"\n")


@dataclass(frozen=True, eq=False)
class Source:
    """A file that can be read from its start as often as needed."""

    path: str
    """What messages call it."""
    name: str
    """What a run read from it is called."""
    file: Path
    """Where the bytes are: the path itself, or a temporary copy of a stream."""

    @contextmanager
    def open(self) -> Iterator[BinaryIO]:
        """The plain bytes, whatever the compression."""
        with saying_what_is_damaged(self.path), self.file.open("rb") as raw:
            yield decompressed(raw, self.path)

    @cached_property
    def head(self) -> bytes:
        """The first bytes, without a byte order mark."""
        with self.open() as opened:
            head = opened.read(HEAD)
        return _without_mark(head, self.path)

    def blocks(self) -> Iterator[Block]:
        """The text in blocks of whole lines."""
        with self.open() as opened:
            first_line = 1
            for data in _cut_at_line_ends(opened):
                if data is None:
                    raise DataError([errors.delimited_text.line_too_long(self.path, first_line)])
                text = _without_mark(data, self.path) if first_line == 1 else data
                if text:
                    yield Block(first_line, text)
                first_line += data.count(b"\n")

    def text(self) -> bytes:
        """All of it at once, as JSON is read."""
        data = bytearray()
        with self.open() as opened:
            # In pieces: room for the largest file is not taken before it is there.
            while piece := opened.read(BLOCK):
                data += piece
                if len(data) > LARGEST_JSON:
                    raise DataError([errors.delimited_text.json_too_large(self.path)])
        return _without_mark(bytes(data), self.path)


def as_source(given: object) -> Source | None:
    """The file meant by a path, `-` or an open file; nothing if it is none of these."""
    if isinstance(given, Source):
        return given
    if isinstance(given, str) and given == "-":
        if sys.stdin is None:
            raise DataError([errors.files.unreadable("standard input", "it is closed")])
        return _copied(getattr(sys.stdin, "buffer", sys.stdin), "standard input", "stdin")
    if isinstance(given, str | os.PathLike):
        if not os.fspath(given):
            raise UsageError("The path is empty. Name a file, or - for standard input.")
        return _at_path(os.fsdecode(given))
    if hasattr(given, "read"):
        name = getattr(given, "name", None)
        if isinstance(name, str):
            return _copied(given, name, run_name(name))
        return _copied(given, "the open file", "run")
    return None


def is_there(path: str) -> bool:
    """Whether something is at a path; nothing is at one that no file can have."""
    try:
        return Path(path).exists()
    except (OSError, ValueError):
        return False


def file_hash(path: str | None) -> str | None:
    """A hash of a file's bytes; nothing for what is no file, such as standard input."""
    import hashlib

    if path is None:
        return None
    try:
        with Path(path).open("rb") as opened:
            return hashlib.file_digest(opened, "sha256").hexdigest()
    except OSError:
        return None


def text_of(path: str) -> str:
    """The whole text of a small file, such as one of rules."""
    try:
        return _at_path(path).text().decode().replace("\r\n", "\n")
    except UnicodeDecodeError:
        raise DataError([errors.rows.not_utf8(path)]) from None


def run_name(path: str) -> str:
    """The name of a run: its file's name without folders and without suffixes that only say the format.

    >>> run_name("runs/bm25.k1=0.9.run.gz")
    'bm25.k1=0.9'
    """
    name = PurePath(path).name
    for suffixes in (SUFFIXES, _FORMAT_SUFFIXES):
        ending = PurePath(name).suffix
        if ending.lower() in suffixes:
            name = name.removesuffix(ending)
    return name


def _at_path(path: str) -> Source:
    file = Path(path)
    _must_be_readable(file, path)
    if file.is_file():
        return Source(path, run_name(path), file)
    with saying_what_is_damaged(path), file.open("rb") as pipe:  # as the shell's <(zcat bm25.run.gz)
        return _copied(pipe, path, run_name(path))


def _copied(stream: Any, path: str, name: str) -> Source:
    import tempfile

    # A stream passes by once, and both telling its format and a run whose queries are not grouped need more.
    descriptor, copy = tempfile.mkstemp(prefix="cranfield-")
    source = Source(path, name, Path(copy))
    weakref.finalize(source, Path(copy).unlink, missing_ok=True)
    with saying_what_is_damaged(path), os.fdopen(descriptor, "wb") as target:
        try:
            _copy(stream, target)
        except UnicodeError:
            raise DataError([errors.rows.not_utf8(path)]) from None
        except ValueError as error:  # a file that is closed
            raise DataError([errors.files.unreadable(path, str(error))]) from None
    return source


def _copy(stream: IO[Any], target: BinaryIO) -> None:
    import shutil

    first = stream.read(BLOCK)
    if isinstance(first, str):
        text = io.TextIOWrapper(target, encoding="utf-8", newline="")
        text.write(first)
        shutil.copyfileobj(stream, text, BLOCK)
        text.flush()
        text.detach()
    else:
        target.write(first)
        shutil.copyfileobj(stream, target, BLOCK)


def _must_be_readable(file: Path, path: str) -> None:
    try:
        file.stat()
    except FileNotFoundError:
        raise DataError([errors.files.no_such_file(path, _near(file))]) from None
    except (OSError, ValueError) as error:  # a name may hold what no name can
        raise DataError([errors.files.unreadable(path, getattr(error, "strerror", None) or str(error))]) from None
    if file.is_dir():
        raise DataError([errors.files.is_directory(path)])
    if not os.access(file, os.R_OK):
        raise DataError([errors.files.unreadable(path, "permission denied")])


def _near(file: Path) -> list[str]:
    try:
        beside = [entry.name for entry in file.parent.iterdir()]
    except OSError:
        return []
    return [str(file.parent / name) for name in errors.findings.nearest(file.name, beside)]


def _cut_at_line_ends(opened: BinaryIO) -> Iterator[bytes | None]:
    """Whole lines, some at a time; None where one is too long, and nothing after it."""
    begun: list[bytes] = []
    length = 0
    while data := opened.read(BLOCK):
        end = data.rfind(b"\n") + 1
        length += data.find(b"\n") if end else len(data)
        if length > LONGEST_LINE:
            yield None
            return
        if end:
            yield b"".join([*begun, data[:end]])
            begun = [data[end:]] if end < len(data) else []
            length = len(data) - end
        else:
            begun.append(data)
    if begun:
        yield b"".join(begun)


_MARKS = {b"\xef\xbb\xbf": None, b"\xff\xfe": "UTF-16", b"\xfe\xff": "UTF-16"}


def _without_mark(data: bytes, path: str) -> bytes:
    for mark, encoding in _MARKS.items():
        if data.startswith(mark):
            if encoding is not None:
                raise DataError([errors.files.wrong_encoding(path, encoding)])
            return data[len(mark) :]
    return data


def must_be_text(source: Source) -> None:
    """Stop at bytes that are no text."""
    if source.head.startswith(b"PK\x03\x04") or source.head[257:262] == b"ustar":
        raise DataError([errors.files.is_archive(source.path)])
    if b"\x00" in source.head:
        raise DataError([_no_text(source)])
    if b"\n" not in source.head and b"\r" in source.head.rstrip():
        raise DataError([errors.files.wrong_line_ends(source.path)])


def _no_text(source: Source) -> Finding:
    suffix = PurePath(source.path).suffix
    return (
        errors.files.misnamed_compression(source.path, suffix)
        if suffix in SUFFIXES
        else errors.files.not_text(source.path)
    )
