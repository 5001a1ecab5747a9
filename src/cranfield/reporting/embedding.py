"""Data as they stand in the page: numbers in columns, deflated, as text that is no code.

A bundle is the length of a header in four bytes, the header (JSON: `meta`, and of each column its name, type and
length), and the columns, little-endian. A column holds all first bytes of its numbers, then all second ones, and so on:
bytes that are alike then stand together, and deflate to less. `bundle.js` reads it.
"""

from __future__ import annotations

import base64
import json
import zlib
from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

Numbers = npt.NDArray[Any]

TYPES = {"f8": np.float64, "u4": np.uint32, "u2": np.uint16, "u1": np.uint8}
"""What a column's numbers may be; the browser has an array for each."""
LEVEL = 6
"""Of compression: the next one takes twice as long for one part in a hundred."""
MISSING = 0xFFFF
"""Of scores in ten-thousandths: undefined, or not counted."""


def packed(meta: Any, columns: Mapping[str, Numbers] | None = None) -> str:
    """Plain values and columns of numbers as text for the page.

    >>> unpacked(packed({"runs": ["bm25"]}, {"scores": np.array([0.5, 1.0])}))
    ({'runs': ['bm25']}, {'scores': array([0.5, 1. ])})
    """
    given = {} if columns is None else columns
    specs = [(name, _type(column), len(column)) for name, column in given.items()]
    header = _json({"meta": meta, "columns": specs})
    raw = b"".join(
        [len(header).to_bytes(4, "little"), header, *(_by_plane(column) for column in given.values())],
    )
    return base64.b64encode(zlib.compress(raw, LEVEL)).decode("ascii")


def unpacked(text: str) -> tuple[Any, dict[str, Numbers]]:
    """What `packed` was given: for tests, and to read a page's numbers without a browser."""
    raw = zlib.decompress(base64.b64decode(text))
    at = 4 + int.from_bytes(raw[:4], "little")
    header = json.loads(raw[4:at])
    columns = {}
    for name, type_, count in header["columns"]:
        size = np.dtype(TYPES[type_]).itemsize
        planes = np.frombuffer(raw, dtype=np.uint8, count=size * count, offset=at).reshape(size, count)
        columns[name] = np.ascontiguousarray(planes.T).view(np.dtype(TYPES[type_]).newbyteorder("<")).ravel()
        at += size * count
    return header["meta"], columns


def ten_thousandths(scores: npt.NDArray[np.float64]) -> npt.NDArray[np.uint16]:
    """Scores from 0 to 1 as they are shown, with four decimals.

    >>> ten_thousandths(np.array([0.03125, 0.00015, 1.0, np.nan])).tolist()
    [312, 1, 10000, 65535]
    """
    # Many queries share few values; Python's own rounding is that of what people read.
    distinct, place = np.unique(scores.ravel(), return_inverse=True, equal_nan=True)
    shown = [MISSING if np.isnan(value) else round(float(f"{value:z.4f}") * 10_000) for value in distinct.tolist()]
    return np.array(shown, dtype=np.uint16)[place].reshape(scores.shape)


def _type(column: Numbers) -> str:
    return next(name for name, type_ in TYPES.items() if column.dtype == type_)


def _by_plane(column: Numbers) -> bytes:
    little = np.ascontiguousarray(column.astype(column.dtype.newbyteorder("<"), copy=False))
    return little.view(np.uint8).reshape(len(column), column.itemsize).T.tobytes()


def _json(value: Any) -> bytes:
    text = json.dumps(value, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    try:
        return text.encode("utf-8")
    except UnicodeEncodeError:  # half of a pair of surrogates, which UTF-8 cannot hold
        return json.dumps(value, allow_nan=False, separators=(",", ":")).encode("ascii")
