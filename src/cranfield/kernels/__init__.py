"""The loops that touch every retrieved document: compiled where they could be built, plain everywhere.

Both give the same results, bit for bit. `CRANFIELD_KERNELS=plain` or `compiled` chooses.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager

from cranfield import errors

CHOICE = "CRANFIELD_KERNELS"
"""The environment variable that chooses."""


def are_compiled() -> bool:
    """Whether the compiled loops are to be used."""
    choice = os.environ.get(CHOICE, "")
    if choice not in ("", "plain", "compiled"):
        raise errors.kernels.unknown_kernels(CHOICE, choice)
    if choice == "plain":
        return False
    try:
        import cranfield.kernels.compiled  # noqa: F401
    except ImportError as error:
        if choice == "compiled":
            raise errors.kernels.no_compiled_kernels(CHOICE, str(error)) from None
        return False
    return True


@contextmanager
def plain_only() -> Iterator[None]:
    """The plain loops, in the whole process, while the block runs."""
    before = os.environ.get(CHOICE)
    os.environ[CHOICE] = "plain"
    try:
        yield
    finally:
        if before is None:
            del os.environ[CHOICE]
        else:
            os.environ[CHOICE] = before


def cores() -> int:
    """How many cores this process may use."""
    # Where that are only some of them, the system usually can tell.
    allowed = getattr(os, "sched_getaffinity", None)
    return len(allowed(0)) if allowed else os.cpu_count() or 1
