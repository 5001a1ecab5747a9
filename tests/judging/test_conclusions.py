"""Whether conclusions depend on the judge."""

import json

import numpy as np
import pytest

import cranfield as cf
from cranfield import demo
from cranfield.errors import DataError

RUNS = [demo.path(f"{name}.run") for name in ("title", "bm25", "dense", "hybrid")]


class TestConclusions:
    def test_means_are_those_of_an_evaluation_by_one_judge_s_labels(self, told, labels):
        shared = ~np.isnan(labels.grades).any(axis=0)
        own = labels.judgments(np.where(shared, labels.grades[1], np.nan))
        expected = cf.evaluate(own, RUNS, ["AP"]).mean("AP", "dense").value
        assert told.conclusions.scores["ben"].mean("AP", "dense").value == expected
        assert told.conclusions.documents == shared.sum()

    def test_orders_and_flips_are_told(self, told):
        conclusions = told.conclusions
        assert conclusions.verdict().startswith("nDCG@10: the 4 runs have the same order by every judge.")
        assert "1 of 6 comparisons depends on the judge (bm25 and dense)" in conclusions.verdict()
        (flip,) = conclusions.flips
        assert flip.differences["median"] > 0 > flip.differences["ada"]
        assert len(conclusions.orders) == 6
        assert conclusions.orders[0].coefficients["tau_AP"].value == 1
        assert "flips" in conclusions.orders_table().columns
        assert "order" in told.rows().columns["part"]
        json.dumps(told.to_dict(), allow_nan=False)

    def test_one_run_has_no_order(self, labels):
        alone = cf.agree(labels, runs=RUNS[:1], measures="AP", samples=50)
        assert "one run" in alone.conclusions.verdict()
        assert "AP" in str(alone)

    def test_judges_without_common_documents_cannot_be_compared_so(self):
        rows = [
            ("q01", f"d{at}", judge, at % 2) for at in range(9) for judge in ("ada", "ben") if at < 5 or judge == "ada"
        ]
        rows += [("q01", "d99", "cleo", 1), ("q01", "d99", "ada", 1)]
        with pytest.raises(DataError, match="no document was labelled by all of ada, ben, cleo"):
            cf.agree(rows, runs=RUNS)
