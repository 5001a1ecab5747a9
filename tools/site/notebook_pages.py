"""Notebooks of docs/notebooks: run again by `make docs`, and shown as pages."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from tools.site.listing import DOCS, inside, name_of
from tools.site.pages import Page

NOTEBOOKS = DOCS / "notebooks"
Cell = Mapping[str, Any]


def notebook_pages() -> Iterator[Page]:
    """A page for each notebook, with what its cells gave."""
    for path in sorted(NOTEBOOKS.glob("*.ipynb")):
        yield Page(name_of(inside(path)), notebook_page(read(path)), origin=inside(path))


def read(path: Path) -> dict[str, Any]:
    """A notebook as it is stored."""
    notebook: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return notebook


def run(notebook: dict[str, Any]) -> dict[str, Any]:
    """The notebook with what its cells give now, and nothing that changes from run to run."""
    import nbformat
    from nbclient import NotebookClient

    with TemporaryDirectory() as folder:
        fresh = nbformat.reads(json.dumps(notebook), as_version=4)
        NotebookClient(fresh, timeout=120, kernel_name="python3", resources={"metadata": {"path": folder}}).execute()
    for cell in fresh.cells:
        cell.metadata = {}
    fresh.metadata = {"kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"}}
    done: dict[str, Any] = json.loads(nbformat.writes(fresh))
    return done


def notebook_page(notebook: Mapping[str, Any]) -> str:
    """A notebook as Markdown: code as it was typed, and below it what it gave."""
    return "\n\n".join(part for cell in notebook["cells"] for part in _cell(cell))


def _cell(cell: Cell) -> Iterator[str]:
    source = "".join(cell["source"])
    if cell["cell_type"] == "markdown":
        yield source
        return
    yield f"```python\n{source}\n```"
    for output in cell["outputs"]:
        yield from _output(output)


def _output(output: Cell) -> Iterator[str]:
    """The richest form in which a page can show it."""
    if output["output_type"] == "stream":
        yield f"```text\n{''.join(output['text']).rstrip()}\n```"
        return
    data = output.get("data", {})
    if "text/html" in data:
        shown = _within("".join(data["text/html"]))
        yield f'<div class="cell-output" tabindex="0" role="group" aria-label="output">\n{shown}\n</div>'
    elif "image/png" in data:
        picture = "".join(data["image/png"]).replace("\n", "")
        yield f'<figure><img alt="The figure that this cell draws" src="data:image/png;base64,{picture}"></figure>'
    elif "text/plain" in data:
        yield f"```text\n{''.join(data['text/plain']).rstrip()}\n```"


def _within(html: str) -> str:
    """HTML of a cell as a part of a page: its titles are no headings of the page, and blank lines would end it."""
    return re.sub(r"\n\s*", "\n", re.sub(r"<(/?)h[1-6]\b([^>]*)>", r"<\1p\2>", html))


def texts(notebook: Mapping[str, Any]) -> list[str]:
    """What cells gave, as text, and the kinds of the rest: pictures differ between versions of what draws them."""
    given = [output for cell in notebook["cells"] for output in cell.get("outputs", ())]
    return [
        "".join(output.get("text", ""))
        or "".join(output.get("data", {}).get("text/html", sorted(output.get("data", {}))))
        for output in given
    ]


def main() -> int:
    """Run every notebook again, and keep what it gives."""
    for path in sorted(NOTEBOOKS.glob("*.ipynb")):
        path.write_text(json.dumps(run(read(path)), indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
