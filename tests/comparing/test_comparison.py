"""Runs compared: by how much they differ, whether that is significant, and the words for it."""

from __future__ import annotations

import json
import math
from dataclasses import replace

import numpy as np
import pytest
from scipy import stats

import cranfield as cf
from cranfield import demo
from cranfield.comparing import corrected, randomization_test, t_interval, tukey_hsd, z_scores
from cranfield.comparing.comparison import compare
from cranfield.comparing.differences import TestChoices
from cranfield.comparing.verdict_words import sentence
from cranfield.comparing.words import mover_dicts, movers, sections, standings, table
from cranfield.errors import DataError, UsageError
from cranfield.evaluating.saved_scores import from_dict, to_dict

QUERIES = [f"q{at:02}" for at in range(40)]
JUDGMENTS = {query: {"d0": 1, "d1": 1, "d2": 0} for query in QUERIES}


def run(seed, better=0.0):
    """A run whose relevant documents come the earlier the better it is."""
    rng = np.random.default_rng(seed)
    return {query: {f"d{at}": float(rng.normal() + (better if at < 2 else 0)) for at in range(12)} for query in QUERIES}


RUNS = {"bm25": run(1), "same": run(2), "good": run(3, 1.5), "best": run(4, 4)}


@pytest.fixture(scope="module")
def scores():
    return cf.evaluate(JUDGMENTS, RUNS, ["nDCG@10", "AP", "RR"])


@pytest.fixture(scope="module")
def many():
    runs = {f"run{at:02}": run(at, at / 10) for at in range(15)}
    return cf.evaluate(JUDGMENTS, runs, ["nDCG@10", "AP", "RR"])


@pytest.fixture(scope="module")
def comparison(scores):
    return compare(scores, resamples=5000)


@pytest.fixture(scope="module")
def every_pair(scores):
    return compare(scores, all_pairs=True, resamples=5000)


def one(comparison, measure, name):
    return next(found for found in comparison.of(measure) if found.run == name)


class TestNumbers:
    def test_differences_are_those_of_the_scores_paired_by_query(self, scores, comparison):
        differences = scores["AP"][2] - scores["AP"][0]
        found = one(comparison, "AP", "good")
        interval = t_interval(differences)
        assert (found.difference, found.low, found.high) == (interval.value, interval.low, interval.high)
        assert found.difference == pytest.approx(found.mean - found.baseline_mean)
        assert (found.wins, found.losses) == ((differences > 0).sum(), (differences < 0).sum())
        assert found.wins + found.ties + found.losses == found.queries == len(QUERIES)
        assert found.p == randomization_test(differences, permutations=5000).p

    def test_p_is_corrected_under_each_measure(self, comparison):
        for measure in comparison.measures:
            found = comparison.of(measure)
            assert [one.adjusted for one in found] == pytest.approx(
                corrected([one.p for one in found], "holm").tolist()
            )

    def test_tukey_allows_for_all_pairs_by_itself(self, scores):
        found = compare(scores, test="tukey", resamples=2000).of("AP")
        by_hand = tukey_hsd(scores["AP"], permutations=2000)
        assert [one.adjusted for one in found] == [pair.p for pair in by_hand[:3]]

    @pytest.mark.parametrize("test", ["t", "wilcoxon", "sign", "bootstrap"])
    def test_other_tests_agree_about_what_is_plain(self, scores, test):
        found = compare(scores, test=test, resamples=2000)
        assert one(found, "nDCG@10", "best").adjusted < 0.002
        assert one(found, "nDCG@10", "same").adjusted > 0.05

    def test_intervals_by_bootstrap(self, scores, comparison):
        found = one(compare(scores, interval="bca", resamples=1000), "AP", "best")
        usual = one(comparison, "AP", "best")
        assert found.low != usual.low
        assert (found.low, found.high) == pytest.approx((usual.low, usual.high), abs=0.03)

    def test_the_seed_decides_about_chance(self, scores, comparison):
        again, other = compare(scores, resamples=5000), compare(scores, resamples=5000, seed=7)
        assert again.to_dict() == comparison.to_dict()
        assert [one.p for one in other.differences] != [one.p for one in comparison.differences]

    def test_scores_within_the_tie_threshold_are_equal(self, scores):
        found = one(compare(scores, tie_margin=0.5, resamples=100), "AP", "good")
        differences = np.abs(scores["AP"][2] - scores["AP"][0])
        assert found.ties == (differences <= 0.5).sum()

    def test_less_is_better_where_the_measure_says_so(self):
        judged = {query: {"d0": 1, "x": 0, "y": 0} for query in QUERIES}
        runs = {"late": {q: ["x", "y", "d0"] for q in QUERIES}, "early": {q: ["d0"] for q in QUERIES}}
        found = compare(cf.evaluate(judged, runs, "SL"), resamples=100)
        assert found.differences[0].difference < 0
        assert found.differences[0].is_better
        assert found.differences[0].wins == len(QUERIES)
        assert found.standings[0].runs[0] == "early"
        assert "SL: lower is better." in table(found).notes
        assert found.verdict().startswith("early is better than late on SL. -2.0000, lower is better (95% interval")

    def test_geometric_means_are_compared_by_logarithms(self, scores):
        found = compare(cf.evaluate(JUDGMENTS, RUNS, ["GMAP", "NumRelRet"]), resamples=100)
        logs = np.log(np.maximum(scores["AP"], 1e-5))
        assert one(found, "GMAP", "best").difference == pytest.approx((logs[3] - logs[0]).mean())
        assert any("on the log scale" in note for note in table(found).notes)
        assert any("is a sum" in note for note in table(found).notes)

    def test_silent_queries_count(self):
        runs = {"all": {q: ["d0"] for q in QUERIES}, "half": {q: ["d0"] for q in QUERIES[::2]}}
        found = compare(cf.evaluate(JUDGMENTS, runs, "RR"), resamples=1000).differences[0]
        assert (found.queries, found.losses, found.difference) == (40, 20, -0.5)

    def test_p_that_is_the_level_is_significant_whatever_rounding_does_to_the_level(self):
        # 99 resamples, of which 9 are as extreme: p is 0.1, and 1 - 0.9 is a little less than that.
        assert TestChoices(confidence=0.9).alpha == 0.1
        assert TestChoices(confidence=0.95).alpha == 0.05


class TestPairs:
    def test_the_first_run_is_the_baseline_unless_another_is_named(self, scores, comparison):
        assert {found.baseline for found in comparison.differences} == {"bm25"}
        named = compare(scores, baseline="good", resamples=100)
        assert [found.run for found in named.of("AP")] == ["bm25", "same", "best"]

    def test_several_baselines(self, scores):
        found = compare(scores, baseline=["bm25", "same"], resamples=100).of("AP")
        assert [(one.run, one.baseline) for one in found] == [
            ("same", "bm25"),
            ("good", "bm25"),
            ("best", "bm25"),
            ("good", "same"),
            ("best", "same"),
        ]

    def test_every_pair(self, scores):
        assert len(compare(scores, all_pairs=True, resamples=100).of("AP")) == 6

    def test_what_is_compared_does_not_change_what_each_pair_says(self, scores):
        every = compare(scores, all_pairs=True, resamples=500)
        some = compare(scores, resamples=500)
        pairs = {(one.measure, one.run, one.baseline): one.p for one in every.differences}
        assert all(pairs[one.measure, one.run, one.baseline] == one.p for one in some.differences)


class TestStandardised:
    def test_scores_are_distances_from_their_querys_mean(self, scores):
        found = compare(scores, standardise=True, resamples=500)
        z = z_scores(scores["AP"])
        assert one(found, "AP", "good").difference == pytest.approx((z[2] - z[0]).mean())
        assert found.standings[1].means[0].value == pytest.approx(z[3].mean())
        assert found.to_dict()["choices"]["standardise"]

    def test_geometric_means_are_standardised_on_their_scale(self, scores):
        found = compare(cf.evaluate(JUDGMENTS, RUNS, "GMAP"), standardise=True, resamples=100)
        z = z_scores(np.log(np.maximum(scores["AP"], 1e-5)))
        assert one(found, "GMAP", "best").difference == pytest.approx((z[3] - z[0]).mean())

    def test_it_is_said(self, scores):
        found = compare(scores, standardise=True, resamples=500)
        assert table(found).notes[0].startswith("Scores are standardised: distances from their query's mean over all 4")
        assert "of scores standardised by query" in found.latex()
        every = compare(scores, standardise=True, all_pairs=True, resamples=500)
        assert "every other run on standardised nDCG@10 (" in every.verdict()
        alone = compare(scores, standardise=True, baseline=["bm25", "same", "good"], resamples=500)
        assert sentence(alone, one(alone, "AP", "best"), 4).startswith("best is better than")
        assert "on standardised AP. +1.8103 standard deviations (95%" in sentence(alone, one(alone, "AP", "best"), 4)

    def test_queries_that_moved_are_on_the_same_scale(self, scores):
        found = compare(scores, standardise=True, resamples=100)
        query, run_score, _ = found.movers(found.differences[0])[0]
        z = z_scores(scores["nDCG@10"])
        assert run_score == pytest.approx(z[1, QUERIES.index(query)])

    def test_slices_are_standardised_too(self, scores):
        known = {query: {"half": at < 20} for at, query in enumerate(QUERIES)}
        found = compare(scores, standardise=True, queries=known, by="half", resamples=100)
        z = z_scores(scores["nDCG@10"])[:, :20]
        (half,) = (part for part in found.slicings[0].slices if part.name == "True")
        assert half.differences[0].difference == pytest.approx((z[1] - z[0]).mean())

    def test_two_runs_are_too_few(self):
        two = cf.evaluate(JUDGMENTS, {"bm25": RUNS["bm25"], "best": RUNS["best"]}, "AP")
        with pytest.raises(UsageError, match="Standardising needs at least 3 runs"):
            compare(two, standardise=True)

    def test_it_is_a_variation_of_what_is_not_standardised(self, scores):
        varied = compare(scores, resamples=500).sensitivity()
        (row,) = (row for row in varied.pairs[2].variations if row.kind == "scale")
        z = z_scores(scores["nDCG@10"])
        assert row.difference.difference == pytest.approx((z[3] - z[0]).mean())
        with pytest.raises(UsageError, match="without standardising"):
            compare(scores, standardise=True, resamples=100).sensitivity()


class TestStandings:
    def test_the_best_comes_first_and_nobody_is_told_apart_who_is_not(self, every_pair):
        standing = every_pair.standings[0]
        assert standing.runs[:2] == ("best", "good")
        assert standing.first == ("best",)
        assert [(rank.best, rank.worst) for rank in standing.ranks] == [(1, 1), (2, 2), (3, 4), (3, 4)]
        assert ("best", "same") in standing.better
        assert not {("same", "bm25"), ("bm25", "same")} & standing.better

    def test_equal_runs_are_all_tied_for_first(self):
        runs = {name: run(5) for name in "abc"}
        standing = compare(cf.evaluate(JUDGMENTS, runs, "AP"), all_pairs=True, resamples=100).standings[0]
        assert standing.first == ("a", "b", "c")
        assert standing.letters == ("a", "a", "a")

    def test_with_a_baseline_there_is_nothing_that_needs_every_pair(self, comparison):
        for standing in comparison.standings:
            assert standing.runs[:2] == ("best", "good")
            assert standing.better == {("best", "bm25"), ("good", "bm25")}
            assert (standing.first, standing.letters, standing.ranks) == ((), (), ())
        for standing in comparison.to_dict()["standings"]:
            assert set(standing) == {"measure", "canonical", "runs"}
            assert all(set(row) == {"run", "mean", "interval"} for row in standing["runs"])
        assert list(standings(comparison).columns) == ["measure", "run", "mean", "vs bm25"]
        assert standings(comparison).columns["vs bm25"][:4] == ["better", "better", "baseline", "not significant"]

    def test_several_baselines_are_one_family(self, scores):
        found = compare(scores, baseline=["bm25", "good"], resamples=5000)
        assert found.family == 5
        assert standings(found).columns["vs good"][:4] == ["better", "baseline", "worse", "worse"]
        assert "Holm's correction for 5 comparisons with bm25 and good, per measure" in table(found).notes[0]


class TestWords:
    def test_a_difference_that_is_real(self, scores):
        verdict = compare(cf.evaluate(JUDGMENTS, {"bm25": RUNS["bm25"], "best": RUNS["best"]}, "AP")).verdict()
        assert verdict.startswith("best is better than bm25 on AP. +0.")
        assert "95% interval" in verdict
        assert "40 queries, paired randomization test); better on" in verdict

    def test_a_difference_that_is_not(self):
        verdict = compare(cf.evaluate(JUDGMENTS, {"bm25": RUNS["bm25"], "same": RUNS["same"]}, "AP")).verdict()
        assert verdict.startswith("No significant difference between same and bm25 on AP. -0.")
        assert "80% of the time" in verdict

    def test_runs_that_are_the_same(self):
        verdict = compare(cf.evaluate(JUDGMENTS, {"a": RUNS["bm25"], "b": RUNS["bm25"]}, "AP")).verdict()
        assert verdict.startswith("No significant difference between b and a on AP. 0.0000 (")
        assert "p = 1.000" in verdict

    def test_one_query_cannot_show_much(self):
        found = compare(cf.evaluate({"q1": {"d1": 1}}, {"a": {"q1": ["x", "d1"]}, "b": {"q1": ["d1"]}}, "RR"), test="t")
        assert math.isnan(found.differences[0].p)
        assert found.verdict().startswith("b and a cannot be compared by RR: a single query shows no variance.")
        assert any("a single query shows no variance" in note for note in table(found).notes)

    def test_several_runs_beside_a_baseline(self, comparison):
        assert comparison.verdict().startswith(
            "Compared with bm25 on nDCG@10: good and best are better; no significant difference for same. "
            "Differences: same -0."
        )

    def test_every_pair(self, scores):
        assert (
            compare(scores, all_pairs=True, resamples=2000).verdict().startswith("best is better than every other run")
        )

    def test_few_judged_documents_are_told_with_what_they_change(self, comparison):
        assert "Only a part of the top 10 results was judged (bm25 25%, same 25%" in comparison.verdict()
        assert comparison.verdict().endswith("without the others the verdict is the same.")

    def test_few_judged_documents_of_saved_results_are_a_reason_for_care(self, scores):
        known = compare(replace(scores, detail=None), resamples=500)
        assert known.verdict().endswith("the others count as not relevant, so treat with care.")

    def test_tables(self, comparison, every_pair):
        assert list(table(comparison).columns)[:3] == ["measure", "run", "baseline"]
        assert len(comparison.rows().columns["g"]) == 9
        assert standings(every_pair).columns["rank"][:4] == ["1", "2", "3–4", "3–4"]
        apart = movers(comparison, 2).columns["difference"]
        assert len(apart) == 4
        assert list(apart) == sorted(apart, reverse=True)
        assert [row["difference"] for row in mover_dicts(comparison, 2)] == list(apart)
        rows = replace(comparison, mover_count=2).rows()
        assert list(rows.columns["kind"]) == ["difference"] * 9 + ["query"] * 4
        assert list(rows.columns["difference"])[9:] == list(apart)
        assert "best" in str(comparison)
        assert "<table" in comparison._repr_html_()


class TestManyRuns:
    def test_every_run_has_one_row_with_all_measures(self, many):
        found = compare(many, all_pairs=True, test="t")
        board = standings(found)
        assert list(board.columns) == ["run", "rank", "nDCG@10", "AP", "RR"]
        assert list(board.columns["run"]) == list(found.standings[0].runs)
        mean, group = board.columns["nDCG@10"][0].split()
        assert float(mean) == pytest.approx(found.standings[0].means[0].value, abs=1e-4)
        assert group.startswith("a")
        assert board.optional == ("RR", "AP")

    def test_with_a_baseline_its_words_stand_after_the_means(self, many):
        board = standings(compare(many, test="t"))
        assert list(board.columns) == ["run", "nDCG@10", "AP", "RR"]
        words = {cell.split()[0] if cell.count(" ") == 0 else cell.split()[1] for cell in board.columns["AP"]}
        assert {"better", "baseline"} <= words

    def test_with_several_baselines_they_are_marked(self, many):
        board = standings(compare(many, baseline=["run00", "run14"], test="t"))
        cells = dict(zip(board.columns["run"], board.columns["AP"], strict=True))
        assert cells["run13"].endswith(" +a")
        assert cells["run00"].endswith(" -b")
        assert board.notes[0].endswith("than a baseline: a is run00, b is run14.")

    def test_of_very_many_runs_the_best(self):
        runs = {f"run{at:02}": run(at) for at in range(60)}
        board = standings(compare(cf.evaluate(JUDGMENTS, runs, "AP"), test="t"))
        assert len(board.columns["run"]) == 50
        assert board.notes[0] == "The best 50 of 60 runs by AP; --format json has all."

    def test_of_many_differences_those_of_the_best_runs_come_after_all_runs(self, many):
        found = compare(many, all_pairs=True, test="t")
        _, board, some, moved = sections(found)
        assert next(iter(board.columns)) == "run"
        assert len(some.columns["run"]) == 20
        assert some.notes[0] == ("20 of 315 differences: those of the best runs by nDCG@10. --format tsv has all.")
        best, second = found.standings[0].runs[:2]
        assert {some.columns["run"][0], some.columns["baseline"][0]} == {best, second}
        assert {best, second} <= set(moved.columns)
        assert len(found.table().columns["run"]) == 315

    def test_beside_a_baseline_the_best_runs_come_first(self, many):
        found = compare(many, test="t")
        some = sections(found)[2]
        assert some.columns["run"][0] == next(name for name in found.standings[0].runs if name != "run00")
        assert set(some.columns["baseline"]) == {"run00"}

    def test_notes_stay_few(self):
        runs = {f"run{at:02}": RUNS["bm25"] for at in range(15)}
        silent = {name: {query: docs for query, docs in of.items() if query != "q00"} for name, of in runs.items()}
        every = compare(cf.evaluate(JUDGMENTS, silent, "AP"), all_pairs=True, test="t")
        notes = table(every).notes
        assert sum("score the same for every query" in note for note in notes) == 1
        assert any("102 more: the systems score the same" in note for note in notes)
        warnings = list(map(str, every.warnings))
        assert sum("run00, run01, run02 and 12 more runs: no documents for 1 of" in one for one in warnings) == 1
        one_by_one = [cf.evaluate(JUDGMENTS, {name: run}, "AP") for name, run in silent.items()]
        shown = compare(one_by_one, all_pairs=True, test="t").sections()
        assert sum("no documents for 1 of" in part for part in shown if isinstance(part, str)) == 15

    def test_groups_that_nobody_could_read_are_left_out(self, monkeypatch, many):
        from cranfield.comparing import comparison

        monkeypatch.setattr(comparison, "MOST_GROUPS", 1)
        found = compare(many, all_pairs=True, test="t")
        assert found.standings[0].letters == ("",) * 15
        assert any("too many groups" in note for note in standings(found).notes)


class TestWarnings:
    def test_too_few_resamples_for_so_many_pairs(self, scores):
        found = compare(scores, all_pairs=True, resamples=100)
        (told,) = map(str, set(found.warnings) - set(found.results.warnings))
        assert told == (
            "100 resamples cannot give a corrected p below 0.059 for 6 comparisons; use resamples=10000, or "
            'test="tukey", which needs no correction'
        )
        assert "below 0.03 for 3 comparisons" in str(compare(scores, resamples=100).warnings[-1])
        assert f"warning: {told}" in found.sections()
        assert told not in table(found).notes
        assert told not in " ".join(found.quiet().text().split())
        assert told in found.to_dict()["warnings"]

    @pytest.mark.parametrize(
        "plan", [{"resamples": 1000}, {"test": "t"}, {"test": "tukey"}, {"correction": "none"}], ids=str
    )
    def test_enough_resamples_or_none_to_speak_of(self, scores, plan):
        found = compare(scores, **{"resamples": 100, **plan})
        assert found.warnings == found.results.warnings

    def test_one_pair_needs_no_correction(self):
        found = compare(cf.evaluate(JUDGMENTS, {"a": RUNS["bm25"], "b": RUNS["best"]}, "AP"), resamples=100)
        assert found.warnings == found.results.warnings


class TestResults:
    def test_kept_results_and_scores_compare_alike(self, scores, comparison):
        kept = from_dict(to_dict(scores))
        assert compare(kept, resamples=5000).to_dict()["differences"] == comparison.to_dict()["differences"]

    def test_of_several_evaluations(self, scores):
        parts = [cf.evaluate(JUDGMENTS, {name: RUNS[name]}, "AP") for name in ("bm25", "best")]
        assert compare(parts, resamples=100).results.runs == ("bm25", "best")

    def test_of_different_judgments_are_refused(self, scores):
        other = cf.evaluate({**JUDGMENTS, "q00": {"d0": 0, "d1": 1}}, {"best": RUNS["best"]}, "AP")
        with pytest.raises(DataError, match="other grades"):
            compare([scores, other])
        assert compare([scores, other], allow_different_judgments=True, resamples=100).differences


class TestWrongUse:
    def test_one_run(self):
        with pytest.raises(UsageError, match="there is one run, bm25"):
            compare(cf.evaluate(JUDGMENTS, {"bm25": RUNS["bm25"]}, "AP"))
        with pytest.raises(UsageError, match="Nothing to compare"):
            compare([])

    def test_a_baseline_that_is_not_there(self, scores):
        with pytest.raises(UsageError, match=r"no run 'bm52'.*Did you mean bm25"):
            compare(scores, baseline="bm52")
        with pytest.raises(UsageError, match="No baseline"):
            compare(scores, baseline=[])

    def test_a_baseline_and_every_pair(self, scores):
        with pytest.raises(UsageError, match="choose one"):
            compare(scores, baseline="bm25", all_pairs=True)

    @pytest.mark.parametrize(
        ("option", "words"),
        [
            ({"test": "anova"}, "test must be one of randomization, t"),
            ({"correction": "holmes"}, "Did you mean holm"),
            ({"interval": "wald"}, "interval must be one of t, bca"),
            ({"confidence": 95}, "confidence must be between 0 and 1"),
            ({"tie_margin": -1}, "tie_margin must be a number of at least 0"),
            ({"resamples": 0}, "resamples must be a whole number"),
        ],
    )
    def test_choices_that_cannot_be(self, scores, option, words):
        with pytest.raises(UsageError, match=words):
            compare(scores, **option)


@pytest.mark.parametrize("correction", ["holm", "none"])
def test_too_few_resamples_for_one_pair_are_told(correction):
    scores = cf.evaluate({f"q{at}": {"d1": 1} for at in range(30)}, {run: {"q1": ["d1"]} for run in "ab"}, "AP")
    few = cf.compare(scores, resamples=5, correction=correction)
    assert "5 resamples cannot give a p below 0.17; use resamples=1000 or more" in map(str, few.warnings)
    assert not any("resamples" in str(warning) for warning in cf.compare(scores, correction=correction).warnings)


@pytest.fixture(scope="module")
def demo_scores():
    runs = [demo.path(f"{name}.run") for name in ("bm25", "dense", "hybrid", "title")]
    return cf.evaluate(demo.path("qrels.txt"), runs, "nDCG@10 RR")


@pytest.mark.parametrize("options", [{}, {"all_pairs": True}], ids=str)
def test_where_p_is_not_corrected_no_sentence_calls_it_corrected(demo_scores, options):
    comparison = cf.compare(demo_scores, correction="none", **options)
    shown = " ".join(f"{comparison} {comparison.latex()} {comparison.verdict()}".split())
    assert shown.count("not corrected for multiple comparisons") == (2 if options else 4)
    assert "p (not corrected)" in shown
    assert "no correction" not in shown
    assert "corrected p" not in shown


class TestOwnTest:
    """A test that the user brings goes the way of all others."""

    @pytest.mark.parametrize(
        "options", [{}, {"all_pairs": True}, {"baseline": ["bm25", "dense"]}, {"correction": "hommel"}]
    )
    def test_it_gives_what_the_same_test_of_ours_gives(self, demo_scores, options):
        own, ours = (cf.compare(demo_scores, test=test, **options) for test in (stats.ttest_rel, "t"))
        for one, other in zip(own.differences, ours.differences, strict=True):
            assert (one.p, one.adjusted) == pytest.approx((other.p, other.adjusted))
        assert [standing.letters for standing in own.standings] == [standing.letters for standing in ours.standings]
        assert own.verdict() == ours.verdict().replace("Student's paired t test", "own test ttest_rel")

    def test_every_form_names_it(self, demo_scores):
        compared = cf.compare(demo_scores, test=stats.ttest_rel)
        for form in ("table", "markdown", "latex", "json"):
            assert "own test ttest" in compared.form(form)
        assert json.loads(compared.json())["choices"]["test"] == "own test ttest_rel"

    def test_slices_sensitivity_and_the_report_use_it_too(self, demo_scores):
        calls = []

        def counted(run, baseline):
            calls.append(len(run))
            return stats.ttest_rel(run, baseline)

        compared = cf.compare(demo_scores, test=counted, queries=demo.path("queries.tsv"), by="intent", confidence=0.9)
        assert min(calls) < 70, "on slices"
        assert "own test counted" in compared.text()
        assert compared.sensitivity().verdict()
        page = cf.report(compared).html
        assert "own test counted" in page
        assert "test=counted" in page

    def test_whatever_is_neither_a_name_nor_a_function_is_refused(self, demo_scores):
        with pytest.raises(UsageError, match=r"test must be one of .* or a function of two runs' scores"):
            cf.compare(demo_scores, test="ttest")
        with pytest.raises(UsageError, match="test must be one of"):
            cf.compare(demo_scores, test=None)

    def test_equivalence_by_it_is_refused(self, demo_scores):
        with pytest.raises(UsageError, match="not by own test ttest_rel"):
            cf.compare(demo_scores, test=stats.ttest_rel, equivalence=0.1)

    def test_a_report_of_equivalence_is_refused(self, demo_scores):
        with pytest.raises(UsageError, match="A report does not show equivalence"):
            cf.report(cf.compare(demo_scores, equivalence=0.1))
