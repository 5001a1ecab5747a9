from __future__ import annotations

import math

import pytest

from cranfield.measures import Judged, NumNonrelRet, NumQ, NumRel, NumRelRet, NumRet, Unjudged
from cranfield.notation import ranking


def test_every_query_counts_one():
    assert NumQ(ranking("")) == NumQ(ranking("10|1")) == 1


def test_documents_retrieved_are_counted_whether_judged_or_not():
    assert NumRet(ranking("1-x0|1")) == 4


def test_relevant_documents_are_counted_whether_retrieved_or_not():
    assert NumRel(ranking("1-0|2 1")) == 3
    assert NumRel(rel=2)(ranking("1-0|2 1")) == 1


def test_relevant_documents_retrieved_are_counted_up_to_a_cutoff():
    assert NumRelRet(ranking("1-02|1")) == 2
    assert (NumRelRet @ 3)(ranking("1-02|1")) == 1
    assert NumRelRet(rel=2)(ranking("1-02|1")) == 1


def test_documents_judged_irrelevant_are_counted_where_retrieved_and_unjudged_ones_are_not():
    assert NumNonrelRet(ranking("1-0x0|0")) == 2
    assert (NumNonrelRet @ 3)(ranking("1-0x0|0")) == 1
    assert NumNonrelRet(rel=2)(ranking("1-0x0|0")) == 3


def test_counts_are_summed_over_queries():
    assert {m.definition.mean for m in (NumQ, NumRet, NumRel, NumRelRet, NumNonrelRet)} == {"sum"}


class TestJudged:
    def test_it_is_the_share_of_documents_retrieved_that_somebody_judged(self):
        assert Judged(ranking("1-0|1")) == pytest.approx(2 / 3)

    def test_fewer_documents_than_the_cutoff_are_divided_by_their_own_number(self):
        assert (Judged @ 10)(ranking("1-")) == 0.5

    def test_a_pooled_document_is_not_judged(self):
        assert Judged(ranking("x1")) == 0.5

    def test_of_nothing_it_is_undefined_and_left_out_of_the_mean(self):
        assert math.isnan(Judged(ranking("|1")))
        assert Judged.definition.undefined == "skip"


class TestUnjudged:
    def test_it_is_the_share_of_ranks_with_a_document_nobody_judged(self):
        assert (Unjudged @ 4)(ranking("1-x0-|1")) == 0.5

    def test_fewer_documents_than_the_cutoff_are_still_divided_by_it(self):
        assert (Unjudged @ 10)(ranking("1-")) == 0.1

    def test_without_any_document_there_is_none_unjudged(self):
        assert (Unjudged @ 5)(ranking("|1")) == 0
