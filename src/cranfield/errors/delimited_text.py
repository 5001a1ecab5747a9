"""What can be wrong with lines and quotes, whatever is in them."""

from __future__ import annotations

from cranfield.errors.findings import Finding
from cranfield.phrases import short

LONGEST_LINE = 1 << 24
"""Bytes that a line, or a quoted field, may have: whatever is longer is no text, or would fill the memory."""

LARGEST_JSON = 1 << 29
"""Bytes of a JSON text that is read as one value."""

QUOTES = 'Close the quote; where it is part of the text, put the field in quotes and double it: "5"" pipe".'


def open_quote(path: str | None, line: int, text: str) -> Finding:
    """A quote that swallows all that follows it."""
    message = "a quote opens here and is never closed; all that follows would be one field"
    return Finding("error", "malformed-csv", message, QUOTES, path, line, short(text))


def text_after_quote(path: str | None, line: int, closed: int, text: str) -> Finding:
    """A quoted field that goes on after its quote; over several lines, a quote was left open."""
    where = "in the middle of a field" if closed == line else f"on line {closed}, in the middle of a field"
    message = f"a quote opens here and closes {where}"
    return Finding("error", "malformed-csv", message, QUOTES, path, line, short(text))


def stray_return(path: str | None, line: int, text: str) -> Finding:
    """A CR that ends no line: somebody else may take it for a line end."""
    return Finding(
        "error",
        "wrong-line-ends",
        "a carriage return (CR) within the line; lines end with LF or CR LF",
        "Remove it, or put the field in quotes. If lines end with CR alone, convert the file: tr '\\r' '\\n'",
        path,
        line,
        short(text.replace("\r", "␍")),
    )


def nul_in_text(path: str | None, line: int, text: str) -> Finding:
    """A sign that no text has."""
    advice = "Remove it; a damaged disk or a binary file may be the cause."
    message = "the line has a NUL character, which no text has"
    return Finding("error", "nul-in-text", message, advice, path, line, short(text.replace("\0", "␀")))


def line_too_long(path: str | None, line: int) -> Finding:
    """A line without an end, as a file that is no text has it."""
    return Finding(
        "error",
        "line-too-long",
        f"the line is longer than {LONGEST_LINE >> 20} MiB, the most that is read",
        "Check that it is the right file, and that its lines end with LF.",
        path,
        line,
    )


def json_too_large(path: str | None) -> Finding:
    """A JSON file that would have to be held in memory several times over."""
    return Finding(
        "error",
        "file-too-large",
        f"the JSON text is larger than {LARGEST_JSON >> 20} MiB, the most that is read as one value",
        "Write it as JSONL, an object per line, which is read piece by piece; or, if these are responses of a search "
        "engine, as a file per query in a folder.",
        path,
    )
