"""The sum behind a score, as it is shown."""

import pytest

from cranfield import nDCG
from cranfield.measures import RBPResidual
from tests.explaining.collection import SLIDES, explained, last_line, table_after


class TestTheSum:
    def test_of_ndcg_shows_the_ideal_ranking_beside_the_real_one(self):
        assert table_after("Sum", explained("2-1|1", nDCG)) == [
            "rank gain product ideal ideal gain ideal product",
            "1 2 2/1 = 2.0000 d1 2 2/1 = 2.0000",
            "2 0 0/1.5850 = 0.0000 d3 1 1/1.5850 = 0.6309",
            "3 1 1/2 = 0.5000 e1 1 1/2 = 0.5000",
            "sum 2.5000 3.1309",
        ]

    def test_of_ndcg_ends_in_the_division(self):
        assert last_line(explained("2-1|1", nDCG)) == "result = DCG / IDCG = 2.500000 / 3.130930 = 0.798485"

    def test_of_precision_counts(self):
        text = str(explained(SLIDES, "P@5"))
        assert "sum = 3, from the relevant documents at ranks 1, 4, 5\nresult = 3 / 5 = 0.600000" in text

    def test_of_precision_may_be_divided_by_what_was_retrieved(self):
        assert explained("1-|1", "P(norm=retrieved)@5").working.over == "documents retrieved down to the cutoff"
        assert last_line(explained("1-|1", "P(norm=retrieved)@5")) == "result = 1 / 2 = 0.500000"
        assert last_line(explained("1-1", "P(norm=retrieved)@2")) == "result = 1 / 2 = 0.500000"

    def test_of_auc_counts_pairs(self):
        text = str(explained("10-1|100", "AUC"))
        assert "sum = 3 + 2 + 1 (half of the pairs that were not retrieved) = 6" in text
        assert last_line(explained("10-1|100", "AUC")) == "result = 6 / 9 = 0.666667"
        assert last_line(explained("10-1|100", "pair_accuracy")) == "result = 2 / 4 = 0.500000"
        assert last_line(explained("0-|1", "pair_accuracy")) == "result = 0 / 0 = undefined"

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

    def test_of_dcg_divides_by_the_discount_and_adds_up(self):
        assert table_after("Sum", explained("323001", "DCG(discount=jk)"), places=2) == [
            "rank gain product DCG",
            "1 3 3/1 = 3.00 3.00",
            "2 2 2/1 = 2.00 5.00",
            "3 3 3/1.58 = 1.89 6.89",
            "4 0 0/2 = 0.00 6.89",
            "5 0 0/2.32 = 0.00 6.89",
            "6 1 1/2.58 = 0.39 7.28",
            "sum 7.28",
        ]

    def test_of_eleven_points_has_a_term_for_each(self):
        text = str(explained("010101", "ElevenPoint"))
        assert "sum = 1/2 + 1/2 + 1/2 + 1/2 + 2/4 + 2/4 + 2/4 + 3/6 + 3/6 + 3/6 + 3/6 = 5.500000" in text
        assert last_line(explained("10|1", "ElevenPoint")) == "result = 6 / 11 = 0.545455"

    def test_of_interpolated_precision_is_the_best_that_follows(self):
        text = str(explained(SLIDES, "IPrec@0.2"))
        assert "Recall 0.2 is reached, and precision is best from there on at rank 5.\nresult = 3/5 = 0.600000" in text
        assert "Recall 0.5 is never reached.\nresult = 0" in str(explained(SLIDES, "IPrec@0.5"))

    def test_of_accuracy_counts_what_was_treated_rightly(self):
        text = str(explained("0101|1", "Accuracy(docs=100)"))
        assert "tp = 2; irrelevant and retrieved: fp = 2;" in text
        assert "sum = 2 (tp) + 95 (tn) = 97\nresult = 97 / 100 = 0.970000" in text

    def test_of_bpref_has_the_irrelevant_documents_above_each_relevant_one(self):
        terms = explained("1-01|0", "Bpref").working.terms
        assert [(term.rank, term.factors["irrelevant above"], term.value) for term in terms] == [(1, 0, 1), (4, 1, 0.5)]
        assert last_line(explained("1-01|0", "Bpref")) == "result = 1.500000 / 2 = 0.750000"

    def test_of_q_has_the_blended_ratios(self):
        assert "sum = 3/3 + 5/7 = 1.714286\nresult = 1.714286 / 3 = 0.571429" in str(explained("2-1|1", "Q"))

    def test_of_g_has_what_each_document_adds(self):
        assert table_after("Sum", explained("2-1|1", "G")) == [
            "rank grade adds so far",
            "1 2 0.5000 0.5000",
            "3 1 0.1577 0.6577",
            "sum 0.6577",
        ]

    def test_of_a_user_model_has_how_likely_each_document_is_looked_at(self):
        first, third = explained("2-1|1", "INST(max_depth=3)").working.terms
        assert first.factors == pytest.approx({"reached": 1, "gain": 1})
        assert third.factors == pytest.approx({"reached": 1 / 9, "gain": 1 / 2})

    def test_of_a_very_long_ranking_it_does_not_fill_the_memory(self):
        assert explained(2_000 * "1", "G").working is not None
        assert explained(2_001 * "1", "G").working is None

    def test_of_a_measure_that_is_no_sum_is_its_formula(self):
        text = str(explained("101|1", "YAAP"))
        assert "YAAP is not explained term by term\nIts formula is ln" in text
        assert text.endswith("result = 0.133531")

    @pytest.mark.parametrize("measure", ["cwlAP", "BPM(expected=depth)@2", "RBP(expected=depth)"])
    def test_so_it_is_of_a_user_who_looks_ahead_and_of_other_numbers_of_a_model(self, measure):
        text = str(explained("12-|1", measure))
        assert f"{measure} is not explained term by term\nIts formula is" in text
        assert "\nresult = " in text
