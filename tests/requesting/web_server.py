"""A web server on this machine whose answers a test writes."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


@contextmanager
def answering(answer: Callable[[BaseHTTPRequestHandler], None]) -> Iterator[str]:
    """A server whose every answer is written by a function; its address."""

    class Handler(BaseHTTPRequestHandler):
        def log_message(self, *given: object) -> None:
            pass

        def do_GET(self) -> None:
            try:
                answer(self)
            except OSError:
                self.close_connection = True

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        server.daemon_threads = True
        server.block_on_close = False
        threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}/"
        server.shutdown()


def sent(handler: BaseHTTPRequestHandler, status: int, content: bytes, **headers: str) -> None:
    """Answer with a content; a header's underscores are hyphens."""
    handler.send_response(status)
    for name, value in ({"Content_Length": str(len(content))} | headers).items():
        handler.send_header(name.replace("_", "-"), value)
    handler.end_headers()
    handler.wfile.write(content)
