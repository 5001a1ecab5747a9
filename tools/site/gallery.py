"""What cranfield makes, to look at: a report, and every figure of the pages with the command that drew it."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from tempfile import TemporaryDirectory

from cranfield import demo
from tools.site.listing import DOCS, inside
from tools.site.pages import Page

REPORT = "gallery/report.html"
COMMAND = (
    "cranfield report qrels.txt title.run bm25.run dense.run hybrid.run --baseline bm25 --queries queries.tsv "
    "--documents documents.jsonl -o report.html"
)

_DRAWN = re.compile(r"^\$ (cranfield [^\n]* (?:-o|--plot) ([\w-]+\.svg)[^\n]*)$", re.MULTILINE)
_SHOWN = re.compile(r"!\[([^\]]*)\]\(figures/([\w-]+\.svg)\)")


def gallery_page(origins: Mapping[str, str]) -> Page:
    """The gallery; `origins` are titles of pages by the file they are read from."""
    parts = [
        "# Gallery",
        "Everything here was made by the commands that stand next to it, from the collection that comes with the "
        "package (`cranfield demo --write garden`).",
        "## A report",
        f'One file that needs no network, made by `{COMMAND}`. <a href="{REPORT}">Open it on a page of its own</a>, '
        "or read about [the report](report.md).",
        f'<iframe class="report" src="{REPORT}" title="The report of the demo collection" loading="lazy"></iframe>',
        "## Figures",
        *_figures(origins),
        "## A notebook",
        "[The first hour in Python](notebooks/first-hour.ipynb), cell by cell.",
    ]
    return Page("gallery", "\n\n".join(parts), origin="docs/README.md")


def _figures(origins: Mapping[str, str]) -> Iterator[str]:
    seen = set()
    for path in sorted(DOCS.glob("*.md"), key=lambda path: (path.stem != "curves", path.stem)):
        text = path.read_text(encoding="utf-8")
        commands = {figure: command for command, figure in _DRAWN.findall(text)}
        for words, figure in _SHOWN.findall(text):
            if figure in commands and figure not in seen:
                seen.add(figure)
                page = f"[{origins.get(inside(path), path.stem)}]({path.name})"
                yield f"### {words}\n\n```sh\n{commands[figure]}\n```\n\n![{words}](figures/{figure})\n\nFrom {page}."


def write_report(folder: Path) -> None:
    """Make the report of the gallery, by its command."""
    with TemporaryDirectory() as garden:
        demo.write(garden)
        subprocess.run(
            [Path(sys.executable).parent / "cranfield", *COMMAND.split()[1:]],
            cwd=garden,
            check=True,
            capture_output=True,
        )
        target = folder / REPORT
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(Path(garden) / "report.html", target)
