"""Agreement as an answer: what it says, and its tables."""

import json
from dataclasses import replace

import pytest

import cranfield as cf
from cranfield import demo

RUNS = [demo.path(f"{name}.run") for name in ("title", "bm25", "dense", "hybrid")]


class TestWords:
    def test_everything_has_a_table(self, agreement):
        assert "documents" in agreement.table().columns
        assert len(replace(agreement, with_all=True).table().columns["value"]) == len(agreement.coefficients)
        assert len(agreement.pairs_table().columns["kappa"]) == 3
        assert len(agreement.judges_table().columns["bias"]) == 3
        assert len(agreement.grades_table().columns["share"]) == 4
        assert len(agreement.per_query().columns["agreement"]) == 70
        assert len(agreement.disagreements(5).columns["ada"]) == 5
        parts = set(replace(agreement, with_queries=True).rows().columns["part"])
        assert parts == {"all", "pair", "table", "judge", "grade", "query"}

    def test_it_shows_itself(self, agreement):
        assert repr(agreement) == "Agreement(3 judges, Krippendorff's alpha (ordinal) 0.5773)"
        assert "Landis and Koch" in str(agreement)
        assert "<table" in agreement._repr_html_()
        assert "queries" not in agreement.to_dict()
        json.dumps(replace(agreement, with_queries=True).to_dict(), allow_nan=False)

    def test_texts_are_compared_as_they_are(self):
        rows = [
            ("q1", f"d{at}", judge, "good" if (at + who) % 3 else "bad")
            for at in range(9)
            for who, judge in enumerate("ab")
        ]
        agreement = cf.agree(rows)
        assert agreement.metric == "nominal"
        assert "gave the same label" in agreement.verdict()
        assert "ICC(2,1)" not in [one.name for one in agreement.coefficients]
        assert [grade.name for grade in agreement.grades] == ["bad", "good"]
        assert agreement.disagreements().columns["a"]

    def test_an_unknown_coefficient_is_answered_with_the_nearest(self, agreement):
        with pytest.raises(KeyError, match="Did you mean Fleiss' kappa"):
            agreement["Fleis kappa"]


OUTLIER = [("q1", f"d{at}", judge, at % 4) for at in range(20) for judge in ("ada", "ben")] + [("q1", "x", "ada", 2e9)]


def test_a_grade_far_from_all_others_is_told_in_every_form():
    agreement = cf.agree(OUTLIER)
    told = "1 label is 2000000000, far from the others, which go from 0 to 3; it counts as written"
    assert agreement.to_dict()["warnings"] == [told]
    assert told in agreement.rows().columns["reason"]
    assert f"warning: {told}" in " ".join(str(agreement).split())
    assert str(agreement).count("far from the others") == 1
    assert told in agreement._repr_html_()
