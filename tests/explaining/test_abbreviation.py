"""Long lists, abbreviated."""

from hypothesis import given
from hypothesis import strategies as st

from cranfield.explaining.abbreviation import Gap, abbreviated
from cranfield.show.table import shortened


class TestAbbreviation:
    def test_leaves_short_lists_alone(self):
        assert abbreviated([0, 0, 0], bool, 3) == [0, 0, 0]

    def test_merges_what_is_left_out(self):
        assert abbreviated([1, *[0] * 9, 1, 1, 1, *[0] * 9], bool, 3) == [
            1,
            Gap((*[0] * 9, 1, 1, 1, *[0] * 9)),
        ]

    @given(st.lists(st.booleans()), st.integers(1, 12))
    def test_loses_nothing_and_keeps_to_the_limit(self, items, limit):
        lines = abbreviated(items, bool, limit)
        unfolded = [item for line in lines for item in (line.items if isinstance(line, Gap) else [line])]
        assert unfolded == items
        assert len(lines) <= max(limit, 3)

    def test_keeps_both_ends_of_a_long_id(self):
        assert shortened("abcdefghij", 5) == "ab…ij"
