"""Many requests: several at once, no more of them in a second than wanted, and longer pauses after each failure."""

from __future__ import annotations

import random
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from queue import Empty, SimpleQueue
from typing import TypeVar

from cranfield.requesting.failures import TRIED_AGAIN, Failure

TRIES = 6
FIRST_PAUSE, LONGEST_PAUSE = 0.5, 30.0
"""Seconds between tries; each pause is twice as long as the one before."""
IN_A_ROW = 10
"""Failures in a row after which the rest is not asked."""
WAKE = 0.2
"""Seconds after which whoever waits for answers looks whether to go on."""

Sleep = Callable[[float], None]
Asked = TypeVar("Asked")
Answer = TypeVar("Answer")


def pause(attempt: int, failure: Failure, rng: random.Random) -> float:
    """Seconds to wait after a failure: what the server asks for, else twice as long each time, and not all at once."""
    if failure.retry_after is not None:
        return failure.retry_after
    return min(LONGEST_PAUSE, FIRST_PAUSE * 2 ** (attempt - 1)) * (0.5 + rng.random() / 2)


def may_pass(failure: Failure, attempt: int, tries: int) -> bool:
    """Whether it helps to try once more."""
    return failure.kind in TRIED_AGAIN and attempt < tries


class RateLimit:
    """No more than so many requests a second, however many threads send them."""

    def __init__(self, rate: float | None, sleep: Sleep = time.sleep) -> None:
        self._between = 0.0 if rate is None else 1.0 / rate
        self._sleep = sleep
        self._next = 0.0
        self._lock = threading.Lock()

    def wait(self) -> None:
        """Wait until the next request may go."""
        if not self._between:
            return
        with self._lock:
            now = time.monotonic()
            turn = max(self._next, now)
            self._next = turn + self._between
        if turn > now:
            self._sleep(turn - now)


def answers(
    questions: Iterable[Asked], ask: Callable[[Asked], Answer], at_once: int, *, stop: Callable[[], bool]
) -> Iterator[tuple[Asked, Answer]]:
    """Answers as they come, several at once; after `stop`, those that were asked already and no more.

    Whoever leaves early, by Ctrl-C for example, waits for nothing.
    """
    waiting = iter(questions)
    tasks: SimpleQueue[Asked | None] = SimpleQueue()
    done: SimpleQueue[tuple[Asked, Answer | None, BaseException | None]] = SimpleQueue()
    threads = 0
    running = 0

    def work() -> None:
        while (question := tasks.get()) is not None:
            try:
                done.put((question, ask(question), None))
            except BaseException as error:
                done.put((question, None, error))

    try:
        while True:
            while running < at_once and not stop():
                question = next(waiting, None)
                if question is None:
                    break
                tasks.put(question)
                running += 1
                if threads < running:  # not one that the process would wait for at its end
                    threading.Thread(target=work, daemon=True, name="request").start()
                    threads += 1
            if not running:
                return
            try:
                # A Ctrl-C just before a wait without end would never be noticed.
                question, answer, error = done.get(timeout=WAKE)
            except Empty:
                continue
            running -= 1
            if error is not None:
                raise error
            yield question, answer  # type: ignore[misc]  # without an error there is an answer
    finally:
        for _ in range(threads):
            tasks.put(None)
