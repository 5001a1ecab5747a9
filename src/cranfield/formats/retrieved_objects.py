"""What retrievers of other libraries return: objects that have an id and perhaps a score, best first."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any

import numpy as np

from cranfield import errors
from cranfield.errors import DataError
from cranfield.formats.columns import DOCUMENT, JUDGED, Roles

_IDS = Roles({"document": (*DOCUMENT, "id _id")})
_ATTRIBUTES = ("node_id", "id_", "id", "doc_id", "document_id", "chunk_id")
_PLAIN = (str, bytes, int, float, np.generic)


def are_objects(retrieved: Sequence[Any]) -> bool:
    """Whether a list holds objects of some library rather than ids, or ids with scores."""
    first = retrieved[0]
    if isinstance(first, tuple | list) and len(first) == 2:
        first = first[0]
    return not isinstance(first, (*_PLAIN, tuple, list)) and first is not None


def scored(retrieved: Sequence[Any]) -> tuple[list[object], list[object] | None]:
    """Ids and scores, if any, in the order of the list, which is that of the retriever whatever its scores mean.

    Distances rise from the best, and other scores may be equal: only scores that fall from each to the next are kept.
    """
    pairs = [_pair(one, at) for at, one in enumerate(retrieved, start=1)]
    documents: list[object] = [document for document, _ in pairs]
    scores = [score for _, score in pairs]
    known = [score for score in scores if score is not None]
    if len(known) == len(scores) and all(first > second for first, second in pairwise(known)):
        return documents, list(known)
    return documents, None


def _pair(one: Any, at: int) -> tuple[object, float | None]:
    if isinstance(one, tuple | list) and len(one) == 2:
        return _id_of(one[0], at), _number(one[1])
    score = one.get(_score_name(one)) if isinstance(one, Mapping) else getattr(one, "score", None)
    return _id_of(one, at), _number(score)


def _id_of(one: Any, at: int) -> object:
    if isinstance(one, _PLAIN):
        return one
    if isinstance(one, Mapping):
        found = _named(one)
    else:
        inner = getattr(one, "node", one)  # LlamaIndex has the score around the node
        found = next((value for name in _ATTRIBUTES if (value := getattr(inner, name, None)) is not None), None)
        metadata = getattr(inner, "metadata", None) or getattr(inner, "meta", None)
        if found is None and isinstance(metadata, Mapping):
            found = _named(metadata)  # LangChain's documents need not have an id
    if found is None:
        raise DataError([errors.rows.object_without_id(type(one).__name__, at)])
    return found


def _named(names: Mapping[Any, Any]) -> object:
    header = [str(name) for name in names]
    at = _IDS.candidates("document", header)
    return names[list(names)[at[0]]] if at else None


def _score_name(names: Mapping[Any, Any]) -> Any:
    header = [str(name) for name in names]
    at = JUDGED.candidates("score", header)
    return list(names)[at[0]] if at else None


def _number(score: Any) -> float | None:
    """A score as a number, also where it is a tensor of one."""
    if score is None or isinstance(score, bool):
        return None
    try:
        number = float(score)
    except (TypeError, ValueError):
        return None
    return number if np.isfinite(number) else None
