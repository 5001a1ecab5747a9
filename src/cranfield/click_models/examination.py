"""Models in which a click takes two things: somebody looks, and what they see attracts them."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping, Sequence
from typing import NamedTuple, Self

import numpy as np

from cranfield.arrays import Bools, Floats, Ints
from cranfield.click_models.model import ClickModel, Decide, EventCounts, Fitting, Parameter, looks, maximised
from cranfield.data.click_log import ImpressionBlock, QueryDocumentPairs, distinct, summed
from cranfield.kernels import are_compiled


class Cells(NamedTuple):
    """Results that are alike to a model, once each: a pair, where it was seen, and how often it was clicked there."""

    pair: Ints
    place: Ints
    clicks: Floats
    others: Floats


class ExaminationModel(ClickModel):
    """Examination by place, attraction by document; a place is what decides whether somebody looks."""

    @classmethod
    @abstractmethod
    def places(cls, block: ImpressionBlock) -> Sequence[Ints]:
        """The place of every result: its rank, from 0, and what else there is."""

    @classmethod
    @abstractmethod
    def place_shape(cls, depth: int) -> tuple[int, ...]:
        """The shape of all places of so many ranks."""

    @classmethod
    def _cells(cls, block: ImpressionBlock) -> Cells:
        """Results that are alike."""
        shape = cls.place_shape(block.depth)
        count = int(np.prod(shape))
        if cls.name not in block.kept:
            keys = block.pair.astype(np.int64) * count
            keys += place_codes(cls.places(block), shape)
            block.kept[cls.name] = distinct(keys[block.shown])
        cells, member = block.kept[cls.name]
        weight = np.broadcast_to(block.weight, block.pair.shape)[block.shown]
        clicks = summed(member, weight * block.click[block.shown], len(cells))
        return Cells(cells // count, cells % count, clicks, summed(member, weight, len(cells)) - clicks)

    @classmethod
    def fit_block(cls, pairs: QueryDocumentPairs, block: ImpressionBlock, fitting: Fitting) -> Self:
        """By expectation-maximization over results that are alike."""
        seen, shape = cls._cells(block), cls.place_shape(block.depth)
        count = len(pairs) + 1
        tried = summed(seen.place, seen.clicks + seen.others, int(np.prod(shape)))

        def improve(values: tuple[Floats, ...]) -> tuple[Floats, ...]:
            won, looked, of_places = _sums(seen, *values, unseen=fitting.unseen)
            return fitting.mean(won, looked, "document"), examination_of(EventCounts(of_places, tried), fitting)

        start = np.full(count, fitting.start), first_examination(len(tried), fitting)
        ended = maximised(start, improve, fitting)
        attraction, examination = ended.values
        looks_at = LooksAt.of(seen, attraction, examination, count)
        prior = fitting.prior_of(looks_at.clicks, looks_at.looked, "document")
        parameters = {
            "attraction": Parameter("document", attraction, looks_at.worth(attraction, prior)),
            "examination": cls.examined(examination, tried, shape, fitting),
        }
        return cls(pairs, parameters, fitting, ended.rounds, ended.converged)

    @classmethod
    def examined(cls, examination: Floats, tried: Floats, shape: tuple[int, ...], fitting: Fitting) -> Parameter:
        """Examination as a parameter, by what was shown at each place."""
        worth = tried + sum(fitting.prior or (1.0, 1.0))
        return Parameter(cls.shapes()["examination"], examination.reshape(shape), worth.reshape(shape))


def place_codes(places: Sequence[Ints], shape: tuple[int, ...]) -> Ints:
    """One number for each place, in the order of ranks."""
    codes = places[0]
    for further, size in zip(places[1:], shape[1:], strict=True):
        codes = codes * size + further
    return codes


def first_examination(places: int, fitting: Fitting) -> Floats:
    """Examination before anything was seen."""
    examination = np.full(places, fitting.start)
    if fitting.anchored:
        examination[0] = 1.0
    return examination


def examination_of(looked: EventCounts, fitting: Fitting) -> Floats:
    """Examination, by expected looks at each place out of what was shown there."""
    examination = fitting.mean(*looked, "rank")
    if fitting.anchored:
        examination[0] = 1.0
    return examination


class LooksAt(NamedTuple):
    """Clicks on each document, and looks at it as parameters lead to expect."""

    clicks: Floats
    looked: Floats
    certain: Floats
    """The sum of squares of the probability that somebody looked, where nothing was clicked."""

    @classmethod
    def of(cls, seen: Cells, attraction: Floats, examination: Floats, count: int) -> LooksAt:
        """Those of so many documents."""
        there, where = attraction[seen.pair], examination[seen.place]
        chance = where * (1 - there) / (1 - where * there)
        clicks = summed(seen.pair, seen.clicks, count)
        looked = clicks + summed(seen.pair, seen.others * chance, count)
        return cls(clicks, looked, summed(seen.pair, seen.others * chance**2, count))

    def worth(self, attraction: Floats, prior: tuple[float, float]) -> Floats:
        """How many looks each attraction is worth."""
        return looks(attraction, (self.clicks, self.certain, np.zeros(len(self.clicks))), prior)


class PBM(ExaminationModel):
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
    def places(cls, block: ImpressionBlock) -> Sequence[Ints]:
        """Ranks."""
        return (np.broadcast_to(block.ranks, block.pair.shape),)

    @classmethod
    def place_shape(cls, depth: int) -> tuple[int, ...]:
        """A place for each rank."""
        return (depth,)


class UBM(ExaminationModel):
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
    def places(cls, block: ImpressionBlock) -> Sequence[Ints]:
        """Ranks, and the rank of the nearest click above, from 1; 0 where there is none."""
        return np.broadcast_to(block.ranks, block.pair.shape), block.before + 1

    @classmethod
    def place_shape(cls, depth: int) -> tuple[int, ...]:
        """A place for each rank and each last click."""
        return depth, depth + 1


def _sums(seen: Cells, attraction: Floats, examination: Floats, *, unseen: bool) -> tuple[Floats, Floats, Floats]:
    """Successes and trials of every pair, and looks at every place, as parameters lead to expect."""
    if are_compiled():
        from cranfield.kernels.compiled import sum_cells

        sums = np.zeros(len(attraction)), np.zeros(len(attraction)), np.zeros(len(examination))
        if sum_cells(attraction, examination, *seen, unseen, *sums):
            return sums
    won, tried, looked = expected_looks(seen, attraction, examination, unseen=unseen)
    return (
        summed(seen.pair, won, len(attraction)),
        summed(seen.pair, tried, len(attraction)),
        summed(seen.place, looked, len(examination)),
    )


def expected_looks(
    seen: Cells, attraction: Floats, examination: Floats, *, unseen: bool
) -> tuple[Floats, Floats, Floats]:
    """Successes, trials and looks of each cell, as parameters lead to expect."""
    attracts, examined = attraction[seen.pair], examination[seen.place]
    unclicked = seen.others / (1 - attracts * examined)
    looked = seen.clicks + unclicked * examined * (1 - attracts)
    missed = unclicked * (1 - examined) if unseen else 0.0
    return seen.clicks + attracts * missed, looked + missed, looked
