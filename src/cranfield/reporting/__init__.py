"""The report: one HTML file to read, to explore and to send on."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

from cranfield import errors
from cranfield.comparing.comparison import Comparison
from cranfield.comparing.corrections import Correction
from cranfield.comparing.differences import IntervalKind, Plan, Test
from cranfield.errors import DataError, UsageError
from cranfield.formats.queries import read_queries
from cranfield.formats.writing import write_text
from cranfield.reporting.build import SIZE, Detail, fragment, page
from cranfield.reporting.contents import Contents, page_contents
from cranfield.reporting.lists import DEPTH
from cranfield.scores import Scores, joined

DEEPEST = 1000
"""No list is longer than this."""


@dataclass(frozen=True, eq=False)
class Report:
    """A page that needs nothing but itself; a notebook shows the parts of it that need no code."""

    contents: Contents
    detail: Detail

    @cached_property
    def html(self) -> str:
        """The whole page."""
        return page(self.contents, self.detail)

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the page to a file."""
        write_text(path, self.html)

    def __repr__(self) -> str:
        return f"Report({self.contents.title!r})"

    def _repr_html_(self) -> str:
        return fragment(self.contents)


def report(
    results: Scores | Comparison | Iterable[Scores],
    path: str | os.PathLike[str] | None = None,
    *,
    baseline: str | Sequence[str] | None = None,
    all_pairs: bool = False,
    queries: object = None,
    by: str | Sequence[str] = (),
    documents: object = None,
    depth_shown: int = DEPTH,
    size: float = SIZE / 1_000_000,
    sensitivity: bool | None = None,
    title: str | None = None,
    test: Test = "randomization",
    correction: Correction = "holm",
    interval: IntervalKind = "t",
    confidence: float = 0.95,
    tie: float = 0.0,
    power: float = 0.8,
    resamples: int = 100_000,
    seed: int = 0,
    allow_different_judgments: bool = False,
) -> Report:
    """A page about one system or several: who is better, by how much, where and why; written to `path` if there is one.

    Takes scores as `evaluate` or `load` gives them, several of both, or a comparison, whose choices then hold. Ranked
    lists are read again from the runs that were evaluated; scores from a file have none.

    p is corrected for the comparisons with the baseline that is chosen on the page; with `all_pairs`, for every pair,
    whichever baseline is chosen, and systems then have groups and ranks.

    With `queries`, whatever `read_queries` reads, queries show their texts, and `by` names columns to slice by; with
    `documents`, whatever `read_documents` reads, lists show titles and texts. Lists hold the first `depth_shown`
    documents, less where the page would be larger than `size` megabytes.

    >>> import cranfield as cf
    >>> judged = {f"q{at}": {"d1": 1} for at in range(8)}
    >>> runs = {"old": {query: ["x", "d1"] for query in judged}, "new": {query: ["d1"] for query in judged}}
    >>> report(cf.evaluate(judged, runs, "RR"))
    Report('old and new')
    """
    plan = Plan(test, correction, interval, confidence, tie, power, resamples, seed)
    baselines = () if baseline is None else (baseline,) if isinstance(baseline, str) else tuple(baseline)
    if isinstance(results, Comparison):
        plan, baselines = results.plan, baselines or results.baselines
        all_pairs = all_pairs or results.every_pair
        given = [results.results]
    else:
        given = [results] if isinstance(results, Scores) else list(results)
    if not given:
        raise UsageError("Nothing to report. Give the scores of a run or more.")
    together = joined(given, allow_different_judgments=allow_different_judgments)
    named = tuple(together.runs[together.run_position(name)] for name in dict.fromkeys(baselines))
    columns = (by,) if isinstance(by, str) else tuple(dict.fromkeys(by))
    if columns and queries is None:
        raise UsageError(f"To slice by {columns[0]}, something must be known of queries; give --queries, or queries=.")
    if isinstance(depth_shown, bool) or depth_shown != int(depth_shown) or not 0 <= depth_shown <= DEEPEST:
        raise UsageError(f"depth_shown is a whole number from 0 to {DEEPEST:,}, not {depth_shown!r}.")
    if not size > 0:
        raise UsageError(f"size is a number of megabytes above 0, not {size!r}.")
    known = None if queries is None else read_queries(queries)
    if known is not None and not any(query in known for query in together.queries):
        raise DataError([errors.queries.queries_never_meet(known.path, list(together.queries), list(known))])
    made = Report(
        page_contents(
            together,
            plan,
            baselines=named or together.runs[:1],
            queries=known,
            by=columns,
            sensitivity=sensitivity,
            title=title,
            asked={
                "baseline": named or None,
                "all_pairs": all_pairs or None,
                "queries": _path(queries),
                "by": columns or None,
                "documents": _path(documents),
                "depth_shown": None if depth_shown == DEPTH else depth_shown,
                "size": None if size == SIZE / 1_000_000 else size,
                "sensitivity": sensitivity,
                "title": title,
            },
            every_pair=all_pairs,
        ),
        Detail(documents, int(depth_shown), int(size * 1_000_000)),
    )
    if path is not None:
        made.save(path)
    return made


def _path(given: object) -> str | None:
    """What stands for it in a command; the name of what is no file."""
    if given is None or isinstance(given, str):
        return given
    return os.fspath(given) if isinstance(given, os.PathLike) else type(given).__name__
