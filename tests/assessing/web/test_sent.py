"""What browsers send: whatever makes no sense is refused in words, and nothing of it is stored."""

import json
import socket
import urllib.request
from contextlib import suppress

import pytest

from cranfield.assessing.web.access import BODY
from tests.assessing.web.site import running


class TestLimits:
    def test_a_large_body_is_refused_and_nothing_stored(self, judge, project):
        sent = {"key": "large", "item": 1, "kind": "label", "grade": 1, "note": "x" * BODY}
        assert judge.post("/label", json=sent).status_code == 413
        assert project.said(judge.judge) == []

    def test_a_body_without_a_length_is_counted_as_it_comes(self, judge):
        def parts():
            for _ in range(20):
                yield b"x" * 10_000

        answer = judge.post("/label", content=parts(), headers={"content-type": "application/json"})
        assert answer.status_code == 413

    @pytest.mark.parametrize(
        ("wrong", "status"),
        [
            ({"grade": 7}, 422),
            ({"grade": "three"}, 422),
            ({"grade": None}, 422),
            ({"grade": True}, 422),
            ({"grade": 1e400}, 422),
            ({"grade": [1]}, 422),
            ({"item": 10**6}, 404),
            ({"item": -1}, 404),
            ({"item": 1.5}, 422),
            ({"item": "x"}, 422),
            ({"item": None}, 422),
            ({"item": 10**30}, 422),
            ({"kind": "adjudicate"}, 422),
            ({"kind": "settings"}, 422),
            ({"kind": "repeat"}, 422),
            ({"kind": ""}, 200),
            ({"key": ""}, 422),
            ({"key": "k" * 65}, 422),
            ({"key": 7}, 422),
            ({"before": 99}, 409),
            ({"before": "x"}, 422),
            ({"note": "x" * 2001}, 413),
            ({"note": 5}, 422),
            ({"how": "magic"}, 422),
            ({"active_ms": 10**30}, 422),
            ({"kind": "passage", "more": "x"}, 422),
        ],
        ids=str,
    )
    def test_what_makes_no_sense_is_refused_in_words(self, judge, project, wrong, status):
        sent = {"key": "a" * 32, "item": 1, "kind": "label", "grade": 1, **wrong}
        sent["key"] = f"{judge.judge.number}{sent['key']}"[:64] if wrong.get("key") is None else sent["key"]
        text = json.dumps(sent)
        answer = judge.post("/label", content=text, headers={"content-type": "application/json"})
        assert answer.status_code == status
        assert status == 200 or answer.json()["message"].endswith((".", "?"))
        assert len(project.said(judge.judge)) == (1 if status == 200 else 0)

    @pytest.mark.parametrize("text", [b"", b"[1]", b"{", b'{"a": NaN}', b"\xff\xfe", b"[" * 60_000, b"null"])
    def test_what_is_no_json_object_is_refused_in_words(self, judge, text):
        answer = judge.post("/label", content=text, headers={"content-type": "application/json"})
        assert answer.status_code == 422
        assert "JSON" in answer.json()["message"]

    def test_half_a_character_and_nul_in_a_note_do_not_stop_a_label(self, judge, project):
        text = '{"key": "%s", "item": 1, "kind": "label", "grade": 1, "note": "a\\ud800b\\u0000c"}' % ("n" * 32)
        assert judge.post("/label", content=text, headers={"content-type": "application/json"}).status_code == 200
        assert judge.get("/mine").json()["card"]["note"] == "a?b␀c"

    def test_a_repeated_request_gives_the_first_answer(self, judge, project):
        sent = {"key": "again" * 4, "item": 1, "kind": "label", "grade": 1}
        first, second = (judge.post("/label", json=sent).json()["seq"] for _ in range(2))
        assert first == second
        assert len(project.said(judge.judge)) == 1
        assert judge.post("/label", json={**sent, "grade": 2}).status_code == 422

    def test_a_label_over_another_one_is_told_what_that_is(self, judge):
        judge.post("/label", json={"key": "b" * 20, "item": 1, "kind": "label", "grade": 1})
        answer = judge.post("/label", json={"key": "c" * 20, "item": 1, "kind": "label", "grade": 2})
        assert answer.status_code == 409
        assert answer.json()["current"]["grade"] == 1

    def test_endless_headers_are_cut_off_and_others_are_answered(self, project):
        with running(project.service) as address, socket.create_connection((address.host, address.port)) as endless:
            endless.settimeout(10)
            endless.sendall(f"GET /alive HTTP/1.1\r\nHost: {address.host}:{address.port}\r\n".encode())
            sent = 0
            with suppress(ConnectionError):  # the server hangs up
                while sent < 20_000_000:
                    sent += endless.send(b"X-Long: " + b"x" * 8_000 + b"\r\n")
            assert sent < 10_000_000
            assert urllib.request.urlopen(f"{address.url}/alive", timeout=5).status == 200

    def test_two_hundred_slow_connections_keep_nobody_waiting(self, project):
        with running(project.service) as address:
            slow = [socket.create_connection((address.host, address.port)) for _ in range(200)]
            for one in slow:
                one.sendall(b"GET / HTTP/1.1\r\nHost: ")
            assert urllib.request.urlopen(f"{address.url}/alive", timeout=5).status == 200
            for one in slow:
                one.close()
