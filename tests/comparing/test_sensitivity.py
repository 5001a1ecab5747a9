"""Does a conclusion hold when choices are made otherwise?"""

from __future__ import annotations

import json
import math

import numpy as np
import pytest

import cranfield as cf
from cranfield import demo
from cranfield.comparing import randomization_test, t_test
from cranfield.errors import UsageError
from cranfield.evaluating.saved_scores import from_dict, to_dict
from tests.conftest import SHARED_DATA, WITHOUT_SHARED_DATA

RUNS = {name: demo.path(f"{name}.run") for name in ("bm25", "hybrid", "title", "dense")}


def scores(*runs, measures="nDCG@10", **said):
    return cf.evaluate(demo.path("qrels.txt"), {run: RUNS[run] for run in runs}, measures, **said)


def varied(*runs, measures="nDCG@10", comparing=None, **said):
    return cf.compare(scores(*runs, measures=measures, **said), resamples=2000, **(comparing or {})).sensitivity()


def row(found, kind, name, pair=0):
    (wanted,) = (one for one in found.pairs[pair].variations if (one.kind, one.name) == (kind, name))
    return wanted


@pytest.fixture(scope="module")
def found():
    return varied("bm25", "hybrid")


class TestVariations:
    def test_the_comparison_as_it_is_comes_first(self, found):
        (pair,) = found.pairs
        assert pair.usual.difference == found.comparison.differences[0]
        assert (pair.usual.verdict, pair.usual.ahead, pair.usual.kind) == ("better", "hybrid", "")

    def test_other_measures(self, found):
        other = scores("bm25", "hybrid", measures="AP")["AP"]
        assert row(found, "measure", "AP").difference.difference == pytest.approx((other[1] - other[0]).mean())
        assert [one.name for one in found.pairs[0].variations if one.kind == "measure"] == [
            "nDCG@5",
            "nDCG@20",
            "AP",
            "RR",
            "P@10",
            "R@100",
        ]

    def test_only_those_that_were_asked_for_if_they_are_several(self):
        asked = varied("bm25", "hybrid", measures=["AP", "P@5"])
        assert [one.name for one in asked.pairs[0].variations if one.kind == "measure"] == ["P@5"]

    def test_ties_the_other_way_round(self, found):
        ascending = scores("bm25", "hybrid", ties="document-ascending")["nDCG@10"]
        one = row(found, "ties", "ties in reverse order").difference
        assert (one.baseline_mean, one.mean) == pytest.approx(tuple(ascending.mean(axis=1)))

    def test_ties_averaged_and_at_their_ends(self, found):
        bounds = scores("bm25", "hybrid").tie_bounds()
        bm25, hybrid = bounds["bm25"], bounds["hybrid"]
        averaged = row(found, "ties", "ties averaged over all orders").difference
        assert averaged.difference == pytest.approx((hybrid.expected[0] - bm25.expected[0]).mean())
        best, worst = (row(found, "ties", f"ties in favour of the {which}").difference for which in ("run", "baseline"))
        assert best.difference == pytest.approx((hybrid.high[0] - bm25.low[0]).mean())
        assert worst.difference == pytest.approx((hybrid.low[0] - bm25.high[0]).mean())

    def test_without_ties_there_is_nothing_to_vary(self):
        judged = {f"q{at}": {"d1": 1, "d2": 0} for at in range(5)}
        runs = {"a": {query: ["d2", "d1"] for query in judged}, "b": {query: ["d1", "d2"] for query in judged}}
        kinds = {one.kind for one in cf.compare(cf.evaluate(judged, runs, "RR")).sensitivity().pairs[0].variations}
        assert kinds == {"", "measure", "queries", "test"}

    def test_averaged_ties_are_put_in_one_order(self):
        averaged = varied("bm25", "hybrid", ties="average")
        usual = scores("bm25", "hybrid")["nDCG@10"].mean(axis=1)
        one = row(averaged, "ties", "ties in one order").difference
        assert (one.baseline_mean, one.mean) == pytest.approx(tuple(usual))

    def test_unjudged_documents_removed_or_kept(self, found):
        condensed = scores("bm25", "hybrid", judged_only=True)["nDCG@10"].mean(axis=1)
        usual = scores("bm25", "hybrid")["nDCG@10"].mean(axis=1)
        one = row(found, "unjudged", "unjudged documents removed").difference
        assert (one.baseline_mean, one.mean) == pytest.approx(tuple(condensed))
        one = row(varied("bm25", "hybrid", judged_only=True), "unjudged", "unjudged documents counted").difference
        assert (one.baseline_mean, one.mean) == pytest.approx(tuple(usual))

    def test_every_threshold_that_the_grades_allow(self):
        by_ap = varied("bm25", "hybrid", measures=["AP"])
        assert [one.name for one in by_ap.pairs[0].variations if one.kind == "threshold"] == ["AP(rel=2)", "AP(rel=3)"]
        strict = np.nan_to_num(scores("bm25", "hybrid", measures="AP(rel=3)")["AP(rel=3)"]).mean(axis=1)
        one = row(by_ap, "threshold", "AP(rel=3)").difference
        assert (one.baseline_mean, one.mean) == pytest.approx(tuple(strict))

    def test_a_measure_without_a_threshold_says_so(self, found):
        assert "nDCG@10 has no relevance threshold; that of AP is varied." in found.notes
        alone = varied("bm25", "hybrid", measures=["nDCG@10", "nDCG@5"])
        assert "nDCG@10 has no relevance threshold to vary." in alone.notes

    def test_silent_queries_left_out(self):
        one = row(varied("bm25", "title"), "silent", "queries that both answered").difference
        assert one.queries == 68

    def test_other_tests(self, found):
        apart = np.diff(scores("bm25", "hybrid")["nDCG@10"], axis=0)[0]
        assert row(found, "test", "Student's paired t test").difference.p == t_test(apart).p
        assert {one.name for one in found.pairs[0].variations if one.kind == "test"} == {
            "Student's paired t test",
            "Wilcoxon's signed-rank test",
            "sign test",
            "paired bootstrap test",
        }

    def test_p_allows_for_the_pairs_of_each_variation(self):
        several = varied("bm25", "hybrid", "title")
        twice = [row(several, "measure", "P@10", pair).difference for pair in (0, 1)]
        assert max(one.adjusted for one in twice) == max(one.p for one in twice)
        assert min(one.adjusted for one in twice) == pytest.approx(2 * min(one.p for one in twice))

    def test_tukeys_test_is_of_all_runs_together(self):
        several = varied("bm25", "hybrid", "title", comparing={"test": "tukey"})
        assert any("not Tukey's test" in note for note in several.notes)
        assert row(several, "test", "paired randomization test")

    def test_what_changes(self, found):
        changed = {one.name: (one.changes_verdict, one.changes_winner) for one in found.pairs[0].variations}
        assert changed["RR"] == (True, False)
        assert changed["P@10"] == (False, False)
        assert changed["without the 14 best queries of hybrid"] == (True, True)

    def test_a_measure_of_which_less_is_better(self):
        found = varied("bm25", "title", measures=["SL"])
        assert found.pairs[0].usual.ahead == "bm25"
        against = row(found, "ties", "ties in favour of the baseline").difference.difference
        assert against >= found.pairs[0].usual.difference.difference


class TestQueries:
    def test_how_few_must_go_for_the_sign_to_turn(self, found):
        influence = found.pairs[0].influence
        apart = np.sort(np.diff(scores("bm25", "hybrid")["nDCG@10"], axis=0)[0])[::-1]
        assert influence.to_level == 14
        assert apart[14:].sum() <= 0 < apart[13:].sum()

    def test_how_few_for_the_difference_to_be_in_doubt(self, found):
        influence = found.pairs[0].influence
        apart = np.sort(np.diff(scores("bm25", "hybrid")["nDCG@10"], axis=0)[0])[::-1]
        assert randomization_test(apart[influence.to_doubt :]).p > 0.05
        assert randomization_test(apart[influence.to_doubt - 1 :]).p <= 0.05

    def test_each_query_left_out(self, found):
        influence = found.pairs[0].influence
        apart = np.diff(scores("bm25", "hybrid")["nDCG@10"], axis=0)[0]
        without = [np.delete(apart, at).mean() for at in range(len(apart))]
        assert (influence.low, influence.high) == pytest.approx((min(without), max(without)))
        furthest = int(np.argmax(np.abs(np.array(without) - apart.mean())))
        assert influence.query == found.comparison.results.queries[furthest]
        assert row(found, "queries", f"without {influence.query}").difference.queries == 69

    def test_a_run_that_is_never_behind_stays_ahead(self):
        judged = {f"q{at}": {"d1": 1, "d2": 0} for at in range(9)}
        old = {query: ["d2", "d1"] for query in judged} | {"q0": ["d1"]}
        new = {query: ["d1", "d2"] for query in judged}
        found = cf.compare(cf.evaluate(judged, {"old": old, "new": new}, "RR")).sensitivity()
        assert found.pairs[0].influence.to_level == 8
        always = cf.compare(cf.evaluate(judged, {"old": old | {"q0": ["d2", "d1"]}, "new": new}, "RR")).sensitivity()
        assert always.pairs[0].influence.to_level is None
        assert "No removal of queries takes the lead from new." in always.verdict()

    def test_one_query_has_no_influence_on_others(self):
        found = cf.compare(cf.evaluate({"q": {"d1": 1}}, {"a": {"q": ["d2", "d1"]}, "b": {"q": ["d1"]}}, "RR"))
        assert found.sensitivity().pairs[0].influence is None

    def test_runs_that_are_the_same(self):
        found = cf.compare(
            cf.evaluate(demo.path("qrels.txt"), {"a": RUNS["bm25"], "b": RUNS["bm25"]}, "AP"), resamples=100
        ).sensitivity()
        assert found.pairs[0].influence.to_level is None
        assert found.verdict().startswith("AP: no significant difference between b and a. This holds in ")


class TestKeptResults:
    def test_what_can_be_varied_is_and_the_rest_is_said(self):
        saved = from_dict(to_dict(scores("bm25", "hybrid", measures=["AP", "RR"])))
        found = cf.compare(saved, resamples=500).sensitivity()
        assert {one.kind for one in found.pairs[0].variations} == {"", "measure", "queries", "test"}
        assert "these scores come from a file" in found.notes[0]


class TestWords:
    def test_one_sentence_about_each_thing(self, found):
        assert found.verdict() == (
            "nDCG@10: hybrid is better than bm25. This holds in 12 of 18 variations; exceptions: nDCG@5, AP, RR, "
            "AP(rel=2), AP(rel=3) and sign test. hybrid is ahead in all of them. Removing 14 of 70 queries would take "
            "the lead from hybrid; removing 5 would make the difference non-significant."
        )

    def test_another_winner(self):
        said = varied("bm25", "dense", measures=["AP", "nDCG@10"]).verdict()
        assert "AP: no significant difference between dense and bm25. This holds in all" in said
        assert "dense is ahead with nDCG@10." in said

    def test_many_pairs(self):
        found = varied("bm25", "hybrid", "title", "dense", comparing={"all_pairs": True})
        assert found.verdict().startswith("nDCG@10: 1 of 6 conclusions hold in every variation (title and hybrid). ")
        assert "Pairs whose order some variation reverses: 1 (dense and bm25)." in found.verdict()

    def test_tables(self, found):
        table = found.table()
        assert list(table.columns) == ["varied", "variation", "difference", "p", "ahead", "changed"]
        assert table.columns["changed"][1] == "verdict"
        assert list(varied("bm25", "hybrid", "title").table().columns)[:2] == ["run", "baseline"]
        assert len(found.rows().columns["low"]) == len(found.pairs[0].variations)
        assert "as compared (nDCG@10)" in str(found)
        assert "<table" in found._repr_html_()

    def test_everything_as_plain_values(self, found):
        (pair,) = json.loads(json.dumps(found.to_dict(), allow_nan=False))["pairs"]
        assert pair["influence"]["queries_to_level"] == 14
        assert pair["variations"][0]["variation"] == "as compared (nDCG@10)"
        assert not math.isnan(pair["variations"][1]["adjusted"])


def test_too_many_pairs():
    runs = {f"run{at}": RUNS["bm25"] for at in range(22)}
    found = cf.compare(cf.evaluate(demo.path("qrels.txt"), runs, "AP"), all_pairs=True, resamples=10)
    with pytest.raises(UsageError, match="There are 231 pairs"):
        found.sensitivity()


def test_measures_of_several_grades():
    judged = cf.read_judgments(
        [{"query": f"q{at}", "document": d, "subtopic": s, "grade": 1} for at in range(4) for d, s in ("a1", "b2")],
        groups="subtopic",
    )
    runs = {"a": {f"q{at}": ["a", "x"] for at in range(4)}, "b": {f"q{at}": ["b", "a"] for at in range(4)}}
    found = cf.compare(cf.evaluate(judged, runs, "alpha_nDCG@5")).sensitivity()
    assert "alpha_nDCG@5 has no relevance threshold to vary." in found.notes
    assert {one.kind for one in found.pairs[0].variations} == {"", "unjudged", "queries", "test"}


@pytest.mark.skipif(not SHARED_DATA.is_dir(), reason=WITHOUT_SHARED_DATA)
def test_a_real_collection_whose_winner_depends_on_the_measure():
    folder = SHARED_DATA / "02-dl19-passage"
    runs = [folder / "runs" / f"{name}.run.gz" for name in ("ICT-BERT2", "tilde-bm25")]
    found = cf.compare(cf.evaluate(folder / "qrels.dl19-passage.txt", runs, "nDCG@10")).sensitivity()
    assert found.pairs[0].usual.verdict == "worse"
    assert row(found, "measure", "AP").changes_winner
    assert row(found, "threshold", "AP(rel=2)").changes_winner
