"""The compiled loops give what the plain ones give: the same arrays, the same findings, the same words."""

from __future__ import annotations

from functools import partial
from random import Random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import cranfield as cf
from cranfield.align import Alignment, align
from cranfield.errors import DataError
from cranfield.formats import spilling
from cranfield.formats.source import as_source
from cranfield.kernels import CHOICE
from tests.effort import examples
from tests.kernels.files import DOCUMENTS, QUERIES, random_run
from tests.parity.collections import COLLECTIONS

scan = pytest.importorskip("cranfield.kernels.compiled", reason="the compiled loops are not built")
chunks = pytest.importorskip("cranfield.kernels.chunks")
streaming = pytest.importorskip("cranfield.kernels.streaming")

JUDGMENTS = cf.read_judgments(
    {query: {document: at % 3 for at, document in enumerate(DOCUMENTS[at::2])} for at, query in enumerate(QUERIES[:6])}
)
ORDERS = ("document", "document-ascending", "given")
COLUMNS = ("starts", "rows", "ranks", "grades", "above", "tied", "retrieved", "ties")


def told(aligned):
    """Everything an alignment tells, or the words of the error it ends with."""
    try:
        alignment: Alignment = aligned()
    except DataError as error:
        return str(error)
    columns = {name: (array.dtype, array.tolist()) for name in COLUMNS for array in [getattr(alignment, name)]}
    return columns, alignment.unknown, alignment.warnings, alignment.run, alignment.path


def both(path, judgments=JUDGMENTS, **options):
    """What plain and compiled loops tell about a file."""
    found = []
    for kernels in ("plain", "compiled"):
        with pytest.MonkeyPatch.context() as patch:
            patch.setenv(CHOICE, kernels)
            found.append(told(lambda: align(cf.read_run(path, format="trec"), judgments, **options)))
    return found


def places(text, *, threads=1, size=1 << 16, **options):
    """What the compiled loops alone make of a text; None where they leave it to the plain ones."""
    options = {"ties": "document", "single": False} | options
    return streaming.places(as_source(text).open, JUDGMENTS, threads=threads, size=size, **options)


@pytest.fixture
def write(tmp_path):
    def written(text):
        path = tmp_path / "a.run"
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        return path

    return written


class TestSameAsPlain:
    @pytest.mark.parametrize("size", [1, 100, 1 << 19])
    @examples(150)
    @given(
        seed=st.integers(0, 1 << 32),
        ties=st.sampled_from(ORDERS),
        precision=st.sampled_from(["double", "single"]),
        must_meet=st.booleans(),
        threads=st.sampled_from([1, 2, 4]),
        returns=st.sampled_from([0, 3, 1 << 14]),
    )
    def test_for_any_file(self, tmp_path_factory, size, seed, ties, precision, must_meet, threads, returns):
        path = tmp_path_factory.getbasetemp() / "fuzz.run"
        path.write_bytes(random_run(Random(seed)))
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(streaming, "places", partial(streaming.places, threads=threads, size=size))
            patch.setattr(chunks, "MOST_RETURNS", returns)
            patch.setattr(spilling, "HELD", 1 << seed % 12)
            plain, compiled = both(path, ties=ties, precision=precision, must_meet=must_meet)
        assert compiled == plain

    @examples(150)
    @given(st.binary(max_size=60), st.integers(0, 1000))
    def test_for_bytes_that_are_anything(self, tmp_path_factory, noise, seed):
        sound = random_run(Random(seed))
        at = seed % (len(sound) + 1)
        path = tmp_path_factory.getbasetemp() / "noise.run"
        path.write_bytes(sound[:at] + noise + sound[at:])
        plain, compiled = both(path)
        assert compiled == plain

    @pytest.mark.parametrize("collection", COLLECTIONS, ids=lambda collection: collection.folder)
    def test_for_every_run_of_the_real_collections(self, shared_data, collection):
        folder = shared_data / collection.folder
        judgments = cf.read_judgments(folder / collection.qrels)
        runs = sorted(folder.glob(collection.runs))
        assert runs
        for run in runs:
            plain, compiled = both(run, judgments)
            assert compiled == plain
            assert sum(plain[0]["retrieved"][1]) > 0

    @pytest.mark.parametrize("folder", ["01-trec_eval-tests", "13-dirty-inputs"])
    def test_for_every_file_of_these_folders_run_or_not(self, shared_data, folder):
        files = [path for path in sorted((shared_data / folder).rglob("*")) if path.is_file()]
        assert len(files) >= 5
        for path in files:
            plain, compiled = both(path)
            assert compiled == plain


class TestReadHere:
    """What the compiled loops read themselves."""

    @pytest.mark.parametrize(
        "text",
        [
            "q1 Q0 d4 1 2 t\nq1 Q0 d2 2 1 t\n",
            "q1 Q0 d4 1 2 t",
            "q1\tQ0\td4\t1\t2\tt\r\nq1 Q0  d2 2 1 t \r\n",
            "\n \nq1 Q0 d4 1 2 t\n\n\t\n q1 Q0 d2 2 1 t\n\n",
            "é Q0 中 1 2 t\né Q0 😀 2 1 t\n",
            "q1 Q0 d4 1 2 t\nq2 Q0 d4 1 2 t\nq1 Q0 d2 2 1 t\n",
            "q1 Q0 d4 2 1 t\nq1 Q0 d2 1 2 t\n",
            "q1 Q0 d4 0 1 t\nq1 Q0 d2 0 2 t\n",
            "q1 Q0 d4 1.0 inf t\nq1 Q0 d2 2e0 -Infinity t\n",
            "never Q0 d4 1 2 t\nq1 Q0 d4 1 2 t\n",
            "q1 Q0 d4 1 0.12345678901234567890123 t\n",
        ],
        ids=lambda text: text[:24],
    )
    def test_files_about_which_there_is_nothing_to_tell(self, write, text):
        path = write(text)
        assert places(path) is not None
        plain, compiled = both(path)
        assert compiled == plain
        assert plain[2] == ()

    @pytest.mark.parametrize(
        "text",
        [
            b"",
            b"q1 Q0 d1 1 2 t\n# comment\n",
            b"q1 Q0 d1 1 2\n",
            b"q1 Q0 d1 1 2 t t\n",
            b"q1 Q0 d1 1 x t\n",
            b"q1 Q0 d1 1 nan t\n",
            b"q1 Q0 d1 1 1_0 t\n",
            b"q1 Q0 d1 - 1 t\n",
            b"q1 Q0 d1 1 1 t\nq1 Q0 d2 2 2 t\n",
            b"q1 Q0 d1 1 2 t\nq1 Q0 d1 2 1 t\n",
            b"q1 Q0 d1 1 2 t\nq2 Q0 d1 1 2 t\nq1 Q0 d1 2 1 t\n",
            b"q1 Q0 \xff 1 2 t\n",
            b"\xff Q0 d1 1 2 t\n",
            b"q1 Q0 d1 1 2 t\x00\n",
            b"q1 Q0 d\x01 1 2 t\n",
            b"\xef\xbb\xbfq1 Q0 d1 1 2 t\n",
        ],
        ids=repr,
    )
    def test_not_files_about_which_there_is(self, write, text):
        path = write(text)
        assert places(path) is None
        plain, compiled = both(path)
        assert compiled == plain

    def test_bytes_that_are_no_text_where_nobody_reads_them(self, write):
        assert places(write(b"q1 \xff d1 1 2 \xfe\n")) is not None

    def test_not_a_run_whose_documents_never_meet_the_judged_ones(self, write):
        plain, compiled = both(write("q1 Q0 never 1 2 t\nq2 Q0 never 1 2 t\né Q0 never 1 1 t\n"))
        assert compiled == plain
        assert "document" in plain

    def test_not_with_judgments_that_have_several_grades(self, write):
        rows = [("q1", "d1", 1), ("q1", "d1", 0)]
        judgments = cf.Judgments(("q1",), np.array([0, 2]), tuple(d for _, d, _ in rows), np.array([1.0, 0.0]))
        plain, compiled = both(write("q1 Q0 d1 1 2 t\n"), judgments)
        assert compiled == plain
        assert isinstance(plain, str)

    def test_not_with_ids_that_have_no_bytes(self, write):
        judgments = cf.Judgments(("q1",), np.array([0, 2]), ("d1", "\ud800"), np.array([1.0, 1.0]))
        plain, compiled = both(write("q1 Q0 d1 1 2 t\n"), judgments)
        assert compiled == plain


class TestBuffers:
    def test_a_chunk_must_end_with_a_line(self):
        judged = scan.Judged(("q",), ("d",), np.array([0, 1]))
        for text, end in [(b"q Q0 d 1 1 t", 12), (b"q Q0 d 1 1 t\n", 99), (b"", 0), (b"q\n", -1)]:
            with pytest.raises(ValueError, match="line end"):
                scan.scan(judged, bytearray(text + bytes(scan.SLACK)), end, ties="document", single=False)

    def test_a_buffer_needs_room_behind_the_chunk(self):
        judged = scan.Judged(("q",), ("d",), np.array([0, 1]))
        text = b"q Q0 d 1 1 t\n"
        with pytest.raises(ValueError, match="room"):
            scan.scan(judged, bytearray(text + bytes(scan.SLACK - 1)), len(text), ties="document", single=False)
        with pytest.raises(ValueError, match="room"):
            scan.cut(bytearray(text), len(text))

    def test_lines_are_put_side_by_side_by_query(self):
        text = b"b 1\na 1\n\n b 2\nc 1\na 2\n"
        parts = [bytearray(), bytearray()]
        assert scan.sort_into(parts, scan.Numbering(), bytearray(text + bytes(scan.SLACK)), len(text), add_new=True)
        whole = [bytes(room[:end]) for room, end in map(scan.side_by_side, parts)]
        assert whole == [b"b 1\n b 2\nc 1\n", b"a 1\na 2\n"]

    def test_only_lines_of_numbered_queries_are_taken_if_these_are_all(self):
        text, part = b"b 1\na 1\nb 2\n", bytearray()
        buffer = bytearray(text + bytes(scan.SLACK))
        assert scan.sort_into([part], chunks.numbering_of([b"b"]), buffer, len(text), add_new=False)
        room, end = scan.side_by_side(part)
        assert room[:end] == b"b 1\nb 2\n"

    def test_a_line_without_a_query_is_sorted_nowhere(self):
        text = b"b 1\n\x01 1\n"
        assert not scan.sort_into([bytearray()], scan.Numbering(), bytearray(text + bytes(scan.SLACK)), 8, add_new=True)

    def test_a_line_must_lie_inside_its_part(self):
        with pytest.raises(ValueError, match="inside"):
            scan.side_by_side(bytearray(b"\0\0\0\0\x09\0\0\0b 1\n"))

    @pytest.mark.parametrize("starts", [[0], [0, 2], [1, 1], [0, 1, 1]])
    def test_judgments_must_be_what_they_say(self, starts):
        with pytest.raises(ValueError, match="starts"):
            scan.Judged(("q",), ("d",), np.array(starts))

    @pytest.mark.parametrize(
        ("text", "whole"),
        [
            ("", 0),
            ("a 1\na 2\n", 0),
            ("a 1\nb 2\n", 4),
            ("a 1\nb 2\nb 3\nb", 4),
            ("a 1\n\nb 2\n\n", 5),
            ("ab 1\na 2\n", 5),
            ("a 1\nb 2", 0),
            (" a 1\n  b 1\n b 2\n", 5),
        ],
    )
    def test_a_text_is_cut_where_its_last_query_begins(self, text, whole):
        assert scan.cut(bytearray(text.encode() + bytes(scan.SLACK)), len(text)) == whole
