import numpy as np
import pytest

import cranfield as cf
from cranfield.judging import agreement as judging


class TestValues:
    def test_pairs_are_those_of_the_functions(self, agreement, labels):
        ada, ben, _ = labels.grades
        pair = agreement.pair("ben", "ada")
        assert pair.kappa.value == pytest.approx(judging.cohen_kappa(ada, ben).value)
        assert pair.pooled.value == pytest.approx(judging.scott_pi(ada, ben).value)
        assert pair.linear.value == pytest.approx(judging.cohen_kappa(ada, ben, weights="linear").value)
        both = ~np.isnan(ada) & ~np.isnan(ben)
        assert pair.items == both.sum()
        relevant = (ada[both] >= 1) & (ben[both] >= 1)
        either = (ada[both] >= 1) | (ben[both] >= 1)
        assert pair.overlap == pytest.approx(relevant.sum() / either.sum())
        assert pair.positive == pytest.approx(2 * pair.overlap / (1 + pair.overlap))

    def test_two_judges_have_cohen_s_kappa_and_scott_s_pi(self, labels):
        two = cf.agree(labels, judges="cleo,ada")
        assert two.labels.judges == ("cleo", "ada")
        assert two["Cohen's kappa"].value == pytest.approx(two.pairs[0].kappa.value)
        assert two["Scott's pi"].value == pytest.approx(two.pairs[0].pooled.value)


class TestWhatIsWrong:
    def test_of_two_judges_one_grades_higher_than_the_other(self):
        agreement = cf.agree(cf.Labels.from_matrix([[0, 1, 2, 1], [1, 1, 2, 2]], ["ada", "ben"]))
        assert "On the same items, ben grades 0.50 higher than ada." in agreement.verdict()

    def test_a_pair_without_common_documents_has_a_reason(self):
        rows = [("q1", "d1", "ada", 1), ("q1", "d1", "ben", 1), ("q1", "d2", "ben", 0), ("q1", "d2", "cleo", 0)]
        agreement = cf.agree(rows)
        assert agreement.pair("ada", "cleo").kappa.reason == "no item has labels by two judges"
        assert "ada and cleo: no item has labels by two judges." in str(agreement)
