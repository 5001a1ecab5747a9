"""A function as a system."""

from typing import NamedTuple

import numpy as np
import pytest

from cranfield.requesting.failures import Failure
from cranfield.retrieving.functions import FunctionSystem, result_of
from cranfield.retrieving.searching import SearchQuery

QUERY = SearchQuery("q1", "frost", {"query": "frost"})


@pytest.mark.parametrize("returned", [["d1", "d2"], ("d1", "d2"), np.array(["d1", "d2"])])
def test_ids_are_ranked_as_they_come(returned):
    assert result_of(returned) == (("d1", "d2"), None, None)


def test_ids_may_be_numbers():
    assert result_of([7, 3]).documents == ("7", "3")


def test_pairs_have_scores():
    assert result_of([("d1", 2.5), ("d2", np.float32(1.5))]) == (("d1", "d2"), (2.5, 1.5), None)


def test_a_dictionary_is_ranked_by_its_scores():
    assert result_of({"d1": 1.0, "d2": 3.0}) == (("d2", "d1"), (3.0, 1.0), None)


@pytest.mark.parametrize("returned", [[], (), {}])
def test_nothing_is_an_answer(returned):
    assert result_of(returned).documents == ()


class Odd(NamedTuple):
    x: int


@pytest.mark.parametrize(
    "returned", [None, "d1", 7, {"d1"}, [("d1", float("nan"))], [("d1", "high")], [None], object()]
)
def test_what_is_no_result_is_a_failure_and_not_an_empty_result(returned):
    with pytest.raises(Failure) as raised:
        result_of(returned)
    assert raised.value.kind == "unreadable"


@pytest.mark.parametrize(
    ("error", "kind"),
    [(TimeoutError("late"), "timeout"), (ConnectionResetError("gone"), "no connection"), (KeyError("x"), "exception")],
)
def test_what_a_function_raises_is_a_failure(error, kind):
    def search(text):
        raise error

    with pytest.raises(Failure) as raised:
        FunctionSystem(search).search(QUERY)
    assert raised.value.kind == kind
    assert raised.value.detail.startswith(type(error).__name__)


def test_a_function_is_known_by_its_name():
    def search(text):
        return []

    system = FunctionSystem(search)
    assert system.asked["source"].endswith("search")
    assert system.request(QUERY) != system.request(QUERY._replace(text="snow"))
