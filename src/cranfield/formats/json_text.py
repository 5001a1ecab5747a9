"""JSON as every reader of it takes it: a name that comes twice is never lost unseen."""

from __future__ import annotations

import codecs
import json
import re
from collections.abc import Iterator
from contextlib import suppress
from typing import Any, BinaryIO

from cranfield import errors
from cranfield.errors import DataError, Finding
from cranfield.errors.delimited_text import LARGEST_JSON
from cranfield.formats.source import Source

PIECE = 1 << 22
"""Characters of a large object that are read together, at least."""
LONGEST_LITERAL = 16
"""Characters from the end at which a text may be wrong only because it goes on: in -Infinity, or in two escapes."""


class TooLargeError(Exception):
    """One value that is larger than all that is read at once."""


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


def parts_of(source: Source) -> Iterator[dict[str, Any]]:
    """What a file with one large object holds, some entries at a time, so that it is never held as a whole."""
    with source.open() as opened:
        text = _JsonPieces(opened)
        try:
            yield from _parts(text)
        except TooLargeError:
            raise DataError([errors.delimited_text.json_too_large(source.path)]) from None
        except (ValueError, RecursionError) as error:
            line = None
            if isinstance(error, json.JSONDecodeError):
                line = text.lines + error.lineno
                error.colno += text.column if error.lineno == 1 else 0
            raise DataError([wrong_json(error, source.path, line)]) from None


def _parts(text: _JsonPieces) -> Iterator[dict[str, Any]]:
    text.expect("{", "Expecting value")
    pairs: list[tuple[str, Any]] = []
    size = 0
    while text.next() != "}":
        if pairs or size:
            text.expect(",", "Expecting ',' delimiter")
        if text.next() != '"':
            raise text.error("Expecting property name enclosed in double quotes")
        name = text.value()
        text.expect(":", "Expecting ':' delimiter")
        pairs.append((name, text.value()))
        if text.passed - size > PIECE:
            size = text.passed
            yield _object(pairs)
            pairs = []
    text.expect("}", "Expecting value")
    if text.next():
        raise text.error("Extra data")
    if pairs:
        yield _object(pairs)


class _JsonPieces:
    """A JSON text of which as much is held as the next value needs."""

    def __init__(self, opened: BinaryIO) -> None:
        self._opened = opened
        self._decoder = codecs.getincrementaldecoder("utf-8-sig")()
        self._text, self._at, self._ended = "", 0, False
        self.passed = 0
        """Characters that were read before those held."""
        self.lines = self.column = 0
        """Line ends before those held, and characters of a line that were."""

    def next(self) -> str:
        """The next character that is no blank; nothing at the end."""
        while True:
            self._at = _BLANKS.match(self._text, self._at).end()  # type: ignore[union-attr]  # matches always
            if self._at < len(self._text) or not self._read():
                return self._text[self._at : self._at + 1]

    def expect(self, sign: str, otherwise: str) -> None:
        """Pass a sign."""
        if self.next() != sign:
            raise self.error(otherwise)
        self._at += 1

    def value(self) -> Any:
        """The next value."""
        self.next()
        while True:
            try:
                value, end = _DECODER.raw_decode(self._text, self._at)
                if end < len(self._text) or not self._read():  # a number might go on
                    self._at = end
                    return value
            except json.JSONDecodeError as error:
                cut = error.pos >= len(self._text) - LONGEST_LITERAL or error.msg.startswith("Unterminated string")
                if not cut or not self._read():
                    raise

    def error(self, message: str) -> json.JSONDecodeError:
        """What is wrong at the next character."""
        return json.JSONDecodeError(message, self._text, self._at)

    def _read(self) -> bool:
        """Read as much again as is held, at least; False at the end."""
        if self._ended:
            return False
        passed = self._text[: self._at]
        self.passed += self._at
        self.lines += passed.count("\n")
        self.column = len(passed) - passed.rfind("\n") - 1 + (0 if "\n" in passed else self.column)
        self._text, self._at = self._text[self._at :], 0
        if len(self._text) > LARGEST_JSON:
            raise TooLargeError
        data = self._opened.read(max(PIECE, len(self._text)))
        self._ended = not data
        self._text += self._decoder.decode(data, final=self._ended)
        return True


_BLANKS = re.compile(r"[ \t\n\r]*")


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
