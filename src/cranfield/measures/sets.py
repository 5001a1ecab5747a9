"""Measures of the retrieved set, whatever its order."""

from __future__ import annotations

import numpy as np

from cranfield.align import JudgedRanking
from cranfield.errors import UsageError
from cranfield.measures.definition import PerQuery, measure, ratio
from cranfield.measures.ranges import Count, Weight

VAN_RIJSBERGEN = "van Rijsbergen, Information Retrieval, 2nd ed., 1979, ch. 7"
CLEVERDON = "Cleverdon, Mills & Keen, Factors determining the performance of indexing systems, 1966"


@measure(
    additive=True,
    bounds=(0, 1),
    of_retrieved=True,
    cite=CLEVERDON,
    aliases=("set_p", "precision", "IDBasedContextPrecision", "id_based_context_precision"),
    tools={
        "trec_eval": "set_P",
        "ir_measures": "SetP",
        "ranx": "precision",
        "ragas": "IDBasedContextPrecision",
    },
)
def SetP(judged: JudgedRanking, *, rel: float = 1) -> PerQuery:
    r"""Precision of the whole retrieved set: the share of it that is relevant.

    .. math:: \frac{\sum_i rel_i}{n}

    >>> from cranfield.notation import ranking
    >>> print(SetP(ranking("1-01|1")))
    0.5
    """
    return ratio(judged.num_rel_ret(rel), judged.retrieved)


@measure(
    additive=True,
    bounds=(0, 1),
    normalised=lambda params: True,
    cite=CLEVERDON,
    aliases=("set_recall", "recall", "context_recall", "IDBasedContextRecall", "id_based_context_recall"),
    tools={
        "trec_eval": "set_recall",
        "ir_measures": "SetR",
        "ranx": "recall",
        "ragas": "IDBasedContextRecall",
    },
)
def SetR(judged: JudgedRanking, *, rel: float = 1) -> PerQuery:
    r"""Recall of the whole retrieved set: the share of all relevant documents that is in it.

    .. math:: \frac{\sum_i rel_i}{R}

    >>> from cranfield.notation import ranking
    >>> print(SetR(ranking("1-01|1")).round(4))
    0.6667
    """
    return ratio(judged.num_rel_ret(rel), judged.num_rel(rel))


@measure(
    additive=True,
    bounds=(0, 1),
    cite=VAN_RIJSBERGEN,
    aliases=("set_f", "f1", "f"),
    tools={
        "trec_eval": "set_F.x where x is beta squared, so set_F.4 is SetF(beta=2)",
        "ir_measures": "SetF(beta=x), which hands x to trec_eval: its beta is beta squared",
        "ranx": "f1",
    },
)
def SetF(judged: JudgedRanking, *, beta: Weight = 1, rel: float = 1) -> PerQuery:
    r"""Weighted harmonic mean of the set's precision and recall; beta > 1 favours recall.

    .. math:: \frac{(\beta^2 + 1) P R}{\beta^2 P + R}

    Precision 1/2 and recall 2/3:

    >>> from cranfield.notation import ranking
    >>> print(SetF(ranking("1-01|1")).round(4))
    0.5714
    """
    return f_measure(judged.num_rel_ret(rel), judged.retrieved, judged.num_rel(rel), beta)


@measure(
    additive=True,
    bounds=(0, 1),
    normalised=lambda params: True,
    cite="trec_eval (Buckley), set_relative_P",
    aliases=("set_relative_p",),
    tools={"trec_eval": "set_relative_P", "ir_measures": "SetRelP, SetP(relative=True)"},
)
def SetRelP(judged: JudgedRanking, *, rel: float = 1) -> PerQuery:
    r"""Relative precision of the retrieved set: its precision as a share of the best a set of its size can have.

    .. math:: \frac{\sum_i rel_i}{\min(n, R)}

    Four documents came back and three are relevant, so three could have been in it:

    >>> from cranfield.notation import ranking
    >>> print(SetRelP(ranking("1-01|1")).round(4))
    0.6667
    """
    return ratio(judged.num_rel_ret(rel), np.minimum(judged.retrieved, judged.num_rel(rel)))


@measure(
    bounds=(0, 1),
    cite="trec_eval (Buckley), set_map",
    caution="It is precision times recall of a set, not average precision: the order of documents does not count.",
    aliases=("set_map",),
    tools={"trec_eval": "set_map", "ir_measures": "SetAP"},
)
def SetAP(judged: JudgedRanking, *, rel: float = 1) -> PerQuery:
    r"""Precision times recall of the retrieved set, whatever its order.

    .. math:: \frac{\sum_i rel_i}{n} \cdot \frac{\sum_i rel_i}{R}

    Precision 1/2 and recall 2/3:

    >>> from cranfield.notation import ranking
    >>> print(SetAP(ranking("1-01|1")).round(4))
    0.3333
    """
    hits = judged.num_rel_ret(rel)
    return ratio(hits**2, judged.retrieved * judged.num_rel(rel))


@measure(
    divides_by_found=lambda params: params["docs"] is None and params["d"] != 0,
    additive=True,
    bounds=(-np.inf, np.inf),
    cite="trec_eval (Buckley), utility; the linear utility of TREC's filtering tracks",
    tools={
        "trec_eval": "utility.a,b,c,d with docs as -N; with d and without -N it takes a collection of 0 documents",
    },
)
def Utility(
    judged: JudgedRanking,
    *,
    a: float = 1,
    b: float = -1,
    c: float = 0,
    d: float = 0,
    rel: float = 1,
    docs: Count | None = None,
) -> PerQuery:
    r"""Linear utility of the retrieved set: a worth for each of the four things that can happen to a document.

    .. math:: a \, tp + b \, fp + c \, fn + d \, tn

    A relevant document retrieved is worth `a`, an irrelevant or unjudged one `b`; a relevant document left out is
    worth `c`, any other `d`. For `d` the collection has `docs` documents; without it only those retrieved or judged
    count.

    Two relevant documents and two others came back, one relevant one did not: 2 - 2, and with a price on the
    missing one 2 - 2 - 3.

    >>> from cranfield.notation import ranking
    >>> print(Utility(ranking("1-01|1")), Utility(c=-3)(ranking("1-01|1")))
    0.0 -3.0
    """
    hits, num_rel = judged.num_rel_ret(rel), judged.num_rel(rel)
    left_out = _collection(judged, docs) - judged.retrieved - num_rel + hits
    return np.asarray(a * hits + b * (judged.retrieved - hits) + c * (num_rel - hits) + d * left_out)[()]


@measure(
    divides_by_found=lambda params: params["docs"] is None,
    additive=True,
    bounds=(0, 1),
    cite="Manning, Raghavan & Schütze, Introduction to Information Retrieval, 2008, sec. 8.3",
    caution=(
        "Nearly all documents are irrelevant to a query, so a system that returns nothing is nearly always "
        "'accurate'. Do not choose a system by accuracy."
    ),
    tools={
        "ir_measures": "Accuracy is another measure: AUC(pairs=retrieved)",
        "BEIR": "Accuracy@k is another measure: Success@k",
    },
)
def Accuracy(judged: JudgedRanking, *, rel: float = 1, docs: Count | None = None) -> PerQuery:
    r"""Share of documents treated rightly: relevant ones retrieved, irrelevant ones not.

    .. math:: \frac{tp + tn}{N}

    N is the size of the collection, `docs`; without it only the documents known for the query count,
    those retrieved or judged. Beware: in a large collection, returning nothing is almost perfectly accurate.

    Of five known documents two are right (a relevant one retrieved, an irrelevant one left out):

    >>> from cranfield.notation import ranking
    >>> print(Accuracy(ranking("1-0|1 0")))
    0.4
    >>> print(Accuracy(docs=1_000_000)(ranking("|1")))
    0.999999
    """
    hits = judged.num_rel_ret(rel)
    wrong = judged.retrieved - hits + judged.num_rel(rel) - hits
    size = _collection(judged, docs)
    return ratio(size - wrong, size)


@measure(
    divides_by_found=lambda params: params["docs"] is None,
    additive=True,
    bounds=(0, 1),
    lower_is_better=True,
    cite=CLEVERDON,
    aliases=("fall_out", "fall-out"),
    tools={"trec_eval": "dropped in version 9", "torchmetrics": "RetrievalFallOut"},
)
def Fallout(judged: JudgedRanking, *, rel: float = 1, docs: Count | None = None) -> PerQuery:
    r"""Share of all irrelevant documents that was retrieved; lower is better.

    .. math:: \frac{fp}{fp + tn}

    The collection has `docs` documents; without it only those retrieved or judged count.

    Two of three irrelevant documents came back:

    >>> from cranfield.notation import ranking
    >>> print(Fallout(ranking("1-0|1 0")).round(4))
    0.6667
    """
    hits = judged.num_rel_ret(rel)
    return ratio(judged.retrieved - hits, _collection(judged, docs) - judged.num_rel(rel))


def f_measure(hits: PerQuery, retrieved: PerQuery | float, relevant: PerQuery, beta: float) -> PerQuery:
    """F from counts; undefined where nothing is relevant, since recall is."""
    weighted = ratio((beta**2 + 1) * hits, beta**2 * relevant + retrieved)
    return np.where(relevant == 0, np.nan, weighted)[()]


def _collection(judged: JudgedRanking, docs: int | None) -> PerQuery:
    judged_rows = (judged.judged > -np.inf).sum(axis=-1)
    seen = (judged.grades > -np.inf).sum(axis=-1)
    known = judged.retrieved + judged_rows - seen
    if docs is None:
        return known
    if np.any(known > docs):
        raise UsageError(
            f"docs={docs} is smaller than the {int(np.max(known))} documents known for one query.\n"
            "Give the number of documents in the whole collection."
        )
    return np.full_like(known, docs)
