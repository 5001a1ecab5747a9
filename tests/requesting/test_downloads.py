"""A file of a web server: all of it, or a reason why not."""

import base64
import time

import pytest

from cranfield.requesting.downloads import downloaded
from cranfield.requesting.failures import Failure
from tests.requesting.web_server import answering, sent


def content(address, **options):
    with downloaded(address, **options) as body:
        return body.read()


def failure_of(answer, **options):
    with answering(answer) as address, pytest.raises(Failure) as raised:
        content(address, **options)
    return raised.value


def test_the_content_comes_as_it_is():
    with answering(lambda handler: sent(handler, 200, b"x" * 3_000_000)) as address:
        assert content(address) == b"x" * 3_000_000


def test_nothing_is_asked_to_be_compressed_on_the_way():
    with answering(lambda handler: sent(handler, 200, handler.headers["Accept-Encoding"].encode())) as address:
        assert content(address) == b"identity"


def test_an_answer_that_ends_before_its_announced_end_is_cut_off():
    failure = failure_of(lambda handler: sent(handler, 200, b"q1 0 d1 1\n", Content_Length="4000"))
    assert (failure.kind, failure.detail) == ("cut off", "the connection ended after 10 of 4,000 bytes")


def test_an_answer_in_pieces_that_misses_its_last_one_is_cut_off():
    def chunked(handler):
        handler.protocol_version = "HTTP/1.1"
        handler.send_response(200)
        handler.send_header("Transfer-Encoding", "chunked")
        handler.end_headers()
        handler.wfile.write(b"5\r\nq1 0 \r\n")

    assert failure_of(chunked).kind == "cut off"


@pytest.mark.parametrize(("status", "kind"), [(404, "not allowed"), (403, "not allowed"), (500, "server error")])
def test_a_refusal_is_told_with_its_number(status, kind):
    failure = failure_of(lambda handler: sent(handler, status, b"{}"))
    assert failure.kind == kind
    assert f"answered {status}" in failure.detail


def test_a_server_that_stops_sending_is_waited_for_only_so_long():
    def stalling(handler):
        handler.send_response(200)
        handler.send_header("Content-Length", "1000")
        handler.end_headers()
        handler.wfile.write(b"some")
        handler.wfile.flush()
        time.sleep(3)

    assert failure_of(stalling, timeout=0.2).kind == "timeout"


def test_no_server_is_no_connection():
    with pytest.raises(Failure, match="refused") as raised:
        content("http://127.0.0.1:1/bm25.run")
    assert raised.value.kind == "no connection"


def test_user_and_password_go_to_the_host_they_are_for_and_to_no_other():
    seen = []

    def elsewhere(handler):
        seen.append(handler.headers["Authorization"])
        sent(handler, 200, b"there")

    with answering(elsewhere) as other:

        def first(handler):
            seen.append(handler.headers["Authorization"])
            sent(handler, 302, b"", Location=other)

        with answering(first) as address:
            assert content(address.replace("://", "://ada:pass%20word@")) == b"there"
    assert seen == ["Basic " + base64.b64encode(b"ada:pass word").decode(), None]


def test_what_is_secret_is_in_no_message():
    def telling(handler):
        sent(handler, 403, b'{"message": "the key k3y-of-ada is wrong"}')

    assert "k3y-of-ada" not in str(failure_of(telling, secrets=["k3y-of-ada"]))
