"""Computes what labels do to the comparison, in a process of its own: whoever saves labels has the processor."""

from __future__ import annotations

import os
import pickle
import queue
import sys
import threading
from collections.abc import Callable
from contextlib import suppress
from typing import IO

from cranfield.assessing.aside import step_back
from cranfield.assessing.effect import effect_of, grades_in_time
from cranfield.assessing.effect_process import Answer, GradesChanged, MovesAnswer, MovesAsked, Request
from cranfield.assessing.store import Store, open_store


def work(store: Store, requests: queue.Queue[Request | None], answer: Callable[[Answer], None]) -> None:
    """Answer with what labels do, first of all events of a store, then whenever grades change; until None comes."""
    effect = effect_of(store)
    if effect is None:
        return
    effect.replay(grades_in_time(effect.project, effect.items, store.events()))
    answer(effect.summary())
    while True:
        waiting = [requests.get()]
        with suppress(queue.Empty):
            while True:
                waiting.append(requests.get_nowait())
        if None in waiting:
            return
        changed = [request for request in waiting if isinstance(request, GradesChanged)]
        for grade in (grade for request in changed for grade in request.grades):
            effect.set_grade(*grade)
        if changed:
            effect.update()
            answer(effect.summary())
        for request in waiting:
            if isinstance(request, MovesAsked):
                answer(MovesAnswer(request.number, effect.moves(request.ends)))


def main() -> None:
    """Work for the process that started this one: requests come by standard input, the place of the store first."""
    step_back()
    source, target = sys.stdin.buffer, sys.stdout.buffer
    try:
        where: str = pickle.load(source)
    except (EOFError, pickle.UnpicklingError):
        return  # who started this process was killed before it could say what to do
    requests: queue.Queue[Request | None] = queue.Queue()
    threading.Thread(target=_receive, args=(source, requests), daemon=True).start()

    def answer(value: Answer) -> None:
        pickle.dump(value, target)
        target.flush()

    with suppress(BrokenPipeError):
        work(open_store(where, read_only=True), requests, answer)
    os._exit(0)


def _receive(source: IO[bytes], requests: queue.Queue[Request | None]) -> None:
    """Whoever asks is gone, in whatever way, when nothing can come any more: then so is this process."""
    try:
        while True:
            requests.put(pickle.load(source))
    except (EOFError, OSError, pickle.UnpicklingError):
        os._exit(0)


if __name__ == "__main__":
    main()
