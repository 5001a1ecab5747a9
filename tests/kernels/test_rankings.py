"""Whole rankings by compiled loops: the same as plain ones give, or nothing where there may be something to tell."""

import math

import numpy as np
import pytest

from cranfield import kernels
from cranfield.data.run import Run
from cranfield.errors import DataError, Findings
from cranfield.formats import read_run
from cranfield.formats.run_writing import RankedDocuments, trec_run
from cranfield.fusing.lists import total

compiled = pytest.importorskip("cranfield.kernels.compiled")

REGULAR = "q1 Q0 d1 1 2.5 tag\nq1 Q0 d\u00fc 2 -1e-3 tag\nq2 Q0 \u6f22\u5b57 1 inf tag\n"


def read(run: Run) -> object:
    findings = Findings()
    try:
        rankings = [
            (r.query, list(r.documents), r.scores.tolist(), list(r.lines), None if r.ranks is None else list(r.ranks))
            for r in run.rankings(findings)
        ]
    except DataError as error:
        return str(error)
    return rankings, [str(finding) for finding in findings.warnings]


@pytest.mark.parametrize(
    "text",
    [
        REGULAR,
        REGULAR.removesuffix("\n"),
        REGULAR.replace(" ", "\t"),
        REGULAR.replace("\n", "\r\n"),
        REGULAR.replace(" tag", "  tag"),
        REGULAR.replace("-1e-3 tag", "-1e-3 other"),
        REGULAR.replace("-1e-3 tag", "-1e-3"),
        REGULAR.replace("-1e-3 tag", "-1e-3 tag more"),
        REGULAR.replace("-1e-3", "1_000"),
        REGULAR.replace("-1e-3", "nan"),
        REGULAR.replace("-1e-3", "0x10"),
        REGULAR.replace(" 2 -1e-3", " two -1e-3"),
        REGULAR.replace(" 2 -1e-3", " 02 -1e-3"),
        REGULAR.replace(" 2 -1e-3", " 7 -1e-3"),
        REGULAR.replace(" 1 2.5", " 5 2.5"),
        REGULAR.replace(" 1 ", " 0 ").replace(" 2 ", " 1 "),
        REGULAR.replace("-1e-3", "99"),
        REGULAR.replace("d\u00fc", "d\u00fc\u001f"),
        REGULAR.replace("d\u00fc", "d1"),
        REGULAR + "q1 Q0 d9 3 -5 tag\n",
        "# a run\n" + REGULAR,
        REGULAR.replace("\n", "\n\n"),
        "\n" + REGULAR,
        REGULAR + "#q3 Q0 d1 1 1 tag\n",
        REGULAR + "q3 Q0 d1 1 1 ta",
        REGULAR.replace("d1", "d" * 5000),
    ],
)
def test_a_run_is_read_as_plain_loops_read_it(tmp_path, text):
    path = tmp_path / "a.run"
    path.write_bytes(text.encode())
    found = read(read_run(path))
    with kernels.plain_only():
        assert read(read_run(path)) == found


def test_ids_that_are_not_utf8_are_left_to_plain_loops():
    assert compiled.run_columns(b"q1 Q0 d\xff 1 2.5 tag\n", 1) is None


def test_every_number_and_id_of_many_lines_is_the_same(tmp_path):
    rng = np.random.default_rng(0)
    drawn = rng.normal(0, 10 ** rng.uniform(-300, 300, 500), 500)
    numbers = [*drawn.tolist(), 0.0, -0.0, 5e-324, 1.7976931348623157e308, 0.1]
    rows = [(f"q{at // 50}", f"d{at}" * (1 + at % 7), at % 50 + 1, n) for at, n in enumerate(numbers)]
    path = tmp_path / "a.run"
    path.write_text("".join(f"{query} Q0 {document} {rank} {n!r} x\n" for query, document, rank, n in rows))
    queries, documents, scores, ranks, tag = compiled.run_columns(path.read_bytes(), len(rows))
    assert (queries, documents, tag) == ([row[0] for row in rows], [row[1] for row in rows], b"x")
    assert np.frombuffer(scores).tobytes() == np.array(numbers).tobytes()
    assert np.frombuffer(ranks).tolist() == [row[2] for row in rows]


@pytest.mark.parametrize("documents", [["d1", "d2"], ["\u6f22", "d" * 9000], []])
def test_lines_are_written_as_plain_loops_write_them(documents):
    for scores in ([1.0, 0.1], [-0.0, 5e-324], [math.inf, -math.inf], [1e22, 1e-7], [1 / 3, 123456789012345.6]):
        ranking = RankedDocuments("q\u00e4", documents, scores[: len(documents)])
        written = "".join(trec_run([ranking], "my run"))
        with kernels.plain_only():
            assert "".join(trec_run([ranking], "my run")) == written


def test_documents_get_numbers_as_they_come():
    places = {"a": 0}
    numbers = np.empty(4, dtype=np.int64)
    compiled.numbers_in(["b", "a", "c", "b"], places, numbers)
    assert numbers.tolist() == [1, 0, 2, 1]
    assert places == {"a": 0, "b": 1, "c": 2}


@pytest.mark.parametrize("count", [1, 3, 11])
def test_the_largest_of_a_row_are_those_of_a_sort(count):
    rng = np.random.default_rng(count)
    for values in (rng.normal(size=(5, 40)), rng.integers(0, 3, (5, 40)).astype(float), np.full((2, 11), -np.inf)):
        largest = np.empty((len(values), count))
        compiled.largest_in_rows(values, largest)
        assert largest.tolist() == np.sort(values, axis=1)[:, -count:].tolist()


def test_weighted_sums_have_the_bits_of_plain_ones():
    rng = np.random.default_rng(7)
    terms, weights = rng.normal(size=(5, 301)), rng.random((64, 5))
    terms[rng.random(terms.shape) < 0.3] = np.nan
    found = total(terms, weights)
    with kernels.plain_only():
        assert total(terms, weights).tobytes() == found.tobytes()
