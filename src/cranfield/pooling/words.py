"""What there is to judge, in words."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from cranfield.phrases import counted

if TYPE_CHECKING:
    from cranfield.pooling.pools import Pool

CHOSEN: Mapping[str, str] = {
    "depth": "by best rank",
    "rrf": "by reciprocal rank fusion",
    "rbp": "by the weights of rank-biased precision",
    "mtf": "by move-to-front",
    "mm-ns": "by a max-mean bandit (MM-NS)",
    "thompson": "by Thompson sampling",
    "comparison": "by how much they could change the comparison",
}
"""How a strategy chooses."""


def sentences(pool: Pool) -> Iterator[str]:
    """How much there is to judge, and of what."""
    candidates, count, settings = pool.candidates, len(pool.entries), pool.settings
    queries = len({entry.query for entry in pool.entries})
    runs = f"{len(candidates.runs)} runs" if len(candidates.runs) > 1 else "one run"
    judged = f"; {pool.judged:,} of them are judged already" if pool.judged else ""
    holds = f"The first {candidates.depth:,} of {runs} hold {candidates.size:,} pairs of query and document{judged}."
    if not count:
        yield f"Nothing is left to judge. {holds}"
        return
    documents = counted(count, "document")
    if pool.sample:
        strata = counted(len({one.stratum for one in pool.sample}), "stratum")
        yield f"{documents} to judge for {counted(queries, 'query')}, a sample drawn from {strata}."
    elif settings["budget"] or settings["labels_per_query"]:
        each = Counter(entry.query for entry in pool.entries).values()
        spread = f", {min(each):,} to {max(each):,} each" if min(each) < max(each) else f", {min(each):,} each"
        yield f"{documents} to judge for {counted(queries, 'query')}{spread}, chosen {CHOSEN[settings['strategy']]}."
    else:
        new = "new " if pool.judged else ""
        yield f"{counted(count, new + 'document')} to judge for {counted(queries, 'query')}."
    yield holds
    if seconds := pool.seconds_per_label:
        yield f"At {seconds:g} seconds each, that is about {duration(count * seconds)}."


def notes(pool: Pool) -> Iterator[str]:
    """What the columns are."""
    share = f"; judged@{pool.k}: mean share of its first {pool.k} that is judged, also after judging these documents"
    yield (
        f"in the pool: pairs among its first {pool.candidates.depth:,}; unique: found by no other run"
        f"{share if pool.judged else ''}."
    )
    if pool.settings["strategy"] == "comparison":
        yield (
            f"change: how far one label can move differences of {pool.settings['measure']} for its query, summed over "
            "pairs of runs."
        )


def duration(seconds: float) -> str:
    """A time as people say it.

    >>> duration(50), duration(5400), duration(36000)
    ('1 minute', '1.5 hours', '10 hours')
    """
    if seconds < 3600:
        minutes = max(round(seconds / 60), 1)
        return f"{minutes} minute" + "s" * (minutes > 1)
    hours = round(seconds / 3600, 1)
    return f"{hours:,g} hour" + "s" * (hours != 1)
