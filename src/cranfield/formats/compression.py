"""Compressed files, known by their first bytes whatever their name says."""

from __future__ import annotations

import importlib
import io
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, BinaryIO, cast

from cranfield import errors
from cranfield.errors import DataError

SUFFIXES = (".gz", ".bz2", ".xz", ".zst")


def decompressed(raw: BinaryIO, path: str) -> BinaryIO:
    """The plain bytes of an open file, from its start."""
    magic = raw.read(6)
    raw.seek(0)
    for start, open_compressed in _BY_MAGIC.items():
        if magic.startswith(start):
            return open_compressed(raw, path)
    return raw


@contextmanager
def saying_what_is_damaged(path: str) -> Iterator[None]:
    """Turn what reading and decompressing may raise into findings."""
    try:
        yield
    except EOFError:
        raise DataError([errors.files.broken_compression(path, "they end too early")]) from None
    except _signs_of_damage() as error:
        raise DataError([errors.files.broken_compression(path, str(error))]) from None
    except OSError as error:
        if error.errno is None:  # bz2 raises a bare OSError
            raise DataError([errors.files.broken_compression(path, str(error))]) from None
        raise DataError([errors.files.unreadable(path, error.strerror or str(error))]) from None


def _signs_of_damage() -> tuple[type[Exception], ...]:
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
            raise DataError([errors.files.missing_package(path, "zstandard", "zstd", "zstd files")]) from None
        decompressor = zstd.ZstdDecompressor().decompressobj
    return cast(BinaryIO, io.BufferedReader(_Frames(raw, decompressor, zstd.ZstdError)))


class _Frames(io.RawIOBase):
    """Zstd frames one after the other; unlike the package's own reader it notices a missing end."""

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
            compressed = self.frame.unused_data if self.frame.eof else b""
            if self.frame.eof:
                self.frame = self.new_decompressor()
        return b"".join(parts)


_BY_MAGIC: dict[bytes, Callable[[BinaryIO, str], BinaryIO]] = {
    b"\x1f\x8b": _gzip,
    # Behind BZh and a digit stands the first block, or the end: BZh alone may be how an id begins.
    **{b"BZh%d%s" % (level, block): _bzip2 for level in range(1, 10) for block in (b"1A", b"\x17r")},
    b"\xfd7zXZ\x00": _xz,
    b"\x28\xb5\x2f\xfd": _zstd,
}
