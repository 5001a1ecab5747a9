"""A check's findings for people."""

from __future__ import annotations

from cranfield.checking import FileReport, JudgmentsSummary, PairReport, Report, RunSummary
from cranfield.show.table import Table


def text(report: Report) -> str:
    """What the files hold, how they fit together, what is wrong, and the verdict."""
    parts = [files_table(report).text()]
    if report.pairs:
        parts.append(pairs_table(report.pairs).text())
    parts += [f"{finding.severity}: {finding.in_full()}" for finding in report.findings]
    parts += [f"{file.path}: {file.unlisted:,} more errors are not listed." for file in report.files if file.unlisted]
    return "\n\n".join([*parts, verdict(report)])


def files_table(report: Report) -> Table:
    """A row per file, and below what its values are like."""
    return Table(
        {
            "file": [file.path for file in report.files],
            "what": [f"{file.kind or 'unknown'}, {file.format or '?'}" for file in report.files],
            "rows": [file.rows for file in report.files],
            "queries": [file.queries for file in report.files],
            "documents": [file.documents for file in report.files],
            "a query": [_per_query(file) for file in report.files],
        },
        notes=tuple(f"{file.path}: {_holds(file)}" for file in report.files if _holds(file)),
    )


def pairs_table(pairs: tuple[PairReport, ...]) -> Table:
    """A row per pair of judgments and run."""
    return Table(
        {
            "judgments": [pair.judgments for pair in pairs],
            "run": [pair.run for pair in pairs],
            "silent queries": [len(pair.not_retrieved) for pair in pairs],
            "unknown queries": [len(pair.not_judged) for pair in pairs],
            "judged@10": [float("nan") if pair.judged_at_top is None else pair.judged_at_top for pair in pairs],
        }
    )


def verdict(report: Report) -> str:
    """One line that says whether an evaluation would go through."""
    errors = sum(finding.severity == "error" for finding in report.findings)
    errors += sum(file.unlisted for file in report.files)
    warnings = sum(finding.severity == "warning" for finding in report.findings)
    if errors:
        return f"{_counted(errors, 'error')} and {_counted(warnings, 'warning')}: an evaluation would stop."
    noted = f"; {_counted(warnings, 'warning')}" if warnings else ""
    return f"Nothing is wrong{noted}."


def _counted(count: int, what: str) -> str:
    return f"{count:,} {what}{'' if count == 1 else 's'}"


def _per_query(file: FileReport) -> str:
    if file.summary is None:
        return ""
    spread = file.summary.per_query
    return f"{spread.smallest}–{spread.largest}"


def _holds(file: FileReport) -> str:
    match file.summary:
        case JudgmentsSummary():
            grades = " ".join(f"{grade:g}×{count}" for grade, count in list(file.summary.grades.items())[:8])
            more = " …" if len(file.summary.grades) > 8 else ""
            return f"grades {grades}{more}"
        case RunSummary() if file.summary.lowest <= file.summary.highest:
            tied = f", {file.summary.tied:,} tied" if file.summary.tied else ""
            return f"{file.summary.decides} {file.summary.lowest:g} to {file.summary.highest:g}{tied}"
        case _:
            return ""
