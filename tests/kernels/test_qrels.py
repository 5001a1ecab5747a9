"""Compiled reading of TREC judgments gives what plain reading gives: the same rows, the same words."""

from __future__ import annotations

import io
from random import Random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import cranfield as cf
from cranfield.data.judgments import Ids
from cranfield.errors import DataError
from cranfield.kernels import CHOICE
from tests.effort import examples
from tests.kernels.files import random_judgments
from tests.parity.collections import COLLECTIONS

compiled = pytest.importorskip("cranfield.kernels.compiled", reason="the compiled loops are not built")
qrels = pytest.importorskip("cranfield.kernels.qrels")


def told(path, groups=None):
    """Everything judgments tell, or the words of the error they end with."""
    try:
        judgments = cf.read_judgments(path, format="trec", groups=groups)
    except DataError as error:
        return str(error)
    by_group = judgments.groups and [
        (column.dtype, column.tolist()) if isinstance(column, np.ndarray) else column for column in judgments.groups
    ]
    rows = judgments.starts.tolist(), list(judgments.documents), [grade.hex() for grade in judgments.grades.tolist()]
    return judgments.queries, *rows, judgments.extra, judgments.path, judgments.warnings, by_group


def both(path, groups=None):
    found = []
    for kernels in ("plain", "compiled"):
        with pytest.MonkeyPatch.context() as patch:
            patch.setenv(CHOICE, kernels)
            found.append(told(path, groups))
    return found


def read(text, fields=4):
    """What the compiled loops alone make of a text; None where they leave it to the plain ones."""
    return qrels.of_lines(io.BytesIO(text.encode()), None, fields=fields)


def by_group(text):
    """The same by what stands in the second column."""
    return qrels.by_group(io.BytesIO(text.encode()), None, kind="subtopic")


class TestSameAsPlain:
    @examples(300)
    @given(seed=st.integers(0, 1 << 32), columns=st.sampled_from([3, 4]))
    def test_for_any_file(self, tmp_path_factory, seed, columns):
        path = tmp_path_factory.getbasetemp() / "fuzz.qrels"
        path.write_bytes(random_judgments(Random(seed), columns))
        plain, at_once = both(path)
        assert at_once == plain

    @pytest.mark.parametrize("groups", ["subtopic", "judge"])
    @examples(200)
    @given(seed=st.integers(0, 1 << 32))
    def test_for_any_file_by_group(self, tmp_path_factory, groups, seed):
        path = tmp_path_factory.getbasetemp() / "grouped.qrels"
        path.write_bytes(random_judgments(Random(seed), 4, groups=("1", "2", "ada", "é", "model:x", "4-exactly8")))
        plain, at_once = both(path, groups)
        assert at_once == plain

    @examples(150)
    @given(st.binary(max_size=60), st.integers(0, 1000))
    def test_for_bytes_that_are_anything(self, tmp_path_factory, noise, seed):
        sound = random_judgments(Random(seed))
        at = seed % (len(sound) + 1)
        path = tmp_path_factory.getbasetemp() / "noise.qrels"
        path.write_bytes(sound[:at] + noise + sound[at:])
        plain, at_once = both(path)
        assert at_once == plain

    @pytest.mark.parametrize("collection", COLLECTIONS, ids=lambda collection: collection.folder)
    def test_for_the_real_collections(self, shared_data, collection):
        plain, at_once = both(shared_data / collection.folder / collection.qrels)
        assert at_once == plain
        assert len(plain[2]) > 100

    def test_for_every_dirty_file(self, shared_data):
        files = [path for path in sorted((shared_data / "13-dirty-inputs").rglob("*")) if path.is_file()]
        assert len(files) >= 5
        for path in files:
            plain, at_once = both(path)
            assert at_once == plain, path


class TestReadHere:
    def test_rows_of_a_query_stand_side_by_side_as_they_came(self):
        judgments = read("q2 0 b 1\nq1 0 a 0\nq2 0 a 2\n\n  q1\t0 é -1.5 \r\n")
        assert isinstance(judgments.documents, Ids)
        assert judgments.queries == ("q2", "q1")
        assert {query: judgments[query] for query in judgments} == {"q2": {"b": 1, "a": 2}, "q1": {"a": 0, "é": -1.5}}

    def test_three_columns(self):
        assert read("q1 a 1\nq1 b 0\n", fields=3)["q1"] == {"a": 1, "b": 0}

    def test_many_queries(self):
        judgments = read("".join(f"q{at % 1000} 0 d{at} {at % 3}\n" for at in range(5000)))
        assert len(judgments.queries) == 1000
        assert judgments["q7"] == {f"d{at}": at % 3 for at in range(7, 5000, 1000)}


class TestReadByGroup:
    def test_a_document_is_there_once_with_all_its_grades(self):
        judgments = by_group("q2 x b 1\nq1 y a 0\nq2 y b 3\nq2 y c 2\nq1 x a 0\n")
        assert isinstance(judgments.documents, Ids)
        assert list(judgments.documents) == ["c", "b", "a"]
        assert judgments.grades.tolist() == [2, 3, 0]
        groups = judgments.groups
        assert [column.tolist() for column in groups[1:5]] == [
            [0, 3, 5],
            [1, 1, 0, 2, 2],
            [0, 1, 1, 0, 1],
            [1, 3, 2, 0, 0],
        ]
        assert groups.owners == ((0, 1), (0, 1))

    def test_many_documents_and_many_judges(self, tmp_path):
        rows = [f"q{at % 7} j{at % 501} d{at % 300} {at % 4}\n" for at in range(20000)]
        path = tmp_path / "judges.qrels"
        path.write_text("".join(dict.fromkeys(rows)))
        plain, at_once = both(path, "judge")
        assert at_once == plain

    @pytest.mark.parametrize("text", ["q1 x a 1\nq1 x a 1\n", "q1 x a 1\nq1 x b 1\n", "q1 x a\n", "q1 y a x\n"])
    def test_whatever_there_is_to_tell_is_left_to_the_plain_loops(self, text):
        assert by_group(text) is None


class TestLeftToThePlainLoops:
    @pytest.mark.parametrize(
        "text",
        [
            "q1 0 d1 1\nq1 0 d1 1\n",
            "q1 0 d1 1\nq2 0 d1 1\nq1 0 d1 2\n",
            "# told\nq1 0 d1 1\n",
            "q1 0 d1\n",
            "q1 0 d1 1 1\n",
            "q1 0 d1 x\n",
            "q1 0 d1 nan\n",
            "q1 0 d1 inf\n",
            "q1 0 d1 1e101\n",
            "\ufeffq1 0 d1 1\n",
            "\x01 0 d1 1\n",
            "",
            "\n",
        ],
    )
    def test_whatever_there_is_to_tell(self, text):
        assert read(text) is None

    def test_nothing_outside_the_buffer(self):
        for end in (0, -1, 11, 12):
            with pytest.raises(ValueError, match="room to spare"):
                compiled.judgments_in(bytearray(b"q1 0 d1 1\n") + bytes(compiled.SLACK), end, fields=4, largest=9)

    def test_no_other_layout(self):
        with pytest.raises(ValueError, match="three or four"):
            compiled.judgments_in(bytearray(b"q1 0 d1 1\n") + bytes(compiled.SLACK), 10, fields=5, largest=9)


def test_judgments_from_a_file_and_from_a_dictionary_align_alike(tmp_path):
    path = tmp_path / "a.qrels"
    path.write_text("q1 0 é 1\nq1 0 d2 0\nq2 0 d3 2\n")
    run = "q1 Q0 d2 1 3 t\nq1 Q0 é 2 2 t\nq2 Q0 d3 1 1 t\n"
    (tmp_path / "a.run").write_text(run)
    of_file = cf.evaluate(path, tmp_path / "a.run", ["AP", "nDCG"])
    of_dictionary = cf.evaluate({"q1": {"é": 1, "d2": 0}, "q2": {"d3": 2}}, tmp_path / "a.run", ["AP", "nDCG"])
    assert of_file.values.tolist() == of_dictionary.values.tolist()
    assert of_file["AP"].tolist() == [[0.5, 1.0]]
