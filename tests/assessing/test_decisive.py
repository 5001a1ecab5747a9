import numpy as np
import pytest

from cranfield.assessing.decisive import best_ranks, decisive, weights_of
from cranfield.formats import read_runs
from cranfield.measures import parse_all
from cranfield.pooling.candidates import candidates_of
from cranfield.pooling.influence import influence
from tests.assessing.conftest import RUNS, garden


def names(items, chosen):
    pairs = zip(items.of_query[chosen].tolist(), items.of_document[chosen].tolist(), strict=True)
    return {(items.queries[query], items.documents[document]) for query, document in pairs}


def test_a_document_in_only_one_top_ten_decides_precision():
    items = garden().items
    first = {document for query, document in names(items, decisive(items, *parse_all("P@10"))) if query == "q1"}
    assert first == {"d1", "d2", "d3", "d4", "d11", "d12", "d13", "d14"}


@pytest.mark.parametrize("measure", ["P@10", "nDCG@10", "AP", "RR", "RBP", "R@5"])
def test_documents_decide_exactly_where_a_first_label_could_change_a_difference(measure):
    items = garden().items
    (known,) = parse_all(measure)
    candidates = candidates_of(read_runs(RUNS), 10)
    changing = {pair for pair, value in influence(read_runs(RUNS), candidates, None, known).items() if value > 0}
    assert names(items, decisive(items, known)) == changing


def test_without_runs_nothing_decides():
    assert not decisive(garden().items.__class__(**{**vars(garden().items), "places": ()}), *parse_all("P@10")).any()


def test_weights_are_what_the_measure_gives():
    assert weights_of(*parse_all("RR"), np.array([1, 2, 4])).tolist() == [1.0, 0.5, 0.25]
    assert weights_of(*parse_all("RR"), np.array([], dtype=np.int64)).tolist() == []


def test_the_best_rank_is_over_all_runs():
    items = garden().items
    best = {items.documents[items.of_document[at]]: best_ranks(items)[at] for at in range(14)}
    assert (best["d1"], best["d5"], best["d9"], best["d14"]) == (1, 1, 5, 10)
