"""Several runs at once, however they are given, each under a name of its own."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence, ValuesView
from dataclasses import is_dataclass, replace

import numpy as np

from cranfield.data.run import Run
from cranfield.errors import UsageError
from cranfield.formats.reading import read_run


def read_runs(runs: object) -> list[Run]:
    """All runs that were given, each under a name of its own."""
    if _is_systems(runs):
        assert isinstance(runs, Mapping)
        return _named_apart([read_run(run, name=str(name)) for name, run in runs.items()])
    # A stream of record batches can be walked over, and is one table all the same.
    if isinstance(runs, Iterator | ValuesView) and not hasattr(runs, "__arrow_c_stream__"):
        runs = list(runs)
    several = runs if _is_several(runs) else [runs]
    read = [read_run(run) for run in several]  # type: ignore[attr-defined]  # a list, as just found
    if not read:
        raise UsageError("No run was given. Name at least one.")
    return _named_apart(read)


def _is_systems(runs: object) -> bool:
    """A mapping from name to run, rather than from query to documents."""
    if not isinstance(runs, Mapping) or not runs:
        return False
    first = next(iter(runs.values()))
    if isinstance(first, Mapping):
        inner = next(iter(first.values()), None)
        return isinstance(inner, Mapping | list | tuple)
    return not isinstance(first, list | tuple | set | frozenset | np.ndarray)


def _is_several(runs: object) -> bool:
    """A list of runs, rather than a list of rows."""
    if not isinstance(runs, list | tuple):
        return False
    if not runs:
        return True
    first = runs[0]
    if isinstance(first, Mapping):
        return any(isinstance(value, Mapping | list) for value in first.values())
    is_row = isinstance(first, tuple | list) and not any(isinstance(value, Mapping | tuple | list) for value in first)
    return not (is_row or is_dataclass(first)) or isinstance(first, Run)


def _named_apart(runs: Sequence[Run]) -> list[Run]:
    """Runs of one name get their path, or a number, as well."""
    named: dict[str, Run] = {}
    for run in runs:
        choices = [
            run.name,
            *([run.path] if run.path else []),
            *(f"{run.name} {n}" for n in range(2, len(runs) + 2)),
        ]
        name = next(choice for choice in choices if choice not in named)
        named[name] = replace(run, name=name)
    return list(named.values())
