"""How far the judging is, and how good."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta

import numpy as np
import pytest

import cranfield as cf
from cranfield.assessing.export import labels_of
from cranfield.assessing.quality import Quality
from tests.assessing.conftest import garden

approx = pytest.approx


@pytest.fixture
def project(make_service, sender):
    """Two judges and a manager; labels by judge and item."""

    def make(**settings):
        service = make_service("ada", "ben", **{"labels": 2, "strategy": "depth", **settings})

        def say(judge, grades, **more):
            for item, grade in grades.items():
                service.record(judge, sender(service, judge).label(item, grade, **more))

        return service, say

    return make


def judge_of(progress, name):
    return next(judge for judge in progress.judges if judge.name == name)


def test_progress_counts_labels_and_what_is_wanted(project):
    service, say = project()
    say(2, {1: 0, 2: 1, 3: 3})
    say(3, {1: 0})
    progress = Quality(service).progress()
    assert (progress.labels, progress.wanted) == (4, 168)
    assert (progress.documents, progress.done) == (84, 1)
    first = progress.queries[0]
    assert (first.query, first.documents, first.done, first.labels, first.wanted) == ("q1", 14, 1, 4, 28)
    assert sum(query.wanted for query in progress.queries) == 168


def test_a_judge_has_counts_shares_and_speed(project):
    service, say = project()
    say(2, {1: 0, 2: 3}, active_ms=4000)
    say(2, {3: 3, 4: 3}, active_ms=500)
    service.record(2, _other(service, 2, 5, "skip"))
    service.record(2, _other(service, 2, 6, "cannot"))
    ada = judge_of(Quality(service).progress(), "ada")
    assert (ada.labels, ada.skipped, ada.cannot, ada.later) == (4, 1, 1, 0)
    assert ada.grades == {"0": 0.25, "3": 0.75}
    assert (ada.median_seconds, ada.too_fast, ada.last_hour) == (2.25, 0.5, 4)
    assert not ada.is_idle


def _other(service, judge, item, kind):
    from tests.assessing.conftest import Sender

    return Sender(service, judge).label(item, 0)._replace(kind=kind, grade=None)


def test_the_manager_is_no_judge(project):
    service, _ = project()
    assert [judge.name for judge in Quality(service).progress().judges] == ["ada", "ben"]


def test_who_said_nothing_for_ten_minutes_is_idle_and_gives_no_forecast(project):
    service, say = project()
    say(2, {1: 0}, active_ms=5000)
    quality = Quality(service)
    assert quality.progress().seconds_left == approx(5 * 167)
    later = quality.progress(datetime.now(UTC) + timedelta(minutes=11))
    assert judge_of(later, "ada").is_idle
    assert (later.seconds_left, later.seconds_per_label) == (None, None)
    assert judge_of(quality.progress(datetime.now(UTC) + timedelta(minutes=61)), "ada").last_hour == 0


def test_two_judges_are_twice_as_fast(project):
    service, say = project()
    say(2, {1: 0}, active_ms=6000)
    say(3, {2: 0}, active_ms=6000)
    progress = Quality(service).progress()
    assert progress.seconds_per_label == approx(3)
    assert progress.seconds_left == approx(3 * 166)


def test_events_are_read_once(project, monkeypatch):
    service, say = project()
    say(2, {1: 0, 2: 0})
    quality = Quality(service)
    quality.progress()
    asked = []
    events = service.store.events
    monkeypatch.setattr(service.store, "events", lambda after=0: (asked.append(after), events(after))[1])
    quality.progress()
    assert asked == [service.state.seq]


def test_watching_from_the_start_gives_what_watching_later_does(project):
    service, say = project()
    early, rng = Quality(service), np.random.default_rng(4)
    now = datetime.now(UTC)
    for item in range(1, 41):
        judge = int(rng.integers(2, 4))
        say(judge, {item: float(rng.integers(0, 4))}, active_ms=int(rng.integers(300, 9000)))
        early.progress(now)
    assert early.progress(now) == Quality(service).progress(now)


def test_agreement_waits_for_20_shared_documents(project):
    service, say = project()
    quality = Quality(service)
    say(2, {item: item % 3 for item in range(1, 21)})
    say(3, {item: item % 2 for item in range(1, 20)})
    assert quality.agreement() is None
    say(3, {20: 1})
    assert quality.agreement().documents == 20


def test_agreement_is_the_librarys_own_on_the_same_labels(project):
    service, say = project()
    rng = np.random.default_rng(3)
    say(2, {item: float(rng.integers(0, 4)) for item in range(1, 61)})
    say(3, {item: float(rng.integers(0, 4)) for item in range(31, 84)})
    summary = Quality(service).agreement()
    agreement = cf.agree(labels_of(service.store))
    assert (summary.value, summary.low, summary.high) == (
        agreement.by_default.value,
        agreement.by_default.low,
        agreement.by_default.high,
    )
    (pair,), (expected,) = summary.pairs, agreement.pairs
    assert (pair.one, pair.other, pair.documents) == ("ada", "ben", 30)
    assert (pair.kappa, pair.low, pair.high) == (expected.kappa.value, expected.kappa.low, expected.kappa.high)


def test_the_same_labels_are_not_computed_twice(project, monkeypatch):
    service, say = project()
    for judge in (2, 3):
        say(judge, {item: (item + judge) % 3 for item in range(1, 25)})
    quality = Quality(service)
    first = quality.agreement()
    monkeypatch.setattr("cranfield.assessing.quality.agree", None)
    assert quality.agreement() is first


def test_what_a_judge_says_twice_is_compared(make_service, sender):
    service = make_service("ada", repeats=1.0, strategy="depth")
    page = sender(service, 2)
    while (item := page.next()) is not None:
        again = service.state.by_judge[2].due() == item
        service.record(2, page.label(item, 2.0 if again and item % 2 else 1.0))
    repeats = service.state.by_judge[2].repeats
    expected = sum(item % 2 == 0 for item in repeats) / len(repeats)
    ada = judge_of(Quality(service).progress(), "ada")
    assert ada.repeats.documents == len(repeats) > 2
    assert (ada.repeats.same, ada.repeats.distance) == (approx(expected), approx(1 - expected))
    assert ada.labels == 84


def test_gold_tells_how_often_a_judge_is_right(make_service, sender):
    gold = {"q1": {"d1": 2, "d2": 0, "d3": 1}}
    service = make_service("ada", contents=garden(gold=gold), strategy="depth")
    items = service.items
    at = {items.documents[int(items.of_document[item - 1])]: item for item in items.of(0)}
    for name, grade in (("d1", 3.0), ("d2", 0.0), ("d3", 1.0)):
        service.record(2, sender(service, 2).label(at[name], grade))
    gold_of = judge_of(Quality(service).progress(), "ada").gold
    assert (gold_of.documents, gold_of.right, gold_of.bias) == (3, approx(2 / 3), approx(1 / 3))


def test_reasons_of_decisions_add_up(project):
    service, say = project()
    say(2, {1: 0, 2: 0})
    say(3, {1: 3, 2: 2})
    service.adjudicate(1, 1, 2, "guidelines", key="a")
    service.adjudicate(1, 2, 1, "guidelines", key="b")
    progress = Quality(service).progress()
    assert (progress.decided, progress.reasons) == (2, {"guidelines": 2})


def test_plain_values_are_json(project):
    service, say = project()
    for judge in (2, 3):
        say(judge, dict.fromkeys(range(1, 25), 1))
    quality = Quality(service)
    for values in (quality.progress().to_dict(), quality.agreement().to_dict()):
        json.dumps(values, allow_nan=False)
