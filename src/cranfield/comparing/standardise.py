"""Scores on a common scale: how unusual each is among the systems for its query."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from cranfield.arrays import Floats
from cranfield.comparing.paired import TOLERANCE, score_table
from cranfield.errors import UsageError


def z_scores(scores: npt.ArrayLike, reference: npt.ArrayLike | None = None) -> Floats:
    r"""Each score as its distance from the query's mean over systems, in standard deviations.

    .. math:: z_{sq} = (x_{sq} - \bar x_q) / s_q

    Easy and hard queries then weigh the same in a mean, and means over different queries can be compared. Mean and
    standard deviation (divisor m - 1) are those of the systems themselves or, to keep them fixed when systems come and
    go, of `reference` systems for the same queries (Webber, Moffat & Zobel, SIGIR 2008, doi:10.1145/1390334.1390346).

    Undefined scores stay so and do not count in the mean. Where all systems of the reference score the same, that score
    is 0 and any other is undefined; so is every score where the reference has fewer than two.

    >>> z_scores([[0, 0.5], [1, 0.5], [2, 0.5]])
    array([[-1.,  0.],
           [ 0.,  0.],
           [ 1.,  0.]])
    """
    table = score_table(scores)
    among = table if reference is None else score_table(reference)
    if among.shape[1] != table.shape[1]:
        raise UsageError(
            f"Reference systems have the same queries; these have {among.shape[1]}, the others {table.shape[1]}."
        )
    known = ~np.isnan(among)
    counts = known.sum(axis=0)
    values = np.where(known, among, 0.0)
    means = values.sum(axis=0) / np.maximum(counts, 1)
    squares = (np.where(known, values - means, 0.0) ** 2).sum(axis=0)
    deviations = np.sqrt(squares / np.maximum(counts - 1, 1))
    rounding = TOLERANCE * np.abs(values).max(axis=0, initial=0.0)
    from_mean = table - means
    with np.errstate(divide="ignore", invalid="ignore"):
        z = np.where(
            deviations > rounding, from_mean / deviations, np.where(np.abs(from_mean) <= rounding, 0.0, np.nan)
        )
    return np.where((counts > 1) & ~np.isnan(table), z, np.nan)


def standardised(scores: npt.ArrayLike, reference: npt.ArrayLike | None = None) -> Floats:
    r"""Each score as the share of systems that would score lower, were they normally distributed: Φ(z).

    .. math:: \Phi(z) = \int_{-\infty}^{z} \tfrac{1}{\sqrt{2\pi}} e^{-u^2/2} \, du

    Between 0 and 1, and 0.5 is the query's mean; outliers count less than in z-scores (Webber, Moffat & Zobel, SIGIR
    2008, doi:10.1145/1390334.1390346). The rest is as for `z_scores`.

    >>> standardised([[0.2], [0.4], [0.6]]).round(4).ravel()
    array([0.1587, 0.5   , 0.8413])
    """
    from scipy.special import ndtr

    return np.asarray(ndtr(z_scores(scores, reference)), dtype=np.float64)
