import numpy as np
import pytest

import cranfield as cf
from cranfield.judging import coefficients as judging


class TestValues:
    def test_a_level_makes_labels_binary_first(self, labels):
        binary = cf.agree(labels, level=2)
        assert binary.metric == "nominal"
        expected = judging.krippendorff_alpha((labels.grades >= 2) + np.where(np.isnan(labels.grades), np.nan, 0))
        assert binary.by_default.value == pytest.approx(expected.value)
        assert [grade.name for grade in binary.grades] == ["0", "1"]

    def test_a_scale_counts_grades_that_nobody_gave(self, labels):
        wider = cf.agree(labels, scale=[0, 1, 2, 3, 4], interval="analytic")
        assert wider["Brennan-Prediger"].expected == pytest.approx(0.2)


@pytest.mark.parametrize("level", [float("nan"), float("inf"), "x", True, None])
def test_a_level_is_a_finite_number(level):
    labels = [("q1", "d1", "ada", 2), ("q1", "d1", "ben", 1), ("q1", "d2", "ada", 0), ("q1", "d2", "ben", 0)]
    if level is None:
        assert cf.agree(labels, level=np.float64(2)).settings["level"] == 2
        return
    for call in (cf.agree, cf.merge):
        with pytest.raises(cf.UsageError, match="A level must be a number"):
            call(labels, level=level)
