from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cranfield.kernels.plain import all_ranks, first, place

documents = st.lists(st.text("ab19é", min_size=1, max_size=3), unique=True, max_size=12)


def placed(scores, judged, ties="document"):
    """`{document: score}` and the documents that are judged, as (document, rank) best first."""
    rows = {document: row for row, document in enumerate(judged)}
    found = place(list(scores), np.array(list(scores.values()), dtype=float), rows, ties)
    return [(judged[row], int(rank)) for row, rank in zip(found.rows, found.ranks, strict=True)]


def test_documents_come_by_score_highest_first():
    assert placed({"a": 1, "b": 3, "c": 2}, ["a", "b", "c"]) == [("b", 1), ("c", 2), ("a", 3)]


def test_only_judged_documents_are_kept_but_all_take_their_rank():
    assert placed({"a": 1, "b": 3, "c": 2}, ["a"]) == [("a", 3)]


def test_a_judged_document_that_was_not_retrieved_has_no_place():
    assert placed({"a": 1}, ["a", "z"]) == [("a", 1)]


def test_equal_scores_come_by_document_id_last_in_byte_order_first():
    assert placed({"a": 1, "c": 1, "b": 1}, ["a", "b", "c"]) == [("c", 1), ("b", 2), ("a", 3)]


def test_ids_that_look_like_numbers_are_compared_as_text():
    assert placed({"10": 1, "9": 1}, ["10", "9"]) == [("9", 1), ("10", 2)]


def test_ids_beyond_ascii_come_in_the_order_of_their_bytes():
    # UTF-8 keeps the order of code points, beyond 16 bits too, where UTF-16 would not.
    names = ["z", "é", "\uffee", "😀"]
    in_bytes = sorted(names, key=str.encode, reverse=True)
    assert [name for name, _ in placed(dict.fromkeys(names, 1), names)] == in_bytes == names[::-1]


def test_equal_scores_may_come_as_given():
    assert placed({"a": 1, "c": 1, "b": 1}, ["a", "b", "c"], "given") == [("a", 1), ("c", 2), ("b", 3)]


def test_minus_zero_ties_with_zero():
    assert placed({"a": 0.0, "b": -0.0}, ["a", "b"]) == [("b", 1), ("a", 2)]


def test_infinite_scores_are_scores():
    assert placed({"a": -np.inf, "b": np.inf, "c": 0}, ["a", "b", "c"]) == [("b", 1), ("c", 2), ("a", 3)]


def test_a_ranking_without_documents_has_no_places():
    found = place([], np.array([]), {"a": 0}, "document")
    assert len(found.rows) == len(found.ranks) == found.ties == 0


def test_ties_are_counted_over_the_whole_ranking():
    found = place(["a", "b", "c", "d", "e"], np.array([1.0, 1.0, 2.0, 3.0, 3.0]), {"c": 0}, "document")
    assert found.ties == 4


@pytest.mark.parametrize("ties", ["document", "given"])
@given(data=st.data(), names=documents)
def test_ranks_above_and_tied_are_what_counting_gives(ties, data, names):
    scores = np.array(data.draw(st.lists(st.sampled_from([0.0, 1.0, 2.5]), min_size=len(names), max_size=len(names))))
    judged = data.draw(st.lists(st.sampled_from([*names, "never"]), unique=True))
    score_of = dict(zip(names, scores.tolist(), strict=True))

    def before(document):
        if ties == "given":
            tied_before = names[: names.index(document)]
        else:
            tied_before = [other for other in names if other.encode() > document.encode()]
        return sum(score_of[other] == score_of[document] for other in tied_before)

    found = place(names, scores, {document: row for row, document in enumerate(judged)}, ties)
    everything = dict(zip(names, all_ranks(names, scores, ties).tolist(), strict=True))
    assert sorted(everything.values()) == list(range(1, len(names) + 1))
    for row, rank, above, tied in zip(found.rows, found.ranks, found.above, found.tied, strict=True):
        document = judged[row]
        assert above == sum(score > score_of[document] for score in score_of.values())
        assert tied == sum(score == score_of[document] for score in score_of.values())
        assert rank == 1 + above + before(document) == everything[document]
    assert found.ranks.tolist() == sorted(found.ranks.tolist())
    assert {judged[row] for row in found.rows} == set(judged) & set(names)


@given(documents=documents, data=st.data(), ties=st.sampled_from(["document", "given"]))
def test_the_first_documents_are_those_with_the_first_ranks(documents, data, ties):
    scores = np.array(
        data.draw(
            st.lists(
                st.sampled_from([0.0, 1.0, 2.0, -np.inf, np.inf]), min_size=len(documents), max_size=len(documents)
            )
        )
    )
    count = data.draw(st.integers(1, 14))
    ranks = all_ranks(documents, scores, ties)
    expected = [documents[at] for at in np.argsort(ranks)][:count]
    assert first(documents, scores, count, ties) == expected
