"""How a kappa is computed."""

import json
import math

import pytest

import cranfield as cf
from cranfield import demo
from cranfield.judging import coefficients as judging

RUNS = [demo.path(f"{name}.run") for name in ("title", "bm25", "dense", "hybrid")]


class TestExplain:
    def test_the_textbook_s_kappa_arises_step_by_step(self):
        one, two = judging.from_table([[70, 10], [20, 300]])
        explained = cf.agree(cf.Labels.from_matrix([one, two], ["ada", "ben"])).explain("ada", "ben")
        assert (explained.observed, explained.expected) == (pytest.approx(0.925), pytest.approx(0.665))
        assert round(explained.kappa, 4) == 0.7761
        assert round(explained.pooled_kappa, 4) == 0.7759
        text = str(explained)
        assert "P(A) = (70 + 300) / 400 = 0.9250" in text
        assert "P(E) = 0.2000 · 0.2250 + 0.8000 · 0.7750 = 0.6650" in text
        assert "kappa (Cohen) = (0.9250 - 0.6650) / (1 - 0.6650) = 0.7761." in text
        assert "P(E) = 0.2125² + 0.7875² = 0.6653" in text
        assert "= 0.7759." in text
        assert "<table" in explained._repr_html_()
        assert math.fsum(explained.terms().columns["by chance"]) == pytest.approx(0.665)

    def test_without_a_value_the_reason_is_told(self):
        labels = cf.Labels.from_matrix([[1, 1, 0], [1, 1, math.nan], [math.nan, math.nan, 1]], ["ada", "ben", "cleo"])
        agreement = cf.agree(labels)
        assert "has no value: P(E) is 1" in str(agreement.explain("ada", "ben"))
        apart = agreement.explain("ben", "cleo")
        assert "labelled no document in common" in apart.verdict()
        assert apart.steps() == []
        json.dumps(apart.to_dict(), allow_nan=False)
        assert "no document in common" in str(apart)
