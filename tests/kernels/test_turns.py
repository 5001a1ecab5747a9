"""Pieces of work that several threads take in turns."""

from __future__ import annotations

import pytest

from cranfield.kernels.turns import in_turns


@pytest.mark.parametrize("threads", [1, 2, 5])
@pytest.mark.parametrize("count", [0, 1, 2, 40])
def test_results_come_in_the_order_of_the_pieces(threads, count):
    pieces = iter(range(count))
    assert in_turns(lambda: next(pieces, None), lambda piece: piece * piece, threads) == [
        at * at for at in range(count)
    ]


@pytest.mark.parametrize("threads", [1, 3])
def test_what_goes_wrong_in_a_thread_is_raised_here(threads):
    pieces = iter(range(50))

    def work(piece):
        if piece == 7:
            raise KeyError(piece)

    with pytest.raises(KeyError, match="7"):
        in_turns(lambda: next(pieces, None), work, threads)
