"""Chunks whose document nobody knows, and what cannot be put together."""

from __future__ import annotations

from collections.abc import Sequence

from cranfield.errors.findings import Finding, UsageError
from cranfield.phrases import counted, examples, shown, spoken


def no_document_part(
    path: str | None, line: int | None, chunk: str, count: int, separator: str, *, unit: str
) -> Finding:
    """Ids without the separator, or that the pattern does not match."""
    return Finding(
        "warning",
        "no-document-part",
        f"{shown(chunk)} has no {shown(separator)} and counts as a document of its own",
        path=path,
        line=line,
        count=count,
        unit=unit,
    )


def nothing_grouped(given: str, *, is_pattern: bool) -> Finding:
    """A separator or pattern that fits no id at all."""
    group_by = _option("group_by")
    if is_pattern:
        return Finding(
            "error",
            "nothing-grouped",
            f"the pattern {shown(given)} matches no document id of judgments and runs",
            f"Correct {group_by}: the group in parentheses is the document, as in '^(.+)_[0-9]+$'.",
        )
    return Finding(
        "error",
        "nothing-grouped",
        f"no document id of judgments and runs contains {shown(given)}, and no file has that name",
        f"{group_by} is a separator (# for d7#3), a pattern with a group ('^(.+)_[0-9]+$'), or a file with the columns "
        "chunk and document.",
    )


def not_in_mapping(
    path: str | None, line: int | None, chunks: Sequence[str], mapping: str | None, *, unit: str
) -> Finding:
    """Chunks that the mapping has no document for."""
    of = f"the mapping {mapping}" if mapping else "the mapping"
    has = "is" if len(chunks) == 1 else "are"
    return Finding(
        "error",
        "not-in-mapping",
        f"{counted(len(chunks), 'id')} {has} not in {of}: {examples(chunks)}",
        "Add them; a document that is no chunk is listed as its own.",
        path=path,
        line=line,
        unit=unit,
    )


def two_documents(path: str | None, line: int, chunk: str, documents: Sequence[str], *, unit: str) -> Finding:
    """A chunk that is listed with two documents."""
    first, second = documents
    return Finding(
        "error",
        "two-documents",
        f"chunk {shown(chunk)} belongs to {shown(second)} here and to {shown(first)} before",
        "A chunk belongs to one document.",
        path,
        line,
        unit=unit,
    )


def two_answers(
    path: str | None, line: int, query: str, document: str, answers: Sequence[str], *, unit: str
) -> Finding:
    """A document that is listed with two answers to a query."""
    first, second = answers
    return Finding(
        "error",
        "two-answers",
        f"document {shown(document)} of query {shown(query)} belongs to answer {shown(second)} here and to "
        f"{shown(first)} before",
        "For documents with several answers use subtopics, and measures such as StRecall or alpha_nDCG.",
        path,
        line,
        unit=unit,
    )


def not_by_kind(kind: str) -> UsageError:
    """Judgments that are about single chunks."""
    reads = "compare single documents" if kind == "preference" else "were drawn from strata of single documents"
    leave_out = f"{_option('group_by')} and {_option('alternatives')}"
    return UsageError(f"These judgments {reads}, so documents cannot be grouped.\nLeave out {leave_out}.")


def wrong_alternatives(given: object) -> UsageError:
    """Something that says nothing of alternatives."""
    return UsageError(
        "alternatives are a path, {query: {document: answer}} or {query: [[documents], …]} with a list per answer, "
        f"not {shown(given)}."
    )


def one_grouping() -> UsageError:
    """Two ways of grouping at once."""
    return UsageError(f"{_option('group_by')} and {_option('alternatives')} both say what counts once; give one.")


def wrong_group_by(given: object) -> UsageError:
    """Something that says nothing of chunks."""
    return UsageError(
        "group_by is a separator such as '#', a pattern with a group, a path or {chunk: document}, "
        f"not {shown(given)}."
    )


def wrong_pattern(given: str, why: str) -> UsageError:
    """A pattern that is none."""
    return UsageError(f"{_option('group_by')} is no regular expression: {why} in {shown(given)}.")


def saved_choice_is_gone(name: str, label: str) -> UsageError:
    """Results that were measured with a file or mapping that is not there any more, or is another one now."""
    return UsageError(
        f"The saved results were measured with {_option(name)} {label}, which is not there, or was changed.\n"
        f"Give the same with {_option(name)}, or save the results again."
    )


def wrong_only_queries(given: object) -> UsageError:
    """Something that names no queries."""
    return UsageError(f"only_queries is a path or a list of ids, not {shown(given)}.")


def no_judged_query(path: str | None, queries: Sequence[str], judged: Sequence[str]) -> Finding:
    """A selection of queries of which none was judged."""
    return Finding(
        "error",
        "no-judged-query",
        f"none of the {counted(len(queries), 'query')} has judgments: {examples(queries)}",
        f"Write ids as the judgments do: {examples(judged)}.",
        path,
    )


def queries_without_judgments(path: str | None, queries: Sequence[str], chosen: int) -> Finding:
    """Queries that were chosen and that nobody judged."""
    have = "has" if len(queries) == 1 else "have"
    return Finding(
        "warning",
        "chosen-without-judgments",
        f"{len(queries):,} of {chosen:,} chosen queries {have} no judgments and cannot be evaluated: "
        f"{examples(queries)}",
        path=path,
        count=len(queries),
    )


def _option(name: str) -> str:
    return spoken(command=f"--{name.replace('_', '-')}", python=name)
