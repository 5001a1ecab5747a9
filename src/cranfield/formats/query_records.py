"""Records of queries, each with a list of what is relevant or of what was found, as many tools write them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from cranfield import errors
from cranfield.errors import DataError
from cranfield.formats.columns import JUDGED, Kind, Roles, folded
from cranfield.formats.search_responses import inside

LISTS = Roles(
    {
        # ragas; OpenSearch's judgment lists and Quepid's cases; RRE
        "judgments": (
            "reference_context_ids ratings relevant_documents relevant_docs relevant_ids relevant gold_ids gold_docs "
            "gold_chunks gold expected_ids expected_docs ground_truth_ids positive_ids",
        ),
        # ragas; sentence-transformers
        "run": (
            "retrieved_context_ids results retrieved_ids retrieved_docs retrieved_documents retrieved_chunks retrieved "
            "ranking ranked_ids predictions doc_ids document_ids documents docs",
        ),
    }
)
_QUERY = Roles(
    {"query": ("query_id qid q_id question_id", "search_text", "id", "query query_text question user_input text")}
)
_BELOW = ("queries", "judgmentRatings", "samples", "examples", "data")
"""Names below which the records of a file may stand."""
_OF_OTHERS = {"clicks", "clickedids", "clickedranks", "annotations", "searchconfigurationlist"}
"""Names in click logs, in exports of Label Studio and in experiments of OpenSearch, which are no such records."""


def lists_in(value: object, kind: Kind) -> dict[str, Any] | None:
    """`{query: grades or relevant documents}`, or `{query: results}`; nothing where a value has no such records."""
    records = _records(value)
    if records is None:
        return None
    place = _place(records, kind)
    if place is None:
        return None
    found: dict[str, Any] = {}
    for at, record in enumerate(records, start=1):
        query, listed = _query_of(record), record.get(place)
        if query is None:
            raise DataError([errors.query_records.no_query(at)])
        if query in found:
            raise DataError([errors.query_records.query_twice(query, at)])
        if listed is not None and not isinstance(listed, Mapping | list | tuple):
            raise DataError([errors.query_records.no_list(query, place, listed)])
        found[query] = _graded(listed or {}) if kind == "judgments" else list(listed or ())
    return found


def kind_of_lists(value: object) -> Kind | None:
    """Whether records list results or what is relevant; results where they do both, and None where neither."""
    records = _records(value)
    kinds: tuple[Kind, Kind] = ("run", "judgments")
    return next((kind for kind in kinds if records and _place(records, kind)), None)


def _records(value: object) -> Sequence[Mapping[str, Any]] | None:
    if hasattr(value, "to_list") and hasattr(value, "samples"):
        value = value.to_list()  # a data set of ragas
    if isinstance(value, Mapping):
        # As a search for it answers, in which OpenSearch has stored it.
        stored = inside(value, "hits.hits")
        if isinstance(stored, list) and len(stored) == 1:
            value = inside(stored[0], "_source")
        elif isinstance(stored, list) and stored and inside(stored[0], "_source.documentIds") is not None:
            return [inside(one, "_source") or {} for one in stored]  # results of an evaluation, by query
        below = next((inside(value, name) for name in _BELOW if isinstance(inside(value, name), list)), None)
        is_one = below is None and isinstance(value, Mapping) and _query_of(value) is not None
        value = [value] if is_one else below
    if not isinstance(value, list) or not value or not all(isinstance(one, Mapping) for one in value[:100]):
        return None
    first = value[0]
    is_other = not _OF_OTHERS.isdisjoint(folded(str(name)) for name in first)
    return None if is_other or not all(isinstance(one, Mapping) for one in value) else value


def _place(records: Sequence[Mapping[str, Any]], kind: Kind) -> str | None:
    """The name below which every record has its list."""
    header = [str(name) for name in records[0]]
    for at in LISTS.candidates(kind, header):
        if isinstance(records[0][header[at]], Mapping | list | tuple) and _query_of(records[0]) is not None:
            return header[at]
    return None


def _query_of(record: Mapping[str, Any]) -> str | None:
    text = inside(record, "placeholders.$query")  # of RRE
    if isinstance(text, str):
        return text
    # A dictionary of a thousand scores is asked too: its values tell soonest that none of them is a query.
    if not any(issubclass(kind, str | int) and kind is not bool for kind in set(map(type, record.values()))):
        return None
    header = [str(name) for name in record]
    at = _QUERY.candidates("query", header)
    query = record[header[at[0]]] if at else None
    return str(query) if isinstance(query, str | int) and not isinstance(query, bool) else None


def _graded(listed: Any) -> Any:
    """Grades by document, where each document has one; else the list of what is relevant."""
    if isinstance(listed, Mapping):
        return {
            document: inside(grade, "gain") if isinstance(grade, Mapping) else grade
            for document, grade in listed.items()
        }
    if not all(isinstance(one, Mapping) for one in listed) or not listed:
        return list(listed)
    found: dict[str, Any] = {}
    for one in listed:
        header = [str(name) for name in one]
        document, grade = (JUDGED.candidates(role, header) for role in ("document", "grade"))
        if len(document) != 1 or len(grade) != 1:
            raise DataError([errors.query_records.no_grade(header)])
        name = str(one[header[document[0]]])
        if name in found:
            raise DataError([errors.query_records.document_twice(name)])
        found[name] = one[header[grade[0]]]
    return found
