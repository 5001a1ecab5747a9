"""Queries and events of OpenSearch UBI that are lines of JSON, read by the compiled loops.

They read lines about which there is hardly anything to tell. At anything else they stop, and the plain loops read this
file, and those before it again.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from cranfield import errors
from cranfield.arrays import Bools, Ints
from cranfield.data.click_log import Codes
from cranfield.errors import CranfieldError, DataError, Findings
from cranfield.formats.click_lines import with_slack
from cranfield.formats.click_results import Names, Results, order_of, repeated
from cranfield.formats.delimited_text import BLANKS
from cranfield.formats.sniff import container
from cranfield.formats.source import Source
from cranfield.kernels.compiled import Numbering, UbiRecords, mark_clicked, renumbered

WRAPPING = (b"hits", b"_source")
"""Names in records that may hold others."""
MOST_ACTIONS = 32
"""Actions that count as clicks, for which compiled loops look."""


class _Records(NamedTuple):
    """Columns of numbers, as `UbiRecords` reads them."""

    queries: Codes
    texts: Codes
    sessions: Codes
    lines: Codes
    lengths: Codes
    documents: Codes
    events: Codes
    objects: Codes
    positions: Codes
    clicked: Codes
    followed: Codes
    sessions_of_events: Codes


class _Shown(NamedTuple):
    """What every query showed, one result after the other, and what was clicked."""

    query: Codes
    """A number for the query of each result, rising."""
    document: Codes
    lengths: Ints
    """How many results each query has."""
    clicked: Bools


class UbiLines:
    """The queries and events of some files."""

    def __init__(self, actions: Sequence[str]) -> None:
        self.files: list[Source] = []
        """Those that were read."""
        self._actions = tuple(actions)
        self._met = 0
        self._parts: list[_Records] = []
        self._firsts = np.zeros(0, dtype=np.int64)
        """Of each query's id the first row that has it, from 0 on; -1 for none."""
        self._queries, self._texts, self._sessions = Numbering(), Numbering(), Numbering()
        self._documents, self._of_actions = Numbering(), Numbering()

    def read(self, file: Source, findings: Findings) -> bool:
        """Add a file; False if only plain loops can tell, and then this is of no use any more."""
        try:
            found = list(self._blocks(file)) if _is_of_lines(file) and len(self._actions) <= MOST_ACTIONS else [None]
        except CranfieldError:
            return False  # whatever is wrong, the plain loops meet it too and find the words
        read = [block for block in found if block is not None]
        if not read or len(read) < len(found):
            return False
        records = _joined([records for _, _, _, records in read])
        if not self._keep(records):
            return False
        self.files.append(file)
        self._met += sum(met for met, _, _, _ in read)
        unnamed = sum(count for _, count, _, _ in read)
        if unnamed:
            first = next(line for _, count, line, _ in read if count)
            findings.add(replace(errors.clicks.record_of_no_query(file.path, first), count=unnamed))
        return True

    @property
    def others(self) -> tuple[str, ...]:
        """Actions that count as no click, in the order they are met."""
        return tuple(name for name in self._of_actions.names() if name not in self._actions)

    def results(self, path: str | None, names: Names, before: int, findings: Findings) -> tuple[int, Results] | None:
        """How many impressions there are, and their results; nothing where none has any.

        So many impressions were before.
        """
        found = self._without_repetition(_joined(self._parts))
        if not len(found.queries) and self._met:
            raise DataError([errors.clicks.no_ubi_queries(path, self._met)])
        shown = self._shown(found, path, findings)
        asked = np.flatnonzero(shown.lengths)
        if not len(asked):
            return None
        lengths = shown.lengths[asked]
        sessions = _elsewhere(self._sessions, names.sessions.numbering(), self._sessions_of(found, asked))
        texts = _elsewhere(self._texts, names.queries.numbering(), found.texts[asked])
        return len(asked), Results(
            np.repeat(sessions, lengths),
            np.repeat(texts, lengths),
            np.repeat(np.arange(before, before + len(asked), dtype=np.int32), lengths),
            _elsewhere(self._documents, names.documents.numbering(), shown.document),
            shown.clicked,
            None,
            None,
            np.repeat(found.lines[asked], lengths),
            "line",
            path,
        )

    def _blocks(self, file: Source) -> Iterator[tuple[int, int, int, _Records] | None]:
        """Of each block how many events it has, how many records without query, the first of these, and columns."""
        records = UbiRecords(
            queries=self._queries,
            texts=self._texts,
            sessions=self._sessions,
            documents=self._documents,
            actions=self._of_actions,
            # No text that was read has half a character, which these may have.
            clicks=[action.encode(errors="surrogatepass") for action in self._actions],
            refused=WRAPPING,
        )
        for block in file.blocks():
            if block.data.strip(BLANKS.encode()):
                found = records.read(*with_slack(block.data), block.first_line)
                if found is None:
                    yield None
                    return
                met, unnamed, first, *columns = found
                yield met, unnamed, first, _Records(*(np.frombuffer(column, np.int32) for column in columns))

    def _keep(self, records: _Records) -> bool:
        """Add what was read; False where a query comes again and is not the same."""
        firsts = np.full(len(self._queries), -1, dtype=np.int64)
        firsts[: len(self._firsts)] = self._firsts
        before = sum(len(part.queries) for part in self._parts)
        new = np.flatnonzero(firsts[records.queries] < 0)
        # The first of several is set last.
        firsts[records.queries[new[::-1]]] = new[::-1] + before
        first = firsts[records.queries]
        again = np.flatnonzero(first != np.arange(before, before + len(first)))
        self._firsts = firsts
        self._parts.append(records)
        return not len(again) or _are_same(_joined(self._parts), again + before, first[again])

    def _without_repetition(self, found: _Records) -> _Records:
        """Each query once."""
        is_first = self._firsts[found.queries] == np.arange(len(found.queries))
        if is_first.all():
            return found
        return found._replace(
            queries=found.queries[is_first],
            texts=found.texts[is_first],
            sessions=found.sessions[is_first],
            lines=found.lines[is_first],
            lengths=found.lengths[is_first],
            documents=found.documents[np.repeat(is_first, found.lengths)],
        )

    def _shown(self, found: _Records, path: str | None, findings: Findings) -> _Shown:
        """What people saw, if that was logged, else what was found for them; and what is left out is told."""
        row = np.full(len(self._queries), -1, dtype=np.int32)
        row[found.queries] = np.arange(len(found.queries), dtype=np.int32)
        of, is_click = row[found.events], found.clicked.astype(np.bool_)
        query, document = _lists(found, of, (of >= 0) & ~is_click & (found.objects >= 0), max(len(self._documents), 1))
        lengths = np.bincount(query, minlength=len(found.queries))
        clicks = np.flatnonzero((of >= 0) & is_click)
        starts = np.concatenate([[0], np.cumsum(lengths)])
        clicked, listed = mark_clicked(starts, document, of[clicks], found.objects[clicks])
        unlisted = clicks[~np.frombuffer(listed, np.bool_) & (lengths[of[clicks]] > 0)]
        unlisted = unlisted[np.argsort(of[unlisted], kind="stable")]
        unknown = found.events[of < 0]
        if len(unknown):
            lost = _names(self._queries, unknown)
            findings.add(errors.clicks.events_of_no_query(path, lost, len(unknown)))
        if len(unlisted):
            lost = _names(self._documents, found.objects[unlisted])
            findings.add(errors.clicks.events_not_listed(path, lost, len(unlisted)))
        if not lengths.all():
            without = _names(self._queries, found.queries[lengths == 0])
            findings.add(errors.clicks.queries_without_results(path, without, len(lengths)))
        return _Shown(query, document, lengths, np.frombuffer(clicked, np.bool_))

    def _sessions_of(self, found: _Records, asked: Ints) -> Codes:
        """The sessions of some queries: of the first event that has one, else of the query; else its id is one."""
        of_events = np.full(len(self._queries), -1, dtype=np.int32)
        # The first of several is set last.
        of_events[found.followed[::-1]] = found.sessions_of_events[::-1]
        queries = found.queries[asked]
        sessions = of_events[queries]
        sessions = np.where(sessions >= 0, sessions, found.sessions[asked])
        alone = sessions < 0
        if alone.any():
            sessions[alone] = _elsewhere(self._queries, self._sessions, queries[alone])
        return sessions


def _is_of_lines(file: Source) -> bool:
    return bool(file.head.strip()) and container(file) == "jsonl"


def _joined(parts: Sequence[_Records]) -> _Records:
    return parts[0] if len(parts) == 1 else _Records(*map(np.concatenate, zip(*parts, strict=True)))


def _elsewhere(ours: Numbering, theirs: Numbering, numbers: Codes) -> Codes:
    """The numbers that ids have in another numbering, which numbers those that it does not know."""
    return np.frombuffer(renumbered(ours, theirs, np.ascontiguousarray(numbers)), np.int32)


def _names(numbering: Numbering, numbers: Codes) -> list[str]:
    """The ids of some numbers, each once; -1 is none."""
    known = (*numbering.names(), "")
    return list(dict.fromkeys(known[number] for number in numbers.tolist()))


def _are_same(found: _Records, rows: Ints, firsts: Ints) -> bool:
    """Whether some queries have the text, the session and the documents of others."""
    for column in (found.texts, found.sessions, found.lengths):
        if (column[rows] != column[firsts]).any():
            return False
    starts = np.cumsum(found.lengths, dtype=np.int64) - found.lengths
    lengths = found.lengths[rows]
    place = np.arange(lengths.sum()) - np.repeat(np.cumsum(lengths, dtype=np.int64) - lengths, lengths)
    one, other = (found.documents[np.repeat(starts[some], lengths) + place] for some in (rows, firsts))
    return bool((one == other).all())


def _lists(found: _Records, of: Codes, is_shown: Bools, documents: int) -> tuple[Codes, Codes]:
    """The query and the document of each result, query by query; some events are of what was shown."""
    query = np.repeat(np.arange(len(found.lengths), dtype=np.int32), found.lengths)
    if not is_shown.any():
        return query, found.documents
    seen, document = _seen(of[is_shown], found.positions[is_shown], found.objects[is_shown], documents)
    is_seen = np.zeros(len(found.lengths), dtype=np.bool_)
    is_seen[seen] = True
    listed = ~is_seen[query]
    query = np.concatenate([query[listed], seen])
    document = np.concatenate([found.documents[listed], document])
    order = order_of(query, None)
    return (query, document) if order is None else (query[order], document[order])


def _seen(query: Codes, position: Codes, document: Codes, documents: int) -> tuple[Codes, Codes]:
    """What was shown, query by query in the order of positions, each document once; what has none comes last."""
    position = np.where(position < 0, np.iinfo(np.int32).max, position)
    order = order_of(query, position)
    if order is not None:
        query, document = query[order], document[order]
    again = repeated(query, document, documents)
    return np.delete(query, again), np.delete(document, again)
