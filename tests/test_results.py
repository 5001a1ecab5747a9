"""Results are kept with everything that is needed to compare them later, and refuse what cannot be compared."""

from __future__ import annotations

import hashlib
import math

import numpy as np
import pytest

import cranfield as cf
from cranfield.errors import DataError, UsageError
from cranfield.measures.definition import TABLE
from cranfield.results import fingerprint, joined, results_of
from cranfield.saved import from_dict, load, save

JUDGMENTS = {"q1": {"d1": 2, "d2": 0}, "q2": {"d1": 1}, "q3": {"d9": 0}}
BM25 = {"q1": {"d1": 3.0, "d2": 2.0}, "q2": {"d5": 2.0, "d1": 1.0}}
DENSE = {"q1": ["d2", "d1"], "q2": ["d1"], "q9": ["d1"]}


def results(runs=None, measures=("nDCG@10", "AP", "Judged@5"), judgments=JUDGMENTS, **settings):
    return results_of(cf.evaluate(judgments, runs or {"bm25": BM25, "dense": DENSE}, measures, **settings))


@pytest.fixture
def kept(tmp_path):
    path = tmp_path / "results.json"
    save(results(), path)
    return path


class TestKept:
    def test_everything_comes_back(self, kept):
        before, after = results(), load(kept)
        assert np.array_equal(before.values, after.values, equal_nan=True)
        assert np.array_equal(before.counted, after.counted)
        assert after.measures == before.measures
        assert after.to_dict() == before.to_dict()
        assert math.isnan(after.values[0, 0, 2])

    def test_the_same_evaluation_gives_the_same_bytes(self, kept, tmp_path):
        save(results(), tmp_path / "again.json")
        assert (tmp_path / "again.json").read_bytes() == kept.read_bytes()

    def test_a_line_for_each_score_so_that_a_diff_shows_what_changed(self, kept):
        lines = kept.read_text().splitlines()
        assert sum(line.strip().startswith('"q1": ') for line in lines) == 2 * 3

    def test_definitions_settings_counts_and_hashes(self, tmp_path):
        (tmp_path / "qrels.txt").write_text("q1 0 d1 1\nq2 0 d1 1\n")
        (tmp_path / "bm25.run").write_text("q1 Q0 d1 1 3.0 t\n")
        kept = results_of(cf.evaluate(tmp_path / "qrels.txt", tmp_path / "bm25.run", "AP(rel=2)", depth=5)).to_dict()
        assert kept["measures"]["AP(rel=2)"]["definition"].startswith("Average precision: the mean")
        assert kept["measures"]["AP(rel=2)"]["parameters"]["rel"] == 2
        assert kept["settings"]["depth"] == 5
        assert kept["judgments"]["queries"] == 2
        assert len(kept["judgments"]["sha256"]) == len(kept["runs"]["bm25"]["sha256"]) == 64
        assert kept["runs"]["bm25"]["queries"]["silent"] == ["q2"]

    def test_queries_that_do_not_count_have_no_score(self):
        kept = results(average_over="answered")
        assert list(kept.to_dict()["runs"]["bm25"]["scores"]["AP"]) == ["q1", "q2"]
        assert np.isnan(kept.scores("AP")[0, 2])
        assert from_dict(kept.to_dict()).mean("AP", "bm25") == kept.mean("AP", "bm25")

    def test_a_measure_of_ones_own_is_read_where_it_is_not_defined(self, tmp_path):
        @cf.measure(bounds=(0, 1), lower_is_better=True)
        def Mine(judged, *, rel=1, cutoff=None):
            return judged.num_rel_ret(rel) * 0

        try:
            save(results(measures=[Mine @ 3]), tmp_path / "mine.json")
        finally:
            del TABLE["Mine"]
        read = load(tmp_path / "mine.json")
        assert [str(measure) for measure in read.measures] == ["Mine@3"]
        assert read.measures[0].definition.lower_is_better
        assert read.mean("Mine@3", "bm25").value == 0

    def test_means_are_those_of_the_evaluation(self):
        scores = cf.evaluate(JUDGMENTS, {"bm25": BM25}, ["nDCG@10", "NumRelRet", "GMAP"])
        for measure in scores.measures:
            kept, evaluated = results_of(scores).mean(measure, "bm25"), scores.mean(measure, "bm25")
            assert str(kept) == str(evaluated)


class TestAsked:
    def test_measures_in_any_spelling(self):
        assert results().position("ndcg_cut_10") == 0

    def test_a_measure_or_run_that_is_not_there(self):
        with pytest.raises(UsageError, match=r"RR was not measured; these were: nDCG@10, AP"):
            results().position("RR")
        with pytest.raises(UsageError, match=r"no run 'bm24'.*Did you mean bm25"):
            results().run_position("bm24")


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
        with pytest.raises(DataError, match="depth is 5 and not None"):
            joined([results(), results(depth=5)])

    def test_no_measure_or_no_query_in_common(self):
        with pytest.raises(DataError, match="shares no measure"):
            joined([results(measures="AP"), results(measures="RR")])
        with pytest.raises(DataError, match="shares no judged query"):
            joined([results(), results({"a": {"x": ["d1"]}}, judgments={"x": {"d1": 1}})])


def test_judgments_are_known_by_what_they_say():
    one = fingerprint(cf.read_judgments(JUDGMENTS))
    assert one == fingerprint(
        cf.read_judgments([(q, d, g) for q, of in reversed(JUDGMENTS.items()) for d, g in of.items()])
    )
    assert one != fingerprint(cf.read_judgments({**JUDGMENTS, "q3": {"d9": 0.5}}))
    assert one != fingerprint(cf.read_judgments({**JUDGMENTS, "q4": {"d9": 0}}))
    rows = [("q1", 1, "d1", 1), ("q1", 2, "d1", 0)]
    grouped = [
        cf.read_judgments(given, columns="query,subtopic,document,grade", groups="subtopic")
        for given in (rows, rows[:1])
    ]
    assert fingerprint(grouped[0]) != fingerprint(grouped[1])


def test_a_hash_is_found_when_it_is_asked_for(tmp_path):
    path = tmp_path / "bm25.run"
    path.write_text("q1 Q0 d1 1 2.0 x\n")
    found = results_of(cf.evaluate(JUDGMENTS, str(path), "RR")).about["bm25"]
    path.write_text("q1 Q0 d2 1 2.0 x\n")
    assert found["sha256"] == hashlib.sha256(path.read_bytes()).hexdigest()
    path.unlink()
    assert found["sha256"] is not None
    assert set(found) == {"path", "sha256", "queries", "ties", "unjudged"}
