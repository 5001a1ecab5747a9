"""What a new store is made of: pairs from runs, from a pool or from a list, their texts, and where runs have them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import groupby
from operator import itemgetter
from os import PathLike

import numpy as np

from cranfield import errors
from cranfield.align import align
from cranfield.assessing.items import GOLD, IMPORTED, POOL, Contents, DocumentText, Items, QueryText, RunArrays
from cranfield.data.judgments import Judgments
from cranfield.data.queries import Queries
from cranfield.data.run import Run
from cranfield.errors import DataError, Finding
from cranfield.formats.documents import Document, stream_documents
from cranfield.formats.pools import ListedPool, Pair
from cranfield.formats.queries import read_queries
from cranfield.pooling.candidates import candidates_of, judged_pairs, natural, rng_for

DESCRIPTIONS = ("description", "desc", "narrative", "narr")
"""Columns of queries that say in full what is wanted."""


@dataclass(frozen=True, eq=False)
class Judged:
    """What is to be judged, before texts are read: pairs, grades that are known, and runs to compare."""

    pairs: tuple[Pair, ...]
    runs: tuple[Run, ...] = ()
    known: Mapping[tuple[str, str], float] = field(default_factory=dict)
    """Grades that were given before; nobody is asked again."""
    gold: Mapping[tuple[str, str], float] = field(default_factory=dict)
    """Right grades of pairs that every judge is asked for, to see how judges do."""
    query_texts: Mapping[str, str] = field(default_factory=dict)
    documents: Mapping[str, Document] = field(default_factory=dict)
    warnings: tuple[Finding, ...] = ()

    @property
    def compares(self) -> bool:
        """Whether a judge sees two documents side by side."""
        return any(other for _, _, other in self.pairs)


def judged_from_runs(
    runs: Sequence[Run], depth: int, *, judgments: Judgments | None = None, gold: Judgments | None = None
) -> Judged:
    """The first documents of every run; with judgments only those that nobody has judged are asked for."""
    candidates = candidates_of(runs, depth)
    # Runs and queries share documents: of a million names most are the same, and kept once.
    names: dict[str, str] = {}
    pairs = tuple(
        (query, names.setdefault(document, document), "")
        for query, of in candidates.documents.items()
        for document in of
    )
    warnings = (*(judgments.warnings if judgments else ()), *candidates.warnings)
    known = _known(judgments, candidates.of)
    return Judged(pairs, tuple(runs), known, _among(pairs, gold), warnings=warnings)


def judged_from_pool(
    pool: ListedPool,
    runs: Sequence[Run] = (),
    *,
    judgments: Judgments | None = None,
    gold: Judgments | None = None,
) -> Judged:
    """What a list names; grades that it has count as given before."""
    known = {**_known(judgments, {query for query, _, _ in pool.pairs}), **pool.grades}
    warnings = judgments.warnings if judgments else ()
    gold_grades = _among(pool.pairs, gold)
    return Judged(pool.pairs, tuple(runs), known, gold_grades, pool.query_texts, pool.documents, warnings)


def as_preferences(judged: Judged, *, per_query: int = 10, seed: int = 0) -> Judged:
    """Two documents of a query side by side, instead of each alone: pairs drawn by chance, as is which one is left.

    Each document has its turn before any has a second one.
    """
    by_query: dict[str, dict[str, None]] = {}
    for query, document, _ in judged.pairs:
        by_query.setdefault(query, {})[document] = None
    pairs = tuple(pair for query, of in by_query.items() for pair in _drawn_pairs(query, sorted(of), per_query, seed))
    if not pairs:
        raise errors.assessing.nothing_to_prefer()
    return replace(judged, pairs=pairs, runs=(), known={}, gold={})


def _drawn_pairs(query: str, documents: Sequence[str], most: int, seed: int) -> Iterator[Pair]:
    rng = rng_for(seed, query, "preferences")
    seen: set[frozenset[str]] = set()
    wanted = min(most, len(documents) * (len(documents) - 1) // 2)
    while len(seen) < wanted:
        order = [documents[at] for at in rng.permutation(len(documents)).tolist()]
        for one, other in zip(order, [*order[1:], order[0]], strict=True):
            if len(seen) < wanted and frozenset((one, other)) not in seen:
                seen.add(frozenset((one, other)))
                yield query, one, other


def contents_of(judged: Judged, *, queries: object = None, documents: object = None) -> tuple[Contents, list[Finding]]:
    """All that a new store is made of; the list grows while documents are read, by whoever reads them."""
    items = _items(judged)
    if (items.part == IMPORTED).all():
        raise DataError([errors.assessing.all_judged(len(items))])
    texts = None if queries is None else read_queries(queries)
    warnings = [*judged.warnings, *_missing_queries(texts, items.queries)]
    wanted = dict.fromkeys(items.documents)
    return Contents(
        items,
        _query_texts(items.queries, texts, judged.query_texts),
        _document_texts(documents, wanted, judged.documents, warnings),
    ), warnings


def _known(judgments: Judgments | None, queries: Iterable[str]) -> dict[tuple[str, str], float]:
    known = judged_pairs(judgments)
    of_queries = ((query, known.get(query, {})) for query in queries)
    return {(query, document): grade for query, of in of_queries for document, grade in of.items()}


def _among(pairs: Sequence[Pair], gold: Judgments | None) -> dict[tuple[str, str], float]:
    """Right grades of those pairs that have one."""
    known = judged_pairs(gold)
    return {(query, name): known[query][name] for query, name, _ in pairs if name in known.get(query, {})}


def _items(judged: Judged) -> Items:
    items = _without_places(judged)
    as_judgments = _as_judgments(items)
    return replace(items, places=tuple(_run_arrays(run, as_judgments) for run in judged.runs))


def _without_places(judged: Judged) -> Items:
    everything = _in_order(judged)
    queries = tuple(dict.fromkeys(query for query, _, _ in everything))
    documents = tuple(dict.fromkeys(name for _, *names in everything for name in names if name))
    of_query, of_document = _numbers(queries), _numbers(documents)
    grades = {} if judged.compares else {**judged.known, **judged.gold}
    known = np.fromiter((grades.get(pair[:2], np.nan) for pair in everything), np.float64)
    part = np.where(np.isnan(known), POOL, IMPORTED).astype(np.int8)
    part[np.fromiter((pair[:2] in judged.gold for pair in everything), np.bool_)] = GOLD
    return Items(
        queries,
        documents,
        np.fromiter((of_query[query] for query, _, _ in everything), np.int64),
        np.fromiter((of_document[document] for _, document, _ in everything), np.int64),
        np.fromiter((of_document[other] for _, _, other in everything), np.int64) if judged.compares else None,
        part,
        known,
    )


def _in_order(judged: Judged) -> list[Pair]:
    """Each pair once, by query in the natural order of ids, then by document.

    There may be a million: one sort after the other, from the last key to the first, takes no memory for keys.
    """
    before = () if judged.compares else ((query, document, "") for query, document in judged.known)
    pairs = [*judged.pairs, *before]
    places = _numbers(sorted({query for query, _, _ in pairs}, key=natural))
    pairs.sort(key=itemgetter(2))
    pairs.sort(key=itemgetter(1))
    pairs.sort(key=lambda pair: places[pair[0]])
    return [pair for pair, _ in groupby(pairs)]


def _numbers(names: Sequence[str]) -> dict[str, int]:
    return {name: number for number, name in enumerate(names)}


def _as_judgments(items: Items) -> Judgments:
    """All items as if they were judged, to find where runs have them."""
    documents = np.array(items.documents, dtype=object)[items.of_document]
    return Judgments(items.queries, items.starts, tuple(documents), np.zeros(len(items)))


def _run_arrays(run: Run, judgments: Judgments) -> RunArrays:
    """Where a run has the items, at their ranks among all that it retrieved."""
    aligned = align(run, judgments, must_meet=False)
    return RunArrays(run.name, aligned.starts, aligned.rows + 1, aligned.ranks, aligned.retrieved)


def _missing_queries(texts: Queries | None, wanted: Sequence[str]) -> Iterator[Finding]:
    missing = [] if texts is None else [query for query in wanted if query not in texts]
    if texts is None or not missing:
        return
    if len(missing) == len(wanted):
        raise errors.document_texts.texts_never_meet("queries", texts.path, missing)
    yield errors.document_texts.texts_missing("queries", texts.path, missing, len(wanted))


def _query_texts(queries: Sequence[str], texts: Queries | None, listed: Mapping[str, str]) -> list[QueryText]:
    """What queries say by their file, or else by the list itself, and what describes them in full."""
    columns = [] if texts is None else [texts.column(name) for name in DESCRIPTIONS if name in texts.columns]
    named = []
    for query in queries:
        text = "" if texts is None else texts.text(query)
        described = [str(column[query]) for column in columns if column.get(query) not in (None, "")]
        named.append(QueryText(query, text or listed.get(query, ""), "\n\n".join(described)))
    return named


def _document_texts(
    source: object, wanted: Mapping[str, None], listed: Mapping[str, Document], warnings: list[Finding]
) -> Iterator[DocumentText]:
    """Documents as they are read, each once, then those of the list itself; what is missing is reported at the end."""
    seen: set[str] = set()
    path = str(source) if isinstance(source, str | PathLike) else None
    for name, document in () if source is None else stream_documents(source, wanted):
        if name not in seen:
            seen.add(name)
            yield DocumentText(name, *document)
    for name, document in listed.items():
        if name in wanted and name not in seen:
            seen.add(name)
            yield DocumentText(name, *document)
    missing = [name for name in wanted if name not in seen]
    if source is not None and len(missing) == len(wanted):
        raise errors.document_texts.texts_never_meet("documents", path, missing)
    if missing and (source is not None or listed):
        warnings.append(errors.document_texts.texts_missing("documents", path, missing, len(wanted)))
