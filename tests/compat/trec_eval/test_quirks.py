"""Where trec_eval computes otherwise than the measure of that name here."""

import pytest

from cranfield import AP, ranking
from cranfield.compat.trec_eval import quirks
from cranfield.compat.trec_eval.quirks import Setting
from cranfield.compat.trec_eval.versions import NINE, TEN
from cranfield.measures import IPrec, SetF

NINTH, TENTH = Setting(NINE, 1), Setting(TEN, 1)


def test_an_undefined_score_is_0():
    assert quirks.undefined_is_zero(AP, TENTH)(ranking("00")) == 0


def test_a_level_of_recall_is_counted_in_documents_by_each_version_s_rule():
    # A tenth of 13 relevant documents: 1.3 and 0.9 make 2 in version 9, rounded it is 1 in version 10.
    judged = ranking("1-1|" + "1" * 11)
    assert quirks.interpolated_precision(NINTH, 0.1)(judged) == pytest.approx(2 / 3)
    assert quirks.interpolated_precision(TENTH, 0.1)(judged) == 1


def test_a_level_of_recall_may_lie_outside_0_and_1():
    judged = ranking("01|1")
    assert quirks.interpolated_precision(TENTH, -1)(judged) == quirks.interpolated_precision(TENTH, 0)(judged) == 0.5
    assert quirks.interpolated_precision(TENTH, 10)(judged) == 0
    assert quirks.interpolated_precision(TENTH, 1.1)(ranking("011")) == (IPrec @ 1)(ranking("011"))


def test_eleven_points_are_the_mean_over_whatever_levels_are_given():
    judged = ranking("101|1")
    assert quirks.mean_interpolated_precision(TENTH, [0.3, 0.6])(judged) == pytest.approx((1 + 2 / 3) / 2)


def test_f_is_multiplied_in_an_order_that_can_leave_it_a_bit_below():
    # 10 of 24 relevant documents among 20: exactly 15/32, which lies between two printed values.
    judged = ranking("1" * 10 + "0" * 10 + "|" + "1" * 14)
    assert SetF(beta=0.5**0.5)(judged) == 15 / 32
    assert quirks.set_f(TENTH, [0.5])(judged) < 15 / 32
    assert f"{quirks.set_f(TENTH, [0.5])(judged):.4f}" == "0.4687"


def test_f_takes_beta_squared_and_is_0_where_nothing_was_found():
    judged = ranking("1" * 5 + "0" * 5 + "|" + "1" * 3)
    assert quirks.set_f(TENTH, [4])(judged) == pytest.approx(SetF(beta=2)(judged))
    assert quirks.set_f(TENTH, [1])(ranking("00|1")) == 0


def test_precision_at_no_multiple_of_r_is_0():
    assert quirks.precision_at_multiple(TENTH, 0)(ranking("1")) == 0
    assert quirks.precision_at_multiple(TENTH, -2)(ranking("1")) == 0
    assert quirks.precision_at_multiple(TENTH, 2)(ranking("1")) == 0.5


def test_utility_takes_the_collection_for_empty_unless_told():
    judged = ranking("1-|1")
    assert quirks.utility(TENTH, [1, -1, 0, 0])(judged) == 0
    assert quirks.utility(TENTH, [0, 0, 0, 1])(judged) == 0 + 1 - 2 - 2
    assert quirks.utility(Setting(TEN, 1, docs=100), [0, 0, 0, 1])(judged) == 100 + 1 - 2 - 2


def test_grades_by_rank_are_a_string(lines):
    qrels = "q1 0 a 12\nq1 0 b -1\nq1 0 c 0\n"
    run = "".join(f"q1 Q0 {document} 1 {-rank} x\n" for rank, document in enumerate("abcde"))
    for length, expected in (("", ">.0--"), (".2", ">."), (".-3", ""), (".99", ">.0--")):
        (found,) = lines(f"-q -m relstring{length}", qrels=qrels, run=run).values()
        assert found == f"'{expected}'"
