"""The judge's routes: cards one by one or as a list, labels, and going back."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from starlette.concurrency import run_in_threadpool
from starlette.responses import HTMLResponse, JSONResponse, RedirectResponse, Response
from starlette.routing import Route

from cranfield import errors
from cranfield.assessing.items import DocumentText
from cranfield.assessing.passages import placed
from cranfield.assessing.refusals import Unsound
from cranfield.assessing.service import Card, Service
from cranfield.assessing.submission import Submission
from cranfield.assessing.web.pages import (
    grade_buttons,
    guidelines_html,
    page_settings,
    render,
    shown_card,
    shown_current,
    shown_document,
    tally_lines,
)
from cranfield.assessing.web.sent import (
    new_key,
    new_tab,
    submission_of,
    tab_of,
    text_of,
    values_in,
    values_of,
    whole_of,
)
from cranfield.assessing.web.visitors import Visitors

if TYPE_CHECKING:
    from collections.abc import Callable

    from starlette.requests import Request

    from cranfield.assessing.events import Judge

TABS = 10_000
"""Tabs whose last visit is remembered."""
PATIENCE = 5.0
"""Seconds after which a tab that was closed, rather than loaded again, holds nothing any more."""


class JudgePages:
    """Pages and answers for judges."""

    def __init__(self, service: Service, visitors: Visitors, countdown: Callable[[], str]):
        self.service, self.visitors, self.countdown = service, visitors, countdown
        self.patience = PATIENCE
        self._visits: dict[tuple[int, str], str] = {}
        self._remembering = threading.Lock()

    def routes(self) -> list[Route]:
        """Addresses and what answers them."""
        return [
            Route("/", self.card_page),
            Route("/list", self.list_page),
            Route("/guidelines", self.guidelines),
            Route("/next", self.next_cards),
            Route("/mine", self.mine),
            Route("/text", self.text),
            Route("/label", self.label, methods=["POST"]),
            Route("/hold", self.hold, methods=["POST"]),
            Route("/release", self.release, methods=["POST"]),
        ]

    # Pages

    def card_page(self, request: Request) -> Response:
        """The card this tab holds, with two more read ahead; or an earlier one."""
        if self.visitors.judge(request) is None and self.visitors.manager(request) is not None:
            return RedirectResponse("/progress", 303)
        judge = self.visitors.require_judge(request)
        tab = tab_of(request.query_params.get("tab"))
        if tab is None:
            return RedirectResponse(f"/?tab={new_tab()}", 303)
        cards = [shown_card(card, self.service.project) for card in self.service.cards(judge.number, tab)]
        earlier = self._earlier_page(judge, request.query_params.get("back"))
        card = earlier or (cards[0] if cards else None)
        blank = shown_document(DocumentText(""), set())._asdict()
        return self._page(
            "judge.html",
            judge,
            tab,
            card=card,
            cards=cards,
            earlier=earlier,
            given=_given(earlier, self.service) if earlier else "",
            blank=[blank] * (2 if self.service.project.task == "preferences" else 1),
            key=new_key(),
        )

    def list_page(self, request: Request) -> Response:
        """All documents of the judge's batch."""
        judge = self.visitors.require_judge(request)
        tab = tab_of(request.query_params.get("tab"))
        if tab is None:
            return RedirectResponse(f"/list?tab={new_tab()}", 303)
        cards = [shown_card(card, self.service.project) for card in self.service.batch(judge.number, tab)]
        return self._page("list.html", judge, tab, cards=[{**card, "key": new_key()} for card in cards])

    def _page(self, template: str, judge: Judge, tab: str, **values: Any) -> Response:
        project = self.service.project
        visit = new_key()
        self._remember(judge, tab, visit)
        return HTMLResponse(
            render(
                template,
                project=project,
                judge=judge,
                tab=tab,
                buttons=grade_buttons(project),
                preferences=project.task == "preferences",
                guidelines=guidelines_html(project.guidelines) if project.guidelines.strip() else "",
                settings=page_settings(project, judge, tab, visit),
                tally=self._tally(judge),
                nothing=self._nothing(judge),
                message="",
                **values,
            )
        )

    def guidelines(self, request: Request) -> Response:
        """The guidelines alone, to be printed or kept open."""
        if self.visitors.manager(request) is None:
            self.visitors.require_judge(request)
        project = self.service.project
        text = guidelines_html(project.guidelines) if project.guidelines.strip() else ""
        return HTMLResponse(render("guidelines.html", project=project, guidelines=text, buttons=grade_buttons(project)))

    # For the code of a page

    def next_cards(self, request: Request) -> Response:
        """Up to three cards for a tab."""
        judge = self.visitors.require_judge(request)
        return JSONResponse(self._next(judge, _require_tab(request.query_params)))

    def mine(self, request: Request) -> Response:
        """The card this judge dealt with before another."""
        judge = self.visitors.require_judge(request)
        card = self.service.earlier(judge.number, whole_of(request.query_params, "before"))
        return JSONResponse({"card": shown_card(card, self.service.project) if card else None})

    def text(self, request: Request) -> Response:
        """The whole text of a document."""
        judge = self.visitors.require_judge(request)
        item = whole_of(request.query_params, "item")
        if item is None:
            raise Unsound(errors.assessing.wrong_field("item"))
        documents = shown_card(self.service.card(judge.number, item), self.service.project, whole=True)["documents"]
        place = whole_of(request.query_params, "document") or 0
        if not 0 <= place < len(documents):
            raise Unsound(errors.assessing.wrong_field("document"))
        return JSONResponse({"whole": documents[place]["whole"] or documents[place]["excerpt"]})

    # What judges say

    async def label(self, request: Request) -> Response:
        """Store what a judge says; a page's code gets the next cards with the answer, a form the next page."""
        return await run_in_threadpool(self._label, request, await request.body())

    def _label(self, request: Request, body: bytes) -> Response:
        judge = self.visitors.require_judge(request)
        return self._record(judge, *values_in(request, body))

    def _record(self, judge: Judge, values: Mapping[str, Any], is_code: bool) -> Response:
        submission = self._placed(judge, submission_of(values))
        receipt = self.service.record(judge.number, submission)
        tab = tab_of(values.get("tab"))
        if not is_code:
            self._passage_of_form(judge, submission, values)
            page = "list" if values.get("view") == "list" else ""
            return RedirectResponse(f"/{page}?tab={tab}" if tab else f"/{page}", 303)
        answer = {"seq": receipt.event.seq, "current": shown_current(receipt.current)}
        return JSONResponse({**answer, **(self._next(judge, tab) if tab else {})})

    def _passage_of_form(self, judge: Judge, submission: Submission, values: Mapping[str, Any]) -> None:
        """A passage that was pasted into a form without code is an act of its own."""
        quote = text_of(values, "passage").strip()
        if quote:
            more = {"text": quote, "document": 0}
            passage = Submission(f"{submission.key[:60]}-p", submission.item, "passage", how="click", more=more)
            self.service.record(judge.number, self._placed(judge, passage))

    def _placed(self, judge: Judge, submission: Submission) -> Submission:
        """A passage of a document that this judge holds or has judged, by its place in the text."""
        if submission.kind == "passage":
            self.service.card(judge.number, submission.item)  # refuses what is not theirs
        return placed(self.service, submission)

    async def hold(self, request: Request) -> Response:
        """The tab is still open."""
        judge = await run_in_threadpool(self.visitors.require_judge, request)
        values, _ = await values_of(request)
        await run_in_threadpool(self.service.renew, judge.number, _require_tab(values))
        return Response(status_code=204)

    async def release(self, request: Request) -> Response:
        """The tab was closed. A reload says so too, so it is given time to ask for its page again."""
        judge = await run_in_threadpool(self.visitors.require_judge, request)
        values, _ = await values_of(request)
        tab, visit = _require_tab(values), values.get("visit")
        loop = asyncio.get_running_loop()
        # In a thread: whoever is saving at that moment must not keep all others waiting.
        loop.call_later(self.patience, lambda: loop.run_in_executor(None, self._release, judge.number, tab, visit))
        return Response(status_code=204)

    def _release(self, judge: int, tab: str, visit: object) -> None:
        if self._visits.get((judge, tab)) == visit:
            self.service.release(judge, tab)

    # Parts of answers

    def _next(self, judge: Judge, tab: str) -> dict[str, Any]:
        cards = [shown_card(card, self.service.project) for card in self.service.cards(judge.number, tab)]
        return {"cards": cards, "tally": self._tally(judge), "nothing": "" if cards else self._nothing(judge)}

    def _tally(self, judge: Judge) -> dict[str, str]:
        return tally_lines(self.service.tally(judge.number), self.service.project, self.countdown())

    def _nothing(self, judge: Judge) -> str:
        tally = self.service.tally(judge.number)
        if tally.left:
            return "The documents that still need a label are in the hands of other judges. This page looks again."
        return f"You have judged everything that needs a label from you: {tally.labels:,} in all. Thank you."

    def _earlier_page(self, judge: Judge, back: str | None) -> dict[str, Any] | None:
        if not back:
            return None
        before = None if back == "last" else whole_of({"back": back}, "back")
        card: Card | None = self.service.earlier(judge.number, before)
        return shown_card(card, self.service.project) if card else None

    def _remember(self, judge: Judge, tab: str, visit: str) -> None:
        with self._remembering:
            self._visits.pop((judge.number, tab), None)
            self._visits[judge.number, tab] = visit
            if len(self._visits) > TABS:
                del self._visits[next(iter(self._visits))]


def _require_tab(values: Mapping[str, Any]) -> str:
    tab = tab_of(values.get("tab"))
    if tab is None:
        raise Unsound(errors.assessing.wrong_field("tab"))
    return tab


def _given(card: Mapping[str, Any], service: Service) -> str:
    current = card["current"]
    if current is None or current["kind"] == "clear":
        return "You gave no grade."
    if current["grade"] is None:
        words = {"skip": "skipped", "cannot": "cannot be judged", "later": "later"}
        return f"You gave: {words.get(current['kind'], current['kind'])}."
    return f"You gave: {service.project.word(current['grade'])}."
