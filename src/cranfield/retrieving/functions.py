"""A function as a system: what it returns for the text of a query."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from cranfield.errors import DataError, Findings
from cranfield.formats import memory
from cranfield.requesting.failures import Failure
from cranfield.retrieving.searching import SearchQuery, SearchResult, document_id

Returned = Any
"""Ids, pairs of id and score, `{id: score}`, or objects that have both."""


class FunctionSystem:
    """A function that is called with the text of each query."""

    def __init__(self, function: Callable[[str], Returned]) -> None:
        self.function = function
        name = getattr(function, "__qualname__", type(function).__qualname__)
        self.asked: Mapping[str, Any] = {"source": f"{getattr(function, '__module__', '')}.{name}".lstrip(".")}
        self.names: Sequence[str] = ("query",)

    def request(self, query: SearchQuery) -> Any:
        """What decides about the answer, as far as anybody can know."""
        return [self.asked["source"], query.text]

    def search(self, query: SearchQuery) -> SearchResult:
        """What the function returns; what it raises is a failure of this query."""
        try:
            returned = self.function(query.text)
        except Failure:
            raise
        except TimeoutError as error:
            raise Failure("timeout", _words(error)) from None
        except ConnectionError as error:
            raise Failure("no connection", _words(error)) from None
        except Exception as error:
            raise Failure("exception", _words(error)) from None
        return result_of(returned)

    def close(self) -> None:
        """Nothing to leave."""


def result_of(returned: Returned) -> SearchResult:
    """Documents and scores, of whatever a run in memory may hold for a query."""
    if returned is None:
        raise Failure("unreadable", "the function returned None; an empty list is how to return no results")
    found = Findings()
    try:
        rankings = list(memory.rankings({"query": returned}, None, found))
        found.stop_if_wrong()
    except (DataError, ValueError, TypeError) as error:
        raise Failure("unreadable", str(error).splitlines()[0][:200]) from None
    (ranking,) = rankings
    documents = tuple(document_id(document) for document in ranking.documents)
    scores = tuple(ranking.scores.tolist())
    if isinstance(returned, Mapping):  # a dictionary has scores, and its order is nobody's
        order = sorted(range(len(documents)), key=lambda at: -scores[at])
        documents, scores = tuple(documents[at] for at in order), tuple(scores[at] for at in order)
    has_scores = scores != tuple(-float(rank) for rank in range(1, len(scores) + 1))
    return SearchResult(documents, scores if has_scores else None)


def _words(error: BaseException) -> str:
    return f"{type(error).__name__}: {' '.join(str(error).split())[:200]}".rstrip(": ")
