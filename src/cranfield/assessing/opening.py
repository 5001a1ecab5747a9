"""From what somebody names to a store: a new one made of runs, a pool or pairs, or one that is there already."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path, PurePath
from typing import Any, NamedTuple
from urllib.parse import urlsplit

import numpy as np

from cranfield import errors
from cranfield.assessing.contents import Judged, as_preferences, contents_of, judged_from_pool, judged_from_runs
from cranfield.assessing.items import Items
from cranfield.assessing.project import MOST_GRADES, GradeWord, Project, new_project, parse_grades
from cranfield.assessing.store import Store, create_store, is_address, open_store
from cranfield.choices import Duplicates
from cranfield.data.judgments import Judgments
from cranfield.errors import DataError, Finding, UsageError
from cranfield.formats import read_judgments, read_runs
from cranfield.formats.columns import ColumnsGiven, columns_for
from cranfield.formats.pools import is_pool, read_pool
from cranfield.formats.source import is_there, text_of
from cranfield.pooling.choosing import one_measure

STORE = "judging.db"
STORE_ENDINGS = (".db", ".sqlite", ".sqlite3")
DEPTH, PREFERENCE_DEPTH = 10, 3
"""Documents of each run that are judged, or compared two at a time, by default."""
NEEDS_RUNS = ("decide", "comparison", "mtf", "mm-ns", "thompson")
"""Strategies that ask what runs differ about, or which of them finds more."""
SETTINGS = (
    "grades",
    "guidelines",
    "labels",
    "shared",
    "repeats",
    "strategy",
    "measure",
    "seed",
    "link",
    "mark_passages",
)
"""What may be set for a new project; all but the seed may be changed later."""


class Opened(NamedTuple):
    """A store that this process owns."""

    store: Store
    is_new: bool
    warnings: tuple[Finding, ...] = ()


@dataclass(frozen=True)
class ProjectInputs:
    """What a new project is made of, and its settings; None where nothing was said."""

    queries: object = None
    documents: object = None
    judgments: object = None
    gold: object = None
    depth: int | None = None
    preferences: bool = False
    title: str | None = None
    settings: Mapping[str, Any] = field(default_factory=dict)
    columns: ColumnsGiven = None
    duplicates: Duplicates | None = None

    def for_new_only(self) -> list[str]:
        """What was said that only a new project can take."""
        said = {name: getattr(self, name) for name in ("queries", "documents", "judgments", "gold", "depth")}
        named = [name for name, value in said.items() if value is not None]
        return [*named, *(["preferences"] if self.preferences else []), *(["seed"] if "seed" in self.settings else [])]


def open_project(
    sources: object, store: str | os.PathLike[str] | None, inputs: ProjectInputs, *, through_server: bool = False
) -> Opened:
    """The store that is named, or a new one with all that is to be judged; `through_server` as in `open_store`."""
    places, rest = split_sources(sources)
    where = store_of(places, store)
    if rest:
        if is_store_there(where):
            return _same_project(where, rest, inputs, through_server=through_server)
        return create_project(where, rest, inputs)
    if not places and store is None:
        raise errors.judging_projects.nothing_to_judge()
    if named := inputs.for_new_only():
        raise errors.judging_projects.only_for_new_projects(named[0])
    return Opened(open_store(where, through_server=through_server), is_new=False)


def create_project(where: str | os.PathLike[str], sources: Sequence[object], inputs: ProjectInputs) -> Opened:
    """A new store, made of runs, a pool or pairs."""
    judged = judged_of(sources, inputs)
    project = _project(where, judged, inputs)
    contents, warnings = contents_of(judged, queries=inputs.queries, documents=inputs.documents)
    if (missing := _beyond_pool(contents.items, project)) is not None:
        warnings.append(missing)
    store = create_store(where, project, contents)
    if inputs.documents is None and not judged.documents and not project.link:
        warnings.append(errors.judging_projects.no_texts())
    return Opened(store, is_new=True, warnings=tuple(warnings))


def _beyond_pool(items: Items, project: Project) -> Finding | None:
    """What of the compared rankings nobody will judge: no label can tell anything about it."""
    if len(items.places) < 2:
        return None
    cutoff = one_measure(project.measure).params.get("cutoff")
    looked_at = [run.retrieved if cutoff is None else np.minimum(run.retrieved, cutoff) for run in items.places]
    pooled = [int((run.ranks <= (cutoff or np.inf)).sum()) for run in items.places]
    missing = sum(int(count.sum()) - known for count, known in zip(looked_at, pooled, strict=True))
    return errors.judging_projects.beyond_pool(project.measure, missing) if missing else None


def judged_of(sources: Sequence[object], inputs: ProjectInputs) -> Judged:
    """What is to be judged, and the runs that are compared by it."""
    pools = [source for source in sources if names_pool(source)]
    others = [source for source in sources if not any(source is pool for pool in pools)]
    given = others[0] if len(others) == 1 else others
    runs = read_runs(given, columns_for("run", inputs.columns), inputs.duplicates) if others else []
    if len(pools) > 1:
        raise errors.judging_projects.several_pools([str(pool) for pool in pools])
    judgments, gold = (_judgments(one, inputs.columns) for one in (inputs.judgments, inputs.gold))
    if pools:
        if inputs.depth is not None:
            raise errors.judging_projects.depth_of_pool()
        judged = judged_from_pool(read_pool(pools[0]), runs, judgments=judgments, gold=gold)
    else:
        depth = inputs.depth or (PREFERENCE_DEPTH if inputs.preferences else DEPTH)
        judged = judged_from_runs(runs, depth, judgments=judgments, gold=gold)
    if inputs.preferences and not judged.compares:
        return as_preferences(judged, seed=inputs.settings.get("seed", 0))
    return judged


def split_sources(sources: object) -> tuple[list[str], list[object]]:
    """Those that name a store, and the others."""
    is_list = isinstance(sources, list | tuple) and not _are_pairs(sources)
    listed = list(sources) if is_list else [sources]  # type: ignore[call-overload]  # a list, as just found
    places = [str(source) for source in listed if names_store(source)]
    return places, [source for source in listed if not names_store(source)]


def store_of(places: Sequence[str], store: str | os.PathLike[str] | None) -> str | os.PathLike[str]:
    """Where labels are kept: what was named, in whichever way, or the usual file."""
    named = [*places, *([] if store is None else [os.fspath(store)])]
    if len(named) > 1:
        raise errors.judging_projects.several_stores(named)
    return named[0] if named else STORE


def names_store(source: object) -> bool:
    """Whether a path or an address names a store, there already or not.

    >>> names_store("judging.db"), names_store("postgresql://127.0.0.1/garden"), names_store("bm25.run")
    (True, True, False)
    """
    if not isinstance(source, str | os.PathLike):
        return False
    name = os.fspath(source)
    return is_address(name) or PurePath(name).suffix.lower() in STORE_ENDINGS


def is_store_there(where: str | os.PathLike[str]) -> bool:
    """Whether something is at the place of a store; a database is asked whether it has a project."""
    if not is_address(where):
        return is_there(os.fspath(where))
    try:
        open_store(where, read_only=True).close()
    except DataError as error:
        if {finding.kind for finding in error.findings} == {"no-store"}:
            return False
        raise
    return True


def names_pool(source: object) -> bool:
    """Whether a path, or pairs in Python, list what is to be judged."""
    if isinstance(source, str | os.PathLike):
        return is_pool(os.fspath(source))
    return _are_pairs(source)


def _are_pairs(source: object) -> bool:
    return isinstance(source, list | tuple) and bool(source) and all(isinstance(pair, list | tuple) for pair in source)


def changes_of(inputs: ProjectInputs) -> dict[str, Any]:
    """Settings that an existing project is to have from now on."""
    return _settings({name: value for name, value in inputs.settings.items() if name != "seed"})


def _judgments(source: object, columns: ColumnsGiven) -> Judgments | None:
    return None if source is None else read_judgments(source, columns=columns_for("judgments", columns))


def _project(where: str | os.PathLike[str], judged: Judged, inputs: ProjectInputs) -> Project:
    settings = _settings(inputs.settings)
    compared = len(judged.runs) > 1 and not judged.compares
    strategy = settings.setdefault("strategy", "decide" if compared else "depth")
    if strategy in NEEDS_RUNS and not compared:
        raise errors.judging_projects.strategy_needs_runs(strategy)
    if judged.compares:
        if "grades" in settings:
            raise errors.judging_projects.grades_of_preferences()
        settings["task"] = "preferences"
    project = new_project(inputs.title or _title(where), depth=inputs.depth or DEPTH, **settings)
    if not judged.compares:
        _require_on_scale(judged, project)
    return project


def _require_on_scale(judged: Judged, project: Project) -> None:
    """Judgments that there are must be on the scale that judges will use, or both would be mixed up."""
    strange = sorted({*judged.known.values(), *judged.gold.values()} - set(project.scale))
    if strange:
        wanted = sorted({*strange, *judged.known.values(), 0.0})
        typed = ",".join(f"{grade:g}" for grade in wanted) if len(wanted) <= MOST_GRADES else ""
        raise errors.judging_projects.judgments_off_scale(strange, project.scale, typed)


def _settings(given: Mapping[str, Any]) -> dict[str, Any]:
    """Settings as a project has them: grades, guidelines and measures as they are meant."""
    settings = {name: value for name, value in given.items() if value is not None}
    if "grades" in settings:
        settings["grades"] = _grades(settings["grades"])
    if "guidelines" in settings:
        settings["guidelines"] = _guidelines(settings["guidelines"])
    if "measure" in settings:
        settings["measure"] = str(one_measure(settings["measure"]))
    return settings


def _grades(given: object) -> tuple[GradeWord, ...]:
    if isinstance(given, str):
        return parse_grades(given)
    if isinstance(given, Mapping):
        return tuple(GradeWord(float(value), str(word)) for value, word in sorted(given.items()))
    if isinstance(given, Sequence):
        return tuple(one if isinstance(one, GradeWord) else GradeWord(float(one)) for one in given)
    raise UsageError(f"grades must be a text such as '0=not relevant,1=relevant' or a dictionary, not {given!r}.")


def _guidelines(given: object) -> str:
    """Markdown; a path to a file of it, or the text itself."""
    if isinstance(given, os.PathLike):
        return text_of(str(os.fspath(given)))
    return text_of(str(given)) if str(given).endswith((".md", ".txt")) else str(given)


def _title(where: str | os.PathLike[str]) -> str:
    """What judges see as the name of the project, of which no run is part: that of the file, or of its folder."""
    name = os.fspath(where)
    if is_address(name):
        return urlsplit(name).path.strip("/") or "judging"
    stem = PurePath(name).stem
    return (Path(name).absolute().parent.name or stem) if stem == PurePath(STORE).stem else stem


def _same_project(
    where: str | os.PathLike[str], sources: Sequence[object], inputs: ProjectInputs, *, through_server: bool
) -> Opened:
    """The store that is there, if it is about the same pairs."""
    opened = Opened(open_store(where, through_server=through_server), is_new=False)
    try:
        contents, _ = contents_of(judged_of(sources, inputs))
        if _names(contents.items) != _names(opened.store.items()):
            raise DataError([errors.judging_projects.other_pool(os.fspath(where))])
    except BaseException:
        opened.store.close()
        raise
    return opened


def _names(items: Items) -> list[tuple[str, str, str]]:
    others = [-1] * len(items) if items.other is None else items.other.tolist()
    rows = zip(items.of_query.tolist(), items.of_document.tolist(), others, strict=True)
    return sorted(
        (items.queries[query], items.documents[document], items.documents[other] if other >= 0 else "")
        for query, document, other in rows
    )
