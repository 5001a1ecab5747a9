"""Runs as files: rankings one after the other, so that a run need not fit into memory."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import IO, NamedTuple, cast

import numpy as np

from cranfield import errors, kernels
from cranfield.arrays import Floats
from cranfield.data.run import Ranking, positions
from cranfield.file_endings import RUNS, TableForm
from cranfield.formats.table_writing import Part, json_text, json_value, write_table
from cranfield.formats.writing import form_of, require_one_word, written_file

TABLE = "a .csv, .tsv or .jsonl file"
"""What holds every run."""


class RankedDocuments(NamedTuple):
    """What one query got, best first."""

    query: str
    documents: Sequence[str]
    scores: Sequence[float]
    ranked: bool = False
    """Whether there are ranks and no scores: a score is then a rank from 1 on, negated."""


def best_first(ranking: Ranking) -> RankedDocuments:
    """A ranking as it is written: by score, and where scores are equal in the order it was read.

    >>> best_first(Ranking("q1", ["d1", "d2", "d3"], np.array([1.0, 2.0, 1.0]), [1, 2, 3])).documents
    ['d2', 'd1', 'd3']
    """
    scores = ranking.scores
    if bool((scores[1:] <= scores[:-1]).all()):
        return RankedDocuments(ranking.query, list(ranking.documents), scores.tolist(), ranking.ranked)
    order = np.argsort(-scores, kind="stable")
    documents = [ranking.documents[at] for at in order.tolist()]
    return RankedDocuments(ranking.query, documents, scores[order].tolist(), ranking.ranked)


def write_run(target: str | os.PathLike[str], rankings: Iterable[RankedDocuments], name: str) -> None:
    """A run as TREC has it; or, by the ending of the path, a table with query, document, rank and score."""
    form = form_of(target, RUNS, "a run")
    with written_file(target) as stream:
        write_rankings(stream, form, rankings, name, os.fspath(target))


def write_rankings(stream: IO[bytes], form: str, rankings: Iterable[RankedDocuments], name: str, path: str) -> None:
    """Rankings in one of the forms of a run; `path` is what messages call the file."""
    if form in _LINES:
        for text in _LINES[form](rankings, name, path):
            stream.write(text.encode())
    else:
        write_table(stream, cast(TableForm, form), _parts(rankings), path)


def trec_run(rankings: Iterable[RankedDocuments], name: str, path: str = "") -> Iterator[str]:
    """A run as lines of a TREC file, query by query.

    >>> print(*trec_run([RankedDocuments("q1", ["d2", "d1"], [2.5, 1.0])], "my bm25"), end="")
    q1 Q0 d2 1 2.5 my_bm25
    q1 Q0 d1 2 1.0 my_bm25
    """
    tag = "_".join(name.split()) or "run"
    lines_of = _compiled_lines if kernels.are_compiled() else _plain_lines
    for ranking in rankings:
        require_one_word("query", ranking.query)
        if ranking.ranked and _has_gaps(ranking):
            raise errors.conversion.gaps_in_ranks(path, "a TREC file", ranking.query, TABLE)
        _require_words("document", ranking.documents)
        yield lines_of(ranking.query, ranking.documents, ranking.scores, tag)


def _plain_lines(query: str, documents: Sequence[str], scores: Sequence[float], tag: str) -> str:
    rows = enumerate(zip(documents, scores, strict=True), 1)
    return "".join(f"{query} Q0 {document} {rank} {float(score)!r} {tag}\n" for rank, (document, score) in rows)


def _compiled_lines(query: str, documents: Sequence[str], scores: Sequence[float], tag: str) -> str:
    from cranfield.kernels.compiled import run_lines

    return run_lines(query, documents, np.array(scores, dtype=np.float64), tag)


def _require_words(what: str, names: Sequence[str]) -> None:
    """Refuse ids of which one would be read as another one; whether all are plain is told at once."""
    joined = " ".join(names)
    if joined.count(" ") + 1 != len(names) or "" in names or not _PLAIN.fullmatch(joined):
        for name in names:
            require_one_word(what, name)


_PLAIN = re.compile(r"[!-~ ]*")
"""Signs that every reader takes for what they are."""


def _msmarco(rankings: Iterable[RankedDocuments], name: str, path: str) -> Iterator[str]:
    for ranking in rankings:
        require_one_word("query", ranking.query)
        lines = sorted(zip(_ranks(ranking), ranking.documents, strict=True))
        _require_words("document", ranking.documents)
        yield "".join(f"{ranking.query}\t{document}\t{rank}\n" for rank, document in lines)


def _ranks(ranking: RankedDocuments) -> list[int]:
    """The rank of each document, as an evaluation orders them."""
    if ranking.ranked:
        return [int(-score) for score in ranking.scores]
    from cranfield.kernels.plain import all_ranks

    ranks: list[int] = all_ranks(ranking.documents, np.array(ranking.scores), "document", ranked=False).tolist()
    return ranks


def _json(rankings: Iterable[RankedDocuments], name: str, path: str) -> Iterator[str]:
    between = "{\n"
    for ranking in rankings:
        yield f"{between}{json_text(ranking.query)}: {json_text(_json_ranking(ranking, path))}"
        between = ",\n"
    yield "\n}\n" if between != "{\n" else "{}\n"


def _json_ranking(ranking: RankedDocuments, path: str) -> object:
    if not ranking.ranked:
        return {document: json_value(score) for document, score in zip(ranking.documents, ranking.scores, strict=True)}
    if _has_gaps(ranking) or len(set(ranking.scores)) < len(ranking.scores):
        raise errors.conversion.gaps_in_ranks(path, "JSON", ranking.query, TABLE)
    return list(ranking.documents)


def _has_gaps(ranking: RankedDocuments) -> bool:
    scores: Floats = np.array(ranking.scores)
    return bool((positions(scores) != np.arange(1, len(scores) + 1)).any())


_LINES: Mapping[str, Callable[[Iterable[RankedDocuments], str, str], Iterator[str]]] = {
    "run": trec_run,
    "msmarco": _msmarco,
    "json": _json,
}


def _parts(rankings: Iterable[RankedDocuments]) -> Iterator[Part]:
    is_begun = False
    for query, documents, scores, ranked in rankings:
        if not documents:  # no row, and no word on whether there are scores
            continue
        is_begun = True
        columns: dict[str, list[str | int | float | bool | None]] = {
            "query": [query] * len(documents),
            "document": [*documents],
            "rank": [int(-score) for score in scores] if ranked else [*range(1, len(documents) + 1)],
        }
        yield columns if ranked else {**columns, "score": [float(score) for score in scores]}
    if not is_begun:
        yield {"query": [], "document": [], "rank": [], "score": []}
