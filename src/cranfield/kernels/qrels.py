"""Judgments all at once: they are held in memory anyway, and are far fewer than a run's lines."""

from __future__ import annotations

from dataclasses import replace
from typing import BinaryIO

import numpy as np

from cranfield.data.judgments import GroupKind, Groups, Ids, Judgments
from cranfield.errors.delimited_text import LONGEST_LINE
from cranfield.errors.rows import LARGEST_GRADE
from cranfield.kernels.compiled import SLACK, grouped_judgments_in, judgments_in, judgments_in_dictionary
from cranfield.kernels.dictionaries import NUMBERS
from cranfield.kernels.streaming import MARKS

Buffer = bytes | bytearray


def of_lines(opened: BinaryIO, path: str | None, *, fields: int) -> Judgments | None:
    """The judgments of lines with three or four fields, or None if only the plain loops can say what is there."""
    text = _text(opened)
    return None if text is None else judgments_of(judgments_in(*text, fields=fields, largest=LARGEST_GRADE), path)


def by_group(opened: BinaryIO, path: str | None, *, kind: GroupKind) -> Judgments | None:
    """The same of lines with four fields, whose second tells the subtopic or the judge."""
    text = _text(opened)
    merged = None if text is None else grouped_judgments_in(*text, largest=LARGEST_GRADE)
    if merged is None:
        return None
    of_documents, (*of_grades, grades, counts) = merged
    groups = np.frombuffer(counts, dtype=np.int64)
    if groups.max() == 1:  # looks like a mistake, which the plain loops tell
        return None
    starts, rows, numbers = (np.frombuffer(column, dtype=np.int64) for column in of_grades)
    owners = tuple(tuple(range(count)) for count in groups.tolist())
    judgments = judgments_of(of_documents, path)
    return judgments and replace(
        judgments, groups=Groups(kind, starts, rows, numbers, np.frombuffer(grades, dtype=np.float64), owners)
    )


def _text(opened: BinaryIO) -> tuple[bytearray, int] | None:
    """All of a text, in a room with some to spare, and where it ends there; None if it is not to be read here."""
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
    return text, end


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
