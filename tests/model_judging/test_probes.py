"""Documents that are made up to see how a model answers."""

import pytest

from cranfield.assessing.trust_answer import PROBES
from cranfield.model_judging.endpoint import Endpoint
from cranfield.model_judging.judge import ModelJudge
from cranfield.model_judging.probes import ORDER, probes, repeats
from cranfield.model_judging.prompts import default_prompt
from tests.assessing.conftest import garden


@pytest.fixture
def judge(tmp_path):
    from cranfield.assessing.project import new_project
    from cranfield.assessing.store import create_store

    store = create_store(tmp_path / "judging.db", new_project("garden"), garden())
    yield ModelJudge(store, Endpoint("http://127.0.0.1:1/v1", "tiny"), default_prompt(store.project()))
    store.close()


def test_each_document_comes_in_three_kinds(judge):
    questions = probes(judge, 4)
    assert [question.facts["probe"] for question in questions] == list(PROBES) * 4
    assert {question.purpose for question in questions} == {"probe"}


def test_documents_are_of_other_queries_and_no_candidates_of_this_one(judge):
    items = judge.items
    for question in probes(judge, 20):
        own = items.of_document[items.of_query == items.query_of(question.item)]
        assert question.facts["document"] not in {items.documents[int(at)] for at in own}


def test_one_has_the_words_of_the_query_and_one_an_order(judge):
    plain, stuffed, order = (question.request.messages[-1]["content"] for question in probes(judge, 1))
    assert stuffed.count("grows") > plain.count("grows")
    assert ORDER in order


def test_the_same_seed_asks_the_same(judge):
    assert [question.request for question in probes(judge, 3)] == [question.request for question in probes(judge, 3)]


def test_a_share_is_asked_again(judge):
    assert len(repeats(judge, 0.1, list(range(1, 51)))) == 5
    assert repeats(judge, 0.0, [1, 2, 3]) == []
