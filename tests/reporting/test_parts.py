"""The smaller parts of the page: curves, slices, and whether a conclusion holds."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as some
from markupsafe import escape

import cranfield as cf
from cranfield import demo
from cranfield.reporting.contents import WITHOUT_LISTS
from cranfield.reporting.embedding import MISSING, packed, ten_thousandths, unpacked


class TestEmbedding:
    @given(some.lists(some.floats(0, 1)))
    def test_numbers_come_back_to_the_last_bit(self, values):
        column = np.array(values, dtype=np.float64)
        assert unpacked(packed(None, {"x": column}))[1]["x"].tobytes() == column.tobytes()

    @given(some.lists(some.floats(0, 1), min_size=1))
    def test_ten_thousandths_are_what_people_read(self, values):
        found = ten_thousandths(np.array(values))
        assert [f"{number / 10_000:.4f}" for number in found.tolist()] == [f"{value:.4f}" for value in values]

    def test_an_undefined_score_stays_undefined(self):
        assert ten_thousandths(np.array([math.nan])).tolist() == [MISSING]


@pytest.fixture(scope="module")
def full(garden):
    return cf.report(garden, queries=demo.path("queries.tsv"), by=["intent", "words"]).contents


class TestSlices:
    def test_come_worst_first_with_the_numbers_of_a_comparison(self, garden, full):
        compared = cf.compare(garden, baseline="bm25", queries=demo.path("queries.tsv"), by=["intent", "words"])
        for found, slicing in zip(full.sliced["AP", "dense"], compared.slicings, strict=True):
            expected = {
                part.name: one
                for part in slicing.slices
                for one in part.differences
                if str(one.measure) == "AP" and one.run == "dense"
            }
            assert {part.name for part in found.parts} == set(expected)
            differences = [expected[part.name].difference for part in found.parts]
            assert differences == sorted(differences)
            assert [part.queries for part in found.parts] == [expected[part.name].queries for part in found.parts]

    def test_without_queries_are_refused(self, garden):
        with pytest.raises(cf.UsageError, match='by="intent" needs queries='):
            cf.report(garden, by="intent")

    def test_of_queries_that_are_not_these_are_refused(self, garden):
        with pytest.raises(cf.DataError, match="has none of the evaluated queries"):
            cf.report(garden, queries={"other": "text"})


class TestRobustness:
    def test_says_what_a_comparison_says(self, garden, full):
        found = cf.compare(garden, baseline="bm25").sensitivity()
        assert " ".join(pair.sentence for pair in full.robustness.pairs) == found.verdict()
        assert [len(pair.varied) for pair in full.robustness.pairs] == [len(pair.variations) for pair in found.pairs]

    def test_can_be_left_out(self, garden):
        contents = cf.report(garden, sensitivity=False).contents
        assert contents.robustness is None
        assert contents.absent == ("Whether conclusions hold with other settings was not checked.",)

    def test_is_not_asked_where_it_would_take_long(self):
        judged = {f"q{at}": {"d": 1} for at in range(1300)}
        runs = {name: {query: ["d"] for query in judged} for name in "ab"}
        (absent,) = cf.report(cf.evaluate(judged, runs, "RR")).contents.absent
        assert absent.endswith("was not checked: it takes long with 2,600 scores.")


class TestCurves:
    def test_have_the_means_of_the_library(self, garden, full):
        at_k, recall = full.curves
        expected_at_k = cf.evaluate(garden.detail.judgments, garden.detail.sources, "nDCG@1 nDCG@10")
        for line in at_k.lines:
            expected = expected_at_k.mean("nDCG@10", line.run).value
            expected = (
                cf.evaluate(garden.detail.judgments, garden.detail.sources, "nDCG@1 nDCG@10")
                .mean("nDCG@10", line.run)
                .value
            )
            assert line.values[[name for name, _ in at_k.xs].index("10")] == f"{expected:.4f}"
        means = cf.evaluate(garden.detail.judgments, garden.detail.sources, "IPrec@0.5")
        assert [line.values[5] for line in recall.lines] == [
            f"{means.mean('IPrec@0.5', run).value:.4f}" for run in garden.runs
        ]

    def test_of_saved_results_are_absent_and_it_says_why(self, garden, tmp_path):
        cf.save(garden, tmp_path / "kept.json")
        contents = cf.report(cf.load(tmp_path / "kept.json")).contents
        assert contents.curves == ()
        assert contents.absent == (WITHOUT_LISTS,)
        assert WITHOUT_LISTS.startswith("Ranked lists and curves are not included")


class TestTheNotebook:
    def test_shows_verdict_systems_and_drawing_without_code(self, garden_report):
        shown = garden_report._repr_html_()
        first, *others = map(escape, garden_report.contents.first.sentences)
        assert f"<b>{first}</b> {' '.join(others)}" in shown
        assert "<svg" in shown
        assert "<script" not in shown

    def test_shows_names_as_text(self):
        runs = {"<script>alert(1)</script>": {"q1": ["d1"]}, "b": {"q1": ["d1"]}}
        shown = cf.report(cf.evaluate({"q1": {"d1": 1}}, runs, "RR"))._repr_html_()
        assert "<script>" not in shown
        assert "&lt;script&gt;" in shown


@pytest.fixture(scope="module")
def ten():
    """Ten systems and a thousand queries, with ids that hardly deflate."""
    rng = np.random.default_rng(0)
    queries = [str(1_000_000 + 37 * at) for at in range(1000)]
    judged, runs = {}, {f"system{at}": {} for at in range(10)}
    for query in queries:
        pool = rng.choice(8_000_000, 60, replace=False).astype(str).tolist()
        judged[query] = dict(zip(pool[:20], rng.integers(0, 4, 20).tolist(), strict=True))
        for run in runs.values():
            run[query] = rng.permutation(pool)[:30].tolist()
    return cf.evaluate(judged, runs, ["nDCG@10", "AP", "RR", "R@100"])


class TestSize:
    def test_of_ten_systems_and_a_thousand_queries_is_below_a_megabyte(self, ten):
        page = cf.report(ten, resamples=100).html
        assert len(page.encode()) < 1_000_000
        assert "Ranked lists show the first" in page

    def test_can_be_chosen(self, ten):
        small = cf.report(ten, resamples=100, max_megabytes=0.6).html
        assert len(small.encode()) < 620_000
        assert "would make the page too large" in small or "to limit the size of the page" in small

    @pytest.mark.parametrize(("name", "value"), [("max_megabytes", 0), ("depth_shown", -1), ("depth_shown", 2.5)])
    def test_must_be_possible(self, garden, name, value):
        with pytest.raises(cf.UsageError, match=name):
            cf.report(garden, **{name: value})


class TestFailingQueries:
    def test_are_those_of_the_library(self, garden, full):
        worst = garden.worst(measure="nDCG@10")
        found = full.failing["nDCG@10"]
        assert [row.query for row in found.queries] == [row.query for row in worst.worst]
        assert found.verdict == worst.verdict()
        assert [name for name, _ in found.columns] == ["fails in", "mean", "bm25", "dense", "hybrid", "title"]
        assert found.queries[0].text == "rodents eating my peas"

    def test_are_all_named_where_more_fail_than_are_listed(self):
        judged = {f"q{at}": {"d": 1} for at in range(31)}
        runs = {name: {query: ["d" if query == "q0" else "x"] for query in judged} for name in ("old", "new")}
        made = cf.report(cf.evaluate(judged, runs, "RR"))
        assert len(made.contents.failing["RR"].everywhere) == 30
        assert made.contents.failing["RR"].verdict == "30 of 31 queries fail in every run (RR is 0)."
        assert "All queries that fail in every system (30)" in made.html

    def test_have_no_column_of_failures_where_nothing_fails(self):
        judged = {f"q{at}": {"d": 1} for at in range(3)}
        runs = {name: {query: ["d"] for query in judged} for name in ("old", "new")}
        found = cf.report(cf.evaluate(judged, runs, "RR")).contents.failing["RR"]
        assert [name for name, _ in found.columns] == ["mean", "old", "new"]
