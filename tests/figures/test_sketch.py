"""Pictures made of characters."""

import numpy as np
import pytest

from cranfield.figures import sketch


def line(name="bm25", x=(0.0, 1.0), y=(1.0, 0.0)):
    return name, np.array(x), np.array(y)


def drawn(*series, width=40):
    return sketch.lines(series, ("recall", 0, 1, False), ("precision", 0, 1), width)


@pytest.mark.parametrize("width", [30, 60, 80, 100])
def test_a_picture_is_as_wide_as_the_terminal_and_no_wider(width):
    assert max(map(len, drawn(line(), width=width).splitlines())) == width


def test_on_a_very_wide_terminal_it_stays_small():
    assert max(map(len, drawn(line(), width=500).splitlines())) == sketch.WIDEST


def test_a_curve_alone_has_its_letter_at_its_points():
    rows = drawn(line(x=(0, 0.5, 1), y=(1, 0.5, 0))).splitlines()
    assert [row.count("a") for row in rows if "┤" in row] == [1, 0, 1, 0, 1]


def test_several_have_letters_at_different_places():
    text = drawn(line("one"), line("two"))
    assert "a one   b two" in text
    assert all(text.count(letter) > 2 for letter in "ab")
    assert sketch.SEVERAL not in text


def test_points_without_a_value_are_left_out():
    assert drawn(line(y=(np.nan, np.nan))).count("a") == 1 + len("recall") - len("recll")


def test_more_curves_than_letters_are_counted():
    text = drawn(*(line(f"run{at}") for at in range(30)), width=80)
    assert "and 4 more runs that are not drawn" in text


def test_cutoffs_stand_on_a_logarithm():
    text = sketch.lines([line(x=(1, 1000))], ("k", 1, 1000, True), ("P", 0, 1), 80)
    axis, ticks = text.splitlines()[-4:-2]
    assert ticks.split() == ["1", "10", "100", "1000"]
    assert np.ptp(np.diff([at for at, sign in enumerate(axis) if sign == "┬"])) <= 1


@pytest.mark.parametrize("name", ["\x1b[31mred", "two\nlines", "\u202eright", "x" * 10_000])
def test_names_stay_on_their_line_and_command_no_terminal(name):
    for text in (
        drawn(line(name)),
        sketch.bars([(name, 1.0, "1")], 60),
        sketch.boxes([(name, (0, 0, 0, 1, 1), "1")], 0, 1, 60),
        sketch.shades([(name, np.array([0.0, 1.0]))], 0, 1, 60),
    ):
        assert all(row.isprintable() for row in text.split("\n"))
        assert max(map(len, text.splitlines())) <= 60


def test_wide_letters_take_two_columns():
    rows = sketch.bars([("検索", 1.0, "1"), ("bm25", 1.0, "1")], 40).splitlines()
    assert [sketch.cells(row) for row in rows] == [sketch.cells(rows[1])] * 2


def test_bars_grow_to_both_sides_of_zero():
    up, down = sketch.bars([("q1", 0.5, "+"), ("q2", -0.5, "-")], 40).splitlines()
    axis = up.index("│")
    assert down.index("│") == axis
    assert "█" in up[axis:]
    assert "█" not in up[:axis]
    assert "█" in down[:axis]
    assert "█" not in down[axis:]


def test_bars_of_nothing_are_empty():
    assert "█" not in sketch.bars([("q1", 0.0, "0")], 40)


def test_neighbours_are_averaged_where_there_is_no_room_for_each():
    pooled = sketch.pooled(np.arange(1000.0), 10)
    assert pooled.tolist() == [49.5 + 100 * at for at in range(10)]


def test_what_is_missing_does_not_count_among_neighbours():
    assert sketch.pooled(np.array([1.0, np.nan, np.nan, np.nan]), 2).tolist()[0] == 1
    assert np.isnan(sketch.pooled(np.array([1.0, np.nan, np.nan, np.nan]), 2)[1])


def test_shades_of_missing_scores_are_question_marks():
    assert sketch.shades([("a", np.array([np.nan, 1.0]))], 0, 1, 40) == "a  ?█"
