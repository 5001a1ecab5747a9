"""A model as a judge: what it is asked, what becomes of its answers, and of its failures."""

import json
import os
import random
import signal
import subprocess
import sys
import time
from collections import Counter

import pytest

from cranfield.assessing.store import open_store
from cranfield.errors import DataError
from cranfield.model_judging.endpoint import Endpoint
from cranfield.model_judging.judge import IN_A_ROW, ModelJudge
from cranfield.model_judging.judging import judge_with_model
from cranfield.model_judging.prompts import default_prompt, umbrela_prompt

KEY = "sk-secret-0123456789"


def judged(store, endpoint, *, most=None, timeout=5.0, prompt=None, at_once=4, key=KEY):
    pauses = []
    judge = ModelJudge(
        store,
        Endpoint(endpoint.url, "tiny", key, timeout),
        prompt or default_prompt(store.project()),
        at_once=at_once,
        sleep=pauses.append,
        rng=random.Random(1),
    )
    run = judge.run(judge.to_ask()[:most])
    return run, judge, pauses


def grades(store):
    return {item: current.grade for item, _, current in store.current()}


def test_every_document_gets_the_grade_that_the_model_gives(make_store, endpoint):
    store = make_store(*(f"plot {at}" for at in range(8)))
    run, judge, _ = judged(store, endpoint)
    assert grades(store) == {at + 1: float(at % 4) for at in range(8)}
    assert (run.labels, run.left, run.tokens_in, run.tokens_out) == (8, 0, 800, 40)
    assert store.verify() == []
    assert judge.judge().kind == "model"


def test_a_second_run_asks_nothing(make_store, endpoint):
    store = make_store("plot 1", "plot 2")
    judged(store, endpoint)
    run, _, _ = judged(store, endpoint)
    assert (run.asked, run.labels) == (0, 0)
    assert endpoint.asked == Counter({"1": 1, "2": 1})


def test_an_answer_that_is_stored_is_not_asked_for_again(make_store, endpoint):
    from cranfield.assessing.events import NewEvent

    store = make_store("plot 1")
    _, judge, _ = judged(store, endpoint)
    seq = next(current.seq for _, _, current in store.current())
    number = judge.judge().number
    store.append(NewEvent("cleared", number, 1, "clear", before=seq, how="bulk"))
    store.close()
    again = open_store(store.where)
    again.rows("DELETE FROM current")
    run, _, _ = judged(again, endpoint)
    assert (run.asked, run.from_cache, run.labels) == (0, 1, 1)
    assert endpoint.asked == Counter({"1": 1})
    again.close()


GRADES = ("right", "slow", "busy", "broken", "prose", "no json mode")
FAILURES = {
    "broken always": "server error",
    "cut off": "cut off",
    "refusal": "refused",
    "prose always": "unreadable",
    "out of range": "out of range",
    "two numbers": "unreadable",
    "empty": "empty",
    "wrong json": "wrong JSON",
    "huge": "too large",
}


class TestEveryWayOfAnswering:
    """Each outcome is a grade or a failure of its kind; a failure is asked for again by the next run, alone."""

    @pytest.mark.parametrize("way", GRADES)
    def test_a_grade_in_the_end(self, make_store, endpoint, way):
        store = make_store(f"plot 2 [{way}]")
        run, _, _ = judged(store, endpoint)
        assert (run.labels, dict(run.failures)) == (1, {})
        assert grades(store) == {1: 2.0}

    @pytest.mark.parametrize(("way", "kind"), FAILURES.items())
    def test_never_a_grade(self, make_store, endpoint, way, kind):
        store = make_store("plot 1", f"plot 2 [{way}]", "plot 3")
        run, _, _ = judged(store, endpoint)
        assert dict(run.failures) == {kind: 1}
        assert grades(store) == {1: 1.0, 3: 3.0}
        assert run.left == 1
        assert kind in str(run)

    @pytest.mark.parametrize("way", FAILURES)
    def test_the_next_run_asks_for_that_document_alone(self, make_store, endpoint, way):
        store = make_store("plot 1", f"plot 2 [{way}]", "plot 3")
        judged(store, endpoint)
        before = endpoint.asked.copy()
        endpoint.healthy = True
        run, _, _ = judged(store, endpoint)
        assert (run.labels, run.left) == (1, 0)
        assert endpoint.asked - before == Counter({"2": 1})
        assert grades(store)[2] == 2.0

    @pytest.mark.parametrize("way", ["redirect", "forbidden"])
    def test_what_will_be_the_same_for_all_stops_at_once(self, make_store, endpoint, way):
        store = make_store(*(f"plot {at} [{way}]" for at in range(30)))
        run, _, _ = judged(store, endpoint, at_once=2)
        assert run.stopped
        assert sum(endpoint.asked.values()) <= 4
        assert grades(store) == {}

    def test_a_slow_answer_is_a_timeout(self, make_store, endpoint):
        run, _, _ = judged(make_store("plot 2 [slow]"), endpoint, timeout=0.2)
        assert dict(run.failures) == {"timeout": 1}

    def test_many_failures_in_a_row_stop_the_run(self, make_store, endpoint):
        store = make_store(*(f"plot {at} [refusal]" for at in range(40)))
        run, _, _ = judged(store, endpoint, at_once=1)
        assert run.asked == IN_A_ROW
        assert "Stopped early" in run.verdict()

    def test_nothing_listens(self, make_store, endpoint):
        store = make_store("plot 1")
        gone = Endpoint("http://127.0.0.1:9/v1", "tiny", KEY)
        judge = ModelJudge(store, gone, default_prompt(store.project()), sleep=lambda seconds: None)
        run = judge.run(judge.to_ask())
        assert dict(run.failures) == {"no connection": 1}


def test_a_server_says_how_long_to_wait(make_store, endpoint):
    _, _, pauses = judged(make_store("plot 1 [busy]"), endpoint)
    assert pauses == [0.01]


def test_pauses_grow(make_store, endpoint):
    _, _, pauses = judged(make_store("plot 1 [broken always]"), endpoint)
    assert len(pauses) == 5
    assert pauses == sorted(pauses)


def test_an_unknown_parameter_is_left_out_from_then_on(make_store, endpoint):
    store = make_store(*(f"plot {at} [no json mode]" for at in range(5)))
    run, _, _ = judged(store, endpoint, at_once=1)
    assert run.labels == 5
    assert sum("response_format" in body for body in endpoint.bodies) == 1


def test_no_more_than_asked_for(make_store, endpoint):
    run, _, _ = judged(make_store(*(f"plot {at}" for at in range(6))), endpoint, most=2)
    assert (run.labels, run.left) == (2, 4)


def test_everything_to_repeat_an_answer_is_stored_and_the_key_nowhere(make_store, endpoint, tmp_path):
    store = make_store("plot 2", "plot 3 [forbidden]")
    run, judge, _ = judged(store, endpoint)
    answers = {answer.item: answer for answer in store.answers(judge.judge().number)}
    facts = answers[1].facts
    assert (facts["text"], facts["model"], facts["fingerprint"]) == ('{"grade": 2}', "tiny-2026", "fp1")
    assert "JSON" in store.prompt(facts["prompt"])
    assert endpoint.keys == {f"Bearer {KEY}"}
    shown = f"{run} {judge.endpoint!r} {json.dumps(run.to_dict())}"
    store.close()
    kept = b"".join(path.read_bytes() for path in tmp_path.iterdir() if path.is_file())
    assert KEY not in shown
    assert KEY.encode() not in kept


def test_another_prompt_is_another_judge(make_store, endpoint):
    store = make_store("plot 1")
    _, first, _ = judged(store, endpoint)
    _, second, _ = judged(store, endpoint, prompt=umbrela_prompt(store.project().grades))
    assert first.name != second.name
    assert len(endpoint.bodies) > 1


def test_what_people_labelled_is_asked_first(make_store, endpoint):
    from cranfield.assessing.service import Service, Submission

    store = make_store(*(f"plot {at}" for at in range(20)))
    service = Service(store)
    ada, _ = service.add_judge("ada")
    item = service.cards(ada.number, "tab", 1)[0].item
    service.record(ada.number, Submission("k1", item, "label", 1.0))
    judge = ModelJudge(store, Endpoint(endpoint.url, "tiny"), default_prompt(store.project()))
    assert judge.to_ask()[0] == item


def test_preferences_are_for_people(make_store, endpoint):
    store = make_store("plot 1", "plot 2", task="preferences")
    with pytest.raises(DataError, match="grades only"):
        judged(store, endpoint)


def test_killed_in_the_middle_nothing_is_lost_and_nothing_asked_twice(make_store, endpoint):
    store = make_store(*(f"plot {at}" for at in range(40)))
    store.close()
    endpoint.delay = 0.05
    code = (
        "import sys; from cranfield.model_judging.judging import judge_with_model;"
        "judge_with_model(sys.argv[1], 'tiny', base_url=sys.argv[2], key='', at_once=2)"
    )
    process = subprocess.Popen([sys.executable, "-c", code, str(store.where), endpoint.url])
    deadline = time.monotonic() + 60
    while sum(endpoint.asked.values()) < 10 and time.monotonic() < deadline:
        time.sleep(0.01)
    os.kill(process.pid, signal.SIGKILL)
    process.wait()
    reader = open_store(store.where, read_only=True)
    items = reader.items()
    names = {item: items.documents[int(items.of_document[item - 1])].removeprefix("d") for item in range(1, 41)}
    stored = {names[item] for item, _, _ in reader.current()}
    reader.close()
    assert stored
    before = endpoint.asked.copy()
    run = judge_with_model(store.where, "tiny", base_url=endpoint.url, key="")
    assert run.left == 0
    assert not set(endpoint.asked - before) & stored
    again = open_store(store.where, read_only=True)
    assert len({item for item, _, _ in again.current()}) == 40
    assert again.verify() == []
    again.close()


class TestLogprobs:
    def answers(self, store, endpoint, **more):
        judge = ModelJudge(store, Endpoint(endpoint.url, "tiny", KEY), default_prompt(store.project()), **more)
        run = judge.run(judge.to_ask())
        return run, {answer.item: answer for answer in store.answers(judge.judge().number)}

    def test_it_is_stored_how_likely_each_grade_was(self, make_store, endpoint):
        store = make_store("plot 1", "plot 2")
        _, answers = self.answers(store, endpoint, logprobs=True)
        assert answers[1].facts["shares"] == {"1": 0.75, "2": 0.25}
        assert answers[1].facts["expected"] == 1.25
        assert "tokens" not in answers[1].facts
        assert answers[1].facts["parameters"]["top_logprobs"] == 20

    def test_nothing_is_asked_for_unless_wanted(self, make_store, endpoint):
        _, answers = self.answers(make_store("plot 1"), endpoint)
        assert "logprobs" not in endpoint.bodies[0]
        assert "shares" not in answers[1].facts

    @pytest.mark.parametrize("way", ["no logprobs", "odd logprobs"])
    def test_a_server_that_does_not_tell_gives_labels_all_the_same(self, make_store, endpoint, way):
        run, answers = self.answers(
            make_store(f"[{way}] plot 1", f"[{way}] plot 2"), endpoint, logprobs=True, at_once=1
        )
        assert (run.labels, run.left) == (2, 0)
        assert not any("shares" in answer.facts for answer in answers.values())
        assert sum(endpoint.asked.values()) == (3 if way == "no logprobs" else 2)

    def test_everything_it_takes_to_repeat_an_answer_is_stored(self, make_store, endpoint):
        store = make_store("plot 1")
        _, answers = self.answers(store, endpoint)
        facts = answers[1].facts
        assert (facts["endpoint"], facts["words"], facts["model"]) == (endpoint.url, 2000, "tiny-2026")
        assert facts["parameters"] == {
            name: value for name, value in endpoint.bodies[0].items() if name not in ("model", "messages")
        }
        assert store.prompt(facts["prompt"]) == default_prompt(store.project()).text
