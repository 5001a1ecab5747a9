"""Several runs as one: a run that is fused query by query, each time it is read."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from cranfield import errors, formats
from cranfield.arrays import Floats
from cranfield.choices import FlatList, MissingDocument
from cranfield.data.run import Ranking, Run
from cranfield.errors import Finding, Findings
from cranfield.errors.findings import about
from cranfield.file_endings import RUNS
from cranfield.formats.run_writing import RankedDocuments, trec_run, write_run
from cranfield.formats.writing import form_of
from cranfield.fusing.dialects import chosen_fusion
from cranfield.fusing.fusion import Fusion, fused_scores
from cranfield.fusing.joining import Joining
from cranfield.fusing.lists import QueryLists
from cranfield.fusing.training import FOLDS, trained_fusion
from cranfield.kernels import plain
from cranfield.phrases import counted, listed
from cranfield.show.answer import Answer
from cranfield.show.table import Table
from cranfield.version import VERSION

LONGEST_NAME = 48
"""Characters of the runs' names in the name of a fused run."""
FLAT_VALUES = {"middle": "0.5", "one": "1", "zero": "0", "raw": "the score itself"}


@dataclass(frozen=True, eq=False, repr=False)
class FusedRun(Run):
    """A run made of others: read when it is asked, query by query, so that nothing has to be written first.

    >>> import cranfield as cf
    >>> bm25, dense = {"q1": {"a": 3.0, "b": 1.0}}, {"q1": {"b": 0.9, "c": 0.8}}
    >>> run = cf.fuse({"bm25": bm25, "dense": dense})
    >>> run, run.fusion.choices()
    (Run('rrf(bm25,dense)'), {'method': 'rrf', 'missing': 'absent'})
    """

    fusion: Fusion | None = None
    runs: tuple[str, ...] = ()
    """The names of the runs that it is made of."""

    def save(self, target: str | os.PathLike[str]) -> FusionSummary:
        """Write the run to a file, as TREC has it or as a table, by the end of its name; it tells how it was made."""
        form_of(target, RUNS, "a run")
        findings, tally = Findings(), _Tally()
        try:
            write_run(target, tally.counted(_each_once(self, findings)), self.name)
        except _ComesAgainError:
            findings, tally = Findings(), _Tally()
            write_run(target, tally.counted(_last_of_each(self, findings)), self.name)
        return tally.summary(self, os.fspath(target), findings.warnings)

    def trec(self) -> tuple[str, FusionSummary]:
        """The run as the text of a TREC file, and what it is."""
        findings, tally = Findings(), _Tally()
        rankings: dict[str, Ranking] = {}
        for ranking in self.rankings(findings):
            rankings.pop(ranking.query, None)  # one that comes again replaces, and stands where it came last
            rankings[ranking.query] = ranking
        text = "".join(trec_run(tally.counted(iter(rankings.values())), self.name))
        return text, tally.summary(self, None, findings.warnings)


def fuse(
    runs: object,
    method: str | None = None,
    *,
    norm: str | None = None,
    weights: Sequence[float] | None = None,
    missing: MissingDocument | None = None,
    flat: FlatList | None = None,
    lowest: Sequence[float] | None = None,
    depth: int | None = None,
    top: int | None = None,
    like: str | None = None,
    train: object = None,
    folds: int | None = None,
    seed: int = 0,
    name: str | None = None,
    **params: Any,
) -> FusedRun:
    """Several runs fused into one, which everything that takes a run takes.

    `norm` makes scores comparable, for methods that read scores; `missing` is what a document gets from a run that
    does not have it, `flat` what the documents of a list get that all have one score. `depth` fuses the top documents
    of each run only, `top` keeps the first of the fused ones. `like` makes the choices of another tool, such as qdrant,
    where none is made here.

    Methods that learn need judgments to `train` on: the judged queries are cut into `folds`, and each is fused by what
    was learnt from the others, so that the result may be evaluated on the same judgments; queries without judgments are
    fused by what was learnt from all of them. `cranfield fuse --list` lists methods and normalisations; rrf is the
    default.

    >>> bm25, dense = {"q1": {"a": 3.0, "b": 1.0}}, {"q1": {"b": 0.9, "c": 0.8}}
    >>> fuse({"bm25": bm25, "dense": dense}, "combsum", norm="minmax", weights=[0.4, 0.6])["q1"]
    {'b': 0.6, 'a': 0.4, 'c': 0.0}
    """
    read = formats.read_runs(runs)
    if len(read) < 2:
        raise errors.fusing.needs_two_runs(len(read))
    fusion = chosen_fusion(
        method,
        like,
        len(read),
        weights,
        norm=norm,
        missing=missing,
        flat=flat,
        lowest=lowest,
        depth=depth,
        top=top,
        **params,
    )
    rule = fusion.method.rule
    if train is None and folds is None and not rule.is_trained:
        return fused_run(read, fusion, name)
    if not rule.is_trained:
        raise errors.fusing.not_trained(rule.name)
    if train is None:
        raise errors.fusing.needs_training(rule.name)
    trained = trained_fusion(read, fusion, train, folds=FOLDS if folds is None else folds, seed=seed)
    return fused_run(read, trained.fusion, name, trained.of)


def fused_run(
    runs: Sequence[Run], fusion: Fusion, name: str | None = None, fusion_of: Callable[[str], Fusion] | None = None
) -> FusedRun:
    """The run that a fusion makes of others; with `fusion_of`, one for each query, which may differ from it."""
    by_query = fusion_of or (lambda query: fusion)
    names = tuple(run.name for run in runs)
    return FusedRun(
        name or _name(fusion, names),
        lambda findings: _rankings(runs, fusion, by_query, findings),
        fusion=fusion.for_runs(len(runs)),
        runs=names,
    )


def fused_ranking(lists: QueryLists, scores: Floats, top: int | None = None) -> Ranking:
    """Documents by their fused scores, best first, equal ones by the one order of equal scores."""
    order = plain.best_first(lists.documents, scores, "document")[:top]
    documents = [lists.documents[at] for at in order.tolist()]
    return Ranking(lists.query, documents, scores[order], range(1, len(documents) + 1), unit="rank")


def _rankings(
    runs: Sequence[Run], fusion: Fusion, fusion_of: Callable[[str], Fusion], findings: Findings
) -> Iterator[Ranking]:
    reads = str(fusion.method.rule.name) if fusion.reads_scores else ""
    joining = Joining(runs, findings, fusion.depth, reads)
    flat: list[dict[str, None]] = [{} for _ in runs]
    for lists in joining:
        own = fusion_of(lists.query)
        if wrong := own.wrong(lists, [run.called for run in runs]):
            findings.extend(wrong)
            continue
        if own.has_flat:
            for at in own.flat_lists(lists).tolist():
                flat[at][lists.query] = None
        yield fused_ranking(lists, fused_scores(own, lists), own.top)
    findings.stop_if_wrong()
    findings.extend(formats.repeated_files(runs))
    for run, answered, queries in zip(runs, joining.answered, flat, strict=True):
        if queries:
            norm = str(fusion.norm) if fusion.has_flat else "normalisation"
            found = errors.fusing.flat_lists([*queries], len(answered), norm, FLAT_VALUES[fusion.flat])
            findings.add(about(found, run.name))


def _name(fusion: Fusion, runs: Sequence[str]) -> str:
    joined = ",".join(runs)
    of = f"({joined})" if len(joined) <= LONGEST_NAME else f" of {len(runs)} runs"
    return f"{fusion.method.rule.name}{of}"


class _ComesAgainError(Exception):
    """A query came a second time, complete only then, and the first is written already."""


def _each_once(run: Run, findings: Findings) -> Iterator[Ranking]:
    seen: set[str] = set()
    for ranking in run.rankings(findings):
        if ranking.query in seen:
            raise _ComesAgainError
        seen.add(ranking.query)
        yield ranking


def _last_of_each(run: Run, findings: Findings) -> Iterator[Ranking]:
    times = Counter(ranking.query for ranking in run.rankings(Findings()))
    for ranking in run.rankings(findings):
        times[ranking.query] -= 1
        if not times[ranking.query]:
            yield ranking


class _Tally:
    """What was written."""

    def __init__(self) -> None:
        self.queries = self.documents = 0

    def counted(self, rankings: Iterator[Ranking]) -> Iterator[RankedDocuments]:
        for ranking in rankings:
            self.queries += 1
            self.documents += len(ranking.documents)
            yield RankedDocuments(ranking.query, ranking.documents, ranking.scores.tolist())

    def summary(self, run: FusedRun, path: str | None, warnings: Sequence[Finding]) -> FusionSummary:
        assert run.fusion is not None
        return FusionSummary(run.name, run.runs, run.fusion, self.queries, self.documents, path, tuple(warnings))


@dataclass(frozen=True, eq=False, repr=False)
class FusionSummary(Answer):
    """What was fused, how, and where it was written."""

    run: str
    runs: tuple[str, ...]
    fusion: Fusion
    queries: int
    documents: int
    path: str | None = None
    warnings: tuple[Finding, ...] = ()

    def verdict(self) -> str:
        """What came out."""
        where = f" Written to {self.path}." if self.path else ""
        fused = f"Fused {listed(list(self.runs))} by {self.fusion}"
        return f"{fused}: {counted(self.queries, 'query')}, {counted(self.documents, 'document')}.{where}"

    def table(self) -> Table:
        """Every choice that was made."""
        choices = {"runs": ", ".join(self.runs), **self.fusion.choices()}
        return Table({"choice": [*choices], "value": [_shown(value) for value in choices.values()]})

    def rows(self) -> Table:
        """The choices, and how much was written."""
        table = self.table().to_dict()
        counts = {"queries": str(self.queries), "documents": str(self.documents)}
        return Table({"choice": [*table["choice"], *counts], "value": [*table["value"], *counts.values()]})

    def to_dict(self) -> dict[str, Any]:
        """Everything as plain values."""
        return {
            "cranfield": VERSION,
            "run": self.run,
            "runs": list(self.runs),
            "fusion": self.fusion.choices(),
            "queries": self.queries,
            "documents": self.documents,
            "path": self.path,
            "warnings": [str(warning) for warning in self.warnings],
        }


def _shown(value: object) -> str:
    return " ".join(f"{number:g}" for number in value) if isinstance(value, list) else str(value)
