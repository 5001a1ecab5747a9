"""What a click model is: parameters, the clicks they lead to expect, and what they say of relevance."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import ClassVar, NamedTuple, Self

import numpy as np
import numpy.typing as npt

from cranfield.arguments import require_not_negative, require_whole
from cranfield.arrays import Bools, Floats
from cranfield.data.click_log import ClickLog, ImpressionBlock, QueryDocumentPairs, summed
from cranfield.errors import UsageError

Decide = Callable[[int, Floats], Bools]
"""The clicks at a rank, from their probabilities."""

ITERATIONS = 300
TOLERANCE = 1e-4
EDGE = 1e-6
"""No parameter is guessed to be nearer to 0 or 1 than this."""
LOOKS = 0.5
"""What the average document is worth where no other prior is said."""


@dataclass(frozen=True)
class Fitting:
    """The choices of a fit that no model makes."""

    prior: tuple[float, float] | None = None
    """Successes and failures that every parameter has seen in advance: of c clicks in n looks it becomes
    (c + 1) / (n + 2) with (1, 1). Without any said, documents have seen half a look at the average document, which
    leaves one that hardly anybody saw near the average; and the few other parameters (1, 1)."""
    iterations: int = ITERATIONS
    """Rounds of expectation-maximization, at most."""
    tolerance: float = TOLERANCE
    """Rounds end when no parameter changes by more than this; with 0 all are done."""
    anchored: bool = True
    """Whether the first rank is taken to be always looked at. Clicks tell only products of examination and attraction;
    unanchored, the prior alone decides what belongs to which."""
    unseen: bool = False
    """Whether results that nobody looked at are guessed and counted as well. That ends at the same parameters, more
    slowly; rounds that are counted, as PyClick's, need it to be the same."""
    stops: bool = True
    """Whether DCM and SDBN take the last click for the end of reading, as their papers do to have their parameters
    in closed form. Otherwise how far people read on is estimated, too."""

    def __post_init__(self) -> None:
        if self.prior is not None and not (len(self.prior) == 2 and min(self.prior) > 0):
            raise UsageError(f"prior must be two numbers above 0, successes and failures, not {self.prior!r}.")
        require_whole(self.iterations, "iterations")
        require_not_negative(self.tolerance, "tolerance")

    @property
    def start(self) -> float:
        """What a parameter is before anything was seen, and one of ranks stays where nothing is."""
        successes, failures = self.prior or (1.0, 1.0)
        return successes / (successes + failures)

    def mean(self, successes: npt.ArrayLike, trials: npt.ArrayLike, by: str) -> Floats:
        """A parameter from what was counted."""
        won, lost = self.prior_of(successes, trials, by)
        estimate: Floats = (np.asarray(successes) + won) / (np.asarray(trials) + won + lost)
        return estimate

    def prior_of(self, successes: npt.ArrayLike, trials: npt.ArrayLike, by: str) -> tuple[float, float]:
        """What was seen in advance of a parameter with these counts."""
        if self.prior is not None or by != "document":
            return self.prior or (1.0, 1.0)
        average = (float(np.sum(successes)) + 1) / (float(np.sum(trials)) + 2)
        return LOOKS * average, LOOKS * (1 - average)


PYCLICK = Fitting(prior=(1.0, 1.0), iterations=50, tolerance=0, anchored=False, unseen=True)
"""As PyClick fits: one success in two trials in advance, fifty rounds, nothing anchored."""


class EventCounts(NamedTuple):
    """How often something happened, and out of how many times; sums of impressions."""

    won: Floats
    tried: Floats

    def parameter(self, by: str, fitting: Fitting) -> Parameter:
        """The probability that is simply counted."""
        worth = self.tried + sum(fitting.prior_of(self.won, self.tried, by))
        return Parameter(by, fitting.mean(self.won, self.tried, by), worth)


class Parameter(NamedTuple):
    """Probabilities that a model has learnt."""

    by: str
    """What there is one for: `document` (and query), `rank`, `rank and last click`, or `all`."""
    values: Floats
    evidence: Floats
    """How many looks each is worth, the prior included: that many, all seen, would leave it as uncertain."""


@dataclass(frozen=True, eq=False)
class ClickModel(ABC):
    """A model of how people come to click, with parameters for the pairs of a log."""

    pairs: QueryDocumentPairs
    parameters: Mapping[str, Parameter]
    fitting: Fitting = field(default_factory=Fitting)
    rounds: int = 1
    """How many rounds the fit took."""
    converged: bool = True

    name: ClassVar[str]
    cite: ClassVar[str]
    says_relevance: ClassVar[bool] = True
    """Whether it tells documents apart."""
    needs_sessions: ClassVar[bool] = False
    """Whether it takes the queries of a session together."""
    relevance_is: ClassVar[str] = "attraction"
    """The parameters whose product is the relevance of a document, in words."""

    @classmethod
    def fit(cls, log: ClickLog, fitting: Fitting | None = None) -> Self:
        """The model whose parameters fit a log best."""
        block = log.session_block if cls.needs_sessions else log.block
        return cls.fit_block(log.pairs, block, fitting or Fitting())

    @classmethod
    @abstractmethod
    def fit_block(cls, pairs: QueryDocumentPairs, block: ImpressionBlock, fitting: Fitting) -> Self:
        """The same from arrays by rank."""

    @classmethod
    def counted(cls, block: ImpressionBlock) -> Mapping[str, tuple[Bools, Bools]]:
        """Of a model that needs no rounds: what happened, and out of what, for each of its parameters."""
        raise NotImplementedError(f"{cls.name} is not counted")

    @classmethod
    def fit_counts(cls, pairs: QueryDocumentPairs, block: ImpressionBlock, fitting: Fitting) -> Self:
        """The model whose parameters are counted."""
        sizes = {"document": len(pairs) + 1, "rank": block.depth, "all": 1}
        codes: Mapping[str, npt.NDArray[np.integer]] = {
            "document": block.pair,
            "rank": np.broadcast_to(block.ranks, block.pair.shape),
            "all": np.broadcast_to(0, block.pair.shape),
        }
        parameters = {}
        for name, events in cls.counted(block).items():
            by = cls.shapes()[name]
            tally = EventCounts(*(summed(codes[by], event * block.weight, sizes[by]) for event in events))
            parameters[name] = tally.parameter(by, fitting)
        return cls(pairs, parameters, fitting)

    @classmethod
    def given(cls, log: ClickLog, **values: npt.ArrayLike) -> Self:
        """A model with parameters that are known, for the pairs of a log in their order; for simulations."""
        fitting = Fitting()
        parameters = {}
        for name, by in cls.shapes().items():
            array = np.atleast_1d(np.asarray(values[name], dtype=np.float64))
            if by == "document":
                array = np.append(np.broadcast_to(array, len(log.pairs)), fitting.start)
            parameters[name] = Parameter(by, array, np.full(array.shape, np.inf))
        return cls(log.pairs, parameters, fitting)

    @classmethod
    @abstractmethod
    def shapes(cls) -> Mapping[str, str]:
        """The parameters by name, and what there is one of each for."""

    @abstractmethod
    def walk(self, block: ImpressionBlock, decide: Decide) -> Floats:
        """From the first rank down: the probability of a click given those above, which `decide` tells."""

    @abstractmethod
    def expected(self, block: ImpressionBlock) -> Floats:
        """The probability of a click at each rank, whatever happens above it."""

    def block(self, log: ClickLog) -> ImpressionBlock:
        """A log as arrays by rank, with what this model looks at."""
        return self.pairs.block(log, in_sessions=self.needs_sessions)

    def conditional(self, block: ImpressionBlock) -> Floats:
        """The probability of a click at each rank, given the clicks above it."""
        return self.walk(block, lambda rank, _: block.click[rank])

    def simulate(self, log: ClickLog, rng: np.random.Generator) -> ClickLog:
        """The impressions of a log with clicks drawn from this model."""
        block = self.block(log)
        drawn = np.zeros(block.click.shape, dtype=np.bool_)

        def decide(rank: int, probability: Floats) -> Bools:
            drawn[rank] = (rng.random(block.count) < probability) & block.shown[rank]
            return drawn[rank]

        self.walk(block, decide)
        return log.with_clicks(drawn.T[block.shown.T])

    def value(self, name: str, block: ImpressionBlock) -> Floats:
        """A parameter of documents, as it applies to each rank of each impression."""
        values: Floats = self.parameters[name].values[block.pair]
        return values

    def at_rank(self, name: str, depth: int) -> Floats:
        """A parameter of ranks for so many of them; ranks that were never seen have what the prior says."""
        values = self.parameters[name].values
        missing = np.full(max(depth - len(values), 0), self.fitting.start)
        return np.concatenate([values, missing])[:depth, None]

    def relevance(self) -> tuple[Floats, Floats]:
        """The relevance of each pair, and how many looks that is worth."""
        attraction = self.parameters["attraction"]
        return attraction.values[:-1], attraction.evidence[:-1]

    def __repr__(self) -> str:
        ended = f"{self.rounds} round{'s' * (self.rounds > 1)}" + ("" if self.converged else ", not converged")
        return f"{self.name}({len(self.pairs):,} pairs; {', '.join(self.parameters)}; {ended})"


class Estimates(NamedTuple):
    """Where rounds of expectation-maximization ended."""

    values: tuple[Floats, ...]
    rounds: int
    converged: bool


def maximised(
    start: tuple[Floats, ...], improve: Callable[[tuple[Floats, ...]], tuple[Floats, ...]], fitting: Fitting
) -> Estimates:
    """Parameters improved round by round, until they stay as they are.

    Rounds become shorter and shorter steps in much the same direction, so every third one begins where two of them
    point to (SQUAREM: Varadhan & Roland, Scandinavian Journal of Statistics 35, 2008). Where all rounds are to be done,
    they are left as they are.
    """
    values, before = start, None
    for done in range(1, fitting.iterations + 1):
        better = improve(values)
        if _distance(better, values) <= fitting.tolerance:
            return Estimates(better, done, converged=True)
        if before is not None and fitting.tolerance > 0:
            values, before = _further(before, values, better), None
        else:
            values, before = better, values
    return Estimates(better, fitting.iterations, converged=fitting.tolerance == 0)


def _distance(one: tuple[Floats, ...], other: tuple[Floats, ...]) -> float:
    return max(float(np.abs(new - old).max()) for new, old in zip(one, other, strict=True))


def _further(first: tuple[Floats, ...], second: tuple[Floats, ...], third: tuple[Floats, ...]) -> tuple[Floats, ...]:
    """Where three rounds of parameters are heading."""
    courses = [Course.of(*rounds) for rounds in zip(first, second, third, strict=True)]
    squares = (float(sum((getattr(course, name) ** 2).sum() for course in courses)) for name in ("step", "bend"))
    stretch = stretched_by(*squares)
    return tuple(course.after(stretch) for course in courses)


class Course(NamedTuple):
    """Where three rounds of a parameter are heading."""

    start: Floats
    step: Floats
    bend: Floats

    @classmethod
    def of(cls, first: Floats, second: Floats, third: Floats) -> Course:
        """That of three rounds."""
        step = second - first
        return cls(first, step, third - second - step)

    def after(self, stretch: float) -> Floats:
        """Where the parameter is after so many steps at once."""
        found: Floats = np.clip(self.start + 2 * stretch * self.step + stretch**2 * self.bend, EDGE, 1 - EDGE)
        return found


def stretched_by(steps: float, bends: float) -> float:
    """How many steps to take at once, by the sums of the squares of steps and bends.

    >>> stretched_by(4.0, 1.0), stretched_by(1.0, 4.0), stretched_by(1.0, 0.0)
    (2.0, 1.0, 1.0)
    """
    long, bent = steps**0.5, bends**0.5
    return max(long / bent, 1.0) if bent > 0 else 1.0


def looks(probability: Floats, squares: tuple[Floats, Floats, Floats], prior: tuple[float, float]) -> Floats:
    r"""How many looks a probability is worth, by what each impression tells of it (Louis, JRSS B 44, 1982).

    .. math:: p (1 - p) \sum \Big( \frac{s}{p} - \frac{f}{1-p} \Big)^2

    s and f are the expected success and failure in one impression: 1 and 0 for a click, 0 and q where there was none
    and somebody looked with probability q. Given are the sums of s², of f², and of s f; the prior is added.

    Two clicks in four looks, all of them seen, and two of the prior, are worth six looks:

    >>> print(looks(np.array([0.5]), (np.array([2.0]), np.array([2.0]), np.array([0.0])), (1, 1)))
    [6.]
    """
    successes, failures, both = squares
    odds = probability / (1 - probability)
    worth: Floats = (successes + prior[0]) / odds + (failures + prior[1]) * odds - 2 * both
    return worth
