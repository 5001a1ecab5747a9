"""What to judge: documents that runs found, chosen and ordered by a strategy."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import groupby, islice
from typing import Any, NamedTuple, get_args

from cranfield import errors
from cranfield.arguments import require_choice, require_share, require_whole
from cranfield.choices import Duplicates, PoolOrder
from cranfield.data.judgments import Judgments
from cranfield.data.run import Run
from cranfield.errors import Finding, UsageError
from cranfield.formats import read_judgments, read_runs
from cranfield.formats.columns import ColumnsGiven, columns_for
from cranfield.formats.sheets import read_texts
from cranfield.measures import Measure, parse_all
from cranfield.pooling.adaptive import JudgingStep, played, played_alone
from cranfield.pooling.candidates import Candidates, candidates_of, judged_pairs, rng_for
from cranfield.pooling.coverage import must_know
from cranfield.pooling.influence import influence
from cranfield.pooling.pools import Pool, PoolEntry
from cranfield.pooling.strata import DEFAULT, SampledDocument, Stratum, read_strata, sampled
from cranfield.pooling.weights import PERSISTENCE, Weights, by_depth, by_rank_bias, by_reciprocal_rank

WEIGHTED = ("depth", "rrf", "rbp")
ADAPTIVE = ("mtf", "mm-ns", "thompson")
STRATEGIES = (*WEIGHTED, *ADAPTIVE, "comparison", "sample")
ALIASES = {
    "move-to-front": "mtf",
    "bandit": "mm-ns",
    "mmns": "mm-ns",
    "stratified": "sample",
    "difference": "comparison",
}
SHALLOW, DEEP = 10, 100
"""How deep runs are read unless somebody says: all that is found is judged, or some of it is chosen."""
DEFAULT_MEASURE = "nDCG@10"


def pool(
    runs: object,
    *,
    depth: int | None = None,
    strategy: str = "depth",
    budget: int | None = None,
    labels_per_query: int | None = None,
    judgments: object = None,
    measure: str | Measure = DEFAULT_MEASURE,
    strata: str | Sequence[tuple[int, float]] | None = None,
    p: float = PERSISTENCE,
    rel: float = 1,
    order: PoolOrder | None = None,
    seed: int = 0,
    queries: object = None,
    documents: object = None,
    columns: ColumnsGiven = None,
    duplicates: Duplicates | None = None,
) -> Pool:
    """What to judge next: documents among the first `depth` of any run that nobody has judged.

    `strategy` says which come first: `depth` (best rank), `rrf` and `rbp` (weights that runs add up to), `mtf`, `mm-ns`
    and `thompson` (which learn from the judgments so far), `comparison` (what could change the comparison of the runs
    most), or `sample`, a random sample from `strata`. A `budget` is a number of labels in all, `labels_per_query` one
    for each query; without either all are listed. Runs are read to depth 10, and where documents are chosen to depth
    100.

    Without a budget the documents of a query are shuffled, by the seed, so that their order tells nothing; with one
    they stand in the order of the strategy. `order` changes that: `shuffled`, `priority` or `rank`.

    >>> import cranfield as cf
    >>> runs = {"a": {"q1": ["d1", "d2"]}, "b": {"q1": ["d2", "d3"]}}
    >>> cf.pool(runs, strategy="rrf", budget=1, judgments={"q1": {"d1": 1}}).of("q1")
    ('d2',)
    """
    name = strategy_named(strategy)
    _must_fit(name, depth, budget, labels_per_query, strata, p, order)
    layers = layers_to(depth, strata) if name == "sample" else ()
    chosen = name not in WEIGHTED or budget is not None or labels_per_query is not None
    deep = depth if depth is not None else DEEP if chosen else SHALLOW
    read = read_runs(runs, columns_for("run", columns), duplicates)
    judged = None if judgments is None else read_judgments(judgments, columns=columns_for("judgments", columns))
    candidates = candidates_of(read, layers[-1].last if layers else deep)
    strange = [] if judged is None else must_know(candidates, judged)
    drawn = tuple(sampled(candidates, layers, seed)) if layers else ()
    how = _PoolMaterial(name, candidates, judged_pairs(judged), rel, p, seed, one_measure(measure), read, judged, drawn)
    entries, warnings = _chosen(how, budget, labels_per_query)
    ordered = order or ("priority" if chosen and name != "sample" else "shuffled")
    entries = _in_order(entries, candidates, ordered, seed)
    pairs = [(entry.query, entry.document) for entry in entries]
    texts, missing = read_texts(queries, documents, pairs, "the pool")
    return Pool(
        tuple(entries),
        candidates,
        known=how.known,
        k=min(candidates.depth, SHALLOW),
        settings={
            **how.settings(),
            "budget": budget,
            "labels_per_query": labels_per_query,
            "order": ordered,
            **_strata(layers),
        },
        texts=texts,
        sample=drawn,
        warnings=(*(judged.warnings if judged else ()), *candidates.warnings, *strange, *warnings, *missing),
    )


def one_measure(measure: str | Measure) -> Measure:
    """A measure by any of its names, unless that stands for several."""
    asked = parse_all(measure)
    if len(asked) != 1:
        raise UsageError(f"{measure!r} names {len(asked)} measures; give one.")
    return asked[0]


def strategy_named(name: str) -> str:
    """A strategy by any of its names."""
    folded = str(name).casefold().replace("_", "-")
    known = ALIASES.get(folded, folded)
    if known not in STRATEGIES:
        raise errors.pooling.unknown_strategy(name, STRATEGIES, tuple(ALIASES))
    return known


class _PoolMaterial(NamedTuple):
    """Everything a choice is made from."""

    strategy: str
    candidates: Candidates
    known: Mapping[str, Mapping[str, float]]
    rel: float
    p: float
    seed: int
    measure: Measure
    runs: Sequence[Run]
    judgments: Judgments | None
    drawn: Sequence[SampledDocument]

    def settings(self) -> dict[str, Any]:
        """What a person would have to say to get the same pool again."""
        name = self.strategy
        return {
            "strategy": name,
            "depth": self.candidates.depth,
            "seed": self.seed,
            "judgments": None if self.judgments is None else self.judgments.path,
            **({"p": self.p} if name == "rbp" else {}),
            **({"rel": self.rel} if name in ADAPTIVE else {}),
            **({"measure": str(self.measure)} if name == "comparison" else {}),
        }

    def is_known(self, query: str, document: str) -> bool:
        return document in self.known.get(query, {})

    def outcome(self, query: str, document: str) -> bool | None:
        grade = self.known.get(query, {}).get(document)
        return None if grade is None else grade >= self.rel


def weights_of(strategy: str, candidates: Candidates, query: str, p: float = PERSISTENCE) -> Weights:
    """The weights of a query's documents by a strategy that needs no judgments."""
    if strategy == "rbp":
        return by_rank_bias(candidates, query, p)
    return by_depth(candidates, query) if strategy == "depth" else by_reciprocal_rank(candidates, query)


def in_order_of_weight(entries: Iterable[PoolEntry]) -> list[PoolEntry]:
    """The largest weight first; equal ones in the order of queries, and by id."""
    return sorted(entries, key=lambda entry: -(entry.priority or 0.0))


def _must_fit(
    name: str,
    depth: int | None,
    budget: int | None,
    labels_per_query: int | None,
    strata: object,
    p: float,
    order: str | None,
) -> None:
    for value, what in ((depth, "depth"), (budget, "budget"), (labels_per_query, "labels_per_query")):
        if value is not None:
            require_whole(value, what)
    if budget is not None and labels_per_query is not None:
        raise errors.pooling.not_together("A budget in all", "one per query", "Give one of them.")
    if name == "sample" and (budget is not None or labels_per_query is not None):
        raise errors.pooling.not_together(
            "A sample", "a budget", "The rates of its strata say how much is judged: lower them, as in 10:0.5,100:0.02."
        )
    if strata is not None and name != "sample":
        raise errors.pooling.not_together("Strata", f"the strategy {name}", "They belong to the strategy sample.")
    require_share(p, "p")
    if order is not None:
        require_choice(order, "order", get_args(PoolOrder))


def layers_to(depth: int | None, strata: str | Sequence[tuple[int, float]] | None = None) -> tuple[Stratum, ...]:
    """The strata of a sample, as they are given or down to a depth."""
    if strata is not None:
        layers = read_strata(strata)
        if depth is not None and depth != layers[-1].last:
            raise errors.pooling.not_together(
                f"Strata down to rank {layers[-1].last}", f"depth {depth}", "Leave out the depth: strata have it."
            )
        return layers
    end = depth or DEFAULT[-1].last
    within = [layer for layer in DEFAULT if layer.last < end]
    rate = DEFAULT[min(len(within), len(DEFAULT) - 1)].rate
    return (*within, Stratum(end, rate))


def _strata(layers: Sequence[Stratum]) -> dict[str, Any]:
    return {"strata": [list(layer) for layer in layers]} if layers else {}


def _chosen(
    how: _PoolMaterial, budget: int | None, labels_per_query: int | None
) -> tuple[list[PoolEntry], list[Finding]]:
    """The documents to judge in the order of the strategy, and what is surprising about their number."""
    choose = _learned if how.strategy in ADAPTIVE else _weighted
    entries = list(choose(how, budget, labels_per_query))
    depth, size = how.candidates.depth, how.candidates.size
    holes = {
        query: sum(not how.is_known(query, document) for document in documents)
        for query, documents in how.candidates.documents.items()
    }
    left = sum(holes.values())
    warnings = []
    if how.strategy in ADAPTIVE and left == size:
        warnings.append(errors.pooling.nothing_to_learn(how.strategy))
    if not left:
        warnings.append(errors.pooling.nothing_to_judge(depth))
    elif budget is not None and budget > left:
        warnings.append(errors.pooling.budget_beyond_pool(budget, left, depth, size - left))
    elif labels_per_query is not None and (
        short := [query for query, count in holes.items() if count < labels_per_query]
    ):
        warnings.append(errors.pooling.per_query_beyond_pool(labels_per_query, short, len(holes), depth))
    return entries, warnings


def _weighted(how: _PoolMaterial, budget: int | None, labels_per_query: int | None) -> list[PoolEntry]:
    entries = in_order_of_weight(entry for entry in _entries(how) if not how.is_known(entry.query, entry.document))
    if labels_per_query is not None:
        grouped = sorted(entries, key=lambda entry: how.candidates.positions[entry.query])
        return [
            entry
            for _, own in groupby(grouped, key=lambda entry: entry.query)
            for entry in islice(own, labels_per_query)
        ]
    return entries[:budget]


def _entries(how: _PoolMaterial) -> Iterator[PoolEntry]:
    if how.strategy == "sample":
        for one in how.drawn:
            if one.drawn:
                yield PoolEntry(one.query, one.document, None, one)
    elif how.strategy == "comparison":
        if len(how.runs) < 2:
            raise errors.pooling.needs_runs("A comparison", how.runs[0].name)
        for (query, document), value in influence(how.runs, how.candidates, how.judgments, how.measure).items():
            yield PoolEntry(query, document, value)
    else:
        for query in how.candidates.of:
            for document, weight in weights_of(how.strategy, how.candidates, query, how.p).items():
                yield PoolEntry(query, document, weight)


def _learned(how: _PoolMaterial, budget: int | None, labels_per_query: int | None) -> Iterator[PoolEntry]:
    """What a strategy would judge next, had it met the documents judged so far in its own order."""

    def new(steps: Iterator[JudgingStep], most: int | None) -> Iterator[PoolEntry]:
        unknown = (step for step in steps if step.relevant is None)
        return (PoolEntry(step.query, step.document, step.value) for step in islice(unknown, most))

    if labels_per_query is None:
        yield from new(played(how.candidates, how.strategy, how.outcome, how.seed), budget)
        return
    for query in how.candidates.of:
        yield from new(played_alone(how.candidates, query, how.strategy, how.outcome, how.seed), labels_per_query)


def _in_order(entries: Sequence[PoolEntry], candidates: Candidates, order: PoolOrder, seed: int) -> list[PoolEntry]:
    if order == "priority":
        return list(entries)
    by_query: dict[str, list[PoolEntry]] = {}
    for entry in entries:
        by_query.setdefault(entry.query, []).append(entry)
    ordered: list[PoolEntry] = []
    for query in sorted(by_query, key=lambda query: candidates.positions[query]):
        own = sorted(by_query[query], key=lambda entry: entry.document)
        if order == "rank":
            best = candidates.best_ranks(query)
            ordered += sorted(own, key=lambda entry: best[entry.document])
        else:
            ordered += [own[at] for at in rng_for(seed, query, "order").permutation(len(own)).tolist()]
    return ordered
