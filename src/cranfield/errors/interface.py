"""How advice names an option: as the command spells it, or as Python does."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager

NAME = "NAME"
"""What stands for a name that only the reader knows."""

_speaks_command = False


@contextmanager
def command_line() -> Iterator[None]:
    """While this lasts, advice is for somebody who called the command."""
    # Not a context variable: runs are read in threads, and advice comes from there too.
    global _speaks_command  # a process has one reader of its messages
    before, _speaks_command = _speaks_command, True
    try:
        yield
    finally:
        _speaks_command = before


def spoken(*, command: str, python: str) -> str:
    """What is told on the command line, or in Python."""
    return command if _speaks_command else python


def option(name: str, value: str | Mapping[str, str] = "", *, command: str | None = None) -> str:
    """An option with its value; `command` is its name there, if it is another one.

    >>> print(option("columns", {"document": NAME}), option("judges", "ada,ben"), option("min_impressions"))
    columns={"document": NAME} judges="ada,ben" min_impressions=
    >>> with command_line():
    ...     print(option("columns", {"document": NAME}), option("judges", "ada,ben"), option("min_impressions"))
    --columns document=NAME --judges ada,ben --min-impressions
    """
    if isinstance(value, Mapping):
        named = ",".join(f"{role}={column}" for role, column in value.items())
        inner = ", ".join(f"{_quoted(role)}: {_quoted(column)}" for role, column in value.items())
        in_python = f"{{{inner}}}"
    else:
        named, in_python = value, _quoted(value) if value else ""
    long = f"--{(command or name).replace('_', '-')}"
    return spoken(command=f"{long} {named}".rstrip(), python=f"{name}={in_python}")


def _quoted(text: str) -> str:
    if text == NAME or text.replace(".", "", 1).isdigit():
        return text
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'
