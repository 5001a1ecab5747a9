"""JSON of tools that holds neither judgments nor a run: what it looks like, in a word, and what to do instead."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import islice
from typing import Any, NamedTuple

from cranfield import errors
from cranfield.errors import DataError
from cranfield.formats.columns import JUDGED, Kind
from cranfield.formats.search_responses import inside
from cranfield.phrases import kind_of, listed


class ForeignShape(NamedTuple):
    """A shape by which other tools' files are known."""

    name: str
    """What such a file is."""
    signs: tuple[str, ...]
    """Places that all are there, in the value or in the first of a list."""
    advice: str


_IDS = "Write the ids of the documents next to it: {query: [ids, best first]}, or rows of query,document,score."
SHAPES = (
    ForeignShape(
        "results of a reranker, which name documents by their places in the request",
        ("results.0.index", "results.0.relevance_score"),
        _IDS,
    ),
    ForeignShape(
        "results of a reranker, which name documents by their places in the request", ("data.0.relevance_score",), _IDS
    ),
    ForeignShape("DeepEval test cases, which hold texts and no ids of documents", ("retrieval_context",), _IDS),
    ForeignShape("DeepEval test cases, which hold texts and no ids of documents", ("actual_output", "input"), _IDS),
    ForeignShape("DeepEval results, which hold texts and no ids of documents", ("test_results.0.metrics_data",), _IDS),
    ForeignShape("promptfoo results, which hold answers and no rankings", ("evalId", "results.results"), _IDS),
    ForeignShape(
        "a Label Studio export",
        ("annotations", "data"),
        "Export it as CSV, with columns for query, document and grade, and name these: --columns grade=NAME.",
    ),
    ForeignShape(
        "what `cranfield` printed with --format json",
        ("cranfield", "verdict"),
        "Write a pool that is to be filled in with `cranfield pool -o pool.csv`, and save results with --save.",
    ),
    ForeignShape("LangSmith runs", ("run_type", "inputs"), _IDS),
    ForeignShape(
        "an OpenSearch experiment, which names evaluations and not documents",
        ("searchConfigurationList",),
        "Export the evaluation results instead (search-relevance-evaluation-result): they have documentIds.",
    ),
    ForeignShape(
        "an OpenSearch experiment, which names evaluations and not documents",
        ("hits.hits.0._source.searchConfigurationList",),
        "Export the evaluation results instead (search-relevance-evaluation-result): they have documentIds.",
    ),
    ForeignShape("results of Vectara's first API", ("responseSet.0.response",), "Ask its second API (/v2/query)."),
    ForeignShape("grouped results of Solr", ("grouped", "responseHeader"), "Ask for a flat list: group.main=true."),
    ForeignShape("grouped results of Qdrant", ("result.groups",), "Ask for points instead of groups."),
    ForeignShape("grouped results of Typesense", ("grouped_hits.0",), "Ask without group_by."),
    ForeignShape("aggregations of Elasticsearch, without hits", ("aggregations", "timed_out"), "Ask for hits: size."),
    ForeignShape("an answer of a language model", ("choices.0.message",), _IDS),
    ForeignShape("an answer of a language model", ("output.0.type", "object"), _IDS),
    ForeignShape("a vector store's list of documents, without a query", ("ids.0", "metadatas"), _IDS),
    ForeignShape("a vector store's list of documents, without a query", ("objects.0.class",), _IDS),
)


def foreign_shape(value: object) -> ForeignShape | None:
    """The shape of another tool that a value has, of those that hold neither judgments nor a run."""
    first = value[0] if isinstance(value, list) and value else value
    return next((shape for shape in SHAPES if all(inside(first, sign) is not None for sign in shape.signs)), None)


def refuse_foreign(value: Any, kind: Kind, path: str | None) -> None:
    """Refuse what is neither judgments nor a run, in one sentence; a list of records with documents is a table."""
    is_table = isinstance(value, list) and value and isinstance(value[0], Mapping)
    if is_table and JUDGED.candidates("document", list(map(str, value[0]))):
        return
    if (shape := foreign_shape(value)) is not None:
        raise DataError([errors.rows.foreign_json(path, shape.name, shape.advice)])
    if isinstance(value, Mapping) and value and not _has_queries(value, kind):
        raise DataError([errors.rows.unknown_structure(path, kind, f"this is {described(value)}")])


def _has_queries(value: Mapping[Any, Any], kind: Kind) -> bool:
    """Whether most entries could be a query with its documents."""
    some = list(islice(value.values(), EXAMINED))
    return 2 * sum(_is_of_query(one, kind) for one in some) > len(some)


def _is_of_query(value: object, kind: Kind) -> bool:
    if isinstance(value, Mapping):
        kinds = set(map(type, islice(value.values(), 10)))
        return kind == "judgments" or kinds == {float} or not any(issubclass(one, Mapping | list) for one in kinds)
    return not isinstance(value, str | bytes) and hasattr(value, "__len__")


EXAMINED = 100
"""Entries that are enough to see what an object holds."""


def described(value: Any) -> str:
    """A value in few words, by what stands at its top.

    >>> described({"took": 3, "shards": {}}), described([{"a": 1}]), described([1, 2])
    ('an object with took and shards', 'a list of objects with a', 'a list')
    """
    if isinstance(value, list) and value and isinstance(value[0], Mapping):
        return f"a list of objects with {listed(list(map(str, value[0])), 5)}"
    return (
        f"an object with {listed(list(map(str, value)), 5)}" if isinstance(value, Mapping) and value else kind_of(value)
    )
