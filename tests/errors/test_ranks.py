import pytest

from cranfield import errors


@pytest.mark.parametrize(("rank", "shown"), [(-1, "-1"), (1.5, "1.5"), (1e9, "1e+09")])
def test_a_rank_that_no_position_has_is_shown(rank, shown):
    finding = errors.ranks.impossible_rank("a.run", 3, rank)
    assert str(finding) == f"a.run, line 3: the rank is {shown}; expected a whole number from 1 to 10,000,000"


@pytest.mark.parametrize(("missing", "ranks"), [((3, 3), "rank 3"), ((3, 5), "ranks 3 to 5")])
def test_a_gap_names_the_ranks_without_a_document(missing, ranks):
    finding = errors.ranks.gap_in_ranks("a.run", 3, "q1", missing, "warning")
    assert f"query 'q1' has no document at {ranks};" in finding.message


def test_how_bad_a_gap_is_depends_on_where_it_is_found():
    assert errors.ranks.gap_in_ranks(None, 3, "q1", (3, 3), "error").severity == "error"
    assert errors.ranks.gap_in_ranks(None, 3, "q1", (3, 3), "warning").severity == "warning"


def test_ranks_from_zero_are_a_warning_and_from_both_an_error():
    assert errors.ranks.ranks_from_zero("a.run").severity == "warning"
    both = errors.ranks.ranks_from_zero_and_one("a.run", "q1", "q2")
    assert both.severity == "error"
    assert "query 'q1' has a rank 0 and query 'q2' has none" in both.message


def test_documents_at_the_same_rank_are_a_warning():
    finding = errors.ranks.repeated_rank("a.run", 3, "q1", 2, unit="row")
    assert str(finding).startswith("a.run, row 3: query 'q1' has several documents at rank 2")
    assert finding.severity == "warning"
