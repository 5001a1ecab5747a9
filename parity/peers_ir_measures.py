"""Per query and in the mean. It calls other tools: pytrec_eval for most measures, cwl_eval for RBP and other user
models, pyndeval for diversity, and gdeval, a Perl script that prints five decimals, for ERR and for nDCG with
exponential gain. These order ties each in its own way, so there are none in the data but where `profile=ir_measures`
makes its choices.
"""

from __future__ import annotations

import ir_measures
import pandas as pd

from parity.data import Data, Diverse, diverse, graded, sampled, tied
from parity.rows import EXACT, FIVE_DECIMALS, Row, compared

ABSENT = {
    "Accuracy": "AUC(pairs=retrieved); it stops if a query has only relevant results",
    "Compat": "similarity to an ideal ranking",
}

_NAMES = (
    *("P@1", "P@5", "P@30", "P(rel=2)@10", "P(judged_only=True)@10"),
    *("R@5", "R@100", "R(rel=3)@10", "R(judged_only=True)@10"),
    *("Rprec", "Rprec(rel=2)", "Rprec(judged_only=True)"),
    *("AP", "AP(rel=2)", "AP@10", "AP(rel=2)@100", "AP(judged_only=True)", "AP(judged_only=True)@10"),
    *("nDCG", "nDCG@5", "nDCG@10", "nDCG(judged_only=True)", "nDCG(judged_only=True)@10"),
    "nDCG(gains={1:1,2:3,3:7,4:15})",
    *("nDCG(dcg='exp-log2')@5", "nDCG(dcg='exp-log2')@20"),
    *("RR", "RR@10", "RR(rel=2)", "RR(rel=2)@10", "RR(judged_only=True)"),
    *("Success@1", "Success@10", "Success(rel=2)@5", "Success(judged_only=True)@5"),
    *("SetP", "SetP(rel=2)", "SetR", "SetR(rel=2)", "SetAP", "SetRelP", "SetF", "SetF(rel=2)"),
    *("IPrec@0.0", "IPrec@0.1", "IPrec@0.5", "IPrec(rel=2)@0.7", "IPrec@1.0"),
    *("Bpref", "Bpref(rel=2)", "infAP", "infAP(rel=2)"),
    *("ERR@5", "ERR@20"),
    *("RBP(p=0.8,rel=1)", "RBP(p=0.5,rel=2)"),
    *("INST(max_rel=4)", "INST(T=2.0,max_rel=3)", "INSQ(max_rel=4)", "SDCG(max_rel=4)@10", "BPM(max_rel=4)@20"),
    *("NERR8(max_rel=4)@20", "NERR9(max_rel=4)@20", "NERR10(max_rel=4)", "NERR11(max_rel=4)"),
    *("NumRet", "NumRelRet"),
)
_OTHERWISE_HERE = {
    "SetP(relative=True)": "SetRelP",
    "NumRet(rel=2)": "NumRelRet(rel=2)",
    "SetF(beta=4.0)": "SetF(beta=2)",
}
"""Its own spelling of what has another one here."""
_OF_ANSWERED = ("NumQ", "NumRel")
_OF_SAMPLED = ("infAP", "infAP(rel=2)", "Bpref", "Bpref(rel=2)", "AP", "nDCG@10")
_OF_PROFILE = (
    *("P@5", "R@10", "AP", "AP@10", "nDCG@10", "nDCG(dcg='exp-log2')@10", "RR", "RR@10", "Judged@10", "Success@5"),
    *("IPrec@0.5", "Bpref", "ERR@10", "RBP(p=0.8,rel=1)"),
)
"""What its profile is compared by, on rankings with ties."""
_OF_SUBTOPICS = (
    *("alpha_DCG@5", "alpha_nDCG@10", "alpha_nDCG(alpha=0.9)@20", "alpha_nDCG(rel=2)@10"),
    *("ERR_IA@10", "nERR_IA@20", "NRBP", "NRBP(alpha=0.9,beta=0.8)", "nNRBP", "AP_IA", "P_IA@5", "StRecall@10"),
)


def compare() -> list[Row]:
    """Its measures on graded judgments, and those made for incomplete judgments on a sampled pool."""
    data = graded()
    return [
        *(_row(name, data) for name in (*_NAMES, *_OTHERWISE_HERE)),
        *(_row(name, data, undefined="zero") for name in ("Judged", "Judged@5", "Judged@100")),
        *(_row(name, data.answered()) for name in _OF_ANSWERED),
        *(_row(name, data, reason="leaves out the queries that a run is silent about") for name in _OF_ANSWERED),
        _row("SetF(beta=2.0)", data, reason="its beta is what others call beta squared"),
        *(_row(name, sampled()) for name in _OF_SAMPLED),
        *(_diversity_row(name, diverse().with_relevant()) for name in _OF_SUBTOPICS),
        _row("Judged@10", sampled(), reason="a negative grade counts as judged", undefined="zero"),
        *(_row(name, tied(), profile="ir_measures") for name in _OF_PROFILE),
        *(_row(name, sampled(), profile="ir_measures") for name in _OF_PROFILE),
    ]


def _row(name: str, data: Data, reason: str = "", undefined: str | None = None, profile: str | None = None) -> Row:
    measure = ir_measures.parse_measure(name)
    found = ir_measures.calc([measure], data.qrels, data.run)
    return compared(
        name,
        name if profile else _ours(name),
        {metric.query_id: metric.value for metric in found.per_query},
        data,
        mean=found.aggregated[measure],
        tolerance=FIVE_DECIMALS if name.startswith(("ERR", "nDCG(dcg")) else EXACT,
        reason=reason,
        undefined=undefined,
        profile=profile,
    )


def _diversity_row(name: str, data: Diverse) -> Row:
    measure = ir_measures.parse_measure(name)
    qrels = pd.DataFrame(data.qrels).rename(
        columns={"query": "query_id", "subtopic": "iteration", "document": "doc_id", "grade": "relevance"}
    )
    found = ir_measures.calc([measure], qrels, data.run)
    by_query = {metric.query_id: metric.value for metric in found.per_query}
    return compared(name, name, by_query, data, mean=found.aggregated[measure])


def _ours(name: str) -> str:
    """gdeval takes 4 for the largest grade whatever the judgments; interpolation is as in trec_eval 9."""
    ours = _OTHERWISE_HERE.get(name, name)
    if name.startswith("ERR"):
        return ours.replace("ERR", "ERR(max_grade=4)")
    if name.startswith("IPrec"):
        return ours.replace("IPrec@", "IPrec(levels=trec_eval-9)@").replace("(rel", "(levels=trec_eval-9,rel")
    return ours
