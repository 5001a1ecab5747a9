"""All addresses of the judging server, and what it says where nothing can be answered."""

from __future__ import annotations

from typing import TYPE_CHECKING

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.responses import HTMLResponse, JSONResponse, PlainTextResponse, Response
from starlette.routing import Route

from cranfield import errors
from cranfield.assessing.refusals import Refused
from cranfield.assessing.service import Service
from cranfield.assessing.web.access import Access, Guard
from cranfield.assessing.web.judging import JudgePages
from cranfield.assessing.web.managing import ManagerPages
from cranfield.assessing.web.pages import render, static_files
from cranfield.assessing.web.programs import ProgramPages
from cranfield.assessing.web.visitors import Visitors

if TYPE_CHECKING:
    from starlette.requests import Request

    from cranfield.assessing.effect_summary import LiveEffect

FOREVER = "public, max-age=31536000, immutable"
"""How long browsers may keep a file whose name changes with its contents."""
FOR_CODE = frozenset({"/next", "/mine", "/text", "/hold", "/release", "/progress.json"})
"""Addresses that pages' code asks for: words come as JSON."""


def create_app(service: Service, access: Access, effect: LiveEffect | None = None) -> Starlette:
    """The server's application: pages of judges and of managers, behind a guard that every request passes."""
    visitors = Visitors(service, access)
    managers = ManagerPages(service, visitors, effect)
    judges = JudgePages(service, visitors, managers.countdown)
    files = {file.name: file for file in static_files().values()}

    def static(request: Request) -> Response:
        file = files.get(request.path_params["name"])
        if file is None:
            raise HTTPException(404)
        return Response(file.body, media_type=file.media_type, headers={"cache-control": FOREVER})

    def alive(request: Request) -> Response:
        return PlainTextResponse("alive")

    def refused(request: Request, refusal: Exception) -> Response:
        assert isinstance(refusal, Refused)
        return _words(request, refusal.status, refusal.message, getattr(refusal, "current", False))

    def missing(request: Request, error: Exception) -> Response:
        assert isinstance(error, HTTPException)
        return _words(request, error.status_code, errors.assessing.no_page(error.status_code))

    def _words(request: Request, status: int, message: str, current: object = False) -> Response:
        if request.url.path in FOR_CODE or request.headers.get("content-type", "").startswith("application/json"):
            more = {"current": None if current is None else dict(current._asdict())} if current is not False else {}  # type: ignore[attr-defined]
            return JSONResponse({"message": message, **more}, status)
        back = "" if status in (401, 404, 429) else "/progress" if visitors.manager(request) else "/"
        page = render("message.html", project=service.project, title=_title(status), message=message, back=back)
        return HTMLResponse(page, status)

    return Starlette(
        routes=[
            *visitors.routes(),
            *judges.routes(),
            *managers.routes(),
            *ProgramPages(service).routes(),
            Route("/alive", alive),
            Route("/static/{name}", static),
        ],
        middleware=[Middleware(Guard, access=access)],
        exception_handlers={Refused: refused, HTTPException: missing},
    )


def _title(status: int) -> str:
    titles = {
        401: "Open your link again",
        403: "Not allowed",
        404: "Not found",
        409: "Changed in the meantime",
        429: "Too many tries",
        503: "Not saved yet",
        507: "No room left",
    }
    return titles.get(status, "Not done")
