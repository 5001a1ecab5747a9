"""Every number of the five founding documents, and every place where one of them slips.

000: notes on rank-based metrics. 001: a blog post on offline metrics. 002: a lecture summary.
003: study questions with an 11-point curve. 004: lecture slides on ranked retrieval.
"""

from __future__ import annotations

import math
from decimal import ROUND_HALF_UP, Decimal
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

import cranfield as cf
from cranfield import AP, DCG, ERR, RR, P, R, Rprec, nDCG
from cranfield.cli import cranfield
from cranfield.measures import CG, SL, Accuracy, ElevenPoint, IPrec, SetF, SetP, SetR
from cranfield.notation import ranking

FIRST_000 = ranking("1011110001")
SECOND_000 = ranking("0100111011")
GRADED_002 = ranking("3230012230")
FIFTEEN_003 = ranking("0101010000|" + 12 * "1")
TEN_004 = ranking("1001101000|" + 6 * "1")


def at_every_rank(measure, judged, count=10):
    return [float((measure @ k)(judged)) for k in range(1, count + 1)]


def printed(value, places):
    return f"{value:.{places}f}"


class TestDocument000:
    def test_average_precision_of_the_first_query(self):
        terms = [1, 2 / 3, 3 / 4, 4 / 5, 5 / 6, 6 / 10]
        assert AP(FIRST_000) == pytest.approx(sum(terms) / 6) == pytest.approx(0.775)
        # The exact value ends in a 5, which by hand is rounded up; four decimals leave no doubt.
        assert Decimal(printed(AP(FIRST_000), 4)).quantize(Decimal("0.01"), ROUND_HALF_UP) == Decimal("0.78")

    def test_average_precision_of_the_second_query(self):
        terms = [1 / 2, 2 / 5, 3 / 6, 4 / 7, 5 / 9, 6 / 10]
        assert AP(SECOND_000) == pytest.approx(sum(terms) / 6)
        assert printed(AP(SECOND_000), 6) == "0.521164"
        assert printed(AP(SECOND_000), 2) == "0.52"

    def test_map_is_the_mean_0_65_where_the_document_prints_the_sum_1_3(self):
        values = [float(AP(FIRST_000)), float(AP(SECOND_000))]
        assert printed(np.mean(values), 6) == "0.648082"
        assert printed(np.mean([0.78, 0.52]), 2) == "0.65"
        assert printed(sum([0.78, 0.52]), 1) == "1.3"

    def test_map_by_one_call_over_both_queries(self):
        first, second = _as_collection("1011110001"), _as_collection("0100111011")
        scores = cf.evaluate(
            cf.read_judgments({"q1": first[0], "q2": second[0]}),
            cf.read_run(name="run", source={"q1": first[1], "q2": second[1]}),
            AP,
        )
        assert printed(scores.mean(AP, "run").value, 6) == "0.648082"

    def test_average_precision_at_k_over_the_relevant_documents_found_in_the_top_k_is_a_named_variant(self):
        found_in_top_3 = (AP(norm="retrieved", cutoff=3))(FIRST_000)
        assert found_in_top_3 == pytest.approx((1 + 2 / 3) / 2)
        assert (AP @ 3)(FIRST_000) == pytest.approx((1 + 2 / 3) / 6)

    def test_recall_divides_by_all_relevant_documents_and_not_by_the_documents_retrieved(self):
        assert (R @ 5)(FIRST_000) == pytest.approx(4 / 6)
        assert (P @ 5)(FIRST_000) == pytest.approx(4 / 5)


class TestDocument001:
    def test_precision_at_5_is_three_fifths_for_both_orders(self):
        assert (P @ 5)(ranking("11100")) == (P @ 5)(ranking("00111")) == 0.6

    def test_average_precision_tells_the_two_orders_apart(self):
        assert AP(ranking("11100")) == 1
        assert AP(ranking("00111")) == pytest.approx((1 / 3 + 2 / 4 + 3 / 5) / 3)

    def test_average_precision_at_k_divides_by_all_relevant_documents(self):
        assert (AP @ 2)(ranking("11100")) == pytest.approx(2 / 3)


class TestDocument002:
    def test_precision_at_3_4_and_5(self):
        assert at_every_rank(P, ranking("10101"), 5)[2:] == pytest.approx([2 / 3, 2 / 4, 3 / 5])

    def test_average_precision(self):
        assert AP(ranking("10101")) == pytest.approx((1 + 2 / 3 + 3 / 5) / 3)
        assert printed(AP(ranking("10101")), 6) == "0.755556"
        assert printed(AP(ranking("10101")), 2) == "0.76"

    def test_known_item_search_by_reciprocal_rank_and_by_search_length(self):
        assert RR(ranking("---1")) == 1 / 4
        assert SL(ranking("---1")) == 4

    def test_dcg_at_every_rank_with_no_discount_at_rank_1_and_log2_of_the_rank_from_2_on(self):
        values = at_every_rank(DCG(discount="jk"), GRADED_002)
        exact = [3, 5, 6.8928, 6.8928, 6.8928, 7.2796, 7.9921, 8.6587, 9.6051, 9.6051]
        assert values == pytest.approx(exact, abs=5e-5)
        shown = "3.00 5.00 6.89 6.89 6.89 7.28 7.99 8.66 9.61 9.61"
        assert " ".join(printed(value, 2) for value in values) == shown

    def test_ideal_dcg_at_every_rank_of_the_ten_documents_shown(self):
        values = at_every_rank(DCG(discount="jk"), GRADED_002.ideal)
        assert values[:7] == pytest.approx([3, 6, 7.8928, 8.8928, 9.7541, 10.5278, 10.8841], abs=5e-5)
        # The three zeros at the end add nothing.
        assert values[7:] == [values[6]] * 3

    @pytest.mark.parametrize(
        ("measure", "exact"),
        [
            (nDCG(discount="jk") @ 10, "0.882494"),
            (nDCG @ 10, "0.916809"),
            (nDCG(gain="exponential") @ 10, "0.895134"),
        ],
        ids=str,
    )
    def test_ndcg_at_10_in_the_three_senses_people_use(self, measure, exact):
        assert printed(measure(GRADED_002), 6) == exact

    def test_ndcg_at_10_is_the_last_dcg_over_the_last_ideal_dcg(self):
        dcg = 3 + 2 + 3 / math.log2(3) + 1 / math.log2(6) + 2 / math.log2(7) + 2 / 3 + 3 / math.log2(9)
        ideal = 3 + 3 + 3 / math.log2(3) + 2 / 2 + 2 / math.log2(5) + 2 / math.log2(6) + 1 / math.log2(7)
        assert (nDCG(discount="jk") @ 10)(GRADED_002) == pytest.approx(dcg / ideal)

    def test_cumulated_gain_is_the_sum_of_the_grades(self):
        assert CG(GRADED_002) == 16


class TestDocument003:
    def test_precision_at_every_rank(self):
        exact = [0, 1 / 2, 1 / 3, 1 / 2, 2 / 5, 1 / 2, 3 / 7, 3 / 8, 1 / 3, 3 / 10]
        assert at_every_rank(P, FIFTEEN_003) == pytest.approx(exact)

    def test_recall_at_every_rank(self):
        assert at_every_rank(R, FIFTEEN_003) == pytest.approx([k / 15 for k in (0, 1, 1, 2, 2, 3, 3, 3, 3, 3)])

    def test_recall_one_fifteenth_is_0_0667_where_the_document_cuts_it_to_0_06(self):
        recall = (R @ 2)(FIFTEEN_003)
        assert printed(recall, 4) == "0.0667"
        assert math.floor(recall * 100) / 100 == 0.06

    @pytest.mark.parametrize("levels", ["exact", "trec_eval-9"])
    def test_interpolated_precision_at_eleven_levels(self, levels):
        at_levels = [float(IPrec(levels=levels, recall=tenth / 10)(FIFTEEN_003)) for tenth in range(11)]
        assert at_levels == [0.5, 0.5, 0.5, 0, 0, 0, 0, 0, 0, 0, 0]

    def test_their_mean(self):
        assert ElevenPoint(FIFTEEN_003) == pytest.approx(1.5 / 11)

    def test_average_precision_is_0_5_over_the_relevant_documents_found_and_0_1_over_all_15(self):
        assert AP(norm="retrieved")(FIFTEEN_003) == 0.5
        assert AP(FIFTEEN_003) == pytest.approx(0.1)

    def test_r_precision_divides_by_15_though_only_ten_documents_came_back(self):
        assert Rprec(FIFTEEN_003) == pytest.approx(0.2)

    def test_unranked_sets_have_precision_recall_and_their_harmonic_mean(self):
        assert SetP(FIFTEEN_003) == 0.3
        assert SetR(FIFTEEN_003) == pytest.approx(0.2)
        assert SetF(FIFTEEN_003) == pytest.approx(2 * 0.3 * 0.2 / 0.5)

    def test_accuracy_misleads_because_returning_nothing_is_nearly_always_right(self):
        nothing = ranking("|" + 15 * "1")
        assert Accuracy(docs=1_000_000)(nothing) == pytest.approx(0.999985)
        assert Accuracy(docs=1_000_000)(nothing) > Accuracy(docs=1_000_000)(FIFTEEN_003) - 1e-5

    def test_recall_never_falls_and_precision_may_as_more_is_retrieved(self):
        recall, precision = at_every_rank(R, FIFTEEN_003), at_every_rank(P, FIFTEEN_003)
        assert recall == sorted(recall)
        assert precision != sorted(precision)


class TestDocument004:
    def test_recall_at_every_rank(self):
        assert at_every_rank(R, TEN_004) == pytest.approx([0.1, 0.1, 0.1, 0.2, 0.3, 0.3, 0.4, 0.4, 0.4, 0.4])

    def test_precision_at_every_rank(self):
        exact = [1, 1 / 2, 1 / 3, 1 / 2, 3 / 5, 1 / 2, 4 / 7, 1 / 2, 4 / 9, 2 / 5]
        assert at_every_rank(P, TEN_004) == pytest.approx(exact)

    def test_interpolated_precision_takes_the_best_to_the_right_of_each_level(self):
        at_levels = [float((IPrec @ (tenth / 10))(TEN_004)) for tenth in (1, 2, 3, 4)]
        assert at_levels == pytest.approx([1, 0.6, 0.6, 4 / 7])

    def test_the_document_lists_precision_at_the_first_rank_that_reaches_each_level_instead(self):
        recall, precision = at_every_rank(R, TEN_004), at_every_rank(P, TEN_004)
        first_reaching = [precision[recall.index(tenth / 10)] for tenth in (1, 2, 3, 4)]
        assert first_reaching == pytest.approx([1, 0.5, 0.6, 0.571], abs=5e-4)

    def test_average_precision_over_the_four_relevant_documents_found(self):
        assert AP(norm="retrieved")(TEN_004) == pytest.approx((1 + 1 / 2 + 3 / 5 + 4 / 7) / 4)
        assert printed(AP(norm="retrieved")(TEN_004), 6) == "0.667857"

    def test_rounding_the_terms_first_gives_the_document_s_0_6675(self):
        terms = [round(term, 2) for term in (1, 1 / 2, 3 / 5, 4 / 7)]
        assert printed(sum(terms) / 4, 4) == "0.6675"

    def test_average_precision_over_all_ten_relevant_documents(self):
        assert printed(AP(TEN_004), 6) == "0.267143"


def test_the_largest_grade_of_the_ten_shown_satisfies_with_probability_seven_eighths():
    """Document 002 asks for graded relevance; expected reciprocal rank reads the same grades."""
    assert (ERR @ 1)(GRADED_002) == 7 / 8


def _as_collection(text):
    documents = [f"d{rank:02}" for rank in range(1, len(text) + 1)]
    return dict(zip(documents, map(float, text), strict=True)), documents


NUMBERS_OF_ONE_COMMAND = {
    "000, both APs and MAP": ("score 1011110001 0100111011 -m AP --places 2", ["0.78", "0.52", "0.65"]),
    "000, the terms of AP": ("explain 1011110001 -m AP --format table", ["1/1 + 2/3 + 3/4 + 4/5 + 5/6 + 6/10"]),
    "001, precision": ("score [1,1,1,0,0] [0,0,1,1,1] -m P@5", ["0.6000", "0.6000", "0.6000"]),
    "002, precision and AP": ("score 10101 -m P@3 -m P@4 -m P@5 -m AP", ["0.6667", "0.5000", "0.6000", "0.7556"]),
    "002, search length": ("score 0001 -m SL -m RR", ["4.0000", "0.2500"]),
    "002, discounted gain": (
        "explain 3,2,3,0,0,1,2,2,3,0 -m DCG(discount=jk) --places 2 --format table",
        ["3.00   3.00", "2.00   5.00", "1.89   6.89", "0.39   7.28", "0.71   7.99", "0.67   8.66", "0.95   9.61"],
    ),
    "003, the table of subsets": (
        "curve 0101010000 --relevant 15 --kind pr --places 2",
        ["0.00", "0.50", "0.33", "0.50", "0.40", "0.50", "0.43", "0.38", "0.33", "0.30"],
    ),
    "003, eleven points": ("curve 0101010000 --relevant 15 --places 1", [*["0.5"] * 3, *["0.0"] * 8]),
    "003, AP of what was found": ("score 0101010000 --relevant 15 -m AP(norm=retrieved)", ["0.5000"]),
    "003, R-precision": ("score 0101010000 --relevant 15 -m Rprec", ["0.2000"]),
    "003, kappa": ("agree explain --table 20,5;10,15 --format table", ["0.4000", "P(A) = (20 + 15) / 50 = 0.7000"]),
    "004, the table": (
        "curve YNNYYNYNNN --relevant 10 --kind pr --places 2",
        ["1.00", "0.50", "0.33", "0.50", "0.60", "0.50", "0.57", "0.50", "0.44", "0.40"],
    ),
    "004, AveP": ("explain YNNYYNYNNN --relevant 10 -m AP(norm=retrieved) --format table", ["2.671429 / 4 = 0.667857"]),
}


@pytest.mark.parametrize("what", NUMBERS_OF_ONE_COMMAND)
def test_the_numbers_of_the_documents_come_from_one_command(what):
    words, numbers = NUMBERS_OF_ONE_COMMAND[what]
    done = CliRunner().invoke(cranfield, words.split())
    assert done.exit_code == 0, done.output
    at = 0
    for number in numbers:  # in the order of the document
        assert number in done.stdout[at:], number
        at = done.stdout.index(number, at) + 1


def test_each_of_these_commands_is_on_the_page():
    page = (Path(__file__).parent.parent / "docs" / "worked-examples.md").read_text()
    for kind in ("score 1011110001", "curve 0101010000 --relevant 15 --kind pr", "agree explain --table", "-m Rprec"):
        assert kind in page
