"""Programs on the same machine that store what a model says."""

import pytest

from cranfield.assessing.web.access import BODY, MODEL_BODY


@pytest.fixture
def token(project):
    return {"authorization": f"Bearer {project.service.program_token}"}


def test_without_the_token_nobody_writes(client, judge, manager, project):
    before = project.service.state.seq
    for visitor in (client, judge, manager):
        for shown in ({}, {"authorization": "Bearer "}, {"authorization": b"Bearer \xe9"}):
            answer = visitor.post("/model", json={"act": "judge", "name": "model:x"}, headers=shown)
            assert answer.status_code == 403
            assert project.service.program_token not in answer.text
    assert project.service.state.seq == before


def test_with_the_token_a_model_is_added(client, project, token):
    answer = client.post("/model", json={"act": "judge", "name": "model:x"}, headers=token)
    number, name, kind, _ = answer.json()["done"]
    assert (name, kind) == ("model:x", "model")
    assert project.service.judges[-1].number == number


@pytest.mark.parametrize(
    "sent",
    [
        {},
        {"act": "drop"},
        {"act": "judge", "name": 7},
        {"act": "labels", "events": [1]},
        {"act": "labels", "events": [{"key": "x"}]},
        {"act": "answer", "answer": None},
        {"act": "answer", "answer": {"request": 1}},
        {"act": "prompt", "version": ["v"], "text": ""},
        {"act": "judge", "name": "manager"},
    ],
)
def test_what_makes_no_sense_is_refused_in_words(client, project, token, sent):
    before = project.service.state.seq
    answer = client.post("/model", json=sent, headers=token)
    assert answer.status_code == 422
    assert answer.json()["message"]
    assert project.service.state.seq == before


def test_an_answer_may_be_long_but_not_endless(client, token):
    sent = {"act": "prompt", "version": "v", "text": "x" * 2 * BODY}
    assert client.post("/model", json=sent, headers=token).status_code == 200
    assert client.post("/model", content=b"x" * (MODEL_BODY + 1), headers=token).status_code == 413
    assert client.post("/label", content=b"x" * (BODY + 1)).status_code == 413
