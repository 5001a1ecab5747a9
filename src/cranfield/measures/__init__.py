"""Measures: from a judged ranking to one number per query. One file per family."""

from cranfield.measures.average import AP, GMAP, YAAP, ElevenPoint, IPrec
from cranfield.measures.counts import Judged, NumNonrelRet, NumQ, NumRel, NumRelRet, NumRet, Unjudged
from cranfield.measures.definition import Definition, Measure, PerQuery, measure
from cranfield.measures.first import RR, SL
from cranfield.measures.gain import CG, DCG, Rndcg, nDCG, nDCGrel
from cranfield.measures.incomplete import Bpref, GMBpref, infAP
from cranfield.measures.names import catalogue, parse, parse_all
from cranfield.measures.precision import F, P, R, RelP, Rprec, RprecMult, Success
from cranfield.measures.sets import Accuracy, Fallout, SetAP, SetF, SetP, SetR, SetRelP, Utility
from cranfield.measures.shortfall import G, binG
from cranfield.measures.user import ERR, RBP, RBPResidual

__all__ = [
    "AP",
    "CG",
    "DCG",
    "ERR",
    "GMAP",
    "RBP",
    "RR",
    "SL",
    "YAAP",
    "Accuracy",
    "Bpref",
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
    "NumQ",
    "NumRel",
    "NumRelRet",
    "NumRet",
    "P",
    "PerQuery",
    "R",
    "RBPResidual",
    "RelP",
    "Rndcg",
    "Rprec",
    "RprecMult",
    "SetAP",
    "SetF",
    "SetP",
    "SetR",
    "SetRelP",
    "Success",
    "Unjudged",
    "Utility",
    "binG",
    "catalogue",
    "infAP",
    "measure",
    "nDCG",
    "nDCGrel",
    "parse",
    "parse_all",
]
