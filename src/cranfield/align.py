"""A run and judgments become judged rankings: ranks and grades, without ids.

Here, and nowhere else, it is decided in which order tied documents come, how deep a ranking is read,
what happens to unjudged documents, and how rankings of different length stand in one array.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import wraps
from typing import Concatenate, ParamSpec, TypeVar

import numpy as np
import numpy.typing as npt

from cranfield import errors, kernels
from cranfield.arrays import Floats, Ints
from cranfield.choices import Precision, TieOrder
from cranfield.data.judgments import ChunkCounts, Judgments
from cranfield.data.run import Ranking, Run, check_ranking
from cranfield.errors import Finding, Findings
from cranfield.kernels import plain

Asked = TypeVar("Asked")
Arguments = ParamSpec("Arguments")
Answer = TypeVar("Answer")

BLOCK = 1 << 16
"""Cells of one block: small enough to stay in the processor's cache while all measures read it."""
NARROWEST = 8
"""NumPy adds fewer numbers than this one after the other, and more in pairs: a narrower sum may end in other bits."""
EXAMPLES = 200
"""Ids kept from each side to show, and to compare, when none of them meet."""
SMALL_SAMPLE = 3
"""With fewer answered queries than this, finding no judged document may well be the truth."""


def remembered(
    function: Callable[Concatenate[Asked, Arguments], Answer],
) -> Callable[Concatenate[Asked, Arguments], Answer]:
    """A function of a ranking that computes once what several measures ask.

    The answer is kept with the ranking, and goes with it. An array cannot be written into: others read it as well.
    """

    @wraps(function)
    def answered(ranking: Asked, /, *args: Arguments.args, **kwargs: Arguments.kwargs) -> Answer:
        answers: dict[object, Answer] = vars(ranking).setdefault("_answers", {})
        question = (function, args, *kwargs.items())
        if question in answers:
            return answers[question]
        answer = function(ranking, *args, **kwargs)
        if isinstance(answer, np.ndarray):
            answer.setflags(write=False)
        # A ranking that kept itself would stay in memory.
        if answer is not ranking:
            answers[question] = answer
        return answer

    return answered


@dataclass(frozen=True, eq=False)
class JudgedRanking:
    """Ranks and grades of judged documents along the last axis; all axes before it are queries or runs.

    Where a query has fewer judged documents than the array is wide, the rank is infinite and the grade is
    minus infinity: such a place is never relevant, never reached, and weighs nothing.
    A negative grade means pooled, but not judged.

    It never changes, so what it has answered one measure it need not compute for the next: see `remembered`.
    """

    ranks: Floats
    """Best rank first."""
    grades: Floats
    retrieved: Floats
    """How many documents the query got, judged or not; no rank is beyond it."""
    judged: Floats
    """All grades of the query's judgments, highest first, retrieved or not."""
    max_grade: float
    """The largest grade of the whole collection."""
    gaps: bool = False
    """Whether documents may stand at places beyond their ranks, because others before them were left out."""

    def at(self, query: int) -> JudgedRanking:
        """The one query at a place of a block."""
        one = slice(query, query + 1)
        return replace(
            self,
            ranks=self.ranks[one],
            grades=self.grades[one],
            retrieved=self.retrieved[one],
            judged=self.judged[one],
        )

    @remembered
    def top(self, cutoff: int | None) -> JudgedRanking:
        """What is left of the ranking when reading stops at a rank, in arrays no wider than that takes."""
        if cutoff is None:
            return self
        # Sums over all powers of two add the same numbers in the same pairs, and besides them only zeros.
        width = max(1 << (cutoff - 1).bit_length(), NARROWEST)
        if self.gaps or width >= self.ranks.shape[-1]:
            return self.cut(cutoff)
        return replace(self, ranks=self.ranks[..., :width], grades=self.grades[..., :width]).cut(cutoff)

    @remembered
    def cut(self, cutoff: int) -> JudgedRanking:
        """The same in arrays as wide as before, as sums need that are over no power of two."""
        if np.max(self.retrieved, initial=0.0) <= cutoff:
            return self
        return replace(self._only(self.ranks <= cutoff), retrieved=np.minimum(self.retrieved, cutoff))

    @remembered
    def condensed(self) -> JudgedRanking:
        """The ranking without its unjudged documents, ranks closed up."""
        judged = self.grades >= 0
        closed = replace(self, ranks=np.cumsum(judged, axis=-1, dtype=np.float64))
        return replace(closed._only(judged), retrieved=_count(judged), gaps=True)

    @remembered
    def graded(self, grade: float) -> JudgedRanking:
        """As if every unjudged document that was retrieved had been judged, and had this grade."""
        known = self.grades >= 0
        unjudged = self.retrieved - _count(known)
        most = np.max(np.maximum(self.retrieved, _count(self.judged > -np.inf) + unjudged), initial=1.0)
        width = max(int(padded_width(np.array(most, dtype=np.int64))), NARROWEST)
        places = np.arange(1.0, width + 1)
        retrieved = places <= np.asarray(self.retrieved)[..., np.newaxis]
        # One place more takes what was not retrieved, or not judged.
        dense = np.full((*self.ranks.shape[:-1], width + 1), float(grade))
        at = np.where(known, self.ranks - 1, width).astype(np.int64)
        np.put_along_axis(dense, at, np.where(known, self.grades, grade), axis=-1)
        more = np.where(places <= np.asarray(unjudged)[..., np.newaxis], float(grade), -np.inf)
        judged = np.broadcast_to(self.judged, (*more.shape[:-1], self.judged.shape[-1]))
        return replace(
            self,
            ranks=np.where(retrieved, places, np.inf),
            grades=np.where(retrieved, dense[..., :width], -np.inf),
            judged=_descending(np.concatenate([judged, more], axis=-1))[..., :width],
        )

    @remembered
    def relevant(self, rel: float) -> npt.NDArray[np.bool_]:
        """Which retrieved documents have at least this grade."""
        return self.grades >= rel

    @remembered
    def found(self, rel: float) -> npt.NDArray[np.int32]:
        """How many documents down to each have at least this grade."""
        return self.relevant(rel).cumsum(axis=-1, dtype=np.int32)

    @remembered
    def num_rel_ret(self, rel: float) -> Floats:
        """How many retrieved documents have at least this grade."""
        return _count(self.relevant(rel))

    @remembered
    def num_rel(self, rel: float) -> Floats:
        """How many judged documents have at least this grade, retrieved or not."""
        return _count(self.judged >= rel)

    @remembered
    def irrelevant(self, rel: float) -> npt.NDArray[np.bool_]:
        """Which retrieved documents were judged, and have a lower grade than this."""
        return (self.grades >= 0) & (self.grades < rel)

    @remembered
    def num_irrelevant(self, rel: float) -> Floats:
        """How many documents were judged to have a lower grade than this, retrieved or not."""
        return _count((self.judged >= 0) & (self.judged < rel))

    def regraded(self, gain: Callable[[Floats], Floats] | Mapping[float, float]) -> JudgedRanking:
        """The ranking with other grades; a mapping leaves the grades it does not name as they are."""

        def changed(grades: Floats) -> Floats:
            if not isinstance(gain, Mapping):
                return np.where(grades > -np.inf, gain(grades), -np.inf)
            named = [grades == grade for grade in gain]
            return np.select(named, [np.float64(value) for value in gain.values()], grades)

        return replace(self, grades=changed(self.grades), judged=_descending(changed(self.judged)))

    def by_rank(self, depth: int) -> Iterator[tuple[slice, Floats]]:
        """Grades rank by rank down to a depth, minus infinity where no grade is; some queries at a time.

        Queries are counted along all axes before the last, and the slice says which they are. All at once would take
        a cell for each of their ranks, however few documents were judged.
        """
        queries = math.prod(self.ranks.shape[:-1])
        ranks, grades = (part.reshape(queries, part.shape[-1]) for part in (self.ranks, self.grades))
        at_once = max(BLOCK // depth, 1)
        for first in range(0, queries, at_once):
            some = slice(first, min(first + at_once, queries))
            # One place more takes all that comes below the depth.
            dense = np.full((some.stop - first, depth + 1), -np.inf)
            np.put_along_axis(dense, np.minimum(ranks[some] - 1, depth).astype(np.int64), grades[some], axis=-1)
            yield some, dense[:, :depth]

    @property
    @remembered
    def ideal(self) -> JudgedRanking:
        """The best ranking the judgments allow."""
        return self._best_first(self.judged)

    @property
    @remembered
    def ideal_retrieved(self) -> JudgedRanking:
        """The best order of the judged documents that were retrieved."""
        return self._best_first(_descending(self.grades))

    def in_orders(self, ranks: Ints) -> JudgedRanking:
        """One query once for each row of ranks that its judged documents might have."""
        best_first = np.argsort(ranks, axis=1)
        found = ranks.shape[1]
        # As wide as before, so that an order scores here what it scores there, to the last bit.
        new_ranks, grades = (np.tile(array, (len(ranks), 1)) for array in (self.ranks, self.grades))
        new_ranks[:, :found] = np.take_along_axis(ranks, best_first, axis=1)
        grades[:, :found] = self.grades[0][best_first]
        return replace(self, ranks=new_ranks, grades=grades)

    @property
    @remembered
    def ideal_ranks(self) -> Floats:
        """Where the ideal ranking has each document, if of equal grades it puts those retrieved first, as they came."""
        better_or_before = _order(self.grades)
        as_good_before = better_or_before - self._better_among(self.grades)
        return 1.0 + self._better_among(self.judged) + as_good_before

    def _better_among(self, others: Floats) -> Ints:
        """How many of some grades are above each document's."""
        # One query's judgments may go with many orders of its documents.
        repeated = np.broadcast_to(others, (*self.grades.shape[:-1], others.shape[-1]))
        together = _order(np.concatenate([self.grades, repeated], axis=-1))
        return together[..., : self.grades.shape[-1]] - _order(self.grades)

    def _only(self, kept: npt.NDArray[np.bool_]) -> JudgedRanking:
        return replace(self, ranks=np.where(kept, self.ranks, np.inf), grades=np.where(kept, self.grades, -np.inf))

    def _best_first(self, grades: Floats) -> JudgedRanking:
        real = grades > -np.inf
        ranks = np.where(real, np.arange(1.0, grades.shape[-1] + 1), np.inf)
        return replace(self, ranks=ranks, grades=grades, retrieved=_count(real), gaps=False)


@dataclass(frozen=True, eq=False)
class Alignment:
    """One run against the judgments: for every judged query, where its judged documents came.

    Flat arrays, the documents of one query side by side and best rank first; `blocks` hands them to measures.
    """

    judgments: Judgments
    run: str
    path: str | None
    starts: Ints
    """Where each query's documents begin in the flat arrays; one more entry marks the end."""
    rows: Ints
    """Each document's row in the judgments."""
    ranks: Ints
    grades: Floats
    above: Ints
    """Documents with a strictly higher score."""
    tied: Ints
    """Documents with the same score, itself included."""
    retrieved: Ints
    """Documents each query got; 0 for a silent query. Where only ranks were given, the last rank."""
    ties: Ints
    """Documents of each query that share their score with another one."""
    unknown: tuple[str, ...]
    """Queries of the run that nobody judged."""
    warnings: tuple[Finding, ...] = ()
    chunks: ChunkCounts | None = None
    """Where chunks were retrieved and documents count: the chunks of judged queries."""

    def blocks(self) -> Iterator[tuple[Ints, JudgedRanking]]:
        """Queries of like size together: their positions, and their judged rankings as one padded array.

        A query's width depends on that query alone. Padding changes how a sum is split and so its last bits;
        a score must not depend on the queries that happen to be in its block.
        """
        lines = _compiled_lines if kernels.are_compiled() else _lines
        widths = padded_width(np.maximum(np.diff(self.starts), np.diff(self.judgments.starts)))
        for width in np.flatnonzero(np.bincount(widths)).tolist():
            same = np.flatnonzero(widths == width)
            for part in in_parts(same, width):
                yield (
                    part,
                    JudgedRanking(
                        ranks=lines(self.ranks, self.starts, part, width, np.inf),
                        grades=lines(self.grades, self.starts, part, width, -np.inf),
                        retrieved=self.retrieved[part].astype(np.float64),
                        # Sorted here once: every measure that needs an ideal ranking finds it ready.
                        judged=_descending(lines(self.judgments.grades, self.judgments.starts, part, width, -np.inf)),
                        max_grade=self.judgments.max_grade,
                    ),
                )

    def places_like(self, other: Alignment) -> bool:
        """Whether another run has the same judged documents at the same ranks, among as many others."""
        columns = ((self.rows, other.rows), (self.ranks, other.ranks), (self.retrieved, other.retrieved))
        return self.unknown == other.unknown and all(np.array_equal(one, two) for one, two in columns)

    def best_ties(self) -> Alignment:
        """Tied documents in the order that helps most: best grade first, unjudged ones last."""
        return self._reranked(np.lexsort((-self.grades, self.above, _owner(self.starts))), from_end=False)

    def worst_ties(self) -> Alignment:
        """Tied documents in the order that hurts most: unjudged ones first, best grade last."""
        return self._reranked(np.lexsort((self.grades, self.above, _owner(self.starts))), from_end=True)

    def reversed_ties(self) -> Alignment:
        """Tied documents the other way round: the last of them first."""
        ranks = 2 * self.above + self.tied + 1 - self.ranks
        order = np.lexsort((ranks, _owner(self.starts)))
        return self._in_order(order, ranks[order])

    def filled(self, grade: float) -> Alignment:
        """As if every unjudged document that was retrieved had this grade; the judgments stay as they are."""
        starts = np.concatenate([[0], np.cumsum(self.retrieved)])
        known = self.grades >= 0
        places = starts[_owner(self.starts)[known]] + self.ranks[known] - 1
        grades = np.full(starts[-1], float(grade))
        grades[places] = self.grades[known]
        rows = np.full(starts[-1], -1, dtype=np.int64)
        rows[places] = self.rows[known]
        ranks = np.arange(1, starts[-1] + 1) - starts[_owner(starts)]
        return replace(
            self,
            starts=starts,
            rows=rows,
            ranks=ranks,
            grades=grades,
            above=ranks - 1,
            tied=np.ones_like(ranks),
        )

    def _reranked(self, order: Ints, *, from_end: bool) -> Alignment:
        """New ranks inside each group of tied documents, counted from its first or towards its last place."""
        owner = _owner(self.starts)[order]
        above = self.above[order]
        first = np.ones(len(order), dtype=np.bool_)
        first[1:] = (owner[1:] != owner[:-1]) | (above[1:] != above[:-1])
        begins = np.flatnonzero(first)
        sizes = np.diff(np.append(begins, len(order)))
        within = np.arange(len(order)) - np.repeat(begins, sizes)
        offset = self.tied[order] - np.repeat(sizes, sizes) if from_end else 0
        return self._in_order(order, above + within + 1 + offset)

    def _in_order(self, order: Ints, ranks: Ints) -> Alignment:
        return replace(
            self,
            rows=self.rows[order],
            ranks=ranks,
            grades=self.grades[order],
            above=self.above[order],
            tied=self.tied[order],
        )


def align(
    run: Run,
    judgments: Judgments,
    *,
    ties: TieOrder = "document",
    precision: Precision = "double",
    must_meet: bool = True,
    findings: Findings | None = None,
) -> Alignment:
    """Where a run puts the judged documents of every judged query, in one pass over the run.

    Documents come by score, highest first. Equal scores come by document id, last in byte order first (trec_eval's
    rule) or first (`document-ascending`), or in the order given. `precision="single"` rounds scores to 32 bits before
    comparing them, as trec_eval did up to version 9. Ids that never meet are a mistake, unless `must_meet` says
    otherwise. Of a part of a collection, `findings` gathers what is wrong; in others its ids may meet.
    """
    must_meet = must_meet and findings is None
    scanned = _scanned(run, judgments, ties, precision, must_meet)
    if scanned is not None:
        return scanned
    found = Findings() if findings is None else findings
    pass_ = _Pass(run, judgments, ties, precision, must_meet)
    for ranking in run.rankings(found):
        pass_.take(ranking)
    found.extend(pass_.findings())
    found.stop_if_wrong()
    return pass_.alignment(tuple(found.warnings))


def _scanned(run: Run, judgments: Judgments, ties: TieOrder, precision: Precision, must_meet: bool) -> Alignment | None:
    """The alignment by compiled loops, where there are such; None where there is anything to tell about the run."""
    if run.at_once is None or not kernels.are_compiled():
        return None
    found = run.at_once(judgments, ties=ties, single=precision == "single")
    if found is None or (must_meet and not len(found.rows)):
        return None
    counts, retrieved, tied = (np.zeros(len(judgments.queries), dtype=np.int64) for _ in range(3))
    counts[found.queries], retrieved[found.queries], tied[found.queries] = found.found, found.retrieved, found.ties
    return Alignment(
        judgments=judgments,
        run=run.name,
        path=run.path,
        starts=np.concatenate([[0], np.cumsum(counts)]),
        rows=found.rows,
        ranks=found.ranks,
        grades=judgments.grades[found.rows],
        above=found.above,
        tied=found.tied,
        retrieved=retrieved,
        ties=tied,
        unknown=_unknown(found.unknown, judgments),
    )


def _unknown(queries: Iterable[str], judgments: Judgments) -> tuple[str, ...]:
    """Queries that nobody judged; a judged one that was left out is none."""
    return tuple(query for query in queries if query not in judgments.left_out)


@dataclass
class _Pass:
    """What one pass over a run keeps: for each judged query the places of its judged documents."""

    run: Run
    judgments: Judgments
    order: TieOrder
    precision: Precision
    must_meet: bool
    placed: dict[int, plain.Placed] = field(default_factory=dict)
    unknown: dict[str, None] = field(default_factory=dict)
    noticed: dict[str, list[Finding]] = field(default_factory=dict)
    chunks: dict[int, ChunkCounts] = field(default_factory=dict)
    judged_examples: list[str] = field(default_factory=list)
    run_examples: list[str] = field(default_factory=list)

    def take(self, ranking: Ranking) -> None:
        """Use a ranking; if its query came before, the later, complete one counts."""
        self.noticed.pop(ranking.query, None)
        if noticed := list(check_ranking(ranking, self.run.called)):
            self.noticed[ranking.query] = noticed
        query = self.judgments.position.get(ranking.query)
        if query is None:
            self.unknown[ranking.query] = None
            return
        rows = self.judgments.rows_of(ranking.query)
        placed = plain.place(ranking.documents, self._scores(ranking), rows, self.order, ranked=ranking.ranked)
        self.placed[query] = placed
        if ranking.chunks is not None:
            self.chunks[query] = ChunkCounts(ranking.chunks.total, ranking.chunks.renamed)
        if not len(placed.rows) and len(self.run_examples) < EXAMPLES:
            self.judged_examples.extend(list(rows)[:EXAMPLES])
            self.run_examples.extend(ranking.documents[:EXAMPLES])

    def findings(self) -> Iterator[Finding]:
        for noticed in self.noticed.values():
            yield from noticed
        if not self.must_meet:
            return
        if not self.placed and not self.unknown:
            yield errors.files.nothing_read(self.run.called, "run")
        elif not self.placed and self.judgments.left_out.isdisjoint(self.unknown):
            yield self._never_meet("query", list(self.judgments.queries), list(self.unknown))
        elif self.run_examples and not any(len(placed.rows) for placed in self.placed.values()):
            never = self._never_meet("document", self.judged_examples, self.run_examples)
            # Too few queries to tell a mismatch from a run that found nothing, unless the ids show why.
            sure = len(self.placed) >= SMALL_SAMPLE or errors.ids.explained(self.judged_examples, self.run_examples)
            yield never if sure else replace(never, severity="warning")

    def alignment(self, warnings: tuple[Finding, ...]) -> Alignment:
        queries = len(self.judgments.queries)
        counts, retrieved, ties = (np.zeros(queries, dtype=np.int64) for _ in range(3))
        for query, placed in self.placed.items():
            counts[query], retrieved[query], ties[query] = len(placed.rows), placed.retrieved, placed.ties
        in_order = [self.placed[query] for query in sorted(self.placed)]
        nothing = [np.empty(0, dtype=np.int64)]
        rows, ranks, above, tied = (
            np.concatenate(nothing + [placed[column] for placed in in_order]) for column in range(4)
        )
        return Alignment(
            judgments=self.judgments,
            run=self.run.name,
            path=self.run.path,
            starts=np.concatenate([[0], np.cumsum(counts)]),
            rows=rows,
            ranks=ranks,
            grades=self.judgments.grades[rows],
            above=above,
            tied=tied,
            retrieved=retrieved,
            ties=ties,
            unknown=_unknown(self.unknown, self.judgments),
            warnings=warnings,
            chunks=self._chunks(),
        )

    def _chunks(self) -> ChunkCounts | None:
        return ChunkCounts(*map(sum, zip(*self.chunks.values(), strict=True))) if self.chunks else None

    def _scores(self, ranking: Ranking) -> Floats:
        if self.precision == "double" or ranking.ranked:
            return ranking.scores
        with np.errstate(over="ignore"):
            return ranking.scores.astype(np.float32).astype(np.float64)

    def _never_meet(self, what: str, judged: list[str], retrieved: list[str]) -> Finding:
        return errors.ids.ids_never_meet(what, self.judgments.path, self.run.called, judged, retrieved)


def _count(flags: npt.NDArray[np.bool_]) -> Floats:
    # What flags.sum(axis=-1) gives, and of short rows twice as fast.
    counts: Floats = np.einsum("...i->...", flags, dtype=np.float64)
    return counts


def _descending(grades: Floats) -> Floats:
    falling = -grades
    falling.sort(axis=-1)
    return np.negative(falling, out=falling)


def _order(grades: Floats) -> Ints:
    """Each document's place when the best grade comes first, and of equal grades the first."""
    return np.argsort(np.argsort(-grades, axis=-1, kind="stable"), axis=-1, kind="stable")


def _owner(starts: Ints) -> Ints:
    """The query that each flat place belongs to."""
    return np.repeat(np.arange(len(starts) - 1), np.diff(starts))


def padded_width(count: Ints) -> Ints:
    """The next power of two: few different widths, so queries of like size share a block."""
    exponents: Ints = np.frexp(np.maximum(count - 1, 0))[1].astype(np.int64)
    return np.left_shift(1, exponents)


def in_parts(queries: Ints, cells: int) -> list[Ints]:
    """Queries of so many cells each, in parts that fill a block at most; a query larger than that is a part alone."""
    parts = min(-(-len(queries) * cells // BLOCK), len(queries))
    return np.array_split(queries, parts) if parts > 1 else [queries]


def rows_of(starts: Ints, queries: Ints) -> slice | Ints:
    """Where the rows of some queries are in flat arrays."""
    if queries[-1] - queries[0] == len(queries) - 1:
        return slice(starts[queries[0]], starts[queries[-1] + 1])
    counts = starts[queries + 1] - starts[queries]
    before = np.cumsum(counts) - counts
    return np.arange(counts.sum()) + np.repeat(starts[queries] - before, counts)


def _lines(flat: Floats | Ints, starts: Ints, queries: Ints, width: int, filler: float) -> Floats:
    """Some queries of a flat array, each as a line of the same width."""
    lines = np.full((len(queries), width), filler)
    lines[np.arange(width) < (starts[queries + 1] - starts[queries])[:, None]] = flat[rows_of(starts, queries)]
    return lines


def _compiled_lines(flat: Floats | Ints, starts: Ints, queries: Ints, width: int, filler: float) -> Floats:
    from cranfield.kernels.compiled import fill_lines

    lines = np.empty((len(queries), width))
    fill_lines(lines, flat, starts, queries, filler)
    return lines
