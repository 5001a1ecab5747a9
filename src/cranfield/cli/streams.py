"""The command's standard streams: whatever they are, the result counts, and no text is too strange for them."""

from __future__ import annotations

import codecs
import io
import os
import sys
import warnings
from pathlib import Path
from typing import Any, TextIO

ERRORS = "cranfield-plain"
"""The name under which signs that an encoding lacks are replaced."""
ASCII = "cranfield_ascii"
"""ASCII under another name: click takes a stream of that name for a mistake, and writes UTF-8 to it."""

_PLAIN = {
    **dict.fromkeys("─━—–‒―−‐‑", "-"),
    **dict.fromkeys("│┃┆┊", "|"),
    **dict.fromkeys("┌┐└┘├┤┬┴┼╭╮╰╯╷╵", "+"),
    **dict.fromkeys("‘’‚′", "'"),
    **dict.fromkeys("“”„″", '"'),
    **dict.fromkeys("•·∙●○◦▪■□◆", "*"),
    **dict.fromkeys("█▇▆▅▓", "#"),
    **dict.fromkeys("▄▃▂▁▒░", "="),
    **{"…": "...", "→": "->", "←": "<-", "↑": "^", "↓": "v", "±": "+/-", "×": "x", "÷": "/", "≤": "<=", "≥": ">="},
    **{"≈": "~", "≠": "!=", "√": "sqrt", "Σ": "sum", "∑": "sum", "∞": "inf", "§": "section ", "°": " degrees"},
    **{
        "✓": "ok",
        "✔": "ok",
        "✗": "x",
        "✘": "x",
        "✅": "ok",
        "❌": "x",
        "⚠": "!",
        "\u00a0": " ",
        "\u202f": " ",
        "�": "?",
    },
}


def prepare() -> None:
    """Let no sign that a stream lacks, and no reader that has left, end this process."""
    codecs.register_error(ERRORS, _replaced)
    codecs.register(_ascii)
    sys.stderr = _forgiving(sys.stderr)
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            is_ascii = codecs.lookup(stream.encoding).name == "ascii"
            stream.reconfigure(encoding=ASCII if is_ascii else None, errors=ERRORS)
    if not sys.warnoptions:
        # What NumPy has to say about an operation within a calculation is nothing a user could act on: the result says
        # what is undefined, and why.
        warnings.simplefilter("ignore", RuntimeWarning)


def drop_output() -> None:
    """Nobody reads on, as after `| head`. Python would complain once more when it flushes at exit."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def can_be_written(text: str) -> bool:
    """Whether standard output can hold every sign of a text."""
    try:
        text.encode(getattr(sys.stdout, "encoding", None) or "utf-8")
    except UnicodeEncodeError:
        return False
    return True


def _replaced(error: UnicodeError) -> tuple[str, int]:
    """Something like the signs that cannot be written; different ids stay different."""
    if not isinstance(error, UnicodeEncodeError):
        raise error
    return "".join(map(_plain, error.object[error.start : error.end])), error.end


def _plain(sign: str) -> str:
    if sign in _PLAIN:
        return _PLAIN[sign]
    if "\udc80" <= sign <= "\udcff":  # a byte of a file's name that is not UTF-8
        return f"\\x{ord(sign) - 0xDC00:02x}"
    return sign.encode("ascii", "backslashreplace").decode("ascii")


def _ascii(name: str) -> codecs.CodecInfo | None:
    if name != ASCII:
        return None
    known = codecs.lookup("ascii")
    return codecs.CodecInfo(
        known.encode,
        known.decode,
        known.streamreader,
        known.streamwriter,
        known.incrementalencoder,
        known.incrementaldecoder,
        name=ASCII,
    )


class _Forgiving(io.FileIO):
    """Standard error that may be closed or full: warnings are then lost, and the result is not."""

    def write(self, data: Any) -> int:
        try:
            return super().write(data) or 0
        except OSError:
            return len(data)


def _forgiving(stream: TextIO | None) -> TextIO:
    if stream is None:
        return Path(os.devnull).open("w", encoding="utf-8")  # for as long as the process lives
    if not isinstance(stream, io.TextIOWrapper) or stream.isatty():
        return stream
    raw = _Forgiving(stream.fileno(), "w", closefd=False)
    return io.TextIOWrapper(io.BufferedWriter(raw), stream.encoding, line_buffering=True)
