"""Models in which a click takes two things: somebody looks, and what they see attracts them."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping
from typing import NamedTuple, Self

import numpy as np
import numpy.typing as npt

from cranfield.arrays import Bools, Floats, Ints
from cranfield.click_models.model import ClickModel, Decide, Fitting, Parameter, looks, maximised
from cranfield.data.click_log import ImpressionBlock, QueryDocumentPairs, distinct, summed
from cranfield.kernels import are_compiled


class _Cells(NamedTuple):
    """Results that are alike to a model, once each: a pair, where it was seen, and how often it was clicked there."""

    pair: Ints
    place: Ints
    clicks: Floats
    others: Floats


class _Examination(ClickModel):
    """Examination by place, attraction by document; a place is what decides whether somebody looks."""

    @classmethod
    @abstractmethod
    def _places(cls, block: ImpressionBlock) -> tuple[npt.NDArray[np.integer], tuple[int, ...]]:
        """The place of every result, and the shape of all places."""

    @classmethod
    def _cells(cls, block: ImpressionBlock) -> tuple[_Cells, tuple[int, ...]]:
        """Results that are alike, and the shape of all places."""
        if cls.name not in block.kept:
            places, shape = cls._places(block)
            keys = block.pair.astype(np.int64) * int(np.prod(shape))
            keys += places
            block.kept[cls.name] = *distinct(keys[block.shown]), shape
        cells, member, shape = block.kept[cls.name]
        count = int(np.prod(shape))
        weight = np.broadcast_to(block.weight, block.pair.shape)[block.shown]
        clicks = summed(member, weight * block.click[block.shown], len(cells))
        return _Cells(cells // count, cells % count, clicks, summed(member, weight, len(cells)) - clicks), shape

    @classmethod
    def fit_block(cls, pairs: QueryDocumentPairs, block: ImpressionBlock, fitting: Fitting) -> Self:
        """By expectation-maximization over results that are alike."""
        seen, shape = cls._cells(block)
        count, anchored = len(pairs) + 1, fitting.anchored
        tried = summed(seen.place, seen.clicks + seen.others, int(np.prod(shape)))

        def improve(values: tuple[Floats, ...]) -> tuple[Floats, ...]:
            won, looked, of_places = _sums(seen, *values, unseen=fitting.unseen)
            better = fitting.mean(won, looked, "document"), fitting.mean(of_places, tried, "rank")
            if anchored:
                better[1][0] = 1.0
            return better

        start = np.full(count, fitting.start), np.full(len(tried), fitting.start)
        if anchored:
            start[1][0] = 1.0
        ended = maximised(start, improve, fitting)
        attraction, examination = ended.values
        there, where = attraction[seen.pair], examination[seen.place]
        chance = where * (1 - there) / (1 - where * there)
        clicks = summed(seen.pair, seen.clicks, count)
        looked = clicks + summed(seen.pair, seen.others * chance, count)
        certain = summed(seen.pair, seen.others * chance**2, count)
        prior = fitting.prior_of(clicks, looked, "document")
        worth = looks(attraction, (clicks, certain, np.zeros(count)), prior)
        by, weighed = cls.shapes()["examination"], tried + sum(fitting.prior or (1.0, 1.0))
        parameters = {
            "attraction": Parameter("document", attraction, worth),
            "examination": Parameter(by, examination.reshape(shape), weighed.reshape(shape)),
        }
        return cls(pairs, parameters, fitting, ended.rounds, ended.converged)


class PBM(_Examination):
    r"""Position-based model: people look at a rank with a probability of its own, and click what attracts them.

    .. math:: P(C_r = 1) = \gamma_r \, \alpha_{q d_r}

    Craswell et al., WSDM 2008, doi:10.1145/1341531.1341545. Clicks tell only the products; unless `anchored` is
    switched off, the first rank is taken to be always looked at.

    Two documents that change places, each clicked in half of the impressions at the first rank and in a quarter at the
    second: they are equally attractive, and the second rank is looked at half as often.

    >>> import cranfield as cf
    >>> clicks = [[1, 0]] * 3 + [[1, 1]] + [[0, 1]] + [[0, 0]] * 3
    >>> rows = [{"query": "q", "documents": list(order), "clicks": c} for order in ("ab", "ba") for c in clicks]
    >>> model = PBM.fit(cf.read_clicks(rows), Fitting(prior=(1e-9, 1e-9), tolerance=1e-9))
    >>> print(model.parameters["examination"].values.round(3), model.relevance()[0].round(3))
    [1.  0.5] [0.5 0.5]
    """

    name = "PBM"
    cite = "Craswell, Zoeter, Taylor & Ramsey, WSDM 2008, doi:10.1145/1341531.1341545"

    @classmethod
    def shapes(cls) -> Mapping[str, str]:
        """Attraction and examination."""
        return {"attraction": "document", "examination": "rank"}

    def expected(self, block: ImpressionBlock) -> Floats:
        """Examination times attraction."""
        return self.at_rank("examination", block.depth) * self.value("attraction", block)

    def walk(self, block: ImpressionBlock, decide: Decide) -> Floats:
        """The same, whatever was clicked."""
        probability = self.expected(block)
        for rank in range(block.depth):
            decide(rank, probability[rank])
        return probability

    @classmethod
    def _places(cls, block: ImpressionBlock) -> tuple[npt.NDArray[np.integer], tuple[int, ...]]:
        return np.broadcast_to(block.ranks, block.pair.shape), (block.depth,)


class UBM(_Examination):
    r"""User browsing model: whether people look depends on the rank and on where they clicked last.

    .. math:: P(C_r = 1 \mid C_{<r}) = \gamma_{r r'} \, \alpha_{q d_r}

    r' is the rank of the nearest click above r, or none. Dupret & Piwowarski, SIGIR 2008,
    doi:10.1145/1390334.1390392. As in PBM only products can be estimated; with `anchored`, the first rank is always
    looked at. The parameter is held by rank and, in its second axis, r': first none, then rank 1 and so on.

    After a click on the first result nobody looks at the second; without one, everybody does:

    >>> import cranfield as cf
    >>> rows = [{"query": "q", "documents": ["a", "b"], "clicks": c} for c in [[1, 0]] * 50 + [[0, 1]] * 50]
    >>> model = UBM.fit(cf.read_clicks(rows), Fitting(iterations=500))
    >>> print((model.parameters["examination"].values[1, :2] > 0.5).tolist())
    [True, False]
    """

    name = "UBM"
    cite = "Dupret & Piwowarski, SIGIR 2008, doi:10.1145/1390334.1390392"

    @classmethod
    def shapes(cls) -> Mapping[str, str]:
        """Attraction and examination."""
        return {"attraction": "document", "examination": "rank and last click"}

    def expected(self, block: ImpressionBlock) -> Floats:
        """The sum over where the last click above may be."""
        examination, attraction = self._examination(block.depth), self.value("attraction", block)
        probability = np.zeros(attraction.shape)
        # By where the last click is: the probability that it is there, and none since.
        last = [np.ones(block.count)]
        for rank in range(block.depth):
            clicks = [attraction[rank] * examination[rank, at] for at in range(len(last))]
            probability[rank] = sum(here * click for here, click in zip(last, clicks, strict=True))
            last = [here * (1 - click) for here, click in zip(last, clicks, strict=True)]
            last.append(probability[rank])
        return probability

    def walk(self, block: ImpressionBlock, decide: Decide) -> Floats:
        """Examination by the last click so far, times attraction."""
        examination, probability = self._examination(block.depth), self.value("attraction", block)
        last = np.zeros(block.count, dtype=np.int64)
        for rank in range(block.depth):
            probability[rank] *= examination[rank, last]
            clicked: Bools = decide(rank, probability[rank])
            last[clicked] = rank + 1
        return probability

    def _examination(self, depth: int) -> Floats:
        values = self.parameters["examination"].values
        examination = np.full((max(depth, len(values)), max(depth, len(values)) + 1), self.fitting.start)
        examination[: values.shape[0], : values.shape[1]] = values
        return examination

    @classmethod
    def _places(cls, block: ImpressionBlock) -> tuple[npt.NDArray[np.integer], tuple[int, ...]]:
        width = block.depth + 1
        return block.ranks * width + block.before + 1, (block.depth, width)


def _sums(seen: _Cells, attraction: Floats, examination: Floats, *, unseen: bool) -> tuple[Floats, Floats, Floats]:
    """Successes and trials of every pair, and looks at every place, as parameters lead to expect."""
    if are_compiled():
        from cranfield.kernels.compiled import sum_cells

        sums = np.zeros(len(attraction)), np.zeros(len(attraction)), np.zeros(len(examination))
        if sum_cells(attraction, examination, *seen, unseen, *sums):
            return sums
    attracts, examined = attraction[seen.pair], examination[seen.place]
    unclicked = seen.others / (1 - attracts * examined)
    looked = seen.clicks + unclicked * examined * (1 - attracts)
    missed = unclicked * (1 - examined) if unseen else 0.0
    return (
        summed(seen.pair, seen.clicks + attracts * missed, len(attraction)),
        summed(seen.pair, looked + missed, len(attraction)),
        summed(seen.place, looked, len(examination)),
    )
