"""Click-through rates: how often results are clicked, by nothing, by rank, or by document."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar, Self

import numpy as np

from cranfield.arrays import Bools, Floats
from cranfield.click_models.model import ClickModel, Decide, Fitting
from cranfield.data.click_log import ImpressionBlock, QueryDocumentPairs


class _Rate(ClickModel):
    """A rate of clicks for each of some cells; clicks above do not matter."""

    by: ClassVar[str]
    cite = "Chuklin, Markov & de Rijke, Click Models for Web Search, 2015, section 3.1"
    relevance_is = "click-through rate"

    @classmethod
    def shapes(cls) -> Mapping[str, str]:
        """One rate."""
        return {"rate": cls.by}

    @classmethod
    def fit_block(cls, pairs: QueryDocumentPairs, block: ImpressionBlock, fitting: Fitting) -> Self:
        """Clicks out of results shown."""
        return cls.fit_counts(pairs, block, fitting)

    @classmethod
    def counted(cls, block: ImpressionBlock) -> Mapping[str, tuple[Bools, Bools]]:
        """Clicks out of results shown."""
        return {"rate": (block.click, block.shown)}

    def walk(self, block: ImpressionBlock, decide: Decide) -> Floats:
        """The rates, whatever was clicked."""
        rates = self.expected(block)
        for rank in range(block.depth):
            decide(rank, rates[rank])
        return rates

    def relevance(self) -> tuple[Floats, Floats]:
        """The rates of documents."""
        rate = self.parameters["rate"]
        return rate.values[:-1], rate.evidence[:-1]


class GCTR(_Rate):
    r"""One rate of clicks for all results: the baseline of every other model.

    .. math:: P(C_r = 1) = \rho

    Two clicks on five results, with one in two in advance:

    >>> import cranfield as cf
    >>> log = cf.read_clicks([{"query": "q", "documents": list("abcde"), "clicks": [1, 0, 1, 0, 0]}])
    >>> print(GCTR.fit(log).parameters["rate"].values.round(4))
    [0.4286]
    """

    name = "GCTR"
    by = "all"
    says_relevance = False

    def expected(self, block: ImpressionBlock) -> Floats:
        """The same everywhere."""
        return np.full(block.pair.shape, self.parameters["rate"].values[0])


class RCTR(_Rate):
    r"""A rate of clicks for each rank, whatever document stands there.

    .. math:: P(C_r = 1) = \rho_r

    >>> import cranfield as cf
    >>> log = cf.read_clicks([{"query": "q", "documents": ["a", "b"], "clicks": [1, 0]}])
    >>> print(RCTR.fit(log).parameters["rate"].values.round(4))
    [0.6667 0.3333]
    """

    name = "RCTR"
    by = "rank"
    says_relevance = False

    def expected(self, block: ImpressionBlock) -> Floats:
        """The rate of each rank."""
        return np.repeat(self.at_rank("rate", block.depth), block.count, axis=1)


class DCTR(_Rate):
    r"""A rate of clicks for each query and document, wherever the document stands.

    .. math:: P(C_r = 1) = \rho_{q d_r}

    >>> import cranfield as cf
    >>> rows = [{"query": "q", "documents": ["a", "b"], "clicks": [1, 0]}] * 2
    >>> print(DCTR.fit(cf.read_clicks(rows), Fitting(prior=(1, 1))).relevance()[0])
    [0.75 0.25]
    """

    name = "DCTR"
    by = "document"

    def expected(self, block: ImpressionBlock) -> Floats:
        """The rate of each document."""
        return self.value("rate", block)
