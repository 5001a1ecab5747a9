"""The report: one HTML file to read, to explore and to send."""

from __future__ import annotations

import datetime
import os
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Unpack

from cranfield import errors
from cranfield.comparing.comparison import Comparison
from cranfield.comparing.differences import TestChoices, TestKeywords
from cranfield.errors import DataError, UsageError
from cranfield.evaluating.scores import Scores, joined
from cranfield.formats.queries import read_queries
from cranfield.formats.writing import write_text
from cranfield.reporting.build import fragment, page
from cranfield.reporting.choices import DEPTH, MEGABYTES, PageChoices
from cranfield.reporting.contents import PageContents, page_contents
from cranfield.reporting.file_names import FileNames
from cranfield.reporting.method import paths_of


@dataclass(frozen=True, eq=False)
class Report:
    """A page that needs nothing but itself; a notebook shows the parts of it that need no code."""

    contents: PageContents

    @cached_property
    def html(self) -> str:
        """The whole page."""
        return page(self.contents)

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
    max_megabytes: float = MEGABYTES,
    sensitivity: bool | None = None,
    title: str | None = None,
    note: str | None = None,
    author: str | None = None,
    date: str | datetime.date | None = None,
    allow_different_judgments: bool = False,
    choices: TestChoices | None = None,
    **keywords: Unpack[TestKeywords],
) -> Report:
    """A page about one system or several: who is better, by how much, where and why; written to `path` if there is one.

    Takes scores as `evaluate` or `load` gives them, several of both, or a comparison, with its choices. Ranked lists
    are read again from the runs that were evaluated; scores from a file have none.

    p is corrected for the comparisons with the baseline that is chosen on the page; with `all_pairs`, for every pair,
    whichever baseline is chosen, and systems then have groups and ranks. How runs are tested is chosen by the keywords
    of `compare`: `test`, `correction`, `interval`, `confidence`, `tie_margin`, `power`, `resamples` and `seed`.

    With `queries`, whatever `read_queries` reads, queries show their texts, and `by` names columns to slice by; with
    `documents`, whatever `read_documents` reads, lists show titles and texts. Lists hold the first `depth_shown`
    documents, fewer where the page would be larger than `max_megabytes`.

    `title`, `note`, `author` and `date` are shown at the top. A note is plain text; an empty line begins a paragraph.
    Without a date the page has none, so that the same input gives the same bytes.

    >>> import cranfield as cf
    >>> judged = {f"q{at}": {"d1": 1} for at in range(8)}
    >>> runs = {"old": {query: ["x", "d1"] for query in judged}, "new": {query: ["d1"] for query in judged}}
    >>> report(cf.evaluate(judged, runs, "RR"))
    Report('old and new')
    """
    baselines = () if baseline is None else (baseline,) if isinstance(baseline, str) else tuple(baseline)
    if isinstance(results, Comparison):
        if results.choices.standardise:
            raise UsageError("A report cannot show standardised scores; compare without standardising.")
        if results.margin is not None:
            raise UsageError(
                "A report does not show equivalence; compare without equivalence=, or print the comparison."
            )
        choices = choices or results.choices
        baselines = baselines or results.baselines
        all_pairs = all_pairs or results.every_pair
        parts = [results.results]
    else:
        parts = [results] if isinstance(results, Scores) else list(results)
    if not parts:
        raise UsageError("Nothing to report. Give the scores of a run or more.")
    joint = joined(parts, allow_different_judgments=allow_different_judgments)
    places = [joint.run_position(name) for name in dict.fromkeys(baselines)]
    joint = _named_by_files(joint)
    asked = PageChoices(
        baseline=tuple(joint.runs[place] for place in places),
        all_pairs=all_pairs,
        queries=queries,
        by=(by,) if isinstance(by, str) else tuple(dict.fromkeys(by)),
        documents=documents,
        depth_shown=depth_shown,
        max_megabytes=max_megabytes,
        sensitivity=sensitivity,
        title=title,
        note=note,
        author=author,
        date=None if date is None else str(date),
    )
    known = None if queries is None else read_queries(queries)
    if known is not None and not any(query in known for query in joint.queries):
        raise DataError([errors.queries.queries_never_meet(known.path, list(joint.queries), list(known))])
    made = Report(page_contents(joint, replace(choices or TestChoices(), **keywords), asked, known))
    if path is not None:
        made.save(path)
    return made


def _named_by_files(results: Scores) -> Scores:
    """Runs that have the path of their file for a name, as several files were called the same, without folders."""
    paths = [path for path in paths_of(results) if path]
    names = FileNames(paths)
    return replace(results, runs=tuple(names.of(run) if run in paths else run for run in results.runs))
