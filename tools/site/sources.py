"""The Markdown of every page in one folder, as Sphinx reads it."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path

from tools.site import command_pages, measure_pages
from tools.site.error_pages import error_pages
from tools.site.gallery import gallery_page
from tools.site.links import relinked
from tools.site.listing import DOCS, README, ROOT, Entry, Section, inside, name_of, sections, slug, unlisted
from tools.site.notebook_pages import notebook_pages
from tools.site.pages import Child, Page
from tools.site.python_pages import python_pages
from tools.site.search_words import WORDS

MADE = {
    "Start": {Child("Gallery", "gallery"): "a report, figures and a notebook, with the commands that made them"},
    "Reference": {
        Child("Python reference", "python-reference/index"): "every public name with its signature",
        Child("Errors and warnings", "errors/index"): "every message, its cause and what to do",
    },
}
"""Pages that are made of the code and stand in no file, and what they are, by section."""
REPLACED = ("docs/measures.md", "docs/commands.md")
"""Files of docs/ that hold in one page what the site has in a page for each measure and command."""
DECISIONS = "docs/decisions"
NEWLINE = "\n"


def all_pages() -> list[Page]:
    """Every page, with links between pages."""
    listed = sections()
    if missing := unlisted(listed):
        raise SystemExit(f"docs/README.md does not list {', '.join(missing)}: add a line to the section it belongs to")
    read = [*_home(listed), *(_section_page(section) for section in listed), *_from_files(listed)]
    made = [*measure_pages.measure_pages(), *command_pages.command_pages(), *python_pages(), *error_pages()]
    where = _finder(listed)
    linked = (replace(page, text=relinked(page.text, page.origin, page.name, where)) for page in read)
    return [replace(page, terms=(*page.terms, *WORDS.get(page.name, ()))) for page in (*linked, *made)]


def write(pages: Iterable[Page], folder: Path) -> None:
    """Write the pages and what they show; a file that stays as it is keeps its time, by which Sphinx knows it."""
    wanted = {}
    for page in pages:
        wanted[folder / f"{page.name}.md"] = page.source.encode()
    for path in sorted((DOCS / "figures").iterdir()):
        wanted[folder / "figures" / path.name] = path.read_bytes()
    for path in folder.rglob("*"):
        if path.is_file() and path not in wanted:
            path.unlink()
    for path, data in wanted.items():
        path.parent.mkdir(parents=True, exist_ok=True)
        if not path.exists() or path.read_bytes() != data:
            path.write_bytes(data)


def _home(listed: list[Section]) -> Iterator[Page]:
    """The first page: what the README begins with, how to install, and what is where."""
    intro, _, _ = _readme().partition("\n## ")
    install = next(entry for section in listed for entry in section.entries if entry.anchor == "install")
    before, _, after = _part(install.anchor, ()).partition("```sh\n")
    where, command = before.strip().split("\n\n")[-1], after.partition("```")[0].strip()
    *words, picture = intro.strip().split("\n\n")
    text = "\n\n".join(
        [
            *words,
            f"{where}\n\n```sh\n{command}\n```",
            f"[More ways to install](README.md#{install.anchor})",
            *map(_box, listed),
            f"## A report\n\n{picture}\n\n[Open one](site:gallery), with the command that made it.",
        ]
    )
    yield Page("index", text, README, tuple(Child(section.title, section.name) for section in listed))


def _box(section: Section) -> str:
    """A section on the first page: all its pages, so that each is one step away."""
    lines = [
        f"- [{entry.title}]({_from_root(entry)}{'#' + entry.anchor if entry.anchor else ''})"
        for entry in section.entries
    ]
    made = [f"- [{child.title}](site:{child.name})" for child in MADE.get(section.title, {})]
    return f"## {section.title}\n\n" + "\n".join([*lines, *made])


def _from_root(entry: Entry) -> str:
    return entry.path if (ROOT / entry.path).suffix else f"{entry.path}/"


def _section_page(section: Section) -> Page:
    made = MADE.get(section.title, {})
    lines = "\n".join(f"- [{child.title}](site:{child.name}): {about}" for child, about in made.items())
    text = section.text.replace("\n### ", "\n## ").removeprefix("#" if section.text.startswith("### ") else "")
    pages = [
        Child(entry.title, entry.name, entry.heading) for entry in section.entries if entry.is_part or not entry.anchor
    ]
    return Page(section.name, f"# {section.title}\n\n{text}\n{lines}", "docs/README.md", (*pages, *made))


def _from_files(listed: list[Section]) -> Iterator[Page]:
    entries = [entry for section in listed for entry in section.entries]
    titles = {entry.path: entry.title for entry in entries}
    parts = [entry for entry in entries if entry.is_part]
    for at, entry in enumerate(parts):
        later = [other.anchor for other in parts[at + 1 :]]
        text = _part(entry.anchor, later)
        same = slug(entry.title) == entry.anchor
        whole = f"# {entry.title}\n\n{text.partition(NEWLINE)[2] if same else text}"
        yield Page(entry.name, whole, README, terms=_terms(entry))
    for entry in entries:
        path = ROOT / entry.path
        if path.suffix == ".md" and entry.path not in REPLACED and not entry.anchor:
            yield Page(entry.name, path.read_text(encoding="utf-8"), entry.path, terms=_terms(entry))
    yield from _decisions()
    yield from notebook_pages()
    yield gallery_page(titles)


def _terms(entry: Entry) -> tuple[str, ...]:
    """Words of the listing by which people may search for a page."""
    return tuple(part.strip() for part in (entry.title, *re.split(r"[,;:]| and ", entry.about)) if part.strip())


def _decisions() -> Iterator[Page]:
    """The list of decisions with their dates, and each."""
    paths = sorted((ROOT / DECISIONS).glob("*.md"))
    pages = [Page(name_of(inside(path)), path.read_text(encoding="utf-8"), inside(path)) for path in paths]
    rows = []
    for path, page in zip(paths, pages, strict=True):
        number, _, date = page.text.splitlines()[2].partition(", ")
        rows.append(f"| {number.removeprefix('Decision ')} | {date} | [{page.title}]({path.name}) |")
    table = "\n".join(["| | date | what was decided |", "| ---: | --- | --- |", *rows])
    text = f"# Decisions\n\nThe choice, the alternatives and the reason of each, half a page.\n\n{table}"
    children = tuple(Child(page.title, page.name) for page in pages)
    yield Page("decisions/index", text, f"{DECISIONS}/README.md", children)
    yield from pages


def _readme() -> str:
    return (ROOT / README).read_text(encoding="utf-8")


def _part(anchor: str, later: Iterable[str]) -> str:
    """The README from one heading up to the next that is a page, or up to where it lists pages."""
    blocks = [f"## {block}" for block in f"\n{_readme()}".split("\n## ")[1:]]
    anchors = [slug(block.splitlines()[0].removeprefix("## ")) for block in blocks]
    begin = anchors.index(anchor)
    ends = [at for at in range(begin + 1, len(blocks)) if anchors[at] in later or "What do you want" in blocks[at]]
    return "\n".join(blocks[begin : min(ends, default=len(blocks))]).strip()


def _finder(listed: list[Section]) -> Callable[[str, str], str | None]:
    """What finds the page of a file and an anchor in it."""
    entries = [entry for section in listed for entry in section.entries]
    parts = {entry.anchor: entry.name for entry in entries if entry.is_part}
    split: Mapping[str, Mapping[str, str]] = {
        "docs/measures.md": measure_pages.addresses(),
        "docs/commands.md": command_pages.addresses(),
    }
    pages = {entry.path: entry.name for entry in entries if not entry.anchor}
    pages |= {inside(path): name_of(inside(path)) for path in DOCS.rglob("*.md")} | {DECISIONS: "decisions/index"}
    pages |= {README: "index", "docs": "index"}

    def where(path: str, anchor: str) -> str | None:
        if path.startswith("docs/figures/"):
            return path.removeprefix("docs/")
        if path == README and anchor in parts:
            return parts[anchor]
        if anchor in split.get(path, ()):
            return split[path][anchor]
        if path not in pages:
            return None
        return f"{pages[path]}#{anchor}" if anchor else pages[path]

    return where
