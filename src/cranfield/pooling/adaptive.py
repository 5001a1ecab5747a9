"""Strategies that learn from each label where the next one pays: runs are the arms of a bandit."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from heapq import heappop, heappush
from typing import NamedTuple, Protocol

import numpy as np

from cranfield.pooling.candidates import Candidates, Rankings, rng_for

Outcome = Callable[[str, str], bool | None]
"""Whether a document is relevant to a query; None where nobody has judged it."""


class JudgingStep(NamedTuple):
    """A document whose turn it is."""

    query: str
    document: str
    value: float
    """What the strategy expected of the run that gave it."""
    relevant: bool | None


class Learner(Protocol):
    """What a strategy thinks of the runs of one query."""

    def values(self) -> Sequence[float]:
        """How much each run promises; the one that promises most is played."""

    def learn(self, run: int, *, relevant: bool) -> None:
        """What the document was that a run gave."""


class MoveToFront:
    """Move-to-front: stay with a run as long as it gives relevant documents.

    All runs begin with the same priority. One with the highest gives its next document. While these are relevant
    it stays; an irrelevant one takes 1 from its priority, and the run at the front is asked (Cormack, Palmer & Clarke,
    SIGIR 1998, doi:10.1145/290941.291009).

    >>> learner = MoveToFront(3)
    >>> learner.learn(0, relevant=True), learner.learn(0, relevant=False)
    (None, None)
    >>> learner.values()
    [-1.0, 0.0, 0.0]
    """

    def __init__(self, runs: int) -> None:
        self.priorities = [0.0] * runs
        self.current: int | None = None

    def values(self) -> list[float]:
        """Priorities; the run that just gave a relevant document is before others of the same."""
        priorities = list(self.priorities)
        if self.current is not None:
            priorities[self.current] += 0.5
        return priorities

    def learn(self, run: int, *, relevant: bool) -> None:
        """Stay, or go back a place."""
        self.current = run if relevant else None
        self.priorities[run] -= not relevant


class MaxMean:
    r"""Bayesian max-mean bandit, non-stationary (MM-NS): the run with the largest expected rate of relevant documents.

    .. math:: \frac{\alpha_s}{\alpha_s + \beta_s}, \quad \alpha_s = 1 + r_s, \quad \beta_s = 1 + (1 - r_s)

    r_s is 1 if the last document that run s gave was relevant and 0 if not; a run that gave none yet has
    α = β = 1. Nothing older counts, because the further down a run, the fewer of its documents are relevant (Losada,
    Parapar & Barreiro, Information Processing & Management 53(5), 2017, doi:10.1016/j.ipm.2017.04.005).

    >>> learner = MaxMean(3)
    >>> learner.learn(0, relevant=True), learner.learn(1, relevant=False)
    (None, None)
    >>> [round(value, 4) for value in learner.values()]
    [0.6667, 0.3333, 0.5]
    """

    def __init__(self, runs: int) -> None:
        self.posteriors = [(1, 1)] * runs

    def values(self) -> list[float]:
        """The mean of each run's Beta distribution."""
        return [alpha / (alpha + beta) for alpha, beta in self.posteriors]

    def learn(self, run: int, *, relevant: bool) -> None:
        """Only the last outcome counts."""
        self.posteriors[run] = (2, 1) if relevant else (1, 2)


class Thompson:
    """Thompson sampling: runs are drawn as often as they are likely to be the best.

    Every run's rate of relevant documents has a Beta distribution, of 1 + relevant and 1 + irrelevant documents it gave
    so far. One rate is drawn from each, and the run with the largest is played (Losada, Parapar & Barreiro, 2017).
    """

    def __init__(self, runs: int, rng: np.random.Generator) -> None:
        self.rng = rng
        self.counts = np.ones((2, runs))

    def values(self) -> list[float]:
        """A rate for each run, drawn again."""
        drawn: list[float] = self.rng.beta(self.counts[0], self.counts[1]).tolist()
        return drawn

    def learn(self, run: int, *, relevant: bool) -> None:
        """One more outcome."""
        self.counts[0 if relevant else 1, run] += 1


def learner_for(strategy: str, runs: int, rng: np.random.Generator) -> Learner:
    """The learner of a strategy by its name."""
    if strategy == "thompson":
        return Thompson(runs, rng)
    return MoveToFront(runs) if strategy == "mtf" else MaxMean(runs)


class Arms:
    """The runs of one query; one after the other gives its next document that had no turn yet."""

    def __init__(
        self, query: str, rankings: Rankings, learner: Learner, rng: np.random.Generator | None = None
    ) -> None:
        self.query = query
        self.rng = rng
        """Draws one of runs that promise the same; without it that is the first."""
        self.rankings = rankings
        self.learner = learner
        self.at = [0] * len(rankings)
        self.had: set[str] = set()
        self.value, self.run = -np.inf, -1
        self._choose()

    @property
    def is_open(self) -> bool:
        """Whether any document is left."""
        return self.run >= 0

    def play(self, outcome: Outcome) -> JudgingStep:
        """The next document; one that nobody has judged counts as irrelevant until somebody does."""
        run = self.run
        document = self.rankings[run][self.at[run]]
        self.had.add(document)
        relevant = outcome(self.query, document)
        step = JudgingStep(self.query, document, self.value, relevant)
        self.learner.learn(run, relevant=bool(relevant))
        self._choose()
        return step

    def _choose(self) -> None:
        for run, ranking in enumerate(self.rankings):
            while self.at[run] < len(ranking) and ranking[self.at[run]] in self.had:
                self.at[run] += 1
        left = [run for run, ranking in enumerate(self.rankings) if self.at[run] < len(ranking)]
        if not left:
            self.run = -1
            return
        values = self.learner.values()
        self.value = max(values[run] for run in left)
        equal = [run for run in left if values[run] == self.value]
        self.run = equal[0] if self.rng is None or len(equal) == 1 else equal[int(self.rng.integers(len(equal)))]


def arms_of(candidates: Candidates, query: str, strategy: str, seed: int) -> Arms:
    """The runs of a query; of runs that promise the same, one is drawn."""
    rng, rankings = rng_for(seed, query, strategy), candidates.of[query]
    return Arms(query, rankings, learner_for(strategy, len(rankings), rng), rng)


def played(candidates: Candidates, strategy: str, outcome: Outcome, seed: int) -> Iterator[JudgingStep]:
    """All queries together: the next label goes to the query whose best run promises most.

    Of queries that promise the same, the one with the fewest labels comes first.
    """
    arms = [arms_of(candidates, query, strategy, seed) for query in candidates.of]
    waiting: list[tuple[float, int, int]] = []
    for at, of in enumerate(arms):
        if of.is_open:
            heappush(waiting, (-of.value, 0, at))
    while waiting:
        _, labels, at = heappop(waiting)
        yield arms[at].play(outcome)
        if arms[at].is_open:
            heappush(waiting, (-arms[at].value, labels + 1, at))


def played_alone(
    candidates: Candidates, query: str, strategy: str, outcome: Outcome, seed: int
) -> Iterator[JudgingStep]:
    """One query by itself."""
    arms = arms_of(candidates, query, strategy, seed)
    while arms.is_open:
        yield arms.play(outcome)
