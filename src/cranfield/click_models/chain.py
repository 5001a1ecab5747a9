"""Models in which people read from the top and may stop: at each rank they look, perhaps click, and perhaps go on."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple, Self, TypeVar

import numpy as np
import numpy.typing as npt

from cranfield.arrays import Bools, Floats
from cranfield.click_models.model import ClickModel, Decide, Fitting, Parameter, looks, maximised
from cranfield.data.click_log import ImpressionBlock, QueryDocumentPairs, summed
from cranfield.kernels import are_compiled

if TYPE_CHECKING:
    from cranfield.kernels.chains import ChainSums


class _Chain(ClickModel):
    r"""Whoever looks at a rank clicks what attracts them, and goes on with a probability that depends on the click.

    .. math:: P(E_1) = 1, \quad P(C_r \mid E_r) = \alpha_{q d_r}, \quad P(E_{r+1} \mid E_r, C_r) = \kappa(C_r)

    The models differ in κ alone.
    """

    @abstractmethod
    def _goes_on(self, block: ImpressionBlock, attraction: Floats) -> tuple[Floats, Floats]:
        """The probabilities to go on after a click, and without one, by rank and impression."""

    def expected(self, block: ImpressionBlock) -> Floats:
        """Examination is followed down the ranks, over clicks and none."""
        attraction = self._attraction(block)
        after_click, after_none = self._goes_on(block, attraction)
        probability, examined = np.zeros(attraction.shape), np.ones(block.count)
        for rank in range(block.depth):
            probability[rank] = attraction[rank] * examined
            examined = examined * (attraction[rank] * after_click[rank] + (1 - attraction[rank]) * after_none[rank])
        return probability

    def walk(self, block: ImpressionBlock, decide: Decide) -> Floats:
        """Examination given the clicks so far: a click proves it, and none makes it less likely."""
        attraction = self._attraction(block)
        after_click, after_none = self._goes_on(block, attraction)
        probability, examined = np.zeros(attraction.shape), np.ones(block.count)
        for rank in range(block.depth):
            probability[rank] = attraction[rank] * examined
            clicked = decide(rank, probability[rank])
            still = examined * (1 - attraction[rank]) / (1 - probability[rank])
            examined = np.where(clicked, after_click[rank], still * after_none[rank])
        return probability

    def _attraction(self, block: ImpressionBlock) -> Floats:
        return np.where(block.shown, self.value("attraction", block), 0.0)


class CM(_Chain):
    r"""Cascade model: people read from the top and stop at the first click.

    .. math:: \kappa(0) = 1, \quad \kappa(1) = 0

    Craswell et al., WSDM 2008, doi:10.1145/1341531.1341545. It has no room for a second click, whose probability is 0.

    Results below a click were not seen: b is clicked in one of one look.

    >>> import cranfield as cf
    >>> rows = [{"query": "q", "documents": ["a", "b"], "clicks": c} for c in ([1, 0], [0, 1])]
    >>> print(CM.fit(cf.read_clicks(rows), Fitting(prior=(1, 1))).relevance()[0].round(4))
    [0.5    0.6667]
    """

    name = "CM"
    cite = "Craswell, Zoeter, Taylor & Ramsey, WSDM 2008, doi:10.1145/1341531.1341545"

    @classmethod
    def shapes(cls) -> Mapping[str, str]:
        """Attraction alone."""
        return {"attraction": "document"}

    @classmethod
    def fit_block(cls, pairs: QueryDocumentPairs, block: ImpressionBlock, fitting: Fitting) -> Self:
        """Clicks out of results down to the first click."""
        return cls.fit_counts(pairs, block, fitting)

    @classmethod
    def counted(cls, block: ImpressionBlock) -> Mapping[str, tuple[Bools, Bools]]:
        """Clicks out of results down to the first click."""
        looked = block.shown & (block.ranks <= block.first)
        return {"attraction": (block.click & looked, looked)}

    def _goes_on(self, block: ImpressionBlock, attraction: Floats) -> tuple[Floats, Floats]:
        return np.zeros(attraction.shape), np.ones(attraction.shape)


class DCM(_Chain):
    r"""Dependent click model: after a click people go on with a probability that depends on the rank.

    .. math:: \kappa(0) = 1, \quad \kappa(1) = \lambda_r

    Guo, Liu & Wang, WSDM 2009, doi:10.1145/1498759.1498818. Counted as there: the last click ends the reading, and
    without a click everything was seen. `Fitting(stops=False)` estimates instead how far people read on.

    In one of two impressions with a click at rank 1 there is a later one:

    >>> import cranfield as cf
    >>> rows = [{"query": "q", "documents": ["a", "b"], "clicks": c} for c in ([1, 0], [1, 1])]
    >>> model = DCM.fit(cf.read_clicks(rows))
    >>> print(model.parameters["continuation"].values.round(4))
    [0.5    0.3333]
    """

    name = "DCM"
    cite = "Guo, Liu & Wang, WSDM 2009, doi:10.1145/1498759.1498818"

    @classmethod
    def shapes(cls) -> Mapping[str, str]:
        """Attraction, and continuation after a click."""
        return {"attraction": "document", "continuation": "rank"}

    @classmethod
    def fit_block(cls, pairs: QueryDocumentPairs, block: ImpressionBlock, fitting: Fitting) -> Self:
        """Counted, or by expectation-maximization."""
        if fitting.stops:
            return cls.fit_counts(pairs, block, fitting)

        def count(read: _Read, values: tuple[Floats, ...]) -> dict[str, _Count]:
            tried = read.block.click & read.followed
            return {
                "attraction": read.attraction(),
                "continuation": _Count(_ranks(read.block), read.next * tried, tried),
            }

        return _learnt(cls, pairs, block, fitting, count)

    @classmethod
    def counted(cls, block: ImpressionBlock) -> Mapping[str, tuple[Bools, Bools]]:
        """Clicks out of results down to the last click, and at each rank clicks that others follow."""
        return {
            "attraction": (block.click, _to_last_click(block)),
            "continuation": (block.click & (block.ranks < block.last), block.click),
        }

    def _goes_on(self, block: ImpressionBlock, attraction: Floats) -> tuple[Floats, Floats]:
        after_click = np.broadcast_to(self.at_rank("continuation", block.depth), attraction.shape)
        return after_click, np.ones(attraction.shape)


class SDBN(_Chain):
    r"""Simplified dynamic Bayesian network: people go on until a result they clicked satisfies them.

    .. math:: \kappa(0) = 1, \quad \kappa(1) = 1 - \sigma_{q d_r}

    Chapelle & Zhang, WWW 2009, doi:10.1145/1526709.1526711. Counted as there: whatever is clicked last satisfied, and
    without a click everything was seen. `Fitting(stops=False)` estimates instead how far people read on. Relevance is
    attraction times satisfaction.

    >>> import cranfield as cf
    >>> rows = [{"query": "q", "documents": ["a", "b"], "clicks": c} for c in ([1, 0], [1, 1])]
    >>> model = SDBN.fit(cf.read_clicks(rows), Fitting(prior=(1, 1)))
    >>> print(model.parameters["satisfaction"].values[:-1].round(4), model.relevance()[0].round(4))
    [0.5    0.6667] [0.375  0.4444]
    """

    name = "SDBN"
    cite = "Chapelle & Zhang, WWW 2009, doi:10.1145/1526709.1526711"
    relevance_is = "attraction × satisfaction"

    @classmethod
    def shapes(cls) -> Mapping[str, str]:
        """Attraction and satisfaction."""
        return {"attraction": "document", "satisfaction": "document"}

    @classmethod
    def fit_block(cls, pairs: QueryDocumentPairs, block: ImpressionBlock, fitting: Fitting) -> Self:
        """Counted, or by expectation-maximization."""
        if fitting.stops:
            return cls.fit_counts(pairs, block, fitting)

        def count(read: _Read, values: tuple[Floats, ...]) -> dict[str, _Count]:
            # Whoever does not go on after a click is satisfied.
            tried = read.block.click & read.followed
            return {
                "attraction": read.attraction(),
                "satisfaction": _Count(read.block.pair, (1 - read.next) * tried, tried),
            }

        return _learnt(cls, pairs, block, fitting, count)

    @classmethod
    def counted(cls, block: ImpressionBlock) -> Mapping[str, tuple[Bools, Bools]]:
        """Clicks out of results down to the last click, and last clicks out of clicks."""
        return {
            "attraction": (block.click, _to_last_click(block)),
            "satisfaction": (block.click & (block.ranks == block.last), block.click),
        }

    def relevance(self) -> tuple[Floats, Floats]:
        """Attraction times satisfaction."""
        return _product(self.parameters["attraction"], self.parameters["satisfaction"])

    def _goes_on(self, block: ImpressionBlock, attraction: Floats) -> tuple[Floats, Floats]:
        return 1 - self.value("satisfaction", block), np.ones(attraction.shape)


class DBN(_Chain):
    r"""Dynamic Bayesian network: people go on unless what they clicked satisfies them, or they tire.

    .. math:: \kappa(0) = \gamma, \quad \kappa(1) = \gamma (1 - \sigma_{q d_r})

    Chapelle & Zhang, WWW 2009, doi:10.1145/1526709.1526711; by expectation-maximization, whose expectations are exact
    given all clicks of an impression. Relevance is attraction times satisfaction.

    >>> import cranfield as cf
    >>> rows = [{"query": "q", "documents": ["a", "b"], "clicks": c} for c in ([1, 0], [0, 1], [0, 0], [0, 0])]
    >>> model = DBN.fit(cf.read_clicks(rows * 50))
    >>> print(model.relevance()[0].shape, 0 < model.parameters["continuation"].values[0] < 1)
    (2,) True
    """

    name = "DBN"
    cite = "Chapelle & Zhang, WWW 2009, doi:10.1145/1526709.1526711"
    relevance_is = "attraction × satisfaction"

    @classmethod
    def shapes(cls) -> Mapping[str, str]:
        """Attraction, satisfaction, and one continuation."""
        return {"attraction": "document", "satisfaction": "document", "continuation": "all"}

    @classmethod
    def fit_block(cls, pairs: QueryDocumentPairs, block: ImpressionBlock, fitting: Fitting) -> Self:
        """By expectation-maximization."""

        def count(read: _Read, values: tuple[Floats, ...]) -> dict[str, _Count]:
            satisfaction, shown = values[1][read.block.pair], read.block
            clicked = shown.click & read.followed
            # Whoever did not go on was satisfied, or tired although not satisfied.
            satisfied = (1 - read.next) * satisfaction / (1 - read.after_click)
            unsatisfied = np.where(shown.click, 1 - satisfied, read.looked)
            return {
                "attraction": read.attraction(),
                "satisfaction": _Count(shown.pair, satisfied * clicked, clicked),
                "continuation": _Count(None, read.next * read.followed, unsatisfied * read.followed),
            }

        return _learnt(cls, pairs, block, fitting, count)

    def relevance(self) -> tuple[Floats, Floats]:
        """Attraction times satisfaction."""
        return _product(self.parameters["attraction"], self.parameters["satisfaction"])

    def _goes_on(self, block: ImpressionBlock, attraction: Floats) -> tuple[Floats, Floats]:
        goes_on = self.parameters["continuation"].values[0]
        return goes_on * (1 - self.value("satisfaction", block)), np.full(attraction.shape, goes_on)


class CCM(_Chain):
    r"""Click chain model: whether people go on after a click depends on whether the result was relevant.

    .. math:: \kappa(0) = \tau_1, \quad \kappa(1) = \tau_2 (1 - \alpha_{q d_r}) + \tau_3 \alpha_{q d_r}

    Guo et al., WWW 2009, doi:10.1145/1526709.1526712: α is at once the probability of a click on what was looked at and
    that of the result being relevant. By expectation-maximization rather than by the paper's sampling of a posterior.

    >>> import cranfield as cf
    >>> rows = [{"query": "q", "documents": ["a", "b"], "clicks": c} for c in ([1, 0], [0, 1], [1, 1], [0, 0])]
    >>> sorted(CCM.fit(cf.read_clicks(rows * 50)).parameters)
    ['attraction', 'continuation after none', 'continuation after other', 'continuation after relevant']
    """

    name = "CCM"
    cite = "Guo, Liu, Kannan, Minka, Taylor, Wang & Faloutsos, WWW 2009, doi:10.1145/1526709.1526712"

    @classmethod
    def shapes(cls) -> Mapping[str, str]:
        """Attraction, and three continuations: without a click, after one on another, on a relevant result."""
        return {
            "attraction": "document",
            "continuation after none": "all",
            "continuation after other": "all",
            "continuation after relevant": "all",
        }

    @classmethod
    def fit_block(cls, pairs: QueryDocumentPairs, block: ImpressionBlock, fitting: Fitting) -> Self:
        """By expectation-maximization."""

        def count(read: _Read, values: tuple[Floats, ...]) -> dict[str, _Count]:
            shown, after = read.block, values[3][0]
            attraction = values[0][shown.pair]
            stays, goes = read.after_click.clip(1e-12, 1 - 1e-12), read.next
            went_on = goes * attraction * after / stays
            relevant = went_on + (1 - goes) * attraction * (1 - after) / (1 - stays)
            clicked, unclicked = shown.click & read.followed, ~shown.click & read.followed
            return {
                "attraction": read.attraction().plus(relevant * clicked, clicked),
                "continuation after none": _Count(None, goes * unclicked, read.looked * unclicked),
                "continuation after other": _Count(None, (goes - went_on) * clicked, (1 - relevant) * clicked),
                "continuation after relevant": _Count(None, went_on * clicked, relevant * clicked),
            }

        return _learnt(cls, pairs, block, fitting, count)

    def _goes_on(self, block: ImpressionBlock, attraction: Floats) -> tuple[Floats, Floats]:
        none, other, relevant = (float(self.parameters[name].values[0]) for name in list(self.shapes())[1:])
        return other * (1 - attraction) + relevant * attraction, np.full(attraction.shape, none)


class _Count(NamedTuple):
    """Expected successes and trials of a parameter, by rank and impression."""

    codes: npt.NDArray[np.integer] | None
    """Which of the parameter's values each is about; nothing where there is only one."""
    successes: Floats
    trials: Floats | Bools

    def plus(self, successes: Floats, trials: Floats | Bools) -> _Count:
        """With further ones of the same values."""
        return _Count(self.codes, self.successes + successes, self.trials + trials.astype(np.float64))

    def sums(self, amounts: Floats | Bools, weight: Floats, size: int) -> Floats:
        """Amounts of weighted impressions, added up for each value."""
        # One by one, also where there is only one value: how a matrix product adds up depends on the processor.
        codes = np.zeros(amounts.shape, dtype=np.int64) if self.codes is None else self.codes
        return summed(codes, amounts * weight, size)


@dataclass(frozen=True, eq=False)
class _Read:
    """What the clicks of some impressions tell of how far people read."""

    block: ImpressionBlock
    after_click: Floats
    looked: Floats
    """The probability that each result was looked at, given all clicks of its impression."""
    next: Floats
    """The same for the result below it."""
    followed: Bools
    """Whether there is a result below."""

    def attraction(self) -> _Count:
        """Clicks out of looks."""
        return _Count(self.block.pair, self.block.click.astype(np.float64), self.looked * self.block.shown)


def _read(block: ImpressionBlock, attraction: Floats, after_click: Floats, after_none: Floats) -> _Read:
    """Down to the last click everything was looked at; below it, the fewer clicks one would miss, the more likely."""
    silent = np.ones((block.depth + 1, block.count))
    for rank in reversed(range(block.depth)):
        # The probability of no click from here on, for somebody who looks here.
        goes_on = after_none[rank]
        silent[rank] = (1 - attraction[rank]) * (1 - goes_on + goes_on * silent[rank + 1])
    looked = np.ones((block.depth + 1, block.count))
    for rank in range(block.depth):
        goes_on = np.where(block.click[rank], after_click[rank], after_none[rank])
        unseen = goes_on * silent[rank + 1]
        still = looked[rank] * unseen / (1 - goes_on + unseen)
        looked[rank + 1] = np.where(rank < block.last, 1.0, still)
    followed = np.zeros(block.shown.shape, dtype=np.bool_)
    followed[:-1] = block.shown[1:]
    return _Read(block, after_click, looked[:-1], looked[1:], followed)


Count = Callable[[_Read, tuple[Floats, ...]], dict[str, _Count]]
Model = TypeVar("Model", bound=_Chain)


def _learnt(
    cls: type[Model], pairs: QueryDocumentPairs, block: ImpressionBlock, fitting: Fitting, count: Count
) -> Model:
    """A model by expectation-maximization; `count` is what it expects of what was not seen."""
    shapes = cls.shapes()
    sizes = {name: {"document": len(pairs) + 1, "rank": block.depth, "all": 1}[by] for name, by in shapes.items()}

    def model(values: tuple[Floats, ...]) -> Model:
        named = zip(shapes.items(), values, strict=True)
        return cls(pairs, {name: Parameter(by, array, array) for (name, by), array in named}, fitting)

    def counted(values: tuple[Floats, ...]) -> Iterator[tuple[dict[str, _Count], Floats]]:
        current = model(values)
        for chunk in block.chunks():
            attraction = current._attraction(chunk)
            read = _read(chunk, attraction, *current._goes_on(chunk, attraction))
            yield count(read, values), chunk.weight

    def summed_up(values: tuple[Floats, ...]) -> Mapping[str, Sequence[Floats]]:
        totals = {name: [np.zeros(size), np.zeros(size)] for name, size in sizes.items()}
        for counts, weight in counted(values):
            for name, of_name in counts.items():
                for total, amounts in zip(totals[name], (of_name.successes, of_name.trials), strict=True):
                    total += of_name.sums(amounts, weight, len(total))
        return totals

    loops = _loops(cls, pairs, block)

    def improve(values: tuple[Floats, ...]) -> tuple[Floats, ...]:
        totals = (loops and loops.totals(list(shapes), values)) or summed_up(values)
        return tuple(fitting.mean(totals[name][0], totals[name][1], by) for name, by in shapes.items())

    def evidence(values: tuple[Floats, ...]) -> Iterator[Floats]:
        sums = {name: [np.zeros(size) for _ in range(5)] for name, size in sizes.items()}
        for counts, weight in counted(values):
            for name, of_name in counts.items():
                _, successes, trials = of_name
                failures = trials - successes
                told = successes, trials, successes**2, failures**2, successes * failures
                for total, amounts in zip(sums[name], told, strict=True):
                    total += of_name.sums(amounts, weight, len(total))
        for value, (name, by) in zip(values, shapes.items(), strict=True):
            won, tried, *squares = sums[name]
            yield looks(value, (squares[0], squares[1], squares[2]), fitting.prior_of(won, tried, by))

    ended = maximised(tuple(np.full(size, fitting.start) for size in sizes.values()), improve, fitting)
    parameters = {
        name: Parameter(by, value, worth)
        for (name, by), value, worth in zip(shapes.items(), ended.values, evidence(ended.values), strict=True)
    }
    return cls(pairs, parameters, fitting, ended.rounds, ended.converged)


def _loops(cls: type[_Chain], pairs: QueryDocumentPairs, block: ImpressionBlock) -> ChainSums | None:
    """Compiled loops that sum up what a model expects, where there are some."""
    if cls not in (DBN, CCM) or not block.pair.size or not are_compiled():
        return None
    from cranfield.kernels.chains import ChainSums

    return ChainSums(block.chunks(), len(pairs) + 1, has_satisfaction=cls is DBN)


def _to_last_click(block: ImpressionBlock) -> Bools:
    """What was looked at, if the last click ends the reading: without any click, everything."""
    seen: Bools = block.shown & ((block.ranks <= block.last) | (block.last < 0))
    return seen


def _product(one: Parameter, other: Parameter) -> tuple[Floats, Floats]:
    """Two independent probabilities multiplied, and how many looks that is worth by its variance."""
    (a, n), (b, m) = ((parameter.values[:-1], parameter.evidence[:-1]) for parameter in (one, other))
    of_a, of_b = a * (1 - a) / (n + 1), b * (1 - b) / (m + 1)
    product = a * b
    variance = a**2 * of_b + b**2 * of_a + of_a * of_b
    with np.errstate(divide="ignore"):  # what is known has no variance
        return product, product * (1 - product) / variance - 1


def _ranks(block: ImpressionBlock) -> npt.NDArray[np.integer]:
    return np.broadcast_to(block.ranks, block.pair.shape)
