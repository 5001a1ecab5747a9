from __future__ import annotations

import contextlib

import numpy as np
import pytest

import cranfield as cf
from cranfield import DataError, UsageError, parse
from cranfield.align import JudgedRanking
from cranfield.measures import Measure, catalogue, scoring
from cranfield.measures.scoring import View
from cranfield.notation import grouped, ranking


class TestView:
    def test_it_shows_a_ranking_down_to_a_depth_and_then_without_unjudged_documents(self):
        seen = View(3, judged_only=True)(ranking("1-21"))
        assert seen.ranks.tolist() == [1, 2, np.inf]
        assert seen.retrieved == 2

    def test_without_a_depth_all_is_seen(self):
        whole = ranking("1-21")
        assert View()(whole) is whole

    def test_documents_with_several_grades_below_the_depth_count_as_not_retrieved(self):
        seen = View(1)(grouped("10 01"))
        assert seen.ranks.tolist() == [1, np.inf]
        assert seen.retrieved == 1

    def test_a_depth_does_not_narrow_the_arrays_over_which_measures_sum(self):
        long = ranking("1" * 100)
        seen = View(10)(long)
        assert isinstance(seen, JudgedRanking)
        assert seen.ranks.shape == long.ranks.shape
        assert seen.retrieved == 10


AT = {"cutoff": 10, "multiple": 0.5, "recall": 0.5}


class TestHostileGrades:
    """Every measure of the catalogue gives numbers, or says what it does not take; NumPy has nothing to say."""

    @pytest.mark.parametrize(
        "grades",
        [(1e308, 1, 0), (1e100, 1e100, 1), (1e-300, 1e-300, 0), (5e-324, 1, 0), (5000, 2000, 1), (1000, 1000, 1000)],
        ids=str,
    )
    def test_no_measure_warns_or_overflows(self, grades):
        for definition in catalogue().values():
            for measure in self.variants(definition):
                try:
                    scores = cf.evaluate(self.judgments(definition, grades), {"q1": ["d0", "x", "d1"]}, measure)
                except (UsageError, DataError):
                    continue
                assert not np.isinf(scores.values).any(), measure
                scores.summary()

    def variants(self, definition):
        measure = Measure(definition) @ AT[definition.at] if definition.needs_at else Measure(definition)
        yield measure
        if "gain" in definition.parameters:
            yield measure(gain={1: 1e100, 2: 1e-300})
        for word in ("exponential", "graded"):
            with contextlib.suppress(UsageError):
                yield measure(gain=word)

    def judgments(self, definition, grades):
        if definition.groups is None:
            return {"q1": {f"d{at}": grade for at, grade in enumerate(grades)}, "q2": {"d1": 1}}
        column = "judge" if definition.groups == "preference" else definition.groups
        rows = [("q1", f"g{at % 2}", f"d{at}", grade) for at, grade in enumerate(grades)]
        return cf.read_judgments(rows, columns=f"query,{column},document,grade", groups=definition.groups)

    def test_a_best_score_over_more_ranks_than_fit_into_memory_is_refused(self):
        with pytest.raises(UsageError, match="a cutoff must be at most 10000000"):
            parse("alpha_DCG(alpha=0)@1000000000000")(grouped("10 01"))


def test_scores_do_not_depend_on_the_number_of_cores(monkeypatch):
    rng = np.random.default_rng(4)
    qrels = {f"q{query}": {f"d{at}": int(rng.integers(0, 3)) for at in range(40)} for query in range(3000)}
    run = {f"q{query}": {f"d{at}": float(rng.random()) for at in range(20, 60)} for query in range(3000)}
    expected = cf.evaluate(qrels, run, ["AP", "nDCG@10", "RR"]).values
    monkeypatch.setattr(scoring, "MANY_JUDGMENTS", 0)
    monkeypatch.setattr("cranfield.kernels.cores", lambda: 4)
    assert cf.evaluate(qrels, run, ["AP", "nDCG@10", "RR"]).values.tobytes() == expected.tobytes()
