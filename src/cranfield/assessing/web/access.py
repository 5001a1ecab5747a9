"""Who may ask for what: names of the server, requests from other sites, links, cookies, and the limits of a request."""

from __future__ import annotations

import logging
import re
import threading
import time
from collections import deque
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from http import HTTPStatus
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Message, Receive, Scope, Send

    from cranfield.assessing.events import Judge

BODY = 64 * 1024
"""Bytes that a request may have."""
MODEL = "/model"
"""Where programs send what a model says: whole answers, which may be long."""
MODEL_BODY = 8 * 1024 * 1024
LOCAL = ("localhost", "127.0.0.1", "[::1]")
SAFE = frozenset({"GET", "HEAD", "OPTIONS"})
DAYS = 90
"""How long a browser keeps a judge's cookie."""

HEADERS = {
    "content-security-policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
        "form-action 'self'; base-uri 'none'; frame-ancestors 'none'; "
        "require-trusted-types-for 'script'; trusted-types 'none'"
    ),
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",  # a link is in a path
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "cache-control": "no-store",
}
"""What every answer says, errors too; an answer may have a `cache-control` of its own."""

_HOST = re.compile(r"(\[[0-9a-f:.]+\]|[a-z0-9](?:[a-z0-9._-]*[a-z0-9])?)(?::([0-9]{1,5}))?")
_PORTS = {"http": 80, "https": 443}
log = logging.getLogger("cranfield.judge")


@dataclass(frozen=True)
class Access:
    """The names by which the server may be asked, and the project whose cookies it sets."""

    project: str
    origins: frozenset[str]
    """Such as `http://127.0.0.1:8765`: scheme, name and port as a browser writes them."""
    url: str
    """Where links begin."""
    secure: bool = False
    """Whether cookies go over https only."""
    wrong_links: WrongLinks = field(default_factory=lambda: WrongLinks(), compare=False)

    @property
    def cookie(self) -> str:
        """The cookie of judges; browsers share cookies between ports, so its name is the project's own."""
        return f"cranfield-{self.project}"

    @property
    def manager_cookie(self) -> str:
        """The cookie of managers: the person who starts the server is both, in one browser."""
        return f"cranfield-{self.project}-manager"

    def link(self, token: str) -> str:
        """The link of a judge or manager."""
        return f"{self.url}/as/{token}"

    def cookie_for(self, judge: Judge) -> str:
        """The cookie that holds this person's link."""
        return self.manager_cookie if judge.kind == "manager" else self.cookie

    def knows_host(self, text: str) -> bool:
        """Whether a request for this `Host` is for this server.

        >>> access = access_at("p", "127.0.0.1", 8765)
        >>> [access.knows_host(host) for host in ("localhost:8765", "localhost", "evil.example:8765", "LocalHost:8765")]
        [True, False, False, True]
        """
        match = _HOST.fullmatch(text.lower()) if len(text) < 256 else None
        if match is None:
            return False
        names = {_with_port(match[1], match[2] or str(port), scheme) for scheme, port in _PORTS.items()}
        return bool(names & self.origins)


def access_at(project: str, host: str, port: int, public_url: str | None = None, names: Iterable[str] = ()) -> Access:
    """Access to a server at an address, by the names of this machine, and by the address that a proxy gives it."""
    address = f"[{host}]" if ":" in host and not host.startswith("[") else host
    known = {*LOCAL, address.lower(), *(name.lower() for name in names)} - {"0.0.0.0", "[::]"}
    origins = {_with_port(name, str(port), "http") for name in known}
    url = _with_port(address.lower(), str(port), "http") if public_url is None else public_origin(public_url)
    return Access(project, frozenset({*origins, url}), url, secure=url.startswith("https:"))


def public_origin(url: str) -> str:
    """The origin of the address that judges use; an address with a path, or without a name, is refused.

    >>> public_origin("https://Judge.example.org/"), public_origin("http://judge.example.org:8080")
    ('https://judge.example.org', 'http://judge.example.org:8080')
    """
    parts = urlsplit(url.strip().lower())
    match = _HOST.fullmatch(parts.netloc)
    if parts.scheme not in _PORTS or match is None or parts.path not in ("", "/") or parts.query or parts.fragment:
        raise ValueError(url)
    return _with_port(match[1], match[2] or str(_PORTS[parts.scheme]), parts.scheme)


def _with_port(name: str, port: str, scheme: str) -> str:
    return f"{scheme}://{name}" if int(port) == _PORTS[scheme] else f"{scheme}://{name}:{int(port)}"


class WrongLinks:
    """Counts links that are no judge's, by the address they were asked from."""

    def __init__(
        self,
        most: int = 10,
        seconds: float = 60,
        clock: Callable[[], float] = time.monotonic,
        addresses: int = 10_000,
    ):
        self.most, self.seconds, self.clock, self.addresses = most, seconds, clock, addresses
        self._tries: dict[str, deque[float]] = {}
        self._counting = threading.Lock()

    def blocked(self, address: str) -> bool:
        """Whether this address tried too many wrong links within the last minute."""
        with self._counting:
            return len(self._recent(address)) >= self.most

    def add(self, address: str) -> None:
        """One more wrong link from this address."""
        with self._counting:
            tries = self._recent(address)
            tries.append(self.clock())
            self._tries.pop(address, None)
            self._tries[address] = tries
            if len(self._tries) > self.addresses:  # the one that was quiet for longest
                del self._tries[next(iter(self._tries))]

    def _recent(self, address: str) -> deque[float]:
        tries = self._tries.get(address, deque[float](maxlen=self.most))
        while tries and tries[0] <= self.clock() - self.seconds:
            tries.popleft()
        return tries


class Guard:
    """Refuses requests for other hosts and from other sites, and bodies that are too large; adds `HEADERS` to all."""

    def __init__(self, app: ASGIApp, access: Access):
        self.app, self.access = app, access

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""
        if scope["type"] == "lifespan":
            await self.app(scope, receive, send)
            return
        if scope["type"] != "http":
            await send({"type": "websocket.close", "code": 1008})
            return
        from starlette.requests import ClientDisconnect

        answer = _Answer(send)
        refused = self._refused(scope)
        if refused is not None:
            await answer.plain(*refused)
            return
        try:
            await self.app(scope, _limited(receive, _most(scope)), answer)
        except BodyTooLarge:
            await answer.plain(*_too_large(scope))
        except ClientDisconnect:
            return  # nobody is left to hear it
        except Exception as error:
            # Neither the address, which may hold a link, nor values: only what went wrong and where.
            log.exception("%s while answering", type(error).__name__)
            await answer.plain(
                HTTPStatus.INTERNAL_SERVER_ERROR,
                "The server could not answer because of an error of its own. What was saved stays saved; try again.",
            )

    def _refused(self, scope: Scope) -> tuple[HTTPStatus, str] | None:
        hosts = _values(scope, b"host")
        if len(hosts) != 1 or not self.access.knows_host(hosts[0]):
            return (
                HTTPStatus.MISDIRECTED_REQUEST,
                "This server does not answer to that name. Use the address in your link; "
                "behind a proxy, start with --public-url.",
            )
        if scope["method"] not in SAFE and not self._own(scope):
            return HTTPStatus.FORBIDDEN, "This request came from another site; nothing was changed."
        lengths = _values(scope, b"content-length")
        if any(not length.isdecimal() or int(length) > _most(scope) for length in lengths):
            return _too_large(scope)
        return None

    def _own(self, scope: Scope) -> bool:
        """Whether a request comes from a page of this server, or from no browser, in which case the cookie decides."""
        sites, origins = _values(scope, b"sec-fetch-site"), _values(scope, b"origin")
        if any(site not in ("same-origin", "none") for site in sites):
            return False
        # Forms of a page without referrer have the origin null; what tells these from others is `sec-fetch-site`.
        known = {*self.access.origins, "null"} if sites == ["same-origin"] else self.access.origins
        return all(origin in known for origin in origins)


class BodyTooLarge(Exception):  # noqa: N818  # a request is refused, nobody erred
    """A request that goes on for longer than it may."""


def _most(scope: Scope) -> int:
    """Bytes that a request may have. Who may send the larger ones is asked before they are read."""
    return MODEL_BODY if scope["path"] == MODEL else BODY


def _too_large(scope: Scope) -> tuple[HTTPStatus, str]:
    return HTTPStatus.REQUEST_ENTITY_TOO_LARGE, f"A request may have {_most(scope):,} bytes at most."


def _limited(receive: Receive, most: int) -> Receive:
    """A body as it comes, of no more than so many bytes."""
    received = 0

    async def limited() -> Message:
        nonlocal received
        message = await receive()
        received += len(message.get("body", b""))
        if received > most:
            raise BodyTooLarge
        return message

    return limited


class _Answer:
    """Sends an answer with the headers that all have."""

    def __init__(self, send: Send):
        self.send, self.begun = send, False

    async def __call__(self, message: Message) -> None:
        if message["type"] == "http.response.start":
            self.begun = True
            own = {name.lower() for name, _ in message.get("headers", [])}
            added = [(name.encode(), text.encode()) for name, text in HEADERS.items() if name.encode() not in own]
            message = {**message, "headers": [*message.get("headers", []), *added]}
        await self.send(message)

    async def plain(self, status: HTTPStatus, text: str) -> None:
        """A sentence; nothing where another answer has begun already."""
        if self.begun:
            return
        headers = [(b"content-type", b"text/plain; charset=utf-8"), (b"content-length", b"%d" % len(text.encode()))]
        if status is HTTPStatus.REQUEST_ENTITY_TOO_LARGE:
            headers.append((b"connection", b"close"))  # the rest of the body is not read
        await self({"type": "http.response.start", "status": int(status), "headers": headers})
        await self({"type": "http.response.body", "body": text.encode()})


def _values(scope: Scope, name: bytes) -> list[str]:
    return [value.decode("latin-1") for key, value in scope["headers"] if key == name]
