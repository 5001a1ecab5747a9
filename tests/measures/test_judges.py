"""Several judges: each judge's grades give the ordinary score, and a query's score is the mean."""

from __future__ import annotations

import math

import pytest

import cranfield as cf
from cranfield.measures import AP_avgjg, P_avgjg, RprecMult_avgjg
from cranfield.notation import grouped


def test_average_precision_is_averaged_over_judges():
    # (1 + 2/3) / 2 for the first judge, 1/3 for the second.
    assert AP_avgjg(grouped("10 00 11")) == pytest.approx((5 / 6 + 1 / 3) / 2)


def test_a_relevant_document_never_found_counts_for_the_judge_who_found_it_so():
    assert AP_avgjg(grouped("11|01")) == pytest.approx((1 + 1 / 2) / 2)


def test_precision_is_averaged_over_judges():
    assert (P_avgjg @ 2)(grouped("10 00 11")) == 0.25
    assert (P_avgjg @ 4)(grouped("11 11")) == 0.5


def test_each_judge_has_as_many_relevant_documents_as_that_judge_found():
    # R is 2 for the first judge and 1 for the second; half of them is one rank each.
    assert (RprecMult_avgjg @ 1)(grouped("10 00 11")) == 0.25
    assert (RprecMult_avgjg @ 0.5)(grouped("10 00 11")) == 0.5


def test_judges_need_not_have_graded_the_same_documents():
    # For the second judge the first document is unjudged, and takes its rank.
    assert AP_avgjg(grouped("1- 01")) == pytest.approx((1 + 1 / 2) / 2)


def test_a_judge_who_found_nothing_relevant_counts_zero():
    assert AP_avgjg(grouped("10")) == 0.5
    assert (RprecMult_avgjg @ 1)(grouped("10")) == 0.5


def test_where_nobody_found_anything_relevant_it_is_undefined_as_for_one_judge():
    assert math.isnan(AP_avgjg(grouped("00 0-|x-")))
    assert math.isnan((RprecMult_avgjg @ 1)(grouped("00")))
    assert (P_avgjg @ 5)(grouped("00")) == 0


def test_each_judge_leaves_out_what_that_judge_did_not_judge():
    # Without unjudged documents the only document of each judge is the first.
    assert AP_avgjg(judged_only=True)(grouped("1- -1")) == 1
    assert (P_avgjg(judged_only=True) @ 1)(grouped("x0 1-")) == 0.5


def test_relevant_is_what_the_level_says():
    assert AP_avgjg(rel=2)(grouped("12 21")) == pytest.approx((1 / 2 + 1) / 2)


@pytest.mark.parametrize(
    ("spelling", "name"),
    [
        ("map_avgjg", "AP_avgjg"),
        ("P_avgjg_10", "P_avgjg@10"),
        ("P_avgjg.5", "P_avgjg@5"),
        ("Rprec_mult_avgjg_0.20", "RprecMult_avgjg@0.2"),
    ],
)
def test_the_names_of_trec_eval_are_understood(spelling, name):
    assert cf.parse(spelling).canonical == name
