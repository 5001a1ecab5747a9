from cranfield.assessing.leases import Leases


def test_a_tab_keeps_what_it_holds_until_its_time_is_over():
    leases = Leases(5, seconds=600)
    leases.take(1, "a", [2, 3], now=0)
    leases.expire(599)
    assert leases.held(1, "a") == [2, 3]
    leases.expire(600)
    assert leases.held(1, "a") == []
    assert leases.counts.tolist() == [0] * 6


def test_a_tab_that_is_still_open_keeps_it_longer():
    leases = Leases(5, seconds=600)
    leases.take(1, "a", [2], now=0)
    leases.renew(1, "a", now=500)
    leases.expire(1000)
    assert leases.held(1, "a") == [2]


def test_what_a_judge_dealt_with_is_free_in_every_tab():
    leases = Leases(5)
    leases.take(1, "a", [2], now=0)
    leases.take(1, "b", [2, 3], now=0)
    leases.take(2, "a", [2], now=0)
    leases.free(1, 2)
    assert (leases.held_by(1), leases.held_by(2)) == ([3], [2])
    assert leases.counts.tolist() == [0, 0, 1, 1, 0, 0]


def test_to_take_twice_is_to_hold_once():
    leases = Leases(5)
    leases.take(1, "a", [2], now=0)
    leases.take(1, "a", [2], now=1)
    assert leases.counts[2] == 1


def test_a_closed_tab_holds_nothing():
    leases = Leases(5)
    leases.take(1, "a", [2], now=0)
    leases.release(1, "a")
    leases.release(1, "never opened")
    leases.renew(1, "a", now=1)
    assert leases.judges() == set()
    assert leases.counts.sum() == 0
