"""JSON as both JSON formats read it: a name that comes twice is never lost unseen."""

from __future__ import annotations

import json
from typing import Any


class RepeatedNameError(ValueError):
    """A name that comes twice in one object."""


def parsed(text: bytes | str) -> Any:
    """The value of a JSON text; a `ValueError` says why it is none."""
    return _DECODER.decode(text.decode() if isinstance(text, bytes) else text)


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        names = [name for name, _ in pairs]
        raise RepeatedNameError(next(name for name in names if names.count(name) > 1))
    return found


_DECODER = json.JSONDecoder(object_pairs_hook=_object)
