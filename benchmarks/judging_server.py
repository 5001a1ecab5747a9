"""The judging server as people meet it: first label, key to next document, fifty judges, the peak, and kill -9."""

from __future__ import annotations

import json
import random
import re
import shutil
import signal
import statistics
import subprocess
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.client import HTTPConnection, HTTPException
from pathlib import Path
from uuid import uuid4

from benchmarks.judging import Collected
from benchmarks.peers import BIN
from cranfield import demo

LATENCY = 400
"""Milliseconds that the network takes."""
THINKING = 1.0
"""Seconds that a judge takes for a label, on average."""

MANAGING = 5.0
"""Seconds between two looks of the manager, each with an export of all labels."""
LONGEST_LIFE = 0.6
"""Seconds of load until the server is killed, at most."""
HALF_AN_HOUR = Collected(queries=2_000, per_query=100, texts=10_000)
"""Enough pairs for fifty judges."""


@dataclass(frozen=True)
class Attended:
    """How many judges, for how long, and how often the server is killed."""

    judges: int = 50
    seconds: float = 1800
    peak_seconds: float = 20
    kills: int = 1000
    keys: int = 100
    store: str = "judging.db"
    """A file, or the address of a database."""
    collected: Collected = HALF_AN_HOUR

    @property
    def where(self) -> str:
        """What labels are kept in."""
        return "in PostgreSQL" if "://" in self.store else "in SQLite"

    def __str__(self) -> str:
        return f"{self.judges} judges for {self.seconds / 60:g} minutes, killed {self.kills:,} times"


@dataclass
class Judge:
    """A judge's page, without a browser: one connection, labels in their order."""

    port: int
    token: str
    tab: str = field(default_factory=lambda: uuid4().hex[:16])
    cookie: str = ""
    took: list[float] = field(default_factory=list)
    """Seconds from sending a label until it was durable."""
    acknowledged: list[str] = field(default_factory=list)
    unanswered: list[dict[str, object]] = field(default_factory=list)
    """Labels that were sent, and of which nobody knows whether they were saved; a page sends them again."""
    errors: list[str] = field(default_factory=list)
    connection: HTTPConnection | None = None

    def ask(self, method: str, path: str, body: object = None) -> tuple[int, str, str]:
        if self.connection is None:
            self.connection = HTTPConnection("127.0.0.1", self.port, timeout=30)
        sent = None if body is None else json.dumps(body)
        self.connection.request(method, path, sent, {"Cookie": self.cookie, "Content-Type": "application/json"})
        answer = self.connection.getresponse()
        return answer.status, answer.read().decode(), answer.getheader("Set-Cookie") or ""

    def enter(self) -> None:
        _, _, cookie = self.ask("GET", f"/as/{self.token}")
        self.cookie = cookie.partition(";")[0]

    def cards(self) -> list[dict[str, int]]:
        cards: list[dict[str, int]] = json.loads(self.ask("GET", f"/next?tab={self.tab}")[1])["cards"]
        return cards

    def label(self, item: int) -> None:
        body = {"key": uuid4().hex, "item": item, "kind": "label", "grade": random.choice((0, 0, 1, 2)), "before": None}
        self.send({**body, "active_ms": 900, "how": "key", "tab": self.tab})

    def send(self, body: dict[str, object]) -> None:
        self.unanswered.append(body)
        began = time.perf_counter()
        status, text, _ = self.ask("POST", "/label", body)
        self.took.append(time.perf_counter() - began)
        self.unanswered.pop()
        if status == 200:
            self.acknowledged.append(str(body["key"]))
        else:
            self.errors.append(f"{status} {text[:100]}")

    def work(self, until: Callable[[], bool], pause: Callable[[], float]) -> None:
        """Label what comes until it is over."""
        try:
            self.enter()
            waiting, self.unanswered = self.unanswered, []
            for body in waiting:
                self.send(body)
            while not until():
                cards = self.cards()
                if not cards:
                    return
                for card in cards:
                    if until():
                        return
                    time.sleep(pause())
                    self.label(card["item"])
        except (OSError, HTTPException, ValueError, KeyError) as error:
            self.errors.append(f"{type(error).__name__}: {error}")

    def again(self, port: int) -> Judge:
        """The same judge, once the server is back: the page sends what it has not heard of."""
        return Judge(port, self.token, unanswered=list(self.unanswered))


@dataclass
class Manager:
    """Looks at progress and exports all the time, and checks what comes."""

    page: Judge
    exports: int = 0
    exported: int = 0
    """Labels in the last export."""
    export_seconds: float = 0.0
    """Of the slowest."""
    effect_labels: int = 0
    """Labels that the comparison last shown was computed from."""
    errors: list[str] = field(default_factory=list)

    def work(self, over: threading.Event) -> None:
        try:
            self.page.enter()
            while not over.wait(MANAGING):
                self.look()
        except (OSError, HTTPException, ValueError) as error:
            self.errors.append(f"{type(error).__name__}: {error}")

    def look(self) -> None:
        status, text, _ = self.page.ask("GET", "/progress.json?after=0")
        seen = json.loads(text)
        if status != 200 or seen["effect"] is None:
            self.errors.append(f"progress: {status}")
        self.effect_labels = max(self.effect_labels, seen["effect"]["labels"])
        if (status := self.page.ask("GET", "/progress")[0]) != 200:
            self.errors.append(f"page of progress: {status}")
        began = time.perf_counter()
        status, text, _ = self.page.ask("GET", "/export/labels.csv")
        self.export_seconds = max(self.export_seconds, time.perf_counter() - began)
        # Only counted: to read it here would keep the judges waiting, who are threads of this process.
        rows = text.count("\n") - 1
        if status != 200 or not text.startswith("query,document,judge,grade,kind") or rows < self.exported:
            self.errors.append(f"export: {status}, {rows:,} rows after {self.exported:,}")
        self.exports, self.exported = self.exports + 1, rows


@contextmanager
def server(folder: Path, *words: str) -> Iterator[tuple[subprocess.Popen[str], int, dict[str, str]]]:
    """The command, its port, and the token of everybody whose link it prints."""
    process = subprocess.Popen(
        [str(BIN / "cranfield"), "judge", *words, "--no-open"], cwd=folder, stdout=subprocess.PIPE, text=True
    )
    tokens: dict[str, str] = {}
    port = 0
    assert process.stdout is not None
    for line in process.stdout:
        if found := re.match(r"  (\S+) +http://127\.0\.0\.1:(\d+)/as/(\S+)", line):
            tokens[found[1]], port = found[3], int(found[2])
        if "Ctrl-C" in line:
            break
    try:
        yield process, port, tokens
    finally:
        process.send_signal(signal.SIGINT)
        process.communicate()


def first_label(folder: Path) -> float:
    """Seconds from the command, in a new process, to the first label that Chromium says is saved."""
    from playwright.sync_api import expect, sync_playwright

    demo.write(folder)
    words = ("title.run", "hybrid.run", "--queries", "queries.tsv", "--documents", "documents.jsonl", "--judges", "ada")
    began = time.perf_counter()
    with server(folder, *words) as (_, port, tokens), sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=["--no-sandbox"])
        page = browser.new_page()
        page.goto(f"http://127.0.0.1:{port}/as/{tokens['ada']}")
        page.wait_for_selector("html[data-ready]")
        page.keyboard.press("1")
        expect(page.locator("#saved")).to_have_text("saved", timeout=60_000)
        took = time.perf_counter() - began
        browser.close()
    return took


PAINTED = """() => {
  window.painted = [];
  let pressed = null;
  addEventListener("keydown", () => { pressed = performance.now(); }, true);
  const title = document.querySelector(".document .title");
  new MutationObserver(() => requestAnimationFrame(() => {
    const channel = new MessageChannel();  // after this frame was painted
    channel.port1.onmessage = () => {
      if (pressed !== null) window.painted.push(performance.now() - pressed);
      pressed = null;
    };
    channel.port2.postMessage(0);
  })).observe(title, { childList: true, characterData: true, subtree: true });
}"""


def key_to_next(folder: Path, keys: int) -> list[float]:
    """Milliseconds from a key to the next document on the screen, over a slow network."""
    from playwright.sync_api import sync_playwright

    demo.write(folder)
    words = ("title.run", "hybrid.run", "--queries", "queries.tsv", "--documents", "documents.jsonl", "--judges", "ada")
    with server(folder, *words) as (_, port, tokens), sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=["--no-sandbox"])
        page = browser.new_page()
        page.goto(f"http://127.0.0.1:{port}/as/{tokens['ada']}")
        page.wait_for_selector("html[data-ready]")
        slow = {"offline": False, "latency": LATENCY, "downloadThroughput": -1, "uploadThroughput": -1}
        page.context.new_cdp_session(page).send("Network.emulateNetworkConditions", slow)
        page.evaluate(PAINTED)
        for _ in range(keys):
            page.wait_for_timeout(1000 * THINKING)
            page.keyboard.press("1")
        page.wait_for_timeout(500)
        painted: list[float] = page.evaluate("window.painted")
        browser.close()
    return painted


@dataclass
class Met:
    """What judges and a manager met, and what the store then had."""

    people: list[Judge]
    manager: Manager
    seconds: float
    lost: int
    duplicates: int
    unsound: int


def attended(folder: Path, many: Attended, pause: Callable[[], float], seconds: float) -> Met:
    """Judges at work, while the effect is computed and the manager looks at progress and exports."""
    names = [f"judge{number}" for number in range(many.judges)]
    words = ("one.run", "two.run", "--queries", "queries.tsv", "--documents", "documents.jsonl", "--depth", "60")
    with server(folder, *words, "--store", many.store, "--judges", ",".join(names)) as (_, port, tokens):
        over = threading.Event()
        people = [Judge(port, tokens[name]) for name in names]
        manager = Manager(Judge(port, tokens["progress"]))
        threads = [threading.Thread(target=judge.work, args=(over.is_set, pause)) for judge in people]
        threads.append(threading.Thread(target=manager.work, args=(over,)))
        began = time.perf_counter()
        for thread in threads:
            thread.start()
        over.wait(seconds)
        over.set()
        for thread in threads:
            thread.join()
        took = time.perf_counter() - began
        manager.look()  # nothing more comes: now all labels must be in the export
    known = {key for judge in people for key in judge.acknowledged}
    if manager.exported != len(known):
        manager.errors.append(f"export: {manager.exported:,} labels at the end, {len(known):,} were given")
    return Met(people, manager, took, *stored(folder, many, known))


def stored(folder: Path, many: Attended, acknowledged: set[str]) -> tuple[int, int, int]:
    """Of acknowledged labels, how many are not in the store; how many are twice; and what else is wrong."""
    from cranfield.assessing.store import open_store

    store = open_store(many.store if "://" in many.store else folder / many.store, read_only=True)
    labels = [event for event in store.events() if event.kind in ("label", "repeat")]
    keys = {event.key for event in labels}
    first = [(event.judge, event.item) for event in labels if event.before is None and event.kind == "label"]
    problems = store.verify()
    store.close()
    return len(acknowledged - keys), len(labels) - len(keys) + len(first) - len(set(first)), len(problems)


def thinking() -> float:
    """Seconds between labels: about one, seldom much longer."""
    return random.lognormvariate(-0.125, 0.5) * THINKING


@dataclass
class Killed:
    """What became of labels when the server was killed again and again."""

    kills: int = 0
    acknowledged: int = 0
    resent: int = 0
    """Labels that were sent again, because no answer had come."""
    refused: int = 0
    lost: int = 0
    duplicates: int = 0
    unsound: int = 0
    starts: list[float] = field(default_factory=list)
    """Seconds until the server was back."""
    seconds: float = 0.0

    @property
    def slowest_start(self) -> float:
        return max(self.starts, default=float("nan"))


def killed(folder: Path, many: Attended, judges: int = 20) -> Killed:
    """The server, killed under load at random moments and started again; every acknowledged label must be there."""
    names = [f"judge{number}" for number in range(judges)]
    words = ["one.run", "two.run", "--queries", "queries.tsv", "--documents", "documents.jsonl", "--depth", "60"]
    words += ["--store", many.store, "--judges", ",".join(names)]
    with server(folder, *words) as (_, _, tokens):
        pass
    people = [Judge(0, tokens[name]) for name in names]
    known: set[str] = set()
    outcome = Killed()
    whole = time.perf_counter()
    for _ in range(many.kills):
        began = time.perf_counter()
        with server(folder, many.store) as (process, port, _):
            outcome.starts.append(time.perf_counter() - began)
            people = [judge.again(port) for judge in people]
            outcome.resent += sum(len(judge.unanswered) for judge in people)
            threads = [threading.Thread(target=judge.work, args=(lambda: False, lambda: 0.0)) for judge in people]
            for thread in threads:
                thread.start()
            time.sleep(random.uniform(0.05, LONGEST_LIFE))
            process.kill()
            for thread in threads:
                thread.join()
        known |= {key for judge in people for key in judge.acknowledged}
        outcome.refused += sum(error[:3].isdigit() for judge in people for error in judge.errors)
        outcome.kills += 1
    outcome.acknowledged, outcome.seconds = len(known), time.perf_counter() - whole
    outcome.lost, outcome.duplicates, outcome.unsound = stored(folder, many, known)
    return outcome


def percentile(numbers: Sequence[float], share: float) -> float:
    """The number that a share of all do not exceed."""
    return sorted(numbers)[min(len(numbers) - 1, int(share * len(numbers)))] if numbers else float("nan")


def summary(met: Met) -> dict[str, float]:
    """What judges met: labels a second, how long each took until it was durable, errors."""
    took = [1000 * number for judge in met.people for number in judge.took]
    return {
        "labels": len(took),
        "labels a second": len(took) / met.seconds,
        "p50 ms": statistics.median(took) if took else float("nan"),
        "p95 ms": percentile(took, 0.95),
        "p99 ms": percentile(took, 0.99),
        "largest ms": max(took, default=float("nan")),
        "errors": sum(len(judge.errors) for judge in met.people) + len(met.manager.errors),
        "lost": met.lost + met.duplicates + met.unsound,
        "exports": met.manager.exports,
        "exported": met.manager.exported,
        "slowest export": met.manager.export_seconds,
        "effect of": met.manager.effect_labels,
    }
