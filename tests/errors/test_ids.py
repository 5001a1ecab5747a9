import pytest

from cranfield import errors

NEVER_MEETING = [
    (["001", "002"], ["1", "2"], "without leading zeros (001 and 1)"),
    (["Q1", "Q2"], ["q1", "q2"], "whatever their case (Q1 and q1)"),
    (["1", "2"], ["1 ", "2 "], "without blanks around them (1 and 1 )"),
    (["1", "2"], ["1.0", "2.0"], "without .0 at their end (1 and 1.0)"),
    (["1", "2"], ["q1", "q2"], "without the prefix 'q' (1 and q1)"),
    (["msmarco_passage_7", "msmarco_passage_9"], ["9", "7"], "without the prefix 'msmarco_passage_'"),
]


@pytest.mark.parametrize(("judged", "retrieved", "hint"), NEVER_MEETING)
def test_ids_that_would_meet_if_written_alike_come_with_that_advice(judged, retrieved, hint):
    finding = errors.ids.ids_never_meet("query", "qrels.txt", "bm25.run", judged, retrieved)
    assert hint in finding.advice


def test_ids_that_are_alike_already_need_no_other_spelling():
    finding = errors.ids.ids_never_meet("document", None, None, ["d1", "d9"], ["d9", "d7"])  # of different queries
    assert finding.advice == "Check that judgments and run belong to the same collection."


def test_ids_that_never_meet_are_shown_three_of_each():
    finding = errors.ids.ids_never_meet("query", "qrels.txt", "bm25.run", list("abcd"), list("wxyz"))
    assert str(finding) == (
        "bm25.run: no query in common with qrels.txt: judged queries are a, b, c, …; queries of the run are w, x, y, …"
    )
    assert finding.advice == "Check that judgments and run belong to the same collection."


def test_digits_at_the_end_of_other_numbers_are_no_prefix():
    finding = errors.ids.ids_never_meet("query", None, None, ["301", "302"], ["1", "2"])
    assert "prefix" not in finding.advice
