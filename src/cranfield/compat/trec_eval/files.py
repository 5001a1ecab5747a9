"""Judgments and runs, read as trec_eval reads them.

Ids are bytes to trec_eval. Read as Latin-1 every byte is a letter, and text then compares as its bytes do.
"""

from __future__ import annotations

from collections.abc import Container, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import groupby
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from cranfield.compat.trec_eval.c_numbers import atof, atol, is_real, is_whole
from cranfield.compat.trec_eval.outcome import Exit, TrecEvalError, shown
from cranfield.compat.trec_eval.versions import Version
from cranfield.errors import DataError
from cranfield.formats.source import Block, Source, as_source
from cranfield.formats.tokens import scores as plain_scores
from cranfield.judgments import Judgments

Floats = npt.NDArray[np.float64]


@dataclass(frozen=True)
class Shape:
    """What stands on a line of a file."""

    columns: tuple[str, ...]
    has: str
    """What has these columns, for messages."""
    is_lenient: bool = False
    """Whether blank lines, indented comments and more columns are passed over."""


QRELS = Shape(("query", "iteration", "document", "grade"), "judgments have")
RUN = Shape(("query", "Q0", "document", "rank", "score", "tag"), "a run has", is_lenient=True)


class Rows(NamedTuple):
    """Some lines of a file, column by column."""

    numbers: Sequence[int]
    """The number of each line."""
    columns: Sequence[list[bytes]]


@dataclass(frozen=True)
class ReadJudgments:
    """Judgments, queries in byte order, and what reading them met."""

    judgments: Judgments
    repeated: dict[str, str]
    """Queries that judge a document twice, and the document."""
    notes: list[str]


@dataclass
class ReadRun:
    """The rankings of judged queries, and what reading them met."""

    name: str = ""
    documents: dict[str, list[str]] = field(default_factory=dict)
    scores: dict[str, list[Floats]] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)


def read_judgments(path: str, version: Version) -> ReadJudgments:
    """Judgments in TREC's form; a grade counts as far as it is a whole number."""
    source = opened(path)
    by_query: dict[str, dict[str, int]] = {}
    repeated: dict[str, str] = {}
    notes: list[str] = []
    for rows in rows_of(source, QRELS, version):
        queries, _, documents, tokens = rows.columns
        grades = {token: atol(token.decode("latin-1")) for token in set(tokens)}
        notes.extend(_cut_grades(source, rows, tokens, grades) if not notes else ())
        for query, document, token in zip(_texts_alike(queries), _texts(documents), tokens, strict=True):
            of_query = by_query.setdefault(query, {})
            if document in of_query:
                repeated.setdefault(query, document)
            else:
                of_query[document] = grades[token]
    if not by_query:
        raise TrecEvalError(Exit.INPUT, f"{source.path}: no judgments found: the file holds only comments")
    return ReadJudgments(as_judgments(by_query, path), repeated, notes)


def as_judgments(by_query: Mapping[str, Mapping[str, int]], path: str | None = None) -> Judgments:
    """Judgments with queries in byte order."""
    queries = tuple(sorted(by_query))
    rows = [row for query in queries for row in by_query[query].items()]
    return Judgments(
        queries,
        np.cumsum([0, *(len(by_query[query]) for query in queries)]),
        tuple(document for document, _ in rows),
        np.array([grade for _, grade in rows], dtype=np.float64),
        path=path,
    )


def read_run(path: str, judged: Container[str], version: Version) -> ReadRun:
    """The rankings of judged queries; a score counts as far as it is a number."""
    source = opened(path)
    read = ReadRun()
    for rows in rows_of(source, RUN, version):
        queries, _, documents, _, tokens, tags = rows.columns
        read.name = tags[-1].decode("latin-1")
        scores = _scores(source, rows, tokens, read.notes)
        texts, start = _texts(documents), 0
        for query, same in groupby(_texts_alike(queries)):
            end = start + len(list(same))
            if query in judged:
                read.documents.setdefault(query, []).extend(texts[start:end])
                read.scores.setdefault(query, []).append(scores[start:end])
            start = end
    if not read.name:
        raise TrecEvalError(Exit.INPUT, f"{source.path}: no results found: the file holds only blank lines or comments")
    return read


def opened(path: str) -> Source:
    """The file at a path, or standard input; compressed or not."""
    try:
        source = as_source(path)
        assert source is not None
        empty = not source.head
    except DataError as error:
        raise TrecEvalError(Exit.INPUT, str(error)) from None
    if empty:
        raise TrecEvalError(Exit.INPUT, f"{source.path}: the file is empty")
    return source


def rows_of(source: Source, shape: Shape, version: Version) -> Iterator[Rows]:
    """The lines of a file in blocks."""
    try:
        for block in source.blocks():
            rows = _at_once(block, len(shape.columns)) or _line_by_line(source, block, shape, version)
            if rows.numbers:
                yield rows
    except DataError as error:
        raise TrecEvalError(Exit.INPUT, str(error)) from None


def _at_once(block: Block, count: int) -> Rows | None:
    """A block in which every line has the right number of columns and none is a comment."""
    if b"#" in block.data or b"\0" in block.data:
        return None
    data = block.data if block.data.endswith(b"\n") else block.data + b"\n"
    # With its end marked, a line of the right length leaves its mark at every (count + 1)th place.
    tokens = data.replace(b"\n", b" \0 ").split()
    lines, width = data.count(b"\n"), count + 1
    if len(tokens) != lines * width or tokens[count::width].count(b"\0") != lines:
        return None
    return Rows(range(block.first_line, block.first_line + lines), [tokens[at::width] for at in range(count)])


def _line_by_line(source: Source, block: Block, shape: Shape, version: Version) -> Rows:
    numbers: list[int] = []
    found: list[list[bytes]] = []
    for number, line in enumerate(block.lines, block.first_line):
        fields = line.split()
        if (not fields and shape.is_lenient) or (version.takes_comments and _is_comment(line, shape)):
            continue
        if len(fields) < len(shape.columns) or (len(fields) > len(shape.columns) and not shape.is_lenient):
            raise TrecEvalError(Exit.INPUT, _malformed(source, number, line, len(fields), shape))
        numbers.append(number)
        found.append(fields)
    return Rows(numbers, [[fields[at] for fields in found] for at in range(len(shape.columns))])


def _is_comment(line: bytes, shape: Shape) -> bool:
    return (line.lstrip() if shape.is_lenient else line).startswith(b"#")


def _malformed(source: Source, number: int, line: bytes, count: int, shape: Shape) -> str:
    columns = "1 column" if count == 1 else f"{count} columns" if count else "a blank line"
    return (
        f"{source.path}, line {number}: Malformed line: {columns} where {shape.has} "
        f"{len(shape.columns)} ({' '.join(shape.columns)})\n"
        f"    {line.decode(errors='replace').strip()}"
    ).rstrip()


def _texts(tokens: list[bytes]) -> list[str]:
    return b"\n".join(tokens).decode("latin-1").split("\n")


def _texts_alike(tokens: list[bytes]) -> list[str]:
    texts = {token: token.decode("latin-1") for token in set(tokens)}
    return list(map(texts.__getitem__, tokens))


def _cut_grades(source: Source, rows: Rows, tokens: list[bytes], grades: dict[bytes, int]) -> Iterator[str]:
    for token, grade in grades.items():
        if not is_whole(token.decode("latin-1")):
            line = rows.numbers[tokens.index(token)]
            yield (
                f"{source.path}, line {line}: the grade '{token.decode(errors='replace')}' is no whole number and "
                f"counts as {grade}, as in trec_eval; cranfield evaluate takes fractions"
            )
            return


def _scores(source: Source, rows: Rows, tokens: list[bytes], notes: list[str]) -> Floats:
    try:
        return plain_scores(tokens)
    except ValueError:
        texts = [token.decode("latin-1") for token in tokens]
    scores = np.array([atof(text) for text in texts])
    for at in np.flatnonzero(np.isnan(scores)).tolist():
        raise TrecEvalError(
            Exit.INPUT,
            f"{source.path}, line {rows.numbers[at]}: the score is '{shown(texts[at])}', which has no place in a "
            "ranking; correct or remove the line",
        )
    odd = [at for at, text in enumerate(texts) if not is_real(text)]
    if odd and not notes:
        notes.append(
            f"{source.path}, line {rows.numbers[odd[0]]}: the score '{shown(texts[odd[0]])}' is no number and counts "
            f"as {scores[odd[0]]:g}, as in trec_eval"
        )
    return scores
