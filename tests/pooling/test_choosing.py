"""Which documents are in a pool, in which order, and in which forms they leave it."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

import cranfield as cf
from cranfield.errors import DataError, UsageError
from tests.effort import examples
from tests.pooling.strategies import ORDERED, judgments, pairs, runs, union

RUNS = {"a": {"q1": ["d1", "d2", "d3"], "q2": ["d9"]}, "b": {"q1": ["d2", "d4", "d1"], "q2": ["d8", "d9"]}}
depths = st.integers(1, 9)
FEW = examples(10)


# Laws


@given(runs(), depths)
def test_a_depth_pool_is_the_union_of_the_first_of_every_run(given, depth):
    assert set(pairs(cf.pool(given, depth=depth))) == union(given, depth)


@given(runs(), depths, depths)
def test_a_deeper_pool_has_all_of_a_shallower_one(given, one, other):
    shallow, deep = (set(pairs(cf.pool(given, depth=depth))) for depth in sorted((one, other)))
    assert shallow <= deep


@pytest.mark.parametrize("strategy", [*ORDERED, "comparison"])
@FEW
@given(given=runs(least=2), depth=depths, known=judgments())
def test_without_a_budget_every_strategy_has_the_same_documents(strategy, given, depth, known):
    found = pairs(cf.pool(given, depth=depth, strategy=strategy, judgments=known))
    judged = {(query, document) for query, graded in known.items() for document in graded}
    assert len(found) == len(set(found))
    assert set(found) == union(given, depth) - judged


@pytest.mark.parametrize("strategy", ORDERED)
@FEW
@given(given=runs(), budget=st.integers(1, 40), known=judgments())
def test_a_budget_is_met_exactly_and_buys_what_comes_first(strategy, given, budget, known):
    everything = pairs(cf.pool(given, depth=100, strategy=strategy, order="priority", judgments=known))
    some = pairs(cf.pool(given, strategy=strategy, budget=budget, judgments=known))
    assert some == everything[:budget]
    assert len(some) == min(budget, len(everything))


@pytest.mark.parametrize("strategy", ORDERED)
@FEW
@given(given=runs(), count=st.integers(1, 9))
def test_a_number_for_each_query_is_met_for_each(strategy, given, count):
    pool = cf.pool(given, strategy=strategy, labels_per_query=count)
    there = {query: {document for q, document in union(given, 100) if q == query} for query, _ in union(given, 100)}
    assert {query: len(pool.of(query)) for query in there} == {
        query: min(count, len(documents)) for query, documents in there.items()
    }


@FEW
@given(runs(least=2), judgments())
def test_no_judged_document_is_drawn_to_be_judged(given, known):
    assert not any(
        document in known[query] for query, document in pairs(cf.pool(given, strategy="sample", judgments=known))
    )


@FEW
@given(runs(), st.integers(0, 5))
def test_the_same_seed_gives_the_same_pool(given, seed):
    for strategy in (*ORDERED, "sample"):
        assert pairs(cf.pool(given, strategy=strategy, seed=seed)) == pairs(
            cf.pool(given, strategy=strategy, seed=seed)
        )


@pytest.mark.parametrize("strategy", ["depth", "rrf", "rbp"])
@given(given=runs(least=2), budget=st.integers(1, 30))
def test_the_order_in_which_runs_are_given_does_not_matter(strategy, given, budget):
    reverse = dict(reversed(given.items()))
    assert pairs(cf.pool(given, strategy=strategy, budget=budget)) == pairs(
        cf.pool(reverse, strategy=strategy, budget=budget)
    )


@given(runs())
def test_a_query_is_shuffled_alike_whatever_other_queries_there_are(given):
    alone = {name: {"q1": run["q1"]} for name, run in given.items()}
    assert cf.pool(given).of("q1") == cf.pool(alone).of("q1")


# Examples


def test_a_negative_grade_is_no_judgment():
    assert "d1" in cf.pool(RUNS, depth=1, judgments={"q1": {"d1": -1, "d2": 0}}).of("q1")


def test_queries_come_in_their_natural_order():
    numbered = {f"q{number}": ["d1"] for number in (10, 9, 1)}
    assert [query for query, _ in pairs(cf.pool({"a": numbered}))] == ["q1", "q9", "q10"]


def test_documents_are_shuffled_so_that_their_order_tells_nothing():
    names = [f"d{number:02}" for number in range(20)]
    shuffled = cf.pool({"a": {"q1": names}}, depth=20).of("q1")
    assert sorted(shuffled) == names
    assert list(shuffled) != names
    assert shuffled != cf.pool({"a": {"q1": names}}, depth=20, seed=1).of("q1")


def test_by_rank_if_asked():
    assert cf.pool(RUNS, depth=3, order="rank").of("q1") == ("d1", "d2", "d4", "d3")


def test_equal_scores_come_by_id_last_first_as_in_an_evaluation():
    assert cf.pool({"a": {"q1": {"d1": 1.0, "d2": 1.0, "d3": 0.5}}}, depth=1).of("q1") == ("d2",)


def test_a_budget_is_shared_over_queries_by_weight():
    # The first document of each run and query, before any second one.
    assert set(pairs(cf.pool(RUNS, budget=4))) == {("q1", "d1"), ("q1", "d2"), ("q2", "d8"), ("q2", "d9")}


def test_a_budget_beyond_the_pool_says_so():
    pool = cf.pool(RUNS, budget=100, judgments={"q1": {"d1": 1}})
    assert len(pool) == 5
    assert str(pool.warnings[-1]) == (
        "the budget is 100 labels, and the pool of depth 100 has 5 documents to judge, 1 more are judged already: all "
        "of them are listed; a larger depth has more"
    )


def test_a_query_with_less_than_its_share_is_named():
    pool = cf.pool(RUNS, labels_per_query=3)
    assert str(pool.warnings[-1]) == (
        "1 of 2 queries has fewer than 3 documents to judge at depth 100 (q2): all of them are listed"
    )


def test_a_pool_that_is_all_judged_says_so():
    pool = cf.pool({"a": {"q1": ["d1"]}}, judgments={"q1": {"d1": 1}})
    assert pool.verdict().startswith("Nothing is left to judge.")
    assert str(pool.warnings[-1]).startswith("every document of the pool of depth 10 is judged")


def test_a_run_without_a_query_is_named():
    pool = cf.pool({"a": {"q1": ["d1"], "q2": ["d1"]}, "b": {"q1": ["d1"]}})
    assert (
        str(pool.warnings[0])
        == "b: no documents for 1 of 2 queries (q2); there the pool has only what other runs found"
    )


# Forms


def test_texts_that_are_missing_are_counted():
    pool = cf.pool(RUNS, depth=1, order="rank", queries={"q1": "tomatoes"}, documents={"d1": "Water."})
    assert [str(warning) for warning in pool.warnings] == [
        "1 of 2 queries of the pool has no text (q2)",
        "3 of 4 documents of the pool have no text (d2, d8, d9)",
    ]


def test_texts_of_another_collection_stop():
    with pytest.raises(DataError, match="none of the 4 documents of the pool is in it"):
        cf.pool(RUNS, depth=1, documents={"x": "Water."})


# What is refused


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"depth": 0}, "depth must be a whole number of at least 1, not 0"),
        ({"depth": 2.5}, "depth must be a whole number of at least 1, not 2.5"),
        ({"budget": 0}, "budget must be a whole number of at least 1, not 0"),
        ({"labels_per_query": -1}, "labels_per_query must be a whole number of at least 1, not -1"),
        ({"budget": 3, "labels_per_query": 1}, "A budget in all and one per query do not go together"),
        ({"strategy": "bandits"}, "There is no strategy 'bandits'; there are depth, .*Did you mean bandit"),
        ({"strategy": "rpb"}, "Did you mean rbp"),
        ({"strategy": "sample", "budget": 3}, "A sample and a budget do not go together"),
        ({"strata": "10:1"}, "Strata and the strategy depth do not go together"),
        ({"strategy": "sample", "strata": "10:1", "depth": 5}, "Strata down to rank 10 and depth 5"),
        ({"strategy": "sample", "strata": "10"}, "strata '10': they cannot be read"),
        ({"strategy": "sample", "strata": "10:0"}, "a share to judge is above 0 and at most 1"),
        ({"strategy": "sample", "strata": "10:1,5:0.5"}, "last ranks begin at 1 and rise"),
        ({"p": 1}, "p must be between 0 and 1"),
        ({"seed": -1}, "seed must be a whole number of at least 0, not -1"),
        ({"measure": "P@5 P@10"}, "names 2 measures; give one"),
        ({"order": "random"}, "order must be one of shuffled, priority, rank, not 'random'"),
        ({"strategy": "comparison", "measure": "nope@10"}, "nope"),
        ({"strategy": "comparison", "measure": "alpha_nDCG@10"}, "reads grades by subtopic"),
    ],
)
def test_a_wrong_call_is_told(given, message):
    with pytest.raises(UsageError, match=message):
        cf.pool(RUNS, **given)


def test_a_comparison_takes_two_runs():
    with pytest.raises(UsageError, match=r"A comparison is between runs, and one was given \(a\)"):
        cf.pool({"a": {"q1": ["d1"]}}, strategy="comparison")


def test_runs_that_share_no_query_stop():
    with pytest.raises(DataError, match="no query in common with b: its queries are 1; those of this run are 01"):
        cf.pool({"a": {"01": ["d1"]}, "b": {"1": ["d1"]}})


@pytest.mark.parametrize("kernels", ["compiled", "plain"])
def test_a_document_listed_twice_stops_even_far_below_the_pool(tmp_path, monkeypatch, kernels):
    if kernels == "plain":
        monkeypatch.setenv("CRANFIELD_KERNELS", "plain")
    lines = [f"q1 Q0 d{rank} {rank} {100 - rank} a\n" for rank in range(1, 40)]
    (tmp_path / "a.run").write_text("".join([*lines, "q1 Q0 d39 40 1 a\n"]))
    with pytest.raises(DataError, match="lists document 'd39' again"):
        cf.pool(tmp_path / "a.run", depth=3)


def test_no_run_is_no_pool():
    with pytest.raises(UsageError, match="No run was given"):
        cf.pool([])


def test_compiled_and_plain_loops_read_the_same(tmp_path):
    text = "".join(f"q{query} Q0 d{rank % 17} 1 {rank % 5} a\n" for query in (1, 2) for rank in range(17))
    (tmp_path / "a.run").write_text(text)
    scattered = "".join(sorted(text.splitlines(keepends=True), key=lambda line: line.split()[2]))
    (tmp_path / "b.run").write_text(scattered)
    one, other = (cf.pool(tmp_path / name, depth=6, order="rank") for name in ("a.run", "b.run"))
    assert pairs(one) == pairs(other)
