"""Methods that learn: the numbers of ranx, trained and fused on the same queries."""

import json
from dataclasses import replace
from pathlib import Path

import pytest

from cranfield import read_judgments, read_run
from cranfield.fusing.definition import METHODS
from cranfield.fusing.dialects import DIALECTS
from cranfield.fusing.training import trained_fusion
from tests.fusing.lists import fused

PEER = json.loads((Path(__file__).parent / "ranx_trained.json").read_text())
NAMES = {"n_segments": "segments", "w": "window"}


@pytest.mark.parametrize("case", PEER["fused"], ids=lambda case: case["method"])
def test_numbers_are_those_of_ranx(case):
    params = {NAMES[name]: value for name, value in case["params"].items()}
    fusion = DIALECTS["ranx"].fusion(case["method"], 3, **params)
    runs = [read_run(run) for run in PEER["runs"]]
    learnt = trained_fusion(runs, fusion, read_judgments(PEER["judgments"]), folds=2).fusion
    for query, expected in case["scores"].items():
        assert fused(learnt, *(run[query] for run in PEER["runs"])) == pytest.approx(expected, rel=1e-9, abs=1e-12)


def test_every_method_that_learns_was_compared():
    assert {case["method"] for case in PEER["fused"]} == {n for n, rule in METHODS.rules.items() if rule.is_trained}


def test_ranks_deeper_than_any_in_training_add_nothing_and_are_no_error():
    deep = {f"d{at:04}": float(-at) for at in range(1500)}
    for case in PEER["fused"]:
        fusion = DIALECTS["ranx"].fusion(case["method"], 3)
        runs = [read_run(run) for run in PEER["runs"]]
        learnt = trained_fusion(runs, fusion, read_judgments(PEER["judgments"]), folds=2).fusion
        assert len(fused(learnt, deep, deep, {})) == 1500


def test_a_model_is_no_part_of_what_makes_two_fusions_equal():
    fusion = DIALECTS["ranx"].fusion("posfuse", 2)
    assert replace(fusion, model=(1, 2)) == fusion
