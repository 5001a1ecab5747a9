"""Answers of search engines as they are saved: the documents that each query got, and which queries failed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from sys import float_info
from typing import TYPE_CHECKING, Any, NamedTuple

from cranfield import errors
from cranfield.errors import DataError, Findings
from cranfield.formats.columns import JUDGED

if TYPE_CHECKING:
    from cranfield.formats.query_order import QueryOrder


@dataclass(frozen=True)
class Engine:
    """Where the answer of an engine has what; places are names with dots between them."""

    name: str
    hits: tuple[str, ...]
    """Where the list of hits may be."""
    document: tuple[str, ...] = ("id",)
    """Where a hit has its id; the first that is there counts."""
    score: tuple[str, ...] = ("score",)
    signs: tuple[str, ...] = ()
    """One of these is in every answer of the engine, apart from its hits."""
    of_hit: str = ""
    """What the first hit has, if there is one."""
    error: tuple[str, ...] = ("error",)
    """What is there where a query failed."""
    timed_out: tuple[str, ...] = ()
    """What is true where the time was over before all was searched."""
    parts_failed: tuple[str, ...] = ()
    """What is true, or above 0, where a part of the index did not answer."""
    query: tuple[str, ...] = ()
    """Where the text of the query may be."""
    any_key: bool = False
    """Whether documents may have their id in any field, known by its name."""
    id_after: str = ""
    """What stands before the id that a document was fed with."""
    total: tuple[str, ...] = ()
    """Where the number of all matching documents is."""

    def hits_in(self, answer: object) -> list[Any] | None:
        """The hits of an answer; nothing where it is no answer of this engine."""
        hits = next((found for place in self.hits if isinstance(found := inside(answer, place), list)), None)
        if hits is None or (self.signs and all(inside(answer, sign) is None for sign in self.signs)):
            return None
        if not hits and self.of_hit and not self.signs:
            return None  # nothing tells whose answer it is
        is_other = hits and self.of_hit and not (isinstance(hits[0], Mapping) and self.of_hit in hits[0])
        return None if is_other else hits

    def reason(self, answer: Mapping[str, Any]) -> str:
        """Why a query failed, in the engine's words; empty where it did not."""
        return next((_in_words(found) for place in self.error if (found := inside(answer, place))), "")


ENGINES = (
    Engine(
        "Elasticsearch/OpenSearch",
        hits=("hits.hits",),
        document=("_id",),
        score=("_score",),
        timed_out=("timed_out",),
        parts_failed=("_shards.failed",),
        total=("hits.total.value", "hits.total"),
    ),
    Engine(
        "Solr",
        hits=("response.docs",),
        timed_out=("responseHeader.partialResults",),
        query=("responseHeader.params.q",),
        total=("response.numFound",),
    ),
    Engine(
        "Vespa",
        hits=("root.children",),
        score=("relevance",),
        signs=("root.relevance", "root.id", "root.coverage"),
        id_after="::",
        error=("root.errors",),
        timed_out=("root.coverage.degraded.timeout",),
        parts_failed=("root.coverage.degraded",),
        total=("root.fields.totalCount",),
    ),
    Engine(
        "Typesense",
        hits=("hits",),
        document=("document.id",),
        score=(),
        signs=("search_time_ms", "request_params", "search_cutoff"),
        of_hit="document",
        timed_out=("search_cutoff",),
        query=("request_params.q",),
        total=("found",),
    ),
    Engine(
        "Meilisearch",
        hits=("hits",),
        score=("_rankingScore", "_score"),
        document=("id", "_id"),
        signs=("processingTimeMs", "estimatedTotalHits", "totalHits"),
        error=("code",),
        query=("query",),
        total=("totalHits", "estimatedTotalHits"),
        any_key=True,
    ),
    Engine("Qdrant", hits=("result.points", "result"), signs=("status",), of_hit="id", error=("status.error",)),
    Engine("Pinecone", hits=("matches",), of_hit="id", signs=("matches",)),
    Engine("Pinecone", hits=("result.hits",), document=("_id",), score=("_score",), signs=("usage",)),
    Engine(
        "Algolia",
        hits=("hits",),
        document=("objectID",),
        score=(),
        signs=("nbHits", "processingTimeMS"),
        query=("query",),
        total=("nbHits",),
        timed_out=("timeoutHits",),
    ),
    Engine(
        "Azure AI Search",
        hits=("value",),
        document=("id", "key"),
        score=(),  # reranked results have two
        of_hit="@search.score",
        any_key=True,
    ),
    Engine(
        "Coveo",
        hits=("results",),
        document=("uniqueId",),
        of_hit="uniqueId",
        signs=("totalCount",),
        total=("totalCount",),
    ),
    Engine("Vectara", hits=("search_results",), document=("document_id",), of_hit="document_id"),
    Engine(
        "Bedrock",
        hits=("retrievalResults",),
        document=(
            "location.s3Location.uri",
            "location.webLocation.url",
            "metadata.x-amz-bedrock-kb-source-uri",
            "documentId",
        ),
        of_hit="content",
    ),
    Engine(
        "OpenAI",
        hits=("data",),
        document=("file_id",),
        of_hit="file_id",
        signs=("search_query", "object"),
        query=("search_query.0", "search_query"),
    ),
    Engine(
        "Google Discovery Engine",
        hits=("results",),
        document=("document.id", "id"),
        score=(),
        of_hit="document",
        signs=("attributionToken", "totalSize"),
        total=("totalSize",),
    ),
    Engine(
        "Weaviate", hits=("data.Get.?",), document=("_additional.id",), score=("_additional.score",), error=("errors",)
    ),
    Engine("Milvus", hits=("data",), document=("id",), score=(), of_hit="distance", signs=("code",), any_key=True),
    Engine("Redis", hits=("results",), of_hit="id", signs=("total_results",), total=("total_results",)),
    Engine("Quickwit", hits=("hits",), score=(), signs=("num_hits",), total=("num_hits",), any_key=True),
)
"""What stands first is tried first."""

SEVERAL = ("responses", "results")
"""Where the answers to several queries stand together, in the order of the queries."""
_SIGNS = (
    *("hits", "response", "responseHeader", "root", "result", "matches", "error", "details", "value", "data"),
    *("search_results", "retrievalResults", "ids", *SEVERAL),
)
"""Without one of these names at its top, an object is no answer; to look for them takes no time."""


class EngineAnswer(NamedTuple):
    """What one query got."""

    query: str | None
    engine: Engine | None
    """None where the query failed in a way that every engine has."""
    hits: Sequence[Any]
    content: Mapping[str, Any]

    @property
    def failure(self) -> str:
        """Why the query failed; empty where it did not."""
        return (self.engine or ENGINES[0]).reason(self.content)

    def is_so(self, places: Sequence[str]) -> bool:
        """Whether something is so that the engine tells in one of these places."""
        return any(inside(self.content, place) for place in places)

    def pairs(self) -> list[tuple[object, float | None]]:
        """The documents, best first, each with its score if it has one."""
        of_index = _has_ids_of_several_indices([self])
        return [_of_hit(hit, self.engine or ENGINES[0], of_index) for hit in self.hits]


class SearchResponses(NamedTuple):
    """The answers in one file."""

    answers: list[EngineAnswer]
    path: str | None
    grades: Mapping[str, Mapping[str, Any]] | None = None
    """Of `_rank_eval`, which answers with the grades of the documents it found."""

    def run(self, findings: Findings, order: QueryOrder | None = None) -> dict[str, list[Any]]:
        """The documents of every query, best first, with scores where these say the same order everywhere.

        The order in which queries were asked tells which they are, where nothing else does.
        """
        queries = self._queries(order)
        self._tell(queries, findings)
        of_index = _has_ids_of_several_indices(self.answers)
        results = {
            query: [_of_hit(hit, answer.engine or ENGINES[0], of_index) for hit in answer.hits]
            for query, answer in zip(queries, self.answers, strict=True)
            if not answer.failure
        }
        for query, pairs in results.items():
            for at, (document, _) in enumerate(pairs, start=1):
                if document is None:
                    findings.add(errors.search_responses.hit_without_id(self.path, query, at))
        findings.stop_if_wrong()
        if all(_descends([score for _, score in pairs]) for pairs in results.values()):
            return {query: list(pairs) for query, pairs in results.items()}
        return {query: [document for document, _ in pairs] for query, pairs in results.items()}

    def judgments(self, findings: Findings) -> Mapping[str, Mapping[str, Any]]:
        """The grades that came with the answers, which are not all that were given."""
        if self.grades is None:
            raise DataError([errors.search_responses.no_grades(self.path)])
        findings.add(errors.search_responses.grades_of_hits_alone(self.path))
        return self.grades

    def _queries(self, order: QueryOrder | None) -> list[str]:
        """The queries, by id or by their texts."""
        named = [answer.query for answer in self.answers]
        if all(query is not None for query in named):
            queries = [str(query) for query in named]
            if len(set(queries)) < len(queries):
                twice = next(query for query in queries if queries.count(query) > 1)
                raise DataError([errors.search_responses.query_twice(self.path, twice)])
            return queries
        texts = [_text_of(answer) for answer in self.answers]
        if order is not None:
            return order.of(texts, self.path)
        if all(texts) and len(set(texts)) == len(texts):
            return [str(text) for text in texts]
        raise DataError([errors.search_responses.without_queries(self.path, len(self.answers))])

    def _tell(self, queries: Sequence[str], findings: Findings) -> None:
        """Failed queries are errors; those of which only a part was searched are warnings."""
        answered = []
        for query, answer in zip(queries, self.answers, strict=True):
            if failure := answer.failure:
                findings.add(errors.search_responses.failed(self.path, query, failure))
            else:
                answered.append((query, answer))
        late = [query for query, answer in answered if answer.engine and answer.is_so(answer.engine.timed_out)]
        if late:
            findings.add(errors.search_responses.timed_out(self.path, late, len(queries)))
        in_part = [
            query
            for query, answer in answered
            if answer.engine and query not in set(late) and answer.is_so(answer.engine.parts_failed)
        ]
        if in_part:
            findings.add(errors.search_responses.parts_failed(self.path, in_part, len(queries)))


def responses_in(value: object, name: str | None = None, path: str | None = None) -> SearchResponses | None:
    """The answers of search engines that a value holds; nothing where it holds something else.

    They may be one answer, whose query is the file's name, several in the order of the queries (`_msearch`), one for
    each query by its id, one in each record together with a query, or what `_rank_eval` answers.
    """
    body = getattr(value, "body", value)  # as the client of Elasticsearch gives it
    if inside(body, "hits.hits.0._source.searchConfigurationList") is not None:
        return None  # experiments of OpenSearch, which are documents there
    if isinstance(body, Mapping):
        return _in_object(body, name, path)
    if isinstance(body, list) and body and _recorded(body[0]):
        answers = [_recorded(record) for record in body]
        known = [answer for answer in answers if answer is not None]
        return SearchResponses(known, path) if known and len(known) == len(answers) else None
    return None


def _in_object(value: Mapping[Any, Any], name: str | None, path: str | None) -> SearchResponses | None:
    if any(sign in value for sign in _SIGNS):
        if isinstance(details := value.get("details"), Mapping) and _is_rank_eval(value, details):
            return _of_rank_eval(value, details, path)
        for together in SEVERAL:
            if isinstance(several := value.get(together), list) and (found := _all_answers(several)) is not None:
                return SearchResponses(found, path)
        if (found := _side_by_side(value)) is not None and len(found) > 1:
            return SearchResponses(found, path)
        if (answer := _answer(value, name)) or ((answer := _recorded(value)) and answer.query is not None):
            return SearchResponses([answer], path)
    return _by_query(value, path)


CHROMA = Engine("Chroma", hits=("ids",), document=("",), score=())


def _side_by_side(value: Mapping[Any, Any]) -> list[EngineAnswer] | None:
    """The answers to several queries in one list of lists, as Chroma and batches of Qdrant have them."""
    ids, result = value.get("ids"), value.get("result")
    if isinstance(ids, list) and ids and all(isinstance(one, list) for one in ids) and "distances" in value:
        return [EngineAnswer(None, CHROMA, one, {}) for one in ids]
    if "status" in value and isinstance(result, list) and result:
        points = [one if isinstance(one, list) else inside(one, "points") for one in result]
        qdrant = next(engine for engine in ENGINES if engine.name == "Qdrant")
        return (
            [EngineAnswer(None, qdrant, one, {}) for one in points]
            if all(isinstance(one, list) for one in points)
            else None
        )
    return None


def _by_query(value: Mapping[Any, Any], path: str | None) -> SearchResponses | None:
    first = next(iter(value.values()), None)
    first = getattr(first, "body", first)
    if not isinstance(first, Mapping) or not any(sign in first for sign in _SIGNS):
        return None
    answers = [_answer(getattr(one, "body", one), str(query)) for query, one in value.items()]
    known = [answer for answer in answers if answer is not None]
    if not known or all(answer.engine is None for answer in known):
        return None
    for (query, one), answer in zip(value.items(), answers, strict=True):
        if answer is None:
            raise DataError([errors.search_responses.other_answer(path, str(query), type(one).__name__)])
    return SearchResponses(known, path)


def _all_answers(several: Sequence[Any]) -> list[EngineAnswer] | None:
    """The answers of a list of nothing else."""
    answers = [_answer(one, None) for one in several]
    known = [answer for answer in answers if answer is not None]
    return known if known and len(known) == len(several) else None


def _recorded(record: object) -> EngineAnswer | None:
    """The answer in a record that has a query as well, in itself or below a name such as `response`."""
    if not isinstance(record, Mapping):
        return None
    header = [str(name) for name in record]
    at = JUDGED.candidates("query", header)
    query = record[list(record)[at[0]]] if at else None
    named = str(query) if isinstance(query, str | int) else None
    inner = (one for one in record.values() if isinstance(one, Mapping))
    return _answer(record, named) or next((found for one in inner if (found := _answer(one, named))), None)


def answer_in(content: object, engine: Engine | None = None) -> EngineAnswer | None:
    """The answer of one engine, or of whichever engine it looks like; nothing where it is none."""
    if engine is None:
        return _answer(content, None)
    whole = content if isinstance(content, Mapping) else {}
    hits = engine.hits_in(content)
    if hits is None and engine is ENGINES[2] and _is_empty_vespa(whole):
        hits = []
    return None if hits is None and not engine.reason(whole) else EngineAnswer(None, engine, hits or [], whole)


def _answer(content: object, query: str | None) -> EngineAnswer | None:
    """One answer, if it is that of an engine that is known."""
    if not isinstance(content, Mapping):
        return None
    for engine in ENGINES:
        if (hits := engine.hits_in(content)) is not None:
            return EngineAnswer(query, engine, hits, content)
    if (side_by_side := _side_by_side(content)) is not None and len(side_by_side) == 1:
        return side_by_side[0]._replace(query=query)
    if _is_empty_vespa(content):
        return EngineAnswer(query, ENGINES[2], (), content)
    error = content.get("error")
    if isinstance(error, Mapping | str) and error and ("status" in content or "responseHeader" in content):
        return EngineAnswer(query, None, (), content)
    return None


def _is_empty_vespa(content: Mapping[str, Any]) -> bool:
    """Where nothing was found, or the query failed, Vespa gives no list."""
    root = content.get("root")
    return isinstance(root, Mapping) and "children" not in root and ("fields" in root or "errors" in root)


def _is_rank_eval(value: Mapping[str, Any], details: Mapping[str, Any]) -> bool:
    first = next(iter(details.values()), None)
    return "metric_score" in value and (first is None or (isinstance(first, Mapping) and "hits" in first))


def _of_rank_eval(value: Mapping[str, Any], details: Mapping[str, Any], path: str | None) -> SearchResponses:
    answers: list[EngineAnswer] = []
    grades: dict[str, dict[str, Any]] = {}
    for query, detail in details.items():
        listed = inside(detail, "hits") or []
        # What is no hit has no id, which is reported with its place.
        rated = listed if isinstance(listed, list) else [None]
        hits = [one.get("hit") if isinstance(one, Mapping) else None for one in rated]
        answers.append(EngineAnswer(str(query), ENGINES[0], hits, {}))
    of_index = _has_ids_of_several_indices(answers)
    for answer, detail in zip(answers, details.values(), strict=True):
        documents = [(_of_hit(hit, ENGINES[0], of_index)[0], at) for at, hit in enumerate(answer.hits)]
        grades[str(answer.query)] = {
            str(document): detail["hits"][at]["rating"]
            for document, at in documents
            if document is not None and detail["hits"][at].get("rating") is not None
        }
    failures = value.get("failures")
    for query, reason in failures.items() if isinstance(failures, Mapping) else ():
        answers.append(EngineAnswer(str(query), None, (), {"error": reason}))
    return SearchResponses(answers, path, grades)


def ratings_in(value: object) -> list[dict[str, Any]] | None:
    """The grades that a request to `_rank_eval` is made with, as rows; nothing where it is none."""
    requests = value.get("requests") if isinstance(value, Mapping) else None
    if not isinstance(requests, list) or not requests:
        return None
    if not all(isinstance(one, Mapping) and isinstance(one.get("ratings"), list) and "id" in one for one in requests):
        return None
    of_index = _has_ids_of_several_indices([EngineAnswer(None, None, one["ratings"], {}) for one in requests])
    rows: list[dict[str, Any]] = []
    for one in requests:
        for rating in one["ratings"]:
            document, _ = _of_hit(rating, ENGINES[0], of_index)
            rows.append({"query": one["id"], "document": document, "grade": inside(rating, "rating")})
    return rows


def _of_hit(hit: object, engine: Engine, of_index: bool) -> tuple[object, float | None]:
    """The document of a hit, and its score if it has one."""
    if not isinstance(hit, dict | Mapping):  # the first is seen faster
        return (hit, None) if "" in engine.document and isinstance(hit, str | int) else (None, None)
    document = next((found for place in engine.document if (found := inside(hit, place)) is not None), None)
    if document is None and engine.any_key:
        at = JUDGED.candidates("document", [str(name) for name in hit])
        document = hit[list(hit)[at[0]]] if len(at) == 1 else None
    if engine.id_after and isinstance(document, str):
        document = document.partition(engine.id_after)[2] or document
    if not isinstance(document, str) and isinstance(document, Mapping | list | bool):
        document = None
    if of_index and document is not None:
        document = f"{hit.get('_index')}/{document}"
    score = next((found for place in engine.score if (found := inside(hit, place)) is not None), None)
    return document, score if isinstance(score, int | float) and not isinstance(score, bool) else None


def _has_ids_of_several_indices(answers: Sequence[EngineAnswer]) -> bool:
    """Whether two documents of one query have the same id in two indices."""
    for answer in answers:
        hits = [hit for hit in answer.hits if isinstance(hit, Mapping) and "_id" in hit]
        ids = [(str(hit["_id"]), str(hit.get("_index"))) for hit in hits]
        if len({document for document, _ in ids}) < len(set(ids)):
            return True
    return False


def _descends(scores: Sequence[float | None]) -> bool:
    """Whether scores say all by themselves in which order documents came."""
    # Not isfinite, which whole numbers may be too large for.
    known = [score for score in scores if score is not None and abs(score) <= float_info.max]
    return len(known) == len(scores) and all(first > second for first, second in pairwise(known))


def _text_of(answer: EngineAnswer) -> str | None:
    """The text of the query, where the answer repeats it."""
    places = answer.engine.query if answer.engine else ()
    found = next((text for place in places if (text := inside(answer.content, place))), None)
    return found if isinstance(found, str) else None


def _in_words(error: object) -> str:
    """The reason of a failure in few words, wherever an engine says it."""
    if isinstance(error, list):
        return _in_words(error[0]) if error else ""
    if not isinstance(error, Mapping):
        return str(error)
    causes = error.get("root_cause")
    cause = causes[0] if isinstance(causes, list) and causes and isinstance(causes[0], Mapping) else error
    words = [str(cause[name]) for name in ("type", "summary", "reason", "msg", "message", "code") if cause.get(name)]
    return ": ".join(words[:2]) or "no reason is given"


def inside(value: object, place: str) -> Any:
    """What is in a place of nested objects and lists; None where there is no such place. `?` is the only name.

    >>> inside({"hits": {"total": {"value": 3}}}, "hits.total.value"), inside({"ids": [["d1", "d2"]]}, "ids.0")
    (3, ['d1', 'd2'])
    """
    if type(value) is dict and place in value and "." not in place and place != "?":
        return value[place]  # as in most of millions of hits
    for name in place.split(".") if place else ():
        if isinstance(value, list) and name.isdecimal():
            value = value[int(name)] if int(name) < len(value) else None
        elif name == "?":
            value = next(iter(value.values())) if isinstance(value, Mapping) and len(value) == 1 else None
        elif isinstance(value, Mapping):
            value = value.get(name)
        else:
            return None
    return value
