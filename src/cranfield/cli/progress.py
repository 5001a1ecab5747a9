"""Progress for a person who has waited for a second."""

from __future__ import annotations

import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from cranfield.data.judgments import Judgments
    from cranfield.data.run import Places, Ranking, Run
    from cranfield.errors import Findings

PATIENCE = 1.0
"""Seconds before anything is shown."""


class Progress:
    """What is being read, and how far it is, shown on one line of standard error."""

    def __init__(self) -> None:
        self.doing = "reading"
        self.run = ""
        self.queries = 0
        self._done = threading.Event()

    def watched(self, run: Run) -> Run:
        """The run, counted as it is read."""
        from dataclasses import replace

        def rankings(findings: Findings) -> Iterator[Ranking]:
            self.run, self.queries = run.name, 0
            for ranking in run.rankings(findings):
                self.queries += 1
                yield ranking

        def at_once(judgments: Judgments, *, ties: str, single: bool) -> Places | None:
            self.run, self.queries = run.name, 0
            return None if run.at_once is None else run.at_once(judgments, ties=ties, single=single)

        return replace(run, read=rankings, at_once=at_once)

    def show(self) -> None:
        """Show the state four times a second until it is over, then leave the line as it was."""
        shown = False
        while not self._done.wait(0.25 if shown else PATIENCE):
            counted = (
                f": {self.queries:,} queries" if self.queries else ""
            )  # the compiled loops tell nothing on the way
            sys.stderr.write(f"\r\x1b[K{self.doing} {self.run}{counted}")
            sys.stderr.flush()
            shown = True
        if shown:
            sys.stderr.write("\r\x1b[K")
            sys.stderr.flush()

    def stop(self) -> None:
        """Nothing more to wait for."""
        self._done.set()


@contextmanager
def progress(*, quiet: bool) -> Iterator[Progress]:
    """Progress while the block runs, if standard error is a terminal."""
    state = Progress()
    if quiet or not sys.stderr.isatty():
        yield state
        return
    shown = threading.Thread(target=state.show, daemon=True)
    shown.start()
    try:
        yield state
    finally:
        state.stop()
        shown.join()
