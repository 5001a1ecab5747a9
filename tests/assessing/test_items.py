from cranfield.assessing.items import IMPORTED, POOL
from tests.assessing.conftest import garden


def test_item_numbers_begin_with_one_and_go_query_by_query():
    items = garden().items
    assert [items.of(query) for query in (0, 1)] == [range(1, 15), range(15, 29)]
    assert all(items.query_of(item) == query for query in range(6) for item in items.of(query))
    assert (items.has(0), items.has(1), items.has(84), items.has(85)) == (False, True, True, False)
    assert not items.has("1")


def test_places_are_ranks_among_all_that_a_run_retrieved():
    items = garden().items
    places = items.run_places(0)
    names = [items.documents[items.of_document[item - 1]] for item in places.items[0].tolist()]
    assert names == [f"d{place}" for place in range(1, 13)]
    assert places.ranks[0].tolist() == list(range(1, 13))
    assert places.retrieved == (12, 12)


def test_what_was_judged_before_is_an_item_that_nobody_is_asked_about():
    items = garden(judgments={"q1": {"d1": 2, "d99": 1}}).items
    known = {items.documents[items.of_document[at]]: items.known[at] for at in (items.part == IMPORTED).nonzero()[0]}
    assert known == {"d1": 2.0, "d99": 1.0}
    assert (items.part == POOL).sum() == 83
