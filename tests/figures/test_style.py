"""How figures look."""

from itertools import pairwise

import pytest

from cranfield.figures import style


def test_no_two_of_many_lines_look_the_same():
    assert len({style.stroke(at) for at in range(64)}) == 64


def test_neighbours_differ_in_marker_and_dash_for_those_who_see_no_colour():
    looks = [style.stroke(at) for at in range(12)]
    for one, two in pairwise(looks):
        assert one.marker != two.marker
        assert str(one.dash) != str(two.dash)


def test_names_stay_different_when_they_are_made_short():
    long = ["a" * 50 + str(at) + "b" * 50 for at in range(3)]
    shown = style.names(long)
    assert len(set(shown)) == 3
    assert all(len(name) <= style.NAME for name in shown)


@pytest.mark.parametrize("name", ["\x00\x1b[31m", "two\nlines", "\u202eright to left", "\ud800", ""])
def test_names_are_printable_and_never_empty(name):
    shown = style.names([name])[0]
    assert shown.isprintable()
    assert shown


def test_a_figure_for_one_column_has_text_that_can_be_read():
    assert style.text_size(3.3) >= 8
    # Drawn five inches wide and printed in a column, its text is still as large as a footnote's.
    assert style.text_size(style.WIDTH) * 3.3 / style.WIDTH > 7


class TestLegend:
    def test_names_stand_beside_each_other_as_long_as_they_fit(self):
        assert style.columns_of(["bm25", "dense"], 5, 10) == 2
        assert style.columns_of(["x" * 60, "y" * 60], 5, 10) == 1

    def test_more_names_need_more_room(self):
        names = [f"a rather long name {at}" for at in range(8)]
        assert style.legend_height(names, 5, 10) > style.legend_height(names[:2], 5, 10) > 0
        assert style.legend_height([], 5, 10) == 0


class TestBalanced:
    def test_a_title_that_fits_stays_on_one_line(self):
        assert style.balanced("a title", 100) == ["a title"]

    def test_a_word_that_does_not_fit_stays_whole(self):
        assert style.balanced("x" * 50 + " " + "y" * 50, 5) == ["x" * 50, "y" * 50]

    def test_lines_are_about_equally_long(self):
        first, second = style.balanced("one two three four five six seven eight", 20)
        assert abs(len(first) - len(second)) <= 6
