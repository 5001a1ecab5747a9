"""Random changes of files: of their bytes, of the fields of their lines, of the values of their JSON."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Sequence
from random import Random
from typing import Any

from fuzzing.tokens import BYTES, JSON_VALUES, NUMBERS, TOKENS

MOST = 400_000
"""Bytes beyond which an input is cut: time is better spent on many small ones."""

_SEPARATORS = re.compile(rb"([\t,;|=\s]+)")
_RAW = "\ue000"
"""Stands in JSON for a text that is no value of Python."""


def mutated(data: bytes, others: Sequence[bytes], rng: Random) -> bytes:
    """Some bytes with a few changes; `others` are bytes of the same kind, from which pieces may come."""
    for _ in range(_few(rng)):
        change = rng.choice((*_BY_FIELD, *_BY_FIELD, *_BY_BYTE)) if not _is_json(data) else rng.choice(_OF_JSON)
        data = change(data, others, rng)[:MOST]
    return data


def damaged(data: bytes, rng: Random) -> bytes:
    """Some bytes with a few of them flipped, lost or put in, as for what is no text."""
    for _ in range(_few(rng)):
        data = rng.choice((_flipped, _flipped, _overwritten, _cut_out, _cut_off, _doubled))(data, (), rng)[:MOST]
    return data


def token(rng: Random) -> bytes:
    """Something that a reader may stumble over."""
    if rng.random() < 0.15:
        return rng.choice(BYTES)
    return rng.choice(NUMBERS if rng.random() < 0.5 else TOKENS).encode("utf-8", "surrogatepass")


def _few(rng: Random) -> int:
    """1 in half of the cases, rarely more than 6."""
    count = 1
    while count < 12 and rng.random() < 0.5:
        count += 1
    return count


def _is_json(data: bytes) -> bool:
    return data.lstrip()[:1] in (b"{", b"[")


# Bytes

Change = Callable[[bytes, Sequence[bytes], Random], bytes]


def _span(data: bytes, rng: Random) -> tuple[int, int]:
    start = rng.randint(0, len(data))
    length = rng.choice((1, 2, 4, 16, 64, 256, len(data)))
    return start, min(len(data), start + rng.randint(0, length))


def _flipped(data: bytes, others: Sequence[bytes], rng: Random) -> bytes:
    if not data:
        return data
    at = rng.randrange(len(data))
    return data[:at] + bytes([data[at] ^ (1 << rng.randrange(8))]) + data[at + 1 :]


def _overwritten(data: bytes, others: Sequence[bytes], rng: Random) -> bytes:
    if not data:
        return data
    at = rng.randrange(len(data))
    new = rng.choice((rng.randbytes(1), rng.randbytes(4), b"\xff\xff\xff\x7f", b"\x00\x00\x00\x00", b"\xff" * 8))
    return data[:at] + new + data[at + len(new) :]


def _cut_out(data: bytes, others: Sequence[bytes], rng: Random) -> bytes:
    start, end = _span(data, rng)
    return data[:start] + data[end:]


def _cut_off(data: bytes, others: Sequence[bytes], rng: Random) -> bytes:
    return data[: rng.randint(0, len(data))]


def _doubled(data: bytes, others: Sequence[bytes], rng: Random) -> bytes:
    start, end = _span(data, rng)
    return data[:end] + data[start:end] * rng.choice((1, 1, 2, 50)) + data[end:]


def _spliced(data: bytes, others: Sequence[bytes], rng: Random) -> bytes:
    other = rng.choice(others) if others else data
    (start, end), (first, last) = _span(data, rng), _span(other, rng)
    return data[:start] + other[first:last] + data[end:]


def _with_token(data: bytes, others: Sequence[bytes], rng: Random) -> bytes:
    start, end = _span(data, rng)
    return data[:start] + token(rng) + data[rng.choice((start, start, end)) :]


def _with_mark(data: bytes, others: Sequence[bytes], rng: Random) -> bytes:
    return rng.choice((b"\xef\xbb\xbf", b"\xff\xfe", b"#", b"# a comment\n", b"\n\n", b" ", b'"')) + data


def _in_other_encoding(data: bytes, others: Sequence[bytes], rng: Random) -> bytes:
    text = data.decode("utf-8", "replace")
    return text.encode(rng.choice(("utf-16", "utf-16-le", "latin-1", "utf-8-sig")), "replace")


_BY_BYTE: tuple[Change, ...] = (
    *(_flipped, _overwritten, _cut_out, _cut_off, _doubled, _spliced, _with_token, _with_token, _with_mark),
    _in_other_encoding,
)

# Lines and their fields


def _changed_field(data: bytes, others: Sequence[bytes], rng: Random) -> bytes:
    """A field becomes something else: odd, empty, longer, or what stands elsewhere."""
    lines = data.split(b"\n")
    at = _some_line(lines, rng)
    parts = _SEPARATORS.split(lines[at])
    place = 2 * rng.randrange((len(parts) + 1) // 2)
    field = parts[place]
    parts[place] = rng.choice(
        (
            token(rng),
            token(rng),
            field + token(rng),
            token(rng) + field,
            b'"' + field + b'"',
            b'"' + field + token(rng) + b'"',
            b"",
            rng.choice(parts),
            rng.choice(_SEPARATORS.split(rng.choice(lines))),
        )
    )
    lines[at] = b"".join(parts)
    return b"\n".join(lines)


def _changed_separator(data: bytes, others: Sequence[bytes], rng: Random) -> bytes:
    lines = data.split(b"\n")
    at = _some_line(lines, rng)
    parts = _SEPARATORS.split(lines[at])
    if len(parts) > 1:
        parts[1 + 2 * rng.randrange(len(parts) // 2)] = rng.choice((b" ", b"\t", b"\t\t", b",", b";", b"", token(rng)))
    lines[at] = b"".join(parts)
    return b"\n".join(lines)


def _changed_column(data: bytes, others: Sequence[bytes], rng: Random) -> bytes:
    """The same happens to a field of every line, or of every line but the first."""
    lines = data.split(b"\n")
    first, place, new = rng.choice((0, 1)), rng.randrange(8), rng.choice((b"", b"0", b"1", token(rng)))
    kind = rng.randrange(3)
    for at in range(first, len(lines)):
        parts = _SEPARATORS.split(lines[at])
        if 2 * place < len(parts):
            parts[2 * place : 2 * place + (2 if kind == 2 else 1)] = (
                [] if kind == 2 else [new + parts[2 * place] * kind]
            )
            lines[at] = b"".join(parts)
    return b"\n".join(lines)


def _lost_line(data: bytes, others: Sequence[bytes], rng: Random) -> bytes:
    lines = data.split(b"\n")
    del lines[_some_line(lines, rng)]
    return b"\n".join(lines)


def _repeated_line(data: bytes, others: Sequence[bytes], rng: Random) -> bytes:
    lines = data.split(b"\n")
    lines.insert(rng.randint(0, len(lines)), rng.choice((rng.choice(lines), b"", b"#", token(rng))))
    return b"\n".join(lines)


def _shuffled_lines(data: bytes, others: Sequence[bytes], rng: Random) -> bytes:
    head, *lines = data.split(b"\n")
    rng.shuffle(lines)
    return b"\n".join([head, *lines])


def _other_line_ends(data: bytes, others: Sequence[bytes], rng: Random) -> bytes:
    return data.replace(b"\n", rng.choice((b"\r\n", b"\r", b"\n\n", b"\x0b\n", b" \n", b"\xe2\x80\xa8")))


def _some_line(lines: list[bytes], rng: Random) -> int:
    return 0 if rng.random() < 0.15 else rng.randrange(len(lines))


_BY_FIELD: tuple[Change, ...] = (
    *(_changed_field,) * 6,
    *(_changed_separator, _changed_column, _changed_column, _lost_line, _repeated_line, _repeated_line),
    *(_shuffled_lines, _other_line_ends, _spliced),
)

# JSON


def _changed_json(data: bytes, others: Sequence[bytes], rng: Random) -> bytes:
    """A value somewhere in the tree becomes another, a key another, an entry is lost or repeated."""
    lines = data.split(b"\n")
    for at in (None, _some_line(lines, rng)):  # one value in all, or one a line
        try:
            value = json.loads(data if at is None else lines[at])
        except (ValueError, RecursionError):
            continue
        text = _written(_changed_value(value, rng), rng)
        if at is None:
            return text
        lines[at] = text.replace(b"\n", b" ")
        return b"\n".join(lines)
    return rng.choice(_BY_BYTE)(data, others, rng)


def _changed_value(value: Any, rng: Random) -> Any:
    if isinstance(value, dict) and value and rng.random() < 0.9:
        key = rng.choice(list(value))
        return rng.choice((_with_changed, _with_changed, _with_changed, _with_changed, _with_other_key))(
            value, key, rng
        )
    if isinstance(value, list) and value and rng.random() < 0.9:
        at = rng.randrange(len(value))
        new = [_changed_value(value[at], rng)]
        return value[:at] + rng.choice((new, new, new, new, [], [value[at]] * 2)) + value[at + 1 :]
    return _other_value(value, rng)


def _with_changed(value: dict[str, Any], key: str, rng: Random) -> dict[str, Any]:
    return value | {key: _changed_value(value[key], rng)}


def _with_other_key(value: dict[str, Any], key: str, rng: Random) -> dict[str, Any]:
    new = rng.choice(TOKENS)
    kept = {name: inner for name, inner in value.items() if name != key}
    return rng.choice((kept, value | {new: value[key]}, kept | {new: value[key]}))


def _other_value(value: Any, rng: Random) -> Any:
    return rng.choice(
        (
            _RAW + rng.choice(JSON_VALUES),
            _RAW + rng.choice(JSON_VALUES),
            _RAW + rng.choice(NUMBERS),
            rng.choice(TOKENS),
            [value],
            {"a": value},
            str(value),
        )
    )


def _written(value: Any, rng: Random) -> bytes:
    text = json.dumps(value, ensure_ascii=False, indent=rng.choice((None, None, 1)))
    if _RAW in text:
        text = re.sub(f'"{_RAW}((?:[^"\\\\]|\\\\.)*)"', lambda found: json.loads(f'"{found[1]}"'), text)
    return text.encode("utf-8", "surrogatepass")


_OF_JSON: tuple[Change, ...] = (
    *(_changed_json,) * 12,
    *(_flipped, _cut_out, _cut_off, _spliced, _with_token, _with_mark, _lost_line, _repeated_line, _other_line_ends),
    _in_other_encoding,
)
