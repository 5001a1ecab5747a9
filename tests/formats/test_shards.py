"""A folder of parts, or a pattern, is one run or one set of judgments."""

import gzip
import json
import random

import numpy as np
import pytest

import cranfield as cf
from cranfield.errors import DataError
from cranfield.formats.data_kinds import data_kind
from cranfield.formats.shards import files_of

MEASURES = "nDCG@10 AP RR ERR@20"
QRELS = {f"q{n}": {f"d{(n * k) % 17}": k % 4 for k in range(1, 9)} for n in range(12)}
ROWS = [(f"q{n}", f"d{k}", round(((n * 31 + k * 17) % 23) / 4, 2)) for n in range(12) for k in range(17)]
WHOLE = cf.evaluate(QRELS, {q: {d: s for p, d, s in ROWS if p == q} for q in QRELS}, MEASURES)


def trec(rows):
    return "\n".join(f"{query} Q0 {document} 0 {score} bm25" for query, document, score in rows).encode()


def csv(rows):
    return b"query,document,score\n" + b"".join(
        f"{query},{document},{score}\n".encode() for query, document, score in rows
    )


def jsonl(rows):
    return "".join(
        json.dumps(dict(zip(("query", "document", "score"), row, strict=True))) + "\n" for row in rows
    ).encode()


def parquet(rows):
    pyarrow = pytest.importorskip("pyarrow")
    sink = pyarrow.BufferOutputStream()
    columns = dict(zip(("query", "document", "score"), map(list, zip(*rows, strict=True)), strict=True))
    pytest.importorskip("pyarrow.parquet").write_table(pyarrow.table(columns), sink)
    return sink.getvalue().to_pybytes()


WRITTEN = {"run": trec, "csv": csv, "jsonl": jsonl, "parquet": parquet}


@pytest.fixture(params=["grouped", "shuffled"])
def rows(request):
    return ROWS if request.param == "grouped" else random.Random(3).sample(ROWS, len(ROWS))


@pytest.mark.parametrize("ending", WRITTEN)
@pytest.mark.parametrize("parts", [1, 3, 7])
def test_a_run_in_parts_scores_as_the_whole(tmp_path, ending, parts, rows):
    folder = tmp_path / "bm25"
    folder.mkdir()
    size = -(-len(rows) // parts)
    for part in range(parts):
        data = WRITTEN[ending](rows[part * size : (part + 1) * size])
        (folder / f"part-{part:05}.{ending}").write_bytes(data)
    (folder / "_SUCCESS").write_bytes(b"")
    (folder / ".part-00000.crc").write_bytes(b"crc")
    scores = cf.evaluate(QRELS, str(folder), MEASURES)
    assert scores.runs == ("bm25",)
    np.testing.assert_array_equal(scores.values, WHOLE.values)


def test_parts_may_be_compressed_and_lie_in_folders_of_the_folder(tmp_path):
    for part in range(4):
        (tmp_path / "bm25" / f"day={part % 2}").mkdir(parents=True, exist_ok=True)
        target = tmp_path / "bm25" / f"day={part % 2}" / f"part-{part}.run.gz"
        target.write_bytes(gzip.compress(trec(ROWS[part::4])))
    np.testing.assert_array_equal(cf.evaluate(QRELS, tmp_path / "bm25", MEASURES).values, WHOLE.values)


def test_every_part_may_begin_with_a_byte_order_mark_and_end_without_a_line_end(tmp_path):
    for part in range(3):
        (tmp_path / f"part-{part}.run").write_bytes(b"\xef\xbb\xbf" + trec(ROWS[part::3]))
    np.testing.assert_array_equal(cf.evaluate(QRELS, tmp_path, MEASURES).values, WHOLE.values)


@pytest.mark.parametrize(
    ("pattern", "name"), [("bm25-*.csv", "bm25"), ("*.csv", None), ("bm25-[01].csv", "bm25"), ("bm2?-?.csv", "bm2")]
)
def test_a_pattern_is_one_run_called_after_what_its_files_share(tmp_path, pattern, name):
    for part in range(2):
        (tmp_path / f"bm25-{part}.csv").write_bytes(csv(ROWS[part::2]))
    scores = cf.evaluate(QRELS, str(tmp_path / pattern), MEASURES)
    assert scores.runs == (name or tmp_path.name,)
    np.testing.assert_array_equal(scores.values, WHOLE.values)


def test_a_file_that_has_the_name_of_a_pattern_is_that_file(tmp_path):
    (tmp_path / "bm25-*.csv").write_bytes(csv(ROWS))
    (tmp_path / "bm25-1.csv").write_bytes(csv(ROWS))
    np.testing.assert_array_equal(cf.evaluate(QRELS, tmp_path / "bm25-*.csv", MEASURES).values, WHOLE.values)


@pytest.mark.parametrize("ending", ["txt", "csv", "parquet"])
def test_judgments_in_parts_are_those_of_one_file(tmp_path, ending):
    graded = [(query, document, grade) for query, of_query in QRELS.items() for document, grade in of_query.items()]
    for part in range(3):
        some = graded[part::3]
        if ending == "txt":
            data = "\n".join(f"{query} 0 {document} {grade}" for query, document, grade in some).encode()
        else:
            data = WRITTEN[ending](some)
            data = data.replace(b"score", b"grade") if ending == "csv" else _graded_table(some)
        (tmp_path / f"part-{part}.{ending}").write_bytes(data)
    judgments = cf.read_judgments(tmp_path)
    assert {query: judgments[query] for query in judgments} == QRELS


def _graded_table(rows):
    import pyarrow as pa
    import pyarrow.parquet as pq

    sink = pa.BufferOutputStream()
    pq.write_table(
        pa.table(dict(zip(("query", "document", "grade"), map(list, zip(*rows, strict=True)), strict=True))), sink
    )
    return sink.getvalue().to_pybytes()


@pytest.mark.parametrize("ending", ["csv", "parquet"])
def test_several_systems_in_parts_of_a_table_are_several_runs(tmp_path, ending):
    systems = {"bm25": ROWS[::2], "dense": ROWS[1::2]}
    for part, (system, rows) in enumerate(systems.items()):
        if ending == "csv":
            lines = "".join(f"{system},{query},{document},{score}\n" for query, document, score in rows)
            data = f"system,query,document,score\n{lines}".encode()
        else:
            data = _table_of(system, rows)
        (tmp_path / f"part-{part}.{ending}").write_bytes(data)
    assert cf.evaluate(QRELS, tmp_path, "AP").runs == ("bm25", "dense")


def _table_of(system, rows):
    import pyarrow as pa
    import pyarrow.parquet as pq

    sink = pa.BufferOutputStream()
    columns = dict(zip(("query", "document", "score"), map(list, zip(*rows, strict=True)), strict=True))
    pq.write_table(pa.table({"system": [system] * len(rows), **columns}), sink)
    return sink.getvalue().to_pybytes()


@pytest.mark.parametrize("ending", WRITTEN)
def test_parts_that_nothing_fell_into_are_passed_over(tmp_path, ending):
    for part in range(4):
        data = b"" if part in (0, 2) else WRITTEN[ending](ROWS[: 100 if part == 1 else None][0 if part == 1 else 100 :])
        (tmp_path / f"part-{part}.{ending}").write_bytes(data)
    for path in (str(tmp_path), f"{tmp_path}/*"):
        np.testing.assert_array_equal(cf.evaluate(QRELS, path, MEASURES).values, WHOLE.values)
    assert data_kind(tmp_path) == "run"


@pytest.mark.parametrize("pattern", ["bm25/*", "bm25/**/*.run", "bm25"])
def test_files_of_a_system_are_passed_over_in_patterns_too(tmp_path, pattern):
    folder = tmp_path / "bm25" / "day=1"
    (folder / "_temporary").mkdir(parents=True)
    for name, rows in {"part-0.run": ROWS, "_temporary/part-1.run": ROWS, ".part-0.run": ROWS, "_SUCCESS": []}.items():
        (folder / name).write_bytes(trec(rows))
    np.testing.assert_array_equal(cf.evaluate(QRELS, f"{tmp_path}/{pattern}", MEASURES).values, WHOLE.values)


def test_a_pattern_may_name_files_of_a_system(tmp_path):
    (tmp_path / "_part-0.run").write_bytes(trec(ROWS))
    assert files_of(f"{tmp_path}/_part-*.run") == [tmp_path / "_part-0.run"]


class TestWhatNamesOfFoldersSay:
    """As Spark and Hive write partitions: their column is not in the files."""

    def put(self, folder, name, rows, without=()):
        import pyarrow as pa
        import pyarrow.parquet as pq

        columns = dict(zip(("query", "document", "score"), map(list, zip(*rows, strict=True)), strict=True))
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        pq.write_table(pa.table({key: of for key, of in columns.items() if key not in without}), folder / name)

    def test_a_bucket_is_no_part_of_the_run(self, tmp_path):
        for bucket in range(3):
            self.put(tmp_path, f"bm25/query_bucket={bucket}/part-0.parquet", ROWS[bucket::3])
        np.testing.assert_array_equal(cf.evaluate(QRELS, tmp_path / "bm25", MEASURES).values, WHOLE.values)

    @pytest.mark.parametrize("pattern", ["runs", "runs/*", "runs/system=*/part-0.parquet"])
    def test_a_system_distinguishes_runs(self, tmp_path, pattern):
        self.put(tmp_path, "runs/system=bm25%201/part-0.parquet", ROWS)
        self.put(tmp_path, "runs/system=dense/part-0.parquet", ROWS[::2])
        scores = cf.evaluate(QRELS, f"{tmp_path}/{pattern}", MEASURES)
        assert scores.runs == ("bm25 1", "dense")
        np.testing.assert_array_equal(scores.values[:, 0], WHOLE.values[:, 0])

    def test_a_query_may_be_one(self, tmp_path):
        for query in QRELS:
            rows = [row for row in ROWS if row[0] == query]
            self.put(tmp_path, f"run/query={query}/part-0.parquet", rows, without=["query"])
        np.testing.assert_array_equal(cf.evaluate(QRELS, tmp_path / "run", MEASURES).values, WHOLE.values)

    def test_a_column_of_the_files_is_not_replaced(self, tmp_path):
        self.put(tmp_path, "run/query=other/part-0.parquet", ROWS)
        np.testing.assert_array_equal(cf.evaluate(QRELS, tmp_path / "run", MEASURES).values, WHOLE.values)

    def test_no_value_is_none(self, tmp_path):
        self.put(tmp_path, "run/query=__HIVE_DEFAULT_PARTITION__/part-0.parquet", ROWS[:1], without=["query"])
        with pytest.raises(DataError, match="query"):
            cf.evaluate(QRELS, tmp_path / "run", "AP")

    def test_a_part_without_a_column_that_others_have_is_named(self, tmp_path):
        self.put(tmp_path, "run/part-0.parquet", ROWS[:20])
        self.put(tmp_path, "run/part-1.parquet", ROWS[20:], without=["score"])
        with pytest.raises(DataError, match=r"part-1.parquet: no column gives the score"):
            cf.evaluate(QRELS, tmp_path / "run", "AP")

    def test_a_part_that_does_not_say_its_system_is_named(self, tmp_path):
        (tmp_path / "part-0.parquet").write_bytes(_table_of("bm25", ROWS[::2]))
        self.put(tmp_path, "part-1.parquet", ROWS[1::2])
        with pytest.raises(DataError, match=r"part-1.parquet: has no column 'system', which .*part-0.parquet has"):
            cf.evaluate(QRELS, tmp_path, "AP")


class TestWhatIsWrong:
    def test_a_link_that_leads_back_is_told(self, tmp_path):
        (tmp_path / "run").mkdir()
        (tmp_path / "run" / "part-0.run").write_bytes(trec(ROWS))
        (tmp_path / "run" / "part-1").symlink_to(tmp_path / "run")
        with pytest.raises(DataError, match="is a link to a folder that it is in"):
            cf.evaluate(QRELS, tmp_path / "run", "AP")

    def test_a_part_that_is_gone_by_the_time_it_is_read_is_told(self, tmp_path):
        for part in range(3):
            (tmp_path / f"part-{part}.parquet").write_bytes(parquet(ROWS[part::3]))
        run = cf.read_run(tmp_path)
        (tmp_path / "part-1.parquet").unlink()
        with pytest.raises(DataError, match=r"part-1.parquet: cannot be read: no such file"):
            cf.evaluate(QRELS, run, "AP")

    def test_a_part_that_nobody_may_read_is_told(self, tmp_path, monkeypatch):
        for part in range(2):
            (tmp_path / f"part-{part}.run").write_bytes(trec(ROWS[part::2]))
        monkeypatch.setattr("os.access", lambda path, how: path.name != "part-1.run")  # root may read everything
        with pytest.raises(DataError, match=r"part-1.run: cannot be read: permission denied"):
            cf.evaluate(QRELS, tmp_path, "AP")

    def test_a_folder_of_several_runs_is_not_taken_for_one(self, tmp_path):
        for name in ("bm25", "dense"):
            (tmp_path / f"{name}.run").write_bytes(trec(ROWS))
        with pytest.raises(DataError, match=r"has bm25\.run and dense\.run; a folder is read as one run") as error:
            cf.evaluate(QRELS, tmp_path, "AP")
        assert str(error.value).endswith(f"name them by a pattern in quotes: '{tmp_path}/*'.")

    def test_files_of_several_formats(self, tmp_path):
        (tmp_path / "part-0.run").write_bytes(trec(ROWS[::2]))
        (tmp_path / "part-1.run").write_bytes(csv(ROWS[1::2]))
        with pytest.raises(DataError, match=r"part-0\.run looks like trec, part-1\.run looks like csv"):
            cf.evaluate(QRELS, tmp_path, "AP")

    @pytest.mark.parametrize("name", ["nothing-*.run", "empty"])
    def test_no_files(self, tmp_path, name):
        (tmp_path / "empty").mkdir()
        with pytest.raises(DataError, match="there are no files"):
            cf.evaluate(QRELS, str(tmp_path / name), "AP")

    def test_a_document_in_two_parts_is_listed_twice(self, tmp_path):
        for part in range(2):
            (tmp_path / f"part-{part}.csv").write_bytes(csv(ROWS[:3]))
        with pytest.raises(DataError, match=r"row 4: query 'q0' lists document 'd0' again; it is already on row 1"):
            cf.evaluate(QRELS, tmp_path, "AP")

    def test_a_bad_line_is_named_with_its_own_file(self, tmp_path):
        (tmp_path / "part-0.run").write_bytes(trec(ROWS[:5]))
        (tmp_path / "part-1.run").write_bytes(trec(ROWS[5:9]) + b"\nq9 Q0 d1\n")
        with pytest.raises(DataError, match=r"part-1\.run, line 5: "):
            cf.evaluate(QRELS, tmp_path, "AP")

    def test_json_objects_do_not_go_on_in_another_file(self, tmp_path):
        for part in range(2):
            (tmp_path / f"run-{part}.json").write_text(json.dumps({"q0": {"d0": 1.5}}))
        with pytest.raises(DataError, match="is not a table that could go on in another file"):
            cf.evaluate(QRELS, str(tmp_path / "run-*.json"), "AP")

    def test_a_damaged_part(self, tmp_path):
        (tmp_path / "part-0.run.gz").write_bytes(gzip.compress(trec(ROWS[:50])))
        (tmp_path / "part-1.run.gz").write_bytes(gzip.compress(trec(ROWS[50:]))[:-20])
        with pytest.raises(DataError, match=r"part-1\.run\.gz: the compressed data are damaged"):
            cf.evaluate(QRELS, tmp_path, "AP")


def test_check_tells_how_many_files_there_are(tmp_path):
    for part in range(3):
        (tmp_path / f"part-{part}.csv").write_bytes(csv(ROWS[part::3]))
    report = cf.check([tmp_path])
    assert [(file.kind, file.format) for file in report.files] == [("run", "csv, 3 files")]


def test_files_come_in_the_order_of_their_names(tmp_path):
    for name in ("part-10", "part-2", "part-1", "_temporary"):
        (tmp_path / name).write_text("")
    assert [path.name for path in files_of(str(tmp_path))] == ["part-1", "part-10", "part-2"]
