"""What holds for every measure of the table, whatever its parameters and whatever the ranking."""

from __future__ import annotations

import math
from itertools import product

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import cranfield as cf
from cranfield.align import JudgedRanking
from cranfield.measures import Measure, catalogue
from cranfield.notation import ranking
from tests.effort import examples
from tests.measures.reference import REFERENCES, Case, gained, is_relevant, score
from tests.measures.strategies import CHOICES, GRADES, cases, measures

TABLE = sorted(name for name, definition in catalogue().items() if definition.groups is None)
NORMALISED = [
    "AP",
    "Bpref",
    "Compat",
    "ElevenPoint",
    "GMAP",
    "GMBpref",
    "IPrec",
    "NCU",
    "OMeasure",
    "PMeasure",
    "PPlus",
    "Q",
    "RR",
    "RelP",
    "Rprec",
    "SetR",
    "SetRelP",
    "Rndcg",
    "binG",
    "nDCG",
    "nDCGrel",
    "nERR",
]
every_measure = pytest.mark.parametrize("name", TABLE)


def test_every_measure_has_a_plain_loop_and_every_plain_loop_a_measure():
    assert sorted(REFERENCES) == TABLE


def test_every_parameter_of_the_table_is_varied():
    of_table = {parameter for name in TABLE for parameter in catalogue()[name].parameters}
    assert of_table <= set(CHOICES)


def test_every_default_is_among_the_values_tried():
    for name in TABLE:
        for parameter, default in catalogue()[name].defaults.items():
            assert default in CHOICES.get(f"{name}.{parameter}", CHOICES[parameter]) or default is None


@every_measure
@given(data=st.data(), case=cases())
def test_it_equals_a_plain_loop_over_its_formula(name, data, case):
    measure = data.draw(measures(name))
    expected = score(name, case, measure.params)
    assert measure(case.judged_ranking()) == pytest.approx(expected, rel=1e-12, abs=1e-14, nan_ok=True)


@every_measure
@given(data=st.data(), case=cases())
def test_it_stays_within_its_bounds(name, data, case):
    measure = data.draw(measures(name))
    low, high = measure.bounds
    value = float(measure(case.judged_ranking()))
    assert math.isnan(value) or low - 1e-12 <= value <= high + 1e-12


@pytest.mark.parametrize("name", NORMALISED)
@given(data=st.data(), case=cases())
def test_the_ideal_ranking_scores_one_where_it_is_said_to(name, data, case):
    measure = data.draw(measures(name))
    assume(measure.normalised)
    gain = measure.params.get("gain", "linear")
    # A gain for documents that nobody judged cannot be had from judged documents only.
    assume(not (measure.params["judged_only"] and gained(-1, gain)))
    best_first = sorted(case.judged, key=lambda grade: (gained(grade, gain), grade), reverse=True)
    ideal = Case(tuple(best_first), (), case.max_grade)
    something_relevant = (
        any(is_relevant(grade, measure.params["rel"]) for grade in ideal.judged)
        if "rel" in measure.params
        else any(gained(grade, gain) for grade in ideal.judged if not measure.params["judged_only"] or grade >= 0)
    )
    if something_relevant:
        assert measure(ideal.judged_ranking()) == pytest.approx(1)


def test_measures_that_compare_with_an_ideal_say_that_they_are_normalised():
    said = {name for name in TABLE if Measure(catalogue()[name]).normalised}
    assert said == set(NORMALISED)


@every_measure
@given(data=st.data(), case=cases())
def test_moving_a_better_document_up_never_harms_where_it_is_said_to(name, data, case):
    measure = data.draw(measures(name))
    if measure.monotone:
        for better in _improved(case):
            assert not _harms(measure, case, better)


@pytest.mark.parametrize(
    "measure",
    [
        cf.AP(norm="retrieved") @ 3,
        cf.measures.AUC @ 2,
        cf.measures.AUC(pairs="retrieved") @ 3,
        cf.measures.infAP,
        cf.measures.NumNonrelRet @ 1,
        cf.measures.INST(expected="depth"),
        cf.measures.NERR8(expected="depth") @ 4,
        cf.measures.cwlRR(expected="depth"),
        cf.measures.cwlAP(expected="depth"),
        cf.measures.IFT,
        cf.measures.IFT(rule="goal"),
        cf.measures.IFT(rule="rate"),
        cf.measures.BPM @ 4,
        cf.measures.BPM(expected="total_utility") @ 4,
        cf.measures.G(gain={1: 9, 2: 10}),
        cf.measures.nDCGrel(gain={1: 3, 2: 1}),
        cf.measures.Rndcg(gain={1: 3, 2: 1}),
        cf.measures.CG(gain={1: 3, 2: 1}) @ 1,
        cf.DCG(gain={1: 3, 2: 1}),
        cf.nDCG(gain={1: 3, 2: 1}),
        cf.nDCG(gain={0: 1, 1: 0}),
        cf.nDCG(gain={1: 3}),
        cf.nDCG(gain={-1: 1}),
        cf.measures.PMeasure,
        cf.measures.PPlus,
        cf.measures.NCU,
        cf.measures.NCU(stop="rank-biased", gain={1: 3, 2: 1}),
        cf.measures.Q(gain={1: 3, 2: 1}),
        cf.measures.OMeasure(gain={1: 3, 2: 1}),
        cf.RBP(gain={1: 3, 2: 1}),
        cf.ERR(gain={1: 3, 2: 1}),
        cf.measures.nERR(gain={1: 3, 2: 1}),
    ],
    ids=str,
)
def test_a_measure_said_to_punish_some_better_order_does(measure):
    assert not measure.monotone
    small = (Case(places, (), 2.0) for length in (2, 3, 4) for places in product((None, -1, 0, 1, 2), repeat=length))
    assert any(_harms(measure, case, better) for case in small for better in _improved(case))


def test_only_these_definitions_ever_punish_a_better_order():
    punishing = {name for name in TABLE if not Measure(catalogue()[name]).monotone}
    assert punishing == {"BPM", "G", "IFT", "NCU", "NumNonrelRet", "PMeasure", "PPlus", "infAP"}


@every_measure
@examples(25)
@given(data=st.data(), own=cases(max_size=9), others=st.lists(cases(max_size=40), max_size=5))
def test_a_query_scores_the_same_alone_and_in_company_to_the_last_bit(name, data, own, others):
    measure = data.draw(measures(name))
    own = own if own.judged else Case(own.ranked, (1,), 1)
    # The largest grade of the collection is a parameter of some measures, so company must not raise it.
    company = [_no_better_than(max(own.judged), other) for other in others if other.judged]
    alone = _evaluated([own], measure)
    together = _evaluated([*company, own], measure)
    assert np.array_equal(alone[-1], together[-1], equal_nan=True)


@pytest.mark.parametrize("name", [name for name in TABLE if "cutoff" in catalogue()[name].parameters])
@pytest.mark.parametrize("width", [8, 64, 256])
@examples(5)
@given(data=st.data())
def test_to_read_no_wider_than_a_cutoff_takes_changes_no_bit(name, width, data):
    measure = data.draw(measures(name))
    for seed, cutoff in enumerate((1, 3, 4, 5, 8, 10, 16, 20, 100, 128, 130, 200)):
        judged, again = (_wide(width, seed, queries=1 + seed % 4) for _ in range(2))
        assert np.array_equal((measure @ cutoff)(judged), _unnarrowed(measure @ cutoff, again), equal_nan=True)


def test_nor_does_it_where_a_sum_is_over_one_place_more():
    # Hardly any document satisfies, so many users read down to the last rank.
    measure = cf.measures.NERR9(max_grade=100, expected="depth") @ 128
    for seed in range(10):
        judged, again = (_wide(256, seed) for _ in range(2))
        assert np.array_equal(measure(judged), _unnarrowed(measure, again))


@examples(20)
@given(data=st.data(), width=st.sampled_from([1, 8, 16]), seed=st.integers(0, 999))
def test_measures_that_share_their_work_score_as_each_alone(data, width, seed):
    together = _wide(width, seed)
    for name in data.draw(st.permutations(TABLE)):
        measure = data.draw(measures(name))
        assert np.array_equal(measure(together), measure(_wide(width, seed)), equal_nan=True)


@every_measure
@examples(20)
@given(data=st.data(), several=st.lists(cases(), min_size=4, max_size=4))
def test_queries_stacked_along_any_axes_score_as_one_by_one(name, data, several):
    measure = data.draw(measures(name))
    largest = max(case.max_grade for case in several)
    alike = [case._replace(max_grade=largest).judged_ranking(32) for case in several]
    stacked = type(alike[0])(
        *(np.stack([getattr(one, part) for one in alike]) for part in ("ranks", "grades", "retrieved", "judged")),
        max_grade=largest,
    )
    square = type(stacked)(
        stacked.ranks.reshape(2, 2, 32),
        stacked.grades.reshape(2, 2, 32),
        stacked.retrieved.reshape(2, 2),
        stacked.judged.reshape(2, 2, 32),
        largest,
    )
    one_by_one = np.array([measure(one) for one in alike])
    assert np.array_equal(measure(stacked), one_by_one, equal_nan=True)
    assert np.array_equal(measure(square), one_by_one.reshape(2, 2), equal_nan=True)


@every_measure
@examples(10)
@given(data=st.data(), case=cases())
def test_the_score_of_one_query_is_one_number(name, data, case):
    measure = data.draw(measures(name))
    value = measure(case.judged_ranking())
    assert np.ndim(value) == 0
    assert np.asarray(value).dtype == np.float64


@every_measure
@examples(20)
@given(data=st.data())
def test_its_name_reads_back_as_itself(name, data):
    measure = data.draw(measures(name))
    again = cf.parse(str(measure))
    assert again == measure
    assert hash(again) == hash(measure)
    assert str(again) == str(measure)


@pytest.mark.parametrize("name", [name for name in TABLE if catalogue()[name].of_retrieved])
@given(data=st.data(), case=cases(), more=st.lists(st.sampled_from([-1, 0, 1, 2]), max_size=4))
def test_a_measure_of_retrieved_documents_does_not_see_the_others(name, data, case, more):
    measure = data.draw(measures(name))
    as_it_is = measure(case.judged_ranking())
    assert np.array_equal(as_it_is, measure(case._replace(missed=()).judged_ranking()), equal_nan=True)
    assert np.array_equal(as_it_is, measure(case._replace(missed=tuple(more)).judged_ranking()), equal_nan=True)


@pytest.mark.parametrize("name", [name for name in TABLE if not catalogue()[name].of_retrieved])
def test_a_measure_that_is_not_only_of_retrieved_documents_sees_the_others_or_what_is_unjudged(name):
    definition = catalogue()[name]
    measure = Measure(definition)
    measure = measure @ {"cutoff": 5, "recall": 0.5, "multiple": 1}[definition.at] if definition.needs_at else measure
    examples = ["1-", "1-|0", "1-|1", "-1|1", "1-|2", "10", "1"]
    # NumQ and NumRet know no grades at all, so no judgment bounds them.
    assert len({float(measure(ranking(example))) for example in examples}) > 1 or name == "NumQ"


@every_measure
@examples(10)
@given(data=st.data(), case=cases())
def test_it_gives_the_same_twice_and_leaves_the_ranking_as_it_was(name, data, case):
    measure = data.draw(measures(name))
    judged = case.judged_ranking(16)
    before = [np.copy(part) for part in (judged.ranks, judged.grades, judged.retrieved, judged.judged)]
    first, second = measure(judged), measure(judged)
    assert np.array_equal(first, second, equal_nan=True)
    after = (judged.ranks, judged.grades, judged.retrieved, judged.judged)
    assert all(np.array_equal(one, other) for one, other in zip(before, after, strict=True))


def _unnarrowed(measure: Measure, judged: JudgedRanking) -> np.ndarray:
    """What a measure gives if no array is narrower than the ranking's own."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(JudgedRanking, "top", lambda self, cutoff: self if cutoff is None else self.cut(cutoff))
        return measure(judged)


def _wide(width: int, seed: int, queries: int = 3) -> JudgedRanking:
    """Queries in one array: some fill it and some do not, with and without unjudged documents between the judged."""
    rng = np.random.default_rng(seed)
    ranks, grades, judged = np.full((queries, width), np.inf), *np.full((2, queries, width), -np.inf)
    for query in range(queries):
        found = width if query % 2 else int(rng.integers(1, width + 1))
        retrieved = found * 2 if query < 2 else found
        ranks[query, :found] = np.sort(rng.permutation(retrieved)[:found] + 1)
        grades[query, :found] = rng.choice(GRADES, found)
        judged[query, :found] = -np.sort(-grades[query, :found])
    return JudgedRanking(ranks, grades, np.full(queries, 2.0 * width), judged, max_grade=3)


def _improved(case: Case):
    """The query with one document moved up past a worse neighbour, in all ways."""
    worth = [-math.inf if grade is None else grade for grade in case.ranked]
    for at in range(len(worth) - 1):
        if worth[at] < worth[at + 1]:
            swapped = list(case.ranked)
            swapped[at], swapped[at + 1] = swapped[at + 1], swapped[at]
            yield case._replace(ranked=tuple(swapped))


def _harms(measure: Measure, case: Case, better: Case) -> bool:
    before, after = float(measure(case.judged_ranking())), float(measure(better.judged_ranking()))
    if math.isnan(before):
        return False
    if measure.definition.lower_is_better:
        before, after = -before, -after
    return not after >= before - 1e-12


def _no_better_than(grade: float, case: Case) -> Case:
    return Case(
        tuple(None if own is None else min(own, grade) for own in case.ranked),
        tuple(min(own, grade) for own in case.missed),
        grade,
    )


def _evaluated(queries: list[Case], measure: Measure) -> np.ndarray:
    judgments = {
        f"q{number}": {f"d{rank}": grade for rank, grade in enumerate(query.ranked) if grade is not None}
        | {f"m{number}": grade for number, grade in enumerate(query.missed)}
        for number, query in enumerate(queries)
    }
    # A run that finds no judged document at all is refused, so one more query finds one.
    anchor = {"anchor": {"d0": -9}}
    run = {
        f"q{number}": {f"d{rank}": -float(rank) for rank in range(len(query.ranked))}
        for number, query in enumerate(queries)
    }
    return cf.evaluate(cf.read_judgments(anchor | judgments), cf.read_run(name="run", source=run | anchor), measure)[
        measure
    ][0]
