from __future__ import annotations

import json
import math
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

import cranfield as cf
from cranfield.errors import UsageError
from cranfield.risk_sensitivity import weighed

JUDGMENTS = {"q1": ["d1"], "q2": ["d1"], "q3": ["d1"], "q4": ["d1"]}
RUNS = {
    "old": {"q1": ["d2", "d1"], "q2": ["d1"], "q3": ["d1"], "q4": ["d2", "d1"]},
    "new": {"q1": ["d1"], "q2": ["d2", "d1"], "q3": ["d1"], "q4": ["d1"]},
}


def scores(runs=RUNS, measures="RR", **settings):
    return cf.evaluate(JUDGMENTS, runs, measures, **settings)


def of_new(alpha=1.0, **settings):
    return cf.risk(scores(**settings), "old", loss_weight=alpha).values["new"][cf.RR]


# URisk


def test_a_loss_weighs_one_and_alpha_times_as_much_as_a_gain():
    # gains 1/2, loses 1/2, stays, gains 1/2
    assert of_new(alpha=0).urisk == pytest.approx((0.5 - 0.5 + 0 + 0.5) / 4)
    assert of_new(alpha=1).urisk == pytest.approx((0.5 - 2 * 0.5 + 0 + 0.5) / 4)
    assert of_new(alpha=5).urisk == pytest.approx((0.5 - 6 * 0.5 + 0 + 0.5) / 4)


def test_without_alpha_it_is_the_difference_of_the_means():
    found = scores()
    assert of_new(alpha=0).urisk == pytest.approx(found.mean("RR", "new").value - found.mean("RR", "old").value)


def test_wins_and_losses_are_counted():
    assert (of_new().wins, of_new().losses) == (2, 1)


def test_scores_that_differ_in_their_last_bits_only_are_equal():
    a, b = 0.1 + 0.2, 0.3
    assert a != b
    judged = {"q1": {"d1": a, "d2": b, "d3": 1}, "q2": {"d3": 1}}
    runs = {"old": {"q1": ["d1"], "q2": ["d3"]}, "new": {"q1": ["d2"], "q2": ["d3"]}}
    found = cf.risk(cf.evaluate(judged, runs, "DCG"), "old").values["new"][cf.DCG]
    assert (found.wins, found.losses, found.urisk) == (0, 0, 0)


def test_the_baseline_itself_gains_and_loses_nothing():
    baseline = cf.risk(scores(), "old").values["old"][cf.RR]
    assert (baseline.urisk, baseline.wins, baseline.losses) == (0, 0, 0)
    assert math.isnan(baseline.trisk)


def test_each_query_s_contribution_is_kept():
    found = cf.risk(scores(), "old")
    assert found.contributions[0, 1].tolist() == [0.5, -1.0, 0.0, 0.5]
    assert list(found.per_query().rows)[4:6] == [("new", "q1", 0.5), ("new", "q2", -1.0)]


def test_of_a_measure_where_less_is_better_less_is_a_gain():
    found = cf.risk(scores(measures="SL"), "old", loss_weight=0)
    assert found.contributions[0, 1].tolist() == [1.0, -1.0, 0.0, 1.0]
    assert not np.signbit(found.contributions[0, 0]).any()


# TRisk


def test_without_alpha_it_is_the_t_statistic_of_paired_scores():
    old, new = scores()["RR"]
    assert of_new(alpha=0).trisk == pytest.approx(stats.ttest_rel(new, old).statistic)


def test_with_alpha_it_is_the_t_statistic_of_the_weighed_gains():
    assert of_new(alpha=2).trisk == pytest.approx(stats.ttest_1samp([0.5, -1.5, 0.0, 0.5], 0).statistic)


def test_it_is_undefined_where_nothing_varies():
    same = {"old": RUNS["old"], "new": RUNS["old"]}
    assert math.isnan(of_new(runs=same).trisk)


# ZRisk and GeoRisk


def test_georisk_on_numbers_small_enough_to_check():
    # Scores 1/2 1 1 1/2 and 1 1/2 1 1: sums 3 and 3.5 of runs, 1.5 1.5 2 1.5 of queries, 6.5 in all.
    expected = [3.5 * 1.5 / 6.5, 3.5 * 1.5 / 6.5, 3.5 * 2 / 6.5, 3.5 * 1.5 / 6.5]
    z = [(x - e) / math.sqrt(e) for x, e in zip([1, 0.5, 1, 1], expected, strict=True)]
    zrisk = z[0] + 2 * z[1] + 2 * z[2] + z[3]
    assert max(z[1], z[2]) < 0
    assert of_new().zrisk == pytest.approx(zrisk)
    assert of_new().georisk == pytest.approx(math.sqrt(3.5 / 4 * stats.norm.cdf(zrisk / 4)))


matrices = st.integers(min_value=1, max_value=6).flatmap(
    lambda queries: st.lists(
        st.lists(st.sampled_from([0, 0, 1, 2, 3, 10]), min_size=queries, max_size=queries), min_size=2, max_size=5
    )
)


@given(ranks=matrices, alpha=st.sampled_from([0, 1, 2.5]))
def test_all_numbers_equal_a_plain_loop_over_the_formulas(ranks, alpha):
    """Each run finds the one relevant document at a rank, or, for 0, nowhere."""
    queries = [f"q{at}" for at in range(len(ranks[0]))]
    runs = {
        f"run{row}": {
            query: [*(f"other{n}" for n in range(rank - 1 if rank else 3)), *(["d1"] if rank else [])]
            for query, rank in zip(queries, of_run, strict=True)
        }
        for row, of_run in enumerate(ranks)
    }
    # An anchor that every run finds keeps the ids from never meeting.
    judged = {query: ["d1"] for query in [*queries, "anchor"]}
    runs = {name: {**run, "anchor": ["d1"]} for name, run in runs.items()}
    x = [[1 / rank if rank else 0.0 for rank in of_run] + [1.0] for of_run in ranks]
    found = cf.risk(cf.evaluate(judged, runs, "RR"), "run0", loss_weight=alpha)
    for row, name in enumerate(runs):
        ours = found.values[name][cf.RR]
        urisk, zrisk, georisk = plain_loop(x, row, alpha)
        assert ours.urisk == pytest.approx(urisk, abs=1e-12)
        assert ours.zrisk == pytest.approx(zrisk, abs=1e-12)
        assert ours.georisk == pytest.approx(georisk, abs=1e-12)


def plain_loop(x, i, alpha):
    """Wang et al. 2012, formula 2, and Dinçer et al. 2016, formulas 6 to 8, for run i against run 0."""
    c = len(x[0])
    gains = losses = 0.0
    for q in range(c):
        gains += max(0.0, x[i][q] - x[0][q])
        losses += max(0.0, x[0][q] - x[i][q])
    total = sum(sum(row) for row in x)
    zrisk = 0.0
    for q in range(c):
        e = sum(x[i]) * sum(row[q] for row in x) / total
        z = (x[i][q] - e) / math.sqrt(e) if e else 0.0
        zrisk += z if z > 0 else (1 + alpha) * z
    georisk = math.sqrt(sum(x[i]) / c * stats.norm.cdf(zrisk / c))
    return gains / c - (1 + alpha) * losses / c, zrisk, georisk


def test_negative_scores_and_measures_where_less_is_better_have_none():
    found = cf.risk(scores(measures=["Utility(b=-3)", "SL", "RR"]), "old")
    assert math.isnan(found.values["new"][cf.measures.Utility(b=-3)].georisk)
    assert math.isnan(found.values["new"][cf.measures.SL].zrisk)
    assert not math.isnan(found.values["new"][cf.RR].georisk)
    assert "Utility(b=-3) has no ZRisk and GeoRisk" in " ".join(found.notes)


# Which queries


def test_a_silent_query_counts_as_zero_and_so_as_a_loss():
    silent = {"old": RUNS["old"], "new": {"q1": ["d1"]}}
    assert of_new(runs=silent).losses == 3


def test_with_answered_queries_only_those_are_compared_that_all_runs_answered():
    silent = {"old": RUNS["old"], "new": {"q1": ["d1"], "q2": ["d1"]}}
    found = cf.risk(scores(runs=silent, average_over="answered"), "old")
    assert found.values["new"][cf.RR].urisk == pytest.approx((0.5 + 0) / 2)
    assert np.isnan(found.contributions[0, :, 2:]).all()
    assert "RR leaves out 2 queries" in found.notes[-1]


def test_a_query_that_is_undefined_for_one_run_is_left_out_or_zero_as_the_measure_says():
    judged = {"q1": {"d1": 1}, "q2": {"d1": 0}}
    runs = {"old": {"q1": ["d2", "d1"], "q2": ["d1"]}, "new": {"q1": ["d1"], "q2": ["d1"]}}
    counted = cf.risk(cf.evaluate(judged, runs, "AP"), "old").values["new"][cf.AP]
    skipped = cf.risk(cf.evaluate(judged, runs, "AP", undefined="skip"), "old").values["new"][cf.AP]
    assert (counted.urisk, skipped.urisk) == (0.25, 0.5)


# How it shows


def test_the_table_has_a_row_for_each_measure_and_run():
    table = cf.risk(scores(measures=["RR", "P@1"]), "old").table()
    assert list(table.columns) == ["measure", "run", "mean", "wins", "losses", "URisk", "TRisk", "ZRisk", "GeoRisk"]
    assert [row[:2] for row in table.rows] == [("RR", "old"), ("RR", "new"), ("P@1", "old"), ("P@1", "new")]


def test_it_prints_as_its_table_and_says_what_the_numbers_mean():
    found = cf.risk(scores(), "old")
    assert str(found) == found.table().text()  # there are no warnings
    assert "against old" in str(found)
    assert "losses count 2 times (Wang, Bennett & Collins-Thompson" in " ".join(str(found).split())
    assert "<table" in found._repr_html_()


def test_a_program_gets_a_row_per_number_and_the_whole_under_all():
    runs = {"a": {"q1": ["d2", "d1"], "q2": ["d1"]}, "b": {"q1": ["d1"], "q2": ["d1"]}}
    risk = cf.risk(cf.evaluate({"q1": ["d1"], "q2": ["d1"]}, runs, "RR"), "a")
    assert [row[:4] for row in replace(risk, with_queries=True).rows().rows] == [
        ("a", "RR", "q1", 0.0),
        ("a", "RR", "q2", 0.0),
        ("a", "RR", "all", 0.0),
        ("b", "RR", "q1", 0.5),
        ("b", "RR", "q2", 0.0),
        ("b", "RR", "all", 0.25),
    ]
    assert [row[:3] for row in risk.rows().rows] == [("a", "RR", "all"), ("b", "RR", "all")]


def test_warnings_stand_below_the_table_and_can_be_left_out():
    risk = cf.risk(scores({"old": RUNS["old"], "new": {"q1": ["d1"]}}), "old")
    assert "warning: new: no documents for 3 of 4 judged queries" in " ".join(str(risk).split())
    assert "warning" not in str(risk.quiet())


def test_everything_is_there_as_plain_values():
    found = replace(cf.risk(scores(), "old"), with_queries=True).to_dict()
    assert json.loads(json.dumps(found, allow_nan=False)) == found
    assert found["settings"]["baseline"] == "old"
    assert found["settings"]["loss_weight"] == 1.0
    assert found["runs"][0]["measures"]["RR"]["trisk"] is None
    assert found["runs"][1]["measures"]["RR"]["per_query"] == {"q1": 0.5, "q2": -1.0, "q3": 0.0, "q4": 0.5}


# What can be wrong


def test_a_baseline_that_is_no_run_is_answered_with_the_nearest():
    with pytest.raises(UsageError, match=r"There is no run 'olt'; there are: old, new. Did you mean old\?"):
        cf.risk(scores(), "olt")


@pytest.mark.parametrize("alpha", [-1, math.nan, math.inf, "1", True])
def test_the_weight_of_losses_is_a_number_of_at_least_0(alpha):
    with pytest.raises(UsageError, match="loss_weight must be a number from 0 to 1e\\+09, not"):
        cf.risk(scores(), "old", loss_weight=alpha)


def test_weighing_leaves_gains_alone():
    assert weighed(np.array([1.0, -1.0, 0.0]), loss_weight=3).tolist() == [1.0, -4.0, 0.0]
