"""User models of the C/W/L family: what a user gains who may stop after any document.

A model says how likely a user who has looked at rank i goes on to rank i + 1: its continuation probability C_i, which
may depend on what was gained so far. From it follow how likely each rank is reached, V_i = C_1 ... C_{i-1}; the share
of attention it gets, W_i = V_i / (V_1 + V_2 + ...); and how likely it is the last one, L_i = V_i - V_{i+1}.

Every model tells five numbers (`Expected`). RBP, RBPResidual and ERR, which are older than the family, are in `user`.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import Any, Literal, NamedTuple

import numpy as np
import numpy.typing as npt

from cranfield.align import JudgedRanking
from cranfield.measures.definition import Bounds, PerQuery, measure

Floats = npt.NDArray[np.float64]
Gains = Callable[[Floats], Floats]
"""From grades to gains between 0 and 1."""
Expected = Literal["utility", "total_utility", "cost", "total_cost", "depth"]
"""cwl_eval's columns EU, ETU, EC, ETC and ED."""

MAX_DEPTH = 1000
"""How deep cwl_eval looks unless told otherwise."""
DEEPEST = 1_000_000
"""No model has a deeper cutoff: every rank down to it takes memory."""

ROUNDING = 1e-9
"""By how much a sum of gains may miss what it should be."""

CWL = "C/W/L: Moffat, Bailey, Scholer & Thomas, TOIS 35(3), 2017, doi:10.1145/3052768"
CWL_EVAL = "cwl_eval: Azzopardi, Thomas & Moffat, SIGIR 2019, doi:10.1145/3331184.3331398"
NOT_ERR = "Azzopardi, Mackenzie & Moffat, ERR is not C/W/L, ICTIR 2021, doi:10.1145/3471158.3472239"


def _bounds(params: Mapping[str, Any]) -> Bounds:
    bounds: dict[Expected, Bounds] = {"utility": (0, 1), "cost": (1, 1), "depth": (1, np.inf)}
    return bounds.get(params["expected"], (0, np.inf))


def _rate(params: Mapping[str, Any]) -> bool:
    """Whether it is told per document: totals and depth may fall when an adaptive user finds more, and stops."""
    return params["expected"] in ("utility", "cost")


def _wrong(params: Mapping[str, Any]) -> str:
    low, high = params["min_grade"], params["max_grade"]
    if high is not None and low >= high:
        return f"max_grade gains 1 and min_grade gains 0, so {high:g} has to be larger than {low:g}."
    if (cutoff := params.get("cutoff") or 1) > DEEPEST:
        return f"The cutoff of a user model is a whole number from 1 to a million, not {cutoff}."
    return ""


def _wrong_for_inst(params: Mapping[str, Any]) -> str:
    # With less, finding a perfect document first would make it likelier to go on.
    return f"INST: T is a number from 0.5 on, not {params['T']:g}." if params["T"] < 0.5 else _wrong(params)


STATIC: dict[str, Any] = {"additive": True, "of_retrieved": True, "bounds": _bounds, "check": _wrong}
"""Facts of a model whose user reads on whatever the documents are."""
ADAPTIVE: dict[str, Any] = {"of_retrieved": True, "bounds": _bounds, "check": _wrong, "monotone": _rate}
"""Facts of a model whose user heeds what was gained."""


@measure(
    **ADAPTIVE | {"check": _wrong_for_inst},
    cite=f"Moffat, Bailey, Scholer & Thomas, ADCS 2015, doi:10.1145/2838931.2838938; {CWL}",
    tools={
        "cwl_eval": "INST-T=1; the grades it is given are gains, and max_gain is max_grade",
        "ir_measures": "INST(max_rel=3), which needs max_rel",
    },
)
def INST(
    judged: JudgedRanking,
    *,
    T: float = 1,
    min_grade: float = 0,
    max_grade: float | None = None,
    max_depth: int = MAX_DEPTH,
    expected: Expected = "utility",
) -> PerQuery:
    r"""Gain per document for a user who hopes for a total gain of T, and goes on the less the nearer it is.

    .. math:: C_i = \left( \frac{i + 2T - G_i - 1}{i + 2T - G_i} \right)^2

    C_i is the probability that a user who looked at rank i goes on to the next, and G_i is the gain of the first i
    documents. A grade gains nothing up to `min_grade` and 1 from `max_grade` on, in proportion between them;
    `max_grade` is the collection's largest grade unless given. (Whole grades count as relevant or not with
    min_grade=1, max_grade=2.)

    From C follow W_i, the share of attention that rank i gets, and L_i, the probability that it is the last one.
    `expected` says which number is wanted: `utility`, the gain per document, is the sum of W_i g_i; `total_utility`,
    the gain of all documents looked at, is the sum of L_i G_i; `depth` is how many these are, 1 / W_1. `cost` and
    `total_cost` are the same of costs, and every document costs 1. As in cwl_eval, ranks below `max_depth` do not
    count: W sums to 1 down to it, and totals leave out the users who would go on.

    With grades up to 2 the gains are 1, 0 and 1/2. After rank 1 one user in four goes on, (1/2)², then four in
    nine, (2/3)². So ranks 1 to 3 are reached with 1, 1/4 and 1/9, and the gain is 1 + 1/18 for 1 + 1/4 + 1/9 documents:

    >>> from cranfield.notation import ranking
    >>> print(INST(max_depth=3)(ranking("2-1|1")).round(4))
    0.7755
    >>> print(INST(ranking("2-1|1")).round(4), INST(expected="depth")(ranking("2-1|1")).round(4))
    0.6639 1.5898
    """

    def goes_on(gains: Floats) -> Floats:
        ahead = np.arange(1, max_depth + 1) + 2 * T - gains.cumsum(axis=-1)
        return ((ahead - 1) / ahead) ** 2

    gains = _gains(judged, min_grade, max_grade)
    seen = judged.top(max_depth)
    return _told(expected, gains(seen.grades), _adaptive(seen, max_depth, gains, goes_on))


@measure(
    **STATIC,
    cite=f"Moffat, Scholer & Thomas, ADCS 2012, doi:10.1145/2407085.2407092; {CWL}",
    tools={
        "cwl_eval": "INSQ-T=1",
        "ir_measures": "INSQ(max_rel=3), which needs max_rel",
    },
)
def INSQ(
    judged: JudgedRanking,
    *,
    T: float = 1,
    min_grade: float = 0,
    max_grade: float | None = None,
    max_depth: int = MAX_DEPTH,
    expected: Expected = "utility",
) -> PerQuery:
    r"""Gain per document for a user who hopes for a total gain of T, and goes on the likelier the deeper the rank.

    .. math:: C_i = \left( \frac{i + 2T - 1}{i + 2T} \right)^2

    INST without its eye on what was gained so far; the parameters are those of INST.

    With T = 1, ranks 1 to 3 are reached with 1, (2/3)² and (2/4)². With grades up to 2 the gains are 1, 0 and 1/2, so
    it is 1 + 1/8 for 1 + 4/9 + 1/4 documents:

    >>> from cranfield.notation import ranking
    >>> print(INSQ(max_depth=3)(ranking("2-1|1")).round(4))
    0.6639
    >>> print(INSQ(ranking("2-1|1")).round(4))
    0.4368
    """
    return _read(judged, _insq(T, max_depth), min_grade, max_grade, expected)


@measure(
    **STATIC,
    cite=f"DCG: Järvelin & Kekäläinen, TOIS 20(4), 2002, doi:10.1145/582415.582418; {CWL_EVAL}",
    tools={
        "cwl_eval": "NDCG-k@10, in its paper SDCG",
        "ir_measures": "SDCG(max_rel=3)@10, which needs max_rel",
    },
)
def SDCG(
    judged: JudgedRanking,
    *,
    min_grade: float = 0,
    max_grade: float | None = None,
    expected: Expected = "utility",
    cutoff: int,
) -> PerQuery:
    r"""Scaled DCG: gain discounted by rank, as a share of what k documents of the largest grade would gain.

    .. math:: \sum_{i \le k} \frac{g_i}{\log_2(i+1)} \Big/ \sum_{i \le k} \frac{1}{\log_2(i+1)}

    Unlike nDCG it does not ask what the judgments would allow. As a user model, rank i + 1 is reached from rank i with
    probability log(i + 1) / log(i + 2), and k is the last rank. The other parameters are those of INST.

    With grades up to 2 the gains are 1, 0 and 1/2. That is 1 + 1/4 out of 1 + 0.631 + 1/2:

    >>> from cranfield.notation import ranking
    >>> print((SDCG @ 3)(ranking("2-1|1")).round(4))
    0.5866
    """
    return _read(judged, _until(cutoff, lambda rank: 1 / np.log2(rank + 1)), min_grade, max_grade, expected)


@measure(
    # The first of two documents that together are more than enough ends the search, and the better one gives less
    # than both: with T=1 `0012` gains 1.5 in 4 documents, and `0021` 1 in 3.
    **ADAPTIVE | {"monotone": lambda params: params["expected"] == "cost"},
    cite="Zhang, Liu, Li, Zhang, Xu & Ma, SIGIR 2017, doi:10.1145/3077136.3080841; " + CWL_EVAL,
    tools={
        "cwl_eval": "BPM-Static-T=1-K=10; BPM-Dynamic with hb=1, whose hc does nothing: that is hc=0 here",
        "ir_measures": "BPM(max_rel=3)@10, which needs max_rel",
    },
)
def BPM(
    judged: JudgedRanking,
    *,
    T: float = 1,
    hb: float = 0,
    hc: float = 0,
    median: float = 0.5,
    min_grade: float = 0,
    max_grade: float | None = None,
    max_depth: int = MAX_DEPTH,
    expected: Expected = "utility",
    cutoff: int,
) -> PerQuery:
    r"""Bejeweled player model: gain per document for a user who stops with a gain of T, or after k documents.

    .. math:: C_i = 1 \text{ if } G_i < T + h_b D_i \text{ and } i < k + h_c D_i \text{, else } 0

    G_i is the gain of the first i documents, and D_i is by how much those before rank i were better than the `median`
    gain: the sum of g_j - median for j < i. The static model has h_b = h_c = 0. In the dynamic one a good
    document raises what a user hopes for by `hb`, and patience by `hc`; a bad one lowers both. The other parameters
    are those of INST.

    With grades up to 2 the gains are 1/2, 0, 0 and 1. All four are looked at before there is a gain of 1:

    >>> from cranfield.notation import ranking
    >>> print((BPM @ 10)(ranking("1-02")), (BPM @ 3)(ranking("1-02")).round(4))
    0.375 0.1667
    """
    last = max_depth if hc else min(cutoff, max_depth)

    def goes_on(gains: Floats) -> npt.NDArray[np.bool_]:
        ranks, gained = np.arange(1, last + 1), gains.cumsum(axis=-1)
        surprise = gained - gains - median * (ranks - 1)
        # Six gains of 1/3 are 2, however they are rounded.
        return (gained < T + hb * surprise - ROUNDING) & (ranks < cutoff + hc * surprise - ROUNDING)

    gains = _gains(judged, min_grade, max_grade)
    seen = judged.top(last)
    return _told(expected, gains(seen.grades), _adaptive(seen, last, gains, goes_on))


@measure(
    **ADAPTIVE,
    cite=NOT_ERR,
    tools={"cwl_eval": "NERR-EQ8@k=20", "ir_measures": "NERR8(max_rel=3)@20, which needs max_rel"},
)
def NERR8(
    judged: JudgedRanking,
    *,
    min_grade: float = 0,
    max_grade: float | None = None,
    expected: Expected = "utility",
    cutoff: int,
) -> PerQuery:
    r"""Nearly ERR, equation 8: gain per document for a user whom each document satisfies with its gain, or k ends.

    .. math:: C_i = 1 - g_i \text{ for } i < k \text{, else } 0

    ERR is not of the C/W/L family, as its gain comes from one document and its cost from all; NERR8 to NERR11 are the
    nearest that are. Gains and the other parameters are those of INST.

    With grades up to 2 the gains are 1/2, 0 and 1. Half of the users stop at rank 1, the others at rank 3:
    1/2 + 1/2 for 1 + 1/2 + 1/2 documents.

    >>> from cranfield.notation import ranking
    >>> print((NERR8 @ 3)(ranking("1-2")).round(4))
    0.5
    """
    return _read_until_satisfied(judged, _until(cutoff, np.ones_like), min_grade, max_grade, expected)


@measure(
    **ADAPTIVE,
    cite=NOT_ERR,
    tools={"cwl_eval": "NERR-EQ9@k=20", "ir_measures": "NERR9(max_rel=3)@20, which needs max_rel"},
)
def NERR9(
    judged: JudgedRanking,
    *,
    min_grade: float = 0,
    max_grade: float | None = None,
    expected: Expected = "utility",
    cutoff: int,
) -> PerQuery:
    r"""Nearly ERR, equation 9: as NERR8, and attention falls with the rank besides.

    .. math:: C_i = \frac{i}{i+1} (1 - g_i) \text{ for } i < k \text{, else } 0

    Rank i of a ranking without gain is reached with probability 1 / i, the discount of ERR. Gains and the other
    parameters are those of INST.

    With grades up to 2 the gains are 1/2, 0 and 1. Ranks 1 to 3 are reached with 1, 1/4 and 1/6: 1/2 + 1/6 for
    1 + 1/4 + 1/6 documents.

    >>> from cranfield.notation import ranking
    >>> print((NERR9 @ 3)(ranking("1-2")).round(4))
    0.4706
    """
    return _read_until_satisfied(judged, _until(cutoff, lambda rank: 1 / rank), min_grade, max_grade, expected)


@measure(
    **ADAPTIVE,
    cite=NOT_ERR,
    tools={"cwl_eval": "NERR-EQ10@phi=0.9", "ir_measures": "NERR10(max_rel=3), which needs max_rel"},
)
def NERR10(
    judged: JudgedRanking,
    *,
    p: float = 0.9,
    min_grade: float = 0,
    max_grade: float | None = None,
    max_depth: int = MAX_DEPTH,
    expected: Expected = "utility",
) -> PerQuery:
    r"""Nearly ERR, equation 10: as NERR8, and a user goes on with probability p besides.

    .. math:: C_i = p \, (1 - g_i)

    RBP whose users are satisfied. Gains and the other parameters are those of INST.

    With grades up to 2 the gains are 1/2, 0 and 1. Ranks 1 to 3 are reached with 1, 0.45 and 0.405: 0.905 for 1.855
    documents.

    >>> from cranfield.notation import ranking
    >>> print(NERR10(max_depth=3)(ranking("1-2")).round(4))
    0.4879
    """
    return _read_until_satisfied(judged, p ** np.arange(max_depth + 1.0), min_grade, max_grade, expected)


@measure(
    **ADAPTIVE,
    cite=NOT_ERR,
    tools={"cwl_eval": "NERR-EQ11@T=1", "ir_measures": "NERR11(max_rel=3), which needs max_rel"},
)
def NERR11(
    judged: JudgedRanking,
    *,
    T: float = 1,
    min_grade: float = 0,
    max_grade: float | None = None,
    max_depth: int = MAX_DEPTH,
    expected: Expected = "utility",
) -> PerQuery:
    r"""Nearly ERR, equation 11: as NERR8, and a user goes on as in INSQ besides.

    .. math:: C_i = \left( \frac{i + 2T - 1}{i + 2T} \right)^2 (1 - g_i)

    INSQ whose users are satisfied. Gains and the other parameters are those of INST.

    With grades up to 2 the gains are 1/2, 0 and 1. Ranks 1 to 3 are reached with 1, (2/3)²/2 and (2/4)²/2: 1/2 + 1/8
    for 1 + 2/9 + 1/8 documents.

    >>> from cranfield.notation import ranking
    >>> print(NERR11(max_depth=3)(ranking("1-2")).round(4))
    0.4639
    """
    return _read_until_satisfied(judged, _insq(T, max_depth), min_grade, max_grade, expected)


class Reading(NamedTuple):
    """How one ranking, or each of several, is read."""

    reached: Floats
    """How likely each document is looked at."""
    depth: Floats
    """How many documents are looked at, on average."""
    beyond: Floats
    """How likely a user would go on below the last rank that counts."""
    last: int
    """The last rank that counts."""


def _told(expected: Expected, gains: Floats, reading: Reading) -> PerQuery:
    """One of the five numbers. Whoever reaches a rank and does not go beyond the last stops at it or below."""
    match expected:
        case "utility":
            return (gains * reading.reached).sum(axis=-1) / reading.depth
        case "total_utility":
            return (gains * (reading.reached - reading.beyond[..., None])).sum(axis=-1)
        case "cost":
            return np.ones_like(reading.depth)
        case "total_cost":
            return reading.depth - reading.last * reading.beyond
        case "depth":
            return reading.depth


def _read(
    judged: JudgedRanking, reaches: Floats, min_grade: float, max_grade: float | None, expected: Expected
) -> PerQuery:
    """What a user is told who reaches each rank with a probability that no document changes."""
    last = len(reaches) - 1
    seen = judged.top(last)
    gains = _gains(judged, min_grade, max_grade)(seen.grades)
    per_query = np.ones(seen.ranks.shape[:-1])
    reading = Reading(_at(seen.ranks, reaches), per_query * reaches[:-1].sum(), per_query * reaches[-1], last)
    return _told(expected, gains, reading)


def _read_until_satisfied(
    judged: JudgedRanking, reaches: Floats, min_grade: float, max_grade: float | None, expected: Expected
) -> PerQuery:
    """The same for a user whom each document besides satisfies with a probability that is its gain."""
    last = len(reaches) - 1
    seen = judged.top(last)
    gains = _gains(judged, min_grade, max_grade)(seen.grades)
    per_query = gains.shape[:-1]
    unsatisfied = np.concatenate([np.ones((*per_query, 1)), np.cumprod(1 - gains, axis=-1)], axis=-1)
    # Down to each document, and then to the last rank, as many go on as those before left unsatisfied.
    ends = np.concatenate([seen.ranks, np.full((*per_query, 1), float(last))], axis=-1)
    ends = np.minimum.accumulate(ends[..., ::-1], axis=-1)[..., ::-1].astype(np.int64)
    stretches = np.diff(np.append(0.0, reaches[:-1].cumsum())[ends], axis=-1, prepend=0.0)
    reading = Reading(
        reached=unsatisfied[..., :-1] * _at(seen.ranks, reaches),
        depth=(unsatisfied * stretches).sum(axis=-1),
        beyond=unsatisfied[..., -1] * reaches[-1],
        last=last,
    )
    return _told(expected, gains, reading)


def _insq(T: float, last: int) -> Floats:
    """How likely each rank is reached in INSQ, and the one below the last."""
    return (2 * T / (np.arange(last + 1.0) + 2 * T)) ** 2


def _until(last: int, weight: Callable[[Floats], Floats]) -> Floats:
    """How likely each rank is reached where ranks have a weight, the first the largest, and there is a last one."""
    weights = weight(np.arange(1.0, last + 1))
    return np.append(weights / weights[0], 0.0)


def _adaptive(seen: JudgedRanking, last: int, gains: Gains, goes_on: Callable[[Floats], npt.NDArray[Any]]) -> Reading:
    """How a user reads who decides anew after each document, from the gains down to it."""
    per_query, width = seen.ranks.shape[:-1], seen.ranks.shape[-1]
    ranks = seen.ranks.reshape(math.prod(per_query), width)
    reached, depth, beyond = np.empty(ranks.shape), np.empty(len(ranks)), np.empty(len(ranks))
    for some, grades in seen.by_rank(last):
        onward = np.cumprod(goes_on(gains(grades)), axis=-1, dtype=np.float64)
        reaches = np.concatenate([np.ones((len(onward), 1)), onward], axis=-1)
        reached[some] = np.take_along_axis(reaches, _places(ranks[some], last), axis=-1)
        depth[some], beyond[some] = reaches[:, :-1].sum(axis=-1), reaches[:, -1]
    return Reading(reached.reshape(seen.ranks.shape), depth.reshape(per_query), beyond.reshape(per_query), last)


def _gains(judged: JudgedRanking, min_grade: float, max_grade: float | None) -> Gains:
    high = judged.max_grade if max_grade is None else max_grade
    if high <= min_grade:
        return np.zeros_like
    return lambda grades: (grades.clip(min_grade, high) - min_grade) / (high - min_grade)


def _at(ranks: Floats, by_rank: Floats) -> Floats:
    """What stands at each document's rank; for one that does not count, what stands last."""
    return by_rank[_places(ranks, len(by_rank) - 1)]


def _places(ranks: Floats, last: int) -> npt.NDArray[np.int64]:
    return np.minimum(ranks - 1, last).astype(np.int64)
