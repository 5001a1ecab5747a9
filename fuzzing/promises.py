"""What has to hold of whatever is read: refused in words or finite, and the same from both kinds of loops."""

from __future__ import annotations

import json
import os
import zlib
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import TypeVar

from cranfield.errors import DataError, UsageError
from cranfield.kernels import CHOICE
from fuzzing.attempt import BrokenPromiseError

Value = TypeVar("Value")


@dataclass(frozen=True)
class Refusal:
    """An input was refused, in these words."""

    words: str


def outcome(call: Callable[[], Value]) -> Value | Refusal:
    """What a call gives, or the words it ends with; anything else that it raises goes on."""
    try:
        return call()
    except (DataError, UsageError) as error:
        words = f"{type(error).__name__}: {error}"
        require(bool(str(error).strip()), "the refusal has no words")
        return Refusal(words)


def by_both(call: Callable[[], Value]) -> Value | Refusal:
    """What a call gives with compiled and with plain loops, which must be the same."""
    results = []
    before = os.environ.get(CHOICE)
    try:
        for kernels in ("plain", "compiled"):
            os.environ[CHOICE] = kernels
            results.append(outcome(call))
    finally:
        if before is None:
            os.environ.pop(CHOICE, None)
        else:
            os.environ[CHOICE] = before
    plain, compiled = results
    require(plain == compiled, f"plain loops give\n{plain}\ncompiled ones\n{compiled}")
    return plain


def always(call: Callable[[], Value], choices: Random) -> Value | Refusal:
    """What a call gives; now and then it is called again, and must give the same."""
    first = outcome(call)
    if choices.random() < 0.15:
        require(first == (again := outcome(call)), f"first\n{first}\nthen\n{again}")
    return first


def require(condition: bool, words: str) -> None:
    """Stop at what does not hold."""
    if not condition:
        raise BrokenPromiseError(words[:4000])


def finite(value: object) -> str:
    """A value as JSON, which has neither NaN nor infinity."""
    try:
        return json.dumps(value, allow_nan=False)
    except ValueError:
        raise BrokenPromiseError(f"a number is not finite: {str(value)[:3000]}") from None


def choices_of(folder: Path) -> Random:
    """Chance that depends on an input alone, so that it meets the same options whenever it is tried."""
    return Random(_checksum(path.read_bytes() for path in sorted(folder.iterdir())))


def _checksum(contents: Iterable[bytes]) -> int:
    total = 0
    for content in contents:
        total = zlib.crc32(content, total)
    return total
