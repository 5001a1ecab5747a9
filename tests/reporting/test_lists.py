"""Ranked lists: what comes first, who has it where, and how much of it fits."""

import pytest

import cranfield as cf
from cranfield.reporting.embedding import unpacked
from cranfield.reporting.lists import UNJUDGED, Rankings, fitting, leading, packed_lists

JUDGED = {"q1": {"a": 3, "b": 1, "c": 0, "z": 2}, "q2": {"a": 0}}
RUNS = {
    "one": {"q1": ["a", "x", "b", "c"], "q2": ["a"]},
    "two": {"q1": ["x", "c", "y"], "q9": ["a"]},
}


@pytest.fixture
def rankings():
    return Rankings(cf.evaluate(JUDGED, RUNS, "RR"), 10)


class TestAList:
    def test_holds_the_documents_of_all_systems_and_then_what_none_has(self, rankings):
        listed = rankings.lists(2, [0]).of[0]
        assert listed.documents == ("a", "x", "c", "z", "b")
        assert listed.grades == (3.0, None, 0.0, 2.0, 1.0)
        assert listed.lists == ((0, 1), (1, 2))

    def test_knows_the_ranks_of_relevant_documents_further_down(self, rankings):
        listed = rankings.lists(2, [0]).of[0]
        # Beside its own a: z nowhere, b third. The other has none of a, z and b.
        assert listed.deeper == ((0, 3), (0, 0, 0))

    def test_counts_the_judgments_of_each_grade(self, rankings):
        assert rankings.lists(2, [0, 1]).grades == (0.0, 1.0, 2.0, 3.0)
        assert [one.counts for one in rankings.lists(2, [0, 1]).of.values()] == [(1, 1, 1, 1), (1, 0, 0, 0)]

    def test_of_a_silent_query_is_empty(self, rankings):
        assert rankings.lists(2, [1]).of[1].lists == ((0,), ())

    @pytest.mark.parametrize("ties", ["document", "document-ascending", "given"])
    def test_has_the_order_of_the_evaluation(self, ties):
        runs = {"q1": {"a": 1.0, "c": 1.0, "b": 1.0}, "q2": {"a": 1.0}}
        scores = cf.evaluate(JUDGED, {"run": runs}, "RR", ties=ties)
        listed = Rankings(scores, 10).lists(3, [0]).of[0]
        order = {"document": "cba", "document-ascending": "abc", "given": "acb"}[ties]
        assert [listed.documents[number] for number in listed.lists[0]] == list(order)

    def test_leaves_out_what_the_evaluation_left_out(self):
        scores = cf.evaluate({"a": {"a": 1, "b": 1}}, {"run": {"a": ["a", "b"]}}, "RR", identical="drop")
        assert Rankings(scores, 10).lists(3, [0]).of[0].documents == ("b", "a")


def test_lists_are_packed_by_column(rankings):
    meta, columns = unpacked(packed_lists(rankings.lists(2, [0, 1])))
    assert meta == {
        "depth": 2,
        "grades": [0.0, 1.0, 2.0, 3.0],
        "relevant": 1,
        "documents": [["a", "x", "c", "z", "b"], ["a"]],
    }
    assert {name: column.tolist() for name, column in columns.items()} == {
        "queries": [0, 1],
        "grades": [3, UNJUDGED, 0, 2, 1, 0],
        "lengths": [2, 2, 1, 0],
        "orders": [0, 1, 1, 2, 0],
        "deeper": [0, 3, 0, 0, 0],
        "counts": [1, 1, 1, 1, 1, 0, 0, 0],
    }


@pytest.fixture(scope="module")
def many():
    queries = [f"q{at}" for at in range(300)]
    judged = {query: {f"{query}d{at}": at % 2 for at in range(6)} for query in queries}
    run = {query: [f"{query}d{(at * 7) % 40}" for at in range(40)] for query in queries}
    return Rankings(cf.evaluate(judged, {"run": run}, "RR"), 20)


class TestRoom:
    def test_that_suffices_gives_what_was_asked_for(self, many):
        lists, text = fitting(many, 10**9, range(300))
        assert (lists.depth, len(lists.of)) == (20, 300)
        assert text == packed_lists(lists)

    def test_that_is_scarce_makes_lists_shorter(self, many):
        full = len(packed_lists(many.lists(20, range(300))))
        lists, text = fitting(many, full * 2 // 3, range(300))
        assert lists.depth < 20
        assert len(lists.of) == 300
        assert len(text) <= full * 2 // 3

    def test_that_is_very_scarce_leaves_the_last_queries_without(self, many):
        room = len(packed_lists(many.lists(5, range(300)))) // 2
        order = list(range(299, -1, -1))
        lists, text = fitting(many, room, order)
        assert lists.depth == 5
        assert sorted(lists.of) == sorted(order[: len(lists.of)])
        assert 100 < len(lists.of) < 300
        assert len(text) <= room

    def test_that_is_none_leaves_all_without(self, many):
        assert len(fitting(many, 0, range(300))[0].of) == 0


def test_a_rank_for_which_no_document_is_listed_keeps_its_place():
    rows = [{"query": "q", "document": "a", "rank": 1}, {"query": "q", "document": "b", "rank": 4}]
    run = cf.read_run(rows, name="ann")
    scores = cf.evaluate({"q": {"b": 1}}, run, "RR")
    first = leading(run, scores.detail.judgments, scores.settings, 10)
    assert first == {"q": ("a", "(not listed: rank 2 of ann)", "(not listed: rank 3 of ann)", "b")}
