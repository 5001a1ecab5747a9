"""Judgments all at once: they are held in memory anyway, and are far fewer than a run's lines."""

from __future__ import annotations

from typing import BinaryIO

import numpy as np

from cranfield.data.judgments import Ids, Judgments
from cranfield.errors.delimited_text import LONGEST_LINE
from cranfield.errors.rows import LARGEST_GRADE
from cranfield.kernels.compiled import SLACK, judgments_in, judgments_in_dictionary
from cranfield.kernels.dictionaries import NUMBERS
from cranfield.kernels.streaming import MARKS

Buffer = bytes | bytearray


def of_lines(opened: BinaryIO, path: str | None, *, fields: int) -> Judgments | None:
    """The judgments of lines with three or four fields, or None if only the plain loops can say what is there."""
    text = bytearray()
    while data := opened.read(LONGEST_LINE):
        if len(data) == LONGEST_LINE and b"\n" not in data:
            return None
        text += data
    if text.startswith(MARKS):
        return None
    if not text.endswith(b"\n"):
        text += b"\n"
    end = len(text)
    text += bytes(SLACK)
    return judgments_of(judgments_in(text, end, fields=fields, largest=LARGEST_GRADE), path)


def of_dictionary(given: object) -> Judgments | None:
    """The judgments of `{query: {document: grade}}`, or None if only the plain loops can say what is there."""
    return judgments_of(judgments_in_dictionary(given, largest=LARGEST_GRADE, types=NUMBERS), None)


def judgments_of(
    found: tuple[tuple[str, ...], Buffer, Buffer, Buffer, Buffer] | None, path: str | None
) -> Judgments | None:
    """What the loops give as judgments."""
    if found is None:
        return None
    queries, starts, documents, begins, grades = found
    return Judgments(
        queries=queries,
        starts=np.frombuffer(starts, dtype=np.int64),
        documents=Ids(documents, np.frombuffer(begins, dtype=np.int64)),
        grades=np.frombuffer(grades, dtype=np.float64),
        path=path,
    )
