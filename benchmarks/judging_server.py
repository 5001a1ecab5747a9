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
from contextlib import contextmanager, suppress
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
        key = uuid4().hex
        body = {"key": key, "item": item, "kind": "label", "grade": random.choice((0, 0, 1, 2)), "before": None}
        began = time.perf_counter()
        status, text, _ = self.ask("POST", "/label", {**body, "active_ms": 900, "how": "key", "tab": self.tab})
        self.took.append(time.perf_counter() - began)
        if status == 200:
            self.acknowledged.append(key)
        else:
            self.errors.append(f"{status} {text[:100]}")

    def work(self, until: Callable[[], bool], pause: Callable[[], float]) -> None:
        """Label what comes until it is over, or the server is gone."""
        with suppress(OSError, HTTPException, ValueError):
            self.enter()
            while not until():
                for card in self.cards() or [{}]:
                    if until() or not card:
                        return
                    time.sleep(pause())
                    self.label(card["item"])


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
    from playwright.sync_api import sync_playwright

    demo.write(folder)
    words = ("title.run", "hybrid.run", "--queries", "queries.tsv", "--documents", "documents.jsonl", "--judges", "ada")
    began = time.perf_counter()
    with server(folder, *words) as (_, port, tokens), sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=["--no-sandbox"])
        page = browser.new_page()
        page.goto(f"http://127.0.0.1:{port}/as/{tokens['ada']}")
        page.wait_for_selector("html[data-ready]")
        page.keyboard.press("1")
        page.wait_for_function("document.querySelector('#saved').textContent === 'saved'")
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


def attended(folder: Path, many: Attended, pause: Callable[[], float], seconds: float) -> tuple[list[Judge], float]:
    """Judges at work, while the manager looks at progress and exports; and how long it took."""
    names = [f"judge{number}" for number in range(many.judges)]
    words = ("one.run", "two.run", "--queries", "queries.tsv", "--documents", "documents.jsonl", "--depth", "60")
    with server(folder, *words, "--store", many.store, "--judges", ",".join(names)) as (_, port, tokens):
        over = threading.Event()
        people = [Judge(port, tokens[name]) for name in names]
        manager = Judge(port, tokens["progress"])
        threads = [threading.Thread(target=judge.work, args=(over.is_set, pause)) for judge in people]
        threads.append(threading.Thread(target=_managing, args=(manager, over)))
        began = time.perf_counter()
        for thread in threads:
            thread.start()
        over.wait(seconds)
        over.set()
        for thread in threads:
            thread.join()
        return people, time.perf_counter() - began


def _managing(manager: Judge, over: threading.Event) -> None:
    with suppress(OSError, HTTPException):
        manager.enter()
        while not over.wait(5):
            manager.ask("GET", "/progress.json?after=0")
            manager.ask("GET", "/export/labels.csv")


def thinking() -> float:
    """Seconds between labels: about one, seldom much longer."""
    return random.lognormvariate(-0.125, 0.5) * THINKING


@dataclass
class Killed:
    """What became of labels when the server was killed again and again."""

    kills: int = 0
    acknowledged: int = 0
    lost: int = 0
    duplicates: int = 0
    unsound: int = 0
    slowest_start: float = 0.0


def killed(folder: Path, many: Attended, judges: int = 20) -> Killed:
    """The server, killed under load at random moments and started again; every acknowledged label must be there."""
    from cranfield.assessing.store import open_store

    names = [f"judge{number}" for number in range(judges)]
    words = ["one.run", "two.run", "--queries", "queries.tsv", "--documents", "documents.jsonl", "--depth", "60"]
    words += ["--store", many.store, "--judges", ",".join(names)]
    known: set[str] = set()
    outcome = Killed()
    tokens: dict[str, str] = {}
    for number in range(many.kills):
        began = time.perf_counter()
        with server(folder, *(words if number == 0 else [many.store])) as (process, port, linked):
            outcome.slowest_start = max(outcome.slowest_start, time.perf_counter() - began) if number else 0.0
            tokens = tokens | linked
            people = [Judge(port, tokens[name]) for name in names]
            threads = [threading.Thread(target=judge.work, args=(lambda: False, lambda: 0.0)) for judge in people]
            for thread in threads:
                thread.start()
            time.sleep(random.uniform(0.2, 1.2))
            process.kill()
            for thread in threads:
                thread.join()
        known |= {key for judge in people for key in judge.acknowledged}
        outcome.kills += 1
    path = many.store if "://" in many.store else folder / many.store
    store = open_store(path, read_only=True)
    stored = [event.key for event in store.events()]
    outcome.acknowledged = len(known)
    outcome.lost = len(known - set(stored))
    outcome.duplicates = len(stored) - len(set(stored))
    outcome.unsound = len(store.verify())
    store.close()
    return outcome


def percentile(numbers: Sequence[float], share: float) -> float:
    """The number that a share of all do not exceed."""
    return sorted(numbers)[min(len(numbers) - 1, int(share * len(numbers)))] if numbers else float("nan")


def summary(people: Sequence[Judge], seconds: float) -> dict[str, float]:
    """What judges met: labels a second, how long each took until it was durable, errors."""
    took = [1000 * number for judge in people for number in judge.took]
    return {
        "labels": len(took),
        "labels a second": len(took) / seconds,
        "p50 ms": statistics.median(took) if took else float("nan"),
        "p95 ms": percentile(took, 0.95),
        "p99 ms": percentile(took, 0.99),
        "largest ms": max(took, default=float("nan")),
        "errors": sum(len(judge.errors) for judge in people),
    }
