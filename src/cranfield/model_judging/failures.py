"""Why a model gave no grade: kinds that are listed, some of which are tried again."""

from __future__ import annotations

from typing import Literal

FailureKind = Literal[
    "rate limited",
    "server error",
    "no connection",
    "timeout",
    "cut off",
    "wrong JSON",
    "too large",
    "rejected",
    "refused",
    "empty",
    "unreadable",
    "out of range",
    "redirected",
    "not allowed",
]
TRIED_AGAIN: frozenset[FailureKind] = frozenset({"rate limited", "server error", "no connection", "timeout", "cut off"})
"""What may pass: tried again at once, with growing pauses."""
ASKED_DIFFERENTLY: frozenset[FailureKind] = frozenset({"unreadable", "out of range", "empty"})
"""What is asked once more for the grade alone."""
FINAL: frozenset[FailureKind] = frozenset({"redirected", "not allowed"})
"""What will be the same for every document: all stops at once."""


class Failure(Exception):  # noqa: N818  # nobody here erred
    """A request that gave no grade."""

    def __init__(self, kind: FailureKind, detail: str, retry_after: float | None = None) -> None:
        super().__init__(detail)
        self.kind = kind
        self.detail = detail
        self.retry_after = retry_after
        """Seconds that the server asked to wait."""
