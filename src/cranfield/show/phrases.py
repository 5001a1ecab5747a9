"""Phrases that messages, tables and pages share."""

from __future__ import annotations

from collections.abc import Sequence

_PLURALS = {"query": "queries", "stratum": "strata", "category": "categories"}


def counted(count: int, noun: str) -> str:
    """A number of things, one or several.

    >>> counted(1, "pair"), counted(1200, "query"), counted(0, "new document")
    ('1 pair', '1,200 queries', '0 new documents')
    """
    *adjectives, last = noun.split(" ")
    plural = " ".join([*adjectives, _PLURALS.get(last, f"{last}s")])
    return f"1 {noun}" if count == 1 else f"{count:,} {plural}"


def listed(names: Sequence[str], most: int = 5) -> str:
    """Names in a sentence, of many only the first.

    >>> listed(["a", "b"]), listed(["a", "b", "c", "d"], 2)
    ('a and b', 'a, b and 2 more')
    """
    if len(names) > most:
        return f"{', '.join(names[:most])} and {len(names) - most:,} more"
    *first, last = names or [""]
    return f"{', '.join(first)} and {last}" if first else last


def percent(share: float) -> str:
    """A share of 1 in whole percent.

    >>> percent(0.95), percent(0.085)
    ('95%', '8%')
    """
    return f"{100 * share:z.0f}%"
