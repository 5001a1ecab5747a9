"""Sections and their pages, as docs/README.md lists them."""

from tools.site.listing import DOCS, Entry, sections, unlisted


def test_the_sections_are_what_readers_want():
    assert [section.title for section in sections()] == ["Start", "Tasks", "Understand", "Reference", "Project"]


def test_every_page_of_the_docs_stands_in_a_section():
    assert unlisted(sections()) == [], "add a line to docs/README.md, in the section it belongs to"


def test_a_page_that_stands_in_no_section_is_found(monkeypatch, tmp_path):
    given = [section for section in sections() if section.title != "Tasks"]
    assert "docs/rag.md" in unlisted(given)


def test_every_page_that_is_listed_exists():
    for section in sections():
        for entry in section.entries:
            assert (DOCS.parent / entry.path).exists(), entry


def test_lines_are_pages_under_the_heading_they_stand_under():
    (section,) = sections("# All\n\n## One\n\n- [`A` b](a.md): words\n\n### Under\n\n- [C](../README.md#c-d)\n")
    assert section.entries == (Entry("A b", "docs/a.md", about="words"), Entry("C", "README.md", "c-d", "Under"))
    assert [entry.name for entry in section.entries] == ["a", "c"]
