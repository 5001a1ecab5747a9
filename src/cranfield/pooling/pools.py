"""What to judge: documents that runs found, chosen and ordered by a strategy."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import groupby, islice
from typing import Any, Literal, NamedTuple, get_args

from cranfield import errors
from cranfield.errors import Finding, UsageError
from cranfield.evaluate import evaluate
from cranfield.formats import read_judgments, read_runs
from cranfield.formats.documents import Document, read_documents
from cranfield.formats.queries import read_queries
from cranfield.judgments import Judgments
from cranfield.measures import Judged, Measure, parse_all
from cranfield.pooling import words
from cranfield.pooling.adaptive import Step, played, played_alone
from cranfield.pooling.candidates import Candidates, candidates_of, judged_pairs, rng_for
from cranfield.pooling.influence import influence
from cranfield.pooling.strata import DEFAULT, Sampled, Stratum, read_strata, sampled
from cranfield.pooling.weights import PERSISTENCE, Weights, by_depth, by_rank_bias, by_reciprocal_rank
from cranfield.queries import Queries
from cranfield.run import Run
from cranfield.table import Cell, Table, finite
from cranfield.version import VERSION

Order = Literal["shuffled", "priority", "rank"]

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


class Entry(NamedTuple):
    """A document to judge for a query."""

    query: str
    document: str
    priority: float | None = None
    """What made the strategy choose it; the larger, the sooner. Nothing where documents were drawn."""
    sampled: Sampled | None = None


class Coverage(NamedTuple):
    """What one run has in the pool."""

    pooled: int
    """Documents of the pool that it found."""
    alone: int
    """Documents that no other run found."""
    judged: float
    """The share of its first k that is judged."""
    then: float
    """The same when the pool is judged."""


@dataclass(frozen=True, eq=False)
class Pool:
    """Documents to judge, query by query; shows itself as a verdict and tables.

    >>> import cranfield as cf
    >>> pool = cf.pool({"a": {"q1": ["d1", "d2"]}, "b": {"q1": ["d2", "d3"]}}, depth=2, order="rank")
    >>> print(pool.trec(), end="")
    q1 0 d1
    q1 0 d2
    q1 0 d3
    """

    entries: tuple[Entry, ...]
    candidates: Candidates
    judged: int
    """Pairs of query and document of the whole pool that are judged already."""
    coverage: Mapping[str, Coverage]
    k: int
    """How many ranks of each run `coverage` looks at."""
    settings: Mapping[str, Any]
    queries: Queries | None = None
    documents: Mapping[str, Document] | None = None
    sample: tuple[Sampled, ...] = ()
    """Of a stratified sample, every document of the pool, drawn or not."""
    labels: Mapping[tuple[str, str], float] = field(default_factory=dict)
    """Of a stratified sample, the grades of documents that were drawn and are judged already."""
    warnings: tuple[Finding, ...] = ()

    @property
    def runs(self) -> tuple[str, ...]:
        """The names of the runs."""
        return self.candidates.runs

    def of(self, query: str) -> tuple[str, ...]:
        """The documents to judge for a query, in order."""
        return tuple(entry.document for entry in self.entries if entry.query == query)

    def verdict(self, *, seconds_per_label: float | None = None) -> str:
        """How much there is to judge, in words."""
        return words.verdict(self, seconds_per_label)

    def table(self, *, with_runs: bool = False, most: int | None = None) -> Table:
        """A row per document to judge, with texts where they were given.

        Which run found it at which rank, and with what priority, is left out unless asked for: whoever judges should
        not see it. Only how much a document could change the comparison is shown anyway, as it tells of no rank.
        """
        shown = self.entries[:most]
        columns: dict[str, list[Cell]] = {"query": [entry.query for entry in shown]}
        if self.queries is not None:
            columns["query_text"] = [self.queries.text(entry.query) for entry in shown]
        columns["document"] = [entry.document for entry in shown]
        if self.documents is not None:
            nothing = Document("", "")
            known = [self.documents.get(entry.document, nothing) for entry in shown]
            if any(document.title for document in self.documents.values()):
                columns["title"] = [document.title for document in known]
            columns["text"] = [document.text for document in known]
        columns |= {name: list(cells) for name, cells in self._numbers(shown, with_runs).items()}
        left = len(self.entries) - len(shown)
        notes = (f"… and {left:,} more.",) if left else ()
        return Table(columns, notes=notes, elastic="text", optional=("text", "title"))

    def runs_table(self) -> Table:
        """A row per run: what it has in the pool, and how much of its first k is judged."""
        of = self.coverage
        columns: dict[str, list[Cell]] = {
            "run": list(of),
            "in the pool": [one.pooled for one in of.values()],
            "alone": [one.alone for one in of.values()],
        }
        if self.judged:
            columns[f"judged@{self.k}"] = [one.judged for one in of.values()]
            columns["then"] = [one.then for one in of.values()]
        return Table(columns, notes=tuple(words.notes(self)))

    def sections(self, *, seconds_per_label: float | None = None, with_runs: bool = False) -> list[str | Table]:
        """What a person is shown: the verdict, the runs, and the first documents."""
        shown: list[str | Table] = [self.verdict(seconds_per_label=seconds_per_label), self.runs_table()]
        return [*shown, self.table(with_runs=with_runs, most=words.SHOWN)] if self.entries else shown

    def trec(self) -> str:
        """A line per document, `query 0 document`; a grade after it makes the line a judgment.

        Of a stratified sample it is `query 0 document stratum`, and documents that were not drawn, or are judged
        already, follow complete, with the grade -1 or their own: with grades the file is what `xinfAP` and `infNDCG`
        read.
        """
        if not self.sample:
            return "".join(_line(entry.query, "0", entry.document) for entry in self.entries)
        waiting = {(entry.query, entry.document): entry.sampled for entry in self.entries}
        return "".join(
            [_line(*_of_stratum(one)) for one in waiting.values() if one]
            + [self._graded(one) for one in self.sample if (one.query, one.document) not in waiting]
        )

    def qrels(self, judgments: object = None) -> str:
        """Judgments of a stratified sample, `query 0 document stratum grade`, as `xinfAP` and `infNDCG` read them.

        Grades come from judgments that were made for it, or those it was drawn with; documents that were not drawn, or
        are not judged yet, have -1.
        """
        if not self.sample:
            raise UsageError("Strata belong to a stratified sample; make the pool with the strategy sample.")
        if judgments is not None:
            return replace(self, labels=_labels(self.sample, judged_pairs(read_judgments(judgments)))).qrels()
        return "".join(map(self._graded, self.sample))

    def _graded(self, one: Sampled) -> str:
        return _line(*_of_stratum(one), f"{self.labels.get((one.query, one.document), -1.0):g}")

    def to_dict(self, *, with_runs: bool = False) -> dict[str, Any]:
        """Everything as plain values: the object that `cranfield pool --format json` prints."""
        plain = self.table(with_runs=with_runs).to_dict()
        rows = [
            {name: finite(value) for name, value in zip(plain, row, strict=True)}
            for row in zip(*plain.values(), strict=True)
        ]
        return {
            "cranfield": VERSION,
            "verdict": self.verdict(),
            "settings": dict(self.settings),
            "queries": len(self.candidates.of),
            "pairs": {"to_judge": len(self.entries), "judged": self.judged, "pool": self.candidates.size},
            "runs": [
                {"name": name, **{key: finite(value) for key, value in one._asdict().items()}, "k": self.k}
                for name, one in self.coverage.items()
            ],
            "warnings": list(map(str, self.warnings)),
            "documents": rows,
        }

    def _numbers(self, shown: Sequence[Entry], with_runs: bool) -> dict[str, Iterable[Cell]]:
        """What a strategy has to say of each document."""
        if self.sample:
            drawn = [entry.sampled for entry in shown]
            sizes = words.stratum_sizes(self.sample)
            return {
                "stratum": [one.stratum if one else None for one in drawn],
                "drawn": [sizes[one.query, one.stratum][0] if one else None for one in drawn],
                "of": [sizes[one.query, one.stratum][1] if one else None for one in drawn],
                "probability": [one.probability if one else None for one in drawn],
                **(self._found_by(shown) if with_runs else {}),
            }
        told = self.settings["strategy"] == "comparison" or with_runs
        name = "change" if self.settings["strategy"] == "comparison" else "priority"
        return {
            **({name: [entry.priority for entry in shown]} if told else {}),
            **(self._found_by(shown) if with_runs else {}),
        }

    def _found_by(self, shown: Sequence[Entry]) -> dict[str, Iterable[Cell]]:
        ranks: dict[str, dict[str, tuple[int | None, ...]]] = {}
        found: list[Cell] = []
        for entry in shown:
            if entry.query not in ranks:
                ranks[entry.query] = self.candidates.ranks(entry.query)
            places = zip(self.runs, ranks[entry.query][entry.document], strict=True)
            found.append(" ".join(f"{run}:{rank}" for run, rank in places if rank is not None))
        return {"runs": found}

    def __len__(self) -> int:
        return len(self.entries)

    def __iter__(self) -> Iterator[Entry]:
        return iter(self.entries)

    def __repr__(self) -> str:
        queries, runs = len(self.candidates.of), len(self.runs)
        return f"Pool({len(self.entries):,} documents to judge, {queries:,} queries, {runs} runs)"

    def __str__(self) -> str:
        return words.text(self.sections())

    def _repr_html_(self) -> str:
        return words.html(self.sections())


def pool(
    runs: object,
    *,
    depth: int | None = None,
    strategy: str = "depth",
    budget: int | None = None,
    per_query: int | None = None,
    judgments: object = None,
    measure: str | Measure = DEFAULT_MEASURE,
    strata: str | Sequence[tuple[int, float]] | None = None,
    p: float = PERSISTENCE,
    rel: float = 1,
    order: Order | None = None,
    seed: int = 0,
    queries: object = None,
    documents: object = None,
) -> Pool:
    """What to judge next: documents among the first `depth` of any run that nobody has judged.

    `strategy` says which come first: `depth` (best rank), `rrf` and `rbp` (weights that runs add up to), `mtf`, `mm-ns`
    and `thompson` (which learn from the judgments so far), `comparison` (what could change the comparison of the runs
    most), or `sample`, a random sample from `strata`. A `budget` is a number of labels in all, `per_query` one for each
    query; without either all are listed. Runs are read to depth 10, and where documents are chosen to depth 100.

    Without a budget the documents of a query are shuffled, by the seed, so that their order tells nothing; with one
    they stand in the order of the strategy. `order` says otherwise: `shuffled`, `priority` or `rank`.

    >>> import cranfield as cf
    >>> runs = {"a": {"q1": ["d1", "d2"]}, "b": {"q1": ["d2", "d3"]}}
    >>> cf.pool(runs, strategy="rrf", budget=1, judgments={"q1": {"d1": 1}}).of("q1")
    ('d2',)
    """
    name = strategy_named(strategy)
    _must_fit(name, depth, budget, per_query, strata, p, order)
    layers = _layers(depth, strata) if name == "sample" else ()
    chosen = name not in WEIGHTED or budget is not None or per_query is not None
    deep = depth if depth is not None else DEEP if chosen else SHALLOW
    asked = parse_all(measure)
    if len(asked) != 1:
        raise UsageError(f"{measure!r} stands for {len(asked)} measures where one is wanted.")
    read = read_runs(runs)
    judged = None if judgments is None else read_judgments(judgments)
    found = candidates_of(read, layers[-1].last if layers else deep)
    known = judged_pairs(judged)
    drawn = tuple(sampled(found, layers, seed)) if layers else ()
    how = _How(name, found, known, rel, p, seed, asked[0], read, judged, drawn)
    entries, warnings = _chosen(how, budget, per_query)
    order = order or ("priority" if chosen and name != "sample" else "shuffled")
    entries = _in_order(entries, found, order, seed)
    k = min(found.depth, SHALLOW)
    texts, missing = _texts(entries, queries, documents)
    return Pool(
        tuple(entries),
        found,
        sum(document in known.get(query, {}) for query, of in found.documents.items() for document in of),
        _coverage(found, judged, entries, k),
        k,
        {
            "strategy": name,
            "depth": found.depth,
            "budget": budget,
            "per_query": per_query,
            "order": order,
            "seed": seed,
            **({"p": p} if name == "rbp" else {}),
            **({"rel": rel} if name in ADAPTIVE else {}),
            **({"measure": str(asked[0])} if name == "comparison" else {}),
            **({"strata": [list(layer) for layer in layers]} if layers else {}),
            "judgments": None if judged is None else judged.path,
        },
        *texts,
        drawn,
        _labels(drawn, known),
        (*(judged.warnings if judged else ()), *found.warnings, *warnings, *missing),
    )


def strategy_named(name: str) -> str:
    """A strategy by any of its names."""
    folded = str(name).casefold().replace("_", "-")
    known = ALIASES.get(folded, folded)
    if known not in STRATEGIES:
        raise errors.unknown_strategy(name, STRATEGIES, tuple(ALIASES))
    return known


def whole(value: object, what: str) -> None:
    """Refuse what is no number of documents."""
    if isinstance(value, bool) or not isinstance(value, int) or value < 1:
        raise errors.not_from_one_on(what, value)


class _How(NamedTuple):
    """Everything a choice is made from."""

    strategy: str
    found: Candidates
    known: Mapping[str, Mapping[str, float]]
    rel: float
    p: float
    seed: int
    measure: Measure
    runs: Sequence[Run]
    judgments: Judgments | None
    drawn: Sequence[Sampled]

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


def in_order_of_weight(entries: Iterable[Entry]) -> list[Entry]:
    """The largest weight first; equal ones in the order of queries, and by id."""
    return sorted(entries, key=lambda entry: -(entry.priority or 0.0))


def _must_fit(
    name: str,
    depth: int | None,
    budget: int | None,
    per_query: int | None,
    strata: object,
    p: float,
    order: str | None,
) -> None:
    for value, what in ((depth, "depth"), (budget, "budget"), (per_query, "per_query")):
        if value is not None:
            whole(value, what)
    if budget is not None and per_query is not None:
        raise errors.not_together("A budget in all", "one per query", "Give one of them.")
    if name == "sample" and (budget is not None or per_query is not None):
        raise errors.not_together(
            "A sample", "a budget", "The rates of its strata say how much is judged: lower them, as in 10:0.5,100:0.02."
        )
    if strata is not None and name != "sample":
        raise errors.not_together("Strata", f"the strategy {name}", "They belong to the strategy sample.")
    if isinstance(p, bool) or not isinstance(p, int | float) or not 0 < p < 1:
        raise UsageError(f"p is between 0 and 1, not {p!r}.")
    if order is not None and order not in get_args(Order):
        raise UsageError(f"order is {' or '.join(get_args(Order))}, not {order!r}.")


def _layers(depth: int | None, strata: str | Sequence[tuple[int, float]] | None) -> tuple[Stratum, ...]:
    if strata is not None:
        layers = read_strata(strata)
        if depth is not None and depth != layers[-1].last:
            raise errors.not_together(
                f"Strata down to rank {layers[-1].last}", f"depth {depth}", "Leave out the depth: strata have it."
            )
        return layers
    end = depth or DEFAULT[-1].last
    within = [layer for layer in DEFAULT if layer.last < end]
    rate = DEFAULT[min(len(within), len(DEFAULT) - 1)].rate
    return (*within, Stratum(end, rate))


def _chosen(how: _How, budget: int | None, per_query: int | None) -> tuple[list[Entry], list[Finding]]:
    """The documents to judge in the order of the strategy, and what is surprising about their number."""
    choose = _learned if how.strategy in ADAPTIVE else _weighted
    entries = list(choose(how, budget, per_query))
    depth, size = how.found.depth, how.found.size
    holes = {
        query: sum(not how.is_known(query, document) for document in documents)
        for query, documents in how.found.documents.items()
    }
    left = sum(holes.values())
    warnings = []
    if how.strategy in ADAPTIVE and left == size:
        warnings.append(errors.nothing_to_learn(how.strategy))
    if not left:
        warnings.append(errors.nothing_to_judge(depth))
    elif budget is not None and budget > left:
        warnings.append(errors.budget_beyond_pool(budget, left, depth, size - left))
    elif per_query is not None and (short := [query for query, count in holes.items() if count < per_query]):
        warnings.append(errors.per_query_beyond_pool(per_query, short, len(holes), depth))
    return entries, warnings


def _weighted(how: _How, budget: int | None, per_query: int | None) -> list[Entry]:
    entries = in_order_of_weight(entry for entry in _entries(how) if not how.is_known(entry.query, entry.document))
    if per_query is not None:
        grouped = sorted(entries, key=lambda entry: _position(how.found, entry.query))
        return [entry for _, own in groupby(grouped, key=lambda entry: entry.query) for entry in islice(own, per_query)]
    return entries[:budget]


def _entries(how: _How) -> Iterator[Entry]:
    if how.strategy == "sample":
        for one in how.drawn:
            if one.drawn:
                yield Entry(one.query, one.document, None, one)
    elif how.strategy == "comparison":
        if len(how.runs) < 2:
            raise errors.needs_runs("A comparison", how.runs[0].name)
        for (query, document), value in influence(how.runs, how.found, how.judgments, how.measure).items():
            yield Entry(query, document, value)
    else:
        for query in how.found.of:
            for document, weight in weights_of(how.strategy, how.found, query, how.p).items():
                yield Entry(query, document, weight)


def _learned(how: _How, budget: int | None, per_query: int | None) -> Iterator[Entry]:
    """What a strategy would judge next, had it met the documents judged so far in its own order."""

    def new(steps: Iterator[Step], most: int | None) -> Iterator[Entry]:
        unknown = (step for step in steps if step.relevant is None)
        return (Entry(step.query, step.document, step.value) for step in islice(unknown, most))

    if per_query is None:
        yield from new(played(how.found, how.strategy, how.outcome, how.seed), budget)
        return
    for query in how.found.of:
        yield from new(played_alone(how.found, query, how.strategy, how.outcome, how.seed), per_query)


def _in_order(entries: Sequence[Entry], found: Candidates, order: Order, seed: int) -> list[Entry]:
    if order == "priority":
        return list(entries)
    by_query: dict[str, list[Entry]] = {}
    for entry in entries:
        by_query.setdefault(entry.query, []).append(entry)
    ordered: list[Entry] = []
    for query in sorted(by_query, key=lambda query: _position(found, query)):
        own = sorted(by_query[query], key=lambda entry: entry.document)
        if order == "rank":
            best = found.best_ranks(query)
            ordered += sorted(own, key=lambda entry: best[entry.document])
        else:
            ordered += [own[at] for at in rng_for(seed, query, "order").permutation(len(own)).tolist()]
    return ordered


def _position(found: Candidates, query: str) -> int:
    return found.positions[query]


def _coverage(found: Candidates, judged: Judgments | None, entries: Iterable[Entry], k: int) -> dict[str, Coverage]:
    held = dict.fromkeys(found.runs, 0)
    alone = dict(held)
    for rankings in found.of.values():
        counts: dict[str, int] = {}
        for first in rankings:
            for document in first:
                counts[document] = counts.get(document, 0) + 1
        for name, first in zip(found.runs, rankings, strict=True):
            held[name] += len(first)
            alone[name] += sum(counts[document] == 1 for document in first)
    known = judged_pairs(judged)
    after = {query: dict(of) for query, of in known.items()}
    for entry in entries:
        after.setdefault(entry.query, {})[entry.document] = 0.0
    before = dict.fromkeys(found.runs, 0.0) if judged is None else _judged_share(found, judged, k)
    then = _judged_share(found, {query: of for query, of in after.items() if of}, k) if any(after.values()) else before
    return {name: Coverage(held[name], alone[name], before[name], then[name]) for name in found.runs}


def _judged_share(found: Candidates, judgments: object, k: int) -> dict[str, float]:
    """judged@k of every run, as an evaluation gives it."""
    runs = {
        name: {query: list(rankings[at]) for query, rankings in found.of.items() if rankings[at]}
        for at, name in enumerate(found.runs)
    }
    scores = evaluate(judgments, runs, Judged @ k)
    return {name: scores.mean(Judged @ k, name).value for name in found.runs}


def _texts(
    entries: Sequence[Entry], queries: object, documents: object
) -> tuple[tuple[Queries | None, dict[str, Document] | None], list[Finding]]:
    """Texts of the pool's queries and documents, and what is missing."""
    missing: list[Finding] = []
    of_queries = None if queries is None else read_queries(queries)
    if of_queries is not None and entries:
        wanted = list(dict.fromkeys(entry.query for entry in entries))
        missing += _without_text("queries", of_queries.path, wanted, of_queries)
    of_documents = None
    if documents is not None:
        names = dict.fromkeys(entry.document for entry in entries)
        of_documents = read_documents(documents, names)
        path = str(documents) if isinstance(documents, str) else None
        missing += _without_text("documents", path, list(names), of_documents) if names else []
    return (of_queries, of_documents), missing


def _without_text(what: str, path: str | None, wanted: Sequence[str], known: Any) -> Iterator[Finding]:
    without = [name for name in wanted if name not in known]
    if len(without) == len(wanted):
        raise errors.texts_never_meet(what, path, wanted)
    if without:
        yield errors.texts_missing(what, path, without, len(wanted))


def _line(*fields: str) -> str:
    for text in fields:
        if len(text.split()) != 1:
            raise UsageError(
                f"The id {text!r} has blanks, which separate the columns of a TREC file.\n"
                "Write the pool as csv or jsonl."
            )
    return " ".join(fields) + "\n"


def _of_stratum(one: Sampled) -> tuple[str, ...]:
    return one.query, "0", one.document, str(one.stratum)


def _labels(sample: Iterable[Sampled], known: Mapping[str, Mapping[str, float]]) -> dict[tuple[str, str], float]:
    """The grades of documents that were drawn."""
    return {
        (one.query, one.document): known[one.query][one.document]
        for one in sample
        if one.drawn and one.document in known.get(one.query, {})
    }
