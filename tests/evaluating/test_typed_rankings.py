"""Rankings that were typed, evaluated as those of files are."""

from cranfield.evaluating.typed_rankings import evaluate_rankings, judgments_and_run
from cranfield.notation import typed


def test_each_ranking_is_a_query_by_number():
    judgments, runs = judgments_and_run([typed("1-|2"), typed("01")])
    assert judgments.queries == ("1", "2")
    assert dict(judgments["1"]) == {"d1": 1, "m1": 2}
    assert runs == {"ranking": {"1": ["d1", "d2"], "2": ["d1", "d2"]}}


def test_what_whoever_typed_it_can_see_is_no_warning():
    scores = evaluate_rankings([typed("00"), typed("|+3"), typed("--"), typed("1")], "AP")
    assert scores.warnings == ()
    assert scores.queries == ("1", "2", "3", "4")


def test_what_a_profile_warns_of_is_told():
    (warning,) = evaluate_rankings([typed("10")], "nDCG@10", profile="msmarco").warnings
    assert "msmarco" in str(warning)
