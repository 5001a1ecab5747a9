"""trec_eval's measures in the order it prints them, and the names that stand for several."""

from __future__ import annotations

from collections.abc import Mapping

from cranfield.compat.trec_eval import in_order, quirks
from cranfield.compat.trec_eval.arguments import JUDGMENTS_FORMATS
from cranfield.compat.trec_eval.entries import (
    TrecEvalMeasure,
    alone,
    at_levels,
    at_ranks,
    run_id,
    with_gains,
    with_persistence,
    with_values,
)
from cranfield.evaluating.aggregate import GEOMETRIC_FLOOR
from cranfield.measures import (
    AP,
    DCG,
    GMAP,
    RBP,
    RR,
    YAAP,
    AP_avgjg,
    Bpref,
    ElevenPoint,
    G,
    GMBpref,
    IPrec,
    NumNonrelRet,
    NumPrefs,
    NumPrefsFulfilled,
    NumQ,
    NumRel,
    NumRelRet,
    NumRet,
    P,
    P_avgjg,
    PrefAvg,
    PrefAvgR,
    PrefPair,
    PrefSimp,
    R,
    RBPResidual,
    RelP,
    Rndcg,
    Rprec,
    RprecMult,
    RprecMult_avgjg,
    SetAP,
    SetF,
    SetP,
    SetR,
    SetRelP,
    Success,
    Unjudged,
    Utility,
    binG,
    infAP,
    nDCG,
    nDCGrel,
)

RECALL_LEVELS = "0,.1,.2,.3,.4,.5,.6,.7,.8,.9,1"
MULTIPLES = ".2,.4,.6,.8,1,1.2,1.4,1.6,1.8,2"
ALL_JUDGMENTS = frozenset(JUDGMENTS_FORMATS)
SEVERAL_JUDGES = frozenset({"qrels_jg"})
PREFERENCES = frozenset({"prefs", "qrels_prefs"})
BALANCED = PrefAvgR(counting="trec_eval")

TABLE = (
    TrecEvalMeasure("runid", run_id(), summary="run", per_query=False, judgments=ALL_JUDGMENTS),
    TrecEvalMeasure("num_q", alone(NumQ), NumQ, "queries", per_query=False, judgments=ALL_JUDGMENTS),
    TrecEvalMeasure("num_ret", alone(NumRet), NumRet, "sum", counts_retrieved=True),
    TrecEvalMeasure("num_rel", alone(NumRel), NumRel, "relevant"),
    TrecEvalMeasure("num_rel_ret", alone(NumRelRet), NumRelRet, "sum"),
    TrecEvalMeasure("map", alone(AP, in_order.average_precision), AP),
    TrecEvalMeasure(
        "gm_map",
        alone(GMAP, in_order.geometric(in_order.average_precision, GEOMETRIC_FLOOR)),
        GMAP,
        "geometric",
        per_query=False,
    ),
    TrecEvalMeasure("Rprec", alone(Rprec), Rprec),
    TrecEvalMeasure("bpref", alone(Bpref, in_order.bpref), Bpref),
    TrecEvalMeasure("recip_rank", alone(RR), RR),
    TrecEvalMeasure("iprec_at_recall", at_levels(quirks.interpolated_precision, RECALL_LEVELS), IPrec),
    TrecEvalMeasure("P", at_ranks(P), P),
    TrecEvalMeasure(
        "relstring",
        with_values(lambda setting, values: quirks.relevance_strings(values[0]), "10"),
        summary="none",
        counts_retrieved=True,
    ),
    TrecEvalMeasure("recall", at_ranks(R), R),
    TrecEvalMeasure("infAP", alone(infAP, in_order.inferred_ap), infAP),
    TrecEvalMeasure(
        "gm_bpref",
        alone(GMBpref, in_order.geometric(in_order.bpref, GEOMETRIC_FLOOR)),
        GMBpref,
        "geometric",
        per_query=False,
    ),
    TrecEvalMeasure("Rprec_mult", at_levels(quirks.precision_at_multiple, MULTIPLES), RprecMult),
    TrecEvalMeasure("utility", with_values(quirks.utility, "1,-1,0,0"), Utility, counts_retrieved=True),
    TrecEvalMeasure("11pt_avg", with_values(quirks.mean_interpolated_precision, RECALL_LEVELS), ElevenPoint),
    TrecEvalMeasure("binG", alone(binG, in_order.binary_g), binG),
    TrecEvalMeasure("G", with_gains(in_order.g), G),
    TrecEvalMeasure("dcg", with_gains(in_order.dcg), DCG),
    TrecEvalMeasure("ideal_dcg", with_gains(in_order.ideal_dcg), DCG),
    TrecEvalMeasure("ndcg", with_gains(in_order.ndcg), nDCG),
    TrecEvalMeasure("ndcg_rel", with_gains(in_order.ndcg_at_relevant), nDCGrel),
    TrecEvalMeasure("Rndcg", with_gains(in_order.ndcg_at_falls), Rndcg),
    TrecEvalMeasure("ndcg_cut", at_ranks(nDCG, scored=in_order.ndcg_at), nDCG),
    TrecEvalMeasure("map_cut", at_ranks(AP, scored=in_order.average_precision), AP),
    TrecEvalMeasure("relative_P", at_ranks(RelP), RelP),
    TrecEvalMeasure("success", at_ranks(Success, "1,5,10"), Success),
    TrecEvalMeasure("set_P", alone(SetP), SetP),
    TrecEvalMeasure("set_relative_P", alone(SetRelP), SetRelP),
    TrecEvalMeasure("set_recall", alone(SetR), SetR),
    TrecEvalMeasure("set_map", alone(SetAP), SetAP),
    TrecEvalMeasure("set_F", with_values(quirks.set_f, "1"), SetF),
    TrecEvalMeasure("num_nonrel_judged_ret", alone(NumNonrelRet), NumNonrelRet, "sum"),
    TrecEvalMeasure("prefs_num_prefs_poss", alone(NumPrefs), NumPrefs, "sum", judgments=PREFERENCES),
    TrecEvalMeasure("prefs_num_prefs_ful", alone(NumPrefsFulfilled), NumPrefsFulfilled, "sum", judgments=PREFERENCES),
    TrecEvalMeasure(
        "prefs_num_prefs_ful_ret",
        alone(NumPrefsFulfilled(pairs="retrieved")),
        NumPrefsFulfilled,
        "sum",
        judgments=PREFERENCES,
    ),
    TrecEvalMeasure("prefs_simp", alone(PrefSimp), PrefSimp, judgments=PREFERENCES),
    TrecEvalMeasure("prefs_pair", alone(PrefPair), PrefPair, judgments=PREFERENCES),
    TrecEvalMeasure("prefs_avgjg", alone(PrefAvg), PrefAvg, judgments=PREFERENCES),
    TrecEvalMeasure("prefs_avgjg_Rnonrel", alone(BALANCED), PrefAvgR, judgments=PREFERENCES),
    TrecEvalMeasure("prefs_simp_ret", alone(PrefSimp(pairs="retrieved")), PrefSimp, judgments=PREFERENCES),
    TrecEvalMeasure("prefs_pair_ret", alone(PrefPair(pairs="retrieved")), PrefPair, judgments=PREFERENCES),
    TrecEvalMeasure("prefs_avgjg_ret", alone(PrefAvg(pairs="retrieved")), PrefAvg, judgments=PREFERENCES),
    TrecEvalMeasure("prefs_avgjg_Rnonrel_ret", alone(BALANCED(pairs="retrieved")), PrefAvgR, judgments=PREFERENCES),
    TrecEvalMeasure("prefs_simp_imp", alone(PrefSimp(pairs="implied")), PrefSimp, judgments=PREFERENCES),
    TrecEvalMeasure("prefs_pair_imp", alone(PrefPair(pairs="implied")), PrefPair, judgments=PREFERENCES),
    TrecEvalMeasure("prefs_avgjg_imp", alone(PrefAvg(pairs="implied")), PrefAvg, judgments=PREFERENCES),
    TrecEvalMeasure(
        "map_avgjg", alone(AP_avgjg, in_order.average_precision_over_judges), AP_avgjg, judgments=SEVERAL_JUDGES
    ),
    TrecEvalMeasure("P_avgjg", at_ranks(P_avgjg), P_avgjg, judgments=SEVERAL_JUDGES),
    TrecEvalMeasure(
        "Rprec_mult_avgjg",
        at_levels(quirks.precision_at_multiple_over_judges, MULTIPLES),
        RprecMult_avgjg,
        judgments=SEVERAL_JUDGES,
    ),
    TrecEvalMeasure("yaap", alone(YAAP, in_order.yaap), YAAP),
    TrecEvalMeasure("rbp", with_persistence(in_order.rbp), RBP),
    TrecEvalMeasure("rbp_resid", with_persistence(in_order.rbp_residual), RBPResidual, counts_retrieved=True),
    TrecEvalMeasure("unj", at_ranks(Unjudged, "5,10,20"), Unjudged, counts_retrieved=True),
)

_HEAD = ("runid", "num_q")
_COUNTS = (*_HEAD, "num_ret", "num_rel", "num_rel_ret")
_SETS = ("set_P", "set_recall", "set_relative_P", "set_map", "set_F")
_OFFICIAL_PREFERENCES = ("num_prefs_poss", "num_prefs_ful", "num_prefs_ful_ret", "simp", "pair", "avgjg")
_BY_NAME_ONLY = {"dcg", "ideal_dcg", "yaap"}


def _names(judgments: str) -> tuple[str, ...]:
    """Everything that goes with a format of judgments and need not be asked for by name."""
    return tuple(entry.name for entry in TABLE if judgments in entry.judgments and entry.name not in _BY_NAME_ONLY)


NICKNAMES: Mapping[str, tuple[str, ...]] = {
    "official": (*_COUNTS, "map", "gm_map", "Rprec", "bpref", "recip_rank", "iprec_at_recall", "P"),
    "set": (*_COUNTS, "utility", *_SETS),
    "all_trec": _names("qrels"),
    "all_prefs": _names("prefs"),
    "prefs": (*_HEAD, *(f"prefs_{name}" for name in _OFFICIAL_PREFERENCES)),
    "qrels_jg": _names("qrels_jg"),
}
