"""Kinds of failures: each is tried again, asked for differently, final, or listed; never two of these."""

from itertools import combinations
from typing import get_args

from cranfield.model_judging.judge import ASKED_DIFFERENTLY
from cranfield.requesting.failures import FINAL, TRIED_AGAIN, FailureKind


def test_a_kind_is_dealt_with_in_one_way():
    for one, other in combinations((TRIED_AGAIN, ASKED_DIFFERENTLY, FINAL), 2):
        assert not one & other


def test_every_kind_is_known():
    assert set(get_args(FailureKind)) >= TRIED_AGAIN | ASKED_DIFFERENTLY | FINAL
