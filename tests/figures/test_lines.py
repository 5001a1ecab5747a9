"""Curves: their numbers are those of the measures, whatever runs they are of."""

import gzip
import json
import math

import numpy as np
import pytest

import cranfield as cf
from cranfield import AP, P, R, demo, nDCG
from cranfield.errors import DataError, UsageError
from cranfield.figures import curve_of
from cranfield.figures.lines import cutoffs, families
from cranfield.figures.points import LEVELS
from cranfield.measures import IPrec

RUNS = {name: demo.path(f"{name}.run") for name in ("title", "bm25", "hybrid")}
QRELS = demo.path("qrels.txt")
JUDGED = {"q1": {"a": 1, "b": 0, "c": 1, "d": 0}, "q2": {"a": 1, "b": 0}, "q3": {"a": 1}}
RUN = {"q1": ["a", "b", "c", "d"], "q2": ["b", "a"], "q3": ["a"]}


@pytest.fixture(scope="module")
def scores():
    return cf.evaluate(QRELS, RUNS, "AP")


def shared_collections(shared_data):
    dl19, robust = shared_data / "02-dl19-passage", shared_data / "03-robust03"
    yield dl19 / "qrels.dl19-passage.txt", sorted((dl19 / "runs").glob("*.run.gz"))[:2]
    yield robust / "qrels.robust03.txt.gz", sorted((robust / "runs").glob("*.run.gz"))[:2]
    yield shared_data / "10-cacm-smoke" / "qrels.cacm.txt", [shared_data / "10-cacm-smoke" / "cacm-bm25.run"]


def agrees_with_evaluate(curve, scores, measures):
    """Whether every point of every run is a mean of the evaluation, with its interval."""
    for line in curve.lines:
        for at, measure in enumerate(measures):
            mean = scores.mean(measure, line.run)
            assert (line.y[at], line.low[at], line.high[at]) == (mean.value, mean.low, mean.high), measure


class TestNumbers:
    def test_eleven_points_are_interpolated_precision(self):
        measures = [IPrec @ level for level in LEVELS]
        agrees_with_evaluate(cf.curve(QRELS, RUNS), cf.evaluate(QRELS, RUNS, measures), measures)

    @pytest.mark.parametrize("family", [nDCG, P, R, AP, nDCG(gain="exponential")], ids=str)
    def test_a_measure_at_every_cutoff_is_that_measure(self, family):
        measures = [family @ k for k in range(1, 101)]
        curve = cf.curve(QRELS, RUNS, "at-k", family, k=100)
        agrees_with_evaluate(curve, cf.evaluate(QRELS, RUNS, measures), measures)
        assert curve.lines[0].x.tolist() == list(range(1, 101))

    def test_precision_and_recall_at_each_rank_are_both(self):
        curve = cf.curve(QRELS, RUNS, "pr")
        for line in curve.lines:
            measures = [family @ int(k) for k in line.at for family in (P, R)]
            scores = cf.evaluate(QRELS, {line.run: RUNS[line.run]}, measures)
            assert line.y.tolist() == [scores.mean(P @ int(k)).value for k in line.at]
            assert line.x.tolist() == [scores.mean(R @ int(k)).value for k in line.at]

    def test_depth_has_precision_and_recall_down_to_the_deepest_document(self, scores):
        curve = scores.curve("depth")
        assert curve.measures == ("precision", "recall")
        deepest = max(alignment.retrieved.max() for alignment in scores.detail.alignments)
        assert curve.lines[0].x[-1] == deepest
        precision = cf.evaluate(QRELS, RUNS, P @ int(deepest)).mean(P @ int(deepest), "title").value
        assert curve.lines[0].y[-1] == precision

    @pytest.mark.parametrize("which", [0, 1, 2], ids=["dl19", "robust03", "cacm"])
    def test_on_real_collections_too(self, shared_data, which):
        qrels, runs = list(shared_collections(shared_data))[which]
        levels, ks = [IPrec @ level for level in LEVELS], range(1, 101)
        scores = cf.evaluate(
            qrels, runs, [*levels, *(nDCG @ k for k in ks), *(P @ k for k in ks), *(R @ k for k in ks)]
        )
        agrees_with_evaluate(scores.curve("pr11"), scores, levels)
        for family in (nDCG, P, R):
            agrees_with_evaluate(scores.curve("at-k", family, k=100), scores, [family @ k for k in ks])

    def test_eleven_points_are_those_of_trec_eval(self, shared_data):
        folder = shared_data / "02-dl19-passage"
        reference = folder / "reference" / "trec_eval-9.0.8" / "ICT-BERT2.default.txt.gz"
        lines = gzip.decompress(reference.read_bytes()).decode().splitlines()
        printed = [float(line.split()[2]) for line in lines if line.startswith("iprec_at_recall") and "\tall\t" in line]
        run = folder / "runs" / "ICT-BERT2.run.gz"
        scores = cf.evaluate(folder / "qrels.dl19-passage.txt", run, "AP", profile="trec_eval-9")
        assert len(printed) == 11
        assert scores.curve().lines[0].y.tolist() == pytest.approx(printed, abs=0.5e-4 + 1e-9)


class TestChoices:
    def test_a_curve_is_of_what_was_evaluated(self):
        chosen = {"depth": 5, "judged_only": True, "rel": 2, "average_over": "answered"}
        measures = [IPrec @ level for level in LEVELS]
        scores = cf.evaluate(QRELS, RUNS, measures, **chosen)
        agrees_with_evaluate(curve_of(scores), scores, measures)

    def test_a_profile_decides_about_levels_of_recall(self):
        measures = [IPrec @ level for level in LEVELS]
        scores = cf.evaluate(QRELS, RUNS, measures, profile="trec_eval-9")
        assert scores.curve().lines[0].y.tolist() == [scores.mean(m, "title").value for m in scores.measures]
        assert scores.curve().lines[0].y.tolist() != cf.curve(QRELS, RUNS).lines[0].y.tolist()

    def test_ties_are_averaged_over_where_the_evaluation_does(self):
        measures = [P @ k for k in (1, 2, 3)]
        scores = cf.evaluate(QRELS, {"title": RUNS["title"]}, measures, ties="average")
        curve = scores.curve("at-k", "P", k=3)
        assert curve.lines[0].y.tolist() == [scores.mean(measure).value for measure in measures]

    def test_measures_of_subtopics_are_drawn_too(self):
        judged = cf.read_judgments(
            [("q1", 1, "d1", 1), ("q1", 2, "d2", 1), ("q1", 2, "d3", 0)], columns="query,subtopic,document,grade"
        )
        curve = cf.curve(judged, {"q1": ["d3", "d1", "d2"]}, "at-k", "StRecall", k=3)
        assert curve.lines[0].y.tolist() == [0, 0.5, 1]

    def test_judgments_with_several_grades_have_no_curve_of_one(self):
        rows = [("q1", 1, "d1", 1), ("q1", 2, "d1", 0)]
        judged = cf.read_judgments(rows, columns="query,subtopic,document,grade").grouped("subtopic")
        scores = cf.evaluate(judged, {"q1": ["d1"]}, "StRecall@1")
        with pytest.raises(UsageError, match="reads one grade for each document"):
            scores.curve("pr11")

    def test_a_million_documents_have_no_million_cutoffs(self):
        chosen = cutoffs(1_000_000)
        assert chosen[:100] == tuple(range(1, 101))
        assert chosen[-1] == 1_000_000
        assert len(chosen) < 200


class TestOneQuery:
    def test_the_saw_tooth_has_a_point_for_each_document(self):
        curve = cf.curve(QRELS, {"bm25": RUNS["bm25"]}, "pr", query="q70")
        scores = cf.evaluate(QRELS, {"bm25": RUNS["bm25"]}, [family @ k for k in range(1, 31) for family in (P, R)])
        at = scores.queries.index("q70")
        line = curve.lines[0]
        assert line.x.tolist() == [scores[R @ k][0, at] for k in range(1, 31)]
        assert line.y.tolist() == [scores[P @ k][0, at] for k in range(1, 31)]

    def test_its_table_shows_what_interpolation_makes_of_it(self):
        table = cf.curve({"q1": ["d2", "d4", "x"]}, {"q1": ["d1", "d2", "d3", "d4"]}, "pr", query="q1").table()
        assert table.columns["interpolated"] == [0.5, 0.5, 0.5, 0.5]

    def test_eleven_points_of_one_query_are_its_own(self):
        curve = cf.curve(QRELS, {"bm25": RUNS["bm25"]}, query="q70")
        scores = cf.evaluate(QRELS, {"bm25": RUNS["bm25"]}, [IPrec @ level for level in LEVELS])
        at = scores.queries.index("q70")
        assert curve.lines[0].y.tolist() == [scores[IPrec @ level][0, at] for level in LEVELS]
        assert "low" not in curve.table().columns

    def test_it_keeps_within_what_the_evaluation_sees(self):
        seen = cf.curve(QRELS, {"bm25": RUNS["bm25"]}, "pr", query="q70", depth=4, rel=2, judged_only=True).lines[0]
        assert len(seen.x) <= 4
        assert seen.points.num_rel == sum(grade >= 2 for grade in cf.read_judgments(QRELS)["q70"].values())

    def test_where_there_is_one_query_only_the_curve_is_its_own(self):
        assert cf.curve({"q1": ["d1"]}, {"q1": ["d1"]}).query == "q1"

    def test_a_query_nobody_judged_is_answered_with_the_nearest(self, scores):
        with pytest.raises(UsageError, match="Did you mean q70"):
            scores.curve(query="q770")

    @pytest.mark.parametrize("kind", ["pr11", "pr", "at-k"])
    def test_a_query_without_relevant_documents_has_no_curve(self, kind):
        with pytest.raises(UsageError, match="no document of grade 1 or more in the judgments, so it has no curve"):
            cf.curve({"q1": {"d1": 0}, "q2": ["d1"]}, {"q1": ["d1"]}, kind, query="q1")

    def test_a_query_without_an_answer_has_a_curve_of_zeros(self):
        judged = {"q1": ["d1"], "q2": ["d1"]}
        assert cf.curve(judged, {"q1": ["d1"]}, query="q2").lines[0].y.tolist() == [0] * 11
        assert not cf.curve(judged, {"q1": ["d1"]}, "at-k", query="q2").lines[0].y.any()


class TestEveryQuery:
    def test_the_mean_of_all_is_the_curve(self, scores):
        line = scores.curve(per_query=True).lines[0]
        assert line.y_by_query.shape == (70, 11)
        assert line.y_by_query.mean(axis=0) == pytest.approx(line.y)

    def test_a_table_has_them_before_the_mean(self, scores):
        columns = scores.curve(per_query=True).table().columns
        assert columns["query"][:12] == ["q01"] * 11 + ["q02"]
        assert columns["query"].count("all") == 3 * 11
        assert math.isnan(columns["low"][0])

    def test_queries_that_do_not_count_are_left_out(self):
        judged = {"q1": ["d1"], "q2": ["d1"]}
        answered = cf.evaluate(judged, {"q1": ["d1"]}, "AP", average_over="answered")
        assert answered.curve(per_query=True).lines[0].queries == ("q1",)


class TestCharacteristic:
    def test_it_is_averaged_over_queries_that_have_documents_of_both_sorts(self):
        line = cf.curve(JUDGED, RUN, "roc").lines[0]
        assert line.y[[0, 50, 100]].tolist() == [0.25, 0.5, 1]
        assert line.area == (0.75 + 0) / 2
        notes = cf.curve(JUDGED, RUN, "roc").notes
        assert notes[1] == "Area below: run 0.3750."
        assert notes[-1] == "run: 1 query left out because relevant or irrelevant documents are missing."

    def test_the_area_below_the_mean_curve_is_the_mean_area(self, scores):
        line = scores.curve("roc").lines[0]
        below = (line.y[1:] + line.y[:-1]) / 2 * np.diff(line.x)
        assert below.sum() == pytest.approx(line.area, abs=0.01)

    def test_one_query_has_its_corners(self):
        line = cf.curve(JUDGED, RUN, "roc", query="q1").lines[0]
        assert list(zip(line.x.tolist(), line.y.tolist(), strict=True)) == [
            (0, 0),
            (0, 0.5),
            (0.5, 0.5),
            (0.5, 1),
            (1, 1),
            (1, 1),
        ]

    def test_a_query_with_relevant_documents_only_has_none(self):
        with pytest.raises(UsageError, match="judged documents of grade 1 or more, and of less"):
            cf.curve(JUDGED, RUN, "roc", query="q3")

    def test_nor_have_judgments_of_relevant_documents_only(self):
        with pytest.raises(DataError, match='kind="pr11"'):
            cf.curve({"q1": ["a"], "q2": ["b"]}, {"q1": ["a"]}, "roc")


class TestWords:
    def test_json_holds_every_point_in_full(self, scores):
        held = json.loads(json.dumps(scores.curve().to_dict()))
        assert held["kind"] == "pr11"
        assert held["rows"][0]["precision"] == scores.curve().lines[0].y[0]
        assert held["notes"] == ["Means over all 70 judged queries."]

    def test_printing_shows_a_sketch(self, scores):
        text = str(scores.curve())
        assert text.startswith("Interpolated precision at 11 levels of recall, mean of 70 queries\n\nprecision\n1.00 ┤")
        assert "a title   b bm25   c hybrid\n" in text
        assert max(map(len, text.splitlines())) <= 80

    def test_in_a_list_it_only_says_what_it_is(self, scores):
        assert repr(scores.curve()) == "Curve(pr11)"

    def test_a_sketch_has_a_panel_for_each_measure(self, scores):
        assert str(scores.curve("at-k", "nDCG P")).count("a title   b bm25") == 2


class TestWhatIsWrong:
    def test_a_kind_nobody_knows(self, scores):
        with pytest.raises(UsageError, match=r"A curve is pr11, .* or roc, not 'pr10'. Did you mean pr11"):
            scores.curve("pr10")

    def test_a_measure_where_the_kind_has_its_own(self, scores):
        with pytest.raises(UsageError, match="kind at-k draws any measure"):
            scores.curve("pr11", "nDCG")

    def test_a_measure_that_has_its_cutoff_already(self):
        with pytest.raises(UsageError, match="ndcg_cut_10 has a cutoff of its own; write nDCG"):
            families("at-k", "ndcg_cut_10")

    @pytest.mark.parametrize("name", ["Rprec", "IPrec", "IPrec@0.1"])
    def test_a_measure_without_a_cutoff(self, name):
        with pytest.raises(UsageError, match="has no cutoff, so it cannot be drawn for each k"):
            families("at-k", name)

    def test_a_measure_nobody_knows(self):
        with pytest.raises(UsageError, match=r"There is no measure 'nDGC'\. Did you mean nDCG"):
            families("at-k", "nDGC")

    def test_no_measure_at_all(self):
        with pytest.raises(UsageError, match="No measure was asked for"):
            families("at-k", [])

    @pytest.mark.parametrize("k", [0, -1, 1.5, True, "ten"])
    def test_a_last_cutoff_that_is_no_number_of_documents(self, scores, k):
        with pytest.raises(UsageError, match="k, the last cutoff, must be a whole number of at least 1"):
            scores.curve("at-k", k=k)

    def test_several_measures_in_one_string_are_several(self):
        assert families("at-k", "nDCG P(rel=2) recall") == (nDCG, P(rel=2), R)
