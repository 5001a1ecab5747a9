"""How far two judges agree."""

import numpy as np
import pytest

from cranfield.judging import coefficients as judging


def test_pairs_are_those_of_the_functions(agreement, labels):
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
