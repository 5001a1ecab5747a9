"""No query is fused by what was learnt from itself."""

import pytest

import cranfield as cf
from cranfield import demo
from cranfield.errors import DataError, UsageError
from cranfield.fusing.fusion import fusion_from
from cranfield.fusing.training import fold_numbers, trained_fusion

RUNS = [demo.path("bm25.run"), demo.path("dense.run")]
QRELS = demo.path("qrels.txt")


def ranking(run, query):
    return [*run[query]]


def test_judgments_of_a_query_do_not_move_its_own_ranking():
    judgments = cf.read_judgments(QRELS)
    grades = {query: {} for query in judgments.queries}
    for query, start, end in zip(judgments.queries, judgments.starts, judgments.starts[1:], strict=False):
        grades[query] = dict(zip(judgments.documents[start:end], judgments.grades[start:end].tolist(), strict=True))
    before = cf.fuse(RUNS, "posfuse", train=grades)
    grades["q01"] = dict.fromkeys(grades["q01"], 0)  # nothing is relevant to it any more
    after = cf.fuse(RUNS, "posfuse", train=grades)
    assert after["q01"] == before["q01"]
    assert any(after[query] != before[query] for query in ("q02", "q03", "q04", "q05", "q06", "q07"))


def test_a_query_without_judgments_is_fused_by_what_all_others_tell():
    some = {query: {"d0131": 1} for query in ("q01", "q02", "q03")}
    run = cf.fuse(RUNS, "mapfuse", train=some, folds=3)
    learnt = trained_fusion([cf.read_run(path) for path in RUNS], fusion_from("mapfuse"), some, folds=3)
    assert learnt.of("q70") is learnt.fusion
    assert learnt.of("q01") is not learnt.fusion
    assert run["q70"]


def test_a_silent_run_learns_from_the_queries_it_answered_not_at_all_as_empty_lists():
    learnt = trained_fusion(
        [cf.read_run({"q1": {"a": 1.0}, "q2": {"a": 1.0}}), cf.read_run({"q1": {"a": 1.0}})],
        fusion_from("posfuse"),
        {"q1": {"a": 1}, "q2": {"a": 1}},
        folds=2,
    )
    assert [own.tolist() for own in learnt.fusion.model] == [[1.0], [1.0]]


def test_folds_are_as_large_as_can_be_and_depend_on_the_seed_alone():
    queries = [f"q{at}" for at in range(13)]
    folds = fold_numbers(queries, 5, seed=1)
    assert sorted([*folds.values()].count(fold) for fold in range(5)) == [2, 2, 3, 3, 3]
    assert fold_numbers(queries[::-1], 5, seed=1) == folds
    assert fold_numbers(queries, 5, seed=2) != folds


@pytest.mark.parametrize(
    ("choices", "words"),
    [
        ({"method": "probfuse"}, "probfuse learns from judgments: give them as train="),
        ({"method": "rrf", "train": QRELS}, "rrf does not learn from judgments"),
        ({"method": "rrf", "folds": 3}, "rrf does not learn from judgments"),
        ({"method": "posfuse", "train": QRELS, "folds": 1}, "folds must be a whole number of at least 2"),
        (
            {"method": "posfuse", "train": {"q01": {"d0131": 1}}},
            "1 query with judgments and results cannot be cut into 5",
        ),
    ],
)
def test_what_cannot_be_learnt_is_refused(choices, words):
    with pytest.raises(UsageError, match=words):
        cf.fuse(RUNS, **choices)


@pytest.mark.parametrize("judged", [{"dx": 1}, {"d1": 0}])
def test_nothing_is_learnt_where_no_run_returned_anything_relevant(judged):
    runs = {name: {f"q{at}": ["d1", "d2"] for at in range(8)} for name in "ab"}
    with pytest.raises(DataError, match="no run returned a relevant document, so nothing can be learnt"):
        cf.fuse(runs, "probfuse", train={f"q{at}": judged for at in range(8)})
