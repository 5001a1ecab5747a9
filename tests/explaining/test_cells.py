import pytest

from cranfield.explaining.cells import exact, fraction, grade, number, table


@pytest.mark.parametrize(("value", "shown"), [(3.0, "3"), (0.5, "0.5000"), (-0.00001, "0.0000")])
def test_only_fractions_have_decimals(value, shown):
    assert number(value) == shown


def test_a_result_has_two_decimals_more():
    assert exact(1 / 3) == "0.333333"
    assert fraction(4, 7) == "4/7 = 0.5714"


def test_who_was_not_judged_has_no_grade():
    assert [grade(value) for value in (2.0, 0.5, 0.0, None, -1.0)] == ["2", "0.5", "0", "-", "pooled"]


def test_numbers_stand_at_the_right_and_ids_are_cut_to_the_room_there_is():
    shown = table({"rank": ["9", "10"], "document": ["d", "x" * 100]}, 40).columns
    assert shown["rank"] == ["   9", "  10"]
    assert [len(cell) for cell in shown["document"]] == [1, 40 - 4 - 3]


def test_an_id_has_twelve_letters_on_the_narrowest_terminal():
    assert len(table({"document": ["x" * 100]}, 1).columns["document"][0]) == 12
