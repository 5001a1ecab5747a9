"""Measures: from a judged ranking to one number per query. One file per family."""

from cranfield.measures.average import AP, GMAP, YAAP, ElevenPoint, IPrec
from cranfield.measures.compatibility import Compat
from cranfield.measures.counts import Judged, NumNonrelRet, NumQ, NumRel, NumRelRet, NumRet, Unjudged
from cranfield.measures.cwl import BPM, INSQ, INST, NERR8, NERR9, NERR10, NERR11, SDCG
from cranfield.measures.definition import Definition, Measure, PerQuery, measure
from cranfield.measures.diversity import AP_IA, ERR_IA, NRBP, P_IA, StRecall, alpha_DCG, alpha_nDCG, nERR_IA, nNRBP
from cranfield.measures.first import RR, SL
from cranfield.measures.gain import CG, DCG, Rndcg, nDCG, nDCGrel
from cranfield.measures.incomplete import Bpref, GMBpref, infAP
from cranfield.measures.judges import AP_avgjg, P_avgjg, RprecMult_avgjg
from cranfield.measures.names import catalogue, parse, parse_all
from cranfield.measures.ntcir import NCU, OMeasure, PMeasure, PPlus, Q, nERR
from cranfield.measures.precision import F, P, R, RelP, Rprec, RprecMult, Success
from cranfield.measures.preferences import NumPrefs, NumPrefsFulfilled, PrefAvg, PrefAvgR, PrefPair, PrefSimp
from cranfield.measures.sampled import infNDCG, xinfAP
from cranfield.measures.sets import Accuracy, Fallout, SetAP, SetF, SetP, SetR, SetRelP, Utility
from cranfield.measures.shortfall import G, binG
from cranfield.measures.user import ERR, RBP, RBPResidual

__all__ = [
    "AP",
    "AP_IA",
    "BPM",
    "CG",
    "DCG",
    "ERR",
    "ERR_IA",
    "GMAP",
    "INSQ",
    "INST",
    "NCU",
    "NERR8",
    "NERR9",
    "NERR10",
    "NERR11",
    "NRBP",
    "P_IA",
    "RBP",
    "RR",
    "SDCG",
    "SL",
    "YAAP",
    "AP_avgjg",
    "Accuracy",
    "Bpref",
    "Compat",
    "Definition",
    "ElevenPoint",
    "F",
    "Fallout",
    "G",
    "GMBpref",
    "IPrec",
    "Judged",
    "Measure",
    "NumNonrelRet",
    "NumPrefs",
    "NumPrefsFulfilled",
    "NumQ",
    "NumRel",
    "NumRelRet",
    "NumRet",
    "OMeasure",
    "P",
    "PMeasure",
    "PPlus",
    "P_avgjg",
    "PerQuery",
    "PrefAvg",
    "PrefAvgR",
    "PrefPair",
    "PrefSimp",
    "Q",
    "R",
    "RBPResidual",
    "RelP",
    "Rndcg",
    "Rprec",
    "RprecMult",
    "RprecMult_avgjg",
    "SetAP",
    "SetF",
    "SetP",
    "SetR",
    "SetRelP",
    "StRecall",
    "Success",
    "Unjudged",
    "Utility",
    "alpha_DCG",
    "alpha_nDCG",
    "binG",
    "catalogue",
    "infAP",
    "infNDCG",
    "measure",
    "nDCG",
    "nDCGrel",
    "nERR",
    "nERR_IA",
    "nNRBP",
    "parse",
    "parse_all",
    "xinfAP",
]
