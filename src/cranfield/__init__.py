"""Offline evaluation of ranked retrieval: from judgments and runs to numbers one can trust.

>>> import cranfield as cf
>>> scores = cf.evaluate({"q1": {"d1": 2, "d2": 0}}, {"q1": {"d1": 0.9, "d2": 0.4}}, ["nDCG@10", cf.AP])
>>> print(scores.mean("AP").value)
1.0
"""

from __future__ import annotations

import sys
from types import ModuleType
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from cranfield.aggregate import Summary as Summary
    from cranfield.align import JudgedRanking as JudgedRanking
    from cranfield.check import check as check
    from cranfield.clicks.counterfactual import PolicyValue as PolicyValue
    from cranfield.clicks.counterfactual import UnbiasedScores as UnbiasedScores
    from cranfield.clicks.counterfactual import policy_value as policy_value
    from cranfield.clicks.counterfactual import unbiased_scores as unbiased_scores
    from cranfield.clicks.held_out import ModelComparison as ModelComparison
    from cranfield.clicks.held_out import compare_click_models as compare_click_models
    from cranfield.clicks.held_out import fit_click_model as fit_click_model
    from cranfield.clicks.labels import ClickLabels as ClickLabels
    from cranfield.clicks.labels import clicks as clicks
    from cranfield.clicks.log import ClickLog as ClickLog
    from cranfield.compare.comparison import Comparison as Comparison
    from cranfield.compare.comparison import compare as compare
    from cranfield.compare.order_agreement import OrderAgreement as OrderAgreement
    from cranfield.compare.order_agreement import order_agreement as order_agreement
    from cranfield.compare.planning import Design as Design
    from cranfield.compare.planning import plan as plan
    from cranfield.compare.systems import SystemComparison as SystemComparison
    from cranfield.compare.systems import compare_systems as compare_systems
    from cranfield.curves.lines import Curve as Curve
    from cranfield.curves.lines import curve as curve
    from cranfield.errors import CranfieldError as CranfieldError
    from cranfield.errors import DataError as DataError
    from cranfield.errors import UsageError as UsageError
    from cranfield.evaluate import Scores as Scores
    from cranfield.evaluate import evaluate as evaluate
    from cranfield.explain import explain as explain
    from cranfield.formats import read_judgments as read_judgments
    from cranfield.formats import read_run as read_run
    from cranfield.formats.clicks import read_clicks as read_clicks
    from cranfield.formats.documents import read_documents as read_documents
    from cranfield.formats.labels import read_labels as read_labels
    from cranfield.formats.queries import read_queries as read_queries
    from cranfield.gate import Gate as Gate
    from cranfield.gate import gate as gate
    from cranfield.judging.agree import Agreement as Agreement
    from cranfield.judging.agree import agree as agree
    from cranfield.judging.merging import Merged as Merged
    from cranfield.judging.merging import merge as merge
    from cranfield.judgments import Judgments as Judgments
    from cranfield.labels import Labels as Labels
    from cranfield.measures import AP as AP
    from cranfield.measures import AP_IA as AP_IA
    from cranfield.measures import BPM as BPM
    from cranfield.measures import CG as CG
    from cranfield.measures import DCG as DCG
    from cranfield.measures import ERR as ERR
    from cranfield.measures import ERR_IA as ERR_IA
    from cranfield.measures import GMAP as GMAP
    from cranfield.measures import IFT as IFT
    from cranfield.measures import INSQ as INSQ
    from cranfield.measures import INST as INST
    from cranfield.measures import NCU as NCU
    from cranfield.measures import NERR8 as NERR8
    from cranfield.measures import NERR9 as NERR9
    from cranfield.measures import NERR10 as NERR10
    from cranfield.measures import NERR11 as NERR11
    from cranfield.measures import NRBP as NRBP
    from cranfield.measures import P_IA as P_IA
    from cranfield.measures import RBP as RBP
    from cranfield.measures import RR as RR
    from cranfield.measures import SDCG as SDCG
    from cranfield.measures import SET as SET
    from cranfield.measures import SL as SL
    from cranfield.measures import TBG as TBG
    from cranfield.measures import YAAP as YAAP
    from cranfield.measures import Accuracy as Accuracy
    from cranfield.measures import AP_avgjg as AP_avgjg
    from cranfield.measures import Bpref as Bpref
    from cranfield.measures import Compat as Compat
    from cranfield.measures import ElevenPoint as ElevenPoint
    from cranfield.measures import F as F
    from cranfield.measures import Fallout as Fallout
    from cranfield.measures import G as G
    from cranfield.measures import GMBpref as GMBpref
    from cranfield.measures import IPrec as IPrec
    from cranfield.measures import Judged as Judged
    from cranfield.measures import Measure as Measure
    from cranfield.measures import NumNonrelRet as NumNonrelRet
    from cranfield.measures import NumPrefs as NumPrefs
    from cranfield.measures import NumPrefsFulfilled as NumPrefsFulfilled
    from cranfield.measures import NumQ as NumQ
    from cranfield.measures import NumRel as NumRel
    from cranfield.measures import NumRelRet as NumRelRet
    from cranfield.measures import NumRet as NumRet
    from cranfield.measures import OMeasure as OMeasure
    from cranfield.measures import P as P
    from cranfield.measures import P_avgjg as P_avgjg
    from cranfield.measures import PMeasure as PMeasure
    from cranfield.measures import PPlus as PPlus
    from cranfield.measures import PrefAvg as PrefAvg
    from cranfield.measures import PrefAvgR as PrefAvgR
    from cranfield.measures import PrefPair as PrefPair
    from cranfield.measures import PrefSimp as PrefSimp
    from cranfield.measures import Q as Q
    from cranfield.measures import R as R
    from cranfield.measures import RBPResidual as RBPResidual
    from cranfield.measures import RelP as RelP
    from cranfield.measures import Rndcg as Rndcg
    from cranfield.measures import Rprec as Rprec
    from cranfield.measures import RprecMult as RprecMult
    from cranfield.measures import RprecMult_avgjg as RprecMult_avgjg
    from cranfield.measures import SetAP as SetAP
    from cranfield.measures import SetF as SetF
    from cranfield.measures import SetP as SetP
    from cranfield.measures import SetR as SetR
    from cranfield.measures import SetRelP as SetRelP
    from cranfield.measures import StRecall as StRecall
    from cranfield.measures import Success as Success
    from cranfield.measures import U as U
    from cranfield.measures import Unjudged as Unjudged
    from cranfield.measures import Utility as Utility
    from cranfield.measures import alpha_DCG as alpha_DCG
    from cranfield.measures import alpha_nDCG as alpha_nDCG
    from cranfield.measures import binG as binG
    from cranfield.measures import cwlAP as cwlAP
    from cranfield.measures import cwlP as cwlP
    from cranfield.measures import cwlRR as cwlRR
    from cranfield.measures import infAP as infAP
    from cranfield.measures import infNDCG as infNDCG
    from cranfield.measures import measure as measure
    from cranfield.measures import nDCG as nDCG
    from cranfield.measures import nDCGrel as nDCGrel
    from cranfield.measures import nERR as nERR
    from cranfield.measures import nERR_IA as nERR_IA
    from cranfield.measures import nNRBP as nNRBP
    from cranfield.measures import parse as parse
    from cranfield.measures import xinfAP as xinfAP
    from cranfield.notation import grouped as grouped
    from cranfield.notation import ranking as ranking
    from cranfield.pooling.choosing import pool as pool
    from cranfield.pooling.labels import LabelPlan as LabelPlan
    from cranfield.pooling.labels import labels_needed as labels_needed
    from cranfield.pooling.pools import Pool as Pool
    from cranfield.pooling.reuse import Reusability as Reusability
    from cranfield.pooling.reuse import reusability as reusability
    from cranfield.pooling.sample_size import SamplePlan as SamplePlan
    from cranfield.pooling.sample_size import sample_size as sample_size
    from cranfield.pooling.simulation import Simulation as Simulation
    from cranfield.pooling.simulation import simulate_pool as simulate_pool
    from cranfield.queries import Queries as Queries
    from cranfield.recommendation import Recommendation as Recommendation
    from cranfield.recommendation import recommendation as recommendation
    from cranfield.report.page import Report as Report
    from cranfield.report.page import report as report
    from cranfield.results import Results as Results
    from cranfield.risk import Risk as Risk
    from cranfield.risk import risk as risk
    from cranfield.run import Run as Run
    from cranfield.saved import load as load
    from cranfield.saved import save as save
    from cranfield.similarity import Similarity as Similarity
    from cranfield.similarity import overlap as overlap
    from cranfield.similarity import rbo as rbo
    from cranfield.similarity import similarity as similarity
    from cranfield.table import Table as Table
    from cranfield.version import VERSION
    from cranfield.why import why as why

    __version__ = VERSION

# Loaded when first used: the command answers --help without waiting for NumPy.
_HOMES = {
    "read_judgments": "formats",
    "read_run": "formats",
    "read_queries": "formats.queries",
    "read_documents": "formats.documents",
    "read_labels": "formats.labels",
    "Labels": "labels",
    "read_clicks": "formats.clicks",
    "Judgments": "judgments",
    "Run": "run",
    "Queries": "queries",
    "check": "check",
    "JudgedRanking": "align",
    "ranking": "notation",
    "grouped": "notation",
    "evaluate": "evaluate",
    "Scores": "evaluate",
    "Summary": "aggregate",
    "Results": "results",
    **dict.fromkeys(["save", "load"], "saved"),
    **dict.fromkeys(["compare", "Comparison"], "compare.comparison"),
    **dict.fromkeys(["report", "Report"], "report.page"),
    **dict.fromkeys(["compare_systems", "SystemComparison"], "compare.systems"),
    **dict.fromkeys(["order_agreement", "OrderAgreement"], "compare.order_agreement"),
    **dict.fromkeys(["plan", "Design"], "compare.planning"),
    **dict.fromkeys(["gate", "Gate"], "gate"),
    **dict.fromkeys(["curve", "Curve"], "curves.lines"),
    "pool": "pooling.choosing",
    "Pool": "pooling.pools",
    **dict.fromkeys(["simulate_pool", "Simulation"], "pooling.simulation"),
    **dict.fromkeys(["reusability", "Reusability"], "pooling.reuse"),
    **dict.fromkeys(["labels_needed", "LabelPlan"], "pooling.labels"),
    **dict.fromkeys(["sample_size", "SamplePlan"], "pooling.sample_size"),
    **dict.fromkeys(["agree", "Agreement"], "judging.agree"),
    **dict.fromkeys(["merge", "Merged"], "judging.merging"),
    **dict.fromkeys(["clicks", "ClickLabels"], "clicks.labels"),
    "ClickLog": "clicks.log",
    **dict.fromkeys(["fit_click_model", "compare_click_models", "ModelComparison"], "clicks.held_out"),
    **dict.fromkeys(["policy_value", "unbiased_scores", "PolicyValue", "UnbiasedScores"], "clicks.counterfactual"),
    "Table": "table",
    **dict.fromkeys(["similarity", "rbo", "overlap", "Similarity"], "similarity"),
    "explain": "explain",
    "why": "why",
    "recommendation": "recommendation",
    "Recommendation": "recommendation",
    "risk": "risk",
    "Risk": "risk",
    "CranfieldError": "errors",
    "DataError": "errors",
    "UsageError": "errors",
    **dict.fromkeys(["Measure", "measure", "parse"], "measures"),
    **dict.fromkeys(["P", "R", "F", "Success", "Rprec", "SetP", "SetR", "SetF", "Accuracy", "Fallout"], "measures"),
    **dict.fromkeys(
        ["AP", "GMAP", "IPrec", "ElevenPoint", "RR", "SL", "CG", "DCG", "nDCG", "RBP", "RBPResidual"], "measures"
    ),
    **dict.fromkeys(["ERR", "Bpref", "infAP", "Judged", "NumQ", "NumRet", "NumRel", "NumRelRet"], "measures"),
    **dict.fromkeys(["RelP", "RprecMult", "SetRelP", "SetAP", "Utility", "NumNonrelRet", "Unjudged"], "measures"),
    **dict.fromkeys(["alpha_DCG", "alpha_nDCG", "ERR_IA", "nERR_IA", "NRBP", "nNRBP"], "measures"),
    **dict.fromkeys(["AP_IA", "P_IA", "StRecall", "AP_avgjg", "P_avgjg", "RprecMult_avgjg"], "measures"),
    **dict.fromkeys(["NumPrefs", "NumPrefsFulfilled", "PrefSimp", "PrefPair", "PrefAvg", "PrefAvgR"], "measures"),
    **dict.fromkeys(["Q", "OMeasure", "PMeasure", "PPlus", "NCU", "nERR"], "measures"),
    **dict.fromkeys(["Q", "OMeasure", "PMeasure", "PPlus", "NCU", "nERR", "Compat", "xinfAP", "infNDCG"], "measures"),
    **dict.fromkeys(["GMBpref", "YAAP", "nDCGrel", "Rndcg", "G", "binG"], "measures"),
    **dict.fromkeys(
        [
            "INST",
            "INSQ",
            "SDCG",
            "BPM",
            "NERR8",
            "NERR9",
            "NERR10",
            "NERR11",
            "cwlP",
            "cwlRR",
            "cwlAP",
            "TBG",
            "U",
            "IFT",
            "SET",
        ],
        "measures",
    ),
}

__all__ = [*_HOMES, "__version__"]


def __getattr__(name: str) -> object:
    from importlib import import_module

    if name == "__version__":
        from cranfield.version import VERSION

        return VERSION
    if name not in _HOMES:
        raise AttributeError(f"module 'cranfield' has no attribute {name!r}")
    module = import_module(f"cranfield.{_HOMES[name]}")
    globals()[name] = getattr(module, name)
    return globals()[name]


def __dir__() -> list[str]:
    return sorted(__all__)


class _Package(ModuleType):
    def __setattr__(self, name: str, value: object) -> None:
        # Importing `cranfield.evaluate` would set that name to the module; it is the function people call.
        if not (name in _HOMES and isinstance(value, ModuleType)):
            super().__setattr__(name, value)


sys.modules[__name__].__class__ = _Package
