"""The fusions that a search tries: methods with their parameters, normalisations and weights, the simplest first."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import product
from math import comb
from typing import Any

from cranfield import errors
from cranfield.arguments import require_whole
from cranfield.fusing.definition import METHODS, NORMALISATIONS, FusionMethod
from cranfield.fusing.fusion import Fusion, fusion_from

FAMILIES = ("rrf", "combsum", "combmnz")
"""The methods that are tried unless others are named."""
NORMS = ("2sigma",)
"""The normalisations of a search, settled by a rule on other collections than the demo: see docs/decisions."""
CONSTANTS = (1, 5, 10, 20, 40, 60, 100)
"""Values of k that rrf is tried with."""
GRIDS = {"rrf": ("k", CONSTANTS), "rbc": ("phi", (0.5, 0.6, 0.7, 0.8, 0.9, 0.95))}
"""The parameter of a method that is tried with several values."""
STEPS = (10, 5, 4, 3, 2)
MOST_WEIGHTINGS = 60
"""By default the finest steps are taken that give no more weightings than this."""
MOST = 20_000
"""So many configurations are tried at most."""


@dataclass(frozen=True)
class FusionFamily:
    """All configurations of one method, the simplest first."""

    name: str
    fusions: tuple[Fusion, ...]


@dataclass(frozen=True)
class FusionGrid:
    """What a search tries; None is the default."""

    methods: Sequence[str] | None = None
    norms: Sequence[str] | None = None
    k: Sequence[float] | None = None
    steps: int | None = None
    """Weights are multiples of 1 / steps; with 1, all runs weigh the same."""
    lowest: Sequence[float] | None = None
    depth: int | None = None
    top: int | None = None

    def families(self, runs: Sequence[str]) -> tuple[FusionFamily, ...]:
        """The configurations for runs of these names, by method.

        >>> [len(family.fusions) for family in FusionGrid().families(["bm25", "dense"])]
        [63, 9, 9]
        >>> for fusion in FusionGrid(["combsum"], norms=["minmax"], steps=4).families(["bm25", "dense"])[0].fusions:
        ...     print(fusion)
        combsum, norm minmax
        combsum, norm minmax, weights 0.75 0.25
        combsum, norm minmax, weights 0.25 0.75
        """
        if self.steps is not None:
            require_whole(self.steps, "steps")
        chosen = FAMILIES if self.methods is None else tuple(self.methods)
        if not chosen:
            raise errors.fusing.nothing_to_try()
        rules = [METHODS.stated(name) for name in chosen]
        if self.k is not None and all(rule.name != "rrf" for rule, _ in rules):
            raise errors.fusing.not_about_k()
        if self.norms is not None and all(rule.reads == "ranks" for rule, _ in rules):
            raise errors.fusing.not_normalised(rules[0][0].name)
        by_name: dict[str, dict[str, Fusion]] = {}
        for rule, stated in rules:
            self._require_few(rule, len(runs))
            by_name.setdefault(rule.name, {}).update(
                (str(fusion), fusion) for fusion in self._configurations(rule, stated, len(runs))
            )
        simplest_first = partial(sorted, key=partial(_simplicity, runs=runs))
        return tuple(FusionFamily(name, tuple(simplest_first(own.values()))) for name, own in by_name.items())

    def _configurations(self, rule: FusionMethod, stated: dict[str, Any], runs: int) -> Iterator[Fusion]:
        norms = [None] if rule.reads == "ranks" else [*(NORMS if self.norms is None else self.norms)]
        if not norms:
            raise errors.fusing.nothing_to_try()
        parameters = self._parameters(rule, stated)
        for norm, params, weights in product(norms, parameters, self._weightings(rule, runs)):
            needs_lowest = norm is not None and NORMALISATIONS.parse(norm).rule.needs_lowest
            yield fusion_from(
                rule.name,
                norm=norm,
                weights=weights,
                lowest=self.lowest if needs_lowest else None,
                depth=self.depth,
                top=self.top,
                runs=runs,
                **params,
            )

    def _parameters(self, rule: FusionMethod, stated: dict[str, Any]) -> list[dict[str, Any]]:
        name, values = GRIDS.get(rule.name, ("", ()))
        if rule.name == "rrf" and self.k is not None:
            values = tuple(self.k)
            if not values:
                raise errors.fusing.nothing_to_try()
        if not name or name in stated:
            return [stated]
        return [{**stated, name: value} for value in values]

    def _weightings(self, rule: FusionMethod, runs: int) -> list[list[float] | None]:
        if not rule.weighted or rule.is_pairwise:
            return [None]
        steps = self.steps or default_steps(runs)
        shares = ([part / steps for part in parts] for parts in compositions(steps, runs))
        return [None, *(own for own in shares if sum(map(bool, own)) > 1 and len(set(own)) > 1)]

    def _require_few(self, rule: FusionMethod, runs: int) -> None:
        """Refuse a search that would not end, before it is written down."""
        steps = self.steps or default_steps(runs)
        weightings = comb(steps + runs - 1, runs - 1) if rule.weighted else 1
        if weightings * len(self.norms or [None]) * len(self.k or [None]) > MOST:
            raise errors.fusing.too_many_to_try(weightings, MOST)


def default_steps(runs: int) -> int:
    """The finest steps of weights that leave a moderate number of configurations.

    >>> [default_steps(runs) for runs in (2, 3, 5, 20)]
    [10, 5, 3, 1]
    """
    counts = ((steps, comb(steps + runs - 1, runs - 1) - runs) for steps in STEPS)
    return next((steps for steps, count in counts if count <= MOST_WEIGHTINGS), 1)


def compositions(total: int, parts: int) -> Iterator[tuple[int, ...]]:
    """All ways to write a whole number as a sum of so many, in their order: weights without rounding.

    >>> [*compositions(2, 2)]
    [(0, 2), (1, 1), (2, 0)]
    """
    if parts == 1:
        yield (total,)
        return
    for first in range(total + 1):
        yield from ((first, *rest) for rest in compositions(total - first, parts - 1))


def _simplicity(fusion: Fusion, runs: Sequence[str]) -> tuple[Any, ...]:
    """The smallest change comes first: no weights, then weights near equal ones, and parameters near their default.

    What is left is ordered by the names of the runs, so that it does not depend on the order they are given in.
    """
    weights = fusion.weights or (1.0,) * len(runs)
    equal = sum(weights) / len(weights)
    uneven = round(sum(abs(weight / equal - 1) for weight in weights), 9)
    defaults = {name: parameter.default for name, parameter in fusion.method.rule.parameters.items()}
    moved = [abs(value - defaults[name]) for name, value in fusion.method.params.items() if isinstance(value, float)]
    by_name = sorted(zip(runs, weights, strict=True))
    return (fusion.weights is not None, uneven, sum(moved), [-weight for _, weight in by_name])
