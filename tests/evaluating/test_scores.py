"""Scores, from an evaluation or from a file: asked by measure, run and query, put together, or refused as different."""

from __future__ import annotations

import hashlib
import math
import statistics
from dataclasses import replace
from typing import ClassVar

import numpy as np
import pytest

import cranfield as cf
from cranfield.errors import DataError, UsageError
from cranfield.evaluating.saved_scores import from_dict, to_dict
from cranfield.evaluating.scores import joined

JUDGMENTS = {"q1": {"d1": 2, "d2": 0}, "q2": {"d1": 1}, "q3": {"d9": 0}}
BM25 = {"q1": {"d1": 3.0, "d2": 2.0}, "q2": {"d5": 2.0, "d1": 1.0}}
DENSE = {"q1": ["d2", "d1"], "q2": ["d1"], "q9": ["d1"]}


def results(runs=None, measures=("nDCG@10", "AP", "Judged@5"), judgments=JUDGMENTS, **settings):
    return cf.evaluate(judgments, runs or {"bm25": BM25, "dense": DENSE}, measures, **settings)


def from_file(scores):
    return from_dict(to_dict(scores))


class TestAsked:
    def test_measures_in_any_spelling(self):
        assert results().position("ndcg_cut_10") == 0

    def test_a_measure_or_run_that_is_not_there(self):
        with pytest.raises(UsageError, match=r"RR was not evaluated; these were: nDCG@10, AP"):
            results().position("RR")
        with pytest.raises(UsageError, match=r"no run 'bm24'.*Did you mean bm25"):
            results().run_position("bm24")

    def test_the_same_under_some_measures_with_the_settings_of_each(self):
        scores = results(measures=["nDCG@10", "RR@10"], profile="beir")
        only = scores.with_measures(["RR@10"])
        assert (only.settings.average_over, scores.settings.average_over) == ("judged", "answered")
        assert only.mean("RR@10", "bm25") == scores.mean("RR@10", "bm25")
        assert only.detail is scores.detail

    def test_the_same_for_one_run(self):
        dense = results().of_run("dense")
        assert dense.runs == ("dense",)
        assert dense.provenance.runs[0].unknown == ("q9",)
        assert [alignment.run for alignment in dense.detail.alignments] == ["dense"]
        assert str(dense.mean("AP")) == str(results().mean("AP", "dense"))

    def test_the_same_for_some_queries_has_no_rankings(self):
        scores = results()
        assert scores.only(["q2"]).settled("AP").tolist() == [[0.5], [1.0]]
        assert scores.only(["q2"]).detail is None
        assert scores.only(scores.queries).detail is scores.detail


class TestFromAFile:
    def test_shows_the_same_table(self):
        scores = results()
        assert str(from_file(scores)) == str(scores)
        assert str(from_file(scores).per_query()) == str(scores.per_query())
        assert repr(from_file(scores)) == repr(scores) == "Scores(2 runs, 3 queries, nDCG@10, AP, Judged@5)"

    def test_prints_the_same_json_but_for_what_only_judgments_tell(self):
        scores = results()
        printed, read = scores.to_dict(per_query=True), from_file(scores).to_dict(per_query=True)
        assert printed["queries"].pop("without_relevant") == ["q3"]
        assert read["queries"].pop("without_relevant") is None
        assert read == printed

    def test_has_its_warnings_as_findings(self):
        scores = results()
        assert scores.warnings
        assert [str(warning) for warning in from_file(scores).warnings] == [str(warning) for warning in scores.warnings]
        assert {warning.severity for warning in from_file(scores).warnings} == {"warning"}

    @pytest.mark.parametrize(
        ("what", "ask"),
        [
            ("The range over orders of ties", lambda scores: scores.tie_bounds()),
            ("The range over unjudged documents", lambda scores: scores.to_dict(unjudged=True)),
            ("A curve", lambda scores: scores.curve("pr11")),
            ("A curve", lambda scores: scores.plot_at_k()),
            ("A picture of the grades", lambda scores: scores.plot_grades()),
        ],
    )
    def test_says_what_needs_the_runs(self, what, ask):
        with pytest.raises(UsageError, match=f"^{what} needs the runs; these scores come from a file"):
            ask(from_file(results()))

    def test_gives_the_same_risk(self):
        scores = results(measures="AP")
        assert cf.risk(from_file(scores), "bm25").to_dict() == cf.risk(scores, "bm25").to_dict()


class TestJoined:
    def test_runs_of_both(self):
        together = joined([results({"bm25": BM25}), results({"dense": DENSE})])
        assert together.runs == ("bm25", "dense")
        assert np.array_equal(together.values, results().values, equal_nan=True)

    def test_runs_of_one_name_get_a_number(self):
        assert joined([results(), results()]).runs == ("bm25", "dense", "bm25 2", "dense 2")

    def test_the_measures_they_share(self):
        assert [str(m) for m in joined([results(measures="AP"), results(measures=["RR", "AP"])]).measures] == ["AP"]

    def test_other_grades_are_refused(self):
        other = results(judgments={**JUDGMENTS, "q3": {"d9": 1}})
        with pytest.raises(DataError, match="the same queries have other grades or documents"):
            joined([results(), other])

    def test_other_queries_are_refused_with_what_differs(self):
        other = results(judgments={"q1": {"d1": 2, "d2": 0}, "q4": {"d1": 1}})
        with pytest.raises(DataError, match=r"queries only in the result of bm25: 2 \(q2, q3\).*: 1 \(q4\)"):
            joined([results(), other])

    def test_unless_told(self):
        other = results(judgments={"q2": {"d1": 1}, "q4": {"d1": 1}})
        assert joined([results(), other], allow_different_judgments=True).queries == ("q2",)

    def test_other_settings_are_refused(self):
        with pytest.raises(DataError, match="depth is 5 here and not set there"):
            joined([results(), results(depth=5)])

    def test_settings_are_those_of_the_measures_they_share(self):
        # What beir has as an exception is the first measure of the other.
        one, other = results(measures="nDCG@10 RR@10", profile="beir"), results(measures="RR@10", profile="beir")
        assert [str(measure) for measure in joined([one, other]).measures] == ["RR@10"]

    def test_without_a_shared_measure_other_settings_are_the_reason(self):
        with pytest.raises(DataError, match="rel is 2 here and not set there"):
            joined([results(measures="AP"), results(measures="AP", rel=2)])

    def test_another_largest_grade_is_refused(self):
        one, other = results(), results()
        facts = replace(other.provenance.judgments, max_grade=3.0)
        other = replace(other, provenance=replace(other.provenance, judgments=facts))
        with pytest.raises(DataError, match=r"max_grade is 3\.0 here and 2\.0 there"):
            joined([one, other])

    def test_a_warning_of_both_is_given_once_though_one_comes_from_a_file(self):
        together = joined([results({"bm25": BM25}), from_file(results({"bm25": BM25}))])
        words = [str(warning) for warning in together.warnings]
        assert words
        assert len(words) == len(set(words))

    def test_alone_they_stay_as_they_are(self):
        scores = results()
        assert joined([scores]) is scores

    def test_no_measure_or_no_query_in_common(self):
        with pytest.raises(DataError, match="shares no measure"):
            joined([results(measures="AP"), results(measures="RR")])
        with pytest.raises(DataError, match="shares no judged query"):
            joined([results(), results({"a": {"x": ["d1"]}}, judgments={"x": {"d1": 1}})])


def test_means_of_a_file_are_those_of_the_evaluation():
    scores = cf.evaluate(JUDGMENTS, {"bm25": BM25}, ["nDCG@10", "NumRelRet", "GMAP"])
    for measure in scores.measures:
        assert str(from_file(scores).mean(measure)) == str(scores.mean(measure))


def test_queries_that_do_not_count_are_left_out():
    scores = results(average_over="answered")
    assert np.isnan(scores.settled("AP")[0, 2])
    assert from_file(scores).mean("AP", "bm25") == scores.mean("AP", "bm25")
    assert math.isclose(scores.mean("AP", "bm25").value, 0.75)


def test_a_hash_is_found_when_it_is_asked_for(tmp_path):
    path = tmp_path / "bm25.run"
    path.write_text("q1 Q0 d1 1 2.0 x\n")
    found = cf.evaluate(JUDGMENTS, str(path), "RR").provenance.runs[0]
    path.write_text("q1 Q0 d2 1 2.0 x\n")
    assert found.sha256 == hashlib.sha256(path.read_bytes()).hexdigest()
    path.unlink()
    assert found.sha256 is not None


class TestPlainNumbers:
    JUDGED: ClassVar = {"q1": {"d1": 1}, "q2": {"d1": 1}, "q3": {"d1": 1}}
    RUNS: ClassVar = {"a": {"q1": ["d1"], "q2": ["d2", "d1"], "q3": ["d1"]}, "b": {"q1": ["d1"]}}

    def test_means_of_a_run_are_numbers_by_the_names_that_were_asked_for(self):
        scores = cf.evaluate(self.JUDGED, self.RUNS, "MRR P@1")
        assert scores.means("a") == {"MRR": 2.5 / 3, "P@1": 2 / 3}
        assert scores.of_run("b").means() == {"MRR": 1 / 3, "P@1": 1 / 3}
        with pytest.raises(UsageError, match="name one: a, b"):
            scores.means()

    def test_standard_deviations_are_those_of_a_sample(self):
        scores = cf.evaluate(self.JUDGED, self.RUNS, "MRR")
        assert scores.standard_deviations("a") == {"MRR": pytest.approx(statistics.stdev([1, 0.5, 1]), rel=1e-12)}
        one = cf.evaluate({"q1": {"d1": 1}}, {"q1": ["d1"]}, "MRR")
        assert math.isnan(one.standard_deviations()["MRR"])

    def test_one_run_under_one_measure_is_a_number(self):
        scores = cf.evaluate(self.JUDGED, self.RUNS["a"], "RR")
        assert float(scores) == float(scores.mean("RR")) == 2.5 / 3
        with pytest.raises(UsageError, match="name one: RR, P@1"):
            float(cf.evaluate(self.JUDGED, self.RUNS["a"], "RR P@1"))
