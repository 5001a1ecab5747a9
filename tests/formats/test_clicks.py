"""Click logs in every form, and what is wrong with some."""

import gzip

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given

import cranfield as cf
from cranfield.errors import DataError, UsageError
from cranfield.formats.clicks import read_clicks
from tests.formats.click_logs import HEADER, IMPRESSIONS, LOG, contents, impressions, result, written


def test_tabs_semicolons_other_names_and_compression_are_all_right(tmp_path):
    tsv = LOG.replace(",", "\t").replace("session", "session_id").replace("document", "doc_id")
    assert contents(cf.read_clicks(written(tmp_path, "log.tsv", tsv))) == IMPRESSIONS
    semicolons = LOG.replace(",", ";").replace("position", "rank").replace("clicked", "is_click")
    assert contents(cf.read_clicks(written(tmp_path, "log.csv", semicolons))) == IMPRESSIONS
    packed = tmp_path / "log.csv.gz"
    packed.write_bytes(gzip.compress(LOG.encode()))
    assert contents(cf.read_clicks(packed)) == IMPRESSIONS


def test_columns_may_be_named(tmp_path):
    path = written(tmp_path, "log.csv", LOG.replace("document", "sku").replace("clicked", "hit"))
    assert contents(cf.read_clicks(path, columns={"document": "sku", "clicked": "hit"})) == IMPRESSIONS
    with pytest.raises(UsageError, match="'score' is not a role of a click log"):
        cf.read_clicks(path, columns={"score": "sku"})
    with pytest.raises(DataError, match="sku2"):
        cf.read_clicks(path, columns={"document": "sku2"})


def test_tables_of_other_libraries_and_parquet_are_read(tmp_path):
    pandas, polars = pytest.importorskip("pandas"), pytest.importorskip("polars")
    path = written(tmp_path, "log.csv", LOG)
    assert contents(cf.read_clicks(pandas.read_csv(path))) == IMPRESSIONS
    frame = polars.read_csv(path)
    assert contents(cf.read_clicks(frame)) == IMPRESSIONS
    frame.write_parquet(tmp_path / "log.parquet")
    assert contents(cf.read_clicks(tmp_path / "log.parquet")) == IMPRESSIONS
    lists = polars.DataFrame({"session": ["s1"], "query": ["q1"], "documents": [["a", "b"]], "clicks": [[0, 1]]})
    assert contents(cf.read_clicks(lists)) == IMPRESSIONS[:1]


def test_several_files_are_one_log(tmp_path):
    one = written(tmp_path, "one.csv", HEADER + "s1,q1,1,a,0\n")
    two = written(tmp_path, "two.csv", HEADER + "s2,q1,1,a,1\n")
    assert len(cf.read_clicks([one, two])) == 2
    lines = written(tmp_path, "log.jsonl", '{"session":"s1","query":"q","documents":["a"],"clicks":[1]}\n')
    assert len(cf.read_clicks([lines, lines])) == 2


def test_files_of_different_columns_are_not_read_together(tmp_path):
    one = written(tmp_path, "one.csv", LOG)
    two = written(tmp_path, "two.csv", "query,position,document,clicked\nq9,1,a,0\n")
    with pytest.raises(DataError, match="some files of the log have a column session and others do not"):
        cf.read_clicks([one, two])


@pytest.mark.parametrize("given", [7, None, {"a": 1}, b"bytes"])
def test_objects_that_hold_no_clicks_are_refused(given):
    with pytest.raises(UsageError, match="cannot read clicks from"):
        cf.read_clicks(given)


def test_nothing_is_no_log(tmp_path):
    for nothing in ([], written(tmp_path, "log.csv", "")):
        with pytest.raises(DataError, match="no impressions found"):
            cf.read_clicks(nothing)


@given(impressions)
def test_rows_with_ids_and_lists_give_the_same_log(drawn):
    rows = [
        {"impression": str(at), "session": s, "query": q, "position": rank, "document": d, "clicked": int(c)}
        for at, (s, q, results) in enumerate(drawn)
        for rank, (d, c) in enumerate(results, 1)
    ]
    lists = [
        {"session": s, "query": q, "documents": [d for d, _ in results], "clicks": [int(c) for _, c in results]}
        for s, q, results in drawn
    ]
    by_rank = sorted(rows, key=lambda row: row["position"])
    expected = [(s, q, [d for d, _ in results], [int(c) for _, c in results]) for s, q, results in drawn]
    assert contents(cf.read_clicks(rows)) == contents(cf.read_clicks(lists)) == expected
    assert sorted(contents(cf.read_clicks(by_rank))) == sorted(expected)


def test_rows_without_columns_are_no_log():
    with pytest.raises(DataError, match=r"these are not the columns of a click log: \(none\)"):
        cf.read_clicks([{}])


def test_a_time_that_no_calendar_has_stops_nothing(tmp_path):
    table = pa.table(
        {
            **{name: [value] * 2 for name, value in result().items()},
            "position": [1, 2],
            "document": ["a", "b"],
            "time": pa.array([2**62, 2**61], pa.timestamp("us")),
        }
    )
    pq.write_table(table, tmp_path / "log.parquet")
    assert len(read_clicks(tmp_path / "log.parquet").document) == len(read_clicks(table).document) == 2
    queries = pa.table({"qid": ["q"], "text": ["t"], "when": pa.array([2**62], pa.timestamp("us"))})
    assert cf.read_queries(queries).text("q") == "t"


def test_two_columns_of_one_name_are_refused(tmp_path):
    (tmp_path / "log.csv").write_text("session,query,position,document,clicked,clicked\ns,q,1,a,0,1\n")
    with pytest.raises(DataError, match="two columns are called 'clicked'"):
        read_clicks(tmp_path / "log.csv")


def test_rows_without_columns_are_no_clicks():
    with pytest.raises(cf.DataError, match="clicks"):
        cf.read_clicks([[]])
