"""The most likely grades, and each judge's errors, from labels alone (Dawid & Skene)."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from cranfield.arguments import require_not_negative, require_whole
from cranfield.arrays import Floats, Ints
from cranfield.errors import UsageError
from cranfield.judging.coding import coded
from cranfield.judging.counting import Patterns, patterns_of

ITERATIONS = 2_000
TOLERANCE = 1e-9
"""Iterations end when the log-likelihood of a label grows by less than this."""
NEWTON, HALVED = 5, 20
"""Steps towards the most likely straying and leaning, and how often one is halved that goes too far."""
ROUNDING = 1e-13
STEEPEST = 30.0
"""A judge's errors fade by at most this power of e for each grade further away: none is ever seen."""


@dataclass(frozen=True, eq=False)
class DawidSkene:
    """What labels say about the true categories, and about each judge."""

    categories: tuple[float | str, ...]
    shares: Floats
    """How frequent each category is."""
    errors: Floats
    """Of each judge, the probability of a label (columns) where a category is true (rows)."""
    posterior: Floats
    """Of each item, the probability of each category."""
    likelihoods: tuple[float, ...]
    """The log-likelihood after each iteration, which never falls."""
    converged: bool

    @property
    def iterations(self) -> int:
        """How many there were."""
        return len(self.likelihoods)

    @property
    def accuracy(self) -> Floats:
        """Of each judge, the probability of the true category."""
        return np.asarray((self.errors * self.shares[:, None] * np.eye(len(self.shares))).sum(axis=(-2, -1)))


def dawid_skene(
    labels: Any,
    *,
    graded: bool = False,
    categories: Sequence[float | str] | None = None,
    judge_of: Sequence[int] | None = None,
    iterations: int = ITERATIONS,
    tolerance: float = TOLERANCE,
) -> DawidSkene:
    r"""Dawid and Skene's model: each judge has their own probabilities to mistake a category for another.

    .. math:: P(T_i = k) \propto p_k \prod_j \pi^{(j)}_{k, x_{ij}}

    The true category of item i is k with probability p_k; judge j then labels it l with probability π(j)_kl, whatever
    the others do. Both are estimated from the labels by expectation maximisation, which begins with the share of each
    label on each item and goes on until the log-likelihood grows no more (Dawid & Skene, Applied Statistics 28(1),
    1979, doi:10.2307/2346806). The more a judge agrees with the consensus, the more their labels count. It supposes
    that judges err independently of each other; of two judges it cannot tell whose labels are right, and of a handful
    of items it tells little.

    `graded` has errors go to neighbouring grades: π(j)_kl is proportional to exp(-a_j |l - k| + b_j (l - k)), where a_j
    says how far judge j strays and b_j which way they lean. Two numbers for each judge are estimated instead of
    q (q - 1), so few labels go further.

    `judge_of` says which judge each row is of, where one labelled items several times.

    The third judge errs more often, and is outvoted:

    >>> model = dawid_skene([[0, 0, 1, 1, 1, 0], [0, 0, 1, 1, 1, 0], [0, 1, 1, 0, 1, 0]])
    >>> model.posterior.argmax(axis=1).tolist(), model.converged
    ([0, 0, 1, 1, 1, 0], True)
    """
    require_whole(iterations, "iterations")
    require_not_negative(tolerance, "tolerance")
    known = coded(labels, categories)
    own = np.arange(known.judges) if judge_of is None else np.asarray(judge_of, dtype=np.int64)
    if own.shape != (known.judges,) or (own < 0).any():
        raise UsageError(f"judge_of names the judge of each of {known.judges} rows.")
    if not known.size:
        raise UsageError("There are no labels.")
    patterns = patterns_of(known)
    steps = _Steps(patterns, own, graded)
    posterior = patterns.counts / patterns.counts.sum(axis=1, keepdims=True)
    likelihoods, converged = list[float](), False
    while len(likelihoods) < iterations and not converged:
        steps.maximise(posterior)
        posterior, likelihood = steps.expect()
        likelihoods.append(likelihood)
        converged = len(likelihoods) > 1 and likelihoods[-1] - likelihoods[-2] <= tolerance * steps.labels
    of_item = np.tile(steps.shares, (known.items, 1))
    of_item[known.counts > 0] = posterior[patterns.of_item]
    return DawidSkene(known.categories, steps.shares, steps.errors, of_item, tuple(likelihoods), converged)


class _Steps:
    """The two steps of expectation maximisation, over patterns of labels."""

    def __init__(self, patterns: Patterns, own: Ints, graded: bool) -> None:
        from scipy.sparse import csr_array

        self.patterns = patterns
        self.graded = graded
        self.judges = int(own.max()) + 1
        self.labels = float(patterns.times @ patterns.labels)
        place = own[patterns.of_judge] * patterns.size + patterns.codes
        shape = len(patterns.times), self.judges * patterns.size
        self.given = csr_array((np.ones(len(place)), (patterns.of_pattern, place)), shape=shape)
        self.of_label = self.given.T.tocsr()
        self.leaning = np.tile([-1.0, 0.0], (self.judges, 1))
        self.shares = np.empty(0)
        self.errors = np.empty(0)

    def maximise(self, posterior: Floats) -> None:
        """The parameters most likely where categories have these probabilities."""
        times = self.patterns.times[:, None] * posterior
        self.shares = times.sum(axis=0) / times.sum()
        size = self.patterns.size
        met = (self.of_label @ times).reshape(self.judges, size, size).swapaxes(1, 2)
        if self.graded:
            self.leaning = _leaning(met, self.leaning)
            self.errors = np.exp(_log_errors(self.leaning, self.patterns.size))
            return
        given = met.sum(axis=-1, keepdims=True)
        self.errors = np.where(given > 0, met / np.where(given > 0, given, 1), 1 / self.patterns.size)

    def expect(self) -> tuple[Floats, float]:
        """The probability of each category for each pattern, and the log-likelihood of all labels."""
        with np.errstate(divide="ignore"):
            logs, shares = np.log(self.errors), np.log(self.shares)
        joint = shares + self.given @ logs.swapaxes(1, 2).reshape(-1, self.patterns.size)
        highest = joint.max(axis=1, keepdims=True)
        scaled = np.exp(joint - highest)
        total = scaled.sum(axis=1, keepdims=True)
        return scaled / total, math.fsum((self.patterns.times * (highest + np.log(total))[:, 0]).tolist())


def _log_errors(leaning: Floats, size: int) -> Floats:
    """Of judges who stray and lean, the logarithm of each probability of error."""
    apart = np.subtract.outer(np.arange(size), np.arange(size)).T.astype(np.float64)  # label less truth
    raw = leaning[:, 0, None, None] * np.abs(apart) + leaning[:, 1, None, None] * apart
    highest = raw.max(axis=-1, keepdims=True)
    return raw - highest - np.log(np.exp(raw - highest).sum(axis=-1, keepdims=True))


def _leaning(met: Floats, leaning: Floats) -> Floats:
    """The most likely straying and leaning of each judge: some steps of Newton's, none of them down."""
    size = met.shape[-1]
    apart = np.subtract.outer(np.arange(size), np.arange(size)).T.astype(np.float64)
    moments = np.stack([np.abs(apart), apart])
    chosen = leaning
    height = _height(met, chosen)
    for _ in range(NEWTON):
        probability = np.exp(_log_errors(chosen, size))
        given = met.sum(axis=-1)
        mean = np.einsum("jkl,mkl->jmk", probability, moments)
        gradient = np.einsum("jkl,mkl->jm", met, moments) - np.einsum("jk,jmk->jm", given, mean)
        square = np.einsum("jkl,mkl,nkl->jmnk", probability, moments, moments)
        spread = np.einsum("jk,jmnk->jmn", given, square - mean[:, :, None] * mean[:, None])
        step = np.linalg.solve(spread + 1e-9 * np.eye(2), gradient[..., None])[..., 0]
        size_of_step = np.ones(len(met))
        for _ in range(HALVED):
            tried = np.clip(chosen + size_of_step[:, None] * step, -STEEPEST, STEEPEST)
            reached = _height(met, tried)
            worse = reached < height - ROUNDING * np.abs(height)
            if not worse.any():
                break
            size_of_step = np.where(worse, size_of_step / 2, size_of_step)
        tried = np.where(worse[:, None], chosen, tried)
        moved = float(np.abs(tried - chosen).max())
        chosen, height = tried, _height(met, tried)
        if moved < 1e-8:
            break
    return chosen


def _height(met: Floats, leaning: Floats) -> Floats:
    return np.asarray((met * _log_errors(leaning, met.shape[-1])).sum(axis=(-2, -1)))
