"""Files that are named by an address: of object stores, of file systems that fsspec knows, and of web servers.

A `RemotePath` does what readers ask of a `Path`. Files of a store are read where they are, as far as they are needed;
those of a web server pass by once, and are copied.
"""

from __future__ import annotations

import io
import re
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from pathlib import Path, PurePosixPath
from typing import Any, BinaryIO, Literal, NamedTuple, cast

from cranfield import errors
from cranfield.errors import CranfieldError, DataError

_ADDRESS = re.compile(r"[A-Za-z][\w+.-]*(::[A-Za-z][\w+.-]*)*://")
_QUERY, _OPTIONS = re.compile(r"\?"), re.compile(r"\?(?=[\w.-]+=)")
"""Where the options of an address begin; in a store any other question mark stands for a letter of a name."""
_USER = re.compile(r"(?<=://)([^/@:]*)(:(?!\d+/)[^@]*)?@")
"""A user and a password, in which a slash may have been left as it is."""
WEB = ("http://", "https://")
DATABASES = ("postgresql://", "postgres://")
BY_PYARROW = ("s3", "gs", "gcs", "abfs", "abfss", "hdfs", "viewfs")
PATIENCE = 30
"""Seconds in which Google's store is asked again; its own limit is a quarter of an hour."""
SIGNS = re.compile(r"[*?\[]")


def is_remote(given: object) -> bool:
    """Whether a file is named by an address, rather than by a path of this machine.

    >>> is_remote("s3://bucket/bm25.run"), is_remote("bm25.run"), is_remote("postgresql://127.0.0.1/garden")
    (True, False, False)
    """
    return isinstance(given, str) and bool(_ADDRESS.match(given)) and not given.startswith(("file://", *DATABASES))


def local_path(given: str) -> str:
    """A path as it is, and what `file://` stands before as a path.

    >>> local_path("file:///runs/k1%3D0.9.run"), local_path("runs/bm25.run")
    ('/runs/k1=0.9.run', 'runs/bm25.run')
    """
    if not given.startswith("file://"):
        return given
    from urllib.parse import unquote

    return unquote(given.removeprefix("file://").removeprefix("localhost"))


def visible(given: str) -> str:
    """An address as anyone may see it: without user, password and options, of which any could be a secret.

    >>> visible("https://ada:secret@example.org/bm25.run?sig=secret"), visible("bm25.run")
    ('https://example.org/bm25.run', 'bm25.run')
    """
    if not is_remote(given):
        return given
    has_containers = given.startswith(("abfs://", "abfss://"))
    bare = _USER.sub(r"\1@" if has_containers else "", _parts(given)[0], count=1)
    if not given.startswith(WEB):
        return bare
    # What options alone distinguish are different files all the same.
    several = _known.setdefault(bare, [])
    if given not in several:
        several.append(given)
    number = several.index(given) + 1
    return bare if number == 1 else f"{bare} ({number})"


_known: dict[str, list[str]] = {}
"""What each address of a web server that is shown stands for."""


def _parts(address: str) -> tuple[str, str]:
    """An address without its options, and these."""
    begin = (_QUERY if address.startswith(WEB) else _OPTIONS).search(address)
    return (address, "") if begin is None else (address[: begin.start()], address[begin.end() :])


def next_to(path: str, name: str) -> str:
    """What a file calls another one, as seen from its own folder.

    >>> next_to("rules/gate.toml", "base.json"), next_to("s3://bucket/gate.toml?region=r", "base.json")
    ('rules/base.json', 's3://bucket/base.json?region=r')
    """
    if is_remote(name):
        return name
    if not is_remote(path):
        return str(Path(local_path(path)).parent / name)
    plain, options = _parts(path)
    return f"{plain.rpartition('/')[0]}/{name}{'?' if options else ''}{options}"


def has_pattern(address: str) -> bool:
    """Whether several files are meant by an address."""
    return SIGNS.search(_ADDRESS.sub("", _parts(address)[0])) is not None


class Entry(NamedTuple):
    """What a store knows of a name."""

    is_folder: bool
    size: int | None


@dataclass(frozen=True)
class FileStore:
    """A file system by its keys, which are paths without a scheme."""

    info: Callable[[str], Entry | None]
    """Nothing where nothing has this name."""
    entries: Callable[[str, bool], Iterable[tuple[str, Entry]]]
    """What is in a folder, perhaps in the folders below too."""
    opened: Callable[[str], Any]


@dataclass(frozen=True, eq=False)
class RemotePath:
    """A file or folder at an address, as far as readers need what a `Path` does."""

    address: str
    """As it was given, with whatever is secret."""
    key: str
    """Its name in the store."""
    text: str
    """What messages call it."""
    known: Entry | None = None

    def __str__(self) -> str:
        return self.text

    def __truediv__(self, name: str) -> RemotePath:
        return self._other(f"{self.key.rstrip('/')}/{name}")

    @property
    def parts(self) -> tuple[str, ...]:
        """The names on the way to it."""
        return tuple(filter(None, self.key.split("/")))

    @property
    def name(self) -> str:
        """The last of them."""
        return PurePosixPath(self.key).name

    @property
    def suffix(self) -> str:
        """How its name ends."""
        return PurePosixPath(self.key).suffix

    @property
    def is_streamed(self) -> bool:
        """Whether its bytes pass by once."""
        return self.address.startswith(WEB)

    def is_dir(self) -> bool:
        """Whether it is a folder."""
        return not self.is_streamed and (entry := self._entry) is not None and entry.is_folder

    def is_file(self) -> bool:
        """Whether it is there, and no folder."""
        return self.is_streamed or ((entry := self._entry) is not None and not entry.is_folder)

    @property
    def size(self) -> int | None:
        """Bytes of the file, where the store knows them."""
        return None if self._entry is None else self._entry.size

    def iterdir(self) -> Iterator[RemotePath]:
        """What is in the folder."""
        return self._inside(all_below=False)

    def below(self) -> Iterator[RemotePath]:
        """All files in the folder and the folders below."""
        return (path for path in self._inside(all_below=True) if path.known is not None and not path.known.is_folder)

    def glob(self, pattern: str) -> Iterator[RemotePath]:
        """What names below the folder fit a pattern; `**` stands for any folders."""
        if not self.is_dir():
            return
        first, _, rest = pattern.partition("/")
        if first == "**":
            inside = list(self._inside(all_below=True))
            folders = [self, *(path for path in inside if path.is_dir())]
            found = {path.key: path for folder in folders for path in (folder.glob(rest) if rest else [folder])}
            yield from found.values()
            return
        if SIGNS.search(first) is None:
            fitting: Iterable[RemotePath] = [self / first] if first else [self]
        else:
            from fnmatch import fnmatchcase

            hidden = first.startswith(".")
            fitting = [
                path
                for path in self.iterdir()
                if fnmatchcase(path.name, first) and (hidden or not path.name.startswith("."))
            ]
        for path in fitting:
            if rest:
                yield from path.glob(rest) if path.is_dir() else ()
            elif path.is_file() or path.is_dir():
                yield path

    @contextmanager
    def open(self, mode: Literal["rb"] = "rb") -> Iterator[BinaryIO]:
        """The bytes, which all have to come."""
        if self.is_streamed:
            with self._downloaded() as body:
                yield body
            return
        size = self.size
        with self._failing():
            opened = self._store.opened(self.key)
        with opened, io.BufferedReader(_WholeFile(opened, size, self), LARGEST_PIECE) as raw:
            yield cast(BinaryIO, raw)

    def require(self) -> None:
        """Refuse a name that nothing has."""
        if self.is_streamed or self._entry is not None:
            return
        bucket = self.parts[0] if self.parts else ""
        in_bucket = self.address.startswith(("s3://", "gs://")) and len(self.parts) > 1
        with self._failing():
            gone = in_bucket and self._store.info(bucket) is None
        if gone:
            raise DataError([errors.remote.no_such_bucket(self.text, bucket)])
        raise DataError([errors.remote.not_there(self.text)])

    @property
    def _store(self) -> FileStore:
        return _store_of(self.address, self.text)[0]

    @cached_property
    def _entry(self) -> Entry | None:
        if self.known is not None:
            return self.known
        with self._failing():
            return self._store.info(self.key)

    def _inside(self, *, all_below: bool) -> Iterator[RemotePath]:
        with self._failing():
            entries = list(self._store.entries(self.key, all_below))
        for key, entry in sorted(entries):
            if key.strip("/") != self.key.strip("/"):
                yield self._other(key, entry)

    def _other(self, key: str, known: Entry | None = None) -> RemotePath:
        text = self.text.removesuffix("/")
        own = self.key.rstrip("/")
        text = text + key[len(own) :] if key.startswith(own) else text + "/" + key
        return replace(self, key=key, text=text, known=known)

    @contextmanager
    def _downloaded(self) -> Iterator[BinaryIO]:
        from cranfield.requesting.downloads import downloaded
        from cranfield.requesting.failures import Failure

        try:
            with downloaded(self.address, secrets_in(self.address)) as body:
                yield body
        except Failure as failure:
            raise DataError([errors.remote.not_reached(self.text, failure.detail)]) from None

    @contextmanager
    def _failing(self) -> Iterator[None]:
        """Whatever a store raises, which may be anything, in our words and without secrets."""
        try:
            yield
        except CranfieldError:
            raise
        except ImportError as error:
            raise DataError([_missing(self.address, self.text, error)]) from None
        except Exception as error:  # of any library
            said = without_secrets(str(error).strip().split("\n")[0] or type(error).__name__, self.address)
            raise DataError([errors.remote.not_reached(self.text, said)]) from None


def remote_path(address: str) -> RemotePath:
    """What is at an address; nothing is asked for yet."""
    text = visible(address)
    if address.startswith(WEB):
        from urllib.parse import unquote, urlsplit

        return RemotePath(address, unquote(urlsplit(address).path), text)
    return RemotePath(address, _store_of(address, text)[1], text)


def fitting(address: str) -> list[RemotePath]:
    """The files that a pattern in an address fits."""
    if address.startswith(WEB):
        raise DataError([errors.remote.not_listed(visible(address))])
    segments = _segments(address)
    pattern = "/".join(segments[_first_pattern(segments) :])
    return sorted(fixed_part(address).glob(pattern), key=lambda path: path.parts)


def fixed_part(address: str) -> RemotePath:
    """The folder below which a pattern begins."""
    plain, options = _parts(address)
    segments = _segments(address)
    first = _first_pattern(segments)
    length = len(plain) - len("/".join(segments[first:]))
    return remote_path(plain[:length] + (f"?{options}" if options else ""))


def _segments(address: str) -> list[str]:
    return _ADDRESS.sub("", _parts(address)[0]).split("/")


def _first_pattern(segments: list[str]) -> int:
    return next(at for at, segment in enumerate(segments) if SIGNS.search(segment))


def secrets_in(address: str) -> list[str]:
    """Whatever in an address could be secret, longest first."""
    from urllib.parse import parse_qsl, unquote

    plain, options = _parts(address)
    user = _USER.search(plain)
    values = [value for _, value in parse_qsl(options)]
    values += [user[1], (user[2] or "")[1:]] if user else []
    found = {one for value in values for one in (value, unquote(value)) if len(one) > 3}
    return sorted(found, key=len, reverse=True)


def without_secrets(text: str, address: str) -> str:
    """What a library says about an address, as anyone may read it.

    >>> without_secrets("no 'http://ada:verysecret@host/f?key=k3y'; verysecret is wrong", "http://ada:verysecret@host/f")
    "no 'http://host/f'; *** is wrong"
    """
    text = re.sub(r"(://[^\s'\"?]*)\?[^\s'\")]*", r"\1", _USER.sub("", text))
    for secret in secrets_in(address):
        text = text.replace(secret, "***")
    return text


FIRST_PIECE, LARGEST_PIECE = 1 << 16, 1 << 23
"""Bytes that are asked for at once: few at first, which show the format, then more and more."""


class _WholeFile(io.RawIOBase):
    """A file of a store, of which all bytes have to come."""

    def __init__(self, opened: Any, size: int | None, path: RemotePath) -> None:
        self.opened, self.size, self.path = opened, size, path
        self.at = 0
        self.piece = FIRST_PIECE

    def readable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return True

    def tell(self) -> int:
        return self.at

    def seek(self, offset: int, whence: int = 0) -> int:
        if whence == 2 and self.size is None:
            with self.path._failing():
                self.at = self.opened.seek(offset, 2)
            return self.at
        self.at = offset + (0, self.at, self.size or 0)[whence]
        return self.at

    def readinto(self, buffer: Any) -> int:
        data = self._read(min(len(buffer), self.piece))
        self.piece = min(2 * self.piece, LARGEST_PIECE)
        buffer[: len(data)] = data
        return len(data)

    def read(self, count: int = -1) -> bytes:
        """So many bytes, or those up to the end."""
        pieces = []
        while count and (data := self._read(count if count > 0 else LARGEST_PIECE)):
            pieces.append(data)
            count = max(count - len(data), 0) if count > 0 else count
        return b"".join(pieces)

    def _read(self, count: int) -> bytes:
        left = count if self.size is None else max(min(count, self.size - self.at), 0)
        with self.path._failing():
            self.opened.seek(self.at)
            data: bytes = self.opened.read(left) if left else b""
        if left and not data and self.size is not None:
            raise DataError([errors.remote.cut_off(self.path.text, self.at, self.size)])
        self.at += len(data)
        return data


def unbuffered(opened: BinaryIO) -> BinaryIO:
    """A file of a store as libraries read it that choose their pieces themselves; any other as it is."""
    raw = getattr(opened, "raw", None)
    if not isinstance(raw, _WholeFile):
        return opened
    raw.seek(opened.tell())
    return cast(BinaryIO, raw)


# Stores


def _store_of(address: str, text: str) -> tuple[FileStore, str]:
    """The store of an address, and its key there."""
    plain, options = _parts(address)
    scheme, _, rest = plain.partition("://")
    unknown = RemotePath(address, rest, text)
    with unknown._failing():
        if scheme.lower() in BY_PYARROW:
            host, _, key = rest.partition("/")
            try:
                store, root = _pyarrow_store(scheme.lower(), host, options)
                return store, root + key
            except ImportError:
                pass
        return _fsspec_store(plain + (f"?{options}" if options else ""), text)


@lru_cache(maxsize=16)
def _pyarrow_store(scheme: str, host: str, options: str) -> tuple[FileStore, str]:
    from pyarrow import fs

    if scheme in ("gs", "gcs") and "retry_limit_seconds=" not in options:
        options = "&".join(filter(None, [options, f"retry_limit_seconds={PATIENCE}"]))
    system, root = fs.FileSystem.from_uri(f"{'gs' if scheme == 'gcs' else scheme}://{host}/@?{options}")

    def entry(found: Any) -> Entry | None:
        if found.type == fs.FileType.NotFound:
            return None
        return Entry(found.type == fs.FileType.Directory, found.size)

    def entries(key: str, all_below: bool) -> Iterator[tuple[str, Entry]]:
        for found in system.get_file_info(fs.FileSelector(key.rstrip("/"), recursive=all_below)):
            if (known := entry(found)) is not None:
                yield found.path, known

    store = FileStore(lambda key: entry(system.get_file_info(key.rstrip("/"))), entries, system.open_input_file)
    return store, root.removesuffix("@")


def _fsspec_store(address: str, text: str) -> tuple[FileStore, str]:
    from fsspec.core import url_to_fs

    try:
        system, key = url_to_fs(address)
    except ValueError as error:
        if "rotocol not known" in str(error):
            raise DataError([errors.remote.unknown_scheme(text, address.partition("://")[0])]) from None
        raise

    def entry(found: Any) -> Entry:
        return Entry(found["type"] == "directory", found.get("size"))

    def info(key: str) -> Entry | None:
        try:
            return entry(system.info(key))
        except FileNotFoundError:
            return None

    def entries(key: str, all_below: bool) -> Iterator[tuple[str, Entry]]:
        found = system.find(key, withdirs=True, detail=True).values() if all_below else system.ls(key, detail=True)
        for one in found:
            yield one["name"], entry(one)

    return FileStore(info, entries, lambda key: system.open(key, "rb")), key


def _missing(address: str, text: str, error: ImportError) -> errors.Finding:
    scheme = address.partition("://")[0].lower()
    if scheme in BY_PYARROW:
        return errors.packages.missing_reader(text, f"{scheme}:// addresses", "pyarrow")
    if (error.name or "").partition(".")[0] == "fsspec" or "fsspec" in str(error):
        return errors.packages.missing_reader(text, f"{scheme}:// addresses", "fsspec")
    return errors.remote.not_reached(text, str(error))


Place = Path | RemotePath
"""Where a file or folder is."""


def place_of(path: str) -> Place:
    """What a path or an address names."""
    return remote_path(path) if is_remote(path) else Path(local_path(path))
