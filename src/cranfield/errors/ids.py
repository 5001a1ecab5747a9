"""Ids of judgments and run that never meet, and how they would."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Sequence

from cranfield.errors.findings import Finding
from cranfield.phrases import examples, spoken


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
        (explained(judged, retrieved) if what == "document" else would_meet(judged, retrieved))
        or "Check that judgments and run belong to the same collection.",
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


def would_meet(judged: Sequence[str], retrieved: Sequence[str], where: str = "in both files") -> str:
    """The change of spelling that brings most ids together, as advice."""
    change, pairs = _best_change(judged, retrieved)
    if not pairs:
        change, pairs = _best_of_two_changes(judged, retrieved)
    return f"The ids match {change} ({spelt(pairs)}); use one spelling {where}." if pairs else ""


def explained(judged: Sequence[str], retrieved: Sequence[str]) -> str:
    """Why documents never meet, as advice: they are spelt differently, or one side has chunks; empty if neither."""
    return would_meet(judged, retrieved) or _would_meet_as_documents(judged, retrieved)


SEPARATORS = ("#", "::", "_", "-", ":", "/", "@", "|")
"""What stands between a document and the number of its chunk."""


def _would_meet_as_documents(judged: Sequence[str], retrieved: Sequence[str]) -> str:
    """The separator at which chunks of one side become documents of the other, as advice."""
    of_separator = {separator: _chunks(separator, judged, retrieved) for separator in SEPARATORS}
    separator, pairs = _most(of_separator)
    if not pairs:
        return ""
    group_by = spoken(command=f"--group-by '{separator}'", python=f'group_by="{separator}"')
    return f"These look like chunks and documents ({spelt(pairs)}): evaluate with {group_by} to count documents."


def _chunks(separator: str, judged: Sequence[str], retrieved: Sequence[str]) -> list[tuple[str, str]]:
    """Chunks of one side whose document is one of the other."""
    return [
        (name, document)
        for chunks, documents in ((judged, set(retrieved)), (retrieved, set(judged)))
        for name in chunks
        if (document := name.rpartition(separator)[0]) in documents and separator not in document
    ]


def other_spelling(judged: Sequence[str], retrieved: Sequence[str], unmatched: str) -> str:
    """How ids that have no partner find one in another spelling, as the end of a warning; empty if they do not."""
    if not judged or not retrieved:
        return ""
    change, pairs = _best_change(judged, retrieved)
    if not pairs or (change.startswith(PREFIX) and 2 * len(pairs) < min(len(judged), len(retrieved))):
        return ""  # one id may end like another by chance
    verb = "matches" if len(pairs) == 1 else "match"
    return f"; {change}, {len(pairs):,} {verb} {unmatched} ({spelt(pairs)}): use one spelling in both files"


def spelt_differently(by_query: Iterable[tuple[Collection[str], Collection[str]]]) -> tuple[str, list[tuple[str, str]]]:
    """The change of spelling that brings most documents together, and these; of judged and retrieved ones by query."""
    pairs_by_change: dict[str, list[tuple[str, str]]] = {}
    at_most = 0
    for judged, retrieved in by_query:
        missed = sorted(set(judged).difference(retrieved))
        unjudged = sorted(set(retrieved).difference(judged))
        at_most += min(len(missed), len(unjudged))
        if missed and unjudged:
            change, pairs = _best_change(missed, unjudged)
            pairs_by_change.setdefault(change, []).extend(pairs)
    change = max(pairs_by_change, key=lambda words: len(pairs_by_change[words]), default="")
    pairs = pairs_by_change.get(change, [])
    is_chance = change.startswith(PREFIX) and 2 * len(pairs) < at_most
    return change, [] if is_chance else pairs


PREFIX = "without the prefix"
_LEADING_ZEROS = re.compile(r"^0+(?=.)|(?<![\d.])0+(?=\d)")
"""Of an id, and of a number in it."""


def _best_change(judged: Sequence[str], retrieved: Sequence[str]) -> tuple[str, list[tuple[str, str]]]:
    """The change of spelling under which most ids are the same, and the ids it brings together."""
    changes: dict[str, Callable[[str], str]] = {
        "without blanks around them": str.strip,
        "ignoring case": str.casefold,
        "without leading zeros": lambda name: _LEADING_ZEROS.sub("", name) if "0" in name else name,
        "without .0 at the end": lambda name: name.removesuffix(".0"),
    }
    for prefix in _prefixes(judged, retrieved):
        changes[f"{PREFIX} {prefix!r}"] = _without(prefix)
    met = {words: _met(judged, retrieved, change) for words, change in changes.items()}
    return _most(met)


def _best_of_two_changes(judged: Sequence[str], retrieved: Sequence[str]) -> tuple[str, list[tuple[str, str]]]:
    """The same of two changes at once: a spreadsheet makes 123.0 of 00123, and a file is called red-shoes.json."""
    plain, other = [[_plain_number(name) for name in names] for names in (judged, retrieved)]
    changes: dict[str, Callable[[str], str]] = {
        "without leading zeros and .0 at the end": _plain_number,
        "ignoring case and punctuation": _file_name,
    }
    for prefix in _prefixes(plain, other):
        changes[f"{PREFIX} {prefix!r} and leading zeros"] = _without(prefix, _plain_number)
    return _most({words: _met(judged, retrieved, change) for words, change in changes.items()})


def _plain_number(name: str) -> str:
    return _LEADING_ZEROS.sub("", name.removesuffix(".0"))


def _file_name(name: str) -> str:
    """A text as it is made a name of a file: red-shoes."""
    return re.sub(r"[\W_]+", "-", name.casefold()).strip("-")


def _most(met: dict[str, list[tuple[str, str]]]) -> tuple[str, list[tuple[str, str]]]:
    best = max(met, key=lambda words: len(met[words]))
    return best, met[best]


def spelt(pairs: Sequence[tuple[str, str]]) -> str:
    """The first pair of ids, as an example."""
    one, other = (repr(name) if name != name.strip() else name for name in pairs[0])
    return f"{one} / {other}"


def _without(prefix: str, spelling: Callable[[str], str] = str) -> Callable[[str], str]:
    return lambda name: spelling(name).removeprefix(prefix)


def _met(judged: Sequence[str], retrieved: Sequence[str], change: Callable[[str], str]) -> list[tuple[str, str]]:
    # Ids that are alike already are those of different queries.
    changed = dict(zip(map(change, judged), judged, strict=True))
    return [(one, name) for name in retrieved if (one := changed.get(change(name), name)) != name]


def _prefixes(judged: Sequence[str], retrieved: Sequence[str], looked_at: int = 50) -> list[str]:
    """What the ids of one side have before an id of the other; a prefix does not end in a digit."""
    found: Counter[str] = Counter()
    for longer, shorter in ((judged, retrieved), (retrieved, judged)):
        endings = set(shorter)
        for name in longer[:looked_at]:
            found.update(name[:at] for at in range(1, len(name)) if name[at:] in endings)
    return [prefix for prefix, _ in found.most_common() if not prefix[-1].isdigit()][:3]
