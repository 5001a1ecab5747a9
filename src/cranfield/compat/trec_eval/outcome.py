"""What a call leaves behind: bytes, messages and an exit code; and how it fails."""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum


class Exit(IntEnum):
    """trec_eval's exit codes."""

    DONE = 0
    USAGE = 1
    """An unknown option or measure, or not exactly two files."""
    INPUT = 2
    """A file that cannot be read or is malformed, or parameters that a measure cannot take."""
    CALCULATION = 4
    """A document listed twice, a measure that does not go with the judgments, a judged query without results."""
    NOTHING_IN_COMMON = 7
    """No query has both results and judgments."""


@dataclass(frozen=True)
class CommandOutcome:
    """Bytes for standard output, messages for standard error, and the exit code."""

    output: bytes = b""
    messages: tuple[str, ...] = ()
    code: Exit = Exit.DONE


class TrecEvalError(Exception):
    """Stops a call with an exit code and what to say."""

    def __init__(self, code: Exit, message: str) -> None:
        super().__init__(message)
        self.code = code


def shown(text: str) -> str:
    """An id, a name or a line as a person reads it; inside, text is bytes read as Latin-1."""
    return text.encode("latin-1").decode(errors="replace")
