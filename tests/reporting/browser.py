"""A real browser for tests of the page: Debian's Chromium, driven by playwright."""

from __future__ import annotations

import os
import shutil
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, sync_playwright

NAMES = ("chromium", "chromium-browser", "google-chrome")
MISSING = "no Chromium is installed (Debian: apt-get install chromium)"


def chromium() -> str:
    """Where the browser is. In CI it must be there; elsewhere these tests are skipped without it."""
    found = next((path for name in NAMES if (path := shutil.which(name))), None)
    if found is None:
        (pytest.fail if os.environ.get("CI") else pytest.skip)(MISSING)
    return found


@contextmanager
def browser():
    executable = chromium()
    with sync_playwright() as playwright:
        opened = playwright.chromium.launch(executable_path=executable, args=["--no-sandbox"])
        try:
            yield opened
        finally:
            opened.close()


STEPS = """async ({ steps, selectors }) => {
  const counts = [];
  for (let step = 0; step < steps; step += 1) {
    document.body.dispatchEvent(new KeyboardEvent("keydown", { key: "j", bubbles: true }));
    const query = document.getElementById("query");
    while (query.hasAttribute("aria-busy")) await new Promise((resolve) => setTimeout(resolve));
    counts.push(selectors.map((selector) => document.querySelectorAll(selector).length));
  }
  return counts;
}"""
"""Many steps without a word from outside, of which each would take longer than the step."""


@dataclass
class Visit:
    """A page that was opened, and everything it said or asked for on the way."""

    page: Page
    told: list[str] = field(default_factory=list)
    requests: list[str] = field(default_factory=list)

    def choose(self, **picked: str) -> None:
        """Pick in the bar at the top."""
        for name, label in picked.items():
            self.page.select_option(f"#pick-{name}", label=label)

    def settled(self) -> None:
        """Wait until the lists of a query that was chosen are there."""
        self.page.wait_for_selector("#query:not([aria-busy])", state="attached")

    def stepped(self, steps: int, *selectors: str) -> list[list[int]]:
        """From one query to the next, so many times: after each step, how many elements there are."""
        return self.page.evaluate(STEPS, {"steps": steps, "selectors": selectors})

    def text(self, selector: str) -> str:
        return self.page.inner_text(selector)

    def verdict(self) -> str:
        """The verdict, whose sentences stand one below the other."""
        return " ".join(self.page.locator("#view-verdict p").all_inner_texts())

    def rows(self) -> list[list[str]]:
        """The rows of the list of queries that are made at the moment."""
        return self.page.eval_on_selector_all(
            "#grid tbody tr:not(.space)", "rows => rows.map(row => [...row.cells].map(cell => cell.innerText.trim()))"
        )

    def shown_queries(self) -> list[str]:
        return self.page.eval_on_selector_all("#grid tbody tr:not(.space) th a", "links => links.map(l => l.innerText)")

    def count(self) -> str:
        return self.text("#count")


class Tab:
    """A tab of the browser. Later tests use it again: a new one takes four times as long as the page in it."""

    def __init__(self, opened: Browser, **options: object):
        self.context: BrowserContext = opened.new_context(accept_downloads=True, **options)
        self.page: Page = self.context.new_page()
        self.seen = Visit(self.page)
        self.page.on("console", lambda message: self.seen.told.append(f"{message.type}: {message.text}"))
        self.page.on("pageerror", lambda error: self.seen.told.append(f"error: {error}"))
        self.page.on("dialog", lambda dialog: (self.seen.told.append(f"dialog: {dialog.message}"), dialog.dismiss()))
        self.page.on("request", lambda request: self.seen.requests.append(request.url))
        self.ready = "html[data-ready]" if options.get("java_script_enabled", True) else "html"

    def visit(self, path: Path, address: str, width: int, height: int, scheme: str) -> Visit:
        """Open a page from a file, and wait until it is ready."""
        self.seen = Visit(self.page)
        self.page.set_viewport_size({"width": width, "height": height})
        self.page.emulate_media(media="null", color_scheme=scheme)
        self.page.goto(path.as_uri() + address)
        self.page.wait_for_selector(self.ready)
        return self.seen

    def leave(self) -> Visit:
        """Forget the page; nothing more will be heard of it."""
        seen = self.seen
        self.page.mouse.move(0, 0)
        self.page.goto("about:blank")
        return seen


class Tabs:
    """The tabs of a browser, by the options they were opened with; each is free or visits a page."""

    def __init__(self, opened: Browser):
        self.opened = opened
        self.free: dict[str, list[Tab]] = {}
        self.taken: list[tuple[str, Tab, Path]] = []

    def visit(
        self,
        path: Path,
        *,
        address: str = "",
        width: int = 1440,
        height: int = 900,
        scheme: str = "light",
        **options: object,
    ) -> Visit:
        kind = repr(sorted(options.items()))
        free = self.free.setdefault(kind, [])
        tab = free.pop() if free else Tab(self.opened, **options)
        self.taken.append((kind, tab, path))
        return tab.visit(path, address, width, height, scheme)

    def leave(self) -> list[tuple[Visit, Path]]:
        """Free all tabs, and give what was visited."""
        visited = [(tab.leave(), path) for _, tab, path in self.taken]
        for kind, tab, _ in self.taken:
            self.free[kind].append(tab)
        self.taken.clear()
        return visited
