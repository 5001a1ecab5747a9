"""What a disk holds after the power failed: real writes of a process that judges, recorded, then cut off anywhere.

A write is certain to be on the disk only when its file was synced after it; before, any of its sectors may be there or
not. That a file has its name is certain only when its folder was synced.
"""

from __future__ import annotations

import os
import random
import shutil
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

SECTOR = 512
"""Bytes that a disk writes completely or not at all."""
ACKNOWLEDGED = "acknowledged"
"""The file into which the recorded process writes the key of each label after it was acknowledged, a line each."""
RECORDER = Path(__file__).with_name("recorder.c")


class Write(NamedTuple):
    """Something that a process did to a file of its folder."""

    kind: str
    """`w` a write, `t` a cut, `s` a sync, `r` a new name, `u` a removal."""
    name: str
    """Of the file; of the folder itself it is empty."""
    number: int
    """Where a write begins, or how long a file is after a cut."""
    data: bytes


def recorded(program: str, folder: Path, *arguments: str) -> list[Write]:
    """Everything that a Python program does to the files of an empty folder."""
    library, log = folder.with_name("recorder.so"), folder.with_name("recorded")
    compiler = shutil.which("cc") or shutil.which("gcc")
    assert compiler is not None
    subprocess.run([compiler, "-shared", "-fPIC", "-O1", "-o", library, RECORDER, "-ldl", "-lpthread"], check=True)
    recording = {"LD_PRELOAD": str(library), "RECORDED_FOLDER": str(folder), "RECORDED_LOG": str(log)}
    subprocess.run(
        [sys.executable, "-c", program, str(folder), *arguments], check=True, env={**os.environ, **recording}
    )
    return list(_writes(log.read_bytes(), str(folder)))


def _writes(log: bytes, folder: str) -> Iterator[Write]:
    at = 0
    while at < len(log):
        end = log.index(b"\n", at)
        kind, path, number, length = log[at:end].decode().split("\t")
        at = end + 1 + int(length)
        yield Write(kind, path.removeprefix(folder).strip("/"), int(number), log[end + 1 : at])


@dataclass
class _File:
    """A file as it is on the disk for certain, and what may be there as well."""

    certain: bytearray = field(default_factory=bytearray)
    pending: list[Write] = field(default_factory=list)

    def sync(self) -> None:
        for write in self.pending:
            apply(self.certain, write)
        self.pending.clear()

    def after_cut(self, kept: float, rng: random.Random) -> bytes:
        """Its content where each sector that was not synced is there with some probability."""
        content = bytearray(self.certain)
        for write in self.pending:
            if write.kind == "t":
                if rng.random() < kept:
                    apply(content, write)
                continue
            for piece in _sectors(write):
                if rng.random() < kept:
                    apply(content, piece)
        return bytes(content)


def apply(content: bytearray, write: Write) -> None:
    """Do to a file what was done to it."""
    if write.kind == "t":
        del content[write.number :]
        content.extend(bytes(write.number - len(content)))
        return
    content.extend(bytes(max(write.number - len(content), 0)))
    content[write.number : write.number + len(write.data)] = write.data


def _sectors(write: Write) -> Iterator[Write]:
    at, end = write.number, write.number + len(write.data)
    while at < end:
        stop = min((at // SECTOR + 1) * SECTOR, end)
        yield Write("w", write.name, at, write.data[at - write.number : stop - write.number])
        at = stop


class Cut(NamedTuple):
    """What is left when the power fails."""

    at: int
    """After so many writes."""
    files: Mapping[str, bytes]
    acknowledged: Sequence[str]
    """Keys of labels that judges had been told of as saved."""


def cuts(writes: Sequence[Write], places: Sequence[int], rng: random.Random) -> Iterator[Cut]:
    """The disk after so many writes, for each of some numbers in rising order."""
    disk = _Disk()
    done = 0
    for place in places:
        for write in writes[done:place]:
            disk.do(write)
        done = place
        yield Cut(place, disk.after_cut(rng), disk.acknowledged)


class _Disk:
    """Files by number, so that a new name is no new file; names as they are, and as they are for certain."""

    def __init__(self) -> None:
        self.files: list[_File] = []
        self.names: dict[str, int] = {}
        self.certain_names: dict[str, int] = {}
        self.said = bytearray()

    @property
    def acknowledged(self) -> list[str]:
        return self.said.decode().split("\n")[:-1]

    def do(self, write: Write) -> None:
        if write.name == ACKNOWLEDGED:
            self.said += write.data
        elif write.kind == "r":
            new = Path(write.data.decode()).name
            self.names[new] = self.names.pop(write.name)
        elif write.kind == "u":
            self.names.pop(write.name, None)
        elif write.kind == "s" and write.name == "":
            self.certain_names = dict(self.names)
        elif write.kind == "s":
            self._file(write.name).sync()
        else:
            self._file(write.name).pending.append(write)

    def _file(self, name: str) -> _File:
        if name not in self.names:
            self.names[name] = len(self.files)
            self.files.append(_File())
        return self.files[self.names[name]]

    def after_cut(self, rng: random.Random) -> dict[str, bytes]:
        names = rng.choice((self.names, self.certain_names))
        kept = rng.choice((0.0, 0.0, 0.1, 0.5, 0.9, 1.0))
        return {name: self.files[number].after_cut(kept, rng) for name, number in names.items()}
