from __future__ import annotations

import json
import math
import re
from dataclasses import replace
from itertools import pairwise, permutations
from typing import ClassVar

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import cranfield as cf
from cranfield import AP, RR, CranfieldError, DataError, UsageError, nDCG
from cranfield.evaluating.profiles import DEFAULT_MEASURES

JUDGMENTS = {"q1": {"d1": 2, "d2": 0, "d3": 1}, "q2": {"d1": 1}, "q3": {"d9": 0}}
RUN = {"q1": {"d1": 3.0, "d2": 2.0, "d3": 1.0}, "q2": {"d5": 2.0, "d1": 1.0}}


def test_columns_name_those_of_tables_with_unusual_names():
    judged = [{"customer": "q1", "thing": "d1", "stars": 1}, {"customer": "q1", "thing": "d2", "stars": 0}]
    run = [{"customer": "q1", "thing": "d2", "points": 2.0}, {"customer": "q1", "thing": "d1", "points": 1.0}]
    names = {"query": "customer", "document": "thing", "grade": "stars", "score": "points"}
    assert cf.evaluate(judged, run, "RR", columns=names)["RR"].tolist() == [[0.5]]
    assert cf.evaluate(judged, {"a": run, "b": {"q1": ["d1"]}}, "RR", columns=names)["RR"].tolist() == [[0.5], [1]]
    with pytest.raises(DataError, match="no column gives the query, document or grade"):
        cf.evaluate(judged, run, "RR")


class TestDocumentIdsThatMatchPartly:
    JUDGED: ClassVar = {f"q{query}": {f"d{at}": at % 2 for at in range(20)} for query in range(5)}

    def warnings(self, run):
        return [str(warning) for warning in cf.evaluate(self.JUDGED, {"a": run}, "AP").warnings]

    def test_the_spelling_that_would_match_more_is_told(self):
        run = {query: [f"D{at}" if at % 2 else f"d{at}" for at in range(20)] for query in self.JUDGED}
        assert self.warnings(run) == [
            "a: 50 unjudged documents of the first queries match judged ones ignoring case (d1 / D1): "
            "use one spelling in both files"
        ]

    def test_other_documents_that_nobody_judged_raise_no_warning(self):
        run = {query: [f"x{at}" if at % 2 else f"d{at}" for at in range(20)] for query in self.JUDGED}
        assert self.warnings(run) == []

    def test_a_run_whose_documents_are_judged_is_not_read_again(self):
        reads = []
        run = cf.read_run(dict.fromkeys(self.JUDGED, tuple(self.JUDGED["q0"])), name="a")

        def read(findings):
            reads.append(1)
            return run.read(findings)

        assert cf.evaluate(self.JUDGED, replace(run, read=read, at_once=None), "AP").warnings == ()
        assert len(reads) == 1


class TestRuns:
    def test_one_run_as_a_dictionary_of_scores(self):
        assert cf.evaluate(JUDGMENTS, RUN, "RR")["RR"].tolist() == [[1, 0.5, 0]]

    def test_one_run_as_lists_of_documents_best_first(self):
        assert cf.evaluate(JUDGMENTS, {"q1": ["d2", "d3"], "q2": ["d1"]}, "RR")["RR"].tolist() == [[0.5, 1, 0]]

    def test_several_runs_by_name(self):
        scores = cf.evaluate(JUDGMENTS, {"good": RUN, "bad": {"q1": ["x", "d1"]}}, "RR")
        assert scores.runs == ("good", "bad")
        assert scores["RR"].tolist() == [[1, 0.5, 0], [0.5, 0, 0]]

    def test_several_runs_of_lists_by_name(self):
        scores = cf.evaluate(JUDGMENTS, {"a": {"q1": ["d1"]}, "b": {"q1": ["x", "d1"]}}, "RR")
        assert scores.runs == ("a", "b")

    def test_several_runs_in_a_list(self):
        runs = [cf.read_run(name="a", source=RUN), cf.read_run(name="b", source={"q1": ["d1"]})]
        assert cf.evaluate(JUDGMENTS, runs, "RR").runs == ("a", "b")

    def test_one_run_object(self):
        assert cf.evaluate(JUDGMENTS, cf.read_run(name="a", source=RUN), "RR").runs == ("a",)

    def test_runs_of_one_name_are_told_apart_by_a_number(self):
        runs = [cf.read_run(run, name="a") for run in (RUN, {"q1": ["d1"]}, RUN)]
        assert cf.evaluate(JUDGMENTS, runs, "RR").runs == ("a", "a 2", "a 3")

    def test_files_of_one_name_are_told_apart_by_their_path(self, tmp_path):
        for folder in ("old", "new"):
            (tmp_path / folder).mkdir()
            (tmp_path / folder / "bm25.run").write_text("q1 Q0 d1 1 3.0 tag\n")
        paths = [tmp_path / "old" / "bm25.run", tmp_path / "new" / "bm25.run"]
        scores = cf.evaluate(JUDGMENTS, paths, "RR")
        assert scores.runs[1] == str(paths[1])
        assert len(set(scores.runs)) == 2

    def test_many_runs_together_score_as_each_alone(self, tmp_path):
        paths = []
        for run in range(9):
            paths.append(tmp_path / f"{run}.run")
            lines = (f"q{q} Q0 d{(7 * run + 3 * q + d) % 31} {d} {-d} t\n" for q in range(1, 4) for d in range(31))
            paths[-1].write_text("".join(lines))
        measures = ["AP", "nDCG@10", "Judged@5"]
        together = cf.evaluate(JUDGMENTS, paths, measures)
        assert together.runs == tuple(str(run) for run in range(9))
        for at, path in enumerate(paths):
            alone = cf.evaluate(JUDGMENTS, path, measures).values[:, 0]
            assert np.array_equal(together.values[:, at], alone, equal_nan=True)
        assert len(set(together["AP"].ravel())) > 5

    def test_of_several_runs_that_are_wrong_the_first_is_told(self, tmp_path):
        for name in "abc":
            (tmp_path / f"{name}.run").write_text("q1 Q0 d1 1 3.0 tag\n" + ("x\n" if name != "a" else ""))
        with pytest.raises(DataError, match=r"b\.run, line 2"):
            cf.evaluate(JUDGMENTS, [tmp_path / f"{name}.run" for name in "abc"], "RR")

    def test_no_run_is_refused(self):
        with pytest.raises(UsageError, match="No run was given"):
            cf.evaluate(JUDGMENTS, [], "RR")

    def test_judgments_and_runs_come_from_files(self, tmp_path):
        (tmp_path / "qrels.txt").write_text("q1 0 d1 1\nq2 0 d1 1\n")
        (tmp_path / "bm25.run").write_text("q1 Q0 d1 1 3.0 tag\nq2 Q0 d2 1 9 tag\nq2 Q0 d1 2 8 tag\n")
        scores = cf.evaluate(tmp_path / "qrels.txt", str(tmp_path / "bm25.run"), "RR")
        assert scores.runs == ("bm25",)
        assert scores["RR"].tolist() == [[1, 0.5]]


class TestMeasures:
    def test_they_may_be_objects_names_or_both(self):
        scores = cf.evaluate(JUDGMENTS, RUN, [nDCG @ 10, AP(rel=2), "P@5", "recip_rank"])
        assert [str(measure) for measure in scores.measures] == ["nDCG@10", "AP(rel=2)", "P@5", "recip_rank"]

    def test_one_string_may_hold_several(self):
        assert len(cf.evaluate(JUDGMENTS, RUN, "AP P.5,10").measures) == 3

    def test_the_same_measure_twice_is_one(self):
        assert cf.evaluate(JUDGMENTS, RUN, ["AP", AP, "map"]).measures == (AP,)

    def test_there_are_defaults(self):
        assert [str(measure) for measure in cf.evaluate(JUDGMENTS, RUN).measures] == list(DEFAULT_MEASURES)

    def test_none_is_refused(self):
        with pytest.raises(UsageError, match="No measure was asked for"):
            cf.evaluate(JUDGMENTS, RUN, [])

    def test_scores_are_found_under_any_of_its_names(self):
        scores = cf.evaluate(JUDGMENTS, RUN, "nDCG@10")
        assert np.array_equal(scores["ndcg_cut_10"], scores[nDCG @ 10], equal_nan=True)

    def test_a_measure_that_was_not_evaluated_is_answered_with_those_that_were(self):
        with pytest.raises(UsageError) as refused:
            cf.evaluate(JUDGMENTS, RUN, "nDCG@10 AP")["nDCG@20"]
        assert str(refused.value) == "nDCG@20 was not evaluated; these were: nDCG@10, AP. Did you mean nDCG@10?"

    def test_a_run_that_is_not_there_is_answered_with_those_that_are(self):
        with pytest.raises(UsageError) as refused:
            cf.evaluate(JUDGMENTS, {"bm25": RUN}, "AP").mean("AP", "bm52")
        assert str(refused.value) == "There is no run 'bm52'; there are: bm25. Did you mean bm25?"


class TestSettings:
    def test_a_relevance_level_is_for_measures_that_do_not_say(self):
        scores = cf.evaluate(JUDGMENTS, RUN, [RR, RR(rel=1), "P@1"], rel=2)
        assert [str(measure) for measure in scores.measures] == ["RR(rel=2)", "RR", "P(rel=2)@1"]

    def test_a_relevance_level_does_not_touch_graded_measures(self):
        assert [str(m) for m in cf.evaluate(JUDGMENTS, RUN, "nDCG ERR", rel=2).measures] == ["nDCG", "ERR"]

    def test_a_depth_ends_every_ranking(self):
        scores = cf.evaluate(JUDGMENTS, RUN, "AP num_ret", depth=1)
        assert scores["num_ret"].tolist() == [[1, 1, 0]]
        assert scores["AP"][0, :2].tolist() == [0.5, 0]

    def test_judged_only_leaves_unjudged_documents_out(self):
        assert cf.evaluate(JUDGMENTS, RUN, "RR", judged_only=True)["RR"].tolist() == [[1, 1, 0]]

    def test_the_depth_is_counted_before_unjudged_documents_leave(self):
        assert cf.evaluate(JUDGMENTS, RUN, "RR", depth=1, judged_only=True)["RR"].tolist() == [[1, 0, 0]]

    def test_ties_may_come_as_given(self):
        tied = {"q2": {"d1": 1.0, "d5": 1.0}}
        assert cf.evaluate(JUDGMENTS, tied, "RR")["RR"][0, 1] == 0.5
        assert cf.evaluate(JUDGMENTS, tied, "RR", ties="given")["RR"][0, 1] == 1

    def test_or_by_document_id_ascending(self):
        tied = {"q2": {"d5": 1.0, "d1": 1.0}}
        assert cf.evaluate(JUDGMENTS, tied, "RR", ties="document-ascending")["RR"][0, 1] == 1

    def test_scores_may_be_compared_in_single_precision(self):
        close = {"q2": {"d1": 1.00000001, "d5": 1.0}}
        assert cf.evaluate(JUDGMENTS, close, "RR")["RR"][0, 1] == 1
        assert cf.evaluate(JUDGMENTS, close, "RR", precision="single")["RR"][0, 1] == 0.5

    @pytest.mark.parametrize(
        ("setting", "message"),
        [
            ({"average_over": "all"}, "average_over is judged or answered, not 'all'."),
            ({"ties": "random"}, "ties is document, document-ascending, given or average, not 'random'."),
            ({"precision": "half"}, "precision is double or single, not 'half'."),
            ({"undefined": "one"}, "undefined is zero or skip, not 'one'."),
            ({"depth": 0}, "depth must be a whole number of at least 1, not 0."),
        ],
    )
    def test_a_setting_that_does_not_exist_is_refused(self, setting, message):
        with pytest.raises(UsageError) as refused:
            cf.evaluate(JUDGMENTS, RUN, "AP", **setting)
        assert str(refused.value) == message

    def test_the_arguments_are_left_as_they_were(self):
        judgments, run = json.dumps(JUDGMENTS), json.dumps(RUN)
        cf.evaluate(JUDGMENTS, RUN)
        assert (json.dumps(JUDGMENTS), json.dumps(RUN)) == (judgments, run)


class TestQueriesOfTheMean:
    def test_all_judged_queries_count_and_a_silent_one_counts_zero(self):
        mean = cf.evaluate(JUDGMENTS, RUN, "RR").mean("RR", "run")
        assert mean.value == 0.5
        assert mean.queries == 3

    def test_or_only_those_the_run_answered(self):
        mean = cf.evaluate(JUDGMENTS, RUN, "RR", average_over="answered").mean("RR", "run")
        assert mean.value == 0.75
        assert mean.queries == 2

    def test_an_empty_answer_is_as_silent_as_none(self):
        with_empty = {**RUN, "q3": []}
        assert cf.evaluate(JUDGMENTS, with_empty, "RR", average_over="answered").mean("RR", "run").queries == 2

    def test_a_query_without_relevant_documents_is_undefined_and_counts_zero(self):
        scores = cf.evaluate(JUDGMENTS, RUN, "AP")
        assert math.isnan(scores["AP"][0, 2])
        assert scores.mean("AP", "run").value == pytest.approx((0.833333333 + 0.5 + 0) / 3)
        assert scores.mean("AP", "run").undefined == 1

    def test_unless_undefined_scores_are_left_out(self):
        assert cf.evaluate(JUDGMENTS, RUN, "AP", undefined="skip").mean("AP", "run").queries == 2

    def test_a_query_nobody_judged_changes_nothing(self):
        more = {**RUN, "q99": ["d1"]}
        assert cf.evaluate(JUDGMENTS, more, "AP").mean("AP", "run") == cf.evaluate(JUDGMENTS, RUN, "AP").mean(
            "AP", "run"
        )

    def test_number_of_queries_retrieved_and_relevant_documents_are_sums(self):
        scores = cf.evaluate(JUDGMENTS, RUN, "num_q num_ret num_rel num_rel_ret")
        assert [scores.mean(measure, "run").value for measure in scores.measures] == [3, 5, 3, 3]


class TestWarnings:
    def warnings(self, run, **options):
        relevant = {**JUDGMENTS, "q3": {"d9": 1}}
        return [str(warning) for warning in cf.evaluate(relevant, run, "AP", **options).warnings]

    def test_a_silent_query_is_told(self):
        assert self.warnings({"bm25": RUN}) == ["bm25: no documents for 1 of 3 judged queries (q3); it counts as 0"]

    def test_and_that_it_is_left_out_if_it_is(self):
        assert self.warnings({"bm25": RUN}, average_over="answered") == [
            "bm25: no documents for 1 of 3 judged queries (q3); it is left out of the mean"
        ]

    def test_unknown_queries_are_told_with_three_examples(self):
        unknown = {f"u{number}": ["d1"] for number in range(5)}
        told = self.warnings({"bm25": {**RUN, "q3": ["d9"], **unknown}})
        assert told == ["bm25: 5 queries have no judgments (u0, u1, u2, …) and cannot be evaluated"]

    def test_unknown_queries_that_match_silent_ones_in_another_spelling_are_told_so(self):
        judgments = {f"{number:03}": {"d1": 1} for number in range(1, 13)}
        run = {(str(number) if number < 10 else f"{number:03}"): ["d1"] for number in range(1, 13)}
        assert list(map(str, cf.evaluate(judgments, {"bm25": run}, "AP").warnings)) == [
            "bm25: no documents for 9 of 12 judged queries (001, 002, 003, …); they count as 0",
            "bm25: 9 queries have no judgments (1, 2, 3, …) and cannot be evaluated; without leading zeros, 9 match "
            "judged queries that have no results (001 / 1): use one spelling in both files",
        ]

    def test_ties_that_move_a_mean_are_told_once_for_all_runs(self):
        tied = {"q1": {"d1": 1, "d2": 1, "d3": 0}, "q2": {"a": 1, "b": 1}, "q3": {"d9": 1}}
        (told,) = self.warnings({"a": tied, "b": {**tied, "q3": {"d8": 1}}})
        assert told == (
            "another order of tied documents could give AP 0.5278 to 0.6111 (a), AP 0.1944 to 0.2778 (b); "
            "ties are broken by document id, descending"
        )

    @pytest.mark.parametrize(
        ("tied", "measure"),
        [
            ({"a": 1, "b": 1}, "AP"),
            ({"d1": 3, "x": 2, "y": 2}, "RR"),
            ({"d1": 3, "d3": 2, "y": 2}, "P@1"),
            ({"d1": 3, "d3": 2, "y": 2}, "R@3"),
        ],
        ids=["none is judged", "all are unjudged", "below the cutoff", "all are within the cutoff"],
    )
    def test_ties_that_move_no_mean_are_told_in_the_notes_alone(self, tied, measure):
        scores = cf.evaluate(JUDGMENTS, {"q1": tied, "q2": ["d1"], "q3": ["d9"]}, measure)
        assert "tied-scores" not in [warning.kind for warning in scores.warnings]
        assert str(scores.notes()[-1]).startswith("documents with tied scores: run 2 documents in 1 query")

    def test_what_ties_could_do_is_computed_when_warnings_are_asked_for_and_once(self, monkeypatch):
        from cranfield.evaluating import bounds

        computed = []
        tie_ends = bounds.tie_ends
        monkeypatch.setattr(bounds, "tie_ends", lambda *given: computed.append(given) or tie_ends(*given))
        scores = cf.evaluate(JUDGMENTS, {"q1": {"d1": 1, "d2": 1, "d3": 0}, "q2": ["d1"], "q3": ["d9"]}, "AP")
        scores.mean("AP")
        assert not computed
        assert [one.kind for one in scores.warnings] == [one.kind for one in scores.with_measures(["AP"]).warnings]
        assert len(computed) == 1

    def test_scores_averaged_over_all_orders_of_ties_raise_no_warning_about_them(self):
        tied = {"q1": {"d1": 1, "x": 1}, "q2": ["d1"], "q3": ["d9"]}
        assert self.warnings(tied)
        scores = cf.evaluate(JUDGMENTS, tied, "AP", ties="average")
        assert "tied-scores" not in [warning.kind for warning in scores.warnings]

    def test_ties_that_move_no_digit_that_is_shown_raise_no_warning(self):
        queries = {f"q{number:05}": ["d1"] for number in range(20_000)}
        judgments = {query: {"d1": 1, "d2": 0} for query in queries}
        run = {**queries, "q00000": {"d1": 1.0, "d2": 1.0}}
        assert "tied-scores" not in [warning.kind for warning in cf.evaluate(judgments, run, "RR").warnings]

    def test_runs_with_the_same_content_are_told(self):
        run = {"q1": ["d1", "x"], "q2": ["d1"], "q3": ["d9"]}
        assert self.warnings({"a": run, "b": dict(run), "other": {**run, "q1": ["d1", "y"]}, "c": run}) == [
            "b, c: the same documents and scores as a in every query; these are the same run"
        ]

    def test_a_copied_file_is_told_whatever_its_tag_and_a_repeated_path_once(self, tmp_path):
        for name in ("a", "b"):
            (tmp_path / f"{name}.run").write_text(
                f"q1 Q0 d1 1 2.5 {name}\nq2 Q0 d1 1 1.5 {name}\nq3 Q0 d9 1 1 {name}\n"
            )
        a, b = tmp_path / "a.run", tmp_path / "b.run"
        assert [told.partition(": ")[2] for told in self.warnings([a, b])] == [
            "the same documents and scores as a in every query; these are the same run"
        ]
        (told,) = self.warnings([a, a])
        assert "was given 2 times" in told

    def test_nothing_surprising_is_told_with_nothing(self):
        assert self.warnings({"q1": ["d1"], "q2": ["d1"], "q3": ["d9"]}) == []

    def test_they_are_notes_of_the_summary(self):
        scores = cf.evaluate(JUDGMENTS, RUN, "AP")
        assert scores.warnings[0] in scores.summary().warnings

    def test_queries_without_relevant_documents_are_told(self):
        (told,) = cf.evaluate(JUDGMENTS, {**RUN, "q3": ["d9"]}, "AP").warnings
        assert str(told) == (
            "1 of 3 judged queries has no relevant document (grade 1 or more): q3; "
            "recall and similar measures are undefined there"
        )

    def test_relevant_means_what_the_level_says(self):
        told = cf.evaluate(JUDGMENTS, {**RUN, "q3": ["d9"]}, "AP", rel=2).warnings
        assert [finding.count for finding in told] == [2]

    def test_ids_that_never_meet_stop_the_work(self):
        with pytest.raises(DataError, match="no query in common"):
            cf.evaluate(JUDGMENTS, {"Q1": ["d1"]}, "AP")


class TestPerQuery:
    scores = cf.evaluate(JUDGMENTS, {"a": RUN, "b": {"q2": ["d1"]}}, "RR AP num_ret")

    def test_a_row_per_run_and_query(self):
        columns = self.scores.per_query("RR").columns
        assert columns["run"] == ["a"] * 3 + ["b"] * 3
        assert columns["query"] == ["q1", "q2", "q3"] * 2
        assert columns["RR"] == [1, 0.5, 0, 0, 1, 0]

    def test_all_measures_if_none_is_named(self):
        assert list(self.scores.per_query().columns) == ["run", "query", "RR", "AP", "num_ret"]

    def test_only_answered_queries_if_only_those_count(self):
        scores = cf.evaluate(JUDGMENTS, {"b": {"q2": ["d1"]}}, "RR", average_over="answered")
        assert scores.per_query("RR").columns["query"] == ["q2"]

    def test_counts_are_whole_numbers(self):
        assert self.scores.per_query("num_ret").tsv().splitlines()[1] == "a\tq1\t3"


class TestDictionary:
    scores = cf.evaluate(JUDGMENTS, {"bm25": {**RUN, "new": ["d1"]}}, "AP SL")

    def test_its_keys_are_those_that_json_has(self):
        found = self.scores.to_dict()
        assert list(found) == ["cranfield", "settings", "queries", "only_relevant", "warnings", "runs"]
        assert list(found["queries"]) == ["judged", "evaluated", "silent", "unknown", "without_relevant"]
        (run,) = found["runs"]
        assert list(run) == ["name", "path", "queries", "measures", "ties", "unjudged"]
        assert list(run["measures"]["AP"]) == ["canonical", "mean", "interval", "undefined"]

    def test_it_says_which_queries_stand_behind_the_numbers(self):
        assert self.scores.to_dict()["queries"] == {
            "judged": 3,
            "evaluated": 3,
            "silent": ["q3"],
            "unknown": ["new"],
            "without_relevant": ["q3"],
        }

    def test_it_says_how_the_numbers_were_made(self):
        assert self.scores.to_dict()["settings"] == {
            "profile": None,
            "average_over": "judged",
            "without_relevant": "keep",
            "ties": "document",
            "precision": "double",
            "identical": "keep",
            "depth": None,
            "judged_only": False,
            "rel": None,
            "undefined": None,
            "judgments": None,
            "max_grade": 2.0,
            "confidence": 0.95,
        }
        assert self.scores.to_dict()["cranfield"] == cf.__version__

    def test_scores_of_queries_are_there_only_if_asked_for(self):
        assert "per_query" not in self.scores.to_dict()["runs"][0]["measures"]["AP"]
        per_query = self.scores.to_dict(per_query=True)["runs"][0]["measures"]["AP"]["per_query"]
        assert per_query == {"q1": pytest.approx(5 / 6), "q2": 0.5, "q3": None}

    def test_undefined_is_null_everywhere(self):
        found = cf.evaluate({"q": {"d": 0}}, {"q": ["d"]}, "SL").to_dict(per_query=True, ties=True, unjudged=True)
        measure = found["runs"][0]["measures"]["SL"]
        assert measure == {"canonical": "SL", "mean": None, "interval": None, "undefined": 1, "per_query": {"q": None}}
        assert "NaN" not in json.dumps(found)

    def test_means_and_intervals_are_those_of_the_summary(self):
        mean = self.scores.mean("AP", "bm25")
        shown = self.scores.to_dict()["runs"][0]["measures"]["AP"]
        assert (shown["mean"], shown["interval"]) == (mean.value, [mean.low, mean.high])

    def test_unjudged_documents_and_ties_are_counted(self):
        (run,) = self.scores.to_dict()["runs"]
        assert run["ties"] == {"documents": 0, "queries": 0}
        assert run["unjudged"] == {"documents": 1, "retrieved": 5, "judged_at_10": 0.75}

    def test_bounds_over_ties_are_there_if_asked_for(self):
        tied = cf.evaluate({"q": {"d1": 1}}, {"q": {"d1": 1.0, "d2": 1.0}}, "RR infAP").to_dict(ties=True)
        assert tied["runs"][0]["ties"] == {
            "documents": 2,
            "queries": 1,
            "bounds": {
                "RR": {"low": 0.5, "expected": 0.75, "high": 1.0},
                "infAP": {"low": 0.5, "expected": 0.75, "high": 1.0},
            },
            "simulated": 0,
        }

    def test_a_bound_nobody_knows_for_one_query_is_null_for_the_mean(self):
        tied = {f"d{number}": 1.0 for number in range(12)}
        judged = {f"d{number}": number % 2 for number in range(0, 12, 3)}
        scores = cf.evaluate({"q1": judged, "q2": {"d1": 1}}, {"q1": tied, "q2": {"d1": 1.0}}, "infAP AP")
        bounds = scores.to_dict(ties=True)["runs"][0]["ties"]["bounds"]
        assert bounds["infAP"]["low"] is bounds["infAP"]["high"] is None
        assert bounds["AP"]["low"] < bounds["AP"]["expected"] < bounds["AP"]["high"]

    def test_bounds_over_unjudged_documents_are_there_if_asked_for(self):
        found = cf.evaluate({"q": {"d1": 1}}, {"q": ["d1", "d2"]}, "P@2 AP").to_dict(unjudged=True)
        assert found["runs"][0]["unjudged"]["bounds"] == {
            "P@2": {"low": 0.5, "high": 1.0},
            "AP": {"low": None, "high": None},
        }

    def test_it_is_json_without_any_help(self):
        again = json.loads(json.dumps(self.scores.to_dict(per_query=True, ties=True, unjudged=True), allow_nan=False))
        assert again["runs"][0]["name"] == "bm25"


def test_scores_say_what_they_hold():
    assert repr(cf.evaluate(JUDGMENTS, RUN, "AP P@5")) == "Scores(1 run, 3 queries, AP, P@5)"


def test_a_notebook_shows_the_summary():
    assert cf.evaluate(JUDGMENTS, RUN, "AP")._repr_html_().startswith("<table")


class TestRunsAreNeverLost:
    def test_runs_in_a_mapping_take_its_names(self):
        one, other = cf.read_run({"q1": ["d1"]}), cf.read_run({"q1": ["d2"]})
        assert cf.evaluate(JUDGMENTS, {"a": one, "b": other}, "RR").runs == ("a", "b")

    def test_names_that_read_alike_are_told_apart(self):
        assert cf.evaluate(JUDGMENTS, {1: {"q1": {"d1": 1.0}}, "1": {"q1": {"d2": 1.0}}}, "RR").runs == ("1", "1 2")

    def test_runs_may_come_from_an_iterator(self):
        runs = {"a": {"q1": {"d1": 1.0}}, "b": {"q1": {"d2": 1.0}}}
        assert len(cf.evaluate(JUDGMENTS, (cf.read_run(run) for run in runs.values()), "RR").runs) == 2
        assert len(cf.evaluate(JUDGMENTS, runs.values(), "RR").runs) == 2

    def test_an_array_of_documents_is_a_ranking(self):
        assert cf.evaluate(JUDGMENTS, {"q1": np.array(["d9", "d1"])}, "RR")["RR"][0, 0] == 0.5


class TestSettingsThatCannotBe:
    @pytest.mark.parametrize("depth", ["10", 1.5, float("nan"), True, 0])
    def test_a_depth_that_is_no_rank_is_refused(self, depth):
        with pytest.raises(UsageError, match="depth must be a whole number"):
            cf.evaluate(JUDGMENTS, RUN, "AP", depth=depth)

    @pytest.mark.parametrize("rel", ["2", float("nan"), float("inf"), True])
    def test_a_level_that_is_no_grade_is_refused(self, rel):
        with pytest.raises(UsageError, match="rel must be a number"):
            cf.evaluate(JUDGMENTS, RUN, "AP", rel=rel)

    def test_numpy_s_numbers_are_numbers(self):
        scores = cf.evaluate(JUDGMENTS, RUN, "P@2", depth=np.int64(3), rel=np.int64(2))
        assert json.dumps(scores.to_dict())

    def test_a_measure_is_found_again_whatever_the_level(self):
        scores = cf.evaluate(JUDGMENTS, RUN, "AP", rel=2)
        assert np.array_equal(scores[cf.AP], scores["AP"], equal_nan=True)


TIED_JUDGMENTS = {"q": {"a": 2, "b": 0, "c": 1}}
TIED = {"q": {"a": 1.0, "b": 1.0, "x": 1.0, "c": 0.5}}


class TestTiesAveraged:
    def test_a_score_is_the_mean_over_all_orders(self):
        # a comes first, second or third, each as often.
        scores = cf.evaluate(TIED_JUDGMENTS, TIED, "RR P@1", ties="average")
        assert scores["RR"].tolist() == [[pytest.approx((1 + 1 / 2 + 1 / 3) / 3)]]
        assert scores["P@1"].tolist() == [[pytest.approx(1 / 3)]]

    def test_gains_of_tied_documents_are_shared_among_their_ranks(self):
        """As scikit-learn has it: each of the first three ranks gains a third of what a gains."""
        dcg = 2 / 3 * (1 + 1 / math.log2(3) + 1 / 2) + 1 / math.log2(5)
        assert cf.evaluate(TIED_JUDGMENTS, TIED, "DCG", ties="average")["DCG"].tolist() == [[pytest.approx(dcg)]]

    @given(
        grades=st.dictionaries(st.sampled_from("abcdef"), st.sampled_from([-1, 0, 1, 2]), min_size=1),
        scores=st.dictionaries(st.sampled_from("abcdef"), st.sampled_from([1.0, 1.0, 2.0]), min_size=1, max_size=5),
        depth=st.sampled_from([None, 2]),
        judged_only=st.booleans(),
    )
    def test_it_is_what_trying_all_orders_gives(self, grades, scores, depth, judged_only):
        measures = "nDCG nDCG@2 AP RR P@2 R@3 ERR RBP Bpref Judged@2"
        settings = {"depth": depth, "judged_only": judged_only}
        judged = {"q": grades, "anchor": {"x": 2}}
        orders = {
            str(order): {"q": list(order), "anchor": ["x"]}
            for order in permutations(scores)
            if all(scores[first] >= scores[second] for first, second in pairwise(order))
        }
        tried = cf.evaluate(judged, orders, measures, **settings).values.mean(axis=1)
        run = cf.read_run({"q": scores, "anchor": {"x": 1.0}})
        averaged = cf.evaluate(judged, run, measures, ties="average", **settings).values[:, 0]
        assert averaged == pytest.approx(tried, rel=1e-12, nan_ok=True)

    def test_measures_of_several_grades_are_averaged_too(self):
        rows = [("q", "1", "a", 1), ("q", "2", "b", 1), ("q", "1", "b", 0)]
        judged = cf.read_judgments(rows, columns="query,subtopic,document,grade", groups="subtopic")
        tied = {"q": {"a": 1.0, "b": 1.0, "x": 1.0}}
        scores = cf.evaluate(judged, tied, "StRecall@1 AP_IA", ties="average")
        # In two of three orders the first document serves one of two subtopics.
        assert scores["StRecall@1"].tolist() == [[pytest.approx(1 / 3)]]
        assert scores["AP_IA"].tolist() == [[pytest.approx((1 + 1 / 2 + 1 / 3) / 3)]]

    def test_without_ties_nothing_changes_to_the_last_bit(self):
        plain = cf.evaluate(JUDGMENTS, RUN, "nDCG AP")
        assert np.array_equal(
            plain.values, cf.evaluate(JUDGMENTS, RUN, "nDCG AP", ties="average").values, equal_nan=True
        )

    def test_the_expected_score_is_that_of_the_bounds(self):
        scores = cf.evaluate(TIED_JUDGMENTS, TIED, "nDCG AP", ties="average")
        assert np.array_equal(scores.tie_bounds()["run"].expected, scores.values[:, 0])

    def test_the_notes_say_so(self):
        *_, note = cf.evaluate(TIED_JUDGMENTS, TIED, "RR", ties="average").notes()
        assert str(note) == (
            "documents with tied scores: run 3 documents in 1 query; scores are averaged over all orders of tied "
            "documents"
        )

    def test_so_do_summary_and_settings(self):
        scores = cf.evaluate(TIED_JUDGMENTS, TIED, "RR", ties="average")
        assert scores.summary().notes == ("Means over the one judged query, over all orders of equal scores.",)
        assert scores.to_dict()["settings"]["ties"] == "average"
        assert scores.settings.ties == "average"

    def test_an_explanation_has_one_order(self):
        with pytest.raises(UsageError) as refused:
            cf.explain(TIED_JUDGMENTS, TIED, "RR", "q", ties="average")
        assert str(refused.value) == (
            "An explanation has one order: ties is document, document-ascending or given, not 'average'."
        )


BY_SUBTOPIC = [
    {"query": "q1", "subtopic": "1", "document": "a", "grade": 1},
    {"query": "q1", "subtopic": "2", "document": "a", "grade": 0},
    {"query": "q1", "subtopic": "2", "document": "b", "grade": 1},
    {"query": "q2", "subtopic": "1", "document": "a", "grade": 1},
]
ANSWERS = {"q1": ["b", "x", "a"], "q2": ["a"]}


class TestSeveralGrades:
    def refused(self, *arguments):
        with pytest.raises(CranfieldError) as refused:
            cf.evaluate(*arguments)
        return refused.value

    def test_measures_that_read_several_get_them(self):
        scores = cf.evaluate(BY_SUBTOPIC, ANSWERS, "StRecall@1 P_IA@2")
        assert scores["StRecall@1"].tolist() == [[0.5, 1]]
        assert scores["P_IA@2"].tolist() == [[0.25, 0.5]]
        assert scores.mean("StRecall@1").value == 0.75

    def test_measures_by_different_groups_are_refused_together(self):
        error = self.refused(BY_SUBTOPIC, ANSWERS, "alpha_nDCG@5 AP_avgjg")
        assert isinstance(error, UsageError)
        assert str(error) == (
            "alpha_nDCG@5 reads grades by subtopic and AP_avgjg reads grades by judge; judgments are read in one way "
            "only.\nEvaluate them one after the other."
        )

    def test_a_measure_of_one_grade_is_refused_beside_them(self):
        error = self.refused(BY_SUBTOPIC, ANSWERS, "alpha_nDCG@5 AP")
        assert isinstance(error, UsageError)
        assert str(error) == (
            "AP reads one grade for each document, but these judgments have several.\n"
            "Leave it out, or evaluate it with judgments that have one."
        )

    def test_a_measure_of_one_grade_alone_finds_several(self):
        error = self.refused(BY_SUBTOPIC, ANSWERS, "AP")
        assert isinstance(error, DataError)
        assert str(error) == (
            "query 'q1' has documents with several grades, one for each subtopic\n"
            "Merge the grades into one for each document, or choose a measure that reads several, such as "
            "alpha_nDCG@20 by subtopic or AP_avgjg by judge."
        )

    def test_grouped_judgments_are_no_way_round(self):
        grouped = cf.read_judgments(BY_SUBTOPIC, groups="subtopic")
        assert str(self.refused(grouped, ANSWERS, "nDCG@10")).startswith("nDCG@10 reads one grade for each document")

    def test_where_each_document_has_one_grade_both_kinds_of_measures_read_it(self):
        one_each = [BY_SUBTOPIC[0], BY_SUBTOPIC[2], BY_SUBTOPIC[3]]
        scores = cf.evaluate(one_each, ANSWERS, "AP_IA AP StRecall@1")
        assert scores["AP_IA"].tolist() == [[pytest.approx((1 / 3 + 1) / 2), 1]]
        assert scores["AP"].tolist() == [[pytest.approx((1 + 2 / 3) / 2), 1]]

    def test_judgments_read_for_another_kind_are_refused(self):
        grouped = cf.read_judgments(BY_SUBTOPIC, groups="subtopic")
        assert str(self.refused(grouped, ANSWERS, "PrefSimp")) == (
            "These judgments have grades by subtopic, but grades by preference are wanted.\n"
            "Read them again with groups='preference'."
        )

    def test_judgments_without_subtopics_are_told(self):
        scores = cf.evaluate({"q1": {"a": 1}, "q2": {"a": 1}}, ANSWERS, "alpha_nDCG@5")
        assert [warning.kind for warning in scores.warnings] == ["one-subtopic"]

    def test_subtopics_may_stand_in_a_dictionary(self):
        nested = {"q1": {"1": ["a"], "2": ["b"]}, "q2": {"1": ["a"]}}
        assert cf.evaluate(nested, ANSWERS, "StRecall@1")["StRecall@1"].tolist() == [[0.5, 1]]

    def test_a_relevant_document_is_relevant_to_any_subtopic(self):
        rows = [{**row, "grade": 0} if row["query"] == "q2" else row for row in BY_SUBTOPIC]
        found = cf.evaluate(rows, ANSWERS, "alpha_nDCG@5").to_dict()
        assert found["queries"]["without_relevant"] == ["q2"]
        assert found["runs"][0]["unjudged"] == {"documents": 1, "retrieved": 4, "judged_at_10": pytest.approx(5 / 6)}

    def test_a_silent_query_counts_zero(self):
        scores = cf.evaluate(BY_SUBTOPIC, {"q1": ["a"]}, "alpha_nDCG@5")
        assert scores["alpha_nDCG@5"][0, 1] == 0

    def test_depth_and_judged_only_are_for_all_measures(self):
        scores = cf.evaluate(BY_SUBTOPIC, ANSWERS, "AP_IA", depth=2)
        assert scores["AP_IA"][0, 0] == 0.5
        scores = cf.evaluate(BY_SUBTOPIC, ANSWERS, "AP_IA", judged_only=True)
        assert scores["AP_IA"][0, 0] == 0.75

    def test_no_bound_is_known_for_documents_that_nobody_judged(self):
        bounds = cf.evaluate(BY_SUBTOPIC, ANSWERS, "alpha_nDCG@5 P_IA@2").to_dict(unjudged=True)
        assert bounds["runs"][0]["unjudged"]["bounds"]["P_IA@2"] == {"low": None, "high": None}


FIVE_QUERIES = {f"q{query}": {"a": 1, "b": 0} for query in range(1, 6)}


class TestWarningsOfManyRuns:
    def test_the_same_words_about_many_runs_are_said_once(self):
        runs = {f"run{number}": {"q1": {"a": 1.0 + number}} for number in range(63)}
        (warning,) = cf.evaluate(FIVE_QUERIES, runs, "AP").warnings
        assert str(warning).startswith("run0, run1, run2 and 60 more runs: no documents for 4 of 5 judged queries")

    def test_of_other_words_of_one_kind_only_the_first_are_said(self):
        runs = {f"run{number}": {"q1": {"a": 1.0}, f"x{number}": {"a": 1.0}} for number in range(63)}
        warnings = [str(warning) for warning in cf.evaluate(FIVE_QUERIES, runs, "AP").warnings]
        assert len(warnings) == 5
        assert "60 more runs have such a warning, run3 among them" in warnings

    def test_ties_of_many_runs_take_one_short_line(self):
        runs = {f"run{number}": {query: {"a": number, "b": number} for query in FIVE_QUERIES} for number in range(63)}
        (warning,) = cf.evaluate(FIVE_QUERIES, runs, "AP").warnings
        assert "AP 0.5000 to 1.0000 (run2), and other values for 60 more runs; ties are broken" in str(warning)


@pytest.mark.parametrize("typo", [10, 2_000_000_000])
def test_a_grade_far_from_all_others_is_told(typo):
    grades = {f"q{query}": {f"d{at}": (query + at) % 4 for at in range(20)} for query in range(5)}
    scores = cf.evaluate({**grades, "q9": {"a": typo}}, {"q9": ["a"]}, "nDCG")
    words = f"1 grade is {typo}, far from the others, which go from 0 to 3; it counts as written"
    assert words in map(str, scores.warnings)


class TestErrorsNameTheRun:
    @pytest.mark.parametrize(
        ("other", "words"),
        [
            ({"q": ["a", "b", "a"]}, "y, entry 3: query 'q' lists document 'a' again"),
            ({"q": {"a": "high"}}, "y, entry 1: the score is 'high'; expected a number"),
            ({"z": ["a"]}, "y: no query in common with the judgments"),
            ({}, "y: no rankings found"),
            ([("q", "a", 1.0), ("q", "a", 2.0)], "y, row 2: query 'q' lists document 'a' again"),
        ],
    )
    def test_where_several_are_given_as_dictionaries_or_rows(self, other, words):
        with pytest.raises(cf.DataError, match=f"^{re.escape(words)}"):
            cf.evaluate({"q": ["a"]}, {"x": {"q": ["a"]}, "y": other}, "RR")

    def test_also_that_it_has_no_document_in_common_with_the_judgments(self):
        scores = cf.evaluate({"q": ["a"]}, {"x": {"q": ["a"]}, "y": {"q": ["z"]}}, "RR")
        assert any(
            str(finding).startswith("y: no document in common with the judgments") for finding in scores.warnings
        )


class TestOnlyRelevant:
    """Gold answers: whatever is not listed is not relevant, and nobody need worry about it."""

    GOLD: ClassVar = {"q1": {"d1": 1}, "q2": {"d2": 1}}
    NOTE = "The judgments list only relevant documents; unjudged documents count as not relevant."

    def test_it_is_noted_once(self):
        shown = str(cf.evaluate(self.GOLD, {"q1": ["x", "d1"], "q2": ["d2"]}, "RR"))
        assert shown.count(self.NOTE) == 1

    def test_nothing_is_noted_where_everything_was_judged(self):
        assert self.NOTE not in str(cf.evaluate(self.GOLD, {"q1": ["d1"], "q2": ["d2"]}, "RR"))
        assert self.NOTE not in str(cf.evaluate({"q1": {"d1": 1, "d2": 0}}, {"q1": ["x", "d1"]}, "RR"))

    def test_many_grades_without_a_zero_may_be_a_scale(self):
        ratings = {"q1": {f"d{at}": 1 + at % 5 for at in range(30)}}
        assert not cf.read_judgments(ratings).only_relevant
        assert cf.read_judgments({"q1": dict.fromkeys(ratings["q1"], 1)}).only_relevant
