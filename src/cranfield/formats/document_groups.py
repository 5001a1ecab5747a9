"""What counts as one document, and which queries count, as users say it: patterns, mappings and lists of ids."""

from __future__ import annotations

import hashlib
import os
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from cranfield import errors
from cranfield.data.document_groups import Alternatives, DocumentGroups, Mapped, Matched, Separated
from cranfield.errors import CranfieldError, Findings
from cranfield.formats.columns import DOCUMENT, JUDGED, Roles
from cranfield.formats.queries import read_query_ids
from cranfield.formats.relations import Relation, read_relation
from cranfield.formats.remote import is_remote, visible
from cranfield.formats.rows import Record
from cranfield.formats.source import is_there
from cranfield.formats.tables import Rows

_LABEL = re.compile(r"(?P<source>.*) \(sha256 [0-9a-f]{12}\)", re.DOTALL)
"""What settings call a file or mapping: where it is, and a hash of what it says."""


class _Mapping(Relation):
    """What may be a single dictionary, also on the only line of a file."""

    def of_records(
        self, lines: Sequence[int], records: Sequence[Record], unit: str, path: str | None
    ) -> Iterator[Rows]:
        """Records with a field for each role, or one that has ids for names."""
        if len(records) == 1 and self.places_of(list(map(str, records[0]))) is None:
            return self.of_mapping(records[0], path)
        return super().of_records(lines, records, unit, path)


class _Chunks(_Mapping):
    """A document for each chunk."""

    def of_mapping(self, given: Record, path: str | None) -> Iterator[Rows]:
        """`{chunk: document}`, or `{document: [chunks]}`."""
        values = list(given.values())
        if all(isinstance(value, list | tuple | set | frozenset) for value in values):
            pairs = [(chunk, document) for document, chunks in given.items() for chunk in chunks]
        elif any(isinstance(value, list | tuple | set | frozenset | Mapping) for value in values):
            raise self.unreadable(given, path)
        else:
            pairs = list(given.items())
        yield _entries(("chunk", "document"), pairs, path)

    def unreadable(self, given: object, path: str | None) -> CranfieldError:
        """That something holds no chunks."""
        return errors.chunks.wrong_group_by(given)


class _Answers(_Mapping):
    """An answer for each of some documents of a query."""

    def of_mapping(self, given: Record, path: str | None) -> Iterator[Rows]:
        """`{query: {document: answer}}`, or `{query: [[documents], …]}` with a list for each answer."""
        rows: list[tuple[Any, ...]] = []
        for query, answers in given.items():
            if isinstance(answers, Mapping):
                rows += [(query, document, answer) for document, answer in answers.items()]
            elif isinstance(answers, list | tuple) and all(isinstance(one, list | tuple | set) for one in answers):
                rows += [(query, name, number) for number, some in enumerate(answers, 1) for name in some]
            else:
                raise self.unreadable(answers, path)
        yield _entries(("query", "document", "answer"), rows, path)

    def unreadable(self, given: object, path: str | None) -> CranfieldError:
        """That something holds no alternatives."""
        return errors.chunks.wrong_alternatives(given)


def _entries(names: Sequence[str], rows: Sequence[Sequence[Any]], path: str | None) -> Rows:
    columns = list(zip(*rows, strict=True)) if rows else [()] * len(names)
    return Rows(range(1, len(rows) + 1), dict(zip(names, columns, strict=True)), "entry", path)


CHUNKS = _Chunks(
    "chunks",
    ("chunk", "document"),
    Roles(
        {
            "chunk": (
                "chunk_id chunkid chunk passage_id passage node_id node context_id segment_id segment pid",
                "id _id",
            ),
            "document": (
                "document_id doc_id docid document doc docno corpus_id",
                "parent_id parent parent_document_id ref_doc_id source_id source item_id product_id",
                "file file_name filename path url page title",
            ),
            "number": (),
        }
    ),
)
ANSWERS = _Answers(
    "alternatives",
    ("query", "document", "answer"),
    Roles(
        {
            "query": JUDGED.names["query"],
            "document": DOCUMENT,
            "answer": (
                "answer_id answer alternative alternative_id",
                "group_id group cluster_id cluster",
                "nugget_id nugget",
            ),
            "number": (),
        }
    ),
)


def read_group_by(given: object) -> DocumentGroups:
    """Which chunks belong to which document: a separator, a pattern with a group, or a mapping.

    >>> read_group_by("#").documents_of("q1", ["d7#3", "d8"])
    ['d7', None]
    >>> read_group_by("^(.+)_[0-9]+$").documents_of("q1", ["d7_3"])
    ['d7']
    >>> read_group_by({"c1": "d1"}).documents_of("q1", ["c1", "d1", "c2"])
    ['d1', 'd1', None]
    """
    if isinstance(given, DocumentGroups):
        return given
    if isinstance(given, str) and not _is_named(given):
        return _of_saved("group_by", given, read_group_by) or groups_of_text(given)
    if given is None or isinstance(given, bool | int | float | bytes):
        raise errors.chunks.wrong_group_by(given)
    document: dict[str, str] = {}
    findings = Findings()
    for rows in read_relation(given, CHUNKS, findings):
        for line, chunk, own in zip(rows.lines, *(rows.columns[role] for role in CHUNKS.roles), strict=True):
            if (first := document.setdefault(chunk, own)) != own:
                findings.add(errors.chunks.two_documents(rows.path, line, chunk, (first, own), unit=rows.unit))
    findings.stop_if_wrong()
    if not document:
        raise errors.DataError([errors.files.nothing_read(_path_of(given), "chunks")])
    return Mapped(_label(given, "a mapping", document.items()), document, _path_of(given))


def groups_of_text(given: str) -> DocumentGroups:
    """A pattern, or else a separator."""
    if not given:
        raise errors.chunks.wrong_group_by(given)
    if "(" not in given:
        return Separated(given)
    try:
        pattern = re.compile(given)
    except (re.error, RecursionError, OverflowError) as error:
        if len(given) == 1:
            return Separated(given)
        raise errors.chunks.wrong_pattern(given, str(error)) from None
    return Matched(given, pattern) if pattern.groups else Separated(given)


def read_alternatives(given: object) -> Alternatives:
    """Which documents of a query are alternatives: a table of query, document and answer, or a mapping.

    Of each answer, the first id in order is the one under which it counts.

    >>> read_alternatives({"q1": [["c7", "c2"], ["c3"]]}).documents_of("q1", ["c7", "c3", "c4"])
    ['c2', 'c3', 'c4']
    """
    if (
        isinstance(given, str)
        and not _is_named(given)
        and (saved := _of_saved("alternatives", given, read_alternatives))
    ):
        return saved
    answers: dict[tuple[str, str], str] = {}
    findings = Findings()
    for rows in read_relation(given, ANSWERS, findings):
        for line, query, name, own in zip(rows.lines, *(rows.columns[role] for role in ANSWERS.roles), strict=True):
            if (first := answers.setdefault((query, name), own)) != own:
                findings.add(errors.chunks.two_answers(rows.path, line, query, name, (first, own), unit=rows.unit))
    findings.stop_if_wrong()
    if not answers:
        raise errors.DataError([errors.files.nothing_read(_path_of(given), "alternatives")])
    first_of: dict[tuple[str, str], str] = {}
    for query, name in sorted(answers):
        first_of.setdefault((query, answers[query, name]), name)
    by_query: dict[str, dict[str, str]] = {}
    for (query, name), own in answers.items():
        by_query.setdefault(query, {})[name] = first_of[query, own]
    pairs = ((f"{query}\t{name}", own) for query, of in by_query.items() for name, own in of.items())
    return Alternatives(_label(given, "a mapping", pairs), by_query)


class QuerySelection(NamedTuple):
    """The queries that are evaluated, and what the settings of an evaluation call them."""

    label: str
    ids: tuple[str, ...]
    path: str | None


def read_only_queries(given: object) -> QuerySelection:
    """Some queries: ids one per line, a query file, or a list.

    >>> read_only_queries(["q1", "q2"]).ids
    ('q1', 'q2')
    """
    if isinstance(given, str) and not _is_named(given):
        if saved := _of_saved("only_queries", given, read_only_queries):
            return saved
    elif given is None or isinstance(given, bool | int | float | bytes):
        raise errors.chunks.wrong_only_queries(given)
    ids = read_query_ids(given)
    if not ids:
        raise errors.DataError([errors.files.nothing_read(_path_of(given), "queries")])
    return QuerySelection(_label(given, "a list", ((query, "") for query in ids)), ids, _path_of(given))


def _label(given: object, in_memory: str, pairs: Iterable[tuple[str, str]]) -> str:
    """What settings call something: the same where it says the same, in whatever order."""
    digest = hashlib.sha256()
    for line in sorted(f"{left}\t{right}\n" for left, right in pairs):
        digest.update(line.encode(errors="surrogatepass"))
    return f"{_path_of(given) or in_memory} (sha256 {digest.hexdigest()[:12]})"


def _is_named(given: str) -> bool:
    """Whether a file is named, rather than a pattern or what settings call a file."""
    return is_there(given) and not (is_remote(given) and _LABEL.fullmatch(given))


def _path_of(given: object) -> str | None:
    return visible(os.fsdecode(given)) if isinstance(given, str | os.PathLike) else None


def _of_saved(name: str, label: str, read: Callable[[object], Any]) -> Any:
    """What saved results name, read again if it is still the same; nothing where it is no such name."""
    match = _LABEL.fullmatch(label)
    if match is None:
        return None
    again = read(match["source"]) if is_there(match["source"]) else None
    if again is None or again.label != label:
        raise errors.chunks.saved_choice_is_gone(name, label)
    return again
