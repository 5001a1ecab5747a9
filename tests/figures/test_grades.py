"""How often each grade was given."""

import cranfield as cf
from cranfield import demo
from cranfield.figures import grades_of


def test_every_grade_is_counted_with_its_queries():
    grades = grades_of(cf.read_judgments({"q1": {"a": 0, "b": 2, "c": 2}, "q2": {"a": 0}}))
    assert grades.table().columns == {
        "grade": ["0", "2"],
        "judgments": [2, 2],
        "share": [0.5, 0.5],
        "queries": [2, 1],
    }


def test_all_judgments_are_counted():
    judgments = cf.read_judgments(demo.path("qrels.txt"))
    assert grades_of(judgments).counts.sum() == len(judgments)


def test_every_judge_s_grade_is_counted():
    rows = [("q1", "ann", "d1", 1), ("q1", "bob", "d1", 0), ("q1", "bob", "d2", 1)]
    judged = cf.read_judgments(rows, columns="query,judge,document,grade").grouped("judge")
    assert grades_of(judged).counts.tolist() == [1, 2]


def test_many_different_grades_are_counted_in_ranges():
    grades = grades_of(cf.read_judgments({"q1": {f"d{at}": at / 100 for at in range(101)}}))
    assert len(grades.names) == 10
    assert grades.names[0] == "0 to 0.1"
    assert grades.counts.tolist() == [10] * 9 + [11]


def test_what_was_pooled_only_is_told():
    grades = grades_of(cf.read_judgments({"q1": {"a": -1, "b": 1}}))
    assert grades.names == ("-1", "1")
    assert grades.notes[1] == "A negative grade means pooled, but not judged."


def test_a_sketch_has_a_bar_for_each_grade():
    text = str(grades_of(cf.read_judgments({"q1": {"a": 0, "b": 0, "c": 1}})))
    bars = text.splitlines()[2:4]
    assert [bar.count("█") for bar in bars] == [2 * bars[1].count("█") + 1, bars[1].count("█")]
    assert bars[0].endswith("2 (66.7%)")
