"""Collections that are named and cannot be read."""

from __future__ import annotations

from collections.abc import Sequence

from cranfield.errors.findings import Finding, nearest
from cranfield.phrases import short


def unknown_collection(path: str, known: Sequence[str]) -> Finding:
    """A name that ir_datasets does not know."""
    prefix, _, name = path.partition(":")
    near = nearest(name, known)
    advice = f"Did you mean {' or '.join(f'{prefix}:{one}' for one in near)}?" if near else ""
    return Finding(
        "error", "unknown-collection", "ir_datasets has no such collection", advice or "See ir-datasets.com.", path
    )


def without_part(path: str, what: str, others: Sequence[str]) -> Finding:
    """A collection without judgments, queries, documents or runs."""
    several = f"{', '.join(others[:5])}{', …' if len(others) > 5 else ''}"
    advice = f"These have them: {several}" if others else "Name another collection, or give a file."
    return Finding("error", "without-part", f"the collection has no {what}", advice, path)


def not_fetched(path: str, reason: str) -> Finding:
    """A collection whose files are neither here nor can be fetched, in the words of whoever tried."""
    return Finding(
        "error",
        "not-fetched",
        f"the collection cannot be read: {short(' '.join(reason.split()), 300)}",
        "ir_datasets fetches it once and keeps it in ~/.ir_datasets, or where IR_DATASETS_HOME says. Without a "
        "network, copy that folder from a machine that has it.",
        path,
    )
