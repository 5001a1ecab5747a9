"""Measures of preferences: of two documents, is the better one ranked first?

Judges grade documents, and prefer each to those they graded lower; a negative grade is none. A preference between two
retrieved documents is fulfilled if the better one comes first; between a retrieved and another one it is implied, and
fulfilled if the better one is the retrieved one; between two that were not retrieved it is not fulfilled.
`pairs` says which of these count: `all`, `retrieved` only those between two retrieved documents, and `implied` those
with at least one.
"""

from __future__ import annotations

from typing import Literal

import numpy as np
import numpy.typing as npt

from cranfield.arrays import Floats
from cranfield.grouped_ranking import GroupedRanking
from cranfield.measures.definition import PerQuery, in_turn, measure, ratio
from cranfield.preferences import COUNTINGS

Pairs = Literal["all", "retrieved", "implied"]
BothOrAll = Literal["all", "retrieved"]
Counting = Literal["defined", "trec_eval"]

COUNTED = {"all": 3, "implied": 2, "retrieved": 1}
"""How many of the three kinds of preferences count: between retrieved documents, implied, not retrieved."""
CITE = (
    "trec_eval (Buckley), prefs; Carterette, Bennett, Chickering & Dumais, ECIR 2008, doi:10.1007/978-3-540-78646-7_5"
)


@measure(
    groups="preference",
    additive=True,
    bounds=(0, np.inf),
    mean="sum",
    cite=CITE,
    aliases=("prefs_num_prefs_poss",),
    tools={"trec_eval": "prefs_num_prefs_poss, with -R prefs or -R qrels_prefs; a negative grade is a grade there"},
)
def NumPrefs(judged: GroupedRanking) -> PerQuery:
    r"""Preferences that judges have between documents of a query.

    .. math:: \sum_j |\{(a, b) : g_j(a) > g_j(b)\}|

    One judge, who prefers the first document to two others and the third to the second:

    >>> from cranfield.notation import grouped
    >>> print(NumPrefs(grouped("2 0 1")))
    3.0
    """
    return judged.preferences.possible.sum(axis=(-1, -2))


@measure(
    groups="preference",
    bounds=(0, np.inf),
    mean="sum",
    cite=CITE,
    aliases=("prefs_num_prefs_ful", "prefs_num_prefs_ful_ret"),
    tools={"trec_eval": "prefs_num_prefs_ful; prefs_num_prefs_ful_ret is pairs=retrieved"},
)
def NumPrefsFulfilled(judged: GroupedRanking, *, pairs: BothOrAll = "all") -> PerQuery:
    r"""Preferences that the ranking fulfils.

    .. math:: \sum_j |\{(a, b) : g_j(a) > g_j(b), a \text{ before } b\}|

    Of three preferences, that of the third document to the second is not fulfilled:

    >>> from cranfield.notation import grouped
    >>> print(NumPrefsFulfilled(grouped("2 0 1")))
    2.0
    """
    return _counted(judged.preferences.fulfilled, pairs).sum(axis=-1)


@measure(
    groups="preference",
    bounds=(0, 1),
    cite=CITE,
    aliases=("prefs_simp", "prefs_simp_ret", "prefs_simp_imp"),
    tools={"trec_eval": "prefs_simp; prefs_simp_ret is pairs=retrieved, prefs_simp_imp pairs=implied"},
)
def PrefSimp(judged: GroupedRanking, *, pairs: Pairs = "all") -> PerQuery:
    r"""Share of the judges' preferences that the ranking fulfils, each preference of a judge counting once.

    .. math:: \frac{\sum_j \text{fulfilled}_j}{\sum_j \text{possible}_j}

    >>> from cranfield.notation import grouped
    >>> print(PrefSimp(grouped("2 0 1")).round(4))
    0.6667
    """
    counts = judged.preferences
    return ratio(_counted(counts.fulfilled, pairs).sum(axis=-1), _counted(counts.possible, pairs).sum(axis=-1))


@measure(
    groups="preference",
    bounds=(0, 1),
    cite=CITE,
    aliases=("prefs_pair", "prefs_pair_ret", "prefs_pair_imp"),
    tools={"trec_eval": "prefs_pair; prefs_pair_ret is pairs=retrieved, prefs_pair_imp pairs=implied"},
)
def PrefPair(judged: GroupedRanking, *, pairs: Pairs = "all") -> PerQuery:
    r"""Share of the preferences about two documents that is fulfilled, averaged over pairs of documents.

    .. math:: \frac{1}{|D|} \sum_{\{a, b\} \in D} \frac{\text{fulfilled}(a, b)}{\text{preferences}(a, b)}

    D are the pairs about which any judge has a preference.

    Two judges disagree about the only pair; whatever the order, half of their preferences is fulfilled:

    >>> from cranfield.notation import grouped
    >>> print(PrefPair(grouped("10 01")))
    0.5
    """
    counts = judged.preferences
    kinds = COUNTED[pairs]
    return ratio(counts.pairs_fulfilled[..., kinds - 1], counts.pairs[..., :kinds].sum(axis=-1))


@measure(
    groups="preference",
    bounds=(0, 1),
    cite=CITE,
    aliases=("prefs_avgjg", "prefs_avgjg_ret", "prefs_avgjg_imp"),
    tools={"trec_eval": "prefs_avgjg; prefs_avgjg_ret is pairs=retrieved, prefs_avgjg_imp pairs=implied"},
)
def PrefAvg(judged: GroupedRanking, *, pairs: Pairs = "all") -> PerQuery:
    r"""Share of a judge's preferences that the ranking fulfils, averaged over judges.

    .. math:: \frac{1}{|J|} \sum_{j \in J} \frac{\text{fulfilled}_j}{\text{possible}_j}

    A judge without a preference counts 0, unless all are without one.

    The first judge has three preferences, two fulfilled; the second has one, fulfilled:

    >>> from cranfield.notation import grouped
    >>> print(PrefAvg(grouped("21 00 1-")).round(4))
    0.8333
    """
    counts = judged.preferences
    return _averaged(ratio(_counted(counts.fulfilled, pairs), _counted(counts.possible, pairs)), judged)


@measure(
    groups="preference",
    bounds=(0, 1),
    cite=CITE,
    aliases=("prefs_avgjg_Rnonrel", "prefs_avgjg_Rnonrel_ret"),
    tools={
        "trec_eval": "prefs_avgjg_Rnonrel; prefs_avgjg_Rnonrel_ret is pairs=retrieved; both with counting=trec_eval",
    },
)
def PrefAvgR(judged: GroupedRanking, *, pairs: BothOrAll = "all", counting: Counting = "defined") -> PerQuery:
    r"""PrefAvg with as many irrelevant documents as a judge found relevant ones, as bpref has it.

    .. math:: \frac{1}{|J|} \sum_{j \in J} \frac{\text{fulfilled}_j}{\text{possible}_j}

    How many irrelevant documents are judged should not decide how much a judge's other preferences weigh. Of a
    judge with R relevant documents only the first R irrelevant ones of the ranking count; where there are fewer, the
    missing ones count as ranked below every relevant document retrieved. A document is relevant above grade 0. With
    `pairs=retrieved` only documents that were retrieved count, as relevant ones too.

    `counting=trec_eval` is what trec_eval prints: with more than R irrelevant documents it also counts pairs of
    irrelevant documents as preferences, each document and itself among them, and a judge who leaves nothing to count
    leaves the query undefined.

    One relevant document above three irrelevant ones; only the first of these counts. trec_eval counts four pairs, of
    each document and that first irrelevant one; in one of the four the former comes before the latter:

    >>> from cranfield.notation import grouped
    >>> print(PrefAvgR(grouped("1 0 0 0")), PrefAvgR(counting="trec_eval")(grouped("1 0 0 0")))
    1.0 0.25
    """
    scope = 0 if pairs == "all" else 1
    balanced = judged.preferences.balanced[..., COUNTINGS.index(counting), scope, :]
    shares = ratio(balanced[..., 0], balanced[..., 1])
    averaged = _averaged(shares, judged)
    if counting == "trec_eval":
        nothing_to_count = (np.isnan(shares) & _real(shares, judged)).any(axis=-1)
        return np.where(nothing_to_count, np.nan, averaged)[()]
    return averaged


def _counted(by_kind: Floats, pairs: Pairs) -> Floats:
    """The preferences that count, of each judge."""
    return by_kind[..., : COUNTED[pairs]].sum(axis=-1)


def _averaged(shares: Floats, judged: GroupedRanking) -> PerQuery:
    """The mean over judges, of whom some may have nothing to say; undefined where that is true of all."""
    known = ~np.isnan(shares)
    return ratio(in_turn(np.where(known, shares, 0.0)), np.where(known.any(axis=-1), _judges(judged), 0.0))


def _real(shares: Floats, judged: GroupedRanking) -> npt.NDArray[np.bool_]:
    """Which shares are those of a judge, and no padding."""
    return np.arange(shares.shape[-1]) < np.asarray(_judges(judged))[..., None]


def _judges(judged: GroupedRanking) -> Floats:
    return judged.owners.max(axis=-1, initial=-1) + 1.0
