"""Profiles: named sets of choices that give another tool's numbers.

A profile makes only the choices that were left open. What the user says of a measure (`nDCG(gain=linear)@10`) or of
the evaluation (`ties="given"`) counts as it is said.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any, NamedTuple

from cranfield.errors import UsageError, did_you_mean
from cranfield.measures import Measure
from cranfield.measures.definition import Value
from cranfield.settings import Settings

Choices = Mapping[str, Any]
NOTHING: Choices = MappingProxyType({})
"""No choice at all."""


class Note(NamedTuple):
    """Something particular about a tool's numbers that no choice covers."""

    text: str
    about: frozenset[str] = frozenset()
    """The measures it is about; none where it is about all."""


@dataclass(frozen=True)
class Profile:
    """The choices of one tool."""

    name: str
    of: str
    """The tool, in the version its numbers were compared with."""
    about: str
    """What it is, in a sentence."""
    measures: tuple[str, ...] = ()
    """What it reports unless asked for something else; ours where nothing is said."""
    computes: frozenset[str] = frozenset()
    """The measures it has; all of them where none is named."""
    settings: Choices = field(default_factory=dict)
    """What it decides for an evaluation."""
    params: Mapping[str, Choices] = field(default_factory=dict)
    """What it decides for a measure, by the measure's name."""
    exceptions: Callable[[Measure], Choices] = lambda measure: NOTHING
    """Settings that are others for some measures."""
    notes: tuple[Note, ...] = ()

    def has(self, measure: Measure) -> bool:
        """Whether the tool computes such a measure at all."""
        return not self.computes or measure.name in self.computes

    def settings_for(self, measure: Measure) -> Choices:
        """What the profile decides for the evaluation of one measure."""
        return {**self.settings, **self.exceptions(measure)}


def find(name: str | Profile | None) -> Profile:
    """The profile of that name; cranfield's own if none is named."""
    if isinstance(name, Profile):
        return name
    known = {profile.name.casefold(): profile for profile in PROFILES.values()}
    wanted = "cranfield" if name is None else str(name).casefold()
    if wanted not in known:
        near = did_you_mean(wanted, known)
        raise UsageError(f"There is no profile {name!r}. {near}".strip() + f"\nThere are {', '.join(PROFILES)}.")
    return known[wanted]


def _names(text: str) -> frozenset[str]:
    return frozenset(text.split())


_CUTOFFS = (5, 10, 15, 20, 30, 100, 200, 500, 1000)
_TREC_EVAL = (
    "NumQ NumRet NumRel NumRelRet NumNonrelRet AP GMAP YAAP IPrec ElevenPoint RR P R RelP Success Rprec RprecMult "
    "SetP SetR SetF SetRelP SetAP Utility DCG nDCG nDCGrel Rndcg G binG Bpref GMBpref infAP "
    "AP_avgjg P_avgjg RprecMult_avgjg NumPrefs NumPrefsFulfilled PrefSimp PrefPair PrefAvg PrefAvgR"
)
_OFFICIAL = (
    "NumQ",
    "NumRet",
    "NumRel",
    "NumRelRet",
    "AP",
    "GMAP",
    "Rprec",
    "Bpref",
    "RR",
    *(f"IPrec@{tenth / 10:g}" for tenth in range(11)),
    *(f"P@{cutoff}" for cutoff in _CUTOFFS),
)
_DIVERSITY = ("ERR_IA", "nERR_IA", "alpha_DCG", "alpha_nDCG", "NRBP", "nNRBP", "AP_IA", "P_IA", "StRecall")
_NDEVAL = tuple(
    f"{name}@{cutoff}" if cutoff else name
    for name in _DIVERSITY
    for cutoff in ((0,) if name in ("NRBP", "nNRBP", "AP_IA") else (5, 10, 20))
)


def _levels(version: str) -> dict[str, Choices]:
    return {name: {"levels": f"trec_eval-{version}"} for name in ("IPrec", "ElevenPoint")}


def _trec_eval(measure: Measure) -> Choices:
    """trec_eval orders equal scores the other way round where it counts preferences."""
    return {"ties": "document-ascending"} if measure.definition.groups == "preference" else NOTHING


_BY_CWL_EVAL = _names("RBP INST INSQ BPM SDCG NERR8 NERR9 NERR10 NERR11")
"""What ir_measures asks cwl_eval for, which ignores scores and takes documents as they come."""


def _ir_measures(measure: Measure) -> Choices:
    """ir_measures asks another tool for each measure, and these order equal scores and round them in their own ways."""
    if measure.name in _BY_CWL_EVAL:
        return {"ties": "given", "precision": "double"}
    if measure.name == "Judged" or (measure.name == "RR" and measure.at is not None):
        return {"ties": "document-ascending", "precision": "double"}
    by_gdeval = measure.name == "ERR" or (measure.name == "nDCG" and measure.params["gain"] == "exponential")
    return {"precision": "double"} if by_gdeval else NOTHING


def _beir(measure: Measure) -> Choices:
    """BEIR sorts for reciprocal rank and capped recall itself, and divides these by all queries that were judged."""
    return (
        {"queries": "judged", "precision": "double", "ties": "given"}
        if measure.name in ("RR", "RelP", "Success")
        else NOTHING
    )


def _named(*profiles: Profile) -> dict[str, Profile]:
    return {profile.name: profile for profile in profiles}


PROFILES: Mapping[str, Profile] = _named(
    Profile(
        "cranfield",
        "cranfield",
        "What is computed unless something else is asked for.",
    ),
    Profile(
        "trec_eval-10",
        "trec_eval 10.0",
        "TREC's own program, as of 2026, with -c.",
        measures=_OFFICIAL,
        computes=_names(_TREC_EVAL) | {"Unjudged", "RBP", "RBPResidual"},
        params=_levels("10") | {"RBP": {"p": 0.9}, "RBPResidual": {"p": 0.9}, "PrefAvgR": {"counting": "trec_eval"}},
        exceptions=_trec_eval,
        notes=(
            Note("Without -c it stops when the run lacks a judged query."),
            Note("its rbp reads memory that nobody set; this is what is meant.", _names("RBP")),
        ),
    ),
    Profile(
        "trec_eval-9",
        "trec_eval 9.0.8",
        "TREC's own program up to 2026, without -c.",
        measures=_OFFICIAL,
        computes=_names(_TREC_EVAL) - {"DCG"},
        settings={"queries": "answered", "precision": "single"},
        params=_levels("9") | {"PrefAvgR": {"counting": "trec_eval"}},
        exceptions=_trec_eval,
        notes=(Note("With -c, as publications use it, all judged queries count: add queries=judged."),),
    ),
    Profile(
        "pytrec_eval",
        "pytrec-eval-terrier 0.5.11",
        "trec_eval 9 from Python.",
        computes=_names(_TREC_EVAL)
        - {"DCG", "YAAP", "AP_avgjg", "P_avgjg", "RprecMult_avgjg", "NumPrefs", "NumPrefsFulfilled"}
        - {"PrefSimp", "PrefPair", "PrefAvg", "PrefAvgR"},
        settings={"queries": "answered", "precision": "single"},
        params=_levels("9"),
        notes=(Note("its gm_map and gm_bpref of a query are logarithms.", _names("GMAP GMBpref")),),
    ),
    Profile(
        "ir_measures",
        "ir-measures 0.4.3",
        "One interface to several tools, a tool for each measure.",
        computes=_names(
            "AP IPrec NumQ NumRet NumRel NumRelRet Judged SetP SetR SetF SetRelP SetAP P R Success Rprec RR nDCG "
            "Bpref infAP RBP ERR"
        )
        | frozenset(_DIVERSITY)
        | _BY_CWL_EVAL,
        settings={"precision": "single"},
        params=_levels("9") | {"ERR": {"max_grade": 4}, "Judged": {"pooled": "judged"}},
        exceptions=_ir_measures,
        notes=(
            Note(
                "It orders equal scores by document id ascending for RR@k and Judged, and as the run gives them for "
                "RBP and the other measures of cwl_eval; these, ERR and exponential nDCG compare in double precision."
            ),
            Note(
                "its SetF hands beta to trec_eval, which takes it for β²: its beta=2 is beta=1.4142135623730951 here.",
                _names("SetF"),
            ),
        ),
    ),
    Profile(
        "ranx",
        "ranx 0.3.21",
        "Compiled with Numba; order of equal scores undefined.",
        computes=frozenset(
            [
                "AP",
                "IPrec",
                "NumRelRet",
                "SetP",
                "SetR",
                "SetF",
                "P",
                "R",
                "F",
                "Success",
                "Rprec",
                "RR",
                "DCG",
                "nDCG",
                "Bpref",
                "RBP",
            ]
        ),
        settings={"ties": "given"},
        params={"IPrec": {"levels": "trec_eval-9"}},
        notes=(
            Note("The order of equal scores depends on how the run was made; this is the order given."),
            Note("its rbp multiplies by raw grades, and can exceed 1.", _names("RBP")),
            Note("its bpref is NaN where nothing is judged irrelevant.", _names("Bpref")),
        ),
    ),
    Profile(
        "ndeval",
        "ndeval 4.5",
        "Diversity at TREC's Web track.",
        measures=_NDEVAL,
        computes=frozenset(_DIVERSITY),
        settings={"queries": "answered", "ties": "given"},
        notes=(
            Note(
                "It orders by the rank column, which is the order given in a file written by rank; -traditional is "
                "ties=document, -c is queries=judged."
            ),
        ),
    ),
    Profile(
        "gdeval",
        "gdeval 1.3",
        "Graded relevance at TREC's Web track.",
        measures=("nDCG@20", "ERR@20"),
        computes=frozenset(["nDCG", "ERR"]),
        settings={"queries": "answered", "without_relevant": "drop"},
        params={"nDCG": {"gain": "exponential"}, "ERR": {"max_grade": 4}},
        notes=(Note("It prints five decimals. With -c add queries=judged."),),
    ),
    Profile(
        "msmarco",
        "msmarco_passage_eval.py",
        "MS MARCO's script for its leaderboards.",
        measures=("RR@10",),
        computes=frozenset(["RR"]),
        settings={"ties": "given"},
    ),
    Profile(
        "beir",
        "beir 2.2.0",
        "BEIR's EvaluateRetrieval: pytrec_eval, and measures of its own.",
        measures=tuple(f"{name}@{k}" for name in ("nDCG", "AP", "R", "P") for k in (1, 3, 5, 10, 100, 1000)),
        computes=frozenset(["nDCG", "AP", "R", "P", "RR", "RelP", "Success"]),
        settings={"queries": "answered", "precision": "single", "identical": "drop"},
        exceptions=_beir,
        notes=(
            Note(
                "RR, R_cap and Accuracy, which it computes itself, are divided by all judged queries, in double "
                "precision and with equal scores in the order given."
            ),
            Note("It rounds to five decimals. Its Hole@k counts documents that nobody judged for any query."),
        ),
    ),
    Profile(
        "sklearn",
        "scikit-learn 1.9",
        "ndcg_score, dcg_score and average_precision_score of each query's candidates.",
        measures=("nDCG@10", "nDCG", "AP"),
        computes=frozenset(["nDCG", "DCG", "AP"]),
        settings={"queries": "answered", "ties": "average"},
        params={"nDCG": {"ideal": "retrieved"}, "AP": {"norm": "retrieved"}},
        notes=(
            Note(
                "average_precision_score takes equal scores as one step instead of averaging over their orders.",
                _names("AP"),
            ),
        ),
    ),
    Profile(
        "textbook",
        "Manning, Raghavan & Schütze, Introduction to Information Retrieval, 2008, chapter 8",
        "The definitions that students learn.",
        measures=("AP", "Rprec", "P@10", "nDCG@10", "ElevenPoint"),
        computes=frozenset(
            ["P", "R", "F", "SetP", "SetR", "SetF", "Accuracy", "AP", "IPrec", "ElevenPoint", "Rprec", "nDCG"]
        ),
        params={"nDCG": {"gain": "exponential"}, "IPrec": {"levels": "exact"}, "ElevenPoint": {"levels": "exact"}},
        notes=(Note("It says nothing of equal scores."),),
    ),
)
"""Every profile by its name."""

WORDS: Mapping[tuple[str, Value], str] = {
    ("queries", "answered"): "averages over the judged queries that the run answered",
    ("queries", "judged"): "averages over all judged queries",
    ("without_relevant", "drop"): "leaves out queries without a relevant document",
    ("ties", "document"): "orders equal scores by document id, last first",
    ("ties", "document-ascending"): "orders equal scores by document id, first first",
    ("ties", "given"): "orders equal scores as the file does",
    ("ties", "average"): "averages over all orders of equal scores",
    ("precision", "single"): "compares scores in single precision",
    ("precision", "double"): "compares scores in double precision",
    ("identical", "drop"): "drops a document whose id is the query's own",
    ("gain", "exponential"): "gains 2^grade - 1 instead of the grade",
    ("ideal", "retrieved"): "compares with the best order of the retrieved documents only",
    ("max_grade", 4): "takes 4 for the largest grade, whatever the judgments",
    ("levels", "exact"): "asks for at least the recall level",
    ("levels", "trec_eval-9"): "turns a recall level into a number of documents by cutting off after adding 0.9",
    ("levels", "trec_eval-10"): "turns a recall level into a number of documents by rounding",
    ("norm", "retrieved"): "divides by the relevant documents retrieved, not by all there are",
    ("p", 0.9): "has a user who goes on with probability 0.9",
    ("pooled", "judged"): "takes a document of negative grade for judged",
    ("counting", "trec_eval"): "also counts pairs of irrelevant documents",
}
"""What each choice does, as the end of a sentence that begins with the tool's name."""


def settings_of(profile: Profile, measure: Measure, said: Mapping[str, Any]) -> Settings:
    """The settings under which one measure is evaluated: what was said, else what the profile decides."""
    named = None if profile.name == "cranfield" else profile.name
    return Settings(**{"profile": named, **profile.settings_for(measure), **said})
