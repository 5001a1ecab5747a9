import numpy as np
from hypothesis import given
from hypothesis import strategies as st

import cranfield as cf
from cranfield import demo
from tests.formats.click_logs import contents, impressions


def test_a_log_is_a_log():
    log = cf.read_clicks(demo.path("clicks.csv"))
    assert cf.read_clicks(log) is log
    assert repr(log).startswith("ClickLog(1,500 impressions of 70 queries in 1,500 sessions")


@given(impressions, st.integers(0, 5))
def test_some_impressions_are_a_log_of_their_own(drawn, seed):
    lists = [
        {"session": s, "query": q, "documents": [d for d, _ in results], "clicks": [int(c) for _, c in results]}
        for s, q, results in drawn
    ]
    log = cf.read_clicks(lists)
    chosen = np.random.default_rng(seed).random(len(log)) < 0.5
    assert contents(log.select(chosen)) == [one for one, kept in zip(contents(log), chosen, strict=True) if kept]
