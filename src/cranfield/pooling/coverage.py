"""What each run has in a pool, and how much of what it puts first is judged."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import NamedTuple

from cranfield import errors
from cranfield.align import EXAMPLES, align
from cranfield.data.judgments import Judgments
from cranfield.errors import DataError, Finding
from cranfield.evaluating.aggregate import mean
from cranfield.formats import read_judgments, read_run
from cranfield.measures import Judged
from cranfield.measures.scoring import score
from cranfield.pooling.candidates import Candidates


class PoolCoverage(NamedTuple):
    """What one run has in the pool."""

    pooled: int
    """Documents of the pool that it found."""
    alone: int
    """Documents that no other run found."""
    judged: float
    """The share of its first k that is judged."""
    then: float
    """The same once the pool is judged."""


def coverage_of(
    candidates: Candidates, known: Mapping[str, Mapping[str, float]], to_judge: Iterable[tuple[str, str]], k: int
) -> dict[str, PoolCoverage]:
    """Of every run: its documents in the pool, and judged@k as it is and as it will be when the pool is judged."""
    in_pool = dict.fromkeys(candidates.runs, 0)
    alone = dict(in_pool)
    for rankings in candidates.of.values():
        counts: dict[str, int] = {}
        for first in rankings:
            for document in first:
                counts[document] = counts.get(document, 0) + 1
        for name, first in zip(candidates.runs, rankings, strict=True):
            in_pool[name] += len(first)
            alone[name] += sum(counts[document] == 1 for document in first)
    after = {query: dict(of) for query, of in known.items()}
    for query, document in to_judge:
        after.setdefault(query, {})[document] = 0.0
    before, then = (_judged_share(candidates, of, k) for of in (known, after))
    return {name: PoolCoverage(in_pool[name], alone[name], before[name], then[name]) for name in candidates.runs}


def _judged_share(candidates: Candidates, known: Mapping[str, Mapping[str, float]], k: int) -> dict[str, float]:
    """judged@k of every run, as an evaluation gives it, also of a run that has no judged query."""
    if not any(known.values()):
        return dict.fromkeys(candidates.runs, 0.0)
    judgments = read_judgments({query: of for query, of in known.items() if of})
    shares = {}
    for at, name in enumerate(candidates.runs):
        run = read_run({query: list(rankings[at]) for query, rankings in candidates.of.items() if rankings[at]})
        (scores,) = score(align(run, judgments, must_meet=False), [Judged @ k])
        shares[name] = mean(Judged @ k, scores).value
    return shares


def must_know(candidates: Candidates, judgments: Judgments) -> list[Finding]:
    """Stop at judgments of other queries, or whose documents are written differently; warn where none is judged."""
    common = [query for query in candidates.of if query in judgments]
    if not common:
        raise DataError([errors.ids.ids_never_meet("query", judgments.path, None, judgments.queries, candidates.of)])
    if any(document in judgments.rows_of(query) for query in common for document in candidates.documents[query]):
        return []
    some = common[:EXAMPLES]
    judged = [document for query in some for document in list(judgments.rows_of(query))[:EXAMPLES]]
    pooled = [document for query in some for document in candidates.documents[query][:EXAMPLES]]
    never = errors.ids.ids_never_meet("document", judgments.path, None, judged[:EXAMPLES], pooled[:EXAMPLES])
    if errors.ids.would_meet(judged[:EXAMPLES], pooled[:EXAMPLES]):
        raise DataError([never])
    return [replace(never, severity="warning")]
