"""Profiles: named sets of choices that give another tool's numbers.

A profile makes only the choices that were left open. What the user says of a measure (`nDCG(gain=linear)@10`) or of
the evaluation (`ties="given"`) counts as it is said.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import Any, NamedTuple

from cranfield import errors
from cranfield.errors import UsageError, did_you_mean
from cranfield.evaluating.settings import Settings
from cranfield.measures import Measure, parse_all
from cranfield.measures.definition import Value
from cranfield.measures.names import Families, base_name
from cranfield.phrases import TIE_ORDERS

Choices = Mapping[str, Any]
NOTHING: Choices = MappingProxyType({})
"""No choice at all."""
DEFAULT_MEASURES = ("nDCG@10", "AP", "RR", "R@100", "Judged@10")
"""What is reported unless asked for something else."""


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
    """What it reports unless asked for something else; `DEFAULT_MEASURES` where there are none."""
    computes: Mapping[str, frozenset[str]] = field(default_factory=dict)
    """The measures it has, and the parameters it lets one choose; all of them where none is named.

    `cutoff!` is a cutoff that it needs, `gain=exponential` the only word it takes."""
    families: Families = field(default_factory=dict)
    """Its words for several measures, or for one that the word alone means elsewhere."""
    others: Mapping[str, str] = field(default_factory=dict)
    """Names, without capitals, that mean another measure there, and what they mean."""
    settings: Choices = field(default_factory=dict)
    """What it decides for an evaluation."""
    params: Mapping[str, Choices] = field(default_factory=dict)
    """What it decides for a measure, by the measure's name."""
    exceptions: Callable[[Measure], Choices] = lambda measure: NOTHING
    """Settings that are others for some measures."""
    notes: tuple[Note, ...] = ()

    def has(self, measure: Measure) -> bool:
        """Whether the tool computes such a measure at all, with such parameters."""
        if not self.computes:
            return True
        if measure.name not in self.computes:
            return False
        free = self.computes[measure.name]
        usual = measure.definition.defaults | dict(self.params.get(measure.name, {}))
        changed = [(name, value) for name, value in measure.params.items() if value != usual[name]]
        return all(_may_be(name, value, free) for name, value in changed) and (
            measure.at is not None or "cutoff!" not in free
        )

    def parse(
        self, names: str | Measure | Iterable[str | Measure] | None = None, rel: float | None = None
    ) -> list[Measure]:
        """The measures that names mean to the tool, or those it reports, with what it decides for them."""
        asked = (self.measures or DEFAULT_MEASURES) if names is None else names
        return parse_all(asked, rel=rel, choices=self.params, families=self.families)

    def findings(self, chosen: Sequence[Measure]) -> tuple[errors.Finding, ...]:
        """What the tool computes differently from measures that are computed in its name, or not at all."""
        if not (self.computes or self.others or self.notes):
            return ()
        missing = [str(measure) for measure in chosen if not self.has(measure)]
        found = [errors.coverage.not_in_tool(self.name, self.of, missing)] if missing else []
        found += [
            errors.coverage.another_measure(self.name, self.of, measure.asked or str(measure), self.others[name])
            for measure in chosen
            if self.others and (name := base_name(measure.asked or measure.name).casefold()) in self.others
        ]
        names = {measure.name for measure in chosen}
        found += [errors.coverage.note_on_tool(self.name, note.text) for note in self.notes if note.about & names]
        return tuple(found)

    def settings_for(self, measure: Measure, overrides: Choices = NOTHING) -> Settings:
        """The settings under which one measure is evaluated: what was chosen, else what the profile decides."""
        named = None if self.name == "cranfield" else self.name
        chosen = {"profile": named, **self.settings, **self.exceptions(measure), **overrides}
        if measure.definition.of_unjudged:
            chosen["unjudged_grade"] = None
        return Settings(**chosen)


def find(name: str | Profile | None) -> Profile:
    """The profile of that name; cranfield's own if none is named."""
    if isinstance(name, Profile):
        return name
    wanted = "cranfield" if name is None else str(name).casefold()
    if wanted not in PROFILES:
        near = did_you_mean(wanted, PROFILES)
        raise UsageError(f"There is no profile {name!r}. {near}".strip() + f"\nThere are {', '.join(PROFILES)}.")
    return PROFILES[wanted]


def called(measure: Measure, name: str | Measure, profile: str | None) -> Measure:
    """An evaluated measure under the name by which it is asked for now."""
    if isinstance(name, Measure):
        return measure.labelled(name) if name.label else measure
    if name in (measure.canonical, str(measure)):
        return replace(measure, label="" if name == measure.canonical else measure.label, also=())
    known = PROFILES.get(profile or "cranfield", PROFILES["cranfield"])
    return measure.labelled(known.parse(name)[0])


def _may_be(name: str, value: Value, free: frozenset[str]) -> bool:
    """Whether a tool lets one choose a value: a word only where it is named."""
    if name == "gain" and isinstance(value, str):
        return f"{name}={value}" in free
    return name in free or f"{name}!" in free


def _names(text: str) -> frozenset[str]:
    return frozenset(text.split())


def _having(text: str) -> dict[str, frozenset[str]]:
    """Measures with the parameters that may be chosen: `P:rel,cutoff RR`."""
    parts = [word.partition(":") for word in text.split()]
    return {name: frozenset(parameters.split(",")) - {""} for name, _, parameters in parts}


def _judged_only(having: Mapping[str, frozenset[str]]) -> dict[str, frozenset[str]]:
    return {name: parameters | {"judged_only"} for name, parameters in having.items()}


def _without(having: Mapping[str, frozenset[str]], text: str) -> dict[str, frozenset[str]]:
    return {name: parameters for name, parameters in having.items() if name not in text.split()}


_CUTOFFS = (5, 10, 15, 20, 30, 100, 200, 500, 1000)
# Reciprocal rank has a cutoff where -M sets it.
_TREC_EVAL = _judged_only(
    _having(
        "NumQ NumRet NumRel:rel NumRelRet:rel NumNonrelRet:rel AP:rel,cutoff GMAP:rel YAAP:rel IPrec:rel,recall "
        "ElevenPoint:rel RR:rel,cutoff P:rel,cutoff R:rel,cutoff RelP:rel,cutoff Success:rel,cutoff! Rprec:rel "
        "RprecMult:rel,multiple SetP:rel SetR:rel SetF:rel,beta SetRelP:rel SetAP:rel Utility:rel,a,b,c,d,docs "
        "DCG:gain nDCG:gain,cutoff nDCGrel:gain Rndcg:gain G:gain binG:rel Bpref:rel GMBpref:rel infAP:rel "
        "AP_avgjg:rel P_avgjg:rel,cutoff RprecMult_avgjg:rel,multiple NumPrefs NumPrefsFulfilled:pairs "
        "PrefSimp:pairs PrefPair:pairs PrefAvg:pairs PrefAvgR:pairs"
    )
)
_BY_JUDGES_AND_PREFERENCES = (
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


def _at(name: str, *places: float) -> tuple[str, ...]:
    return tuple(f"{name}@{place:g}" for place in places)


_MULTIPLES = tuple(fifth / 5 for fifth in range(1, 11))
_CUTS: dict[str, tuple[str, ...]] = {
    "P": _at("P", *_CUTOFFS),
    "recall": _at("R", *_CUTOFFS),
    "ndcg_cut": _at("nDCG", *_CUTOFFS),
    "map_cut": _at("AP", *_CUTOFFS),
    "relative_P": _at("RelP", *_CUTOFFS),
    "success": _at("Success", 1, 5, 10),
    "iprec_at_recall": _at("IPrec", *(tenth / 10 for tenth in range(11))),
    "Rprec_mult": _at("RprecMult", *_MULTIPLES),
}
_SETS = ("SetP", "SetR", "SetRelP", "SetAP", "SetF")
_FAMILIES: dict[str, tuple[str, ...]] = _CUTS | {
    "official": _OFFICIAL,
    "set": (*_OFFICIAL[:4], "Utility", *_SETS),
    "all_trec": (
        *_OFFICIAL,
        *_CUTS["recall"],
        *("infAP", "GMBpref", *_CUTS["Rprec_mult"], "Utility", "ElevenPoint", "binG", "G", "nDCG", "nDCGrel", "Rndcg"),
        *(name for family in ("ndcg_cut", "map_cut", "relative_P", "success") for name in _CUTS[family]),
        *(*_SETS, "NumNonrelRet"),
    ),
}
"""What trec_eval's names for several measures mean; `runid` and `relstring` are no numbers."""
_PREFERENCES = (
    *("NumPrefs", "NumPrefsFulfilled", "NumPrefsFulfilled(pairs=retrieved)"),
    *("PrefSimp", "PrefPair", "PrefAvg"),
)
_GROUPED: dict[str, tuple[str, ...]] = {
    "P_avgjg": _at("P_avgjg", *_CUTOFFS),
    "Rprec_mult_avgjg": _at("RprecMult_avgjg", *_MULTIPLES),
    "qrels_jg": ("AP_avgjg", *_at("P_avgjg", *_CUTOFFS), *_at("RprecMult_avgjg", *_MULTIPLES)),
    "prefs": _PREFERENCES,
    "all_prefs": (
        *_PREFERENCES,
        "PrefAvgR",
        *(f"{name}(pairs=retrieved)" for name in ("PrefSimp", "PrefPair", "PrefAvg", "PrefAvgR")),
        *(f"{name}(pairs=implied)" for name in ("PrefSimp", "PrefPair", "PrefAvg")),
    ),
}
"""The same of several judges and preferences; NumQ reads one grade for each document."""
_FAMILIES_OF_TEN: dict[str, tuple[str, ...]] = (
    _FAMILIES
    | _GROUPED
    | {
        "unj": _at("Unjudged", 5, 10, 20),
        "all_trec": (*_FAMILIES["all_trec"], "RBP", "RBPResidual", *_at("Unjudged", 5, 10, 20)),
    }
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
    if measure.name in _BY_CWL_EVAL or measure.name == "AUC":
        return {"ties": "given", "precision": "double"}
    if measure.name in ("Judged", "Compat") or (measure.name == "RR" and measure.at is not None):
        # Nothing of a silent query is judged: 0 of 0 is 0 there.
        zero: Choices = {"undefined": "zero"} if measure.name == "Judged" else {}
        return {"ties": "document-ascending", "precision": "double", **zero}
    by_gdeval = measure.name == "ERR" or (measure.name == "nDCG" and measure.params["gain"] == "exponential")
    return {"precision": "double"} if by_gdeval else NOTHING


def _beir(measure: Measure) -> Choices:
    """BEIR sorts for reciprocal rank and capped recall itself, and divides these by all queries that were judged."""
    return (
        {"average_over": "judged", "precision": "double", "ties": "given"}
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
        computes=_TREC_EVAL | _judged_only(_having("Unjudged:cutoff RBP:p RBPResidual:p")),
        families=_FAMILIES_OF_TEN,
        params=_levels("10") | {"RBP": {"p": 0.9}, "RBPResidual": {"p": 0.9}, "PrefAvgR": {"counting": "trec_eval"}},
        exceptions=_trec_eval,
        notes=(
            Note("Without -c it stops when the run lacks a judged query."),
            Note("its rbp reads uninitialised memory; this is the intended value.", _names("RBP")),
        ),
    ),
    Profile(
        "trec_eval-9",
        "trec_eval 9.0.8",
        "TREC's own program up to 2026, without -c.",
        measures=_OFFICIAL,
        computes=_without(_TREC_EVAL, "DCG"),
        families=_FAMILIES | _GROUPED,
        settings={"average_over": "answered", "precision": "single"},
        params=_levels("9") | {"PrefAvgR": {"counting": "trec_eval"}},
        exceptions=_trec_eval,
        notes=(Note("With -c, as publications use it, all judged queries count: add average_over=judged."),),
    ),
    Profile(
        "pytrec_eval",
        "pytrec-eval-terrier 0.5.11",
        "trec_eval 9 from Python.",
        computes=_without(_TREC_EVAL, "DCG YAAP " + _BY_JUDGES_AND_PREFERENCES) | _judged_only(_having("RR:rel")),
        families=_FAMILIES,
        settings={"average_over": "answered", "precision": "single"},
        params=_levels("9"),
        notes=(Note("its gm_map and gm_bpref of a query are logarithms.", _names("GMAP GMBpref")),),
    ),
    Profile(
        "ir_measures",
        "ir-measures 0.4.3",
        "One interface to several tools, a tool for each measure.",
        computes=_having(
            "NumQ NumRet NumRel:rel NumRelRet:rel AP:rel,judged_only,cutoff IPrec:rel,judged_only,recall Judged:cutoff "
            "SetP:rel,judged_only SetR:rel SetF:rel,beta,judged_only SetRelP:rel,judged_only SetAP:rel,judged_only "
            "P:rel,judged_only,cutoff R:rel,judged_only,cutoff Success:rel,judged_only,cutoff! Rprec:rel,judged_only "
            "RR:rel,judged_only,cutoff nDCG:cutoff,gain,gain=exponential,judged_only Bpref:rel infAP:rel "
            "RBP:p,rel,cutoff ERR:cutoff! Compat:p,normalize ERR_IA:rel,judged_only,cutoff! "
            "nERR_IA:rel,judged_only,cutoff! alpha_DCG:rel,alpha,judged_only,cutoff! "
            "alpha_nDCG:rel,alpha,judged_only,cutoff! NRBP:rel,alpha,beta nNRBP:rel,alpha,beta AP_IA:rel,judged_only "
            "P_IA:rel,judged_only,cutoff! StRecall:rel,cutoff! INST:T,min_grade,max_grade INSQ:T,min_grade,max_grade "
            "BPM:T,cutoff,min_grade,max_grade SDCG:cutoff,min_grade,max_grade NERR8:cutoff,min_grade,max_grade "
            "NERR9:cutoff,min_grade,max_grade NERR10:p,min_grade,max_grade NERR11:T,min_grade,max_grade AUC:rel,cutoff"
        ),
        others={
            "accuracy": "the share of pairs of retrieved documents in the right order, which is pair_accuracy here"
        },
        settings={"precision": "single"},
        params=_levels("9") | {"ERR": {"max_grade": 4}, "Judged": {"pooled": "judged"}, "AUC": {"pairs": "retrieved"}},
        exceptions=_ir_measures,
        notes=(
            Note(
                "its Compat reads as deep as the longer of ranking and ideal ranking, not 1000 ranks; where scores are "
                "negative its ideal ranking puts missed documents first.",
                _names("Compat"),
            ),
            Note(
                "It orders equal scores by document id ascending for RR@k, Judged and Compat, and as the run gives "
                "them for AUC, RBP and the other measures of cwl_eval; these, ERR and exponential nDCG compare in "
                "double precision."
            ),
            Note("its name for AUC(pairs=retrieved) is Accuracy.", _names("AUC")),
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
        computes=_having(
            "AP:rel,cutoff IPrec:recall NumRelRet:rel,cutoff SetP:rel SetR:rel SetF:rel P:rel,cutoff R:rel,cutoff "
            "F:rel,cutoff Success:rel,cutoff Rprec:rel RR:rel,cutoff DCG:cutoff,gain=exponential "
            "nDCG:cutoff,gain=exponential Bpref:rel RBP:p,rel"
        ),
        families={"recall": ("SetR",)},
        settings={"ties": "given"},
        params={"IPrec": {"levels": "trec_eval-9"}},
        notes=(
            Note("The order of equal scores depends on how the run was made; this is the order given."),
            Note("its rbp multiplies by raw grades, and can exceed 1.", _names("RBP")),
            Note("its hits are the mean over queries, not the sum.", _names("NumRelRet")),
            Note("its bpref is NaN where nothing is judged irrelevant.", _names("Bpref")),
        ),
    ),
    Profile(
        "ndeval",
        "ndeval 4.5",
        "Diversity at TREC's Web track.",
        measures=_NDEVAL,
        computes=_having(
            "ERR_IA:cutoff,alpha nERR_IA:cutoff,alpha alpha_DCG:cutoff,alpha alpha_nDCG:cutoff,alpha NRBP:alpha,beta "
            "nNRBP:alpha,beta AP_IA P_IA:cutoff StRecall:cutoff"
        ),
        settings={"average_over": "answered", "ties": "given"},
        notes=(
            Note(
                "It orders by the rank column, which is the order given in a file written by rank; -traditional is "
                "ties=document, -c is average_over=judged."
            ),
        ),
    ),
    Profile(
        "gdeval",
        "gdeval 1.3",
        "Graded relevance at TREC's Web track.",
        measures=("nDCG@20", "ERR@20"),
        computes=_having("nDCG:cutoff! ERR:cutoff!"),
        settings={"average_over": "answered", "without_relevant": "drop"},
        params={"nDCG": {"gain": "exponential"}, "ERR": {"max_grade": 4}},
        notes=(Note("It prints five decimals. With -c add average_over=judged."),),
    ),
    Profile(
        "msmarco",
        "msmarco_passage_eval.py",
        "MS MARCO's script for its leaderboards.",
        measures=("RR@10",),
        computes=_having("RR:cutoff!"),
        settings={"ties": "given"},
    ),
    Profile(
        "beir",
        "beir 2.2.0",
        "BEIR's EvaluateRetrieval: pytrec_eval, and measures of its own.",
        measures=tuple(f"{name}@{k}" for name in ("nDCG", "AP", "R", "P") for k in (1, 3, 5, 10, 100, 1000)),
        computes=_having("nDCG:cutoff! AP:cutoff! R:cutoff P:cutoff RR:cutoff! RelP:cutoff Success:cutoff!"),
        settings={"average_over": "answered", "precision": "single", "identical": "drop"},
        exceptions=_beir,
        notes=(
            Note(
                "RR, R_cap and Accuracy, which it computes itself, are divided by all judged queries, in double "
                "precision and with equal scores in the order given."
            ),
            Note("It rounds to five decimals. Its Hole@k counts documents that were not judged for any query."),
        ),
    ),
    Profile(
        "sklearn",
        "scikit-learn 1.9",
        "ndcg_score, dcg_score and average_precision_score of each query's candidates.",
        measures=("nDCG@10", "nDCG", "AP"),
        computes=_having("nDCG:cutoff DCG:cutoff AP"),
        settings={"average_over": "answered", "ties": "average"},
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
        computes=_having(
            "P:cutoff R:cutoff F:beta,cutoff SetP SetR SetF:beta Accuracy:docs AP:cutoff IPrec:recall ElevenPoint "
            "Rprec nDCG:cutoff"
        ),
        families={"recall": ("SetR",)},
        params={"nDCG": {"gain": "exponential"}, "IPrec": {"levels": "exact"}, "ElevenPoint": {"levels": "exact"}},
        notes=(Note("It does not define the order of equal scores."),),
    ),
)
"""Every profile by its name."""

WORDS: Mapping[tuple[str, Value], str] = {
    ("average_over", "answered"): "averages over the judged queries that the run answered",
    ("average_over", "judged"): "averages over all judged queries",
    ("without_relevant", "drop"): "leaves out queries without a relevant document",
    **{("ties", order): f"orders tied scores {words}" for order, words in TIE_ORDERS.items()},
    ("ties", "average"): "averages over all orders of tied scores",
    ("precision", "single"): "compares scores in single precision",
    ("precision", "double"): "compares scores in double precision",
    ("identical", "drop"): "drops a document whose id is the query's own",
    ("undefined", "zero"): "counts an undefined score as 0",
    ("gain", "exponential"): "gains 2^grade - 1 instead of the grade",
    ("ideal", "retrieved"): "compares with the best order of the retrieved documents only",
    ("max_grade", 4): "takes 4 for the largest grade, whatever the judgments",
    ("levels", "exact"): "asks for at least the recall level",
    ("levels", "trec_eval-9"): "turns a recall level into a number of documents by cutting off after adding 0.9",
    ("levels", "trec_eval-10"): "turns a recall level into a number of documents by rounding",
    ("norm", "retrieved"): "divides by the relevant documents retrieved, not by all there are",
    ("p", 0.9): "has a user who goes on with probability 0.9",
    ("pairs", "retrieved"): "takes pairs of retrieved documents only, with unjudged ones for irrelevant",
    ("pooled", "judged"): "takes a document of negative grade for judged",
    ("counting", "trec_eval"): "also counts pairs of irrelevant documents",
}
"""What each choice does, as the end of a sentence that begins with the tool's name."""
