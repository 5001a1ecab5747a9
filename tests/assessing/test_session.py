"""`cf.judge`: the command's options by name, and an object whose labels can be read."""

import json
import re
from http.client import HTTPConnection
from uuid import uuid4

import pytest

import cranfield as cf
from cranfield.assessing.opening import ProjectInputs
from cranfield.assessing.session import begin, names_of

RUNS = {"bm25": {"q1": ["d1", "d2", "d3"]}, "dense": {"q1": ["d3", "d4", "d1"]}}
TEXTS = {f"d{number}": f"Text {number}." for number in range(1, 5)}
QUIET = {"open_browser": False, "announce": lambda line: None}


def asked(link, method, path, cookie="", body=None):
    port = int(re.search(r":(\d+)/", link)[1])
    connection = HTTPConnection("127.0.0.1", port, timeout=30)
    connection.request(method, path, body, {"Cookie": cookie, "Content-Type": "application/json"})
    answer = connection.getresponse()
    text = answer.read().decode()
    connection.close()
    return answer, text


def label_all(link, grade=1):
    """Label whatever a judge is handed."""
    tab = uuid4().hex[:16]
    answer, _ = asked(link, "GET", "/as/" + link.rpartition("/")[2])
    cookie = answer.getheader("Set-Cookie").partition(";")[0]
    while cards := json.loads(asked(link, "GET", f"/next?tab={tab}", cookie)[1])["cards"]:
        sent = {
            "key": uuid4().hex,
            "item": cards[0]["item"],
            "kind": "label",
            "grade": grade,
            "before": None,
            "tab": tab,
        }
        answer, text = asked(link, "POST", "/label", cookie, json.dumps(sent))
        assert answer.status == 200, text


def test_labels_can_be_read_while_it_serves_and_afterwards(tmp_path):
    store = tmp_path / "judging.db"
    lines = []
    options = {"store": store, "documents": TEXTS, "judges": "ada", "open_browser": False}
    with cf.judge(RUNS, **options, background=True, announce=lines.append) as judging:
        assert judging.links.keys() == {"ada", "manager"}
        assert judging.wanted == 4
        label_all(judging.links["ada"])
        assert judging.labels.judges == ("ada",)
        assert judging.wanted == 0
        assert repr(judging) == f"Judging({str(store)!r}, 0 labels to go)"
    assert len(cf.read_labels(store).documents) == 4
    assert lines[0].startswith("Judging 4 pairs of query and document (first 10 of 2 runs, 1 query)")


def test_it_ends_by_itself_when_everything_is_labelled(tmp_path):
    options = {"documents": TEXTS, "judges": ["ada", "ben"], "labels": 2, **QUIET}
    judging = cf.judge(RUNS, store=tmp_path / "a.db", **options, background=True, until_done=True)
    for name in ("ada", "ben"):
        label_all(judging.links[name])
    judging.wait()
    assert cf.read_labels(tmp_path / "a.db").judges == ("ada", "ben")


def test_pairs_in_python_and_settings_by_name(tmp_path):
    with cf.judge(
        [("q1", "d1"), ("q1", "d2")],
        store=tmp_path / "a.db",
        queries={"q1": "beans"},
        documents=TEXTS,
        grades={0: "no", 1: "yes"},
        guidelines="**Read** it all.",
        judges="ada",
        background=True,
        **QUIET,
    ) as judging:
        project = judging.service.project
        assert project.scale == (0.0, 1.0)
        assert project.word(1.0) == "yes"
        assert project.guidelines == "**Read** it all."
        assert project.strategy == "depth"


def test_an_existing_project_takes_other_settings_and_more_judges(tmp_path):
    store = tmp_path / "a.db"
    cf.judge(RUNS, store=store, documents=TEXTS, judges="ada", background=True, **QUIET).stop()
    with cf.judge(store, labels=2, judges="ben", background=True, **QUIET) as judging:
        assert judging.service.project.labels == 2
        assert judging.links.keys() == {"ben", "manager"}


def test_what_is_refused_gives_up_the_store(tmp_path):
    store = tmp_path / "a.db"
    cf.judge(RUNS, store=store, documents=TEXTS, judges="ada", background=True, **QUIET).stop()
    with pytest.raises(cf.UsageError, match="no judge 'eve'"):
        cf.judge(store, new_link="eve", **QUIET)
    with pytest.raises(cf.UsageError, match="depth="):
        cf.judge(store, depth=3, **QUIET)
    cf.judge(store, background=True, **QUIET).stop()


def test_names_are_those_that_a_store_keeps():
    assert names_of(" ada ,Ben Ali,") == ["ada", "Ben Ali"]


def test_a_project_in_the_usual_file_is_called_after_its_folder(tmp_path):
    folder = tmp_path / "garden"
    folder.mkdir()
    for name, title in (("judging.db", "garden"), ("tomatoes.db", "tomatoes")):
        judging = begin([("q1", "d1")], ProjectInputs(), store=folder / name)
        assert judging.service.project.title == title
        judging.close()
