"""From whatever the user names to `Judgments` or a `Run`."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, ValuesView
from dataclasses import is_dataclass, replace
from functools import partial
from importlib import import_module
from types import ModuleType
from typing import TYPE_CHECKING, Any, NamedTuple, get_args

import numpy as np

from cranfield import errors
from cranfield.arguments import require_choice
from cranfield.choices import Duplicates
from cranfield.data.judgments import GroupKind, JudgmentRows, Judgments
from cranfield.data.run import LOG_ENDING, AtOnce, Firsts, Ranking, Run, keeping_first
from cranfield.errors import DataError, Finding, Findings, UsageError
from cranfield.formats import grouping
from cranfield.formats.columns import JUDGED, Columns, ColumnsGiven, Kind, columns_for, parse_columns
from cranfield.formats.grouping import RunRows
from cranfield.formats.remote import is_remote
from cranfield.formats.sniff import sniff
from cranfield.formats.source import Source, as_source, collection_file, is_folder, is_pattern, is_there
from cranfield.phrases import option

if TYPE_CHECKING:
    from cranfield.data.request_log import RequestLog
    from cranfield.formats.query_order import QueryOrder


class Reader(NamedTuple):
    """How a format is read: from a file, the columns the user names and where findings go."""

    judgment_rows: Callable[[Source, Columns, Findings], Iterator[JudgmentRows]]
    rankings: Callable[[Source, Columns, Findings], Iterator[Ranking]]
    judgments: Callable[[Source, Columns], Judgments | None]
    """All judgments by compiled loops; None where there are no such loops, or where there is anything to tell."""
    places: Callable[[Source, Columns], AtOnce | None]
    """The compiled pass over a run, if there is one for files of this kind."""
    firsts: Callable[[Source, Columns], Firsts | None]
    """The same for the first documents of each query."""
    run_rows: Callable[[Source, Columns, Findings], Iterator[RunRows]] | None
    """The rows of a run as they come, which may be in several files; None where a file is one whole."""


FORMATS: Mapping[str, tuple[str, dict[str, object]]] = {
    "trec": ("trec", {}),
    "msmarco": ("msmarco", {}),
    "csv": ("delimited_rows", {"delimiters": (",", ";")}),
    "tsv": ("delimited_rows", {"delimiters": ("\t",)}),
    "beir": ("delimited_rows", {"delimiters": ("\t",)}),
    "quepid": ("delimited_rows", {"delimiters": (",", ";")}),
    "jsonl": ("json_lines", {}),
    "json": ("json_object", {}),
    "parquet": ("arrow", {}),
    "arrow": ("arrow", {}),
    "svmlight": ("svmlight", {}),
    "store": ("judging_store", {}),
}
"""Each format's module in this package, and what is passed to it."""


def reader(format: str) -> Reader:
    """The reader of a format; its module is imported only now, since most files are of one kind."""
    name, options = FORMATS[format]
    module = import_module(f"cranfield.formats.{name}")
    judgment_rows = partial(module.judgment_rows, **options)
    rankings = getattr(module, "rankings", None)
    at_once = {name: getattr(module, name, _not_at_once) for name in ("judgments", "places", "firsts")}
    if rankings is not None:
        return Reader(judgment_rows, rankings, **at_once, run_rows=None)
    run_rows = partial(module.run_rows, **options)
    return Reader(judgment_rows, partial(_grouped, run_rows), **at_once, run_rows=run_rows)


def _grouped(
    run_rows: Callable[[Source, Columns, Findings], Iterator[RunRows]],
    source: Source,
    columns: Columns,
    findings: Findings,
) -> Iterator[Ranking]:
    return grouping.rankings(partial(run_rows, source, columns), source.path, findings)


def _not_at_once(source: Source, columns: Columns) -> None:
    return None


def read_judgments(
    source: object,
    *,
    format: str | None = None,
    columns: ColumnsGiven = None,
    groups: GroupKind | None = None,
    findings: Findings | None = None,
) -> Judgments:
    """Judgments from a path, `-`, an open file, a dictionary, rows or a table.

    `groups` keeps several grades of a document apart: by subtopic, by judge, or by preference; or it tells the strata
    of the pool from which documents were drawn.

    >>> read_judgments([("q1", "d1", 2), ("q1", "d2", 0)])
    Judgments(1 query, 2 judgments, grades 0 to 2)
    """
    if isinstance(source, Judgments):
        return source if groups is None else source.grouped(groups)
    judgments = read_graded(
        source, format=format, columns=columns, groups=groups, findings=findings, may_be_grouped=True
    )
    return judgments if groups is None else judgments.grouped(groups)


def read_graded(
    source: object,
    *,
    format: str | None = None,
    columns: ColumnsGiven = None,
    groups: GroupKind | None = None,
    findings: Findings | None = None,
    may_be_grouped: bool = False,
) -> Judgments:
    """The same as they stand: a row for each grade, with subtopic, judge or stratum in a column of its own.

    Compiled loops give judgments that are grouped already, where that is as good.
    """
    found = Findings() if findings is None else findings
    named = parse_columns(columns) if groups is None else replace(parse_columns(columns), groups=groups)
    quick = groups is None or may_be_grouped
    if is_pattern(source) or (is_folder(source) and collection_file(source, "judgments") is None):
        return _judgments_in_parts(os.fspath(source), format, named, found, quick=quick)
    file = as_source(source, "judgments")
    if file is not None:
        how = reader(format_of(file, format, named, "judgments"))
        if quick and (at_once := how.judgments(file, named)) is not None:
            return at_once
        rows = how.judgment_rows(file, named, found)
    else:
        memory = _in_memory()
        held = memory.held(source, "judgments")
        if quick and (at_once := memory.judgments(held, named)) is not None:
            return at_once
        rows = memory.rows(held, named, found)
    return Judgments.from_rows(rows, path=file.path if file else None, findings=found)


def _judgments_in_parts(
    path: str, format: str | None, columns: Columns, findings: Findings, *, quick: bool
) -> Judgments:
    """Judgments of several files: a folder, or those that a pattern fits."""
    from cranfield.formats import shards

    parts = shards.shards_of(path, columns, "judgments", format)
    if quick and (at_once := parts.judgments()) is not None:
        return at_once
    return Judgments.from_rows(parts.judgment_rows(findings), path=parts.path, findings=findings)


def read_run(
    source: object,
    *,
    format: str | None = None,
    columns: ColumnsGiven = None,
    name: str | None = None,
    duplicates: Duplicates | None = None,
    run_queries: object = None,
) -> Run:
    """A run from a path, `-`, an open file, a dictionary, rows or a table; a file is read when it is asked.

    A document that is listed twice for a query is an error, and with `duplicates="first"` a warning: its best place
    counts. `run_queries` says which queries responses answer that do not say so, as those of `_msearch`: a query
    file or a list of ids in their order, or the file of the request.

    >>> read_run({"q1": {"d1": 1.5}}, name="bm25")
    Run('bm25')
    """
    order = order_of(run_queries)
    run = _only_run(source, format=format, columns=columns, duplicates=duplicates, order=order)
    must_be_used(order)
    return run if name is None else replace(run, name=name)


def _only_run(source: object, **facts: Any) -> Run:
    (run, *others) = runs_in(source, **facts)
    if others:
        raise DataError([errors.files.several_runs(run.path, [run.name, *(other.name for other in others)])])
    return run


def runs_in(
    source: object,
    *,
    format: str | None = None,
    columns: ColumnsGiven = None,
    duplicates: Duplicates | None = None,
    order: QueryOrder | None = None,
) -> list[Run]:
    """The run of a file or table; or several, where a column such as `system` distinguishes them.

    >>> rows = [{"config": name, "query": "q1", "document": "d1", "score": 1.0} for name in ("bm25", "dense")]
    >>> runs_in(rows)
    [Run('bm25'), Run('dense')]
    """
    if duplicates is not None:
        require_choice(duplicates, "duplicates", get_args(Duplicates))
        return [keeping_first(run) for run in runs_in(source, format=format, columns=columns, order=order)]
    if isinstance(source, Run):
        return [source]
    named = replace(parse_columns(columns), order=order)
    if is_folder(source) or is_pattern(source):
        from cranfield.formats import folders, shards

        path = os.fspath(source)
        of_responses = is_folder(source) and folders.has_responses(path)
        return [folders.run_in(path)] if of_responses else shards.shards_of(path, named, "run", format).runs()
    file = as_source(source)
    return runs_in_file(file, format_of(file, format, named, "run"), named) if file else _in_object(source, named)


def runs_in_file(file: Source, format: str, columns: Columns) -> list[Run]:
    """The run of a file, or several runs of a table, in a format that is known."""
    if format not in ("trec", "msmarco", "store"):
        from cranfield.formats import systems

        if several := systems.runs_of_file(file, format, columns):
            return several
    if columns.order is not None and format == "json":
        columns.order.is_used = True
    how = reader(format)
    return [
        Run(
            file.name,
            partial(how.rankings, file, columns),
            file.path,
            how.places(file, columns),
            how.firsts(file, columns),
            partial(log_beside, file.path),
        )
    ]


def _in_object(source: object, columns: Columns) -> list[Run]:
    memory = _in_memory()
    held, name = memory.held(source, "run"), "run"
    if isinstance(held, memory.ColumnTable):
        from cranfield.formats import systems

        if several := systems.runs_of_table(held, columns):
            return several
        name = systems.name_in(held, columns) or name
    elif columns.order is not None:
        columns.order.is_used = not isinstance(held, Mapping)
    return [Run(name, memory.run(held, columns), at_once=memory.places(held, columns))]


def log_beside(path: str) -> RequestLog | None:
    """The log of requests next to a run; hardly any run has one, and none that was named by an address."""
    if is_remote(path) or not is_there(path + LOG_ENDING):
        return None
    from cranfield.formats.request_logs import read_log

    return read_log(path + LOG_ENDING)


def _in_memory() -> ModuleType:
    """Reading of Python objects, which a command never needs."""
    from cranfield.formats import memory

    return memory


def format_of(file: Source, format: str | None, columns: Columns, wanted: Kind | None) -> str:
    """The format to read a file in: what the user says, or what the file looks like."""
    if format is None:
        return sniff(file, columns, wanted).format
    if format not in FORMATS:
        raise errors.files.unknown_format(format, list(FORMATS))
    return format


def read_inputs(
    judgments: object,
    runs: object,
    *,
    columns: ColumnsGiven = None,
    duplicates: Duplicates | None = None,
    groups: GroupKind | None = None,
    run_queries: object = None,
) -> tuple[Judgments, list[Run]]:
    """Judgments and runs, where `columns` may be about both: a grade is of judgments, a score or rank of runs."""
    judged = read_judgments(judgments, columns=columns_for("judgments", columns), groups=groups)
    return judged, read_runs(runs, columns_for("run", columns), duplicates, run_queries)


def order_of(given: object) -> QueryOrder | None:
    """The order in which queries were asked, if it is given."""
    if given is None:
        return None
    from cranfield.formats.query_order import query_order

    return query_order(given)


def must_be_used(order: QueryOrder | None) -> None:
    """Refuse an order of queries where nothing was read that could need it."""
    if order is not None and not order.is_used:
        raise UsageError(f"{option('run_queries')} is about saved responses, and no run is a file of them.")


def read_runs(
    runs: object,
    columns: ColumnsGiven = None,
    duplicates: Duplicates | None = None,
    run_queries: object = None,
) -> list[Run]:
    """All runs that were given, each under a name of its own.

    A table may hold several, distinguished by a column such as `config`, `system` or `run`.
    """
    order = order_of(run_queries)
    read = _several(runs, columns, order)
    must_be_used(order)
    return read if duplicates is None else [read_run(run, duplicates=duplicates) for run in read]


def _several(runs: object, columns: ColumnsGiven, order: QueryOrder | None) -> list[Run]:
    read_one = partial(_only_run, columns=columns, order=order)
    # To ask a polars LazyFrame for its columns is a warning.
    if not hasattr(runs, "collect_schema") and hasattr(runs, "columns") and not isinstance(runs, Run):
        runs = _in_memory().with_lists(runs)
    if _is_other_shape(runs):
        return [read_one(runs)]
    if isinstance(runs, Mapping):
        if _is_systems(runs, columns):
            return _named_apart([replace(read_one(run), name=str(name)) for name, run in runs.items()])
        return [read_one(runs)]
    # A stream of record batches can be walked over, and is one table all the same.
    if isinstance(runs, Iterator | ValuesView) and not hasattr(runs, "__arrow_c_stream__"):
        runs = list(runs)
    if isinstance(runs, list | tuple) and runs and isinstance(runs[0], Run):
        return _named_apart([read_one(run) for run in runs])
    several = runs if _is_several(runs) else [runs]
    read = [run for one in several for run in runs_in(one, columns=columns, order=order)]  # type: ignore[attr-defined]  # a list
    if not read:
        raise UsageError("No run was given. Name at least one.")
    return _named_apart(read)


def _is_other_shape(given: object) -> bool:
    """Whether a value in memory is one run in the shape of another tool, for whatever number of queries."""
    first = given[0] if isinstance(given, list) and given else given
    if not isinstance(first, Mapping) and not hasattr(first, "samples"):
        return False
    from cranfield.formats.json_shapes import kind_of_shape

    return kind_of_shape(given) is not None


def _is_systems(runs: Mapping[Any, Any], columns: ColumnsGiven) -> bool:
    """A mapping from name to run, rather than from query to documents."""
    if not runs:
        return False
    first = next(iter(runs.values()))
    if _is_other_shape(first):
        return True
    if isinstance(first, Mapping):
        inner = next(iter(first.values()), None)
        return isinstance(inner, Mapping | list | tuple)
    if isinstance(first, list) and first and isinstance(first[0], Mapping):
        # The records of a table, rather than what one query got.
        return columns is not None or bool(JUDGED.candidates("query", [str(name) for name in first[0]]))
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
    return not (is_row or is_dataclass(first))


def _named_apart(runs: Sequence[Run]) -> list[Run]:
    """Runs of one name get their path, or a number, as well."""
    if len({run.name for run in runs}) == len(runs):
        return list(runs)
    named: dict[str, Run] = {}
    for run in runs:
        choices = [
            run.name,
            *([run.called] if run.path else []),
            *(f"{run.name} {n}" for n in range(2, len(runs) + 2)),
        ]
        name = next(choice for choice in choices if choice not in named)
        named[name] = replace(run, name=name)
    return list(named.values())


def repeated_files(runs: Iterable[Run]) -> Iterator[Finding]:
    """What there is to say about files that were given more than once."""
    names: dict[str, list[Run]] = {}
    for run in runs:
        if run.path is not None and run.system is None:
            names.setdefault(os.path.realpath(run.path), []).append(run)
    for same in names.values():
        if len(same) > 1:
            yield errors.coverage.same_file_twice(str(same[0].path), [run.name for run in same])
