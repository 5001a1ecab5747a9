"""Agreement in the words of others, with probabilities."""

import math

import pytest

from cranfield.judging.benchmarks import SCALES, benchmark
from cranfield.judging.estimates import Coefficient

IRRCAC = {
    (0.67, 0.15): (
        [0.18168, 0.67511, 0.96356, 0.99912, 1.0, 1.0],
        [0.28699, 0.96356, 1.0],
        [0.18168, 0.67511, 0.96356, 0.99912, 1.0],
    ),
    (0.9, 0.02): ([1.0] * 6, [1.0] * 3, [1.0] * 5),
    (-0.1, 0.2): (
        [0.0, 0.00023, 0.00621, 0.06681, 0.30854, 1.0],
        [1e-05, 0.00621, 1.0],
        [0.0, 0.00023, 0.00621, 0.06681, 1.0],
    ),
    (0.41, 0.3): (
        [0.07401, 0.24467, 0.50102, 0.75193, 0.91197, 1.0],
        [0.10655, 0.50102, 1.0],
        [0.07401, 0.24467, 0.50102, 0.75193, 1.0],
    ),
}
"""By value and standard error: the cumulative probabilities of irrCAC 0.4.4 for Landis-Koch, Fleiss and Altman."""


@pytest.mark.parametrize(("value", "error"), IRRCAC)
@pytest.mark.parametrize("at", range(3))
def test_cumulative_probabilities_are_those_of_irrcac(value, error, at):
    found = benchmark(Coefficient("kappa", value, error=error), list(SCALES)[at])
    assert list(found.probabilities.values()) == pytest.approx(IRRCAC[value, error][at], abs=6e-6)


@pytest.mark.parametrize(
    ("value", "error", "level"), [(0.67, 0.15, "moderate"), (0.9, 0.02, "almost perfect"), (0.41, 0.3, "poor")]
)
def test_the_level_is_the_best_that_is_reached_for_sure(value, error, level):
    assert benchmark(Coefficient("kappa", value, error=error), "landis-koch").level == level


def test_less_confidence_reports_a_better_level():
    found = Coefficient("kappa", 0.67, error=0.15)
    assert benchmark(found, "landis-koch", 0.5).level == "substantial"


def test_without_any_error_the_value_decides():
    assert benchmark(Coefficient("kappa", 0.8, error=0.0), "landis-koch").level == "almost perfect"
    assert benchmark(Coefficient("kappa", -1.0, error=0.0), "landis-koch").level == "poor"


@pytest.mark.parametrize(("value", "error"), [(math.nan, 0.1), (0.5, math.nan)])
def test_without_a_value_or_an_error_there_is_no_level(value, error):
    found = benchmark(Coefficient("kappa", value, error=error), "altman")
    assert found.level == ""
    assert all(map(math.isnan, found.probabilities.values()))
    assert found.to_dict()["level"] is None
