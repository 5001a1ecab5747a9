"""Runs the judging server: one process, at an address of this machine, until somebody stops it."""

from __future__ import annotations

import contextlib
import os
import signal
import socket
import sys
import threading
from collections.abc import Callable, Iterator
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any, NamedTuple

from cranfield import errors
from cranfield.assessing.web.access import Access, access_at, public_origin

if TYPE_CHECKING:
    import uvicorn

    from cranfield.assessing.effect_summary import LiveEffect
    from cranfield.assessing.service import Service

PORT = 8765
PORTS_TRIED = 50
CONNECTIONS = 500
KEEP_ALIVE = 75
"""Seconds that an idle connection is kept: longer than proxies do."""
DRAIN = 10
"""Seconds that requests in hand may take when the server stops."""
TURN = 0.0001
"""Seconds that a thread has the interpreter while others want it."""
ANYWHERE = frozenset({"0.0.0.0", "::"})


class Address(NamedTuple):
    """Where a server listens, and where people find it."""

    url: str
    """Where links begin, such as `http://127.0.0.1:8765`."""
    host: str
    port: int
    is_public: bool
    """Whether other machines can reach it."""

    @property
    def local_url(self) -> str:
        """Where programs on this machine find it."""
        host = "127.0.0.1" if self.host in ANYWHERE else f"[{self.host}]" if ":" in self.host else self.host
        return f"http://{host}:{self.port}"

    def link(self, token: str) -> str:
        """The link of a judge or manager."""
        return f"{self.url}/as/{token}"


def require_packages() -> None:
    """Refuse to begin what could not be served; it is asked before a project is made."""
    if absent := [name for name in ("starlette", "uvicorn") if find_spec(name) is None]:
        raise errors.packages.missing("Judging in the browser", *absent)


def serve(
    service: Service,
    *,
    effect: LiveEffect | None = None,
    host: str = "127.0.0.1",
    port: int | None = None,
    public_url: str | None = None,
    ready: Callable[[Address], None] = lambda address: None,
    until: Callable[[], bool] | None = None,
) -> None:
    """Serve until SIGINT, SIGTERM or `until`; then finish what is being saved. A second SIGINT leaves at once."""
    with listening(host, port) as listener:
        address = address_of(host, listener, public_url)
        server = server_for(service, effect, listener, address, public_url, lambda: ready(address))
        if until is not None:
            _stop_when(server, until)
        # The signal comes again once the server has stopped.
        with _terminated(), _taking_turns(), contextlib.suppress(KeyboardInterrupt):
            server.run(sockets=[listener])
        service.drain()


def server_for(
    service: Service,
    effect: LiveEffect | None,
    listener: socket.socket,
    address: Address,
    public_url: str | None = None,
    ready: Callable[[], None] = lambda: None,
) -> uvicorn.Server:
    """A server for a socket that listens already. It logs nothing of requests: an address may hold a link."""
    import uvicorn

    from cranfield.assessing.web.app import create_app

    class Announced(uvicorn.Server):
        async def startup(self, sockets: list[socket.socket] | None = None) -> None:
            await super().startup(sockets)
            if self.started:
                ready()

    access = access_for(service, address, public_url)
    config = uvicorn.Config(
        create_app(service, access, effect),
        log_config=None,
        access_log=False,
        server_header=False,
        date_header=True,
        proxy_headers=public_url is not None,
        forwarded_allow_ips="127.0.0.1,::1",
        limit_concurrency=CONNECTIONS,
        timeout_keep_alive=KEEP_ALIVE,
        timeout_graceful_shutdown=DRAIN,
        ws="none",
        lifespan="off",
    )
    return Announced(config)


def access_for(service: Service, address: Address, public_url: str | None = None) -> Access:
    """Access by every name that the server listens to."""
    names = _own_names() if address.host in ANYWHERE else ()
    host = _address_in_network() if address.host in ANYWHERE else address.host
    return access_at(service.project.id, host, address.port, public_url, names)


@contextlib.contextmanager
def listening(host: str, port: int | None) -> Iterator[socket.socket]:
    """A socket at a port: the one that was asked for, or the first that is free."""
    listener = _bound(host, port)
    try:
        listener.listen(2048)
        yield listener
    finally:
        listener.close()


def _bound(host: str, port: int | None) -> socket.socket:
    ports = range(PORT, PORT + PORTS_TRIED) if port is None else (port,)
    try:
        family, *_, place = socket.getaddrinfo(host, None, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)[0]
    except OSError:
        raise errors.assessing.unknown_host(host) from None
    for number in ports:
        listener = socket.socket(family, socket.SOCK_STREAM)
        if os.name != "nt":  # there it would let two servers share a port
            listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            listener.bind((place[0], number))
        except OverflowError:
            listener.close()
            raise errors.assessing.no_port(host, number) from None
        except OSError:
            listener.close()
        else:
            return listener
    raise errors.assessing.no_port(host, port)


def address_of(host: str, listener: socket.socket, public_url: str | None = None) -> Address:
    """Where people find a server that listens."""
    port = int(listener.getsockname()[1])
    is_public = host not in ("127.0.0.1", "localhost", "::1")
    if public_url is not None:
        try:
            return Address(public_origin(public_url), host, port, is_public=True)
        except ValueError:
            raise errors.assessing.wrong_public_url(public_url) from None
    name = _address_in_network() if host in ANYWHERE else f"[{host}]" if ":" in host else host
    return Address(f"http://{name}:{port}", host, port, is_public)


def _own_names() -> set[str]:
    """The names and addresses of this machine, as a browser may write them."""
    name = socket.gethostname()
    names = {name, _address_in_network()}
    with contextlib.suppress(OSError):
        for *_, place in socket.getaddrinfo(name, None, type=socket.SOCK_STREAM):
            text = str(place[0]).partition("%")[0]
            names.add(f"[{text}]" if ":" in text else text)
    return names


def _address_in_network() -> str:
    """The address by which others in the network reach this machine; asking for the way there sends nothing."""
    with contextlib.suppress(OSError), socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as asked:
        asked.connect(("192.0.2.1", 9))
        return str(asked.getsockname()[0])
    return "127.0.0.1"


@contextlib.contextmanager
def _terminated() -> Iterator[None]:
    """While the server runs, SIGTERM ends it as SIGINT does, and what comes after it still happens."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGTERM, lambda number, frame: None)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


@contextlib.contextmanager
def _taking_turns() -> Iterator[None]:
    """While a page about thousands of labels is made in one thread, whoever saves a label in another waits less."""
    before = sys.getswitchinterval()
    sys.setswitchinterval(TURN)
    try:
        yield
    finally:
        sys.setswitchinterval(before)


def _stop_when(server: Any, done: Callable[[], bool], every: float = 0.5) -> None:
    def watch() -> None:
        pause = threading.Event()
        while not server.should_exit:
            pause.wait(every)
            if done():
                server.should_exit = True

    threading.Thread(target=watch, daemon=True, name="until done").start()


def open_in_browser(url: str) -> bool:
    """Open an address in this person's browser, where there is a screen; a browser must not keep the server waiting."""
    import webbrowser

    has_screen = sys.platform in ("darwin", "win32") or bool(
        os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY")
    )
    if has_screen:
        threading.Thread(target=webbrowser.open, args=(url,), daemon=True, name="browser").start()
    return has_screen
