"""What can be wrong with Spark data frames, and what a cluster finds."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace

from cranfield.errors.findings import DataError, Finding, UsageError


def id_column(name: str, type: str, what: str) -> DataError:
    """A column of ids with a type that has no single spelling as text."""
    message = f"the column {name!r} has the type {type}; {what} ids are text or whole numbers"
    return DataError([Finding("error", "id-column", message, f"Cast it: df.withColumn({name!r}, ...cast('string')).")])


def number_column(name: str, type: str, what: str) -> DataError:
    """A column of grades, scores or ranks that holds no numbers."""
    message = f"the column {name!r} has the type {type}; a {what} is a number"
    return DataError(
        [Finding("error", "number-column", message, f"Cast it: df.withColumn({name!r}, ...cast('double')).")]
    )


def no_order(measure: str) -> UsageError:
    """A rule for ties that needs the order of rows."""
    return UsageError(
        f"{measure} orders equal scores as they were given, and the rows of a data frame have no order.\n"
        "Choose ties='document', 'document-ascending' or 'average'."
    )


def not_a_frame(value: object, what: str) -> UsageError:
    """Something that is neither a data frame nor a folder."""
    return UsageError(
        f"{what} must be a Spark data frame or the path of a Parquet folder, not {type(value).__name__}.\n"
        "What is in memory is evaluated by cranfield.evaluate, or becomes a data frame by spark.createDataFrame(...)."
    )


def no_session() -> UsageError:
    """Paths were given, and no session to read them with."""
    return UsageError("Paths need a Spark session. Create one first: SparkSession.builder.getOrCreate().")


def not_parquet(path: str) -> UsageError:
    """Files in another format, which a cluster would read one by one on the driver."""
    return UsageError(f"{path} is not Parquet; on Spark, files are read from Parquet.\nConvert it: cranfield convert.")


def model_needs_impressions(name: str, known: Sequence[str]) -> UsageError:
    """A click model that cannot be learnt from sums over documents and ranks."""
    return UsageError(
        f"{name} cannot be fitted on Spark: it needs whole impressions, not only sums over documents and ranks.\n"
        f"Choose one of {', '.join(known)}, or fit {name} to a sample of sessions on one machine: cranfield.clicks."
    )


def counted_only(name: str) -> UsageError:
    """A way of fitting that needs whole impressions."""
    return UsageError(
        f"{name} with Fitting(stops=False) cannot be fitted on Spark: it needs whole impressions.\n"
        "Leave out stops=False, or fit a sample of sessions on one machine: cranfield.clicks."
    )


def results_without_order(missing: str) -> DataError:
    """A row for each result, in a data frame whose rows have no order, without what puts them into one."""
    needed = (
        "a column with the position of each result" if missing == "position" else "a session or impression_id column"
    )
    message = f"the rows of a data frame have no order, and there is no {missing}"
    advice = f"Add {needed}, or give a row per impression (query, documents, clicks)."
    return DataError([Finding("error", "results-without-order", message, advice)])


def events_apart() -> DataError:
    """Queries or events of OpenSearch UBI, which are two tables."""
    return DataError(
        [
            Finding(
                "error",
                "events-apart",
                "these are queries or events of OpenSearch UBI; on Spark, a click log is one data frame",
                "Join them first: a row per result with query_id as session, query, position, document, clicked.",
            )
        ]
    )


def failed(error: Exception) -> DataError:
    """Whatever Spark says went wrong: what cranfield said on a worker, or else Spark's own first words."""
    text = str(error)
    if said := _SAID_ON_WORKER.search(text):
        message, _, advice = said[1].strip().partition("\n")
        return DataError([Finding("error", "spark-failed", message, advice)])
    words = next((line.strip() for line in text.splitlines() if line.strip()), type(error).__name__)
    advice = "The log of Spark has the whole message; where a file is damaged, cranfield check FILE reports it."
    return DataError([Finding("error", "spark-failed", f"Spark stopped: {words}", advice)])


_SAID_ON_WORKER = re.compile(
    r"^cranfield\.errors\S*Error: (.+?)(?=\n\s*\n|\nJVM stacktrace|\Z)", re.MULTILINE | re.DOTALL
)
_ROWS = re.compile(r"(; it is already|, as|, but \S+) on (row|line|entry) \d+")


def without_row(finding: Finding, query: str | None, document: str | None) -> Finding:
    """A finding about a row of a data frame, which has no number: it is found by its query and document.

    >>> one = Finding("error", "x", "the score is missing", line=3, unit="row")
    >>> print(without_row(one, "q1", "d2"))
    query 'q1', document 'd2': the score is missing
    """
    if finding.line is None:
        return finding
    message = _ROWS.sub(lambda found: found[1] if found[1].startswith(", but") else "", finding.message)
    if query is not None and repr(query) not in message:
        named = f", document {document!r}" if document is not None and repr(document) not in message else ""
        message = f"query {query!r}{named}: {message}"
    return replace(finding, message=message, line=None, text=None)


def counted(finding: Finding, count: int) -> Finding:
    """A finding that stands for others of its kind."""
    return replace(finding, message=f"{finding.message} (and {count:,} more like it)") if count else finding


def other_versions(own: Mapping[str, str], others: Sequence[Mapping[str, str]]) -> Finding | None:
    """Workers that have other versions than the driver; None where all are alike."""
    differing = {
        f"{name} {versions.get(name, 'unknown')} (driver {value})"
        for versions in others
        for name, value in own.items()
        if versions.get(name) != value
    }
    if not differing:
        return None
    message = f"workers and driver differ: {', '.join(sorted(differing))}"
    return Finding("warning", "other-versions", message, "Use one environment for all, so that results cannot differ.")
