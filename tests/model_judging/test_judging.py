"""`cf.judge_with_model`."""

from collections import Counter

import pytest

import cranfield as cf
from cranfield.assessing.store import open_store
from cranfield.errors import UsageError
from cranfield.model_judging.endpoint import OPENAI
from cranfield.model_judging.judging import endpoint_of


def test_labels_a_store_by_its_path_and_leaves_it_closed(make_store, endpoint):
    store = make_store("plot 1", "plot 2")
    store.close()
    assert cf.judge_with_model(store.where, "tiny", base_url=endpoint.url, key="").labels == 2
    assert cf.judge_with_model(store.where, "tiny", base_url=endpoint.url, key="").asked == 0


def test_labels_by_a_model_are_marked_as_such(make_store, endpoint):
    store = make_store("plot 1", "plot 2")
    cf.judge_with_model(store, "tiny", base_url=endpoint.url, key="")
    store.close()
    (judge,) = cf.read_labels(str(store.where)).judges
    assert judge.startswith("model:tiny@default-")


def test_address_and_key_come_from_the_environment(monkeypatch):
    monkeypatch.setenv("OPENAI_BASE_URL", "http://127.0.0.1:1/v1")
    monkeypatch.setenv("OPENAI_API_KEY", "sk-1")
    endpoint = endpoint_of("tiny", None, None, 1.0)
    assert (endpoint.base_url, endpoint.key) == ("http://127.0.0.1:1/v1", "sk-1")
    monkeypatch.delenv("OPENAI_BASE_URL")
    assert endpoint_of("tiny", None, None, 1.0).base_url == OPENAI


@pytest.mark.parametrize("wrong", [{"most": 0}, {"at_once": 0}, {"words": -1}, {"most": True}])
def test_numbers_are_checked_before_anything_is_sent(make_store, endpoint, wrong):
    with pytest.raises(UsageError, match="must be a whole number of at least 1"):
        cf.judge_with_model(make_store("plot 1"), "tiny", base_url=endpoint.url, **wrong)
    assert not endpoint.asked


def test_a_model_labels_while_a_server_has_the_store(tmp_path, endpoint):
    runs = {"bm25": {"q1": ["d1", "d2", "d3"]}}
    documents = {f"d{at}": {"title": "", "text": f"plot {at}"} for at in range(1, 4)}
    path = tmp_path / "judging.db"
    judging = cf.judge(
        runs, store=path, queries={"q1": "beans"}, documents=documents, open_browser=False, background=True
    )
    try:
        run = cf.judge_with_model(path, "tiny", base_url=endpoint.url, key="")
        assert (run.labels, run.left) == (3, 0)
        assert [of.labelled for of in judging.service.state.by_judge.values() if of.judge.kind == "model"] == [3]
        assert cf.judge_with_model(path, "tiny", base_url=endpoint.url, key="").asked == 0
    finally:
        judging.stop()
    assert endpoint.asked == Counter({"1": 1, "2": 1, "3": 1})
    store = open_store(path)
    assert store.verify() == []
    store.close()


def test_labels_what_runs_found_in_a_new_store(tmp_path, endpoint):
    runs = {"bm25": {"q1": ["d1", "d2", "d3"]}}
    documents = {f"d{at}": {"title": "", "text": f"plot {at}"} for at in range(1, 4)}
    path = tmp_path / "new.db"
    given = {"store": path, "queries": {"q1": "beans"}, "documents": documents, "depth": 2}
    run = cf.judge_with_model(runs, "tiny", base_url=endpoint.url, key="", **given)
    assert (run.labels, run.left) == (2, 0)
    assert cf.read_judgments(path)["q1"] == {"d1": 1.0, "d2": 2.0}


def test_labels_the_pairs_of_a_pool_or_of_a_list(tmp_path, endpoint):
    (tmp_path / "pool.csv").write_text("query,document,text\nq1,d1,plot 1\nq1,d2,plot 2\n")
    for name, sources in (("a", str(tmp_path / "pool.csv")), ("b", [("q1", "d1"), ("q1", "d2")])):
        run = cf.judge_with_model(sources, "tiny", base_url=endpoint.url, key="", store=tmp_path / f"{name}.db")
        assert run.labels == 2


def test_labels_what_people_labelled_in_a_table_and_keeps_their_labels(tmp_path, endpoint):
    rows = [f"q1,d{at},{judge},{at % 2}" for at in range(1, 25) for judge in ("ada", "ben")]
    (tmp_path / "labels.csv").write_text("\n".join(["query,document,judge,grade", *rows]) + "\n")
    documents = {f"d{at}": {"title": "", "text": f"plot {at}"} for at in range(1, 25)}
    given = {"store": tmp_path / "new.db", "queries": {"q1": "beans"}, "documents": documents}
    for labels in (24, 0):
        run = cf.judge_with_model(tmp_path / "labels.csv", "tiny", base_url=endpoint.url, key="", **given)
        assert run.labels == labels
    assert cf.read_labels(tmp_path / "new.db").judges[:2] == ("ada", "ben")
    assert cf.trust(tmp_path / "new.db", samples=100).documents == 24
