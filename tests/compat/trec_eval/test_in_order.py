"""Sums in trec_eval's order: to the last bit, and where a value lies exactly between two printed ones."""

import math
import random
from dataclasses import replace

import numpy as np
import pytest

from cranfield import ranking
from cranfield.align import align
from cranfield.compat.trec_eval import in_order, trec_eval
from cranfield.compat.trec_eval.arguments import Request
from cranfield.compat.trec_eval.computing import columns_of
from cranfield.compat.trec_eval.judgments import as_judgments
from cranfield.compat.trec_eval.quirks import Setting
from cranfield.compat.trec_eval.requests import lines_of
from cranfield.compat.trec_eval.versions import NINE, TEN
from cranfield.data.run import Ranking, Run
from cranfield.measures.scoring import View

from .plain_loops import NOT_JUDGED, NOT_POOLED, Case, values

TENTH = Setting(TEN, 1)
BY_NAME = ("yaap", "dcg", "ideal_dcg")
SUMS = (
    "map",
    "map_cut_5",
    "map_cut_30",
    "bpref",
    "infAP",
    "binG",
    "G",
    "set_F",
    "set_map",
    "ndcg_cut_5",
    "ndcg_cut_20",
)
"""Values that come from several operations and can lie exactly between two printed ones."""


def drawn(draw: random.Random) -> Case:
    """Any ranking: grades, unjudged documents, some relevant ones never found."""
    grade = lambda: draw.choice((NOT_POOLED, NOT_POOLED, NOT_JUDGED, 0, 0, 1, 1, 2, 3))  # noqa: E731
    grades = tuple(grade() for _ in range(draw.choice((1, 3, 7, 12, 40, 40, 130, 1001))))
    return Case(grades, tuple(draw.choice((0, 1, 2, 3)) for _ in range(draw.randrange(20))), draw.choice((1, 1, 2)))


def almost_half(draw: random.Random) -> Case:
    """A ranking whose values often end in a 5 at the fifth digit: few simple fractions over 16, 32 or 160."""
    best, good = draw.choice(((1, 1), (1, 1), (32, 1), (160, 1), (96, 3)))
    if draw.random() < 0.1:
        # To a rank, the same share of the ideal gain at each.
        many = draw.choice((5, 10, 20))
        return Case((good,) * many, (best,) * many)
    ranks, rank = set(), 0
    for found in range(1, draw.randrange(2, 9)):
        rank = max(rank + 1, found * draw.choice((1, 1, 1, 2, 3, 4, 6, 7, 8)))
        ranks.add(rank)
    length = max(ranks) + draw.choice((0, 0, 1, 5))
    fill = draw.choice((NOT_POOLED, 0))
    grades = tuple(good if at in ranks else fill for at in range(1, length + 1))
    total = draw.choice((16, 32, 48, 80, 96, 160))
    left = (best,) * max(total - len(ranks), 0) + (0,) * draw.choice((0, 16, 32))
    return Case(grades, left)


def computed(cases: list[Case], setting: Setting) -> dict[str, np.ndarray]:
    """What the compatible command computes for each case, by printed name."""
    judged, rankings = {}, []
    for at, case in enumerate(cases):
        query, documents = f"q{at:05}", [f"r{rank}" for rank in range(len(case.grades))]
        pool = dict(zip(documents, case.grades, strict=True)) | {f"l{i}": grade for i, grade in enumerate(case.left)}
        judged[query] = {document: grade for document, grade in pool.items() if grade != NOT_POOLED}
        scores = -np.arange(len(documents), dtype=np.float64)
        rankings.append(Ranking(query, documents, scores, range(1, len(documents) + 1)))
    # A query needs a judgment to be one.
    judged = {query: grades or {"none": NOT_JUDGED} for query, grades in judged.items()}
    alignment = align(Run("run", lambda findings: iter(rankings)), as_judgments(judged), must_meet=False)
    requests = [Request("all_trec"), *(Request(name) for name in BY_NAME if name not in setting.version.lacks)]
    lines = [line for line in lines_of(requests, setting) if not line.entry.is_text]
    return {
        line.name: column
        for line, column in zip(lines, columns_of(alignment, lines, View()), strict=True)
        if line.entry.summary != "queries"
    }


def is_half(value: float) -> bool:
    """Whether a value lies between two printed ones, as near as rounding lets one tell."""
    return math.isfinite(value) and abs(value * 10_000 % 1 - 0.5) < 1e-8


@pytest.mark.parametrize("version", [NINE, TEN], ids=["version 9", "version 10"])
@pytest.mark.parametrize("level", [1, 2])
def test_every_value_has_the_bits_of_a_loop_that_adds_as_trec_eval_does(version, level):
    draw = random.Random(version.number + str(level))
    cases = [replace(drawn(draw), level=level) for _ in range(100)]
    columns = computed(cases, Setting(version, level))
    for at, case in enumerate(cases):
        plain = values(case, rounds_levels=version is TEN)
        for name, column in columns.items():
            assert column[at] == plain[name] or (math.isnan(column[at]) and math.isnan(plain[name])), (name, case)


@pytest.mark.parametrize("version", [NINE, TEN], ids=["version 9", "version 10"])
def test_values_between_two_printed_ones_are_printed_as_trec_eval_prints_them(version):
    draw = random.Random(version.number)
    cases = list({almost_half(draw) for _ in range(1500)})
    columns = computed(cases, Setting(version, 1))
    halves = dict.fromkeys(columns, 0)
    for at, case in enumerate(cases):
        plain = values(case, rounds_levels=version is TEN)
        for name, column in columns.items():
            assert f"{column[at]:.4f}" == f"{plain[name]:.4f}", (name, case)
            halves[name] += is_half(plain[name])
    assert all(halves[name] for name in SUMS)


def test_a_sum_is_divided_last(lines):
    # 1/16 (1/1 + 2/7 + 3/14) is 3/32, exactly between 0.0937 and 0.0938.
    relevant = {1: "r1", 7: "r7", 14: "r14"}
    run = "".join(f"q1 Q0 {relevant.get(rank, f'd{rank}')} {rank} {100 - rank} t\n" for rank in range(1, 15))
    qrels = "".join(f"q1 0 {document} 1\n" for document in (*relevant.values(), *(f"m{at}" for at in range(13))))
    for arguments in ("-q -m map -m map_cut.20", "--like 9.0.8 -q -m map -m map_cut.20"):
        found = lines(arguments, qrels=qrels, run=run)
        assert found["map q1"] == found["map_cut_20 q1"] == found["map all"] == "0.0937"


def test_gains_with_fractions_are_added_rank_by_rank():
    # Ten ranks that cost 1 each, after 1.1 and 1.1: one after the other the cost is 12.199999999999998.
    judged = ranking("1-----------1|1")
    cost = 1.1 + 1.1 + 1.1
    for _ in range(10):
        cost += 1.0
    expected = (1.1 / math.log2(2 + 1.1 - 1.1) + 1.1 / math.log2(2 + cost - (1.1 + 1.1))) / (1.1 + 1.1 + 1.1)
    assert in_order.g(TENTH, ((1, 1.1),))(judged) == expected


def test_logarithms_of_large_and_fractional_numbers_are_those_of_the_c_library():
    numbers = np.array([[1.5, 3.0, 1e6], [2.0, 7.25, 1e12]])
    assert in_order._log2(numbers).tolist() == [[math.log2(number) for number in row] for row in numbers.tolist()]
    assert in_order._log2(np.array([1.0, 3.0, 1024.0])).tolist() == [0.0, math.log2(3), 10.0]


def test_rndcg_is_0_where_the_level_leaves_nothing_relevant_and_no_number_where_nothing_gains():
    judged = ranking("1-1")
    assert in_order.ndcg_at_falls(TENTH, "linear")(judged) > 0
    assert in_order.ndcg_at_falls(Setting(TEN, 2), "linear")(judged) == 0
    nothing = in_order.ndcg_at_falls(TENTH, ((1, 0),))(judged)
    assert math.isnan(nothing)
    assert math.copysign(1, nothing) == -1


def test_ideal_dcg_is_that_of_the_judgments():
    assert in_order.ideal_dcg(TENTH, "linear")(ranking("-|2 1")) == pytest.approx(2 + 1 / math.log2(3))
    assert in_order.ideal_dcg(TENTH, ((1, 5),))(ranking("-|2 1")) == pytest.approx(5 + 2 / math.log2(3))


def test_rbp_divides_by_the_query_s_own_largest_gain():
    assert in_order.rbp(TENTH, 0.9, {})(ranking("1")) == pytest.approx(0.1)
    assert in_order.rbp(TENTH, 0.9, {})(ranking("1|2")) == pytest.approx(0.05)
    assert in_order.rbp(TENTH, 0.9, {})(replace(ranking("1|2"), max_grade=4)) == pytest.approx(0.05)
    assert in_order.rbp(TENTH, 0.5, {1: 0.5, 2: 1})(ranking("12")) == pytest.approx(0.5 * (0.5 + 0.5))
    assert in_order.rbp(TENTH, 0.5, {1: 4})(ranking("12")) == pytest.approx(0.5 * (1 + 0.5 * 0.5))
    assert in_order.rbp(TENTH, 0.9, {})(ranking("00")) == 0


def test_the_residual_of_rbp_is_0_where_everything_retrieved_is_judged():
    assert in_order.rbp_residual(TENTH, 0.9, {})(ranking("10|1")) == 0
    assert in_order.rbp_residual(TENTH, 0.9, {})(ranking("1-|1")) == pytest.approx(0.9**2 + 0.1 * 0.9)


def test_a_cost_that_rounding_makes_exactly_1_is_divided_by_as_in_c(tmp_path):
    """A grade beyond C's long saturates, and its cost cancels: C divides by log2(1) without a word."""
    (tmp_path / "qrels").write_text(f"q1 0 d1 1{'0' * 300}\nq1 0 d2 1\n")
    (tmp_path / "run").write_text("q1 Q0 d2 1 2 t\nq1 Q0 d1 2 1 t\n")
    for measure in ("G", "all_trec"):
        outcome = trec_eval(["-m", measure, str(tmp_path / "qrels"), str(tmp_path / "run")])
        assert outcome.code == 0
