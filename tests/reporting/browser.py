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

    def text(self, selector: str) -> str:
        return self.page.inner_text(selector)

    def rows(self) -> list[list[str]]:
        """The rows of the list of queries that are made at the moment."""
        return self.page.eval_on_selector_all(
            "#grid tbody tr:not(.space)", "rows => rows.map(row => [...row.cells].map(cell => cell.innerText.trim()))"
        )

    def shown_queries(self) -> list[str]:
        return self.page.eval_on_selector_all("#grid tbody tr:not(.space) th a", "links => links.map(l => l.innerText)")

    def count(self) -> str:
        return self.text("#count")


def visit(
    opened: Browser,
    path: Path,
    *,
    address: str = "",
    width: int = 1440,
    height: int = 900,
    scheme: str = "light",
    **options: object,
) -> tuple[BrowserContext, Visit]:
    """Open a page from a file, and wait until it is ready."""
    context = opened.new_context(
        viewport={"width": width, "height": height}, color_scheme=scheme, accept_downloads=True, **options
    )
    page = context.new_page()
    seen = Visit(page)
    page.on("console", lambda message: seen.told.append(f"{message.type}: {message.text}"))
    page.on("pageerror", lambda error: seen.told.append(f"error: {error}"))
    page.on("dialog", lambda dialog: (seen.told.append(f"dialog: {dialog.message}"), dialog.dismiss()))
    page.on("request", lambda request: seen.requests.append(request.url))
    page.goto(path.as_uri() + address)
    if options.get("java_script_enabled", True):
        page.wait_for_selector("html[data-ready]")
    return context, seen
