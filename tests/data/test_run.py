"""Run: what a system returned for each query."""

import numpy as np
import pyarrow as pa
import pytest

import cranfield as cf
from cranfield.data.run import Ranking, check_ranking


def test_a_query_is_asked_by_name():
    run = cf.read_run({"q1": {"d1": 2.5, "d2": 1.0}}, name="bm25")
    assert run["q1"] == {"d1": 2.5, "d2": 1.0}
    with pytest.raises(KeyError):
        run["q9"]


def test_asking_for_a_query_does_not_hide_what_is_wrong(tmp_path):
    (tmp_path / "bad.run").write_text("q Q0 a 1 3 x\nq Q0 b 2 abc x\nq Q0 c 3 1 x\n")
    with pytest.raises(cf.DataError, match="line 2"):
        cf.read_run(tmp_path / "bad.run")["q"]
    with pytest.raises(cf.DataError, match="again"):
        cf.read_run({"q": ["a", "a"]})["q"]


def test_it_is_not_walked_over_by_accident():
    run = cf.read_run({"q1": ["d1"]})
    for attempt in (lambda: list(run), lambda: "q1" in run):
        with pytest.raises(TypeError):
            attempt()


def test_it_can_be_read_again_and_again(tmp_path):
    (tmp_path / "a.run").write_text("q Q0 a 1 3 x\n")
    run = cf.read_run(tmp_path / "a.run")
    assert run["q"] == run["q"] == {"a": 3.0}


class TestOneRanking:
    def findings(self, documents, scores, ranks=None):
        ranking = Ranking("q", documents, np.array(scores), range(1, len(documents) + 1), ranks)
        return [finding.kind for finding in check_ranking(ranking, "a.run")]

    def test_a_sound_one_has_nothing_to_tell(self):
        assert self.findings(["a", "b"], [2.0, 1.0]) == []

    def test_a_document_listed_twice_is_an_error(self):
        assert self.findings(["a", "b", "a"], [3.0, 2.0, 1.0]) == ["duplicate-document"]

    def test_ranks_that_contradict_scores_are_a_warning(self):
        assert self.findings(["a", "b"], [1.0, 2.0], np.array([1.0, 2.0])) == ["ranks-contradict-scores"]

    def test_equal_scores_contradict_no_rank(self):
        assert self.findings(["a", "b"], [1.0, 1.0], np.array([2.0, 1.0])) == []


TWICE = [("q1", "d2", 3.0), ("q1", "d1", 2.0), ("q1", "d2", 1.5), ("q1", "d3", 1.0), ("q1", "d1", 0.5)]
WANTED = {"q1": {"d1": 2, "d3": 1}, "q2": {"d1": 1}}


class TestADocumentListedTwice:
    """With `duplicates="first"` its best place counts, whatever the run is read from."""

    def sources(self, folder):
        rows = [*TWICE, ("q2", "d1", 1.0)]
        (folder / "a.run").write_text("".join(f"{q} Q0 {d} {at} {s} t\n" for at, (q, d, s) in enumerate(rows, 1)))
        (folder / "a.csv").write_text("query,document,score\n" + "".join(f"{q},{d},{s}\n" for q, d, s in rows))
        (folder / "a.jsonl").write_text(
            "".join(f'{{"query": "{q}", "document": "{d}", "score": {s}}}\n' for q, d, s in rows)
        )
        lists = {"q1": ["d2", "d1", "d2", "d3", "d1"], "q2": ["d1"]}
        frame = pa.table(dict(zip(("query", "document", "score"), zip(*rows, strict=True), strict=True)))
        return [folder / "a.run", folder / "a.csv", folder / "a.jsonl", rows, lists, frame]

    def test_it_is_refused_and_the_message_names_the_way_out(self, tmp_path):
        for source in self.sources(tmp_path):
            with pytest.raises(cf.DataError, match=r"again(.|\n)*duplicates=\"first\""):
                cf.evaluate(WANTED, source, "nDCG")

    @pytest.mark.parametrize("kernels", ["compiled", "plain"])
    def test_its_best_place_counts_and_a_warning_counts_the_others(self, tmp_path, kernels, monkeypatch):
        if kernels == "plain":
            monkeypatch.setattr("cranfield.kernels.are_compiled", lambda: False)
        alone = cf.evaluate(WANTED, {"q1": ["d2", "d1", "d3"], "q2": ["d1"]}, ["nDCG", "P@5", "RR"])
        for source in self.sources(tmp_path):
            scores = cf.evaluate(WANTED, source, ["nDCG", "P@5", "RR"], duplicates="first")
            assert scores.values.tolist() == alone.values.tolist()
            (warning,) = [str(one) for one in scores.warnings if one.kind == "duplicates-left-out"]
            assert "2 documents listed again in 1 query (q1)" in warning

    def test_the_highest_score_counts_wherever_it_stands(self):
        rows = [("q1", "d2", 1.0), ("q1", "d1", 2.0), ("q1", "d2", 3.0)]
        assert cf.read_run(rows, duplicates="first")["q1"] == {"d1": 2.0, "d2": 3.0}

    def test_of_ranks_alone_those_behind_move_up(self):
        rows = [{"query": "q1", "document": one, "rank": at} for at, one in enumerate("abacb", 1)]
        run = cf.read_run(rows, duplicates="first")
        assert run["q1"] == {"a": -1.0, "b": -2.0, "c": -3.0}

    def test_a_query_that_comes_back_is_counted_once(self, tmp_path):
        (tmp_path / "a.run").write_text("q1 Q0 a 1 3 t\nq1 Q0 a 2 2 t\nq2 Q0 b 1 1 t\nq1 Q0 a 3 1 t\n")
        scores = cf.evaluate({"q1": ["a"]}, tmp_path / "a.run", "RR", duplicates="first")
        assert any("2 documents listed again in 1 query" in str(one) for one in scores.warnings)

    def test_a_run_without_any_is_read_as_before_and_by_the_same_loops(self, tmp_path):
        (tmp_path / "a.run").write_text("q1 Q0 a 1 3 t\nq1 Q0 b 2 2 t\n")
        assert cf.evaluate({"q1": ["b"]}, tmp_path / "a.run", "RR", duplicates="first").warnings == ()
        assert cf.read_run(tmp_path / "a.run", duplicates="first").at_once is not None

    def test_a_score_that_is_no_number_is_still_refused(self):
        with pytest.raises(cf.DataError, match="NaN"):
            cf.evaluate({"q1": ["a"]}, {"q1": [("a", float("nan")), ("a", 1.0)]}, "RR", duplicates="first")

    def test_another_word_is_refused(self):
        with pytest.raises(cf.UsageError, match="duplicates"):
            cf.evaluate({"q1": ["a"]}, {"q1": ["a"]}, "RR", duplicates="last")
