"""Runs compared on slices of the queries."""

from __future__ import annotations

import json
import math

import numpy as np
import pytest

import cranfield as cf
from cranfield import demo
from cranfield.comparing import corrected, randomization_test, slice_words
from cranfield.comparing.slices import NONE, divided
from cranfield.comparing.words import movers, sections
from cranfield.errors import DataError, UsageError

QUERIES = [f"q{at:02}" for at in range(40)]
JUDGMENTS = {query: {"d0": 1, "d1": 1, "d2": 0} for query in QUERIES}


def run(seed, better):
    """A run whose relevant documents come the earlier the better it is; how good it is may differ between queries."""
    rng = np.random.default_rng(seed)
    return {
        query: {f"d{at}": float(rng.normal() + (better(place) if at < 2 else 0)) for at in range(12)}
        for place, query in enumerate(QUERIES)
    }


RUNS = {"old": run(1, lambda at: 1), "new": run(2, lambda at: 5 if at < 20 else -1), "same": run(3, lambda at: 1)}
KNOWN = {query: {"text": f"{query} text", "half": "first" if at < 20 else "second"} for at, query in enumerate(QUERIES)}


def compared(known=KNOWN, by="half", runs=("old", "new"), **said):
    scores = cf.evaluate(JUDGMENTS, {name: RUNS[name] for name in runs}, ["AP", "RR"])
    return cf.compare(scores, queries=known, by=by, resamples=500, **said)


@pytest.fixture(scope="module")
def comparison():
    return compared()


class TestDivision:
    def test_texts_with_the_most_queries_come_first(self):
        known = cf.read_queries({query: {"x": "abbccc"[at]} for at, query in enumerate(QUERIES[:6])})
        assert divided(QUERIES[:6], known, "x").members == {
            "c": ("q03", "q04", "q05"),
            "b": ("q01", "q02"),
            "a": ("q00",),
        }

    def test_few_numbers_are_slices_in_their_order(self):
        known = cf.read_queries({query: {"x": [10, "2", 10, 2.0][at]} for at, query in enumerate(QUERIES[:4])})
        assert list(divided(QUERIES[:4], known, "x").members) == ["2", "2.0", "10"]

    def test_many_numbers_are_divided_into_quartiles(self):
        known = cf.read_queries({query: {"x": str(at)} for at, query in enumerate(QUERIES)})
        found = divided(QUERIES, known, "x")
        assert {name: len(members) for name, members in found.members.items()} == {
            "0–9": 10,
            "10–19": 10,
            "20–29": 10,
            "30–39": 10,
        }
        assert found.notes == ("x has 40 different numbers; the slices are its quartiles.",)

    def test_quartiles_that_coincide_are_one(self):
        values = [0] * 20 + [-1.5] + list(range(1, 20))
        known = cf.read_queries({query: {"x": values[at]} for at, query in enumerate(QUERIES)})
        members = divided(QUERIES, known, "x").members
        assert list(members) == ["-1.5 to 0", "1–9", "10–19"]
        assert sum(map(len, members.values())) == 40

    def test_queries_of_which_nothing_is_said_are_a_slice(self):
        known = cf.read_queries([{"qid": "q00", "x": "a"}, {"qid": "q01", "x": None}, {"qid": "q09", "x": "b"}])
        found = divided(["q00", "q01", "q02"], known, "x")
        assert found.members == {"a": ("q00",), NONE: ("q01", "q02")}
        assert found.notes == ("x is not known for 2 queries (q01, q02): the slice (none).",)

    def test_truth_is_no_number(self):
        known = cf.read_queries({"q00": {"x": True}, "q01": {"x": False}})
        assert list(divided(["q00", "q01"], known, "x").members) == ["False", "True"]

    def test_words_are_counted(self):
        known = cf.read_queries({"q00": "one", "q01": "two words", "q02": "also two"})
        assert divided(["q00", "q01", "q02"], known, "words").members == {"1": ("q00",), "2": ("q01", "q02")}

    def test_a_column_called_words_comes_first(self):
        known = cf.read_queries({"q00": {"text": "one", "words": "many"}})
        assert list(divided(["q00"], known, "words").members) == ["many"]

    def test_a_text_for_every_query_makes_no_slices(self):
        with pytest.raises(UsageError, match=r"text has 40 different values for 40 queries \(q00 text, q01 text"):
            divided(QUERIES, cf.read_queries(KNOWN), "text")

    def test_queries_that_are_not_those(self):
        known = cf.read_queries({"0": {"x": 1}, "1": {"x": 2}})
        with pytest.raises(DataError, match=r"has none of the evaluated queries: those are q0, q1; here they are 0"):
            divided(["q0", "q1"], known, "x")

    def test_a_column_that_says_nothing(self):
        with pytest.raises(UsageError, match="x says nothing about any evaluated query"):
            divided(["q0"], cf.read_queries([{"qid": "q0", "x": None}]), "x")


class TestNumbers:
    def test_each_slice_is_compared_as_if_there_were_no_other(self, comparison):
        (slicing,) = comparison.slicings
        scores = comparison.results.settled("AP")
        for part, chosen in zip(slicing.slices, (slice(0, 20), slice(20, 40)), strict=True):
            found = part.differences[0]
            differences = scores[1, chosen] - scores[0, chosen]
            assert part.queries == tuple(QUERIES[chosen])
            assert found.difference == pytest.approx(differences.mean())
            assert found.p == randomization_test(differences, permutations=500).p
            assert found.wins == (differences > 0).sum()

    def test_p_is_corrected_for_slices_and_pairs_under_each_measure(self):
        (slicing,) = compared(runs=("old", "new", "same")).slicings
        assert slicing.family == 4
        for measure in ("AP", "RR"):
            family = [one for part in slicing.slices for one in part.differences if str(one.measure) == measure]
            assert [one.adjusted for one in family] == corrected([one.p for one in family], "holm").tolist()

    def test_tukeys_p_is_multiplied_by_the_slices(self):
        (slicing,) = compared(runs=("old", "new", "same"), test="tukey").slicings
        assert all(one.adjusted == min(2 * one.p, 1) for part in slicing.slices for one in part.differences)

    def test_whether_the_difference_depends_on_the_slice(self):
        (slicing,) = compared(runs=("old", "new", "same")).slicings
        found = {(str(one.measure), one.run): one for one in slicing.interactions}
        assert found["AP", "new"].adjusted < 0.01
        assert found["AP", "same"].adjusted > 0.05
        p = [found["AP", name].p for name in ("new", "same")]
        assert [found["AP", name].adjusted for name in ("new", "same")] == corrected(p, "holm").tolist()

    def test_slices_of_one_query_have_no_interval_and_say_why(self):
        known = {**KNOWN, "q39": {"half": "third"}}
        (slicing,) = compared(known).slicings
        only = slicing.slices[-1].differences[0]
        assert (slicing.slices[-1].name, only.queries) == ("third", 1)
        assert math.isnan(only.low)
        assert only.reason == "a single query shows no variance"

    def test_several_columns(self):
        found = compared(by=["half", "words", "half"]).slicings
        assert [slicing.by for slicing in found] == ["half", "words"]
        assert math.isnan(found[1].interactions[0].p)

    def test_saved_results_are_sliced_too(self, comparison):
        again = cf.compare(comparison.results, queries=KNOWN, by="half", resamples=500)
        assert again.to_dict()["slices"] == comparison.to_dict()["slices"]


class TestWords:
    def test_where_a_difference_can_be_shown_and_whether_slices_differ(self, comparison):
        verdict = slice_words.verdict(comparison, comparison.slicings[0])
        assert verdict.startswith("By half (AP): new is better than old on first; new is worse than old on second.")
        assert "The difference depends on half (p = " in verdict

    def test_no_difference_anywhere(self):
        found = compared(runs=("old", "same"))
        assert slice_words.verdict(found, found.slicings[0]).startswith(
            "By half (AP): no significant difference in any slice. The difference does not depend significantly on half"
        )

    def test_several_pairs(self):
        found = compared(runs=("old", "new", "same"))
        verdict = slice_words.verdict(found, found.slicings[0])
        assert verdict.startswith("By half, 2 of 4 differences of AP within slices are significant. ")
        assert "The difference depends on half for new and old (p = " in verdict
        assert "run" in slice_words.table(found, found.slicings[0]).columns

    def test_the_table_names_its_family_and_warns(self, comparison):
        table = slice_words.table(comparison, comparison.slicings[0])
        assert table.columns["half"] == ["first", "second", "first", "second"]
        assert table.columns["queries"] == [20, 20, 20, 20]
        notes = " ".join(table.notes)
        assert "new compared with old, in slices by half." in notes
        assert "Holm's correction for 2 slices, per measure" in notes
        assert "no evidence that slices differ" in notes

    def test_one_slice_is_no_reason_to_ask_whether_slices_differ(self):
        found = compared({query: {"x": "all"} for query in QUERIES}, by="x")
        assert "cannot be tested: all queries are in one slice." in slice_words.verdict(found, found.slicings[0])

    def test_rows_for_programs_name_the_slice(self, comparison):
        columns = comparison.rows().columns
        assert columns["by"] == ["", "", "half", "half", "half", "half"]
        assert columns["slice"] == ["all", "all", "first", "first", "second", "second"]
        assert "by" not in compared(known=None, by=()).rows().columns

    def test_everything_as_plain_values(self, comparison):
        (slicing,) = json.loads(json.dumps(comparison.to_dict(), allow_nan=False))["slices"]
        assert [part["slice"] for part in slicing["slices"]] == ["first", "second"]
        assert slicing["slices"][0]["queries"] == 20
        assert slicing["slices"][0]["differences"][0]["measure"] == "AP"
        assert list(slicing["interactions"][0]) == [
            "measure",
            "canonical",
            "run",
            "baseline",
            "p",
            "adjusted",
            "reason",
        ]

    def test_texts_of_queries_stand_beside_what_moved(self, comparison):
        assert movers(comparison, 1).columns["text"][0].endswith(" text")
        assert "text" not in movers(compared(known=None, by=()), 1).columns

    def test_it_shows_itself(self, comparison):
        assert len(sections(comparison)) == 5
        assert "By half" in str(comparison)
        assert comparison._repr_html_().count("<table") == 3


class TestWrongUse:
    def test_a_column_without_queries(self):
        with pytest.raises(UsageError, match='by="half" needs queries='):
            compared(known=None)

    def test_a_misspelt_column(self):
        with pytest.raises(DataError, match="Did you mean half"):
            compared(by="halve")


def test_the_demo_by_intent():
    scores = cf.evaluate(demo.path("qrels.txt"), [demo.path("bm25.run"), demo.path("hybrid.run")], "nDCG@10")
    (slicing,) = cf.compare(scores, queries=demo.path("queries.tsv"), by="intent", resamples=100).slicings
    assert {part.name: len(part.queries) for part in slicing.slices} == {
        "howto": 29,
        "problem": 28,
        "informational": 7,
        "navigational": 6,
    }
