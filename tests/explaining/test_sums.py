"""The sum behind a score, as it is shown."""

import pytest

from cranfield import nDCG
from cranfield.measures import RBPResidual
from tests.explaining.collection import SLIDES, explained, last_line, table_after


class TestTheSum:
    def test_of_ndcg_shows_the_ideal_ranking_beside_the_real_one(self):
        assert table_after("Sum", explained("2-1|1", nDCG)) == [
            "rank gain discount product ideal document ideal gain ideal product",
            "1 2 1.0000 2.0000 d1 2 2.0000",
            "2 0 0.6309 0.0000 d3 1 0.6309",
            "3 1 0.5000 0.5000 e1 1 0.5000",
            "sum 2.5000 3.1309",
        ]

    def test_of_ndcg_ends_in_the_division(self):
        assert last_line(explained("2-1|1", nDCG)) == "result = DCG / IDCG = 2.500000 / 3.130930 = 0.798485"

    def test_of_precision_counts(self):
        text = str(explained(SLIDES, "P@5"))
        assert "sum = 3, from the relevant documents at ranks 1, 4, 5\nresult = 3 / 5 = 0.600000" in text

    def test_of_recall_counts(self):
        assert last_line(explained(SLIDES, "R@5")) == "result = 3 / 10 = 0.300000"

    def test_of_reciprocal_rank_is_one_fraction(self):
        text = str(explained("-001", "RR"))
        assert "The first relevant document is d4, at rank 4.\nresult = 1/4 = 0.250000" in text

    def test_of_rbp_has_weights_and_a_residual(self):
        explanation = explained("1-1|1", "RBP")
        assert [term.factors["weight"] for term in explanation.working.terms] == pytest.approx([0.2, 0.16, 0.128])
        assert explanation.working.residual == RBPResidual(explanation.seen.judged) == pytest.approx(0.672)
        assert "residual = 0.672000" in str(explanation)

    def test_of_err_follows_a_user_who_stops(self):
        first, _, third = explained("2-1|1", "ERR").working.terms
        assert first.factors == {"reached": 1, "satisfied": 0.75, "stops here": 0.75}
        assert third.factors == {"reached": 0.25, "satisfied": 0.25, "stops here": 0.0625}
        assert third.value == 0.0625 / 3

    def test_of_a_measure_that_is_no_plain_sum_is_its_formula(self):
        text = str(explained("1-01|0", "Bpref"))
        assert "Bpref is not explained term by term\nIts formula is 1/R Σ" in text
        assert text.endswith("result = 0.750000")

    @pytest.mark.parametrize("measure", ["INST", "BPM@2", "cwlAP(expected=depth)", "RBP(expected=depth)"])
    def test_so_it_is_of_a_user_model(self, measure):
        text = str(explained("12-|1", measure))
        assert f"{measure} is not explained term by term\nIts formula is" in text
        assert "\nresult = " in text
