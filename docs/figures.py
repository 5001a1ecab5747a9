"""Takes the pictures of the report that the README shows: `make figures`."""

from __future__ import annotations

import io
import os
import shutil
import tempfile
from pathlib import Path

from PIL import Image
from playwright.sync_api import Page, sync_playwright

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
        browser.close()


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
