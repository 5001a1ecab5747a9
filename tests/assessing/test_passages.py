"""Passages by their place in the text."""

import pytest

from cranfield.assessing.passages import passage_in, placed
from cranfield.assessing.refusals import Unsound
from cranfield.assessing.submission import Submission


def test_a_passage_is_found_whatever_the_blanks_around_its_words():
    text = "Beans grow\n\n in  bed 3."
    start, end = passage_in("… grow in bed …", text)
    assert text[start:end] == "grow\n\n in  bed"


def test_a_passage_is_found_by_what_a_page_shows_of_signs_that_cannot_be_seen():
    text = "One \x07two\u202ethree four\x00 five."
    start, end = passage_in("␇two⟨U+202E⟩three four␀", text)
    assert text[start:end] == "\x07two\u202ethree four\x00"
    start, end = passage_in("three four␀ five", text)
    assert text[start:end] == "three four\x00 five"


@pytest.mark.parametrize("quote", ["", " … ", "something else", "(", "grow.bed"])
def test_what_is_not_in_the_text_is_refused(quote):
    with pytest.raises(Unsound, match="not in the text"):
        passage_in(quote, "Beans grow in bed 3.")


def test_a_submission_has_the_place_instead_of_the_words(make_service):
    service = make_service("ada")
    card = service.cards(2, "tab", 1)[0]
    sent = Submission("k" * 20, card.item, "passage", more={"text": "grow in", "document": 0})
    more = placed(service, sent).more
    assert card.text[more["start"] : more["end"]] == "grow in"
    service.record(2, placed(service, sent))


def test_anything_else_stays_as_it_is(make_service):
    sent = Submission("k" * 20, 1, "label", 1.0)
    assert placed(make_service(), sent) is sent
