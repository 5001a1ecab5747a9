"""Runs are written so that they are read as they were."""

import io

import numpy as np
import pytest

from cranfield.data.run import Ranking
from cranfield.errors import CranfieldError
from cranfield.formats.run_writing import RankedDocuments, best_first, write_rankings

TIED = RankedDocuments("q1", ["d2", "d1"], [0.1 + 0.2, 0.1 + 0.2])


def written(form, *rankings):
    stream = io.BytesIO()
    write_rankings(stream, form, rankings, "my run", f"out.{form}")
    return stream.getvalue().decode()


def test_scores_keep_their_bits_and_ties_their_order():
    assert written("run", TIED) == ("q1 Q0 d2 1 0.30000000000000004 my_run\nq1 Q0 d1 2 0.30000000000000004 my_run\n")
    assert best_first(Ranking("q1", ["d3", "d2", "d1"], np.array([1.0, 2.0, 1.0]), [1, 2, 3])).documents == [
        "d2",
        "d3",
        "d1",
    ]


def test_a_run_without_scores_has_ranks():
    assert written("csv", RankedDocuments("q1", ["d2", "d1"], [-1, -2], ranked=True)) == (
        "query,document,rank\nq1,d2,1\nq1,d1,2\n"
    )


def test_a_form_that_cannot_skip_a_rank_refuses_to():
    with pytest.raises(CranfieldError, match="rank"):
        written("run", RankedDocuments("q1", ["d2", "d1"], [-1, -3], ranked=True))


def test_an_id_of_two_words_is_no_word_of_a_line():
    with pytest.raises(CranfieldError, match="two words"):
        written("run", RankedDocuments("q1", ["two words"], [1.0]))


@pytest.mark.parametrize(("form", "text"), [("run", ""), ("json", "{}\n"), ("csv", "query,document,rank,score\n")])
def test_a_run_of_no_queries_is_a_file_too(form, text):
    assert written(form) == text


def test_a_query_without_documents_does_not_say_that_there_are_no_scores():
    empty = RankedDocuments("q1", [], [], ranked=True)
    assert written("csv", empty, RankedDocuments("q2", ["d1"], [0.5])) == "query,document,rank,score\nq2,d1,1,0.5\n"
