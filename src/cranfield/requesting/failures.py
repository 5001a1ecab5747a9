"""Why a request gave no answer: kinds that are listed; some are tried again."""

from __future__ import annotations

from typing import Literal

FailureKind = Literal[
    "rate limited",
    "server error",
    "no connection",
    "timeout",
    "cut off",
    "timed out",
    "incomplete",
    "wrong JSON",
    "too large",
    "rejected",
    "refused",
    "empty",
    "unreadable",
    "out of range",
    "redirected",
    "not allowed",
    "exception",
    "not asked",
]
TRIED_AGAIN: frozenset[FailureKind] = frozenset(
    {"rate limited", "server error", "no connection", "timeout", "cut off", "timed out", "incomplete"}
)
"""What may pass: tried again at once, with growing pauses."""
FINAL: frozenset[FailureKind] = frozenset({"redirected", "not allowed"})
"""What will be the same for every request: all stops at once."""


class Failure(Exception):  # noqa: N818  # nobody here erred
    """A request that gave no answer."""

    def __init__(self, kind: FailureKind, detail: str, retry_after: float | None = None) -> None:
        super().__init__(detail)
        self.kind = kind
        self.detail = detail
        self.retry_after = retry_after
        """Seconds that the server asked to wait."""
