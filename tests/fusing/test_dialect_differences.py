"""One fusion in every dialect, and the choice that moves the measure."""

import json

import pytest

import cranfield as cf
from cranfield import demo
from cranfield.fusing.dialects import DIALECTS

RUNS = {"bm25": demo.path("bm25.run"), "dense": demo.path("dense.run")}
JUDGED = demo.path("qrels.txt")


@pytest.fixture(scope="module")
def answer():
    return cf.why_fusion(JUDGED, RUNS, "nDCG@10", "rrf")


def test_each_tool_has_the_number_that_its_dialect_gives(answer):
    for opinion in answer.opinions[1:]:
        fused = cf.fuse(RUNS, "rrf", like=opinion.tool)
        assert opinion.value == float(cf.evaluate(JUDGED, fused, "nDCG@10"))


def test_the_choice_that_makes_the_difference_is_named(answer):
    (qdrant,) = (opinion for opinion in answer.opinions if opinion.tool == "qdrant")
    assert qdrant.sentence == "k=2"
    alone = float(cf.evaluate(JUDGED, cf.fuse(RUNS, "rrf", k=2), "nDCG@10"))
    ours = answer.opinions[0].value
    assert [reason.effect for reason in qdrant.reasons if reason.choice == "k=2"] == [pytest.approx(alone - ours)]


def test_tools_without_the_method_are_named():
    answer = cf.why_fusion(JUDGED, RUNS, "RR", "borda")
    assert answer.verdict() == "All 1 tools that have borda give the same RR."
    assert len([opinion for opinion in answer.opinions if opinion.fusion is None]) == len(DIALECTS) - 1


@pytest.mark.parametrize("form", ["table", "tsv", "csv", "jsonl", "markdown", "latex"])
def test_every_form_has_every_number(answer, form):
    assert "sentence-transformers" in answer.form(form)


def test_json_has_the_choices(answer):
    tools = {tool["name"]: tool for tool in json.loads(answer.form("json"))["tools"]}
    assert tools["qdrant"]["fusion"]["method"] == "rrf(k=2,first=0,weighting=rank)"
    assert tools["ranx"]["sentence"] == "gives the same"
