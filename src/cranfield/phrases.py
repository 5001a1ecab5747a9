"""Phrases that messages, tables and pages share, and how they name an option: as the command does, or as Python."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager

TIE_ORDERS = {
    "document": "by document id, descending",
    "document-ascending": "by document id, ascending",
    "given": "as in the run",
}
"""The order of documents with equal scores, in words."""


def sentences(*some: str) -> str:
    """Those sentences that say something, one after the other."""
    return " ".join(sentence for sentence in some if sentence)


def beginning_small(text: str) -> str:
    """What another program says, for the middle of a sentence.

    >>> beginning_small("Permission denied"), beginning_small("FATAL: no such role")
    ('permission denied', 'FATAL: no such role')
    """
    return text[:1].lower() + text[1:] if text[1:2].islower() else text


def short(text: str, width: int = 120) -> str:
    """A line or a text, cut where nobody would read on."""
    text = text.rstrip("\r\n")
    return text if len(text) <= width else text[: width - 1] + "…"


def shown(value: object) -> str:
    """A value as it was found."""
    if isinstance(value, int) and abs(value) > 10**60:
        return "a whole number of more than 60 digits"  # Python refuses to spell some of them
    is_nan = isinstance(value, float) and value != value
    try:
        return "NaN" if is_nan else _quoted_in_short(repr(value))
    except (ValueError, RecursionError):  # a list that holds such a number, or that has no end
        return f"a {type(value).__name__}"


def kind_of(value: object) -> str:
    """What sort of value was found, for somebody who may not know Python.

    >>> kind_of(3), kind_of("a"), kind_of({}), kind_of(None), kind_of(b"")
    ('a number', 'a text', 'a dictionary', 'nothing', 'bytes')
    """
    for kinds, words in _KINDS.items():
        if isinstance(value, kinds):
            return words
    return type(value).__name__


_KINDS: dict[type | tuple[type, ...], str] = {
    bool: "true or false",
    (int, float): "a number",
    str: "a text",
    (list, tuple): "a list",
    dict: "a dictionary",
    type(None): "nothing",
}


def _quoted_in_short(text: str) -> str:
    """What Python writes for a value, cut where nobody would read on; a text still ends with its quote.

    >>> _quoted_in_short(repr(50 * "ab"))
    "'ababababababababababababababababababababababababababababab…'"
    """
    cut = short(text, 60)
    return f"{cut}{text[-1]}" if cut != text and text[-1] in "'\"" else cut


def alike(measures: Sequence[object], by_measure: Sequence[str]) -> dict[str, str]:
    """What holds for measures, and for which ones; for none by name where the same holds for all.

    >>> alike(["AP", "RR", "P@5"], ["judged", "answered", "judged"])
    {'judged': 'AP, P@5', 'answered': 'RR'}
    """
    if len(set(by_measure)) == 1:
        return {by_measure[0]: ""}
    of: dict[str, list[str]] = {}
    for measure, what in zip(measures, by_measure, strict=True):
        of.setdefault(what, []).append(str(measure))
    return {what: ", ".join(names) for what, names in of.items()}


def examples(ids: Sequence[str], count: int = 3) -> str:
    """The first few ids, and whether there are more."""
    more = ", …" if len(ids) > count else ""
    return ", ".join(ids[:count]) + more if ids else "none"


NAME = "NAME"
"""What stands for a name that only the reader knows."""

_speaks_command = False


@contextmanager
def command_line() -> Iterator[None]:
    """While this lasts, advice is for somebody who called the command."""
    # Not a context variable: runs are read in threads, and advice comes from there too.
    global _speaks_command  # a process has one reader of its messages
    before, _speaks_command = _speaks_command, True
    try:
        yield
    finally:
        _speaks_command = before


def spoken(*, command: str, python: str) -> str:
    """A phrase for the command line, or for Python."""
    return command if _speaks_command else python


def option(name: str, value: str | Mapping[str, str] = "", *, command: str | None = None) -> str:
    """An option with its value; `command` is its name there, if it is another one.

    >>> print(option("columns", {"document": NAME}), option("judges", "ada,ben"), option("min_impressions"))
    columns={"document": NAME} judges="ada,ben" min_impressions=
    >>> with command_line():
    ...     print(option("columns", {"document": NAME}), option("judges", "ada,ben"), option("min_impressions"))
    --columns document=NAME --judges ada,ben --min-impressions
    """
    if isinstance(value, Mapping):
        named = ",".join(f"{role}={column}" for role, column in value.items())
        inner = ", ".join(f"{_quoted(role)}: {_quoted(column)}" for role, column in value.items())
        in_python = f"{{{inner}}}"
    else:
        named, in_python = value, _quoted(value) if value else ""
    long = f"--{(command or name).replace('_', '-')}"
    return spoken(command=f"{long} {named}".rstrip(), python=f"{name}={in_python}")


def _quoted(text: str) -> str:
    if text == NAME or text.replace(".", "", 1).isdigit():
        return text
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'


MARKED_WIDTH = 60
"""Characters shown of a long text, around the place that is meant."""


def marked(text: str, start: int, end: int) -> str:
    """The text, cut where it is long, and a mark below the place."""
    text = "".join(sign if sign.isprintable() else " " for sign in text)
    first = max(0, min(start - MARKED_WIDTH // 2, len(text) - MARKED_WIDTH))
    shown_text, last = text[first : first + MARKED_WIDTH], first + MARKED_WIDTH
    before, after = ("…" if first else ""), ("…" if last < len(text) else "")
    blanks = " " * (len(before) + start - first)
    return f"    {before}{shown_text}{after}\n    {blanks}{'^' * max(1, min(end, last) - start)}"


_PLURALS = {"query": "queries", "stratum": "strata", "category": "categories", "entry": "entries"}


def counted(count: int, noun: str) -> str:
    """A number of things, one or several.

    >>> counted(1, "pair"), counted(1200, "query"), counted(0, "new document")
    ('1 pair', '1,200 queries', '0 new documents')
    """
    return f"1 {noun}" if count == 1 else f"{count:,} {plural(noun)}"


def plural(noun: str) -> str:
    """Several of a thing: `new queries` for `new query`."""
    *adjectives, last = noun.split(" ")
    return " ".join([*adjectives, _PLURALS.get(last, f"{last}s")])


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
