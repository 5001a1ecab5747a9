"""Many requests, several at once."""

import random
import threading
import time

import pytest

from cranfield.requesting.asking import IN_A_ROW, RateLimit, answers, may_pass, pause
from cranfield.requesting.failures import Failure


def test_everything_is_asked_once_and_answered():
    asked = list(answers(range(50), lambda number: number * 2, 4, stop=lambda: False))
    assert sorted(asked) == [(number, number * 2) for number in range(50)]


def test_several_are_asked_at_once_and_no_more():
    lock, now, most = threading.Lock(), [0], [0]

    def ask(number):
        with lock:
            now[0] += 1
            most[0] = max(most[0], now[0])
        time.sleep(0.01)
        with lock:
            now[0] -= 1

    assert len(list(answers(range(12), ask, 3, stop=lambda: False))) == 12
    assert most[0] == 3


def test_after_a_stop_what_was_asked_is_still_answered():
    answered = []
    for question, _ in answers(range(100), lambda number: number, 2, stop=lambda: len(answered) >= 5):
        answered.append(question)
    assert 5 <= len(answered) <= 7


def test_whoever_leaves_early_waits_for_nothing():
    began = time.monotonic()
    for _ in answers([0.0, 5.0], time.sleep, 2, stop=lambda: False):
        break
    assert time.monotonic() - began < 1


def test_an_error_of_the_program_is_raised():
    with pytest.raises(ZeroDivisionError):
        list(answers([1, 0], lambda number: 1 / number, 1, stop=lambda: False))


def test_pauses_double_and_are_not_all_alike():
    rng, failure = random.Random(1), Failure("server error", "")
    pauses = [pause(attempt, failure, rng) for attempt in range(1, 9)]
    for attempt, waited in enumerate(pauses):
        assert min(30.0, 0.5 * 2**attempt) / 2 <= waited <= min(30.0, 0.5 * 2**attempt)
    assert pause(1, failure, rng) != pause(1, failure, rng)


def test_a_server_says_how_long_to_wait():
    assert pause(1, Failure("rate limited", "", 7.0), random.Random(1)) == 7.0


def test_only_what_may_pass_is_tried_again():
    assert may_pass(Failure("server error", ""), 1, 2)
    assert not may_pass(Failure("server error", ""), 2, 2)
    assert not may_pass(Failure("rejected", ""), 1, 2)


def test_requests_keep_their_distance():
    waits = []
    limit = RateLimit(100.0, waits.append)
    for _ in range(4):
        limit.wait()
    assert len(waits) == 3
    assert waits == sorted(waits)
    assert 0.02 < waits[-1] <= 0.03


def test_without_a_rate_nothing_waits():
    limit = RateLimit(None, lambda wait: pytest.fail("waited"))
    for _ in range(IN_A_ROW):
        limit.wait()
