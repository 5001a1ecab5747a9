"""Figures: what they show are the library's numbers, and they can be read."""

import io
import math
import sys
import xml.etree.ElementTree as ET
from concurrent.futures import ThreadPoolExecutor

import matplotlib as mpl
import numpy as np
import pytest
from matplotlib.patches import Rectangle

import cranfield as cf
from cranfield import demo, nDCG
from cranfield.errors import UsageError
from cranfield.evaluating.saved_scores import from_dict, to_dict
from cranfield.figures import heat_map, paired, plots, style
from cranfield.figures.images import save, svg
from cranfield.figures.points import LEVELS
from cranfield.measures import IPrec

SVG = "{http://www.w3.org/2000/svg}"
RUNS = {name: demo.path(f"{name}.run") for name in ("title", "bm25", "dense", "hybrid")}
QRELS = demo.path("qrels.txt")
HOSTILE = [
    "_underscore",
    "$\\frac{1}{0}$",
    "<script>&amp;\"'",
    "\\textbf{x} 50% #1",
    "bell\x07 and \x1b[31mred",
    "\u202eright to left",
    "x" * 10_000,
    "検索",
]


@pytest.fixture(scope="module")
def scores():
    return cf.evaluate(QRELS, RUNS, ["nDCG@10", "RR", "SL"])


@pytest.fixture(scope="module")
def comparison(scores):
    return cf.compare(scores, resamples=500)


@pytest.fixture(scope="module")
def hostile():
    rng = np.random.default_rng(3)
    judged = {name: {"d1": 1, "d2": 0, "d3": 1} for name in HOSTILE}
    runs = {
        name: {query: {f"d{at}": float(rng.random()) for at in range(1, 5)} for query in judged} for name in HOSTILE
    }
    return cf.evaluate(judged, runs, ["nDCG@3"])


def many(runs, queries, seed=1):
    """Scores of many systems for many queries."""
    rng = np.random.default_rng(seed)
    judged = {f"q{at}": {f"d{number}": int(rng.integers(0, 2)) for number in range(6)} for at in range(queries)}
    made = {
        f"run{run:02}": {
            query: {d: float(rng.normal() + run / runs * g) for d, g in of.items()} for query, of in judged.items()
        }
        for run in range(runs)
    }
    return cf.evaluate(judged, made, ["nDCG@3", "RR"])


def drawn_lines(figure, panel=0):
    """The data of lines that have more than two points, the diagonal and axes left out."""
    return [line for line in figure.axes[panel].lines if len(line.get_xdata()) > 2]


def texts(figure):
    return [text.text or "" for text in ET.fromstring(svg(figure)).iter(f"{SVG}text")]


@pytest.mark.parametrize("runs", [4, 9, 20])
def test_a_legend_takes_a_quarter_of_a_figure_for_a_column(runs):
    figure = many(runs, 4).plot_precision_recall(size=(3.3, 2.4))
    figure.canvas.draw()
    (legend,) = figure.legends
    assert legend.get_window_extent().height <= 0.27 * figure.bbox.height


class TestCurves:
    def test_eleven_points_of_every_run(self, scores):
        lines = drawn_lines(scores.plot_precision_recall())
        expected = cf.evaluate(QRELS, RUNS, [IPrec @ level for level in LEVELS])
        assert [line.get_xdata().tolist() for line in lines] == [list(LEVELS)] * 4
        assert [line.get_ydata().tolist() for line in lines] == [
            [expected.mean(IPrec @ level, run).value for level in LEVELS] for run in RUNS
        ]

    def test_a_measure_at_every_cutoff(self, scores):
        lines = drawn_lines(scores.plot_at_k(k=20))
        expected = cf.evaluate(QRELS, RUNS, [nDCG @ k for k in range(1, 21)])
        for line, run in zip(lines, RUNS, strict=True):
            assert line.get_ydata().tolist() == [expected.mean(nDCG @ k, run).value for k in range(1, 21)]

    def test_intervals_are_bands_where_there_are_few_runs(self, scores):
        curve = scores.curve()
        figure = curve.plot()
        assert "95% interval" in texts(figure)
        band = figure.axes[0].collections[0].get_paths()[0].vertices
        assert band[:, 1].min() == curve.lines[0].low.min()
        assert not many(5, 4).plot_precision_recall().axes[0].collections

    def test_several_measures_have_a_panel_each(self, scores):
        figure = scores.plot_at_k("nDCG P R")
        assert [axes.get_ylabel() for axes in figure.axes] == ["nDCG@k", "P@k", "R@k"]

    def test_precision_and_recall_by_depth_stand_on_a_logarithm(self, scores):
        figure = scores.plot_depth()
        assert [axes.get_xscale() for axes in figure.axes] == ["log", "log"]
        assert drawn_lines(figure, 1)[0].get_ydata().tolist() == scores.curve("depth").lines[4].y.tolist()

    def test_the_area_below_a_characteristic_stands_beside_its_name(self, scores):
        curve = scores.curve("roc")
        assert f"bm25 ({curve.lines[1].area:.3f})" in texts(curve.plot())
        assert drawn_lines(curve.plot())[1].get_ydata().tolist() == curve.lines[1].y.tolist()

    def test_every_run_has_a_look_of_its_own(self):
        lines = drawn_lines(many(12, 4).plot_precision_recall())
        looks = {(line.get_color(), line.get_marker(), str(line._dash_pattern)) for line in lines}
        assert len(lines) == len(looks) == 12

    def test_one_run_needs_no_legend_and_is_named_in_the_title(self):
        figure = cf.curve(QRELS, {"bm25": RUNS["bm25"]}, "pr").plot()
        assert not figure.legends
        assert figure.get_suptitle().endswith("bm25")

    def test_every_query_is_a_thin_line_behind_the_mean(self):
        curve = many(2, 30).curve(per_query=True)
        figure = curve.plot()
        assert [len(axes.lines) for axes in figure.axes] == [31, 31]
        assert figure.axes[0].lines[-1].get_ydata().tolist() == curve.lines[0].y.tolist()
        assert figure.axes[0].lines[3].get_ydata().tolist() == curve.lines[0].y_by_query[3].tolist()

    def test_of_many_queries_it_is_shown_where_most_of_them_are(self, scores):
        curve = scores.curve(per_query=True)
        figure = curve.plot()
        assert [len(axes.lines) for axes in figure.axes] == [1] * 4
        outer = figure.axes[0].collections[0].get_paths()[0].vertices
        assert outer[:, 1].min() == np.quantile(curve.lines[0].y_by_query, 0.1, axis=0).min()

    def test_of_more_runs_than_panels_the_rest_is_counted(self):
        assert "; 3 more runs not drawn" in many(15, 4).plot_precision_recall(per_query=True).get_suptitle()


class TestManyRuns:
    def test_the_best_stand_out_and_the_others_are_counted(self):
        curve = many(64, 6).curve()
        figure = curve.plot()
        means = {line.run: line.y.mean() for line in curve.lines}
        best = sorted(means, key=lambda run: -means[run])[:8]
        labels = [text.get_text() for text in figure.legends[0].get_texts()]
        assert labels == [*best, "56 others"]
        assert len(drawn_lines(figure)) == 64
        assert sum(line.get_color() == style.FAINT for line in drawn_lines(figure)) == 56

    def test_others_stand_out_when_they_are_named(self):
        figure = many(64, 6).plot_precision_recall(highlight=["run07"])
        assert [text.get_text() for text in figure.legends[0].get_texts()] == ["run07", "63 others"]

    def test_a_legend_that_would_fill_the_figure_is_cut(self):
        figure = many(12, 4).plot_precision_recall(size=(2.2, 1.4))
        last = figure.legends[0].get_texts()[-1].get_text()
        assert last.startswith("and ")
        assert last.endswith(" more")

    def test_figures_grow_with_the_runs(self):
        small, large = many(4, 5), many(64, 5)
        for picture in ("plot_distribution", "plot_heatmap"):
            heights = [getattr(given, picture)().get_size_inches()[1] for given in (small, large)]
            assert heights[0] < heights[1] < 20


class TestOneQuery:
    def test_the_saw_tooth_the_steps_and_the_eleven_points(self):
        curve = cf.curve(QRELS, {"bm25": RUNS["bm25"]}, query="q70")
        points = curve.lines[0].points
        lines = curve.plot().axes[0].lines
        tooth, _, relevant, steps, eleven = lines
        assert tooth.get_xydata().tolist() == np.stack([points.recall, points.precision], axis=1).tolist()
        assert relevant.get_ydata().tolist() == [1, 1, 0.5]
        assert steps.get_xydata().tolist() == np.stack(points.steps, axis=1).tolist()
        assert eleven.get_ydata().tolist() == curve.lines[0].y.tolist()

    def test_ranks_stand_beside_the_points_of_a_short_ranking(self):
        figure = cf.curve({"q": ["a", "c"]}, {"q": ["a", "b", "c"]}, "pr").plot()
        assert [text.get_text() for text in figure.axes[0].texts] == ["1", "2", "3"]

    def test_the_saw_tooth_alone_has_no_steps(self):
        assert len(cf.curve({"q": ["a", "c"]}, {"q": ["a", "b", "c"]}, "pr").plot().axes[0].lines) == 3

    def test_several_runs_have_steps_each(self, scores):
        figure = scores.plot_precision_recall(query="q70")
        assert len(figure.axes[0].lines) == 8

    def test_an_explanation_draws_its_query(self):
        explained = cf.explain(QRELS, RUNS["bm25"], "AP", query="q70")
        figure = explained.plot()
        curve = cf.curve(QRELS, {"bm25": RUNS["bm25"]}, query="q70").plot()
        data = [[line.get_xydata().tolist() for line in one.axes[0].lines] for one in (figure, curve)]
        assert data[0] == data[1]
        assert figure.get_suptitle().replace("\n", " ").endswith("query q70, bm25: AP = 0.6250")

    def test_an_explanation_without_relevant_documents_cannot(self):
        explained = cf.explain({"q": {"d": 0}}, {"q": ["d"]}, "AP", query="q")
        with pytest.raises(UsageError, match="so it has no curve"):
            explained.plot()


class TestQueries:
    def test_differences_are_bars_better_ones_to_one_side(self, scores):
        pair = paired(scores, run="hybrid", baseline="bm25").pairs[0]
        figure = scores.plot_differences("hybrid", "bm25")
        bars = [patch for patch in figure.axes[0].patches if isinstance(patch, Rectangle)]
        assert [bar.get_height() for bar in bars] == [value for value in pair.differences.tolist() if value]
        colours = {bar.get_height() > 0: mpl.colors.to_hex(bar.get_facecolor()).upper() for bar in bars}
        assert colours == {True: style.BETTER, False: style.WORSE}

    def test_few_queries_are_named(self):
        given = many(2, 8)
        figure = given.plot_differences()
        labels = [label.get_text() for label in figure.axes[0].get_xticklabels()]
        assert sorted(labels) == sorted(given.queries)

    def test_of_thousands_an_outline_is_drawn(self):
        figure = many(2, 700).plot_differences()
        assert not figure.axes[0].patches
        assert len(svg(figure)) < 200_000

    def test_of_a_measure_whose_less_is_better_a_gain_points_down(self, scores):
        bars = scores.plot_differences("hybrid", "title", "SL").axes[0].patches
        better = [bar for bar in bars if mpl.colors.to_hex(bar.get_facecolor()).upper() == style.BETTER]
        assert better
        assert all(bar.get_height() < 0 for bar in better)

    def test_a_scatter_has_every_query_once(self, scores):
        figure = scores.plot_scatter("hybrid", "bm25", "RR")
        pair = paired(scores, "RR", run="hybrid", baseline="bm25").pairs[0]
        places = {tuple(place) for part in figure.axes[0].collections for place in part.get_offsets().tolist()}
        assert places == set(zip(pair.of_baseline.tolist(), pair.scores.tolist(), strict=True))
        assert (figure.axes[0].get_xlabel(), figure.axes[0].get_ylabel()) == ("bm25", "hybrid")

    def test_a_distribution_has_means_and_medians(self, scores):
        axes = scores.plot_distribution().axes[0]
        means = [line.get_xdata()[0] for line in axes.lines]
        assert sorted(means) == sorted(scores.mean("nDCG@10", run).value for run in RUNS)
        best = [label.get_text() for label in axes.get_yticklabels()][-1]
        assert best == "hybrid"

    def test_a_heat_map_shows_every_score(self, scores):
        heat = heat_map(scores)
        axes = heat.plot().axes[0]
        assert axes.images[0].get_array().tolist() == heat.values.tolist()
        assert [label.get_text() for label in axes.get_yticklabels()] == list(heat.runs)

    def test_few_scores_are_written_into_it(self):
        given = many(2, 5)
        heat = heat_map(given)
        written = [text.get_text() for text in heat.plot().axes[0].texts]
        assert written == [f"{value:.2f}" for value in heat.values.ravel()]

    def test_of_thousands_neighbours_are_averaged(self):
        axes = many(2, 900).plot_heatmap().axes[0]
        assert axes.images[0].get_array().shape == (2, 400)
        assert axes.get_xlabel() == "900 queries, lowest mean first, a column for about 2 of them"

    def test_grades_are_counted(self, scores):
        axes = scores.plot_grades().axes[0]
        assert [bar.get_height() for bar in axes.patches] == [988, 171, 83, 96]
        assert axes.get_ylim()[0] == 0

    def test_kept_results_are_drawn_as_scores_are(self, scores):
        kept = from_dict(to_dict(scores))
        assert svg(kept.plot_differences("hybrid", "bm25")) == svg(scores.plot_differences("hybrid", "bm25"))
        assert svg(kept.plot_scatter(measure="RR")) == svg(scores.plot_scatter(measure="RR"))
        assert svg(kept.plot_distribution()) == svg(scores.plot_distribution())
        assert svg(kept.plot_heatmap()) == svg(scores.plot_heatmap())

    def test_one_query_is_drawn_too(self):
        given = many(3, 1)
        for picture in ("plot_differences", "plot_scatter", "plot_distribution", "plot_heatmap", "plot_at_k"):
            assert "queries" not in " ".join(texts(getattr(given, picture)()))


class TestForest:
    def test_every_difference_has_its_interval(self, comparison):
        axes = comparison.plot("nDCG@10").axes[0]
        found = comparison.of("nDCG@10")
        dots = [line for line in axes.lines if line.get_marker() == "o"]
        assert [dot.get_xdata()[0] for dot in dots] == [one.difference for one in found]
        spans = [part.get_segments()[0][:, 0].tolist() for part in axes.collections]
        assert spans == [[one.low, one.high] for one in found]
        assert [label.get_text() for label in axes.get_yticklabels()] == ["bm25", "dense", "hybrid"]

    def test_a_dot_is_filled_where_the_difference_is_more_than_chance(self, scores):
        found = cf.compare(scores, baseline="bm25", resamples=2000)
        dots = [line for line in found.plot("nDCG@10").axes[0].lines if line.get_marker() == "o"]
        filled = [dot.get_markerfacecolor() != "white" for dot in dots]
        assert filled == [one.is_significant(found.choices.alpha) for one in found.of("nDCG@10")]
        assert True in filled
        assert False in filled

    def test_every_measure_has_a_panel(self, comparison):
        labels = [axes.get_xlabel() for axes in comparison.plot().axes]
        assert labels == ["difference of nDCG@10", "difference of RR", "difference of SL, less is better"]

    def test_all_pairs_name_both_runs(self, scores):
        figure = cf.compare(scores, all_pairs=True, resamples=200).plot("RR")
        assert "hybrid – dense" in texts(figure)

    def test_one_query_has_no_intervals_but_dots(self):
        found = cf.compare(many(2, 1), resamples=10)
        axes = found.plot("RR").axes[0]
        assert not axes.collections
        assert [line.get_xdata()[0] for line in axes.lines if line.get_marker() == "o"] == [
            found.of("RR")[0].difference
        ]

    def test_a_measure_that_was_not_compared_is_told(self, comparison):
        with pytest.raises(UsageError, match="AP was not evaluated"):
            comparison.plot("AP")


@pytest.mark.filterwarnings("ignore:Glyph .* missing from:UserWarning")
class TestHostileNames:
    @pytest.mark.parametrize(
        "draw",
        [
            lambda given: given.plot_precision_recall(),
            lambda given: given.plot_precision_recall(query="$\\frac{1}{0}$"),
            lambda given: given.plot_at_k(per_query=True),
            lambda given: given.plot_roc(),
            lambda given: given.plot_differences(),
            lambda given: given.plot_differences("_underscore", "$\\frac{1}{0}$"),
            lambda given: given.plot_scatter(),
            lambda given: given.plot_distribution(),
            lambda given: given.plot_heatmap(),
            lambda given: cf.compare(given, resamples=20).plot(),
        ],
        ids=["pr", "query", "each", "roc", "differences", "pair", "scatter", "distribution", "heatmap", "forest"],
    )
    def test_they_are_shown_as_text(self, hostile, draw, tmp_path):
        figure = draw(hostile)
        written = " ".join(texts(figure))
        assert "$\\frac{1}{0}$" in written
        assert all(sign.isprintable() for sign in written)
        assert "x" * 100 not in written
        save(figure, tmp_path / "figure.pdf")

    def test_all_of_them_are_in_the_legend(self, hostile):
        shown = texts(hostile.plot_precision_recall())
        for name in ("_underscore", "$\\frac{1}{0}$", "<script>&amp;\"'", "\\textbf{x} 50% #1", "検索"):
            assert name in shown
        assert "bell� and �[31mred" in shown

    def test_they_do_not_leave_the_figure(self, hostile):
        figure = hostile.plot_precision_recall()
        figure.draw_without_rendering()
        assert figure.legends[0].get_window_extent().x1 <= figure.bbox.x1


class TestTheFigureItself:
    def test_a_notebook_shows_it(self, scores):
        assert scores.plot_precision_recall()._repr_png_().startswith(b"\x89PNG")

    def test_a_notebook_shows_a_curve_as_its_figure(self, scores):
        shown = scores.curve()._repr_html_()
        assert shown.startswith("<div")
        ET.fromstring(shown.replace("xlink:href", "href"))

    def test_without_matplotlib_a_notebook_shows_the_table(self, scores, monkeypatch):
        monkeypatch.setitem(sys.modules, "matplotlib", None)
        assert scores.curve()._repr_html_().startswith("<table")

    def test_pyplot_is_not_touched(self, scores):
        before = dict(mpl.rcParams)
        scores.plot_precision_recall().savefig(io.BytesIO())
        assert dict(mpl.rcParams) == before
        assert "matplotlib.pyplot" not in sys.modules or not sys.modules["matplotlib.pyplot"].get_fignums()

    def test_a_size_is_kept_and_a_title(self, scores):
        figure = scores.plot_heatmap(size=(3.3, 2.5), title="Mine")
        assert figure.get_size_inches().tolist() == [3.3, 2.5]
        assert figure.get_suptitle() == "Mine"
        assert scores.plot_heatmap(title="").get_suptitle() == ""

    def test_threads_may_draw_side_by_side(self, scores):
        alone = svg(scores.plot_precision_recall())
        with ThreadPoolExecutor(4) as workers:
            figures = list(workers.map(lambda _: scores.plot_precision_recall(), range(8)))
        assert {svg(figure) for figure in figures} == {alone}

    @pytest.mark.parametrize("size", [None, (3.3, 2.6)], ids=["usual", "one column"])
    @pytest.mark.parametrize("picture", ["plot_precision_recall", "plot_at_k", "plot_roc", "plot_depth"])
    def test_legend_and_axes_do_not_overlap(self, scores, picture, size):
        figure = getattr(scores, picture)(size=size)
        figure.draw_without_rendering()
        legend = figure.legends[0].get_window_extent()
        for axes in figure.axes:
            assert axes.get_tightbbox().y0 >= legend.y1 - 1
            assert axes.get_window_extent().height > 0.3 * figure.bbox.height
        assert legend.x1 <= figure.bbox.x1

    def test_what_is_no_picture_has_no_figure(self):
        with pytest.raises(TypeError, match="str has no figure"):
            plots.plot("text")


def test_undefined_scores_are_drawn_nowhere():
    undefined = cf.evaluate({"q1": ["d1"], "q2": ["d2"]}, {"a": {"q1": ["d1"], "q2": ["x"]}}, "SL")
    assert math.isnan(undefined["SL"][0, 1])
    heat = undefined.plot_heatmap().axes[0].images[0].get_array()
    assert heat.mask.sum() == 0  # a query that no run has a score for is not there
    assert heat.shape == (1, 1)
