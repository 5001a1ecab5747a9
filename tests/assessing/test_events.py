from typing import get_args

from hypothesis import given
from hypothesis import strategies as st

from cranfield.assessing.events import CURRENT, Current, Event, Kind, folded
from tests.effort import examples

KINDS = st.sampled_from(sorted(get_args(Kind)))
HISTORIES = st.lists(st.tuples(st.integers(1, 3), st.integers(1, 3), KINDS, st.sampled_from([0.0, 1.0])))


@given(HISTORIES)
@examples(50)
def test_the_last_event_that_replaces_counts(history):
    events = [
        Event(seq, "", str(seq), judge, item, kind, grade) for seq, (judge, item, kind, grade) in enumerate(history)
    ]
    for (item, judge), now in folded(events).items():
        own = [event for event in events if (event.item, event.judge) == (item, judge) and event.kind in CURRENT]
        assert now == Current(own[-1].seq, own[-1].kind, own[-1].grade)


def test_what_is_about_no_item_replaces_nothing():
    assert folded([Event(1, "", "a", 1, None, "judge-added"), Event(2, "", "b", 1, 7, "note")]) == {}
