import pytest

from tests.formats.reading import judged, kinds, retrieved, wrong_in_run


@pytest.mark.parametrize("first", [0, 1])
def test_a_run_of_three_columns_is_ordered_by_its_rank(write, first):
    run = write(f"1\t11\t{first}\n1\t12\t{first + 1}\n2\t11\t{first}\n")
    assert retrieved(run) == {"1": {"11": -1, "12": -2}, "2": {"11": -1}}


def test_ranks_of_three_columns_may_have_gaps_where_some_query_begins_at_one(write):
    assert retrieved(write("1 11 1\n1 12 9\n2 11 3\n")) == {"1": {"11": -1, "12": -9}, "2": {"11": -3}}


def test_judgments_of_msmarco_are_in_trec_form(write):
    assert judged(write("1\t0\t11\t1\n"), format="msmarco") == {"1": {"11": 1}}


@pytest.mark.parametrize("text", ["1 11 0.5\n1 12 0.4\n", "1 11 2\n1 12 1\n", "1 11 1\n1 12 1\n", "1 11 7\n"])
def test_a_third_column_that_is_no_rank_must_be_explained(write, text):
    run = write(text)
    (finding,) = wrong_in_run(run)
    assert (finding.kind, "query,document,score" in finding.advice) == ("unknown-layout", True)
    assert list(retrieved(run, columns="query,document,score")) == ["1"]


def test_a_rank_that_is_no_number_is_an_error(write):
    (finding,) = wrong_in_run(write("1 11 1\n1 12 two\n"), format="msmarco")
    assert (finding.kind, finding.line) == ("rank-not-a-number", 2)


def test_a_line_of_another_length_is_an_error(write):
    assert kinds(wrong_in_run(write("1 11 1\n1 12 2\n1 13\n"))) == ["wrong-column-count"]
