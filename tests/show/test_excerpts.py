from hypothesis import given
from hypothesis import strategies as some

from cranfield.show.excerpts import WIDTH, snippet, words_of


class TestAnExcerpt:
    def test_a_short_one_is_shown_whole(self):
        assert snippet("short", {"x"}) == "short"

    def test_of_a_long_one_the_part_with_most_words_of_the_query(self):
        text = "nothing here " * 50 + "tomatoes need water now and then, and tomatoes crack " + "nothing there " * 50
        found = snippet(text, words_of("why do tomatoes crack"))
        assert "tomatoes need water now and then, and tomatoes crack" in found
        assert found.startswith("… ")
        assert found.endswith(" …")

    @given(some.text(), some.text())
    def test_are_never_longer_than_there_is_room_for(self, text, query):
        assert len(snippet(text * 20, words_of(query))) <= WIDTH + 4

    def test_without_a_word_of_the_query_it_is_the_beginning(self):
        assert snippet("one two " * 100, {"three"}).startswith("one two")
