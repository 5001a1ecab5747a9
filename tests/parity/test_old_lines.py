"""Pages for users of other tools show lines of theirs, and what these print."""

from __future__ import annotations

import pytest

from parity.old_lines import DOCS, NOT_RUN, WITH_PARITY, WITH_TESTS, OldLines, old_lines, versions_that_differ

SHOWN = [script for page in WITH_TESTS for script in old_lines(page)]


def test_every_page_is_run_somewhere_or_says_that_it_is_not():
    pages = [path.name for path in DOCS.glob("from-*.md")]
    assert sorted(pages) == sorted([*WITH_TESTS, *WITH_PARITY, *NOT_RUN])
    for page in [*WITH_TESTS, *WITH_PARITY]:
        assert old_lines(page), page


def test_pages_say_where_their_lines_are_run():
    for page in WITH_TESTS:
        assert "in every run of the tests" in (DOCS / page).read_text(encoding="utf-8")
    for page in WITH_PARITY:
        assert "by `make parity`, which fails if they print something" in (DOCS / page).read_text(encoding="utf-8")


def test_pages_name_the_version_that_is_installed():
    assert versions_that_differ(WITH_TESTS) == []


@pytest.mark.parametrize("script", SHOWN, ids=lambda script: script.name)
def test_lines_of_other_tools_print_what_the_page_says(script):
    assert script.difference() == ""


def test_what_is_printed_instead_is_told():
    script = OldLines("page.md", "sum.py", "print(open('qrels.txt').readline().split()[0], 1 + 1)", "q01 3\n")
    assert script.difference() == "q01 2\n"
    assert "ZeroDivisionError" in script._replace(code="1 / 0").difference()
