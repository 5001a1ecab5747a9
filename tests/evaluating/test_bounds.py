"""How far ties and unjudged documents could move a score: checked against trying everything."""

from __future__ import annotations

from collections import Counter
from itertools import groupby, pairwise, permutations, product
from unittest import mock

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import cranfield as cf
from cranfield.align import align
from cranfield.data.judgments import GROUPED_BY
from cranfield.evaluating.bounds import Levels, Ties, _tied_queries, formula_of, tie_bounds, unjudged_bounds
from cranfield.evaluating.score_tables import mean_bounds
from cranfield.measures import catalogue, parse_all
from cranfield.measures.scoring import View
from tests.effort import examples
from tests.measures import grouped_reference
from tests.measures.reference import Case, score

MEASURES = parse_all(
    "P@2 R@3 F@2 Success@1 Rprec SetP SetR SetF Accuracy Fallout AP AP@2 AP(norm=retrieved) AP(norm=retrieved)@2 GMAP "
    "IPrec@0.5 ElevenPoint RR RR@2 SL CG@2 DCG@3 nDCG nDCG@2 nDCG(gain={1:3,2:1}) nDCG(ideal=retrieved)@2 RBP "
    "P(norm=retrieved)@3 AUC AUC@3 pair_accuracy RBP(gain=graded) RBPResidual ERR Bpref infAP Judged@2 "
    "NumRelRet NumRelRet@2 "
    "RelP@2 RprecMult@0.5 SetRelP SetAP Utility Utility(a=2,c=-1,d=0.5,docs=9) NumNonrelRet NumNonrelRet@2 Unjudged@2 "
    "INST(max_depth=8) INST(expected=depth,max_depth=3) INSQ(max_depth=8) INSQ(T=2,expected=total_utility,max_depth=8) "
    "SDCG@2 SDCG(max_grade=3)@4 BPM(max_depth=8)@3 BPM(T=2,hb=0.5,hc=1,max_depth=8)@2 "
    "NERR8@3 NERR9@4 NERR10(max_depth=8) NERR11(max_depth=8) NERR11(expected=total_cost,max_depth=3) "
    "cwlP@3 cwlRR(max_depth=8) cwlAP cwlAP(expected=depth) TBG(halflife=2,max_depth=8) U(L=6) SET@4 "
    "RBP(expected=depth) IFT(max_depth=8) IFT(rule=goal,max_depth=8) IFT(rule=rate,expected=total_utility,max_depth=3) "
    "GMBpref YAAP binG G G(gain=exponential) nDCGrel nDCGrel(gain={1:3,2:1}) Rndcg Rndcg(gain={1:3,2:1}) "
    "RBP(gain={1:1,2:3}) ERR(gain=linear) nERR nERR@2 Q Q@2 Q(gain={1:3,2:1}) OMeasure OMeasure@2 PMeasure PMeasure@2 "
    "PPlus PPlus@2 NCU NCU(stop=rank-biased,utility=precision) NCUrb,BR "
    "Compat Compat(p=0.5,normalize=False) "
    "AP(judged_only=True) P(judged_only=True)@2"
)

documents = st.sampled_from("abcdef")
judged = st.dictionaries(documents, st.sampled_from([-1, 0, 1, 2]), min_size=1)
scored = st.dictionaries(documents, st.sampled_from([1.0, 1.0, 2.0]), min_size=1)


def aligned(judgments, run):
    # One more query, with a find and the largest grade, keeps the collection the same.
    return align(
        cf.read_run(name="run", source={"q": run, "anchor": {"x": 1.0}}),
        cf.read_judgments({"q": judgments, "anchor": {"x": 2}}),
    )


def every_order(judgments, run, view):
    """The query once for each order in which its tied documents may come."""
    by_score = sorted(run, key=lambda document: -run[document])
    groups = [list(group) for _, group in groupby(by_score, key=run.get)]
    retrieved = set(run)
    missed = tuple(grade for document, grade in judgments.items() if document not in retrieved)
    for choice in product(*(permutations(group) for group in groups)):
        order = [document for group in choice for document in group]
        seen = order[: view.depth]
        if view.judged_only:
            seen = [document for document in seen if judgments.get(document, -1) >= 0]
        # What the view hides is still judged.
        hidden = tuple(judgments[d] for d in order if d in judgments and d not in seen)
        yield Case(tuple(judgments.get(document) for document in seen), missed + hidden, 2.0)


def test_these_measures_are_all_of_the_table_but_plain_counts():
    of_one_grade = {name for name, definition in catalogue().items() if definition.groups is None}
    assert {measure.name for measure in MEASURES} == of_one_grade - {"NumQ", "NumRet", "NumRel"}


@pytest.mark.parametrize("tried", [1000, 0], ids=["all orders tried", "none tried"])
@examples(60)
@given(
    judgments=judged,
    run=scored,
    view=st.builds(View, st.sampled_from([None, None, 2, 3]), st.booleans(), st.none()),
)
def test_tie_bounds_are_the_extremes_and_the_mean_over_all_orders(tried, judgments, run, view):
    with mock.patch("cranfield.evaluating.bounds.ALL_ORDERS", tried):
        bounds = tie_bounds(aligned(judgments, run), MEASURES, view)
    orders = Counter(every_order(judgments, run, view))  # many orders look the same to a measure
    for row, measure in enumerate(MEASURES):
        values = np.repeat([score(measure.name, order, measure.params) for order in orders], list(orders.values()))
        known = not bounds.unknown[row, 0]
        if known:
            ends = bounds.low[row, 0], bounds.high[row, 0]
            assert ends == pytest.approx((values.min(), values.max()), rel=1e-12, abs=1e-14, nan_ok=True), str(measure)
        if not bounds.drawn[row, 0]:
            expected = bounds.expected[row, 0]
            assert expected == pytest.approx(values.mean(), rel=1e-11, abs=1e-13, nan_ok=True), str(measure)
        undefined = np.isnan(values)
        if tried:
            assert known == (undefined.all() or not undefined.any())
            assert not bounds.drawn.any()


def test_a_score_that_is_undefined_in_some_orders_has_no_bounds():
    scores = cf.evaluate({"q": {"a": 1}}, {"q": {"a": 1.0, "b": 1.0}}, "AP(norm=retrieved)@1")
    (bounds,) = scores.tie_bounds().values()
    assert bounds.unknown.all()
    assert np.isnan(mean_bounds(scores, 0, 0, bounds)["high"])


def test_a_search_that_may_find_nothing_has_no_unjudged_bounds():
    judgments = {"q1": {"a": 0, "b": 1}, "q2": {"a": 0, "c": 1}}
    scores = cf.evaluate(judgments, {"q1": ["a", "b"], "q2": ["a", "x"]}, "SL")
    (bounds,) = scores.unjudged_bounds().values()
    assert bounds.unknown.tolist() == [[False, True]]
    assert np.isnan(mean_bounds(scores, 0, 0, bounds)["high"])


def test_a_gain_that_falls_with_the_grade_has_no_unjudged_bounds():
    scores = cf.evaluate({"q": {"a": 1, "b": 2}}, {"q": ["a", "x"]}, "CG(gain={1:5,2:0})")
    (bounds,) = scores.unjudged_bounds().values()
    assert bounds.unknown.all()


def test_without_ties_the_bounds_are_the_score_to_the_last_bit():
    alignment = aligned({"a": 1, "c": 2}, {"a": 3.0, "b": 2.0, "c": 1.0})
    bounds = tie_bounds(alignment, MEASURES, View())
    assert np.array_equal(bounds.low, bounds.expected, equal_nan=True)
    assert np.array_equal(bounds.high, bounds.expected, equal_nan=True)


def test_a_relevant_document_tied_with_an_unjudged_one_is_first_half_of_the_time():
    bounds = tie_bounds(aligned({"a": 1}, {"a": 1.0, "b": 1.0}), [cf.RR], View())
    assert (bounds.low[0, 0], bounds.expected[0, 0], bounds.high[0, 0]) == (0.5, 0.75, 1.0)


class TestMoreOrdersThanCanBeTried:
    alignment = aligned({"d3": 1, "d7": 2, "d11": 0, "d15": 1}, {f"d{number}": 1.0 for number in range(20)})

    def bounds(self, measure, view=View()):  # noqa: B008 - a View never changes
        bounds = tie_bounds(self.alignment, [measure], view)
        return bounds.low[0, 0], bounds.expected[0, 0], bounds.high[0, 0], bounds.drawn[0, 0]

    def test_the_ends_are_still_exact_for_measures_that_a_better_order_never_harms(self):
        low, _, high, _ = self.bounds(cf.AP)
        assert high == 1
        assert low == pytest.approx((1 / 18 + 2 / 19 + 3 / 20) / 3)

    def test_the_expected_score_of_a_sum_is_exact(self):
        # A relevant document is in the first ten of twenty half of the time.
        _, expected, _, drawn = self.bounds(cf.R @ 10)
        assert expected == pytest.approx(0.5, rel=1e-12)
        assert not drawn

    def test_so_is_one_with_a_formula(self):
        # Of three relevant among twenty, the first is expected at rank 21/4.
        _, expected, _, drawn = self.bounds(cf.Success @ 5)
        assert expected == pytest.approx(1 - 15 * 14 * 13 / (20 * 19 * 18), rel=1e-12)
        assert not drawn

    def test_others_are_drawn_and_near_the_truth(self):
        _, expected, _, drawn = self.bounds(cf.measures.SL)
        assert expected == pytest.approx(21 / 4, abs=0.7)
        assert drawn

    def test_the_expected_score_is_the_same_every_time(self):
        assert self.bounds(cf.nDCG) == self.bounds(cf.nDCG)

    def test_the_ends_are_not_known_for_measures_that_a_better_order_may_harm(self):
        low, expected, high, _ = self.bounds(cf.measures.infAP)
        assert np.isnan([low, high]).all()
        assert 0 < expected < 1

    @pytest.mark.parametrize(
        "measure", [cf.AP(norm="retrieved"), cf.nDCG(ideal="retrieved"), cf.measures.Accuracy], ids=str
    )
    def test_nor_for_measures_of_what_was_found_when_the_depth_decides_what_is_found(self, measure):
        low, _, high, _ = self.bounds(measure, View(depth=5))
        assert np.isnan([low, high]).all()
        assert not np.isnan(self.bounds(measure)[0])


OF_RETRIEVED = [measure for measure in MEASURES if measure.definition.of_retrieved and measure.monotone]


@examples(60)
@given(
    judgments=judged,
    run=st.lists(documents, min_size=1, unique=True),
    depth=st.sampled_from([None, 2, 4]),
)
def test_unjudged_bounds_are_the_extremes_over_all_that_unjudged_documents_may_be(judgments, run, depth):
    alignment = aligned(judgments, run)
    bounds = unjudged_bounds(alignment, OF_RETRIEVED, View(depth))
    unjudged = [document for document in run if judgments.get(document, -1) < 0]
    missed = tuple(grade for document, grade in judgments.items() if document not in run)
    supposed = [
        judgments | dict(zip(unjudged, grades, strict=True)) for grades in product([0, 2], repeat=len(unjudged))
    ]
    ranked = dict.fromkeys(tuple(grades[document] for document in run[:depth]) for grades in supposed)
    for row, measure in enumerate(OF_RETRIEVED):
        if measure.params["judged_only"] or measure.name == "SL":
            continue  # see below; and a search length is undefined as long as nothing is relevant
        values = [score(measure.name, Case(grades, missed, 2.0), measure.params) for grades in ranked]
        found = bounds.low[row, 0], bounds.high[row, 0]
        assert found == pytest.approx((min(values), max(values)), rel=1e-12, abs=1e-14, nan_ok=True), str(measure)


def test_a_document_moving_into_the_depth_may_lower_what_is_divided_by_what_was_found():
    alignment = aligned({"a": 1, "b": 0, "c": 2}, {"a": 2.0, "b": 1.0, "c": 1.0})
    bounds = tie_bounds(alignment, [cf.nDCG(ideal="retrieved")], View(depth=2))
    # With b second, the two documents are in the best order; with c second, they are not.
    assert bounds.high[0, 0] == 1
    assert bounds.low[0, 0] < 1


def test_unjudged_bounds_are_unknown_for_measures_that_ask_what_was_never_found():
    bounds = unjudged_bounds(aligned({"a": 1}, ["a", "b"]), [cf.AP, cf.nDCG, cf.R @ 5, cf.P @ 2], View())
    assert np.isnan(bounds.low[:3, 0]).all()
    assert np.isnan(bounds.high[:3, 0]).all()
    assert (bounds.low[3, 0], bounds.high[3, 0]) == (0.5, 1.0)


@pytest.mark.parametrize(
    ("measure", "view"), [(cf.RR, View(judged_only=True)), (cf.RR(judged_only=True), View())], ids=str
)
def test_among_judged_documents_only_unjudged_ones_change_nothing(measure, view):
    bounds = unjudged_bounds(aligned({"a": 0, "c": 1}, ["b", "a", "c"]), [measure], view)
    assert bounds.low[0, 0] == bounds.high[0, 0] == 0.5


def test_a_pooled_document_that_nobody_judged_may_be_anything():
    bounds = unjudged_bounds(aligned({"a": -1}, ["a"]), [cf.P @ 1], View())
    assert (bounds.low[0, 0], bounds.high[0, 0]) == (0, 1)


GROUPED = parse_all(
    "alpha_DCG@2 alpha_nDCG@2 alpha_nDCG(alpha=0.9)@3 ERR_IA@2 nERR_IA@3 NRBP nNRBP AP_IA P_IA@2 StRecall StRecall@2 "
    "AP_avgjg P_avgjg@2 RprecMult_avgjg@1 NumPrefs NumPrefsFulfilled NumPrefsFulfilled(pairs=retrieved) PrefSimp "
    "PrefSimp(pairs=implied) PrefPair PrefPair(pairs=retrieved) PrefAvg PrefAvgR PrefAvgR(counting=trec_eval) "
    "alpha_nDCG(judged_only=True)@2 P_avgjg(judged_only=True)@2 xinfAP xinfAP@2 infNDCG@2"
)
graded = st.dictionaries(st.tuples(documents, st.sampled_from("123")), st.sampled_from([-1, 0, 1, 2]), min_size=1)


def aligned_by_group(judgments, run, kind):
    role = GROUPED_BY[kind][0]
    rows = [{"query": "q", "document": d, role: group, "grade": grade} for (d, group), grade in judgments.items()]
    anchor = {"query": "anchor", "document": "x", role: "1", "grade": 2}
    source = cf.read_run(name="run", source={"q": run, "anchor": {"x": 1.0}})
    return align(source, cf.read_judgments([*rows, anchor], groups=kind))


def every_grouped_order(judgments, run, view):
    """The query once for each order in which its tied documents may come."""
    groups = list(dict.fromkeys(group for _, group in judgments))
    names = sorted({*run, *(document for document, _ in judgments)})
    as_judged = {
        name: grouped_reference.Document(name, tuple(judgments.get((name, group)) for group in groups))
        for name in names
    }
    missed = tuple(as_judged[name] for name in names if name not in run)
    by_score = sorted(run, key=lambda document: -run[document])
    tied = [list(group) for _, group in groupby(by_score, key=run.get)]
    for choice in product(*(permutations(group) for group in tied)):
        ranked = tuple(as_judged[document] for group in choice for document in group)
        case = grouped_reference.GroupedCase(ranked, missed, tuple(range(len(groups))))
        yield case.top(view.depth)


def test_these_are_all_measures_of_several_grades():
    of_several = {name for name, definition in catalogue().items() if definition.groups is not None}
    assert {measure.name for measure in GROUPED} == of_several


@pytest.mark.parametrize("tried", [1000, 0], ids=["all orders tried", "none tried"])
@pytest.mark.parametrize("kind", ["subtopic", "judge", "preference", "stratum"])
@examples(30)
@given(
    judgments=graded,
    run=st.dictionaries(documents, st.sampled_from([1.0, 1.0, 2.0]), min_size=1, max_size=4),
    view=st.builds(View, st.sampled_from([None, None, 2, 3]), st.booleans(), st.none()),
)
def test_tie_bounds_with_several_grades_are_the_extremes_and_the_mean_over_all_orders(
    tried, kind, judgments, run, view
):
    measures = [measure for measure in GROUPED if measure.definition.groups == kind]
    if kind == "stratum":  # a document is of one
        judgments = {place: grade for place, grade in judgments.items() if place[1] == dict(judgments.keys())[place[0]]}
    alignment = aligned_by_group(judgments, run, kind)
    with mock.patch("cranfield.evaluating.bounds.ALL_ORDERS", tried):
        bounds = tie_bounds(alignment, measures, view)
    orders = Counter(every_grouped_order(judgments, run, view))
    moved = np.any(alignment.tied > 1)
    for row, measure in enumerate(measures):
        params = measure.params | {"judged_only": view.judged_only or measure.params["judged_only"]}
        each = [grouped_reference.score(measure.name, order, params) for order in orders]
        values = np.repeat(each, list(orders.values()))
        known, exact = not bounds.unknown[row, 0], not bounds.drawn[row, 0]
        if known:
            ends = bounds.low[row, 0], bounds.high[row, 0]
            assert ends == pytest.approx((values.min(), values.max()), rel=1e-12, abs=1e-14, nan_ok=True), str(measure)
        if exact:
            expected = bounds.expected[row, 0]
            assert expected == pytest.approx(values.mean(), rel=1e-11, abs=1e-13, nan_ok=True), str(measure)
        if tried:
            undefined = np.isnan(values)
            assert exact
            assert known == (undefined.all() or not undefined.any())
        elif moved:
            assert not known
            assert exact == (measure.definition.additive and not params["judged_only"])


class TestMoreOrdersThanCanBeTriedWithSeveralGrades:
    """Twenty documents of one score, ten of them judged for two subtopics."""

    alignment = aligned_by_group(
        {(f"d{number}", group): (number * int(group)) % 3 for number in range(10) for group in "12"},
        {f"d{number}": 1.0 for number in range(20)},
        "subtopic",
    )

    def test_no_order_by_grade_is_taken_for_the_best_or_the_worst(self):
        bounds = tie_bounds(self.alignment, [cf.measures.alpha_nDCG @ 5, cf.measures.P_IA @ 5], View())
        assert bounds.unknown[:, 0].all()
        assert np.isnan([bounds.low[:, 0], bounds.high[:, 0]]).all()

    def test_the_expected_score_of_a_sum_is_exact(self):
        # Six of twenty documents are relevant to each subtopic.
        bounds = tie_bounds(self.alignment, [cf.measures.P_IA @ 5], View())
        assert bounds.expected[0, 0] == pytest.approx(6 / 20, rel=1e-12)
        assert not bounds.drawn[0, 0]

    def test_others_are_drawn_and_near_the_truth(self):
        bounds = tie_bounds(self.alignment, [cf.measures.StRecall @ 1], View())
        assert bounds.expected[0, 0] == pytest.approx(6 / 20, abs=0.08)
        assert bounds.drawn[0, 0]

    def test_nothing_is_known_of_documents_that_nobody_judged(self):
        bounds = unjudged_bounds(self.alignment, [cf.measures.alpha_nDCG @ 5, cf.measures.P_IA @ 5], View())
        assert bounds.unknown.all()


# The expected score over all orders of tied documents: sums by turning, others by formula, against brute force.

SUMS = [m for m in MEASURES if m.definition.additive and not m.params["judged_only"]]
FORMULAS = [m for m in MEASURES if formula_of(m) is not None]

GRADES = st.one_of(st.none(), st.integers(-1, 3))
TIED = st.lists(st.tuples(st.integers(0, 2), GRADES), min_size=2, max_size=6).filter(
    lambda rows: any(grade is not None for _, grade in rows)
)


def scores_of_all_orders(rows, measures):
    """Each measure's score in every order that respects the scores."""
    judged = {f"d{at}": grade for at, (_, grade) in enumerate(rows) if grade is not None} | {"missed": 1}
    orders = [order for order in permutations(range(len(rows))) if _falls([rows[at][0] for at in order])]
    systems = {str(n): {"q": [f"d{at}" for at in order], "anchor": ["x"]} for n, order in enumerate(orders)}
    judgments = {"q": judged, "anchor": {"x": 3}}
    return cf.evaluate(judgments, systems, measures).values[:, :, 0], judgments


def tied_query(rows, judgments):
    run = cf.read_run({"q": {f"d{at}": float(score) for at, (score, _) in enumerate(rows)}, "anchor": ["x"]})
    _, query = next(_tied_queries(align(run, cf.read_judgments(judgments)), SUMS), (None, None))
    return query


def _falls(scores):
    return all(high >= low for high, low in pairwise(scores))


@given(TIED)
def test_turning_each_group_through_its_places_gives_the_expectation_of_every_sum(rows):
    scores, judgments = scores_of_all_orders(rows, SUMS)
    query = tied_query(rows, judgments)
    if query is not None:
        turned = query.scores(query.ties.rotated_places(), SUMS, View())
        expected = scores.mean(axis=1)
        assert query.ties.mean_of_rotated(turned) == pytest.approx(expected, rel=1e-10, abs=1e-10, nan_ok=True)


@given(TIED)
def test_the_formulas_give_the_expectation(rows):
    scores, judgments = scores_of_all_orders(rows, FORMULAS)
    query = tied_query(rows, judgments)
    if query is not None:
        for measure, expected in zip(FORMULAS, scores.mean(axis=1), strict=True):
            found = formula_of(measure)(query._levels(measure), measure.at)
            assert found == pytest.approx(expected, rel=1e-10, abs=1e-12, nan_ok=True), str(measure)


def test_every_family_of_sums_is_covered():
    additive = {name for name, definition in catalogue().items() if definition.additive and definition.groups is None}
    assert {m.name for m in SUMS} == additive - {"NumQ", "NumRet", "NumRel"}
    assert {m.name for m in FORMULAS} == {"AP", "GMAP", "RR", "Success"}


def test_the_orders_are_the_ways_judged_documents_can_stand():
    ties = Ties.of(np.array([0, 0, 3]), np.array([3, 3, 1]))
    assert ties.orders == 6
    assert sorted(map(tuple, ties.all_places())) == sorted(permutations(range(3), 2))
    assert ties.rotated_places().tolist() == [[0, 1], [1, 2], [2, 0]]


def test_levels_count_relevant_documents_from_the_top():
    levels = Levels.of(np.array([0, 0, 3]), np.array([3, 3, 2]), np.array([True, False, True]), 4.0)
    assert levels == ([0, 3], [3, 2], [1, 1], 4.0)


def test_average_precision_that_divides_by_what_a_cutoff_finds_has_no_formula():
    assert formula_of(cf.AP(norm="retrieved") @ 5) is None
    assert formula_of(cf.AP(norm="retrieved")) is not None
    assert formula_of(cf.nDCG) is None
