"""Runs compared with one baseline after the other."""

import dataclasses

import pytest

import cranfield as cf
from cranfield import demo
from cranfield.comparing import doubts
from cranfield.comparing.baselines import comparisons_by_baseline
from cranfield.comparing.differences import TestChoices, significances

RUNS = {name: demo.path(f"{name}.run") for name in ("title", "bm25", "hybrid")}


@pytest.fixture(scope="module")
def results():
    return cf.evaluate(demo.path("qrels.txt"), RUNS, ["nDCG@10", "RR"])


@pytest.mark.parametrize(
    "choices",
    [TestChoices(), TestChoices(test="t", interval="bca", correction="bonferroni"), TestChoices(test="tukey")],
)
def test_each_baseline_has_the_numbers_of_a_comparison_with_it_alone(results, choices):
    chosen = {field.name: getattr(choices, field.name) for field in dataclasses.fields(choices)}
    for baseline, found in comparisons_by_baseline(results, results.runs, choices).items():
        alone = cf.compare(results, baseline=baseline, **chosen)
        assert found.differences == alone.differences
        assert found.standings == alone.standings
        assert found.verdict() == alone.verdict()
        assert found.doubts == alone.doubts


def test_what_turns_a_verdict_is_tested_once_for_all_baselines(results, monkeypatch):
    tested = []
    monkeypatch.setattr(doubts, "significances", lambda *given: tested.append(given) or significances(*given))
    monkeypatch.setattr(doubts, "_may_turn", lambda *_: True)
    by_baseline = comparisons_by_baseline(results, results.runs, TestChoices())
    first = next(iter(by_baseline.values())).doubts
    once = len(tested)
    assert once == len(first.tried)
    for comparison in by_baseline.values():
        assert comparison.doubts.tried == first.tried
    assert len(tested) == once


def test_a_test_of_ones_own_need_not_be_hashable(results, monkeypatch):
    @dataclasses.dataclass
    class Own:
        def __call__(self, one, other):
            return 0.5 if one.mean() > other.mean() else 1.0

    monkeypatch.setattr(doubts, "_may_turn", lambda *_: True)
    for baseline, found in comparisons_by_baseline(results, results.runs, TestChoices(test=Own())).items():
        assert found.doubts == cf.compare(results, baseline=baseline, test=Own()).doubts
