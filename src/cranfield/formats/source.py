"""Where bytes come from: a path, standard input or an open file, compressed or not."""

from __future__ import annotations

import codecs
import io
import os
import sys
import weakref
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path, PurePath
from typing import IO, Any, BinaryIO, NamedTuple, TypeGuard, cast

from cranfield import errors
from cranfield.errors import DataError, UsageError
from cranfield.errors.delimited_text import LARGEST_JSON, LONGEST_LINE
from cranfield.formats.compression import SUFFIXES, reader_by, signs_of_damage
from cranfield.formats.remote import DATABASES, Place, RemotePath, has_pattern, is_remote, local_path, place_of

BLOCK = 1 << 18
"""Bytes of text that are looked at together; with more, the pieces leave the processor's cache."""

HEAD = 1 << 16
"""Bytes at the start of a file that show its format."""

_FORMAT_SUFFIXES = (
    *(".run", ".txt", ".tsv", ".csv", ".json", ".jsonl", ".parquet", ".res", ".trec"),
    *(".arrow", ".feather", ".eval", ".xlsx", ".xlsm", ".ods"),
    *(".svmlight", ".libsvm", ".letor"),
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
    file: Place
    """Where the bytes are: the path itself, or a temporary copy of a stream."""
    told: Mapping[str, str | None] = field(default_factory=dict)
    """What folders on the way to it say of all its rows, such as `system=bm25`."""
    owner: object = None
    """What keeps a temporary copy as long as anybody reads it."""

    @contextmanager
    def open(self) -> Iterator[BinaryIO]:
        """The plain bytes, whatever the compression."""
        with saying_what_is_damaged(self.path), self.file.open("rb") as raw:
            yield decompressed(raw, self.path)

    @property
    def size(self) -> int:
        """Bytes of the file as it is, compressed or not; none where nobody knows."""
        return (self.file.size or 0) if isinstance(self.file, RemotePath) else self.file.stat().st_size

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


@dataclass(frozen=True, eq=False)
class DatabaseAddress(Source):
    """A database that is named by its address; what it holds is read by whoever knows its tables."""

    address: str = field(kw_only=True)
    """With the password, if it has one; `path` is what may be shown."""

    @cached_property
    def head(self) -> bytes:
        """Nothing: it is no file."""
        return b""


def is_address(given: object) -> bool:
    """Whether the address of a database is meant, rather than a path.

    >>> is_address("postgresql://127.0.0.1/garden"), is_address("judging.db")
    (True, False)
    """
    return isinstance(given, str) and given.startswith(DATABASES)


def without_password(address: str) -> str:
    """An address that can be shown.

    >>> without_password("postgresql://ada:secret@127.0.0.1:5432/team?password=secret")
    'postgresql://ada@127.0.0.1:5432/team'
    """
    from urllib.parse import parse_qsl, urlencode, urlsplit, urlunsplit

    parts = urlsplit(address)
    user, at, host = parts.netloc.rpartition("@")
    options = [(name, value) for name, value in parse_qsl(parts.query) if name in ("schema", "host", "port")]
    return urlunsplit(parts._replace(netloc=user.partition(":")[0] + at + host, query=urlencode(options)))


def as_source(given: object, wanted: str | None = None) -> Source | None:
    """The file meant by a path, `-` or an open file; nothing if it is none of these.

    What is wanted from it (`judgments`, `queries`, `documents`) chooses the file of a folder that has one for each.
    """
    if isinstance(given, Source):
        return given
    if isinstance(given, str) and given == "-":
        if sys.stdin is None:
            raise DataError([errors.files.unreadable("standard input", "it is closed")])
        return _copied(getattr(sys.stdin, "buffer", sys.stdin), "standard input", "stdin")
    if isinstance(given, str) and is_address(given):
        return DatabaseAddress(without_password(given), "judging", Path(), address=given)
    if is_collection(given):
        return _of_named_collection(given, wanted)
    if isinstance(given, str | os.PathLike):
        if not os.fspath(given):
            raise UsageError("The path is empty. Name a file, or - for standard input.")
        return source_at(place_of(os.fsdecode(given)), wanted)
    if hasattr(given, "read"):
        name = getattr(given, "name", None)
        if isinstance(name, str):
            return _copied(given, name, run_name(name))
        return _copied(given, "the file object", "run")
    return None


NAMED = "ir_datasets:"
"""What the name of a collection of ir_datasets begins with."""


def is_collection(given: object) -> bool:
    """Whether a collection of ir_datasets is named, or is an object of that package.

    >>> is_collection("ir_datasets:cranfield"), is_collection("qrels.txt")
    (True, False)
    """
    if isinstance(given, str):
        return given.startswith(NAMED)
    # Not by its class: other packages wrap such objects.
    return all(callable(getattr(given, name, None)) for name in ("has_qrels", "has_docs"))


def _of_named_collection(given: object, wanted: str | None) -> Source:
    from cranfield.formats import named_collections

    path, lines = named_collections.lines_of(given, wanted)
    return _copied(io.BytesIO(b"".join(lines)), path, path.removeprefix(NAMED))


def is_there(path: str) -> bool:
    """Whether something is at a path; nothing is at one that no file can have. Of an address, reading it tells."""
    try:
        return is_remote(path) or Path(local_path(path)).exists()
    except (OSError, ValueError):
        return False


def is_folder(given: object) -> TypeGuard[str | os.PathLike[str]]:
    """Whether a path is that of a folder."""
    if not isinstance(given, str | os.PathLike) or given == "-" or is_address(given):
        return False
    if is_remote(given):
        return place_of(os.fspath(given)).is_dir()
    try:
        return Path(local_path(os.fsdecode(given))).is_dir()
    except (OSError, ValueError):
        return False


def is_pattern(given: object) -> TypeGuard[str | os.PathLike[str]]:
    """Whether a pattern for the names of several files is meant, rather than a file that is called so.

    >>> is_pattern("part-*.parquet"), is_pattern("bm25.run")
    (True, False)
    """
    if not isinstance(given, str | os.PathLike) or is_address(given):
        return False
    path = os.fspath(given)
    if is_remote(path):
        return has_pattern(path)
    return isinstance(path, str) and any(sign in path for sign in "*?[") and not is_there(path)


def file_hash(path: str | None) -> str | None:
    """A hash of a file's bytes; nothing for what is no file, such as standard input."""
    import hashlib

    if path is None or is_remote(path):
        return None
    try:
        with Path(local_path(path)).open("rb") as opened:
            return hashlib.file_digest(opened, "sha256").hexdigest()
    except OSError:
        return None


def text_of(path: str) -> str:
    """The whole text of a small file, such as one of rules."""
    try:
        return source_at(place_of(path)).text().decode().replace("\r\n", "\n")
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


def source_at(file: Place, wanted: str | None = None) -> Source:
    """The file at a place."""
    path = str(file)
    if isinstance(file, RemotePath):
        file.require()
    else:
        _require_readable(file)
    if file.is_dir():
        chosen = collection_file(file, wanted)
        if chosen is None:
            raise DataError([errors.files.is_directory(path)])
        return source_at(chosen)
    if isinstance(file, RemotePath):
        return _of_address(file)
    if file.is_file():
        return _of_workbook(path, file) if file.suffix.lower() in _WORKBOOKS else Source(path, run_name(path), file)
    with saying_what_is_damaged(path), file.open("rb") as pipe:  # as the shell's <(zcat bm25.run.gz)
        return _copied(pipe, path, run_name(path))


def _require_readable(file: Path) -> None:
    path = str(file)
    try:
        file.stat()
    except FileNotFoundError:
        raise DataError([errors.files.no_such_file(path, _near(file))]) from None
    except (OSError, ValueError) as error:  # a name may hold what no name can
        raise DataError([errors.files.unreadable(path, getattr(error, "strerror", None) or str(error))]) from None
    if not os.access(file, os.R_OK):
        raise DataError([errors.files.unreadable(path, "Permission denied")])


_LOCAL = (b"PK\x03\x04", b"SQLite")
"""What files begin with that libraries read by their path."""


def _of_address(file: RemotePath) -> Source:
    """A file of a store as it is; one of a web server, or one that libraries read by its path, as a copy."""
    path = str(file)
    if not file.is_streamed:
        source = Source(path, run_name(file.name), file)
        if not source.head.startswith(_LOCAL):
            return source
    with saying_what_is_damaged(path), file.open("rb") as stream:
        copied = _copied(stream, path, run_name(file.name))
    return _of_workbook(path, copied.file, copied.name) if file.suffix.lower() in _WORKBOOKS else copied


_WORKBOOKS = (".xlsx", ".xlsm", ".ods")


def _of_workbook(path: str, file: Place, name: str | None = None) -> Source:
    """The sheet of a workbook, as the CSV file that it could have been saved as."""
    plain = Source(path, name or run_name(path), file)
    if not plain.head.startswith(b"PK\x03\x04"):
        return plain
    from cranfield.formats.workbooks import text_of_workbook

    return _copied(io.BytesIO(text_of_workbook(str(file), path)), path, plain.name)


_IN_A_COLLECTION = {"queries": "queries.jsonl", "documents": "corpus.jsonl"}


def collection_file(given: str | os.PathLike[str] | RemotePath, wanted: str | None) -> Place | None:
    """The file of a folder laid out as BEIR does: texts of queries and documents, and judgments for each split."""
    folder = given if isinstance(given, RemotePath) else place_of(os.fspath(given))
    if wanted == "judgments":
        splits: list[Place] = sorted((folder / "qrels").glob("*.tsv"), key=str)
        test = next((split for split in splits if split.name == "test.tsv"), None)
        if len(splits) > 1 and test is None:
            raise DataError([errors.files.several_splits(str(folder), [split.name for split in splits])])
        return test or next(iter(splits), None)
    name = _IN_A_COLLECTION.get(wanted or "", "")
    return next((found for end in ("", *SUFFIXES) if name and (found := folder / f"{name}{end}").is_file()), None)


def _copied(stream: Any, path: str, name: str) -> Source:
    # A stream passes by once, and both telling its format and a run whose queries are not grouped need more.
    file, owner = temporary_file(), _Owner()
    remove_with(owner, file)
    with saying_what_is_damaged(path), file.open("wb") as target:
        try:
            _copy(stream, target)
        except UnicodeError:
            raise DataError([errors.rows.not_utf8(path)]) from None
        except ValueError as error:  # a file that is closed
            raise DataError([errors.files.unreadable(path, str(error))]) from None
    return Source(path, name, file, owner=owner)


class _Owner:
    """Whom a temporary file belongs to."""


def temporary_file() -> Path:
    """A new file that only this user can read."""
    import tempfile

    descriptor, path = tempfile.mkstemp(prefix="cranfield-")
    os.close(descriptor)
    return Path(path)


def remove_with(owner: object, file: Path) -> None:
    """Remove a temporary file when what it belongs to is gone."""
    weakref.finalize(owner, file.unlink, missing_ok=True)


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


def _near(file: Path) -> list[str]:
    try:
        neighbours = [entry.name for entry in file.parent.iterdir()]
    except OSError:
        return []
    return [str(file.parent / name) for name in errors.findings.nearest(file.name, neighbours)]


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


def decompressed(raw: BinaryIO, path: str) -> BinaryIO:
    """The plain bytes of an open file, from its start."""
    magic = raw.read(6)
    raw.seek(0)
    if (encoding := _utf16_in(magic)) is not None:
        return cast(BinaryIO, io.BufferedReader(_Decoded(raw, path, encoding)))
    open_compressed = reader_by(magic)
    return raw if open_compressed is None else open_compressed(raw, path)


@contextmanager
def saying_what_is_damaged(path: str) -> Iterator[None]:
    """Turn what reading and decompressing may raise into findings."""
    try:
        yield
    except EOFError:
        raise DataError([errors.files.broken_compression(path, "they end too early")]) from None
    except signs_of_damage() as error:
        raise DataError([errors.files.broken_compression(path, str(error))]) from None
    except OSError as error:
        if error.errno is None:  # bz2 raises a bare OSError
            raise DataError([errors.files.broken_compression(path, str(error))]) from None
        raise DataError([errors.files.unreadable(path, error.strerror or str(error))]) from None


def _utf16_in(magic: bytes) -> str | None:
    """The kind of UTF-16 that a file begins as, by its mark or by every other byte of the first three letters.

    >>> _utf16_in("qid".encode("utf-16-le")), _utf16_in("qid".encode("utf-16")), _utf16_in(b"qid\\t")
    ('utf-16-le', 'utf-16', None)
    """
    if magic.startswith(_UTF16):
        return "utf-16"
    for encoding, letters, others in (("utf-16-le", magic[::2], magic[1::2]), ("utf-16-be", magic[1::2], magic[::2])):
        if others == b"\0\0\0" and letters.isascii() and letters.decode().isprintable():
            return encoding
    return None


class _Decoded(io.RawIOBase):
    """Text in UTF-16, as spreadsheet programs save "Unicode text", in UTF-8."""

    def __init__(self, raw: BinaryIO, path: str, encoding: str) -> None:
        self.raw = raw
        self.path = path
        self.decoder = codecs.getincrementaldecoder(encoding)()
        self.ready = b""
        self.is_over = False

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        while not self.ready and not self.is_over:
            data = self.raw.read(BLOCK)
            self.is_over = not data
            try:
                self.ready = self.decoder.decode(data, final=self.is_over).encode()
            except UnicodeError:
                raise DataError([errors.files.broken_encoding(self.path, "UTF-16")]) from None
        count = min(len(buffer), len(self.ready))
        buffer[:count] = self.ready[:count]
        self.ready = self.ready[count:]
        return count

    def close(self) -> None:
        self.raw.close()
        super().close()


_UTF16 = (b"\xff\xfe", b"\xfe\xff")
