"""Which ids count as one document: chunks by their document, and alternatives that answer a query alike."""

from __future__ import annotations

import operator
import re
from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np

from cranfield import errors
from cranfield.arrays import Ints
from cranfield.data.judgments import ChunkCounts, Groups, Judgments
from cranfield.data.run import Chunks, Ranking, Run, check_ranking
from cranfield.errors import DataError, Finding, Findings


class DocumentGroups(ABC):
    """Which ids count as one document; `label` is what the settings of an evaluation call it."""

    label: str
    must_apply = False
    """Whether it is a mistake if no id at all belongs to a document of another name."""

    @abstractmethod
    def documents_of(self, query: str, ids: Sequence[str]) -> Sequence[str | None]:
        """The document that each id of a query belongs to; None where nothing says which."""

    def stray(
        self, ids: Sequence[str], path: str | None, line: int | None = None, unit: str = "line"
    ) -> Finding | None:
        """What to say of ids that nothing says the document of; each is then a document itself."""
        return None

    def ungrouped(self) -> Finding:
        """What to say where no id belongs to a document of another name."""
        return errors.chunks.nothing_grouped(self.label, is_pattern=False)

    def judgments(self, judgments: Judgments) -> Judgments:
        """Judgments of documents: each has the best grade of its chunks."""
        if judgments.groups is not None and judgments.groups.kind in ("preference", "stratum"):
            raise errors.chunks.not_by_kind(judgments.groups.kind)
        if judgments.groups is None and (several := judgments.several_grades()):
            raise DataError([several])
        return _Documents(judgments, self).judgments()

    def run(self, run: Run) -> Run:
        """The run as rankings of documents: the best chunk stands for its document, and ranks close up."""

        def rankings(findings: Findings) -> Iterator[Ranking]:
            return (self.ranking(ranking, run.called) for ranking in run.read(findings))

        return replace(run, read=rankings, at_once=None, firsts=None)

    def ranking(self, ranking: Ranking, path: str | None = None) -> Ranking:
        """A ranking of documents: each where its best chunk is, and of equal scores the first that is listed.

        >>> chunks = Ranking("q1", ["a#1", "b#1", "a#2"], np.array([3.0, 2.0, 1.0]), [1, 2, 3])
        >>> Separated("#").ranking(chunks).documents
        ['a', 'b']
        """
        members = self.documents_of(ranking.query, ranking.documents)
        documents = _whole(ranking.documents, members)
        chunks = Chunks(
            best=ranking.documents,
            total=len(documents),
            renamed=sum(map(operator.ne, ranking.documents, documents)),
            findings=(*check_ranking(ranking, path), *self._strays(ranking, members, path)),
        )
        return ranking._replace(documents=documents, ranks=None, chunks=chunks).each_once()

    def _strays(self, ranking: Ranking, members: Sequence[str | None], path: str | None) -> Iterator[Finding]:
        if None not in members:
            return
        strays = [at for at, whole in enumerate(members) if whole is None]
        ids = [ranking.documents[at] for at in strays]
        if finding := self.stray(ids, path, ranking.lines[strays[0]], ranking.unit):
            yield finding


@dataclass(frozen=True, eq=False)
class Separated(DocumentGroups):
    """A chunk's id is that of its document, a separator and something else; the last separator counts."""

    label: str
    must_apply = True

    def documents_of(self, query: str, ids: Sequence[str]) -> Sequence[str | None]:
        """What stands before the separator."""
        return [chunk.rpartition(self.label)[0] or None for chunk in ids]

    def stray(self, ids: Sequence[str], path: str | None, line: int | None = None, unit: str = "line") -> Finding:
        """An id without the separator."""
        return errors.chunks.no_document_part(path, line, ids[0], len(ids), self.label, unit=unit)


@dataclass(frozen=True, eq=False)
class Matched(DocumentGroups):
    """A pattern with a group finds the document in a chunk's id."""

    label: str
    pattern: re.Pattern[str]
    must_apply = True

    def documents_of(self, query: str, ids: Sequence[str]) -> Sequence[str | None]:
        """What the group of that name, or else the first, matched."""
        group = "document" if "document" in self.pattern.groupindex else 1
        found = map(self.pattern.search, ids)
        return [None if match is None else match[group] or None for match in found]

    def stray(self, ids: Sequence[str], path: str | None, line: int | None = None, unit: str = "line") -> Finding:
        """An id that does not match."""
        return errors.chunks.no_document_part(path, line, ids[0], len(ids), self.label, unit=unit)

    def ungrouped(self) -> Finding:
        """That the pattern finds nothing."""
        return errors.chunks.nothing_grouped(self.label, is_pattern=True)


@dataclass(frozen=True, eq=False)
class Mapped(DocumentGroups):
    """A mapping from chunks to documents; a document that it names is itself."""

    label: str
    document: Mapping[str, str]
    path: str | None = None

    def __post_init__(self) -> None:
        # What chunks belong to may be judged or retrieved as well.
        whole = {name: name for name in self.document.values()}
        object.__setattr__(self, "_document", {**whole, **self.document})

    def documents_of(self, query: str, ids: Sequence[str]) -> Sequence[str | None]:
        """The documents of the mapping."""
        of: Mapping[str, str] = vars(self)["_document"]
        return list(map(of.get, ids))

    def stray(self, ids: Sequence[str], path: str | None, line: int | None = None, unit: str = "line") -> Finding:
        """A chunk that the mapping does not have."""
        return errors.chunks.not_in_mapping(path, line, ids, self.path, unit=unit)


@dataclass(frozen=True, eq=False)
class Alternatives(DocumentGroups):
    """Documents that answer a query alike: the first that is retrieved counts, the others are left out."""

    label: str
    answers: Mapping[str, Mapping[str, str]]
    """Of each query: the document under which each of its alternatives counts."""

    def documents_of(self, query: str, ids: Sequence[str]) -> Sequence[str | None]:
        """The alternative under whose id an answer counts; other documents are themselves."""
        own = self.answers.get(query)
        return ids if own is None else [own.get(name, name) for name in ids]


class _Documents:
    """Puts the judgments of chunks together to those of documents."""

    def __init__(self, judgments: Judgments, groups: DocumentGroups) -> None:
        self.given = judgments
        self.groups = groups
        self.strays: list[str] = []
        self.renamed = 0

    def judgments(self) -> Judgments:
        given = self.given
        starts, names, row_of = [0], list[str](), np.empty(len(given.documents), dtype=np.int64)
        for query, (start, end) in zip(given.queries, pairwise(given.starts.tolist()), strict=True):
            documents = self._documents(query, given.documents[start:end])
            distinct = dict.fromkeys(documents)
            # Where documents have several grades, the last id comes first.
            order = distinct if given.groups is None else sorted(distinct, reverse=True)
            rows = {name: row for row, name in enumerate(order, len(names))}
            row_of[start:end] = [rows[name] for name in documents]
            names += rows
            starts.append(len(names))
        grades = np.full(len(names), -np.inf)
        np.maximum.at(grades, row_of, given.grades)
        return replace(
            given,
            starts=np.array(starts, dtype=np.int64),
            documents=tuple(names),
            grades=grades,
            extra={},
            warnings=(*given.warnings, *self._warnings()),
            groups=None if given.groups is None else _merged(given.groups, row_of),
            chunks=ChunkCounts(len(given.documents), self.renamed),
        )

    def _documents(self, query: str, ids: Sequence[str]) -> list[str]:
        members = self.groups.documents_of(query, ids)
        self.strays += [own for own, whole in zip(ids, members, strict=True) if whole is None]
        documents = _whole(ids, members)
        self.renamed += sum(map(operator.ne, ids, documents))
        return documents

    def _warnings(self) -> Iterator[Finding]:
        # Documents may well be judged where chunks are retrieved; some of both look like a mistake.
        if not self.strays or (self.groups.must_apply and not self.renamed):
            return
        finding = self.groups.stray(self.strays, self.given.path or "judgments")
        if finding is not None and finding.severity == "error":
            raise DataError([finding])
        if finding is not None:
            yield finding


def _whole(ids: Sequence[str], members: Sequence[str | None]) -> list[str]:
    """The document of each id; where nothing says which, the id itself."""
    return [own if whole is None else whole for own, whole in zip(ids, members, strict=True)]


def _merged(groups: Groups, row_of: Ints) -> Groups:
    """The best grade of each document in each group of its query."""
    starts, rows, numbers, grades = [0], list[int](), list[int](), list[float]()
    for start, end in pairwise(groups.starts.tolist()):
        best: dict[tuple[int, int], float] = {}
        for at in range(start, end):
            place = int(row_of[groups.rows[at]]), int(groups.numbers[at])
            best[place] = max(best.get(place, -np.inf), float(groups.grades[at]))
        rows += [row for row, _ in best]
        numbers += [number for _, number in best]
        grades += best.values()
        starts.append(len(rows))
    return groups._replace(
        starts=np.array(starts, dtype=np.int64),
        rows=np.array(rows, dtype=np.int64),
        numbers=np.array(numbers, dtype=np.int64),
        grades=np.array(grades, dtype=np.float64),
    )
