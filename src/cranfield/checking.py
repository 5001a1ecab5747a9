"""What is wrong or suspicious in files, and what they hold."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from math import isfinite, nan
from os import PathLike
from statistics import fmean, median
from typing import Any, NamedTuple

import numpy as np

from cranfield import errors
from cranfield.data.judgments import JudgmentRows, Judgments
from cranfield.data.outliers import grade_outliers
from cranfield.data.run import Ranking, Run, check_ranking
from cranfield.errors import SHOWN, DataError, Finding, Findings
from cranfield.formats import folders, json_object, json_shapes, shards
from cranfield.formats.columns import Columns, ColumnsGiven, Kind, parse_columns
from cranfield.formats.reading import Reader, format_of, log_beside, read_run, reader, runs_in_file
from cranfield.formats.remote import visible
from cranfield.formats.sniff import kind_of_file
from cranfield.formats.source import Source, as_source, collection_file, is_collection, is_folder, is_pattern
from cranfield.kernels.plain import all_ranks
from cranfield.measures.definition import shown
from cranfield.phrases import counted
from cranfield.show.answer import Answer, Verbatim
from cranfield.show.table import Cell, Table

ONLY_RELEVANT = "only relevant documents are listed; unjudged documents count as not relevant"
TOP = 10
"""How far down a ranking its documents should be judged."""


class CountSpread(NamedTuple):
    """Smallest, middle and largest of some counts."""

    smallest: int
    median: float
    largest: int

    def to_dict(self) -> dict[str, float]:
        """As plain values, for JSON."""
        return {"min": self.smallest, "median": self.median, "max": self.largest}


@dataclass(frozen=True)
class JudgmentsSummary:
    """What a file of judgments holds."""

    per_query: CountSpread
    grades: dict[float, int]
    """How often each grade was given, from the lowest."""
    without_relevant: tuple[str, ...]
    """Queries for which no document has a grade of 1 or more."""
    only_relevant: bool = False
    """Whether only relevant documents are listed."""

    def to_dict(self) -> dict[str, object]:
        """As plain values, for JSON."""
        return {
            "per_query": self.per_query.to_dict(),
            "grades": {shown(grade): count for grade, count in self.grades.items()},
            "negative": sum(count for grade, count in self.grades.items() if grade < 0),
            "without_relevant": list(self.without_relevant),
            "only_relevant": self.only_relevant,
        }


MOST_TIED = 0.5
"""The share of tied documents that is suspicious by itself; whether fewer matter depends on judgments."""


@dataclass(frozen=True)
class RunSummary:
    """What a run holds."""

    per_query: CountSpread
    tied: int
    """Documents that share their score with another of the same query."""
    queries_with_ties: int
    lowest: float
    highest: float
    ranked: bool = False
    """Whether the run has no scores, only ranks: lowest and highest are then ranks."""

    def to_dict(self) -> dict[str, object]:
        """As plain values, for JSON."""
        return {
            "per_query": self.per_query.to_dict(),
            "ties": {"documents": self.tied, "queries": self.queries_with_ties},
            self.decides: [score if isfinite(score) else str(score) for score in (self.lowest, self.highest)],
        }

    @property
    def decides(self) -> str:
        """What gives the order."""
        return "ranks" if self.ranked else "scores"


@dataclass(frozen=True)
class FileReport:
    """One file: what it is, what it holds, and what is to be said about it."""

    path: str
    kind: Kind | None = None
    format: str | None = None
    lines: int | None = None
    """Lines of a text, blank ones and comments included; nothing for a table."""
    comments: int = 0
    rows: int = 0
    queries: int = 0
    documents: int = 0
    summary: JudgmentsSummary | RunSummary | None = None
    findings: tuple[Finding, ...] = ()
    unlisted: int = 0
    """Errors beyond the limit, which are counted and not listed."""

    def to_dict(self) -> dict[str, Any]:
        """As plain values, for JSON."""
        return {
            "path": self.path,
            "kind": self.kind,
            "format": self.format,
            "lines": self.lines,
            "comments": self.comments,
            "rows": self.rows,
            "queries": self.queries,
            "documents": self.documents,
            **({} if self.summary is None else self.summary.to_dict()),
            "findings": [finding.to_dict() for finding in self.findings],
            "unlisted": self.unlisted,
        }


@dataclass(frozen=True)
class PairReport:
    """How judgments and a run fit together."""

    judgments: str
    run: str
    not_retrieved: tuple[str, ...]
    """Queries that are judged and not in the run."""
    not_judged: tuple[str, ...]
    """Queries that are in the run and not judged."""
    judged_at_top: float | None
    """Share of the first documents of judged queries that are judged."""
    findings: tuple[Finding, ...] = ()

    def to_dict(self) -> dict[str, Any]:
        """As plain values, for JSON."""
        return {
            "judgments": self.judgments,
            "run": self.run,
            "not_retrieved": list(self.not_retrieved),
            "not_judged": list(self.not_judged),
            f"judged@{TOP}": self.judged_at_top,
            "findings": [finding.to_dict() for finding in self.findings],
        }


@dataclass(frozen=True)
class FileChecks(Answer):
    """Files, and how they fit together. Printing it shows what they hold and everything wrong with them."""

    files: tuple[FileReport, ...]
    pairs: tuple[PairReport, ...] = ()
    with_warnings: bool = True
    """Whether warnings are listed; they are counted anyway."""

    @property
    def findings(self) -> tuple[Finding, ...]:
        """All errors and warnings, file by file and then pair by pair."""
        of_files = (finding for file in self.files for finding in file.findings)
        of_pairs = (finding for pair in self.pairs for finding in pair.findings)
        return tuple(dict.fromkeys((*of_files, *of_pairs)))  # a run lacks the same queries of other judgments

    @property
    def ok(self) -> bool:
        """Whether nothing would stop an evaluation."""
        return all(finding.severity != "error" for finding in self.findings)

    def quiet(self) -> FileChecks:
        """The same without warnings."""
        return replace(self, with_warnings=False)

    def verdict(self) -> str:
        """One line that says whether an evaluation would go through."""
        wrong = sum(finding.severity == "error" for finding in self.findings)
        wrong += sum(file.unlisted for file in self.files)
        suspicious = counted(sum(finding.severity == "warning" for finding in self.findings), "warning")
        if wrong:
            return f"{counted(wrong, 'error')} and {suspicious}: an evaluation would stop."
        return "No errors." if suspicious == counted(0, "warning") else f"No errors; {suspicious}."

    def files_table(self) -> Table:
        """A row per file, and below what its values are like."""
        return Table(
            {
                "file": [file.path for file in self.files],
                "what": [f"{file.kind or 'unknown'}, {file.format or '?'}" for file in self.files],
                "rows": [file.rows for file in self.files],
                "queries": [file.queries for file in self.files],
                "documents": [file.documents for file in self.files],
                "per query": [_per_query(file) for file in self.files],
            },
            notes=tuple(f"{file.path}: {_holds(file)}" for file in self.files if _holds(file)),
        )

    def pairs_table(self) -> Table:
        """A row per pair of judgments and run."""
        return Table(
            {
                "judgments": [pair.judgments for pair in self.pairs],
                "run": [pair.run for pair in self.pairs],
                "queries without results": [len(pair.not_retrieved) for pair in self.pairs],
                "queries without judgments": [len(pair.not_judged) for pair in self.pairs],
                f"judged@{TOP}": [nan if pair.judged_at_top is None else pair.judged_at_top for pair in self.pairs],
            }
        )

    def findings_table(self) -> Table:
        """A row per error and warning."""
        return Table(
            {
                "severity": [finding.severity for finding in self._listed],
                "file": [finding.path for finding in self._listed],
                "line": [finding.line for finding in self._listed],
                "message": [finding.message for finding in self._listed],
                "advice": [finding.advice for finding in self._listed],
            }
        )

    def tables(self) -> list[Table]:
        """What files hold, how they fit together, and what is wrong."""
        return [*self._overview(), *([self.findings_table()] if self._listed else [])]

    def sections(self) -> list[str | Table]:
        """The verdict, what files hold, how they fit together, and every error and warning in full."""
        full = [Verbatim(f"{finding.severity}: {finding.in_full()}") for finding in self._listed]
        more = [
            f"{file.path}: {counted(file.unlisted, 'more error')}, not listed." for file in self.files if file.unlisted
        ]
        return [self.verdict(), *self._overview(), *full, *more]

    def rows(self) -> Table:
        """A row per number of a file or a pair of files, and per error and warning."""
        names = ("what", "file", "run", "line", "name", "value", "text")
        rows: list[tuple[Cell, ...]] = []
        for file in self.files:
            facts = {name: getattr(file, name) for name in ("lines", "comments", "rows", "queries", "documents")}
            rows.append(("file", file.path, None, None, "kind", None, file.kind))
            rows.append(("file", file.path, None, None, "format", None, file.format))
            rows += [("file", file.path, None, None, name, value, None) for name, value in facts.items()]
            rows.append(("file", file.path, None, None, "unlisted errors", file.unlisted, None))
        for pair in self.pairs:
            numbers: dict[str, Cell] = {
                "not_retrieved": len(pair.not_retrieved),
                "not_judged": len(pair.not_judged),
                f"judged@{TOP}": pair.judged_at_top,
            }
            rows += [("pair", pair.judgments, pair.run, None, name, value, None) for name, value in numbers.items()]
        rows += [(one.severity, one.path, None, one.line, one.kind, one.count, one.message) for one in self._listed]
        return Table(dict(zip(names, map(list, zip(*rows, strict=True)), strict=True)))

    def to_dict(self) -> dict[str, Any]:
        """Everything as plain values, for JSON."""
        files, pairs = [file.to_dict() for file in self.files], [pair.to_dict() for pair in self.pairs]
        if not self.with_warnings:
            for part in (*files, *pairs):
                part["findings"] = [one for one in part["findings"] if one["severity"] == "error"]
        return {"ok": self.ok, "files": files, "pairs": pairs}

    @property
    def _listed(self) -> list[Finding]:
        return [finding for finding in self.findings if self.with_warnings or finding.severity == "error"]

    def _overview(self) -> list[Table]:
        return [self.files_table(), *([self.pairs_table()] if self.pairs else [])]


def _per_query(file: FileReport) -> str:
    if file.summary is None:
        return ""
    spread = file.summary.per_query
    return f"{spread.smallest}–{spread.largest}"


def _holds(file: FileReport) -> str:
    """What the values of a file are like."""
    match file.summary:
        case JudgmentsSummary():
            grades = " ".join(f"{grade:g}×{count}" for grade, count in list(file.summary.grades.items())[:8])
            more = " …" if len(file.summary.grades) > 8 else ""
            only = f"; {ONLY_RELEVANT}" if file.summary.only_relevant else ""
            return f"grades {grades}{more}{only}"
        case RunSummary() if file.summary.lowest <= file.summary.highest:
            tied = f", {file.summary.tied:,} tied" if file.summary.tied else ""
            return f"{file.summary.decides} {file.summary.lowest:g} to {file.summary.highest:g}{tied}"
        case _:
            return ""


def check(
    paths: str | PathLike[str] | Iterable[str | PathLike[str]],
    *,
    format: str | None = None,
    columns: ColumnsGiven = None,
    limit: int = SHOWN,
) -> FileChecks:
    """What files hold and what is wrong with them; bad data are findings here, never exceptions."""
    named = parse_columns(columns)
    several = [paths] if isinstance(paths, str | PathLike) else paths
    contents = [content for path in several for content in _read(path, format, named, limit)]
    judgments = [content for content in contents if content.kind == "judgments" and content.rows]
    runs = [content for content in contents if content.kind == "run" and content.rows]
    return FileChecks(
        tuple(content.report() for content in contents),
        tuple(_pair(judged, run) for judged in judgments for run in runs),
    )


@dataclass
class _Listing(Findings):
    """Findings that never stop the reading: errors beyond the limit are only counted."""

    unlisted: int = 0

    def add(self, finding: Finding) -> None:
        if finding.severity == "error" and len(self.errors) + 1 >= self.limit:
            self.unlisted += 1
        else:
            super().add(finding)


@dataclass
class _Content:
    """What was seen while a file was read, as far as it could be."""

    path: str
    findings: _Listing
    kind: Kind | None = None
    format: str | None = None
    lines: int | None = None
    comments: int = 0
    by_query: dict[str, _CheckedQuery] = field(default_factory=dict)
    documents: set[str] = field(default_factory=set)
    grades: Counter[float] = field(default_factory=Counter)
    ranked: bool = False
    only_relevant: bool = False
    fatal: tuple[Finding, ...] = ()
    several: Finding | None = None
    """What stands in the way of an evaluation, though not of a study of the judges."""

    @property
    def rows(self) -> int:
        return sum(query.count for query in self.by_query.values())

    def see_judgments(self, rows: Iterable[JudgmentRows]) -> Iterator[JudgmentRows]:
        """The same rows, counted as they pass."""
        for block in rows:
            self.grades.update(grade for grade in block.grades if grade == grade)
            self.documents.update(block.documents)
            for query, document, grade in zip(block.queries, block.documents, block.grades, strict=True):
                if grade != grade:  # not judged yet
                    continue
                seen = self.by_query.setdefault(query, _CheckedQuery())
                seen.count += 1
                seen.relevant |= grade >= 1
                if grade >= 0:
                    seen.documents.add(document)
            yield block

    def see_ranking(self, ranking: Ranking) -> None:
        """Count a ranking; a query that comes again replaces what came before."""
        self.findings.extend(check_ranking(ranking, self.path))
        self.documents.update(ranking.documents)
        given = -ranking.scores if ranking.ranked else ranking.scores
        _, counts = np.unique(given, return_counts=True)
        self.ranked = ranking.ranked if len(ranking.documents) else self.ranked
        ranks = all_ranks(ranking.documents, ranking.scores, "document", ranked=ranking.ranked).tolist()
        self.by_query[ranking.query] = _CheckedQuery(
            count=len(ranking.documents),
            documents={document for document, rank in zip(ranking.documents, ranks, strict=True) if rank <= TOP},
            tied=int(counts[counts > 1].sum()),
            infinite=int(np.isinf(given).sum()),
            lowest=float(given.min(initial=np.inf)),
            highest=float(given.max(initial=-np.inf)),
        )

    def report(self) -> FileReport:
        summary = self._summary()
        if self.grades and (outliers := grade_outliers(list(self.grades), list(self.grades.values()))):
            others = (outliers.low, outliers.high)
            self.findings.add(
                errors.labels.outlying_grades(self.path, outliers.values, outliers.count, others, "grade")
            )
        if isinstance(summary, JudgmentsSummary) and summary.without_relevant:
            self.findings.add(
                errors.coverage.without_relevant(self.path, summary.without_relevant, len(self.by_query), 1)
            )
        if infinite := {name: query.infinite for name, query in self.by_query.items() if query.infinite}:
            self.findings.add(errors.coverage.infinite_scores(self.path, list(infinite), sum(infinite.values())))
        if isinstance(summary, RunSummary) and summary.tied > MOST_TIED * self.rows:
            self.findings.add(errors.coverage.mostly_tied(self.path, summary.tied, self.rows))
        found = self.findings.all
        return FileReport(
            self.path,
            self.kind,
            self.format,
            self.lines,
            self.comments,
            self.rows,
            len(self.by_query),
            len(self.documents),
            summary,
            (*found, *(finding for finding in self.fatal if finding not in found)),
            self.findings.unlisted,
        )

    def _summary(self) -> JudgmentsSummary | RunSummary | None:
        if not self.by_query:
            return None
        queries = self.by_query.values()
        counts = [query.count for query in queries]
        spread = CountSpread(min(counts), median(counts), max(counts))
        if self.kind == "judgments":
            without = tuple(name for name, query in self.by_query.items() if not query.relevant)
            return JudgmentsSummary(spread, dict(sorted(self.grades.items())), without, self.only_relevant)
        return RunSummary(
            spread,
            sum(query.tied for query in queries),
            sum(query.tied > 0 for query in queries),
            min(query.lowest for query in queries),
            max(query.highest for query in queries),
            self.ranked,
        )


@dataclass
class _CheckedQuery:
    count: int = 0
    relevant: bool = False
    documents: set[str] = field(default_factory=set)
    """All that are judged, or the first that were retrieved."""
    tied: int = 0
    infinite: int = 0
    """Scores that are."""
    lowest: float = np.inf
    highest: float = -np.inf


def _read(path: str | PathLike[str], format: str | None, columns: Columns, limit: int) -> list[_Content]:
    """What is in a file: one thing, or several runs in one table."""
    content = _Content(visible(str(path)), _Listing(limit=limit + 1))
    try:
        if is_pattern(path) or (is_folder(path) and collection_file(path, "judgments") is None):
            return _read_several(content, str(path), format, columns, limit)
        file = as_source(path, "judgments")
        if file is None:
            raise errors.files.unreadable_object(path, "a file")
        content.path = file.path
        content.kind = kind_of_file(file, columns)
        content.format = format_of(file, format, columns, content.kind)
        if content.kind == "run" and len(runs := runs_in_file(file, content.format, columns)) > 1:
            return [_seen(run, content.format, limit) for run in runs]
        if not is_collection(path):
            _count_lines(file, content)
        _read_rows(reader(content.format), file, columns, content)
        if is_collection(path):
            content.format = "ir_datasets"
        if content.format == "json" and (shape := json_shapes.name_of_shape(json_object.value_of(file, content.kind))):
            content.format = f"json: {shape}"
    except DataError as error:
        content.fatal = error.findings
    return [content]


def _seen(run: Run, format: str, limit: int) -> _Content:
    """One of several runs in a table."""
    content = _Content(run.called, _Listing(limit=limit + 1), "run", format)
    try:
        for ranking in run.rankings(content.findings):
            content.see_ranking(ranking)
    except DataError as error:
        content.fatal = error.findings
    return content


def _read_several(content: _Content, path: str, format: str | None, columns: Columns, limit: int) -> list[_Content]:
    """A folder, or the files that a pattern fits."""
    if is_folder(path) and folders.has_responses(path):
        content.kind, content.format = "run", "folder: a response per query"
        for ranking in read_run(path).rankings(content.findings):
            content.see_ranking(ranking)
        return [content]
    parts = shards.shards_of(path, columns, None, format)
    content.kind, content.format = parts.kind, f"{parts.format}, {counted(len(parts.parts), 'file')}"
    if parts.kind == "judgments":
        _see_judgments(parts.judgment_rows(content.findings), content)
        return [content]
    runs = parts.runs()
    if len(runs) > 1:
        return [_seen(run, content.format, limit) for run in runs]
    for ranking in runs[0].rankings(content.findings):
        content.see_ranking(ranking)
    return [content]


def _read_rows(reader: Reader, file: Source, columns: Columns, content: _Content) -> None:
    if content.kind == "judgments":
        _see_judgments(reader.judgment_rows(file, columns, content.findings), content)
    else:
        for ranking in reader.rankings(file, columns, content.findings):
            content.see_ranking(ranking)


def _see_judgments(rows: Iterable[JudgmentRows], content: _Content) -> None:
    judgments = Judgments.from_rows(content.see_judgments(rows), path=content.path, findings=content.findings)
    content.several, content.only_relevant = judgments.several_grades(), judgments.only_relevant


def _count_lines(file: Source, content: _Content) -> None:
    if content.format in ("parquet", "arrow", "store"):
        return
    if content.format == "json":  # its lines may be of any length
        content.lines = len(file.text().splitlines())
        return
    content.lines = 0
    for block in file.blocks():
        lines = block.lines
        content.lines += len(lines)
        if content.format in ("trec", "msmarco"):
            content.comments += sum(line.startswith(b"#") for line in lines)


def _pair(judged: _Content, run: _Content) -> PairReport:
    shared = judged.by_query.keys() & run.by_query.keys()
    top = [(run.by_query[query].documents, judged.by_query[query].documents) for query in shared]
    shares = [len(first & known) / len(first) for first, known in top if first]
    silent = tuple(query for query in judged.by_query if query not in shared)
    unknown = tuple(query for query in run.by_query if query not in shared)
    return PairReport(
        judged.path,
        run.path,
        silent,
        unknown,
        fmean(shares) if shares else None,
        tuple(_unfitting(judged, run, silent, unknown)),
    )


def _unfitting(judged: _Content, run: _Content, silent: Sequence[str], unknown: Sequence[str]) -> Iterator[Finding]:
    if never := list(_never_meet(judged, run)):
        yield from never
    else:
        if failed := _failed(run.path, judged.by_query):
            yield from failed.findings
        if silent:
            yield errors.coverage.silent_queries(run.path, silent, len(judged.by_query), {"judged": ""})
        if unknown:
            yield errors.coverage.unknown_queries(run.path, unknown, silent)
        shared = [query for query in run.by_query if query in judged.by_query]
        top = ((judged.by_query[query].documents, run.by_query[query].documents) for query in shared)
        yield from errors.coverage.other_document_ids(run.path, top)
    if judged.several:
        yield judged.several


def _failed(path: str, judged: Mapping[str, object]) -> DataError | None:
    """That judged queries failed when the run was made, where its log says so."""
    try:
        log = log_beside(path)
    except DataError as error:
        return error
    failed = [query for query in log.unanswered if query in judged] if log is not None else []
    return errors.retrieving.unanswered(path, failed, log.path) if failed and log is not None else None


def _never_meet(judged: _Content, run: _Content) -> Iterator[Finding]:
    for what, ours, theirs in (
        ("query", list(judged.by_query), list(run.by_query)),
        ("document", sorted(judged.documents), sorted(run.documents)),
    ):
        if set(ours).isdisjoint(theirs):
            yield errors.ids.ids_never_meet(what, judged.path, run.path, ours, theirs)
            return
