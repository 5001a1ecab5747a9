"""User models of the C/W/L family: what a user gains who may stop after any document.

Each model is a continuation probability; `reading` makes of it the five numbers that cwl_eval prints. RBP and ERR,
which are older than the family, are in `user`.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from cranfield.align import JudgedRanking
from cranfield.arrays import Floats
from cranfield.measures.definition import PerQuery, measure
from cranfield.measures.ranges import AboveZero, Depth, Fraction, FromZero, Probability, Scale, UpToAMillion, Weight
from cranfield.measures.reading import (
    Expected,
    Reading,
    bounds,
    read,
    read_adaptively,
    read_until_satisfied,
    scale,
    told,
    until,
)

MAX_DEPTH = 1000
"""How deep cwl_eval looks by default."""
DEEPEST = 1_000_000
"""No model has a deeper cutoff: every rank down to it takes memory."""

ROUNDING = 1e-9
"""By how much a sum of gains may miss what it should be."""

CWL = "C/W/L: Moffat, Bailey, Scholer & Thomas, TOIS 35(3), 2017, doi:10.1145/3052768"
CWL_EVAL = "cwl_eval: Azzopardi, Thomas & Moffat, SIGIR 2019, doi:10.1145/3331184.3331398"
NOT_ERR = "Azzopardi, Mackenzie & Moffat, ERR is not C/W/L, ICTIR 2021, doi:10.1145/3471158.3472239"
NO_LENGTHS = (
    "Every document takes the same time here; the measure was defined with document lengths, which runs do not have."
)

ForagingRule = Literal["both", "goal", "rate"]


def _rate(params: Mapping[str, Any]) -> bool:
    """Whether it is computed per document: totals and depth may fall when an adaptive user finds more, and stops."""
    return params["expected"] in ("utility", "cost")


def _wrong(params: Mapping[str, Any]) -> str:
    low, high = params["min_grade"], params["max_grade"]
    if high is not None and low >= high:
        return f"max_grade must be above min_grade; they are {high:g} and {low:g}."
    if (cutoff := params.get("cutoff") or 1) > DEEPEST:
        return f"The cutoff of a user model must be a whole number from 1 to a million, not {cutoff}."
    return ""


def _wrong_for_inst(params: Mapping[str, Any]) -> str:
    # With less, finding a perfect document first would make it likelier to go on.
    return f"INST: T must be a number of at least 0.5, not {params['T']:g}." if params["T"] < 0.5 else _wrong(params)


def _wrong_for_set(params: Mapping[str, Any]) -> str:
    # With more, the next document would be worth more than the last.
    return f"SET: beta must be a number of at most 1, not {params['beta']:g}." if params["beta"] > 1 else _wrong(params)


STATIC: dict[str, Any] = {"additive": True, "of_retrieved": True, "bounds": bounds, "check": _wrong}
"""Facts of a model whose user reads on whatever the documents are."""
ADAPTIVE: dict[str, Any] = {"of_retrieved": True, "bounds": bounds, "check": _wrong, "monotone": _rate}
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
    T: Scale = 1,
    min_grade: FromZero = 0,
    max_grade: AboveZero | None = None,
    max_depth: Depth = MAX_DEPTH,
    expected: Expected = "utility",
) -> PerQuery:
    r"""Gain per document for a user who hopes for a total gain of T, and goes on the less the nearer it is.

    .. math:: \sum_i W_i g_i, \quad C_i = \left( \frac{i + 2T - G_i - 1}{i + 2T - G_i} \right)^2

    C_i is the probability that a user who looked at rank i goes on to the next, g_i the gain at rank i, and G_i that
    of the first i documents. A grade gains nothing up to `min_grade` and 1 from `max_grade` on, in proportion
    between them; `max_grade` is the collection's largest grade unless given. (With min_grade=1, max_grade=2 a whole
    grade gains all or nothing.)

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

    def stops(gains: Floats) -> Floats:
        ahead = np.arange(1, max_depth + 1) + 2 * T - gains.cumsum(axis=-1)
        return (2 * ahead - 1) / ahead**2  # 1 - C

    return read_adaptively(judged, max_depth, stops, min_grade, max_grade, expected)


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
    T: Scale = 1,
    min_grade: FromZero = 0,
    max_grade: AboveZero | None = None,
    max_depth: Depth = MAX_DEPTH,
    expected: Expected = "utility",
) -> PerQuery:
    r"""Gain per document for a user who hopes for a total gain of T, and goes on the likelier the deeper the rank.

    .. math:: \sum_i W_i g_i, \quad C_i = \left( \frac{i + 2T - 1}{i + 2T} \right)^2

    INST without its eye on what was gained so far; the parameters are those of INST.

    With T = 1, ranks 1 to 3 are reached with 1, (2/3)² and (2/4)². With grades up to 2 the gains are 1, 0 and 1/2, so
    it is 1 + 1/8 for 1 + 4/9 + 1/4 documents:

    >>> from cranfield.notation import ranking
    >>> print(INSQ(max_depth=3)(ranking("2-1|1")).round(4))
    0.6639
    >>> print(INSQ(ranking("2-1|1")).round(4))
    0.4368
    """
    return read(judged, _insq(T, max_depth), min_grade, max_grade, expected)


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
    min_grade: FromZero = 0,
    max_grade: AboveZero | None = None,
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
    return read(judged, until(cutoff, lambda rank: 1 / np.log2(rank + 1)), min_grade, max_grade, expected)


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
    T: Scale = 1,
    hb: UpToAMillion = 0,
    hc: UpToAMillion = 0,
    median: Fraction = 0.5,
    min_grade: FromZero = 0,
    max_grade: AboveZero | None = None,
    max_depth: Depth = MAX_DEPTH,
    expected: Expected = "utility",
    cutoff: int,
) -> PerQuery:
    r"""Bejeweled player model: gain per document for a user who stops with a gain of T, or after k documents.

    .. math:: \sum_i W_i g_i, \quad C_i = 1 \text{ if } G_i < T + h_b D_i \text{ and } i < k + h_c D_i \text{, else } 0

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

    def stops(gains: Floats) -> npt.NDArray[np.bool_]:
        ranks, gained = np.arange(1, last + 1), gains.cumsum(axis=-1)
        surprise = gained - gains - median * (ranks - 1)
        # Six gains of 1/3 are 2, however they are rounded.
        return (gained >= T + hb * surprise - ROUNDING) | (ranks >= cutoff + hc * surprise - ROUNDING)

    return read_adaptively(judged, last, stops, min_grade, max_grade, expected)


@measure(
    **ADAPTIVE,
    cite=NOT_ERR,
    tools={"cwl_eval": "NERR-EQ8@k=20", "ir_measures": "NERR8(max_rel=3)@20, which needs max_rel"},
)
def NERR8(
    judged: JudgedRanking,
    *,
    min_grade: FromZero = 0,
    max_grade: AboveZero | None = None,
    expected: Expected = "utility",
    cutoff: int,
) -> PerQuery:
    r"""Nearly ERR, equation 8: gain per document for a user whom each document satisfies with its gain, or k ends.

    .. math:: \sum_i W_i g_i, \quad C_i = 1 - g_i \text{ for } i < k \text{, else } 0

    ERR itself is none of the C/W/L family; NERR8 to NERR11 come nearest among those that are. Gains and the other
    parameters are those of INST.

    With grades up to 2 the gains are 1/2, 0 and 1. Half of the users stop at rank 1, the others at rank 3:
    1/2 + 1/2 for 1 + 1/2 + 1/2 documents.

    >>> from cranfield.notation import ranking
    >>> print((NERR8 @ 3)(ranking("1-2")).round(4))
    0.5
    """
    return read_until_satisfied(judged, until(cutoff, np.ones_like), min_grade, max_grade, expected)


@measure(
    **ADAPTIVE,
    cite=NOT_ERR,
    tools={"cwl_eval": "NERR-EQ9@k=20", "ir_measures": "NERR9(max_rel=3)@20, which needs max_rel"},
)
def NERR9(
    judged: JudgedRanking,
    *,
    min_grade: FromZero = 0,
    max_grade: AboveZero | None = None,
    expected: Expected = "utility",
    cutoff: int,
) -> PerQuery:
    r"""Nearly ERR, equation 9: as NERR8, and attention falls with the rank besides.

    .. math:: \sum_i W_i g_i, \quad C_i = \frac{i}{i+1} (1 - g_i) \text{ for } i < k \text{, else } 0

    Rank i of a ranking without gain is reached with probability 1 / i, the discount of ERR. Gains and the other
    parameters are those of INST.

    With grades up to 2 the gains are 1/2, 0 and 1. Ranks 1 to 3 are reached with 1, 1/4 and 1/6: 1/2 + 1/6 for
    1 + 1/4 + 1/6 documents.

    >>> from cranfield.notation import ranking
    >>> print((NERR9 @ 3)(ranking("1-2")).round(4))
    0.4706
    """
    return read_until_satisfied(judged, until(cutoff, lambda rank: 1 / rank), min_grade, max_grade, expected)


@measure(
    **ADAPTIVE,
    cite=NOT_ERR,
    tools={"cwl_eval": "NERR-EQ10@phi=0.9", "ir_measures": "NERR10(max_rel=3), which needs max_rel"},
)
def NERR10(
    judged: JudgedRanking,
    *,
    p: Probability = 0.9,
    min_grade: FromZero = 0,
    max_grade: AboveZero | None = None,
    max_depth: Depth = MAX_DEPTH,
    expected: Expected = "utility",
) -> PerQuery:
    r"""Nearly ERR, equation 10: as NERR8, and a user goes on with probability p besides.

    .. math:: \sum_i W_i g_i, \quad C_i = p \, (1 - g_i)

    RBP whose users are satisfied. Gains and the other parameters are those of INST.

    With grades up to 2 the gains are 1/2, 0 and 1. Ranks 1 to 3 are reached with 1, 0.45 and 0.405: 0.905 for 1.855
    documents.

    >>> from cranfield.notation import ranking
    >>> print(NERR10(max_depth=3)(ranking("1-2")).round(4))
    0.4879
    """
    return read_until_satisfied(judged, p ** np.arange(max_depth + 1.0), min_grade, max_grade, expected)


@measure(
    **ADAPTIVE,
    cite=NOT_ERR,
    tools={"cwl_eval": "NERR-EQ11@T=1", "ir_measures": "NERR11(max_rel=3), which needs max_rel"},
)
def NERR11(
    judged: JudgedRanking,
    *,
    T: Scale = 1,
    min_grade: FromZero = 0,
    max_grade: AboveZero | None = None,
    max_depth: Depth = MAX_DEPTH,
    expected: Expected = "utility",
) -> PerQuery:
    r"""Nearly ERR, equation 11: as NERR8, and a user goes on as in INSQ besides.

    .. math:: \sum_i W_i g_i, \quad C_i = \left( \frac{i + 2T - 1}{i + 2T} \right)^2 (1 - g_i)

    INSQ whose users are satisfied. Gains and the other parameters are those of INST.

    With grades up to 2 the gains are 1/2, 0 and 1. Ranks 1 to 3 are reached with 1, (2/3)²/2 and (2/4)²/2: 1/2 + 1/8
    for 1 + 2/9 + 1/8 documents.

    >>> from cranfield.notation import ranking
    >>> print(NERR11(max_depth=3)(ranking("1-2")).round(4))
    0.4639
    """
    return read_until_satisfied(judged, _insq(T, max_depth), min_grade, max_grade, expected)


@measure(
    **STATIC,
    cite=CWL_EVAL,
    tools={"cwl_eval": "P@10; of gains of 0 and 1 it is P, and its total_utility NumRelRet"},
)
def cwlP(
    judged: JudgedRanking,
    *,
    min_grade: FromZero = 0,
    max_grade: AboveZero | None = None,
    expected: Expected = "utility",
    cutoff: int,
) -> PerQuery:
    r"""Precision of the C/W/L family: gain per document for a user who looks at k documents.

    .. math:: \frac{1}{k} \sum_{i \le k} g_i

    Gains and the other parameters are those of INST.

    With grades up to 2 the gains are 1, 0 and 1/2:

    >>> from cranfield.notation import ranking
    >>> print((cwlP @ 4)(ranking("2-1|1")))
    0.375
    """
    return read(judged, until(cutoff, np.ones_like), min_grade, max_grade, expected)


@measure(
    # A poor document before a good one takes its place, so a score with unjudged documents may end below and above.
    **ADAPTIVE | {"of_retrieved": False},
    cite=CWL_EVAL,
    tools={"cwl_eval": "RR; of gains of 0 and 1 it is RR, and its depth SL, or max_depth where nothing is found"},
)
def cwlRR(
    judged: JudgedRanking,
    *,
    min_grade: FromZero = 0,
    max_grade: AboveZero | None = None,
    max_depth: Depth = MAX_DEPTH,
    expected: Expected = "utility",
) -> PerQuery:
    r"""Reciprocal rank of the C/W/L family: gain per document for a user who stops at the first gain.

    .. math:: \frac{g_f}{f}, \quad f = \min \{i : g_i > 0\}

    Gains and the other parameters are those of INST. A user who finds nothing reads down to `max_depth`.

    With grades up to 2 the first gain is 1/2, at rank 2:

    >>> from cranfield.notation import ranking
    >>> print(cwlRR(ranking("-12")), cwlRR(expected="depth")(ranking("-12")))
    0.25 2.0
    """
    seen = judged.top(max_depth)
    gains = scale(judged, min_grade, max_grade)(seen.grades)
    first = np.asarray(np.where(gains > 0, seen.ranks, np.inf).min(axis=-1, initial=np.inf))
    reached = (seen.ranks <= first[..., None]).astype(np.float64)
    reading = Reading.to_the_last(reached, np.minimum(first, max_depth), max_depth, beyond=np.isinf(first) + 0.0)
    return told(expected, gains, reading)


@measure(
    # A poor document further down lowers the average, as in AP(norm=retrieved).
    **ADAPTIVE | {"of_retrieved": False},
    divides_by_found=lambda params: True,
    cite=CWL_EVAL,
    tools={"cwl_eval": "AP, of the first 1000 documents; of gains of 0 and 1 it is AP(norm=retrieved)"},
)
def cwlAP(
    judged: JudgedRanking,
    *,
    min_grade: FromZero = 0,
    max_grade: AboveZero | None = None,
    expected: Expected = "utility",
) -> PerQuery:
    r"""Average precision of the C/W/L family: each gain weighed by the gain per document down to it.

    .. math:: \sum_i g_i \frac{G_i}{i} \Big/ \sum_i g_i

    G_i is the gain of the first i documents. Such a user knows what is still to come: rank i is reached as likely as
    the sum of g_j / j from there on is a share of the whole sum. Where there is no gain, a user looks at one document.
    Gains and the other parameters are those of INST.

    With grades up to 2 the gains are 1, 0 and 1/2: 1 · 1/1 + 1/2 · 1.5/3 out of 1.5.

    >>> from cranfield.notation import ranking
    >>> print(cwlAP(ranking("2-1|1")).round(4))
    0.8333
    """
    gains = scale(judged, min_grade, max_grade)(judged.grades)
    by_rank = gains / judged.ranks
    total = np.asarray(by_rank.sum(axis=-1))
    found = total > 0
    still = by_rank[..., ::-1].cumsum(axis=-1)[..., ::-1] / np.where(found, total, 1.0)[..., None]
    depth = np.where(found, gains.sum(axis=-1) / np.where(found, total, 1.0), 1.0)
    return told(expected, gains, Reading(still, depth, still, depth))


@measure(
    **STATIC,
    cite=f"Smucker & Clarke, SIGIR 2012, doi:10.1145/2348283.2348300; {CWL_EVAL}",
    caution=NO_LENGTHS,
    tools={"cwl_eval": "TBG-H@224, where no costs are given"},
)
def TBG(
    judged: JudgedRanking,
    *,
    halflife: Scale = 224,
    min_grade: FromZero = 0,
    max_grade: AboveZero | None = None,
    max_depth: Depth = MAX_DEPTH,
    expected: Expected = "utility",
) -> PerQuery:
    r"""Time-biased gain: gain per document for users of whom half are left after every `halflife` documents.

    .. math:: \sum_i W_i g_i, \quad C_i = 2^{-1 / h} \text{ for } i < n \text{, else } 0

    h is `halflife` and n is `max_depth`. As published it is a total, which `total_utility` gives. Gains and the other
    parameters are those of INST.

    With a half-life of one document, ranks 1 to 3 are reached with 1, 1/2 and 1/4. With grades up to 2 the gains are
    1, 0 and 1/2: 1 + 1/8 for 1 + 1/2 + 1/4 documents.

    >>> from cranfield.notation import ranking
    >>> print(TBG(halflife=1, max_depth=3)(ranking("2-1|1")).round(4))
    0.6429
    """
    reaches = until(max_depth, lambda rank: np.exp2((1 - rank) / halflife))
    return read(judged, reaches, min_grade, max_grade, expected)


@measure(
    **STATIC,
    cite=f"Sakai & Dou, SIGIR 2013, doi:10.1145/2484028.2484031; {CWL_EVAL}",
    aliases=("U-measure",),
    caution=NO_LENGTHS,
    tools={"cwl_eval": "U-L@1000, where no costs are given; its last rank weighs nothing: that is max_depth=999 here"},
)
def U(
    judged: JudgedRanking,
    *,
    L: Scale = 1000,
    min_grade: FromZero = 0,
    max_grade: AboveZero | None = None,
    max_depth: Depth = MAX_DEPTH,
    expected: Expected = "utility",
) -> PerQuery:
    r"""U-measure: gain per document for users who grow fewer by the same number with each document, down to L.

    .. math:: \sum_i g_i \left( 1 - \frac{i - 1}{L} \right) \Big/ \sum_i \left( 1 - \frac{i - 1}{L} \right)

    Sums go down to the smaller of L and `max_depth`. As published it is a total, which `total_utility` gives. Gains
    and the other parameters are those of INST.

    With L = 4, ranks 1 to 4 are reached with 1, 3/4, 1/2 and 1/4. With grades up to 2 the gains are 1, 0 and 1/2:
    1 + 1/4 for 2.5 documents.

    >>> from cranfield.notation import ranking
    >>> print(U(L=4)(ranking("2-1|1")))
    0.5
    """
    reaches = until(min(math.ceil(L), max_depth), lambda rank: 1 - (rank - 1) / L)
    return read(judged, reaches, min_grade, max_grade, expected)


@measure(
    # A user content with the rate of gain reads on to where there is none.
    **ADAPTIVE | {"monotone": lambda params: params["expected"] == "cost"},
    cite=f"Azzopardi, Thomas & Craswell, SIGIR 2018, doi:10.1145/3209978.3210027; {CWL_EVAL}",
    tools={"cwl_eval": "IFT-C1-C2; IFT-C1 is rule=goal, IFT-C2 rule=rate"},
)
def IFT(
    judged: JudgedRanking,
    *,
    rule: ForagingRule = "both",
    T: Scale = 2,
    b1: UpToAMillion = 0.9,
    R1: UpToAMillion = 10,
    A: UpToAMillion = 0.2,
    b2: UpToAMillion = 0.9,
    R2: UpToAMillion = 10,
    min_grade: FromZero = 0,
    max_grade: AboveZero | None = None,
    max_depth: Depth = MAX_DEPTH,
    expected: Expected = "utility",
) -> PerQuery:
    r"""Information foraging: gain per document for a user who goes on until T is gained, while gains come at rate A.

    .. math:: \sum_i W_i g_i, \quad \frac{1}{C_i} = (1 + e^{R_1 (G_i - T)} / b_1) (1 + b_2 e^{R_2 (A - G_i / i)})

    G_i is the gain of the first i documents. The larger R, the more it matters that the goal is met or the rate
    missed; where it is 0, only b counts. `rule` says whether both factors count, or only the first (`goal`) or the
    second (`rate`). Gains and the other parameters are those of INST.

    Who looks at two documents at most, and with b1 = 1 goes on or not with equal chances when the goal is just met at
    rank 1, gains 1 for 1 + 1/2 documents:

    >>> from cranfield.notation import ranking
    >>> print(IFT(rule="goal", T=1, b1=1, max_depth=2)(ranking("1-1|1")).round(4))
    0.6667
    """

    def stops(gains: Floats) -> Floats:
        gained = gains.cumsum(axis=-1)
        has_enough = _logistic(1 / b1 if b1 else math.inf, R1 * (gained - T))
        too_slow = _logistic(b2, R2 * (A - gained / np.arange(1, max_depth + 1)))
        either = has_enough + too_slow - has_enough * too_slow
        return {"goal": has_enough, "rate": too_slow, "both": either}[rule]

    return read_adaptively(judged, max_depth, stops, min_grade, max_grade, expected)


@measure(
    **STATIC | {"check": _wrong_for_set},
    cite=f"Azzopardi, SIGIR 2014, doi:10.1145/2600428.2609574; {CWL_EVAL}",
    tools={"cwl_eval": "SET-k@10-b@0.5 with offset=1: its ranks count from 2"},
)
def SET(
    judged: JudgedRanking,
    *,
    beta: Weight = 0.5,
    offset: UpToAMillion = 0,
    min_grade: FromZero = 0,
    max_grade: AboveZero | None = None,
    expected: Expected = "utility",
    cutoff: int,
) -> PerQuery:
    r"""Search economic theory: gain per document where i documents in a row are worth as much as i^β alone.

    .. math:: \sum_{i \le k} g_i w_i \Big/ \sum_{i \le k} w_i, \quad w_i = (i + s)^{\beta} - (i + s - 1)^{\beta}

    s is `offset`, as if as many documents had been read before. With β = 1 it is cwlP. Gains and the other parameters
    are those of INST.

    With β = 1/2, four documents are worth two: the first is worth 1 and the third √3 - √2. With grades up to 2 the
    gains are 1, 0 and 1/2:

    >>> from cranfield.notation import ranking
    >>> print((SET @ 4)(ranking("2-1|1")).round(4))
    0.5795
    """
    reaches = until(cutoff, lambda rank: (rank + offset) ** beta - (rank + offset - 1) ** beta)
    return read(judged, reaches, min_grade, max_grade, expected)


def _insq(T: float, last: int) -> Floats:
    """How likely each rank is reached in INSQ, and the one below the last."""
    return (2 * T / (np.arange(last + 1.0) + 2 * T)) ** 2


def _logistic(b: float, x: Floats) -> Floats:
    """b e^x / (1 + b e^x), however large x or b may be."""
    log_b = math.log(b) if b else -math.inf
    return 1 / (1 + np.exp(np.clip(-x - log_b, -700, 700)))
