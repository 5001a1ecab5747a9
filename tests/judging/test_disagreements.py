"""The documents about which judges differ most."""

import math

import pytest

import cranfield as cf
from cranfield.errors import UsageError
from cranfield.judging.disagreements import disagreement_rows, disagreement_values, disagreements

GRADES = cf.read_labels([("q", "d1", "a", 0), ("q", "d1", "b", 3), ("q", "d2", "a", 1), ("q", "d2", "b", 2)])


def test_the_widest_range_of_grades_comes_first():
    assert [one.document for one in disagreements(GRADES, 5)] == ["d1", "d2"]
    assert [one.document for one in disagreements(GRADES, 1)] == ["d1"]
    assert disagreements(GRADES, 1)[0].grades == (("a", 0.0), ("b", 3.0))


def test_nothing_is_listed_where_all_agree():
    assert disagreements(cf.read_labels([("q", "d1", "a", 1), ("q", "d1", "b", 1)]), 5) == []


def test_labels_that_are_texts_stand_where_others_have_a_reason():
    texts = cf.read_labels([("q", "d1", "a", "good"), ("q", "d1", "b", "bad"), ("q", "d2", "a", "bad")])
    first, second = disagreement_rows(texts, 5)
    assert (first.statistic, first.reason, second.statistic, second.reason) == ("a", "good", "b", "bad")
    assert math.isnan(first.value)
    assert disagreement_values(texts, 5)[0]["labels"] == [
        {"judge": "a", "grade": "good"},
        {"judge": "b", "grade": "bad"},
    ]


def test_their_number_is_a_whole_one():
    with pytest.raises(UsageError, match="most must be a whole number of at least 1"):
        cf.agree(GRADES, samples=20).disagreements(0)


class TestTexts:
    """What queries and documents say, next to what judges differ about."""

    agreement = cf.agree(
        GRADES, samples=20, queries={"q": "why do tomatoes crack"}, documents=[("d1", "Splitting", "Dry, then wet.")]
    )

    def test_a_person_sees_the_query_and_the_title(self):
        shown = self.agreement.disagreements(2)
        assert list(shown.columns) == ["query", "query_text", "document", "title", "a", "b"]
        assert shown.columns["title"] == ["Splitting", ""]

    def test_programs_do_too(self):
        rows = disagreement_rows(GRADES, 1, self.agreement.texts)
        assert [(row.statistic, row.reason) for row in rows] == [
            ("query_text", "why do tomatoes crack"),
            ("title", "Splitting"),
            ("a", ""),
            ("b", ""),
        ]
        (value,) = disagreement_values(GRADES, 1, self.agreement.texts)
        assert (value["query_text"], value["title"]) == ("why do tomatoes crack", "Splitting")

    def test_a_document_without_a_text_is_told(self):
        assert "texts-missing" in [warning.kind for warning in self.agreement.warnings]


class TestSheet:
    """What judges differ about, with an empty column for the grade that is decided on."""

    def test_it_has_every_label_and_an_empty_column(self):
        sheet = cf.agree(GRADES, samples=20).adjudication_sheet()
        assert dict(sheet.columns) == {
            "query": ["q", "q"],
            "document": ["d1", "d2"],
            "a": ["0", "1"],
            "b": ["3", "2"],
            "grade": [None, None],
        }
        assert cf.agree(GRADES, samples=20).adjudication_sheet(1).columns["document"] == ["d1"]

    def test_judges_whose_names_are_those_of_columns_do_not_get_in_the_way(self, tmp_path):
        rows = [("q", "d1", "grade", 0), ("q", "d1", "score", 3), ("q", "d2", "grade", 1), ("q", "d2", "score", 1)]
        cf.agree(rows, samples=20).write_adjudication_sheet(tmp_path / "sheet.csv")
        text = (tmp_path / "sheet.csv").read_text()
        assert text == "query,document,judge grade,judge score,grade\nq,d1,0,3,\n"
        (tmp_path / "sheet.csv").write_text(text.replace("3,\n", "3,2\n"))
        assert cf.merge(rows, adjudicated=tmp_path / "sheet.csv").judgments["q"] == {"d1": 2, "d2": 1}

    def test_read_as_labels_it_has_the_judges_and_not_the_empty_column(self, tmp_path):
        cf.agree(GRADES, samples=20).write_adjudication_sheet(tmp_path / "sheet.csv")
        assert cf.read_labels(tmp_path / "sheet.csv").judges == ("a", "b")

    def test_binary_labels_have_none(self):
        with pytest.raises(UsageError, match="leave out the level"):
            cf.agree(GRADES, samples=20, level=1).adjudication_sheet()

    def test_items_without_ids_have_none(self):
        with pytest.raises(UsageError):
            cf.agree([{"ada": 1, "ben": 2}, {"ada": 0, "ben": 0}], samples=20).adjudication_sheet()
