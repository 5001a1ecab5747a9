"""How alike the rankings of two runs are, without any judgments."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, get_args

import numpy as np

from cranfield import errors, formats
from cranfield.arguments import require_whole
from cranfield.arrays import Floats, Ints
from cranfield.choices import Duplicates, RboTies
from cranfield.data.run import Ranking, Run, check_ranking
from cranfield.errors import DataError, Finding, Findings, UsageError, did_you_mean
from cranfield.formats import read_runs, repeated_files
from cranfield.formats.columns import ColumnsGiven
from cranfield.kernels import plain
from cranfield.show.answer import Answer
from cranfield.show.table import Cell, Table
from cranfield.version import VERSION

BLOCK = 1 << 20
"""Cells of the arrays in which tied documents are followed down the ranks."""


@dataclass(frozen=True, eq=False)
class RunPair:
    """Two runs, and how alike they are for each query that either of them answered."""

    run: str
    other: str
    queries: tuple[str, ...]
    values: Mapping[str, Floats]
    """By name of what was compared, a value for each query."""
    only_run: tuple[str, ...] = ()
    """Queries that only the first run answered; they count as 0."""
    only_other: tuple[str, ...] = ()

    @property
    def common(self) -> int:
        """How many queries both runs answered."""
        return len(self.queries) - len(self.only_run) - len(self.only_other)

    def mean(self, name: str) -> float:
        """The mean over all queries."""
        return math.fsum(self.values[name]) / len(self.queries)


@dataclass(frozen=True, eq=False)
class Similarity(Answer):
    """How alike runs are, pair by pair and query by query. Printing it shows the means.

    >>> import cranfield as cf
    >>> alike = cf.overlap({"q1": ["a", "b"], "q2": ["a"]}, {"q1": ["b", "c"], "q2": ["a"]}, k=2)
    >>> alike.mean()
    0.75
    """

    pairs: tuple[RunPair, ...]
    settings: Mapping[str, Any]
    warnings: tuple[Finding, ...] = ()
    with_queries: bool = False
    """Whether every query is shown, and not only means."""

    @property
    def names(self) -> tuple[str, ...]:
        """What was compared."""
        return tuple(self.pairs[0].values)

    def mean(self, name: str | None = None, run: str | None = None, other: str | None = None) -> float:
        """The mean over queries for one pair of runs; by default of what was compared first."""
        chosen = self.names[0] if name is None else name
        if chosen not in self.names:
            near = did_you_mean(chosen, self.names)
            raise UsageError(f"{chosen!r} was not compared; these were: {', '.join(self.names)}. {near}".strip())
        return self._pair(run, other).mean(chosen)

    def table(self) -> Table:
        """A row per pair of runs with the means; queries are those both answered, of those either did."""
        return Table(
            {
                "run": [pair.run for pair in self.pairs],
                "other": [pair.other for pair in self.pairs],
                "queries": [f"{pair.common}/{len(pair.queries)}" for pair in self.pairs],
                **{name: [pair.mean(name) for pair in self.pairs] for name in self.names},
            },
            notes=tuple(self._notes()),
        )

    def per_query(self) -> Table:
        """A row per pair of runs and query."""
        return Table(
            {
                "run": [pair.run for pair in self.pairs for _ in pair.queries],
                "other": [pair.other for pair in self.pairs for _ in pair.queries],
                "query": [query for pair in self.pairs for query in pair.queries],
                **{name: [float(value) for pair in self.pairs for value in pair.values[name]] for name in self.names},
            }
        )

    def tables(self) -> list[Table]:
        """Every query, if asked for, and the means."""
        return [*([self.per_query()] if self.with_queries else []), self.table()]

    def rows(self) -> Table:
        """A row per pair of runs, measure and query, means under `all`."""
        rows: list[tuple[Cell, ...]] = []
        for pair in self.pairs:
            for name in self.names:
                known = pair.run, pair.other, name
                if self.with_queries:
                    values = pair.values[name].tolist()
                    rows += [(*known, query, value) for query, value in zip(pair.queries, values, strict=True)]
                rows.append((*known, "all", pair.mean(name)))
        columns = map(list, zip(*rows, strict=True))
        return Table(dict(zip(("run", "other", "measure", "query", "value"), columns, strict=True)))

    def to_dict(self) -> dict[str, Any]:
        """Everything as plain values."""
        return {
            "cranfield": VERSION,
            "settings": dict(self.settings),
            "warnings": [str(warning) for warning in self.warnings],
            "pairs": [
                {
                    "run": pair.run,
                    "other": pair.other,
                    "queries": {
                        "compared": len(pair.queries),
                        "both": pair.common,
                        "only_run": list(pair.only_run),
                        "only_other": list(pair.only_other),
                    },
                    "measures": {name: _values(pair, name, self.with_queries) for name in self.names},
                }
                for pair in self.pairs
            ],
        }

    def _pair(self, run: str | None, other: str | None) -> RunPair:
        matching = [pair for pair in self.pairs if {run, other} <= {pair.run, pair.other, None}]
        if len(matching) == 1:
            return matching[0]
        have = ", ".join(f"{pair.run} and {pair.other}" for pair in self.pairs)
        asked = " and ".join(name for name in (run, other) if name is not None)
        which = "no pair" if not matching else "more than one pair"
        raise UsageError(f"There is {which} of {asked or 'runs'}; name two runs that were compared: {have}.")

    def _notes(self) -> Iterator[str]:
        yield "Means over the queries that either run answered."
        if "p" in self.settings:
            yield "RBO is extrapolated from the ranks seen; min and min + residual are its limits, whatever follows."

    def __repr__(self) -> str:
        pairs = "1 pair" if len(self.pairs) == 1 else f"{len(self.pairs)} pairs"
        return f"Similarity({pairs} of runs, {', '.join(self.names)})"


def similarity(
    runs: object,
    *,
    k: int = 10,
    p: float = 0.9,
    ties: RboTies = "b",
    columns: ColumnsGiven = None,
    duplicates: Duplicates | None = None,
) -> Similarity:
    """How alike each two of several runs are: rank-biased overlap, and the documents their first k share.

    Runs are given as to `evaluate`; `rbo` and `overlap` say what the numbers are.

    >>> import cranfield as cf
    >>> runs = {"a": {"q1": ["d1", "d2"]}, "b": {"q1": ["d2", "d1"]}, "c": {"q1": ["d1", "d3"]}}
    >>> [(pair.run, pair.other, pair.mean("overlap@10")) for pair in cf.similarity(runs).pairs]
    [('a', 'b', 1.0), ('a', 'c', 0.5), ('b', 'c', 0.5)]
    """
    return _compared(read_runs(runs, columns, duplicates), [_rbo(p, ties), _overlap(k)], {"p": p, "ties": ties, "k": k})


def rbo(
    run: object,
    other: object,
    *,
    p: float = 0.9,
    ties: RboTies = "b",
    columns: ColumnsGiven = None,
    duplicates: Duplicates | None = None,
) -> Similarity:
    r"""Rank-biased overlap of two runs: how much their first d documents agree, on average over depths d.

    .. math:: (1 - p) \sum_{d \ge 1} p^{d-1} \frac{|A_d \cap B_d|}{d}

    A user compares the two rankings down to depth d and goes on to the next with probability p: 0.9 gives 86 % of the
    weight to the first ten ranks. 1 is the same ranking, 0 nothing in common. What comes after the ranks seen is not
    known, so three numbers are given: `RBO` extrapolates the agreement seen (RBO_ext), `RBO min` supposes that nothing
    more is shared, and `RBO residual` is how much more there could be. Of rankings of different length, documents
    that are missing at the end of the shorter one agree as its documents did (Webber, Moffat & Zobel, TOIS 28(4), 2010,
    doi:10.1145/1852102.1852106).

    Documents with equal scores have no order. `ties` says what that means (Corsi & Urbano, SIGIR 2024,
    doi:10.1145/3626772.3657700): `a` is the mean over all orders; `b` also corrects it, as Kendall's tau-b is, so that
    a run with ties is fully like itself; `w` takes them all to have the first of their ranks, as Webber et al. do.

    The first documents differ and the first two are the same, as far as is known: 1 - (1 - p).

    >>> import cranfield as cf
    >>> print(cf.rbo({"q1": ["a", "b"]}, {"q1": ["b", "a"]}))  # doctest: +ELLIPSIS
    run   other   queries   RBO(p=0.9)   RBO min   RBO residual
    ───────────────────────────────────────────────────────────
    run   run 2   1/1           0.9000    0.3117         0.5883
    ...
    """
    return _compared(_two(run, other, columns, duplicates), [_rbo(p, ties)], {"p": p, "ties": ties})


def overlap(
    run: object,
    other: object,
    *,
    k: int = 10,
    columns: ColumnsGiven = None,
    duplicates: Duplicates | None = None,
) -> Similarity:
    r"""The share of documents that the first k of two runs have in common, and their Jaccard coefficient.

    .. math:: \frac{|A_k \cap B_k|}{\max(|A_k|, |B_k|)}, \quad \frac{|A_k \cap B_k|}{|A_k \cup B_k|}

    The order within the first k does not count. Documents with equal scores come by id, descending, as in an
    evaluation.

    Two of three documents are shared, of four in all:

    >>> import cranfield as cf
    >>> alike = cf.overlap({"q1": ["a", "b", "c", "d"]}, {"q1": ["c", "a", "e"]}, k=3)
    >>> print(round(alike.mean("overlap@3"), 4), alike.mean("Jaccard@3"))
    0.6667 0.5
    """
    return _compared(_two(run, other, columns, duplicates), [_overlap(k)], {"k": k})


def rbo_of_scores(scores: Floats, others: Floats, *, p: float = 0.9, ties: RboTies = "b") -> float:
    """Rank-biased overlap of two orders of the same things, given by their scores; for its definition see `rbo`.

    >>> print(round(rbo_of_scores(np.array([0.3, 0.2, 0.1]), np.array([0.3, 0.1, 0.2])), 4))
    0.955
    """
    names = [str(at) for at in range(len(scores))]
    one, two = (
        _Ranked("", *_ordered(names, values, np.argsort(-values, kind="stable"))) for values in (scores, others)
    )
    return next(iter(_rbo(p, ties)(one, two).values()))


class _Places(NamedTuple):
    """Where some documents stand: the first rank of those with the same score, and how many those are."""

    tops: Floats
    sizes: Floats

    def at(self, chosen: Ints) -> _Places:
        return _Places(self.tops[chosen], self.sizes[chosen])

    def held(self, depths: Floats) -> Floats:
        """The share of orders in which each document is in the first d, by document and depth."""
        return np.clip((depths - self.tops[:, None] + 1) / self.sizes[:, None], 0, 1)

    def extent(self, depths: Floats, ties: RboTies) -> Floats:
        """What the agreement at each depth is a share of; a ranking that has ended goes on without ties."""
        within = depths[: len(self.tops)]
        seen = {
            "w": self.tops + self.sizes - 1,
            "a": within,
            "b": self.tops - 1 + (within - self.tops + 1) ** 2 / self.sizes,
        }[ties]
        return np.concatenate([seen, depths[len(within) :]])


class _Ranked(NamedTuple):
    """What a query got, best first."""

    query: str
    documents: list[str]
    places: _Places


Comparer = Callable[[_Ranked, _Ranked], dict[str, float]]


def _rbo(p: float, ties: RboTies) -> Comparer:
    if isinstance(p, bool) or not isinstance(p, int | float | np.number) or not 0 < p < 1:
        raise UsageError(f"p is between 0 and 1, not {p!r}.")
    if ties not in get_args(RboTies):
        raise UsageError(f"ties is {' or '.join(get_args(RboTies))}, not {ties!r}.")
    names = f"RBO(p={p:g})", "RBO min", "RBO residual"
    return lambda run, other: dict(zip(names, _rank_biased_overlap(run, other, p, ties), strict=True))


def _overlap(k: int) -> Comparer:
    k = require_whole(k, "k")

    def compare(run: _Ranked, other: _Ranked) -> dict[str, float]:
        one, two = set(run.documents[:k]), set(other.documents[:k])
        shared = len(one & two)
        return {f"overlap@{k}": shared / max(len(one), len(two)), f"Jaccard@{k}": shared / len(one | two)}

    return compare


def _rank_biased_overlap(run: _Ranked, other: _Ranked, p: float, ties: RboTies) -> tuple[float, float, float]:
    """RBO extrapolated, its minimum and its residual; names as in the two papers."""
    short, long = sorted((run, other), key=lambda ranked: len(ranked.documents))
    s, l = len(short.documents), len(long.documents)  # noqa: E741 - the papers' names
    if not s:
        return 0.0, 0.0, 1.0
    depths = np.arange(1.0, l + 1)
    in_short, in_long = _shared_places(short, long)
    alone = long.places.at(np.setdiff1d(np.arange(l), in_long))
    extents = [ranked.places.extent(depths, ties) for ranked in (short, long)]
    of = np.sqrt(extents[0] * extents[1]) if ties == "b" else (extents[0] + extents[1]) / 2

    shared = _held_by_both(short.places.at(in_short), long.places.at(in_long), depths, ties)
    agreement = shared[s - 1] / of[s - 1]
    # Each document that the shorter ranking lacks is one of the longer ranking's others as often as before.
    others, others_begun = (_held_by_both(alone, _always(alone), depths, rule) for rule in (ties, "w"))
    likely = (depths - s).clip(min=0) * agreement * others / np.maximum(others_begun, 1)
    possible = _held_by_both(alone.at(np.arange(l - s)), _from(np.arange(s + 1.0, l + 1)), depths, ties)

    weights = p**depths
    low, extrapolated, high = (
        float(((shared + more) / of * weights).sum()) for more in (np.zeros(l), likely, possible)
    )
    last = float(shared[-1])
    full = l + s - last  # here both rankings could hold the same documents
    after = np.arange(l + 1, full + 1)
    low += last * max(-math.log1p(-p) - float((weights / depths).sum()), 0.0)
    extrapolated += (last + (l - s) * agreement) / l * p ** (l + 1) / (1 - p)
    high += float(((2 * after - l - s + last) / after * p**after).sum()) + p ** (full + 1) / (1 - p)
    low, extrapolated, high = ((1 - p) / p * total for total in (low, extrapolated, high))
    return extrapolated, low, high - low


def _held_by_both(one: _Places, two: _Places, depths: Floats, ties: RboTies) -> Floats:
    """How many of some documents both rankings hold at each depth; tied ones in part."""
    tied = (one.sizes > 1) | (two.sizes > 1) if ties != "w" else np.zeros(len(one.tops), dtype=np.bool_)
    begins = np.maximum(one.tops, two.tops)[~tied].astype(np.int64)
    held: Floats = np.bincount(begins, minlength=len(depths) + 1)[1:].cumsum().astype(np.float64)
    some = np.flatnonzero(tied)
    for part in np.array_split(some, 1 + len(some) * len(depths) // BLOCK):
        held = held + (one.at(part).held(depths) * two.at(part).held(depths)).sum(axis=0)
    return held


def _always(places: _Places) -> _Places:
    """Held from the first rank on."""
    return _from(np.ones_like(places.tops))


def _from(ranks: Floats) -> _Places:
    return _Places(ranks, np.ones_like(ranks))


def _shared_places(one: _Ranked, two: _Ranked) -> tuple[Ints, Ints]:
    """The positions of the documents that both rankings hold, in each."""
    position = dict(zip(one.documents, range(len(one.documents)), strict=True))
    both = [(position[document], at) for at, document in enumerate(two.documents) if document in position]
    pairs = np.array(both, dtype=np.int64).reshape(-1, 2)
    return pairs[:, 0], pairs[:, 1]


def _two(run: object, other: object, columns: ColumnsGiven, duplicates: Duplicates | None) -> list[Run]:
    return read_runs([formats.read_run(one, columns=columns, duplicates=duplicates) for one in (run, other)])


def _compared(runs: Sequence[Run], comparers: Sequence[Comparer], settings: Mapping[str, Any]) -> Similarity:
    """Every pair of runs. One run is held at a time, and the others pass by it."""
    if len(runs) < 2:
        raise UsageError(f"One run was given ({runs[0].name}), and there is none to compare it with. Name two or more.")
    pairs, met = list[RunPair](), _Met({}, {})
    for at, run in enumerate(runs[:-1]):
        held = {ranked.query: ranked for ranked in _read(run, met)}
        pairs += [_pair(run, held, other, comparers, met) for other in runs[at + 1 :]]
    return Similarity(
        tuple(pairs),
        settings,
        (*repeated_files(runs), *_failures(runs), *met.findings(), *(f for pair in pairs for f in _uncommon(pair))),
    )


def _pair(
    run: Run,
    held: Mapping[str, _Ranked],
    other: Run,
    comparers: Sequence[Comparer],
    met: _Met,
) -> RunPair:
    def alike(one: _Ranked, two: _Ranked) -> dict[str, float]:
        return {name: value for compare in comparers for name, value in compare(one, two).items()}

    failed = {*run.unanswered, *other.unanswered}
    held = {query: ranked for query, ranked in held.items() if query not in failed}
    found = {
        two.query: alike(held.get(two.query, _nothing(two.query)), two)
        for two in _read(other, met)
        if two.query not in failed
    }
    if not held.keys() & found.keys():
        raise DataError([errors.ids.runs_never_meet(run.called, other.called, held, found)])
    only_run = tuple(query for query in held if query not in found)
    only_other = tuple(query for query in found if query not in held)
    found |= {query: alike(held[query], _nothing(query)) for query in only_run}
    queries = (*held, *only_other)
    names = next(iter(found.values()))
    values = {name: np.array([found[query][name] for query in queries]) for name in names}
    return RunPair(run.name, other.name, queries, values, only_run, only_other)


class _Met(NamedTuple):
    """What is surprising in runs, by name: each is read several times, and tells it once."""

    warnings: dict[str, list[Finding]]
    ties: dict[str, tuple[int, int]]
    """Documents with equal scores, and queries with such."""

    def findings(self) -> Iterator[Finding]:
        for warnings in self.warnings.values():
            yield from warnings
        if ties := {run: counts for run, counts in self.ties.items() if counts[0]}:
            yield errors.coverage.tied_in_comparison(ties)


def _read(run: Run, met: _Met) -> Iterator[_Ranked]:
    """The rankings of a run that hold anything; what is wrong in them stops the work at the end."""
    found, noticed, ties = Findings(), dict[str, list[Finding]](), dict[str, int]()
    for ranking in run.rankings(found):
        # A query that comes again replaces what came before, and what was to be said about that.
        noticed[ranking.query] = list(check_ranking(ranking, run.called, must_be_whole=True))
        is_wrong = any(finding.severity == "error" for finding in noticed[ranking.query])
        if len(ranking.documents) and not is_wrong:
            ranked = _ranked(ranking)
            ties[ranking.query] = int((ranked.places.sizes > 1).sum())
            yield ranked
    for findings in noticed.values():
        found.extend(findings)
    if not noticed:
        found.add(errors.files.nothing_read(run.called, "run"))
    found.stop_if_wrong()
    met.warnings[run.name] = found.warnings
    met.ties[run.name] = sum(ties.values()), sum(count > 0 for count in ties.values())


def _ranked(ranking: Ranking) -> _Ranked:
    order = np.argsort(plain.all_ranks(ranking.documents, ranking.scores, "document"))
    return _Ranked(ranking.query, *_ordered(ranking.documents, ranking.scores, order))


def _ordered(documents: Sequence[str], scores: Floats, order: Ints) -> tuple[list[str], _Places]:
    """Documents from the best on, and their places."""
    falling = scores[order]
    begins = np.flatnonzero(np.concatenate([[True], falling[1:] != falling[:-1]]))
    sizes = np.diff(np.append(begins, len(falling)))
    places = _Places(np.repeat(begins + 1.0, sizes), np.repeat(sizes, sizes).astype(np.float64))
    return [documents[at] for at in order.tolist()], places


def _nothing(query: str) -> _Ranked:
    return _Ranked(query, [], _from(np.empty(0)))


def _failures(runs: Sequence[Run]) -> Iterator[Finding]:
    for run in runs:
        if run.unanswered:
            yield errors.retrieving.unanswered_in_comparison(run.name, run.unanswered)


def _uncommon(pair: RunPair) -> Iterator[Finding]:
    for run, other, only in ((pair.run, pair.other, pair.only_run), (pair.other, pair.run, pair.only_other)):
        if only:
            yield errors.coverage.queries_of_one_run(run, other, only)


def _values(pair: RunPair, name: str, per_query: bool) -> dict[str, Any]:
    mean: dict[str, Any] = {"mean": pair.mean(name)}
    if per_query:
        mean["per_query"] = dict(zip(pair.queries, pair.values[name].tolist(), strict=True))
    return mean
