"""Exports are written by a process of their own while judges go on."""

from __future__ import annotations

import subprocess

import pytest

from cranfield.assessing import export_worker
from cranfield.assessing.aside import started
from cranfield.assessing.export import EXPORTS, exports_of
from cranfield.assessing.export_worker import exported
from cranfield.assessing.refusals import StoreBroken, Unsound


@pytest.mark.parametrize("name", exports_of("grades"))
def test_it_is_what_the_store_itself_gives(make_service, sender, name):
    service = make_service("ada", "ben", labels=2)
    for judge in (2, 3):
        sender(service, judge).work(20, grade=float(judge - 1))
    both = next(item for item in range(1, 85) if len(service.state.labels(item)) == 2)
    service.adjudicate(1, both, 2.0, key="decided")
    assert b"".join(exported(service.store, name)).decode() == "".join(EXPORTS[name](service.store))


def test_both_databases_can_be_read_by_it(store):
    assert b"".join(exported(store, "events.jsonl")).decode() == "".join(EXPORTS["events.jsonl"](store))


def test_what_cannot_be_written_is_refused_in_words(make_service):
    with pytest.raises(Unsound, match="nobody has labelled anything yet"):
        exported(make_service("ada").store, "labels.qrels")


def test_where_nobody_else_can_read_a_store_it_is_written_here(make_service, sender, monkeypatch):
    service = make_service("ada")
    sender(service, 2).work(3)
    service.store.readable = None
    monkeypatch.setattr(export_worker, "started", None)
    assert b"".join(exported(service.store, "labels.csv")).decode() == "".join(EXPORTS["labels.csv"](service.store))
    empty = make_service("ada")
    empty.store.readable = None
    with pytest.raises(Unsound, match="nobody has labelled anything yet"):
        exported(empty.store, "labels.qrels")


def test_a_process_that_dies_leaves_no_file_that_seems_whole(make_service, sender, monkeypatch):
    service = make_service("ada")
    sender(service, 2).work(3)
    begun: list[subprocess.Popen[bytes]] = []
    monkeypatch.setattr(export_worker, "started", lambda module: begun.append(started(module)) or begun[-1])
    monkeypatch.setattr(export_worker, "PART", 10)
    parts = iter(exported(service.store, "events.jsonl"))
    assert next(parts)
    begun[0].wait()
    begun[0].returncode = -9  # as if it had been killed
    with pytest.raises(StoreBroken, match="Export it again"):
        list(parts)


def test_whoever_leaves_early_leaves_no_process_behind(make_service, sender, monkeypatch):
    service = make_service("ada")
    sender(service, 2).work(3)
    begun: list[subprocess.Popen[bytes]] = []
    monkeypatch.setattr(export_worker, "started", lambda module: begun.append(started(module)) or begun[-1])
    parts = exported(service.store, "events.jsonl")
    next(iter(parts))
    parts.close()
    assert begun[0].returncode is not None
