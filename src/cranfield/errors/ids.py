"""Ids of judgments and run that never meet, and how they would."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Sequence

from cranfield.errors.findings import Finding
from cranfield.errors.phrases import examples


def ids_never_meet(
    what: str,
    judgments_path: str | None,
    run_path: str | None,
    judged_examples: Iterable[str],
    run_examples: Iterable[str],
) -> Finding:
    """Judgments and run share no query (or document); more examples than are shown sharpen the hint."""
    judged, retrieved = list(judged_examples), list(run_examples)
    names = {"query": "queries", "document": "documents"}[what]
    return Finding(
        "error",
        f"{what}-ids-never-meet",
        f"no {what} in common with {judgments_path or 'the judgments'}: "
        f"judged {names} are {examples(judged)}; {names} of the run are {examples(retrieved)}",
        would_meet(judged, retrieved) or "Check that judgments and run belong to the same collection.",
        run_path,
    )


def runs_never_meet(path: str, other_path: str, queries: Iterable[str], other_queries: Iterable[str]) -> Finding:
    """Two runs that share no query."""
    own, others = list(queries), list(other_queries)
    return Finding(
        "error",
        "query-ids-never-meet",
        f"no query in common with {path}: its queries are {examples(own)}; those of this run are {examples(others)}",
        would_meet(own, others) or "Check that both runs are of the same collection.",
        other_path,
    )


def would_meet(judged: Sequence[str], retrieved: Sequence[str]) -> str:
    """The change of spelling that brings most ids together, as advice."""
    changes: dict[str, Callable[[str], str]] = {
        "without blanks around them": str.strip,
        "whatever their case": str.casefold,
        "without leading zeros": lambda name: name.lstrip("0") or "0",
        "without .0 at their end": lambda name: name.removesuffix(".0"),
    }
    for prefix in _prefixes(judged, retrieved):
        changes[f"without the prefix {prefix!r}"] = _without(prefix)
    met = {words: _first_met(judged, retrieved, change) for words, change in changes.items()}
    best = max(met, key=lambda words: len(met[words]))
    if not met[best]:
        return ""
    one, other = met[best][0]
    return f"They would meet {best} ({one} and {other}): write the ids alike in both."


def _without(prefix: str) -> Callable[[str], str]:
    return lambda name: name.removeprefix(prefix)


def _first_met(judged: Sequence[str], retrieved: Sequence[str], change: Callable[[str], str]) -> list[tuple[str, str]]:
    # Ids that are alike already are those of different queries.
    changed = {change(name): name for name in judged}
    return [(one, name) for name in retrieved if (one := changed.get(change(name), name)) != name]


def _prefixes(judged: Sequence[str], retrieved: Sequence[str], looked_at: int = 50) -> list[str]:
    """What the ids of one side have before an id of the other; a prefix does not end in a digit."""
    found: Counter[str] = Counter()
    for longer, shorter in ((judged, retrieved), (retrieved, judged)):
        for name in longer[:looked_at]:
            for ending in shorter[:looked_at]:
                if name != ending and ending and name.endswith(ending):
                    found[name[: -len(ending)]] += 1
    return [prefix for prefix, _ in found.most_common(3) if not re.search(r"\d$", prefix)]
