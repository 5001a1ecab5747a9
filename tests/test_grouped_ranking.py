"""Judged rankings with several grades for each document: what measures get to see of them."""

import math
import random
import tracemalloc

import numpy as np
import pytest

import cranfield as cf
from cranfield.align import align
from cranfield.grouped_ranking import grouped_blocks
from cranfield.measures import Measure, catalogue
from cranfield.notation import grouped

ROWS = [
    ("q1", "s1", "a", 1),
    ("q1", "s2", "a", 0),
    ("q1", "s2", "b", 2),
    ("q1", "s1", "missed", 1),
    ("q1", "s2", "also missed", 1),
    ("q2", "s1", "a", 1),
]


def judgments(rows=ROWS, kind="subtopic"):
    return cf.read_judgments(rows, columns="query,subtopic,document,grade", groups=kind)


def blocks(run, rows=ROWS):
    alignment = align(cf.read_run(run), judgments(rows))
    return {query: (judged, at) for part, judged in grouped_blocks(alignment) for at, query in enumerate(part.tolist())}


class TestBlocks:
    judged, at = blocks({"q1": ["x", "b", "a"], "q2": ["a"]})[0]

    def test_retrieved_documents_come_by_rank_and_then_those_never_found_first_id_first(self):
        assert self.judged.ranks[self.at].tolist() == [2, 3, math.inf, math.inf]

    def test_each_group_has_its_grades_and_minus_infinity_where_it_says_nothing(self):
        # Documents are b, a, "also missed" and "missed".
        assert self.judged.grades[self.at].tolist() == [
            [-math.inf, 1, -math.inf, 1],
            [2, 0, 1, -math.inf],
        ]

    def test_places_are_those_by_id_last_first(self):
        assert self.judged.places[self.at].tolist() == [1, 3, 2, 0]

    def test_all_retrieved_documents_are_counted(self):
        assert self.judged.retrieved[self.at] == 3

    def test_the_largest_grade_is_that_of_the_collection(self):
        assert self.judged.max_grade == 2


def test_a_silent_query_has_its_judged_documents_all_the_same():
    judged, at = blocks({"q2": ["a"]})[0]
    assert judged.retrieved[at] == 0
    assert np.isinf(judged.ranks[at]).all()
    assert (judged.grades[at] > -math.inf).sum() == 5


def test_queries_of_like_size_share_a_block_padded_to_powers_of_two():
    rows = [(f"q{n}", f"s{s}", f"d{d}", 1) for n in range(4) for s in range(2 + n) for d in range(3 + n)]
    found = blocks({f"q{n}": ["d0"] for n in range(4)}, rows)
    shapes = [found[n][0].grades.shape[1:] for n in range(4)]
    assert shapes == [(2, 4), (4, 4), (4, 8), (8, 8)]
    judged, at = found[3]
    assert judged.owners[at].tolist() == [0, 1, 2, 3, 4, -1, -1, -1]
    assert np.isinf(judged.places[at, 6:]).all()


def test_subgroups_belong_to_their_judge():
    rows = [
        {"query": "q", "judge": judge, "subgroup": subgroup, "document": document, "grade": 1}
        for judge, subgroup, document in [("ada", 1, "a"), ("ben", 1, "a"), ("ada", 2, "b")]
    ]
    alignment = align(cf.read_run({"q": ["a", "b"]}), cf.read_judgments(rows, groups="preference"))
    ((_, judged),) = grouped_blocks(alignment)
    assert judged.owners.tolist() == [[0, 1, 0, -1]]


class TestTop:
    def test_what_lies_below_counts_as_not_retrieved(self):
        top = grouped("10 01 11|01").top(2)
        assert top.ranks.tolist() == [1, 2, math.inf, math.inf]
        assert top.retrieved == 2
        assert (top.grades == grouped("10 01 11|01").grades).all()

    def test_without_a_cutoff_it_is_the_ranking_itself(self):
        judged = grouped("10 01")
        assert judged.top(None) is judged


class TestCondensed:
    def test_documents_that_no_group_judged_leave_and_the_others_close_up(self):
        condensed = grouped("-- 10 x- x0").condensed()
        assert condensed.ranks.tolist() == [1, math.inf, 2]
        assert condensed.retrieved == 2

    def test_it_says_so_for_measures_that_ask_each_group(self):
        assert grouped("1-").condensed().judged_only
        assert not grouped("1-").judged_only


class TestByGroup:
    def test_each_group_sees_an_ordinary_ranking(self):
        by_group = grouped("1- 01|2x").by_group
        assert by_group.ranks.tolist() == [[1, 2, math.inf], [math.inf, 2, math.inf]]
        assert by_group.grades.tolist() == [[1, 0, -math.inf], [-math.inf, 1, -math.inf]]
        assert by_group.judged.tolist() == [[2, 1, 0], [1, -1, -math.inf]]
        assert by_group.retrieved.tolist() == [2, 2]


class TestInOrders:
    def test_the_query_once_for_each_order_of_what_was_retrieved(self):
        ((_, judged),) = grouped_blocks(
            align(cf.read_run({"q": ["b", "a"]}), judgments([("q", *row[1:]) for row in ROWS[:5]]))
        )
        orders = judged.in_orders(np.array([[1, 2], [2, 1]]))
        assert orders.ranks[:, :2].tolist() == [[1, 2], [1, 2]]
        assert orders.grades[:, 1].tolist() == [[2, 0, 1, -math.inf], [0, 2, 1, -math.inf]]
        assert orders.places.tolist() == [[1, 3, 2, 0], [3, 1, 2, 0]]
        assert orders.retrieved.tolist() == [2, 2]
        assert orders.owners.tolist() == [[0, 1], [0, 1]]

    @pytest.mark.parametrize(
        "measure",
        [cf.measures.PrefSimp, cf.measures.PrefAvgR, cf.measures.AP_avgjg, cf.measures.alpha_nDCG @ 2],
        ids=str,
    )
    def test_every_kind_of_measure_reads_it(self, measure):
        rows = [
            {"query": "q", "document": d, "grade": g, "judge": j, "subtopic": j}
            for d, j, g in [("a", 1, 1), ("b", 2, 0), ("b", 1, 0)]
        ]
        kind = measure.definition.groups
        ((_, judged),) = grouped_blocks(align(cf.read_run({"q": ["a", "b"]}), cf.read_judgments(rows, groups=kind)))
        both = measure(judged.in_orders(np.array([[1, 2], [2, 1]])))
        assert both.shape == (2,)
        assert both[0] == measure(judged)[0]
        assert both[1] != both[0]


class TestPreferences:
    def test_queries_with_fewer_judges_are_filled_up(self):
        rows = [
            ("q1", "ada", "a", 1),
            ("q1", "ada", "b", 0),
            ("q1", "ben", "a", 0),
            ("q1", "ben", "b", 1),
            ("q2", "ada", "a", 1),
        ]
        found = cf.evaluate(
            cf.read_judgments(rows, columns="query,judge,document,grade", groups="preference"),
            {"q1": ["a", "b"], "q2": ["a"]},
            "NumPrefs PrefSimp",
        )
        assert found["NumPrefs"].tolist() == [[2, 0]]
        assert found["PrefSimp"][0, 0] == 0.5
        assert np.isnan(found["PrefSimp"][0, 1])

    def test_what_a_depth_hides_stands_among_the_others_never_found_by_id(self):
        # a is compared with c, and d with b1 and b2; relevant are a and d, so two irrelevant documents count.
        graded = [("a", "g1", 1), ("c", "g1", 0), ("d", "g2", 1), ("b1", "g2", 0), ("b2", "g2", 0)]
        rows = [
            {"query": "q", "judge": "j", "subgroup": subgroup, "document": document, "grade": grade}
            for document, subgroup, grade in graded
        ]
        # To the second rank these are c and b1, behind it b1 and b2.
        whole, cut = (cf.evaluate(rows, {"q": ["a", "c"]}, "PrefAvgR", depth=depth) for depth in (2, 1))
        assert whole["PrefAvgR"].tolist() == [[1 / 2]]
        assert cut["PrefAvgR"].tolist() == [[0]]


def graded(groups, documents):
    """One query with a grade of every document in every group."""
    draw = random.Random(1)
    return [("q1", f"g{g}", f"d{d}", draw.choice((0, 0, 1, 2))) for g in range(groups) for d in range(documents)]


def compared(comparisons, documents, people):
    """One query with comparisons of two documents, each by one of some people."""
    draw = random.Random(1)
    pairs = [sorted(draw.sample(range(documents), 2)) for _ in range(comparisons)]
    return [
        ("q1", f"p{at % people}", f"c{at}", f"d{document}", grade)
        for at, pair in enumerate(pairs)
        for document, grade in zip(pair, (1, 0), strict=True)
    ]


def family(kind):
    """Every measure that reads such groups, with a cutoff where it needs one."""
    at = {"cutoff": 20, "multiple": 0.5}
    definitions = [definition for definition in catalogue().values() if definition.groups == kind]
    return [Measure(d) @ at[d.at] if d.needs_at else Measure(d) for d in definitions]


@pytest.mark.parametrize(
    ("kind", "columns", "rows"),
    [
        ("subtopic", "query,subtopic,document,grade", graded(100, 1_000)),
        ("judge", "query,judge,document,grade", graded(3, 20_000)),
        ("stratum", "query,stratum,document,grade", [("q1", f"s{d % 20}", f"d{d}", d % 4 - 1) for d in range(20_000)]),
        ("preference", "query,judge,subgroup,document,grade", compared(7_410, 1_120, people=7_410)),
        ("preference", "query,judge,subgroup,document,grade", compared(7_410, 1_120, people=1)),
    ],
    ids=["subtopics", "judges", "strata", "preferences of many people", "preferences of one"],
)
def test_ten_times_the_groups_and_documents_of_any_collection_are_scored(kind, columns, rows):
    run = {"q1": [f"d{document}" for document in range(0, 1_000, 2)]}
    scores = cf.evaluate(cf.read_judgments(rows, columns=columns, groups=kind), run, family(kind))
    assert np.isfinite(scores.values).all()


def test_preferences_of_many_people_take_no_square_of_all_documents_for_each():
    rows = compared(1_000, 500, people=1_000)
    read = cf.read_judgments(rows, columns="query,judge,subgroup,document,grade", groups="preference")
    tracemalloc.start()
    try:
        cf.evaluate(read, {"q1": ["d1", "d2"]}, "PrefSimp")
        _, most = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert most < 1_000 * 500 * 500 / 4


def test_a_query_with_more_judged_documents_than_a_block_has_cells_is_scored_alone():
    grades = {f"d{document}": document % 2 for document in range(70_000)}
    alignment = align(cf.read_run({"q1": ["d1", "d2"]}), cf.read_judgments({"q1": grades, "q2": {"d1": 1}}))
    assert sorted(query for part, _ in alignment.blocks() for query in part.tolist()) == [0, 1]
    assert all(len(part) for part, _ in alignment.blocks())
