"""One long table of several runs."""

import json

import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.feather
import pyarrow.parquet
import pytest

import cranfield as cf
from cranfield.errors import DataError, Findings
from cranfield.formats import read_runs, systems

JUDGED = {"q1": {"d1": 1}, "q2": {"d2": 1}}
RESULTS = {
    "bm25": [("q1", "d1", 2.0), ("q1", "d2", 1.0), ("q2", "d1", 3.0), ("q2", "d2", 1.5)],
    "dense": [("q1", "d2", 0.9), ("q1", "d1", 0.8), ("q2", "d2", 0.7)],
}


def rows(column="system"):
    """Rows of both systems, in turns, as a database may give them."""
    every = [
        (at, {column: system, "qid": query, "chunk_id": document, "score": score})
        for system, results in RESULTS.items()
        for at, (query, document, score) in enumerate(results)
    ]
    return [row for _, row in sorted(every, key=lambda pair: pair[0])]


def written(folder, form):
    frame, path = pd.DataFrame(rows()), folder / f"long.{form}"
    write = {
        "csv": lambda: frame.to_csv(path, index=False),
        "tsv": lambda: frame.to_csv(path, index=False, sep="\t"),
        "jsonl": lambda: frame.to_json(path, orient="records", lines=True),
        "json": lambda: frame.to_json(path, orient="records"),
        "parquet": lambda: pyarrow.parquet.write_table(pa.Table.from_pandas(frame), path),
        "arrow": lambda: pyarrow.feather.write_feather(pa.Table.from_pandas(frame), path),
        "xlsx": lambda: frame.to_excel(path, index=False),
    }
    write[form]()
    return path


def reciprocal_ranks(source, **options):
    scores = cf.evaluate(JUDGED, source, "RR", **options)
    return {run: scores.values[0, at].tolist() for at, run in enumerate(scores.runs)}


BOTH = {"bm25": [1.0, 0.5], "dense": [0.5, 1.0]}


@pytest.mark.parametrize("form", ["csv", "tsv", "jsonl", "json", "parquet", "arrow", "xlsx"])
@pytest.mark.parametrize("kernels", ["compiled", "plain"])
def test_a_file_becomes_several_runs(tmp_path, form, kernels, monkeypatch):
    if kernels == "plain":
        monkeypatch.setattr("cranfield.kernels.are_compiled", lambda: False)
    assert reciprocal_ranks(written(tmp_path, form)) == BOTH


@pytest.mark.parametrize(
    "table",
    [pd.DataFrame, pl.DataFrame, lambda some: pl.DataFrame(some).lazy(), pa.Table.from_pylist, list],
    ids=["pandas", "polars", "lazy", "arrow", "records"],
)
def test_so_does_a_table_in_memory(table):
    assert reciprocal_ranks(table(rows())) == BOTH


def test_so_does_a_stream_of_record_batches_whatever_their_size():
    reader = pa.Table.from_pylist(rows()).to_reader(max_chunksize=2)
    assert reciprocal_ranks(reader) == BOTH


@pytest.mark.parametrize("column", ["config", "System ID", "run_name", "model", "retriever", "pipeline"])
def test_the_column_has_a_name_people_use(column):
    assert reciprocal_ranks(rows(column)) == BOTH


def test_or_one_that_is_named(tmp_path):
    (tmp_path / "long.csv").write_text("who,query,document,score\na,q1,d1,1\nb,q1,d1,1\n")
    assert list(reciprocal_ranks(tmp_path / "long.csv", columns={"system": "who", "score": "score"})) == ["a", "b"]
    (tmp_path / "bare.tsv").write_text("a\tq1\td1\t1\nb\tq1\td1\t1\n")
    assert list(reciprocal_ranks(tmp_path / "bare.tsv", columns="system,query,document,score")) == ["a", "b"]


def test_a_column_that_could_mean_something_else_tells_runs_apart_only_if_documents_come_again():
    phones = [
        {"query": "q1", "document": document, "score": score, "model": model}
        for document, score, model in [("d1", 2.0, "X1"), ("d2", 1.0, "X2")]
    ]
    assert reciprocal_ranks(phones) == {"run": [1.0, 0.0]}


def test_one_system_is_one_run_that_has_the_name_of_its_file_or_in_memory_its_own(tmp_path):
    (tmp_path / "a.csv").write_text("run,query,document,score\nbm25,q1,d1,1\n")
    assert list(reciprocal_ranks(tmp_path / "a.csv")) == ["a"]
    assert list(reciprocal_ranks([{"run": "bm25", "query": "q1", "document": "d1", "score": 1.0}])) == ["bm25"]


def test_numbers_name_systems_too():
    assert list(reciprocal_ranks([{**row, "system": 7 if row["system"] == "bm25" else 8} for row in rows()])) == [
        "7",
        "8",
    ]


@pytest.mark.parametrize("missing", [None, float("nan")])
def test_a_row_without_its_system_is_an_error(missing):
    some = [{**row, "system": missing} if at == 3 else row for at, row in enumerate(rows())]
    with pytest.raises(cf.DataError, match="row 4: the system id is missing"):
        cf.evaluate(JUDGED, some, "RR")


def test_a_message_names_the_line_of_the_whole_file(tmp_path):
    (tmp_path / "a.csv").write_text("system,query,document,score\na,q1,d1,2\nb,q1,d1,1\nb,q1,d2,high\n")
    with pytest.raises(cf.DataError, match="line 4: the score is 'high'"):
        cf.evaluate(JUDGED, tmp_path / "a.csv", "RR")
    (tmp_path / "b.csv").write_text("system,query,document,score\na,q1,d1,2\nb,q1,d1,1\nb,q1,d1,0\n")
    with pytest.raises(cf.DataError, match="line 4: query 'q1' lists document 'd1' again"):
        cf.evaluate(JUDGED, tmp_path / "b.csv", "RR")


def test_where_one_run_is_wanted_they_are_refused(tmp_path):
    for source in (written(tmp_path, "csv"), rows()):
        with pytest.raises(cf.DataError, match=r"a table of 2 runs \(bm25, dense\), where one run was expected"):
            cf.read_run(source)
        with pytest.raises(cf.DataError, match="a table of 2 runs"):
            cf.explain(JUDGED, source, "RR", "q1", duplicates="first")


def test_two_runs_of_one_file_are_no_file_given_twice(tmp_path):
    path = written(tmp_path, "csv")
    assert cf.pool(path).runs == ("bm25", "dense")
    assert not any("twice" in str(warning) for warning in cf.evaluate(JUDGED, path, "RR").warnings)


def test_ids_that_our_own_csv_guards_are_read_as_they_were(tmp_path):
    (tmp_path / "a.csv").write_text("system,query,document,score\na,q1,'=d1,2\nb,q1,'=d1,1\n")
    assert [dict(run["q1"]) for run in read_runs(tmp_path / "a.csv")] == [{"=d1": 2.0}, {"=d1": 1.0}]


def test_rows_are_read_again_from_a_temporary_file_that_is_removed_at_last(tmp_path, monkeypatch):
    made = []
    monkeypatch.setattr(systems, "temporary_file", lambda: made.append(tmp_path / "rows") or made[0])
    one, other = read_runs(written(tmp_path, "jsonl"))
    assert one["q1"] == one["q1"] == {"d1": 2.0, "d2": 1.0}
    assert made[0].exists()
    del one, other
    assert not made[0].exists()


def test_json_whose_records_have_no_such_column_is_not_read_twice(tmp_path, monkeypatch):
    (tmp_path / "a.json").write_text(json.dumps([{"query": "q1", "document": "d1", "score": 1}]))
    monkeypatch.setattr(systems, "rows_of_file", None)
    (run,) = read_runs(tmp_path / "a.json")
    assert [ranking.query for ranking in run.rankings(Findings())] == ["q1"]


def test_check_shows_each_of_them(tmp_path):
    (tmp_path / "qrels.txt").write_text("q1 0 d1 1\nq2 0 d2 1\n")
    checks = cf.check([tmp_path / "qrels.txt", written(tmp_path, "csv")])
    assert [file.path.split(", ")[-1] for file in checks.files[1:]] == ["bm25", "dense"]
    assert [pair.run.split(", ")[-1] for pair in checks.pairs] == ["bm25", "dense"]


def test_what_is_no_id_is_an_error_and_no_crash(write):
    record = '{{"model": "{}", "qid": "q1", "pid": {}, "score": 1}}\n'
    lines = record.format("a", '"d1"') + record.format("a", '{"x": 1}') + record.format("b", '"d1"')
    with pytest.raises(cf.DataError, match="line 2"):
        cf.evaluate({"q1": ["d1"]}, write(lines, "runs.jsonl"), "RR")


def test_runs_of_one_name_in_two_tables_are_called_by_table_and_name(tmp_path):
    for name, document in (("monday", "d1"), ("tuesday", "d2")):
        rows = [f"{system},q1,{document},1" for system in ("bm25", "dense")]
        (tmp_path / f"{name}.csv").write_text("\n".join(["system,query,document,score", *rows]) + "\n")
    paths = [tmp_path / "monday.csv", tmp_path / "tuesday.csv"]
    scores = cf.evaluate({"q1": {"d1": 1}}, paths, "RR")
    assert scores.runs == ("bm25", "dense", f"{paths[1]}, bm25", f"{paths[1]}, dense")


@pytest.mark.parametrize("system", ["system", "model"])
def test_records_without_a_column_are_errors(tmp_path, system):
    records = [{system: "a", "qid": "q1", "pid": "d1", "score": 2}, {system: "b", "qid": "q1", "pid": "d1", "score": 1}]
    path = tmp_path / "runs.jsonl"
    path.write_text("".join(f"{json.dumps(record)}\n" for record in [*records, {system: "b"}]))
    with pytest.raises(DataError, match="line 3: the query id is missing"):
        cf.evaluate({"q1": {"d1": 1}}, path, "P@1")
