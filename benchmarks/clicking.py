"""A made log of many impressions, read and fitted, each in a process of its own: seconds and memory.

PyClick takes part where it is importable (github.com/markovi/PyClick; what PyPI has under that name is something else).
"""

from __future__ import annotations

import importlib
import importlib.util
import json
import os
import resource
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from time import perf_counter, process_time
from typing import Any, NamedTuple

import numpy as np

from cranfield.click_models import MODELS, PBM, PYCLICK, ClickLog

SAMPLES = 20
KILO = 1024
"""Of these, memory that the system tells in KB has one MB."""


@dataclass(frozen=True)
class Clicked:
    """How much is logged."""

    impressions: int = 1_000_000
    queries: int = 20_000
    pool: int = 20
    """Documents of a query, of which each impression shows some."""
    depth: int = 10
    models: tuple[str, ...] = tuple(name for name, model in MODELS.items() if not model.needs_sessions)
    few: int = 300
    """Impressions to compare with PyClick, which takes minutes for them."""

    def __str__(self) -> str:
        return (
            f"{self.impressions:,} impressions of {self.queries:,} queries, some asked far more often than others, "
            f"with {self.depth} of {self.pool} documents each"
        )


MANY = Clicked()


def log(clicked: Clicked) -> ClickLog:
    """Rankings with noise, and clicks under the position-based model."""
    rng = np.random.default_rng(11)
    frequency = 1 / np.arange(1, clicked.queries + 1)
    query = rng.choice(clicked.queries, clicked.impressions, p=frequency / frequency.sum()).astype(np.int32)
    document = np.empty((clicked.impressions, clicked.depth), dtype=np.int32)
    for start in range(0, clicked.impressions, 100_000):
        part = query[start : start + 100_000, None]
        seen = np.arange(clicked.pool) + rng.normal(0, 2, (len(part), clicked.pool))
        document[start : start + len(part)] = part * clicked.pool + np.argsort(seen, axis=1)[:, : clicked.depth]
    made = ClickLog(
        [f"s{number}" for number in range(clicked.impressions)],
        [f"q{number}" for number in range(clicked.queries)],
        [f"d{number}" for number in range(clicked.queries * clicked.pool)],
        np.arange(0, document.size + 1, clicked.depth),
        np.arange(clicked.impressions, dtype=np.int32),
        query,
        document.ravel(),
        np.zeros(document.size, dtype=np.bool_),
    )
    truth = PBM.given(
        made, attraction=rng.beta(1, 4, len(made.pairs)), examination=1 / np.arange(1, clicked.depth + 1) ** 0.7
    )
    return truth.simulate(made, rng)


Row = tuple[str, str, list[str], list[int]]
"""An impression: session, query, documents and clicks."""


def rows(made: ClickLog) -> Iterator[Row]:
    """The impressions of a log as plain values."""
    for at, (session, query) in enumerate(zip(made.session.tolist(), made.query.tolist(), strict=True)):
        shown = slice(made.starts[at], made.starts[at + 1])
        documents = [made.documents[code] for code in made.document[shown].tolist()]
        yield made.sessions[session], made.queries[query], documents, made.clicked[shown].astype(int).tolist()


def _csv_results(row: Row) -> str:
    session, query, documents, clicks = row
    results = enumerate(zip(documents, clicks, strict=True), 1)
    return "".join(f"{session},{query},{rank},{document},{clicked}\n" for rank, (document, clicked) in results)


def _csv_lists(row: Row) -> str:
    session, query, documents, clicks = row
    return f"{session},{query},{'|'.join(documents)},{'|'.join(map(str, clicks))}\n"


def _json_results(row: Row) -> str:
    names = "session", "query", "position", "document", "clicked"
    session, query, documents, clicks = row
    results = enumerate(zip(documents, clicks, strict=True), 1)
    return "".join(
        json.dumps(dict(zip(names, (session, query, rank, document, clicked), strict=True))) + "\n"
        for rank, (document, clicked) in results
    )


def _json_lists(row: Row) -> str:
    return json.dumps(dict(zip(("session", "query", "documents", "clicks"), row, strict=True))) + "\n"


def _ubi(row: Row) -> str:
    session, query, documents, clicks = row
    known = {"query_id": f"of {session}", "client_id": session}
    asked = {**known, "user_query": query, "query_response_hit_ids": documents}
    events = [
        {**known, "action_name": "click", "event_attributes": {"object": {"object_id": document}}}
        for document, clicked in zip(documents, clicks, strict=True)
        if clicked
    ]
    return "".join(json.dumps(record) + "\n" for record in (asked, *events))


class Layout(NamedTuple):
    """How a log is written."""

    file: str
    header: str
    written: Callable[[Row], str]


LAYOUTS = {
    "CSV, a row per result": Layout("results.csv", "session,query,position,document,clicked\n", _csv_results),
    "CSV, a row per impression": Layout("lists.csv", "session,query,documents,clicks\n", _csv_lists),
    "JSONL, a row per result": Layout("results.jsonl", "", _json_results),
    "JSONL, a row per impression": Layout("lists.jsonl", "", _json_lists),
    "OpenSearch UBI": Layout("ubi.jsonl", "", _ubi),
}


def write(made: ClickLog, layout: Layout, directory: Path) -> Path:
    """A log in a layout."""
    path = directory / layout.file
    with path.open("w", encoding="utf-8") as target:
        target.write(layout.header)
        target.writelines(map(layout.written, rows(made)))
    return path


class Took(NamedTuple):
    """Seconds of processor and of wall time, and MB at the peak, the log included."""

    processor: float
    wall: float
    memory: float


def took(clicked: Clicked, directory: Path) -> dict[str, Took]:
    """What reading each layout takes, then each model, and labels with intervals by bootstrap, once."""
    made, costs = log(clicked), dict[str, Took]()
    for name, layout in LAYOUTS.items():
        path = write(made, layout, directory)
        models = clicked.models if layout is next(iter(LAYOUTS.values())) else ()
        printed = _printed("read", str(path), *models)
        path.unlink()
        costs |= {(f"reading {name}" if what == "reading" else what): Took(*cost) for what, cost in printed.items()}
    first = {what: cost for what, cost in costs.items() if what.startswith("reading")}
    return first | costs


def beside(clicked: Clicked, directory: Path) -> dict[str, tuple[float, float | None]]:
    """Processor seconds of fits with PyClick's choices to fewer impressions: ours, and its own where it is here."""
    path = write(log(replace(clicked, impressions=clicked.few)), LAYOUTS["CSV, a row per impression"], directory)
    fits = {
        kind: _printed(kind, str(path), *clicked.models) for kind in ("ours", *(["pyclick"] if has_pyclick() else []))
    }
    path.unlink()
    return {name: (own, fits.get("pyclick", {}).get(name)) for name, own in fits["ours"].items()}


def has_pyclick() -> bool:
    """Whether PyClick can be imported."""
    with suppress(ImportError):
        return importlib.util.find_spec("pyclick.click_models") is not None
    return False


def _printed(*words: str) -> dict[str, Any]:
    command = sys.executable, "-m", "benchmarks.clicking", *words
    found: dict[str, Any] = json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)
    return found


def read(path: str, *models: str) -> dict[str, tuple[float, ...]]:
    """Read a log in this process, and fit each model in a copy of it, so that each has its own peak of memory."""
    from cranfield import clicks, read_clicks

    begun = perf_counter()
    found = read_clicks(path)
    own = resource.getrusage(resource.RUSAGE_SELF)
    costs: dict[str, tuple[float, ...]] = {
        "reading": (own.ru_utime + own.ru_stime, perf_counter() - begun, own.ru_maxrss / KILO)
    }
    works: dict[str, Callable[[], object]] = {name: partial(MODELS[name].fit, found) for name in models}
    if "PBM" in models:
        works[f"labels by PBM, {SAMPLES} bootstrap samples"] = lambda: clicks(
            found, "PBM", interval="bootstrap", samples=SAMPLES, min_impressions=1
        )
    for name, work in works.items():
        begun, child = perf_counter(), os.fork()
        if not child:
            work()
            os._exit(0)
        _, status, used = os.wait4(child, 0)
        if status:
            raise SystemExit(f"{name} failed.")
        costs[name] = used.ru_utime + used.ru_stime, perf_counter() - begun, used.ru_maxrss / KILO
    return costs


def ours(path: str, *models: str) -> dict[str, float]:
    """Fits with PyClick's choices."""
    from cranfield import read_clicks

    found = read_clicks(path)
    return {name: _processor(lambda name=name: MODELS[name].fit(found, PYCLICK)) for name in models}  # type: ignore[misc]


def pyclick(path: str, *models: str) -> dict[str, float]:
    """Fits by PyClick, whose sessions are objects."""
    from pyclick.search_session.SearchResult import SearchResult
    from pyclick.search_session.SearchSession import SearchSession

    from cranfield import read_clicks

    sessions = []
    for _, query, documents, clicks in rows(read_clicks(path)):
        session = SearchSession(query)
        session.web_results = [SearchResult(*result) for result in zip(documents, clicks, strict=True)]
        sessions.append(session)
    costs = {}
    for name in models:
        module = importlib.import_module(f"pyclick.click_models.{'CTR' if name.endswith('CTR') else name}")
        costs[name] = _processor(partial(getattr(module, name)().train, sessions))
    return costs


def _processor(work: Callable[[], object]) -> float:
    begun = process_time()
    work()
    return process_time() - begun


if __name__ == "__main__":
    print(json.dumps({"read": read, "ours": ours, "pyclick": pyclick}[sys.argv[1]](*sys.argv[2:])))
