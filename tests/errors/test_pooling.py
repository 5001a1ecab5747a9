import pytest

from cranfield.errors import pooling


def test_an_unknown_strategy_is_answered_with_the_nearest():
    error = pooling.unknown_strategy("dept", ["depth", "hedge"])
    assert str(error) == "There is no strategy 'dept'; there are depth, hedge. Did you mean depth?"


def test_a_wrong_group_comes_with_how_to_write_one():
    error = pooling.wrong_group("a=bm52", "there is no run bm52", ["bm25"], "bm52")
    assert str(error) == "group 'a=bm52': there is no run bm52. Did you mean bm25? Write it as team=run1,run2."


def test_a_run_that_is_silent_for_some_queries_is_counted():
    finding = pooling.not_in_pool("bm25", ["q1", "q2"], 50)
    assert str(finding).startswith("bm25: no documents for 2 of 50 queries (q1, q2);")


def test_a_budget_beyond_the_pool_counts_what_is_judged_only_if_something_is():
    assert "1,000 labels" in pooling.budget_beyond_pool(1000, 70, 10, 0).message
    assert "judged already" not in pooling.budget_beyond_pool(1000, 70, 10, 0).message
    assert ", 5 more are judged already" in pooling.budget_beyond_pool(1000, 70, 10, 5).message


@pytest.mark.parametrize(("count", "verb"), [(1, "is"), (2, "are")])
def test_sampled_documents_without_a_grade_are_counted(count, verb):
    finding = pooling.unlabelled(count, 9)
    assert finding.message.startswith(f"{count} of 9 sampled documents {verb} not judged yet")
    assert finding.count == count


def test_a_level_that_no_document_reaches_stops_the_work():
    assert "grade of 3 or more" in str(pooling.nothing_relevant(3.0))
