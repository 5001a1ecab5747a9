"""Pictures of every query's score: differences, spread, and all at once."""

import math

import numpy as np
import pytest

import cranfield as cf
from cranfield import demo
from cranfield.errors import UsageError
from cranfield.evaluating.saved_scores import from_dict, to_dict
from cranfield.figures import heat_map, paired, spread
from cranfield.figures.queries import ends

RUNS = {name: demo.path(f"{name}.run") for name in ("title", "bm25", "hybrid")}


@pytest.fixture(scope="module")
def scores():
    return cf.evaluate(demo.path("qrels.txt"), RUNS, ["nDCG@10", "RR", "SL"])


class TestPaired:
    def test_differences_are_those_of_the_scores_most_gained_first(self, scores):
        pair = paired(scores, run="hybrid", baseline="bm25").pairs[0]
        bm25, hybrid = scores["nDCG@10"][1:]
        assert pair.differences.tolist() == sorted((hybrid - bm25).tolist(), reverse=True)
        at = [scores.queries.index(query) for query in pair.queries]
        assert pair.differences.tolist() == (hybrid - bm25)[at].tolist()
        assert (pair.better, pair.worse, pair.equal) == ((hybrid > bm25).sum(), (hybrid < bm25).sum(), 3)

    def test_all_others_stand_beside_the_first_unless_told_otherwise(self, scores):
        assert [(pair.run, pair.baseline) for pair in paired(scores).pairs] == [("bm25", "title"), ("hybrid", "title")]

    def test_kept_results_give_the_same(self, scores):
        assert paired(from_dict(to_dict(scores))).table() == paired(scores).table()

    def test_of_a_measure_whose_less_is_better_a_loss_is_a_gain(self, scores):
        found = paired(scores, "SL", run="hybrid")
        pair = found.pairs[0]
        assert pair.better == (pair.differences < 0).sum()
        assert found.notes == ("SL: lower is better.",)

    def test_queries_that_do_not_count_for_both_are_left_out(self, scores):
        # Search length is undefined where nothing is found, and then left out.
        undefined = np.isnan(scores["SL"][[0, 2]]).any(axis=0).sum()
        assert undefined
        assert len(paired(scores, "SL", run="hybrid").pairs[0].queries) == 70 - undefined

    def test_a_table_has_both_scores(self, scores):
        table = paired(scores, run="hybrid").table()
        run, baseline, measure, _, score, base, difference = next(table.rows)
        assert (run, baseline, measure) == ("hybrid", "title", "nDCG@10")
        assert difference == score - base

    def test_a_sketch_of_differences_names_the_queries_that_moved_most(self, scores):
        pair = paired(scores, run="hybrid", baseline="bm25").pairs[0]
        text = str(paired(scores, run="hybrid", baseline="bm25"))
        assert text.startswith("nDCG@10 of hybrid minus bm25: better on 40, worse on 27, equal on 3\n")
        assert "… 47 in between" in text
        assert all(query in text for query in (*pair.queries[:10], *pair.queries[-10:]))

    def test_a_sketch_of_scores_counts_queries_that_share_a_place(self, scores):
        text = str(paired(scores, "RR", run="hybrid", baseline="bm25", kind="scatter"))
        assert "RR of bm25" in text
        assert "#" in text

    def test_equal_runs_have_nothing_to_sketch(self):
        equal = cf.evaluate({"q": ["d"]}, {"a": {"q": ["d"]}, "b": {"q": ["d"]}}, "RR")
        assert str(paired(equal)) == "RR of b minus a: better on 0, worse on 0, equal on 1"

    def test_one_run_has_nothing_beside_it(self):
        with pytest.raises(UsageError, match="no run to compare run"):
            paired(cf.evaluate({"q": ["d"]}, {"q": ["d"]}, "RR"))

    def test_a_run_is_not_put_beside_itself(self, scores):
        with pytest.raises(UsageError, match="bm25 cannot be compared with itself"):
            paired(scores, run="bm25", baseline="bm25")

    def test_a_run_that_is_not_there_is_answered_with_the_nearest(self, scores):
        with pytest.raises(UsageError, match="Did you mean hybrid"):
            paired(scores, run="hybrd")


class TestSpread:
    def test_a_row_has_quartiles_and_mean(self, scores):
        table = spread(scores).table()
        values = scores["nDCG@10"][1]
        row = dict(zip(table.columns, list(table.rows)[1], strict=True))
        assert row["mean"] == scores.mean("nDCG@10", "bm25").value
        assert [row[name] for name in ("least", "lower quartile", "median", "upper quartile", "most")] == np.quantile(
            values, (0, 0.25, 0.5, 0.75, 1)
        ).tolist()

    def test_a_run_without_a_score_has_no_box(self):
        silent = cf.evaluate({"q": ["d"]}, {"a": {"q": ["d"]}, "b": {"q": ["x"]}}, "SL")
        found = spread(silent)
        assert math.isnan(found.table().columns["median"][1])
        assert "\nb " not in str(found)


class TestHeatMap:
    def test_the_best_run_is_first_and_the_hardest_query(self, scores):
        heat = heat_map(scores)
        assert heat.runs == ("hybrid", "bm25", "title")
        means = heat.values.mean(axis=0)
        assert (np.diff(means) >= 0).all()
        assert heat.values[1].tolist() == [scores["nDCG@10"][1, scores.queries.index(query)] for query in heat.queries]

    def test_a_table_has_a_column_for_each_run(self, scores):
        assert list(heat_map(scores).table().columns) == ["query", "hybrid", "bm25", "title"]

    def test_a_run_may_be_called_query(self):
        named = cf.evaluate({"q": ["d"]}, {"query": {"q": ["d"]}}, "RR")
        assert heat_map(named).table().columns == {"query id": ["q"], "query": [1.0]}

    def test_a_sketch_has_a_line_for_each_run(self, scores):
        lines = str(heat_map(scores)).splitlines()
        assert lines[2].startswith("hybrid  ")
        assert len(lines[2]) == len("hybrid  ") + 70
        assert lines[-1] == "· is 0, █ is 1."


def test_axes_of_scores_have_the_range_of_the_measure_or_that_of_the_scores(scores):
    assert ends(cf.RR, [np.array([0.25])]) == (0, 1)
    assert ends(cf.DCG, [np.array([0.5, 7.0])]) == (0, 7)
    assert ends(cf.DCG, [np.array([0.0])]) == (0, 1)
