"""What the process that computes the effect of labels answers, request by request."""

from __future__ import annotations

import queue
import subprocess
import sys

import pytest

from cranfield.assessing.effect import Effect
from cranfield.assessing.effect_process import Answer, GradesChanged, MovesAnswer, MovesAsked, Request
from cranfield.assessing.effect_summary import EffectSummary, ItemGrade
from cranfield.assessing.effect_worker import work


def answers(service, *requests: Request | None) -> list[Answer]:
    waiting: queue.Queue[Request | None] = queue.Queue()
    answered: list[Answer] = []
    following = iter(requests)

    def answer(value: Answer) -> None:
        answered.append(value)
        waiting.put(next(following))

    work(service.store, waiting, answer)
    return answered


def test_first_comes_what_the_stored_labels_do_then_each_change(make_service, sender):
    service = make_service("ada", measure="P@10")
    (item,) = sender(service, 2).work(1)
    first, second, third = answers(
        service,
        GradesChanged((ItemGrade(item + 1, 1.0, random=False),)),
        GradesChanged((ItemGrade(item, None, random=False),)),
        None,
    )
    assert [answer.labels for answer in (first, second, third)] == [1, 2, 1]


def test_a_question_is_answered_with_its_number(make_service):
    service = make_service("ada", measure="P@10")
    summary, moved = answers(service, MovesAsked(7, {3: (0.0, 2.0)}), None)
    assert isinstance(summary, EffectSummary)
    assert moved == MovesAnswer(7, Effect(service.project, service.items).moves({3: (0.0, 2.0)}))


def test_labels_of_preferences_have_no_answer(make_service):
    assert answers(make_service("ada", task="preferences"), None) == []


@pytest.mark.parametrize("sent", [b"", b"\x80\x04"])
def test_it_ends_without_a_word_where_the_server_was_killed_before_it_said_what_to_do(sent):
    module = "cranfield.assessing.effect_worker"
    ended = subprocess.run([sys.executable, "-P", "-m", module], input=sent, capture_output=True, check=False)
    assert (ended.returncode, ended.stdout, ended.stderr) == (0, b"", b"")
