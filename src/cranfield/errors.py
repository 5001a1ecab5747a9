"""Everything a user can meet: what was found, where, what was expected, what to do.

Each kind of problem has one function here that words it. Readers, `align` and `check` call these
functions and collect the findings; whatever would silently change a score is an error and stops the work,
whatever is only surprising is a warning and is repeated in the output.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from difflib import get_close_matches
from typing import Literal

Severity = Literal["error", "warning", "note"]

SHOWN = 20
"""How many problems of one input are listed before the work stops."""


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
        return f"{where}: {self.message}" if where else self.message

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
        self.findings = tuple(findings)
        self.more = more
        super().__init__(_tell(self.findings, more))


@dataclass
class Findings:
    """What reading met so far: errors up to a limit, warnings of one kind and file merged into one."""

    limit: int = SHOWN
    errors: list[Finding] = field(default_factory=list)
    others: dict[tuple[str, str | None], Finding] = field(default_factory=dict)

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
        """What is surprising, in the order it was first met."""
        return [finding for finding in self.others.values() if finding.severity == "warning"]

    @property
    def all(self) -> list[Finding]:
        """Errors first, then everything else."""
        return [*self.errors, *self.others.values()]

    def stop_if_wrong(self) -> None:
        """Raise what would silently change a score."""
        if self.errors:
            raise DataError(self.errors)


def nearest(word: str, known: Iterable[str], count: int = 3) -> list[str]:
    """The known words most like a misspelt one, whatever their case."""
    by_folded: dict[str, str] = {}
    for name in known:
        by_folded.setdefault(name.casefold(), name)
    matches = get_close_matches(word.casefold(), by_folded, n=count, cutoff=0.6)
    return [by_folded[match] for match in matches]


def did_you_mean(word: str, known: Iterable[str]) -> str:
    """`Did you mean …?`, or nothing when no known word is near."""
    near = nearest(word, known)
    return f"Did you mean {' or '.join(near)}?" if near else ""


def _tell(findings: Sequence[Finding], more: bool) -> str:
    # Advice that many findings share is given once, after the last of them.
    parts = [
        finding.in_full()
        if position + 1 == len(findings) or findings[position + 1].advice != finding.advice
        else replace(finding, advice="").in_full()
        for position, finding in enumerate(findings)
    ]
    if more:
        parts.append(f"Stopped after {len(findings)} problems; there may be more.")
    return "\n".join(parts)


# Files that cannot be read at all


def no_such_file(path: str, near: Sequence[str] = ()) -> Finding:
    """Nothing is at this path."""
    hint = f"Did you mean {' or '.join(near)}?" if near else "Check the path; - reads standard input."
    return Finding("error", "no-such-file", "there is no such file", hint, path)


def unreadable(path: str, reason: str) -> Finding:
    """The system refuses to open or read the file, in its own words."""
    return Finding("error", "unreadable", f"cannot be read: {reason}", "Check the path and its permissions.", path)


def is_directory(path: str) -> Finding:
    """A folder where a file is expected."""
    return Finding("error", "is-directory", "is a folder, not a file", "Name the file in it to read.", path)


def broken_compression(path: str, reason: str) -> Finding:
    """A compressed file that ends early or is damaged."""
    advice = "It was probably not copied or downloaded to its end: fetch it again."
    return Finding("error", "broken-compression", f"the compressed data are damaged: {reason}", advice, path)


def misnamed_compression(path: str, suffix: str) -> Finding:
    """The suffix promises a compression and the bytes are neither that nor text."""
    message = f"the name ends in {suffix}, but the file is neither compressed in a known way nor text"
    return Finding("error", "misnamed-compression", message, "Readable are gzip, bzip2, xz, zstd and plain text.", path)


def not_text(path: str) -> Finding:
    """Bytes that are no text and no known binary format."""
    advice = "Readable are text, JSON, Parquet and Arrow files, also compressed with gzip, bzip2, xz or zstd."
    return Finding("error", "not-text", "is neither text nor a known binary format", advice, path)


def is_archive(path: str) -> Finding:
    """An archive of several files."""
    return Finding("error", "is-archive", "is an archive of files", "Unpack it and name the file to read.", path)


def wrong_encoding(path: str, encoding: str) -> Finding:
    """Text in another encoding than UTF-8, known from its first bytes."""
    advice = f"Convert it, for instance with: iconv -f {encoding} -t UTF-8"
    return Finding("error", "wrong-encoding", f"the text is {encoding}; expected UTF-8", advice, path)


def wrong_line_ends(path: str) -> Finding:
    """Lines that end as on very old computers; all would be read as one."""
    advice = "Convert it, for instance with: tr '\\r' '\\n'"
    return Finding("error", "wrong-line-ends", "lines end with CR alone; expected LF or CR LF", advice, path)


def missing_package(path: str | None, package: str, extra: str, what: str) -> Finding:
    """A format whose reader is an optional package."""
    advice = f'Install it with: pip install "cranfield[{extra}]"'
    return Finding("error", "missing-package", f"reading {what} needs the package {package}", advice, path)


def unknown_format(name: str, known: Sequence[str]) -> UsageError:
    """A format name nobody knows."""
    return UsageError(_sentences(f"unknown format {name!r}; known are {', '.join(known)}.", did_you_mean(name, known)))


def unknown_role(name: str, known: Sequence[str]) -> UsageError:
    """A role in `columns` nobody knows."""
    return UsageError(
        _sentences(
            f"columns: unknown role {name!r}; known are {', '.join(known)} and _ for a column to skip.",
            did_you_mean(name, known),
        )
    )


def wrong_columns(reason: str) -> UsageError:
    """A `columns` argument that cannot be understood."""
    return UsageError(
        f"columns: {reason}. Name the header, as in query=qid,document=pid,grade=label, "
        "or every column in order, as in query,document,grade."
    )


def unreadable_object(value: object, what: str) -> UsageError:
    """A Python object that no reader understands."""
    return UsageError(
        f"cannot read {what} from {type(value).__name__}. Give a path, a file object, "
        "{query: {document: value}}, rows of (query, document, value), or a table."
    )


# What a file holds as a whole


def nothing_read(path: str | None, what: str) -> Finding:
    """No row at all."""
    where = "the file is empty or holds only comments" if path else "the input is empty"
    return Finding("error", "nothing-read", f"no {what} found: {where}", "Check that it is the right file.", path)


def swapped_arguments(path: str | None, found: str, line: int | None = None, text: str | None = None) -> Finding:
    """A run where judgments are expected, or the other way round; `found` is what it is."""
    is_run = "this is a run, where judgments were expected"
    is_judgments = "these are judgments, where a run was expected"
    return Finding(
        "error",
        "swapped-arguments",
        is_run if found == "run" else is_judgments,
        "The judgments come first: cranfield evaluate QRELS RUN",
        path,
        line,
        _short(text),
    )


def unknown_layout(path: str | None, what: str, line: int | None = None, text: str | None = None) -> Finding:
    """Text whose columns cannot be guessed."""
    value = "grade" if what == "judgments" else "score"
    return Finding(
        "error",
        "unknown-layout",
        f"cannot tell which column of the {what} is which",
        f'Say it with columns="query,document,{value}" (every column in order, _ for one to skip).',
        path,
        line,
        _short(text),
    )


def unsupported_format(path: str | None, found: str, advice: str) -> Finding:
    """A format that is recognised but not read."""
    return Finding("error", "unsupported-format", f"{found} cannot be read", advice, path)


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
        f"judged {names} are {_examples(judged)}; {names} of the run are {_examples(retrieved)}",
        would_meet(judged, retrieved) or "Check that judgments and run belong to the same collection.",
        run_path,
    )


# Columns


def wrong_column_count(
    path: str | None, line: int, text: str, found: int, expected: str, advice: str, *, unit: str = "line"
) -> Finding:
    """A line with too few or too many columns; `expected` says what has how many."""
    columns = "1 column" if found == 1 else f"{found} columns"
    message = f"{columns} where {expected}"
    return Finding("error", "wrong-column-count", message, advice, path, line, _short(text), unit=unit)


def extra_columns(path: str | None, line: int, found: int, text: str) -> Finding:
    """More columns than a TREC run has; as trec_eval does, they are ignored."""
    message = f"{found} columns where a TREC run has 6; those after the sixth are ignored"
    return Finding("warning", "extra-columns", message, "", path, line, _short(text))


def unknown_column(path: str | None, name: str, names: Sequence[str]) -> Finding:
    """A column asked for that is not there."""
    message = f"there is no column {name!r}; the columns are {', '.join(map(str, names))}"
    return Finding("error", "unknown-column", message, did_you_mean(name, names), path)


def missing_column(path: str | None, role: str, names: Sequence[str]) -> Finding:
    """No column has a name known for a role."""
    message = f"no column gives the {role}; the columns are {', '.join(map(str, names))}"
    return Finding("error", "missing-column", message, f'Say which one does with columns="{role}=NAME".', path)


def ambiguous_columns(path: str | None, role: str, candidates: Sequence[str]) -> Finding:
    """Several columns could fill one role."""
    message = f"several columns could give the {role}: {', '.join(candidates)}"
    return Finding("error", "ambiguous-columns", message, f'Choose one with columns="{role}={candidates[0]}".', path)


# Rows


def commented_record(path: str | None, line: int, text: str) -> Finding:
    """A comment that is also a complete record: skipping it would drop a row unseen."""
    return Finding(
        "error",
        "commented-record",
        "a line that starts with # is a comment, but this one reads as a complete record",
        "Put a blank after # if it is a comment; if the query id starts with #, use CSV or JSONL.",
        path,
        line,
        _short(text),
    )


def not_a_number(
    path: str | None, line: int, what: str, value: object, text: str | None = None, *, unit: str = "line"
) -> Finding:
    """A grade, score or rank that is text, empty, missing or not a number."""
    found = "is missing" if value is None or (isinstance(value, str) and not value) else f"is {_shown(value)}"
    return Finding(
        "error",
        f"{what}-not-a-number",
        f"the {what} {found}; expected a number",
        f"Correct or remove the {unit}.",
        path,
        line,
        _short(text),
        unit=unit,
    )


def bad_id(path: str | None, line: int, what: str, value: object, *, unit: str = "line") -> Finding:
    """A query or document id that is missing or cannot be an id."""
    found = "is missing" if value is None or (isinstance(value, str) and not value) else f"is {_shown(value)}"
    message = f"the {what} id {found}; expected text or a whole number"
    return Finding("error", f"bad-{what}-id", message, f"Correct or remove the {unit}.", path, line, unit=unit)


def float_ids(path: str | None, line: int, what: str, value: float, *, unit: str = "line") -> Finding:
    """Whole numbers stored as floats, as a table with a gap makes of them."""
    message = f"{what} ids are floats; {value} is read as {value:.0f}"
    return Finding("warning", "float-ids", message, "Store ids as text or as whole numbers.", path, line, unit=unit)


def not_utf8(path: str | None, line: int | None = None, text: str | None = None) -> Finding:
    """Bytes that are no UTF-8."""
    advice = "Convert the file, for instance with: iconv -f LATIN1 -t UTF-8"
    return Finding("error", "not-utf-8", "the text is not UTF-8", advice, path, line, _short(text))


def rank_not_a_number(path: str | None, line: int, value: object, *, unit: str = "line") -> Finding:
    """A rank column beside a score that holds no ranks; it decides nothing and is ignored."""
    message = f"the rank is {_shown(value)}, not a number; the rank column is ignored, scores decide"
    return Finding("warning", "rank-not-a-number", message, "", path, line, unit=unit)


def malformed_csv(path: str | None, line: int, reason: str) -> Finding:
    """Quotes that do not close, or bytes that no CSV has."""
    advice = 'A field that contains quotes is written "in ""quotes"""; check the quotes of this line.'
    return Finding("error", "malformed-csv", f"the line is not valid CSV: {reason}", advice, path, line)


def malformed_json(path: str | None, line: int, reason: str, text: str | None = None) -> Finding:
    """Text that is not JSON."""
    advice = "Check brackets, commas and quotes; JSON knows neither comments nor trailing commas."
    return Finding("error", "malformed-json", f"not valid JSON: {reason}", advice, path, line, _short(text))


def duplicate_key(path: str | None, key: str, line: int | None = None) -> Finding:
    """A name that comes twice in one JSON object; one of the two values would be lost."""
    message = f"the name {key!r} comes twice in one object; one of its values would be lost"
    return Finding("error", "duplicate-key", message, "Merge the two or remove one.", path, line)


def unknown_structure(
    path: str | None, what: str, found: str, line: int | None = None, *, unit: str = "line"
) -> Finding:
    """Nested data in a shape nobody knows."""
    value, listed = ("grade", "relevant documents") if what == "judgments" else ("score", "documents, best first")
    return Finding(
        "error",
        "unknown-structure",
        f"{found}; expected {{query: {{document: {value}}}}} or {{query: [{listed}]}}",
        "Rewrite it in that shape, or as one row per query and document.",
        path,
        line,
        unit=unit,
    )


# Judgments and rankings


def several_grades(path: str | None, query: str, extra_columns: Sequence[str]) -> Finding:
    """One pair graded by several judges or under several subtopics."""
    by = " and ".join(extra_columns) or "row"
    return Finding(
        "error",
        "several-grades",
        f"query {query!r} has documents with several grades, one for each {by}",
        f"Merge the grades into one for each document, or choose one {by}.",
        path,
    )


def judged_twice(
    path: str | None,
    line: int,
    query: str,
    document: str,
    grade: float,
    first_line: int,
    *,
    unit: str = "line",
) -> Finding:
    """The same pair with the same grade again."""
    message = f"query {query!r}, document {document!r} is judged again as {grade:g}, as on {unit} {first_line}"
    return Finding("warning", "judged-twice", message, "Remove the repetition; it counts once.", path, line, unit=unit)


def contradiction(
    path: str | None,
    line: int,
    query: str,
    document: str,
    grade: float,
    first_grade: float,
    first_line: int,
    *,
    unit: str = "line",
) -> Finding:
    """The same pair with another grade."""
    return Finding(
        "error",
        "contradiction",
        f"query {query!r}, document {document!r} is judged {grade:g}, but {first_grade:g} on {unit} {first_line}",
        "Keep one grade for each document of a query. If a column tells judges or subtopics apart, "
        'name it: columns="query,subtopic,document,grade".',
        path,
        line,
        unit=unit,
    )


def duplicate_document(
    path: str | None, line: int, query: str, document: str, first_line: int, *, unit: str = "line"
) -> Finding:
    """A document twice in one ranking."""
    return Finding(
        "error",
        "duplicate-document",
        f"query {query!r} lists document {document!r} again; it is already on {unit} {first_line}",
        "Keep each document once for each query, at its best score.",
        path,
        line,
        unit=unit,
    )


def ranks_contradict_scores(
    path: str | None, query: str, count: int, line: int | None = None, *, unit: str = "line"
) -> Finding:
    """The rank column orders documents otherwise than the scores; the scores decide."""
    places = "in 1 place" if count == 1 else f"in {count} places"
    return Finding(
        "warning",
        "ranks-contradict-scores",
        f"query {query!r}: {places} the next rank has a higher score; the scores decide",
        'Where the ranks are right, name only them: columns="query,_,document,rank,_,_" or "rank=NAME".',
        path,
        line,
        unit=unit,
    )


def silent_queries(path: str, silent: Sequence[str], judged: int, queries: str) -> Finding:
    """Judged queries that the run returned nothing for."""
    fate = "count as 0" if queries == "judged" else "are left out of the mean"
    return Finding(
        "warning",
        "silent-queries",
        f"no documents for {len(silent)} of {judged} judged queries ({_examples(silent)}); they {fate}",
        path=path,
        count=len(silent),
    )


def unknown_queries(path: str, unknown: Sequence[str]) -> Finding:
    """Queries of the run that have no judgments."""
    plural = "query has" if len(unknown) == 1 else "queries have"
    return Finding(
        "warning",
        "unknown-queries",
        f"{len(unknown)} {plural} no judgments ({_examples(unknown)}) and cannot be evaluated",
        path=path,
        count=len(unknown),
    )


def tied_scores(ties: Mapping[str, tuple[int, int]], order: str) -> Finding:
    """Documents with equal scores, whose order is the tool's choice and not the system's."""
    rule = "document id, last first" if order == "document" else "their place in the file"
    counts = ", ".join(
        f"{run} {documents:,} documents in {queries:,} {'query' if queries == 1 else 'queries'}"
        for run, (documents, queries) in ties.items()
    )
    return Finding(
        "warning",
        "tied-scores",
        f"equal scores are ordered by {rule}: {counts}; `--ties bounds` shows what that may change",
        count=sum(documents for documents, _ in ties.values()),
    )


def _sentences(*sentences: str) -> str:
    return " ".join(sentence for sentence in sentences if sentence)


def _short(text: str | None, width: int = 120) -> str | None:
    if text is None:
        return None
    text = text.rstrip("\r\n")
    return text if len(text) <= width else text[: width - 1] + "…"


def _shown(value: object) -> str:
    is_nan = isinstance(value, float) and value != value
    return "NaN" if is_nan else str(_short(repr(value), 60))


def _examples(ids: Sequence[str], count: int = 3) -> str:
    more = ", …" if len(ids) > count else ""
    return ", ".join(ids[:count]) + more if ids else "none"


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
    changed = {change(name): name for name in judged}
    return [(changed[change(name)], name) for name in retrieved if change(name) in changed]


def _prefixes(judged: Sequence[str], retrieved: Sequence[str], looked_at: int = 50) -> list[str]:
    """What the ids of one side have before an id of the other; a prefix does not end in a digit."""
    found: Counter[str] = Counter()
    for longer, shorter in ((judged, retrieved), (retrieved, judged)):
        for name in longer[:looked_at]:
            for ending in shorter[:looked_at]:
                if name != ending and ending and name.endswith(ending):
                    found[name[: -len(ending)]] += 1
    return [prefix for prefix, _ in found.most_common(3) if not re.search(r"\d$", prefix)]
