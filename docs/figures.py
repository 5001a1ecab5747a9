"""Takes the pictures of the report and of judging that the README and pages show: `make figures`."""

from __future__ import annotations

import csv
import io
import os
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

from PIL import Image
from playwright.sync_api import Browser, Page, sync_playwright

import cranfield as cf
from cranfield import demo

FIGURES = Path(__file__).resolve().parent / "figures"
WIDTH = 1240
COLORS = 96
"""Enough for a page in few hues; a picture then takes a fraction of its bytes."""


def main() -> None:
    """The demo's report, from its top and on a query."""
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        demo.write(folder)
        os.chdir(folder)  # so that files have short names
        runs = [f"{name}.run" for name in ("bm25", "dense", "hybrid", "title")]
        scores = cf.evaluate("qrels.txt", runs, ["nDCG@10", "AP", "RR"])
        cf.report(scores, "report.html", queries="queries.tsv", documents="documents.jsonl", depth_shown=6)
        browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=["--no-sandbox"])
        for name, scheme, address, take in (
            ("report", "light", "", _top),
            ("report-query", "dark", "#query=q08", _query),
        ):
            page = browser.new_page(viewport={"width": WIDTH, "height": 1000}, color_scheme=scheme)  # type: ignore[arg-type]
            page.goto(Path("report.html").resolve().as_uri() + address)
            page.wait_for_selector("html[data-ready]")
            _save(take(page), FIGURES / f"{name}.png")
        _judging(browser)
        browser.close()


JUDGES = ("ada", "ben", "cleo")
LABELLED = 400


def _judging(browser: Browser) -> None:
    """A judge's page, and what labels did to the comparison, after judges gave the demo's labels by their keys."""
    known = {(row["query"], row["document"], row["judge"]): row["grade"] for row in _rows("labels.csv", ",")}
    queries = {row["text"]: row["query_id"] for row in _rows("queries.tsv", "\t")}
    inputs = {"queries": "queries.tsv", "documents": "documents.jsonl", "guidelines": "# Guidelines", "title": "garden"}
    quiet = {"open_browser": False, "announce": lambda line: None, "background": True}
    settings = {"judges": JUDGES, "shared": 0.05, "depth": 5, "measure": "nDCG@5"}
    with cf.judge(["bm25.run", "hybrid.run"], **inputs, **settings, **quiet) as judging:
        pages = {name: _opened(browser, judging.links[name]) for name in JUDGES}
        for at in range(LABELLED):
            name = JUDGES[at // 10 % len(JUDGES)]
            page = pages[name]
            if at == 2:
                page.set_viewport_size({"width": WIDTH, "height": 570})
                _save(page.screenshot(), FIGURES / "judging-page.png")
            query, document = page.inner_text("#query"), page.inner_text(".name-of")
            page.wait_for_timeout(160)  # a key that comes sooner has bounced
            page.keyboard.press(known.get((queries[query], document, name), "0"))
        manager = _opened(browser, judging.links["manager"])
        manager.wait_for_timeout(3000)  # what labels do is computed aside
        manager.reload()
        _save(_part(manager, "header", ".strips"), FIGURES / "judging-progress.png")


def _opened(browser: Browser, link: str) -> Page:
    page = browser.new_context(viewport={"width": WIDTH, "height": 860}).new_page()
    page.goto(link)
    return page


def _rows(path: str, delimiter: str) -> Iterator[dict[str, str]]:
    with Path(path).open(encoding="utf-8", newline="") as file:
        yield from csv.DictReader(file, delimiter=delimiter)


def _top(page: Page) -> bytes:
    """The verdict and the systems, without what lies between and below."""
    page.evaluate("for (const id of ['#data', '.matrix']) document.querySelector(id).hidden = true")
    return _part(page, "header.top", "#effects")


def _query(page: Page) -> bytes:
    """The drawings of queries, some of the list, and a look into one."""
    page.evaluate("document.querySelector('#controls').hidden = true")
    page.evaluate("document.querySelector('.scroller').style.maxHeight = '12rem'")
    return _part(page, "#queries", "#query")


def _part(page: Page, first: str, last: str) -> bytes:
    """The page from the top of one part to the bottom of another."""
    page.evaluate("scrollTo(0, 0)")
    top, bottom = (page.locator(selector).bounding_box() for selector in (first, last))
    assert top is not None
    assert bottom is not None
    clip = {"x": 0, "y": top["y"], "width": WIDTH, "height": bottom["y"] + bottom["height"] - top["y"]}
    return page.screenshot(full_page=True, clip=clip)  # type: ignore[arg-type]  # a mapping with these names


def _save(picture: bytes, path: Path) -> None:
    image = Image.open(io.BytesIO(picture)).convert("RGB")
    image.quantize(COLORS, dither=Image.Dither.NONE).save(path, optimize=True)
    print(path.name, path.stat().st_size)


if __name__ == "__main__":
    main()
