"""What a model is asked."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cranfield.assessing.project import GradeWord, new_project
from cranfield.assessing.service import Card
from cranfield.errors import DataError, UsageError
from cranfield.model_judging.prompts import default_prompt, fence_for, prompt_from_file, prompt_named, umbrela_prompt

PROJECT = new_project("garden", guidelines="Archived pages are never relevant.")


def card(text="Water them daily.", title="Tomatoes", query="why do tomatoes crack"):
    return Card(1, 0, "q1", query, "", "d1", title, text, "")


class TestDefault:
    def test_has_the_grades_and_guidelines_of_the_project(self):
        system = default_prompt(PROJECT).request(card()).messages[0]["content"]
        assert "0: not relevant" in system
        assert "Archived pages are never relevant." in system
        assert '{"grade": 3}' in system

    def test_fences_the_document_as_data(self):
        user = default_prompt(PROJECT).request(card()).messages[1]["content"]
        fence = fence_for("Tomatoes\nWater them daily.")
        assert user.count(fence) == 3
        assert user.endswith(f"{fence}\nTomatoes\nWater them daily.\n{fence}")

    @given(st.text(max_size=50))
    def test_no_document_contains_its_own_fence(self, text):
        assert fence_for(text) not in text

    @pytest.mark.parametrize("field", ["{query}", "{passage}", "{fence}", "{grades}", "{0}", "{}", "%s"])
    def test_what_a_document_says_is_never_filled_in(self, field):
        user = default_prompt(PROJECT).request(card(text=f"see {field} here")).messages[1]["content"]
        assert f"see {field} here" in user

    def test_another_wording_is_another_version(self):
        assert default_prompt(PROJECT).version != default_prompt(PROJECT.with_changes(guidelines="")).version
        assert default_prompt(PROJECT).version == default_prompt(PROJECT).version

    def test_long_documents_are_cut_and_that_is_known(self):
        request = default_prompt(PROJECT).request(card(text="one two three. " * 100), words=30)
        assert request.cut
        assert request.messages[1]["content"].count("one two three.") == 10


class TestUmbrela:
    def test_is_its_published_form_with_its_parameters(self):
        prompt = umbrela_prompt(PROJECT.grades)
        (message,) = prompt.request(card()).messages
        assert "Query: why do tomatoes crack\nPassage: Water them daily." in message["content"]
        assert "##final score: score without providing any reasoning" in message["content"]
        assert prompt.parameters["frequency_penalty"] == 0.5

    def test_has_its_own_scale(self):
        with pytest.raises(UsageError, match="grades 0, 1, 2 and 3; this project has 0, 1"):
            umbrela_prompt((GradeWord(0.0), GradeWord(1.0)))


class TestFile:
    def test_is_filled_in(self, tmp_path):
        (tmp_path / "mine.txt").write_text("Is {passage} about {query}? {grades}")
        (message,) = prompt_named(str(tmp_path / "mine.txt"), PROJECT).request(card()).messages
        assert message["content"].startswith("Is Water them daily. about why do tomatoes crack? 0: not relevant")

    def test_needs_query_and_passage(self, tmp_path):
        (tmp_path / "mine.txt").write_text("Is {passage} good?")
        with pytest.raises(DataError, match=r"does not contain \{query\}"):
            prompt_from_file(tmp_path / "mine.txt", PROJECT)
