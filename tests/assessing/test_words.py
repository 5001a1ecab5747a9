"""What the command says when judging ends."""

from cranfield.assessing.words import Ended, closing_lines


def said(**facts) -> str:
    return "\n".join(closing_lines(Ended("judging.db", {"ada": 2, "ben": 0}, 12, **facts)))


def test_what_was_done_what_is_left_and_what_comes_next():
    assert said(wanted=3, compared=2, runs="a.run b.run", measure="P@5") == (
        "Stopped. 2 labels in this session (ada 2); 12 in all.\n"
        "3 labels to go. Go on: cranfield judge judging.db\n"
        "  cranfield agree judging.db\n"
        "  cranfield compare judging.db a.run b.run -m P@5"
    )


def test_disagreements_that_nobody_decided_on_are_counted():
    words = said(wanted=0, undecided=31)
    assert "Everything is labelled." in words
    assert "31 disagreements not decided yet; the lower median counts until then." in words
