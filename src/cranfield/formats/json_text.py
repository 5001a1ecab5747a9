"""JSON as every reader of it takes it: a name that comes twice is never lost unseen."""

from __future__ import annotations

import json
from contextlib import suppress
from typing import Any

from cranfield import errors
from cranfield.errors import DataError, Finding
from cranfield.formats.source import Source


class RepeatedNameError(ValueError):
    """A name that comes twice in one object."""


def json_of(source: Source) -> Any:
    """What a JSON file holds."""
    text = source.text()  # what is wrong with the file is not wrong with its JSON
    try:
        return parsed(text)
    except (ValueError, RecursionError) as error:
        raise DataError([wrong_json(error, source.path)]) from None


def json_or_lines_of(source: Source) -> Any:
    """What a JSON file holds; of a file with a value on each line, the list of these."""
    text = source.text()
    try:
        return parsed(text)
    except json.JSONDecodeError as error:
        if error.msg == "Extra data":
            with suppress(ValueError, RecursionError):
                return [parsed(line) for line in text.split(b"\n") if line.strip()]
        raise DataError([wrong_json(error, source.path)]) from None
    except (ValueError, RecursionError) as error:
        raise DataError([wrong_json(error, source.path)]) from None


def wrong_json(error: Exception, path: str | None, line: int | None = None, text: str | None = None) -> Finding:
    """Why a text is no JSON that can be used; a line where the text is one of a file."""
    if isinstance(error, RepeatedNameError):
        return errors.rows.duplicate_key(path, str(error), line)
    if isinstance(error, UnicodeDecodeError):
        return errors.rows.not_utf8(path, line, text)
    if isinstance(error, json.JSONDecodeError):
        return errors.rows.malformed_json(path, line or error.lineno, f"{error.msg} at column {error.colno}", text)
    if isinstance(error, RecursionError):
        return errors.rows.malformed_json(path, line or 1, "nested too deeply", text)
    return errors.rows.endless_number(path, line, text)  # what else a ValueError is


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
