"""Labels that were given elsewhere become labels of a project."""

import json

import pytest

from cranfield.assessing.importing import import_file
from cranfield.errors import DataError


@pytest.fixture
def service(make_service):
    return make_service("ada")


def table(tmp_path, *rows):
    path = tmp_path / "labels.csv"
    path.write_text("query,document,judge,grade\n" + "".join(f"{row}\n" for row in rows))
    return path


def test_a_table_of_labels_is_taken_in_judge_by_judge(service, tmp_path):
    imported = import_file(service, table(tmp_path, "q1,d1,Ada,2", "q1,d2,Ada,0", "q1,d1,ben,1"))
    assert [(one.judge, one.new) for one in imported] == [("ada", 2), ("ben", 1)]
    assert service.store.verify() == []
    (event,) = [event for event in service.store.events() if event.kind == "label" and event.grade == 2]
    assert event.how == "import"


def test_the_same_table_twice_counts_once(service, tmp_path):
    path = table(tmp_path, "q1,d1,ada,2")
    import_file(service, path)
    assert str(import_file(service, path)[0]) == f"{path}: 0 new labels of ada, 1 known already"


def test_what_a_judge_says_here_by_now_stays(service, tmp_path):
    import_file(service, table(tmp_path, "q1,d1,ada,2"))
    (imported,) = import_file(service, table(tmp_path, "q1,d1,ada,3"))
    assert (imported.new, imported.stale) == (0, 1)


def test_documents_outside_the_project_are_counted(service, tmp_path):
    (imported,) = import_file(service, table(tmp_path, "q1,nowhere,ada,2", "q1,d1,ada,1"))
    assert (imported.new, imported.elsewhere) == (1, 1)


def test_a_grade_that_the_project_does_not_have_is_refused_and_named(service, tmp_path):
    with pytest.raises(DataError, match="query 'q1', document 'd1', judge 'ada'"):
        import_file(service, table(tmp_path, "q1,d1,ada,7"))


@pytest.mark.parametrize("name", ["boss"])
def test_labels_of_a_manager_are_refused(service, tmp_path, name):
    with pytest.raises(DataError, match="is no person who judges"):
        import_file(service, table(tmp_path, f"q1,d1,{name},1"))


def test_a_table_without_queries_is_refused(service, tmp_path):
    path = tmp_path / "labels.csv"
    path.write_text("ada,ben\n1,0\n0,0\n1,1\n")
    with pytest.raises(DataError):
        import_file(service, path)


def test_what_a_page_saved_is_taken_in_too(service, tmp_path):
    label = {"key": "0" * 32, "item": 1, "kind": "label", "grade": 2, "before": None}
    content = {"cranfield": "labels", "project": service.project.id, "judge": 2, "labels": [label]}
    path = tmp_path / "labels.json"
    path.write_text(json.dumps(content))
    assert import_file(service, path)[0].new == 1
