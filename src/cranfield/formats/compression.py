"""Compressed files, by their first bytes where they are read and by the end of their names where they are written."""

from __future__ import annotations

import importlib
import io
import sys
from collections.abc import Callable
from pathlib import PurePath
from typing import IO, Any, BinaryIO, cast

from cranfield import errors
from cranfield.errors import DataError


def without_compression(name: str) -> str:
    """A file's name without the ending that tells its compression.

    >>> without_compression("bm25.run.gz"), without_compression("bm25.run")
    ('bm25.run', 'bm25.run')
    """
    ending = PurePath(name).suffix
    return name.removesuffix(ending) if ending.lower() in SUFFIXES else name


def reader_by(magic: bytes) -> Callable[[BinaryIO, str], BinaryIO] | None:
    """What decompresses a file that begins with these bytes; None where it is not compressed."""
    return next((open_compressed for start, open_compressed in _BY_MAGIC.items() if magic.startswith(start)), None)


def compressed(raw: BinaryIO, path: str) -> IO[bytes]:
    """Where to write what a file is to hold, compressed as its name ends; closing it leaves the file open."""
    open_compressed = _BY_ENDING.get(PurePath(path).suffix.lower())
    return cast(IO[bytes], _Uncompressed(raw)) if open_compressed is None else open_compressed(raw, path)


class _Uncompressed(io.RawIOBase):
    """The file itself, which whoever opened it closes."""

    def __init__(self, raw: BinaryIO) -> None:
        self.raw = raw

    def writable(self) -> bool:
        return True

    def write(self, data: Any) -> int:
        return self.raw.write(data)


def signs_of_damage() -> tuple[type[Exception], ...]:
    """What decompressing raises; asked for only when something was raised, so that plain files wait for no module."""
    import gzip
    import lzma
    import zlib

    isal = sys.modules.get("isal.isal_zlib")
    return (zlib.error, lzma.LZMAError, gzip.BadGzipFile, *([isal.error] if isal else []))


def _gzip(raw: BinaryIO, path: str) -> BinaryIO:
    try:
        isal = importlib.import_module("isal.igzip")  # three times as fast
    except ImportError:
        import gzip

        return cast(BinaryIO, gzip.GzipFile(fileobj=raw))
    return cast(BinaryIO, isal.IGzipFile(fileobj=raw))


def _bzip2(raw: BinaryIO, path: str) -> BinaryIO:
    import bz2

    return cast(BinaryIO, bz2.BZ2File(raw))


def _xz(raw: BinaryIO, path: str) -> BinaryIO:
    import lzma

    return cast(BinaryIO, lzma.LZMAFile(raw))


def _zstd(raw: BinaryIO, path: str) -> BinaryIO:
    try:
        zstd = importlib.import_module("compression.zstd")
        decompressor = zstd.ZstdDecompressor
    except ImportError:
        try:
            zstd = importlib.import_module("zstandard")
        except ImportError:
            raise DataError([errors.packages.missing_reader(path, "zstd files", "zstandard")]) from None
        decompressor = zstd.ZstdDecompressor().decompressobj
    return cast(BinaryIO, io.BufferedReader(_Frames(raw, decompressor, zstd.ZstdError)))


def _lz4(raw: BinaryIO, path: str) -> BinaryIO:
    # The package raises nothing more exact.
    return cast(BinaryIO, io.BufferedReader(_Frames(raw, _lz4_package(path).LZ4FrameDecompressor, RuntimeError)))


def _lz4_package(path: str, use: str = "") -> Any:
    try:
        return importlib.import_module("lz4.frame")
    except ImportError:
        raise DataError([errors.packages.missing_reader(path, f"{use}lz4 files", "lz4")]) from None


class _Frames(io.RawIOBase):
    """Frames of zstd or lz4 one after the other; unlike the packages' own readers it notices a missing end."""

    def __init__(self, raw: BinaryIO, decompressor: Callable[[], Any], error: type[Exception]) -> None:
        self.raw = raw
        self.new_decompressor = decompressor
        self.error = error
        self.frame = decompressor()
        self.begun = False
        self.ready = b""

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        while not self.ready:
            compressed = self.raw.read(1 << 17)
            if not compressed:
                if self.begun:
                    raise EOFError
                return 0
            self.ready = self._decompress(compressed)
        count = min(len(buffer), len(self.ready))
        buffer[:count] = self.ready[:count]
        self.ready = self.ready[count:]
        return count

    def close(self) -> None:
        self.raw.close()
        super().close()

    def _decompress(self, compressed: bytes) -> bytes:
        parts = []
        while compressed:
            try:
                parts.append(self.frame.decompress(compressed))
            except self.error as error:
                raise OSError(str(error)) from None
            self.begun = not self.frame.eof
            compressed = (self.frame.unused_data or b"") if self.frame.eof else b""
            if self.frame.eof:
                self.frame = self.new_decompressor()
        return b"".join(parts)


def _zstd_writer(raw: BinaryIO, path: str) -> IO[bytes]:
    try:
        return cast(IO[bytes], importlib.import_module("compression.zstd").ZstdFile(raw, "wb"))
    except ImportError:
        pass
    try:
        zstandard = importlib.import_module("zstandard")
    except ImportError:
        raise DataError([errors.packages.missing_reader(path, "or writing zstd files", "zstandard")]) from None
    return cast(IO[bytes], zstandard.ZstdCompressor().stream_writer(raw, closefd=False))


def _lz4_writer(raw: BinaryIO, path: str) -> IO[bytes]:
    return cast(IO[bytes], _lz4_package(path, "or writing ").LZ4FrameFile(raw, "wb"))


def _gzip_writer(raw: BinaryIO, path: str) -> IO[bytes]:
    import gzip

    # Neither a name nor a time: the same content is the same file.
    return cast(IO[bytes], gzip.GzipFile("", "wb", fileobj=raw, compresslevel=6, mtime=0))


def _bzip2_writer(raw: BinaryIO, path: str) -> IO[bytes]:
    import bz2

    return cast(IO[bytes], bz2.BZ2File(raw, "wb"))


def _xz_writer(raw: BinaryIO, path: str) -> IO[bytes]:
    import lzma

    return cast(IO[bytes], lzma.LZMAFile(raw, "wb"))


_BY_MAGIC: dict[bytes, Callable[[BinaryIO, str], BinaryIO]] = {
    b"\x1f\x8b": _gzip,
    # Behind BZh and a digit stands the first block, or the end: BZh alone may be how an id begins.
    **{b"BZh%d%s" % (level, block): _bzip2 for level in range(1, 10) for block in (b"1A", b"\x17r")},
    b"\xfd7zXZ\x00": _xz,
    b"\x28\xb5\x2f\xfd": _zstd,
    b"\x04\x22\x4d\x18": _lz4,
}

_BY_ENDING: dict[str, Callable[[BinaryIO, str], IO[bytes]]] = {
    ".gz": _gzip_writer,
    ".bz2": _bzip2_writer,
    ".xz": _xz_writer,
    ".zst": _zstd_writer,
    ".lz4": _lz4_writer,
}

SUFFIXES = tuple(_BY_ENDING)
"""Endings of names that tell the compression."""
