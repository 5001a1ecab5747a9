"""A server on loopback that answers as an endpoint does, in every way that endpoints do."""

from __future__ import annotations

import json
import math
import re
import threading
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


class FakeEndpoint(ThreadingHTTPServer):
    """Answers by what stands in the document: `[way]`, else with a grade from its number of words."""

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.asked: Counter[str] = Counter()
        """How often each document was asked about."""
        self.bodies: list[dict] = []
        self.keys: set[str] = set()
        self.healthy = False
        """Whether all ways are right from now on."""
        self.delay = 0.0
        self.lock = threading.Lock()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_port}/v1"


class _Handler(BaseHTTPRequestHandler):
    server: FakeEndpoint
    protocol_version = "HTTP/1.1"

    def log_message(self, *given: object) -> None:
        pass

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        text = body["messages"][-1]["content"] if len(body["messages"]) < 3 else body["messages"][1]["content"]
        everything = " ".join(message["content"] for message in body["messages"])
        way = re.search(r"\[([a-z0-9 ]+)\]", everything)
        document = re.search(r"plot ([0-9]+)", text)
        with self.server.lock:
            name = document[1] if document else text
            self.server.asked[name] += 1
            self.server.bodies.append(body)
            self.server.keys.add(self.headers.get("Authorization", ""))
            times = self.server.asked[name]
        time.sleep(self.server.delay)
        is_second = len(body["messages"]) > 2
        self.answer("right" if self.server.healthy or not way else way[1], times, name, is_second=is_second)

    def answer(self, way: str, times: int, name: str, *, is_second: bool) -> None:
        grade = int(name) % 4 if name.isdigit() else 1
        match way:
            case "slow":
                time.sleep(1.0)
                self.says(f'{{"grade": {grade}}}')
            case "busy" if times == 1:
                self.sends(429, b'{"error": {"message": "slow down"}}', {"Retry-After": "0.01"})
            case "broken" if times < 3:
                self.sends(500, b"oops")
            case "broken always":
                self.sends(500, b"oops")
            case "cut off":
                self.send_response(200)
                self.send_header("Content-Length", "5000")
                self.end_headers()
                self.wfile.write(b'{"choices": [{"message": {"content": "1')
                self.close_connection = True
            case "refusal":
                self.says(None, refusal="I cannot judge this.")
            case "prose":
                self.says("I would say that this is a 2 of 3." if not is_second else "2")
            case "prose always":
                self.says("I would say that this is a 2 of 3.")
            case "out of range":
                self.says('{"grade": 7}')
            case "two numbers":
                self.says("1 or 2")
            case "empty":
                self.says("")
            case "wrong json":
                self.sends(200, b'{"answer": 2}')
            case "huge":
                self.sends(200, b'{"choices": [{"message": {"content": "' + b"x" * (2 << 20) + b'"}}]}')
            case "redirect":
                self.sends(307, b"", {"Location": "http://203.0.113.7/steal"})
            case "forbidden":
                self.sends(401, b'{"error": {"message": "wrong key sk-secret"}}')
            case "no json mode" if "response_format" in self.server.bodies[-1]:
                self.sends(400, b'{"error": {"message": "unknown parameter response_format"}}')
            case "no logprobs" if "logprobs" in self.server.bodies[-1]:
                self.sends(400, b'{"error": {"message": "unknown parameter logprobs"}}')
            case "odd logprobs":
                self.says(f'{{"grade": {grade}}}', logprobs={"content": [{"token": 1}, None]})
            case _:
                self.says(f'{{"grade": {grade}}}', logprobs=_likely(grade, self.server.bodies[-1]))

    def says(self, content: str | None, *, logprobs: object = None, **more: object) -> None:
        value = {
            "model": "tiny-2026",
            "system_fingerprint": "fp1",
            "choices": [
                {
                    "message": {"role": "assistant", "content": content, **more},
                    "finish_reason": "stop",
                    "logprobs": logprobs,
                }
            ],
            "usage": {"prompt_tokens": 100, "completion_tokens": 5},
        }
        self.sends(200, json.dumps(value).encode())

    def sends(self, status: int, content: bytes, headers: dict[str, str] | None = None) -> None:
        self.send_response(status)
        for name, value in {"Content-Length": str(len(content)), **(headers or {})}.items():
            self.send_header(name, value)
        self.end_headers()
        try:
            self.wfile.write(content)
        except OSError:
            self.close_connection = True


def _likely(grade: int, body: dict) -> dict | None:
    """As servers tell it: the grade with 60%, the next one with 20%, and something else with the rest."""
    if not body.get("logprobs"):
        return None
    shares = {str(grade): 0.6, str((grade + 1) % 4): 0.2, "no": 0.2}
    top = [{"token": token, "logprob": math.log(share)} for token, share in shares.items()]
    words = [{"token": word, "logprob": 0.0, "top_logprobs": []} for word in ('{"', "grade", '":')]
    return {"content": [*words, {**top[0], "top_logprobs": top}, {"token": "}", "logprob": 0.0, "top_logprobs": []}]}


@contextmanager
def serving() -> Iterator[FakeEndpoint]:
    with FakeEndpoint() as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield server
        server.shutdown()
