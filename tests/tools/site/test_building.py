"""The built site: every link leads somewhere, and every page can be found, described and read by programs."""

import re
from html.parser import HTMLParser
from urllib.parse import unquote, urlsplit

import pytest

from tools.site.building import dark_without_code, fingerprint
from tools.site.listing import DOCS, inside, name_of


class Read(HTMLParser):
    """What a page links to, loads and names."""

    def __init__(self, text):
        super().__init__()
        self.links, self.loaded, self.ids, self.about = [], [], set(), {}
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        given = dict(attrs)
        self.ids |= {given[name] for name in ("id", "name") if given.get(name)}
        if tag == "a" and given.get("href"):
            self.links.append(given["href"])
        if tag in ("img", "script", "link", "iframe", "source") and (where := given.get("src") or given.get("href")):
            (self.links if tag == "iframe" else self.loaded).append(where)
        if tag == "meta" and "name" in given:
            self.about[given["name"]] = given.get("content", "")


@pytest.fixture(scope="module")
def pages(site):
    return {
        path: Read(path.read_text(encoding="utf-8")) for path in site.rglob("*.html") if "_static" not in path.parts
    }


def test_every_link_leads_to_a_page_and_to_a_place_in_it(site, pages):
    written = {path: page for path, page in pages.items() if path != site / "gallery" / "report.html"}
    lost = []
    for path, page in written.items():
        for link in page.links:
            parts = urlsplit(link)
            target = (path.parent / unquote(parts.path)).resolve() if parts.path else path
            place = unquote(parts.fragment)
            if not parts.scheme and not (target.is_file() and (not place or place in written[target].ids)):
                lost.append((path.relative_to(site), link))
    assert lost == []


def test_nothing_is_loaded_from_elsewhere(site, pages):
    for path, page in pages.items():
        for where in page.loaded:
            assert urlsplit(where).scheme in ("", "data"), (path, where)
            if not where.startswith(("data:", "#")):
                assert (path.parent / unquote(urlsplit(where).path)).resolve().is_file(), (path, where)


def test_every_page_of_the_docs_is_there(site):
    for path in [*DOCS.rglob("*.md"), *DOCS.rglob("*.ipynb")]:
        assert (site / f"{name_of(inside(path))}.html").is_file(), path


def test_every_page_has_a_title_of_its_own_and_is_described(site, pages):
    titles = {}
    for path, page in pages.items():
        name = path.relative_to(site).with_suffix("").as_posix()
        if name in ("search", "genindex", "gallery/report"):
            continue
        title = re.search("<title>(.*?)</title>", path.read_text(encoding="utf-8"))[1]
        titles.setdefault(title, []).append(name)
        assert len(page.about.get("description", "")) > 10, name
    assert {title: names for title, names in titles.items() if len(names) > 1} == {}


def test_every_page_stands_next_to_its_markdown(site, pages):
    for path in pages:
        name = path.relative_to(site).with_suffix("").as_posix()
        if name not in ("search", "genindex", "gallery/report"):
            text = (site / f"{name}.md").read_text(encoding="utf-8")
            assert text.startswith("# ")
            assert "```{" not in text, name


def test_programs_find_every_page_of_a_section(site):
    text = (site / "llms.txt").read_text(encoding="utf-8")
    assert text.startswith("# cranfield\n\n> ")
    listed = re.findall(r"^- \[.+?\]\((.+?)\): .+$", text, re.MULTILINE)
    assert {"install.md", "rag.md", "measures.md", "commands.md", "errors/index.md", "changelog.md"} <= set(listed)
    for name in listed:
        assert (site / name).is_file(), name
    assert "# Evaluate a RAG retriever" in (site / "llms-full.txt").read_text(encoding="utf-8")


def test_the_report_in_the_gallery_is_one_that_its_command_made(site):
    report = (site / "gallery" / "report.html").read_text(encoding="utf-8")
    assert "hybrid is better" in report
    assert 'src="gallery/report.html"' in (site / "gallery.html").read_text(encoding="utf-8")


def test_the_site_is_built_again_only_if_something_it_is_made_of_has_changed(site):
    assert (site.parent / "stamp").read_text() == fingerprint()


def test_dark_colours_without_code_are_the_theme_s_own():
    style = dark_without_code()
    assert "--pst-color-background:#14181e" in style
    assert "html[data-theme=dark]" not in style
    assert style.count("{") == style.count("}")
