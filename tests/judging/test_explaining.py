"""How a kappa is computed."""

import json
import math
import re

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from sklearn.metrics import cohen_kappa_score

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


class TestATableThatIsTyped:
    @pytest.mark.parametrize(
        "table",
        [
            "70 10; 20 300",
            "70,10;20,300",
            "70 10 20 300",
            "70,10\n20,300\n",
            "[[70, 10], [20, 300]]",
            [[70, 10], [20, 300]],
            np.array([[70, 10], [20, 300]]),
        ],
    )
    def test_it_may_be_written_in_many_ways(self, table):
        kappa = cf.explain_kappa(table)
        assert kappa.counts.tolist() == [[70, 10], [20, 300]]
        assert (kappa.one, kappa.other, kappa.categories) == ("first", "second", ("A", "B"))
        assert (round(kappa.kappa, 4), round(kappa.pooled_kappa, 4)) == (0.7761, 0.7759)

    def test_the_notes_formula_has_its_terms(self):
        kappa = cf.explain_kappa("20 5; 10 15", judges=("one", "two"), categories=["positive", "negative"])
        assert kappa.steps()[0].startswith("P(A) = (20 + 15) / 50 = 0.7000")
        assert kappa.steps()[1].startswith("P(E) = 0.5000 · 0.6000 + 0.5000 · 0.4000 = 0.5000")
        assert kappa.kappa == pytest.approx(0.4)

    @given(arrays(np.int64, st.integers(2, 5).map(lambda side: (side, side)), elements=st.integers(0, 9)))
    def test_kappa_is_that_of_scikit_learn(self, table):
        rows, columns = judging.from_table(table)
        assume(len({*rows, *columns}) > 1)
        expected = cohen_kappa_score(rows, columns)
        assert cf.explain_kappa(table).kappa == pytest.approx(expected, abs=1e-12, nan_ok=True)

    @pytest.mark.parametrize(
        ("table", "message"),
        [
            ("", "it is empty"),
            ("20 x; 10 3", "'x' at position 4 is not a number of documents.\n    20 x; 10 3\n       ^\n"),
            ("1 -2; 3 4", "'-2' at position 3 is not a number"),
            ("1.5 2; 3 4", "'1.5' at position 1 is not a number"),
            ("1 2; 3", "its rows are not equally long"),
            ("1 2 3", "it is 1 by 3"),
            ("5", "it is 1 by 1"),
            ("0 0; 0 0", "it counts no document"),
            ([[1, -1], [0, 2]], "a whole number of at least 0"),
            ([[1, math.nan], [0, 2]], "a whole number of at least 0"),
            ([[1, 1e300], [0, 2]], "its numbers are too large"),
            (3, "it is a number"),
            (np.ones((30, 30)), "it has 30 grades; 26 are the most"),
        ],
    )
    def test_anything_else_is_refused_in_words(self, table, message):
        with pytest.raises(cf.UsageError, match=re.escape(message)):
            cf.explain_kappa(table)

    def test_names_fit_the_table(self):
        with pytest.raises(cf.UsageError, match="it has 2 grades, but 3 different names"):
            cf.explain_kappa("1 2; 3 4", categories=["0", "1", "2"])
        with pytest.raises(cf.UsageError, match="A kappa is about two judges"):
            cf.explain_kappa("1 2; 3 4", judges=("ada", "ada"))
