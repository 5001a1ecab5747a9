"""Judging stores: small sound ones, and the same with a few values, rows or bytes changed."""

from __future__ import annotations

import sqlite3
import tempfile
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

from fuzzing.mutations import damaged, token
from fuzzing.tokens import JSON_VALUES

HEAD = b"SQLite format 3\0"
_JOURNAL = slice(18, 20)
"""Where a file says whether it has a log next to it (2) or not (1); one in memory cannot have one."""


def changed_store(data: bytes, rng: Random) -> bytes:
    """A store with a few values of its rows changed, or with damaged bytes, or both."""
    way = rng.random()
    if way < 0.7:
        data = _with_other_values(data, rng)
    return damaged(data, rng) if way > 0.6 else data


def _with_other_values(data: bytes, rng: Random) -> bytes:
    with sqlite3.connect(":memory:", isolation_level=None) as connection:
        connection.deserialize(_without_log(data))
        connection.execute("PRAGMA ignore_check_constraints = ON")
        for _ in range(rng.choice((1, 1, 1, 2, 5))):
            _change(connection, rng)
        data = connection.serialize()
    connection.close()
    return data


def _without_log(data: bytes) -> bytes:
    return data[: _JOURNAL.start] + b"\1\1" + data[_JOURNAL.stop :]


def _change(connection: sqlite3.Connection, rng: Random) -> None:
    tables = [name for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
    table = rng.choice([name for name in tables if not name.startswith("sqlite_")] or ["meta"])
    columns = [row[1] for row in connection.execute(f'PRAGMA table_info("{table}")')]
    rows = connection.execute(f'SELECT * FROM "{table}"').fetchall()
    if not columns or not rows:
        return
    row, place = rng.choice(rows), rng.randrange(len(columns))
    here = " AND ".join(f'"{name}" IS ?' for name in columns)
    try:
        match rng.randrange(12):
            case 0:
                connection.execute(f'DELETE FROM "{table}" WHERE {here}', row)
            case 1:
                connection.execute(f'DELETE FROM "{table}"')
            case 2:
                connection.execute(f'ALTER TABLE "{table}" DROP COLUMN "{columns[place]}"')
            case 3:
                connection.execute(f'DROP TABLE "{table}"')
            case 4:
                version = rng.choice((0, 2, -1, 1 << 30))
                connection.execute(f"PRAGMA user_version = {version}")
            case _:
                value = _other_value(row[place], rng)
                connection.execute(f'UPDATE "{table}" SET "{columns[place]}" = ? WHERE {here}', (value, *row))
    except (sqlite3.Error, OverflowError):
        return  # what the tables themselves refuse


def _other_value(value: Any, rng: Random) -> Any:
    if isinstance(value, bytes) and rng.random() < 0.7:
        return damaged(value, rng)
    if isinstance(value, str) and value[:1] in "{[" and value and rng.random() < 0.8:
        from fuzzing.mutations import mutated

        return mutated(value.encode(), (), rng).decode("utf-8", "replace")
    return rng.choice(
        (
            *(None, -1, 0, 1, 2, 7, 1 << 40, (1 << 63) - 1, 0.5, -0.0, 1e308, float("inf"), "", "label", b"\0\xff"),
            *("adjudicate", "clear", "manager", "model", "imported", "gold", "preferences", rng.choice(JSON_VALUES)),
            token(rng).decode("utf-8", "replace"),
        )
    )


@cache
def stores() -> tuple[bytes, ...]:
    """A project with labels of two judges, a model and a manager; one of comparisons; one with nothing said yet."""
    return _graded(), _compared(), _fresh()


def _graded() -> bytes:
    from cranfield.assessing.events import ModelAnswer, NewEvent

    def fill(service: Any) -> None:
        for judge, grades in ((2, (0.0, 1.0, 3.0, 2.0)), (3, (0.0, 2.0, 3.0))):
            for item, grade in enumerate(grades, 1):
                _say(service, judge, item, grade)
        _say(service, 1, 2, 1.0, "adjudicate")
        model, _ = service.add_judge("some-model", "model")
        answer = ModelAnswer("r" * 16, model.number, 1, "label", "grade", 2.0, {"text": "2", "tokens": 7})
        service.store.add_prompt("p" * 16, "How relevant is it?")
        service.store.add_answer(answer, [NewEvent("m" * 16, model.number, 1, "label", 2.0, how="model")])

    return _made(fill, labels=2)


def _compared() -> bytes:
    def fill(service: Any) -> None:
        for item, grade in enumerate((1.0, 0.0, -1.0), 1):
            _say(service, 2, item, grade)

    return _made(fill, task="preferences")


def _fresh() -> bytes:
    return _made(lambda service: None)


def _say(service: Any, judge: int, item: int, grade: float, kind: str = "label") -> None:
    from cranfield.assessing.submission import Submission

    service.record(judge, Submission(f"{kind} {judge} {item}", item, kind, grade))


def _made(fill: Any, **settings: Any) -> bytes:
    from cranfield.assessing.contents import as_preferences, contents_of, judged_from_runs
    from cranfield.assessing.project import new_project
    from cranfield.assessing.service import Service
    from cranfield.assessing.store import create_store
    from cranfield.formats import read_runs

    runs = {"a": {"q1": ["d1", "d2", "d3"], "q2": ["d1", "d4"]}, "b": {"q1": ["d3", "d5"], "q2": ["d4"]}}
    judged = judged_from_runs(read_runs(runs), 3)
    given = as_preferences(judged) if settings.get("task") == "preferences" else judged
    contents, _ = contents_of(given, queries={"q1": "why", "q2": "how"}, documents={"d1": "They bark."})
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "judging.db")
        service = Service(create_store(path, new_project("garden", **settings), contents))
        for name, kind in (("boss", "manager"), ("ada", "person"), ("ben", "person")):
            service.add_judge(name, kind)  # type: ignore[arg-type]
        fill(service)
        service.close()
        return _without_log(path.read_bytes())
