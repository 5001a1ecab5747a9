"""One grade from several: every rule, its ties, and the files that say which it was."""

import json
import math

import numpy as np
import pytest

import cranfield as cf
from cranfield import demo
from cranfield.errors import DataError, UsageError

ROWS = [
    *(("q1", "d1", judge, grade) for judge, grade in (("ada", 2), ("ben", 2), ("cleo", 0))),
    *(("q1", "d2", judge, grade) for judge, grade in (("ada", 0), ("ben", 3))),
    *(("q2", "d1", judge, grade) for judge, grade in (("ada", 1), ("ben", 1), ("cleo", 1))),
    ("q2", "d3", "cleo", 3),
]


def _grades(rule, **options):
    judgments = cf.merge(ROWS, rule, **options).judgments
    return {query: judgments[query] for query in judgments}


def test_the_demo_s_judgments_are_the_median_of_its_labels_the_lower_of_two():
    merged = cf.merge(demo.path("labels.csv"), "median").judgments
    stored = cf.read_judgments(demo.path("qrels.txt"))
    assert {query: merged[query] for query in merged} == {query: stored[query] for query in stored}


@pytest.mark.parametrize(
    ("rule", "tied_grades", "expected"),
    [
        ("majority", "lower", [2, 0, 1, 3]),
        ("majority", "higher", [2, 3, 1, 3]),
        ("majority", "mean", [2, 1.5, 1, 3]),
        ("median", "lower", [2, 0, 1, 3]),
        ("median", "higher", [2, 3, 1, 3]),
        ("median", "mean", [2, 1.5, 1, 3]),
        ("mean", "lower", [4 / 3, 1.5, 1, 3]),
        ("maximum", "lower", [2, 3, 1, 3]),
        ("minimum", "lower", [0, 0, 1, 3]),
    ],
)
def test_every_rule_says_what_it_takes(rule, tied_grades, expected):
    grades = _grades(rule, tied_grades=tied_grades)
    assert [grades["q1"]["d1"], grades["q1"]["d2"], grades["q2"]["d1"], grades["q2"]["d3"]] == pytest.approx(expected)


def test_an_adjudicator_decides_where_the_others_differ():
    merged = cf.merge(ROWS, "adjudicated", adjudicator="cleo")
    assert merged.judgments["q1"] == {"d1": 2}  # ada and ben agree, whatever cleo says
    assert merged.judgments["q2"] == {"d1": 1, "d3": 3}
    assert [str(warning) for warning in merged.warnings] == [
        "1 document is left out: judges differ, and cleo gave no grade"
    ]


def test_dawid_and_skene_s_rule_tells_how_likely_each_grade_is():
    merged = cf.merge(demo.path("labels.csv"), "dawid-skene-graded")
    assert merged.model is not None
    assert merged.model.converged
    assert merged.probability.min() > 0.25
    columns = merged.table().columns
    assert list(columns) == ["query", "document", "grade", "labels", "probability", "p0", "p1", "p2", "p3", "rule"]
    total = sum(np.array(columns[name]) for name in ("p0", "p1", "p2", "p3"))
    assert total == pytest.approx(np.ones(len(total)))
    assert "says 3" in merged.judges_table().columns


def test_of_two_judges_dawid_and_skene_s_rule_warns():
    merged = cf.merge(ROWS, "dawid-skene", judges=["ada", "ben"])
    assert "the model cannot show whose labels are wrong" in str(merged.warnings[-1])


@pytest.mark.parametrize("ending", ["txt", "csv", "tsv", "jsonl", "parquet"])
def test_a_written_file_is_read_again_as_the_same_judgments(tmp_path, ending):
    for rule in ("mean", "dawid-skene"):
        merged = cf.merge(ROWS, rule)
        path = tmp_path / f"merged.{ending}"
        merged.write(str(path))
        read = cf.read_judgments(path)
        assert {query: read[query] for query in read} == {query: merged.judgments[query] for query in read}
        assert len(read) == len(merged.judgments)


def test_the_rule_is_recorded_in_what_is_written(tmp_path):
    merged = cf.merge(ROWS, "median")
    merged.write(str(tmp_path / "qrels.txt"))
    first, second = (tmp_path / "qrels.txt").read_text().splitlines()[:2]
    assert "median grade; ties take the lower grade (1 document)" in first
    assert second == "# from 9 labels of 4 documents by 3 judges: ada, ben and cleo"
    merged.write(str(tmp_path / "qrels.jsonl"))
    assert json.loads((tmp_path / "qrels.jsonl").read_text().splitlines()[0])["rule"] == "median"


def test_queries_in_words_go_into_tables_only(tmp_path):
    merged = cf.merge([("red shoes", "d1", "ada", 1), ("red shoes", "d1", "ben", 1)], "median")
    with pytest.raises(DataError, match="'red shoes' cannot be written to a TREC file"):
        merged.write(str(tmp_path / "qrels.txt"))
    merged.write(str(tmp_path / "qrels.csv"))
    assert cf.read_judgments(tmp_path / "qrels.csv")["red shoes"] == {"d1": 1}


def test_a_merged_result_shows_itself():
    merged = cf.merge(ROWS, "majority")
    assert repr(merged) == "Merged(4 judgments by majority)"
    assert str(merged).startswith("4 judgments of 2 queries from 9 labels: majority, the grade given most often")
    told = merged.to_dict()
    assert (told["rule"], told["tied"], told["undecided"]) == ("majority", 1, 0)
    json.dumps(cf.merge(ROWS, "dawid-skene").to_dict(), allow_nan=False)
    assert merged.summary().columns["judgments"] == [4]
    assert merged.judges_table() is None


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"rule": "mode"}, "rule must be one of majority"),
        ({"rule": "medain"}, "Did you mean median?"),
        ({"rule": "median", "tied_grades": "random"}, "tied_grades must be one of lower, higher, mean"),
        ({"rule": "adjudicated"}, "needs adjudicator= with one of the judges"),
        ({"rule": "median", "adjudicator": "ada"}, "adjudicator= belongs to the rule adjudicated, not to median"),
        ({"rule": "adjudicated", "adjudicator": "adda"}, "Did you mean ada?"),
        ({"rule": "adjudicated", "adjudicator": "ada", "judges": ["ada"]}, "nothing to adjudicate"),
    ],
)
def test_what_is_wrong_is_told(given, message):
    with pytest.raises(UsageError, match=message):
        cf.merge(ROWS, **given)


def test_texts_cannot_become_judgments():
    with pytest.raises(UsageError, match="these labels are texts"):
        cf.merge([("q", "d", "ada", "good"), ("q", "d", "ben", "bad")], "majority")


CROWD = [
    {"item": item, "worker": worker, "label": label}
    for item, labels in {"a": (1, 0, 1), "b": (0, 0, 0), "c": (2, 1)}.items()
    for worker, label in zip(("w1", "w2", "w3"), labels, strict=False)
]


class TestLabelsWithoutQueries:
    """As crowds give them: item, worker, label."""

    def test_give_one_grade_per_item(self):
        merged = cf.merge(CROWD, "majority")
        assert merged.table().to_dict() == {
            "item": ["a", "b", "c"],
            "grade": [1, 0, 1],
            "labels": [3, 3, 2],
            "rule": ["majority"] * 3,
        }
        assert merged.verdict() == (
            "Grades of 3 items from 8 labels: majority, the grade given most often; ties take the lower grade (1 item)."
        )
        assert merged.comments()[1] == "from 8 labels of 3 items by 3 judges: w1, w2 and w3"
        summary = {"rule": ["majority"], "items": [3], "labels": [8], "judges": [3], "tied": [1]}
        assert merged.summary().to_dict() == summary
        assert merged.to_dict()["judgments"] == 3
        assert repr(merged) == "Merged(3 items by majority)"

    @pytest.mark.parametrize("rule", ["median", "mean", "maximum", "minimum", "dawid-skene", "dawid-skene-graded"])
    def test_are_merged_by_every_rule_as_documents_of_one_query_are(self, rule):
        with_query = [
            {"query": "q", "document": row["item"], "judge": row["worker"], "grade": row["label"]} for row in CROWD
        ]
        assert cf.merge(CROWD, rule).grades.tolist() == cf.merge(with_query, rule).grades.tolist()

    def test_may_be_rows_without_ids(self):
        merged = cf.merge(cf.Labels.from_matrix([[0, 1], [1, math.nan]]), "maximum")
        assert merged.table().to_dict()["item"] == ["1", "2"]
        assert merged.table().to_dict()["grade"] == [1, 1]

    @pytest.mark.parametrize("ending", [".csv", ".tsv", ".jsonl", ".parquet"])
    def test_are_written_as_a_table(self, ending, tmp_path):
        path = tmp_path / f"merged{ending}"
        cf.merge(CROWD, "maximum").write(str(path))
        text = path.read_bytes()
        assert b"item" in text
        assert b"query" not in text

    def test_are_no_judgments(self, tmp_path):
        merged = cf.merge(CROWD, "maximum")
        words = "needs labels of documents for queries; these have no queries. Add a column called query"
        with pytest.raises(UsageError, match=words) as told:
            merged.write(str(tmp_path / "qrels.txt"))
        assert "write the grades of items as a table: .csv" in str(told.value)
        assert not (tmp_path / "qrels.txt").exists()
        with pytest.raises(UsageError, match=words):
            merged.judgments  # noqa: B018  # the error is what is looked at
        with pytest.raises(UsageError, match=f"A sheet of grades that were decided on {words}"):
            cf.merge(CROWD, adjudicated=[("q", "a", 1)])


def test_a_file_that_cannot_be_written_is_told(tmp_path):
    with pytest.raises(DataError, match="cannot be written"):
        cf.merge(ROWS, "median").write(str(tmp_path / "nowhere" / "qrels.txt"))


def test_one_of_anything_is_told_in_the_singular():
    merged = cf.merge([("q1", "d1", "ada", 1), ("q1", "d1", "ben", 0)], "median")
    assert merged.verdict().startswith("1 judgment of 1 query from 2 labels: ")
    assert merged.comments()[1] == "from 2 labels of 1 document by 2 judges: ada and ben"
    assert "(1 document)" in merged.words()


DISPUTED = [
    *[("q", "d1", judge, grade) for judge, grade in (("ada", 0), ("ben", 3))],
    *[("q", "d2", judge, grade) for judge, grade in (("ada", 1), ("ben", 2))],
    *[("q", "d3", judge, grade) for judge, grade in (("ada", 2), ("ben", 2))],
]


class TestASheetOfGrades:
    """Grades that were decided on afterwards, for what judges differ about."""

    @pytest.fixture
    def sheet(self, tmp_path):
        def write(text):
            (tmp_path / "sheet.csv").write_text(f"query,document,ada,ben,grade\n{text}")
            return tmp_path / "sheet.csv"

        return write

    def test_what_was_decided_counts_and_the_rest_follows_the_rule(self, sheet):
        merged = cf.merge(DISPUTED, adjudicated=sheet("q,d1,0,3,2\nq,d2,1,2,\n"))
        assert merged.judgments["q"] == {"d1": 2, "d2": 1, "d3": 2}
        assert merged.table().columns["rule"] == ["adjudicated", "median", "median"]
        assert merged.warnings == ()

    def test_it_tells_how_many_were_decided_and_how_many_are_left_open(self, sheet):
        merged = cf.merge(DISPUTED, adjudicated=sheet("q,d1,0,3,2\nq,d2,1,2,?\n"))
        assert merged.words() == (
            "median grade; ties take the lower grade (1 document); 1 document adjudicated in sheet.csv, "
            "where 1 row left open follows the rule"
        )
        assert merged.summary().columns["adjudicated"] == [1]
        assert merged.summary().columns["open"] == [1]
        told = merged.to_dict()["adjudicated"]
        assert (told["decided"], told["open"]) == (1, 1)

    def test_a_tie_that_was_decided_is_none(self, sheet):
        assert cf.merge(DISPUTED).tied == 2
        assert cf.merge(DISPUTED, adjudicated=sheet("q,d1,0,3,2\nq,d2,1,2,1\n")).tied == 0

    def test_by_the_rule_adjudicated_what_is_left_open_has_no_grade(self, sheet):
        merged = cf.merge(DISPUTED, "adjudicated", adjudicated=sheet("q,d1,0,3,2\nq,d2,1,2,\n"))
        assert merged.judgments["q"] == {"d1": 2, "d3": 2}
        assert [str(warning) for warning in merged.warnings] == [
            "1 document is left out: judges differ, and no grade was decided on"
        ]
        assert "else the one in sheet.csv (1 document; 1 row left open)" in merged.words()

    def test_a_model_of_errors_learns_from_all_labels(self, sheet):
        rows = [
            (f"q{n % 5}", f"d{n}", judge, (n + (judge == "cleo" and n % 4 == 0)) % 3)
            for n in range(30)
            for judge in ("ada", "ben", "cleo")
        ]
        merged = cf.merge(rows, "dawid-skene", adjudicated=[("q0", "d0", 2)])
        alone = cf.merge(rows, "dawid-skene")
        assert merged.model.likelihoods == alone.model.likelihoods
        assert merged.judgments["q0"]["d0"] == 2
        assert merged.table().columns["probability"][0] is None

    def test_a_level_makes_the_sheet_binary_too(self, sheet):
        merged = cf.merge(DISPUTED, level=2, adjudicated=sheet("q,d1,0,3,3\n"))
        assert merged.judgments["q"] == {"d1": 1, "d2": 0, "d3": 1}

    def test_documents_that_nobody_labelled_are_left_out_with_a_warning(self, sheet):
        merged = cf.merge(DISPUTED, adjudicated=sheet("q,d1,0,3,2\nq,d9,,,1\n"))
        assert merged.judgments["q"]["d1"] == 2
        assert "d9" not in merged.judgments["q"]
        (warning,) = merged.warnings
        assert str(warning).endswith("sheet.csv: 1 adjudicated document has no labels and is left out (q d9)")

    def test_a_sheet_of_other_documents_is_an_error(self, sheet):
        with pytest.raises(DataError, match=r"no document of it has labels: it has p x1; the labels have q d1"):
            cf.merge(DISPUTED, adjudicated=sheet("p,x1,0,3,2\n"))

    def test_a_sheet_that_is_not_filled_in_is_an_error(self, sheet):
        with pytest.raises(DataError, match="none of 2 rows has a grade"):
            cf.merge(DISPUTED, adjudicated=sheet("q,d1,0,3,\nq,d2,1,2,\n"))

    def test_one_of_them_decides(self, sheet):
        with pytest.raises(UsageError, match="not both"):
            cf.merge(DISPUTED, "adjudicated", adjudicator="ada", adjudicated=sheet("q,d1,0,3,2\n"))
        with pytest.raises(UsageError, match="the rule adjudicated, not to median"):
            cf.merge(DISPUTED, adjudicator="ada")


@pytest.mark.parametrize("ending", ["txt", "csv", "tsv", "jsonl", "parquet"])
@pytest.mark.parametrize(
    ("judges", "name"),
    [(["model:a"], "model:a"), (["model:a", "model:b"], "model:several"), (["ada", "model:a"], None)],
)
def test_what_models_alone_labelled_is_marked(tmp_path, ending, judges, name):
    rows = [("q1", f"d{at}", judge, at % 2) for at in range(4) for judge in judges]
    merged = cf.merge(cf.read_labels(rows))
    merged.write(str(tmp_path / f"merged.{ending}"))
    for judgments in (merged.judgments, cf.read_judgments(str(tmp_path / f"merged.{ending}"))):
        said = [str(warning) for warning in judgments.warnings if warning.kind == "model-alone"]
        assert len(said) == (name is not None)
    assert all(name in text for text in said)
