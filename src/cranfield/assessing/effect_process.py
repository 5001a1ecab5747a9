"""Keeps a process that computes what labels do to the comparison; nobody who saves a label waits for it."""

from __future__ import annotations

import logging
import pickle
import queue
import subprocess
import threading
from collections.abc import Mapping
from contextlib import suppress
from typing import IO, NamedTuple

from cranfield.assessing.aside import can_start, started
from cranfield.assessing.effect_summary import EffectSummary, ItemGrade
from cranfield.assessing.items import Items
from cranfield.assessing.project import Project
from cranfield.assessing.store import Store

SOON = 2.0
"""Seconds that a page waits."""
PAUSE = 0.5
"""Seconds between two updates: labels that come within a moment are taken in together."""
AGAIN = 5.0
"""Seconds before a process that ended by itself is started again."""
LONGEST_PAUSE = 600.0
log = logging.getLogger("cranfield.judge")


class GradesChanged(NamedTuple):
    """Grades that items count with now."""

    grades: tuple[ItemGrade, ...]


class MovesAsked(NamedTuple):
    """How far the comparison moves between two grades of some items; the number comes with the answer."""

    number: int
    ends: Mapping[int, tuple[float, float]]


class MovesAnswer(NamedTuple):
    """The answer to what was asked."""

    number: int
    moves: Mapping[int, float]


Request = GradesChanged | MovesAsked
Answer = EffectSummary | MovesAnswer


def effect_process(store: Store, project: Project, items: Items) -> EffectProcess | None:
    """What the labels of a store do to the comparison of its runs; nothing where there is none to decide."""
    return EffectProcess(store, project) if is_compared(project, items) else None


def is_compared(project: Project, items: Items) -> bool:
    """Whether labels decide a comparison: of two runs at least, by grades."""
    return len(items.runs) > 1 and project.task == "grades"


class EffectProcess:
    """The comparison of runs with the labels so far, as another process computes it.

    That process reads the events of the store, which are durable, and is told of grades that change; it is started
    again when it ends, and ends with this one. Where nobody else can read a store, a thread does the same.
    """

    def __init__(self, store: Store, project: Project) -> None:
        self.store = store
        self._summary = EffectSummary(project.measure, ())
        self._waiting: dict[int, ItemGrade] = {}
        self._wakes = threading.Condition()
        self._stopped = threading.Event()
        self._threads: tuple[threading.Thread, ...] = ()
        self._process: subprocess.Popen[bytes] | None = None
        self._requests: queue.Queue[Request | None] = queue.Queue()
        self._asked: dict[int, queue.Queue[Mapping[int, float]]] = {}
        self._number = 0

    def set_grade(self, item: int, grade: float | None, random: bool) -> None:
        """The grade an item counts with now, and whether it was labelled because it was drawn by chance."""
        with self._wakes:
            self._waiting[item] = ItemGrade(item, grade, random)
            self._wakes.notify()

    def summary(self) -> EffectSummary:
        """The comparison as of the last update."""
        return self._summary

    def moves(self, grades: Mapping[int, tuple[float, float]]) -> dict[int, float]:
        """How far the mean difference of any two runs moves between two grades of an item, for each of some items."""
        answered: queue.Queue[Mapping[int, float]] = queue.Queue()
        with self._wakes:
            self._number += 1
            number, self._asked[self._number] = self._number, answered
        self._requests.put(MovesAsked(number, dict(grades)))
        # Whoever asks shows a page: while much is computed, nothing is shown rather than late.
        try:
            return dict(answered.get(timeout=SOON))
        except queue.Empty:
            return dict.fromkeys(grades, 0.0)
        finally:
            del self._asked[number]

    def start(self) -> None:
        """Keep the summary up to date from now on."""
        if not self._threads:
            targets = (self._collect, self._keep)
            self._threads = tuple(threading.Thread(target=target, name="effect", daemon=True) for target in targets)
            for thread in self._threads:
                thread.start()

    def stop(self) -> None:
        """Compute nothing any more."""
        self._stopped.set()
        with self._wakes:
            self._wakes.notify()
            if self._process is not None:
                self._process.kill()  # it only reads
        self._requests.put(None)
        for thread in self._threads:
            thread.join()

    def _collect(self) -> None:
        """Pass grades on, those of a moment together."""
        while not self._stopped.is_set():
            with self._wakes:
                self._wakes.wait_for(lambda: self._waiting or self._stopped.is_set())
            self._stopped.wait(PAUSE)
            with self._wakes:
                waiting, self._waiting = self._waiting, {}
            self._requests.put(GradesChanged(tuple(waiting.values())))

    # The process

    def _keep(self) -> None:
        """A process as long as it is wanted; where there cannot be one, this thread."""
        where = self.store.readable
        if where is None or not can_start():
            from cranfield.assessing.effect_worker import work

            work(self.store, self._requests, self._take)
            return
        pause = AGAIN
        while not self._stopped.is_set():
            before = self._summary
            ended = self._run(where)
            # One that never answered will hardly do so the next time.
            pause = AGAIN if self._summary is not before else min(2 * pause, LONGEST_PAUSE)
            if not self._stopped.wait(pause):
                log.warning("The process that computes what labels do ended (%s); it is started again.", ended)

    def _run(self, where: str) -> int:
        with self._wakes:
            if self._stopped.is_set():
                return 0
            self._process = started("effect_worker")
        source, target = self._process.stdout, self._process.stdin
        assert source is not None
        assert target is not None
        self._requests = queue.Queue()  # what was asked before, the store knows
        sender = threading.Thread(target=self._send, args=(target, where, self._requests), daemon=True)
        sender.start()
        with suppress(OSError), self._process, suppress(EOFError, OSError, pickle.UnpicklingError):
            while True:
                self._take(pickle.load(source))
        self._requests.put(None)
        sender.join()
        return self._process.returncode

    def _send(self, target: IO[bytes], where: str, requests: queue.Queue[Request | None]) -> None:
        with suppress(OSError, ValueError):
            pickle.dump(where, target)
            target.flush()
            while (request := requests.get()) is not None:
                pickle.dump(request, target)
                target.flush()

    def _take(self, answer: Answer) -> None:
        if isinstance(answer, MovesAnswer):
            asked = self._asked.get(answer.number)
            if asked is not None:
                asked.put(answer.moves)
        else:
            self._summary = answer
