import pytest

from cranfield.errors import DataError, UsageError
from cranfield.formats import read_judgments, read_run
from tests.formats.reading import judged


def test_a_missing_run_is_noticed_before_anything_is_read(tmp_path):
    with pytest.raises(DataError, match="no such file"):
        read_run(tmp_path / "bm25.run")


def test_a_name_may_be_given(write):
    assert read_run(write("q Q0 a 1 2 t\n", "a.run"), name="best").name == "best"


@pytest.mark.parametrize("given", [b"q 0 d 1", 7, None])
def test_other_objects_are_refused(given):
    with pytest.raises(UsageError, match="cannot read judgments from"):
        read_judgments(given)


def test_an_unknown_format_is_answered_with_the_nearest(write):
    with pytest.raises(UsageError, match=r"unknown format 'terc'.*Did you mean trec"):
        read_judgments(write("q 0 d 1\n"), format="terc")


@pytest.mark.parametrize("format", ["csv", "quepid", None])
def test_a_format_may_be_forced(write, format):
    assert judged(write("query,docid,rating\nq,d,1\n"), format=format) == {"q": {"d": 1}}
