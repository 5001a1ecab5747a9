"""Work on several cores, of which each takes the next piece when it has done one."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import TypeVar

T = TypeVar("T")
Result = TypeVar("Result")


def in_turns(take: Callable[[], T | None], work: Callable[[T], Result], threads: int) -> list[Result]:
    """What comes of every piece, in their order. Threads take turns at taking the next one, until there is none.

    >>> pieces = iter([3, 1, 2])
    >>> in_turns(lambda: next(pieces, None), lambda number: 10 * number, threads=2)
    [30, 10, 20]
    """
    first, second = take(), take()
    waiting = [piece for piece in (second, first) if piece is not None]
    results: dict[int, Result] = {}
    failures: list[BaseException] = []
    turn = threading.Lock()
    taken = 0

    def work_on() -> None:
        nonlocal taken
        try:
            while not failures:
                with turn:
                    number, piece = taken, waiting.pop() if waiting else take()
                    taken += 1
                if piece is None:
                    break
                results[number] = work(piece)
        except BaseException as error:  # raised where the work was asked for
            failures.append(error)

    others = [threading.Thread(target=work_on) for _ in range(threads - 1)] if second is not None else []
    for other in others:
        other.start()
    work_on()
    for other in others:
        other.join()
    if failures:
        raise failures[0]
    return [results[number] for number in sorted(results)]
