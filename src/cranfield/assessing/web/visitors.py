"""Who asks: the judge or manager whose link a browser has opened."""

from __future__ import annotations

from typing import TYPE_CHECKING

from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from cranfield import errors
from cranfield.assessing.refusals import NotAllowed, Refused
from cranfield.assessing.service import Service
from cranfield.assessing.web.access import DAYS, Access

if TYPE_CHECKING:
    from starlette.requests import Request

    from cranfield.assessing.events import Judge


class NoLink(Refused):
    """Somebody whose browser has no valid link."""

    status = 401

    def __init__(self) -> None:
        super().__init__(errors.assessing.no_link())


class WrongLink(Refused):
    """A link that is nobody's."""

    status = 404


class TooManyLinks(Refused):
    """Too many wrong links from one address."""

    status = 429


class Visitors:
    """Tells judges and managers by their cookies, which links set."""

    def __init__(self, service: Service, access: Access):
        self.service, self.access = service, access

    def routes(self) -> list[Route]:
        """Addresses and what answers them."""
        return [Route("/as/{token}", self.enter)]

    def enter(self, request: Request) -> Response:
        """Open a link: the browser keeps it in a cookie, and its address is left at once."""
        address = request.client.host if request.client else ""
        if self.access.wrong_links.blocked(address):
            raise TooManyLinks(errors.assessing.too_many_links())
        token = request.path_params["token"]
        judge = self.service.judge_of(token)
        if judge is None:
            self.access.wrong_links.add(address)
            raise WrongLink(errors.assessing.wrong_link())
        answer = RedirectResponse("/progress" if judge.kind == "manager" else "/", 303)
        answer.set_cookie(
            self.access.cookie_for(judge),
            token,
            max_age=DAYS * 86_400,
            path="/",
            secure=self.access.secure,
            httponly=True,
            samesite="lax",
        )
        return answer

    def judge(self, request: Request) -> Judge | None:
        """The judge who asks."""
        judge = self._of(request, self.access.cookie)
        return None if judge is None or judge.kind == "manager" else judge

    def manager(self, request: Request) -> Judge | None:
        """The manager who asks."""
        judge = self._of(request, self.access.manager_cookie)
        return judge if judge is not None and judge.kind == "manager" else None

    def require_judge(self, request: Request) -> Judge:
        """The judge who asks; nobody else gets an answer."""
        judge = self.judge(request)
        if judge is None:
            raise NoLink
        return judge

    def require_manager(self, request: Request) -> Judge:
        """The manager who asks; nobody else gets an answer, judges neither."""
        manager = self.manager(request)
        if manager is None:
            if self.judge(request) is not None:
                raise NotAllowed(errors.assessing.managers_only())
            raise NoLink
        return manager

    def _of(self, request: Request, cookie: str) -> Judge | None:
        token = request.cookies.get(cookie)
        return self.service.judge_of(token) if token and len(token) < 200 else None
