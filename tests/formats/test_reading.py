import pyarrow as pa
import pytest

import cranfield as cf
from cranfield.errors import DataError, UsageError
from cranfield.formats import read_judgments, read_run
from cranfield.formats.reading import read_runs
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


def test_a_reader_of_record_batches_is_one_run():
    table = pa.table({"query_id": ["q1", "q1", "q2"], "doc_id": ["a", "b", "c"], "score": [2.0, 1.0, 3.0]})
    judgments = {"q1": {"b": 1}, "q2": {"c": 1}}
    for run in (table.to_reader(max_chunksize=1), table.to_batches()[0], table):
        scores = cf.evaluate(judgments, run, "RR")
        assert (scores.runs, scores.values.ravel().tolist()) == (("run",), [0.5, 1.0])


RANKED = {"q1": {"d1": 2.0, "d2": 1.0}}


def names(runs):
    return [run.name for run in read_runs(runs)]


def test_one_run_is_a_list_of_one():
    assert names(RANKED) == ["run"]
    assert names([("q1", "d1", 2.0)]) == ["run"]


def test_a_dictionary_of_runs_gives_them_names():
    assert names({"bm25": RANKED, "dense": RANKED}) == ["bm25", "dense"]
    assert names({"bm25": {"q1": ["d1", "d2"]}}) == ["bm25"]


def test_lists_and_whatever_can_be_walked_over_hold_several_runs():
    assert names([RANKED, RANKED]) == ["run", "run 2"]
    assert names({"a": RANKED, "b": RANKED}.values()) == ["run", "run 2"]
    assert names(run for run in (RANKED, RANKED, RANKED)) == ["run", "run 2", "run 3"]


def test_runs_of_one_name_get_their_path_as_well(tmp_path):
    paths = []
    for folder in ("old", "new"):
        (tmp_path / folder).mkdir()
        paths.append(tmp_path / folder / "bm25.run")
        paths[-1].write_text("q1 Q0 d1 1 2.0 x\n")
    assert names(paths) == ["bm25", str(paths[1])]


def test_no_run_is_wrong_usage():
    with pytest.raises(UsageError, match="No run was given"):
        read_runs([])
