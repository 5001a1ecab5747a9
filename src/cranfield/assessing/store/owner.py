"""One process owns a store: a lock next to the file, and in it who holds it."""

from __future__ import annotations

import json
import os
import socket
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

from cranfield.formats.file_locks import lock_file


class ProgramAccess(NamedTuple):
    """Where programs on the same machine write through a server, and the token that they show."""

    url: str
    token: str


class Owner(NamedTuple):
    """Who holds a store."""

    host: str
    pid: int
    address: str = ""
    """Where it is served, once it is."""
    programs: tuple[str, str] | None = None
    """A `ProgramAccess`: nobody but the owner of the file, who may write to the store anyway, can read it."""


class OwnerLock:
    """A lock that ends with its process, however that ends."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._file: int | None = None

    def take(self) -> Owner | None:
        """Hold the lock; who holds it already, if anybody does."""
        while True:
            file = os.open(self.path, os.O_RDWR | os.O_CREAT, 0o600)
            if not lock_file(file):
                holder = self._holder(file)
                os.close(file)
                return holder
            # Whoever held it before may have taken the file away after it was opened here.
            with suppress(FileNotFoundError):
                if os.path.samestat(os.fstat(file), self.path.stat()):
                    break
            os.close(file)
        self._file = file
        self.announce("")
        return None

    def announce(self, address: str, programs: ProgramAccess | None = None) -> None:
        """Write down who holds it, and where the store is served."""
        if self._file is not None:
            owner = json.dumps(Owner(socket.gethostname(), os.getpid(), address, programs)._asdict())
            os.ftruncate(self._file, 0)
            os.pwrite(self._file, owner.encode(), 0)

    def release(self) -> None:
        """Let go; the file goes too."""
        if self._file is not None:
            with suppress(OSError):
                self.path.unlink()
            os.close(self._file)
            self._file = None

    def programs(self) -> ProgramAccess | None:
        """How to write through the server that holds it, if one on this machine does."""
        try:
            file = os.open(self.path, os.O_RDONLY)
        except OSError:
            return None
        owner = self._holder(file)
        os.close(file)
        is_here = owner.programs is not None and owner.host == socket.gethostname()
        return ProgramAccess(*owner.programs) if is_here and owner.programs else None

    @staticmethod
    def _holder(file: int) -> Owner:
        try:
            return Owner(**json.loads(os.pread(file, 4096, 0)))
        except (ValueError, TypeError, OSError):
            return Owner("", 0)
