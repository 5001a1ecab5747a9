import pytest

from cranfield.show.phrases import counted, listed, percent


@pytest.mark.parametrize(
    ("count", "noun", "phrase"),
    [
        (0, "query", "0 queries"),
        (1, "query", "1 query"),
        (1200, "new stratum", "1,200 new strata"),
        (2, "run", "2 runs"),
    ],
)
def test_a_number_of_things_has_the_plural_it_needs(count, noun, phrase):
    assert counted(count, noun) == phrase


def test_of_many_names_the_first_are_told_and_the_rest_counted():
    assert listed(["a"]) == "a"
    assert listed(["a", "b", "c"]) == "a, b and c"
    assert listed(["a", "b", "c"], 2) == "a, b and 1 more"
    assert listed([]) == ""


def test_a_share_is_a_whole_percent_and_never_minus_zero():
    assert percent(0.95) == "95%"
    assert percent(1) == "100%"
    assert percent(-0.001) == "0%"
