"""What pages show of texts, grades and guidelines."""

import pytest

from cranfield.assessing.items import DocumentText
from cranfield.assessing.project import GradeWord, Project, new_project
from cranfield.assessing.tally import Tally
from cranfield.assessing.web.pages import (
    EXCERPT,
    SENT_AHEAD,
    WHOLE,
    grade_buttons,
    guidelines_html,
    lines,
    shown_document,
    static_files,
    tally_lines,
    web_address,
)


class TestADocument:
    def test_a_short_text_is_shown_whole(self):
        shown = shown_document(DocumentText("d1", "Title", "Water tomatoes."), {"water"})
        assert shown.excerpt == ["", "Water", " tomatoes."]
        assert shown.whole is None

    def test_of_a_long_text_comes_the_excerpt_that_is_about_the_query(self):
        text = "nothing here " * 200 + "water " * 3 + "nothing there " * 200
        shown = shown_document(DocumentText("d1", "", text), {"water"})
        assert "water" in shown.excerpt
        assert len("".join(shown.excerpt)) <= EXCERPT + 4
        assert "".join(shown.whole) == text.strip()

    def test_a_very_long_text_comes_when_it_is_asked_for(self):
        text = "word " * SENT_AHEAD
        assert shown_document(DocumentText("d1", "", text), set()).whole == []
        assert "".join(shown_document(DocumentText("d1", "", text), set(), whole=True).whole) == text.strip()

    def test_a_text_that_no_page_can_show_is_cut_in_words(self):
        shown = shown_document(DocumentText("d1", "", "x" * 10_000_000), set(), whole=True)
        assert shown.cut == 10_000_000
        assert len("".join(shown.whole)) == WHOLE

    def test_no_document_is_too_odd_to_be_shown(self):
        shown = shown_document(DocumentText("\x00", "\u202e", "a\ud800b\r\nc\td"), {"a"})
        assert (shown.name, shown.title) == ("␀", "⟨U+202E⟩")
        assert "".join(shown.excerpt) == "a⟨U+D800⟩b\nc\td"

    def test_a_pattern_makes_a_link_of_any_name(self):
        shown = shown_document(DocumentText("a/b c?"), set(), "https://example.org/{document}")
        assert shown.url == "https://example.org/a%2Fb%20c%3F"

    @pytest.mark.parametrize(
        "url", ["javascript:x", "JaVaScript:x", "data:text/html,x", "//x", "file:///etc", " https://a"]
    )
    def test_no_link_leads_anywhere_but_to_the_web(self, url):
        assert web_address(url) == ""


class TestGrades:
    def test_have_their_own_digits_as_keys(self):
        assert [button.key for button in grade_buttons(new_project("x"))] == ["0", "1", "2", "3"]

    def test_that_are_no_digits_have_their_places_as_keys(self):
        project = Project("0", "x", grades=(GradeWord(-1.0, "bad"), GradeWord(0.5), GradeWord(20.0)))
        keys = {button.value: button.key for button in grade_buttons(project)}
        assert keys == {"-1": "0", "0.5": "1", "20": "2"}


class TestGuidelines:
    def test_are_markdown(self):
        assert "<li><strong>3</strong>: good</li>" in guidelines_html("- **3**: good")

    @pytest.mark.parametrize(
        "text",
        [
            "<script>alert(1)</script>",
            "[x](javascript:alert(1))",
            "[x](data:text/html;base64,x)",
            "![x](https://example.org/x.png)",
            "<javascript:alert(1)>",
            "<img src=x onerror=alert(1)>",
        ],
    )
    def test_have_no_markup_and_no_picture_and_no_other_links(self, text):
        page = guidelines_html(text)
        assert "<script" not in page
        assert "<img" not in page
        assert 'href="javascript' not in page
        assert 'href="data' not in page

    def test_headings_come_below_those_of_the_page(self):
        assert guidelines_html("# One\n\n###### Six") == "<h2>One</h2>\n<h6>Six</h6>\n"


def test_lines_stay_lines_and_the_rest_has_signs():
    assert lines("a\r\nb\u202e\x07") == "a\nb⟨U+202E⟩␇"


def test_how_far_a_judge_is_names_no_run():
    tally = Tally(41, 41, 0, 100, 4, 12, 70, 5.0, 540.0, {0.0: 7}, too_fast=True)
    told = tally_lines(tally, new_project("x"), "about 12 more labels decide the comparison")
    assert told == {
        "progress": "query 12 of 70 · 4 left here · 41 today · 100 left in all, about 9 minutes",
        "countdown": "about 12 more labels decide the comparison",
        "batch": "Last 7 judged: 7 × 0. Go back to change any.",
        "speed": "You are very fast: please take the time to read.",
    }


def test_the_name_of_a_file_changes_with_it():
    assert {file.name.split("-")[0] for file in static_files().values()} == {"judge", "list", "manage", "pages"}
    assert all(len(file.name.split("-")[1].split(".")[0]) == 12 for file in static_files().values())
