"""A process that computes what labels do, kept at work while people judge."""

from __future__ import annotations

import math
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest

import cranfield as cf
from cranfield.assessing import effect_process as module
from cranfield.assessing.contents import contents_of, judged_from_runs
from cranfield.assessing.effect import Effect
from cranfield.assessing.effect_process import EffectProcess, effect_process
from cranfield.assessing.effect_summary import EffectSummary
from cranfield.assessing.project import new_project
from cranfield.assessing.service import Service, Submission
from cranfield.assessing.store import create_store
from cranfield.formats import read_runs
from tests.assessing.collections import GARDEN, garden, name_of
from tests.assessing.conftest import garden as small

PATIENCE = 60


@pytest.fixture
def begin(monkeypatch) -> Iterator[Callable[[Service], EffectProcess]]:
    """Starts what a server starts, and ends it."""
    begun: list[EffectProcess] = []

    def start(service: Service) -> EffectProcess:
        effect = effect_process(service.store, service.project, service.items)
        service.effect = effect
        begun.append(effect)
        effect.start()
        return effect

    monkeypatch.setattr(module, "AGAIN", 0.05)
    yield start
    for effect in begun:
        effect.stop()


def until(is_true: Callable[[], bool]) -> None:
    end = time.monotonic() + PATIENCE
    while not is_true():
        assert time.monotonic() < end
        time.sleep(0.02)


def scratch(service: Service) -> EffectSummary:
    """The same computed at once."""
    effect = Effect(service.project, service.items)
    service.set_effect(effect)
    effect.update()
    return effect.summary()


def without_history(summary: EffectSummary) -> list[dict[str, object]]:
    return [{**pair.to_dict(), "history": None} for pair in summary.pairs]


def test_the_summary_follows_labels_in_either_store(where, begin):
    service = Service(create_store(where, new_project("garden", measure="P@10"), small()))
    for name, kind in (("boss", "manager"), ("ada", "person")):
        service.add_judge(name, kind)
    service.record(2, Submission("before", 1, "label", 2.0))
    effect = begin(service)
    until(lambda: effect.summary().labels == 1)
    for item in range(2, 30):
        service.record(2, Submission(f"after {item}", item, "label", float(item % 3)))
    until(lambda: effect.summary().labels == 29)
    assert without_history(effect.summary()) == without_history(scratch(service))
    effect.stop()
    service.close()


def test_nobody_who_saves_waits_and_the_numbers_are_those_of_the_library(make_service, begin):
    items, truth = garden("bm25", "hybrid")
    paths = [str(GARDEN / f"{name}.run") for name in ("bm25", "hybrid")]
    contents = contents_of(judged_from_runs(read_runs(paths), 10))[0]
    service = make_service("ada", contents=contents, measure="P@10", strategy="depth")
    effect = begin(service)
    began = time.perf_counter()
    for at in range(len(items)):
        effect.set_grade(at + 1, truth[at], random=False)
    assert time.perf_counter() - began < 0.2
    until(lambda: effect.summary().labels == 912)
    (pair,) = effect.summary().pairs
    judgments: dict[str, dict[str, float]] = {}
    for item in range(1, len(items) + 1):
        query, document = name_of(items, item)
        judgments.setdefault(query, {})[document] = truth[item - 1]
    baseline, run = cf.evaluate(judgments, paths, "P@10")["P@10"]
    assert pair.state == "certain"
    assert math.isclose(pair.difference, float(np.mean(run - baseline)))


def test_after_a_restart_the_picture_is_there_and_later_labels_count(make_service, sender, begin):
    service = make_service("ada", "ben", labels=2, measure="P@10")
    page = sender(service, 2)
    page.work(30)
    effect = begin(service)
    page.work(1, grade=3.0)
    until(lambda: effect.summary().labels == 31)
    (pair,) = effect.summary().pairs
    assert {0, 30, 31} <= {labels for labels, _, _ in pair.history} <= {*range(32)}
    assert without_history(effect.summary()) == without_history(scratch(service))


def test_a_process_that_dies_is_started_again_and_knows_everything(make_service, sender, begin, caplog):
    service = make_service("ada", measure="P@10")
    page = sender(service, 2)
    effect = begin(service)
    page.work(10)
    until(lambda: effect.summary().labels == 10)
    first = effect._process
    first.kill()
    page.work(10)
    until(lambda: effect.summary().labels == 20)
    assert effect._process.pid != first.pid
    assert "it is started again" in caplog.text
    assert without_history(effect.summary()) == without_history(scratch(service))


def test_a_process_that_never_answers_is_started_again_more_and_more_seldom(make_service, begin, monkeypatch):
    begun: list[float] = []

    def broken(module: str) -> subprocess.Popen[bytes]:
        begun.append(time.monotonic())
        return subprocess.Popen([sys.executable, "-c", "pass"], stdin=subprocess.PIPE, stdout=subprocess.PIPE)

    monkeypatch.setattr(module, "started", broken)
    effect = begin(make_service("ada"))
    until(lambda: len(begun) == 4)
    effect.stop()
    pauses = [later - earlier for earlier, later in pairwise(begun)]
    assert pauses[2] >= 0.4  # after 0.1, 0.2 and 0.4 s
    assert effect.summary().pairs == ()


def test_pages_learn_how_far_a_disputed_grade_moves_the_comparison(make_service, sender, begin):
    service = make_service("ada", measure="P@10")
    asked = dict.fromkeys(range(1, 30), (0.0, 3.0))
    effect = effect_process(service.store, service.project, service.items)
    assert effect.moves({1: (0.0, 3.0)}) == {1: 0.0}  # nothing is computed yet, and nobody waits for long
    effect = begin(service)
    until(lambda: bool(effect.summary().pairs))
    assert effect.moves(asked) == Effect(service.project, service.items).moves(asked)
    assert any(effect.moves(asked).values())


def test_where_nobody_else_can_read_a_store_a_thread_does_it(make_service, sender, begin):
    service = make_service("ada", measure="P@10")
    service.store.readable = None
    effect = begin(service)
    sender(service, 2).work(10)
    until(lambda: effect.summary().labels == 10)
    assert effect._process is None
    assert without_history(effect.summary()) == without_history(scratch(service))


def test_preferences_and_single_runs_have_none(make_service):
    alone = contents_of(judged_from_runs(read_runs({"a": {"q1": ["d1", "d2"]}}), 10))[0]
    service = make_service("ada", contents=alone)
    assert effect_process(service.store, service.project, service.items) is None


def test_stopping_twice_and_before_the_start_is_nothing(make_service, begin):
    service = make_service("ada")
    effect_process(service.store, service.project, service.items).stop()
    effect = begin(service)
    effect.stop()
    effect.stop()
    until(lambda: effect._process is None or effect._process.returncode is not None)


STARTED = """
import sys, time
from cranfield.assessing.effect_process import effect_process
from cranfield.assessing.service import Service
from cranfield.assessing.store import open_store

service = Service(open_store(sys.argv[1]))
effect = effect_process(service.store, service.project, service.items)
effect.start()
while not effect.summary().pairs:
    time.sleep(0.02)
print(effect._process.pid, flush=True)
time.sleep(600)
"""


@pytest.mark.skipif(sys.platform == "win32", reason="other signals")
@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM, signal.SIGINT])
def test_it_ends_with_the_process_that_started_it(make_service, number):
    service = make_service("ada")
    service.close()
    command = [sys.executable, "-c", STARTED, service.store.where]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as process:
        worker = int(process.stdout.readline())
        assert os.getpriority(os.PRIO_PROCESS, worker) > os.getpriority(os.PRIO_PROCESS, process.pid)
        process.send_signal(number)
        process.wait()
    until(lambda: not is_alive(worker))


def is_alive(number: int) -> bool:
    try:
        os.kill(number, 0)
    except ProcessLookupError:
        return False
    # Whoever adopts it may not have asked for it yet.
    return Path(f"/proc/{number}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
