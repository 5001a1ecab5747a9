"""Findings, and the errors they become."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from itertools import groupby
from typing import Literal

from cranfield.phrases import plural

Severity = Literal["error", "warning", "note"]

SHOWN = 20
"""How many problems of one input are found before the work stops."""
MOST_ALIKE = 5
"""How many problems of one kind are shown one by one."""


@dataclass(frozen=True)
class Finding:
    """One thing worth telling about the data."""

    severity: Severity
    kind: str
    message: str
    advice: str = ""
    path: str | None = None
    line: int | None = None
    text: str | None = None
    count: int = 1
    unit: str = "line"
    """What `line` counts: lines of a text, rows of a table, entries of a dictionary."""

    def __str__(self) -> str:
        place = f"{self.unit} {self.line}" if self.line is not None else None
        where = ", ".join(part for part in (self.path, place) if part)
        more = f" (and {self.count - 1:,} more like it)" if place and self.count > 1 else ""
        return (f"{where}: {self.message}" if where else self.message) + more

    def in_full(self) -> str:
        """The message with the line it is about and what to do."""
        quoted = f"\n    {self.text}" if self.text is not None else ""
        advice = f"\n{self.advice}" if self.advice else ""
        return str(self) + quoted + advice

    def to_dict(self) -> dict[str, object]:
        """The finding as plain values, for JSON."""
        return {
            "severity": self.severity,
            "kind": self.kind,
            "path": self.path,
            "line": self.line,
            "unit": self.unit,
            "message": self.message,
            "text": self.text,
            "advice": self.advice,
            "count": self.count,
        }


class CranfieldError(Exception):
    """What every error of this package is."""

    exit_code = 3


class UsageError(CranfieldError, ValueError):
    """The call itself is wrong: an unknown measure, a parameter that does not exist."""

    exit_code = 2


class DataError(CranfieldError, ValueError):
    """The data are wrong or do not fit together."""

    def __init__(self, findings: Sequence[Finding], *, more: bool = False) -> None:
        self.findings: tuple[Finding, ...] = tuple(findings)
        self.more = more
        super().__init__(_tell(self.findings, more))


@dataclass
class Findings:
    """What reading met so far: errors up to a limit, warnings of one kind and file merged into one."""

    limit: int = SHOWN
    errors: list[Finding] = field(default_factory=list)
    others: dict[tuple[str, str | None], Finding] = field(default_factory=dict)
    decimal_marks: dict[tuple[str | None, str], str] = field(default_factory=dict)
    """What stands before the first decimals of a column, by path and column: a point or a comma."""

    def add(self, finding: Finding) -> None:
        """Keep a finding; stop the work once the limit of errors is reached."""
        if finding.severity == "error":
            if finding in self.errors:
                return  # a query that is not grouped in its file is met twice
            self.errors.append(finding)
            if len(self.errors) >= self.limit:
                raise DataError(self.errors, more=True)
            return
        key = (finding.kind, finding.path)
        first = self.others.get(key)
        self.others[key] = finding if first is None else replace(first, count=first.count + finding.count)

    def extend(self, findings: Iterable[Finding]) -> None:
        """Keep several findings."""
        for finding in findings:
            self.add(finding)

    @property
    def warnings(self) -> list[Finding]:
        """What is surprising, file by file in the order of lines, wherever blocks of a file may end."""
        files = list(dict.fromkeys(finding.path for finding in self.others.values()))
        return sorted(self.others.values(), key=lambda finding: (files.index(finding.path), finding.line or 0))

    @property
    def all(self) -> list[Finding]:
        """Errors first, then everything else."""
        return [*self.errors, *self.warnings]

    def stop_if_wrong(self) -> None:
        """Raise what would silently change a score."""
        if self.errors:
            raise DataError(self.errors)


def about(finding: Finding, name: str) -> Finding:
    """A finding that names what it is about, which may have a name and no path."""
    return finding if finding.path is not None else replace(finding, path=name)


def of_runs(findings: Iterable[Finding], most: int = 3) -> list[Finding]:
    """Warnings about several runs: the same words are given once for all, and of one kind only the first few.

    >>> print(*of_runs(Finding("warning", "silent", "no documents for 2 queries", path=run) for run in "abcde"))
    a, b, c and 2 more runs: no documents for 2 queries
    """
    by_words: dict[tuple[str, str], list[Finding]] = {}
    for finding in findings:
        by_words.setdefault((finding.kind, finding.message), []).append(finding)
    by_kind: dict[str, list[Finding]] = {}
    for (kind, _), same in by_words.items():
        by_kind.setdefault(kind, []).append(_of_all(same, most))
    return [finding for several in by_kind.values() for finding in _first_few(several, most)]


def _of_all(same: Sequence[Finding], most: int) -> Finding:
    runs = list(dict.fromkeys(finding.path for finding in same if finding.path))
    if len(runs) < 2:
        return same[0]
    names = ", ".join(runs[:most])
    if more := len(runs) - most:
        names += f" and {more:,} more runs" if more > 0 else ""
    return replace(same[0], path=names, line=None, text=None, count=sum(finding.count for finding in same))


def _first_few(several: Sequence[Finding], most: int) -> list[Finding]:
    rest = several[most:]
    if len(rest) < 2:
        return list(several)
    message = f"{len(rest):,} more runs have such a warning, {rest[0].path or 'one'} among them"
    more = Finding(several[0].severity, several[0].kind, message, count=sum(finding.count for finding in rest))
    return [*several[:most], more]


def nearest(word: str, known: Iterable[str], count: int = 3, *, likeness: float = 0.6) -> list[str]:
    """The known words most like a misspelt one, whatever their case."""
    from difflib import get_close_matches

    by_folded: dict[str, str] = {}
    for name in known:
        by_folded.setdefault(name.casefold(), name)
    matches = get_close_matches(word.casefold(), by_folded, n=count, cutoff=likeness)
    return [by_folded[match] for match in matches]


def did_you_mean(word: str, known: Iterable[str]) -> str:
    """`Did you mean …?`, or nothing when no known word is near."""
    near = nearest(word, known)
    return f"Did you mean {' or '.join(near)}?" if near else ""


def _tell(findings: Sequence[Finding], more: bool) -> str:
    parts: list[str] = []
    for (advice, _, _), group in groupby(findings, key=lambda finding: (finding.advice, finding.kind, finding.path)):
        same = list(group)
        shown = same if len(same) <= MOST_ALIKE + 1 else same[:MOST_ALIKE]
        parts += [replace(finding, advice="").in_full() for finding in shown]
        if rest := same[len(shown) :]:
            numbers = ", ".join(f"{finding.line:,}" for finding in rest[:MOST_ALIKE] if finding.line is not None)
            lines = f", {plural(rest[0].unit)} {numbers}{', …' if len(rest) > MOST_ALIKE else ''}" if numbers else ""
            parts.append(f"… and {len(rest):,} more like these{lines}")
        # Advice that many findings share is given once, after the last of them.
        if parts and advice:
            parts.append(advice)
    if more:
        parts.append(f"Stopped after {len(findings)} problems; there may be more.")
    return "\n".join(parts)
