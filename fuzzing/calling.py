"""Calls of the command, in this process."""

from __future__ import annotations

import io
import os
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path


def called_command(arguments: Sequence[str], folder: Path) -> tuple[object, str, str]:
    """The exit code of a call in a folder, and what it prints to standard output and to standard error."""
    from cranfield.cli import main

    code: object = None
    with _streams(arguments) as (output, errors), _inside(folder):
        try:
            main()
        except SystemExit as end:
            code = end.code or 0
        return code, output.getvalue().decode(), errors.getvalue().decode()


@contextmanager
def _streams(arguments: Sequence[str]) -> Iterator[tuple[io.BytesIO, io.BytesIO]]:
    before = sys.argv, sys.stdin, sys.stdout, sys.stderr
    output, errors = io.BytesIO(), io.BytesIO()
    sys.argv = ["cranfield", *arguments]
    sys.stdin = io.TextIOWrapper(io.BytesIO())
    sys.stdout = io.TextIOWrapper(output, encoding="utf-8", write_through=True)
    sys.stderr = io.TextIOWrapper(errors, encoding="utf-8", errors="backslashreplace", write_through=True)
    try:
        yield output, errors
    finally:
        sys.argv, sys.stdin, sys.stdout, sys.stderr = before


@contextmanager
def _inside(folder: Path) -> Iterator[None]:
    before = Path.cwd()
    os.chdir(folder)
    try:
        yield
    finally:
        os.chdir(before)
