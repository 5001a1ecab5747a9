"""What pages show, as plain values, and their templates. A judge sees nothing of runs, ranks and other judges."""

from __future__ import annotations

import hashlib
import math
import re
from collections.abc import Mapping
from functools import cache, lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from cranfield.assessing.events import Current, Judge
from cranfield.assessing.items import DocumentText
from cranfield.assessing.project import Project
from cranfield.assessing.service import Card
from cranfield.assessing.submission import NOTE_LENGTH
from cranfield.assessing.tally import Tally
from cranfield.phrases import percent
from cranfield.pooling.words import duration
from cranfield.show.excerpts import marked, snippet, words_of
from cranfield.show.table import one_line
from cranfield.show.templates import asset, environment, joined_script
from cranfield.show.web_text import begun, visible

if TYPE_CHECKING:
    from jinja2 import Environment

HERE = Path(__file__).parent
EXCERPT = 800
"""Characters of a text that are shown at first: about 120 words."""
WHOLE = 200_000
"""Characters of a text that a page can show at all."""
SENT_AHEAD = 20_000
"""Characters of whole texts that come with a card; longer ones come when somebody wants to see them."""
SCRIPTS = {
    "judge": ("keys.js", "outbox.js", "clock.js", "card.js", "judge.js"),
    "offline": ("keys.js", "outbox.js", "clock.js", "card.js", "judge.js", "offline.js"),
    "list": ("keys.js", "outbox.js", "clock.js", "card.js", "list.js"),
    "manage": ("manage.js",),
}
"""The code of each page, one file after the other."""


class StaticFile(NamedTuple):
    """A file of the pages' own; its name changes with its contents, so browsers may keep it."""

    name: str
    media_type: str
    body: bytes


@cache
def static_files() -> Mapping[str, StaticFile]:
    """All files that pages load, by what templates call them."""
    files = {f"{name}.js": (script_of(name), "text/javascript") for name in SCRIPTS if name != "offline"}
    files["pages.css"] = (style(), "text/css")
    return {name: _hashed(name, text, kind) for name, (text, kind) in files.items()}


def script_of(page: str) -> str:
    """The code of a page."""
    return joined_script(asset("elements.js"), *(_text(name) for name in SCRIPTS[page]))


def style() -> str:
    """The style of all pages."""
    return asset("base.css") + _text("pages.css")


def _text(name: str) -> str:
    return (HERE / "static" / name).read_text(encoding="utf-8")


def _hashed(name: str, text: str, kind: str) -> StaticFile:
    stem, ending = name.rsplit(".", 1)
    digest = hashlib.sha256(text.encode()).hexdigest()[:12]
    return StaticFile(f"{stem}-{digest}.{ending}", f"{kind}; charset=utf-8", text.encode())


def render(name: str, **values: Any) -> str:
    """A page."""
    return _templates().get_template(name).render(**values)


@cache
def _templates() -> Environment:
    templates = environment(HERE / "templates")
    templates.globals["static"] = {name: file.name for name, file in static_files().items()}
    templates.globals["note_length"] = NOTE_LENGTH
    templates.filters["lines"] = lines
    templates.filters["percent"] = percent
    templates.filters["cell"] = lambda cell: one_line(cell, 2) or "–"
    templates.filters["score"] = lambda value: "–" if math.isnan(value) else f"{value:z.2f}".replace("-", "−")
    templates.filters["grade"] = lambda value: f"{value:g}".replace("-", "−")
    templates.filters["duration"] = lambda seconds: "–" if seconds is None else duration(seconds)
    return templates


def lines(text: str) -> str:
    """Text whose lines stay lines, and in which all else that cannot be seen has a sign."""
    return "\n".join(visible(line).replace("␉", "\t") for line in text.replace("\r\n", "\n").split("\n"))


# Cards


class ShownDocument(NamedTuple):
    """A document as a judge sees it; of texts in parts every second is a word of the query."""

    name: str
    title: str
    excerpt: list[str]
    whole: list[str] | None
    """Nothing where the excerpt is all; an empty list where it has to be asked for."""
    words: int
    cut: int
    """Characters of a text that is too long for a page; 0 where it is whole."""
    url: str


def shown_document(document: DocumentText, words: set[str], link: str = "", *, whole: bool = False) -> ShownDocument:
    """What a judge sees of a document; `whole` gives the whole text however long it is."""
    # A card is sent up to three times, as one of those that follow, before it is judged.
    is_short = len(document.text) <= SENT_AHEAD
    return (_shown_short if is_short else _shown)(document, frozenset(words), link, whole)


def _shown(document: DocumentText, words: frozenset[str], link: str, whole: bool) -> ShownDocument:
    text = lines(document.text[:WHOLE]).strip()
    excerpt = snippet(text, words, EXCERPT)
    is_sent = whole or len(text) <= SENT_AHEAD
    return ShownDocument(
        begun(visible(document.name), 120),
        begun(visible(document.title), 300),
        marked(excerpt, words),
        None if excerpt == text else marked(text, words) if is_sent else [],
        len(text.split()),
        len(document.text) if len(document.text) > WHOLE else 0,
        web_address(document.url) or web_address(link.replace("{document}", _quoted(document.name))),
    )


_shown_short = lru_cache(maxsize=500)(_shown)


def web_address(url: str) -> str:
    """An address that a link may have: nothing but the web's.

    >>> web_address("https://example.org/a b"), web_address("javascript:alert(1)")
    ('https://example.org/a b', '')
    """
    return url if re.match(r"https?://[^\s/\\]+", url, re.IGNORECASE) and not re.search(r"[\x00-\x1f]", url) else ""


def _quoted(name: str) -> str:
    from urllib.parse import quote

    return quote(name.encode("utf-8", "replace"), safe="")


def shown_card(card: Card, project: Project, *, whole: bool = False) -> dict[str, Any]:
    """A card for a template or, as JSON, for the code of a page."""
    words = words_of(card.query_text or card.query_name)
    own = DocumentText(card.document_name, card.title, card.text, card.url)
    documents = [own] if card.other is None else [own, card.other]
    return {
        "item": card.item,
        "query": begun(lines(card.query_text or card.query_name), 2_000),
        "query_name": begun(visible(card.query_name), 120),
        "description": begun(lines(card.query_description), 5_000),
        "documents": [shown_document(one, words, project.link, whole=whole)._asdict() for one in documents],
        "current": shown_current(card.current),
        "note": card.note,
    }


def shown_current(current: Current | None) -> dict[str, Any] | None:
    """What a judge said of an item, for the code of a page."""
    return None if current is None else {"seq": current.seq, "kind": current.kind, "grade": current.grade}


class GradeButton(NamedTuple):
    """A grade to press."""

    value: str
    key: str
    word: str


def grade_buttons(project: Project) -> list[GradeButton]:
    """The grades in the order of their buttons. Keys are the grades' own digits where all have one, else places.

    >>> from cranfield.assessing.project import new_project
    >>> [f"{button.key} {button.word}" for button in grade_buttons(new_project("", task="preferences"))]
    ['1 first is better', '0 equal', '2 second is better']
    """
    if project.task == "preferences":
        keys = {1.0: "1", 0.0: "0", -1.0: "2"}
        grades = [(value, keys[value], project.word(value)) for value in keys]
    else:
        own = all(value in range(10) for value in project.scale)
        grades = [
            (grade.value, f"{grade.value:g}" if own else str(at), grade.word) for at, grade in enumerate(project.grades)
        ]
    return [GradeButton(f"{value:g}", key, visible(word)) for value, key, word in grades]


def page_settings(project: Project, judge: Judge, tab: str, visit: str) -> dict[str, Any]:
    """What the code of a judge's page has to know."""
    return {
        "project": project.id,
        "judge": judge.number,
        "tab": tab,
        "visit": visit,
        "task": project.task,
        "passages": project.mark_passages,
        "grades": [button._asdict() for button in grade_buttons(project)],
        "noteLength": NOTE_LENGTH,
        "offline": False,
    }


# What judges read about their work


def tally_lines(tally: Tally, project: Project, countdown: str = "") -> dict[str, str]:
    """How far a judge is, in words: where, at the end of a batch, and a word on speed. No run, no direction."""
    where = [f"query {tally.query_number:,} of {tally.queries:,}"] if tally.query_number else []
    where += [f"{tally.left_here:,} left here"] if tally.left_here else []
    where += [f"{tally.today:,} today"]
    if tally.left:
        left = f"{tally.left:,} left in all"
        where.append(f"{left}, about {duration(tally.seconds_left)}" if tally.seconds_left else left)
    return {
        "progress": " · ".join(where),
        "countdown": countdown,
        "batch": batch_line(tally.last_batch, project),
        "speed": "You are very fast: please take the time to read." if tally.too_fast else "",
    }


def batch_line(grades: Mapping[float, int], project: Project) -> str:
    """What the last batch got, for a judge to look at once more.

    >>> from cranfield.assessing.project import Project
    >>> batch_line({0.0: 7, 3.0: 2}, Project("0", "garden"))
    'Last 9 judged: 7 × 0, 2 × 3. Go back to change any.'
    """
    if not grades:
        return ""
    named = project.task == "preferences"
    words = {grade: visible(project.word(grade)) if named else f"{grade:g}" for grade in grades}
    shares = [f"{count:,} × {words[grade]}" for grade, count in sorted(grades.items())]
    return f"Last {sum(grades.values()):,} judged: {', '.join(shares)}. Go back to change any."


# Guidelines


def guidelines_html(text: str) -> Any:
    """Guidelines as HTML: no markup of their own, no pictures, and links to the web only, in a window of their own.

    >>> guidelines_html("*New* [here](javascript:alert(1)) <b>x</b>")
    Markup('<p><em>New</em> [here](javascript:alert(1)) &lt;b&gt;x&lt;/b&gt;</p>\\n')
    """
    from markdown_it import MarkdownIt
    from markupsafe import Markup

    parser = MarkdownIt("commonmark", {"html": False}).enable("table").disable("image")
    parser.validateLink = lambda url: bool(web_address(url))  # type: ignore[method-assign]
    tokens = parser.parse(lines(text))
    for token in tokens:
        if token.type in ("heading_open", "heading_close"):
            token.tag = f"h{min(int(token.tag[1]) + 1, 6)}"  # the first level is the query
        for child in token.children or ():
            if child.type == "link_open":
                child.attrs |= {"rel": "noopener noreferrer", "target": "_blank"}
    return Markup(parser.renderer.render(tokens, parser.options, {}))
