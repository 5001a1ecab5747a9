"""The manager's routes: what labels do to the comparison, who judged what, corrections, judges, settings, export."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any, get_args

from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.responses import HTMLResponse, JSONResponse, RedirectResponse, Response, StreamingResponse
from starlette.routing import Route

from cranfield import errors
from cranfield.assessing.disagreements import Dispute, disputes
from cranfield.assessing.export import exports_of
from cranfield.assessing.export_worker import exported
from cranfield.assessing.model_trust import TrustWatch
from cranfield.assessing.project import Project, parse_grades
from cranfield.assessing.quality import Quality
from cranfield.assessing.refusals import Unsound
from cranfield.assessing.service import BulkFilter, Reason, Service
from cranfield.assessing.trust_answer import ModelTrust
from cranfield.assessing.web.pages import grade_buttons, render, shown_card
from cranfield.assessing.web.sent import new_key, number_of, text_of, values_of, whole_of
from cranfield.assessing.web.strips import strip_of
from cranfield.assessing.web.visitors import Visitors
from cranfield.errors import CranfieldError
from cranfield.phrases import counted

if TYPE_CHECKING:
    from starlette.requests import Request

    from cranfield.assessing.effect_summary import EffectSummary, LiveEffect
    from cranfield.assessing.events import Judge

_MINUS = re.compile(r"(?<= )-(?=\d)")
SHOWN = 200
"""Labels of a filter that are listed."""


class ManagerPages:
    """Pages and answers for managers."""

    def __init__(self, service: Service, visitors: Visitors, effect: LiveEffect | None):
        self.service, self.visitors, self.effect = service, visitors, effect
        self.quality = Quality(service)
        self.models = TrustWatch(service)

    def routes(self) -> list[Route]:
        """Addresses and what answers them."""
        return [
            Route("/progress", self.progress),
            Route("/progress.json", self.progress_json),
            Route("/disagreements", self.disagreements),
            Route("/adjudicate", self.adjudicate, methods=["POST"]),
            Route("/labels", self.labels),
            Route("/bulk", self.bulk, methods=["POST"]),
            Route("/trust", self.trust),
            Route("/team", self.team),
            Route("/judges", self.judges, methods=["POST"]),
            Route("/links", self.links, methods=["POST"]),
            Route("/settings", self.settings, methods=["POST"]),
            Route("/export", self.exports),
            Route("/export/{name}", self.export),
        ]

    def countdown(self) -> str:
        """How many labels are left until the comparison is decided, for judges: no run, no direction."""
        summary = self._summary()
        return "" if summary is None else summary.countdown()

    # Pages

    def progress(self, request: Request) -> Response:
        """What labels did so far, how far everybody is, and how far judges agree."""
        manager = self.visitors.require_manager(request)
        progress = self.quality.progress()
        return self._page(
            "progress.html",
            manager,
            **_comparison(self._summary(), progress.seconds_per_label),
            undecided=len(disputes(self.service)),
            progress=progress,
            agreement=self.quality.agreement(),
        )

    def _summary(self) -> EffectSummary | None:
        return None if self.effect is None else self.effect.summary()

    def progress_json(self, request: Request) -> Response:
        """Whether anything happened since an event, for a page that shows it then."""
        self.visitors.require_manager(request)
        after = whole_of(request.query_params, "after") or 0
        seq = self.service.state.seq
        summary = self._summary()
        return JSONResponse(
            {"seq": seq, "changed": seq > after, "effect": None if summary is None else summary.to_dict()}
        )

    def disagreements(self, request: Request) -> Response:
        """Documents about which judges differ: the one that could change most to decide on, and the list of all."""
        manager = self.visitors.require_manager(request)
        decided = request.query_params.get("decided") == "1"
        found = disputes(self.service, self.effect, decided=decided)
        item = whole_of(request.query_params, "item")
        chosen = next((one for one in found if one.item == item), found[0] if found else None)
        return self._page(
            "disagreements.html",
            manager,
            disputes=found[:SHOWN],
            count=len(found),
            near=sum(one.is_near for one in found),
            decided=decided,
            chosen=chosen,
            card=None
            if chosen is None
            else shown_card(self.service.card(manager.number, chosen.item), self.service.project),
            given=() if chosen is None else self._given(chosen),
            buttons=grade_buttons(self.service.project),
            reasons=self.quality.progress().reasons,
            key=new_key(),
        )

    def _card(self, manager: Judge, item: int) -> dict[str, Any]:
        return shown_card(self.service.card(manager.number, item), self.service.project)

    def _given(self, chosen: Dispute) -> list[dict[str, Any]]:
        """What each judge said and how long it took; names are shown on demand."""
        given = []
        for place, grade in enumerate(chosen.grades):
            now = self.service.state.current(chosen.item, grade.judge)
            event = None if now is None else next(iter(self.service.store.events(now.seq - 1)), None)
            seconds = None if event is None or not event.active_ms else event.active_ms / 1000
            given.append({"sign": chr(ord("A") + place % 26), "of": grade, "seconds": seconds})
        return given

    def labels(self, request: Request) -> Response:
        """Labels of a judge, a query, a grade; and what can be done with all of them at once."""
        manager = self.visitors.require_manager(request)
        chosen = self._filter(request.query_params)
        listed, count = self._matching(chosen)
        return self._page(
            "labels.html",
            manager,
            listed=listed,
            count=count,
            judges=[judge for judge in self.service.judges if judge.kind != "manager"],
            chosen=chosen,
            query=text_of(request.query_params, "query", 1_000),
            key=new_key(),
            done=None,
        )

    def trust(self, request: Request) -> Response:
        """Whether a model can judge here: its labels compared with people's."""
        manager = self.visitors.require_manager(request)
        models, runs = self.models.models(), self.service.items.runs
        named = request.query_params.get("model", "")
        model = named if named in models else models[0] if models else ""
        used_by = [run for run in runs if run in request.query_params.getlist("used_by")]
        trust: ModelTrust | None = None
        try:
            trust = self.models.trust(model, used_by)
            reason = ""
        except CranfieldError as error:  # such as too few labels of people
            reason = str(error)
        return self._page(
            "trust.html", manager, models=models, model=model, runs=runs, used_by=used_by, trust=trust, reason=reason
        )

    def team(self, request: Request) -> Response:
        """Judges, their links, and the settings."""
        return self._team(self.visitors.require_manager(request))

    def _team(self, manager: Judge, link: tuple[str, str] | None = None, message: str = "") -> Response:
        project = self.service.project
        return self._page(
            "team.html",
            manager,
            judges=[judge for judge in self.service.judges if judge.kind != "manager"],
            link=link,
            grades=",".join(f"{grade.value:g}={grade.word}".rstrip("=") for grade in project.grades),
            message=message,
            status=400 if message else 200,
        )

    def _page(self, template: str, manager: Judge, *, status: int = 200, **values: Any) -> Response:
        project: Project = self.service.project
        page = render(template, project=project, manager=manager, seq=self.service.state.seq, **values)
        return HTMLResponse(page, status)

    # Acts

    async def adjudicate(self, request: Request) -> Response:
        """Decide on the grade of a document, or accept what counts now for all whose grades are next to each other."""
        manager = await run_in_threadpool(self.visitors.require_manager, request)
        values, _ = await values_of(request)
        return await run_in_threadpool(self._adjudicate, manager, values)

    def _adjudicate(self, manager: Judge, values: Mapping[str, Any]) -> Response:
        key = text_of(values, "key", 40)
        if values.get("accept") == "near":
            for one in disputes(self.service, self.effect):
                if one.is_near:
                    self.service.adjudicate(manager.number, one.item, one.proposal, key=f"{key}-{one.item}")
            return RedirectResponse("/disagreements", 303)
        item, grade = whole_of(values, "item"), number_of(values, "grade")
        reason = text_of(values, "reason", 20) or "other"
        if item is None or grade is None or reason not in get_args(Reason):
            raise Unsound(errors.assessing.wrong_field("grade" if item else "item"))
        note = text_of(values, "note")
        self.service.adjudicate(manager.number, item, grade, reason, note, key=key)  # type: ignore[arg-type]  # just seen
        return RedirectResponse("/disagreements", 303)

    async def bulk(self, request: Request) -> Response:
        """Set or clear the grade of many labels, or take such a correction back."""
        manager = await run_in_threadpool(self.visitors.require_manager, request)
        values, _ = await values_of(request)
        return await run_in_threadpool(self._bulk, manager, values)

    def _bulk(self, manager: Judge, values: Mapping[str, Any]) -> Response:
        if undone := text_of(values, "undo", 64):
            receipt = self.service.undo_bulk(manager.number, undone)
            done = f"{counted(receipt.changed, 'label')} restored."
        else:
            if text_of(values, "to", 40) == "":
                raise Unsound(errors.assessing.wrong_field("to"))
            grade = None if values.get("to") == "clear" else number_of(values, "to")
            receipt = self.service.bulk(manager.number, self._filter(values), grade, key=text_of(values, "key", 64))
            done = f"{counted(receipt.changed, 'label')} changed."
        return self._page(
            "labels.html",
            manager,
            listed=[],
            count=0,
            judges=[judge for judge in self.service.judges if judge.kind != "manager"],
            chosen=BulkFilter(),
            query="",
            key=new_key(),
            done={"words": done, "undo": "" if undone else receipt.key},
        )

    async def judges(self, request: Request) -> Response:
        """Add a judge, or switch one off or on."""
        manager = await run_in_threadpool(self.visitors.require_manager, request)
        values, _ = await values_of(request)
        return await run_in_threadpool(self._judges, manager, values)

    def _judges(self, manager: Judge, values: Mapping[str, Any]) -> Response:
        number = whole_of(values, "judge")
        if number is not None:
            self.service.set_off(number, off=values.get("off") == "1", by=manager.number)
            return RedirectResponse("/team", 303)
        try:
            judge, token = self.service.add_judge(text_of(values, "name", 200), by=manager.number)
        except CranfieldError as error:
            return self._team(manager, message=str(error))
        return self._team(manager, (judge.name, self.visitors.access.link(token)))

    async def links(self, request: Request) -> Response:
        """Renew the link of a judge."""
        manager = await run_in_threadpool(self.visitors.require_manager, request)
        values, _ = await values_of(request)
        return await run_in_threadpool(self._links, manager, values)

    def _links(self, manager: Judge, values: Mapping[str, Any]) -> Response:
        number = whole_of(values, "judge")
        judge = next((judge for judge in self.service.judges if judge.number == number), None)
        if number is None or judge is None:
            raise Unsound(errors.assessing.wrong_field("judge"))
        token = self.service.renew_link(number, by=manager.number)
        return self._team(manager, (judge.name, self.visitors.access.link(token)))

    async def settings(self, request: Request) -> Response:
        """Change title, guidelines, words of grades, or labels per document."""
        manager = await run_in_threadpool(self.visitors.require_manager, request)
        values, _ = await values_of(request)
        return await run_in_threadpool(self._settings, manager, values)

    def _settings(self, manager: Judge, values: Mapping[str, Any]) -> Response:
        project = self.service.project
        changes: dict[str, Any] = {}
        try:
            if "title" in values:
                changes["title"] = text_of(values, "title", 200)
            if "guidelines" in values:
                changes["guidelines"] = text_of(values, "guidelines", 60_000)
            if "labels" in values:
                changes["labels"] = whole_of(values, "labels")
            if "grades" in values and project.task == "grades":
                changes["grades"] = parse_grades(text_of(values, "grades", 5_000))
            changed = {name: value for name, value in changes.items() if value != getattr(project, name)}
            if changed:
                self.service.change_settings(manager.number, **changed)
        except CranfieldError as error:
            return self._team(manager, message=str(error))
        return RedirectResponse("/team", 303)

    # Export

    def exports(self, request: Request) -> Response:
        """What can be taken along."""
        manager = self.visitors.require_manager(request)
        return self._page("export.html", manager, names=exports_of(self.service.project.task))

    def export(self, request: Request) -> Response:
        """A file, by a name from a fixed list."""
        self.visitors.require_manager(request)
        name = request.path_params["name"]
        if name not in exports_of(self.service.project.task):
            raise HTTPException(404)
        headers = {"content-disposition": f'attachment; filename="{name}"'}
        parts = exported(self.service.store, name)
        return StreamingResponse(parts, media_type="text/plain; charset=utf-8", headers=headers)

    # Labels

    def _filter(self, values: Mapping[str, Any]) -> BulkFilter:
        """Which labels are meant; a query by its name."""
        name = text_of(values, "query", 1_000)
        queries = self.service.items.queries
        if name and name not in queries:
            return BulkFilter(items=frozenset())
        query = queries.index(name) if name else None
        return BulkFilter(whole_of(values, "judge"), query, number_of(values, "grade"))

    def _matching(self, chosen: BulkFilter) -> tuple[list[dict[str, Any]], int]:
        """The first labels of a filter, and how many there are."""
        items = self.service.items
        count, listed = 0, []
        for judge, item, grade in self._labels(chosen):
            count += 1
            if count <= SHOWN:
                listed.append(
                    {
                        "judge": judge.name,
                        "query": items.queries[items.of_query[item - 1]],
                        "document": items.documents[items.of_document[item - 1]],
                        "grade": f"{grade:g}".replace("-", "−"),
                    }
                )
        return listed, count

    def _labels(self, chosen: BulkFilter) -> Iterator[tuple[Judge, int, float]]:
        items = self.service.items
        for number, of in list(self.service.state.by_judge.items()):
            if of.judge.kind == "manager" or chosen.judge not in (None, number):
                continue
            for item, now in sorted(of.said.copy().items()):
                if now.kind != "label" or now.grade is None or chosen.grade not in (None, now.grade):
                    continue
                if chosen.query is not None and items.of_query[item - 1] != chosen.query:
                    continue
                if chosen.items is None or item in chosen.items:
                    yield of.judge, item, now.grade


def _comparison(summary: EffectSummary | None, seconds: float | None) -> dict[str, Any]:
    """The sentences about each pair of runs, the result first, and the pictures."""
    pairs = () if summary is None else summary.pairs
    sentences = []
    for pair in pairs:
        first, _, rest = _MINUS.sub("−", pair.sentence(seconds)).partition(". ")
        sentences.append({"state": pair.state, "first": f"{first.removesuffix('.')}.", "rest": rest})
    strips = [strip_of(pair, summary.labels, summary.documents) for pair in pairs] if summary is not None else []
    return {"summary": summary, "sentences": sentences, "strips": [strip for strip in strips if strip]}
