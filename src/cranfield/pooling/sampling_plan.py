"""How many labels of a stratified sample until what it estimates is known closely enough."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from itertools import combinations
from typing import Any, NamedTuple

import numpy as np

from cranfield import errors
from cranfield.arguments import require_positive
from cranfield.choices import Duplicates
from cranfield.errors import Finding, UsageError
from cranfield.formats import read_inputs
from cranfield.formats.columns import ColumnsGiven
from cranfield.measures import Measure
from cranfield.phrases import counted
from cranfield.pooling.candidates import candidates_of
from cranfield.pooling.choosing import one_measure
from cranfield.pooling.coverage import must_know
from cranfield.pooling.influence import UNJUDGED, World, worlds_of
from cranfield.pooling.ranges import is_sum
from cranfield.pooling.strata import DEFAULT, Stratum, drawn_of, read_strata
from cranfield.show.answer import Answer
from cranfield.show.measures import canonical_column, legend, name_dict
from cranfield.show.table import Cell, Table, finite
from cranfield.version import VERSION

NORMAL = 1.959963984540054
"""Of a normal distribution 95% lie so many standard deviations or less from its mean."""
DEFAULT_SUM = "P@10"


class StratumPart(NamedTuple):
    """The documents of one query in one stratum."""

    stratum: int
    documents: int
    variance: float
    """Of what a document adds to the difference of two runs."""


@dataclass(frozen=True)
class SampleNeed:
    """What a sample tells of the difference between two runs."""

    run: str
    baseline: str
    labels: int
    """Of the sample with the rates given."""
    error: float
    """The standard error of the estimated mean difference, from the drawing of documents alone."""
    labels_needed: int
    error_then: float
    factor: float
    """By how much rates are multiplied for that; none goes beyond 1."""


@dataclass(frozen=True, eq=False)
class SamplePlan(Answer):
    """How large a sample has to be; shows itself as a verdict and a table."""

    needs: tuple[SampleNeed, ...]
    measure: Measure
    width: float
    pool: int
    strata: tuple[Stratum, ...]
    settings: Mapping[str, Any]
    warnings: tuple[Finding, ...] = ()

    def verdict(self) -> str:
        """How many labels it takes, in words."""
        most = max(self.needs, key=lambda need: need.labels_needed)
        now = max(self.needs, key=lambda need: need.error)
        return (
            f"A sample of {now.labels:,} of {self.pool:,} documents estimates differences of {self.measure} with a "
            f"standard error of {now.error:z.4f} or less, an interval {2 * NORMAL * now.error:z.4f} "
            f"wide. For a width of {self.width:g} it takes {most.labels_needed:,} labels: rates times "
            f"{most.factor:.2g}."
        )

    def table(self) -> Table:
        """A row per pair of runs."""
        of = self.needs
        columns: dict[str, list[Cell]] = {
            "run": [need.run for need in of],
            "baseline": [need.baseline for need in of],
            "labels": [need.labels for need in of],
            "standard error": [need.error for need in of],
            f"labels for {self.width:g}": [need.labels_needed for need in of],
            "rates times": [need.factor for need in of],
        }
        return Table(columns, notes=tuple(self._notes()))

    def rows(self) -> Table:
        """The same with plain names, for programs."""
        rows = [asdict(need) for need in self.needs]
        return Table(
            {
                "measure": (measure := [str(self.measure)] * len(rows)),
                **{key: [row[key] for row in rows] for key in rows[0]},
                **canonical_column(measure, [self.measure]),
            }
        )

    def to_dict(self) -> dict[str, Any]:
        """Everything as plain values: what `cranfield pool plan --strategy sample --format json` prints."""
        return {
            "cranfield": VERSION,
            "verdict": self.verdict(),
            "settings": dict(self.settings),
            "pool": self.pool,
            "warnings": list(map(str, self.warnings)),
            "pairs": [{key: finite(value) for key, value in asdict(need).items()} for need in self.needs],
        }

    def _notes(self) -> Iterator[str]:
        yield (
            "Standard errors are those of the drawing alone, N²(1 − n/N)S²/n of every query and stratum, S² from what "
            "is judged there, or else in that stratum of all queries. That other queries might have been asked is not "
            "in them."
        )
        yield from legend([self.measure])

    def __repr__(self) -> str:
        return f"SamplePlan({counted(len(self.needs), 'pair')} of runs, {self.measure}, width {self.width:g})"


def sample_size(
    runs: object,
    judgments: object,
    width: float,
    measure: str | Measure = DEFAULT_SUM,
    *,
    strata: str | Sequence[tuple[int, float]] | None = None,
    columns: ColumnsGiven = None,
    duplicates: Duplicates | None = None,
) -> SamplePlan:
    r"""How many labels of a stratified sample until the interval of an estimated difference is no wider than a width.

    The mean difference of two runs is estimated as the sum, over queries and strata, of N/n times what the n documents
    drawn from N add to it. Its variance, from the drawing alone, is

    .. math:: \frac{1}{Q^2} \sum_q \sum_s N_{qs}^2 \left(1 - \frac{n_{qs}}{N_{qs}}\right) \frac{S_{qs}^2}{n_{qs}}

    S² being the variance, between documents of a stratum, of what each adds (Cochran, Sampling Techniques, 1977). It is
    seen from documents judged so far. The interval is 2 · 1.96 standard errors wide; where that is too wide, all rates
    are raised by one factor. Only measures that add up what documents give can be estimated so: P@k, RBP, DCG.
    """
    require_positive(width, "width")
    layers = DEFAULT if strata is None else read_strata(strata)
    chosen = one_measure(measure)
    if not is_sum(chosen):
        raise UsageError(
            f"{chosen} is not a sum over documents, so a sample gives no unbiased estimate of its differences.\n"
            "Choose P@k, RBP or DCG; for AP and nDCG there are xinfAP and infNDCG."
        )
    judged, sources = read_inputs(judgments, runs, columns=columns, duplicates=duplicates)
    if len(sources) < 2:
        raise errors.pooling.needs_runs("A difference", sources[0].name)
    candidates = candidates_of(sources, layers[-1].last)
    strange = must_know(candidates, judged)
    worlds = [world for world in worlds_of(sources, candidates, judged) if world.query in judged]
    best = {world.query: candidates.best_ranks(world.query) for world in worlds}
    added = [_added(world, chosen) for world in worlds]
    queries = len(judged.queries)
    needs = [
        _need(
            (candidates.runs[run], candidates.runs[base]),
            _parts([values[run] - values[base] for values in added], worlds, best, layers),
            layers,
            queries,
            width,
        )
        for base, run in combinations(range(len(sources)), 2)
    ]
    pool = sum(len(documents) for documents in best.values())
    settings = {
        **name_dict(chosen),
        "width": width,
        "strata": [list(layer) for layer in layers],
        "judgments": judged.path,
    }
    return SamplePlan(
        tuple(needs), chosen, width, pool, layers, settings, (*judged.warnings, *candidates.warnings, *strange)
    )


def _added(world: World, measure: Measure) -> np.ndarray[Any, np.dtype[np.float64]]:
    """By run and document, what it adds to the score; NaN where nobody has judged it."""
    known = np.flatnonzero(world.grades >= 0)
    added = np.full((world.runs, len(world.documents)), np.nan)
    added[:, known] = world.scores(measure, world.grades[None]) - world.scores(
        measure, world.if_judged(known, UNJUDGED)
    )
    return added


def _parts(
    added: Sequence[Any],
    worlds: Sequence[World],
    best: Mapping[str, Mapping[str, int]],
    layers: Sequence[Stratum],
) -> list[StratumPart]:
    """Every query and stratum: how many documents there are, and how much these differ."""
    members: list[tuple[int, int, list[float]]] = []
    for values, world in zip(added, worlds, strict=True):
        of_layer: dict[int, list[float]] = {}
        for document, value in zip(world.documents, values.tolist(), strict=True):
            rank = best[world.query].get(document)
            if rank is not None:
                layer = next(at for at, stratum in enumerate(layers) if rank <= stratum.last)
                of_layer.setdefault(layer, []).append(value)
        members += [
            (layer, len(of), [value for value in of if not math.isnan(value)]) for layer, of in sorted(of_layer.items())
        ]
    together = {
        layer: _variance([value for other, _, of in members if other == layer for value in of])
        for layer in range(len(layers))
    }
    return [
        StratumPart(layer, count, _variance(of) if len(of) > 1 else together[layer]) for layer, count, of in members
    ]


def _need(
    names: tuple[str, str], parts: Sequence[StratumPart], layers: Sequence[Stratum], queries: int, width: float
) -> SampleNeed:
    labels, error = _sampled(parts, layers, queries, 1.0)
    factor = _factor(parts, layers, queries, width)
    then, error_then = _sampled(parts, layers, queries, factor)
    return SampleNeed(*names, labels, error, then, error_then, factor)


def _sampled(parts: Sequence[StratumPart], layers: Sequence[Stratum], queries: int, factor: float) -> tuple[int, float]:
    """Labels and standard error with all rates multiplied."""
    labels, variances = 0, []
    for part in parts:
        drawn = drawn_of(part.documents, min(1.0, factor * layers[part.stratum].rate))
        labels += drawn
        variances.append(part.documents**2 * (1 - drawn / part.documents) * part.variance / drawn)
    return labels, math.sqrt(math.fsum(variances)) / queries


def _factor(parts: Sequence[StratumPart], layers: Sequence[Stratum], queries: int, width: float) -> float:
    """The smallest factor of all rates with which the interval is narrow enough, to a thousandth of it."""
    low, high = 0.0, 1 / min(layer.rate for layer in layers)
    while high - low > high / 1000:
        middle = (low + high) / 2
        narrow = 2 * NORMAL * _sampled(parts, layers, queries, middle)[1] <= width
        low, high = (low, middle) if narrow else (middle, high)
    return high


def _variance(values: Sequence[float]) -> float:
    return float(np.var(values, ddof=1)) if len(values) > 1 else 0.0
