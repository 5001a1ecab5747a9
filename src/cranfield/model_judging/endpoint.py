"""An endpoint that speaks as OpenAI's does: one request, one reply or the reason why there is none."""

from __future__ import annotations

import json
import time
import urllib.error
import urllib.request
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from email.utils import parsedate_to_datetime
from http.client import HTTPException, IncompleteRead
from ipaddress import ip_address
from typing import Any, NamedTuple
from urllib.parse import urlsplit

from cranfield import errors
from cranfield.model_judging.failures import Failure

OPENAI = "https://api.openai.com/v1"
MOST_BYTES = 1 << 20
"""Of a reply; a grade needs a hundred."""
LEAST_TIMEOUT, MOST_TIMEOUT = 0.1, 3600.0
"""Seconds that an answer may take."""
LONGEST_WAIT = 120.0
"""Seconds that a server may ask to wait."""


class Reply(NamedTuple):
    """What a model answered."""

    text: str
    model: str
    """Its name, as the server says."""
    fingerprint: str
    tokens_in: int
    tokens_out: int
    finish: str
    milliseconds: int

    def facts(self) -> dict[str, Any]:
        """Everything but the grade, as it is stored."""
        return self._asdict()


@dataclass(frozen=True)
class Endpoint:
    """Where a model is, and as whom it is asked. The key is sent, and never shown, stored or logged."""

    base_url: str
    model: str
    key: str = field(default="", repr=False)
    timeout: float = 60.0

    def __post_init__(self) -> None:
        parts = urlsplit(self.base_url)
        if parts.scheme not in ("http", "https") or not parts.hostname or parts.query or parts.username:
            raise errors.model_judging.wrong_base_url(self.base_url)
        if not self.model.strip():
            raise errors.model_judging.no_model_name()
        if not LEAST_TIMEOUT <= self.timeout <= MOST_TIMEOUT:
            raise errors.model_judging.wrong_timeout(self.timeout, LEAST_TIMEOUT, MOST_TIMEOUT)

    @property
    def host(self) -> str:
        """Where text goes."""
        return urlsplit(self.base_url).netloc

    @property
    def is_local(self) -> bool:
        """Whether nothing leaves this machine."""
        name = urlsplit(self.base_url).hostname or ""
        try:
            return ip_address(name).is_loopback
        except ValueError:
            return name == "localhost"

    def ask(self, messages: Sequence[Mapping[str, str]], parameters: Mapping[str, Any]) -> Reply:
        """Send one request; raises `Failure` if no text comes back."""
        body = {"model": self.model, "messages": list(messages), **parameters}
        request = urllib.request.Request(
            self.base_url.rstrip("/") + "/chat/completions",
            json.dumps(body).encode(),
            {"Content-Type": "application/json", "Accept": "application/json", **self._authorization()},
        )
        began = time.monotonic()
        content = self._content(request)
        return _reply(content, round(1000 * (time.monotonic() - began)))

    def _authorization(self) -> dict[str, str]:
        return {"Authorization": f"Bearer {self.key}"} if self.key else {}

    def _content(self, request: urllib.request.Request) -> bytes:
        try:
            with _OPENER.open(request, timeout=self.timeout) as response:
                content: bytes = response.read(MOST_BYTES + 1)
        except urllib.error.HTTPError as error:
            raise self._refused(error) from None
        except TimeoutError:
            raise Failure("timeout", f"no answer within {self.timeout:g} seconds") from None
        except (IncompleteRead, ConnectionResetError):
            raise Failure("cut off", "the connection ended before the answer did") from None
        except urllib.error.URLError as error:
            if isinstance(error.reason, TimeoutError):
                raise Failure("timeout", f"no answer within {self.timeout:g} seconds") from None
            raise Failure("no connection", self._without_key(f"{self.host}: {error.reason}")) from None
        except (HTTPException, OSError, ValueError) as error:
            raise Failure("no connection", self._without_key(f"{self.host}: {error}")) from None
        if len(content) > MOST_BYTES:
            raise Failure("too large", f"the answer is larger than {MOST_BYTES:,} bytes")
        return content

    def _refused(self, error: urllib.error.HTTPError) -> Failure:
        with error:
            said = self._without_key(_message(error))
        status = error.code
        detail = f"{self.host} answered {status}{f': {said}' if said else ''}"
        if 300 <= status < 400:
            elsewhere = urlsplit(error.headers.get("Location", "")).netloc or "another address"
            return Failure("redirected", f"{self.host} sends requests on to {elsewhere}; nothing was sent there")
        if status == 429:
            return Failure("rate limited", detail, _seconds(error.headers.get("Retry-After")))
        if status in (408, 409) or status >= 500:
            return Failure("server error", detail, _seconds(error.headers.get("Retry-After")))
        return Failure("not allowed" if status in (401, 403, 404) else "rejected", detail)

    def _without_key(self, text: str) -> str:
        return text.replace(self.key, "***") if self.key else text


class _NoRedirect(urllib.request.HTTPRedirectHandler):
    """Nothing is sent to an address that nobody named."""

    def redirect_request(self, *given: Any, **more: Any) -> None:
        return None


_OPENER = urllib.request.build_opener(_NoRedirect)


def _reply(content: bytes, milliseconds: int) -> Reply:
    try:
        value = json.loads(content)
        choice = value["choices"][0]
        message = choice["message"]
        text, refusal = message.get("content"), message.get("refusal")
        finish = str(choice.get("finish_reason") or "")
        usage = value.get("usage") or {}
        reply = Reply(
            text if isinstance(text, str) else "",
            str(value.get("model") or ""),
            str(value.get("system_fingerprint") or ""),
            int(usage.get("prompt_tokens") or 0),
            int(usage.get("completion_tokens") or 0),
            finish,
            milliseconds,
        )
    except (ValueError, KeyError, IndexError, TypeError, AttributeError, RecursionError, OverflowError):
        if content.rstrip()[-1:] not in (b"}", b"]") and content.lstrip()[:1] == b"{":
            raise Failure("cut off", "the answer ends in the middle") from None
        raise Failure("wrong JSON", f"the answer is not a chat completion: {content[:80]!r}") from None
    if finish == "content_filter" or (isinstance(refusal, str) and refusal):
        raise Failure("refused", f"the model refused: {str(refusal or finish)[:80]}")
    return reply


def _message(error: urllib.error.HTTPError) -> str:
    """What a server says about a refusal, on one line."""
    try:
        content = error.read(2000)
        value = json.loads(content)
        inner = value.get("error") if isinstance(value, dict) else None
        said = inner.get("message") if isinstance(inner, dict) else inner
        return " ".join(str(said or "").split())[:200]
    except (ValueError, OSError, HTTPException):
        return ""


def _seconds(retry_after: str | None) -> float | None:
    """How long to wait, from seconds or a date."""
    if not retry_after:
        return None
    try:
        seconds = float(retry_after)
    except ValueError:
        try:
            seconds = parsedate_to_datetime(retry_after).timestamp() - time.time()
        except (TypeError, ValueError):
            return None
    return min(max(seconds, 0.0), LONGEST_WAIT) if seconds == seconds else None
