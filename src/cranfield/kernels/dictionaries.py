"""Runs that are dictionaries in memory, from their scores to the places of judged documents."""

from __future__ import annotations

import numpy as np

from cranfield.data.judgments import Judgments
from cranfield.data.run import JudgedPlaces
from cranfield.kernels.chunks import by_query, judged_of
from cranfield.kernels.compiled import scan_dictionary

NUMBERS: frozenset[type] = frozenset(
    (int, np.float64, np.float32, np.float16, np.int64, np.int32, np.int16, np.int8, np.uint32, np.uint16, np.uint8)
)
"""Types of scores other than Python's float."""


def places(given: object, judgments: Judgments, *, ties: str, single: bool) -> JudgedPlaces | None:
    """The places of all judged documents, or None if only the plain loops can say what is there."""
    judged = judged_of(judgments)
    chunk = judged and scan_dictionary(judged, given, ties=ties, single=single, types=NUMBERS)
    return by_query([chunk]) if chunk else None
