"""From pages to HTML, by Sphinx; and what programs read next to it."""

from __future__ import annotations

import hashlib
import io
import re
import shutil
import time
from collections.abc import Iterable, Iterator, Sequence
from importlib.metadata import version
from pathlib import Path
from typing import Any

from cranfield.formats.file_locks import lock_file
from cranfield.version import VERSION
from tools.site import gallery
from tools.site.listing import ROOT
from tools.site.message_search import write_messages
from tools.site.pages import Page
from tools.site.repairs import repair
from tools.site.sources import all_pages, write

HERE = Path(__file__).resolve().parent
TOOLS = ("sphinx", "myst-parser", "pydata-sphinx-theme", "latex2mathml", "sphinx-copybutton", "cranfield")
READ = ("src/cranfield/**/*.py*", "docs/**/*", "tools/site/**/*", "benchmarks/*.md", "*.md", "pyproject.toml")
"""All that the site is made of."""
TITLE = "cranfield"
DARK = "dark-without-code.css"
CODE_IN_THE_DARK = "a11y-high-contrast-dark"
UNDECIDED = "html:not([data-theme=light]):not([data-theme=dark])"
"""The page before the theme's code has said whether it is light or dark."""
_DARK = "html[data-theme=dark]"
_RULE = re.compile(r"([^{}]+)\{([^{}]*)\}")


class SiteError(Exception):
    """What Sphinx warned about."""


def build(folder: Path) -> Path:
    """Build the site into a folder, unless it was built of the same files; gives the folder of its HTML."""
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / "lock").open("a") as lock:
        while not lock_file(lock.fileno()):  # another process builds it, perhaps the same
            time.sleep(0.2)
        return _built(folder, folder / "html", folder / "stamp")


def _built(folder: Path, html: Path, stamp: Path) -> Path:
    made_of = fingerprint()
    if stamp.exists() and stamp.read_text() == made_of and (html / "index.html").exists():
        return html
    stamp.unlink(missing_ok=True)
    pages = all_pages()
    source = folder / "source"
    write(pages, source)
    warnings = _run_sphinx(source, html, folder / "doctrees")
    if warnings:
        raise SiteError(warnings)
    repair(html)
    write_messages(html)
    gallery.write_report(html)
    write_for_programs(pages, html)
    stamp.write_text(made_of)
    return html


def fingerprint() -> str:
    """What identifies the files that a site is made of, and the tools that make it."""
    read = hashlib.sha256(" ".join(version(tool) for tool in TOOLS).encode())
    for path in sorted({path for pattern in READ for path in ROOT.glob(pattern)}):
        if path.is_file() and path.suffix != ".pyc":
            read.update(f"\0{path.relative_to(ROOT)}\0".encode())
            read.update(path.read_bytes())
    return read.hexdigest()


def _run_sphinx(source: Path, html: Path, doctrees: Path) -> str:
    """Everything Sphinx warns about."""
    from sphinx.application import Sphinx
    from sphinx.util.docutils import docutils_namespace, patch_docutils

    warnings = io.StringIO()
    made = source.parent / "style"
    made.mkdir(exist_ok=True)
    (made / DARK).write_text(dark_without_code(), encoding="utf-8")
    with patch_docutils(), docutils_namespace():
        app = Sphinx(
            source,
            None,
            html,
            doctrees,
            "html",
            confoverrides=settings(made),
            status=None,
            warning=warnings,
            parallel=2,
        )
        # Only what changed is read, but all is written: the index of terms forgets those of pages that are not.
        app.build(force_all=True)
    return warnings.getvalue()


def dark_without_code() -> str:
    """The dark colours of the theme and of code for readers who prefer dark, before or without the theme's own code."""
    import pydata_sphinx_theme
    from pygments.formatters.html import HtmlFormatter

    theme = Path(pydata_sphinx_theme.__file__).parent / "theme" / "pydata_sphinx_theme" / "static"
    rules = []
    for selectors, body in _RULE.findall((theme / "styles" / "pydata-sphinx-theme.css").read_text(encoding="utf-8")):
        dark = [selector for selector in re.split(r",(?![^()]*\))", selectors) if _DARK in selector]
        if dark:
            rules.append(f"{','.join(dark).replace(_DARK, UNDECIDED)}{{{body}}}")
    code = HtmlFormatter(style=CODE_IN_THE_DARK).get_token_style_defs(f"{UNDECIDED} .highlight")
    return "@media (prefers-color-scheme: dark) {\n" + "\n".join([*rules, *code]) + "\n}\n"


def settings(made: Path) -> dict[str, Any]:
    """What conf.py would say; `made` is the folder of style sheets that are made here."""
    return {
        "project": TITLE,
        "author": "",
        "html_show_copyright": False,
        "release": VERSION,
        "version": VERSION,
        "extensions": ["myst_parser", "sphinx_copybutton", "tools.site.formulas"],
        "root_doc": "index",
        "html_title": TITLE,
        "html_context": {"default_mode": "auto"},
        "html_theme": "pydata_sphinx_theme",
        "html_math_renderer": "mathml",
        "html_static_path": [str(HERE / "static"), str(made)],
        "templates_path": [str(HERE / "templates")],
        "html_favicon": str(HERE / "static" / "favicon.svg"),
        "html_css_files": ["site.css", DARK],
        "html_search_scorer": str(HERE / "scorer.js"),
        "html_copy_source": False,
        "html_show_sourcelink": False,
        "html_theme_options": {
            "navbar_align": "left",
            "navbar_persistent": ["search-button"],
            "navigation_depth": 3,
            "show_nav_level": 1,
            "show_toc_level": 2,
            "secondary_sidebar_items": ["page-toc", "as-markdown"],
            "footer_start": ["sections"],
            "footer_end": [],
            "pygments_light_style": "a11y-high-contrast-light",
            "pygments_dark_style": CODE_IN_THE_DARK,
            "back_to_top_button": False,
        },
        "myst_heading_anchors": 4,
        "smartquotes": False,
        "copybutton_prompt_text": r">>> |\.\.\. |\$ ",
        "copybutton_prompt_is_regexp": True,
        "copybutton_only_copy_prompt_lines": True,
        "suppress_warnings": ["misc.highlighting_failure"],
        "python_maximum_signature_line_length": 88,
        "toc_object_entries": False,
        "add_module_names": False,
        "nitpicky": False,
    }


def write_for_programs(pages: Sequence[Page], html: Path) -> None:
    """Each page as Markdown next to its HTML, the list of them all, and all in one file."""
    for page in pages:
        path = html / f"{page.name}.md"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(page.plain, encoding="utf-8")
    (html / "llms.txt").write_text(llms(pages), encoding="utf-8")
    (html / "llms-full.txt").write_text("\n\n".join(page.plain for page in _written(pages)), encoding="utf-8")
    shutil.copyfile(ROOT / "LICENSE", html / "LICENSE.txt")


def llms(pages: Sequence[Page]) -> str:
    """The list of pages for programs that read: titles, addresses of their Markdown, first sentences."""
    by_name = {page.name: page for page in pages}
    home = by_name["index"]
    parts = [f"# {home.title}", f"> {home.description}"]
    for title, name, _ in home.children:
        section = by_name[name]
        lines = [
            f"- [{by_name[child.name].title}]({child.name}.md): {by_name[child.name].description}"
            for child in section.children
        ]
        parts.append("\n".join([f"## {title}\n", *lines]))
    return "\n\n".join(parts) + "\n"


def _written(pages: Iterable[Page]) -> Iterator[Page]:
    """Pages that were read from files, and those of measures: the rest is reference."""
    yield from (page for page in pages if page.origin or page.name.startswith("measures/"))
