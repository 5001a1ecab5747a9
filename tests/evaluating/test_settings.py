import pytest

from cranfield.errors import UsageError
from cranfield.evaluating.settings import CHOICES, Settings, checked


def test_the_default_of_each_choice_is_its_first_word():
    for name, choices in CHOICES.items():
        assert getattr(Settings(), name) == choices[0]


def test_a_document_is_relevant_from_grade_1_unless_said_otherwise():
    assert Settings().level == 1
    assert Settings(rel=2).level == 2
    assert Settings(rel=0).level == 0


def test_where_scores_are_averaged_over_orders_one_order_is_shown():
    assert Settings(ties="average").order == "document"
    assert Settings(ties="given").order == "given"


def test_settings_are_given_back_as_numbers_of_python():
    assert checked({"rel": 2.0, "depth": 10, "judged_only": True}) == {"rel": 2, "depth": 10, "judged_only": True}
    assert checked({"rel": 0.5, "depth": None}) == {"rel": 0.5, "depth": None}


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"tie": "given"}, "There is no setting 'tie'. Did you mean ties?"),
        ({"ties": "random"}, "ties is document, document-ascending, given or average, not 'random'"),
        ({"undefined": "one"}, "undefined is zero or skip, not 'one'"),
        ({"depth": 0}, "depth must be a whole number of at least 1, not 0"),
        ({"rel": "high"}, "rel must be a number"),
        ({"judged_only": 1}, "judged_only must be True or False, not 1"),
    ],
)
def test_what_cannot_be_a_setting_is_refused(given, message):
    with pytest.raises(UsageError) as error:
        checked(given)
    assert message in str(error.value)
