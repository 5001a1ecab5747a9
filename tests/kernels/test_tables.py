"""Compiled reading of Arrow tables gives what plain reading gives: the same arrays, findings and words."""

from __future__ import annotations

from random import Random

import duckdb
import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

import cranfield as cf
from cranfield.align import align
from cranfield.data.judgments import Ids
from cranfield.errors import DataError, Findings
from cranfield.formats import spilling
from cranfield.kernels import CHOICE
from tests.effort import examples
from tests.kernels.test_scan import COLUMNS, ORDERS
from tests.parity.collections import COLLECTIONS

pa = pytest.importorskip("pyarrow")
pq = pytest.importorskip("pyarrow.parquet")
compiled = pytest.importorskip("cranfield.kernels.compiled", reason="the compiled loops are not built")
chunks = pytest.importorskip("cranfield.kernels.chunks")
tables = pytest.importorskip("cranfield.kernels.tables")

from tests.kernels.arrow_tables import NAMES, NUMBERS, TEXTS, WHOLE, random_judgments_table, random_run_table  # noqa: E402

JUDGMENTS = cf.read_judgments(
    {
        str(query): {str(document): at % 3 for at, document in enumerate((*TEXTS[at::2], *WHOLE[at::3]))}
        for at, query in enumerate((*NAMES[:6], *NUMBERS[1:9]))
    }
)


def by_both(read):
    """What reading gives with plain and with compiled loops, or the words of the error it ends with."""
    found = []
    for kernels in ("plain", "compiled"):
        with pytest.MonkeyPatch.context() as patch:
            patch.setenv(CHOICE, kernels)
            try:
                found.append(read())
            except DataError as error:
                found.append(str(error))
    return found


def aligned(source, judgments=JUDGMENTS, **options):
    alignment = align(cf.read_run(source), judgments, **options)
    columns = {name: (array.dtype, array.tolist()) for name in COLUMNS for array in [getattr(alignment, name)]}
    return columns, alignment.unknown, alignment.warnings, alignment.run, alignment.path


def judged(source, **options):
    judgments = cf.read_judgments(source, **options)
    rows = judgments.starts.tolist(), list(judgments.documents), [grade.hex() for grade in judgments.grades.tolist()]
    return judgments.queries, *rows, judgments.extra, judgments.path, judgments.warnings


def places(table, judgments=JUDGMENTS, ties="document"):
    """What the compiled loops alone make of a run; None where they leave it to the plain ones."""
    return cf.read_run(table).at_once(judgments, ties=ties, single=False)


def read_here(table):
    """Whether the compiled loops themselves read some judgments."""
    return isinstance(cf.read_judgments(table).documents, Ids)


def in_small_pieces(patch, rows, threads=2):
    patch.setattr(tables, "ROWS", rows)
    patch.setattr(tables, "FEW", 1 + rows // 2)
    patch.setattr(chunks, "MOST_RETURNS", 2 * rows)
    patch.setattr(chunks, "cores", lambda: threads)


def described(columns):
    """Columns as the name of a test; an Arrow array prints where it is in memory."""
    return ", ".join(
        f"{name} {column.to_pylist()} {column.type}" if isinstance(column, pa.Array) else f"{name} {column}"
        for name, column in columns.items()
    )


RUN = {"qid": ["q1", "q1", "q2", "é"], "docno": ["d0", "中", "d3", "d3"], "score": [2.0, 1.0, 3.0, 1.0]}
LABELS = {"qid": ["q1", "q1", "é"], "docno": ["d1", "中", "d1"], "label": [2, 0, 1]}
NAN, INF = float("nan"), float("inf")


class TestSameAsPlain:
    @pytest.mark.parametrize("rows", [1, 2, 7, 1 << 17])
    @examples(250)
    @given(
        seed=st.integers(0, 1 << 32),
        ties=st.sampled_from(ORDERS),
        precision=st.sampled_from(["double", "single"]),
        must_meet=st.booleans(),
        threads=st.sampled_from([1, 2, 4]),
    )
    def test_for_any_run(self, rows, seed, ties, precision, must_meet, threads):
        table = random_run_table(Random(seed))
        with pytest.MonkeyPatch.context() as patch:
            in_small_pieces(patch, rows, threads)
            plain, at_once = by_both(lambda: aligned(table, ties=ties, precision=precision, must_meet=must_meet))
        assert at_once == plain

    @pytest.mark.parametrize("rows", [1, 7, 1 << 17])
    @examples(250)
    @given(seed=st.integers(0, 1 << 32))
    def test_for_any_judgments(self, rows, seed):
        table = random_judgments_table(Random(seed))
        with pytest.MonkeyPatch.context() as patch:
            in_small_pieces(patch, rows)
            plain, at_once = by_both(lambda: judged(table))
        assert at_once == plain

    def test_most_of_these_are_read_here(self):
        runs = [random_run_table(Random(seed)) for seed in range(300)]
        assert sum(places(table) is not None for table in runs) > 130
        read = 0
        for seed in range(300):
            try:
                read += read_here(random_judgments_table(Random(seed)))
            except DataError:
                continue
        assert read > 130

    @pytest.mark.parametrize("collection", COLLECTIONS, ids=lambda collection: collection.folder)
    def test_for_every_run_of_the_real_collections(self, shared_data, tmp_path, collection):
        folder = shared_data / collection.folder
        qrels = cf.read_judgments(folder / collection.qrels)
        runs = sorted(folder.glob(collection.runs))
        assert runs
        for path in runs:
            table = as_table(cf.read_run(path))
            plain, at_once = by_both(lambda table=table: aligned(table, qrels))
            assert at_once == plain
            assert sum(plain[0]["retrieved"][1]) > 0


def as_table(run):
    rankings = list(run.rankings(Findings()))
    return pa.table(
        {
            "qid": [ranking.query for ranking in rankings for _ in ranking.documents],
            "docno": [document for ranking in rankings for document in ranking.documents],
            "score": np.concatenate([ranking.scores for ranking in rankings]),
        }
    )


def batches_of(table):
    return pa.RecordBatchReader.from_batches(table.schema, table.to_batches(max_chunksize=1))


IN_MEMORY = {
    "pyarrow": lambda table: table,
    "pyarrow, in chunks": lambda table: pa.concat_tables([table.slice(0, 1), table.slice(1)]),
    "pyarrow, a reader": batches_of,
    "polars": lambda table: pl.from_arrow(table),
    "polars, lazy": lambda table: pl.from_arrow(table).lazy(),
    "polars, categories": lambda table: pl.from_arrow(table).with_columns(pl.col("qid", "docno").cast(pl.Categorical)),
    "pandas": lambda table: table.to_pandas(),
    "pandas, categories": lambda table: table.to_pandas().astype({"qid": "category", "docno": "category"}),
    "duckdb": lambda table: duckdb.from_arrow(table),
}


def write_parquet(table, path):
    pq.write_table(table, path, row_group_size=2)


def write_file(table, path):
    with pa.OSFile(str(path), "wb") as target, pa.ipc.new_file(target, table.schema) as writer:
        writer.write_table(table)


def write_stream(table, path):
    with pa.OSFile(str(path), "wb") as target, pa.ipc.new_stream(target, table.schema) as writer:
        writer.write_table(table)


FILES = {"parquet": write_parquet, "arrow file": write_file, "arrow stream": write_stream}


class TestReadHere:
    """What the compiled loops read themselves."""

    @pytest.mark.parametrize("library", IN_MEMORY)
    def test_tables_of_every_library(self, library):
        run, labels = IN_MEMORY[library](pa.table(RUN)), IN_MEMORY[library](pa.table(LABELS))
        assert read_here(labels)
        run = cf.read_run(run)
        assert run.at_once(JUDGMENTS, ties="document", single=False).retrieved.tolist() == [2, 1, 1]
        plain, at_once = by_both(lambda: aligned(run))
        assert at_once == plain

    @pytest.mark.parametrize("kind", FILES)
    def test_files_of_every_kind(self, tmp_path, kind):
        FILES[kind](pa.table(RUN), tmp_path / "run")
        FILES[kind](pa.table(LABELS), tmp_path / "labels")
        assert places(tmp_path / "run").retrieved.tolist() == [2, 1, 1]
        assert read_here(tmp_path / "labels")
        for read in (lambda: aligned(tmp_path / "run"), lambda: judged(tmp_path / "labels")):
            plain, at_once = by_both(read)
            assert at_once == plain
        assert cf.read_judgments(tmp_path / "labels").path == str(tmp_path / "labels")

    @pytest.mark.parametrize(
        "type_",
        [
            *(pa.string(), pa.large_string(), pa.string_view()),
            *(pa.dictionary(pa.int8(), pa.string()), pa.dictionary(pa.uint64(), pa.large_string())),
        ],
        ids=str,
    )
    def test_ids_that_are_text(self, type_):
        columns = {name: pa.array(RUN[name]).cast(type_) for name in ("qid", "docno")}
        assert places(pa.table(RUN | columns)).ranks.tolist() == places(pa.table(RUN)).ranks.tolist()
        columns = {name: pa.array(LABELS[name]).cast(type_) for name in ("qid", "docno")}
        assert read_here(pa.table(LABELS | columns))

    @pytest.mark.parametrize(
        "type_",
        [
            pa.int8(),
            pa.uint16(),
            pa.int32(),
            pa.uint32(),
            pa.int64(),
            pa.uint64(),
            pa.dictionary(pa.int8(), pa.int32()),
        ],
        ids=str,
    )
    def test_ids_that_are_whole_numbers(self, type_):
        table = {"user_id": pa.array([1, 1, 2], type_), "item_id": pa.array([7, 0, 100], type_)}
        run, labels = pa.table(table | {"score": [2.0, 1.0, 0.5]}), pa.table(table | {"rating": [0, 1, 2]})
        assert read_here(labels)
        labels = cf.read_judgments(labels)
        assert {query: labels[query] for query in labels} == {"1": {"7": 0, "0": 1}, "2": {"100": 2}}
        assert places(run, labels).ranks.tolist() == [1, 2, 1]

    @given(st.lists(st.integers(-(2**63), 2**63 - 1), min_size=1, unique=True))
    @examples(200)
    def test_whole_numbers_are_the_ids_that_python_writes(self, numbers):
        near = [number for power in range(19) for number in (10**power - 1, 10**power, -(10**power), 1 - 10**power)]
        numbers = list(dict.fromkeys([*numbers, *near, 2**63 - 1, -(2**63)]))
        column = compiled.IdColumn(np.array(numbers))
        assert [column[row] for row in range(len(column))] == [str(number).encode() for number in numbers]
        table = pa.table({"qid": numbers, "docno": numbers, "label": [1] * len(numbers)})
        labels = cf.read_judgments(table)
        assert labels.queries == tuple(labels.documents) == tuple(map(str, numbers))

    @pytest.mark.parametrize("type_", [pa.float16(), pa.float32(), pa.float64(), pa.int8(), pa.uint64()], ids=str)
    def test_scores_and_grades_that_are_numbers_of_any_kind(self, type_):
        assert places(pa.table(RUN | {"score": pa.array(RUN["score"]).cast(type_)})).ranks.tolist() == [1, 2, 1, 1]
        assert read_here(pa.table(LABELS | {"label": pa.array(LABELS["label"], type_)}))

    def test_numbers_beyond_what_floats_tell_apart(self):
        scores = pa.array([2**53, 2**53 + 1, 2**53 + 3, 1])
        assert places(pa.table(RUN | {"score": scores})).tied.tolist() == [2, 2, 1, 1]

    @pytest.mark.parametrize(
        "columns",
        [
            {"score": [INF, -INF, 0.0, 1e300]},
            {"rank": [1, 2, 1, 1]},
            {"rank": [0.0, 1.0, -3.0, INF]},
            {"rank": [7, 7, 7, 7]},
            {"score": [1.0, 2.0, 3.0, 1.0]},
            {"score": [1.0, 2.0, 3.0, 1.0], "rank": [2, 1, 1, 1]},
            {"qid": ["nobody", "q1", "q2", "é"]},
            {"docno": ["d0", "a\x01b", "d3", " "]},
            {"note": [[1], [], None, [2]]},
        ],
        ids=str,
    )
    def test_runs_about_which_there_is_nothing_to_tell(self, columns):
        table = pa.table(RUN | columns)
        assert places(table) is not None
        plain, at_once = by_both(lambda: aligned(table))
        assert at_once == plain
        assert plain[2] == ()

    def test_a_run_with_ranks_alone(self):
        table = pa.table({"qid": ["q1", "q1"], "docno": ["d4", "d2"], "rank": [2, 1]})
        found = places(table)
        assert [JUDGMENTS.documents[row] for row in found.rows] == ["d2", "d4"]
        plain, at_once = by_both(lambda: aligned(table))
        assert at_once == plain

    def test_columns_that_the_user_names(self):
        table = pa.table({"a": ["q1"], "b": ["d2"], "c": [0.5], "docno": ["x"]})
        run = cf.read_run(table, columns="query=a,document=b,score=c")
        assert run.at_once(JUDGMENTS, ties="document", single=False).ranks.tolist() == [1]
        run = cf.read_run(table, columns="query,document,score,_")
        assert run.at_once(JUDGMENTS, ties="document", single=False).ranks.tolist() == [1]
        named = cf.read_judgments(table, columns="query=a,document=b,grade=c")
        assert isinstance(named.documents, Ids)
        assert named["q1"] == {"d2": 0.5}

    def test_a_stream_that_can_be_read_once_serves_twice(self):
        run = cf.read_run(batches_of(pa.table(RUN)))
        assert by_both(lambda: aligned(run)) == [aligned(pa.table(RUN))] * 2


class TestLeftToThePlainLoops:
    @pytest.mark.parametrize(
        "columns",
        [
            {"qid": ["q1", None, "q2", "é"]},
            {"docno": ["d0", "", "d3", "d3"]},
            {"docno": ["d0", "a\x00b", "d3", "d3"]},
            {"docno": ["d0", "exactly8 and more\x00", "d3", "d3"]},
            {"docno": ["d0", "d0", "d3", "d3"]},
            {"docno": pa.array(["d0", "d0", "d3", "d3"]).dictionary_encode()},
            {"docno": pa.DictionaryArray.from_arrays([0, 1, 0, 0], ["d3", "d3"])},
            {"docno": pa.DictionaryArray.from_arrays([0, 1, 0, 0], ["d3", None])},
            {"docno": pa.array([1, 2, 3, 2**63], pa.uint64())},
            {"docno": [1.0, 2.0, 3.0, 3.0]},
            {"docno": [b"d0", b"d1", b"d3", b"d3"]},
            {"score": [1.0, NAN, 2.0, 3.0]},
            {"score": [1.0, None, 2.0, 3.0]},
            {"score": ["1", "2", "3", "4"]},
            {"score": [True, False, True, True]},
            {"rank": [2, 1, 1, 1]},
            {"rank": [1, None, 1, 1]},
            {"rank": [1.0, NAN, 1.0, 1.0]},
            {"rank": ["1", "2", "1", "1"]},
        ],
        ids=described,
    )
    def test_runs_about_which_there_is_something_to_tell(self, columns):
        table = pa.table(RUN | columns)
        assert places(table) is None
        plain, at_once = by_both(lambda: aligned(table))
        assert at_once == plain

    @pytest.mark.parametrize("ranks", [[1, None], [1.0, NAN], [1.0, INF], [1.0, 1e101]], ids=str)
    def test_ranks_that_are_none_where_there_is_no_score(self, ranks):
        table = pa.table({"qid": ["q1", "q1"], "docno": ["d4", "d2"], "rank": ranks})
        assert places(table) is None
        plain, at_once = by_both(lambda: aligned(table))
        assert at_once == plain

    @pytest.mark.parametrize(
        "columns",
        [
            {"qid": ["q1", None, "q2"]},
            {"docno": ["d1", "", "d1"]},
            {"docno": ["d1", "d1", "d1"]},
            {"docno": [1.0, 2.0, 3.0]},
            {"label": [1.0, NAN, 2.0]},
            {"label": [1, None, 2]},
            {"label": [1.0, 1e101, 2.0]},
            {"label": [True, False, True]},
            {"judge": ["a", "b", "a"]},
            {"iteration": [1, 2, 1]},
            {"weight": [1, 2, 1]},
        ],
        ids=str,
    )
    def test_judgments_about_which_there_is_something_to_tell(self, columns):
        table = pa.table(LABELS | columns)
        plain, at_once = by_both(lambda: judged(table))
        assert at_once == plain
        assert isinstance(plain, str) or not read_here(table)

    def test_judgments_in_groups(self):
        table = pa.table(LABELS | {"subtopic": ["1", "2", "1"]})
        plain, at_once = by_both(lambda: judged(table, groups="subtopic"))
        assert at_once == plain

    @pytest.mark.parametrize("kind", FILES)
    def test_damaged_files(self, tmp_path, kind):
        path = tmp_path / "labels"
        FILES[kind](pa.table({name: values * 100 for name, values in LABELS.items()}), path)
        path.write_bytes(path.read_bytes()[: -len(path.read_bytes()) // 3])
        plain, at_once = by_both(lambda: judged(path))
        assert at_once == plain
        assert "labels" in plain
        plain, at_once = by_both(lambda: aligned(path))
        assert at_once == plain

    @pytest.mark.parametrize("table", [{"a": [1], "b": [2]}, {"qid": ["q1"], "docno": ["d1"], "label": [1]}, LABELS])
    def test_tables_of_other_columns(self, table):
        plain, at_once = by_both(lambda: aligned(pa.table(table)))
        assert at_once == plain
        plain, at_once = by_both(lambda: judged(pa.table(table)))
        assert at_once == plain

    def test_tables_without_rows(self):
        table = pa.table(
            {"qid": pa.array([], pa.string()), "docno": pa.array([], pa.int64()), "score": pa.array([], pa.float64())}
        )
        assert places(table) is None
        plain, at_once = by_both(lambda: aligned(table))
        assert at_once == plain
        table = table.rename_columns(["qid", "docno", "label"])
        plain, at_once = by_both(lambda: judged(table))
        assert at_once == plain

    @pytest.mark.parametrize("text", [b"\xff", b"\xed\xa0\x80", b"\xc3", b"d\xe9"])
    def test_text_that_is_none(self, text):
        wrong = pa.array([b"d0", text, b"d3", b"d3"], pa.binary()).view(pa.string())
        for columns in ({"docno": wrong}, {"qid": wrong}, {"docno": wrong.dictionary_encode()}):
            with pytest.raises(DataError, match="Invalid UTF8 sequence at string index 1"):
                places(pa.table(RUN | columns))


ROWS = [(f"q{query}", f"d{document}", (7 * document) % 5) for query in range(1, 40) for document in range(12)]


class TestQueriesThatComeBack:
    def table(self, rows, ids=str):
        named = dict(zip(("qid", "docno", "score"), zip(*rows, strict=True), strict=True))
        if ids is int:
            named |= {name: [int(id_[1:]) for id_ in named[name]] for name in ("qid", "docno")}
        if ids is dict:
            named |= {name: pa.array(named[name]).dictionary_encode() for name in ("qid", "docno")}
        return pa.table(named)

    @pytest.mark.parametrize("ids", [str, int, dict])
    @pytest.mark.parametrize("ties", ORDERS)
    @pytest.mark.parametrize("rows", [1, 5, 64, 1 << 17])
    def test_get_all_their_documents(self, monkeypatch, ids, ties, rows):
        in_small_pieces(monkeypatch, rows)
        prefix = ("", "") if ids is int else ("q", "d")
        labels = cf.read_judgments(
            {f"{prefix[0]}{query}": {f"{prefix[1]}{at}": 1 for at in range(12)} for query in range(1, 30)}
        )
        mixed, some = list(ROWS), [*ROWS[3:], *ROWS[:3]]
        Random(3).shuffle(mixed)
        for run in (mixed, some, ROWS):
            table = self.table(run, ids)
            assert places(table, labels, ties=ties) is not None
            plain, at_once = by_both(lambda table=table: aligned(table, labels, ties=ties))
            assert at_once == plain
            assert plain[0]["retrieved"][1] == [12] * 29

    @pytest.mark.parametrize(("rows", "all_at_once"), [(1, True), (1 << 17, False)])
    def test_are_collected_alone_unless_most_of_them_do(self, monkeypatch, rows, all_at_once):
        asked = []
        put = tables._sorted
        monkeypatch.setattr(tables, "_sorted", lambda *given: asked.append(given[1] is None) or put(*given))
        in_small_pieces(monkeypatch, rows)
        mixed = list(ROWS)
        Random(3).shuffle(mixed)
        labels = cf.read_judgments({f"q{query}": {"d1": 1} for query in range(1, 30)})
        assert places(self.table(mixed), labels).found.tolist() == [1] * 29
        assert asked == [all_at_once]

    @pytest.mark.parametrize("ids", [str, int, dict])
    def test_in_judgments_stand_together(self, ids):
        mixed = list(ROWS)
        Random(4).shuffle(mixed)
        table = self.table(mixed, ids).rename_columns(["qid", "docno", "label"])
        assert read_here(table)
        plain, at_once = by_both(lambda: judged(table))
        assert at_once == plain


def test_one_query_of_many_pieces_is_one_ranking(monkeypatch):
    in_small_pieces(monkeypatch, 10)
    table = pa.table(
        {"qid": ["q1"] * 995 + ["q2"] * 5, "docno": [f"d{at}" for at in range(1000)], "score": [1.0] * 1000}
    )
    assert places(table).retrieved.tolist() == [995, 5]


class TestColumns:
    TEXT = (np.array([0, 1, 3]), b"abb")

    @pytest.mark.parametrize(
        "parts",
        [
            (None, None, None),
            (None, np.array([0, 1]), None),
            (np.array([0]), None, b"a"),
            (None, np.array([], dtype=np.int64), b""),
            (None, np.array([1, 0]), b"a"),
            (None, np.array([0, 2]), b"a"),
            (None, np.array([-1, 1]), b"a"),
            (np.array([0, 2]), *TEXT),
            (np.array([-1]), *TEXT),
            (np.array([0]), np.array([0]), b""),
        ],
        ids=str,
    )
    def test_must_be_what_they_say(self, parts):
        with pytest.raises(ValueError, match="text"):
            compiled.IdColumn(*parts)

    def test_give_the_id_of_a_row(self):
        column = compiled.IdColumn(np.array([1, 0, 1]), *self.TEXT)
        assert [column[row] for row in range(len(column))] == [b"bb", b"a", b"bb"]
        for row in (-1, 3):
            with pytest.raises(IndexError):
                column[row]

    @pytest.mark.parametrize(
        ("numbers", "edges"),
        [([], (0, 0)), ([5], (1, 0)), ([5, 5], (2, 0)), ([5, 6], (1, 1)), ([5, 5, 6, 5, 5], (2, 3))],
    )
    def test_tell_where_their_first_and_last_ids_end_and_begin(self, numbers, edges):
        assert compiled.IdColumn(np.array(numbers, dtype=np.int64)).edges() == edges

    def test_of_one_table_are_of_one_length(self):
        known = compiled.Judged(("q",), ("d",), np.array([0, 1]))
        one, two = compiled.IdColumn(np.array([1])), compiled.IdColumn(np.array([1, 2]))
        for columns in (
            (one, two, np.zeros(1), None),
            (one, one, np.zeros(2), None),
            (one, one, np.zeros(1), np.zeros(2)),
        ):
            with pytest.raises(ValueError, match="one length"):
                compiled.scan_columns(known, *columns, ties="document", single=False)
        with pytest.raises(ValueError, match="one length"):
            compiled.Gathering(largest=9).add(one, two, np.zeros(1))

    def test_that_have_been_put_together_take_no_more(self):
        one = compiled.IdColumn(np.array([1]))
        gathering = compiled.Gathering(largest=9)
        assert gathering.add(one, one, np.ones(1))
        queries, starts, documents, begins, _ = gathering.together()
        with pytest.raises(ValueError, match="put together"):
            gathering.add(one, one, np.ones(1))
        starts, begins = (np.frombuffer(part, dtype=np.int64) for part in (starts, begins))
        compiled.Judged(queries, documents, starts, begins, gathering.queries)
        with pytest.raises(ValueError, match="no others"):
            gathering.queries.numbers_of(one, add_new=True)
        with pytest.raises(ValueError, match="not those"):
            compiled.Judged(("1", "2"), documents, np.array([0, 1, 1]), begins, gathering.queries)

    def test_with_something_wrong_are_no_judgments(self):
        one, none = compiled.IdColumn(np.array([1])), compiled.IdColumn(None, np.array([0, 0]), b"")
        for columns in ((one, none, np.ones(1)), (none, one, np.ones(1)), (one, one, np.array([10.0]))):
            gathering = compiled.Gathering(largest=9)
            assert gathering.add(one, one, np.ones(1))
            assert not gathering.add(*columns)
            assert gathering.together() is None


class TestRowsOfPartsOfARun:
    """What is sorted into parts comes back whole, each query's rows together."""

    ROWS = tuple((f"q{query}", f"d{rank}", float(rank % 3), float(rank)) for rank in range(9) for query in range(7))

    def columns(self, ids):
        queries, documents, scores, ranks = zip(*self.ROWS, strict=True)
        column = {
            str: lambda names: tables._ids(pa.array(names)),
            dict: lambda names: tables._ids(pa.array(names).dictionary_encode()),
            int: lambda names: tables._ids(pa.array([int(name[1:]) for name in names])),
        }[ids]
        return column(queries), column(documents), np.array(scores), np.array(ranks)

    @pytest.mark.parametrize("ids", [str, dict, int])
    @pytest.mark.parametrize("has_ranks", [True, False])
    def test_come_back(self, ids, has_ranks):
        queries, documents, scores, ranks = self.columns(ids)
        numbering, parts = compiled.Numbering(), [bytearray() for _ in range(3)]
        given = (scores, ranks if has_ranks else None)
        assert compiled.sort_rows_into(parts, numbering, queries, documents, *given, add_new=True)
        found = []
        for at, part in enumerate(parts):
            *ids_, own, own_ranks = compiled.rows_side_by_side(part, numbering, at, 3, has_ranks=has_ranks)
            assert (own_ranks is None) == (not has_ranks)
            values = np.frombuffer(own), np.frombuffer(own_ranks or own)
            found += [
                (*(column[row].decode() for column in ids_), *(v[row] for v in values)) for row in range(len(ids_[0]))
            ]
        prefix = 1 if ids is int else 0
        expected = [(q[prefix:], d[prefix:], s, r if has_ranks else s) for q, d, s, r in self.ROWS]
        assert sorted(found) == sorted(expected)
        by_query = [query for query, *_ in found]
        assert all(by_query.index(query) + by_query.count(query) > at for at, query in enumerate(by_query))

    def test_of_some_queries_are_all_that_is_taken(self):
        queries, documents, scores, _ = self.columns(str)
        numbering, parts = compiled.Numbering(), [bytearray()]
        numbering.numbers_of(tables._ids(pa.array(["q3", "q5"])), add_new=True)
        assert compiled.sort_rows_into(parts, numbering, queries, documents, scores, None, add_new=False)
        ids, *_ = compiled.rows_side_by_side(parts[0], numbering, 0, 1, has_ranks=False)
        assert [ids[row] for row in range(len(ids))] == [b"q3"] * 9 + [b"q5"] * 9

    def test_that_lie_nowhere_are_refused(self):
        queries, documents, scores, ranks = self.columns(str)
        numbering, parts = compiled.Numbering(), [bytearray()]
        compiled.sort_rows_into(parts, numbering, queries, documents, scores, None, add_new=True)
        for wrong in (parts[0][:-1], b"short", b"\xff" * 40):
            with pytest.raises(ValueError, match="inside its part"):
                compiled.rows_side_by_side(wrong, numbering, 0, 1, has_ranks=False)
        with pytest.raises(ValueError, match="one length"):
            compiled.sort_rows_into(parts, numbering, queries, documents, scores[1:], None, add_new=True)
        with pytest.raises(ValueError, match="one length"):
            compiled.sort_rows_into(parts, numbering, queries, documents, scores, ranks[1:], add_new=True)
        with pytest.raises(ValueError, match="a part"):
            compiled.sort_rows_into([], numbering, queries, documents, scores, None, add_new=True)
        nothing = tables._ids(pa.array([""] * len(queries)))
        assert not compiled.sort_rows_into(parts, numbering, nothing, documents, scores, None, add_new=True)


@pytest.mark.parametrize("held", [0, 1 << 27])
@pytest.mark.parametrize("columns", ["score", "rank", "both"])
def test_rows_of_scattered_queries_that_are_too_many_to_be_held_are_sorted_in_a_file(monkeypatch, held, columns):
    monkeypatch.setattr(spilling, "HELD", held)
    in_small_pieces(monkeypatch, 5)
    rows = [(f"q{query}", f"d{document}", 9.0 - document, document + 1) for query in range(40) for document in range(9)]
    Random(5).shuffle(rows)
    named = dict(zip(("qid", "docno", "score", "rank"), zip(*rows, strict=True), strict=True))
    if columns != "both":
        named.pop("rank" if columns == "score" else "score")
    labels = cf.read_judgments({f"q{query}": {"d0": 1, "d8": 2} for query in range(30)})
    table = pa.table(named)
    assert places(table, labels) is not None
    plain, at_once = by_both(lambda: aligned(table, labels))
    assert at_once == plain
