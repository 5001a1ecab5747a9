import pytest

from cranfield.errors import recommendation as errors


def test_what_can_be_given_depends_on_what_is_paired():
    assert "ids of items, or a table with a column item_id" in str(errors.unreadable_relation(3, "items", ["item"]))
    pairs = str(errors.unreadable_relation(3, "interactions", ["user", "item"]))
    assert "{user: [items]}, rows of (user, item), or a table" in pairs


def test_columns_that_cannot_be_told_come_with_the_names_to_give_them():
    finding = errors.unknown_relation("a.csv", "interactions", ["user", "item"], ["x", "y", "z"])
    assert str(finding) == "a.csv: cannot recognise the columns of the interactions: x, y, z"
    assert finding.advice.startswith("Name them user_id, item_id")


def test_interactions_that_did_not_happen_are_left_out_unless_there_are_no_others():
    some, all_of_them = errors.interactions_without_count("a", 2, 5), errors.interactions_without_count("a", 5, 5)
    assert (some.severity, all_of_them.severity) == ("warning", "error")
    assert some.message == "2 of 5 interactions have a count of 0 or less and are left out"


@pytest.mark.parametrize(("again", "verb"), [(1, "repeats"), (2, "repeat")])
def test_repeated_pairs_and_items_are_counted(again, verb):
    assert f"{again} of 9 interactions {verb}" in errors.interactions_again(None, again, 9).message
    assert f"{again} of 9 items {verb}" in errors.items_again(None, again, 9).message


def test_two_weights_of_one_attribute_are_both_shown():
    finding = errors.two_weights("a.csv", 4, "i1", "genre", 0.5, 1.0)
    assert "item 'i1' has attribute 'genre' with a weight of 0.5, and with 1 before" in finding.message


@pytest.mark.parametrize("problem", [errors.items_outside, errors.items_unseen, errors.items_without_attributes])
def test_odd_items_of_a_run_are_counted_and_shown(problem):
    finding = problem("bm25", ["i1", "i2"], 1500)
    assert str(finding).startswith("bm25: 2 of 1,500 recommended items")
    assert "(i1, i2)" in finding.message
    assert finding.count == 2


def test_ties_at_the_cutoff_come_with_the_rule_that_decides():
    finding = errors.ties_at_cutoff("bm25", ["u1"], 9, 10, "given")
    assert "for 1 of 9 users (u1) tied scores cross rank 10" in finding.message
    assert finding.message.endswith("ties are broken as in the run")
