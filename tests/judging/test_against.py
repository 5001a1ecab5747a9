"""Judges compared with one of them."""

import math

import numpy as np
import pytest

import cranfield as cf
from cranfield import demo
from cranfield.errors import UsageError

RUNS = [demo.path(f"{name}.run") for name in ("title", "bm25", "dense", "hybrid")]


class TestAgainst:
    def test_a_judge_is_held_against_a_reference(self, labels):
        held = cf.agree(labels, reference="ada").against
        assert [judge.judge for judge in held.judges] == ["ben", "cleo"]
        ben = held.judges[0]
        ada_row, ben_row, _ = labels.grades
        both = ~np.isnan(ada_row) & ~np.isnan(ben_row)
        hits = ((ada_row >= 1) & (ben_row >= 1) & both).sum()
        assert ben.precision == pytest.approx(hits / ((ben_row >= 1) & both).sum())
        assert ben.recall == pytest.approx(hits / ((ada_row >= 1) & both).sum())
        assert ben.rates["relevant"] == pytest.approx(((ben_row[both] >= 1).mean(), (ada_row[both] >= 1).mean()))
        third = ben.calibration[2]
        chosen = both & (ben_row == 2)
        assert (third.labels, third.reference) == (chosen.sum(), pytest.approx(ada_row[chosen].mean()))
        assert math.fsum(third.shares) == pytest.approx(1)
        assert "ada says 0" in held.calibration_table("ben").columns
        with pytest.raises(UsageError, match="was not compared with ada"):
            held.calibration_table("ada")
