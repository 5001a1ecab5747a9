"""What processes cost: processor time, wall time and peak memory, the best of several runs that take turns."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import NamedTuple, TypeVar

LAUNCH = Path(__file__).with_name("launch.py")
REPEATS = 5
PATIENCE = 10.0
"""Seconds of runs after which a command, or a function, is not run once more."""
LONGEST = 120.0
"""Seconds after which one of several commands is stopped: its time is then more than that."""


@dataclass(frozen=True)
class Command:
    """The words of a command, and what it finds in its environment in addition to the usual."""

    words: tuple[str, ...]
    environment: Mapping[str, str] = field(default_factory=dict)
    prints: bool = True
    """Whether its output is worth keeping; otherwise it goes nowhere."""


class Cost(NamedTuple):
    """The least that some runs took: seconds and MB; and what the last one printed."""

    processor: float
    wall: float
    memory: float
    runs: int = 1
    printed: str = ""
    finished: bool = True
    """Whether it ended by itself, before `LONGEST`."""


class Timed(NamedTuple):
    """The least that some calls of a function took, in seconds; and what the last one gave."""

    processor: float
    wall: float
    runs: int
    result: object


def measured(command: Command, longest: float = 0) -> Cost:
    """One run of a command, which is stopped after so many seconds; 0 is never."""
    with tempfile.NamedTemporaryFile() as report:
        done = subprocess.run(
            [sys.executable, "-I", "-S", str(LAUNCH), report.name, str(longest), *command.words],
            stdout=subprocess.PIPE if command.prints else subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            env={**os.environ, **command.environment},
            check=False,
        )
        if done.returncode:
            raise SystemExit(f"{' '.join(command.words)}\nfailed:\n{done.stderr.decode(errors='replace')}")
        return Cost(**json.load(report), printed=(done.stdout or b"").decode())


def best(commands: Mapping[str, Command], repeats: int = REPEATS, patience: float = PATIENCE) -> dict[str, Cost]:
    """The least that each command took in several runs, all of them taking turns."""
    runs = {name: partial(measured, command, LONGEST) for name, command in commands.items()}
    return {
        name: Cost(
            min(cost.processor for cost in costs),
            min(cost.wall for cost in costs),
            min(cost.memory for cost in costs),
            len(costs),
            costs[-1].printed,
            costs[-1].finished,
        )
        for name, costs in _in_turns(runs, repeats, patience).items()
    }


def best_calls(
    functions: Mapping[str, Callable[[], object]], repeats: int = REPEATS, patience: float = PATIENCE
) -> dict[str, Timed]:
    """The least that each function took in several calls, all of them taking turns in this process."""
    calls = {name: partial(_timed, function) for name, function in functions.items()}
    return {
        name: Timed(
            min(call.processor for call in timed),
            min(call.wall for call in timed),
            len(timed),
            timed[-1].result,
        )
        for name, timed in _in_turns(calls, repeats, patience).items()
    }


Taken = TypeVar("Taken", Cost, Timed)


def _in_turns(tasks: Mapping[str, Callable[[], Taken]], repeats: int, patience: float) -> dict[str, list[Taken]]:
    taken: dict[str, list[Taken]] = {name: [] for name in tasks}
    for _ in range(repeats):
        for name, task in tasks.items():
            if not taken[name] or sum(each.wall for each in taken[name]) < patience:
                taken[name].append(task())
    return taken


def _timed(function: Callable[[], object]) -> Timed:
    processor, wall = time.process_time(), time.perf_counter()
    result = function()
    return Timed(time.process_time() - processor, time.perf_counter() - wall, 1, result)
