"""A fusion with all its choices made: from the lists of a query to a score for each document."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, get_args

import numpy as np

from cranfield import errors
from cranfield.arguments import require_choice, require_number, require_whole
from cranfield.arrays import Floats, Ints
from cranfield.choices import FlatList, MissingDocument, Precision
from cranfield.errors import Finding
from cranfield.fusing import normalisations, rank_methods, score_methods, trained, votes  # noqa: F401 - they enter themselves
from cranfield.fusing.definition import METHODS, NORMALISATIONS, ChosenRule, FusionMethod, Normalisation
from cranfield.fusing.lists import FusionArrays, QueryLists

WIDTH = 64
"""Rows of weights that are multiplied at once: little enough to stay in the processor's cache."""


@dataclass(frozen=True)
class Fusion:
    """How lists are fused: method, normalisation, and what missing documents and flat lists become.

    >>> from cranfield.fusing.lists import QueryLists, ranked_list
    >>> places = {}
    >>> first = ranked_list(["a", "b"], np.array([3.0, 1.0]), places)
    >>> lists = QueryLists(["a", "b"], (first, ranked_list(["b"], np.array([9.0]), places)))
    >>> fusion_from("combsum", weights=[0.25, 0.75], runs=2).scores(lists)
    array([0.25 , 0.375])
    """

    method: ChosenRule[FusionMethod]
    norm: ChosenRule[Normalisation] | None = None
    """None for a method that reads ranks."""
    missing: MissingDocument = "absent"
    flat: FlatList = "middle"
    weights: tuple[float, ...] | None = None
    lowest: tuple[float, ...] | None = None
    """The lowest score that each system can give, where the normalisation asks for it."""
    depth: int | None = None
    """How many documents of each list are fused; None is all."""
    top: int | None = None
    """How many documents of each query are kept; None is all."""
    precision: Precision = "double"
    dialect: str = ""
    """The tool whose choices these are."""
    model: tuple[Floats, ...] = field(default=(), compare=False)
    """What a trained method learnt of each run."""

    @property
    def reads_scores(self) -> bool:
        """Whether it looks at scores, and not only at ranks."""
        return self.norm is not None and self.norm.rule.reads == "scores"

    @property
    def has_flat(self) -> bool:
        """Whether it matters what lists of equal scores become."""
        return self.norm is not None and has_flat(self.norm.rule)

    def choices(self) -> dict[str, Any]:
        """Every choice by name, as plain values."""
        named = {
            "method": str(self.method),
            "norm": None if self.norm is None else str(self.norm),
            "missing": self.missing,
            "flat": self.flat if self.has_flat else None,
            "weights": None if self.weights is None else list(self.weights),
            "lowest": None if self.lowest is None else list(self.lowest),
            "depth": self.depth,
            "top": self.top,
            "precision": None if self.precision == "double" else self.precision,
            "like": self.dialect or None,
        }
        return {name: value for name, value in named.items() if value is not None}

    def __str__(self) -> str:
        """The choices in one line: `combsum, norm minmax, weights 0.3 0.7`."""
        shown = {name: value for name, value in self.choices().items() if name not in ("method", "flat")}
        if self.missing == self._default_missing():
            del shown["missing"]
        return ", ".join([str(self.method), *(f"{name} {_listed(value)}" for name, value in shown.items())])

    def scores(self, lists: QueryLists) -> Floats:
        """A score for each document of a query."""
        return self.scores_of(self.arrays(lists), lists.answering)

    def scores_of(self, arrays: FusionArrays, answering: Ints) -> Floats:
        """The same from what `arrays` gives, of the lists that answer."""
        weights = None if self.weights is None else np.array(self.weights)[answering]
        return self._scores(arrays, weights, answering)

    def arrays(self, lists: QueryLists) -> FusionArrays:
        """What the method reads: the lists that answer the query, with missing documents filled in."""
        rows = lists.answering
        listed, lengths = lists.listed[rows], lists.lengths[rows]
        ranks = (lists.ranks_with_last if self.missing == "last" else lists.ranks)[rows]
        if self.norm is None:
            return FusionArrays(ranks, ranks, listed, lengths)
        values = self._normalised(lists)[rows]
        if (unlisted := self.norm.rule.unlisted) is not None:
            filling = np.array([unlisted(int(length), len(lists.documents)) for length in lengths])
        elif self.missing == "minimum":
            filling = np.nanmin(values, axis=-1)
        else:
            filling = np.full(len(rows), 0.0 if self.missing == "zero" else np.nan)
        return FusionArrays(np.where(listed, values, filling[:, np.newaxis]), ranks, listed, lengths)

    def wrong(self, lists: QueryLists, runs: Sequence[str]) -> list[Finding]:
        """Scores that the normalisation cannot be computed of."""
        if self.norm is None:
            return []
        found: list[Finding] = []
        for at, (run, ranked) in enumerate(zip(runs, lists.lists, strict=True)):
            if not len(ranked.scores):
                continue
            if self.norm.rule.name == "max" and ranked.scores.max() <= 0:
                found.append(errors.fusing.nothing_above_zero(run, lists.query, float(ranked.scores.max())))
            if self.lowest is not None and ranked.scores.min() < self.lowest[at]:
                lowest = float(ranked.scores.min())
                found.append(errors.fusing.below_lowest(run, lists.query, lowest, self.lowest[at]))
        return found

    def flat_lists(self, lists: QueryLists) -> Ints:
        """The positions of lists whose documents all have the same score, so that nothing can be normalised."""
        flat = [
            at
            for at, ranked in enumerate(lists.lists)
            if len(ranked.scores)
            and (ranked.scores.min() if self.lowest is None else self.lowest[at]) == ranked.scores.max()
        ]
        return np.array(flat, dtype=np.int64)

    def for_runs(self, count: int) -> Fusion:
        """The same, if its weights are for so many runs."""
        for name, numbers in (("weights", self.weights), ("lowest", self.lowest)):
            if numbers is not None and len(numbers) != count:
                raise errors.fusing.wrong_numbers(name, len(numbers), count)
        return self

    def _default_missing(self) -> MissingDocument:
        return _missing_choices(self.method.rule, self.norm)[0]

    def _normalised(self, lists: QueryLists) -> Floats:
        assert self.norm is not None
        given: dict[str, Any] = dict(self.norm.params)
        names = _all_parameters(self.norm.rule)
        if "flat" in names:
            given["flat"] = self.flat
        if "candidates" in names:
            given["candidates"] = len(lists.documents)
        lowest = iter(self.lowest or ())
        table = np.full(lists.shape, np.nan)
        for row, ranked in zip(table, lists.lists, strict=True):
            own = {"lowest": next(lowest)} if self.norm.rule.needs_lowest else {}
            if len(ranked.places):
                row[ranked.places] = self.norm.rule.function(ranked.scores, ranked.ranks, **given, **own)
        return table

    def _scores(self, arrays: FusionArrays, weights: Floats | None, rows: Ints) -> Floats:
        given: dict[str, Any] = dict(self.method.params)
        if self.method.rule.weighted and weights is not None:
            given["weights"] = weights
        if self.method.rule.is_trained:
            given["model"] = [self.model[row] for row in rows]
        if self.precision == "single":
            arrays = replace(arrays, values=arrays.values.astype(np.float32), ranks=arrays.ranks.astype(np.float32))
        return self.method.rule.function(arrays, **given).astype(np.float64)


def fusion_from(
    method: str = "rrf",
    *,
    norm: str | None = None,
    weights: Sequence[float] | None = None,
    missing: MissingDocument | None = None,
    flat: FlatList | None = None,
    lowest: Sequence[float] | None = None,
    depth: int | None = None,
    top: int | None = None,
    runs: int | None = None,
    **params: Any,
) -> Fusion:
    """A fusion with the choices that are left open made as published.

    >>> print(fusion_from("rrf", k=10), "|", fusion_from("wsum", norm="zmuv", weights=[1, 3]))
    rrf(k=10) | combsum, norm zscore, weights 1 3
    """
    chosen = METHODS.parse(method, **params)
    if chosen.rule.reads == "ranks" and norm is not None:
        raise errors.fusing.not_normalised(chosen.rule.name)
    normed = NORMALISATIONS.parse("minmax" if norm is None else norm) if chosen.rule.reads == "scores" else None
    fusion = Fusion(
        chosen,
        normed,
        _missing(chosen.rule, normed, missing),
        _flat(normed, flat),
        _weights(chosen.rule, weights),
        _lowest(normed, lowest),
        None if depth is None else require_whole(depth, "depth"),
        None if top is None else require_whole(top, "top"),
    )
    return fusion if runs is None else fusion.for_runs(runs)


def score_matrix(fusions: Sequence[Fusion], lists: QueryLists, groups: Sequence[list[int]] | None = None) -> Floats:
    """Fusion × document: the scores that many fusions give the documents of one query.

    What fusions have in common is computed once: normalised lists of all that normalise alike, and of those that
    differ in weights alone the sums of all in one go. Each row has the bits that its fusion gives alone. `groups` are
    what `alike_but_for_weights` gives, where that is known from another query.

    >>> from cranfield.fusing.lists import QueryLists, ranked_list
    >>> places = {}
    >>> first = ranked_list(["a", "b"], np.array([3.0, 1.0]), places)
    >>> lists = QueryLists(["a", "b"], (first, ranked_list(["b"], np.array([9.0]), places)))
    >>> score_matrix([fusion_from("combsum", weights=[weight, 1 - weight]) for weight in (0.25, 0.5)], lists)
    array([[0.25 , 0.375],
           [0.5  , 0.25 ]])
    """
    matrix = np.empty((len(fusions), len(lists.documents)))
    arrays: dict[Hashable, FusionArrays] = {}
    for rows in alike_but_for_weights(fusions) if groups is None else groups:
        fusion = fusions[rows[0]]
        key = (str(fusion.norm), fusion.missing, fusion.flat, fusion.lowest)
        if key not in arrays:
            arrays[key] = fusion.arrays(lists)
        if fusion.weights is None:
            matrix[rows] = fusion._scores(arrays[key], None, lists.answering)
            continue
        weights = np.array([fusions[row].weights for row in rows])[:, lists.answering]
        step = 1 if fusion.method.rule.is_pairwise else WIDTH
        for start in range(0, len(rows), step):
            some = weights[start] if step == 1 else weights[start : start + step]
            matrix[rows[start : start + step]] = fusion._scores(arrays[key], some, lists.answering)
    return matrix


def alike_but_for_weights(fusions: Sequence[Fusion]) -> list[list[int]]:
    """The positions of fusions that differ in their weights alone."""
    groups: dict[Hashable, list[int]] = {}
    for at, fusion in enumerate(fusions):
        key = (
            str(fusion.method),
            str(fusion.norm),
            fusion.missing,
            fusion.flat,
            fusion.lowest,
            fusion.precision,
            at if fusion.method.rule.is_trained else None,
            fusion.weights is None,
        )
        groups.setdefault(key, []).append(at)
    return list(groups.values())


def fused_scores(fusion: Fusion, lists: QueryLists) -> Floats:
    """The scores of a query's documents; refused where they are too large to be numbers."""
    with np.errstate(over="ignore", invalid="ignore"):
        arrays = fusion.arrays(lists)
        scores = fusion.scores_of(arrays, lists.answering)
    # Of a method, NaN is a document that a list does not have: what overflowed before must not pass for that.
    if not (np.isfinite(scores).all() and np.isfinite(arrays.values[arrays.listed]).all()):
        raise errors.fusing.too_large(lists.query, fusion.method.rule.name)
    return scores


def _missing_choices(rule: FusionMethod, norm: ChosenRule[Normalisation] | None) -> tuple[MissingDocument, ...]:
    """What may count for a missing document; a normalisation in which 0 is no low score has its own default."""
    if norm is None or norm.rule.missing[0] != "minimum":
        return rule.missing
    return ("minimum", *(choice for choice in rule.missing if choice != "minimum"))


def _missing(
    rule: FusionMethod, norm: ChosenRule[Normalisation] | None, missing: MissingDocument | None
) -> MissingDocument:
    known = _missing_choices(rule, norm)
    if missing is None:
        return known[0]
    if missing not in known:
        raise errors.fusing.no_such_missing(rule.name, str(missing), known)
    return missing


def _flat(norm: ChosenRule[Normalisation] | None, flat: FlatList | None) -> FlatList:
    if flat is None:
        return "middle"
    require_choice(flat, "flat", get_args(FlatList))
    if norm is None or not has_flat(norm.rule):
        raise errors.fusing.not_about_flat("This method" if norm is None else norm.rule.name)
    return flat


def _weights(rule: FusionMethod, weights: Sequence[float] | None) -> tuple[float, ...] | None:
    if weights is None:
        return None
    if not rule.weighted:
        raise errors.fusing.not_weighted(rule.name)
    numbers = tuple(require_number(weight, "weights") for weight in weights)
    if not numbers or min(numbers) < 0 or max(numbers) == 0:
        raise errors.fusing.wrong_weights(numbers)
    return numbers


def _lowest(norm: ChosenRule[Normalisation] | None, lowest: Sequence[float] | None) -> tuple[float, ...] | None:
    if norm is None or not norm.rule.needs_lowest:
        if lowest is not None:
            raise errors.fusing.not_about_lowest("a method of ranks" if norm is None else norm.rule.name)
        return None
    if lowest is None:
        raise errors.fusing.needs_lowest(norm.rule.name)
    return tuple(require_number(number, "lowest") for number in lowest)


def has_flat(rule: Normalisation) -> bool:
    """Whether a normalisation asks what lists of equal scores become."""
    return "flat" in _all_parameters(rule)


def _all_parameters(rule: Normalisation) -> frozenset[str]:
    """The names of all keyword parameters of a normalisation, those that the fusion gives among them."""
    code = rule.function.__code__
    return frozenset(code.co_varnames[code.co_argcount : code.co_argcount + code.co_kwonlyargcount])


def _listed(value: Any) -> str:
    return " ".join(f"{number:g}" for number in value) if isinstance(value, list) else str(value)
