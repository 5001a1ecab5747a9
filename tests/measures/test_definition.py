"""What every entry of the table of measures says about itself."""

from __future__ import annotations

import numpy as np
import pytest

from cranfield.measures import catalogue
from cranfield.measures.definition import ratio

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
    low, high = definition.bounds
    assert low <= high
    assert low > -np.inf


@every_definition
def test_it_lives_in_a_family(definition):
    assert definition.family in {"average", "counts", "first", "gain", "incomplete", "precision", "sets", "user"}


def test_no_two_names_are_alike():
    folded = [name.casefold() for name in catalogue()]
    assert len(set(folded)) == len(folded)


def test_a_share_of_nothing_is_undefined():
    assert np.array_equal(ratio([1, 0, 1], [2, 0, 0]), [0.5, np.nan, np.nan], equal_nan=True)
