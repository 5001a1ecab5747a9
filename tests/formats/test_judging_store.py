"""Labels of a judging project, read while people judge."""

from __future__ import annotations

import os
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from uuid import uuid4

import numpy as np
import pytest

import cranfield as cf
from cranfield.assessing.contents import as_preferences, contents_of, judged_from_runs
from cranfield.assessing.project import new_project
from cranfield.assessing.service import Service
from cranfield.assessing.store import create_store
from cranfield.errors import DataError, UsageError
from cranfield.formats import read_judgments, read_runs
from cranfield.formats.judging_store import StoredLabel, preferences_of
from tests.assessing.conftest import RUNS, Sender, garden, where

__all__ = ["where"]


@pytest.fixture
def service(where: str) -> Iterator[Service]:
    """Two people and a manager; a project in either kind of database, open for writing."""
    opened = judged_by(where, "ada", "ben", labels=2)
    yield opened
    opened.close()


def judged_by(where: str | Path, *judges: str, contents: object = None, **settings: object) -> Service:
    service = Service(create_store(where, new_project("garden", **settings), contents or garden()))
    service.add_judge("boss", "manager")
    for judge in judges:
        service.add_judge(judge)
    return service


def say(service: Service, judge: int, grades: dict[int, float]) -> None:
    page = Sender(service, judge)
    for item, grade in grades.items():
        service.record(judge, page.label(item, grade))


def names(service: Service, item: int) -> tuple[str, str]:
    items = service.items
    return items.queries[items.query_of(item)], items.documents[int(items.of_document[item - 1])]


def test_every_judge_has_their_labels_while_the_project_is_open(service, where):
    say(service, 2, {1: 3, 2: 0})
    say(service, 3, {2: 1})
    labels = cf.read_labels(where)
    assert labels.judges == ("ada", "ben")
    assert np.array_equal(labels.grades, [[3, 0], [np.nan, 1]], equal_nan=True)
    assert [(labels.queries[at], name) for at, name in zip(labels.of_query, labels.documents, strict=True)] == [
        names(service, item) for item in (1, 2)
    ]


def test_what_comes_later_is_there_when_it_is_read_again(service, where):
    say(service, 2, {1: 3})
    assert len(cf.read_labels(where)) == 1
    say(service, 2, {2: 1})
    assert len(cf.read_labels(where)) == 2


def test_only_labels_that_stand_are_read(service, where):
    page = Sender(service, 2)
    first = service.record(2, page.label(1, 3)).event.seq
    service.record(2, page.label(1, 1, first))
    skipped = page.label(2, 0)._replace(kind="skip", grade=None)
    service.record(2, skipped)
    assert cf.read_labels(where).values.tolist() == [1]


def test_judges_are_chosen_by_name(service, where):
    say(service, 2, {1: 3, 2: 0})
    say(service, 3, {2: 1})
    assert cf.read_labels(where, judges="ben").values.tolist() == [1]


def test_one_grade_each_is_a_judgment_as_it_is(service, where):
    say(service, 2, {1: 3, 2: 0})
    judgments = read_judgments(where)
    assert [judgments[query][document] for query, document in (names(service, 1), names(service, 2))] == [3, 0]
    assert judgments.warnings == ()


def test_several_labels_are_merged_by_the_median_and_that_is_told(service, where):
    service.add_judge("cleo")
    say(service, 2, {1: 3, 2: 0})
    say(service, 3, {1: 1, 2: 1})
    say(service, 4, {1: 2})
    judgments = read_judgments(where)
    (query, one), (_, other) = names(service, 1), names(service, 2)
    assert (judgments[query][one], judgments[query][other]) == (2, 0)
    (warning,) = judgments.warnings
    assert warning.message == "2 documents with several labels merged: median grade, ties take the lower one"


def test_a_grade_that_was_decided_on_wins(service, where):
    say(service, 2, {1: 3, 2: 0})
    say(service, 3, {1: 1, 2: 0})
    service.adjudicate(1, 1, 2, key="a")
    query, document = names(service, 1)
    assert read_judgments(where)[query][document] == 2
    merged = cf.merge(where)
    assert merged.judgments[query][document] == 2
    assert "1 document adjudicated in " in merged.words()
    assert cf.merge(where, "adjudicated").judgments[query][document] == 2
    assert cf.merge(where, level=2).judgments[query][document] == 1
    # The manager is no judge, whose agreement with others would count.
    assert cf.read_labels(where).judges == ("ada", "ben")


def test_a_sheet_of_ones_own_replaces_what_was_decided(service, where):
    say(service, 2, {1: 3})
    say(service, 3, {1: 1})
    service.adjudicate(1, 1, 2, key="a")
    query, document = names(service, 1)
    assert cf.merge(where, adjudicated={query: {document: 0}}).judgments[query][document] == 0


def test_merging_is_what_reading_judgments_does(service, where):
    rng = np.random.default_rng(1)
    for judge in (2, 3):
        say(service, judge, {item: float(rng.integers(0, 4)) for item in range(1, 40)})
    service.adjudicate(1, 7, 3, key="a")
    read, merged = read_judgments(where), cf.merge(where).judgments
    assert {query: read[query] for query in read} == {query: merged[query] for query in merged}


def test_judgments_from_before_are_judgments_still(tmp_path):
    known = {"q1": {"d1": 2, "d99": 1}}
    service = judged_by(tmp_path / "j.db", "ada", contents=garden(judgments=known))
    assert read_judgments(tmp_path / "j.db")["q1"] == {"d1": 2, "d99": 1}
    item = next(item for item in range(1, 80) if names(service, item) == ("q1", "d2"))
    say(service, 2, {item: 3})
    assert read_judgments(tmp_path / "j.db")["q1"] == {"d1": 2, "d99": 1, "d2": 3}
    service.close()


def test_labels_of_models_are_no_judgments_but_labels(tmp_path):
    service = judged_by(tmp_path / "j.db", "ada")
    model, _ = service.add_judge("model:m@1", "model")
    say(service, 2, {1: 3})
    say(service, model.number, {1: 0, 2: 0})
    judgments = read_judgments(tmp_path / "j.db")
    assert [judgments[query] for query in judgments] == [{names(service, 1)[1]: 3}]
    assert [str(warning) for warning in judgments.warnings] == [
        f"{tmp_path / 'j.db'}: 2 labels of models left out: judgments are people's"
    ]
    assert cf.read_labels(tmp_path / "j.db").judges == ("ada", "model:m@1")
    service.close()


def test_evaluate_compare_and_agree_take_a_project(service, where):
    rng = np.random.default_rng(2)
    grades = {judge: {item: float(rng.integers(0, 3)) for item in range(1, 81)} for judge in (2, 3)}
    for judge, of in grades.items():
        say(service, judge, of)
    rows = [(*names(service, item), judge, grade) for judge, of in grades.items() for item, grade in of.items()]
    of_rows = [(query, document, {2: "ada", 3: "ben"}[judge], grade) for query, document, judge, grade in rows]
    by_hand = cf.merge(of_rows).judgments
    scores, expected = (cf.evaluate(judgments, RUNS, "nDCG@10 P@5") for judgments in (where, by_hand))
    assert np.array_equal(scores["nDCG@10"], expected["nDCG@10"])
    assert np.array_equal(scores["P@5"], expected["P@5"])
    assert any("merged" in str(warning) for warning in scores.warnings)
    stored, given = cf.agree(where, samples=100), cf.agree(of_rows, samples=100)
    assert stored.by_default.value == given.by_default.value
    assert (stored.by_default.low, stored.by_default.high) == (given.by_default.low, given.by_default.high)


def test_measures_of_several_judges_get_each_judges_labels(service, where):
    say(service, 2, {1: 1, 2: 0})
    say(service, 3, {1: 0, 2: 1})
    grouped = read_judgments(where, groups="judge")
    assert len(grouped) == 4


# Preferences


@pytest.fixture
def comparisons(where: str) -> Iterator[Service]:
    judged = as_preferences(judged_from_runs(read_runs(RUNS), 10))
    opened = judged_by(where, "ada", "ben", contents=contents_of(judged)[0], task="preferences", grades=THREE)
    yield opened
    opened.close()


THREE = new_project("", task="preferences").grades


def test_a_comparison_is_two_documents_of_a_subgroup():
    label = StoredLabel(3, "q1", "d1", "d2", "ada", "person", "label", 1.0)
    assert [row[3:] for row in preferences_of([label])] == [("d1", 2), ("d2", 1)]
    assert [row[3:] for row in preferences_of([label._replace(grade=-1.0)])] == [("d1", 1), ("d2", 2)]
    assert [row[3:] for row in preferences_of([label._replace(grade=0.0)])] == [("d1", 1), ("d2", 1)]


def test_measures_of_preferences_read_the_project(comparisons, where):
    items = comparisons.items
    query = items.queries[items.query_of(1)]
    first, second = (items.documents[int(of[0])] for of in (items.of_document, items.other))
    say(comparisons, 2, {1: 1})
    right, wrong = (
        cf.evaluate(where, {"r": {query: order}}, "PrefSimp") for order in ([first, second], [second, first])
    )
    assert right["PrefSimp"].tolist() == [[1]]
    assert wrong["PrefSimp"].tolist() == [[0]]
    say(comparisons, 3, {1: -1})
    both = cf.evaluate(where, {"r": {query: [first, second]}}, "PrefSimp")
    assert both["PrefSimp"].tolist() == [[0.5]]


def test_preferences_are_no_grades(comparisons, where):
    say(comparisons, 2, {1: 1})
    for read in (cf.read_labels, read_judgments):
        with pytest.raises(DataError, match="holds preferences between documents, and grades are needed here"):
            read(where)


# What is no project


def test_a_project_without_labels_says_so(service, where):
    for read in (cf.read_labels, read_judgments):
        with pytest.raises(DataError, match=r"nobody has labelled anything yet\nJudge with: cranfield judge "):
            read(where)


def test_another_sqlite_file_is_no_project(tmp_path):
    path = tmp_path / "other.db"
    connection = sqlite3.connect(path)
    connection.execute("CREATE TABLE current (item INTEGER)")
    connection.close()
    for read in (cf.read_labels, read_judgments):
        with pytest.raises(DataError, match=r"other\.db: is not a judging project of cranfield"):
            read(path)


@pytest.mark.parametrize(
    ("statement", "words"),
    [
        ("PRAGMA user_version = 99", "was made by a newer cranfield"),
        ("PRAGMA user_version = 0", "was made by an older cranfield"),
        ("DROP TABLE current", "no such table: current"),
    ],
)
def test_a_project_of_other_tables_is_refused(tmp_path, statement, words):
    judged_by(tmp_path / "j.db", "ada").close()
    connection = sqlite3.connect(tmp_path / "j.db")
    connection.execute(statement)
    connection.close()
    with pytest.raises(DataError, match=words):
        cf.read_labels(tmp_path / "j.db")


@pytest.mark.parametrize("kept", [100, 3000, 9000])
def test_a_damaged_project_is_refused_in_words(tmp_path, kept):
    judged_by(tmp_path / "j.db", "ada").close()
    data = (tmp_path / "j.db").read_bytes()
    (tmp_path / "cut.db").write_bytes(data[:kept])
    with pytest.raises(DataError, match=r"cut\.db: "):
        cf.read_labels(tmp_path / "cut.db")


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE meta SET value = 'no JSON' WHERE name = 'project'",
        "UPDATE meta SET value = '[]' WHERE name = 'project'",
        "DELETE FROM meta",
        "UPDATE current SET grade = 9e999",
        "UPDATE current SET grade = 'two'",
        "UPDATE document SET name = CAST(name AS BLOB)",
        "UPDATE judge SET name = CAST(name AS BLOB) WHERE name = 'ada'",
    ],
)
def test_values_that_nobody_could_have_stored_are_damage(tmp_path, statement):
    service = judged_by(tmp_path / "j.db", "ada")
    say(service, 2, {1: 2})
    service.close()
    with sqlite3.connect(tmp_path / "j.db") as connection:
        connection.execute(statement)
    connection.close()
    with pytest.raises(DataError, match=r"j\.db: is damaged: it has values that make no sense"):
        cf.read_labels(tmp_path / "j.db")


def test_a_project_is_no_run(tmp_path):
    judged_by(tmp_path / "j.db", "ada").close()
    with pytest.raises(DataError, match="is a judging project, and a run is needed here"):
        cf.evaluate({"q1": {"d1": 1}}, [str(tmp_path / "j.db")], "P@1")


def test_columns_are_known(tmp_path):
    judged_by(tmp_path / "j.db", "ada").close()
    with pytest.raises(UsageError, match="a judging project needs no columns"):
        read_judgments(tmp_path / "j.db", columns="query=a,document=b,grade=c")


def test_a_copy_in_a_folder_that_nobody_may_write_to_can_be_read(tmp_path):
    service = judged_by(tmp_path / "j.db", "ada")
    say(service, 2, {1: 2})
    service.close()
    folder = tmp_path / "archive"
    folder.mkdir()
    shutil.copy(tmp_path / "j.db", folder)
    folder.chmod(0o500)
    try:
        assert len(cf.read_labels(folder / "j.db")) == 1
    finally:
        folder.chmod(0o700)


def test_reading_leaves_the_file_as_it_is(tmp_path):
    service = judged_by(tmp_path / "j.db", "ada")
    say(service, 2, {1: 2})
    service.close()
    before = (tmp_path / "j.db").read_bytes()
    cf.read_labels(tmp_path / "j.db")
    assert (tmp_path / "j.db").read_bytes() == before


def test_no_password_is_shown():
    address = f"postgresql://ada:{uuid4().hex}@127.0.0.1:1/none"
    with pytest.raises(DataError, match=r"postgresql://ada@127\.0\.0\.1:1/none: no connection") as refused:
        cf.read_labels(address)
    assert address.split(":")[2].split("@")[0] not in str(refused.value)


def test_a_database_without_a_project_is_refused(postgres):
    with pytest.raises(DataError, match="is not a judging project of cranfield"):
        cf.read_labels(f"{postgres}?schema=nothing_here")


def test_other_files_need_no_database(tmp_path):
    (tmp_path / "qrels.txt").write_text("q1 0 d1 1\n")
    code = (
        "import sys, cranfield as cf; cf.read_judgments(sys.argv[1]); cf.read_labels(sys.argv[1]); "
        "sys.exit(any(name in sys.modules for name in ('sqlite3', 'psycopg', 'cranfield.formats.judging_store')))"
    )
    done = subprocess.run([sys.executable, "-c", code, str(tmp_path / "qrels.txt")], check=False, env=os.environ)
    assert done.returncode == 0
