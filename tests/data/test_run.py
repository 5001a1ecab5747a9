"""Run: what a system returned for each query."""

import numpy as np
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
