"""The catalogue is read from the definitions."""

import pytest

from cranfield.catalogue import FAMILIES, Catalogue, entries, entry, plain
from cranfield.errors import UsageError
from cranfield.measures import catalogue, measure


def test_every_measure_stands_in_it_once_family_by_family():
    families = [one.family for one in entries()]
    assert sorted(one.definition.name for one in entries()) == sorted(catalogue())
    assert list(dict.fromkeys(families)) == list(FAMILIES.values())


@pytest.mark.parametrize("name", ["nDCG", "ndcg", "ndcg_cut_10", "NDCG@5", "ndcg_burges"])
def test_a_measure_is_found_in_anyones_spelling(name):
    assert entry(name).definition.name == "nDCG"


def test_a_measure_that_needs_a_cutoff_is_found_without_one():
    assert entry("P").definition.name == "P"


def test_an_unknown_measure_is_answered_with_near_ones():
    with pytest.raises(UsageError, match="There is no measure 'presicion'"):
        entry("presicion")


def test_formulas_become_one_readable_line():
    assert plain(r"\frac{1}{k} \sum_{i \le k} rel_i") == "1/k Σ_{i ≤ k} rel_i"
    for one in entries():
        assert "\\" not in plain(one.formula), one.definition.name


def test_a_measure_of_ones_own_stands_under_plugins():
    @measure(bounds=(0, 1))
    def Lucky(judged):
        """Whether one was lucky."""
        return judged.retrieved * 0

    try:
        assert "Added by plugins\n  Lucky" in str(Catalogue(tuple(entries())).sections()[0])
    finally:
        del catalogue.__globals__["TABLE"]["Lucky"]


def test_cautions_are_told():
    assert "Caution: Nearly all documents are irrelevant" in entry("Accuracy").text()


def test_a_measure_of_several_grades_says_where_they_stand():
    assert "a grade for each subtopic: second column of a TREC file, or a column `subtopic`" in entry("strec").text()
    assert entry("strec").to_dict()["groups"] == "subtopic"
    assert entry("nDCG").to_dict()["groups"] is None
    assert "\nreads" not in entry("nDCG").text()
