"""A judging project with a real store, its real server, and tabs of a browser in which people judge."""

from __future__ import annotations

import threading
import time
import urllib.parse
from collections.abc import Sequence
from contextlib import contextmanager
from dataclasses import dataclass

import anyio

from cranfield.assessing.contents import as_preferences, contents_of, judged_from_runs
from cranfield.assessing.effect import Effect
from cranfield.assessing.events import Judge
from cranfield.assessing.project import new_project
from cranfield.assessing.service import Service
from cranfield.assessing.store import create_store
from cranfield.assessing.submission import Submission
from cranfield.assessing.web import serving
from cranfield.formats import read_runs

WORDS = (
    *("tomato", "water", "soil", "compost", "frost", "pruning", "seed", "mulch", "slug"),
    *("apple", "rose", "bean", "pot", "shade", "root", "leaf", "bulb", "hedge"),
)
PAUSE = "() => new Promise((resolve) => setTimeout(resolve, 160))"
"""Longer than a key bounces, by the clock of the page."""
GUIDELINES = """# What counts

- **3**: answers the question in full
- **0**: is about something else

See [the handbook](https://example.org/handbook).
"""


def text_of(number: int, length: int = 40) -> str:
    return " ".join(WORDS[(number * 7 + at * at) % len(WORDS)] for at in range(length)).capitalize() + "."


def contents(queries: int = 12, documents: int = 10, task: str = "grades", **texts):
    """Runs that order documents differently, and a text for each."""
    names = {f"q{at}": [f"d{at}-{number}" for number in range(documents)] for at in range(1, queries + 1)}
    runs = {"secretrun": names, "otherrun": {query: found[::-1] for query, found in names.items()}}
    asked = {query: f"How much {WORDS[at % len(WORDS)]} for {query}" for at, query in enumerate(names)}
    written = [
        {"doc_id": name, "title": f"About {name}", "text": text_of(at, 300)}
        for at, name in enumerate(name for found in names.values() for name in found)
    ]
    known = {"queries": asked, "documents": written, **texts}
    judged = judged_from_runs(read_runs(runs), 10)
    return contents_of(as_preferences(judged) if task == "preferences" else judged, **known)[0]


@dataclass
class Made:
    """A project, and its service."""

    service: Service
    manager: Judge
    manager_token: str
    effect: Effect | None = None
    people: Sequence[Judge] = ()

    def judge(self, name: str = "") -> tuple[Judge, str]:
        return self.service.add_judge(name or f"judge {len(self.service.judges)}")

    def said(self, judge: Judge) -> list[tuple[int, str, float | None]]:
        """What a judge said, in its order: item, kind, grade."""
        events = self.service.store.events()
        return [(one.item, one.kind, one.grade) for one in events if one.judge == judge.number and one.item is not None]


def made(folder, *, effect=None, given=None, **settings) -> Made:
    settings = {"labels": 90, "strategy": "depth", "guidelines": GUIDELINES, **settings}
    project = new_project("Garden", **settings)
    store = create_store(folder / "judging.db", project, given or contents(task=project.task))
    service = Service(store, effect=effect)
    manager, token = service.add_judge("Manager", "manager")
    return Made(service, manager, token)


def with_team(folder) -> Made:
    """Three judges who labelled the same 30 documents and differ about every third, and what labels do."""
    team = made(folder, labels=3)
    team.effect = Effect(team.service.project, team.service.items)
    team.service.effect = team.effect
    team.people = [team.judge(name)[0] for name in ("Ada", "Ben", "Cleo")]
    for item in range(1, 31):
        for place, judge in enumerate(team.people):
            grade = float(item % 2 + (place if item % 3 == 0 else 0))
            sent = Submission(f"{item}-{judge.number}-{'k' * 20}", item, "label", grade, active_ms=4000)
            team.service.record(judge.number, sent._replace(note="in passing" if item == 3 and place == 1 else ""))
    team.effect.update()
    return team


@contextmanager
def running(service: Service, *, port: int = 0, effect=None):
    """The real server in a thread of its own; gives its address."""
    with serving.listening("127.0.0.1", port) as listener:
        address = serving.address_of("127.0.0.1", listener)
        server = serving.server_for(service, effect, listener, address)
        thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]}, daemon=True)
        thread.start()
        while not server.started:
            time.sleep(0.01)
        try:
            yield address
        finally:
            server.should_exit = True
            server.force_exit = True
            thread.join(20)


class JudgeTab:
    """A tab of a judge, and everything that went wrong in it."""

    def __init__(self, browser, made: Made, address, judge=None, *, context=None, **options):
        self.made, self.address = made, address
        self.judge, self.token = judge or made.judge()
        scripted = options.get("java_script_enabled", True)
        self.context = context or browser.new_context(**{"viewport": {"width": 1200, "height": 900}, **options})
        self.page = self.context.new_page()
        self.ready = "html[data-ready]" if scripted else "html"
        self.wrong: list[str] = []
        self.dialogs: list[str] = []
        self.outside: list[str] = []
        self.page.on("console", self._console)
        self.page.on("pageerror", lambda error: self.wrong.append(f"error: {error}"))
        self.page.on("dialog", lambda dialog: (self.dialogs.append(dialog.type), dialog.accept()))
        self.page.on("request", self._request)

    def _console(self, message):
        if message.type in ("error", "warning"):
            self.wrong.append(f"{message.type}: {message.text}")

    def _request(self, request):
        if not request.url.startswith((self.address.url, "data:", "blob:", "about:")):
            self.outside.append(request.url)

    def enter(self) -> JudgeTab:
        """Open the judge's link."""
        return self.go(f"/as/{self.token}")

    def go(self, path: str) -> JudgeTab:
        self.page.goto(self.address.url + path)
        self.page.wait_for_selector(self.ready)
        return self

    def list(self) -> JudgeTab:
        """Change from the card to the list."""
        self.page.click("#to-list")
        self.page.wait_for_selector("body.listing")
        self.page.wait_for_selector(self.ready)
        return self

    def reload(self) -> JudgeTab:
        self.page.reload()
        self.page.wait_for_selector(self.ready)
        return self

    def press(self, *keys: str) -> None:
        """Keys one after the other, as fast as a person is."""
        for key in keys:
            self.page.keyboard.press(key)
            self.page.evaluate(PAUSE)

    def item(self) -> int:
        return int(self.page.get_attribute("#card", "data-item"))

    def shows(self, item: int) -> None:
        """Wait until the page shows an item."""
        self.page.wait_for_function("item => document.getElementById('card').dataset.item === String(item)", arg=item)

    def text(self, selector: str) -> str:
        return self.page.inner_text(selector)

    def saved(self, sign: str = "saved") -> None:
        """Wait until the page says that everything is saved."""
        self.page.wait_for_function("sign => document.getElementById('saved').textContent === sign", arg=sign)

    def troubled(self, words: str) -> None:
        """Wait until the page says that something is wrong."""
        self.page.wait_for_function(
            "words => document.getElementById('trouble').textContent.includes(words)", arg=words
        )

    def said(self):
        return self.made.said(self.judge)


HOST = "127.0.0.1:8765"
ORIGIN = f"http://{HOST}"


def routes(app):
    """Every address and method, with something in place of what varies."""
    return [
        (method, route.path.replace("{token}", "t").replace("{name}", "n"))
        for route in app.routes
        for method in sorted(route.methods)
    ]


def unsafe(app):
    return [path for method, path in routes(app) if method not in ("GET", "HEAD")]


def asked(app, method, path, headers):
    """What an application answers to headers that no client would send."""
    path, _, query = path.partition("?")
    scope = {
        "type": "http",
        "asgi": {"version": "3.0"},
        "http_version": "1.1",
        "method": method,
        "scheme": "http",
        "path": urllib.parse.unquote(path),
        "raw_path": path.encode(),
        "query_string": query.encode(),
        "root_path": "",
        "headers": [(name.encode(), value.encode()) for name, value in headers],
        "client": ("127.0.0.1", 1),
        "server": ("127.0.0.1", 8765),
    }
    sent = []

    async def receive():
        return {"type": "http.request", "body": b"", "more_body": False}

    async def send(message):
        sent.append(message)

    async def run():
        await app(scope, receive, send)

    # In a thread of its own: a browser that other tests have opened runs a loop in this one.
    thread = threading.Thread(target=anyio.run, args=(run,))
    thread.start()
    thread.join()
    return sent[0]["status"], dict(sent[0]["headers"]), b"".join(one.get("body", b"") for one in sent)
