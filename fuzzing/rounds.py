"""Many inputs in processes of their own, a slice of time for each target in turn."""

from __future__ import annotations

import multiprocessing
import resource
import signal
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from multiprocessing.connection import Connection, wait
from pathlib import Path
from typing import Any

from fuzzing.attempt import LIMIT, WAITS, Problem, attempt
from fuzzing.seeds import Case
from fuzzing.targets import Target

SLICE = 4.0
"""Seconds after which another target has its turn."""
MEMORY = 3 << 30
"""Bytes that a process may ask for beyond what it has when it begins."""
PATIENCE = LIMIT * WAITS + 20
"""Seconds after its slice at which a process is taken for stuck."""


@dataclass
class Tally:
    """What was tried with one target, and what came of it."""

    inputs: int = 0
    seconds: float = 0.0
    problems: dict[str, tuple[Problem, Case]] = field(default_factory=dict)
    """By kind, the first or smallest input that led to it."""
    times: dict[str, int] = field(default_factory=dict)

    def add(self, problem: Problem, case: Case) -> bool:
        """Keep a problem, of several of one kind that with the smallest input; whether this one is kept."""
        before = self.problems.get(problem.kind)
        self.times[problem.kind] = self.times.get(problem.kind, 0) + 1
        is_smallest = before is None or _size(case) < _size(before[1])
        if is_smallest:
            self.problems[problem.kind] = problem, case
        return is_smallest


def _size(case: Case) -> int:
    return sum(map(len, case.values()))


def write(case: Case, folder: Path) -> None:
    """Put an input into a folder that holds nothing else."""
    for path in folder.iterdir():
        path.unlink()
    for name, data in case.items():
        (folder / name).write_bytes(data)


def read(folder: Path) -> dict[str, bytes]:
    """The input that is in a folder."""
    return {path.name: path.read_bytes() for path in sorted(folder.iterdir())}


Watcher = Callable[[Tally, str], object]
"""Called with a tally and the kind of a problem, when there is a first or a smaller input that leads to it."""


def tried(
    targets: Sequence[Target], seed: int, seconds: float, processes: int, watcher: Watcher = lambda tally, kind: None
) -> dict[str, Tally]:
    """Try inputs on all targets for so many seconds."""
    tallies = {target.name: Tally() for target in targets}
    for target in targets:
        assert target.seeds  # made once here, and not in every process
    with tempfile.TemporaryDirectory(prefix="fuzzing-", dir=_memory()) as folder:
        turns = _turns(targets, seconds * processes)
        slots = [_Slot(Path(folder, str(at))) for at in range(processes)]
        numbers = dict.fromkeys(tallies, 0)
        _work(slots, turns, tallies, numbers, seed, watcher)
    return tallies


def _memory() -> str | None:
    """A folder in memory, where the system has one."""
    return "/dev/shm" if Path("/dev/shm").is_dir() else None


def _turns(targets: Sequence[Target], seconds: float) -> Iterator[tuple[Target, float]]:
    rounds = max(1, round(seconds / (SLICE * len(targets))))
    for _ in range(rounds):
        for target in targets:
            yield target, seconds / rounds / len(targets)


STRIDE = 10_000_000
"""Numbers of inputs that each slice has to itself."""


class _Slot:
    """A place for one process at a time, with a folder for its input."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        folder.mkdir()
        self.process: Any = None

    def start(self, target: Target, seed: int, first: int, seconds: float) -> None:
        context: Any = multiprocessing.get_context("fork")
        self.target, self.first, self.began, self.seconds = target, first, time.monotonic(), seconds
        self.count = context.Value("q", 0, lock=False)
        self.connection, other = context.Pipe(duplex=False)
        self.process = context.Process(
            target=_slice, args=(target, seed, first, seconds, self.folder, self.count, other)
        )
        self.process.start()
        other.close()

    @property
    def is_stuck(self) -> bool:
        return time.monotonic() - self.began > self.seconds + PATIENCE


def _work(
    slots: list[_Slot],
    turns: Iterator[tuple[Target, float]],
    tallies: dict[str, Tally],
    numbers: dict[str, int],
    seed: int,
    watcher: Watcher,
) -> None:
    left = list(turns)[::-1]
    busy: list[_Slot] = []
    while left or busy:
        for slot in slots:
            if slot not in busy and left:
                target, seconds = left.pop()
                slot.start(target, seed, numbers[target.name], seconds)
                numbers[target.name] += STRIDE
                busy.append(slot)
        wait([slot.process.sentinel for slot in busy] + [slot.connection for slot in busy], timeout=1)
        for slot in list(busy):
            _collect(slot, tallies[slot.target.name], watcher)
            if slot.is_stuck:
                slot.process.kill()
                slot.process.join()
            if not slot.process.is_alive():
                _collect(slot, tallies[slot.target.name], watcher)
                busy.remove(slot)
                _finish(slot, tallies[slot.target.name], left, watcher)


def _collect(slot: _Slot, tally: Tally, watcher: Watcher) -> None:
    try:
        while slot.connection.poll():
            problem, case = slot.connection.recv()
            _note(tally, problem, case, watcher)
    except EOFError:
        pass


def _note(tally: Tally, problem: Problem, case: Case, watcher: Watcher) -> None:
    if tally.add(problem, case):
        watcher(tally, problem.kind)


def _finish(slot: _Slot, tally: Tally, left: list[tuple[Target, float]], watcher: Watcher) -> None:
    spent = time.monotonic() - slot.began
    tally.inputs += slot.count.value
    tally.seconds += spent
    slot.connection.close()
    if code := slot.process.exitcode:
        name = signal.Signals(-code).name if code < 0 else f"exit {code}"
        kind = "hang" if slot.is_stuck else f"crash {name}"
        problem = Problem(slot.target.name, kind, f"The process ended with {name}.")
        _note(tally, problem, read(slot.folder), watcher)
        if slot.seconds - spent > 1:
            left.append((slot.target, slot.seconds - spent))


def _slice(
    target: Target, seed: int, first: int, seconds: float, folder: Path, count: Any, problems: Connection
) -> None:
    """What a process does: one input after the other until its time is over."""
    _limit_memory()
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        case = target.case(seed, first + count.value)
        write(case, folder)
        count.value += 1
        problem = attempt(target.name, target.call, folder)
        if problem is not None:
            problems.send((problem, case))


def _limit_memory() -> None:
    pages = int(Path("/proc/self/statm").read_text().split()[0]) if Path("/proc/self/statm").exists() else 0
    resource.setrlimit(resource.RLIMIT_AS, (pages * resource.getpagesize() + MEMORY,) * 2)
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
