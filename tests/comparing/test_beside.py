"""Runs beside one baseline after the other."""

import dataclasses

import pytest

import cranfield as cf
from cranfield import demo
from cranfield.comparing.beside import beside
from cranfield.comparing.differences import Plan

RUNS = {name: demo.path(f"{name}.run") for name in ("title", "bm25", "hybrid")}


@pytest.fixture(scope="module")
def results():
    return cf.evaluate(demo.path("qrels.txt"), RUNS, ["nDCG@10", "RR"])


@pytest.mark.parametrize("plan", [Plan(), Plan(test="t", interval="bca", correction="bonferroni"), Plan(test="tukey")])
def test_each_baseline_has_the_numbers_of_a_comparison_with_it_alone(results, plan):
    chosen = {field.name: getattr(plan, field.name) for field in dataclasses.fields(plan)}
    for baseline, found in beside(results, results.runs, plan).items():
        alone = cf.compare(results, baseline=baseline, **chosen)
        assert found.differences == alone.differences
        assert found.standings == alone.standings
        assert found.verdict() == alone.verdict()
