"""The documents that come first, by compiled loops: what the plain loops give."""

from __future__ import annotations

import io
from contextlib import nullcontext
from random import Random

import pytest

import cranfield as cf
from cranfield.data.run import check_ranking
from cranfield.errors import DataError, Findings
from cranfield.kernels import plain
from tests.kernels.files import random_run

pytest.importorskip("cranfield.kernels.compiled", reason="the compiled loops are not built")
streaming = pytest.importorskip("cranfield.kernels.streaming")


def firsts(text: bytes, depth: int, **options):
    given = {"ties": "document", "single": False, "size": 200}
    return streaming.firsts(lambda: nullcontext(io.BytesIO(text)), depth, **given | options)


def plainly(text: bytes, depth: int, ties: str = "document"):
    """The same by the plain loops; None where the run is wrong."""
    findings, found = Findings(), {}
    try:
        for ranking in cf.read_run(io.BytesIO(text), format="trec").rankings(findings):
            findings.extend(check_ranking(ranking, None))
            found[ranking.query] = tuple(plain.first(ranking.documents, ranking.scores, depth, ties))
        findings.stop_if_wrong()
    except DataError:
        return None
    return found


TIED = b"q1 Q0 a 1 1 t\nq1 Q0 c 2 1 t\nq1 Q0 b 3 1 t\nq1 Q0 z 4 0.5 t\nq2 Q0 x 1 1 t\n"


@pytest.mark.parametrize(
    ("ties", "order"), [("document", ("c", "b")), ("document-ascending", ("a", "b")), ("given", ("a", "c"))]
)
def test_equal_scores_come_as_they_are_evaluated(ties, order):
    assert firsts(TIED, 2, ties=ties) == {"q1": order, "q2": ("x",)}


def test_scores_that_are_equal_in_32_bits_are_tied():
    close = b"q1 Q0 a 1 1.00000002 t\nq1 Q0 b 2 1.00000001 t\n"
    assert firsts(close, 2) == {"q1": ("a", "b")}
    assert firsts(close, 2, single=True) == {"q1": ("b", "a")}


def test_a_query_that_comes_back_is_left_to_the_plain_loops():
    assert firsts(TIED + b"q1 Q0 y 5 0.1 t\n", 2) is None


@pytest.mark.parametrize("seed", range(60))
def test_what_they_give_is_what_the_plain_loops_give(seed):
    rng = Random(seed)
    text = random_run(rng)
    depth, ties = rng.choice((1, 3, 50)), rng.choice(("document", "document-ascending", "given"))
    found = firsts(text, depth, ties=ties)
    expected = plainly(text, depth, ties)
    # Where they give nothing the plain loops are asked; of a run that is wrong nobody asks what comes first.
    assert found is None or expected is None or found == expected
