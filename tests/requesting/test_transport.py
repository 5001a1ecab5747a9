"""One request over HTTP: content, or a reason why there is none."""

from __future__ import annotations

import time
import urllib.request

import pytest

from cranfield.requesting.failures import Failure
from cranfield.requesting.transport import content_of, seconds
from tests.requesting.web_server import answering, sent


def failure_of(answer, *, timeout: float = 2.0, most_bytes: int = 1000, secrets: tuple[str, ...] = ()) -> Failure:
    with answering(answer) as url, pytest.raises(Failure) as raised:
        content_of(urllib.request.Request(url), timeout=timeout, most_bytes=most_bytes, secrets=secrets)
    return raised.value


def test_the_content_comes_back():
    with answering(lambda handler: sent(handler, 200, b"x" * 1000)) as url:
        assert content_of(urllib.request.Request(url), timeout=2, most_bytes=1000) == b"x" * 1000


def test_a_larger_answer_is_not_read_to_its_end():
    def endless(handler):
        handler.send_response(200)
        handler.end_headers()
        for _ in range(10_000):
            handler.wfile.write(b"x" * 10_000)

    failure = failure_of(endless)
    assert (failure.kind, failure.detail) == ("too large", "the answer is larger than 1,000 bytes")


def test_an_answer_that_ends_early_is_cut_off():
    assert failure_of(lambda handler: sent(handler, 200, b"half", Content_Length="900")).kind == "cut off"


def test_a_server_that_sends_byte_after_byte_has_no_more_time_than_others():
    def dripping(handler):
        handler.send_response(200)
        handler.end_headers()
        for _ in range(100):
            handler.wfile.write(b"x")
            time.sleep(0.05)

    began = time.monotonic()
    assert failure_of(dripping, timeout=0.2).kind == "timeout"
    assert time.monotonic() - began < 2


def test_a_redirect_is_not_followed():
    answered = []

    def elsewhere(handler):
        answered.append(handler.path)
        sent(handler, 302, b"", Location="http://203.0.113.7/steal")

    failure = failure_of(elsewhere)
    assert (failure.kind, answered) == ("redirected", ["/"])
    assert "203.0.113.7; nothing was sent there" in failure.detail


@pytest.mark.parametrize(
    ("status", "kind"),
    [
        (400, "rejected"),
        (401, "not allowed"),
        (403, "not allowed"),
        (404, "not allowed"),
        (408, "server error"),
        (429, "rate limited"),
        (500, "server error"),
        (503, "server error"),
    ],
)
def test_every_status_has_a_kind(status, kind):
    failure = failure_of(lambda handler: sent(handler, status, b"{}", Retry_After="3"))
    assert (failure.kind, failure.retry_after) == (kind, 3.0 if kind in ("rate limited", "server error") else None)


@pytest.mark.parametrize(
    "content",
    [
        b'{"error": {"message": "no such index: sk-secret"}}',
        b'{"error": {"type": "x", "reason": "no such index: sk-secret"}}',
        b'{"error": {"msg": "no such index: sk-secret", "code": 400}}',
        b'{"error": "no such index: sk-secret"}',
        b'{"status": {"error": "no such index: sk-secret"}}',
    ],
)
def test_what_the_server_says_is_repeated_without_secrets(content):
    failure = failure_of(lambda handler: sent(handler, 400, content), secrets=("", "sk-secret"))
    assert failure.detail.endswith("answered 400: no such index: ***")


def test_a_server_that_is_not_there():
    with answering(lambda handler: None) as url:
        pass
    with pytest.raises(Failure, match="refused") as raised:
        content_of(urllib.request.Request(url), timeout=1, most_bytes=10)
    assert raised.value.kind == "no connection"


@pytest.mark.parametrize(
    ("header", "wait"),
    [("2", 2.0), ("0.5", 0.5), ("-3", 0.0), ("1e9", 120.0), ("nan", None), ("soon", None), (None, None)],
)
def test_how_long_a_server_asks_to_wait(header, wait):
    assert seconds(header) == wait


def test_a_date_to_wait_for():
    assert seconds("Wed, 21 Oct 2015 07:28:00 GMT") == 0.0
