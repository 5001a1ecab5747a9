import numpy as np
import pytest

from cranfield.assessing.learning import ranked_by_strategy
from cranfield.formats import read_judgments, read_runs
from cranfield.measures import parse_all
from cranfield.pooling.candidates import candidates_of
from cranfield.pooling.choosing import pool
from cranfield.pooling.influence import influence
from tests.assessing.conftest import RUNS
from tests.assessing.test_state import History


def judged(strategy):
    """Two labels in the first query, in a history and as judgments."""
    history = History(strategy=strategy, depth=10, grades=grades())
    items = history.state.items
    names = {items.documents[items.of_document[item - 1]]: item for item in items.of(0)}
    history.add(2, names["d1"], grade=1.0)
    history.add(2, names["d5"], grade=0.0)
    return history, names, {"q1": {"d1": 1, "d5": 0}}


def grades():
    from cranfield.assessing.project import parse_grades

    return parse_grades("0,1")


def test_what_could_change_the_comparison_most_comes_first_as_in_a_pool():
    history, names, known = judged("comparison")
    (measure,) = parse_all("nDCG@10")
    values = influence(read_runs(RUNS), candidates_of(read_runs(RUNS), 10), read_judgments(known), measure)
    ranked = ranked_by_strategy(history.state.project, history.state, 0)
    by_item = {names[document]: value for (query, document), value in values.items() if query == "q1"}
    assert sorted(ranked) == sorted(by_item)
    assert [by_item[item] for item in ranked] == pytest.approx(sorted(by_item.values(), reverse=True))


@pytest.mark.parametrize("strategy", ["mtf", "mm-ns", "thompson"])
def test_a_bandit_goes_on_as_in_a_pool(strategy):
    history, names, known = judged(strategy)
    expected = pool(RUNS, strategy=strategy, depth=10, labels_per_query=100, judgments=known).of("q1")
    assert ranked_by_strategy(history.state.project, history.state, 0) == [names[document] for document in expected]


def test_a_query_that_is_judged_completely_has_nothing_left():
    history = History(strategy="comparison")
    for item in history.state.items.of(0):
        history.add(2, item, grade=1.0)
    assert ranked_by_strategy(history.state.project, history.state, 0) == []
    assert len(ranked_by_strategy(history.state.project, history.state, 1)) == 14
    assert np.array_equal(sorted(ranked_by_strategy(history.state.project, history.state, 1)), list(range(15, 29)))
