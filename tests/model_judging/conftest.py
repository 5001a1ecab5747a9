"""A small project in a store, and an endpoint on loopback."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from cranfield.assessing.contents import contents_of, judged_from_runs
from cranfield.assessing.project import new_project
from cranfield.assessing.store import Store, create_store
from cranfield.formats import read_runs
from tests.model_judging.endpoint_server import FakeEndpoint, serving


@pytest.fixture
def endpoint() -> Iterator[FakeEndpoint]:
    with serving() as server:
        yield server


@pytest.fixture
def make_store(tmp_path: Path) -> Iterator[Callable[..., Store]]:
    """Makes a store with a document for each text, all of one query."""
    made: list[Store] = []

    def make(*texts: str, path: str = "judging.db", **settings: object) -> Store:
        names = [f"d{at}" for at in range(len(texts))]
        judged = judged_from_runs(read_runs({"run": {"q1": names}}), max(len(names), 1))
        documents = {name: {"title": "", "text": text} for name, text in zip(names, texts, strict=True)}
        contents, _ = contents_of(judged, queries={"q1": "growing beans"}, documents=documents)
        made.append(create_store(tmp_path / path, new_project("garden", **settings), contents))
        return made[-1]

    yield make
    for store in made:
        store.close()
