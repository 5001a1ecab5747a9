"""TREC judgments from their bytes, all at once: they are held in memory anyway, and far fewer than a run's lines."""

from __future__ import annotations

from typing import BinaryIO

import numpy as np

from cranfield.errors import LARGEST_GRADE
from cranfield.ids import Ids
from cranfield.judgments import Judgments
from cranfield.kernels.compiled import SLACK, judgments_in
from cranfield.kernels.streaming import MARKS


def judgments(opened: BinaryIO, path: str | None, *, fields: int) -> Judgments | None:
    """The judgments of lines with three or four fields, or None if only the plain loops can say what is there."""
    text = bytearray(opened.read())
    if text.startswith(MARKS):
        return None
    if not text.endswith(b"\n"):
        text += b"\n"
    end = len(text)
    found = judgments_in(text + bytes(SLACK), end, fields=fields, largest=LARGEST_GRADE)
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
