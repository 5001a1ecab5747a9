"""What came of asking a system."""

from cranfield.data.request_log import RequestLog, RequestRecord

LOG = RequestLog(
    {
        "q1": RequestRecord("q1", "a", "results", 1, 12.5, 2),
        "q2": RequestRecord("q2", "b", "empty", 1, 3.0),
        "q3": RequestRecord("q3", "c", "failed", 6, kind="server error", detail="500"),
        "q4": RequestRecord("q4", "d", "timed out", 6, kind="timeout"),
    }
)


def test_an_empty_result_is_an_answer_and_a_failure_is_none():
    assert LOG.unanswered == ("q3", "q4")
    assert [record.is_answered for record in LOG.records.values()] == [True, True, False, False]


def test_only_answers_have_a_latency():
    assert LOG.latencies == {"q1": 12.5, "q2": 3.0}


def test_outcomes_are_counted():
    assert (LOG.count("results"), LOG.count("empty"), LOG.count("timed out")) == (1, 1, 1)
