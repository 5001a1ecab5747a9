"""Calls of the command, in this process."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryFile
from typing import IO, TextIO


def called_command(arguments: Sequence[str], folder: Path) -> tuple[object, str, str]:
    """The exit code of a call in a folder, and what it prints to standard output and to standard error."""
    from cranfield.cli import main

    code: object = None
    with TemporaryFile(dir=folder.parent) as output, TemporaryFile(dir=folder.parent) as errors:
        with _streams(arguments, output, errors), _inside(folder):
            try:
                main()
            except SystemExit as end:
                code = end.code or 0
        return code, _content(output), _content(errors)


def _content(stream: IO[bytes]) -> str:
    stream.seek(0)
    return stream.read().decode()


@contextmanager
def _streams(arguments: Sequence[str], output: IO[bytes], errors: IO[bytes]) -> Iterator[None]:
    """Arguments and streams as a process of its own has them."""
    before = sys.argv, sys.stdin, sys.stdout, sys.stderr
    sys.argv = ["cranfield", *arguments]
    with (
        Path(os.devnull).open() as nothing,
        _text(output, "strict") as printed,
        _text(errors, "backslashreplace") as told,
    ):
        sys.stdin, sys.stdout, sys.stderr = nothing, printed, told
        try:
            yield
        finally:
            sys.argv, sys.stdin, sys.stdout, sys.stderr = before


def _text(stream: IO[bytes], errors: str) -> TextIO:
    return open(os.dup(stream.fileno()), "w", encoding="utf-8", errors=errors)  # noqa: PTH123 - it is no path


@contextmanager
def _inside(folder: Path) -> Iterator[None]:
    before = Path.cwd()
    os.chdir(folder)
    try:
        yield
    finally:
        os.chdir(before)
