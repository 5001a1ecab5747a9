"""Whether something holds judgments or a run, or saved results."""

from __future__ import annotations

import os
import re
import stat
from collections.abc import Iterable, Mapping
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from cranfield import errors
from cranfield.data.judgments import Judgments
from cranfield.data.run import Run
from cranfield.errors import DataError, Findings
from cranfield.formats.columns import Columns, Kind, kind_of_header
from cranfield.formats.sniff import sniff
from cranfield.formats.source import HEAD, Source, as_source


def kind_of(source: object) -> Kind:
    """Whether a path, an open file or a Python object holds judgments or a run.

    >>> kind_of({"q1": {"d1": 2}})
    'judgments'
    >>> kind_of({"q1": {"d1": 12.5}})
    'run'
    """
    if isinstance(source, Judgments | Run):
        return "judgments" if isinstance(source, Judgments) else "run"
    file = as_source(source)
    if file is not None:
        return kind_of_file(file, Columns())
    if isinstance(source, Mapping):
        return _kind_of_mapping(source)
    from cranfield.formats import memory

    return kind_of_header(memory.as_table(source, "judgments").names)


def kind_of_file(file: Source, columns: Columns) -> Kind:
    """Whether a file holds judgments or a run; columns the user names tell it first."""
    named = {*columns.names, *columns.positions}
    if named & {"grade", "score", "rank"}:
        return "judgments" if "grade" in named else "run"
    sniffed = sniff(file, columns)
    if sniffed.kind is not None:
        return sniffed.kind
    if sniffed.format in ("parquet", "arrow"):
        from cranfield.formats import arrow

        return kind_of_header(arrow.file_table(file).names)
    if sniffed.format == "jsonl":
        from cranfield.formats import json_lines

        return kind_of_header(json_lines.names_of_first(file))
    if sniffed.format == "json":
        from cranfield.formats import json_object

        value = json_object.value_of(file, "judgments")
        if isinstance(value, dict):
            return _kind_of_mapping(value)
        return kind_of_header(list(value[0])) if value else "judgments"
    return "judgments"


_NEXT_OBJECT = re.compile(rb"\}\s*\{")
"""As in JSON lines."""
_MARKS = (re.compile(rb'"cranfield"\s*:\s*"'), re.compile(rb'"format"\s*:\s*\d'))


def is_results(path: str | os.PathLike[str]) -> bool:
    """Whether a file holds saved results, however its JSON is laid out."""
    import mmap

    try:
        # A pipe can be read only once, and not by whoever only wonders what it holds.
        if not stat.S_ISREG(Path(path).stat().st_mode):
            return False
        with Path(path).open("rb") as opened:
            head = opened.read(HEAD).removeprefix(b"\xef\xbb\xbf").lstrip()
            if not head.startswith(b"{") or _NEXT_OBJECT.search(head):
                return False
            with mmap.mmap(opened.fileno(), 0, access=mmap.ACCESS_READ) as text:
                return _is_as_written(head) or (all(mark.search(text) for mark in _MARKS) and _has_marks(text[:]))
    except (OSError, ValueError):  # a name may hold what no name can
        return False


def _is_as_written(head: bytes) -> bool:
    return head[1:].lstrip().startswith(b'"cranfield"') and b'"checksum"' in head


def _has_marks(text: bytes) -> bool:
    """Whether the words stand at the top of the JSON, and not somewhere inside, as a document's id could."""
    import json

    try:
        given = json.loads(text)
    except (ValueError, RecursionError):
        return True  # whoever reads it as results says what is wrong with it
    return isinstance(given, dict) and "cranfield" in given and "format" in given


def must_not_be_swapped(judgments: Judgments, runs: Iterable[Run]) -> None:
    """Refuse scores as judgments together with grades as a run, where no column has a name that would tell."""
    if not _is_unnamed(judgments.path) or not _are_scores(judgments.grades):
        return
    for run in runs:
        if _is_unnamed(run.path):
            firsts = islice(run.rankings(Findings()), ENOUGH)
            scores = np.concatenate([np.empty(0), *(ranking.scores for ranking in firsts if not ranking.ranked)])
            if _are_grades(scores):
                raise DataError([errors.files.swapped_values(run.name, judgments.path)])


ENOUGH = 100
"""Rankings that show what a run's scores are like."""
MOST_GRADES, LOWEST_GRADE, HIGHEST_GRADE, HIGHEST_STEP = 6, -2, 10, 5


def _is_unnamed(path: str | None) -> bool:
    """Whether values came from a dictionary, in memory or in JSON."""
    return path is None or ".json" in path.casefold()


def _are_scores(grades: npt.NDArray[np.float64]) -> bool:
    """Whether most grades are fractions, hardly two are alike, and not all are steps of a scale, such as 0.5 and 1."""
    fractions = grades[grades != np.floor(grades)]
    steps = (np.abs(grades) <= HIGHEST_STEP) & (np.round(20 * grades) == 20 * grades)
    return 2 * len(fractions) > len(grades) and 2 * len(np.unique(grades)) > len(grades) and not steps.all()


def _are_grades(scores: npt.NDArray[np.float64]) -> bool:
    """Whether all scores are whole numbers, few and small."""
    values = np.unique(scores)
    few = 0 < len(values) <= MOST_GRADES and len(values) < len(scores)
    return few and bool(((values == np.floor(values)) & (values >= LOWEST_GRADE) & (values <= HIGHEST_GRADE)).all())


def _kind_of_mapping(given: Mapping[Any, Any]) -> Kind:
    """Whole numbers are grades; other numbers, and lists, come from systems."""
    for of_query in islice(given.values(), 1000):
        if not isinstance(of_query, Mapping):
            return "run"
        if any(isinstance(value, float) for value in of_query.values()):
            return "run"
    return "judgments"
