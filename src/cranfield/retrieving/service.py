"""A search service as a system: a request over HTTP, and its results wherever the answer has them."""

from __future__ import annotations

import json
import os
import re
import urllib.request
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlsplit

from cranfield import errors
from cranfield.errors import UsageError, did_you_mean
from cranfield.formats.search_responses import ENGINES, Engine, EngineAnswer, answer_in, inside
from cranfield.requesting.failures import Failure
from cranfield.requesting.transport import content_of, is_cut_off, without
from cranfield.retrieving.searching import SearchQuery, SearchResult, document_id, request_hash
from cranfield.retrieving.templates import (
    filled_json,
    filled_url,
    json_template,
    names_in,
    url_template,
)

MOST_BYTES = 64 << 20
"""Of an answer: a thousand documents with their texts have less."""
METHODS = ("GET", "POST")
_HEADER = re.compile(r"[A-Za-z0-9!#$%&'*+.^_`|~-]+=[A-Za-z_][A-Za-z0-9_]*")


@dataclass(frozen=True)
class ServiceChoices:
    """Where a service is, and where its answers have what."""

    url: str
    body: str | None = None
    """JSON with places; None: nothing is sent but the address."""
    body_name: str = "The body"
    """What messages call it."""
    engine: str | None = None
    """The name of a known engine; None: whichever of them the answer looks like."""
    paths: Mapping[str, str] = field(default_factory=dict)
    """Where answers have `hits`, and hits `id` and `score`, in place of what the engine has."""
    headers: Sequence[str] = ()
    """NAME=VARIABLE: a header, and the environment variable that holds its value."""
    timeout: float = 30.0


class ServiceSystem:
    """A service that is asked over HTTP. Values of headers are sent, and never shown, stored or logged."""

    def __init__(self, choices: ServiceChoices, known: Sequence[str]) -> None:
        self.choices = choices
        _require_address(choices.url)
        self.url = url_template(choices.url, known)
        self.body = () if choices.body is None else json_template(choices.body, known, choices.body_name)
        self.names: Sequence[str] = names_in(self.url, self.body)
        if not set(self.names) - {"size", "query_id"}:
            raise errors.retrieving.nothing_of_the_query("The request")
        self.method = "GET" if choices.body is None else "POST"
        self.engine = _engine(choices.engine, choices.paths)
        self.headers = _headers(choices.headers)
        parts = urlsplit(choices.url)
        self.asked: Mapping[str, Any] = {
            # Not what follows the question mark: some put keys there.
            "source": f"{parts.scheme}://{parts.netloc}{parts.path}",
            "template": request_hash(
                [choices.url, choices.body, choices.engine, dict(choices.paths), sorted(self.headers)]
            ),
        }

    def request(self, query: SearchQuery) -> Any:
        """Method, address and body; values of headers are not a part of it."""
        body = filled_json(self.body, query.values) if self.body else None
        return [self.method, filled_url(self.url, query.values), body]

    def search(self, query: SearchQuery) -> SearchResult:
        """The results in the answer."""
        method, url, body = self.request(query)
        headers = {"Accept": "application/json", **({"Content-Type": "application/json"} if body else {})}
        request = urllib.request.Request(
            url, body.encode() if body else None, {**headers, **self.headers}, method=method
        )
        secrets = tuple(self.headers.values())
        content = content_of(request, timeout=self.choices.timeout, most_bytes=MOST_BYTES, secrets=secrets)
        try:
            return results_in(content, self.engine)
        except Failure as failure:
            raise Failure(failure.kind, without(secrets, failure.detail)) from None

    def close(self) -> None:
        """Nothing to leave: every request has a connection of its own."""


def results_in(content: bytes, engine: Engine | None = None) -> SearchResult:
    """The results in an answer, which may also say that it failed, that time was over, or that a part is missing."""
    value = _json(content)
    answer = answer_in(value, engine) or (answer_in(value, PLAIN) if engine is None else None)
    if answer is None:
        raise Failure("wrong JSON", f"no results were found in the answer: {_shown(value)}")
    if answer.failure:
        raise Failure("rejected", answer.failure)
    if answer.engine is not None and answer.is_so(answer.engine.timed_out):
        raise Failure("timed out", "the engine says that its time was over before everything was searched")
    if answer.engine is not None and answer.is_so(answer.engine.parts_failed):
        raise Failure("incomplete", "the engine says that a part of the index did not answer")
    pairs = answer.pairs()
    documents = tuple(document_id(document) for document, _ in pairs)
    scores = tuple(score for _, score in pairs if score is not None)
    return SearchResult(documents, scores if pairs and len(scores) == len(pairs) else None, _total(answer))


def _json(content: bytes) -> object:
    def refuse(constant: str) -> float:
        raise ValueError(constant)

    try:
        return json.loads(content, parse_constant=refuse)
    except (ValueError, RecursionError):
        if is_cut_off(content):
            raise Failure("cut off", "the answer ends in the middle") from None
        raise Failure("wrong JSON", f"the answer is not JSON: {content[:80]!r}") from None


def _total(answer: EngineAnswer) -> int | None:
    """How many documents matched, where the engine tells."""
    places = answer.engine.total if answer.engine else ()
    found = (inside(answer.content, place) for place in places)
    return next((total for total in found if isinstance(total, int) and not isinstance(total, bool)), None)


def _shown(value: object) -> str:
    if isinstance(value, Mapping):
        return f"an object with {', '.join(map(str, list(value)[:6])) or 'nothing in it'}"
    return f"a {type(value).__name__}"


def _engine(name: str | None, paths: Mapping[str, str]) -> Engine | None:
    """The engine of a name, with other places where they are said; None: as the answer shows."""
    engine = None if name is None else _engine_named(name)
    if not paths:
        return engine
    own = {role: (place,) for role, place in paths.items()}
    usual = engine or Engine("JSON", hits=())
    return Engine(
        usual.name,
        hits=own.get("hits", usual.hits or PLAIN.hits),
        document=own.get("id", usual.document if engine else PLAIN.document),
        score=own.get("score", usual.score if engine else PLAIN.score),
        total=own.get("total", usual.total),
        error=own.get("error", usual.error),
        timed_out=usual.timed_out,
        parts_failed=usual.parts_failed,
        id_after=usual.id_after,
    )


PLAIN = Engine(
    "JSON",
    hits=("", "hits", "results", "documents", "docs", "items", "data"),
    document=("id", "_id", "doc_id", "document_id", "docid", ""),
    score=("score", "_score", "relevance", "similarity"),
    total=("total", "count"),
    error=("error", "status.error"),
)
"""What services without a name mostly answer: a list of objects with id and score, or of ids."""
NAMED = {
    **{name.lower(): engine for engine in ENGINES for name in engine.name.split("/")},
    "json": PLAIN,
}
"""Engines by what people call them."""


def _engine_named(name: str) -> Engine:
    if name not in NAMED:
        raise UsageError(f"There is no engine {name!r}. {did_you_mean(name, NAMED)} There are {', '.join(NAMED)}.")
    return NAMED[name]


def _require_address(url: str) -> None:
    try:
        parts = urlsplit(url)
        is_wrong = parts.scheme not in ("http", "https") or not parts.hostname or bool(parts.username or parts.password)
        _ = parts.port
    except ValueError:
        is_wrong = True
    if is_wrong or "{" in urlsplit(url).netloc or re.search(r"[\s\x00-\x1f]", url):
        raise errors.retrieving.wrong_url(url)


def _headers(given: Sequence[str]) -> dict[str, str]:
    """Headers by name, with what the environment has for them."""
    headers = {}
    for text in given:
        if not _HEADER.fullmatch(text):
            raise errors.retrieving.wrong_header(text)
        name, _, variable = text.partition("=")
        value = os.environ.get(variable, "")
        if not value or not value.isprintable() or not value.isascii():
            raise errors.retrieving.no_header_value(name, variable)
        headers[name] = value
    return headers
