"""Policies given as probabilities: with which each document is shown, for each query or for all."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any, TypeAlias

from cranfield import errors
from cranfield.errors import DataError, Findings
from cranfield.formats.delimited_text import delimiter_in, fields_of, first_line
from cranfield.formats.rows import Content, rows_of_text
from cranfield.formats.source import as_source
from cranfield.formats.tokens import is_score

Policy: TypeAlias = dict[str, dict[str, float]]
"""Probabilities by query and document; those under no query hold for all."""

TOLERANCE = 1e-6
"""How far the sum of probabilities may be from 1: files hold few digits."""


def probabilities_of(policy: object) -> Policy | None:
    """A policy that is given as probabilities, or None if it is something else, such as a run."""
    path = None
    if isinstance(policy, Mapping):
        table = _of_mapping(policy)
    elif isinstance(policy, str) or hasattr(policy, "__fspath__"):
        path = str(policy)
        table = _of_file(policy)
    else:
        table = None
    for query, of_query in (table or {}).items():
        _require_probabilities(query, of_query, path)
    return table


def _of_mapping(policy: Mapping[Any, Any]) -> Policy | None:
    values = list(policy.values())
    if values and all(isinstance(value, int | float) for value in values):
        return {"": {str(document): _number(value) for document, value in policy.items()}}
    if not values or not all(isinstance(value, Mapping) for value in values):
        return None
    table = {str(query): {str(d): _number(v) for d, v in of.items()} for query, of in policy.items()}
    are_scores = any(sum(of.values()) > 1 + TOLERANCE for of in table.values())
    return None if are_scores else table


def _number(value: Any) -> float:
    try:
        return float(value)
    except (TypeError, ValueError, OverflowError):
        return math.nan


def _require_probabilities(query: str, of_query: Mapping[str, float], path: str | None) -> None:
    for document, value in of_query.items():
        if not 0 <= value <= 1:
            raise DataError([errors.clicks.bad_probability(path, document, value)])
    total = math.fsum(of_query.values())
    if of_query and abs(total - 1) > TOLERANCE:
        raise DataError([errors.clicks.bad_policy(path, query, total)])


def _of_file(path: object) -> Policy | None:
    """A CSV or TSV file with columns document, probability and perhaps query; None if it is another file."""
    file = as_source(path)
    assert file is not None
    delimiter = delimiter_in(file) or ","
    header = [name.strip().casefold() for name in fields_of(first_line(file), delimiter)]
    document = next((name for name in ("document", "item_id", "item", "doc_id") if name in header), None)
    if "probability" not in header or document is None:
        return None
    table: Policy = {}
    findings = Findings()
    for rows in rows_of_text(file, _Policy(), findings):
        columns, whole_log = rows.columns, [""] * len(rows.lines)
        given = columns.get("query", whole_log), columns[document], columns["probability"]
        for line, query, shown, probability in zip(rows.lines, *given, strict=True):
            _add_probability(table, query, shown, probability, file.path, line)
    findings.stop_if_wrong()
    return table


class _Policy(Content):
    name = "probabilities"

    def header(self, first: Sequence[str], path: str | None) -> tuple[Sequence[str], bool]:
        return [name.strip().casefold() for name in first], True


def _add_probability(table: Policy, query: str, document: str, text: str, path: str, line: int) -> None:
    if not document:
        raise DataError([errors.rows.bad_id(path, line, "document", None)])
    if not is_score(text) and text.casefold() != "nan":
        raise DataError([errors.rows.not_a_number(path, line, "probability", text)])
    if not 0 <= (value := float(text)) <= 1:
        raise DataError([errors.clicks.bad_probability(path, document, value, line)])
    of_query = table.setdefault(query, {})
    if document in of_query:
        raise DataError([errors.clicks.probability_twice(path, document, query, line)])
    of_query[document] = value
