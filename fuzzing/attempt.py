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
"""Seconds of processor time that one input may take."""
WAITS = 12
"""How many times as long an input may take by the clock: other processes may keep it from working."""
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
    handlers = [signal.signal(number, _too_long) for number in _CLOCKS]
    for clock, seconds in zip(_CLOCKS.values(), (LIMIT, LIMIT * WAITS), strict=True):
        signal.setitimer(clock, seconds)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            yield
    finally:
        for (number, clock), handler in zip(_CLOCKS.items(), handlers, strict=True):
            signal.setitimer(clock, 0)
            signal.signal(number, handler)
        sys.unraisablehook = before
    if lost:
        raise lost[0]


_CLOCKS = {signal.SIGPROF: signal.ITIMER_PROF, signal.SIGALRM: signal.ITIMER_REAL}
"""Of processor time, and of the clock on the wall."""


def _too_long(signum: int, frame: FrameType | None) -> None:
    is_busy = signum == signal.SIGPROF
    raise HangError(f"it took more than {LIMIT * (1 if is_busy else WAITS):g} seconds" + " of work" * is_busy)


def _place(trace: TracebackType | None) -> str:
    """Where in the package something was raised."""
    frames = [frame for frame in traceback.extract_tb(trace) if "cranfield" in Path(frame.filename).parts]
    frames = frames or traceback.extract_tb(trace)
    return f"at {Path(frames[-1].filename).name}:{frames[-1].lineno}" if frames else ""


def _words(error: BaseException) -> str:
    lines = "".join(traceback.format_exception(error)).rstrip().split("\n")
    return "\n".join(line[:300] for line in lines[-LINES:])
