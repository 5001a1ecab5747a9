"""One request over HTTP: the content of the answer, or the reason why there is none."""

from __future__ import annotations

import json
import time
import urllib.error
import urllib.request
from collections.abc import Collection
from email.utils import parsedate_to_datetime
from http.client import HTTPException, IncompleteRead
from typing import Any
from urllib.parse import urlsplit

from cranfield.requesting.failures import Failure

LEAST_TIMEOUT, MOST_TIMEOUT = 0.1, 3600.0
"""Seconds that an answer may take."""
LONGEST_WAIT = 120.0
"""Seconds that a server may ask to wait."""
PIECE = 1 << 16


def content_of(
    request: urllib.request.Request, *, timeout: float, most_bytes: int, secrets: Collection[str] = ()
) -> bytes:
    """Send one request; raises `Failure` if no content comes back.

    Nothing is sent on to another address. What is secret appears in no message.
    """
    host = request.host or urlsplit(request.full_url).netloc
    late = Failure("timeout", f"no answer within {timeout:g} seconds")
    try:
        ends = time.monotonic() + timeout
        with _OPENER.open(request, timeout=timeout) as response:
            content = _read(response, most_bytes, ends)
    except urllib.error.HTTPError as error:
        raise refused(error, host, secrets) from None
    except TimeoutError:
        raise late from None
    except (IncompleteRead, ConnectionResetError):
        raise Failure("cut off", "the connection ended before the answer did") from None
    except urllib.error.URLError as error:
        if isinstance(error.reason, TimeoutError):
            raise late from None
        raise Failure("no connection", without(secrets, f"{host}: {error.reason}")) from None
    except (HTTPException, OSError, ValueError) as error:
        raise Failure("no connection", without(secrets, f"{host}: {error}")) from None
    if len(content) > most_bytes:
        raise Failure("too large", f"the answer is larger than {most_bytes:,} bytes")
    return content


def is_cut_off(content: bytes) -> bool:
    """Whether JSON ends in the middle."""
    begins, ends = content.lstrip()[:1], content.rstrip()[-1:]
    return begins in (b"{", b"[") and ends not in (b"}", b"]")


def without(secrets: Collection[str], text: str) -> str:
    """A text that can be shown."""
    for secret in secrets:
        text = text.replace(secret, "***") if secret else text
    return text


def _read(response: Any, most_bytes: int, ends: float) -> bytes:
    """The content, up to one byte more than is wanted; all of it has to come in time."""
    content = bytearray()
    while len(content) <= most_bytes and (piece := response.read1(min(PIECE, most_bytes + 1 - len(content)))):
        content += piece
        if time.monotonic() > ends:
            raise TimeoutError
    if len(content) <= most_bytes and response.length:  # read1 does not tell that the end is missing
        raise IncompleteRead(b"", response.length)
    return bytes(content)


class _NoRedirect(urllib.request.HTTPRedirectHandler):
    """Nothing is sent to an address that nobody named."""

    def redirect_request(self, *given: Any, **more: Any) -> None:
        return None


_OPENER = urllib.request.build_opener(_NoRedirect)


def refused(error: urllib.error.HTTPError, host: str, secrets: Collection[str]) -> Failure:
    """What a server's answer means that is not a success."""
    with error:
        said = without(secrets, _message(error))
    status = error.code
    detail = f"{host} answered {status}{f': {said}' if said else ''}"
    if 300 <= status < 400:
        elsewhere = urlsplit(error.headers.get("Location", "")).netloc or "another address"
        return Failure("redirected", f"{host} sends requests on to {elsewhere}; nothing was sent there")
    if status == 429:
        return Failure("rate limited", detail, seconds(error.headers.get("Retry-After")))
    if status in (408, 409) or status >= 500:
        return Failure("server error", detail, seconds(error.headers.get("Retry-After")))
    return Failure("not allowed" if status in (401, 403, 404) else "rejected", detail)


def _message(error: urllib.error.HTTPError) -> str:
    """What a server says about a refusal, on one line."""
    try:
        value = json.loads(error.read(20_000))
        inner = next((value[name] for name in ("error", "message", "status") if value.get(name)), None)
        if isinstance(inner, dict):
            inner = next((inner[name] for name in ("message", "reason", "msg", "error") if inner.get(name)), None)
        return " ".join(str(inner or "").split())[:200]
    except (ValueError, AttributeError, OSError, HTTPException, RecursionError):
        return ""


def seconds(retry_after: str | None) -> float | None:
    """How long to wait, from seconds or a date."""
    if not retry_after:
        return None
    try:
        wait = float(retry_after)
    except ValueError:
        try:
            wait = parsedate_to_datetime(retry_after).timestamp() - time.time()
        except (TypeError, ValueError):
            return None
    return min(max(wait, 0.0), LONGEST_WAIT) if wait == wait else None
