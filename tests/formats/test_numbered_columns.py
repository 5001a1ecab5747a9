"""Columns of which each value is kept once, the same from compiled and from plain loops."""

from random import Random

import numpy as np
import pytest

import cranfield as cf
from cranfield import kernels
from cranfield.errors import CranfieldError
from cranfield.formats import numbered_columns
from cranfield.formats.numbered_columns import numbered
from tests.effort import more

HEADER = "query,document,judge,grade\n"
LONG = HEADER + "".join(f"q{at % 3},d{at % 7},j{at % 5},{at % 4}\n" for at in range(40))
PIECES = (
    *(
        '"',
        '""',
        "\r\n",
        "\n",
        "\n\n",
        "\r",
        ",",
        ",,",
        "\t",
        ";",
        " ",
        "\0",
        "\x0b",
        "\x1c",
        "ä",
        "\xa0",
        "漢",
        "\ufeff",
    ),
    *("'", "'=", "'-1", "-", "NA", "0", "1", "1.0", "0,5", "1,234", "true", "yes", "q1", "d1", "j1", "grade", "#"),
)


def outcome(path, choice):
    """All that is read, or what is said instead."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv(kernels.CHOICE, choice)
        try:
            labels = cf.read_labels(path)
        except CranfieldError as error:
            return str(error)
    columns = [column.tolist() for column in (labels.of_judge, labels.of_item, labels.values, labels.of_query)]
    return columns, labels.judges, labels.queries, labels.documents, labels.categories, list(map(str, labels.warnings))


def test_values_are_numbered_as_they_come():
    column = numbered(["b", "a", "b", "c"])
    assert column.names == ["b", "a", "c"]
    assert column.at.tolist() == [0, 1, 0, 2]
    assert numbered(column) is column


def test_a_numbered_column_is_a_sequence_of_its_values():
    column = numbered(["b", "a", "b", "c"])
    assert list(column) == ["b", "a", "b", "c"]
    assert (len(column), column[2], column[1:3]) == (4, "b", ["a", "b"])
    assert "c" in column


@pytest.mark.skipif(not kernels.are_compiled(), reason="the compiled loops are not there")
@pytest.mark.parametrize(
    "text",
    [
        LONG,
        LONG.rstrip("\n"),
        "\n \n" + LONG,
        LONG.replace(",", ";"),
        LONG.replace(",", "\t"),
        LONG.replace("d1", "é"),
        LONG.replace("d1", ""),
        LONG.replace("j1", "'=j1"),
        LONG.replace("grade", "grade "),
    ],
)
def test_regular_lines_are_read_by_compiled_loops_alone(text, tmp_path, monkeypatch):
    path = tmp_path / "labels.csv"
    path.write_text(text, encoding="utf-8", newline="")
    expected = outcome(path, "plain")
    monkeypatch.setattr(numbered_columns, "rows_of_text", None)
    assert outcome(path, "compiled") == expected


@pytest.mark.skipif(not kernels.are_compiled(), reason="the compiled loops are not there")
@pytest.mark.parametrize(
    "text",
    [
        LONG.replace("q1,d1", '"q1","d1"'),
        LONG.replace("\n", "\r\n"),
        LONG.replace("d1", "d\r1"),
        LONG.replace("\n", "\n\n"),
        LONG + "q1,d9\n",
        LONG + "q1,d9,j1,2,3\n",
        LONG + " , , , \n",
        LONG.replace(",", "\t") + "\t\t\t\n",
        LONG.replace("query", "quéry"),
        HEADER,
        HEADER.rstrip("\n"),
        HEADER + "\n",
        "query,document,judge,judge\nq1,d1,j1,1\n",
        "query\nq1\n",
    ],
)
def test_what_is_not_regular_is_read_by_plain_loops(text, tmp_path):
    path = tmp_path / "labels.csv"
    path.write_text(text, encoding="utf-8", newline="")
    assert outcome(path, "compiled") == outcome(path, "plain")


@pytest.mark.skipif(not kernels.are_compiled(), reason="the compiled loops are not there")
@pytest.mark.parametrize("other", ["windows-1252", "latin2"])
def test_other_encodings_are_found_out_by_plain_loops(other, tmp_path):
    path = tmp_path / "labels.csv"
    path.write_bytes(LONG.replace("d1", "é").replace("d2", "ż" if other == "latin2" else "ü").encode(other))
    assert outcome(path, "compiled") == outcome(path, "plain")


@pytest.mark.skipif(not kernels.are_compiled(), reason="the compiled loops are not there")
@pytest.mark.parametrize("seed", range(more(60)))
def test_damaged_files_are_read_alike_or_refused_in_the_same_words(seed, tmp_path):
    rng = Random(seed)
    text = LONG.replace(",", rng.choice([",", ",", "\t", ";"]))
    for _ in range(rng.randrange(1, 4)):
        at = rng.randrange(len(text))
        text = text[:at] + rng.choice(PIECES) + text[at + rng.randrange(3) :]
    path = tmp_path / "labels.csv"
    path.write_text(text, encoding="utf-8", newline="")
    assert outcome(path, "compiled") == outcome(path, "plain")


def test_lines_are_those_of_the_file_whatever_is_between(tmp_path):
    path = tmp_path / "labels.csv"
    path.write_text(LONG.replace("q2,d2,j2,2\n", "\n\nq2,d2,j2,2\n") + "q0,d0,j0,3\n", encoding="utf-8")
    with pytest.raises(CranfieldError, match=r"labels.csv, line 44: .* the grade 3, but 0 on line 2"):
        cf.read_labels(path)


def test_names_without_their_guards_may_be_the_same(tmp_path):
    path = tmp_path / "labels.csv"
    path.write_text(HEADER + "q1,=d,ada,1\nq1,'=d,ben,2\nq1,'d,ben,0\n", encoding="utf-8")
    labels = cf.read_labels(path)
    assert labels.documents == ("=d", "'d")
    assert np.array_equal(labels.grades, [[1, np.nan], [2, 0]], equal_nan=True)


def test_fields_are_refused_that_fit_no_columns():
    compiled = pytest.importorskip("cranfield.kernels.compiled", reason="the compiled loops are not built")
    one = compiled.Numbering()
    assert [bytes(column) for column in compiled.numbers_of_fields(b"a\nb\na\n", b",", [one])] == [
        np.array([0, 1, 0]).tobytes()
    ]
    assert one.names() == ("a", "b")
    assert compiled.numbers_of_fields(b"c,d", b",", [one]) is None
    for delimiter, columns in ((b",,", [one]), (b",", []), (b"", [one]), (b",", [None])):
        with pytest.raises(ValueError, match="numbers its own"):
            compiled.numbers_of_fields(b"a\n", delimiter, columns)
