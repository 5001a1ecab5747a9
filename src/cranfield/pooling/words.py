"""What there is to judge, in words."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from html import escape
from typing import TYPE_CHECKING

from cranfield.show.table import Table, wrapped

if TYPE_CHECKING:
    from cranfield.pooling.pools import Pool
    from cranfield.pooling.strata import Sampled

SHOWN = 20
"""Documents of a pool that a person is shown."""

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


def verdict(pool: Pool, seconds: float | None) -> str:
    """How much there is to judge, and of what."""
    return " ".join(_sentences(pool, seconds))


def _sentences(pool: Pool, seconds: float | None) -> Iterator[str]:
    found, count, settings = pool.candidates, len(pool.entries), pool.settings
    queries = len({entry.query for entry in pool.entries})
    runs = f"{len(found.runs)} runs" if len(found.runs) > 1 else "one run"
    judged = f", of which {pool.judged:,} are judged already" if pool.judged else ""
    holds = f"The first {found.depth:,} of {runs} hold {found.size:,} pairs of query and document{judged}."
    if not count:
        yield f"Nothing is left to judge. {holds}"
        return
    documents = counted(count, "document")
    if pool.sample:
        strata = counted(len({one.stratum for one in pool.sample}), "stratum")
        yield f"{documents} to judge for {counted(queries, 'query')}, a sample drawn from {strata}."
    elif settings["budget"] or settings["per_query"]:
        each = Counter(entry.query for entry in pool.entries).values()
        spread = f", {min(each):,} to {max(each):,} each" if min(each) < max(each) else f", {min(each):,} each"
        yield f"{documents} to judge for {counted(queries, 'query')}{spread}, chosen {CHOSEN[settings['strategy']]}."
    else:
        new = "new " if pool.judged else ""
        yield f"{counted(count, new + 'document')} to judge for {counted(queries, 'query')}."
    yield holds
    if seconds:
        yield f"At {seconds:g} seconds each, that is about {duration(count * seconds)}."


def notes(pool: Pool) -> Iterator[str]:
    """What the columns are, and what is surprising."""
    judged = f"; judged@{pool.k}: mean share of its first {pool.k} that is judged; then: when these are judged"
    yield (
        f"in the pool: pairs among its first {pool.candidates.depth:,}; alone: found by no other run"
        f"{judged if pool.judged else ''}."
    )
    if pool.settings["strategy"] == "comparison":
        yield (
            f"change: how far one label can move differences of {pool.settings['measure']} for its query, summed over "
            "pairs of runs."
        )
    yield from map(str, pool.warnings)


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


def stratum_sizes(sample: Iterable[Sampled]) -> dict[tuple[str, int], tuple[int, int]]:
    """Of every query and stratum, how many documents were drawn, and how many there are."""
    sizes: dict[tuple[str, int], tuple[int, int]] = {}
    for one in sample:
        drawn, count = sizes.get((one.query, one.stratum), (0, 0))
        sizes[one.query, one.stratum] = drawn + one.drawn, count + 1
    return sizes


class Told:
    """What tells itself to a person: a verdict, and tables below it."""

    def sections(self) -> list[str | Table]:
        """Sentences and tables, in the order they are read."""
        raise NotImplementedError

    def __str__(self) -> str:
        return "\n\n".join(wrapped(part) if isinstance(part, str) else part.text() for part in self.sections())

    def _repr_html_(self) -> str:
        parts = self.sections()
        return "".join(f"<p>{escape(part)}</p>" if isinstance(part, str) else part.html() for part in parts)


def counted(count: int, what: str) -> str:
    """A number of things, one or several.

    >>> counted(1, "pair"), counted(1200, "query")
    ('1 pair', '1,200 queries')
    """
    plural = {"query": "queries", "stratum": "strata"}.get(what, f"{what}s")
    return f"1 {what}" if count == 1 else f"{count:,} {plural}"
