"""What has to hold of whatever is read: refused in words or finite, and the same from both kinds of loops."""

from __future__ import annotations

import json
import os
import zlib
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any, TypeVar
from unittest.mock import patch

from cranfield.errors import CranfieldError
from cranfield.kernels import CHOICE
from fuzzing.attempt import BrokenPromiseError

Value = TypeVar("Value")

SIZES = (None, None, None, 7, 64, 1000)
"""Of pieces in which files are read; None is the usual size."""


@dataclass(frozen=True)
class Refusal:
    """An input was refused, in these words."""

    words: str


def outcome(call: Callable[[], Value]) -> Value | Refusal:
    """What a call gives, or the words it ends with; anything else that it raises goes on."""
    try:
        return call()
    except CranfieldError as error:
        words = f"{type(error).__name__}: {error}"
        require(bool(str(error).strip()), "the refusal has no words")
        return Refusal(words)


def by_both(call: Callable[[], Value], choices: Random | None = None) -> Value | Refusal:
    """What a call gives with compiled and with plain loops, which must be the same; `choices` reads in small pieces."""
    size = None if choices is None else choices.choice(SIZES)
    with _in_pieces(size):
        plain, compiled = (_with_kernels(kernels, call) for kernels in ("plain", "compiled"))
    require(plain == compiled, f"plain loops give\n{plain}\ncompiled ones\n{compiled}")
    if size is not None:
        # Of several errors, other ones may come first.
        whole = _with_kernels("compiled", call)
        alike = isinstance(whole, Refusal) if isinstance(compiled, Refusal) else whole == compiled
        require(alike, f"in pieces of {size} there is\n{compiled}\notherwise\n{whole}")
    return plain


def _with_kernels(kernels: str, call: Callable[[], Value]) -> Value | Refusal:
    with patch.dict(os.environ, {CHOICE: kernels}):
        return outcome(call)


@contextmanager
def _in_pieces(size: int | None) -> Iterator[None]:
    """Read in pieces of so many bytes or rows: what is found must not depend on where they end."""
    from cranfield.formats import arrow, source
    from cranfield.kernels import streaming, tables

    if size is None:
        yield
        return
    with ExitStack() as undone:
        rows: dict[str, Any] = {"ROWS": size, "FEW": 1 + size // 2}
        for module, values in ((source, {"BLOCK": size}), (arrow, {"BATCH": size}), (tables, rows)):
            undone.enter_context(patch.multiple(module, **values))
        for function in (streaming.places, streaming.firsts):
            undone.enter_context(patch.dict(function.__kwdefaults__, size=size))
        yield


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
