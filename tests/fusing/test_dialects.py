"""Dialects give the numbers of the packages themselves, which were called once on the lists in dialects.json."""

import json
from pathlib import Path

import pytest

from cranfield import fuse
from cranfield.errors import UsageError
from cranfield.fusing.definition import METHODS
from cranfield.fusing.dialects import DIALECTS, find_dialect
from cranfield.fusing.fusion import fusion_from
from tests.fusing.lists import fused

PEERS = json.loads((Path(__file__).parent / "dialects.json").read_text())
RANX = json.loads((Path(__file__).parent / "ranx.json").read_text())


def case_name(case):
    return "-".join([case["tool"], case["method"], case.get("norm", ""), "weights" if "weights" in case else ""])


@pytest.mark.parametrize("case", PEERS["fused"], ids=case_name)
def test_a_dialect_gives_the_numbers_of_the_package(case):
    count = case.get("runs", 3)
    choices = {"weights": case.get("weights"), "norm": case.get("norm"), **case.get("params", {})}
    fusion = DIALECTS[case["tool"]].fusion(case["method"], count, **choices)
    for query, expected in case["scores"].items():
        got = fused(fusion, *(run[query] for run in PEERS["runs"][:count]))
        if isinstance(expected, list):  # LangChain gives an order without scores
            assert sorted(got, key=got.get, reverse=True) == expected
        else:
            assert got == pytest.approx(expected, rel=1e-9, abs=1e-12)


def test_every_dialect_that_was_run_has_its_numbers_here():
    assert {case["tool"] for case in PEERS["fused"]} | {"ranx"} == {d.name for d in DIALECTS.values() if d.is_run}


def test_the_choices_of_ranx_are_those_that_gave_its_numbers():
    for case in RANX["fused"]:
        method = METHODS.find(case["method"])
        if method.reads == "scores" and case["norm"]:
            fusion = DIALECTS["ranx"].fusion(case["method"], norm=case["norm"])
            assert (fusion.missing, fusion.dialect) == ("absent", "ranx")
    assert fused(DIALECTS["ranx"].fusion("sum"), {"a": 3.0}, {"a": 2.0, "b": 1.0}) == {"a": 1.0, "b": 0.0}


@pytest.mark.parametrize("name", DIALECTS)
def test_every_method_of_a_dialect_can_be_fused(name):
    lists = {"a": 3.0, "b": 2.0}, {"b": 1.0, "c": 0.5}
    untrained = [method for method in DIALECTS[name].methods if not METHODS.rules[method].is_trained]
    for method in (None, *untrained):
        assert set(fused(DIALECTS[name].fusion(method), *lists)) == {"a", "b", "c"}


def test_what_is_chosen_counts_more_than_the_dialect():
    assert str(DIALECTS["qdrant"].fusion("rrf(k=60)").method) == "rrf(first=0,weighting=rank)"
    assert str(DIALECTS["qdrant"].fusion("rrf", k=10).method) == "rrf(k=10,first=0,weighting=rank)"
    assert DIALECTS["ranx"].fusion("sum", missing="minimum").missing == "minimum"
    assert DIALECTS["weaviate"].fusion("combsum", flat="zero").flat == "zero"


def test_a_small_constant_lets_one_list_win_over_the_agreement_of_two():
    lists = {"a": 3.0, "b": 2.0}, {"c": 3.0, "b": 2.0}, {"d": 3.0, "b": 2.0}
    assert max(fused(fusion_from("rrf"), *lists).items(), key=lambda pair: pair[1])[0] == "b"
    qdrant = fused(DIALECTS["qdrant"].fusion("rrf"), *lists[:2])
    assert qdrant["a"] == 0.5
    assert qdrant["b"] == pytest.approx(2 / 3)


def test_names_are_found_in_anyones_spelling_and_others_refused():
    assert find_dialect("LlamaIndex").name == "llamaindex"
    assert find_dialect("sentence_transformers").name == "sentence-transformers"
    with pytest.raises(UsageError, match=r"like= must be one of ranx, .* Did you mean qdrant"):
        fuse([{"q1": {"a": 1.0}}] * 2, like="qdrnt")
    with pytest.raises(UsageError, match="langchain has no combsum; it has rrf"):
        fuse([{"q1": {"a": 1.0}}] * 2, "combsum", like="langchain")
