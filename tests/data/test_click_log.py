import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import cranfield as cf
from cranfield import demo
from cranfield.data.click_log import distinct
from cranfield.kernels import CHOICE, are_compiled
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


@pytest.mark.parametrize("kernels", ["plain", *(["compiled"] if are_compiled() else [])])
@pytest.mark.parametrize("count", [0, 1, 7, 5000])
def test_numbers_without_repetition_are_in_order_whichever_loops_find_them(kernels, count, monkeypatch):
    monkeypatch.setenv(CHOICE, kernels)
    keys = np.random.default_rng(count).integers(-(1 << 60), 1 << 60, max(count // 3, 1))[:count]
    keys = np.random.default_rng(1).choice(keys, count) if count else keys
    found, place = distinct(keys)
    assert found.tolist() == sorted(set(keys.tolist()))
    assert (found[place] == keys).all()
