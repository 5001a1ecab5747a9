"""What every click model is, and how it is fitted."""

import numpy as np
import pytest

from cranfield.click_models import PBM, Fitting
from cranfield.click_models.model import looks, maximised
from cranfield.errors import UsageError
from tests.click_models.simulated import drawn


def test_looks_without_doubt_are_as_many_as_there_are():
    clicks, others = np.array([3.0]), np.array([5.0])
    assert looks(np.array([4 / 10]), (clicks, others, np.zeros(1)), (1, 1)) == pytest.approx([10])


def test_rounds_end_when_nothing_changes():
    halves = maximised((np.array([1.0]),), lambda values: (values[0] / 2 + 0.1,), Fitting(tolerance=1e-12))
    assert halves.converged
    assert halves.values[0] == pytest.approx([0.2])
    some = maximised((np.array([1.0]),), lambda values: (values[0] / 2 + 0.1,), Fitting(iterations=2))
    assert not some.converged


@pytest.mark.parametrize("wrong", [{"prior": (0, 1)}, {"prior": (1,)}, {"iterations": 0}, {"tolerance": -1}])
def test_choices_of_a_fit_are_checked(wrong):
    with pytest.raises(UsageError):
        Fitting(**wrong)


def test_a_model_shows_what_it_is():
    _, log = drawn("PBM", 100)
    assert (
        repr(PBM.fit(log, Fitting(iterations=1))) == "PBM(238 pairs; attraction, examination; 1 round, not converged)"
    )
