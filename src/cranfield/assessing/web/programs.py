"""What programs on the same machine may do while the server runs: store what a model says."""

from __future__ import annotations

import hmac
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from starlette.concurrency import run_in_threadpool
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from cranfield import errors
from cranfield.assessing.events import ModelAnswer, NewEvent
from cranfield.assessing.refusals import NotAllowed, Refused, Unsound
from cranfield.assessing.service import Service
from cranfield.assessing.store import Appended
from cranfield.assessing.web.access import MODEL
from cranfield.assessing.web.sent import text_of, values_of
from cranfield.errors import CranfieldError

if TYPE_CHECKING:
    from starlette.requests import Request


class ProgramPages:
    """Answers for programs that show the server's token."""

    def __init__(self, service: Service):
        self.service = service
        self._acts: Mapping[str, Callable[[Mapping[str, Any]], Any]] = {
            "judge": lambda values: service.add_model(text_of(values, "name", 200)),
            "prompt": lambda values: service.add_prompt(text_of(values, "version", 64), text_of(values, "text", MOST)),
            "labels": lambda values: _rows(service.record_model(None, _events(values))),
            "answer": lambda values: _rows(service.record_model(_answer(values.get("answer")), _events(values))),
        }

    def routes(self) -> list[Route]:
        """Addresses and what answers them."""
        return [Route(MODEL, self.model, methods=["POST"])]

    async def model(self, request: Request) -> Response:
        """Store what a model says."""
        shown = request.headers.get("authorization", "").encode()
        if not hmac.compare_digest(shown, f"Bearer {self.service.program_token}".encode()):
            raise NotAllowed(errors.assessing.no_program())
        values, _ = await values_of(request)
        return await run_in_threadpool(self._model, values)

    def _model(self, values: Mapping[str, Any]) -> Response:
        act = self._acts.get(text_of(values, "act", 20))
        if act is None:
            raise Unsound(errors.assessing.wrong_field("act"))
        try:
            return JSONResponse({"done": act(values)})
        except Refused:
            raise
        except CranfieldError as error:  # such as a name that no judge may have
            raise Unsound(str(error)) from None


MOST = 1_000_000
"""Characters of a prompt."""


def _events(values: Mapping[str, Any]) -> list[NewEvent]:
    sent = values.get("events")
    try:
        events = [NewEvent(**event) for event in sent or ()]
        if all(_is_sound(event) for event in events):
            return events
    except TypeError:
        pass
    raise Unsound(errors.assessing.wrong_field("events"))


def _is_sound(event: NewEvent) -> bool:
    return (
        isinstance(event.key, str)
        and 0 < len(event.key) <= 100
        and type(event.judge) is type(event.item) is int
        and isinstance(event.grade, int | float)
        and isinstance(event.more, dict)
        and (event.before, event.active_ms, event.away_ms, event.how, event.note) == (None, 0, 0, "model", "")
    )


def _answer(sent: object) -> ModelAnswer:
    try:
        answer = ModelAnswer(**sent)  # type: ignore[arg-type]  # whatever is no answer is refused
    except TypeError:
        raise Unsound(errors.assessing.wrong_field("answer")) from None
    is_sound = (
        isinstance(answer.request, str)
        and type(answer.judge) is type(answer.item) is int
        and answer.purpose in ("label", "repeat", "probe")
        and isinstance(answer.outcome, str)
        and isinstance(answer.grade, int | float | None)
        and isinstance(answer.facts, dict)
    )
    if not is_sound:
        raise Unsound(errors.assessing.wrong_field("answer"))
    return answer


def _rows(appended: Sequence[Appended]) -> list[tuple[Any, ...]]:
    return [((*one.event[:-1], dict(one.event.more)), one.repeated) for one in appended]
