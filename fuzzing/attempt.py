"""One input: what it leads to, and whether that may be."""

from __future__ import annotations

import signal
import sys
import traceback
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from types import FrameType, TracebackType

LIMIT = 10.0
"""Seconds that one input may take."""
LINES = 12
"""Lines of a traceback that are shown."""


class BrokenPromiseError(Exception):
    """Something was read, but does not keep what has to hold."""


class HangError(BaseException):
    """An input took too long; no reader catches this."""


@dataclass(frozen=True)
class Problem:
    """What an input led to that must not be."""

    target: str
    kind: str
    """The same for inputs that fail alike: what was raised, and where."""
    words: str

    def __str__(self) -> str:
        return f"{self.target}: {self.kind}\n{self.words}"


def attempt(name: str, call: Callable[[Path], object], folder: Path) -> Problem | None:
    """Call a target with the files of a folder, and tell what went wrong, if anything."""
    try:
        with _guarded():
            call(folder)
    except (Exception, HangError) as error:
        return Problem(name, f"{type(error).__name__} {_place(error.__traceback__)}".strip(), _words(error))
    return None


@contextmanager
def _guarded() -> Iterator[None]:
    """Warnings are errors, even those nobody sees, and time is limited."""
    lost: list[BaseException] = []
    before, sys.unraisablehook = sys.unraisablehook, lambda event: lost.append(event.exc_value or Exception(event))
    handler = signal.signal(signal.SIGALRM, _too_long)
    signal.setitimer(signal.ITIMER_REAL, LIMIT)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, handler)
        sys.unraisablehook = before
    if lost:
        raise lost[0]


def _too_long(signum: int, frame: FrameType | None) -> None:
    raise HangError(f"it took more than {LIMIT:g} seconds")


def _place(trace: TracebackType | None) -> str:
    """Where in the package something was raised."""
    frames = [frame for frame in traceback.extract_tb(trace) if "cranfield" in Path(frame.filename).parts]
    frames = frames or traceback.extract_tb(trace)
    return f"at {Path(frames[-1].filename).name}:{frames[-1].lineno}" if frames else ""


def _words(error: BaseException) -> str:
    lines = "".join(traceback.format_exception(error)).rstrip().split("\n")
    return "\n".join(line[:300] for line in lines[-LINES:])
