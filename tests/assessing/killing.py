"""Kills a process that stores labels, again and again, and counts what became of what it had acknowledged.

Run by itself: `python -m tests.assessing.killing labels judging.db 1000`, or `creating judging.db 20`.
"""

from __future__ import annotations

import json
import os
import random
import signal
import sqlite3
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from unittest.mock import patch
from uuid import uuid4

from cranfield.assessing.project import new_project
from cranfield.assessing.refusals import Refused
from cranfield.assessing.service import Service, Submission
from cranfield.assessing.store import Store, create_store, open_store, schema, sqlite
from cranfield.errors import DataError
from tests.assessing.conftest import garden

CLIENTS = 20
LONGEST = 0.25
"""Seconds until a process is killed, at most."""


def labels(where: str, kills: int, seed: int = 0) -> dict[str, object]:
    """Kill so many processes; what was lost, what was stored twice, and how long it took to come back."""
    rng = random.Random(seed)
    acknowledged: set[str] = set()
    sent: dict[str, tuple[int, Submission]] = {}
    for _ in range(kills):
        lines = killed_after(where, rng.uniform(0.01, LONGEST))
        for line in lines:
            kind, _, text = line.partition(" ")
            if kind == "acknowledged":
                acknowledged.add(text)
            else:
                judge, *fields = json.loads(text)
                sent[fields[0]] = judge, Submission(*fields)
    began = time.monotonic()
    service = Service(opened(where))
    restart = time.monotonic() - began
    stored = [event for event in service.store.events() if event.item is not None]
    problems = service.store.verify()
    repeated = sum(resent(service, *sent[event.key]) for event in stored if event.key in sent)
    after = [event for event in service.store.events() if event.item is not None]
    service.close()
    keys = [event.key for event in after]
    return {
        "acknowledged": len(acknowledged),
        "lost": len(acknowledged - {event.key for event in stored}),
        "only stored": len({event.key for event in stored} - acknowledged),
        "twice": len(keys) - len(set(keys)) + len(after) - len(stored),
        "resent": repeated,
        "problems": problems,
        "restart": restart,
    }


def creating(where: str, kills: int) -> dict[str, object]:
    """Kill processes that make a store, later and later; each time there is a whole one or none."""
    path = Path(where)
    made = 0
    problems: list[str] = []
    for kill in range(kills):
        _killed(lambda: create_store(path, new_project("garden"), garden()).close(), 0.05 * kill / kills)
        if path.exists():
            made += 1
            problems += _problems(path)
            path.unlink()
    return {"made": made, "problems": problems}


def copying(where: str, kills: int) -> dict[str, object]:
    """Kill processes that copy a store; each time the copy is whole or not there."""
    path = Path(where)
    copy = path.with_name("copy.db")
    create_store(path, new_project("garden"), garden()).close()
    made, problems = 0, list[str]()
    for seconds in _moments(kills):
        _killed(lambda: open_store(path, read_only=True).backup(copy), seconds)
        if copy.exists():
            made += 1
            problems += _problems(copy)
            copy.unlink()
        problems += _problems(path)
    return {"made": made, "problems": problems}


def migrating(where: str, kills: int) -> dict[str, object]:
    """Kill processes that bring a store to the next version; each time it is of the old one or the new one."""
    path = Path(where)
    steps = {
        1: [*(f"ALTER TABLE event ADD COLUMN place{at} TEXT" for at in range(20)), "UPDATE event SET place1 = key"]
    }
    made, problems = 0, list[str]()
    for seconds in _moments(kills):
        create_store(path, new_project("garden"), garden()).close()
        with patch.object(schema, "VERSION", 2):
            _killed(lambda: sqlite.open_for_writing(path, steps), seconds)
        (version,) = sqlite3.connect(path).execute("PRAGMA user_version").fetchone()
        made += version == 2
        with patch.object(schema, "VERSION", version):
            problems += _problems(path)
        if version == 2:
            problems += _problems(path.with_name(f"{path.name}.before-1"))
        for left in path.parent.glob(f"{path.name}*"):
            left.unlink()
    return {"made": made, "problems": problems}


def _moments(kills: int) -> Iterator[float]:
    """From at once to after what a busy machine needs, most of them early."""
    return (0.6 * (kill / max(kills - 1, 1)) ** 3 for kill in range(kills))


def _killed(act: Callable[[], object], seconds: float) -> None:
    """Do something in a process that is killed after so long."""
    child = os.fork()
    if child == 0:
        act()
        os._exit(0)
    time.sleep(seconds)
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)


def _problems(path: Path) -> list[str]:
    store = open_store(path)
    problems = store.verify()
    store.close()
    return problems


def killed_after(where: str, seconds: float) -> list[str]:
    """What a process said that stored labels as fast as it could, until it was killed."""
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(reading)
        _serve(where, writing)
    os.close(writing)
    with os.fdopen(reading, "rb") as pipe:
        pipe.readline()  # it is at work
        threading.Timer(seconds, os.kill, (child, signal.SIGKILL)).start()
        text = pipe.read()
    os.waitpid(child, 0)
    # The last line may be cut; what it said was then not said.
    return text.decode().split("\n")[:-1]


def _serve(where: str, pipe: int) -> None:
    try:
        service = Service(opened(where))
        os.write(pipe, b"ready\n")
        for judge in range(2, 2 + CLIENTS):
            threading.Thread(target=_judge, args=(service, judge, pipe)).start()
        time.sleep(60)
    finally:
        os._exit(1)


def _judge(service: Service, judge: int, pipe: int) -> None:
    rng = random.Random(f"{os.getpid()} {judge}")
    while True:
        item = rng.randrange(1, len(service.items) + 1)
        current = service.state.current(item, judge)
        label = Submission(uuid4().hex, item, "label", float(rng.randrange(4)), current.seq if current else None)
        os.write(pipe, f"sent {json.dumps([judge, *label[:-1]])}\n".encode())
        service.record(judge, label)
        os.write(pipe, f"acknowledged {label.key}\n".encode())


def opened(where: str) -> Store:
    """The store, once the database has noticed that whoever held it is gone."""
    for _ in range(100):
        try:
            return open_store(where)
        except DataError:
            time.sleep(0.02)
    return open_store(where)


def resent(service: Service, judge: int, label: Submission) -> bool:
    """Send a label again that was stored; it is told that it was."""
    try:
        return service.record(judge, label).repeated
    except Refused:
        return False


WAYS = {"labels": labels, "creating": creating, "copying": copying, "migrating": migrating}

if __name__ == "__main__":
    print(json.dumps(WAYS[sys.argv[1]](sys.argv[2], int(sys.argv[3]))))
