"""A store that a server has: a model's labels are written through the server."""

import json
import stat
from pathlib import Path

import pytest

from cranfield.assessing.events import ModelAnswer, NewEvent
from cranfield.assessing.refusals import Refused, StoreBusy, StoreReadOnly
from cranfield.assessing.service import Submission
from cranfield.assessing.store import open_store
from cranfield.assessing.store.owner import OwnerLock, ProgramAccess
from cranfield.errors import DataError
from tests.assessing.web.site import running

ADDED = NewEvent("a" * 32, 0, None, "judge-added", how="model")


def label_of(judge, item, grade=1.0):
    return NewEvent(f"model-{judge}-{item}", judge, item, "label", grade, how="model", more={"model": "tiny"})


def answer_of(judge, item, grade=1.0, **facts):
    return ModelAnswer(f"{item:064x}", judge, item, "label", "grade", grade, facts)


@pytest.fixture
def served(make_service):
    """A project with a judge, served; and the same store, as another program opens it."""
    service = make_service("ada")
    with running(service) as address:
        service.store.announce(address.url, ProgramAccess(address.local_url, service.program_token))
        store = open_store(service.store.where, through_server=True)
        yield service, store
        store.close()


def test_labels_of_a_model_are_stored_while_people_judge(served, sender):
    service, store = served
    judge = store.add_judge("model:tiny@default-0", "model", "", ADDED)
    service.record(2, sender(service, 2).label(1, 2.0))
    ((event, repeated),) = store.add_answer(answer_of(judge.number, 1, text="x" * 300_000), [label_of(judge.number, 1)])
    assert (event.item, event.grade, repeated) == (1, 1.0, False)
    assert service.state.current(1, judge.number).grade == 1.0
    assert service.state.merged(1) == 2.0
    assert [answer.facts["text"][:2] for answer in store.answers(judge.number)] == ["xx"]
    store.add_prompt("v1", "Grade it.")
    assert service.store.prompt("v1") == "Grade it."
    assert service.store.verify() == []


def test_the_same_label_twice_is_one_label(served):
    _, store = served
    judge = store.add_judge("model:tiny@default-0", "model", "", ADDED)
    assert store.add_judge("model:tiny@default-0", "model", "", ADDED) == judge
    first, second = (store.append_many([label_of(judge.number, 3)])[0] for _ in range(2))
    assert (first.event, second.event.seq, second.repeated) == (second.event, first.event.seq, True)


@pytest.mark.parametrize(
    ("event", "words"),
    [
        (label_of(2, 1), "labels of models only"),
        (label_of(1, 1), "labels of models only"),
        (label_of(3, 1, 9.0), "grade 9.0 is not one of"),
        (label_of(3, 10_000), "the number 10000"),
        (label_of(77, 1), "77"),
        (label_of(3, 1)._replace(kind="adjudicate"), "labels of models only"),
        (label_of(3, 1)._replace(note="by hand"), "events"),
        (label_of(3, 1)._replace(grade=float("nan")), "JSON"),
        (label_of(3, 1)._replace(item="1"), "events"),
    ],
)
def test_nothing_but_labels_of_models_is_taken(served, event, words):
    service, store = served
    store.add_judge("model:tiny@default-0", "model", "", ADDED)
    before = service.state.seq
    with pytest.raises(Refused, match=words):
        store.append_many([event])
    assert service.state.seq == before


def test_all_else_cannot_be_written(served):
    _, store = served
    with pytest.raises(StoreReadOnly):
        store.set_off(2, off=True, event=ADDED)


def test_only_whoever_owns_the_lock_file_can_read_the_token(served):
    service, _ = served
    lock = Path(f"{service.store.where}.lock")
    assert stat.S_IMODE(lock.stat().st_mode) == 0o600
    assert json.loads(lock.read_text())["programs"][1] == service.program_token


def test_another_machine_does_not_write_through_a_server(served):
    service, _ = served
    lock = Path(f"{service.store.where}.lock")
    lock.write_text(json.dumps({**json.loads(lock.read_text()), "host": "elsewhere"}))
    assert OwnerLock(lock).programs() is None
    with pytest.raises(DataError, match="is in use by"):
        open_store(service.store.where, through_server=True)


def test_a_server_that_is_gone_is_said_in_words(make_service):
    service = make_service("ada")
    service.store.announce("http://127.0.0.1:9", ProgramAccess("http://127.0.0.1:9", "token"))
    store = open_store(service.store.where, through_server=True)
    with pytest.raises(StoreBusy, match="does not answer any more"):
        store.add_prompt("v1", "Grade it.")
    store.close()


def test_a_store_that_nobody_has_is_written_directly(make_service):
    service = make_service("ada")
    service.close()
    store = open_store(service.store.where, through_server=True)
    store.add_prompt("v1", "Grade it.")
    store.close()


def test_people_may_label_at_the_same_time_as_a_model(served, sender):
    service, store = served
    judge = store.add_judge("model:tiny@default-0", "model", "", ADDED)
    for item in range(1, 21):
        store.add_answer(answer_of(judge.number, item), [label_of(judge.number, item)])
        service.record(2, Submission(f"{item}" * 20, item, "label", 0.0))
    assert service.store.verify() == []
    assert service.state.by_judge[judge.number].labelled == service.state.by_judge[2].labelled == 20
