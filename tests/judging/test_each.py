"""Each judge, each grade and each query by itself."""

import math

import numpy as np
import pytest

import cranfield as cf
from cranfield.judging import coefficients as judging


def test_each_judge_is_compared_with_the_others_on_the_same_documents(agreement, labels):
    ben = next(judge for judge in agreement.judges if judge.name == "ben")
    ada_row, ben_row, cleo_row = labels.grades
    with np.errstate(invalid="ignore"):
        rest = np.where(np.isnan(ada_row), cleo_row, np.where(np.isnan(cleo_row), ada_row, (ada_row + cleo_row) / 2))
    assert ben.bias == pytest.approx(np.nanmean(ben_row - rest))
    assert ben.bias == max(judge.bias for judge in agreement.judges)  # the demo's readme: Ben is kind
    assert ben.mean == pytest.approx(np.nanmean(ben_row))
    assert ben.spread == pytest.approx(np.nanstd(ben_row, ddof=1))
    assert ben.relevant == pytest.approx(np.nanmean(np.where(np.isnan(ben_row), np.nan, ben_row >= 1)))


def test_each_grade_tells_what_others_say(agreement, labels):
    by_grade = judging.specific_agreement(labels.grades)
    assert [grade.agreement for grade in agreement.grades] == pytest.approx(list(by_grade.values()))
    for grade in agreement.grades:
        assert math.fsum(grade.others) == pytest.approx(1)
    assert sum(grade.labels for grade in agreement.grades) == len(labels)


def test_each_query_has_the_alpha_of_its_own_labels(agreement, labels):
    query = agreement.queries[3]
    own = labels.grades[:, labels.of_query == 3]
    assert query.alpha == pytest.approx(judging.krippendorff_alpha(own, metric="ordinal").value)
    assert query.agreement == pytest.approx(judging.percent_agreement(own).value)


@pytest.mark.parametrize("unit", [1, 0.25, 0.1, 1e60])
@pytest.mark.parametrize("judges", [3, 40])
def test_a_judge_s_numbers_are_the_same_in_company_to_the_last_bit(judges, unit):
    rng = np.random.default_rng(judges)
    grades = rng.integers(0, 6, (judges, 700)) * float(unit)
    grades[rng.random(grades.shape) < np.linspace(0, 0.99, judges)[:, None]] = np.nan
    labels = cf.Labels.from_matrix(grades)
    count, total = (~np.isnan(grades)).sum(axis=0), np.bincount(labels.of_item, weights=labels.values, minlength=700)
    for judge, row in zip(cf.agree(labels, samples=20, interval="items").judges, grades, strict=True):
        own, met = ~np.isnan(row), ~np.isnan(row) & (count > 1)
        others = (total[met] - row[met]) / (count[met] - 1)
        assert (judge.labels, judge.shared) == (own.sum(), met.sum())
        assert judge.mean == math.fsum(row[own].tolist()) / own.sum()
        assert judge.bias == math.fsum((row[met] - others).tolist()) / met.sum()
        assert judge.spread == row[own].std(ddof=1)
