"""What every entry of the table of measures says about itself."""

from __future__ import annotations

import numpy as np
import pytest

import cranfield as cf
from cranfield.catalogue import FAMILIES
from cranfield.errors import UsageError
from cranfield.measures import Measure, catalogue
from cranfield.measures.definition import TABLE, ratio

UNBOUNDED = {"Utility", "YAAP"}
"""Measures that may be as bad as one likes; of all others a range that is not told is one forgotten."""
every_definition = pytest.mark.parametrize("definition", catalogue().values(), ids=list(catalogue()))


@every_definition
def test_it_has_a_sentence_a_formula_and_an_example(definition):
    text = definition.function.__doc__
    assert definition.summary.endswith(".")
    assert ".. math::" in text
    assert ">>>" in text


@every_definition
def test_it_says_who_proposed_it_unless_it_only_counts(definition):
    assert definition.cite or definition.mean == "sum"


@every_definition
def test_its_bounds_are_a_range(definition):
    low, high = Measure(definition).bounds
    assert low <= high
    assert low > -np.inf or definition.name in UNBOUNDED


@every_definition
def test_it_lives_in_a_family(definition):
    assert definition.family in FAMILIES


def test_no_two_names_are_alike():
    folded = [name.casefold() for name in catalogue()]
    assert len(set(folded)) == len(folded)


def test_a_share_of_nothing_is_undefined():
    assert np.array_equal(ratio([1, 0, 1], [2, 0, 0]), [0.5, np.nan, np.nan], equal_nan=True)


def test_a_measure_of_ones_own_cannot_take_the_name_of_another():
    with pytest.raises(UsageError, match="There is a measure AP already"):

        @cf.measure
        def AP(judged):
            return judged.retrieved


@pytest.mark.parametrize(
    ("gives", "message"),
    [(None, "gave 0 scores for 1 queries"), (5.0, "outside its range 0 to 1"), ([[1.0]], "one number per query")],
)
def test_what_a_measure_of_ones_own_gives_is_checked(gives, message):
    @cf.measure(bounds=(0, 1))
    def Odd(judged):
        return None if gives is None else judged.retrieved * 0 + np.asarray(gives)

    try:
        with pytest.raises(UsageError, match=message):
            cf.evaluate({"q": {"d": 1}}, {"q": ["d"]}, Odd)
    finally:
        del TABLE["Odd"]


def test_a_power_too_large_for_a_number_is_refused():
    with pytest.raises(UsageError, match="2 to the power of a grade of 1200"):
        cf.nDCG(gain="exponential")(cf.ranking("(1200)0"))
    assert cf.ERR(cf.ranking("(1200)0")) == 1


def test_sums_that_are_no_counts_keep_their_fractions():
    @cf.measure(mean="sum")
    def Minutes(judged):
        return judged.retrieved * 0.7

    try:
        assert cf.evaluate({"q": {"d": 1}}, {"q": ["d"]}, Minutes).per_query().columns["Minutes"] == [0.7]
    finally:
        del TABLE["Minutes"]


@pytest.mark.parametrize("name", ["AP(rel=None)", "nDCG(discount=None)@10", "SetF(beta=None)", "nDCG(gain=None)"])
def test_nothing_is_no_value_of_a_parameter(name):
    with pytest.raises(UsageError, match="given a value"):
        cf.parse(name)


class TestTypedRankings:
    @pytest.mark.parametrize(
        "given", ["1011", "1 0 1 1", "Y N Y Y", [1, 0, 1, 1], np.array([1, 0, 1, 1]), (1, 0, 1, 1)]
    )
    def test_a_measure_takes_a_text_or_a_list(self, given):
        assert cf.AP(given) == cf.AP(cf.ranking("1011"))

    def test_a_measure_with_a_cutoff_does_so_too(self):
        assert (cf.P @ 3)("1 0 1") == pytest.approx(2 / 3)

    def test_parameters_may_follow_the_ranking(self):
        assert cf.P("1 0 1", cutoff=3) == pytest.approx(2 / 3)
        assert cf.AP(cf.ranking("120"), rel=2) == 0.5

    @pytest.mark.parametrize("given", [["10", "01"], [cf.ranking("10"), "01"], [[1, 0], [0, 1]], np.eye(2)])
    def test_each_of_several_rankings_has_its_score(self, given):
        assert cf.AP(given).tolist() == [1, 0.5]

    def test_several_rankings_share_one_scale_of_grades(self):
        together = cf.evaluate({"a": {"d": 1}, "b": {"d": 3}}, {"a": ["d"], "b": ["d"]}, "ERR")["ERR"][0]
        assert cf.ERR(["1", [3]]).tolist() == together.tolist()

    def test_measures_of_several_grades_take_their_own_notation(self):
        measure = cf.measures.P_IA @ 2
        assert measure("10 01") == measure(cf.grouped("10 01"))
        assert measure([cf.grouped("10 01"), cf.grouped("11 01")]).tolist() == [0.5, 0.75]
        with pytest.raises(UsageError, match=r'P_IA@2 reads several grades for each document; .* P_IA\("10 -- 01"\)'):
            measure([1, 0])

    @pytest.mark.parametrize("wrong", [3, {"d1": 1}, cf.AP])
    def test_anything_else_is_refused_in_words(self, wrong):
        with pytest.raises(UsageError, match="was found where a ranking belongs"):
            cf.AP(wrong)
