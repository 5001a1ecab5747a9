"""The retriever does not get worse."""

from pathlib import Path

from retrieve import answers

import cranfield as cf

HERE = Path(__file__).parent


def test_answers_are_among_the_first_five(cranfield_baseline):
    scores = cf.evaluate(HERE / "answers.csv", answers(3), "R@5", group_by="#")
    cranfield_baseline.assert_not_worse(scores, measure="R@5", margin=0.05)
