"""Some of the queries, and documents instead of chunks, in evaluations and in what is saved of them."""

from __future__ import annotations

import numpy as np
import pytest

import cranfield as cf
from cranfield import DataError, UsageError
from cranfield.evaluating.saved_scores import load, save
from cranfield.evaluating.scores import joined
from cranfield.evaluating.typed_rankings import evaluate_rankings
from cranfield.notation import typed

JUDGED = {"q1": {"a#1": 1, "b#1": 0}, "q2": {"a#1": 3}, "q3": {"c#1": 1}}
RUN = {"q1": ["b#1", "a#1"], "q2": ["a#2"], "q9": ["a#1"]}


def test_only_some_queries_are_evaluated_and_score_what_they_score_among_all():
    measures = "AP ERR@5 nDCG@10 P@1"
    every, some = cf.evaluate(JUDGED, RUN, measures), cf.evaluate(JUDGED, RUN, measures, only_queries=["q3", "q1"])
    assert some.queries == ("q1", "q3")
    assert np.array_equal(some.values, every.only(["q1", "q3"]).values)


def test_a_query_without_results_counts_as_0_as_usual():
    scores = cf.evaluate(JUDGED, RUN, "P@2", only_queries=["q1", "q3"])
    assert scores.mean("P@2").value == 0.25
    assert [one.kind for one in scores.warnings] == ["silent-queries", "unknown-queries"]


def test_queries_that_are_judged_but_not_chosen_are_no_unknown_ones():
    scores = cf.evaluate(JUDGED, RUN, "AP", only_queries=["q1"])
    assert scores.provenance.runs[0].unknown == ("q9",)
    assert "Only the queries of the list are evaluated." in str(scores)


def test_compiled_loops_know_no_queries_either_that_were_left_out(tmp_path):
    (tmp_path / "qrels.txt").write_text("q1 0 a 1\nq2 0 a 1\n")
    (tmp_path / "a.run").write_text("q1 Q0 a 1 1.0 x\nq2 Q0 a 1 1.0 x\nq9 Q0 a 1 1.0 x\n")
    (tmp_path / "dev.txt").write_text("q2\n")
    scores = cf.evaluate(tmp_path / "qrels.txt", tmp_path / "a.run", "AP", only_queries=tmp_path / "dev.txt")
    assert (scores.queries, scores.provenance.runs[0].unknown) == (("q2",), ("q9",))


def test_a_run_without_any_chosen_query_is_silent_and_no_mistake():
    scores = cf.evaluate(JUDGED, RUN, "AP", only_queries=["q3"])
    assert scores["AP"].tolist() == [[0.0]]


def test_chosen_queries_without_judgments_are_told():
    scores = cf.evaluate(JUDGED, RUN, "AP", only_queries=["q1", "q2", "q7"])
    assert str(scores.warnings[0]) == "1 of 3 chosen queries has no judgments and cannot be evaluated: q7"
    with pytest.raises(DataError, match="none of the 1 query has judgments: q7"):
        cf.evaluate(JUDGED, RUN, "AP", only_queries=["q7"])


def test_several_grades_of_a_document_are_those_of_the_chosen_queries():
    rows = [("q1", 1, "a", 1), ("q1", 2, "a", 1), ("q2", 1, "b", 1), ("q2", 2, "a", 1)]
    run = {"q1": ["a"], "q2": ["a", "b"]}
    columns, measures = "query,subtopic,document,grade", "StRecall@1 alpha_nDCG@5"
    every = cf.evaluate(rows, run, measures, columns=columns)
    some = cf.evaluate(rows, run, measures, columns=columns, only_queries=["q2"])
    assert np.array_equal(some.values, every.values[:, :, 1:])


@pytest.mark.parametrize(
    "choices",
    [{"group_by": "#"}, {"alternatives": {"q1": [["a#1", "b#1"]]}}, {"only_queries": ["q1", "q2"]}],
    ids=lambda choices: next(iter(choices)),
)
class TestSavedResults:
    def saved(self, tmp_path, name="scores.json", **choices):
        scores = cf.evaluate(JUDGED, {name: RUN}, "AP", **choices)
        save(scores, tmp_path / name)
        return scores, load(tmp_path / name)

    def test_they_keep_what_was_chosen(self, tmp_path, choices):
        scores, loaded = self.saved(tmp_path, **choices)
        assert loaded.settings == scores.settings
        assert loaded.provenance.judgments.chunks == scores.provenance.judgments.chunks
        assert loaded.provenance.runs[0].chunks == scores.provenance.runs[0].chunks

    def test_they_are_not_compared_with_others(self, tmp_path, choices):
        _, plain = self.saved(tmp_path, "plain.json")
        _, chosen = self.saved(tmp_path, "chosen.json", **choices)
        with pytest.raises(DataError, match=f"its settings differ .*: {next(iter(choices))} is .* here and not set"):
            joined([plain, chosen])


def test_files_of_other_names_that_say_the_same_are_no_other_settings(tmp_path):
    parts = []
    for name in ("a", "b"):
        (tmp_path / f"{name}.txt").write_text("q1\nq2\n")
        parts.append(cf.evaluate(JUDGED, {name: RUN}, "AP", only_queries=tmp_path / f"{name}.txt"))
    assert joined(parts).runs == ("a", "b")


def test_results_of_different_selections_may_be_compared_on_shared_queries():
    parts = [cf.evaluate(JUDGED, {"x": RUN}, "AP", only_queries=some) for some in (["q1", "q2"], ["q2", "q3"])]
    assert joined(parts, allow_different_judgments=True).queries == ("q2",)


def test_what_saved_results_name_is_read_again_if_it_is_the_same(tmp_path):
    (tmp_path / "dev.txt").write_text("q1\n")
    label = cf.evaluate(JUDGED, RUN, "AP", only_queries=str(tmp_path / "dev.txt")).settings.only_queries
    assert cf.evaluate(JUDGED, RUN, "AP", only_queries=label).queries == ("q1",)
    (tmp_path / "dev.txt").write_text("q2\n")
    with pytest.raises(UsageError, match="which is not there, or was changed"):
        cf.evaluate(JUDGED, RUN, "AP", only_queries=label)
    mapping = cf.evaluate(
        JUDGED, RUN, "AP", group_by={"a#1": "a", "a#2": "a", "b#1": "b", "c#1": "c"}
    ).settings.group_by
    with pytest.raises(UsageError, match="Give the same with group_by"):
        cf.evaluate(JUDGED, RUN, "AP", group_by=mapping)


def test_explanations_profiles_and_curves_see_documents():
    explained = cf.explain(JUDGED, RUN, "RR", "q2", group_by="#")
    assert explained.value == 1.0
    assert [(place.document, place.chunk) for place in explained.seen.places] == [("a", "a#2")]
    assert "Chunks count as their documents (#)" in str(explained)
    assert cf.why(JUDGED, RUN, "AP", group_by="#", only_queries=["q2"]).opinions[0].value == 1.0
    curve = cf.curve(JUDGED, RUN, "at-k", "P", k=1, group_by="#", only_queries=["q2"])
    assert curve.lines[0].y.tolist() == [1.0]


def test_typed_rankings_have_no_ids():
    with pytest.raises(UsageError, match="group_by works with files only"):
        evaluate_rankings([typed("1 0")], "AP", group_by="#")


def test_queries_that_are_left_out_do_not_matter_where_few_documents_are_judged():
    gold = {f"q{at}": ["d1"] for at in range(9)}
    run = {query: [f"x{at}" for at in range(9)] + ["d1"] * (query == "q8") for query in gold}
    assert cf.evaluate(gold, run, "R@10", only_queries=["q7", "q8"]).means() == {"R@10": 0.5}
