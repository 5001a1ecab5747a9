"""The task-centric click model: queries of a session belong to one need, and what was shown before is less fresh."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple, Self

import numpy as np

from cranfield.arrays import Bools, Floats
from cranfield.click_models.model import ClickModel, Decide, Fitting, Parameter, looks, maximised
from cranfield.data.click_log import ClickLog, ImpressionBlock, QueryDocumentPairs, summed


class TCM(ClickModel):
    r"""Task-centric model: a query may miss what people want, and documents they were shown before attract less.

    .. math::
        P(M_i = 1) = \mu, \quad P(N_i = 1 \mid M_i = 0) = 1, \quad P(N_i = 1 \mid M_i = 1) = \nu \\
        P(C_{ir} = 1 \mid M_i = 1) = \gamma_r \, \phi_{ir} \, \alpha_{q d_r}, \quad P(C_{ir} = 1 \mid M_i = 0) = 0

    M says whether query i of a session matches the need, N whether another query follows it; φ is the freshness of
    documents that an earlier query of the session showed, and 1 for others. Zhang, Chen, Wang & Yang, KDD 2011,
    doi:10.1145/2020408.2020613, on top of PBM, as there. The paper takes for old what was looked at before; here, as in
    PyClick, it is what was shown. A query that is the last of its session matched; of one without clicks that another
    follows, the model infers it.

    What to expect of an impression takes only what is known when it is shown: not whether another query will follow.

    Everybody clicks the document that the first query shows, and nobody when the second shows it again:

    >>> import cranfield as cf
    >>> queries = [{"query": "q", "documents": ["a"], "clicks": [clicked]} for clicked in (1, 0)]
    >>> rows = [{"session": session, **query} for session in range(50) for query in queries]
    >>> model = TCM.fit(cf.read_clicks(rows))
    >>> print(model.parameters["freshness"].values.round(2), model.relevance()[0].round(2))
    [0.02] [1.]
    """

    name = "TCM"
    cite = "Zhang, Chen, Wang & Yang, KDD 2011, doi:10.1145/2020408.2020613"
    needs_sessions = True

    @classmethod
    def shapes(cls) -> Mapping[str, str]:
        """Attraction and examination; whether a query matches, another one follows, and what was shown is fresh."""
        return {
            "attraction": "document",
            "examination": "rank",
            "match": "all",
            "further query": "all",
            "freshness": "all",
        }

    @classmethod
    def fit_block(cls, pairs: QueryDocumentPairs, block: ImpressionBlock, fitting: Fitting) -> Self:
        """By expectation-maximization; expectations are exact given all clicks, and whether another query follows."""
        shapes = cls.shapes()
        sizes = {"document": len(pairs) + 1, "rank": block.depth, "all": 1}

        def counts(values: tuple[Floats, ...]) -> dict[str, tuple[Floats, Floats]]:
            totals = {name: (np.zeros(sizes[by]), np.zeros(sizes[by])) for name, by in shapes.items()}
            for chunk in block.chunks():
                for name, counted in _counts(chunk, values, fitting, sizes["document"]).items():
                    for total, amount in zip(totals[name], counted, strict=True):
                        total += amount
            return totals

        def improve(values: tuple[Floats, ...]) -> tuple[Floats, ...]:
            better = tuple(fitting.mean(*counts_of, shapes[name]) for name, counts_of in counts(values).items())
            return _anchored(better) if fitting.anchored else better

        start = tuple(np.full(sizes[by], fitting.start) for by in shapes.values())
        ended = maximised(_anchored(start) if fitting.anchored else start, improve, fitting)
        worth = _evidence(block, ended.values, fitting, sizes["document"])
        tried = counts(ended.values)
        parameters = {
            name: Parameter(
                by, value, worth if by == "document" else tried[name][1] + sum(fitting.prior_of(*tried[name], by))
            )
            for (name, by), value in zip(shapes.items(), ended.values, strict=True)
        }
        return cls(pairs, parameters, fitting, ended.rounds, ended.converged)

    def expected(self, block: ImpressionBlock) -> Floats:
        """The query matches, somebody looks, and what they see is fresh and attracts them."""
        expected: Floats = self._one("match") * self._matching(block)
        return expected

    def walk(self, block: ImpressionBlock, decide: Decide) -> Floats:
        """A click proves that the query matches, and none makes it less likely."""
        return self._walk(block, np.full(block.count, self._one("match")), decide)

    def simulate(self, log: ClickLog, rng: np.random.Generator) -> ClickLog:
        """Clicks for the queries of a log, of which it is known after which of them another followed."""
        block = self.block(log)
        drawn = np.zeros(block.click.shape, dtype=np.bool_)

        def decide(rank: int, probability: Floats) -> Bools:
            drawn[rank] = (rng.random(block.count) < probability) & block.shown[rank]
            return drawn[rank]

        chance = _match_of_silent(self._one("match"), self._one("further query"), 1.0, _final(block))
        self._walk(block, chance, decide)
        return log.with_clicks(drawn.T[block.shown.T])

    def _walk(self, block: ImpressionBlock, matches: Floats, decide: Decide) -> Floats:
        matching = self._matching(block)
        probability = np.zeros(matching.shape)
        for rank in range(block.depth):
            probability[rank] = matches * matching[rank]
            clicked = decide(rank, probability[rank])
            matches = np.where(clicked, 1.0, matches * (1 - matching[rank]) / (1 - probability[rank]))
        return probability

    def _matching(self, block: ImpressionBlock) -> Floats:
        """The probability of a click where the query matches."""
        freshness = np.where(_repeated(block), self._one("freshness"), 1.0)
        return self.at_rank("examination", block.depth) * freshness * self.value("attraction", block) * block.shown

    def _one(self, name: str) -> float:
        return float(self.parameters[name].values[0])


class _Expected(NamedTuple):
    """What the clicks of some impressions tell, by rank and impression."""

    matched: Floats
    """The probability that each query matched."""
    attracts: Floats
    examined: Floats
    fresh: Floats
    """What each result's probabilities are."""
    unclicked: Floats
    """Where nothing was clicked: 1 over the probability of that if the query matches; 0 elsewhere."""

    @property
    def looked(self) -> Floats:
        """That somebody looked at a result that was not clicked, and it was fresh."""
        return self.matched * self.unclicked * self.examined * self.fresh * (1 - self.attracts)


def _expected(block: ImpressionBlock, values: tuple[Floats, ...]) -> _Expected:
    attraction, examination, match, further, freshness = values
    attracts, examined = attraction[block.pair], examination[: block.depth, None]
    fresh = np.where(_repeated(block), freshness[0], 1.0)
    silent = 1 - attracts * examined * fresh * block.shown
    unclicked = (block.shown & ~block.click) / silent
    matched = np.where(
        block.click.any(axis=0),
        1.0,
        _match_of_silent(match[0], further[0], silent.prod(axis=0), _final(block)),
    )
    return _Expected(matched, attracts, np.broadcast_to(examined, attracts.shape), fresh, unclicked)


def _counts(
    block: ImpressionBlock, values: tuple[Floats, ...], fitting: Fitting, documents: int
) -> Mapping[str, tuple[Floats, Floats]]:
    """Expected successes and trials of each parameter."""
    seen = _expected(block, values)
    matched, attracts, examined, fresh, unclicked = seen
    repeated, weight = _repeated(block) & block.shown, block.weight
    looked = block.click + seen.looked
    # Given a matching query without a click here, each of the three may still have been there.
    was_examined = block.click + matched * unclicked * examined * (1 - attracts * fresh)
    was_fresh = block.click + matched * unclicked * fresh * (1 - attracts * examined)
    shown = matched * block.shown
    unseen = (block.shown - looked) * fitting.unseen
    unmatched = (block.shown - shown) * fitting.unseen

    def by_rank(amounts: Floats) -> Floats:
        return amounts @ weight

    def in_all(amounts: Floats) -> Floats:
        return np.array([float((amounts * weight).sum())])

    return {
        "attraction": (
            summed(block.pair, (block.click + unseen * attracts) * weight, documents),
            summed(block.pair, (looked + unseen) * weight, documents),
        ),
        "examination": (by_rank(was_examined + unmatched * examined), by_rank(shown + unmatched)),
        "match": (in_all(matched), in_all(np.ones(block.count))),
        "further query": (in_all(matched * ~_final(block)), in_all(matched)),
        "freshness": (
            in_all((was_fresh + unmatched * fresh) * repeated),
            in_all((shown + unmatched) * repeated),
        ),
    }


def _evidence(block: ImpressionBlock, values: tuple[Floats, ...], fitting: Fitting, documents: int) -> Floats:
    clicks, looked, certain = (np.zeros(documents) for _ in range(3))
    for chunk in block.chunks():
        chance = _expected(chunk, values).looked
        clicks += summed(chunk.pair, chunk.click * chunk.weight, documents)
        looked += summed(chunk.pair, chance * chunk.weight, documents)
        certain += summed(chunk.pair, chance**2 * chunk.weight, documents)
    prior = fitting.prior_of(clicks, clicks + looked, "document")
    return looks(values[0], (clicks, certain, np.zeros(documents)), prior)


def _match_of_silent(match: float, further: float, silent: Floats | float, final: Bools) -> Floats:
    """The probability that a query without clicks matched: the last one did, and others may have."""
    both = match * further * silent
    return np.where(final, 1.0, both / (both + 1 - match))


def _anchored(values: tuple[Floats, ...]) -> tuple[Floats, ...]:
    """With the first rank always looked at."""
    examination = values[1].copy()
    examination[0] = 1.0
    return (values[0], examination, *values[2:])


def _repeated(block: ImpressionBlock) -> Bools:
    return np.zeros(block.shown.shape, dtype=np.bool_) if block.repeated is None else block.repeated


def _final(block: ImpressionBlock) -> Bools:
    return np.ones(block.count, dtype=np.bool_) if block.final is None else block.final
