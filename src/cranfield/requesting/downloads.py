"""A file of a web server, byte by byte as it comes."""

from __future__ import annotations

import base64
import io
import urllib.error
import urllib.request
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from http.client import HTTPException
from typing import Any, BinaryIO, cast
from urllib.parse import unquote, urlsplit, urlunsplit

from cranfield.requesting.failures import Failure
from cranfield.requesting.transport import refused, without

TIMEOUT = 60.0
"""Seconds without a byte after which nobody waits any longer."""


@contextmanager
def downloaded(url: str, secrets: Collection[str] = (), timeout: float = TIMEOUT) -> Iterator[BinaryIO]:
    """The content of an address; raises `Failure` where it does not come, or not all of it.

    A user and password in the address go to its own host alone, wherever that sends on to.
    """
    parts = urlsplit(url)
    user, _, host = parts.netloc.rpartition("@")
    plain = urlunsplit(parts._replace(netloc=host, fragment=""))
    with _failing(host, secrets, timeout):
        # Bytes as they are: a file that is compressed stays so.
        request = urllib.request.Request(plain, headers={"Accept-Encoding": "identity"})
        if user:
            key = base64.b64encode(unquote(user).encode()).decode()
            request.add_unredirected_header("Authorization", f"Basic {key}")
        response = _OPENER.open(request, timeout=timeout)
    with response:  # what goes wrong where the bytes are written is no failure of the server
        yield cast(BinaryIO, io.BufferedReader(_WholeAnswer(response, host, secrets, timeout), 1 << 20))


class _WholeAnswer(io.RawIOBase):
    """An answer up to its announced end, before which none is there."""

    def __init__(self, response: Any, host: str, secrets: Collection[str], timeout: float) -> None:
        self.response = response
        self.announced = response.length
        self.reading = host, secrets, timeout

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        with _failing(*self.reading):
            data = self.response.read(len(buffer))
        if not data and self.response.length:
            before = self.announced - self.response.length
            raise Failure("cut off", f"the connection ended after {before:,} of {self.announced:,} bytes")
        buffer[: len(data)] = data
        return len(data)


class _NoDowngrade(urllib.request.HTTPRedirectHandler):
    """Follows a server to another address, but not from an encrypted one to one that is not."""

    def redirect_request(self, req: Any, fp: Any, code: int, msg: str, headers: Any, newurl: str) -> Any:
        if req.type == "https" and not newurl.startswith("https:"):
            return None
        return super().redirect_request(req, fp, code, msg, headers, newurl)


_OPENER = urllib.request.build_opener(_NoDowngrade)


@contextmanager
def _failing(host: str, secrets: Collection[str], timeout: float) -> Iterator[None]:
    """Whatever goes wrong with a connection as a `Failure`."""
    late = Failure("timeout", f"{host} did not answer within {timeout:g} seconds")
    try:
        yield
    except urllib.error.HTTPError as error:
        raise refused(error, host, secrets) from None
    except TimeoutError:
        raise late from None
    except urllib.error.URLError as error:
        if isinstance(error.reason, TimeoutError):
            raise late from None
        raise Failure("no connection", without(secrets, f"{host}: {error.reason}")) from None
    except (HTTPException, OSError, ValueError) as error:
        said = str(error) or type(error).__name__
        raise Failure("cut off", without(secrets, f"{host}: {said}")) from None
