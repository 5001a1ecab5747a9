"""Random queries, and every measure with a spread of its parameters."""

from __future__ import annotations

from random import Random
from typing import Any

from hypothesis import strategies as st

from cranfield.errors import UsageError
from cranfield.measures import Measure, catalogue
from tests.measures.grouped_reference import Document, Grades, GroupedCase
from tests.measures.reference import Case

CHOICES: dict[str, list[Any]] = {
    "rel": [1, 2, 0.5, 3],
    "cutoff": [None, 1, 2, 3, 5, 10, 100],
    "norm": ["relevant", "retrieved", "min", "k"],
    "P.norm": ["k", "retrieved"],
    "levels": ["exact", "trec_eval-9", "trec_eval-10"],
    "recall": [hundredth / 100 for hundredth in range(101)],
    "multiple": [0.01, 0.2, 0.5, 1, 1.4, 2],
    "a": [1, 2, -0.5],
    "b": [-1, 0, 1],
    "c": [0, -3, 0.5],
    "d": [0, 1, -0.25],
    "beta": [1, 0.5, 2, 3],
    "docs": [None, 60, 8_841_823],
    "gain": ["linear", "exponential", {1: 3}, {0: 0, 1: 1, 2: 3, 3: 7}, {1: 2, 2: 0.5}, {0: 1, 3: 0}, {-1: 2}],
    "RBP.gain": ["binary", "graded", {1: 3, 2: 4}, {0: 1, 3: 0}, {-1: 2}],
    "gamma": [0.95, 0.5, 1],
    "stop": ["graded-uniform", "rank-biased"],
    "stops": [None, "exponential", {1: 1, 2: 1, 3: 5}, {2: 0}],
    "utility": ["blended", "precision"],
    "normalize": [True, False],
    "discount": ["log2", "jk"],
    "base": [2, 2.5, 3, 10],
    "ideal": ["judged", "retrieved"],
    "p": [0.8, 0.5, 0.95],
    "NERR10.p": [0.9, 0.5],
    "max_grade": [None, 1, 3, 4],
    "pooled": ["unjudged", "judged"],
    "alpha": [0.5, 0.9, 0, 1],
    "NRBP.beta": [0.5, 0.8],
    "nNRBP.beta": [0.5, 0.8],
    "pairs": ["all", "retrieved", "implied"],
    "AUC.pairs": ["judged", "retrieved"],
    "NumPrefsFulfilled.pairs": ["all", "retrieved"],
    "PrefAvgR.pairs": ["all", "retrieved"],
    "counting": ["defined", "trec_eval"],
    "min_grade": [0, 0.5],
    "max_depth": [1000, 1, 4, 30],
    "expected": ["utility", "total_utility", "cost", "total_cost", "depth"],
    "T": [1, 0.5, 2, 3.5],
    "hb": [0, 0.5, 1],
    "hc": [0, 1, 1.5],
    "median": [0.5, 0, 0.3],
    "halflife": [224, 3, 0.5],
    "L": [1000, 10, 2.5],
    "rule": ["both", "goal", "rate"],
    "b1": [0.9, 0, 2],
    "R1": [10, 0, 1],
    "A": [0.2, 0, 1],
    "b2": [0.9, 0, 2],
    "R2": [10, 0, 1],
    "SET.beta": [0.5, 1, 0.1],
    "offset": [0, 1],
    "judged_only": [False, True],
}
"""Values for each parameter of the table, the default among them."""

GRADES = [-2, -1, 0, 0, 0, 1, 1, 2, 3, 0.5, 1.5]


@st.composite
def measures(draw: st.DrawFn, name: str) -> Measure:
    """One measure with parameters of every kind; one that needs a cutoff has one."""
    definition = catalogue()[name]
    chosen = {
        parameter: draw(st.sampled_from(CHOICES.get(f"{name}.{parameter}", CHOICES.get(parameter, []))))
        for parameter in [*definition.parameters, "judged_only"]
    }
    if definition.needs_at and chosen[definition.at] is None:
        chosen[definition.at] = draw(st.sampled_from([1, 3, 10]))
    measure = Measure(definition)(**chosen)
    try:
        measure.complete()
    except UsageError:
        return measure @ 4
    return measure


@st.composite
def cases(draw: st.DrawFn, *, max_size: int = 14, grades: tuple[float, ...] = tuple(GRADES)) -> Case:
    """One query with documents of all kinds: judged, only pooled, unjudged, judged but not retrieved."""
    places = st.one_of(st.none(), st.sampled_from(grades))
    ranked = tuple(draw(st.lists(places, max_size=max_size)))
    missed = tuple(draw(st.lists(st.sampled_from(grades), max_size=6)))
    return Case(ranked, missed, max_grade=max(Case(ranked, missed, 0).judged, default=0.0))


@st.composite
def grouped_cases(draw: st.DrawFn, kind: str, *, max_size: int = 8) -> GroupedCase:
    """One query whose documents are graded by some groups and not by others, or by none."""
    owners = draw(_subgroups) if kind == "preference" else tuple(range(draw(st.integers(1, 4))))
    documents = {"preference": _compared, "stratum": _sampled}.get(kind, _graded)(owners)
    ranked = draw(st.lists(documents, max_size=max_size))
    missed = draw(st.lists(documents.filter(lambda grades: set(grades) != {None}), max_size=4))
    names = [f"d{number:02}" for number in range(len(ranked) + len(missed))]
    Random(draw(st.integers(0, 99))).shuffle(names)
    all_documents = tuple(map(Document, names, [*ranked, *missed]))
    return GroupedCase(all_documents[: len(ranked)], all_documents[len(ranked) :], owners)


_GRADE = st.sampled_from([None, None, None, *GRADES])
_subgroups = st.lists(st.integers(1, 3), min_size=1, max_size=3).map(
    lambda sizes: tuple(judge for judge, size in enumerate(sizes) for _ in range(size))
)


def _graded(owners: tuple[int, ...]) -> st.SearchStrategy[Grades]:
    """A document that each group may have graded."""
    return st.tuples(*[_GRADE] * len(owners))


@st.composite
def _sampled(draw: st.DrawFn, owners: tuple[int, ...]) -> Grades:
    """A document of one stratum, or outside the pool."""
    stratum, grade = draw(st.sampled_from(owners)), draw(_GRADE)
    return tuple(grade if owner == stratum else None for owner in owners)


@st.composite
def _compared(draw: st.DrawFn, owners: tuple[int, ...]) -> Grades:
    """A document that its judges put into some of their subgroups; each has one opinion, on scales of many kinds."""
    opinions = [draw(st.sampled_from(GRADES)) for _ in set(owners)]
    return tuple((group + 1) * opinions[owner] if draw(st.booleans()) else None for group, owner in enumerate(owners))
