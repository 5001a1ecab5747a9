from cranfield.explaining.page import Section, html, markdown, text
from cranfield.show.table import Table

SECTIONS = [Section("First <b>", ["before"], Table({"run": ["a"]}), ["after"]), Section("Second")]


def test_sections_stand_below_each_other_with_a_blank_line_around_tables():
    shown = text(SECTIONS, 80)
    assert shown.startswith("First <b>\nbefore\n\nrun")
    assert shown.endswith("\n\nafter\n\nSecond")


def test_sentences_are_no_wider_than_the_terminal_and_longer_words_are_left_whole():
    lines = text([Section("word " * 30, ["x" * 50])], 40).split("\n")
    assert max(map(len, lines[:-1])) <= 40
    assert lines[-1] == "x" * 50


def test_markdown_and_a_notebook_have_headings_without_markup_of_others():
    assert markdown(SECTIONS).startswith("### First ")
    assert "<b>" not in markdown(SECTIONS)
    assert "<h4>First &lt;b&gt;</h4><p>before</p>" in html(SECTIONS)
