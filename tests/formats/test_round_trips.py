"""Whatever is written in a format is read back equal."""

import csv
import gzip
import io
import json

import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.parquet
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.formats.reading import judged, retrieved

# Ids that every format can hold: no blanks, and no # that would start a comment.
# A file that begins with a byte order mark begins after it.
ids = st.text(
    st.characters(exclude_categories=["Cs", "Cc", "Zs", "Zl", "Zp"], exclude_characters="#\ufeff"), min_size=1
)
whole_grades = st.integers(-2, 4).map(float)
any_grades = whole_grades | st.floats(-1e100, 1e100)
any_scores = st.floats(allow_nan=False)


def nested(values):
    return st.dictionaries(ids, st.dictionaries(ids, values, min_size=1, max_size=6), min_size=1, max_size=6)


def rows(grades):
    return [(query, document, value) for query, of_query in grades.items() for document, value in of_query.items()]


def as_trec_judgments(grades):
    return "".join(f"{query} 0 {document} {grade!r}\n" for query, document, grade in rows(grades)).encode()


def as_trec_run(scores):
    return "".join(f"{query}\tQ0\t{document}\t0\t{score!r}\tt\r\n" for query, document, score in rows(scores)).encode()


def as_delimited(delimiter, value, lineterminator="\n"):
    def write(scores):
        target = io.StringIO(newline="")
        writer = csv.writer(target, delimiter=delimiter, lineterminator=lineterminator)
        writer.writerow(["query_id", "doc_id", value])
        writer.writerows((query, document, repr(number)) for query, document, number in rows(scores))
        return target.getvalue().encode()

    return write


def as_json(scores):
    return json.dumps(scores, indent=1).encode()


def as_json_lines(value):
    def write(scores):
        lines = [
            json.dumps({"qid": query, "docno": document, value: number}) for query, document, number in rows(scores)
        ]
        return "\n".join(lines).encode()

    return write


def as_parquet(value):
    def write(scores):
        target = io.BytesIO()
        pyarrow.parquet.write_table(as_arrow(value)(scores), target)
        return target.getvalue()

    return write


def columns(scores):
    return [list(column) for column in zip(*rows(scores), strict=True)]


def as_arrow(value):
    return lambda scores: pa.table(columns(scores), names=["query_id", "doc_id", value])


def as_polars(value):
    return lambda scores: pl.DataFrame(dict(zip(["query_id", "doc_id", value], columns(scores), strict=True)))


def as_pandas(value):
    return lambda scores: pd.DataFrame(dict(zip(["query_id", "doc_id", value], columns(scores), strict=True)))


def opened(content):
    return io.BytesIO(content) if isinstance(content, bytes) else content


JUDGMENT_WRITERS = {
    "trec": as_trec_judgments,
    "trec, compressed": lambda grades: gzip.compress(as_trec_judgments(grades)),
    "csv": as_delimited(",", "relevance"),
    "tsv": as_delimited("\t", "grade", "\r\n"),
    "json": as_json,
    "jsonl": as_json_lines("label"),
    "parquet": as_parquet("rel"),
    "dictionary": dict,
    "rows": rows,
    "arrow": as_arrow("rating"),
    "pandas": as_pandas("label"),
    "polars": as_polars("label"),
}
RUN_WRITERS = {
    "trec": as_trec_run,
    "csv": as_delimited(",", "score"),
    "semicolons": as_delimited(";", "score"),
    "json": as_json,
    "jsonl": as_json_lines("score"),
    "parquet": as_parquet("score"),
    "dictionary": dict,
    "rows": rows,
    "arrow": as_arrow("score"),
    "pandas": as_pandas("score"),
    "polars": as_polars("score"),
}


@pytest.mark.parametrize("format", JUDGMENT_WRITERS)
@given(grades=nested(any_grades))
def test_judgments_are_read_as_they_were_written(format, grades):
    assert judged(opened(JUDGMENT_WRITERS[format](grades))) == grades


@pytest.mark.parametrize("format", RUN_WRITERS)
@given(scores=nested(any_scores))
def test_runs_are_read_as_they_were_written(format, scores):
    assert retrieved(opened(RUN_WRITERS[format](scores))) == scores


@given(scores=nested(any_scores), order=st.randoms(use_true_random=False))
def test_the_order_of_lines_does_not_matter_to_what_is_read(scores, order):
    lines = as_trec_run(scores).splitlines(keepends=True)
    order.shuffle(lines)
    assert retrieved(io.BytesIO(b"".join(lines))) == scores
