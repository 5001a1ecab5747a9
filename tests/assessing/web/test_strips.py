"""The picture of a range that narrows."""

import re
from dataclasses import replace

from cranfield.assessing.effect_summary import PairEffect
from cranfield.assessing.web.strips import strip_of

PAIR = PairEffect(
    run="hybrid",
    baseline="bm25",
    measure="P@10",
    state="open",
    difference=0.07,
    low=-0.2,
    high=0.4,
    estimate=0.08,
    estimate_error=0.02,
    random_labels=36,
    likely_at=None,
    next_look=40,
    labelled=36,
    matter=437,
    more_labels=40,
    interval_low=-0.01,
    interval_high=0.15,
    interval_is_estimated=True,
    queries=70,
    history=((0, -0.8, 0.8), (20, -0.4, 0.6)),
)


def test_the_band_goes_through_every_point_and_ends_with_what_is_known_now():
    strip = strip_of(PAIR, 36, 900)
    corners = [tuple(map(float, corner.split(","))) for corner in strip.band.split()]
    assert len(corners) == 6
    assert all(0 <= x <= 100 and 0 <= y <= 100 for x, y in corners)
    widths = [low[1] - high[1] for low, high in zip(corners[:3], corners[:2:-1], strict=True)]
    assert widths == sorted(widths, reverse=True)
    assert strip.now == corners[2][0] == round(100 * 36 / 76, 2)


def test_the_interval_over_queries_has_the_same_scale():
    strip = strip_of(PAIR, 36, 900)
    top, height = strip.interval
    labels = {tick.label: tick.y for tick in strip.ticks}
    assert top < strip.zero < top + height
    assert labels["0.0"] == strip.zero


def test_it_is_told_in_words_too():
    words = strip_of(PAIR, 36, 900).words
    assert words == (
        "With the labels so far, the difference of hybrid to bm25 is −0.200 to +0.400. "
        "95% interval over queries: −0.010 to +0.150."
    )


def test_without_a_range_there_is_no_picture():
    assert strip_of(replace(PAIR, low=None, high=None), 0, 900) is None


def test_a_decided_pair_ends_where_the_labels_end():
    decided = replace(PAIR, more_labels=0, interval_low=None, interval_high=None)
    strip = strip_of(decided, 36, 900)
    assert (strip.now, strip.expected, strip.interval) == (100, None, None)
    assert not re.search("interval", strip.words)
