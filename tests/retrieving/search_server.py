"""A stand-in for search engines on loopback: answers in their documented shapes, and with their faults."""

from __future__ import annotations

import json
import threading
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qs, urlsplit

FOUND = [("d3", 7.5), ("d1", 4.25), ("d2", 4.0)]


def elasticsearch(found: list[tuple[str, float]], **more: Any) -> dict[str, Any]:
    hits = [{"_index": "garden", "_id": document, "_score": score, "_source": {}} for document, score in found]
    total = {"value": 40 if found else 0, "relation": "eq"}
    shards = {"total": 2, "successful": 2, "skipped": 0, "failed": 0}
    return {"took": 3, "timed_out": False, "_shards": shards, "hits": {"total": total, "hits": hits}} | more


def solr(found: list[tuple[str, float]], **header: Any) -> dict[str, Any]:
    docs = [{"id": document, "score": score} for document, score in found]
    response = {"numFound": 40 if found else 0, "start": 0, "maxScore": 7.5, "docs": docs}
    return {"responseHeader": {"status": 0, "QTime": 2, **header}, "response": response}


def vespa(found: list[tuple[str, float]], **root: Any) -> dict[str, Any]:
    children = [
        {"id": f"id:garden:doc::{document}", "relevance": score, "source": "garden", "fields": {}}
        for document, score in found
    ]
    coverage = {"coverage": 100, "documents": 786, "full": True, "nodes": 1, "results": 1, "resultsFull": 1}
    inner = {"id": "toplevel", "relevance": 1.0, "fields": {"totalCount": 40 if found else 0}, "coverage": coverage}
    return {"root": inner | ({"children": children} if found else {}) | root}


def qdrant(found: list[tuple[str, float]]) -> dict[str, Any]:
    points = [{"id": int(document[1:]), "version": 3, "score": score} for document, score in found]
    return {"result": {"points": points}, "status": "ok", "time": 0.001}


def qdrant_search(found: list[tuple[str, float]]) -> dict[str, Any]:
    return qdrant(found) | {"result": qdrant(found)["result"]["points"]}


def plain(found: list[tuple[str, float]]) -> dict[str, Any]:
    return {"results": [{"id": document, "score": score} for document, score in found], "total": 40 if found else 0}


def ids(found: list[tuple[str, float]]) -> list[str]:
    return [document for document, _ in found]


def chroma(found: list[tuple[str, float]]) -> dict[str, Any]:
    return {"ids": [ids(found)], "distances": [[1 / score for _, score in found]], "documents": None}


SHAPES = {
    **{"elasticsearch": elasticsearch, "opensearch": elasticsearch, "solr": solr, "vespa": vespa},
    **{"qdrant": qdrant, "qdrant-search": qdrant_search, "plain": plain, "ids": ids, "chroma": chroma},
}


class SearchServer(ThreadingHTTPServer):
    """Answers at /SHAPE, from what the query says: its text is a fault, `nothing`, or anything else."""

    daemon_threads = True
    block_on_close = False

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.asked: Counter[str] = Counter()
        self.requests: list[tuple[str, str, dict[str, str], Any]] = []
        self.healthy = False
        self.lock = threading.Lock()

    def url(self, shape: str) -> str:
        return f"http://127.0.0.1:{self.server_port}/{shape}"


class _Handler(BaseHTTPRequestHandler):
    server: SearchServer
    protocol_version = "HTTP/1.1"

    def log_message(self, *given: object) -> None:
        pass

    def do_GET(self) -> None:
        self.answer(parse_qs(urlsplit(self.path).query)["q"][0], None)

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        self.answer(body["q"], body)

    def answer(self, text: str, body: Any) -> None:
        with self.server.lock:
            self.server.asked[text] += 1
            self.server.requests.append((self.command, self.path, dict(self.headers), body))
            times = self.server.asked[text]
        shape = SHAPES[urlsplit(self.path).path.strip("/")]
        try:
            self.fault("" if self.server.healthy else text, times, shape)
        except OSError:
            self.close_connection = True

    def fault(self, text: str, times: int, shape: Any) -> None:
        match text:
            case "nothing":
                self.says(shape([]))
            case "busy" if times == 1:
                self.sends(429, b'{"error": {"reason": "too many requests"}}', {"Retry-After": "0.01"})
            case "broken" if times < 3:
                self.sends(500, b"oops")
            case "broken always":
                self.sends(503, b'{"error": {"reason": "no nodes"}}')
            case "cut off":
                self.sends(200, b'{"hits": {"hits": [', {"Content-Length": "900"})
            case "half json":
                self.sends(200, b'{"hits": {"hits": [{"_id": "d1"')
            case "slow":
                time.sleep(1.0)
                self.says(shape(FOUND))
            case "timed out":
                late = {"coverage": {"coverage": 50, "full": False, "degraded": {"timeout": True}}}
                self.says({**elasticsearch(FOUND, timed_out=True)} if shape is elasticsearch else vespa(FOUND, **late))
            case "partial":
                if shape is solr:
                    self.says(solr(FOUND, partialResults=True))
                else:
                    shards = {"total": 2, "successful": 1, "failed": 1, "failures": [{"reason": {"type": "x"}}]}
                    self.says(elasticsearch(FOUND, _shards=shards))
            case "syntax":
                self.sends(400, b'{"error": {"root_cause": [], "reason": "cannot parse this key-123"}, "status": 400}')
            case "soft error":
                errors = [{"code": 4, "summary": "Invalid query parameter", "message": "no yql"}]
                self.says(vespa([], errors=errors) if shape is vespa else {"status": {"error": "bad vector"}})
            case "html":
                self.sends(200, b"<html>It works!</html>")
            case "other json":
                self.sends(200, b'{"message": "welcome", "version": 2}')
            case "nan":
                self.sends(200, b'{"results": [{"id": "d1", "score": NaN}]}')
            case "deep":
                self.sends(200, b"[" * 100_000 + b"]" * 100_000)
            case "no id":
                self.sends(200, b'{"results": [{"id": null, "score": 1}, {"id": "d2", "score": 0.5}]}')
            case "huge":
                self.send_response(200)
                self.send_header("Content-Length", str(100 << 20))
                self.end_headers()
                for _ in range(100):
                    self.wfile.write(b" " * (1 << 20))
            case "redirect":
                self.sends(307, b"", {"Location": "http://203.0.113.7/steal"})
            case "forbidden":
                self.sends(401, b'{"error": {"reason": "key-123 is wrong"}}')
            case _:
                self.says(shape(FOUND))

    def says(self, value: Any) -> None:
        self.sends(200, json.dumps(value).encode())

    def sends(self, status: int, content: bytes, headers: dict[str, str] | None = None) -> None:
        self.send_response(status)
        for name, value in {"Content-Length": str(len(content)), **(headers or {})}.items():
            self.send_header(name, value)
        if headers and "Content-Length" in headers:
            self.close_connection = True
        self.end_headers()
        self.wfile.write(content)


@contextmanager
def serving() -> Iterator[SearchServer]:
    with SearchServer() as server:
        threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True).start()
        yield server
        server.shutdown()
