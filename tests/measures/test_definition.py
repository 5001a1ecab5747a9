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
