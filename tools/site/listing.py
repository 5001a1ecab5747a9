"""Which pages there are, section by section: read from docs/README.md, where people read it too."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
DOCS = ROOT / "docs"
LISTING = DOCS / "README.md"
README = "README.md"

_SECTION = re.compile(r"^## (.+)\n", re.MULTILINE)
_LINE = re.compile(r"^- \[(.+?)\]\(([^)]+)\)(?:: (.+(?:\n  .+)*))?|^### (.+)$", re.MULTILINE)


@dataclass(frozen=True)
class Entry:
    """A line of the listing: what a page is called there, and its file, from the root of the repository."""

    title: str
    path: str
    anchor: str = ""
    """The heading at which it begins, where it is a part of a page."""
    heading: str = ""
    """What it stands under within its section."""
    about: str = ""
    """What is said of it there."""

    @property
    def is_part(self) -> bool:
        """Whether it is a part of the README that has a page of its own here."""
        return self.path == README and bool(self.anchor)

    @property
    def name(self) -> str:
        """The address of its page, without an ending."""
        return slug(self.title) if self.is_part else name_of(self.path)


@dataclass(frozen=True)
class Section:
    """A part of the site: what a reader wants."""

    title: str
    text: str
    """What stands below its heading."""
    entries: tuple[Entry, ...]

    @property
    def name(self) -> str:
        """The address of its page."""
        return slug(self.title)


def sections(text: str | None = None) -> list[Section]:
    """All sections, in order."""
    _, *parts = _SECTION.split(LISTING.read_text(encoding="utf-8") if text is None else text)
    pairs = zip(parts[::2], parts[1::2], strict=True)
    return [Section(title, body.strip(), tuple(_entries(body))) for title, body in pairs]


def _entries(text: str) -> Iterator[Entry]:
    under = ""
    for title, target, about, heading in _LINE.findall(text):
        if heading:
            under = heading
            continue
        path, _, anchor = target.partition("#")
        yield Entry(title.replace("`", ""), inside(DOCS / path), anchor, under, " ".join(about.split()))


def unlisted(given: list[Section]) -> list[str]:
    """Files of docs/ that are to be pages and stand in no section."""
    listed = {entry.path for section in given for entry in section.entries}
    pages = [inside(path) for path in sorted([*DOCS.rglob("*.md"), *DOCS.rglob("*.ipynb")]) if path != LISTING]
    return [path for path in pages if path not in listed and Path(path).parent.as_posix() not in listed]


def inside(path: Path) -> str:
    """A path from the root of the repository, whether there is such a file or not.

    >>> inside(DOCS / "../ARCHITECTURE.md")
    'ARCHITECTURE.md'
    """
    return Path(os.path.relpath(os.path.normpath(path), ROOT)).as_posix()


def name_of(path: str) -> str:
    """The address of the page of a file: docs/ is the root of the site, and a folder is its list.

    >>> [name_of(path) for path in ("docs/rag.md", "CHANGELOG.md", "docs/notebooks/one.ipynb", "docs/decisions")]
    ['rag', 'changelog', 'notebooks/one', 'decisions/index']
    """
    if path in (README, "docs/README.md", "docs"):
        return "index"
    whole = Path(path.removeprefix("docs/"))
    return whole.with_suffix("").as_posix().lower() if whole.suffix else f"{whole.as_posix()}/index"


def slug(heading: str) -> str:
    """What a heading is called in an address, as GitHub calls it.

    >>> slug("What can a *score* hide?"), slug("`nDCG` and P")
    ('what-can-a-score-hide', 'ndcg-and-p')
    """
    return re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")
