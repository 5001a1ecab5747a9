"""An endpoint that speaks as OpenAI's does: one request, one reply or the reason why there is none."""

from __future__ import annotations

import json
import time
import urllib.request
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from ipaddress import ip_address
from typing import Any, NamedTuple
from urllib.parse import urlsplit

from cranfield import errors
from cranfield.requesting.failures import Failure
from cranfield.requesting.transport import LEAST_TIMEOUT, MOST_TIMEOUT, content_of, is_cut_off

OPENAI = "https://api.openai.com/v1"
MOST_BYTES = 1 << 20
"""Of a reply; a grade needs a hundred."""


class AnswerToken(NamedTuple):
    """A word of an answer, or part of one."""

    text: str
    likely: Mapping[str, float]
    """What could have stood there, with the logarithm of how likely it was."""


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
    tokens: tuple[AnswerToken, ...] = ()
    """The words of the answer with those that were likely in their place, where the server tells."""

    def facts(self) -> dict[str, Any]:
        """Everything but the grade, as it is stored; what tokens say about grades is stored in their place."""
        facts = self._asdict()
        del facts["tokens"]
        return facts


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
        content = content_of(request, timeout=self.timeout, most_bytes=MOST_BYTES, secrets=(self.key,))
        return _reply(content, round(1000 * (time.monotonic() - began)))

    def _authorization(self) -> dict[str, str]:
        return {"Authorization": f"Bearer {self.key}"} if self.key else {}


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
            _tokens(choice.get("logprobs")),
        )
    except (ValueError, KeyError, IndexError, TypeError, AttributeError, RecursionError, OverflowError):
        if is_cut_off(content):
            raise Failure("cut off", "the answer ends in the middle") from None
        raise Failure("wrong JSON", f"the answer is not a chat completion: {content[:80]!r}") from None
    if finish == "content_filter" or (isinstance(refusal, str) and refusal):
        raise Failure("refused", f"the model refused: {str(refusal or finish)[:80]}")
    return reply


def _tokens(logprobs: Any) -> tuple[AnswerToken, ...]:
    """The tokens of an answer; none where the server tells nothing, or something else."""
    try:
        return tuple(
            AnswerToken(
                str(token["token"]),
                {str(one["token"]): float(one["logprob"]) for one in [*token["top_logprobs"], token]},
            )
            for token in logprobs["content"]
        )
    except (KeyError, TypeError, ValueError):
        return ()
