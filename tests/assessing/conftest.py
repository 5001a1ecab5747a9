"""Small projects, stores of both kinds, and a PostgreSQL of the tests' own."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from pathlib import Path
from uuid import uuid4

import pytest

from cranfield.assessing.contents import contents_of, judged_from_runs
from cranfield.assessing.items import Contents
from cranfield.assessing.project import Project, new_project
from cranfield.assessing.service import Service, Submission
from cranfield.assessing.store import Store, create_store
from cranfield.formats import read_judgments, read_runs

RUNS = {
    "bm25": {f"q{query}": [f"d{query + place}" for place in range(12)] for query in range(1, 7)},
    "dense": {f"q{query}": [f"d{query + 4 + place}" for place in range(12)] for query in range(1, 7)},
}
QUERIES = {f"q{query}": f"what grows in bed {query}" for query in range(1, 7)}
DOCUMENTS = {
    f"d{number}": {"title": f"Bed {number}", "text": f"Beans grow in bed {number}."} for number in range(1, 25)
}


def garden(**more: object) -> Contents:
    """Six queries of two runs that share some documents: 84 pairs at depth 10."""
    judgments, gold = (None if name not in more else read_judgments(more[name]) for name in ("judgments", "gold"))
    judged = judged_from_runs(read_runs(RUNS), 10, judgments=judgments, gold=gold)
    return contents_of(judged, queries=QUERIES, documents=DOCUMENTS)[0]


@pytest.fixture
def make_service(tmp_path: Path) -> Iterator[Callable[..., Service]]:
    """Makes a project in an SQLite file, with judges by name; a manager is number 1."""
    made: list[Service] = []

    def make(*judges: str, clock: Callable[[], float] = time.monotonic, **settings: object) -> Service:
        contents = settings.pop("contents", None) or garden()
        path = tmp_path / f"{uuid4().hex}.db"
        service = Service(create_store(path, new_project("garden", **settings), contents), clock)
        made.append(service)
        service.add_judge("boss", "manager")
        for name in judges:
            service.add_judge(name)
        return service

    yield make
    for service in made:
        service.close()


class Sender:
    """A judge's page: sends labels with keys of its own."""

    def __init__(self, service: Service, judge: int, tab: str = "tab") -> None:
        self.service, self.judge, self.tab = service, judge, tab

    def label(self, item: int, grade: float, before: int | None = None, **more: object) -> Submission:
        """A label, not sent yet."""
        return Submission(uuid4().hex, item, "label", grade, before, **{"active_ms": 2000, **more})

    def next(self) -> int | None:
        """The item shown next."""
        cards = self.service.cards(self.judge, self.tab, 1)
        return cards[0].item if cards else None

    def work(self, most: int = 10_000, grade: float = 1.0) -> list[int]:
        """Label what comes, until nothing does."""
        items: list[int] = []
        while len(items) < most and (item := self.next()) is not None:
            current = self.service.cards(self.judge, self.tab, 1)[0].current
            self.service.record(self.judge, self.label(item, grade, current.seq if current else None))
            items.append(item)
        return items


@pytest.fixture
def sender() -> type[Sender]:
    return Sender


@pytest.fixture(params=["sqlite", "postgres"])
def where(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    """Where a new store can be: a file, or a schema of its own in a database."""
    if request.param == "sqlite":
        yield str(tmp_path / "judging.db")
    else:
        yield f"{request.getfixturevalue('postgres')}?schema=t{uuid4().hex[:12]}"


@pytest.fixture
def project() -> Project:
    return new_project("garden", labels=2)


@pytest.fixture
def store(where: str, project: Project) -> Iterator[Store]:
    """A store of either kind with the garden in it, and two judges: 1 is the manager, 2 and 3 are people."""
    from cranfield.assessing.events import NewEvent

    opened = create_store(where, project, garden())
    for name, kind in (("boss", "manager"), ("ada", "person"), ("ben", "person")):
        opened.add_judge(name, kind, f"hash of {name}", NewEvent(uuid4().hex, 0, None, "judge-added"))
    yield opened
    opened.close()
