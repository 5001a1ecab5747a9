"""Several grades for a document, by subtopic, judge or comparison: the same from every format."""

import json

import duckdb
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.parquet
import pytest

from cranfield.errors import DataError
from cranfield.formats import read_judgments
from tests.formats.reading import kinds, wrong_in_judgments

ROWS = [
    {"query": "q1", "subtopic": "s1", "document": "a", "grade": 1},
    {"query": "q1", "subtopic": "s2", "document": "a", "grade": 0},
    {"query": "q1", "subtopic": "s2", "document": "b", "grade": 2},
    {"query": "q2", "subtopic": "s1", "document": "a", "grade": 1},
]
COLUMNS = {name: [row[name] for row in ROWS] for name in ROWS[0]}
NESTED = {"q1": {"s1": {"a": 1}, "s2": {"a": 0, "b": 2}}, "q2": {"s1": {"a": 1}}}


def by_group(judgments):
    """Grades by query, number of the group and document."""
    groups = judgments.groups
    found = {}
    for query, start, end in zip(judgments.queries, groups.starts, groups.starts[1:], strict=False):
        for row, number, grade in zip(*(part[start:end] for part in groups[2:5]), strict=True):
            found.setdefault(query, {}).setdefault(int(number), {})[judgments.documents[row]] = grade
    return found


EXPECTED = {"q1": {0: {"a": 1}, 1: {"a": 0, "b": 2}}, "q2": {0: {"a": 1}}}


class TestFiles:
    def read(self, path, **options):
        return by_group(read_judgments(path, groups="subtopic", **options))

    def test_trec(self, write):
        lines = "".join("{query} {subtopic} {document} {grade}\n".format(**row) for row in ROWS)
        assert self.read(write(lines)) == EXPECTED

    @pytest.mark.parametrize("delimiter", [",", "\t", ";"])
    def test_delimited(self, write, delimiter):
        lines = [delimiter.join(ROWS[0]), *(delimiter.join(map(str, row.values())) for row in ROWS)]
        assert self.read(write("\n".join(lines))) == EXPECTED

    def test_json_lines(self, write):
        assert self.read(write("\n".join(map(json.dumps, ROWS)))) == EXPECTED

    def test_a_list_of_records(self, write):
        assert self.read(write(json.dumps(ROWS))) == EXPECTED

    def test_an_object_with_a_level_more(self, write):
        assert self.read(write(json.dumps(NESTED))) == EXPECTED
        assert self.read(write(json.dumps(NESTED, indent=1))) == EXPECTED

    def test_parquet(self, tmp_path):
        pa.parquet.write_table(pa.table(COLUMNS), tmp_path / "qrels.parquet")
        assert self.read(tmp_path / "qrels.parquet") == EXPECTED

    def test_columns_of_other_names(self, write):
        lines = "\n".join(["query,aspect,document,grade", *(",".join(map(str, row.values())) for row in ROWS)])
        assert self.read(write(lines), columns="subtopic=aspect") == EXPECTED

    def test_a_row_without_its_group_is_an_error(self, write):
        (finding,) = wrong_in_judgments(write("query,subtopic,document,grade\nq,,d,1\n"), groups="subtopic")
        assert (finding.kind, finding.line) == ("bad-subtopic-id", 2)
        assert finding.message == "the subtopic id is missing; expected text or a whole number"


TABLES = {
    "pandas": lambda: pd.DataFrame(COLUMNS),
    "polars": lambda: pl.DataFrame(COLUMNS),
    "pyarrow": lambda: pa.table(COLUMNS),
    "duckdb": lambda: duckdb.from_arrow(pa.table(COLUMNS)),
    "records": lambda: ROWS,
}


@pytest.mark.parametrize("library", TABLES)
def test_tables_of_every_library(library):
    assert by_group(read_judgments(TABLES[library](), groups="subtopic")) == EXPECTED


@pytest.mark.parametrize("name", ["judge", "rater", "annotator_id"])
def test_judges_stand_in_a_column_of_their_own(name):
    rows = [{name if key == "subtopic" else key: value for key, value in row.items()} for row in ROWS]
    assert by_group(read_judgments(rows, groups="judge")) == EXPECTED


def test_a_missing_group_in_a_table_is_an_error():
    rows = [*ROWS, {**ROWS[0], "subtopic": None}]
    (finding,) = wrong_in_judgments(rows, groups="subtopic")
    assert (finding.kind, finding.line) == ("bad-subtopic-id", 5)


def test_weights_are_numbers():
    judgments = read_judgments([{**row, "weight": 0.5} for row in ROWS])
    assert judgments.extra["weight"] == ("0.5",) * 4
    assert kinds(wrong_in_judgments([{**ROWS[0], "weight": "heavy"}])) == ["weight-not-a-number"]


class TestDictionaries:
    @pytest.mark.parametrize("kind", ["subtopic", "judge", "preference"])
    def test_groups_stand_between_query_and_document(self, kind):
        assert by_group(read_judgments(NESTED, groups=kind)) == EXPECTED

    def test_a_list_is_of_relevant_documents(self):
        judgments = read_judgments({"q": {"s1": ["a"], "s2": {"a": 0, "b": 1}}}, groups="subtopic")
        assert by_group(judgments) == {"q": {0: {"a": 1}, 1: {"a": 0, "b": 1}}}

    def test_entries_are_counted_through_all_groups(self):
        nested = {"q1": {"s1": {"a": 1, "b": 1}}, "q2": {"s1": {"a": 1}, "s2": {"a": "x"}}}
        (finding,) = wrong_in_judgments(nested, groups="subtopic")
        assert (finding.kind, finding.line, finding.unit) == ("grade-not-a-number", 4, "entry")

    def test_without_groups_one_level_less_is_expected(self):
        (finding,) = wrong_in_judgments({"q1": {"s1": {"a": 1}}})
        assert finding.in_full() == (
            "query 'q1' has documents below another name, where their grades were expected\n"
            "Write {query: {document: grade}}. Grades by subtopic or judge need a measure that reads several, such as "
            "alpha_nDCG@20 or AP_avgjg; with read_judgments, add groups='subtopic'."
        )

    def test_a_query_of_another_shape_is_refused(self):
        for other in ({"a": 1}, {"s1": {"a": 1}, "s2": 3}, ["a"]):
            (finding,) = wrong_in_judgments({"q1": {"s1": {"a": 1}}, "q2": other}, groups="subtopic")
            found = "a text" if isinstance(other, list) else "a number"
            assert finding.in_full() == (
                f"query 'q2' has {found}; expected {{query: {{subtopic: {{document: grade}}}}}} as for other queries\n"
                "Rewrite it in that shape, or as one row per grade."
            )

    def test_one_group_for_all_where_there_are_none(self):
        judgments = read_judgments({"q": {"a": 1, "b": 0}}, groups="subtopic")
        assert by_group(judgments) == {"q": {0: {"a": 1, "b": 0}}}
        assert kinds(judgments.warnings) == ["one-subtopic"]

    def test_nothing_is_an_error(self):
        with pytest.raises(DataError, match="no judgments found"):
            read_judgments({}, groups="subtopic")
