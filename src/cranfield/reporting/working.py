"""What the page needs to show how a score arises; it shows a sum only where that is the score it was given."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from cranfield.measures import Measure
from cranfield.settings import Settings


def working(measure: Measure, grades: Sequence[float], settings: Settings) -> dict[str, Any] | None:
    """The kind of sum behind a measure and what is in it; nothing where `cranfield explain` must be asked.

    >>> from cranfield import parse
    >>> working(parse("AP"), [0.0, 1.0], Settings())
    {'kind': 'precision', 'cutoff': None, 'rel': 1}
    """
    params = measure.params
    if params["judged_only"] or settings.judged_only or settings.depth:
        return None
    spec = {"cutoff": params.get("cutoff")}
    match measure.name:
        case "nDCG" | "DCG" if params["discount"] == "log2" and params.get("ideal", "judged") == "judged":
            gains = _gains(params["gain"], grades)
            return {"kind": "gain", **spec, "gains": gains, "normalised": measure.name == "nDCG"}
        case "AP" if params["norm"] == "relevant":
            return {"kind": "precision", **spec, "rel": params["rel"]}
        case "RR":
            return {"kind": "first", **spec, "rel": params["rel"]}
        case "P" | "R":
            over = "cutoff" if measure.name == "P" else "relevant"
            return {"kind": "count", **spec, "rel": params["rel"], "over": over}
        case _:
            return None


def _gains(gain: Any, grades: Sequence[float]) -> list[float]:
    if gain == "linear":
        return [max(grade, 0.0) for grade in grades]
    if gain == "exponential":
        return [2.0**grade - 1 if grade > 0 else 0.0 for grade in grades]
    named = dict(gain)
    return [float(named.get(grade, grade)) for grade in grades]
