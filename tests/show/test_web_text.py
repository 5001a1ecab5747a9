import math

from hypothesis import given
from hypothesis import strategies as some

from cranfield.show.web_text import axis, visible


class TestAnAxis:
    @given(some.lists(some.floats(-1e6, 1e6), min_size=1))
    def test_holds_every_number_and_begins_and_ends_with_a_tick(self, values):
        found = axis(values)
        hardly = 1e-6 * max(max(values) - min(values), 1e-3)  # nobody sees less than that
        assert found.low <= min(values) + hardly
        assert found.high >= max(values) - hardly
        assert (found.ticks[0], found.ticks[-1]) == (found.low, found.high)
        assert len(found.ticks) <= 8

    def test_of_no_number_is_from_0_to_1(self):
        assert (axis([math.nan]).low, axis([math.nan]).high) == (0.0, 1.0)


class TestVisibleText:
    @given(some.text())
    def test_has_nothing_that_cannot_be_seen(self, text):
        assert not any(ord(sign) < 32 or 0x202A <= ord(sign) <= 0x202E for sign in visible(text))

    def test_of_other_scripts_stays_as_it_is(self):
        text = "كيف أسقي الطماطم؟ שלום 日本語 👩‍🌾 می‌خواهم"
        assert visible(text) == text
